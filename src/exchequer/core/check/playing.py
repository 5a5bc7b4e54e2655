"""Legality, determinism, conservation, measures, endings and modes: what needs no secrets."""

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.check.broken import Broken, applied, fault_of, text_of, walk
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.measures import measure, measures_of, rules_of
from exchequer.core.position import Position, Refused
from exchequer.core.scoring import breakdown

OUTSIDE = (-1, 2**20)  # numbers that are no action of any game
UNWRITTEN = np.iinfo(np.int64).min  # what `measure` finds where it should write
BEYOND = 8  # places behind the declared resources that stay unwritten


def check_legality(position: Position) -> None:
    """What is legal applies to a copy without a fault; all else is refused and changes nothing."""
    before = position.state.tobytes()
    moves = position.legal()
    if len(set(moves)) != len(moves) or not all(0 <= m < position.game.n_actions for m in moves):
        raise Broken("legality", position, f"the list {moves} repeats or leaves the action space")
    whys = position.engine.refusals(position.state, position.content.record)
    for action in set(np.flatnonzero(whys == 0).tolist()) ^ set(moves):
        raise Broken("legality", position,
                     f"`legal` and `refusal` disagree on {text_of(position, action)}")
    for action in moves:
        applied(position, position._states, action)
    for action in (*np.flatnonzero(whys).tolist(), *OUTSIDE):
        refused(position, action)
    if position.state.tobytes() != before:
        raise Broken("legality", position, "asking about the moves changed the state")


def refused(position: Position, action: int) -> None:
    """The action is refused with a sentence, and nothing happens."""
    if not position.refusal(action):
        raise Broken("legality", position,
                     f"there is no refusal of the illegal action {text_of(position, action)}")
    try:
        position.play(action)
    except Refused:
        return
    raise Broken("legality", position,
                 f"the illegal action {text_of(position, action)} was taken")


def check_determinism(position: Position) -> None:
    """The same action from the same state gives the same bytes, and leaves the original alone."""
    before = position.state.tobytes()
    for action in position.legal():
        first, log = applied(position, position._states, action)
        second, again = applied(position, position._states, action)
        if first.tobytes() != second.tobytes() or log.tobytes() != again.tobytes():
            raise Broken("determinism", position,
                         f"{text_of(position, action)} has two outcomes")
        if position.state.tobytes() != before:
            raise Broken("determinism", position, "applying to a copy changed the original")


def check_conservation(position: Position, money_before: int | None) -> int | None:
    """The state is sound, each card lies in one place, and the ledger explains all money."""
    game, s = position.game, position.state
    if why := fault_of(position, position._states):
        raise Broken("conservation", position, why)
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


def check_measures(position: Position) -> None:
    """Every resource that is declared can be read, the lines of the score add up to it, and reading
    changes nothing.
    """
    game = position.game
    names = list(measures_of(game).resources)
    bound = game.engine(Mode.PYTHON).bind(measure, rules_of(game))
    before = position.state.tobytes()
    for seat in range(position.seats):
        bound(position.state, position.content.record, seat, np.zeros(len(names), np.int64))
    totals = [sum(line) for line in zip(*breakdown(position).values(), strict=True)]
    if totals != position.scores():
        raise Broken("measures", position, f"the lines of measures.py add up to {totals}, the "
                     f"scores are {position.scores()}")
    if position.state.tobytes() != before:
        raise Broken("measures", position, "the resources of measures.py changed the state")


def check_ending(game: Game, content: Content, seats: int, seeds: range, mode: Mode) -> None:
    """Every random game ends within the game's own limit, with a reason and without a fault."""
    results, _, _ = game.engine(mode).run_batch(
        content.record, seats, np.array(seeds, np.uint64), game.step_limit)
    for seed, result in zip(seeds, results, strict=True):
        if result.fault or result.ending == 0:
            for position in walk(game, content, seats, seed, mode, int(result.steps) + 1):
                if why := fault_of(position, position._states):
                    raise Broken("conservation", position, why)
            raise Broken("ending", position, f"the game does not end in {game.step_limit} moves; "
                         "it is over when nothing is left on the agenda")


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
                raise Broken("modes", None, f"{mode.value} fails on seed {seed} with {seats} "
                             f"seats: {error!r}") from error
            traces[mode] = [state.tobytes() for state in states]
        reference = traces[modes[0]]
        for mode, played in traces.items():
            pairs = zip(reference, played, strict=False)
            differs = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
            if differs is not None or len(played) != len(reference):
                *_, position = walk(game, content, seats, seed, modes[0], differs or 0)
                raise Broken("modes", position, f"{mode.value} and {modes[0].value} differ")
