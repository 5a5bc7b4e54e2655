"""What a game's folder declares for the lab: turns, resources, uses, tallies and levers.

A game's `measures.py` holds `MEASURES`. A resource is a rule of `s`, `c` and `seat` (as many of
these as it takes), or the name of a field of the state: the seat's own number, or the sum of its
row. `turn` likewise is a rule of `s` or a field. Of both the lab's loop gets a rule of its own.

A game without that file is measured by its points and by what its state keeps for each seat; its
turns are its moves, and what is used is what its `coverage` or the sentences of its log name.
"""

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exchequer.core.contract import score
from exchequer.core.game import Game, Things
from exchequer.core.handlers import made
from exchequer.core.records import rule

NO_TURN = -1  # what `turn_now` says in a game that counts none
ANY_THING = -1
MOST_DEFAULT = 8  # resources that are found by reflection

Source = str | tuple[str, int] | Callable[..., Any]  # a field, one entry of it, or a rule


@dataclass(frozen=True)
class Count:
    """Log entries counted for each seat, or their amounts summed."""

    event: int
    thing: int = ANY_THING
    amount: bool = False


@dataclass(frozen=True)
class Lever:
    """What the lab can deny a seat, force it to, or take out of the game.

    `actions` may be denied or forced; with `asks` only as answers to these questions. `without`
    is an overlay of the content that takes the thing out for everybody.
    """

    actions: tuple[int, ...] = ()
    asks: tuple[int, ...] = ()
    without: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Flow:
    """What log entries brought their seat (or took from it, by the sign) in the whole game; what
    one seat gets in an entry with two, the other gives.
    """

    event: int
    sign: int = 1


@dataclass(frozen=True)
class Measures:
    """All that the lab knows about a game beyond the contract."""

    resources: Mapping[str, Source] = field(default_factory=lambda: {"points": score})
    # the first is the one whose inequality is shown
    turn: Source | None = None  # the round or turn that is being played
    turns: str = "moves"  # what is counted by it, in the plural
    uses: Mapping[str, tuple[int, Things]] = field(default_factory=dict)
    # name -> (event whose `thing` says what was used, names of the things)
    is_there: Callable[[Any, str], bool] | None = None  # whether a content has a thing; None: all
    counts: Mapping[str, Count] = field(default_factory=dict)
    levers: Mapping[str, Mapping[str, Lever]] = field(default_factory=dict)  # group -> thing
    ratios: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # of two counts
    deals: tuple[int, ...] = ()  # events that close a deal: `seat` gives, `other` takes
    seconds: float = 10.0  # that a person takes to choose; a guess until a playtest has measured it
    votes: tuple[int, ...] = ()  # events that open votes, all in one move: `thing` is the vote
    progress: str = ""  # the resource that says how far a solo run has come
    lines: Mapping[str, Source | Flow] = field(default_factory=dict)
    # what adds up to the score; with flows also what was there at the start (`core.scoring`)


@rule
def turn_now(s):
    """The round or turn that is being played, NO_TURN in a game that counts none."""
    return NO_TURN


@rule
def measure(s, c, seat, out):
    """Write the seat's resources into `out`, in the order declared."""


def measures_of(game: Game) -> Measures:
    """What the game declares, or what can be seen from its state."""
    if game.has_module("measures"):
        return game.module("measures").MEASURES
    return Measures({"points": score, **dict(kept_for_seats(game))},
                    uses=game.coverage or dict(told_of_things(game)))


def kept_for_seats(game: Game) -> Iterator[tuple[str, str]]:
    """Numbers that the state keeps for each seat, but for what is secret."""
    secret = getattr(game.module("state"), "SECRET", {})
    names = [name for name in game.state.names or ()
             if name not in secret and not name.startswith("gap")
             and game.state[name].shape == (game.seats[1],) and game.state[name].base.kind in "iu"]
    for name in names[:MOST_DEFAULT]:
        yield name.replace("_", " "), name


def told_of_things(game: Game) -> Iterator[tuple[str, tuple[int, Things]]]:
    """Events whose sentence names an entry of the content: `played = "{who} plays {crop}."`"""
    sentences, words = game.words.sentences, game.content().words
    for key, cases in sentences.cases.get("event", {}).items():
        for place in cases["text"].placeholders:
            if keys := sentences.vocabulary.tables.get(place.name):
                names = [words[place.name][one].get("name", one) for one in keys]
                yield f"{place.name} {key}".replace("_", " "), (
                    game.module("state").Event[key.upper()], names)


@functools.cache
def rules_of(game: Game) -> dict[Any, Any]:
    """The game's own `turn_now` and `measure`, to bind the lab's loop with."""
    found = measures_of(game)
    rules: dict[Any, Any] = {measure: measure_rule(game.rules, found, game.state)}
    if found.turn is not None:
        line, scope = taken("turn", found.turn, game.state)
        rules[turn_now] = made(game.rules, "turn_now", "s", [f"return {line}"], scope)
    return rules


def measure_rule(home: types.ModuleType, measures: Measures, state: np.dtype
                 ) -> types.FunctionType:
    lines, names = [], {}
    for place, source in enumerate(measures.resources.values()):
        line, scope = taken(f"resource_{place}", source, state)
        lines.append(f"out[{place}] = {line}")
        names.update(scope)
    return made(home, "measure", "s, c, seat, out", lines, names)


def taken(name: str, source: Source, state: np.dtype) -> tuple[str, dict[str, Any]]:
    """How a rule reads a resource, and the names it needs for that."""
    if isinstance(source, tuple):
        return f"s.{source[0]}[{int(source[1])}]", {}
    if not isinstance(source, str):
        return f"{name}({', '.join(inspect.signature(source).parameters)})", {name: source}
    shape = state[source].shape
    if len(shape) < 2:
        return f"s.{source}[seat]" if shape else f"s.{source}", {}
    return f"sum_of(s.{source}[seat])", {"sum_of": sum_of}


@rule
def sum_of(row):
    total = 0
    for i in range(len(row)):
        total += row[i]
    return total


def named(things: Things) -> dict[int, str]:
    return dict(things) if isinstance(things, Mapping) else dict(enumerate(things))
