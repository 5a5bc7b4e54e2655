"""What a run has found so far, for whoever watches: `live.json` beside its chunks.

The intervals hold at all looks together (`statistics.so_far`), so that a run may be stopped as soon
as they say enough.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exchequer.core.files import write_whole
from exchequer.core.loops import WHOLE
from exchequer.lab.arms import Arm, Chunk
from exchequer.lab.statistics import Estimate, so_far


@dataclass
class Tally:
    """Sums over the games of one arm."""

    seats: int
    games: int = 0
    wins: np.ndarray = field(default_factory=lambda: np.zeros((2, 12)))  # sums, sums of squares
    turns: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def add(self, chunk: Chunk) -> None:
        shares = chunk.rows.seats["share"] / WHOLE
        turns = chunk.rows.games["turns"].astype(float)
        self.games += chunk.games
        self.wins[:, : self.seats] += shares.sum(0), (shares ** 2).sum(0)
        self.turns += turns.sum(), (turns ** 2).sum()

    def figures(self, expected: int) -> dict[str, Any]:
        wins = [so_far(total, squares, self.games, (0.0, 1.0), expected)
                for total, squares in self.wins[:, : self.seats].T]
        length = so_far(self.turns[0], self.turns[1], self.games, None, expected)
        return {"games": self.games, "length": brief(length), "seats": [brief(e) for e in wins]}


def brief(estimate: Estimate) -> list[float | None]:
    """Figure, low and high; JSON has no infinity."""
    return [value if np.isfinite(value) else None
            for value in (estimate.effect, estimate.low, estimate.high)]


class Live:
    """Follows the arms of a run that play a line-up as it stands."""

    def __init__(self, path: Any, arms: Sequence[Arm], total: int) -> None:
        self.path, self.arms, self.total = path, arms, total
        self.played, self.began = 0, time.time()
        self.before = 0  # games of an earlier session, which say nothing of today's speed
        self.tallies = {k: Tally(arm.seats) for k, arm in enumerate(arms)
                        if not arm.rotates and not arm.replica and not arm.constraints}

    def add(self, arm: int, chunk: Chunk, is_new: bool = True) -> None:
        self.played += chunk.games
        self.before += 0 if is_new else chunk.games
        if arm in self.tallies:
            self.tallies[arm].add(chunk)

    def write(self) -> None:
        spent, done = time.time() - self.began, self.played - self.before
        left = spent / done * (self.total - self.played) if done else None
        found = {"played": self.played, "total": self.total, "seconds_left": left,
                 "arms": [{"name": self.arms[k].name, "of": self.arms[k].games,
                           **tally.figures(max(20, self.arms[k].games // 2))}
                          for k, tally in self.tallies.items() if tally.games]}
        write_whole(self.path, json.dumps(found).encode())
