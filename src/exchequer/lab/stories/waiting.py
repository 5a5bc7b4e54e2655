"""Waiting: how the decisions of a game are shared out among the seats."""

from collections.abc import Iterator

import polars as pl

from exchequer.lab.claims import Rung
from exchequer.lab.findings import STORY, Claim
from exchequer.lab.statistics import mean_beyond, within
from exchequer.lab.witnesses import most
from exchequer.lab.words import capital, percent, seat_name

LEAST = 0.6  # of an even share of the decisions


def waiting(rung: Rung) -> Iterator[Claim]:
    """A seat that mostly watches."""
    if rung.seats == 1:
        return
    shares = rung.tables.seats.with_columns(
        part=pl.col("decisions") / pl.col("decisions").sum().over("game"))
    bound = LEAST / rung.seats
    for seat in range(rung.seats):
        part = shares.filter(pl.col("seat") == seat)["part"].drop_nans().drop_nulls().to_numpy()
        found = within(mean_beyond(part, bound, False, 1.0), 0.0, 1.0)
        yield Claim(f"waiting-{seat}", rung.name, found,
                    f"{capital(seat_name(seat, rung.seats))} mostly watches: it makes "
                    f"{percent(found.effect, 0)} of the decisions between {rung.name} bots, where "
                    f"{percent(1 / rung.seats, 0)} would be even.", bound, 0.1, family=STORY,
                    game=most(shares.filter(pl.col("seat") == seat), "part", least=True))
