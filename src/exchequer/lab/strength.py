"""Which bots of a run play better: by what they win against each other, in this game.

Neither the kind of a bot nor its number of iterations says so: a search can be weaker than one look
ahead. Where a plan has two bots that never meet, some games between them are added.
"""

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import polars as pl

from exchequer.lab.arms import Arm
from exchequer.lab.plan import LineUp, Plan, arm_of
from exchequer.lab.statistics import Estimate, by_deal, mean, within
from exchequer.lab.tables import Tables

MOST_MATCHES = 400  # games between two bots that the plan does not let meet

Results = dict[tuple[str, str], Estimate]  # what the first wins in a seat against the second


def plain_bots(plan: Plan) -> list[str]:
    """The bots that fill all seats of a line-up, as the plan names them."""
    return [lineup.bots[0] for lineup in plan.lineups if not lineup.is_mixed]


def matches(plan: Plan) -> Iterator[LineUp]:
    """Line-ups that let those bots meet who do not meet otherwise."""
    if plan.seats == 1:
        return
    met = [set(lineup.bots) for lineup in plan.lineups]
    games = max(lineup.games for lineup in plan.lineups)
    for a, b in itertools.combinations(dict.fromkeys(plain_bots(plan)), 2):
        if {a, b} not in met:
            yield LineUp(tuple((a, b)[seat % 2] for seat in range(plan.seats)),
                         min(games, MOST_MATCHES))


def match_arms(plan: Plan) -> list[Arm]:
    return [arm_of(plan, lineup) for lineup in matches(plan)]


def results(plan: Plan, tables: Tables) -> Results:
    """For each pair of bots that met: the share of games that a seat of the first wins."""
    found: Results = {}
    for lineup in [*plan.lineups, *matches(plan)]:
        if len(set(lineup.bots)) == 2:
            seats = tables.of(lineup.name).seats
            for bot, other in itertools.permutations(sorted(set(lineup.bots))):
                rows = seats.filter(pl.col("bot") == bot)
                shares = by_deal(rows["share"].to_numpy(), rows["deal"].to_numpy())
                found[bot, other] = within(mean(shares, 1 / plan.seats, 1.0), 0.0, 1.0)
    return found


def weakest_first(plan: Plan, tables: Tables, arm: Callable[[str], str] = str) -> list[str]:
    """All bots of the plan; those that were not told apart stay in the plan's order.

    `arm` names the arm in which a bot plays a solo game.
    """
    bots = list(dict.fromkeys(bot for lineup in plan.lineups for bot in lineup.bots))
    if plan.seats == 1:
        return sorted(bots, key=lambda bot: alone(tables.of(arm(bot))))
    against = results(plan, tables)

    def won(bot: str) -> float:
        met = [against[bot, other].effect for other in bots if (bot, other) in against]
        return float(np.mean(met)) if met else 1 / plan.seats
    return sorted(bots, key=won)


def alone(tables: Tables) -> tuple[float, float]:
    """Without opponents: the runs won, then the score."""
    seats = tables.seats
    return (float(seats["share"].mean() or 0.0),  # type: ignore[arg-type]
            float(seats["score"].mean() or 0.0))  # type: ignore[arg-type]


def is_shown(plan: Plan, tables: Tables, stronger: str, weaker: str) -> bool:
    """Whether one of two bots was seen to play better, beyond what chance would give."""
    if plan.seats == 1:
        return alone(tables.of(stronger)) > alone(tables.of(weaker))
    found = results(plan, tables).get((stronger, weaker))
    return found is not None and found.low > 1 / plan.seats
