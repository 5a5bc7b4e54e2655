"""A game: one folder with a rulebook, content, rules and words, and the engines that run it."""

import functools
import importlib
import pathlib
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from exchequer.core import hiding, rulebook
from exchequer.core.agenda import AgendaFault
from exchequer.core.binding import Instead, Rules
from exchequer.core.build import Build, Mode, default_mode
from exchequer.core.content import Content, ContentError, Schema, merged, read_toml
from exchequer.core.contract import CONTRACT, PARTS, Ending, go_on, last_leaders, over
from exchequer.core.errors import InputError, imports_named
from exchequer.core.handlers import (
    answer_chain,
    legal_chain,
    made,
    refusal_chain,
    step_chain,
)
from exchequer.core.loops import (
    LOG_ROOM,
    Buffers,
    Result,
    Tally,
    broken,
    copy_many,
    new_buffers,
    refusals,
    run_batch,
    trace,
)
from exchequer.core.modules import MODULES
from exchequer.core.value import default_value
from exchequer.core.words import Move, Words

if TYPE_CHECKING:
    from exchequer.core.position import Position

OUTSIDE = "exchequer_outside"  # the package under which folders of one's own are imported
Progress = Callable[[int], None]
Things = Sequence[str] | Mapping[int, str]  # names from 0 on, or only of the numbers given
State = Any  # one record of the game's `State`; a static type cannot name its fields
Record = Any  # the content record
Variant = str | pathlib.Path | Mapping[str, Any] | Content  # a name, a file, settings, or content


class Engine:
    """A game's rules and loops in one mode, ready to be called from Python."""

    # The contract, see `core.contract`; bound when first asked for.
    setup: Callable[[State, Record, int, int, np.ndarray], None]
    actor: Callable[[State], int]
    question: Callable[[State], int]
    legal: Callable[[State, Record, np.ndarray], int]
    refusal: Callable[[State, Record, int], int]
    apply: Callable[[State, Record, int, np.ndarray], None]
    score: Callable[[State, Record, int], int]
    winners: Callable[[State, Record], int]
    ending: Callable[[State], int]
    fault: Callable[[State, Record], int]
    observe: Callable[[State, Record, int], None]
    determinize: Callable[[State, Record, int, int], None]
    value: Callable[[State, Record, int, int], float]

    def __init__(self, game: "Game", mode: Mode) -> None:
        self.game, self.mode = game, mode
        self._bound: dict[Any, Callable[..., Any]] = {}

    @functools.cached_property
    def build(self) -> Build:
        functions = self.game.functions
        entries: list[Any] = [*(functions[name] for name in CONTRACT), run_batch, broken]
        return Build(self.game.name, functions, entries, self.mode,
                     self.game.state.descr, self.game.schema.dtype.descr)

    @functools.cached_property
    def plain_rules(self) -> Build:
        """Plain Python without the valuation, which may take a moment to make: no rule asks it."""
        return Build(self.game.name, self.game.rule_functions, [], Mode.PYTHON)

    if not TYPE_CHECKING:
        def __getattr__(self, name):
            """`engine.apply`, `engine.legal`, ... of this game."""
            if name not in CONTRACT:
                raise AttributeError(name)
            setattr(self, name, self.bind(CONTRACT[name]))
            return getattr(self, name)

    def __repr__(self) -> str:
        return f"<Engine of {self.game.name}, {self.mode.value}>"

    def bind(self, loop: Callable[..., Any], instead: Instead | None = None
             ) -> Callable[..., Any]:
        """A loop or contract function for this game, with other rules `instead` of the loop's."""
        key = loop, frozenset(instead.items()) if instead else None
        if key not in self._bound:
            is_rule = loop in CONTRACT.values() and loop is not CONTRACT["value"]
            build = self.plain_rules if is_rule and self.mode is Mode.PYTHON else self.build
            bound = build.bind(loop, instead)  # type: ignore[arg-type]
            self._bound[key] = loud(bound) if self.mode is Mode.PYTHON else bound
        return self._bound[key]

    def prepare(self, progress: Progress | None = None) -> None:
        """Have the machine code ready; compiles on first need, once per version."""
        self.build.prepare(self._exercise, progress)

    def _exercise(self) -> None:
        """Call every entry once, which compiles and caches it."""
        game, content = self.game, self.game.content().record
        buffers, seats = self.buffers(), game.seats[0]
        s, log = buffers.states[0], buffers.log
        self.run_batch(content, seats, np.zeros(1, np.uint64), 1)
        self.setup(s, content, seats, 0, log)
        self.legal(s, content, buffers.out)
        for reads in (self.actor, self.question, self.ending):
            reads(s)
        action = int(buffers.out[0])
        self.refusal(s, content, action)
        self.apply(s, content, action, log)
        self.winners(s, content)
        self.broken(s, content)
        self.score(s, content, 0)
        self.value(s, content, seats, 0)
        self.observe(s, content, 0)
        self.determinize(s, content, 0, 1)

    def buffers(self, log_room: int = LOG_ROOM) -> Buffers:
        return new_buffers(self.game.state, self.game.max_legal, log_room)

    def tally(self) -> Tally:
        return Tally(np.zeros(self.game.n_actions, np.int64),
                     np.zeros((self.game.n_events, self.game.n_things), np.int64))

    def run_batch(self, content: Any, seats: int, seeds: np.ndarray, limit: int
                  ) -> tuple[np.ndarray, Tally, int]:
        """Random games, one per seed: their results, what happened in them, the steps taken."""
        results, tally = np.zeros(len(seeds), Result), self.tally()
        steps = self.bind(run_batch)(self.buffers(), content, seats, seeds, limit, results, tally)
        return results, tally, int(steps)

    def trace(self, content: Any, seats: int, seed: int, limit: int
              ) -> tuple[np.ndarray, np.ndarray]:
        """One random game: its actions, and its states from setup to the end."""
        actions = np.zeros(limit, np.int32)
        states = np.zeros(limit + 1, self.game.state)
        steps = self.bind(trace)(self.buffers(), content, seats, seed, actions, states)
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
    """Plain Python fails where a narrow field overflows or something is divided by 0, instead of
    going on with a wrong number.
    """
    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="raise", divide="raise"):
            return function(*arguments)
    return call


@dataclass(frozen=True, repr=False, eq=False)
class Game:
    """What a game's folder says about itself; the rest follows from its modules.

    `exchequer.game("kingdom")` finds one, `start` begins to play. A folder that is read again is
    another game: this one keeps the modules it has.
    """

    package: str  # the folder as a package: `__package__` of its __init__.py
    seats: tuple[int, int]
    """The fewest and the most players."""
    rules_version: int
    """Raised by every change that alters what can happen in a game."""
    rows_version: int = 1
    """Raised by every change of what `core.rows` makes of an observation."""
    coverage: Mapping[str, tuple[int, Things]] = field(default_factory=dict)
    # what random play should reach: name -> (event whose `thing` counts it, names of the things)
    ledger: Mapping[int, int] = field(default_factory=dict)
    # how an event's amount changes the money in the game: +1, -1
    money: Callable[[Any], int] | None = None  # all money in a state
    step_limit: int = 20_000  # a game longer than this counts as endless

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.players}, rules version {self.rules_version}>"

    def __reduce__(self) -> Any:
        """Pickled as where it is found: another process has the same game there."""
        from exchequer.core.find import address_of, find_game

        return find_game, (address_of(self),)

    @property
    def version(self) -> str:
        """`2.1`: the versions of the rules and of the rows, as environments are named."""
        return f"{self.rules_version}.{self.rows_version}"

    @property
    def name(self) -> str:
        """`kingdom`, `treasury/v17`: the folder below `games`; elsewhere the folder's own name."""
        if self.package.startswith(OUTSIDE):
            return self.folder.name
        return self.package.rpartition("games.")[2].replace(".", "/")

    @functools.cached_property
    def folder(self) -> pathlib.Path:
        return pathlib.Path(importlib.import_module(self.package).__file__ or "").parent

    @functools.cached_property
    def _modules(self) -> dict[str, types.ModuleType]:
        return {}

    def module(self, name: str) -> types.ModuleType:
        if name not in self._modules:
            with imports_named(self.name, self.folder):
                self._modules[name] = importlib.import_module(f"{self.package}.{name}")
        return self._modules[name]

    def has_module(self, name: str) -> bool:
        return name in self._files

    @functools.cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(path.stem for path in self.folder.glob("*.py"))

    @property
    def rules(self) -> types.ModuleType:
        return self.module("rules")

    @property
    def rule_modules(self) -> list[types.ModuleType]:
        """`rules`, and every module of the folder that bears no name of `core.folder`."""
        others = (path.stem for path in sorted(self.folder.glob("*.py")))
        return [self.rules, *(self.module(name) for name in others
                              if name not in MODULES and not name.startswith("test_"))]

    def function(self, name: str) -> Any:
        """A function of the contract but for the valuation, see `functions`."""
        return self.rule_functions[name]

    def part(self, name: str) -> Any:
        """A part of the contract's own `apply`, or of `value` (`strength`), that the game gives."""
        if name != "strength":
            return self.own(name) or self.default(name)
        return getattr(self.module("value"), name, None) if self.has_module("value") else None

    def own(self, name: str) -> Any:
        """The function that `rules.py` gives, and does not merely import from the contract."""
        found = getattr(self.rules, name, None)
        return None if found is (CONTRACT | PARTS)[name] else found

    def default(self, name: str) -> Any:
        """What is made for a game that does not write it, or None."""
        modules, state = self.rule_modules, self.module("state")
        makers: dict[str, Callable[[], Any]] = {
            "legal": lambda: legal_chain(modules, state),
            "refusal": lambda: refusal_chain(modules, state),
            "handle_step": lambda: step_chain(modules, state),
            "handle_answer": lambda: answer_chain(modules, state),
            "observe": lambda: hiding.observe(self.rules, state, self.seats[1]),
            "determinize": lambda: hiding.determinize(self.rules, state, self.seats[1]),
            "apply": lambda: go_on if self.own("forced_answer") else None,
            "winners": lambda: self.last_leaders(state),
            "ending": lambda: None if "ending" in state.State.names else over,
        }
        return makers[name]() if name in makers else None

    def last_leaders(self, state: types.ModuleType) -> Any:
        """`winners` of a game that does not keep them in its state."""
        if "winners" in state.State.names:
            return None
        seats = "s.seats" if "seats" in state.State.names else str(self.seats[1])
        return made(self.rules, "winners", "s, c", [f"return last_leaders(s, c, {seats})"],
                    {"last_leaders": last_leaders})

    @functools.cached_property
    def functions(self) -> Rules:
        """All functions of the contract by their names, and the parts that the game gives."""
        rules = self.rule_functions
        if self.has_module("value"):
            return rules | {"value": self.module("value").value}
        return rules | {"value": default_value(self.rules, rules, self.module("state"),
                                               self.content().record, self.seats[0])}

    @functools.cached_property
    def rule_functions(self) -> dict[str, Any]:
        """The same without the valuation."""
        parts = {name: part for name in PARTS if (part := self.part(name))}
        return {name: self.own(name) or self.default(name) or contract
                for name, contract in CONTRACT.items() if name != "value"} | parts

    def backs(self, c: Any) -> Any:
        """What shows on the back of each card; None in a game without cards."""
        return hiding.backs(self.module("state"), c)

    @functools.cached_property
    def words(self) -> Words:
        """How actions, questions, log entries and refusals are said."""
        return Words(self)

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
        return getattr(self.module("state"), "MAX_LEGAL", self.n_actions)

    @property
    def sealed(self) -> tuple[int, ...]:
        """Questions that are put to all seats that have one on top of the agenda at once."""
        return getattr(self.module("state"), "SEALED", ())

    @property
    def n_events(self) -> int:
        return len(self.module("state").Event)

    @property
    def n_things(self) -> int:
        """What an event's `thing` can be, from 0 on; by default any entry of the content."""
        largest = max([1, *(len(table.members) for table in self.schema.tables.values())])
        return getattr(self.module("state"), "N_THINGS", largest)

    @property
    def endings(self) -> Any:
        return getattr(self.module("state"), "Ending", Ending)

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
        """`The Jagged Time`: what people call it."""
        return self.text["title"]

    def content(self, overlay: Mapping[str, Any] | None = None, source: str = "variant") -> Content:
        """The game's content, with an overlay on top."""
        return self.schema.read(self.text, str(self.folder / "content.toml"),
                                dict(overlay or {}), source)

    def content_of(self, variant: Variant | None) -> Content:
        """Content from a variant's name or file, from settings, or as it is."""
        if isinstance(variant, Content):
            if variant.record.dtype != self.schema.dtype:
                raise InputError(f"This content belongs to another game than {self.name}.")
            return variant
        if isinstance(variant, Mapping):
            return self.content(variant)
        return self.variant(None if variant is None else str(variant))

    def variant(self, name: str | None = None, settings: Mapping[str, Any] | None = None
                ) -> Content:
        """Content from a variant's file or name, and settings that go before it."""
        overlay: dict[str, Any] = {}
        if name:
            overlay = read_toml(self._variant_file(name))
        source = name or "--set"
        shaped = self.schema.shaped(overlay, source)
        return self.content(merged(shaped, self.schema.shaped(dict(settings or {}), "--set")),
                            source)

    def _variant_file(self, name: str) -> pathlib.Path:
        here, other = self.folder / "variants" / f"{name}.toml", pathlib.Path(name)
        if not here.exists() and not other.suffix and not other.exists():
            known = ", ".join(self.variants) or "none"
            raise ContentError(name, "", f"there is no such variant; {self.title} has: {known}.")
        return here if here.exists() else other

    @property
    def variants(self) -> list[str]:
        """The names of the variants that come with the game."""
        return sorted(path.stem for path in (self.folder / "variants").glob("*.toml"))

    @functools.cached_property
    def rulebook(self) -> str:
        """The rulebook, in Markdown."""
        return (self.folder / "rulebook.md").read_text(encoding="utf-8")

    @functools.cached_property
    def learn(self) -> str:
        """The pages for newcomers, in Markdown; empty when the game has none."""
        path = self.folder / "learn.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def paragraphs(self) -> list[str]:
        """The numbers of the rulebook's paragraphs, in order."""
        return [paragraph.number for paragraph in rulebook.paragraphs(self)]

    def seats_in(self, s: Any) -> int:
        """How many play; a game for a fixed number need not keep it in its state."""
        return int(s.seats) if "seats" in s.dtype.names else self.seats[1]

    @property
    def players(self) -> str:
        """`2 to 4 players`."""
        fewest, most = self.seats
        if fewest == most:
            return f"{fewest} player{'s' * (fewest > 1)}"
        return f"{fewest} to {most} players"

    def seats_for(self, seats: int | None) -> int:
        """That many seats, or the fewest; a number the game does not allow is refused."""
        if seats is None:
            return self.seats[0]
        if not self.seats[0] <= seats <= self.seats[1]:
            raise InputError(f"{self.title} is for {self.players}, not {seats}.")
        return seats

    def start(self, seed: int = 0, seats: int | None = None, variant: Variant | None = None
              ) -> "Position":
        """A new game. The same seed, seats, variant and moves always give the same game.

        `variant` is the name of one of `variants`, a TOML file, or settings such as
        `{"start_gold": 12}`. The rules run as machine code when it is compiled already (see
        `exchequer warm`) and as plain Python otherwise, so that a game opens at once.
        """
        from exchequer.core.position import Position

        return Position(self, self.content_of(variant), seats, seed, self.ready_mode)

    @property
    def ready_mode(self) -> Mode:
        """Machine code when it is there, plain Python until then."""
        return default_mode() if self.engine().build.is_ready else Mode.PYTHON

    def legal(self, observation: np.ndarray, content: Content) -> list[Move]:
        """What the seat that is asked may do, for bots that are given an observation."""
        out = np.zeros(self.max_legal, np.int32)
        count = self.engine(self.ready_mode).legal(observation[0], content.record, out)
        return [self.words.TEXTS.moves[action] for action in out[:count].tolist()]

    def engine(self, mode: Mode | None = None) -> Engine:
        return _engine(self, mode or default_mode())


@functools.cache
def _engine(game: Game, mode: Mode) -> Engine:
    return Engine(game, mode)
