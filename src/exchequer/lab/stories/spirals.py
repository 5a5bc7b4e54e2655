"""Spirals: leads that feed themselves, and stocks that explode or collapse.

In a race of luck alone a lead of one stays a lead of one; where the seats' speeds differ it grows
in step with the game. Only what grows faster than that is a spiral.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from exchequer.lab.claims import PAYS, Rung
from exchequer.lab.fair_race import fair_race
from exchequer.lab.findings import STORY, Claim
from exchequer.lab.statistics import Estimate, mean_beyond, ratio_beyond, share, share_beyond
from exchequer.lab.stories.courses import EARLY, HALF, LATE, stocks_at, turn_at, turns_in, when
from exchequer.lab.witnesses import most
from exchequer.lab.words import capital, number, percent

FASTER = 1.25  # times what leads would be if they grew in step with the game
EXPLODES = 4.0  # times the growth of the first half; three would be a steadily rising income
COLLAPSES = 0.25  # of what was there at half-time


def spirals(rung: Rung) -> Iterator[Claim]:
    early, half, late = (turn_at(rung, share) for share in (EARLY, HALF, LATE))
    if not early < half < late:
        return
    for name in rung.measures.resources:
        if rung.seats > 1:
            yield from feeding(rung, name, early, late)
        yield from growth(rung, name, half)


# Leads that feed themselves ----------------------------------------------------------------------

def feeding(rung: Rung, name: str, early: int, late: int) -> Iterator[Claim]:
    """A lead that grows faster than the game, and decides it."""
    before, after = leads(stocks_at(rung, early), name), leads(stocks_at(rung, late, True), name)
    pairs = before.join(after, on=["game", "seat"], suffix="_late")
    if not len(pairs) or float(pairs["lead"].abs().max()) == 0:  # type: ignore[arg-type]
        return
    by_game = pairs.group_by("game", maintain_order=True).agg(
        above=(pl.col("lead") * pl.col("lead_late")).sum(), below=(pl.col("lead") ** 2).sum())
    in_step = turns_in(rung, late) / turns_in(rung, early)
    bound = in_step * FASTER
    grown = ratio_beyond(by_game["above"].to_numpy(), by_game["below"].to_numpy(), bound)
    won, fair = ahead_wins(rung, name, early), early_leader_wins(rung, early)
    yield Claim(f"spiral-{slug(name)}", rung.name, replace(grown, p=max(grown.p, won.p)),
                f"A lead in {name} feeds itself: one more {when(rung, early)} has become "
                f"{number(grown.effect)} {when(rung, late)} between {rung.name} bots, where "
                f"{number(in_step)} would be in step with the game; whoever is ahead in it that "
                f"early wins {percent(won.effect, 0)}.", bound, bound, family=STORY,
                unit="times", topic=name, game=most(by_game, "above"),
                advice="Let what a seat has earn less the more there is of it, or give those "
                       f"behind a way to catch up. Luck alone would let {percent(fair, 0)} of "
                       "such leaders win.")


def leads(stocks: pl.DataFrame, name: str) -> pl.DataFrame:
    """How far each seat is above the others, less what its place at the table always gives."""
    lead = pl.col(name) - pl.col(name).mean().over("game")
    return stocks.with_columns(lead=lead.cast(pl.Float64)).with_columns(
        lead=pl.col("lead") - pl.col("lead").mean().over("seat")).select("game", "seat", "lead")


def ahead_wins(rung: Rung, name: str, turn: int) -> Estimate:
    """How often the seat that is ahead in it then goes on to win; p against a fair race."""
    ahead = stocks_at(rung, turn).filter(
        (pl.col(name) == pl.col(name).max().over("game"))
        & ((pl.col(name) == pl.col(name).max().over("game")).sum().over("game") == 1))
    if not len(ahead):
        return share(0, 0)
    return share_beyond(ahead["share"].sum(), len(ahead), early_leader_wins(rung, turn) + PAYS)


def early_leader_wins(rung: Rung, turn: int) -> float:
    length = max(2, round(turns_in(rung, turn) / EARLY))
    return fair_race(rung.seats, length).early_leader_wins


# Stocks that explode or collapse -----------------------------------------------------------------

def growth(rung: Rung, name: str, half: int) -> Iterator[Claim]:
    """The second half of the growth against the first, over all seats of a game."""
    turns = (half - turns_in(rung, half), half, 2 * half - (half - turns_in(rung, half)))
    start, middle, end = (by_game(stocks_at(rung, turn, True), name) for turn in turns)
    first, second = middle - start, end - middle
    if first.mean() > 0:
        found = ratio_beyond(second, first, EXPLODES)
        yield Claim(f"explodes-{slug(name)}", rung.name, found,
                    f"{capital(name)} explodes: its second half of the game brings "
                    f"{number(found.effect)} times as much as the first {rung.between}.",
                    EXPLODES, EXPLODES, family=STORY, unit="times", topic=name,
                    game=most(rung.tables.seats, f"final {name}"),
                    advice="Numbers that nobody can foresee at the start make early decisions "
                           "worthless.")
    if middle.mean() > 0 and end.min() >= 0:  # of a debt nothing can be left
        left = mean_beyond(end - COLLAPSES * middle, 0.0, False)
        kept = ratio_beyond(end, middle, COLLAPSES)
        yield Claim(f"collapses-{slug(name)}", rung.name, replace(kept, p=left.p),
                    f"{capital(name)} collapses: of what the seats have at half-time "
                    f"{percent(kept.effect, 0)} is left at the end {rung.between}.",
                    COLLAPSES, 1.0, family=STORY, topic=name,
                    game=most(rung.tables.seats, f"final {name}", least=True))


def by_game(stocks: pl.DataFrame, name: str) -> np.ndarray:
    return stocks.group_by("game", maintain_order=True).agg(
        pl.col(name).cast(pl.Float64).mean())[name].to_numpy()


def slug(name: str) -> str:
    return name.replace(" ", "-")
