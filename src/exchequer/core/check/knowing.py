"""Secrecy, determinization, sameness, sealing and completeness: what a seat may know, held against
worlds it cannot tell apart from the true one, and against the row that is made of it."""

import itertools
from collections.abc import Iterator

import numpy as np

from exchequer.core.chance import GAME_STREAM, seed_chance
from exchequer.core.check.broken import Broken, applied, fault_of, legal_in, text_of
from exchequer.core.log import seen_by
from exchequer.core.piles import deal_hidden, hide_faces
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.rows import Encoder

DETERMINIZED = 3  # worlds sampled per position and seat
SEALED_WAYS = 2  # in which others answer a sealed question
MOST_PARTS = 1000  # of such an answer


def observed(position: Position, states: np.ndarray, seat: int) -> np.ndarray:
    copy = states.copy()
    position.engine.observe(copy[0], position.content.record, seat)
    return copy


def changed_fields(left: np.ndarray, right: np.ndarray) -> str:
    names = left.dtype.names or ()
    return ", ".join(n for n in names if left[n].tobytes() != right[n].tobytes())


def by_kind(position: Position, states: np.ndarray) -> np.ndarray:
    """The states with equal numbers for copies of one card, where the game has such."""
    if "kind_of" in position.content.record.dtype.names:
        card = states["card"]
        seen = card >= 0
        card[seen] = position.content.record.kind_of[card[seen]]
    return states


def check_determinization(position: Position, seat: int, seed: int) -> None:
    """A determinized world is sound, asks the same question, and looks the same to the seat."""
    engine = position.engine
    seen = position.observe(seat)
    for i in range(DETERMINIZED):
        world = position.determinize(seat, seed + i)
        if why := fault_of(position, world):
            raise Broken("determinization", position,
                         f"seat {seat} determinizes to a world in which {why}")
        if engine.actor(world[0]) != position.actor or \
                engine.question(world[0]) != engine.question(position.state):
            raise Broken("determinization", position,
                         f"seat {seat} determinizes to another question")
        if observed(position, world, seat).tobytes() != seen.tobytes():
            fields = changed_fields(observed(position, world, seat), seen)
            raise Broken("determinization", position,
                         f"seat {seat} determinizes against what it has seen: {fields}")


def check_secrecy(position: Position, seat: int, seed: int) -> None:
    """A world this seat cannot tell from the true one looks and asks the same."""
    seen = position.observe(seat)
    for world in other_worlds(position, seat, seed):
        if observed(position, world, seat).tobytes() != seen.tobytes():
            raise Broken("secrecy", position, f"seat {seat}'s observation depends on what it may "
                         f"not know: {changed_fields(observed(position, world, seat), seen)}")
        if position.actor == seat:
            check_same_moves(position, world, seat)


def check_same_moves(position: Position, world: np.ndarray, seat: int) -> None:
    if legal_in(position, world) != position.legal():
        raise Broken("secrecy", position, f"seat {seat}'s moves depend on what it may not know")
    engine, c = position.engine, position.content.record
    differs = engine.refusals(world[0], c) != engine.refusals(position.state, c)
    for action in np.flatnonzero(differs).tolist():
        raise Broken("secrecy", position, f"why seat {seat} may not take "
                     f"{text_of(position, action)} depends on what it may not know")


def check_sameness(position: Position, seat: int, seed: int) -> None:
    """Alike before a move, and alike after it just where the seat reads the same log of it."""
    seen = position.observe(seat).tobytes()
    for world in itertools.chain(other_worlds(position, seat, seed),
                                 redealt(position, seat, seed),
                                 swapped_places(position, seat, seed)):
        if observed(position, world, seat).tobytes() != seen or not same_backs(position, world):
            continue
        world["rng"] = position.state.rng  # chance falls alike
        for action in sorted(set(legal_in(position, world)).intersection(position.legal())):
            check_same_outcome(position, world, seat, action)


def check_same_outcome(position: Position, world: np.ndarray, seat: int, action: int) -> None:
    true, log = applied(position, position._states, action)
    other, other_log = applied(position, world, action)
    ends = position.engine.actor(true[0]), position.engine.actor(other[0])
    if ends == (NOBODY, NOBODY):
        return  # once the game is over all may lie open
    fields = changed_fields(*(by_kind(position, observed(position, states, seat))
                              for states in (true, other)))
    entry = first_difference(seen_by(log, seat), seen_by(other_log, seat))
    who = f"{text_of(position, action)} of seat {position.actor}"
    if fields and entry is None:
        raise Broken("sameness", position, f"{who} lets seat {seat} tell by {fields} what the log "
                     "keeps from it: hide that in `observe`, or note what all may see in the log")
    if entry is not None and not fields:
        raise Broken("secrecy", position, f"{who} tells seat {seat} in entry {entry} of the log "
                     "what its observation hides: note it for those who know "
                     "(`note_for`), or keep in the state what has been shown")
    if not fields and ends[0] == seat and legal_in(position, true) != legal_in(position, other):
        raise Broken("sameness", position, f"after {who} the moves of seat {seat} depend on what "
                     "it may not know")


def first_difference(left: np.ndarray, right: np.ndarray) -> str | None:
    """Where two logs differ as one seat reads them: the number of the entry, and its Event."""
    for number, (mine, theirs) in enumerate(itertools.zip_longest(left, right)):
        if mine is None or theirs is None or mine.tobytes() != theirs.tobytes():
            entry = theirs if mine is None else mine
            return f"{number} (event {int(entry['what'])})"
    return None


# Sealed questions ------------------------------------------------------------------------------

def check_sealing(position: Position, seed: int) -> None:
    """Whoever is asked together with others may do and knows the same, whatever these answer."""
    seats = position.asked
    for place, seat in enumerate(seats[1:], 1):
        early = position.asking_first(seat)
        reached = [answered(position, place, seed + i) for i in range(SEALED_WAYS)]
        for late in reached:
            check_independent(position, seat, early, late)
        first = reached[0].observe(seat)
        for late in reached[1:]:
            if fields := changed_fields(first, late.observe(seat)):
                raise Broken("sealing", position, f"seat {seat} sees in {fields} what others have "
                             "answered to a sealed question: hide that in `observe`")
        actions = answered(early, 1, seed).actions[len(early.actions):]
        for late in reached:
            for action in actions:
                late.play(action)


def check_independent(position: Position, seat: int, early: Position, late: Position) -> None:
    """The same seat asked first, and asked after others have answered."""
    if late.actor != seat or late.engine.question(late.state) != early.engine.question(early.state):
        raise Broken("sealing", position, f"whether seat {seat} is asked depends on what others "
                     "answer to a sealed question")
    if late.state.rng != position.state.rng:
        raise Broken("sealing", position, "chance falls before all have answered a sealed question")
    refusals = [one.engine.refusals(one.state, one.content.record) for one in (early, late)]
    if early.legal() != late.legal() or (refusals[0] != refusals[1]).any():
        raise Broken("sealing", position, f"the moves of seat {seat} depend on what others answer "
                     "to a sealed question")


def answered(position: Position, seats: int, seed: int) -> Position:
    """The position after so many seats have answered their sealed question at random."""
    later, chance = position.copy(), np.random.default_rng(seed)
    for _ in range(seats):
        for _ in range(MOST_PARTS):
            later.play(int(chance.choice(later.legal())))
            if not later.is_answering:
                break
    return later


# Rows ----------------------------------------------------------------------------------------

def check_completeness(position: Position, encoder: Encoder) -> None:
    """After moves that leave the same row, mask and chance, all goes on alike for the seat."""
    found: dict[tuple[int, bytes, bytes], np.ndarray] = {}
    for action in position.legal():
        states, _ = applied(position, position._states, action)
        seat = position.engine.actor(states[0])
        if seat == NOBODY:
            continue
        states["rng"] = position.state.rng  # chance falls alike
        mask = np.array(legal_in(position, states)).tobytes()
        twin = found.setdefault((seat, row_of(position, encoder, states, seat), mask), states)
        if observed(position, twin, seat).tobytes() != observed(position, states, seat).tobytes():
            check_twins(position, encoder, seat, twin, states)


def check_twins(position: Position, encoder: Encoder, seat: int, twin: np.ndarray,
                states: np.ndarray) -> None:
    """Whatever the seat does, it sees the same after it, and has the same moves."""
    for action in legal_in(position, states):
        ends = [goes_on(position, encoder, seat, each, action) for each in (twin, states)]
        if ends[0] != ends[1]:
            fields = changed_fields(observed(position, twin, seat),
                                    observed(position, states, seat))
            raise Broken("completeness", position, f"seat {seat} can come to one row in two ways "
                         f"that {text_of(position, action)} tells apart; the row lacks what is in "
                         f"{fields}")


def goes_on(position: Position, encoder: Encoder, seat: int, states: np.ndarray, action: int
            ) -> tuple[int, bytes, list[int], int]:
    """Who is asked after an action, what the seat sees, may do and has won."""
    after, _ = applied(position, states, action)
    actor = position.engine.actor(after[0])
    return (actor, row_of(position, encoder, after, seat),
            legal_in(position, after) if actor == seat else [],
            position.engine.winners(after[0], position.content.record))


def row_of(position: Position, encoder: Encoder, states: np.ndarray, seat: int) -> bytes:
    return encoder.row(states, position.content.record, seat).tobytes()


def check_reading(position: Position, seat: int, encoder: Encoder) -> None:
    """The observation can be read from its row: what has been done is all that is not there."""
    row = encoder.row(position._states, position.content.record, seat)
    if np.abs(row).max() > 1 or not np.isfinite(row).all():
        raise Broken("completeness", position, f"the row of seat {seat} leaves the range of -1 to "
                     "1")
    seen = position.observe(seat)
    seen["rng"] = 0
    seen["agenda"][0, int(seen["todo"][0]):] = 0
    for name in ("agenda_fault", "agenda_fault_item"):
        seen[name] = 0
    if fields := changed_fields(encoder.layout.observation(row), seen):
        raise Broken("completeness", position, f"the row of seat {seat} does not tell what is in "
                     f"{fields}")


# Worlds --------------------------------------------------------------------------------------

def other_worlds(position: Position, seat: int, seed: int) -> Iterator[np.ndarray]:
    """Imagined ones, and true ones in which two hidden cards have changed places."""
    for i in range(DETERMINIZED):
        yield position.determinize(seat, seed + i)
    for left, right in hidden_pairs(position, seat, seed):
        yield swapped(position, left, right, ("card",))
        return


def redealt(position: Position, seat: int, seed: int) -> Iterator[np.ndarray]:
    """The true world with all cards that the seat does not know dealt again, back by back."""
    if "card" not in position.state.dtype.names:
        return
    backs = position.game.backs(position.content.record)
    for i in range(DETERMINIZED):
        world = position._states.copy()
        hide_faces(world[0], backs, seat)
        seed_chance(world[0], seed + i, GAME_STREAM)
        deal_hidden(world[0], backs)
        yield world


def same_backs(position: Position, world: np.ndarray) -> bool:
    """Whether the same action takes a card with the same back: what is on backs, all can see."""
    if "card" not in position.state.dtype.names:
        return True
    backs = np.asarray(position.game.backs(position.content.record))
    return np.array_equal(backs[world["card"][0]], backs[position.state.card])


def swapped_places(position: Position, seat: int, seed: int) -> Iterator[np.ndarray]:
    """The true world but for the order of a pile: two hidden cards, with who knows them."""
    for left, right in hidden_pairs(position, seat, seed):
        starts = position.state.start
        if np.searchsorted(starts, left, "right") == np.searchsorted(starts, right, "right"):
            yield swapped(position, left, right, ("card", "known"))
            return


def hidden_pairs(position: Position, seat: int, seed: int) -> Iterator[tuple[int, int]]:
    """Places of cards that look alike to the seat: it knows neither, and their backs are equal."""
    s = position.state
    if "card" not in s.dtype.names:
        return
    backs = position.game.backs(position.content.record)
    hidden = [p for p in range(len(s.card)) if not s.known[p] >> seat & 1]
    np.random.default_rng(seed).shuffle(hidden)
    for left, right in itertools.combinations(hidden, 2):
        if backs[s.card[left]] == backs[s.card[right]]:
            yield left, right


def swapped(position: Position, left: int, right: int, fields: tuple[str, ...]) -> np.ndarray:
    world = position._states.copy()
    for name in fields:
        row = world[name][0]
        row[left], row[right] = int(row[right]), int(row[left])
    return world
