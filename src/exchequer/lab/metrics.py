"""Metrics: one number per deal, for `compare` and `tune`, the same for every game."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from exchequer.core.measures import Measures
from exchequer.lab.tables import NOBODY_SEAT, Tables
from exchequer.lab.words import seat_name

Values = pl.DataFrame  # columns deal and value

# What is said of the course of a game, once for every verb; a game of which it cannot be said has
# no value, and is left out of means.
HAS_ONE_WINNER = ~pl.col("draw") & (pl.col("winners") > 0)
# the share of the turns before the winner led for good
SETTLED = pl.when(HAS_ONE_WINNER & (pl.col("turns") > 1)).then(
    (pl.col("settled") / pl.col("turns")).clip(0, 1))
DRAMA = pl.when(HAS_ONE_WINNER).then(pl.col("drama"))
FELL_LOW = pl.when(HAS_ONE_WINNER).then(pl.col("low") < 0.25)
MATTERING = pl.when(pl.col("weighed") > 0).then(pl.col("mattered") / pl.col("weighed"))
KINGMADE = pl.when(pl.col("weighed") > 0).then(pl.col("kingmade") / pl.col("weighed"))
_winners = pl.col("winners").cast(pl.Int64)
_bit = pl.lit(2, pl.Int64).pow(pl.col("half_leader").cast(pl.Int64).clip(0))
LEADER_WINS = pl.when((pl.col("half_leader") >= 0) & (_winners > 0)).then(
    (_winners // _bit % 2) / _winners.bitwise_count_ones())


def minutes(choices: pl.Expr, measures: Measures) -> pl.Expr:
    """How long people would take for so many choices."""
    return choices * measures.seconds / 60


def values(games: pl.DataFrame, expression: pl.Expr) -> np.ndarray:
    """An expression for each game that has one."""
    found = games.select(value=expression.cast(pl.Float64))["value"].drop_nulls()
    return found.to_numpy()


@dataclass(frozen=True)
class Metric:
    """A figure of a game, and how large a serious change of it is."""

    id: str
    words: str  # "the length"
    unit: str  # "share", or what it counts
    scale: float  # a serious change; relative to the value unless the unit is a share
    values: Callable[[Tables], Values]

    @property
    def is_share(self) -> bool:
        return self.unit == "share"

    @property
    def change_unit(self) -> str:
        """What two of its values differ by."""
        return "difference" if self.is_share else self.unit


def of_games(expression: pl.Expr) -> Callable[[Tables], Values]:
    return lambda tables: tables.games.group_by("deal", maintain_order=True).agg(
        value=expression.cast(pl.Float64).mean())


def of_seats(column: str, seat: int | None = None) -> Callable[[Tables], Values]:
    def values(tables: Tables) -> Values:
        rows = tables.seats if seat is None else tables.seats.filter(pl.col("seat") == seat)
        return rows.group_by("deal", maintain_order=True).agg(
            value=pl.col(column).cast(pl.Float64).mean())
    return values


def of_entrant(tables: Tables) -> Values:
    return tables.seats.filter(pl.col("entrant") == 0).group_by("deal", maintain_order=True).agg(
        value=pl.col("share").mean())


def margin(tables: Tables) -> Values:
    """The winner's lead over the next score, as a share of the winner's score."""
    by_game = tables.seats.group_by("deal", "game", maintain_order=True).agg(
        best=pl.col("score").max(), second=pl.col("score").top_k(2).min())
    return by_game.group_by("deal", maintain_order=True).agg(
        value=((pl.col("best") - pl.col("second")) / pl.max_horizontal(
            pl.col("best").abs(), 1)).mean())


def metrics_of(measures: Measures, seats: int, endings: list[str]) -> dict[str, Metric]:
    """All metrics of a game, by id."""
    found = [
        Metric("length", "the length", measures.turns, 0.1, of_games(pl.col("turns"))),
        Metric("decisions", "the number of decisions", "decisions", 0.1,
               of_games(pl.col("steps"))),
        Metric("minutes", "the time at the table", "minutes", 0.1,
               of_games(minutes(pl.col("choices"), measures))),
        Metric("options", "the number of options per decision", "options", 0.2,
               of_games(pl.col("branching") / pl.col("steps"))),
        Metric("mattering", "the share of decisions that matter", "share", 0.05,
               of_games(MATTERING)),
        Metric("score", "the mean score", "points", 0.1, of_seats("score")),
    ]
    if seats > 1:
        found += [Metric(f"seat_{seat}", f"the win share of {seat_name(seat, seats)}", "share",
                         0.05, of_seats("share", seat)) for seat in range(seats)]
        found += [
            Metric("draws", "the share of shared wins", "share", 0.05, of_games(pl.col("draw"))),
            Metric("margin", "the winner's margin", "share", 0.1, margin),
            Metric("leader_wins", "the win share of the half-time leader", "share", 0.1,
                   of_games(LEADER_WINS)),
            Metric("settled", "the share of the game before the winner leads for good", "share",
                   0.1, of_games(SETTLED)),
            Metric("lead_changes", "the number of lead changes", "changes", 0.2,
                   of_games(pl.col("lead_changes"))),
            Metric("drama", "the winner's average deficit (drama)", "share", 0.03,
                   of_games(DRAMA)),
        ]
    else:
        found.append(Metric("won", "the share of runs that are won", "share", 0.05,
                            of_seats("share")))
    found += [Metric(f"ending_{name}", f"the share of games that end by {name.replace('_', ' ')}",
                     "share", 0.1, of_games(pl.col("ending") == name)) for name in endings]
    found += [Metric(name, f'the mean of "{name}" per seat', name, 1.0, of_seats(name))
              for name in measures.counts]
    found += [Metric(f"final {name}", f'the mean of "{name}" at the end', name, 1.0,
                     of_seats(f"final {name}")) for name in measures.resources]
    return {metric.id: metric for metric in found}


def inequality_at_end(tables: Tables) -> float:
    """Mean Gini of the last turn that one game in fifty reaches."""
    rows = tables.curves.filter((pl.col("resource") == "inequality")
                                & (pl.col("seat") == NOBODY_SEAT)
                                & (pl.col("games") * 50 >= len(tables.games)))
    return float(rows["mean"][-1]) if len(rows) else 0.0
