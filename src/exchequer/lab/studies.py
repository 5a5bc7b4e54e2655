"""Studies: each kind of plan, from its arms to its report."""

import json
import math
import pathlib
from collections.abc import Callable
from typing import Any, Protocol

from exchequer.core.errors import InputError
from exchequer.core.files import os_errors_as_sentences, write_whole
from exchequer.lab import cards, compare, exploit, people, probe, run, sensitivity, tune
from exchequer.lab.arms import Arm
from exchequer.lab.executors import Executor, Threads
from exchequer.lab.folder import RESUME, Folder, StudyRun
from exchequer.lab.plan import Plan, read_plan


class Study(Protocol):
    """A kind of plan, implemented by the module of that name."""

    def arms(self, plan: Plan) -> list[Arm]:
        """The arms it plays."""

    def conclude(self, run: StudyRun) -> tuple[str, dict[str, Any]]:
        """Play what is missing. Returns the report and what `--json` prints."""


STUDIES: dict[str, Study] = {"run": run, "compare": compare, "cards": cards, "probe": probe,
                             "exploit": exploit, "tune": tune, "sensitivity": sensitivity,
                             "people": people}


def arms_of(plan: Plan) -> list[Arm]:
    return STUDIES[plan.kind].arms(plan)


def games_to_play(plan: Plan) -> int:
    """For a progress bar."""
    return sum(arm.games for arm in arms_of(plan))


def run_study(plan: Plan, folder: Folder, executor: Executor,
              advance: Callable[[int], None] = lambda _: None, resume: bool = False
              ) -> dict[str, Any]:
    """Play a plan into its folder and write its report. Returns what `--json` prints."""
    folder.open(plan, resume)
    return conclude(StudyRun(plan, folder, executor, advance))


def conclude(run: StudyRun) -> dict[str, Any]:
    with os_errors_as_sentences(RESUME):
        html, found = STUDIES[run.plan.kind].conclude(run)
        return finish(run.folder, html, found)


def finish(folder: Folder, html: str, found: dict[str, Any]) -> dict[str, Any]:
    found = finite({**found, "report": str(folder.report)})
    write_whole(folder.path / "summary.json", json.dumps(found, indent=1).encode())
    write_whole(folder.report, html.encode())  # last: whoever sees it finds the summary, too
    return found


def finite(value: Any) -> Any:
    """JSON has no infinity: the end of an unbounded interval becomes null."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def report_again(path: pathlib.Path) -> dict[str, Any]:
    """Recreate a run's report from its folder."""
    folder = Folder(path)
    if not folder.plan_path.exists():
        raise InputError(f"{path} is not a run of the lab: there is no plan.toml in it.")
    plan = read_plan(folder.plan_path)
    if not folder.is_played:
        raise InputError(f"The run in {path} is not finished; continue it with "
                         f"`exchequer lab run {folder.plan_path} --out {path} --resume`.")
    return conclude(StudyRun(plan, folder, Threads()))
