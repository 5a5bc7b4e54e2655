"""A run's folder: its plan, chunks while it is played, tables when it is done, replays, report.

Each chunk is written beside its place and then moved there, so whatever stands in the folder is
whole. An interrupted run goes on with the chunks that are missing.
"""

import contextlib
import errno
import pathlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.lab.arms import Arm, Played, joined, measures_of
from exchequer.lab.engines import Engine, Task, tasks_of
from exchequer.lab.plan import Plan, plan_text, read_plan
from exchequer.lab.sheets import Book, Sheet
from exchequer.lab.tables import Tables, tables_of

KEPT = [f"sheet_{name}" for name in Sheet._fields if name != "actions"] + [
    f"book_{name}" for name in Book._fields]


class Folder:
    """Where one run lives."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    @property
    def plan_path(self) -> pathlib.Path:
        return self.path / "plan.toml"

    @property
    def chunks(self) -> pathlib.Path:
        return self.path / "chunks"

    @property
    def replays(self) -> pathlib.Path:
        return self.path / "replays"

    @property
    def report(self) -> pathlib.Path:
        return self.path / "report.html"

    @property
    def tried(self) -> pathlib.Path:
        """What a tuning has played, content by content."""
        return self.path / "tried.json"

    @property
    def is_played(self) -> bool:
        return not self.chunks.exists() and (
            (self.path / "deals.parquet").exists() or self.tried.exists())

    def open(self, plan: Plan, resume: bool) -> None:
        """Lay the plan down; an earlier run is never overwritten."""
        if self.plan_path.exists():
            if not resume:
                raise InputError(f"{self.path} holds a run already; go on with --resume, or give "
                                 "another --out.")
            if read_plan(self.plan_path) != plan:
                raise InputError(f"{self.path} holds a run of another plan; give another --out.")
            return
        with said():
            self.path.mkdir(parents=True, exist_ok=True)
            write(self.plan_path, plan_text(plan).encode())

    # Chunks ------------------------------------------------------------------------------------

    def chunk(self, task: Task) -> pathlib.Path:
        return self.chunks / f"{task.name}.npz"

    def keep(self, task: Task, played: Played) -> None:
        path = self.chunk(task)
        beside = path.with_name(f"{path.stem}.part.npz")
        parts = {f"sheet_{k}": v for k, v in played.sheet._asdict().items() if k != "actions"}
        parts |= {f"book_{k}": v for k, v in played.book._asdict().items()}
        np.savez(beside, **parts)
        beside.replace(path)

    def load(self, task: Task) -> Played:
        with np.load(self.chunk(task)) as data:
            sheet = Sheet(**{name: data[f"sheet_{name}"] for name in Sheet._fields[:-1]},
                          actions=np.zeros(0, np.int32))
            return Played(task.first, sheet, Book(*(data[f"book_{n}"] for n in Book._fields)))

    def play(self, arms: Sequence[Arm], engine: Engine, advance: Callable[[int], None]
             ) -> Tables:
        """Play what is missing and make the tables."""
        if self.is_played:
            return Tables.read(self.path)
        tasks = tasks_of(arms, engine.chunk_size)
        with said():
            self.chunks.mkdir(exist_ok=True)
            missing = [task for task in tasks if not self.chunk(task).exists()]
            advance(sum(task.games for task in tasks) - sum(task.games for task in missing))
            for task, played in engine.played(arms, missing):
                check_sound(arms[task.arm], played)
                self.keep(task, played)
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
class Run:
    """A plan, where it is kept and who plays it."""

    plan: Plan
    folder: Folder
    engine: Engine
    advance: Callable[[int], None] = lambda _: None

    def tables(self, arms: Sequence[Arm]) -> Tables:
        return self.folder.play(arms, self.engine, self.advance)


def check_sound(arm: Arm, played: Played) -> None:
    """A content that breaks the game is no evidence of anything."""
    rows = played.sheet.rows
    for row in rows[rows["fault"] != 0][:1]:
        fault = find_game(arm.game).fault_name(int(row["fault"]))
        raise InputError(f"This content makes the game impossible: game {int(row['seed'])} of "
                         f'"{arm.name}" has the fault {fault} after {row["steps"]} decisions.')


def write(path: pathlib.Path, data: bytes) -> None:
    beside = path.with_name(path.name + ".part")
    beside.write_bytes(data)
    beside.replace(path)


@contextlib.contextmanager
def said() -> Iterator[None]:
    """A disk that is full or closed to us is a sentence; what was written stays."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InputError(f"The disk is full ({error.filename or 'while writing'}). What has "
                             "been played is kept; make room and go on with --resume.") from None
        raise InputError(f"{error.filename}: {error.strerror}.") from None
