"""Trials with levers: the same deals with a thing denied to one seat, forced on it, or removed.

The subject is the first bot of the line-up; it takes every seat in turn while the others play as
before. The effect of a lever is the subject's result minus that of the same seat in the same deal
without any constraint.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from exchequer.core.content import merged
from exchequer.core.measures import Lever, measures_of
from exchequer.lab.arms import ALWAYS, FREE, Arm, Constraint
from exchequer.lab.plan import LineUp, Plan, arm_of
from exchequer.lab.statistics import Estimate, mean, within
from exchequer.lab.strength import match_arms, weakest_first
from exchequer.lab.tables import Tables
from exchequer.lab.words import listed, number

FREE_ARM = "free"


@dataclass(frozen=True)
class Trial:
    """One lever pulled one way."""

    group: str
    thing: str
    way: str  # "denied", "forced", "always" or "without"
    lever: Lever

    @property
    def arm(self) -> str:
        return f"{self.way} {self.group}/{self.thing}"

    @property
    def name(self) -> str:
        return self.thing.replace("_", " ")

    @property
    def constraint(self) -> Constraint:
        if self.way == "denied":
            return Constraint(deny=(self.lever,))
        return Constraint(force=(self.lever,), times=1 if self.way == "forced" else ALWAYS)


def trials(plan: Plan, ways: tuple[str, ...]) -> list[Trial]:
    """Every lever of the game, or those the plan names, in every way that applies."""
    found = []
    for group, levers in measures_of(plan.the_game).levers.items():
        for thing, lever in levers.items():
            if plan.cards and thing not in plan.cards:
                continue
            if lever.actions:
                found += [Trial(group, thing, way, lever) for way in ways if way != "without"]
            elif "without" in ways and lever.without:
                found.append(Trial(group, thing, "without", lever))
    return found


def arm_name(lineup: LineUp, what: str) -> str:
    """The arm of a line-up that plays freely (`FREE_ARM`) or by a trial."""
    return f"{lineup.name}: {what}"


def free_arm(plan: Plan, lineup: LineUp) -> Arm:
    """No constraints: each deal once."""
    return arm_of(plan, lineup, arm_name(lineup, FREE_ARM), rotates=False)


def trial_arm(plan: Plan, lineup: LineUp, trial: Trial) -> Arm:
    name = arm_name(lineup, trial.arm)
    if trial.way == "without":
        return arm_of(plan, lineup, name, rotates=False,
                      overlay=merged(dict(plan.overlay), dict(trial.lever.without)))
    constraints = (trial.constraint, *[FREE] * (plan.seats - 1))
    return arm_of(plan, lineup, name, rotates=True, games=lineup.games * plan.seats,
                  constraints=constraints)


def arms(plan: Plan, ways: tuple[str, ...]) -> Iterator[Arm]:
    """Every line-up freely and by every trial, and games that tell which bots play better."""
    for lineup in plan.lineups:
        yield free_arm(plan, lineup)
        for trial in trials(plan, ways):
            yield trial_arm(plan, lineup, trial)
    yield from match_arms(plan)


def ordered(plan: Plan, tables: Tables) -> list[LineUp]:
    """The plan's line-ups, those of the weakest bots first."""
    order = weakest_first(plan, tables, lambda bot: f"{bot}: {FREE_ARM}")
    return sorted(plan.lineups, key=lambda lineup: max(map(order.index, lineup.bots)))


def games_each(plan: Plan) -> str:
    """`60 of greedy and 100 of hard bots for each trial, in every seat`."""
    each = listed([f"{number(lineup.games)} of {lineup.name}" for lineup in plan.lineups])
    return f"{each} bots for each trial{', in every seat' if plan.seats > 1 else ''}"


def outcome_of(seats: int) -> str:
    """Wins between players; in a solo game the score, since a win may never come."""
    return "share" if seats > 1 else "score"


def changes(base: Tables, tried: Tables, outcome: str) -> np.ndarray:
    """By deal: the subject's outcome minus that of the same seat without constraints."""
    subject = tried.seats.filter(pl.col("entrant") == 0).select("deal", "seat", outcome)
    paired = subject.join(base.seats.select("deal", "seat", outcome), on=["deal", "seat"],
                          suffix="_free")
    by_deal = paired.group_by("deal", maintain_order=True).agg(
        value=(pl.col(outcome) - pl.col(f"{outcome}_free")).mean())
    return by_deal.sort("deal")["value"].to_numpy()


def effect(base: Tables, tried: Tables, outcome: str) -> Estimate:
    found = changes(base, tried, outcome).astype(float)
    return possible(mean(found, 0.0, 1.0), base, outcome)


def possible(change: Estimate, base: Tables, outcome: str) -> Estimate:
    """Nobody can lose more wins than a free bot has, or win more than all games."""
    if outcome != "share":
        return change
    free = float(base.seats["share"].mean() or 0.0)  # type: ignore[arg-type]
    return within(change, -free, 1 - free)


def game_changes(base: Tables, tried: Tables, column: str) -> np.ndarray:
    """By deal: how a figure of the whole game changed, for things removed for everybody."""
    paired = tried.games.select("deal", column).join(base.games.select("deal", column), on="deal",
                                                     suffix="_free").sort("deal")
    return (paired[column] - paired[f"{column}_free"]).to_numpy().astype(float)
