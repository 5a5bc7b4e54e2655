"""Random play in bulk: the same report for any number of threads."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from exchequer.cli.progress import bar
from exchequer.cli.warm import prepare
from exchequer.core.content import Content
from exchequer.core.game import Game

CHUNK = 1000  # games per task


def simulate_with_progress(game: Game, content: Content, seats: int, games: int, seed: int
                           ) -> dict[str, Any]:
    prepare(game)
    with bar(f"playing {game.name}", games) as advance:
        return simulate(game, content, seats, games, seed, advance)


def simulate(game: Game, content: Content, seats: int, games: int, seed: int,
             advance: Callable[[int], None] = lambda _: None) -> dict[str, Any]:
    """Play random games with seeds from `seed` on and sum them up."""
    engine = game.engine()
    engine.prepare()
    seeds = np.arange(seed, seed + games, dtype=np.uint64)
    chunks = [seeds[i : i + CHUNK] for i in range(0, games, CHUNK)]

    def run(chunk: np.ndarray) -> Any:
        outcome = engine.run_batch(content.record, seats, chunk, game.step_limit)
        advance(len(chunk))
        return outcome

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(run, chunks))
    results = np.concatenate([outcome[0] for outcome in outcomes])
    events = sum(outcome[1].events for outcome in outcomes)
    faults = np.flatnonzero(results["fault"])
    if len(faults):
        raise AssertionError(f"seed {seed + faults[0]} ended with fault "
                             f"{results['fault'][faults[0]]}")
    return summary(game, seats, results, events)


def summary(game: Game, seats: int, results: np.ndarray, events: Any) -> dict[str, Any]:
    finished = results[results["ending"] != 0]
    won = np.array([finished["winners"] >> seat & 1 for seat in range(seats)])
    winners = won.sum(axis=0)  # of each game
    steps = results["steps"]
    return {
        "game": game.name, "seats": seats, "games": len(results), "steps": int(steps.sum()),
        "unfinished": len(results) - len(finished),
        "length": {"mean": float(steps.mean()), "min": int(steps.min()),
                   "max": int(steps.max())},
        "endings": {ending.name.lower(): int((results["ending"] == ending).sum())
                    for ending in list(game.endings)[1:]},
        "wins": [round(float(wins), 6) for wins in (won / np.maximum(winners, 1)).sum(axis=1)],
        "shared": int((winners > 1).sum()),
        "coverage": coverage(game, events),
        "scores": [float(results["score"][:, seat].mean()) for seat in range(seats)],
    }


def coverage(game: Game, events: np.ndarray) -> dict[str, list[int]]:
    """For each kind of content: how much of it random play has reached, and how much there is."""
    reached = {}
    for kind, (event, names) in game.coverage.items():
        things = list(names) if isinstance(names, Mapping) else range(len(names))
        reached[kind] = [sum(bool(events[event, thing]) for thing in things), len(things)]
    return reached


def print_report(report: dict[str, Any], scores: list[float]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    length = report["length"]
    console.print(f"[bold]{report['game']}[/], {report['seats']} seats, {report['games']} random "
                  f"games, {report['steps']} moves, {report['unfinished']} unfinished")
    console.print(f"length {length['mean']:.1f} moves ({length['min']} to {length['max']})")
    table = Table("seat", "wins", "share", "mean score", box=None)
    for seat, wins in enumerate(report["wins"]):
        table.add_row(str(seat), f"{wins:.1f}".removesuffix(".0"),
                      f"{100 * wins / report['games']:.1f} %", f"{scores[seat]:.1f}")
    console.print(table)
    shared = report["shared"]
    console.print(f"shared: {shared} ({100 * shared / report['games']:.1f} %); whoever shares a "
                  "win has that part of it")
    for ending, count in report["endings"].items():
        console.print(f"ended by {ending}: {count} ({100 * count / report['games']:.1f} %)")
    for kind, (seen, total) in report["coverage"].items():
        console.print(f"{kind}: {seen} of {total}")
