"""The loops of the environments: the one reward there is, and many games at once."""

from typing import Any, NamedTuple

import numpy as np

from exchequer.core.agenda import blank_done
from exchequer.core.build import Mode
from exchequer.core.contract import actor, apply, observe, refusal, score, setup, winners
from exchequer.core.game import Game
from exchequer.core.log import clear, new_log
from exchequer.core.progress import prepare_loops
from exchequer.core.records import NOBODY, rule
from exchequer.core.rows import (
    Encoder,
    flat_tables,
    layout_of,
    typed_views,
    write_mask,
    write_observed,
    write_row,
)

MOST_SEEDS = 2**62  # so that games that start anew never leave the range of seeds
POINTS = 1000.0  # of the solo game make a reward of 1
MOST = 10.0  # and no game is rewarded with more, or less, than this


@rule
def write_rewards(s, c, seats, rewards):
    """What each seat gets for the state: nothing before the end.

    At the end 1 is shared among the winners and -1 among the others, and where all share the win
    nobody gets anything. The solo game gives its score in thousands. All interfaces reward so.
    """
    rewards[:] = 0.0
    if actor(s) != NOBODY:
        return
    if seats == 1:
        rewards[0] = min(max(score(s, c, 0) / POINTS, -MOST), MOST)
        return
    mask = winners(s, c)
    won = 0
    for seat in range(seats):
        won += (mask >> seat) & 1
    if won == 0 or won == seats:
        return
    for seat in range(seats):
        rewards[seat] = 1.0 / won if (mask >> seat) & 1 else -1.0 / (seats - won)


@rule
def take_action(states, contents, action, log):
    """Carry out an action of a game, unless it is refused: why, and who is asked then.

    Python calls this with arrays of one record each: a record by itself is handed over with a
    description of all its fields, which takes longer than the move.
    """
    why = refusal(states[0], contents[0], action)
    if why == 0:
        clear(log)
        apply(states[0], contents[0], action, log)
    return why, actor(states[0])


@rule
def write_view(states, contents, seat, scratch, views, tables, places, out, row, mask):
    """What a seat sees of a game, and what it may do where it is the one that is asked."""
    scratch[0] = states[0]
    write_row(scratch, views, tables, places, contents[0], seat, row)
    if seat == actor(states[0]):
        write_mask(states[0], contents[0], out, mask)


def array_of(record: Any) -> np.ndarray:
    """An array of one record, as `take_action` wants it."""
    array = np.zeros(1, record.dtype)
    array[0] = record
    return array


class Rows(NamedTuple):
    """What a step reads and writes, a row a game."""

    states: np.ndarray  # (n,) State
    seeds: np.ndarray  # (n,) u8 of the present games
    steps: np.ndarray  # (n,) i4 moves of the game so far
    observations: np.ndarray  # (n, width) f4, or (n,) State where they are written as bytes
    masks: np.ndarray  # (n, actions) i1
    rewards: np.ndarray  # (n, seats) f4
    gained: np.ndarray  # (n,) f4 the rewards of those who have moved
    terminations: np.ndarray  # (n,) bool
    truncations: np.ndarray  # (n,) bool
    actors: np.ndarray  # (n,) i4 who is asked
    movers: np.ndarray  # (n,) i4 who has moved
    finals: np.ndarray  # like observations: what the mover saw last, in games that have ended

    def part(self, games: slice) -> "Rows":
        return Rows(*(array[games] for array in self))


class Room(NamedTuple):
    """What the loop needs to work in."""

    blank: np.ndarray  # (1,) State
    scratch: np.ndarray  # (1,) State, to be blanked into an observation
    views: tuple
    tables: tuple
    out: np.ndarray
    log: np.ndarray


def new_rows(game: Game, seats: int, n: int, as_bytes: bool = False) -> Rows:
    def observations() -> np.ndarray:
        return (np.zeros(n, game.state) if as_bytes
                else np.zeros((n, layout_of(game).width), np.float32))

    return Rows(np.zeros(n, game.state), np.zeros(n, np.uint64), np.zeros(n, np.int32),
                observations(), np.zeros((n, game.n_actions), np.int8),
                np.zeros((n, seats), np.float32), np.zeros(n, np.float32),
                np.zeros(n, np.bool_), np.zeros(n, np.bool_),
                np.zeros(n, np.int32), np.zeros(n, np.int32), observations())


def new_room(game: Game) -> Room:
    scratch = np.zeros(1, game.state)
    return Room(np.zeros(1, game.state), scratch, typed_views(scratch),
                flat_tables(layout_of(game)), np.zeros(game.max_legal, np.int32), new_log(0))


@rule
def copy_state(to, i, states, j):
    to[i] = states[j]


@rule
def begin(i, c, seats, room, rows):
    """A new game in the place of the old one."""
    copy_state(rows.states, i, room.blank, 0)
    rows.steps[i] = 0
    clear(room.log)
    setup(rows.states[i], c, seats, np.int64(rows.seeds[i]), room.log)


@rule
def write_seen(i, c, seat, room, places, states, seen):
    """What a seat sees of a game, as a row of floats."""
    copy_state(room.scratch, 0, states, i)
    write_row(room.scratch, room.views, room.tables, places, c, seat, seen[i])


@rule
def write_bytes(i, c, seat, room, places, states, seen):
    """The same as the state itself, without what the seat may not know and what has been done."""
    copy_state(seen, i, states, i)
    observe(seen[i], c, seat)
    blank_done(seen[i])


@rule
def floats_all(seen, seats, room, places, rows):
    """Rows of floats for what was written as bytes."""
    for i in range(len(seen)):
        copy_state(room.scratch, 0, seen, i)
        write_observed(room.scratch, room.views, room.tables, places, seats[i], rows[i])


@rule
def look(i, c, room, places, rows):
    """What the seat that is asked may see and do."""
    rows.actors[i] = actor(rows.states[i])
    write_mask(rows.states[i], c, room.out, rows.masks[i])
    write_seen(i, c, rows.actors[i], room, places, rows.states, rows.observations)


@rule
def begin_all(contents, seats, room, rows):
    for i in range(len(rows.states)):
        begin(i, contents[0], seats, room, rows)


@rule
def look_all(contents, room, places, rows):
    for i in range(len(rows.states)):
        look(i, contents[0], room, places, rows)


@rule
def move(i, action, c, seats, limit, log, rows):
    """Carry out a legal action in a game; whether the game has ended."""
    rows.movers[i] = rows.actors[i]
    clear(log)
    apply(rows.states[i], c, action, log)
    rows.steps[i] += 1
    write_rewards(rows.states[i], c, seats, rows.rewards[i])
    rows.gained[i] = rows.rewards[i, rows.movers[i]]
    rows.terminations[i] = actor(rows.states[i]) == NOBODY
    rows.truncations[i] = rows.steps[i] >= limit and not rows.terminations[i]
    return rows.terminations[i] or rows.truncations[i]


@rule
def renew(i, c, seats, games, room, places, rows):
    """What the mover saw last of a game that has ended, and a new game in its place."""
    write_seen(i, c, rows.movers[i], room, places, rows.states, rows.finals)
    rows.seeds[i] += np.uint64(games)
    begin(i, c, seats, room, rows)


@rule
def step(i, action, c, seats, limit, games, room, places, rows):
    """One move in a game; the action must be legal. A game that ends starts anew at once."""
    if move(i, action, c, seats, limit, room.log, rows):
        renew(i, c, seats, games, room, places, rows)
    look(i, c, room, places, rows)


@rule
def step_all(actions, contents, seats, limit, games, room, places, rows):
    """One move in each game."""
    for i in range(len(rows.states)):
        step(i, actions[i], contents[0], seats, limit, games, room, places, rows)


@rule
def illegal_all(actions, masks):
    """How many of the actions are not legal."""
    found = 0
    for i in range(len(actions)):
        is_known = 0 <= actions[i] < masks.shape[1]
        found += not is_known or masks[i, actions[i]] == 0
    return found


@rule
def nth_legal(mask, chance):
    """The legal action that a chance from 0 up to 1 falls on."""
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    before = min(np.int64(chance * np.float32(count)), count - 1)
    for action in range(len(mask)):
        if mask[action] and before == 0:
            return action
        before -= mask[action]
    return 0


@rule
def sample_all(masks, chances, actions):
    for i in range(len(masks)):
        actions[i] = nth_legal(masks[i], chances[i])


# Machine code -----------------------------------------------------------------------------------

SINGLE = (write_row, write_mask, write_rewards, take_action, write_view)
VECTOR = (begin_all, look_all, step_all, illegal_all, sample_all)
BYTES = {write_seen: write_bytes}
ENV_LOOPS = (*SINGLE, *VECTOR)


def prepare_single(game: Game, mode: Mode | None = None) -> None:
    """What environments of one game need; compiled when it is not there, which is said."""
    def exercise() -> None:
        engine, content, seats = game.engine(mode), game.content().record, game.seats[0]
        encoder, states = Encoder(game, mode), np.zeros(1, game.state)
        engine.setup(states[0], content, seats, 0, new_log(0))
        encoder.row(states, content, 0)
        encoder.mask(states, content)
        engine.bind(write_rewards)(states[0], content, seats, np.zeros(seats))
        contents, mask = array_of(content), encoder.mask(states, content)
        engine.bind(write_view)(states, contents, 0, *encoder.room, encoder.row(states, content, 0),
                                mask)
        engine.bind(take_action)(states, contents, int(mask.argmax()), new_log(0))

    prepare_loops(game, SINGLE, exercise, "the environment", mode)


def prepare_vector(game: Game, as_bytes: bool = False) -> None:
    """The same for many games at once."""
    def exercise() -> None:
        engine, contents, seats = game.engine(), array_of(game.content().record), game.seats[0]
        rows, room = new_rows(game, seats, 1, as_bytes), new_room(game)
        places, actions = layout_of(game).places, np.zeros(1, np.int64)
        engine.bind(begin_all)(contents, seats, room, rows)
        engine.bind(look_all, instead)(contents, room, places, rows)
        engine.bind(sample_all)(rows.masks, np.zeros(1, np.float32), actions)
        engine.bind(illegal_all)(actions, rows.masks)
        engine.bind(step_all, instead)(actions, contents, seats, game.step_limit, 1, room, places,
                                       rows)
        if as_bytes:
            floats = new_rows(game, seats, 1).observations
            engine.bind(floats_all)(rows.observations, rows.actors, room, places, floats)

    instead = BYTES if as_bytes else None
    loops = (look_all, step_all, floats_all) if as_bytes else VECTOR
    prepare_loops(game, loops, exercise, "the vector environment", instead=instead)
