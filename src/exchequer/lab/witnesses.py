"""Witnesses: of all games of a rung the one that shows a claim best."""

import polars as pl

from exchequer.lab.findings import NO_GAME


def first(games: pl.DataFrame) -> int:
    return int(games["game"][0]) if len(games) else NO_GAME


def most(games: pl.DataFrame, by: str | pl.Expr, least: bool = False) -> int:
    """The game with the most of something, or the least; of equals the first."""
    ordered = games.with_columns(_by=pl.col(by) if isinstance(by, str) else by).drop_nulls("_by")
    return first(ordered.sort("_by", "game", descending=[not least, False]))


def clearest(seats: pl.DataFrame, wins: bool) -> int:
    """Of the games that some seats won (or lost) the one with the widest margin."""
    rows = seats.filter(pl.col("share") > 0 if wins else pl.col("share") == 0)
    return first(rows.sort("_margin", "game", descending=[wins, False]))


def with_margins(seats: pl.DataFrame) -> pl.DataFrame:
    """How far each seat's score is above the mean of its game."""
    return seats.with_columns(_margin=pl.col("score") - pl.col("score").mean().over("game"))


def decided_first(games: pl.DataFrame) -> int:
    """Led for good from the start, in the longest such game."""
    rows = games.filter(~pl.col("draw") & (pl.col("winners") > 0))
    return first(rows.sort("settled", "turns", "game", descending=[False, True, False]))
