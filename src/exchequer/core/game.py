"""A game: one folder with a rulebook, content, rules and words, and the engines that run it."""

import functools
import importlib
import pathlib
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exchequer.core import rulebook
from exchequer.core.agenda import AgendaFault
from exchequer.core.binding import Instead, Rules
from exchequer.core.build import Build, Mode, default_mode
from exchequer.core.content import Content, Schema, merged, read_toml
from exchequer.core.contract import CONTRACT, DEFAULTS, PARTS
from exchequer.core.errors import InputError
from exchequer.core.loops import (
    LOG_ROOM,
    Desk,
    Result,
    Tally,
    broken,
    copy_many,
    new_desk,
    refusals,
    run_batch,
    trace,
)
from exchequer.core.value import default_value

Progress = Callable[[int], None]
Things = Sequence[str] | Mapping[int, str]  # names from 0 on, or only of the numbers given


class Engine:
    """A game's rules and loops in one mode, ready to be called from Python."""

    def __init__(self, game: "Game", mode: Mode) -> None:
        self.game, self.mode = game, mode
        functions = game.functions
        entries: list[Any] = [*(functions[name] for name in CONTRACT), run_batch, broken]
        self.build = Build(game.name, functions, entries, mode,
                           game.state.descr, game.schema.dtype.descr)
        self._bound: dict[Any, Callable[..., Any]] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """`engine.apply`, `engine.legal`, ... of this game."""
        if name not in CONTRACT:
            raise AttributeError(name)
        return self.bind(CONTRACT[name])

    def bind(self, loop: Callable[..., Any], instead: Instead | None = None
             ) -> Callable[..., Any]:
        """A loop or contract function for this game, with other rules `instead` of the loop's."""
        key = loop, frozenset(instead.items()) if instead else None
        if key not in self._bound:
            bound = self.build.bind(loop, instead)  # type: ignore[arg-type]
            self._bound[key] = loud(bound) if self.mode is Mode.PYTHON else bound
        return self._bound[key]

    def prepare(self, progress: Progress | None = None) -> None:
        """Have the machine code ready; compiles on first need, once per version."""
        self.build.prepare(self._exercise, progress)

    def _exercise(self) -> None:
        """Call every entry once, which compiles and caches it."""
        game, content = self.game, self.game.content().record
        desk, seats = self.desk(), game.seats[0]
        s, log = desk.states[0], desk.log
        self.run_batch(content, seats, np.zeros(1, np.uint64), 1)
        self.setup(s, content, seats, 0, log)
        self.legal(s, content, desk.out)
        for reads in (self.actor, self.question, self.ending):
            reads(s)
        action = int(desk.out[0])
        self.refusal(s, content, action)
        self.apply(s, content, action, log)
        self.winners(s, content)
        self.broken(s, content)
        self.score(s, content, 0)
        self.value(s, content, seats, 0)
        self.observe(s, content, 0)
        self.imagine(s, content, 0, 1)

    def desk(self, log_room: int = LOG_ROOM) -> Desk:
        return new_desk(self.game.state, self.game.max_legal, log_room)

    def tally(self) -> Tally:
        return Tally(np.zeros(self.game.n_actions, np.int64),
                     np.zeros((self.game.n_events, self.game.n_things), np.int64))

    def run_batch(self, content: Any, seats: int, seeds: np.ndarray, limit: int
                  ) -> tuple[np.ndarray, Tally, int]:
        """Random games, one per seed: their results, what happened in them, the steps taken."""
        results, tally = np.zeros(len(seeds), Result), self.tally()
        steps = self.bind(run_batch)(self.desk(), content, seats, seeds, limit, results, tally)
        return results, tally, int(steps)

    def trace(self, content: Any, seats: int, seed: int, limit: int
              ) -> tuple[np.ndarray, np.ndarray]:
        """One random game: its actions, and its states from setup to the end."""
        actions = np.zeros(limit, np.int32)
        states = np.zeros(limit + 1, self.game.state)
        steps = self.bind(trace)(self.desk(), content, seats, seed, actions, states)
        return actions[:steps], states[: steps + 1]

    def broken(self, state: Any, content: Any) -> int:
        """The first promise that the state breaks; 0 when it is sound. `Game.fault` names it."""
        return int(self.bind(broken)(state, content))

    def refusals(self, state: Any, content: Any) -> np.ndarray:
        """Why each action may not be taken now; 0 where it may."""
        whys = np.zeros(self.game.n_actions, np.int32)
        self.bind(refusals)(state, content, whys)
        return whys

    def copy_many(self, states: np.ndarray, times: int) -> None:
        self.bind(copy_many)(states, times)


def loud(function: Callable[..., Any]) -> Callable[..., Any]:
    """Plain Python fails where a narrow field overflows instead of going on with a wrong number."""
    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="raise"):
            return function(*arguments)
    return call


@dataclass(frozen=True)
class Game:
    """What a game's folder says about itself; the rest follows from its modules."""

    package: str  # the folder as a package: `__package__` of its __init__.py
    seats: tuple[int, int]  # fewest and most players
    rules_version: int  # raised by every change that alters what can happen in a game
    coverage: Mapping[str, tuple[int, Things]] = field(default_factory=dict)
    # what random play should reach: name -> (event whose `thing` counts it, names of the things)
    ledger: Mapping[int, int] = field(default_factory=dict)
    # how an event's amount changes the money in the game: +1, -1
    money: Callable[[Any], int] | None = None  # all money in a state
    step_limit: int = 20_000  # a game longer than this counts as endless

    @property
    def name(self) -> str:
        """`kingdom`, `treasury/v17`: the folder below `games`."""
        return self.package.rpartition("games.")[2].replace(".", "/")

    def refuse_seats(self, count: int) -> None:
        """Refuse a number of players that the game is not for."""
        fewest, most = self.seats
        if not fewest <= count <= most:
            allowed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise InputError(f"{self.title} is for {allowed} players, not {count}.")

    @property
    def folder(self) -> pathlib.Path:
        return pathlib.Path(importlib.import_module(self.package).__file__ or "").parent

    def module(self, name: str) -> types.ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def has_module(self, name: str) -> bool:
        return (self.folder / f"{name}.py").exists()

    @property
    def rules(self) -> types.ModuleType:
        return self.module("rules")

    def function(self, name: str) -> Any:
        """A function of the contract: the valuation is in `value.py`, the rest in `rules.py`."""
        if name in DEFAULTS:
            return getattr(self.rules, name, CONTRACT[name])
        if name != "value":
            return getattr(self.rules, name)
        if self.has_module("value"):
            return self.module("value").value
        return default_value

    @property
    def functions(self) -> Rules:
        """All functions of the contract by their names, and the parts of `apply` it gives."""
        parts = {name: getattr(self.rules, name) for name in PARTS if hasattr(self.rules, name)}
        return {name: self.function(name) for name in CONTRACT} | parts

    @property
    def words(self) -> Any:
        """How actions, questions, log entries and refusals are said; see `core.words`."""
        return self.module("words")

    @property
    def state(self) -> np.dtype:
        return self.module("state").State

    @property
    def schema(self) -> Schema:
        return self.module("state").CONTENT

    @property
    def n_actions(self) -> int:
        return self.module("state").N_ACTIONS

    @property
    def max_legal(self) -> int:
        return self.module("state").MAX_LEGAL

    @property
    def n_events(self) -> int:
        return len(self.module("state").Event)

    @property
    def n_things(self) -> int:
        return self.module("state").N_THINGS

    @property
    def endings(self) -> Any:
        return self.module("state").Ending

    def fault_name(self, why: int) -> str:
        """`Fault.DEBT`, or one of the faults that any game can have."""
        fault = AgendaFault(why) if why >= AgendaFault.FULL else self.module("state").Fault(why)
        return f"{type(fault).__name__}.{fault.name}"

    def item_name(self, what: int) -> str:
        """`Ask.TRIBUTE` or `Step.UPKEEP`."""
        state = self.module("state")
        for kind in ("Ask", "Step"):
            if hasattr(state, kind) and what in list(getattr(state, kind)):
                return f"{kind}.{getattr(state, kind)(what).name}"
        return f"item {what}, which is neither an Ask nor a Step"

    @functools.cached_property
    def text(self) -> dict[str, Any]:
        """`content.toml` as it is written."""
        return read_toml(self.folder / "content.toml")

    @property
    def title(self) -> str:
        return self.text["title"]

    def content(self, overlay: Mapping[str, Any] | None = None, source: str = "variant") -> Content:
        """The game's content, with an overlay on top."""
        return self.schema.read(self.text, str(self.folder / "content.toml"),
                                dict(overlay or {}), source)

    def variant(self, name: str | None = None, settings: Mapping[str, Any] | None = None
                ) -> Content:
        """Content from a variant's file or name, and settings that go before it."""
        overlay: dict[str, Any] = {}
        if name:
            here = self.folder / "variants" / f"{name}.toml"
            overlay = read_toml(here if here.exists() else pathlib.Path(name))
        source = name or "--set"
        shaped = self.schema.shaped(overlay, source)
        return self.content(merged(shaped, self.schema.shaped(dict(settings or {}), "--set")),
                            source)

    @property
    def variants(self) -> list[str]:
        return sorted(path.stem for path in (self.folder / "variants").glob("*.toml"))

    @functools.cached_property
    def rulebook(self) -> str:
        return (self.folder / "rulebook.md").read_text(encoding="utf-8")

    @property
    def paragraphs(self) -> list[str]:
        """The numbers of the rulebook's paragraphs, in order."""
        return [paragraph.number for paragraph in rulebook.paragraphs(self)]

    def seats_in(self, s: Any) -> int:
        """How many play; a game for a fixed number need not keep it in its state."""
        return int(s.seats) if "seats" in s.dtype.names else self.seats[1]

    def engine(self, mode: Mode | None = None) -> Engine:
        return _engine(self, mode or default_mode())

    def __hash__(self) -> int:
        return hash(self.package)


@functools.cache
def _engine(game: Game, mode: Mode) -> Engine:
    return Engine(game, mode)
