"""Leaps: single turns that bring so much that they decide the game."""

from collections.abc import Iterator

import polars as pl

from exchequer.lab.claims import Rung
from exchequer.lab.findings import STORY, Claim
from exchequer.lab.statistics import share_beyond
from exchequer.lab.witnesses import most
from exchequer.lab.words import number, percent

LARGE = 0.5  # of what the best seat has at the end
OFTEN = 0.2


def leaps(rung: Rung) -> Iterator[Claim]:
    """Games in which one turn brought half of what the best seat ends with, to the winner."""
    name = next(iter(rung.measures.resources))
    gains = largest_gains(rung, name)
    if not len(gains):
        return
    large = gains.filter((pl.col("gain") >= LARGE * pl.col("best")) & (pl.col("share") > 0))
    found = share_beyond(len(large), len(gains), OFTEN)
    yield Claim("leap", rung.name, found,
                f"One turn decides: in {percent(found.effect, 0)} of games between {rung.name} "
                f"bots the winner makes at least half of the best final {name} in a single turn.",
                OFTEN, 0.3, family=STORY, topic=name, game=most(large, "gain"),
                advice=f"The largest gain of one turn was {number(float(gains['gain'].max()))}."  # type: ignore[arg-type]
                )


def largest_gains(rung: Rung, name: str) -> pl.DataFrame:
    """For each game the largest rise of one turn, who made it, and the best final stock."""
    courses = rung.tables.courses.sort("game", "seat", "turn")
    rises = courses.with_columns(
        gain=pl.col(name) - pl.col(name).shift(1).over("game", "seat"),
        best=pl.col(name).filter(pl.col("turn") == pl.col("turn").max()).max().over("game"))
    top = rises.drop_nulls("gain").sort("gain", descending=True).unique("game", keep="first",
                                                                        maintain_order=True)
    shares = rung.tables.seats.select("game", "seat", "share")
    return top.filter((pl.col("gain") > 0) & (pl.col("best") > 0)).join(
        shares, on=["game", "seat"], how="left")
