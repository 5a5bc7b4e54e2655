"""The log as a story: what happened, turn by turn, routine folded, the important marked.

`[story]` in `words.toml` says what is what (see `core.sentences`). A game without it is told in
turns as well: a new one begins where somebody else is asked.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from exchequer.core.content import Content
from exchequer.core.records import NOBODY
from exchequer.core.sentences import Said, person

if TYPE_CHECKING:
    from exchequer.core.words import Words


class Tone(StrEnum):
    """How a line is told."""

    HEADING = "heading"
    PLAIN = "plain"
    ROUTINE = "routine"
    IMPORTANT = "important"


class Line(NamedTuple):
    """One line of the story."""

    tone: Tone
    seat: int  # whose colour it has, or NOBODY
    text: str


class Scene(NamedTuple):
    """Where the story stands."""

    round: str = ""
    turn: str = ""
    seat: int = NOBODY  # whose turn it is
    is_open: bool = False  # whether its heading has been told

    @property
    def heading(self) -> str:
        return " · ".join(part for part in (self.round, self.turn) if part)


class Telling(NamedTuple):
    """What is told of one move."""

    sentences: list[str]
    lines: list[Line]
    scene: Scene  # in which it ends


class Storyteller:
    """Tells one move after another, to one reader."""

    def __init__(self, words: "Words", content: Content, names: Sequence[str],
                 scene: Scene | None = None) -> None:
        self.words, self.content, self.names = words, content, names
        self.scene = scene or Scene()
        self.marks = words.sentences.story
        self.sentences: list[str] = []
        self.lines: list[Line] = []
        self.folded = ("", NOBODY)  # the routine that was told last, and of whom

    def tell(self, written: np.ndarray, mover: int, asked: int) -> Telling:
        """A move of the seat `mover`, after which the seat `asked` has to answer."""
        self.sentences, self.lines, self.folded = [], [], ("", NOBODY)
        begins = handed_over(written, mover, asked)
        for place, entry in enumerate(written):
            self._tell(entry, asked if place >= begins else mover)
        if self._has_begun(written):
            self._pass_to(asked)
            self._open()
        return Telling(self.sentences, self.lines, self.scene)

    def skip(self, written: np.ndarray) -> None:
        """Pass over a move that the reader knows, but for the turns that begin in it."""
        for entry in written:
            if self._event(entry) in self.marks.headings:
                self._begin(entry)

    def _event(self, entry: Any) -> str:
        return self.words.enums.Event(int(entry.what)).name.lower()

    def _said(self, entry: Any) -> Said:
        return Said(self.content, self.names, int(entry.seat), int(entry.other), int(entry.thing),
                    int(entry.amount))

    def _has_begun(self, written: np.ndarray) -> bool:
        return any(self._event(entry) in self.marks.headings for entry in written)

    def _tell(self, entry: Any, seat: int) -> None:
        sentence, event = self.words.tell(entry, self.content, self.names), self._event(entry)
        if sentence:
            self.sentences.append(sentence)
        if event in self.marks.headings:
            self._begin(entry)
        elif sentence:
            self._pass_to(seat)
            self._open()
            self._add(entry, event, sentence)

    def _pass_to(self, seat: int) -> None:
        """Where no event says whose turn it is, it is that of who moves."""
        if not self.marks.names_turns and len(self.names) > 1 \
                and seat not in (NOBODY, self.scene.seat):
            self.scene = Scene(self.scene.round, person(self.names, seat), seat)

    def _begin(self, entry: Any) -> None:
        """A heading that names a person is that of a turn, any other that of a round."""
        text = self.words.sentences.fill(self.marks.headings[self._event(entry)],
                                         self._said(entry))
        if self.marks.is_turn(self._event(entry)):
            self.scene = Scene(self.scene.round, text, int(entry.seat))
        else:
            self.scene = Scene(text)

    def _open(self) -> None:
        if not self.scene.is_open and self.scene.heading:
            self.folded = ("", NOBODY)
            self.lines.append(Line(Tone.HEADING, self.scene.seat, self.scene.heading))
        self.scene = self.scene._replace(is_open=True)

    def _add(self, entry: Any, event: str, sentence: str) -> None:
        seat = int(entry.seat) if self.words.sentences.names_who(event) else NOBODY
        said = self._said(entry)
        if event in self.marks.routine and not said.is_hidden:
            self._fold(event, seat, self.words.sentences.fill(self.marks.routine[event], said))
            return
        tone = Tone.ROUTINE if event in self.marks.routine else \
            Tone.IMPORTANT if event in self.marks.important else Tone.PLAIN
        self._line(tone, seat, sentence)
        self.folded = ("", NOBODY)

    def _line(self, tone: Tone, seat: int, text: str) -> None:
        """What is about nobody belongs to whose turn it is; alone, nobody has to be told apart."""
        about = seat if seat != NOBODY else self.scene.seat
        self.lines.append(Line(tone, about if len(self.names) > 1 else NOBODY, text))

    def _fold(self, event: str, seat: int, words: str) -> None:
        """Routine that follows routine stands on one line: draws this, that; Ben: draws a card."""
        last, self.folded = self.folded, (event, seat)
        if not last[0]:
            theirs = seat not in (NOBODY, self.scene.seat) and len(self.names) > 1
            text = f"{person(self.names, seat)}: {words}" if theirs else \
                f"{words[:1].upper()}{words[1:]}"
            self._line(Tone.ROUTINE, seat, text)
        elif last[1] == seat:
            verb = self.marks.routine[event].texts[0]
            again = words[len(verb):] if last[0] == event and verb.endswith(" ") else words
            self._lengthen(f", {again}")
        else:
            whose = f"{person(self.names, seat)}: " \
                if seat != NOBODY and len(self.names) > 1 else ""
            self._lengthen(f"; {whose}{words}")

    def _lengthen(self, more: str) -> None:
        self.lines[-1] = self.lines[-1]._replace(text=self.lines[-1].text + more)


def handed_over(written: np.ndarray, mover: int, asked: int) -> int:
    """From which entry on a move tells of the next turn already: what comes after the last word
    about the mover, beginning with one about the seat that is asked next.
    """
    seats = written["seat"].tolist()
    after = max((place + 1 for place, seat in enumerate(seats) if seat == mover), default=0)
    if asked in (NOBODY, mover) or asked not in seats[after:]:
        return len(seats)
    return seats.index(asked, after)


def important_first(lines: Sequence[Line], most: int) -> list[Line]:
    """What matters, then the rest in its turns: of each so many lines, the newest."""
    kept: list[Line] = []
    count = 0
    for line in reversed(lines):
        if line.tone is Tone.HEADING:
            if kept and kept[-1].tone is not Tone.HEADING:
                kept.append(line)
        elif line.tone is not Tone.IMPORTANT and count < most:
            kept.append(line)
            count += 1
    first = [line for line in lines if line.tone is Tone.IMPORTANT]
    return first[-most:] + kept[::-1]
