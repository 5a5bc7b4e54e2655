"""Observations as rows: floats between -1 and 1 with named fields, for whatever learns from them.

A row is complete: `Layout.observation` reads the observed state back from it, so two positions
with the same row are the same to the seat. In front stand the seat that looks, what is asked (one
float for each possibility) and the agenda from the top, each item with its arguments. Then come
the numbers of the state, each as `squeeze` shapes it: small and large amounts both stay readable
to a network. A float cannot hold every number of 32 or 64 bits, so these have their low bits again
in columns at the end (`gold.low`). In card games `card` says what lies at each place of the rack,
`size` how many lie in each pile, and `where` in which pile the seat knows each card to be.
"""

import functools
import hashlib
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

FORMAT = 2  # of all rows; raised when numbers are shaped or ordered in another way
SKIPPED = {"rng", "agenda", "todo", "agenda_fault", "agenda_fault_item", "start"}
WORDS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8")  # the types of numbers a state may hold
PARTS = {"i4": ("low",), "u4": ("low",), "i8": ("low", "mid")}  # what one float cannot hold
BITS = 22  # of such a part
OF_ITEM = 4  # columns: what + 1 (0 where there is no item), seat, a, b

Places = tuple[int, ...]  # columns of the agenda, the first number, sizes, where cards are, cards


@dataclass(frozen=True)
class Layout:
    """Where each field of a game's observation lies in the row."""

    state: np.dtype
    fields: dict[str, tuple[int, tuple[int, ...]]]  # name -> (first column, shape)
    runs: dict[str, np.ndarray]  # type -> rows of (first word in the state, first column, count)
    places: Places
    width: int
    hash: str  # of all that the meaning of a row depends on

    def slice(self, name: str) -> slice:
        """The columns of a field."""
        first, shape = self.fields[name]
        return slice(first, first + math.prod(shape))

    def values(self, row: np.ndarray, name: str) -> np.ndarray:
        return row[self.slice(name)].reshape(self.fields[name][1])

    def describe(self, row: np.ndarray) -> str:
        """The row with the names of its fields, to be printed."""
        return "\n".join(
            f"{name:20s} {np.array2string(self.values(row, name), precision=2, separator=' ')}"
            for name in self.fields)

    def observation(self, row: np.ndarray) -> np.ndarray:
        """The observed state that the row was written from (an array of one).

        Coming chance is blank, and so are items of the agenda that have been done.
        """
        states = np.zeros(1, self.state)
        for name, base, offsets in numbers_of(self.state):
            parts = [self.values(row, f"{name}.{part}") for part in PARTS.get(base.str[1:], ())]
            numbers = unsqueezed(self.values(row, name), base, parts)
            places = offsets.ravel()[:, None] + np.arange(base.itemsize)
            states.view(np.uint8)[places] = numbers.astype(base).reshape(-1, 1).view(np.uint8)
        if "size" in self.fields:
            sizes = unsqueezed(self.values(row, "size"), np.dtype("i2"), [])
            states["start"][0, 1:] = np.cumsum(sizes)
        self._read_agenda(states[0], self.values(row, "agenda"))
        return states

    def _read_agenda(self, s: Any, columns: np.ndarray) -> None:
        items = unsqueezed(columns, np.dtype("i2"), [])
        items = items[items[:, 0] > 0][::-1]
        s["todo"] = len(items)
        for place, (what, *rest) in enumerate(items):
            for name, number in zip(("what", "seat", "a", "b"), (what - 1, *rest), strict=True):
                s["agenda"][place][name] = number


@functools.cache
def layout_of(game: Game) -> Layout:
    capacity, questions = game.state["agenda"].shape[0], n_questions(game)
    fields: dict[str, tuple[int, tuple[int, ...]]] = {
        "seat": (0, (MAX_SEATS,)), "question": (MAX_SEATS, (questions,))}
    width = MAX_SEATS + questions
    agenda, width = width, add(fields, "agenda", width, (capacity, OF_ITEM))
    words: dict[str, list[tuple[int, int]]] = {}
    numbers = list(numbers_of(game.state))
    first = width
    for name, base, offsets in numbers:
        width = add_words(fields, words, name, base.str[1:], offsets // base.itemsize, width)
    size = width
    if "card" in (game.state.names or ()):
        width = add(fields, "size", width, (game.state["start"].shape[0] - 1,))
    where = width
    if "card" in (game.state.names or ()):
        width = add(fields, "where", width, game.state["card"].shape)
    for name, base, offsets in numbers:
        for part in PARTS.get(base.str[1:], ()):
            width = add_words(fields, words, f"{name}.{part}", f"{base.str[1:]}.{part}",
                              offsets // base.itemsize, width)
    return Layout(game.state, fields, {kind: runs_of(words.get(kind, [])) for kind in TABLES},
                  (agenda, first, size, where, fields.get("card", (0, ()))[0]), width,
                  hash_of(game, fields))


def add(fields: dict[str, tuple[int, tuple[int, ...]]], name: str, width: int,
        shape: tuple[int, ...]) -> int:
    """Put a field behind the others; returns the new width."""
    fields[name] = (width, shape)
    return width + math.prod(shape)


def add_words(fields: dict[str, tuple[int, tuple[int, ...]]],
              words: dict[str, list[tuple[int, int]]], name: str, kind: str, places: np.ndarray,
              width: int) -> int:
    """Put numbers of the state behind the others, and note which word goes where."""
    words.setdefault(kind, []).extend(zip(places.ravel().tolist(),
                                          range(width, width + places.size), strict=True))
    return add(fields, name, width, places.shape or (1,))


TABLES = (*WORDS, *(f"{kind}.{part}" for kind, parts in PARTS.items() for part in parts))


NUMBERS = len(TABLES)
SEAT, QUESTION, ITEM, SIZE, WHERE = range(NUMBERS, NUMBERS + 5)  # other kinds of columns


def columns_of(layout: Layout) -> np.ndarray:
    """What each column holds: its kind, as a place in TABLES or one of those above, and which."""
    columns = np.zeros((layout.width, 2), np.int32)
    for kind, name in enumerate(TABLES):
        for word, column, count in layout.runs[name]:
            columns[column:column + count, 0] = kind
            columns[column:column + count, 1] = word + np.arange(count)
    others = (("seat", SEAT), ("question", QUESTION), ("agenda", ITEM), ("size", SIZE),
              ("where", WHERE))
    for name, kind in others:
        if name in layout.fields:
            part = columns[layout.slice(name)]
            part[:, 0], part[:, 1] = kind, np.arange(len(part))
    return columns


def hash_of(game: Game, fields: dict[str, tuple[int, tuple[int, ...]]]) -> str:
    """Changes with the fields, their types, the questions, and the way rows are written."""
    types = [(name, base.str) for name, base, _ in numbers_of(game.state)]
    questions = [ask.name for ask in game.module("state").Ask]
    text = repr((FORMAT, sorted(fields.items()), types, questions))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


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


# Numbers as floats, compiled --------------------------------------------------------------------

HALFWAY = np.float32(8)  # the number that becomes about one half
CURVE = np.float32(0.875)  # of a float is the shape; the rest rises evenly up to the largest number
STEPS = {kind: np.float32(0.125 / 2.0 ** (8 * int(kind[1]) - (kind[0] == "i"))) for kind in WORDS}
OF_I1, OF_U1, OF_I2, OF_U2, OF_I4, OF_U4, OF_I8 = (STEPS[kind] for kind in WORDS)
PART = np.int64(2**BITS - 1)
OF_PART = np.float32(0.5**BITS)


@rule
def squeeze(x, step):
    """Any number to between -1 and 1, and numbers of up to 16 bits to floats of their own.

    A division and no branch, so that rows of them are fast. The curve alone would give equal
    floats to neighbours from 8,000 on.
    """
    x = np.float32(x)
    return CURVE * (x / (HALFWAY + abs(x))) + x * step


def unsqueezed(floats: np.ndarray, base: np.dtype, parts: list[np.ndarray]) -> np.ndarray:
    """The whole numbers again, from their floats and their low bits."""
    step = float(STEPS[base.str[1:]])
    size = np.abs(floats.astype(np.float64))
    slope = float(CURVE) + float(HALFWAY) * step - size  # of step x^2 + slope x - 8 size = 0
    root = np.sqrt(slope**2 + 4 * step * float(HALFWAY) * size)
    about = np.sign(floats) * np.where(  # two forms of the root, each exact where it is used
        slope > 0, 2 * float(HALFWAY) * size / np.maximum(slope + root, step),
        (root - slope) / (2 * step))
    if not parts:
        return np.rint(about).astype(np.int64)
    low = sum((np.rint(part.astype(np.float64) * 2.0**BITS).astype(np.int64) << (BITS * place)
               for place, part in enumerate(parts)), np.zeros(floats.shape, np.int64))
    unit = 2 ** (BITS * len(parts))
    return np.rint((about - low) / unit).astype(np.int64) * unit + low


# Writing rows, compiled --------------------------------------------------------------------------

@rule
def write_head(s, seat, row):
    """Who looks, and what is asked."""
    row[seat] = 1.0
    if asked(s) != NOBODY:
        row[MAX_SEATS + asked(s)] = 1.0


@rule
def write_agenda(s, agenda, row):
    """What is asked with its arguments, and what comes after it, from the top."""
    for i in range(s.todo):
        item = s.agenda[s.todo - 1 - i]
        column = agenda + OF_ITEM * i
        row[column] = squeeze(item.what + 1, OF_I2)
        row[column + 1] = squeeze(item.seat, OF_I2)
        row[column + 2] = squeeze(item.a, OF_I2)
        row[column + 3] = squeeze(item.b, OF_I2)


@rule
def write_words(words, runs, step, row):
    """Unsigned places cannot be negative, so the loop runs several at once."""
    for k in range(len(runs)):
        word, column = np.uint64(runs[k, 0]), np.uint64(runs[k, 1])
        for i in range(runs[k, 2]):
            row[column + np.uint64(i)] = squeeze(words[word + np.uint64(i)], step)


@rule
def write_part(words, runs, shift, row):
    """Some of the bits of wide numbers."""
    for k in range(len(runs)):
        word, column = np.uint64(runs[k, 0]), np.uint64(runs[k, 1])
        for i in range(runs[k, 2]):
            row[column + np.uint64(i)] = part_of(words[word + np.uint64(i)], shift)


@rule
def write_piles(card, start, of_pile, places, row):
    """How many cards lie in each pile, and in which each card is known to be; 0: not known.

    Comes before the state's numbers: it needs their columns.
    """
    size, where, spare = places[2], places[3], places[4]
    known = row[where:where + len(card)]
    known[:] = 0.0
    if len(start) > len(card):
        write_many_piles(card, start, of_pile, row[spare:spare + len(card) + 1], known)
    else:
        write_few_piles(card, start, of_pile, known)
    for i in range(np.uint64(len(start) - 1)):
        row[np.uint64(size) + i] = squeeze(start[i + np.uint64(1)] - start[i], OF_I2)


@rule
def write_few_piles(card, start, of_pile, known):
    for pile in range(len(start) - 1):
        for place in range(start[pile], start[pile + 1]):
            if card[place] >= 0:
                known[card[place]] = of_pile[pile]


@rule
def write_many_piles(card, start, of_pile, marks, known):
    """Where most piles are empty, asking each how long it is takes longer than its cards do.

    The last of those that begin at a place is the one that has the card there.
    """
    marks[:] = 0.0
    for pile in range(len(start) - 1):
        marks[start[pile]] = of_pile[pile]
    found = np.float32(0.0)
    for place in range(len(card)):
        found = max(found, marks[place])
        if card[place] >= 0:
            known[card[place]] = found


@rule
def write_observed(seen, views, tables, places, seat, row):
    """The row of an observation, which lies in `seen[0]`.

    `views` are its bytes as numbers of each type, then its rack and piles; `tables` say which
    numbers go where.
    """
    agenda, first_number = places[0], places[1]
    if len(views[7]):
        write_piles(views[7], views[8], tables[11], places, row)
    row[:first_number] = 0.0
    write_head(seen[0], seat, row)
    write_agenda(seen[0], agenda, row)
    write_words(views[0], tables[0], OF_I1, row)
    write_words(views[1], tables[1], OF_U1, row)
    write_words(views[2], tables[2], OF_I2, row)
    write_words(views[3], tables[3], OF_U2, row)
    write_words(views[4], tables[4], OF_I4, row)
    write_words(views[5], tables[5], OF_U4, row)
    write_words(views[6], tables[6], OF_I8, row)
    write_part(views[4], tables[7], 0, row)
    write_part(views[5], tables[8], 0, row)
    write_part(views[6], tables[9], 0, row)
    write_part(views[6], tables[10], BITS, row)


@rule
def float_at(views, kind, place):
    """What a number of the state, or a part of it, is in a row. `kind` is a place in TABLES."""
    if kind == 0:
        return squeeze(views[0][place], OF_I1)
    if kind == 1:
        return squeeze(views[1][place], OF_U1)
    if kind == 2:
        return squeeze(views[2][place], OF_I2)
    if kind == 3:
        return squeeze(views[3][place], OF_U2)
    if kind == 4:
        return squeeze(views[4][place], OF_I4)
    if kind == 5:
        return squeeze(views[5][place], OF_U4)
    if kind == 6:
        return squeeze(views[6][place], OF_I8)
    if kind == 7:
        return part_of(views[4][place], 0)
    if kind == 8:
        return part_of(views[5][place], 0)
    return part_of(views[6][place], 0 if kind == 9 else BITS)


@rule
def part_of(number, shift):
    """Some of the bits of a wide number, which a float holds without loss."""
    return np.float32(np.int32((np.int64(number) >> shift) & PART)) * OF_PART  # 32 bits are faster


@rule
def write_row(scratch, views, tables, places, c, seat, row):
    """What the seat sees of the state in `scratch[0]`, which is blanked in the process."""
    observe(scratch[0], c, seat)
    write_observed(scratch, views, tables, places, seat, row)


@rule
def no_legal(mask):
    mask[:] = 0


@rule
def write_mask(s, c, out, mask):
    """1 for each legal action."""
    no_legal(mask)
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
        self._observed = engine.bind(write_observed)
        self._out = np.zeros(game.max_legal, np.int32)
        self.room = self.scratch, self.views, self.tables, self.layout.places, self._out

    def row(self, states: np.ndarray, content: Any, seat: int) -> np.ndarray:
        """What a seat sees of a whole state."""
        self.scratch[0] = states[0]
        row = np.zeros(self.layout.width, np.float32)
        self._row(self.scratch, self.views, self.tables, self.layout.places, content, seat, row)
        return row

    def observed_row(self, observation: np.ndarray, seat: int) -> np.ndarray:
        """The row of what a bot is given: an observation, which must not be blanked again."""
        self.scratch[0] = observation[0]
        row = np.zeros(self.layout.width, np.float32)
        self._observed(self.scratch, self.views, self.tables, self.layout.places, seat, row)
        return row

    def mask(self, states: np.ndarray, content: Any) -> np.ndarray:
        """1 for each legal action; an observation of the seat that is asked will do, too."""
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
    """The runs of each type, and how a card in each pile is shown."""
    piles = layout.fields.get("size", (0, (0,)))[1][0]
    of_pile = squeeze(np.arange(1, piles + 1), OF_I2)
    return (*(layout.runs[kind] for kind in TABLES), of_pile)
