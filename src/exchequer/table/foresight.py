"""What a move would change, and why a move cannot be made: found by the rules on a copy.

Nothing is told that the seat may not know. A move is tried in several worlds that the seat cannot
tell from the true one, and only what happens alike in all of them is told; so chance and hidden
cards drop out, and no world but the seat's own knowledge is ever looked at.
"""

import contextlib
import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.game import Game
from exchequer.core.log import clear, entries, new_log, seen_by
from exchequer.core.loops import LOG_ROOM
from exchequer.core.measures import measure, measures_of, rules_of
from exchequer.core.position import Position
from exchequer.core.records import Glance, rule
from exchequer.table.boards import spots
from exchequer.table.clocks import hidden_action
from exchequer.table.watching import numbers_of

WORLDS = 4
MOST_TOLD = 5  # sentences
MOST_REFUSED = 40  # moves
FORMALITIES = ("cancel", "back", "no", "yes", "done", "end", "pass", "stop")  # nobody misses these
MOST_SHORT = 100_000  # how much somebody may be short of

Measured = dict[tuple[int, str], int]  # seat and resource -> how much


@dataclass(frozen=True)
class Refused:
    """A move that cannot be made, and why."""

    text: str  # as in replays; empty where it stands for several moves
    words: str
    sentence: str


@dataclass(frozen=True)
class Change:
    """A resource before and after; `who` is empty for the seat's own."""

    who: str
    what: str
    before: int
    after: int


@dataclass(frozen=True)
class Foresight:
    """What is certain about a move."""

    changes: list[Change]
    told: list[str]
    nothing: bool  # it can be made, and changes nothing
    unsure: bool  # something depends on chance or on what is hidden
    then: str = ""  # what is asked next, where that is all that is certain


@dataclass(frozen=True)
class Outcome:
    """A move in one world."""

    changes: dict[tuple[int, str], tuple[int, int]]
    told: list[str]
    nothing: bool
    then: str  # what the seat is asked next; empty if it is asked nothing


# What would happen -------------------------------------------------------------------------------

def foresee(position: Position, seat: int, action: int) -> Foresight:
    """What the move would do, as far as the seat can know it."""
    outcomes = [outcome(position, seat, action, seed) for seed in range(1, WORLDS + 1)]
    first = outcomes[0]
    changes = {key: change for key, change in first.changes.items()
               if all(one.changes.get(key) == change for one in outcomes)}
    told = [sentence for sentence in first.told if all(sentence in one.told for one in outcomes)]
    unsure = any(one.changes != changes or Counter(one.told) != Counter(told) for one in outcomes)
    own_first = sorted(changes, key=lambda key: key[0] != seat)
    return Foresight(
        [Change("" if who == seat else position.names[who], what, *changes[who, what])
         for who, what in own_first],
        told[:MOST_TOLD], all(one.nothing for one in outcomes) and not unsure, unsure,
        "" if changes or told else asked_next(position, outcomes, action))


def asked_next(position: Position, outcomes: list[Outcome], action: int) -> str:
    """A question that is not the present one, where all worlds agree; going back asks none."""
    questions = {one.then for one in outcomes}
    if position.game.words.TEXTS.text(action) in FORMALITIES or position.question in questions:
        return ""
    return questions.pop() if len(questions) == 1 else ""


def outcome(position: Position, seat: int, action: int, seed: int) -> Outcome:
    engine, c = position.engine, position.content.record
    before = position.determinize(seat, seed)
    after, log = before.copy(), new_log(LOG_ROOM)
    clear(log)
    engine.apply(after[0], c, action, log)
    tell = position.game.words.tell
    told = [tell(entry, position.content, position.names) for entry in seen_by(entries(log), seat)]
    old, new = measured(position, before), measured(position, after)
    return Outcome({key: (old[key], new[key]) for key in old if old[key] != new[key]},
                   [sentence for sentence in told if sentence], is_same(before, after),
                   question(position, seat, after))


def question(position: Position, seat: int, states: np.ndarray) -> str:
    """What the seat is asked in a world, as it may know it."""
    engine = position.engine
    if engine.actor(states[0]) != seat:
        return ""
    seen = states.copy()
    engine.observe(seen[0], position.content.record, seat)
    return position.game.words.ask(Glance(seen[0]), position.content.for_reading, position.names)


def is_same(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether nothing but what is asked has changed, and that neither: no step was taken."""
    old, new = numbers_of(before), numbers_of(after)
    return all((old[name] == new[name]).all() for name in old)


@rule
def take_measure(s, c, seat, out):
    """The game's resources of a seat."""
    measure(s, c, seat, out)


@functools.cache
def measuring(game: Game) -> Any:
    return game.engine(Mode.PYTHON).bind(take_measure, rules_of(game))


def measured(position: Position, states: np.ndarray) -> Measured:
    """The resources of all seats."""
    names = list(measures_of(position.game).resources)
    found: Measured = {}
    out = np.zeros(len(names), np.int64)
    for seat in range(position.seats):
        with contextlib.suppress(ArithmeticError, LookupError):
            measuring(position.game)(states[0], position.content.record, seat, out)
            found |= {(seat, name): int(value) for name, value in zip(names, out, strict=True)}
    return found


# What cannot be done -----------------------------------------------------------------------------

class Refusals:
    """The moves that answer the question but cannot be made, in a world the seat cannot tell apart
    from the true one.
    """

    def __init__(self, position: Position, seat: int) -> None:
        self.position, self.seat = position, seat
        self.world = position.determinize(seat, 0)
        self.observed = position.observe(seat)[0]

    @functools.cached_property
    def whys(self) -> dict[int, int]:
        return dict(self._whys())

    def few(self, most: int) -> list[Refused]:
        """All of them, or none if there are more: found out without working out the others."""
        self.whys = dict(itertools.islice(self._whys(), most + 1))
        return self.all() if len(self.whys) <= most else []

    def _whys(self) -> Iterator[tuple[int, int]]:
        game = self.position.game
        silent = {0, *(int(one) for one in game.module("state").Refusal
                       if one.name in ("OVER", "NOT_ASKED"))}
        own, texts = hidden_action(game), game.words.TEXTS.texts
        position = self.position
        for action, why in enumerate(position.engine.refusals(
                self.world[0], position.content.record).tolist()):
            if why not in silent and action != own and texts[action] not in FORMALITIES \
                    and self._words(action):  # empty: about nobody at this table
                yield action, why

    def _why(self, action: int, world: np.ndarray) -> int:
        position = self.position
        return int(position.engine.refusal(world[0], position.content.record, action))

    def all(self) -> list[Refused]:
        """The first so many of them."""
        return [*map(self._refused, [*self.whys][:MOST_REFUSED])]

    def named(self, text: str) -> list[Refused]:
        """Those whose words, or whose text in replays, hold this."""
        texts, sought = self.position.game.words.TEXTS, text.strip().lower()
        return [self._refused(action) for action in self.whys
                if sought in texts.text(action) or sought in self._words(action).lower()]

    def at(self, place: str) -> list[Refused]:
        """Those that would be done at a place of the board."""
        return [self._refused(action) for action in self.whys if self._is_at(place, action)]

    def _is_at(self, place: str, action: int) -> bool:
        position = self.position
        with contextlib.suppress(LookupError, ValueError):
            return place in spots(position.game, self.observed, position.content, [action])
        return False

    def _refused(self, action: int) -> Refused:
        return Refused(self.position.game.words.TEXTS.text(action), self._words(action),
                       self._reason(action))

    def _words(self, action: int) -> str:
        position = self.position
        return position.game.words.describe(self.observed, position.content, action,
                                            position.names)

    def _reason(self, action: int) -> str:
        """The game's sentence, and how much is missing where having more would help."""
        position = self.position
        sentence = position.game.words.refuse(self.whys[action], position.content, position.names)
        for name, field in held(position.game).items():
            if short := self._shortage(action, field):
                return f"{short:,} {name} short. {sentence}"
        return sentence

    def _shortage(self, action: int, field: str) -> int:
        """How much more of a field the move would need; 0 if that is not what is missing."""
        def helps(more: int) -> bool:
            richer = self.world.copy()
            richer[field][0, self.seat] += more
            with contextlib.suppress(ArithmeticError):
                return self._why(action, richer) == 0
            return False

        room = np.iinfo(self.world[field].dtype).max - int(self.world[field][0, self.seat])
        low, high = 0, min(room, MOST_SHORT)
        if not helps(high):
            return 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if helps(middle) else (middle, high)
        return high


@functools.cache
def held(game: Game) -> dict[str, str]:
    """Resources that are a number of the state for each seat, and so can be short."""
    return {name: source for name, source in measures_of(game).resources.items()
            if isinstance(source, str) and game.state[source].shape == (game.seats[1],)}
