"""A run's folder: its plan, chunks while it is played, tables when it is done, replays, report.

Files are written whole or not at all, so an interrupted run can continue with the chunks that are
missing.
"""

import pathlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from exchequer.core.errors import InputError
from exchequer.core.files import os_errors_as_sentences, replacing, write_whole
from exchequer.core.find import find_game
from exchequer.core.measures import measures_of
from exchequer.lab.arms import Arm, Chunk, joined
from exchequer.lab.executors import Executor, Task, tasks_of
from exchequer.lab.live import Live
from exchequer.lab.plan import Plan, plan_text, read_plan
from exchequer.lab.recording import Rows, Sums
from exchequer.lab.tables import Tables, tables_of

RESUME = "continue with --resume"


class Folder:
    """Where one run lives."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.plan_path = path / "plan.toml"
        self.chunks = path / "chunks"
        self.replays = path / "replays"
        self.report = path / "report.html"
        self.live = path / "live.json"
        self.tried = path / "tried.json"  # what tuning has played so far, content by content

    @property
    def is_played(self) -> bool:
        return not self.chunks.exists() and (
            (self.path / "deals.parquet").exists() or self.tried.exists())

    def open(self, plan: Plan, resume: bool) -> None:
        """Write the plan; an earlier run is never overwritten."""
        if self.plan_path.exists():
            if not resume:
                raise InputError(f"{self.path} already holds a run; continue it with --resume, or "
                                 "choose another --out.")
            if read_plan(self.plan_path) != plan:
                raise InputError(f"{self.path} holds a run of another plan; choose another --out.")
            return
        with os_errors_as_sentences(RESUME):
            self.path.mkdir(parents=True, exist_ok=True)
            write_whole(self.plan_path, plan_text(plan).encode())

    # Chunks ------------------------------------------------------------------------------------

    def chunk_path(self, task: Task) -> pathlib.Path:
        return self.chunks / f"{task.name}.npz"

    def keep(self, task: Task, chunk: Chunk) -> None:
        parts = {f"rows_{k}": v for k, v in chunk.rows._asdict().items() if k != "actions"}
        parts |= {f"sums_{k}": v for k, v in chunk.sums._asdict().items()}
        with replacing(self.chunk_path(task)) as part, part.open("wb") as file:
            np.savez(file, **parts)

    def load(self, task: Task) -> Chunk:
        with np.load(self.chunk_path(task)) as data:
            rows = Rows(**{name: data[f"rows_{name}"] for name in Rows._fields[:-1]},
                          actions=np.zeros(0, np.int32))
            return Chunk(task.first, rows, Sums(*(data[f"sums_{n}"] for n in Sums._fields)))

    def play(self, arms: Sequence[Arm], executor: Executor, advance: Callable[[int], None]
             ) -> Tables:
        """Play what is missing and make the tables."""
        if self.is_played:
            return Tables.read(self.path)
        tasks = tasks_of(arms, executor.chunk_size)
        with os_errors_as_sentences(RESUME):
            self.chunks.mkdir(exist_ok=True)
            missing = [task for task in tasks if not self.chunk_path(task).exists()]
            live = Live(self.live, arms, sum(task.games for task in tasks))
            for task in tasks:
                if task not in missing:
                    live.add(task.arm, self.load(task), is_new=False)
            advance(live.played)
            for task, chunk in executor.played(arms, missing):
                check_sound(arms[task.arm], chunk)
                self.keep(task, chunk)
                live.add(task.arm, chunk)
                live.write()
                advance(task.games)
            tables = self.merge(arms, tasks)
            tables.write(self.path)
            shutil.rmtree(self.chunks)
        return tables

    def merge(self, arms: Sequence[Arm], tasks: Sequence[Task]) -> Tables:
        parts = []
        for number, arm in enumerate(arms):
            game = find_game(arm.game)
            whole = joined([self.load(task) for task in tasks if task.arm == number])
            parts.append(tables_of(arm, whole, game, measures_of(game)))
        return Tables.join(parts)


@dataclass(frozen=True)
class StudyRun:
    """A plan, its folder, and the executor that plays it."""

    plan: Plan
    folder: Folder
    executor: Executor
    advance: Callable[[int], None] = lambda _: None

    def tables(self, arms: Sequence[Arm]) -> Tables:
        return self.folder.play(arms, self.executor, self.advance)


def check_sound(arm: Arm, chunk: Chunk) -> None:
    """Refuse results of a content that breaks the game."""
    rows = chunk.rows.games
    for row in rows[rows["fault"] != 0][:1]:
        fault = find_game(arm.game).fault_name(int(row["fault"]))
        raise InputError(f"The game cannot be played with this content: the game with seed "
                         f'{int(row["seed"])} of "{arm.name}" has the fault {fault} after '
                         f'{row["steps"]} decisions.')
