"""What people say about a game: which of two variants they like better, how sure that is, and how
many more games would settle it.

The lot falls for a table, so that a table is what is counted: answers given there are averaged.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exchequer.lab.findings import Claim
from exchequer.lab.playtest import PlaytestData
from exchequer.lab.statistics import LEVEL, POWER, Estimate, mean, within
from exchequer.lab.words import round_up

WORTH = 0.5  # points of a scale from 1 to 5 that a designer would change a rule for
LIKED = "fun"


@dataclass(frozen=True)
class Opinion:
    """The answers to one scale, by variant."""

    question: str
    text: str
    means: list[Estimate]  # by variant
    gap: Estimate | None  # the second variant minus the first
    more: int | None = None  # tables that would settle it, beyond those there are


def opinions_of(data: PlaytestData) -> list[Opinion]:
    return [opinion(data, one["id"], one["text"]) for one in data.questions
            if one["kind"] == "scale"]


def opinion(data: PlaytestData, question: str, text: str) -> Opinion:
    by_arm = [table_means(data, question, arm) for arm in range(len(data.arms))]
    means = [scale_mean(values) for values in by_arm]
    if len(by_arm) < 2 or min(map(len, by_arm)) < 2:
        return Opinion(question, text, means, None)
    gap = welch(*by_arm)
    return Opinion(question, text, means, gap, tables_to_go(by_arm, gap))


def table_means(data: PlaytestData, question: str, arm: int) -> np.ndarray:
    found = [np.mean(given) for game in data.games if game.arm == arm
             if (given := [float(said.answers[question]) for said in game.said
                           if question in said.answers])]
    return np.array(found, float)


def scale_mean(values: np.ndarray) -> Estimate:
    """A mean of a scale from 1 to 5, whose interval stays on it."""
    return within(mean(values, span=4.0), 1.0, 5.0) if len(values) else Estimate(3.0, 1.0, 5.0, 0)


def welch(first: np.ndarray, second: np.ndarray) -> Estimate:
    """Second mean minus first, with Student's interval by Welch's degrees of freedom."""
    from scipy.stats import t

    parts = [values.var(ddof=1) / len(values) for values in (first, second)]
    gap, error = float(second.mean() - first.mean()), math.sqrt(sum(parts))
    n = len(first) + len(second)
    if error == 0.0:  # nobody differed: as if one answer at each side had, by a point
        error = math.hypot(1 / len(first), 1 / len(second))
        parts = [1 / len(values) ** 2 for values in (first, second)]
    freedom = sum(parts) ** 2 / sum(part ** 2 / (len(values) - 1) for part, values
                                    in zip(parts, (first, second), strict=True))
    half = float(t.ppf(1 - LEVEL / 2, freedom)) * error
    return Estimate(gap, gap - half, gap + half, n, 2 * float(t.sf(abs(gap) / error, freedom)))


def tables_to_go(by_arm: list[np.ndarray], gap: Estimate) -> int | None:
    """Tables, both variants together, after which a difference like this one, or one of half a
    point where it is smaller, is seen four times in five; None when it is settled.
    """
    from scipy.stats import norm

    if gap.excludes(0.0):
        return None
    spread = sum(float(values.var(ddof=1)) for values in by_arm) or 2.0
    wanted = max(abs(gap.effect), WORTH)
    quantiles = float(norm.ppf(1 - LEVEL / 2) + norm.ppf(POWER))
    needed = 2 * math.ceil(spread * (quantiles / wanted) ** 2)
    return round_up(max(2, needed - gap.n))


def liking_claims(data: PlaytestData, opinions: list[Opinion]) -> Iterator[Claim]:
    for one in opinions:
        if one.gap is None:
            continue
        better, worse = (1, 0) if one.gap.effect > 0 else (0, 1)
        gap = one.gap if better else one.gap.negative
        names = data.arms[better]["name"], data.arms[worse]["name"]
        what = "is more fun than" if one.question == LIKED else f'is rated above in "{one.text}":'
        yield Claim(f"liked-{one.question}", "people", gap,
                    f"{names[0]} {what} {names[1]}, by {gap.effect:.1f} points of a scale from "
                    "1 to 5.", 0.0, WORTH, unit="points")


def settled_text(data: PlaytestData, one: Opinion, is_sure: bool) -> str:
    """In a sentence: which variant, how sure, or how many more tables. Sure is what held after
    correction for everything that was tested.
    """
    if one.gap is None:
        return ""
    names = [arm["name"] for arm in data.arms]
    if one.gap.excludes(0.0):
        better, worse = (1, 0) if one.gap.effect > 0 else (0, 1)
        low, high = sorted(map(abs, (one.gap.low, one.gap.high)))
        gap = f"{low:.1f} to {high:.1f} points above {names[worse]}"
        return f"{names[better]} is rated {gap}." if is_sure else (
            f"{names[better]} seems to be rated {gap}, but among all that was tested chance could "
            "bring that about.")
    return (f"It is open which is rated higher; about {one.more} more tables would show a "
            f"difference of {max(abs(one.gap.effect), WORTH):.1f} points.")
