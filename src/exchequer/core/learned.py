"""A learned value: a small network over the numbers of a world, evaluated in whole numbers.

Inputs are switches, on or off. Each number of the state has a switch for every range of amounts
(`bucket`), each card one for every kind of pile it can lie in; more switches say who is asked what,
how far a seat leads in points and what the game's own valuation says. Few are on at a time, so
the first layer is a sum of some rows of weights. Sums and products of whole numbers are the same
on every machine. The valuation itself is added to the outputs, one for each seat: a network says
what it overlooks, and small differences are not lost in switches. `power_of_e` turns outputs into
chances to win.

It looks at a world that a search imagines, never at the true state: what a bot answers depends
on what it may know.
"""

import functools
import itertools
import json
import pathlib
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.core.contract import actor, question, score, value
from exchequer.core.errors import InputError
from exchequer.core.files import replacing
from exchequer.core.game import Game
from exchequer.core.loops import MAX_SEATS
from exchequer.core.records import rule
from exchequer.core.rows import WORDS, n_questions, numbers_of
from exchequer.core.value import power_of_e

FORMAT = 2  # of the weights; raised when they are read in another way
HIDDEN = 32
START, VALUATION = HIDDEN, HIDDEN + 1  # rows after those of hidden units: what outputs start from,
N_ROWS = HIDDEN + 2  # and how much the game's own valuation counts
UNIT = 1024  # a weight of 1
MOST_HIDDEN = 64 * UNIT  # beyond this a hidden unit rises no further
BUCKETS = 16  # for amounts other than 0
STEPS = 32  # of the game's own valuation
LARGEST_FIELD = 64  # numbers; larger fields are boards and bookkeeping, too sparse to learn from
PER_PLACE = {"card", "known", "face_up"}  # of the rack, which has switches of its own
NO_INPUT = 0  # is always on: what hidden units start from
NO_WEIGHTS = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error)


# Inputs, compiled --------------------------------------------------------------------------------

@rule
def bucket(amount):
    """1 to BUCKETS: two ranges below zero, each number up to four, then ever wider ranges."""
    if amount < 0:
        return 1 if amount < -1 else 2
    if amount <= 4:
        return 2 + amount
    if amount <= 8:
        return 7 if amount <= 6 else 8
    if amount <= 15:
        return 9 if amount <= 11 else 10
    if amount <= 31:
        return 11 if amount <= 22 else 12
    if amount <= 255:
        return 13 if amount <= 63 else 14
    return 15 if amount <= 4095 else 16


@rule
def number_at(octets, shorts, words, longs, kind, place):
    """A number of the state by its type's place in `rows.WORDS`."""
    if kind == 0:
        return np.int64(octets[place])
    if kind == 1:
        return np.int64(octets[place]) & 0xFF
    if kind == 2:
        return np.int64(shorts[place])
    if kind == 3:
        return np.int64(shorts[place]) & 0xFFFF
    if kind == 4:
        return np.int64(words[place])
    if kind == 5:
        return np.int64(words[place]) & 0xFFFFFFFF
    return np.int64(longs[place])


@rule
def list_standing(s, c, seats, questions, values, out):
    """Who is asked what, each seat's lead in points, and the game's own valuation, which is also
    written to `values`.
    """
    out[0] = NO_INPUT
    count, first = 1, 1
    if actor(s) >= 0:
        out[count] = first + question(s) * MAX_SEATS + actor(s)
        count += 1
    first += questions * MAX_SEATS
    for seat in range(seats):
        values[seat] = min(max(value(s, c, seats, seat), 0.0), 1.0)
        out[count] = first + seat * STEPS + np.int64(values[seat] * (STEPS - 1) + 0.5)
        count += 1
    first += MAX_SEATS * STEPS
    for seat in range(seats):
        lead = np.int64(score(s, c, seat))
        for other in range(seats):
            if other != seat:
                lead = min(lead, np.int64(score(s, c, seat) - score(s, c, other)))
        if lead != 0:
            behind = BUCKETS if lead < 0 else 0
            out[count] = first + seat * 2 * BUCKETS + behind + bucket(abs(lead)) - 1
            count += 1
    return count


@rule
def list_inputs(worlds, c, seats, words, groups, places, values, out):
    """The switches that are on in `worlds[0]`, by their numbers, and what the game's own valuation
    says to each seat. Returns how many switches.
    """
    questions, first = places[0], places[1]
    count = list_standing(worlds[0], c, seats, questions, values, out)
    octets, shorts = worlds.view(np.int8), worlds.view(np.int16)
    wholes, longs = worlds.view(np.int32), worlds.view(np.int64)
    for i in range(len(words)):
        amount = number_at(octets, shorts, wholes, longs, words[i, 0], words[i, 1])
        if amount != 0:
            out[count] = first + i * BUCKETS + bucket(amount) - 1
            count += 1
    first += len(words) * BUCKETS
    end = number_at(octets, shorts, wholes, longs, places[4], places[5])
    for pile in range(len(groups)):
        start = end
        end = number_at(octets, shorts, wholes, longs, places[4], places[5] + pile + 1)
        for place in range(start, end):
            card = number_at(octets, shorts, wholes, longs, places[2], places[3] + place)
            if card >= 0:
                out[count] = first + card * places[6] + groups[pile]
                count += 1
    return count


@rule
def add_rows(first, inputs, count, hidden):
    """The first layer: the rows of all switches that are on, added up.

    Four at a time, which LLVM makes vectors of: row by row takes eight times as long.
    """
    hidden[:] = 0
    for i in range(0, count - 3, 4):
        a, b = first[inputs[i]], first[inputs[i + 1]]
        c, d = first[inputs[i + 2]], first[inputs[i + 3]]
        for j in range(HIDDEN):
            hidden[j] += np.int32(a[j]) + np.int32(b[j]) + np.int32(c[j]) + np.int32(d[j])
    for i in range(count - count % 4, count):
        row = first[inputs[i]]
        for j in range(HIDDEN):
            hidden[j] += np.int32(row[j])


@rule
def write_chances(second, hidden, seats, values):
    """The second layer over the valuation in `values`; each seat's chance to win takes its place.
    """
    most = 0.0
    for seat in range(seats):
        total = np.int64(second[START, seat]) * UNIT
        for j in range(HIDDEN):
            total += min(max(np.int64(hidden[j]), 0), MOST_HIDDEN) * np.int64(second[j, seat])
        values[seat] = total / (1.0 * UNIT * UNIT) + second[VALUATION, seat] / (
            1.0 * UNIT) * values[seat]
        most = max(most, values[seat]) if seat > 0 else values[seat]
    if seats == 1:
        values[0] = 1.0 / (1.0 + power_of_e(-values[0]))
        return
    together = 0.0
    for seat in range(seats):
        values[seat] = power_of_e(values[seat] - most)
        together += values[seat]
    for seat in range(seats):
        values[seat] /= together


# Which inputs a game has -------------------------------------------------------------------------

@dataclass(frozen=True)
class Inputs:
    """Where the switches of a game's states come from."""

    words: np.ndarray  # (n, 2) i4: type and place of each number
    groups: np.ndarray  # (piles,) i4: the kind of each pile
    places: np.ndarray  # (7,) i4: questions; input of the first number; type and place of the
    # first card and of the first pile's start; kinds of piles
    names: dict[str, int]  # the fields used, and how many numbers each has
    count: int
    most: int  # that can be on at once


@functools.cache
def inputs_of(game: Game) -> Inputs:
    found, names = [], {}
    for name, base, offsets in numbers_of(game.state):
        if name not in PER_PLACE and offsets.size <= LARGEST_FIELD:
            names[name] = offsets.size
            kind = WORDS.index(base.str[1:])
            found += [(kind, place) for place in (offsets // base.itemsize).ravel().tolist()]
    groups = pile_kinds(game)
    first = 1 + n_questions(game) * MAX_SEATS + MAX_SEATS * (STEPS + 2 * BUCKETS)
    kinds = int(groups.max(initial=-1)) + 1
    places = np.array([n_questions(game), first, *word_of(game, "card"), *word_of(game, "start"),
                       kinds], np.int32)
    cards = game.state["card"].shape[0] if kinds else 0
    return Inputs(np.array(found, np.int32).reshape(-1, 2), groups, places, names,
                  first + len(found) * BUCKETS + cards * kinds,
                  2 + 2 * MAX_SEATS + len(found) + cards)


def word_of(game: Game, name: str) -> tuple[int, int]:
    """The type of a field and the place of its first number; zeros where there is none."""
    if name not in (game.state.names or ()):
        return 0, 0
    inner, offset = game.state.fields[name][:2]  # type: ignore[index]
    base = inner.base
    return WORDS.index(base.str[1:]), offset // base.itemsize


def pile_kinds(game: Game) -> np.ndarray:
    """Piles of one name are of a kind, and where each seat has as many of them, of one for each
    seat: which of a seat's twelve businesses a card is does not matter.
    """
    if "card" not in (game.state.names or ()):
        return np.zeros(0, np.int32)
    piles, seats = game.state["start"].shape[0] - 1, game.seats[1]
    starts = sorted({*pile_starts(game.module("state")), 0, piles})
    kinds, kind = np.zeros(piles, np.int32), 0
    for start, end in itertools.pairwise(starts):
        each = (end - start) // seats if (end - start) % seats == 0 else end - start
        for pile in range(start, end):
            kinds[pile] = kind + (pile - start) // each
        kind = int(kinds[end - 1]) + 1
    return kinds


def pile_starts(state: Any) -> list[int]:
    pile: Any = getattr(state, "Pile", None)
    named = pile._asdict() if hasattr(pile, "_asdict") else getattr(pile, "__members__", {})
    return [int(place) for place in named.values() if place < state.State["start"].shape[0] - 1]


# Weights -----------------------------------------------------------------------------------------

@dataclass(frozen=True, eq=False)
class Network:
    """Weights of one game, and what made them: command, seed, seconds, content, seats."""

    first: np.ndarray  # (inputs, HIDDEN) i2
    second: np.ndarray  # (N_ROWS, MAX_SEATS) i4
    made: Mapping[str, Any]

    def suits(self, content_hash: str, seats: int) -> bool:
        """Whether it was trained on games like this."""
        return self.made["content"] == content_hash and seats in self.made["seats"]

    @property
    def played_by(self) -> Mapping[str, Any]:
        """How `master` searches with these weights; nothing where `fit` alone has made them."""
        return self.made.get("master", {})

    def save(self, path: pathlib.Path) -> None:
        with replacing(path) as part, part.open("wb") as file:
            np.savez_compressed(file, first=self.first, second=self.second,
                                made=np.array(json.dumps(dict(self.made))))


def read_network(game: Game, path: pathlib.Path) -> Network:
    """Weights from a file; those of another game, or of an older state, are refused."""
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            found = Network(file["first"], file["second"], json.loads(str(file["made"])))
        made = found.made["game"], found.made["format"]
    except NO_WEIGHTS:
        raise InputError(f"{path} holds no weights that can be read; `exchequer train "
                         f"{game.name}` makes new ones.") from None
    if made != (game.name, FORMAT) or shapes_of(found) != shapes_for(game):
        raise InputError(f"The weights in {path} were made for {made[0]} with other "
                         f"fields of its state; `exchequer train {game.name}` makes new ones.")
    return found


def shapes_of(network: Network) -> tuple[Any, ...]:
    """What compiled code relies on."""
    return tuple((part.shape, part.dtype) for part in (network.first, network.second))


def shapes_for(game: Game) -> tuple[Any, ...]:
    return (((inputs_of(game).count, HIDDEN), np.dtype(np.int16)),
            ((N_ROWS, MAX_SEATS), np.dtype(np.int32)))


@functools.cache
def networks_of(game: Game) -> tuple[Network, ...]:
    """What lies in the game's folder."""
    return tuple(read_network(game, path)
                 for path in sorted((game.folder / "learned").glob("*.npz")))


def in_whole_numbers(first: np.ndarray, second: np.ndarray, made: Mapping[str, Any]) -> Network:
    """Trained weights, rounded to what is evaluated."""
    most = np.iinfo(np.int16).max
    return Network(np.clip(np.rint(first * UNIT), -most, most).astype(np.int16),
                   np.rint(second * UNIT).astype(np.int32), made)
