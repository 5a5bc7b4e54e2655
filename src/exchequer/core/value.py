"""What a position is worth to a seat, from 0 to 1, when its game says nothing better.

How large a lead is, random games say: the usual lead at their end counts as large.
"""

import contextlib
import pathlib
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from exchequer.core.binding import Rules
from exchequer.core.build import Build, Mode
from exchequer.core.contract import actor, score, strength, winners
from exchequer.core.handlers import made
from exchequer.core.loops import MAX_SEATS, Result, Tally, new_buffers, run_batch
from exchequer.core.records import NOBODY, rule
from exchequer.core.watchdog import EndlessRule, watched

SAMPLE_SECONDS = 20  # far more than they take
SAMPLE, SAMPLE_STEPS = 6, 200  # random games, played in plain Python when a game is first loaded
MOST_EXPONENT = 60.0
LOG_OF_2 = 0.6931471805599453
WEAKEST = -1e18  # below any strength


@rule
def share_of_win(s, c, seats, seat):
    """1 for the sole winner, an equal part for each who shares, 0 for the others."""
    mask = winners(s, c)
    won = 0
    for other in range(seats):
        won += (mask >> other) & 1
    if won == 0:
        return 0.0
    return ((mask >> seat) & 1) / won


@rule
def squash(lead):
    """A lead of points as a chance to win."""
    return 1.0 / (1.0 + power_of_e(-lead))


@rule
def power_of_e(x):
    """From sums and products alone, so that a GPU gets the same bits as every CPU.

    e to a small part of x is a short series; squared ten times it is what was asked.
    """
    x = min(max(x, -MOST_EXPONENT), MOST_EXPONENT) / 1024.0
    power = 1.0 + x * (1.0 + x * (1 / 2) * (1.0 + x * (1 / 3) * (1.0 + x * (1 / 4) * (
        1.0 + x * (1 / 5) * (1.0 + x * (1 / 6) * (1.0 + x * (1 / 7)))))))
    for _ in range(10):
        power = power * power
    return power


@rule
def log_of(n):
    """The natural logarithm of a whole number from 1 on, to eight digits, by the same means.

    Halving is exact; what is left, between 1 and 2, has a short series.
    """
    rest, halved = 1.0 * n, 0
    while rest >= 256.0:
        rest, halved = rest / 256.0, halved + 8
    if rest >= 16.0:
        rest, halved = rest / 16.0, halved + 4
    if rest >= 4.0:
        rest, halved = rest / 4.0, halved + 2
    if rest >= 2.0:
        rest, halved = rest / 2.0, halved + 1
    part = (rest - 1.0) / (rest + 1.0)
    square = part * part
    return halved * LOG_OF_2 + 2.0 * part * (1.0 + square * (1 / 3 + square * (1 / 5 + square * (
        1 / 7 + square * (1 / 9 + square * (1 / 11 + square * (1 / 13)))))))


@rule
def lead_value(s, c, seats, seat, points):
    """The lead in strength over the best of the others, by what lead counts as large."""
    if actor(s) == NOBODY:
        return share_of_win(s, c, seats, seat)
    best = WEAKEST
    for other in range(seats):
        if other != seat:
            best = max(best, strength(s, c, other))
    return squash((strength(s, c, seat) - best) / points)


@rule
def points_value(s, c, most):
    """A solo game: its points, by how many are many."""
    return min(max(score(s, c, 0) / most, 0.0), 1.0)


def default_value(home: types.ModuleType, rules: Rules, state: types.ModuleType, c: Any,
                  seats: int) -> types.FunctionType:
    """The lead in points over the best of the others; a solo game by its points."""
    scores = final_scores(pathlib.Path(str(home.__file__)).parent, rules, state, c, seats)
    if seats == 1:
        most = max(float(scores.max(initial=0)) * 2, 1.0)
        return made(home, "value", "s, c, seats, seat", [f"return points_value(s, c, {most!r})"],
                    {"points_value": points_value})
    leads = np.sort(scores, 1)[:, -1] - np.sort(scores, 1)[:, -2]
    usual = max(float(np.round(leads.mean(), 1)), 1.0)
    return made(home, "value", "s, c, seats, seat",
                [f"return lead_value(s, c, seats, seat, {usual!r})"], {"lead_value": lead_value})


@contextlib.contextmanager
def half_written() -> Iterator[None]:
    """Whatever rules that are not finished raise; only those that never end have to be told."""
    try:
        yield
    except EndlessRule:
        raise
    except Exception:
        return


def final_scores(home: pathlib.Path, rules: Rules, state: types.ModuleType, c: Any, seats: int
                 ) -> np.ndarray:
    """What the seats have at the end of a few random games: (games, seats)."""
    buffers = new_buffers(state.State, getattr(state, "MAX_LEGAL", state.N_ACTIONS))
    results = np.zeros(SAMPLE, Result)
    tally = Tally(np.zeros(state.N_ACTIONS, np.int64), np.zeros((len(state.Event), 1), np.int64))
    # a half-written game opens all the same: what is wrong with its rules shows when it is played
    with half_written(), watched(home, SAMPLE_SECONDS), np.errstate(all="ignore"):
        play = Build("sample", rules, [], Mode.PYTHON).bind(run_batch)  # type: ignore[arg-type]
        play(buffers, c, seats, np.arange(SAMPLE, dtype=np.uint64), SAMPLE_STEPS, results, tally)
    return results["score"].reshape(SAMPLE, MAX_SEATS)[:, :seats]
