"""Search on one core: iterations per second, and OpenSpiel's C++ search in the same run.

Each iteration here determinizes the state, walks down the tree and plays out up to 20 moves.
OpenSpiel's `MCTSBot` plays one random game to its end in each iteration; the comparable game is
Oware, a duel with open information.
"""

import importlib.util
import statistics
import time
from typing import Any

import numpy as np

from exchequer.bots.bot import Bot
from exchequer.bots.policies import LEVELS
from exchequer.cli.bench import RUNS, machine, median_seconds, number
from exchequer.core.build import Mode
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.progress import prepare

ITERATIONS = 5000
OPENING = 20  # random moves before the searched position
ANSWERS, APART = 20, 10  # answers that are timed, and random moves between them


def bench_search(games: list[Game], with_peers: bool) -> dict[str, Any]:
    figures: dict[str, dict[str, Any]] = {
        game.name: {**search_speed(game), "slowest_answer_s": slowest_answers(game)}
        for game in games}
    peers = {}
    if with_peers and importlib.util.find_spec("pyspiel"):
        theirs = openspiel_speed()
        peers["openspiel_mcts_oware"] = {"iterations_per_s": theirs}
        for entry in figures.values():
            entry["ratio_to_openspiel"] = entry["iterations_per_s"] / theirs
    return {"machine": machine(), "iterations": ITERATIONS, "games": figures, "peers": peers}


def search_speed(game: Game) -> dict[str, float]:
    prepare(game)
    position = Position(game, seed=1, mode=Mode.COMPILED)
    random = np.random.default_rng(1)
    for _ in range(OPENING):
        position.play(int(random.choice(position.legal())))
    seat, bot = position.actor, Bot(game, f"mcts:{ITERATIONS}", 1, Mode.COMPILED)
    observed = position.observe(seat)
    bot.consider(observed, position.content, seat)  # loads the machine code
    seconds = median_seconds(lambda: bot.consider(observed, position.content, seat))
    return {"iterations_per_s": ITERATIONS / seconds,
            "us_per_iteration": 1e6 * seconds / ITERATIONS}


def slowest_answers(game: Game) -> dict[str, float]:
    """The longest time each level took, over positions of a random game."""
    found = {}
    for level in LEVELS:
        position, random = Position(game, seed=1, mode=Mode.COMPILED), np.random.default_rng(1)
        bot = Bot(game, level, 1, Mode.COMPILED)
        times = []
        for move in range(ANSWERS * APART):
            if position.is_over:
                break
            if move % APART == 0:
                observed, seat = position.observe(position.actor), position.actor
                began = time.perf_counter()
                bot.choose(observed, position.content, seat)
                times.append(time.perf_counter() - began)
            position.play(int(random.choice(position.legal())))
        found[level] = max(times)
    return found


def openspiel_speed() -> float:
    import pyspiel

    game = pyspiel.load_game("oware")
    state = game.new_initial_state()
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 0), uct_c=2.0,
                          max_simulations=ITERATIONS, max_memory_mb=200, solve=False, seed=0,
                          verbose=False)
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        bot.step(state)
        times.append(time.perf_counter() - began)
    return ITERATIONS / statistics.median(times)


def print_search(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(report["machine"])
    table = Table("game, one core", "iterations/s", "us each", "ratio to OpenSpiel", box=None)
    for name, entry in report["games"].items():
        table.add_row(name, number(entry["iterations_per_s"]), number(entry["us_per_iteration"]),
                      number(entry.get("ratio_to_openspiel", float("nan"))))
    console.print(table)
    slowest = Table("slowest answer, ms", *LEVELS, box=None)
    for name, entry in report["games"].items():
        slowest.add_row(name, *(number(1000 * s) for s in entry["slowest_answer_s"].values()))
    console.print(slowest)
    for name, peer in report["peers"].items():
        console.print(f"{name}: {number(peer['iterations_per_s'])} iterations/s")
