"""Two variants or editions on the same seeds: paired differences and a verdict in words."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from exchequer.core.content import flat
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.measures import measures_of
from exchequer.lab.arms import Arm
from exchequer.lab.claims import Rung
from exchequer.lab.findings import Claim, Finding, findings_of, ranked
from exchequer.lab.folder import StudyRun
from exchequer.lab.metrics import Metric, inequality_at_end, metrics_of, of_entrant
from exchequer.lab.pages import PROMISE, Section, figured, page, table
from exchequer.lab.plan import LineUp, Plan, arm_of, command_of
from exchequer.lab.plots import Dot, Series, dots, histogram, legend, lines
from exchequer.lab.report import binned, curve
from exchequer.lab.statistics import mean, noticeable, share
from exchequer.lab.tables import Tables
from exchequer.lab.words import (
    between,
    capital,
    counted_seats,
    figure,
    listed,
    number,
    percent,
    round_up,
    signed,
)

SIDES = ("A", "B")
TWO_POINTS = 0.02


def arms(plan: Plan) -> list[Arm]:
    return [side_arm(plan, lineup, side) for lineup in plan.lineups for side in SIDES]


def side_arm(plan: Plan, lineup: LineUp, side: str) -> Arm:
    name = f"{side}: {lineup.name}"
    if side == "A":
        return arm_of(plan, lineup, name)
    return arm_of(plan, lineup, name, game=games_of(plan)[1].name,
                  overlay=plan.other.get("overlay", {}))


def games_of(plan: Plan) -> tuple[Game, Game]:
    return plan.the_game, find_game(plan.other.get("game", plan.game))


def shared_metrics(plan: Plan) -> list[Metric]:
    """Metrics that both sides have: editions of a game share only some of their measures."""
    a, b = (metrics_of(measures_of(game), plan.seats,
                       [e.name.lower() for e in list(game.endings)[1:]])
            for game in games_of(plan))
    return [metric for name, metric in a.items() if name in b and metric.unit == b[name].unit]


def metrics_for(plan: Plan, lineup: LineUp) -> list[Metric]:
    """Of two seats one says it all."""
    if not lineup.is_mixed:
        return [metric for metric in shared_metrics(plan)
                if plan.seats != 2 or metric.id != "seat_1"]
    return [Metric("skill", f"the win share of {lineup.bots[0]} against "
                   f"{listed(sorted(set(lineup.bots[1:])))}", "share", 0.1, of_entrant)]


def pairs(metric: Metric, a: Tables, b: Tables) -> pl.DataFrame:
    """The metric on both sides of every deal."""
    return metric.values(a).join(metric.values(b), on="deal", suffix="_b").drop_nulls()


def claims(plan: Plan, tables: Tables) -> list[Claim]:
    found = []
    for lineup in plan.lineups:
        a, b = (tables.of(f"{side}: {lineup.name}") for side in SIDES)
        for metric in metrics_for(plan, lineup):
            found += difference(plan, lineup, metric, pairs(metric, a, b))
    return found


def difference(plan: Plan, lineup: LineUp, metric: Metric, frame: pl.DataFrame) -> list[Claim]:
    if len(frame) < 4:
        return []
    found = mean((frame["value_b"] - frame["value"]).to_numpy(), 0.0, 1.0)
    was, now = float(frame["value"].mean()), float(frame["value_b"].mean())  # type: ignore[arg-type]
    text = (f"{capital(metric.words)} is {'higher' if found.effect > 0 else 'lower'} in "
            f"{(plan.names or SIDES)[1]}: {figure(now, metric.unit)} instead of "
            f"{figure(was, metric.unit)} ({signed(found.effect, metric.is_share)}) between "
            f"{lineup.name} bots.")
    size = 1.0 if metric.is_share else max(abs(was), abs(now), 1e-9)
    return [Claim(metric.id, lineup.name, found, text, 0.0, metric.scale * size,
                  unit=metric.change_unit)]


# The report --------------------------------------------------------------------------------------

def title(plan: Plan) -> str:
    """Two variants are named with their game, two games by themselves."""
    first, second = plan.names or SIDES
    is_one_game = plan.other.get("game", plan.game) == plan.game
    return (f"{plan.the_game.title}: " if is_one_game else "") + f"{first} against {second}"


def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    plan, tables = run.plan, run.tables(arms(run.plan))
    order = {lineup.name: place for place, lineup in enumerate(plan.lineups)}
    every = claims(plan, tables)
    findings = ranked(findings_of(every, order.__getitem__))
    words = verdict(plan, findings, every)
    sections = [side_by_side(plan, tables, every), *(pictures(plan, tables))]
    html = page(title(plan), subtitle(plan), sections, findings, words,
                PROMISE + " Differences are second minus first, on the same seeds.",
                command=command_of(plan))
    report = {"game": plan.game, "other": plan.other.get("game", plan.game), "seats": plan.seats,
              "games": len(tables.games), "verdict": words,
              "findings": [finding.brief() for finding in findings],
              "differences": [{"measure": c.id, "bots": c.arm, "effect": c.estimate.effect,
                               "low": c.estimate.low, "high": c.estimate.high, "n": c.estimate.n}
                              for c in every]}
    return html, report


def subtitle(plan: Plan) -> str:
    lineups = listed([f"{one.name} ({number(one.games)} on each side)" for one in plan.lineups])
    return (f"{counted_seats(plan.seats)}, the same seeds from {plan.seed}: {lineups}. "
            f"First: {described(plan.game, plan.overlay)}. "
            f"Second: {described(plan.other.get('game', plan.game), plan.other.get('overlay'))}.")


def described(game: str, overlay: Any) -> str:
    """A side by its game and how it differs from the game as it ships."""
    changes = [f"{key} = {value}" for key, value in flat(overlay or {})]
    return f"{find_game(game).title}{' with ' + listed(changes) if changes else ' as it ships'}"


def verdict(plan: Plan, findings: Sequence[Finding], every: Sequence[Claim]) -> str:
    """One paragraph: what changed, what did not, and how large an unseen change could be."""
    names = plan.names or SIDES
    if contents(plan)[0] == contents(plan)[1]:
        return f"{capital(names[0])} and {names[1]} are the same game with the same numbers."
    if not findings:
        return (f"No difference between {names[0]} and {names[1]} could be shown. "
                + hidden(every))
    grave = [finding for finding in findings if finding.importance >= 1]
    opening = (f"{capital(names[1])} plays differently from {names[0]}"
               if grave else f"{capital(names[1])} plays much like {names[0]}; the "
                             "differences are small")
    told = " ".join(finding.text for finding in (grave or findings)[:4])
    shown = {finding.id for finding in findings}
    quiet = sorted({metric.words for lineup in plan.lineups for metric in metrics_for(plan, lineup)
                    if metric.id not in shown})
    rest = f" No difference could be shown in {listed(quiet, 6)}." if quiet else ""
    return f"{opening}. {told}{rest} {hidden(every)}"


def contents(plan: Plan) -> list[tuple[str, str]]:
    """Both sides by their game and numbers."""
    overlays = plan.overlay, plan.other.get("overlay", {})
    return [(game.name, game.content(overlay).hash)
            for game, overlay in zip(games_of(plan), overlays, strict=True)]


def hidden(every: Sequence[Claim]) -> str:
    """What would probably have been noticed, and what would be needed to notice two points."""
    seats = [claim.estimate for claim in every if claim.id.startswith("seat_")]
    if not seats or not np.isfinite(max(one.half for one in seats)):
        return ""
    widest = max(seats, key=lambda one: one.half)
    noticed = noticeable(widest, len(every))
    needed = math.ceil(widest.n * (noticed / TWO_POINTS) ** 2)
    return (f"A change in a seat's win share would have been noticed four times in five if it were "
            f"{100 * noticed:.1f} percentage points or more; to notice two points as surely, play "
            f"about {number(round_up(needed))} games on each side.")


def side_by_side(plan: Plan, tables: Tables, every: Sequence[Claim]) -> Section:
    names = plan.names or SIDES
    rows: list[Sequence[Any]] = []
    for lineup in plan.lineups:
        a, b = (tables.of(f"{side}: {lineup.name}") for side in SIDES)
        for metric in metrics_for(plan, lineup):
            claim = next((c for c in every if c.id == metric.id and c.arm == lineup.name), None)
            if claim is None:
                continue
            found = pairs(metric, a, b)
            rows.append([capital(metric.words), lineup.name,
                         *(figure(float(found[c].mean()), metric.unit)  # type: ignore[arg-type]
                           for c in ("value", "value_b")),
                         signed(claim.estimate.effect, metric.is_share),
                         between(claim.estimate, metric.is_share), number(claim.estimate.n)])
    return Section("Side by side", "Differences are means over pairs of games that began alike.",
                   table(["", "bots", names[0], names[1], "difference", "95 % interval", "pairs"],
                         rows, 2))


def pictures(plan: Plan, tables: Tables) -> list[Section]:
    """Seats, length and main resources of both sides, for the last line-up of identical bots."""
    equal = [lineup for lineup in plan.lineups if not lineup.is_mixed]
    if not equal:
        return []
    names, rows, counts = plan.names or SIDES, [], []
    rungs = []
    for side, name, game in zip(SIDES, names, games_of(plan), strict=True):
        part = tables.of(f"{side}: {equal[-1].name}")
        rungs.append(Rung(name, equal[-1].bots, part, measures_of(game)))
        if plan.seats > 1:
            shares = [share(rows_["share"].sum(), len(rows_)) for seat in range(plan.seats)
                      for rows_ in [part.seats.filter(pl.col("seat") == seat)]]
            rows.append((name, [Dot(e.effect, e.low, e.high, seat, percent(e.effect))
                                for seat, e in enumerate(shares)]))
        counts.append((name, binned(part.games["turns"])))
    body = legend(names)
    body += figured(histogram(counts, "Length", rungs[0].measures.turns),
                    f"Length in {rungs[0].measures.turns}: share of games.")
    if rows:
        body += figured(dots(rows, "Share of wins by seat", 1 / plan.seats),
                        "Share of wins by seat.")
    parts = [f"<div><h3>{capital(name)}</h3>"
             f"{lines([both(rung, name) for rung in rungs], name, width=300, height=150)}</div>"
             for name in rungs[0].measures.resources if name in rungs[1].measures.resources]
    body += f'<div class="many">{"".join(parts)}</div>'
    if plan.seats > 1:
        gini = listed([f"{percent(inequality_at_end(rung.tables))} in {rung.name}"
                       for rung in rungs])
        body += f"<p>Inequality between the seats at the end (Gini): {gini}.</p>"
    return [Section("Pictures", f"Between {equal[-1].name} bots.", body)]


def both(rung: Rung, resource: str) -> Series:
    """A resource by turn, as the mean of all seats."""
    curves = [curve(rung, resource, seat) for seat in range(rung.seats)]
    return Series(rung.name, curves[0].xs, np.mean([c.ys for c in curves], axis=0).tolist())
