"""A plain run: every line-up plays the game as it is, and the report shows every measure."""

from typing import Any

from exchequer.lab.analysis import analyse, arms_to_show, summary
from exchequer.lab.arms import Arm
from exchequer.lab.extremes import write_extremes
from exchequer.lab.folder import StudyRun
from exchequer.lab.plan import Plan, lineup_arms
from exchequer.lab.report import run_report
from exchequer.lab.strength import match_arms
from exchequer.lab.verdict import verdict


def arms(plan: Plan) -> list[Arm]:
    return [*lineup_arms(plan), *match_arms(plan)]


def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    plan, folder, tables = run.plan, run.folder, run.tables(arms(run.plan))
    for arm in arms_to_show(plan):
        write_extremes(arm, tables.of(arm.name), folder.replays)
    analysis = analyse(plan, tables, folder.replays)
    return run_report(analysis), summary(analysis, verdict(analysis), folder.report)
