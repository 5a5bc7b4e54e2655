"""Probing a game: constrained bots play in odd ways to see whether something breaks."""

import pathlib
from dataclasses import replace
from typing import Any

import polars as pl

from exchequer.core.measures import measures_of
from exchequer.lab import levers
from exchequer.lab.arms import Arm
from exchequer.lab.claims import (
    Rung,
    empty_decisions,
    endless,
    returning,
    runaway,
    settled_early,
)
from exchequer.lab.extremes import extremes, write_game
from exchequer.lab.findings import Claim, Finding, findings_of, ranked
from exchequer.lab.folder import StudyRun
from exchequer.lab.levers import FREE_ARM, Trial, changes, outcome_of
from exchequer.lab.next_steps import with_next_steps
from exchequer.lab.pages import PROMISE, SMALL, Section, figured, page, table, with_interval
from exchequer.lab.plan import LineUp, Plan, arm_of, command_of
from exchequer.lab.plots import Dot, dots, legend
from exchequer.lab.statistics import mean_beyond, share, share_beyond
from exchequer.lab.tables import Tables
from exchequer.lab.words import a_bot, capital, counted_seats, interval, number, points, signed

WAYS = ("denied", "always")
RANDOM_ARM = "random"
BEATS = 0.02  # a bot held to one thing should not win so much more than a free one
NEEDS = 0.15  # being denied a thing should not cost more wins than this
MOST_DRAWN = 9  # ways in the picture beside the verdict
STALL = 60  # decisions in one turn that nobody wants to sit through


def arms(plan: Plan) -> list[Arm]:
    wild = LineUp(("random",) * plan.seats, plan.lineups[0].games * 4)
    return [*levers.arms(plan, WAYS), arm_of(plan, wild, RANDOM_ARM)]


def rungs(plan: Plan, tables: Tables) -> list[Rung]:
    """Random play, then the plan's bots without constraints, weakest first."""
    measures = measures_of(plan.the_game)
    wild = Rung(RANDOM_ARM, ("random",) * plan.seats, tables.of(RANDOM_ARM), measures)
    return [wild, *(Rung(lineup.name, lineup.bots, tables.of(levers.arm_name(lineup, FREE_ARM)),
                         measures) for lineup in levers.ordered(plan, tables)
                    if lineup.name != RANDOM_ARM)]


def claims(plan: Plan, tables: Tables) -> list[Claim]:
    """The claims tested on free and random play, and on every trial."""
    found = []
    for rung in rungs(plan, tables):
        found += [*endless(rung), *returning(rung), *empty_decisions(rung), *stalls(rung)]
        if plan.seats > 1:
            found += [*runaway(rung), *settled_early(rung)]
    for lineup in levers.ordered(plan, tables):
        found += [strategy(plan, tables, lineup, trial) for trial in levers.trials(plan, WAYS)]
    return found


def stalls(rung: Rung) -> list[Claim]:
    """Turns so long that the other players lose interest."""
    games = rung.tables.games
    found = share_beyond((games["longest"] > STALL).sum(), len(games), 0.01)
    return [Claim("stall", rung.name, found, f"Turns can drag on: in {100 * found.effect:.1f} % of "
                  f"games between {rung.name} bots a turn took more than {STALL} decisions.",
                  0.01, 0.05)]


def strategy(plan: Plan, tables: Tables, lineup: LineUp, trial: Trial) -> Claim:
    """Is always doing one thing better than choosing? Can nobody do without another?"""
    base, tried = (tables.of(levers.arm_name(lineup, name)) for name in (FREE_ARM, trial.arm))
    change = changes(base, tried, outcome_of(plan.seats)).astype(float)
    is_share, name = plan.seats > 1, trial.name
    size = 1.0 if is_share else max(1.0, float(abs(base.seats["score"]).mean()))  # type: ignore[arg-type]
    if trial.way == "always":
        bound = BEATS * size
        found = mean_beyond(change, bound, True, size)
        text = (f"{capital(name)} whenever possible beats choosing: {a_bot(lineup.name)} held to "
                f"it gains {points(found.effect, is_share)} over one that is free.")
    else:
        bound = -NEEDS * size
        found = mean_beyond(change, bound, False, size)
        text = (f"Nobody can do without {name}: {a_bot(lineup.name)} that is denied it loses "
                f"{points(found.effect, is_share)}.")
    found = levers.possible(found, base, outcome_of(plan.seats))
    return Claim(f"{trial.way}-{trial.group}-{trial.thing}", lineup.name, found,
                 text, bound, 0.1 * size, unit="difference" if is_share else "points",
                 topic=trial.thing)


# Replays -----------------------------------------------------------------------------------------

def game_that_shows(tables: Tables, finding: Finding, every: dict[str, Arm]) -> tuple[Arm, int]:
    """The arm and number of the game that shows the finding best."""
    way, _, rest = finding.id.partition("-")
    bots, trial = finding.arm or RANDOM_ARM, f"{way} {rest.replace('-', '/', 1)}"
    arm = next(every[name] for name in (f"{bots}: {trial}", f"{bots}: {FREE_ARM}", RANDOM_ARM)
               if name in every)
    part = tables.of(arm.name)
    column = {"endless": "steps", "loop": "revisits", "stall": "longest"}.get(finding.id)
    if column:
        return arm, int(part.games.sort(column, "game", descending=[True, False])["game"][0])
    if arm.constraints:
        subject = part.seats.filter(pl.col("entrant") == 0)
        wins = way == "always"
        ordered = subject.sort("share", "score", "game", descending=[wins, wins, False])
        return arm, int(ordered["game"][0])
    return arm, next((e.game for e in extremes(arm, part)
                      if e.why in ("widest margin", "best run")), 0)


def with_replays(plan: Plan, tables: Tables, findings: list[Finding], folder: pathlib.Path
                 ) -> list[Finding]:
    every = {arm.name: arm for arm in arms(plan)}
    shown = []
    for finding in findings:
        arm, game = game_that_shows(tables, finding, every)
        write_game(arm, game, folder / finding.file)
        shown.append(replace(finding, replay=f"replays/{finding.file}"))
    return shown


# The report --------------------------------------------------------------------------------------

def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    plan, tables = run.plan, run.tables(arms(run.plan))
    free = rungs(plan, tables)
    order = [rung.name for rung in free]
    found = findings_of(claims(plan, tables), order.index)
    best = ",".join(levers.ordered(plan, tables)[-1].bots)
    named = [replace(one, things=one.things or (one.topic,)) for one in found]
    told = with_replays(plan, tables, with_next_steps(plan, ranked(named), best),
                        run.folder.replays)
    words = verdict(plan, free[-1].name, told)
    sections = [*(ways_section(plan, tables, lineup)
                  for lineup in reversed(levers.ordered(plan, tables))), endings_section(free)]
    html = page(f"{plan.title}: probed for weaknesses",
                f"{counted_seats(plan.seats)}, {number(len(tables.games))} games: "
                f"{levers.games_each(plan)}.", sections, told, words,
                PROMISE + " Each finding comes with a replay that shows it.",
                picture=picture(plan, tables), command=command_of(plan),
                details=f"Seeds from {plan.seed}.",
                bots=tuple(lineup.name for lineup in plan.lineups))
    report = {"game": plan.game, "seats": plan.seats, "games": len(tables.games), "verdict": words,
              "findings": [finding.brief() for finding in told]}
    return html, report


def verdict(plan: Plan, best: str, told: list[Finding]) -> str:
    """Whether doing one thing beats choosing, and what else broke."""
    count = len(trials := levers.trials(plan, WAYS))
    beats = [one for one in told if one.id.startswith("always-") and one.arm == best]
    opening = (f"{count} odd ways of playing were tried on {best} bots, and "
               f"{len(beats) or 'none'} of them {'beats' if len(beats) == 1 else 'beat'} choosing "
               "freely." if trials else "")
    return " ".join(filter(None, [opening, *(one.text for one in told[:3])]))


def picture(plan: Plan, tables: Tables) -> str:
    """On the first screen: which way of playing comes closest to beating the strongest bots."""
    lineup, outcome = levers.ordered(plan, tables)[-1], outcome_of(plan.seats)
    unit = "difference" if plan.seats > 1 else "points"
    base = tables.of(levers.arm_name(lineup, FREE_ARM))
    found = [(trial, levers.effect(base, tables.of(levers.arm_name(lineup, trial.arm)), outcome))
             for trial in levers.trials(plan, WAYS)]
    found.sort(key=lambda one: -one[1].effect)
    rows = [(f"{'never' if trial.way == 'denied' else 'always'} {trial.name}",
             [Dot(e.effect, e.low, e.high, WAYS.index(trial.way), interval(e, unit))])
            for trial, e in found[:MOST_DRAWN]]
    what = "percentage points of wins" if unit == "difference" else "points"
    return figured(dots(rows, "What comes closest", 0.0, unit, width=SMALL),
                   f"What comes closest to beating free {lineup.name} bots, in {what}. The best "
                   f"of {len(found)} may look good by luck alone.") if rows else ""


def ways_section(plan: Plan, tables: Tables, lineup: LineUp) -> Section:
    """Every trial, denied and always, as a change in the subject's result."""
    outcome, is_share = outcome_of(plan.seats), plan.seats > 1
    base = tables.of(levers.arm_name(lineup, FREE_ARM))
    rows: dict[tuple[str, str], list[Dot]] = {}
    for trial in levers.trials(plan, WAYS):
        e = levers.effect(base, tables.of(levers.arm_name(lineup, trial.arm)), outcome)
        rows.setdefault((trial.group, trial.thing), []).append(
            Dot(e.effect, e.low, e.high, WAYS.index(trial.way), signed(e.effect, is_share)))
    body = legend(["never does it", "always does it when possible"])
    for group in dict.fromkeys(group for group, _ in rows):
        drawn = sorted(((thing.replace("_", " "), found) for (g, thing), found in rows.items()
                        if g == group), key=lambda row: row[1][0].value)
        body += f"<h3>{capital(group)}</h3>" + figured(
            dots(drawn, f"Constrained {group}", 0.0, "difference" if is_share else "points"), "")
    return Section(f"Odd ways of playing, {lineup.name} bots", "How a bot's result changes when it "
                   "must play this way, compared with the same games when it was free to choose.",
                   body)


def endings_section(free: list[Rung]) -> Section:
    rows = []
    for rung in free:
        games = rung.tables.games
        n = len(games)
        rows.append([rung.name, number(n),
                     with_interval(share((games["ending"] == "unfinished").sum(), n)),
                     with_interval(share((games["revisits"] > 0).sum(), n)),
                     number(int(games["longest"].max() or 0)),  # type: ignore[arg-type]
                     number(int(games["steps"].max() or 0))])  # type: ignore[arg-type]
    return Section("Loops and stalls", "", table(
        ["bots", "games", "did not end", "repeated a position", "longest turn, decisions",
         "longest game, decisions"], rows))
