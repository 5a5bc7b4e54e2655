"""Studies: every kind of plan, from its arms to its report."""

import json
import math
import pathlib
from collections.abc import Callable
from typing import Any

from exchequer.core.errors import InputError
from exchequer.lab import cards, compare, probe, tune
from exchequer.lab.analysis import analyse, arms_to_show, summary
from exchequer.lab.arms import Arm
from exchequer.lab.engines import Engine, Threads
from exchequer.lab.extremes import write_extremes
from exchequer.lab.folder import Folder, said, write
from exchequer.lab.plan import Plan, arm_of, command_of, read_plan, run_arms
from exchequer.lab.report import run_report
from exchequer.lab.tables import Tables

Advance = Callable[[int], None]


def arms_of(plan: Plan) -> list[Arm]:
    if plan.kind == "tune":
        return [arm_of(plan, plan.lineups[0], "tuned")]
    makers = {"run": run_arms, "compare": compare.arms, "cards": cards.arms, "probe": probe.arms}
    return makers[plan.kind](plan)


def games_to_play(plan: Plan) -> int:
    """For a progress bar."""
    if plan.kind == "tune":
        return plan.trials * plan.lineups[0].games
    return sum(arm.games for arm in arms_of(plan))


def run_study(plan: Plan, folder: Folder, engine: Engine, advance: Advance = lambda _: None,
              resume: bool = False) -> dict[str, Any]:
    """Play a plan into its folder and write its report. Returns what `--json` prints."""
    folder.open(plan, resume)
    if plan.kind == "tune":
        return run_tuning(plan, folder, engine, advance)
    tables = folder.play(arms_of(plan), engine, advance)
    return conclude(plan, folder, tables)


def conclude(plan: Plan, folder: Folder, tables: Tables) -> dict[str, Any]:
    """Replays, report and summary from the tables alone."""
    with said():
        if plan.kind == "run":
            for arm in arms_to_show(plan):
                write_extremes(arm, tables.of(arm.name), folder.replays)
            analysis = analyse(plan, tables, folder.replays)
            html, found = run_report(analysis), summary(analysis, folder.report)
        elif plan.kind == "probe":
            html, found = probe.conclude(plan, tables, command_of(plan), folder.replays)
        else:
            maker = compare.conclude if plan.kind == "compare" else cards.conclude
            html, found = maker(plan, tables, command_of(plan))
        return finish(folder, html, found)


def finish(folder: Folder, html: str, found: dict[str, Any]) -> dict[str, Any]:
    write(folder.report, html.encode())
    found = finite({**found, "report": str(folder.report)})
    write(folder.path / "summary.json", json.dumps(found, indent=1).encode())
    return found


def finite(value: Any) -> Any:
    """JSON knows no infinity: an interval without an end becomes null."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def run_tuning(plan: Plan, folder: Folder, engine: Engine, advance: Advance) -> dict[str, Any]:
    tuner = tune.Tuner(plan, engine, advance, folder.path / "tried.json")
    tuner.search()
    html, found = tune.conclude(tuner, tuner.confirm())
    with said():
        return finish(folder, html, found)


def report_again(path: pathlib.Path) -> dict[str, Any]:
    """Make a run's report again from its folder."""
    folder = Folder(path)
    if not folder.plan_path.exists():
        raise InputError(f"{path} holds no run of the lab: there is no plan.toml in it.")
    plan = read_plan(folder.plan_path)
    if plan.kind == "tune":
        return run_tuning(plan, folder, Threads(), lambda _: None)
    if not folder.is_played:
        raise InputError(f"The run in {path} is not finished; go on with "
                         f"`exchequer lab run {folder.plan_path} --out {path} --resume`.")
    return conclude(plan, folder, Tables.read(path))
