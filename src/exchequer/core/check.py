"""The conformance suite: what every game promises, checked on any game found.

    legality      what is legal applies; all else is refused and changes no byte
    determinism   same seed and actions, same bytes; copies are independent
    modes         plain Python = compiled = bounds-checked, state by state
    secrecy       worlds that differ only in what a seat may not know look alike to it
    imagination   an imagined world agrees with all the seat has seen
    conservation  cards and money are where the rules put them
    ending        every game ends
    words         every action, question, entry and refusal can be said, and actions read back
    device        the rules compile for a GPU

Each check raises `Broken`; `tests/core/test_check.py` plants a fault of each kind and sees it
caught.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.chance import POLICY_STREAM, Chance, roll, seed_chance
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.log import clear, entries, new_log, seen_by
from exchequer.core.loops import LOG_ROOM
from exchequer.core.position import Position, Refused
from exchequer.core.records import blank

IMAGINED = 3  # worlds imagined per position and seat
OUTSIDE = (-1, 2**20)  # numbers that are no action of any game


class Broken(AssertionError):
    """A promise that a game does not keep."""

    def __init__(self, promise: str, position: Position | None, message: str) -> None:
        where = f" after {len(position.actions)} moves of seed {position.seed}" if position else ""
        super().__init__(f"{promise}{where}: {message}")


def walk(game: Game, content: Content, seats: int, seed: int, mode: Mode,
         limit: int) -> Iterator[Position]:
    """A random game, position by position."""
    position = Position(game, content, seats, seed, mode)
    chance = blank(Chance)
    seed_chance(chance, seed, POLICY_STREAM)
    yield position
    while not position.is_over and len(position.actions) < limit:
        moves = position.legal()
        if not moves:
            raise Broken("legality", position, "somebody is asked and has no answer")
        try:
            position.play(moves[roll(chance, len(moves))])
        except Refused as error:
            raise Broken("legality", position, f"a legal action is refused: {error}") from None
        yield position


# Legality and determinism ------------------------------------------------------------------------

def check_legality(position: Position) -> None:
    """What is legal applies to a copy without a fault; all else is refused and changes nothing."""
    before = position.state.tobytes()
    moves = position.legal()
    if len(set(moves)) != len(moves) or not all(0 <= m < position.game.n_actions for m in moves):
        raise Broken("legality", position, f"the list {moves} repeats or leaves the action space")
    whys = position.engine.refusals(position.state, position.content.record)
    disagreed = set(np.flatnonzero(whys == 0)) ^ set(moves)
    if disagreed:
        raise Broken("legality", position, f"`legal` and `refusal` disagree on {disagreed}")
    for move in moves:
        applied(position, position._states, move)
    for action in (*np.flatnonzero(whys).tolist(), *OUTSIDE):
        refused(position, action)
    if position.state.tobytes() != before:
        raise Broken("legality", position, "asking about the moves changed the state")


def refused(position: Position, action: int) -> None:
    """The action is refused with a sentence, and nothing happens."""
    if not position.refusal(action):
        raise Broken("legality", position, f"there is no refusal of the illegal action {action}")
    try:
        position.play(action)
    except Refused:
        return
    raise Broken("legality", position, f"the illegal action {action} was taken")


def applied(position: Position, states: np.ndarray, action: int) -> tuple[np.ndarray, np.ndarray]:
    """A copy of a state after an action, and the log of it."""
    copy, log = states.copy(), new_log(LOG_ROOM)
    clear(log)
    position.engine.apply(copy[0], position.content.record, int(action), log)
    why = int(position.engine.fault(copy[0], position.content.record))
    if why:
        raise Broken("conservation", position, f"action {action} leaves fault {why}")
    return copy, entries(log)


def check_determinism(position: Position) -> None:
    """The same action from the same state gives the same bytes, and leaves the original alone."""
    before = position.state.tobytes()
    for action in position.legal():
        first, log = applied(position, position._states, action)
        second, again = applied(position, position._states, action)
        if first.tobytes() != second.tobytes() or log.tobytes() != again.tobytes():
            raise Broken("determinism", position, f"action {action} has two outcomes")
        if position.state.tobytes() != before:
            raise Broken("determinism", position, "applying to a copy changed the original")


def check_modes(game: Game, content: Content, seats: int, seeds: range,
                modes: tuple[Mode, ...] = tuple(Mode)) -> None:
    """The same bytes after every move of whole games in every mode."""
    for seed in seeds:
        traces = {}
        for mode in modes:
            try:
                states = game.engine(mode).trace(content.record, seats, seed,
                                                 game.step_limit)[1]
            except Exception as error:
                raise Broken("modes", None, f"{mode.value} fails on seed {seed}: "
                             f"{error!r}") from error
            traces[mode] = [state.tobytes() for state in states]
        reference = traces[modes[0]]
        for mode, played in traces.items():
            pairs = zip(reference, played, strict=False)
            differs = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
            if differs is not None or len(played) != len(reference):
                raise Broken("modes", None, f"{mode.value} and {modes[0].value} differ on seed "
                             f"{seed} after move {differs}")


def check_device(game: Game) -> None:
    """The rules compile for a GPU. None is needed, only the compiler: `exchequer[gpu]`."""
    from exchequer.core.errors import InputError
    from exchequer.core.gpu import NO_EXTRA, can_compile, prove_compiles

    if not can_compile():
        raise InputError(NO_EXTRA)
    try:
        prove_compiles(game)
    except Exception as error:
        raise Broken("device", None, f"does not compile for a GPU: {error}") from error


# What a seat may know ----------------------------------------------------------------------------

def check_secrecy(position: Position, seat: int, seed: int) -> None:
    """A world this seat cannot tell from the true one looks, asks and reads the same."""
    seen = position.observe(seat)
    for world in other_worlds(position, seat, seed):
        if observed(position, world, seat).tobytes() != seen.tobytes():
            raise Broken("secrecy", position, f"seat {seat}'s observation depends on what it may "
                         f"not know: {changed_fields(observed(position, world, seat), seen)}")
        if position.actor == seat:
            check_same_moves(position, world, seat)
        check_same_log(position, world, seat)


def observed(position: Position, states: np.ndarray, seat: int) -> np.ndarray:
    copy = states.copy()
    position.engine.observe(copy[0], position.content.record, seat)
    return copy


def changed_fields(left: np.ndarray, right: np.ndarray) -> str:
    names = left.dtype.names or ()
    return ", ".join(n for n in names if left[n].tobytes() != right[n].tobytes())


def other_worlds(position: Position, seat: int, seed: int) -> Iterator[np.ndarray]:
    """Imagined ones, and true ones in which two hidden cards have changed places."""
    for i in range(IMAGINED):
        yield position.imagine(seat, seed + i)
    if position.state.dtype.names and "card" in position.state.dtype.names:
        yield swapped_cards(position, seat, seed)


def swapped_cards(position: Position, seat: int, seed: int) -> np.ndarray:
    """The true state but for two cards this seat does not know, alike on their backs."""
    world = position._states.copy()
    s, backs = world[0], position.game.rules.backs_of(position.content.record)
    hidden = [p for p in range(len(s.card)) if not s.known[p] >> seat & 1]
    np.random.default_rng(seed).shuffle(hidden)
    for left, right in itertools.pairwise(hidden):
        if backs[s.card[left]] == backs[s.card[right]]:
            s.card[left], s.card[right] = int(s.card[right]), int(s.card[left])
            break
    return world


def check_same_moves(position: Position, world: np.ndarray, seat: int) -> None:
    out = np.zeros(position.game.max_legal, np.int32)
    engine, c = position.engine, position.content.record
    count = engine.legal(world[0], c, out)
    if out[:count].tolist() != position.legal():
        raise Broken("secrecy", position, f"seat {seat}'s moves depend on what it may not know")
    differs = engine.refusals(world[0], c) != engine.refusals(position.state, c)
    if differs.any():
        raise Broken("secrecy", position, f"why seat {seat} may not take actions "
                     f"{np.flatnonzero(differs)} depends on what it may not know")


def check_same_log(position: Position, world: np.ndarray, seat: int) -> None:
    """Where a move leaves the seat unable to tell two worlds apart, its log must not either."""
    engine, c = position.engine, position.content.record
    out = np.zeros(position.game.max_legal, np.int32)
    theirs = set(out[: engine.legal(world[0], c, out)].tolist())
    world["rng"] = position.state.rng  # chance falls alike
    for action in theirs.intersection(position.legal()):
        true, log = applied(position, position._states, action)
        other, other_log = applied(position, world, action)
        if observed(position, true, seat).tobytes() == observed(position, other, seat).tobytes() \
                and seen_by(log, seat).tobytes() != seen_by(other_log, seat).tobytes():
            raise Broken("secrecy", position, f"the log of action {action} tells seat {seat} "
                         "what it may not know")


def check_imagination(position: Position, seat: int, seed: int) -> None:
    """An imagined world is sound, asks the same question, and looks the same to the seat."""
    engine, c = position.engine, position.content.record
    seen = position.observe(seat)
    for i in range(IMAGINED):
        world = position.imagine(seat, seed + i)
        if why := int(engine.fault(world[0], c)):
            raise Broken("imagination", position, f"seat {seat} imagines a world with fault {why}")
        if engine.actor(world[0]) != position.actor or \
                engine.question(world[0]) != engine.question(position.state):
            raise Broken("imagination", position, f"seat {seat} imagines another question")
        if observed(position, world, seat).tobytes() != seen.tobytes():
            fields = changed_fields(observed(position, world, seat), seen)
            raise Broken("imagination", position, f"seat {seat} imagines against what it has "
                         f"seen: {fields}")


# Conservation, ending, words ---------------------------------------------------------------------

def check_conservation(position: Position, money_before: int | None) -> int | None:
    """The state is sound, each card lies in one place, and the ledger explains all money."""
    game, s = position.game, position.state
    if why := int(position.engine.fault(s, position.content.record)):
        raise Broken("conservation", position, f"the state has fault {why}")
    if "card" in s.dtype.names and sorted(s.card.tolist()) != list(range(len(s.card))):
        raise Broken("conservation", position, "a card is missing or there twice")
    if game.money is None:
        return None
    money = game.money(s)
    if money_before is not None:
        booked = sum(game.ledger.get(int(e.what), 0) * int(e.amount) for e in position.logs[-1])
        if money - money_before != booked:
            raise Broken("conservation", position, f"the money changed by {money - money_before}, "
                         f"the log explains {booked}")
    return money


def check_ending(game: Game, content: Content, seats: int, seeds: range, mode: Mode) -> None:
    """Every random game ends within the game's own limit, with a reason and a winner."""
    results, _, _ = game.engine(mode).run_batch(
        content.record, seats, np.array(seeds, np.uint64), game.step_limit)
    for seed, result in zip(seeds, results, strict=True):
        if result.ending == 0:
            raise Broken("ending", None, f"seed {seed} does not end in {game.step_limit} moves")
        if result.fault:
            raise Broken("conservation", None, f"seed {seed} ends with fault {result.fault}")


def check_action_texts(game: Game) -> None:
    texts = game.words.TEXTS
    for action in range(game.n_actions):
        if texts.action(texts.text(action)) != action:
            raise Broken("words", None, f"action {action} does not read back from its text")
    for why in list(game.module("state").Refusal)[1:]:
        if not game.words.refuse(why, game.content()):
            raise Broken("words", None, f"there is no sentence for the refusal {why.name}")


def check_words(position: Position) -> None:
    """The question, the menu and the log can be said to every seat."""
    names = [f"seat {seat}" for seat in range(position.seats)]
    try:
        if not position.is_over:
            lines = [line for _, line in position.menu()]
            if not position.question or not all(lines) or len(set(lines)) != len(lines):
                raise Broken("words", position, "two moves of the menu read alike, or one is empty")
        for seat in range(-1, position.seats):
            position.told(seat, names, len(position.logs) - 1)
        for seat in range(position.seats):
            position.view(seat)
    except (KeyError, IndexError, ValueError) as error:
        raise Broken("words", position, f"cannot be said: {error!r}") from error


# The whole ---------------------------------------------------------------------------------------

def check_game(game: Game, content: Content | None = None, games: int = 2, mode: Mode = Mode.PYTHON,
               every: int = 5, on_game: Callable[[int], None] | None = None) -> None:
    """Every promise but `modes` over a few whole games at each number of seats.

    The costly checks are made at every `every`-th position.
    """
    content = content or game.content()
    check_action_texts(game)
    for seats in range(game.seats[0], game.seats[1] + 1):
        for seed in range(games):
            check_one_game(game, content, seats, seed, mode, every)
            if on_game:
                on_game(1)
        check_ending(game, content, seats, range(games * 10), mode)


def check_one_game(game: Game, content: Content, seats: int, seed: int, mode: Mode,
                   every: int) -> None:
    money: Any = None
    for number, position in enumerate(walk(game, content, seats, seed, mode, game.step_limit)):
        money = check_conservation(position, money)
        check_words(position)
        if number % every == seed % every:
            check_legality(position)
            check_determinism(position)
            for seat in range(seats):
                check_imagination(position, seat, seed)
                check_secrecy(position, seat, seed)
    if not position.is_over:
        raise Broken("ending", position, "the game does not end")
