"""The course of a rung's first games: what every seat had at a given moment."""

import polars as pl

from exchequer.lab.claims import Rung

EARLY, HALF, LATE = 0.25, 0.5, 0.75  # of a game of median length


def told_games(rung: Rung) -> pl.DataFrame:
    """The games whose course was kept."""
    courses = rung.tables.courses
    return rung.tables.games.filter(pl.col("game").is_in(courses["game"].unique().implode()))


def turn_at(rung: Rung, share: float) -> int:
    """The turn after this share of a game of median length."""
    games = told_games(rung)
    first, last = (int(games[name].median() or 0) for name in  # type: ignore[arg-type]
                   ("first_turn", "last_turn"))
    return first + max(1, round(share * (last - first)))


def turns_in(rung: Rung, turn: int) -> int:
    """How many turns have been played when this one opens."""
    return turn - int(told_games(rung)["first_turn"].median() or 0)  # type: ignore[arg-type]


def stocks_at(rung: Rung, turn: int, or_last: bool = False) -> pl.DataFrame:
    """A row for each game and seat, with its share of the win.

    Games that were over by then are left out, or stand as they ended.
    """
    courses = rung.tables.courses.filter(pl.col("turn") <= turn)
    if or_last:
        rows = courses.filter(pl.col("turn") == pl.col("turn").max().over("game"))
    else:
        rows = courses.filter(pl.col("turn") == turn)
    shares = rung.tables.seats.select("game", "seat", "deal", "share", "score")
    return rows.join(shares, on=["game", "seat"], how="left").sort("game", "seat")


def when(rung: Rung, turn: int) -> str:
    """`after 5 rounds`."""
    count, unit = turns_in(rung, turn), rung.measures.turns
    if rung.measures.turn is None:
        count *= rung.seats
    return f"after {count} {unit.removesuffix('s') if count == 1 else unit}"
