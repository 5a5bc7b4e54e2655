"""Statistics: estimates with intervals, tests, and corrections for many of them.

Every function returns an `Estimate`. The unit of observation is the deal: games that share a deal
are averaged first, so that mirrored or rotated games never count as independent.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

POWER = 0.8  # the chance to notice an effect that is there
LEVEL = 0.05  # the chance of a false finding in a run
Z = 1.959963984540054
CAUTION = 10  # observations; without them a rare win is missed in one sequence of twelve


@dataclass(frozen=True)
class Estimate:
    """A figure, its 95 % interval, and how many observations it rests on."""

    effect: float
    low: float
    high: float
    n: int
    p: float = 1.0  # of what was tested, two-sided against a null or one-sided beyond a bound

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def negative(self) -> "Estimate":
        return replace(self, effect=-self.effect, low=-self.high, high=-self.low)

    def excludes(self, null: float) -> bool:
        return not self.low <= null <= self.high

    def minus(self, other: "Estimate") -> "Estimate":
        """The difference of two figures, with the errors of both."""
        gap, half = self.effect - other.effect, math.hypot(self.half, other.half)
        return Estimate(gap, gap - half, gap + half, min(self.n, other.n))


def noticeable(estimate: Estimate, tests: int) -> float:
    """The effect that a figure of this precision, one of so many tested, shows four times in five.

    Holm's first step bounds what a single test has to reach.
    """
    from scipy.stats import norm

    return float(norm.ppf(1 - LEVEL / (2 * max(1, tests))) + norm.ppf(POWER)) * estimate.half / Z


def luck_beyond(first: np.ndarray, second: np.ndarray, bound: float) -> Estimate:
    """As `likeness`; p is one-sided above the bound."""
    found = likeness(first, second)
    error = 1 / math.sqrt(max(1, found.n - 3))
    return replace(found, p=normal_tail((math.atanh(found.effect) - math.atanh(bound)) / error))


def normal_tail(z: float) -> float:
    """The chance of a value above z."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def share(wins: Any, n: int, null: float | None = None) -> Estimate:
    """A share with Wilson's interval; p from the score test against `null`."""
    if n == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    found, spread = wins / n, Z * Z / n
    middle = (found + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(max(0.0, found * (1 - found)) / n + spread / (4 * n))
    p = 1.0
    if null is not None and 0 < null < 1:
        p = 2 * normal_tail(abs(found - null) / math.sqrt(null * (1 - null) / n))
    return Estimate(found, max(0.0, middle - half), min(1.0, middle + half), n, p)


def share_beyond(wins: Any, n: int, bound: float, above: bool = True) -> Estimate:
    """A share; p is the exact one-sided p-value beyond the bound."""
    from scipy.stats import binom

    estimate = share(wins, n)
    k = math.floor(wins) if above else math.ceil(wins)
    p = float(binom.sf(k - 1, n, bound) if above else binom.cdf(k, n, bound))
    return Estimate(estimate.effect, estimate.low, estimate.high, n, p)


def mean(values: np.ndarray, null: float = 0.0, span: float = 0.0) -> Estimate:
    """A mean with Student's interval. `span` is the possible range, used if no value varied."""
    from scipy.stats import t

    n = len(values)
    if n < 2:
        found = float(values[0]) if n else 0.0
        return Estimate(found, -math.inf, math.inf, n)
    found, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n)
    if error == 0.0:  # the rule of three: what was never seen in n may still happen in 3/n
        return Estimate(found, found - 3 * span / n, found + 3 * span / n, n,
                        1.0 if found == null else 2.0 ** -min(n, 1000) * 2)
    half = float(t.ppf(0.975, n - 1)) * error
    p = 2 * float(t.sf(abs(found - null) / error, n - 1))
    return Estimate(found, found - half, found + half, n, p)


def within(estimate: Estimate, low: float, high: float) -> Estimate:
    """The same, with its interval clipped to what is possible."""
    return replace(estimate, low=max(low, estimate.low), high=min(high, estimate.high))


def difference(first: np.ndarray, second: np.ndarray) -> Estimate:
    """Second mean minus first, of two independent samples (Welch)."""
    a, b = mean(first), mean(second)
    if min(a.n, b.n) < 2:
        return Estimate(b.effect - a.effect, -math.inf, math.inf, a.n + b.n)
    error = math.hypot(*(values.std(ddof=1) / math.sqrt(len(values))
                         for values in (first, second)))
    gap = b.effect - a.effect
    if error == 0.0:
        return Estimate(gap, gap, gap, a.n + b.n, 1.0 if gap == 0 else 0.0)
    return Estimate(gap, gap - Z * error, gap + Z * error, a.n + b.n,
                    2 * normal_tail(abs(gap) / error))


def mean_beyond(values: np.ndarray, bound: float, above: bool = True, span: float = 0.0
                ) -> Estimate:
    """A mean; p is one-sided beyond the bound. `span` as for `mean`."""
    estimate = mean(values, bound, span)
    beyond = (estimate.effect > bound) == above
    return Estimate(estimate.effect, estimate.low, estimate.high, estimate.n,
                    estimate.p / 2 if beyond else 1 - estimate.p / 2)


def beyond(estimate: Estimate, bound: float) -> float:
    """The one-sided p-value of an estimate above a bound, by the width of its interval."""
    error = estimate.half / Z
    return normal_tail((estimate.effect - bound) / error) if error else float(
        estimate.effect <= bound)


def median(values: np.ndarray) -> Estimate:
    """A median with the interval from order statistics, robust against outliers."""
    from scipy.stats import binom

    n = len(values)
    if n == 0:
        return Estimate(0.0, -math.inf, math.inf, 0)
    ordered = np.sort(values)
    rank = max(int(binom.ppf(0.025, n, 0.5)), 1)
    return Estimate(float(np.median(values)), float(ordered[rank - 1]), float(ordered[n - rank]),
                    n)


def ratio(above: np.ndarray, below: np.ndarray) -> Estimate:
    """A ratio of two sums, with an interval by linearisation over games."""
    total, n = float(below.sum()), len(below)
    if total == 0 or n < 2:
        return Estimate(0.0, -math.inf, math.inf, n)
    found = float(above.sum()) / total
    error = float((above - found * below).std(ddof=1)) / (total / n) / math.sqrt(n)
    return Estimate(found, found - Z * error, found + Z * error, n)


def ratio_beyond(above: np.ndarray, below: np.ndarray, bound: float) -> Estimate:
    """As `ratio`; p is one-sided above the bound."""
    found = ratio(above, below)
    return replace(found, p=beyond(found, bound)) if math.isfinite(found.half) else found


def so_far(total: float, squares: float, n: int, span: tuple[float, float] | None = None,
           expected: int = 500) -> Estimate:
    """A mean whose interval holds at all looks together, so that looking early is honest.

    An asymptotic confidence sequence (Robbins' normal mixture with the variance seen so far),
    tightest after the number of observations that is expected.
    """
    if n < 2:
        return Estimate(total / max(n, 1), -math.inf, math.inf, n)
    found = total / n
    variance = max(squares / n - found * found, 1 / n)  # what never varied may still do so
    if span:  # a few observations that vary as much as possible, against a lucky start
        most = (span[1] - span[0]) ** 2 / 4
        variance = (n * variance + CAUTION * most) / (n + CAUTION)
    tightness = (-2 * math.log(LEVEL) + math.log(1 - 2 * math.log(LEVEL))) / expected
    weight = n * tightness + 1
    half = math.sqrt(2 * variance * weight / (n * n * tightness)
                     * math.log(math.sqrt(weight) / LEVEL))
    estimate = Estimate(found, found - half, found + half, n)
    return within(estimate, *span) if span else estimate


def by_deal(values: np.ndarray, deals: np.ndarray) -> np.ndarray:
    """The mean of each deal."""
    _, place = np.unique(deals, return_inverse=True)
    return np.bincount(place, values) / np.bincount(place)


def likeness(first: np.ndarray, second: np.ndarray) -> Estimate:
    """How much of an outcome's variance the deal explains: correlation of two plays of it.

    A share of variance is never below 0; that two plays seem opposed is chance.
    """
    n = len(first)
    if n < 4 or first.std() == 0 or second.std() == 0:
        return Estimate(0.0, 0.0, 1.0, n)
    found = float(np.clip(np.corrcoef(first, second)[0, 1], 0.0, 0.999999))
    half = Z / math.sqrt(n - 3)
    return within(Estimate(found, math.tanh(math.atanh(found) - half),
                           math.tanh(math.atanh(found) + half), n,
                           2 * normal_tail(abs(math.atanh(found)) * math.sqrt(n - 3))), 0.0, 1.0)


def holm(ps: Sequence[float]) -> list[float]:
    """p-values corrected so that the chance of any false finding stays at the level."""
    return corrected(ps, "holm")


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """p-values corrected so that the expected share of false findings stays at the level."""
    return corrected(ps, "fdr_bh")


def corrected(ps: Sequence[float], method: str) -> list[float]:
    if not ps:
        return []
    from statsmodels.stats.multitest import multipletests

    return [float(p) for p in multipletests(np.clip(ps, 0, 1), LEVEL, method)[1]]
