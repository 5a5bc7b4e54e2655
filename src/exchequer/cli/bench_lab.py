"""Speed of the lab: whole runs with their reports, and the gain from a second core."""

import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any

from exchequer.cli.bench import machine
from exchequer.core.game import Game
from exchequer.lab.arms import Arm
from exchequer.lab.executors import Threads, tasks_of

RUNS = {"greedy": 10_000, "random": 1_000_000}  # goals: one minute, two minutes
SCALING = {"greedy": 16_000, "random": 100_000}


def bench_lab(games: list[Game], with_peers: bool) -> dict[str, Any]:
    """For each game: two runs of the command line, and games/s on one core and on two."""
    return {"machine": machine(), "games": {game.name: bench_game(game) for game in games}}


def bench_game(game: Game) -> dict[str, Any]:
    seats = game.seats[0]
    Threads().prepare([Arm("warm", game.name, ("random",) * seats, 0)])
    found: dict[str, Any] = {}
    for bot, count in RUNS.items():
        seconds = whole_run(game, bot, count)
        found[f"run_{bot}"] = {"games": count, "seconds": seconds, "games_per_s": count / seconds}
    for bot, count in SCALING.items():
        arm = Arm(bot, game.name, (bot,) * seats, count)
        one, two = (count / played_in(arm, workers) for workers in (1, 2))
        found[f"scaling_{bot}"] = {"games": count, "one_core_games_per_s": one,
                                   "two_cores_games_per_s": two, "efficiency": two / one / 2}
    return found


def whole_run(game: Game, bot: str, count: int) -> float:
    """Seconds of `exchequer lab run` in a process of its own, tables and report included."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "exchequer", "lab", "run", game.name, "--bots", bot,
                        "--games", str(count), "--out", str(pathlib.Path(folder) / "run"),
                        "--json"], check=True, capture_output=True)
        return time.perf_counter() - began


def played_in(arm: Arm, workers: int) -> float:
    began = time.perf_counter()
    executor = Threads(workers)
    for _ in executor.played([arm], tasks_of([arm], executor.chunk_size)):
        pass
    return time.perf_counter() - began


def print_lab(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(report["machine"])
    table = Table("the lab", "games", "seconds", "games/s", box=None)
    for name, found in report["games"].items():
        for bot in RUNS:
            run = found[f"run_{bot}"]
            table.add_row(f"{name}, {bot}, with report", f"{run['games']:,}",
                          f"{run['seconds']:.1f}", f"{run['games_per_s']:,.0f}")
        for bot in SCALING:
            run = found[f"scaling_{bot}"]
            table.add_row(f"{name}, {bot}, two cores", f"{run['games']:,}",
                          f"efficiency {100 * run['efficiency']:.0f} %",
                          f"{run['two_cores_games_per_s']:,.0f}")
    console.print(table)
