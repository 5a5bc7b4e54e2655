"""Sensitivity: which numbers of the content move which measures, from one designed experiment.

Every number has a low and a high value. A two-level design (a Hadamard matrix and its mirror image)
sets all of them at once, half of the contents low and half high for each number, so every game
counts for every number and no pair of numbers can pass for a single one. An effect is what a
measure changes when the number goes from low to high, on average over what the others may be.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exchequer.core.content import Number, merged
from exchequer.core.content import settings as overlay_of
from exchequer.core.errors import InputError
from exchequer.core.measures import measures_of
from exchequer.lab.arms import Arm
from exchequer.lab.findings import Finding, NextStep, ranked
from exchequer.lab.folder import StudyRun
from exchequer.lab.metrics import Metric, metrics_of
from exchequer.lab.pages import Section, figured, page, table
from exchequer.lab.plan import Plan, PlanError, arm_of, command_of
from exchequer.lab.plots import Dot, dots
from exchequer.lab.statistics import LEVEL, Estimate, Z, benjamini_hochberg, normal_tail
from exchequer.lab.tables import Tables
from exchequer.lab.tune import read_knobs
from exchequer.lab.words import capital, interval, listed, number, signed

STEP = 0.2  # of a number's value, at least one, where nothing else is said
MOST_NUMBERS = 63
MOST_SHOWN = 10
PROMISE = ("Each figure is what a measure changes when the number goes from its low to its high "
           "value, on average over the others; of all that is said to move something at most 5 % "
           "may be chance (Benjamini-Hochberg).")


@dataclass(frozen=True)
class Factor:
    """A number of the content, low and high."""

    key: str
    low: Any
    high: Any

    @property
    def name(self) -> str:
        return f"{self.key} ({self.low} to {self.high})"


@dataclass(frozen=True)
class Effect:
    """What a number does to a measure."""

    factor: Factor
    metric: Metric
    estimate: Estimate
    usual: float  # the measure's mean over all contents
    is_shown: bool = False

    @property
    def size(self) -> float:
        """In units of a serious change."""
        scale = self.metric.scale * (1.0 if self.metric.is_share else max(abs(self.usual), 1e-9))
        return min(abs(self.estimate.low), abs(self.estimate.high)) / scale

    @property
    def said(self) -> str:
        return signed(self.estimate.effect, self.metric.is_share)


# The design --------------------------------------------------------------------------------------

def factors(plan: Plan) -> list[Factor]:
    """Those the plan names with their bounds, or every number of the rules by a fifth."""
    game = plan.the_game
    if plan.over:
        found = [Factor(knob.key, knob.values[0], knob.values[-1])
                 for knob in read_knobs(plan.over, game, plan)]
    else:
        rules = game.content(plan.overlay).words["rules"]
        found = [factor for key, kind in game.schema.rules.items() if isinstance(kind, Number)
                 and (factor := around(key, rules[key], kind))]
    found = [one for one in found if one.low != one.high]
    if not found:
        raise PlanError(f"{plan.title} has no numbers whose effect could be measured.")
    if len(found) > MOST_NUMBERS:
        if plan.over:
            raise PlanError(f"--over names {len(found)} keys; {MOST_NUMBERS} are the most.")
        found = found[:MOST_NUMBERS]
    return found


def around(key: str, value: int, kind: Number) -> Factor | None:
    """A number that is 0 is most often a switch that is off, and is left alone."""
    step = max(1, round(STEP * abs(value)))
    if value == 0:
        return None
    return Factor(key, max(kind.low, value - step), min(kind.high, value + step))


def design(count: int) -> np.ndarray:
    """(contents, numbers) of -1 and 1: a Hadamard matrix and its mirror image."""
    from scipy.linalg import hadamard

    size = 1 << max(1, count).bit_length()
    half = hadamard(size)[:, 1: count + 1]
    return np.concatenate([half, -half])


def contents(plan: Plan) -> list[tuple[int, dict[str, Any]]]:
    """The rows of the design that the game accepts, as overlays."""
    chosen, game = factors(plan), plan.the_game
    found = []
    for row, signs in enumerate(design(len(chosen))):
        pairs = [f"{one.key}={json.dumps(one.high if sign > 0 else one.low)}"
                 for one, sign in zip(chosen, signs, strict=True)]
        overlay = merged(dict(plan.overlay), game.schema.shaped(overlay_of(pairs), "--over"))
        try:
            game.content(overlay, "--over")
            found.append((row, overlay))
        except InputError:
            continue
    if len(found) <= len(chosen):
        raise PlanError("The game refuses most combinations of these values; name fewer keys, or "
                        "closer bounds, with --over.")
    return found


def arms(plan: Plan) -> list[Arm]:
    return [arm_of(plan, plan.lineups[0], f"row {row}", overlay=overlay)
            for row, overlay in contents(plan)]


# Effects -----------------------------------------------------------------------------------------

def effects(plan: Plan, tables: Tables) -> list[Effect]:
    """Every number and every measure, corrected for all of them."""
    chosen, rows = factors(plan), [row for row, _ in contents(plan)]
    signs = design(len(chosen))[rows]
    weights = 2 * np.linalg.pinv(np.column_stack([np.ones(len(rows)), signs]))[1:]
    parts = [tables.of(f"row {row}") for row in rows]
    endings = [ending.name.lower() for ending in list(plan.the_game.endings)[1:]]
    found = []
    for metric in metrics_of(measures_of(plan.the_game), plan.seats, endings).values():
        values = [metric.values(part)["value"].drop_nulls().to_numpy() for part in parts]
        if min(map(len, values)) < 2:
            continue
        found += metric_effects(chosen, metric, values, weights)
    corrected = benjamini_hochberg([one.estimate.p for one in found])
    return [replace(one, is_shown=p <= LEVEL) for one, p in zip(found, corrected, strict=True)]


def metric_effects(chosen: list[Factor], metric: Metric, values: list[np.ndarray],
                   weights: np.ndarray) -> list[Effect]:
    """Contents share their deals, which makes these errors too large rather than too small."""
    means = np.array([v.mean() for v in values])
    errors = np.array([v.var(ddof=1) / len(v) for v in values])
    games = sum(map(len, values))
    found = []
    for factor, weight in zip(chosen, weights, strict=True):
        effect, error = float(weight @ means), float(np.sqrt((weight ** 2) @ errors))
        p = 2 * normal_tail(abs(effect) / error) if error else float(effect == 0)
        found.append(Effect(factor, metric, Estimate(effect, effect - Z * error,
                                                     effect + Z * error, games, p),
                            float(means.mean())))
    return found


def strongest(found: list[Effect]) -> list[list[Effect]]:
    """For each number that moves something, what it moves most; the strongest numbers first."""
    by_key: dict[str, list[Effect]] = {}
    for one in sorted((one for one in found if one.is_shown), key=lambda one: -one.size):
        by_key.setdefault(one.factor.key, []).append(one)
    return list(by_key.values())


# The report --------------------------------------------------------------------------------------

def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    plan, tables = run.plan, run.tables(arms(run.plan))
    found = effects(plan, tables)
    movers = strongest(found)
    told = ranked(finding(plan, moved) for moved in movers[:MOST_SHOWN])
    words = verdict(plan, movers)
    lineup = plan.lineups[0]
    html = page(f"{plan.title}: which numbers matter", f"{lineup.name} bots, "
                f"{len(factors(plan))} numbers in {len(contents(plan))} contents, "
                f"{number(len(tables.games))} games in all, seeds from {plan.seed}.",
                [picture(movers), by_measure(found)], told, words, PROMISE,
                command=command_of(plan))
    return html, {"game": plan.game, "seats": plan.seats, "games": len(tables.games),
                  "verdict": words, "findings": [one.brief() for one in told],
                  "effects": [{"key": one.factor.key, "low_value": one.factor.low,
                               "high_value": one.factor.high, "measure": one.metric.id,
                               "effect": one.estimate.effect, "low": one.estimate.low,
                               "high": one.estimate.high}
                              for moved in movers[:MOST_SHOWN] for one in moved[:MOST_SHOWN]]}


def finding(plan: Plan, moved: list[Effect]) -> Finding:
    first, rest = moved[0], moved[1:4]
    also = f" It also moves {listed([one.metric.words for one in rest])}." if rest else ""
    e = first.estimate
    return Finding(f"moves-{first.factor.key}", f"{first.factor.name} moves {first.metric.words} "
                   f"by {first.said}.", e.effect, e.low, e.high, e.n, first.size, advice=also,
                   unit=first.metric.change_unit,
                   certainty="corrected for all numbers and measures",
                   next=NextStep(f"Set {first.factor.key} to what gives {first.metric.words} "
                                 "that you want; write your own target.", dial(plan, first)))


def dial(plan: Plan, moved: Effect) -> Plan:
    """Tuning over the number alone; the target is the measure as it is, for want of a wish."""
    factor, usual = moved.factor, moved.usual
    return replace(plan, kind="tune", over=f"{factor.key}={factor.low}..{factor.high}",
                   target=f"{moved.metric.id}={usual:.3g}", trials=12, measures=(),
                   lineups=(replace(plan.lineups[0], games=max(100, plan.lineups[0].games)),))


def verdict(plan: Plan, movers: list[list[Effect]]) -> str:
    count = len(factors(plan))
    if not movers:
        return f"None of {count} numbers was seen to move anything."
    told = [f"{moved[0].factor.key} moves {moved[0].metric.words} by {moved[0].said} "
            f"({interval(moved[0].estimate, moved[0].metric.change_unit)}) from "
            f"{moved[0].factor.low} to {moved[0].factor.high}" for moved in movers[:3]]
    return (f"{len(movers)} of {count} numbers {'was' if len(movers) == 1 else 'were'} seen to "
            "move something. "
            f"{capital('; '.join(told))}.")


def picture(movers: list[list[Effect]]) -> Section:
    """The ten strongest numbers, each with the measures it moves most."""
    body = ""
    for moved in movers[:MOST_SHOWN]:
        rows = [(one.metric.id.replace("_", " "),
                 [Dot(sign * one.size, sign * one.size, sign * one.size, 0, one.said)])
                for one in moved[:4]
                for sign in [1 if one.estimate.effect > 0 else -1]]
        cells = [[capital(one.metric.words), one.said,
                  interval(one.estimate, one.metric.change_unit)] for one in moved[:4]]
        body += f"<h3>{moved[0].factor.name}</h3>" + figured(
            dots(rows, moved[0].factor.name, 0.0, unit="serious changes"),
            "In units of a serious change; more is further from the middle.") + table(
            ["", "change", "95 % interval"], cells)
    return Section("The numbers that matter most", "" if body else "None stood out.", body)


def by_measure(found: list[Effect]) -> Section:
    """For each measure the numbers that move it."""
    rows = []
    for metric in dict.fromkeys(one.metric.id for one in found):
        here = sorted((one for one in found if one.metric.id == metric and one.is_shown),
                      key=lambda one: -one.size)
        if here:
            rows.append([capital(here[0].metric.words), listed(
                [f"{one.factor.key} {one.said}" for one in here], 5)])
    return Section("By measure", "What moves each, the strongest first.",
                   table(["", "moved by"], rows, 2))
