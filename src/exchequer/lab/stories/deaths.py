"""Deaths: where the runs of a solo game end."""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from exchequer.lab.claims import Rung
from exchequer.lab.findings import STORY, Claim
from exchequer.lab.statistics import share_beyond
from exchequer.lab.witnesses import first
from exchequer.lab.words import percent

TOO_MANY = 0.5


def deaths(rung: Rung) -> Iterator[Claim]:
    """Most lost runs get exactly as far; corrected for the places that could have been it."""
    progress = rung.measures.progress
    if rung.seats > 1 or not progress or rung.bots[0] == "random":
        return
    lost = rung.tables.seats.filter(pl.col("share") == 0)[f"final {progress}"]
    places = lost.value_counts(sort=True)
    if len(places) < 2:
        return
    place, count = places.row(0)
    found = share_beyond(count, len(lost), TOO_MANY)
    yield Claim("bottleneck", rung.name, replace(found, p=min(1.0, found.p * len(places))),
                f"Most lost runs end at the same place: {percent(found.effect, 0)} of those of "
                f"{rung.name} bots get to {progress} {place} and no further.", TOO_MANY, 0.25,
                family=STORY, topic=progress, game=first(rung.tables.seats.filter(
                    (pl.col("share") == 0) & (pl.col(f"final {progress}") == place))),
                advice="What comes there is either the game's real test or a wall.")
