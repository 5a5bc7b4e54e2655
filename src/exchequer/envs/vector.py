"""Many games at once: NumPy in, NumPy out, finished games start anew by themselves.

    envs = VectorEnv("kingdom", 1024)
    observations, masks, actors = envs.reset(seed=1)
    while training:
        actions = policy(observations, masks)
        observations, masks, rewards, finished, actors = envs.step(actions)

Each row is a game seen by the seat that is asked (`actors`). `rewards` has a column a seat, and
is not zero only in the step in which a game ends. The arrays are written anew by each step.
"""

from typing import Any, NamedTuple

import numpy as np

from exchequer.core.contract import actor, apply, setup, winners
from exchequer.core.errors import InputError
from exchequer.core.find import Wanted
from exchequer.core.log import clear, new_log
from exchequer.core.records import NOBODY, rule
from exchequer.envs.play import chosen
from exchequer.envs.tensors import flat_tables, layout_of, typed_views, write_mask, write_row


class EnvArrays(NamedTuple):
    """What a step writes, a row a game."""

    observations: np.ndarray  # (n, width) f4
    masks: np.ndarray  # (n, actions) i1
    rewards: np.ndarray  # (n, seats) f4
    finished: np.ndarray  # (n,) bool
    actors: np.ndarray  # (n,) i4
    steps: np.ndarray  # (n,) i4 moves of the game so far


class Room(NamedTuple):
    """What the loop needs to work in."""

    blank: np.ndarray  # (1,) State
    scratch: np.ndarray  # (1,) State, to be blanked into an observation
    views: tuple
    tables: tuple
    out: np.ndarray
    log: np.ndarray


@rule
def begin(s, c, room, seats, seed):
    clear(room.log)
    setup(s, c, seats, np.int64(seed), room.log)


@rule
def write_rewards(s, c, seats, rewards):
    """1 shared among the winners, -1 among the others, nothing where all share the win."""
    mask = winners(s, c)
    won = 0
    for seat in range(seats):
        won += (mask >> seat) & 1
    for seat in range(seats):
        if won == 0 or won == seats:
            rewards[seat] = 0.0
        elif (mask >> seat) & 1:
            rewards[seat] = 1.0 / won
        else:
            rewards[seat] = -1.0 / (seats - won)


@rule
def look(states, i, c, room, places, rows):
    """What the seat that is asked may see and do."""
    seat = actor(states[i])
    rows.actors[i] = seat
    write_mask(states[i], c, room.out, rows.masks[i])
    room.scratch[0] = states[i]
    write_row(room.scratch, room.views, room.tables, places, c, seat, rows.observations[i])


@rule
def reset_all(states, seeds, c, seats, room, places, rows):
    for i in range(len(states)):
        states[i] = room.blank[0]
        begin(states[i], c, room, seats, seeds[i])
        rows.steps[i] = 0
        look(states, i, c, room, places, rows)


@rule
def step_all(states, seeds, actions, c, seats, limit, room, places, rows):
    """One move in every game. Returns how many actions were illegal and left undone."""
    illegal = 0
    for i in range(len(states)):
        rows.rewards[i, :] = 0.0
        rows.finished[i] = False
        if rows.masks[i, actions[i]] == 0:
            illegal += 1
            continue
        clear(room.log)
        apply(states[i], c, actions[i], room.log)
        rows.steps[i] += 1
        over = actor(states[i]) == NOBODY
        if over or rows.steps[i] >= limit:
            rows.finished[i] = True
            if over:
                write_rewards(states[i], c, seats, rows.rewards[i])
            seeds[i] += np.uint64(len(states))
            states[i] = room.blank[0]
            begin(states[i], c, room, seats, seeds[i])
            rows.steps[i] = 0
        look(states, i, c, room, places, rows)
    return illegal


class VectorEnv:
    """`n` games of one kind; all seats are the caller's to play."""

    def __init__(self, game: Wanted, n: int, seats: int | None = None,
                 variant: str | None = None, settings: dict[str, Any] | None = None) -> None:
        self.game, self.content, self.seats = chosen(game, variant, settings, seats)
        if n < 1:
            raise InputError(f"A vector environment needs at least one game, not {n}.")
        engine = self.game.engine()
        engine.prepare()
        self.layout = layout_of(self.game)
        self.states = np.zeros(n, self.game.state)
        self.seeds = np.zeros(n, np.uint64)
        scratch = np.zeros(1, self.game.state)
        self.room = Room(np.zeros(1, self.game.state), scratch, typed_views(scratch),
                         flat_tables(self.layout), np.zeros(self.game.max_legal, np.int32),
                         new_log(0))
        self.rows = EnvArrays(np.zeros((n, self.layout.width), np.float32),
                         np.zeros((n, self.game.n_actions), np.int8),
                         np.zeros((n, self.seats), np.float32), np.zeros(n, np.bool_),
                         np.zeros(n, np.int32), np.zeros(n, np.int32))
        self._reset, self._step = engine.bind(reset_all), engine.bind(step_all)

    def reset(self, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Start every game; game i of n takes seeds seed + i, seed + n + i, and so on."""
        self.seeds[:] = np.arange(seed, seed + len(self.seeds), dtype=np.uint64)
        self._reset(self.states, self.seeds, self.content.record, self.seats, self.room,
                    self.layout.places, self.rows)
        return self.rows.observations, self.rows.masks, self.rows.actors

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray,
                                                 np.ndarray]:
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != self.seeds.shape or actions.min() < 0 or \
                actions.max() >= self.game.n_actions:
            raise InputError(f"{len(self.seeds)} actions from 0 to {self.game.n_actions - 1} are "
                             "needed, one a game.")
        illegal = self._step(self.states, self.seeds, actions, self.content.record, self.seats,
                             self.game.step_limit, self.room, self.layout.places, self.rows)
        if illegal:
            raise InputError(f"{illegal} of the actions are illegal and were not carried out; "
                             "choose among those whose mask is 1.")
        rows = self.rows
        return rows.observations, rows.masks, rows.rewards, rows.finished, rows.actors
