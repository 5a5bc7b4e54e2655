"""The typed contract of a game's folder: a protocol for each module that Exchequer reads.

Names marked `optional` may be left out. A module that is absent means what its protocol says;
modules of other names hold further rules. `docs/game-folder.md` is written from this file, and
`exchequer check` refuses names that are missing or that nobody reads (`core.folder`).
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

from exchequer.core.contract import CONTRACT, DEFAULTS, MADE, PARTS

if TYPE_CHECKING:
    import numpy as np
    from rich.console import RenderableType

    from exchequer.core.content import Content, Schema
    from exchequer.core.game import Game
    from exchequer.core.measures import Measures
    from exchequer.core.pieces import Deck
    from exchequer.core.position import Position
    from exchequer.core.sentences import Said
    from exchequer.core.words import ActionTexts, Text

OPTIONAL = "optional"
F = TypeVar("F", bound=Callable[..., Any])
P = TypeVar("P", bound=type)
Names = Sequence[str]  # of the people at the table, by seat
View = Mapping[str, Any]


@dataclass(frozen=True)
class Name:
    """One name of a module."""

    name: str
    says: str  # its signature or type, and what it is for
    is_needed: bool


@dataclass(frozen=True)
class Module:
    """One module of a game's folder."""

    purpose: str
    without: str  # what its absence means; empty when the game needs it
    all_names: tuple[Name, ...] = field(default=())

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.all_names if one.is_needed)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.all_names)


MODULES: dict[str, Module] = {}


def optional(function: F) -> F:
    function.is_optional = True  # type: ignore[attr-defined]
    return function


def module(name: str, without: str = "") -> Callable[[P], P]:
    """Enter a protocol as the contract of the module of that name."""
    def enter(protocol: P) -> P:
        MODULES[name] = Module(inspect.getdoc(protocol) or "", without, tuple(names_of(protocol)))
        return protocol
    return enter


def said_first(function: Callable[..., Any]) -> str:
    """The first sentence of a docstring, without a capital and a full stop."""
    text = " ".join((inspect.getdoc(function) or "").split()).partition(". ")[0].rstrip(".")
    return text[:1].lower() + text[1:]


def names_of(protocol: type) -> Iterator[Name]:
    for name, kind in protocol.__annotations__.items():
        yield Name(name, kind.__metadata__[-1], OPTIONAL not in kind.__metadata__)
    for name, function in vars(protocol).items():
        if inspect.isfunction(function) and not name.startswith("_"):
            parameters = ", ".join(list(inspect.signature(function).parameters)[1:])
            yield Name(name, f"`{name}({parameters})`: {inspect.getdoc(function)}",
                       not getattr(function, "is_optional", False))


@module("__init__")
class GameModule(Protocol):
    """the game itself"""

    GAME: Annotated["Game", "how many play, and what the suite may check"]


@module("state")
class StateModule(Protocol):
    """records, enums and the schema of the content"""

    State: Annotated["np.dtype", "the record that is the whole game"]
    CONTENT: Annotated["Schema", "every key that content.toml may hold"]
    N_ACTIONS: Annotated[int, "actions are numbers below this"]
    Ask: Annotated[type, "the questions, below FIRST_STEP"]
    Event: Annotated[type, "what the log tells"]
    Refusal: Annotated[type, "why something is not possible; NONE, OVER, NOT_ASKED come first"]
    Do: Annotated[type, OPTIONAL, "the first action of each kind, for default texts and marks"]
    Step: Annotated[type, OPTIONAL, "what the game does by itself, from FIRST_STEP on"]
    Ending: Annotated[type, OPTIONAL, "why a game ended; without it a game is just over"]
    Fault: Annotated[type, OPTIONAL, "what `fault` reports"]
    MAX_LEGAL: Annotated[int, OPTIONAL, "the most actions that are legal at once; else all"]
    N_THINGS: Annotated[int, OPTIONAL, "how many things events count; else the largest table"]
    HANDS: Annotated[tuple[int, ...], OPTIONAL, "piles of which each seat has one, and knows it"]
    SECRET: Annotated[dict[str, int], OPTIONAL, "fields that only their seat sees, and their range"]
    SEALED: Annotated[tuple[int, ...], OPTIONAL, "questions that seats answer without knowing each "
                                                 "other's answers"]
    CHOICES: Annotated[dict[int, Any], OPTIONAL, "what is added to an action: a content table, "
                                                 "`seat`, or texts"]


MODULES["rules"] = Module("the rules; `core/contract.py` says what each function does", "", tuple(
    Name(name, f"`{name}{inspect.signature(function)}`: {said_first(function)}",
         name in CONTRACT and name not in DEFAULTS | MADE)
    for name, function in (CONTRACT | PARTS).items()
    if name not in ("value", "strength", "handle_answer", "handle_step")))


@module("words", "everything is said by words.toml and the names in state.py")
class WordsModule(Protocol):
    """sentences that have to be computed"""

    TEXTS: Annotated["ActionTexts", OPTIONAL, "every action as a text; else by `Do` and CHOICES"]
    PLACEHOLDERS: Annotated[Mapping[str, "Callable[[Said], str]"], OPTIONAL,
                            "further placeholders of words.toml"]

    @optional
    def ask(self, s: Any, content: "Content", names: Names) -> str | None:
        """a question; None leaves it to words.toml"""

    @optional
    def describe(self, s: Any, content: "Content", action: int, names: Names) -> str | None:
        """a line of the menu"""

    @optional
    def tell(self, entry: Any, content: "Content", names: Names) -> str | None:
        """a log entry"""

    @optional
    def refuse(self, why: int, content: "Content", names: Names) -> str | None:
        """why something is not possible"""

    @optional
    def goal(self, content: "Content") -> str:
        """what one is to do, where variants change it; else the first sentence of learn.md"""

    @optional
    def thing(self, content: "Content", table: str, key: str) -> "Text | None":
        """an entry of the content: its name, a line about it, the full text"""


@module("view", "it is read from records, enums and content (core/reflection.py)")
class ViewModule(Protocol):
    """what a seat sees, as plain data"""

    def view(self, s: Any, content: "Content", seat: int) -> View:
        """made from an observation, so that it cannot leak; seat -1 only watches"""


@module("terminal", "a default screen is drawn")
class TerminalModule(Protocol):
    """the board in the terminal"""

    def screen(self, view: View, content: "Content", names: Names) -> "RenderableType":
        """something Rich can print"""


@module("plain", "it is read from records, enums and content")
class PlainModule(Protocol):
    """the board as a few lines of text, for plain terminals, screen readers and agents"""

    def lines(self, view: View, content: "Content", names: Names) -> Iterable[str]:
        """short ones, that need neither colours nor columns"""


@module("browser", "cards can be clicked, and the content is explained")
class BrowserModule(Protocol):
    """what the board in the browser (`table.html`) needs beyond the view"""

    def spot(self, s: Any, content: "Content", action: int) -> str:
        """where on the board an action is done"""

    def scene(self, view: View, content: "Content") -> View:
        """what the template wants worked out"""

    @optional
    def tips(self, content: "Content") -> Mapping[str, tuple[str, str]]:
        """what is explained: title and text; else by words.toml and the content"""

    @optional
    def unfinished(self, s: Any, content: "Content", legal: Sequence[int]) -> str:
        """what somebody should know before they end their turn; else whether they have moved"""

    @optional
    def amount(self, s: Any, content: "Content", legal: set[int]
               ) -> tuple[int, int, frozenset[int], str] | None:
        """a number that is asked for: its bounds, the actions that enter it, its unit"""

    @optional
    def enter(self, s: Any, number: int) -> list[int]:
        """the actions that enter such a number"""


@module("bargain", "offers are made move by move")
class BargainModule(Protocol):
    """deals as one form; terms are `to`, `squares`, `price`, `pays` and `tax`"""

    def deal_form(self, s: Any, content: "Content", seat: int) -> View | None:
        """what the seat may propose now, filled in with the offer it would answer"""

    def deal_actions(self, s: Any, content: "Content", seat: int, terms: View) -> list[int]:
        """the actions that propose the terms; raises InputError"""

    def deal_weighed(self, s: Any, content: "Content", seat: int, terms: View, names: Names
                     ) -> list[str]:
        """what each side would net, and what has to be borrowed"""

    def deal_price(self, position: "Position", seat: int, terms: View) -> int | None:
        """the price at which a bot that is asked would just agree"""

    def deals_made(self, position: "Position", viewer: int) -> list[View]:
        """the offers of this turn, as the viewer may know them; `answered`: after so many moves"""

    def said_with(self, s: Any, content: "Content", seat: int, action: int) -> str:
        """what a bot tells whoever made it an offer with its answer, such as why it declines"""

    def talk_turn(self, s: Any) -> list[int]:
        """the turn in which a proposal to the player in turn stands"""

    def spoken_to(self, s: Any, seat: int) -> Any | None:
        """a copy in which the seat may make the player in turn an offer"""

    def can_hear(self, s: Any, seat: int) -> bool:
        """whether the seat could ask for an offer now"""

    def call_actions(self, s: Any, other: int) -> list[int]:
        """the actions by which the player in turn asks another for an offer"""

    def accept_actions(self, s: Any, content: "Content", seat: int) -> list[int]:
        """the actions that accept the offer on the table; raises InputError"""

    def proposed(self, s: Any, content: "Content", seat: int, terms: View) -> View:
        """the terms of a proposal as `deals_made` tells them"""


@module("clock", "the first legal action is taken")
class ClockModule(Protocol):
    """what the web table does when time runs out"""

    DEFAULTS: Annotated[Sequence[str], OPTIONAL, "actions the table takes, the best first"]
    NEVER: Annotated[Sequence[str], OPTIONAL, "actions it does not take"]
    SENTENCE: Annotated[str, OPTIONAL, "the same for people"]
    BELL: Annotated[int, OPTIONAL, "an action that only the clock takes"]
    FOR_BOTS: Annotated[Mapping[str, Any], OPTIONAL, "content that bots play by instead"]
    FOR_PEOPLE: Annotated[Mapping[str, Any], OPTIONAL, "content of tables at which people sit"]
    AMONG_PEOPLE: Annotated[Mapping[str, Any], OPTIONAL, "and of those with two of them or more"]
    LENGTH: Annotated[str, OPTIONAL, "the number of minutes that is asked for with them"]
    ENDS: Annotated[Sequence[str], OPTIONAL, "keys that speak against AMONG_PEOPLE if changed"]

    @optional
    def turn_seconds(self, content: "Content") -> int:
        """a clock the rules themselves ask for"""

    @optional
    def turn(self, s: Any) -> tuple[int, ...]:
        """what changes when a new turn begins"""

    @optional
    def bell_after(self, s: Any, content: "Content") -> int | None:
        """the second at which BELL is rung"""


@module("measures", "points, what the state keeps for each seat, and what events name")
class MeasuresModule(Protocol):
    """what the lab measures"""

    MEASURES: Annotated["Measures", "resources, turns, uses, counts, levers"]


@module("value", "bots go by the lead in points, scaled by what random games score")
class ValueModule(Protocol):
    """what a position is worth to a bot"""

    def value(self, s: Any, c: Any, seats: int, seat: int) -> float:
        """from 0 (lost) to 1 (won), as a rule"""

    @optional
    def strength(self, s: Any, c: Any, seat: int) -> float:
        """how strong a seat is, for `lead_value`"""


@module("habits", "bots that search do nothing but search")
class HabitsModule(Protocol):
    """what bots that search do without searching, such as deals between two"""

    PERSONAS: Annotated[Mapping[str, str], OPTIONAL,
                        "what players are told of a level's habits, a sentence for each"]

    def habit(self, s: Any, c: Any, seats: int, seat: int, attention: float) -> int:
        """the action, as a rule; NOBODY: they search; `attention`: 0 to 1 by level, a master 2"""

    def only_by_habit(self, s: Any, action: int) -> bool:
        """whether they take this action only out of habit, as a rule"""


@module("pieces", "a card for every entry of the content that has a name")
class PiecesModule(Protocol):
    """what is printed; `print.typ` draws it"""

    PICTURES: Annotated[Mapping[str, list[str]], OPTIONAL, "pieces the rulebook shows"]
    EXAMPLE: Annotated[Mapping[str, Any], OPTIONAL, "the first moves that the rulebook tells"]
    NEEDED: Annotated[Sequence[str], OPTIONAL, "what players need besides, a line each"]

    def pieces(self, content: "Content") -> "list[Deck]":
        """all decks, in the order of printing"""


def page() -> str:
    """The contract as Markdown, for the documentation."""
    lines = ["# A game's folder", "",
             "Written from `core/modules.py` by `python scripts/contract_page.py`. Besides these "
             "modules a folder", "holds `rulebook.md`, `content.toml`, and, if it likes, "
             "`words.toml`, `learn.md`, `lesson.toml` (see `core/lesson.py`), `variants/`,",
             "`table.html`, `style.css`, `icons/`, `picture.svg` and `print.typ`; "
             "[Your own game](your-game.md) says what each is for.",
             ""]
    for name, one in MODULES.items():
        absence = f" Without it: {one.without}." if one.without else " Every game has it."
        lines += [f"## {name}.py", "", f"{one.purpose[:1].upper()}{one.purpose[1:]}.{absence}", "",
                  "| name | | |", "|---|---|---|"]
        for member in one.all_names:
            says = member.says.replace("|", "\\|")
            lines.append(f"| `{member.name}` | {'' if member.is_needed else 'optional'} | {says} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
