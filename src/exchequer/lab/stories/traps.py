"""Traps: situations that a seat gets into and hardly ever wins from.

A situation is a resource at its end, such as no gold left, debt at its limit or wealth below zero,
or two of these together, at half-time. Only who has been better off before is counted: to begin
with nothing is no trap. Being behind is none either: a seat that is behind at half-time still wins
one game in four.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from exchequer.lab.claims import Rung
from exchequer.lab.findings import STORY, Claim
from exchequer.lab.statistics import share_beyond
from exchequer.lab.stories.courses import HALF, LATE, stocks_at, turn_at, when
from exchequer.lab.stories.spirals import slug
from exchequer.lab.witnesses import most
from exchequer.lab.words import number, percent

HOPELESS = 0.25  # of an even share of the wins
RARE, COMMON = 0.02, 0.6  # shares of seats in a situation that is worth a word


class Situation(NamedTuple):
    """Where some seats are at half-time."""

    id: str
    words: str
    inside: np.ndarray  # by row of the stocks
    still: np.ndarray  # ... and three quarters through the game


def traps(rung: Rung) -> Iterator[Claim]:
    if rung.seats == 1 or not len(rung.tables.courses):
        return
    half = turn_at(rung, HALF)
    now = stocks_at(rung, half)
    later = now.select("game", "seat").join(stocks_at(rung, turn_at(rung, LATE), True),
                                            on=["game", "seat"], how="left")
    singles = list(ends(rung, half, now, later))
    pairs = [Situation(f"{a.id}-and-{b.id}", f"{a.words} and {b.words}", a.inside & b.inside,
                       a.still & b.still) for a, b in itertools.combinations(singles, 2)]
    for place in [*singles, *pairs]:
        if RARE <= place.inside.mean() <= COMMON:
            yield from trap(rung, half, now, place)


def ends(rung: Rung, half: int, now: pl.DataFrame, later: pl.DataFrame) -> Iterator[Situation]:
    """Each resource at the least and at the most that a seat ever had of it."""
    courses = rung.tables.courses
    before = courses.filter(pl.col("turn") < half)
    for name in rung.measures.resources:
        for end, words, reached in ends_of(name, courses[name]):
            off = before.group_by("game", "seat").agg(was=(~reached).any())
            was = now.select("game", "seat").join(off, on=["game", "seat"], how="left")["was"]
            there = now.select(reached).to_series()
            inside = (there & was.fill_null(False)).to_numpy()
            still = later.select(reached).to_series().fill_null(False).to_numpy()
            yield Situation(f"{end}-{slug(name)}", words, inside, inside & still)


def ends_of(name: str, stock: pl.Series) -> Iterator[tuple[str, str, pl.Expr]]:
    """The least and the most; of what can be owed, anything below zero is the end."""
    least, highest = float(stock.min() or 0), float(stock.max() or 0)  # type: ignore[arg-type]
    if least < 0:
        yield "least", f"{name} below zero", pl.col(name) < 0
    else:
        yield "least", at_end(name, least), pl.col(name) == least
    yield "most", at_end(name, highest), pl.col(name) == highest


def at_end(name: str, extreme: float) -> str:
    return f"no {name} left" if extreme == 0 else f"{name} at {number(extreme)}"


def trap(rung: Rung, half: int, now: pl.DataFrame, place: Situation) -> Iterator[Claim]:
    """Seats in it while another seat of the game is not."""
    rows = now.with_columns(inside=pl.Series(place.inside), still=pl.Series(place.still)).filter(
        ~pl.col("inside").all().over("game"))
    caught = rows.filter("inside")
    if not len(caught):
        return
    bound = HOPELESS / rung.seats
    found = share_beyond(caught["share"].sum(), len(caught), bound, False)
    games = caught["game"].n_unique() / now["game"].n_unique()
    stay = float(caught["still"].mean() or 0.0)  # type: ignore[arg-type]
    yield Claim(f"trap-{place.id}", rung.name, found,
                f"A trap: whoever has {place.words} {when(rung, half)} wins "
                f"{percent(found.effect)} of games between {rung.name} bots.", bound, bound,
                family=STORY, topic=place.words, game=most(caught, "score", least=True),
                advice=f"{percent(games, 0)} of games go through it, and {percent(stay, 0)} of "
                       "those caught are still there three quarters through the game. Either "
                       "warn before it, or leave a way out.")
