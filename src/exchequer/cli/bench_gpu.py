"""Speed on a GPU, on one core and on all cores of the same machine, in the same run."""

import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from exchequer.cli.bench import machine, number
from exchequer.cli.warm import warm_games
from exchequer.core.build import Mode
from exchequer.core.game import Game
from exchequer.gpu.batches import GpuEngine, gpu_engine
from exchequer.gpu.driver import LOCAL_BYTES, REGISTERS, NoDevice, device

RUNS = 3
SECONDS = 0.5  # how long one run should last
WAVES = 3  # games in a run, in multiples of what the GPU plays at once: the end of a run is slower
MOST_GAMES = 50_000_000

Timed = tuple[float, int, int]  # seconds, steps, games


def bench_gpu(games: list[Game], with_peers: bool) -> dict[str, Any]:
    """Random play, counted as by `Engine.run_batch`, and the speed of the CPU."""
    name = device().name  # before anything is compiled
    warm_games(games, quiet=True)
    return {"machine": machine(), "gpu": name,
            "games": {game.name: bench_or_say_why(game) for game in games}}


def bench_or_say_why(game: Game) -> dict[str, Any]:
    """An error in one game does not lose the figures of the others."""
    try:
        return bench_game(game)
    except NoDevice as error:
        return {"error": str(error)}


def bench_game(game: Game) -> dict[str, Any]:
    engine = gpu_engine(game)
    tallied = gpu_speed(engine)
    one = measured(SECONDS, on_cpu(game, 1))
    cores = os.cpu_count() or 1
    every = measured(SECONDS, on_cpu(game, cores))
    return {
        **tallied, "seats": game.seats[0],
        "cpu_one_core_steps_per_s": one["steps_per_s"],
        "cpu_all_cores_steps_per_s": every["steps_per_s"], "cores": cores,
        "ratio_to_one_core": tallied["steps_per_s"] / one["steps_per_s"],
        "ratio_to_all_cores": tallied["steps_per_s"] / every["steps_per_s"],
        "registers": engine.kernel.attribute(REGISTERS),
        "local_bytes": engine.kernel.attribute(LOCAL_BYTES),
        "threads": engine.blocks * engine.tuning.threads,
    }


def gpu_speed(engine: GpuEngine, tally: bool = True) -> dict[str, float]:
    return measured(SECONDS, on_gpu(engine, tally), WAVES * engine.blocks * engine.tuning.threads)


def on_gpu(engine: GpuEngine, tally: bool) -> Callable[[int], Timed]:
    """Whole calls, including copies to the device and back."""
    game = engine.game
    content = game.content().record

    def batch(games: int) -> Timed:
        seeds = np.arange(games, dtype=np.uint64)
        began = time.perf_counter()
        played = engine.play(content, game.seats[0], seeds, game.step_limit, keep_tally=tally)
        return time.perf_counter() - began, int(played.totals["steps"].sum()), games

    return batch


def on_cpu(game: Game, cores: int) -> Callable[[int], Timed]:
    """`Engine.run_batch`, in parallel on several cores: it releases the interpreter lock."""
    engine, content = game.engine(Mode.COMPILED), game.content().record

    def part(seeds: np.ndarray) -> int:
        return engine.run_batch(content, game.seats[0], seeds, game.step_limit)[2]

    def batch(games: int) -> Timed:
        parts = np.array_split(np.arange(games, dtype=np.uint64), cores)
        began = time.perf_counter()
        with ThreadPoolExecutor(cores) as pool:
            steps = sum(pool.map(part, parts))
        return time.perf_counter() - began, steps, games

    return batch


def measured(seconds: float, batch: Callable[[int], Timed], games: int = 64
             ) -> dict[str, float]:
    """The median of several runs of about that length, each of at least `games` games."""
    batch(1)
    while (spent := batch(games)[0]) < seconds / 3 and games < MOST_GAMES:
        games = min(MOST_GAMES, int(games * max(2, min(16, seconds / spent))))
    timed = [batch(games) for _ in range(RUNS)]
    return {"steps_per_s": statistics.median(steps / spent for spent, steps, _ in timed),
            "games_per_s": statistics.median(count / spent for spent, _, count in timed)}


def print_gpu(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(f"{report['gpu']}; {report['machine']}")
    figures = ("steps_per_s", "games_per_s", "cpu_one_core_steps_per_s",
               "cpu_all_cores_steps_per_s", "ratio_to_one_core", "ratio_to_all_cores")
    table = Table("game", *(name.replace("_", " ") for name in figures), box=None)
    for name, entry in report["games"].items():
        found = [number(entry[figure]) for figure in figures if figure in entry]
        table.add_row(name, *(found or [entry["error"]]))
    console.print(table)
