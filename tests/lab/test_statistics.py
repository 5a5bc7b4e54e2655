"""Intervals cover at their nominal rate, and false findings stay at their promised level."""

import gc

import numpy as np
import pytest

from exchequer.lab.findings import Claim, findings_of, held
from exchequer.lab.statistics import (
    LEVEL,
    Estimate,
    benjamini_hochberg,
    by_deal,
    holm,
    likeness,
    mean,
    mean_beyond,
    median,
    ratio,
    share,
    share_beyond,
)

TIMES = 3000  # simulations; the rate of 95 % then has an error of 0.4 points


@pytest.fixture(autouse=True)
def small_heap():
    """statsmodels collects garbage at every correction: leave it little to look through."""
    holm([1.0])
    gc.freeze()
    yield
    gc.unfreeze()


def coverage(simulate, truth, times=TIMES):
    """How often the interval of a simulated estimate holds the truth."""
    random = np.random.default_rng(7)
    found = [simulate(random) for _ in range(times)]
    return sum(e.low <= truth <= e.high for e in found) / times


@pytest.mark.parametrize(("chance", "n"), [(0.5, 100), (0.1, 200), (0.93, 400), (1 / 3, 1000)])
def test_the_interval_of_a_share_covers(chance, n):
    assert coverage(lambda r: share(r.binomial(n, chance), n), chance) == pytest.approx(
        0.95, abs=0.015)


@pytest.mark.parametrize("n", [5, 30, 300])
def test_the_interval_of_a_mean_covers(n):
    assert coverage(lambda r: mean(r.normal(3, 2, n)), 3) == pytest.approx(0.95, abs=0.012)


def test_the_interval_of_a_skewed_mean_covers():
    """Lengths of games are skewed; with some hundred games that does not matter."""
    assert coverage(lambda r: mean(r.gamma(2, 3, 300)), 6) == pytest.approx(0.95, abs=0.015)


def test_games_on_the_same_deal_are_not_independent():
    """Two games a deal that agree: as singles they would promise too much, by deal they do not."""
    def simulate(random, cluster):
        deals = np.repeat(np.arange(60), 2)
        values = np.repeat(random.normal(0, 1, 60), 2)
        return mean(by_deal(values, deals) if cluster else values)

    assert coverage(lambda r: simulate(r, True), 0) == pytest.approx(0.95, abs=0.012)
    assert coverage(lambda r: simulate(r, False), 0) < 0.90


def test_paired_differences_cover_and_are_narrower():
    def simulate(random, paired):
        deal = random.normal(0, 3, 80)
        a, b = deal + random.normal(0, 1, 80), deal + random.normal(0.5, 1, 80)
        return mean(b - a) if paired else mean(b - a[::-1])

    assert coverage(lambda r: simulate(r, True), 0.5) == pytest.approx(0.95, abs=0.012)
    random = np.random.default_rng(1)
    assert simulate(random, True).half < simulate(random, False).half / 2


def test_the_interval_of_a_ratio_covers():
    def simulate(random):
        offers = random.poisson(5, 200) + 1
        return ratio(random.binomial(offers, 0.3).astype(float), offers.astype(float))

    assert coverage(simulate, 0.3) == pytest.approx(0.95, abs=0.015)


def test_the_interval_of_a_likeness_covers():
    def simulate(random):
        deal = random.normal(0, 1, 120)
        return likeness(deal + random.normal(0, 1, 120), deal + random.normal(0, 1, 120))

    assert coverage(simulate, 0.5) == pytest.approx(0.95, abs=0.015)


def test_the_interval_of_a_median_covers():
    """Fortunes that explode: a mean is worthless there, a median is not."""
    assert coverage(lambda r: median(np.exp(r.normal(0, 5, 101))), 1.0) == pytest.approx(
        0.95, abs=0.015)


def test_what_never_varied_still_has_an_interval():
    """Thirty equal results: something else may still happen once in ten."""
    found = mean(np.zeros(30), 0.0, 1.0)
    assert (found.low, found.high) == (-0.1, 0.1)


@pytest.mark.parametrize("test", [
    lambda r: share(r.binomial(400, 0.5), 400, 0.5).p,
    lambda r: mean(r.normal(0, 1, 40)).p,
    lambda r: mean_beyond(r.normal(2, 1, 40), 2.0).p,
    lambda r: share_beyond(r.binomial(300, 0.05), 300, 0.05).p,
], ids=["share", "mean", "mean beyond", "share beyond"])
def test_p_values_keep_their_level(test):
    random = np.random.default_rng(11)
    rate = np.mean([test(random) <= LEVEL for _ in range(TIMES)])
    assert rate <= LEVEL + 0.012


# Findings ----------------------------------------------------------------------------------------

def claim(random, name, chance=0.5, n=400, arm="greedy"):
    """A claim about a share that is even but for what is planted."""
    wins = random.random(n) < chance
    halves = [share(part.sum(), len(part), 0.5) for part in (wins, wins[: n // 2], wins[n // 2:])]
    return Claim(name, arm, *halves, lambda e: f"{name} wins {100 * e.effect:.1f} %.", 0.5, 0.05)


def test_with_nothing_planted_there_are_hardly_any_findings():
    """Twenty claims a run, none true: at most one run in twenty may say something false."""
    random = np.random.default_rng(3)
    runs = 400
    wrong = sum(bool(held([claim(random, str(k)) for k in range(20)])) for _ in range(runs))
    assert wrong / runs <= LEVEL
    at_once = sum(min(c.found.p for c in (claim(random, str(k)) for k in range(20))) < LEVEL
                  for _ in range(100))
    assert at_once > 40  # without correction nearly every second run would


def test_a_planted_effect_is_found_first_and_worded_right():
    random = np.random.default_rng(5)
    found = 0
    for _ in range(40):
        claims = [claim(random, str(k)) for k in range(20)]
        claims[13] = claim(random, "planted", 0.65, 1200)
        findings = findings_of(claims, lambda arm: 0)
        found += bool(findings) and findings[0].id == "planted"
        assert [f.id for f in findings if f.id != "planted"] == []
    assert found == 40


def test_the_reported_effect_is_not_inflated_by_its_own_discovery():
    """The figure of a finding comes from deals that had no part in finding it."""
    random = np.random.default_rng(9)
    effects = [finding.effect for _ in range(1500)
               for finding in findings_of([claim(random, "weak", 0.56, 500)], lambda arm: 0)]
    first = [c.found.effect for _ in range(1500)
             for c in held([claim(random, "weak", 0.56, 500)])]
    assert len(effects) > 50
    assert abs(np.mean(effects) - 0.56) < abs(np.mean(first) - 0.56)


def test_the_strongest_rung_words_the_finding_and_all_are_told():
    random = np.random.default_rng(2)
    rungs = {"random": 0, "greedy": 1, "medium": 2}
    claims = [claim(random, "seat", chance, 2000, arm)
              for arm, chance in (("random", 0.6), ("greedy", 0.65), ("medium", 0.5))]
    finding, = findings_of(claims, rungs.__getitem__)
    assert finding.arm == "greedy"
    assert [name for name, _ in finding.rungs] == ["random", "greedy", "medium"]
    assert "This could not be shown for medium." in finding.advice


def test_corrections_are_those_of_the_books():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert holm([]) == []


def test_an_estimate_says_what_it_excludes():
    assert Estimate(0.6, 0.55, 0.65, 100).excludes(0.5)
    assert not Estimate(0.6, 0.45, 0.75, 10).excludes(0.5)
