"""What the designer of a playtest is shown: who plays, what they said, what they noted."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exchequer.lab.playtest import PAPER, Played
from exchequer.table.identity import Visitor
from exchequer.table.match import Match
from exchequer.table.names import clean_text
from exchequer.table.playtest_data import data_of, pseudonym
from exchequer.table.playtest_store import NewTrace
from exchequer.table.playtests import (
    TEXT_LENGTH,
    Part,
    Playtest,
    Playtests,
    Question,
    checked_answers,
)
from exchequer.table.refusals import BadInput, NotNow, OtherRules
from exchequer.table.table_setup import whole_number

MOST_MINUTES = 1000
MOST_SCORE = 10**12


def overview(playtests: Playtests, playtest: Playtest) -> dict[str, Any]:
    """Everything on the designer's page."""
    data = data_of(playtests, playtest)
    return {"tables": tables_of(playtests, playtest),
            "answers": [answers_to(question, playtest, data.games)
                        for question in playtest.questions],
            "notes": noted_about(data.games), "flags": flags_of(data.games),
            "counts": counts_of(playtests, playtest, data.games)}


def counts_of(playtests: Playtests, playtest: Playtest, games: list[Played]) -> dict[str, int]:
    return {"games": sum(one.is_whole or one.kind == PAPER for one in games),
            "paper": sum(one.kind == PAPER for one in games),
            "testers": len(playtests.store.testers(playtest.number)),
            "answered": sum(len(one.said) for one in games)}


def tables_of(playtests: Playtests, playtest: Playtest) -> list[dict[str, Any]]:
    """The latest first. Of whoever plays unrecorded there is nothing but that they do."""
    testers = playtests.store.testers(playtest.number)
    found = []
    for row in reversed(playtests.store.tables(playtest.number)):
        try:
            match = playtests.service.match(row["id"])
        except OtherRules:
            continue
        found.append({"id": row["id"], "arm": playtest.arms[row["arm"]].name,
                      "status": row["status"], "changed": row["changed"],
                      "moves": len(match.position.actions) if match.is_dealt else 0,
                      "seats": [sitting(match, number, testers)
                                for number in range(len(match.seats))],
                      "may_watch": match.is_dealt and not match.people - set(testers)})
    return found


def sitting(match: Match, number: int, testers: Mapping[str, int]) -> str:
    seat = match.seats[number]
    if seat.bot:
        return f"{seat.bot} bot"
    if seat.is_free:
        return "free"
    tester = testers.get(seat.holder or "")
    return f"{pseudonym(tester)} ({seat.name})" if tester else "somebody unrecorded"


# Answers -----------------------------------------------------------------------------------------

def answers_to(question: Question, playtest: Playtest, games: list[Played]) -> dict[str, Any]:
    """How often each choice was made by each variant's testers, or what was written."""
    by_arm: list[list[tuple[str, str]]] = [[] for _ in playtest.arms]
    for game in games:
        for said in game.said:
            if question.id in said.answers:
                by_arm[game.arm].append((said.who, said.answers[question.id]))
    if not question.choices:
        texts = [{"who": who, "arm": playtest.arms[arm].name, "text": text}
                 for arm, found in enumerate(by_arm) for who, text in found]
        return {"question": question, "texts": texts, "rows": []}
    rows = []
    for arm, found in enumerate(by_arm):
        counts = Counter(text for _, text in found)
        numbers = [int(text) for _, text in found] if question.kind == "scale" else []
        rows.append({"arm": playtest.arms[arm].name, "n": len(found),
                     "counts": [counts[choice] for choice in question.choices],
                     "mean": sum(numbers) / len(numbers) if numbers else None})
    return {"question": question, "texts": [], "rows": rows}


def noted_about(games: list[Played]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Notes by paragraph and card, what was noted most often first."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for game in games:
        for note in game.notes:
            for about in note.about or ("the game",):
                found[about].append({"who": note.who, "text": note.text, "game": game.id,
                                     "moves": note.moves})
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def flags_of(games: list[Played]) -> list[tuple[str, int, int]]:
    """At which questions people pressed "great" and "I do not understand"."""
    great, unclear = Counter[str](), Counter[str]()
    for game in games:
        for one in game.happened:
            if one.kind == "flag":
                (great if one.what == "great" else unclear)[one.question or "while waiting"] += 1
    names = sorted({*great, *unclear}, key=lambda name: -unclear[name] - great[name])
    return [(name.replace("_", " "), great[name], unclear[name]) for name in names]


# Notes on replays --------------------------------------------------------------------------------

@dataclass(frozen=True)
class ShownNotes:
    """Notes on a table's replay, as somebody who has a part in its playtest sees them."""

    playtests: Playtests
    match: Match
    part: Part
    viewer: int

    @property
    def by_frame(self) -> dict[int, list[tuple[str, str]]]:
        """Who and what, by moment; others' notes are read when the game is over."""
        frames = [frame.moves for frame in self.match.frames(self.viewer)]
        found: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for one in self.playtests.store.traces(self.part.playtest.number, self.match.id,
                                               kind="note"):
            is_own = one.tester == self.part.tester
            if not (is_own or self.match.is_over):
                continue
            place = max((k for k, moves in enumerate(frames) if moves <= one.data["moves"]),
                        default=0)
            who = pseudonym(one.tester) if one.tester else "Designer"
            found[place].append(("You" if is_own else who, one.data["text"]))
        return dict(found)

    def add(self, text: str, frame: int) -> None:
        frames = self.match.frames(self.viewer)
        if not 0 <= frame < len(frames):
            raise BadInput(f"This game has moments 0 to {len(frames) - 1}, not {frame}.")
        said = clean_text(text, TEXT_LENGTH, "A note")
        self.playtests.store.note(self.part.playtest.number, self.match.id, self.part.tester,
                                  [NewTrace("note", {"moves": frames[frame].moves, "text": said})])


def shown_notes(playtests: Playtests, match: Match, visitor: Visitor) -> ShownNotes:
    part = playtests.part(match, visitor)
    if part is None or not (part.is_recorded or part.is_designer):
        raise NotNow("Notes are for the testers who are recorded here and for the designer.")
    return ShownNotes(playtests, match, part, match.first_seat(visitor.id))


# On paper ----------------------------------------------------------------------------------------

def paper_from(playtest: Playtest, form: Mapping[str, str]) -> dict[str, Any]:
    """A game at a kitchen table, as it was entered: scores, minutes, what was said about it."""
    scores = []
    for number in range(playtest.seats):
        text = form.get(f"score.{number}", "").strip()
        if text:
            scores.append(bounded(text, "A score", -MOST_SCORE, MOST_SCORE))
    if not scores:
        raise BadInput("Enter the score of at least one player.")
    arm = bounded(form.get("arm", "") or "0", "The variant", 0, len(playtest.arms) - 1)
    winner = form.get("winner", "")
    best = max(scores)
    winners = [bounded(winner, "The winner", 0, len(scores) - 1)] if winner else [
        seat for seat, score in enumerate(scores) if score == best]
    said = checked_answers(playtest, form)
    return {"arm": arm, "scores": scores, "winners": winners, "answers": [said] if said else [],
            "minutes": bounded(form.get("minutes", "") or "0", "The minutes", 0, MOST_MINUTES)}


def bounded(text: str, what: str, low: int, high: int) -> int:
    number = whole_number(text, what)
    if not low <= number <= high:
        raise BadInput(f"{what} must be from {low} to {high}, not {number}.")
    return number
