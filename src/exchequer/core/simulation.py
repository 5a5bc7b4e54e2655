"""Random play in bulk: the same result for any number of threads."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from exchequer.core.content import Content
from exchequer.core.drawn import Drawn
from exchequer.core.game import Game

if TYPE_CHECKING:
    from rich.console import RenderableType

CHUNK = 1000  # games per task


@dataclass(frozen=True)
class Length:
    """How many moves games took."""

    mean: float
    min: int
    max: int


@dataclass(frozen=True, repr=False)
class Simulation(Drawn):
    """What many random games came to."""

    game: str
    seats: int
    games: int
    steps: int
    """Moves in all games together."""
    unfinished: int
    """Games that were stopped at the game's limit of moves."""
    length: Length
    endings: dict[str, int]
    """How many games ended in which way."""
    wins: list[float]
    """For each seat; whoever shares a win with others has that part of it."""
    shared: int
    """Games with more than one winner."""
    coverage: dict[str, list[int]]
    """For each kind of content: how much of it was reached, and how much there is."""
    scores: list[float]
    """The mean score of each seat."""
    version: str
    """The versions of rules and rows, as `Game.version` has them."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row for each seat, as `pandas.DataFrame` and `polars.DataFrame` take them."""
        return [{"game": self.game, "games": self.games, "seat": seat, "wins": wins,
                 "share": wins / self.games, "mean_score": score}
                for seat, (wins, score) in enumerate(zip(self.wins, self.scores, strict=True))]

    def report(self) -> dict[str, Any]:
        """Everything but the scores, as `exchequer simulate --json` prints it."""
        fields = {**vars(self), "length": vars(self.length)}
        del fields["scores"]
        return fields

    def __rich__(self) -> "RenderableType":
        from rich.console import Group
        from rich.table import Table

        table = Table("seat", "wins", "share", "mean score", box=None)
        for row in self.to_dicts():
            table.add_row(str(row["seat"]), f"{row['wins']:.1f}".removesuffix(".0"),
                          f"{100 * row['share']:.1f} %", f"{row['mean_score']:.1f}")
        return Group(
            f"[bold]{self.game}[/], {self.seats} seats, {self.games} random games, "
            f"{self.steps} moves, {self.unfinished} unfinished",
            f"length {self.length.mean:.1f} moves ({self.length.min} to {self.length.max})", table,
            *(f"ended by {ending}: {count} ({100 * count / self.games:.1f} %)"
              for ending, count in self.endings.items()),
            f"shared: {self.shared} ({100 * self.shared / self.games:.1f} %); whoever shares a "
            "win has that part of it",
            *(f"{kind}: {seen} of {total}" for kind, (seen, total) in self.coverage.items()))


def simulate(game: Game, content: Content, seats: int, games: int, seed: int,
             advance: Callable[[int], None] = lambda _: None) -> Simulation:
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


def summary(game: Game, seats: int, results: np.ndarray, events: Any) -> Simulation:
    finished = results[results["ending"] != 0]
    steps = results["steps"]
    won = np.array([finished["winners"] >> seat & 1 for seat in range(seats)])
    winners = won.sum(axis=0)  # of each game
    return Simulation(
        game.name, seats, len(results), int(steps.sum()), len(results) - len(finished),
        Length(float(steps.mean()), int(steps.min()), int(steps.max())),
        endings={ending.name.lower(): int((results["ending"] == ending).sum())
                 for ending in list(game.endings)[1:]},
        wins=[round(float(wins), 6) for wins in (won / np.maximum(winners, 1)).sum(axis=1)],
        shared=int((winners > 1).sum()),
        coverage=coverage(game, events),
        scores=[float(results["score"][:, seat].mean()) for seat in range(seats)],
        version=game.version)


def coverage(game: Game, events: np.ndarray) -> dict[str, list[int]]:
    """For each kind of content: how much of it random play has reached, and how much there is."""
    reached = {}
    for kind, (event, names) in game.coverage.items():
        things = list(names) if isinstance(names, Mapping) else range(len(names))
        reached[kind] = [sum(bool(events[event, thing]) for thing in things), len(things)]
    return reached
