"""What a match's journal says besides the position: who sits where, who moved, when."""

import enum
from dataclasses import dataclass, field, replace
from typing import Any

from exchequer.core.story import Line


class EntryKind(enum.StrEnum):
    """What a line of the journal records."""

    SIT = "sit"  # who holds a seat from now on, and under which name
    START = "start"  # all seats are taken; `key` (or a chosen `seed`): what is dealt from
    MOVE = "move"  # `by`: who made it; `why`; `key`: what it rolled from, where chance fell
    ANSWER = "answer"  # a part of an answer to a sealed question waits for its turn; `is_last`
    UNDO = "undo"  # `to`: how many moves are left; `parts`: of an answer that waits
    PROPOSE = "propose"  # to the player in turn: `id`, `terms`, and the `turn` in which it stands
    SETTLE = "settle"  # `id`, and what the proposal `became`: heard, declined or withdrawn
    AGREE = "agree"  # a seat agrees to hints, or no longer
    RESIGN = "resign"
    REMATCH = "rematch"  # `match`: where the same people play again
    CLOSE = "close"  # `why`: a sentence; nobody plays here any more


class By(enum.StrEnum):
    """Who made a move for its seat."""

    PERSON = "person"
    BOT = "bot"
    CLOCK = "clock"


@dataclass(frozen=True)
class Seat:
    """Who sits there: a visitor, a bot of that name, or nobody yet. An agent's seat says how many
    seconds it has for a move, and which bot makes the move when it does not answer.
    """

    holder: str | None = None
    bot: str | None = None
    name: str = ""
    seconds: int = 0
    fallback: str = ""

    @property
    def is_free(self) -> bool:
        return self.holder is None and self.bot is None

    @property
    def is_agents(self) -> bool:
        return bool(self.fallback)

    def row(self) -> dict[str, Any]:
        """What the lobby looks up; see `schema.seats`."""
        return {"holder": self.holder, "bot": self.bot, "name": self.name}

    def entry(self) -> dict[str, Any]:
        """A line of the journal."""
        terms = {"seconds": self.seconds, "fallback": self.fallback} if self.is_agents else {}
        return self.row() | terms


AGENT = Seat(None, None, "For an agent", 60, "greedy")  # a free seat, by the usual terms


@dataclass(frozen=True)
class Frame:
    """A moment a viewer may look at: after how many moves, and what happened in it."""

    moves: int
    sentences: list[str]
    lines: list[Line]  # the same as a story
    why: str = ""  # what whoever moved said about the move


@dataclass(frozen=True)
class Part:
    """A move that waits until the rules come to it."""

    action: int
    by: By
    why: str


@dataclass(frozen=True)
class Proposal:
    """What a seat proposes to the player in turn; it stands until that turn ends."""

    number: int
    seat: int
    terms: dict[str, Any]
    turn: list[int]
    became: str = ""


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    scores: list[int]
    winners: list[int]
    ending: str


@dataclass
class History:
    """What the journal says besides the position itself."""

    movers: list[int] = field(default_factory=list)  # the seat of each move
    makers: list[str] = field(default_factory=list)  # By, of each move
    whys: list[str] = field(default_factory=list)  # what was said about each move
    since: list[float] = field(default_factory=list)  # when the clock of each moment began
    turns: list[Any] = field(default_factory=list)  # what it was begun for
    version: int = 0  # the number of the entry that led to the present question
    versions: dict[int, int] = field(default_factory=dict)  # seats that have done something since
    waiting: dict[int, list[Part]] = field(default_factory=dict)  # answers to a sealed question
    answered: set[int] = field(default_factory=set)  # the seats whose answers are complete
    proposals: dict[int, Proposal] = field(default_factory=dict)
    number: int = 0  # the number of the last entry
    is_seen: bool = True  # whether everybody could see something of the last move
    changed: float = 0.0  # when something happened last that everybody could see
    started: float | None = None
    closed: str = ""  # why nobody plays here any more
    rematch: str | None = None
    agreed: set[int] = field(default_factory=set)
    resigned: set[int] = field(default_factory=set)

    def copy(self) -> "History":
        return replace(self, movers=[*self.movers], makers=[*self.makers],
                       whys=[*self.whys], since=[*self.since],
                       turns=[*self.turns], agreed={*self.agreed}, resigned={*self.resigned},
                       proposals={**self.proposals},
                       versions={**self.versions}, answered={*self.answered},
                       waiting={seat: [*parts] for seat, parts in self.waiting.items()})

    def ask_anew(self, number: int) -> None:
        """Another question: what was done about the last one is over."""
        self.version = number
        self.versions.clear()
        self.waiting.clear()
        self.answered.clear()
