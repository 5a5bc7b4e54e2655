"""Speed and size on one core, and those of peers in the same run; figures are medians."""

import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.game import Game
from exchequer.core.progress import prepare

RUNS = 5
TARGET_SECONDS = 0.5  # how long one run should last
COPIES = 1_000_000

START = """
import json, sys, time
began = time.perf_counter()
import numpy as np
from exchequer.core.find import find_game
game = find_game(sys.argv[1])
engine = game.engine()
engine.prepare()
engine.run_batch(game.content().record, game.seats[0], np.zeros(1, np.uint64), game.step_limit)
print(json.dumps(time.perf_counter() - began))
"""


def bench_games(games: list[Game], with_peers: bool) -> dict[str, Any]:
    from exchequer.cli.peers import bench_peers

    figures: dict[str, dict[str, Any]] = {game.name: bench_game(game) for game in games}
    compile_s, starts = start_times(games)
    for name, seconds in starts.items():
        figures[name]["load_s"] = seconds
    peers = bench_peers(list(figures)) if with_peers else {}
    for name, entry in figures.items():
        entry["times"] = {peer: entry["steps_per_s"] / found["steps_per_s"]
                          for peer, found in peers.items() if name in found["like"]}
    return {"machine": machine(), "compile_s": compile_s, "games": figures, "peers": peers}


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines()
                 if line.startswith("model name")]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def bench_game(game: Game) -> dict[str, float]:
    speed = bench_play(game)
    engine, states = game.engine(Mode.COMPILED), np.zeros(1024, game.state)
    engine.copy_many(states, 1)
    copy = median_seconds(lambda: engine.copy_many(states, COPIES)) / COPIES
    return speed | {"state_bytes": game.state.itemsize, "copy_ns": 1e9 * copy}


def bench_play(game: Game) -> dict[str, float]:
    """Random games in the compiled loop, on one core."""
    prepare(game)
    engine, content = game.engine(Mode.COMPILED), game.content().record
    seats = game.seats[0]

    def batch(games: int) -> int:
        seeds = np.arange(games, dtype=np.uint64)
        return engine.run_batch(content, seats, seeds, game.step_limit)[2]

    games = games_for(TARGET_SECONDS, batch)
    steps = batch(games)
    seconds = median_seconds(lambda: batch(games))
    return {"steps_per_s": steps / seconds, "games_per_s": games / seconds,
            "ns_per_step": 1e9 * seconds / steps, "moves_per_game": steps / games, "seats": seats}


def games_for(seconds: float, batch: Callable[[int], Any]) -> int:
    """How many games take about that long."""
    batch(1)  # loads the machine code
    games = 16
    while True:
        began = time.perf_counter()
        batch(games)
        spent = time.perf_counter() - began
        if spent > seconds / 4:
            return max(1, int(games * seconds / spent))
        games *= 4


def median_seconds(work: Callable[[], Any]) -> float:
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def start_times(games: list[Game]) -> tuple[float, dict[str, float]]:
    """Seconds to compile all the games on all cores, and of each to the first game of a new
    process then.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "EXCHEQUER_CACHE": folder, "EXCHEQUER_PYTHON": ""}

        def output(*arguments: str) -> str:
            return subprocess.run([sys.executable, *arguments], env=environment, check=True,
                                  capture_output=True, text=True).stdout

        began = time.perf_counter()
        output("-m", "exchequer", "warm", *(game.name for game in games))
        compile_s = time.perf_counter() - began
        return compile_s, {game.name: statistics.median(
            json.loads(output("-c", START, game.name)) for _ in range(RUNS)) for game in games}


def print_games(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(report["machine"])
    figures = ("steps_per_s", "games_per_s", "ns_per_step", "state_bytes", "copy_ns", "load_s")
    table = Table("game, one core", *(name.replace("_", " ") for name in figures), box=None)
    for name, entry in report["games"].items():
        table.add_row(name, *(number(entry[figure]) for figure in figures))
    console.print(table)
    console.print(f"first compile of {len(report['games'])} games on all cores: "
                  f"{report['compile_s']:.0f} s")
    if report["peers"]:
        console.print(beside_peers(report, number))
    else:
        console.print("No peers are installed. To time OpenSpiel and RLCard, too: "
                      "pip install 'exchequer\\[peers]'")


def beside_peers(report: dict[str, Any], shown: Callable[[Any], str]) -> Any:
    """A row for each peer: how many times as fast as it each of our games is that is like it."""
    from rich.table import Table

    games = report["games"]
    table = Table("times as fast as", "steps/s", *games, box=None)
    for name, peer in report["peers"].items():
        times = (games[game]["times"].get(name) for game in games)
        table.add_row(name, number(peer["steps_per_s"]),
                      *(shown(found) if found else "" for found in times))
    return table


def number(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"
