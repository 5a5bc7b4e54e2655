"""A playtest read by the lab: people beside bots, what is not clear, what was liked better.

Bots play the same variants. Everything that is claimed is corrected together, as in any run.
"""

import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from exchequer.lab.arms import Arm
from exchequer.lab.folder import StudyRun
from exchequer.lab.people_analysis import PeopleAnalysis, analyse, bots_arm, verdict
from exchequer.lab.people_report import people_report
from exchequer.lab.people_tables import detail_tables
from exchequer.lab.plan import Plan, PlanError, arm_of, lineup_of
from exchequer.lab.playtest import PlaytestData, read_playtest
from exchequer.lab.statistics import mean
from exchequer.lab.strength import match_arms
from exchequer.lab.tables import Tables

FILE = "people.json"
MOST_TOLD = 2000


def plan_from_people(data: PlaytestData, bots: Sequence[str], games: int, seed: int = 0) -> Plan:
    """Bots play each variant of the playtest; without a choice those that people met."""
    met = [one.who for game in data.games for one in game.seats if one.kind == "bot"]
    chosen = list(bots) or list(dict.fromkeys(["greedy", "random", *met]))
    lineups = tuple(lineup_of(one, data.seats, games) for one in chosen)
    arms = data.arms
    other = {"game": data.game, "overlay": arms[1]["for_bots"]} if len(arms) > 1 else {}
    return Plan("people", data.game, data.seats, lineups, seed, arms[0]["for_bots"], other=other,
                names=tuple(arm["name"] for arm in arms), people=FILE)


def arms(plan: Plan) -> list[Arm]:
    """Every line-up in every variant, and bots against each other for the ladder."""
    found = []
    for place in range(1 + bool(plan.other)):
        overlay = plan.other["overlay"] if place else plan.overlay
        found += [arm_of(plan, lineup, bots_arm(plan, lineup, place), overlay=overlay,
                         told=MOST_TOLD) for lineup in plan.lineups]
    return found + match_arms(plan)


def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    path = run.folder.path / (run.plan.people or FILE)
    if not path.exists():
        raise PlanError(f"{path} is missing: a plan of kind people needs its playtest beside it.")
    data = read_playtest(path)
    played = [arm.name for arm in arms(run.plan)]
    bots = Tables.join([run.tables(arms(run.plan)).of(name) for name in played])
    analysis = analyse(data, bots, run.plan)
    if analysis.tables:
        analysis.tables.write(run.folder.path)
    write_details(data, run.folder.path)
    return people_report(analysis), summary(analysis)


def write_details(data: PlaytestData, folder: pathlib.Path) -> None:
    for name, frame in detail_tables(data).items():
        frame.write_parquet(folder / f"{name}.parquet", compression="zstd", statistics=False)


def summary(analysis: PeopleAnalysis) -> dict[str, Any]:
    """What `--json` prints."""
    data = analysis.data
    lengths = np.array([one.seconds / 60 for one in data.games if one.ending], float)
    return {
        "game": data.game, "seats": data.seats, "games": len(data.games),
        "whole_games": analysis.whole, "testers": analysis.clarity.testers,
        "verdict": verdict(analysis), "findings": [one.brief() for one in analysis.findings],
        "minutes": mean(lengths).effect if len(lengths) else None,
        "liked": [{"question": one.question, "means": [e.effect for e in one.means],
                   "gap": one.gap.effect if one.gap else None,
                   "low": one.gap.low if one.gap else None,
                   "high": one.gap.high if one.gap else None, "more_tables": one.more}
                  for one in analysis.opinions],
        "clarity": [{"kind": one.kind, "id": one.id, "share": one.share.effect,
                     "low": one.share.low, "high": one.share.high, "elsewhere": one.elsewhere}
                    for one in analysis.clarity.subjects if one.times][:60],
        "strength": [vars(one) for one in analysis.ratings]}
