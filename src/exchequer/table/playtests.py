"""A playtest: people try one game, or two variants of it by lot, and say what it was like.

Testers need no account. Each is told what is recorded and agrees to it, or plays unrecorded: of
them nothing is kept but the game itself, as at any table, and no game with them is ever exported.
Testers are numbers from then on. Whoever set a playtest up has a link of their own, with a word
that only the server can make; so has every tester, to see, take along or erase what is theirs.
"""

import json
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import HTTPConnection

from exchequer.core.content import Content
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.lab.playtest import Decision
from exchequer.table.clocks import content_for_bots, rules_for_people
from exchequer.table.history import Seat
from exchequer.table.identity import Visitor
from exchequer.table.match import Match
from exchequer.table.names import clean_text
from exchequer.table.playtest_store import NewTrace, PlaytestStore
from exchequer.table.refusals import BadInput, NotAdmitted, NotFound, NotNow, TooMuch
from exchequer.table.service import Service
from exchequer.table.table_setup import LEVEL_NAMES, TableSetup, bot_seat, clock_for

MOST_QUESTIONS = 5
MOST_TRACES = 4000  # of one tester at one table
TEXT_LENGTH = 500  # of an answer or a note
TITLE_LENGTH = 60
DELAY = 60.0  # seconds that the designer sees later than the players
SCALE = ("1", "2", "3", "4", "5")


@dataclass(frozen=True)
class Question:
    """What testers are asked; a scale goes from 1 to 5."""

    id: str
    text: str
    kind: str  # scale, choice or text
    choices: tuple[str, ...] = ()
    ends: tuple[str, str] = ("", "")  # what 1 and 5 mean

    def as_data(self) -> dict[str, Any]:
        return {**vars(self), "choices": list(self.choices), "ends": list(self.ends)}


BANK = {one.id: one for one in (
    Question("fun", "How much fun was it?", "scale", SCALE, ("none", "a lot")),
    Question("clarity", "How clear were the rules?", "scale", SCALE, ("not at all", "entirely")),
    Question("length", "How long did it feel?", "choice", ("too short", "right", "too long")),
    Question("foreseen", "When did you know who would win?", "choice",
             ("at the end", "near the end", "half-way", "early")),
    Question("plays", "How often had you played it before?", "choice",
             ("never", "once", "2 to 5 times", "more")),
    Question("confused", "What confused you?", "text"),
    Question("best", "What was the best moment?", "text"),
    Question("rules", "When did you go back to the rules?", "text"),
)}
USUAL = ("fun", "clarity", "length", "confused", "best")


@dataclass(frozen=True)
class Variant:
    """One of the variants between which the lot decides."""

    name: str
    overlay: Mapping[str, Any]


@dataclass(frozen=True)
class Playtest:
    """A playtest as it was set up."""

    number: int
    link: str
    game: str
    rules_version: int
    owner: str
    created: float
    closed: float | None
    title: str
    arms: tuple[Variant, ...]
    seats: int
    people: int  # at each table; bots have the other seats
    bots: str
    questions: tuple[Question, ...]
    delay: float = DELAY

    @property
    def name(self) -> str:
        return f"playtest-{self.number}"

    @property
    def the_game(self) -> Game:
        return find_game(self.game)

    def content(self, arm: int) -> Content:
        return self.the_game.content(dict(self.arms[arm].overlay), "variant")


def playtest_of(row: Mapping[str, Any]) -> Playtest:
    setup = json.loads(row["setup"])
    return Playtest(
        row["number"], row["link"], row["game"], row["rules_version"], row["owner"],
        row["created"], row["closed"], setup["title"],
        tuple(Variant(one["name"], one["overlay"]) for one in setup["arms"]), setup["seats"],
        setup["people"], setup["bots"], tuple(map(question_of, setup["questions"])),
        setup.get("delay", DELAY))


def question_of(data: Mapping[str, Any]) -> Question:
    return Question(data["id"], data["text"], data["kind"], tuple(data.get("choices", ())),
                    tuple(data.get("ends", ("", ""))))


# Setting one up ----------------------------------------------------------------------------------

@dataclass(frozen=True)
class Wanted:
    """A playtest as somebody asks for it."""

    title: str = ""
    variants: Sequence[tuple[str, Content]] = ()  # names and contents, one or two
    seats: int = 0
    people: int = 0
    bots: str = "greedy"
    questions: Sequence[str] = USUAL
    own: Sequence[tuple[str, str]] = field(default_factory=tuple)  # kind and text
    delay: float = DELAY


def setup_of(game: Game, wanted: Wanted) -> dict[str, Any]:
    """Checked, as it is kept."""
    seats = game.seats_for(wanted.seats)
    if not 1 <= wanted.people <= seats:
        raise BadInput(f"1 to {seats} people can sit at a table with {seats} seats, not "
                       f"{wanted.people}.")
    if wanted.bots not in LEVEL_NAMES:
        raise BadInput(f'There is no bot "{wanted.bots[:20]}"; there are '
                       f"{', '.join(LEVEL_NAMES)}.")
    if not 0 <= wanted.delay <= 3600:
        raise BadInput(f"A delay is from 0 to 3600 seconds, not {wanted.delay:g}.")
    title = clean_text(wanted.title or f"Playtest of {game.title}", TITLE_LENGTH, "A title")
    return {"title": title, "arms": arms_of(game, wanted.variants), "seats": seats,
            "people": wanted.people, "bots": wanted.bots, "delay": wanted.delay,
            "questions": [one.as_data() for one in questions_of(wanted.questions, wanted.own)]}


def arms_of(game: Game, variants: Sequence[tuple[str, Content]]) -> list[dict[str, Any]]:
    """What is otherwise where people sit holds here, too."""
    if not 1 <= len(variants) <= 2:
        raise BadInput(f"A playtest is of one variant or of two, not of {len(variants)}.")
    arms = []
    for name, content in variants:
        rules = {**rules_for_people(game), **content.overlay.get("rules", {})}
        overlay = {**content.overlay, **({"rules": rules} if rules else {})}
        arms.append({"name": name or "as it ships", "overlay": game.content(overlay).overlay})
    if len(arms) == 2 and arms[0]["overlay"] == arms[1]["overlay"]:
        raise BadInput("The two variants are the same; choose another, or only one.")
    return arms


def questions_of(chosen: Sequence[str], own: Sequence[tuple[str, str]]) -> list[Question]:
    """At most five: a minute is what people give."""
    found = [BANK[one] for one in dict.fromkeys(chosen) if one in BANK]
    for number, (kind, text) in enumerate(own, 1):
        if text.strip():
            said = clean_text(text, 120, "A question")
            is_scale = kind == "scale"
            found.append(Question(f"own{number}", said, "scale" if is_scale else "text",
                                  SCALE if is_scale else ()))
    if len(found) > MOST_QUESTIONS:
        raise BadInput(f"{len(found)} questions take longer than a minute; {MOST_QUESTIONS} are "
                       "the most.")
    return found


# Taking part -------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Part:
    """Somebody's part at a table of a playtest."""

    playtest: Playtest
    arm: int
    tester: int | None  # their number, when they are recorded here
    is_designer: bool = False

    @property
    def is_recorded(self) -> bool:
        return self.tester is not None


class Playtests:
    """All playtests of a server. Every method may be called from any thread."""

    def __init__(self, service: Service) -> None:
        self.service, self.store = service, PlaytestStore(service.store)
        self.decided: dict[str, tuple[Any, list[Decision]]] = {}  # by table; see playtest_data

    def create(self, game: Game, wanted: Wanted, owner: str) -> Playtest:
        setup = setup_of(game, wanted)
        return self.by_link(self.store.create(game.name, game.rules_version, setup, owner))

    def by_link(self, link: str) -> Playtest:
        row = self.store.by_link(link[:24])
        if row is None:
            raise NotFound("There is no such playtest; perhaps the link was cut off.")
        return playtest_of(row)

    # Words in links ------------------------------------------------------------------------------

    def key(self, playtest: Playtest) -> str:
        """The word that makes somebody the designer of a playtest."""
        return self.service.tokens.tag(f"playtest {playtest.link} designer")

    def own_word(self, playtest: Playtest, tester: int) -> str:
        """The word of a tester's own link."""
        tag = self.service.tokens.tag(f"playtest {playtest.link} tester {tester}")
        return f"{tester}-{tag}"

    def tester_by(self, playtest: Playtest, word: str) -> int:
        found = re.fullmatch(r"([0-9]{1,6})-[0-9a-f]{16}", word)
        if not found or not secrets.compare_digest(
                word, self.own_word(playtest, int(found[1]))):
            raise NotAdmitted("This is not the link of a tester; perhaps it was cut off.")
        return int(found[1])

    def refuse_others(self, playtest: Playtest, visitor: Visitor, key: str) -> None:
        """Only whoever set a playtest up, or has their link, sees what came of it."""
        is_key = secrets.compare_digest(key.encode("utf-8", "replace"),
                                        self.key(playtest).encode())
        if visitor.id != playtest.owner and not is_key:
            raise NotAdmitted("Only whoever set this playtest up can see this page.")

    # Sitting down --------------------------------------------------------------------------------

    def join(self, playtest: Playtest, visitor: Visitor, agrees: bool,
             connection: HTTPConnection) -> Match:
        """A seat at a table that waits, or at a new one; whoever plays already goes on there."""
        if playtest.closed:
            raise NotNow("This playtest is over. Thank you for coming!")
        tester = self.store.add_tester(playtest.number, visitor.id) if agrees else None
        match = self._seated(playtest, visitor)
        if match is None:
            match = self._sits_down(playtest, visitor) or self._opens(playtest, visitor,
                                                                      connection)
            if tester is not None:
                seat = match.seats_of(visitor.id)[0]
                self.store.note(playtest.number, match.id, tester, [NewTrace("sat",
                                                                             {"seat": seat})])
        return match

    def _seated(self, playtest: Playtest, visitor: Visitor) -> Match | None:
        mine = {row["id"] for row in self.service.store.games_of(visitor.id, over=False)}
        for row in self.store.tables(playtest.number):
            if row["id"] in mine:
                return self.service.match(row["id"])
        return None

    def _sits_down(self, playtest: Playtest, visitor: Visitor) -> Match | None:
        name = self.service.name_of(visitor)
        for found in self.store.waiting(playtest.number):
            match = self.service.match(found)
            free = [number for number, seat in enumerate(match.seats) if seat.is_free]
            while free:
                number = free.pop(secrets.randbelow(len(free)))
                try:
                    match.sit(number, visitor.id, name)
                    return match
                except NotNow:  # somebody was quicker
                    continue
        return None

    def _opens(self, playtest: Playtest, visitor: Visitor, connection: HTTPConnection) -> Match:
        """Variant and seats by lot."""
        counts = [0] * len(playtest.arms)
        for row in self.store.tables(playtest.number):
            counts[row["arm"]] += 1
        arm = drawn_arm(counts)
        game = playtest.the_game
        setup = TableSetup(game, playtest.content(arm), self._seats(playtest, visitor),
                           clock_for(game, "", 0), None, listed=False)
        match = self.service.open(setup, visitor, connection)
        self.store.add_table(playtest.number, match.id, arm)
        return match

    def _seats(self, playtest: Playtest, visitor: Visitor) -> list[Seat]:
        chance = secrets.SystemRandom()
        order = list(range(playtest.seats))
        chance.shuffle(order)
        seats = [Seat() for _ in order]
        seats[order[0]] = Seat(visitor.id, None, self.service.name_of(visitor))
        for number in order[playtest.people:]:
            seats[number] = bot_seat(number, playtest.bots)
        return seats

    # At a table ----------------------------------------------------------------------------------

    def part(self, match: Match, visitor: Visitor) -> Part | None:
        """What somebody is at a table; None where there is no playtest or they have no part in it.
        Who has left a table keeps their part.
        """
        row = self.store.table(match.id)
        if row is None:
            return None
        found = self.store.by_number(row["playtest"])
        assert found is not None
        playtest = playtest_of(found)
        tester = self.store.tester(playtest.number, visitor.id)
        if tester is not None and not self.store.traces(playtest.number, match.id, tester, "sat"):
            tester = None
        is_designer = visitor.id == playtest.owner
        if tester is None and not is_designer and not match.seats_of(visitor.id):
            return None
        return Part(playtest, row["arm"], tester, is_designer)

    def recorded(self, match: Match, visitor: Visitor) -> tuple[Playtest, int]:
        """The playtest and the number of somebody who is recorded here."""
        part = self.part(match, visitor)
        if part is None or part.tester is None:
            raise NotNow("Nothing is recorded of you at this table.")
        return part.playtest, part.tester

    def note(self, match: Match, visitor: Visitor, found: Iterable[NewTrace]) -> int:
        """What a tester did beside their moves; returns how many things were noted."""
        playtest, tester = self.recorded(match, visitor)
        new = list(found)
        if self.store.count(match.id, tester) + len(new) > MOST_TRACES:
            raise TooMuch("More than enough is recorded of this game.")
        self.store.note(playtest.number, match.id, tester, new)
        return len(new)

    def answer(self, playtest: Playtest, match: str | None, tester: int,
               said: Mapping[str, str], when: str) -> dict[str, str]:
        """What a tester says about a game; said again, it takes the place of what was said."""
        answers = checked_answers(playtest, said)
        self.store.replace(playtest.number, match, tester,
                           NewTrace("answers", {"when": when, "answers": answers}))
        return answers

    def may_answer(self, match: Match, visitor: Visitor) -> str:
        """`end` or `left` when it is time for questions, else empty."""
        if match.status in ("over", "closed"):
            return "end"
        return "" if match.seats_of(visitor.id) else "left"


def drawn_arm(counts: Sequence[int]) -> int:
    """By lot among the variants that were played least, so that they stay even."""
    least = [arm for arm, count in enumerate(counts) if count == min(counts)]
    return least[secrets.randbelow(len(least))]


def checked_answers(playtest: Playtest, said: Mapping[str, str]) -> dict[str, str]:
    """Only what was asked; whatever was left out is left out."""
    found: dict[str, str] = {}
    for question in playtest.questions:
        text = said.get(question.id, "").strip()
        if not text:
            continue
        if question.choices and text not in question.choices:
            raise BadInput(f'"{text[:20]}" is no answer to "{question.text}".')
        found[question.id] = clean_text(text, TEXT_LENGTH, "An answer")
    return found


def bots_overlay(playtest: Playtest, arm: int) -> Mapping[str, Any]:
    """A variant as bots play it in the lab."""
    return content_for_bots(playtest.the_game, playtest.content(arm)).overlay


def closed_at(is_closed: bool) -> float | None:
    return time.time() if is_closed else None
