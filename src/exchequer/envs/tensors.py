"""Observations as numbers: a fixed row of floats with named fields, made from an observation.

Every number x of the observed state becomes one float x / (8 + |x|) between -1 and 1, so that
small and large amounts both stay readable to a network. Which seat looks and what is asked stand
in front, one float for each possibility. Where cards lie on a rack, `where`
says for each card in which pile the seat knows it to be.
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.core.agenda import asked
from exchequer.core.build import Mode
from exchequer.core.contract import legal, observe
from exchequer.core.game import Game
from exchequer.core.loops import MAX_SEATS
from exchequer.core.records import NOBODY, rule

SKIPPED = {"rng", "agenda", "todo", "agenda_fault", "agenda_fault_item", "card"}
WORDS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8")  # the types of numbers a state may hold


@dataclass(frozen=True)
class Layout:
    """Where each field of a game's observation lies in the row."""

    fields: dict[str, tuple[int, tuple[int, ...]]]  # name -> (first column, shape)
    runs: dict[str, np.ndarray]  # type -> rows of (first word in the state, first column, count)
    where: int  # first column of the cards' piles, or the width when there are no cards
    width: int

    @property
    def places(self) -> tuple[int, int]:
        """The columns of the first field of the state and of the first card."""
        return self.fields["question"][0] + self.fields["question"][1][0], self.where

    def describe(self, row: np.ndarray) -> str:
        """The row with the names of its fields, to be printed."""
        lines = []
        for name, (first, shape) in self.fields.items():
            values = row[first : first + math.prod(shape)].reshape(shape)
            lines.append(f"{name:20s} {np.array2string(values, precision=2, separator=' ')}")
        return "\n".join(lines)


@functools.cache
def layout_of(game: Game) -> Layout:
    fields: dict[str, tuple[int, tuple[int, ...]]] = {
        "seat": (0, (MAX_SEATS,)), "question": (MAX_SEATS, (n_questions(game),))}
    width = MAX_SEATS + n_questions(game)
    words: dict[str, list[tuple[int, int]]] = {kind: [] for kind in WORDS}
    for name, base, offsets in numbers_of(game.state):
        fields[name] = (width, offsets.shape or (1,))
        words[base.str[1:]] += zip((offsets.ravel() // base.itemsize).tolist(),
                                   range(width, width + offsets.size), strict=True)
        width += offsets.size
    where = width
    if "card" in (game.state.names or ()):
        cards = game.state["card"].shape[0]
        fields["where"] = (width, (cards,))
        width += cards
    return Layout(fields, {kind: runs_of(words[kind]) for kind in WORDS}, where, width)


def runs_of(words: list[tuple[int, int]]) -> np.ndarray:
    """Neighbouring words that go to neighbouring columns, together: long runs are fast."""
    runs: list[list[int]] = []
    for word, column in words:
        if runs and [word, column] == [runs[-1][0] + runs[-1][2], runs[-1][1] + runs[-1][2]]:
            runs[-1][2] += 1
        else:
            runs.append([word, column, 1])
    return np.array(runs, np.int64).reshape(-1, 3)


def numbers_of(kind: np.dtype, prefix: str = "", at: Any = 0
               ) -> Iterator[tuple[str, np.dtype, np.ndarray]]:
    """Each array of numbers in a record: its name, type and the offset of every number."""
    for name in kind.names or ():
        if name in SKIPPED or name.startswith("gap"):
            continue
        inner, offset = kind.fields[name][:2]  # type: ignore[index]
        base, shape = inner.subdtype or (inner, ())
        steps = np.arange(math.prod(shape)).reshape(shape) * base.itemsize
        offsets = np.add.outer(np.asarray(at) + offset, steps)
        if base.names:
            yield from numbers_of(base, f"{prefix}{name}.", offsets)
        else:
            yield f"{prefix}{name}", base, offsets


def n_questions(game: Game) -> int:
    return len(game.module("state").Ask)


# Writing rows, compiled --------------------------------------------------------------------------

HALFWAY = np.float32(8)  # the number that becomes one half


@rule
def squeeze(x):
    """Any number to between -1 and 1; a division and no branch, so that rows of them are fast."""
    x = np.float32(x)
    return x / (HALFWAY + abs(x))


@rule
def write_head(s, seat, first_field, row):
    """Who looks, and what is asked."""
    row[:first_field] = 0.0
    row[seat] = 1.0
    if asked(s) != NOBODY:
        row[MAX_SEATS + asked(s)] = 1.0


@rule
def write_words(words, runs, row):
    """Over slices: places counted from 0 cannot be negative, so the loop runs several at once."""
    for k in range(len(runs)):
        word, column, length = runs[k, 0], runs[k, 1], runs[k, 2]
        source, goal = words[word:word + length], row[column:column + length]
        for i in range(length):
            goal[i] = squeeze(source[i])


@rule
def write_cards(card, start, first, row):
    """In which pile each card is known to be; 0 for one that is not known."""
    piles = row[first:first + len(card)]
    piles[:] = 0.0
    for pile in range(len(start) - 1):
        known_there = squeeze(pile + 1)
        for place in range(start[pile], start[pile + 1]):
            if card[place] >= 0:
                piles[card[place]] = known_there


@rule
def write_row(scratch, views, tables, places, c, seat, row):
    """The observation of the state in `scratch[0]`, which is blanked in the process.

    `views` are its bytes as numbers of each type, then its rack and piles; `tables` say which
    numbers go where; `places` are the columns of the first field and of the first card.
    """
    write_head(scratch[0], seat, places[0], row)
    observe(scratch[0], c, seat)
    write_words(views[0], tables[0], row)
    write_words(views[1], tables[1], row)
    write_words(views[2], tables[2], row)
    write_words(views[3], tables[3], row)
    write_words(views[4], tables[4], row)
    write_words(views[5], tables[5], row)
    write_words(views[6], tables[6], row)
    write_cards(views[7], views[8], places[1], row)


@rule
def write_mask(s, c, out, mask):
    """1 for each legal action."""
    mask[:] = 0
    count = legal(s, c, out)
    for i in range(count):
        mask[out[i]] = 1
    return count


class Encoder:
    """Rows and masks of one game, compiled on first use."""

    def __init__(self, game: Game, mode: Mode | None = None) -> None:
        self.game, self.layout = game, layout_of(game)
        self.scratch = np.zeros(1, game.state)
        self.views, self.tables = typed_views(self.scratch), flat_tables(self.layout)
        engine = game.engine(mode)
        self._row, self._mask = engine.bind(write_row), engine.bind(write_mask)
        self._out = np.zeros(game.max_legal, np.int32)

    def row(self, states: np.ndarray, content: Any, seat: int) -> np.ndarray:
        self.scratch[0] = states[0]
        row = np.zeros(self.layout.width, np.float32)
        self._row(self.scratch, self.views, self.tables, self.layout.places, content, seat, row)
        return row

    def mask(self, states: np.ndarray, content: Any) -> np.ndarray:
        mask = np.zeros(self.game.n_actions, np.int8)
        self._mask(states[0], content, self._out, mask)
        return mask


def typed_views(scratch: np.ndarray) -> tuple[np.ndarray, ...]:
    """The bytes of one state as numbers of each type, its rack and its piles."""
    raw = scratch.view(np.uint8)
    words = tuple(raw.view(kind) for kind in WORDS)
    if "card" in (scratch.dtype.names or ()):
        return (*words, scratch["card"][0], scratch["start"][0])
    return (*words, np.zeros(0, np.int8), np.zeros(0, np.int16))


def flat_tables(layout: Layout) -> tuple[np.ndarray, ...]:
    return tuple(layout.runs[kind] for kind in WORDS)
