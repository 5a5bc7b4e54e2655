"""A playtest as data: the file that a table exports and the lab reads.

Testers are pseudonyms such as t3. A game in which everybody agreed to be recorded has its journal,
from which it runs again; one with somebody who did not has only what the others themselves did.
Times are seconds since the game began. What a person did is a row of `decisions`: the question, how
many answers there were, the answer, and how long it took, net of the time they were away.
"""

import json
import pathlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.position import Position

FORMAT = 1
PERSON, BOT, UNRECORDED = "person", "bot", "unrecorded"
TABLE, PAPER = "table", "paper"


@dataclass
class Decision:
    """One answer of a recorded person to a question of the game."""

    who: str
    seat: int
    question: str
    action: str
    options: int
    seconds: float  # net of waiting for others and of being away
    ended: float  # when it was made
    took: float  # the same with being away
    undone: bool = False


@dataclass(frozen=True)
class Happened:
    """What somebody did beside their moves: hint, why, rules, preview, idle, flag."""

    who: str
    kind: str
    what: str = ""
    at: float = 0.0
    seconds: float = 0.0
    cites: tuple[str, ...] = ()  # paragraphs of the rulebook
    question: str = ""  # that they had before them


@dataclass(frozen=True)
class Said:
    """The answers of one person after one game."""

    who: str
    when: str  # end or left
    answers: Mapping[str, str]


@dataclass(frozen=True)
class Note:
    """A note on a moment of a game."""

    who: str  # a pseudonym, or `designer`
    moves: int
    text: str
    about: tuple[str, ...] = ()  # paragraphs and cards


@dataclass(frozen=True)
class Sitter:
    """Who sat in a seat when the game began."""

    who: str  # a pseudonym or a bot's level; empty for somebody unrecorded
    kind: str
    left: float | None = None  # when they gave the seat to a bot


@dataclass
class Played:
    """One game of people."""

    id: str
    arm: int
    kind: str
    seats: list[Sitter]
    scores: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    ending: str = ""  # empty while it runs, or when it was broken off
    seconds: float = 0.0
    seed: int = 0
    key: str = ""
    journal: list[dict[str, Any]] = field(default_factory=list)  # empty unless all agreed
    decisions: list[Decision] = field(default_factory=list)
    happened: list[Happened] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        return bool(self.journal) and bool(self.ending)

    @property
    def people(self) -> list[str]:
        return [one.who for one in self.seats if one.kind == PERSON]


@dataclass
class PlaytestData:
    """A whole playtest."""

    name: str
    title: str
    game: str
    rules_version: int
    seats: int
    arms: list[dict[str, Any]]  # name, overlay, for_bots (overlay), content (hash)
    questions: list[dict[str, Any]]
    games: list[Played]

    @property
    def the_game(self) -> Game:
        return find_game(self.game)

    def content(self, arm: int) -> Content:
        return self.the_game.content(self.arms[arm]["overlay"], "overlay")


# Files -------------------------------------------------------------------------------------------

def as_json(data: PlaytestData) -> dict[str, Any]:
    return {"exchequer_playtest": FORMAT, **asdict(data)}


def write_playtest(data: PlaytestData, path: pathlib.Path) -> None:
    write_whole(path, json.dumps(as_json(data), ensure_ascii=False, indent=1).encode())


def read_playtest(path: pathlib.Path) -> PlaytestData:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise InputError(f"{path} is not a playtest: it is not JSON.") from None
    return playtest_from(found, str(path))


def playtest_from(found: Any, where: str = "This") -> PlaytestData:
    """Checked as far as whoever reads it relies on it."""
    if not isinstance(found, dict) or found.get("exchequer_playtest") != FORMAT:
        raise InputError(f"{where} is not a playtest of format {FORMAT}; "
                         "`exchequer playtest export` writes one.")
    try:
        games = [played_from(one) for one in found["games"]]
        data = PlaytestData(**{one.name: found[one.name] for one in fields(PlaytestData)
                               if one.name != "games"}, games=games)
        for arm in range(len(data.arms)):
            data.content(arm)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{where} is not a whole playtest: {error}.") from None
    for game in data.games:
        if not 0 <= game.arm < len(data.arms) or not game.seats:
            raise InputError(f"{where}: game {game.id} is of no variant of this playtest.")
    return data


def played_from(found: Mapping[str, Any]) -> Played:
    parts: dict[str, Any] = {"seats": Sitter, "decisions": Decision, "happened": Happened,
                             "said": Said, "notes": Note}
    made: dict[str, Any] = {key: [kind(**tupled(one)) for one in found.get(key, [])]
                            for key, kind in parts.items()}
    return Played(**{**found, **made})


def tupled(found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value
            for key, value in found.items()}


# Decisions ---------------------------------------------------------------------------------------

class Follower:
    """Follows a journal and notes the decisions of those who are recorded."""

    def __init__(self, game: Game, content: Content, played: Played) -> None:
        self.game, self.played = game, played
        self.position = Position(game, content, len(played.seats), played.seed, Mode.PYTHON,
                                 played.key)
        self.asks = {int(ask): ask.name.lower() for ask in game.module("state").Ask}
        self.found: list[Decision] = []
        self.waiting: dict[int, list[int]] = defaultdict(list)  # answers to a sealed question
        self.made: list[Decision | None] = []  # by move
        self.since = 0.0  # when the present question was asked
        self.own_since: dict[int, float] = {}  # when a seat gave the last part of an answer

    def follow(self) -> list[Decision]:
        for line in self.played.journal:
            handle = getattr(self, f"_{line['kind']}", None)
            if handle:
                handle(line)
        return self.found

    def _move(self, line: Mapping[str, Any]) -> None:
        seat, action = line["seat"], self.game.words.TEXTS.action(line["action"])
        is_noted = bool(self.waiting[seat])
        if is_noted:
            self.waiting[seat].pop(0)
        self.made.append(None if is_noted else self._decided(self.position, line))
        self.position.take(action, line.get("key", ""))
        self.since = line["t"]
        self.own_since.clear()

    def _answer(self, line: Mapping[str, Any]) -> None:
        seat = line["seat"]
        own = self.position.asking_first(seat)
        for action in self.waiting[seat]:
            own.take(action)
        self._decided(own, line)
        self.waiting[seat].append(self.game.words.TEXTS.action(line["action"]))
        self.own_since[seat] = line["t"]

    def _undo(self, line: Mapping[str, Any]) -> None:
        if "parts" in line:
            del self.waiting[line["seat"]][line["parts"]:]
            self._mark_undone([one for one in self.found if one.seat == line["seat"]][-1:])
        else:
            gone = self.made[line["to"]:]
            del self.made[line["to"]:]
            for _ in gone:
                self.position.undo()
            self._mark_undone([one for one in gone if one])
        self.since = line["t"]

    def _mark_undone(self, decisions: Sequence[Decision]) -> None:
        for one in decisions:
            one.undone = True

    def _decided(self, position: Position, line: Mapping[str, Any]) -> Decision | None:
        seat = line["seat"]
        sitter = self.played.seats[seat]
        if sitter.kind != PERSON or line.get("by", "person") != "person":
            return None
        took = max(0.0, line["t"] - max(self.since, self.own_since.get(seat, 0.0)))
        ask = self.asks.get(int(position.engine.question(position.state)), "")
        made = Decision(sitter.who, seat, ask, line["action"], len(position.legal()),
                        took, line["t"], took)
        self.found.append(made)
        return made


def decisions_of(game: Game, content: Content, played: Played) -> list[Decision]:
    """Every decision of a recorded person, also those that were taken back."""
    return Follower(game, content, played).follow()


def settle(played: Played) -> None:
    """Take the time that people were away out of their decisions, and say at which question each
    thing happened.
    """
    away = [one for one in played.happened if one.kind == "idle"]
    for decision in played.decisions:
        begun = decision.ended - decision.took
        gone = sum(max(0.0, min(one.at, decision.ended) - max(one.at - one.seconds, begun))
                   for one in away if one.who == decision.who)
        decision.seconds = round(max(0.0, decision.took - gone), 3)
    played.happened = [_placed(one, played.decisions) for one in played.happened]


def _placed(one: Happened, decisions: Sequence[Decision]) -> Happened:
    asked = next((decision.question for decision in decisions if decision.who == one.who
                  and decision.ended - decision.took <= one.at <= decision.ended), "")
    return Happened(one.who, one.kind, one.what, one.at, one.seconds, one.cites, asked)


def previews_not_made(played: Played, who: str) -> dict[str, int]:
    """How often somebody previewed each action and did something else."""
    found: dict[str, int] = defaultdict(int)
    for one in played.happened:
        if one.kind != "preview" or one.who != who:
            continue
        made = next((decision.action for decision in played.decisions
                     if decision.who == one.who and decision.ended >= one.at), "")
        if made and made != one.what:
            found[one.what] += 1
    return dict(found)
