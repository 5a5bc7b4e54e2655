"""The race that luck alone decides: what a game's course is measured against.

Even where nobody can do anything about it, whoever leads at half-time wins three games of four and
the lead is taken for good well before the end. Only what goes beyond that says something of a game.
"""

import functools
from dataclasses import dataclass

import numpy as np

RACES = 20_000


@dataclass(frozen=True)
class Race:
    """What the lab's own definitions give in a fair race."""

    settled: float  # share of the turns before the winner led for good
    leader_wins: float  # how often the leader at half-time wins
    early_leader_wins: float  # ... after a quarter of the turns


@functools.cache
def fair_race(seats: int, turns: int) -> Race:
    """Seats that gain at random, every turn as much as any other; the same numbers every time."""
    steps = np.random.default_rng(0).standard_normal((RACES, turns, seats), np.float32)
    ahead = steps.cumsum(axis=1).argmax(axis=2)  # nobody leads before the first turn
    winner = ahead[:, -1:]
    led_otherwise = (ahead != winner) * np.arange(1, turns + 1)
    settled = (led_otherwise.max(axis=1) + 1) / turns
    half, quarter = (max(turns // parts, 1) - 1 for parts in (2, 4))
    wins = [float((ahead[:, turn] == winner[:, 0]).mean()) for turn in (half, quarter)]
    return Race(float(np.clip(settled, 0, 1).mean()), *wins)
