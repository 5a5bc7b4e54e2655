"""Intervals cover at their nominal rate, and false findings stay at their promised level."""

import gc

import numpy as np
import polars as pl
import pytest

from exchequer.lab import metrics
from exchequer.lab.fair_race import fair_race
from exchequer.lab.findings import Claim, findings_of, held
from exchequer.lab.statistics import (
    LEVEL,
    POWER,
    Estimate,
    benjamini_hochberg,
    by_deal,
    holm,
    likeness,
    mean,
    mean_beyond,
    median,
    noticeable,
    ratio,
    share,
    share_beyond,
    so_far,
)
from exchequer.lab.tune import MET, NOT_MET, UNDECIDED, Target

TIMES = 3000  # simulations; the rate of 95 % then has an error of 0.4 points


@pytest.fixture(autouse=True, scope="module")
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


@pytest.mark.parametrize("chance", [0.5, 0.1])
def test_looking_early_and_often_is_honest(chance):
    """400 runs are looked at after every 25 of 1,000 games; few ever exclude the truth."""
    wins = np.random.default_rng(5).random((400, 1000)) < chance
    missed = 0
    for totals in wins.cumsum(1)[:, 24::25]:
        looks = [so_far(won, won, 25 * (k + 1), (0.0, 1.0)) for k, won in enumerate(totals)]
        missed += any(look.excludes(chance) for look in looks)
    assert missed <= 0.05 * 400 + 3 * (0.05 * 0.95 * 400) ** 0.5
    assert looks[-1].half < 0.07  # at most twice a single look's


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


def test_no_share_of_the_variance_is_below_zero():
    first = np.random.default_rng(1).normal(0, 1, 200)
    found = likeness(first, -first)
    assert (found.effect, found.low) == (0.0, 0.0) and 0 < found.high < 0.2


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
    found = share(wins.sum(), n, 0.5)
    return Claim(name, arm, found, f"{name} wins {100 * found.effect:.1f} %.", 0.5, 0.05)


def test_with_nothing_planted_there_are_hardly_any_findings():
    """Twenty claims a run, none true: at most one run in twenty may say something false."""
    random = np.random.default_rng(3)
    runs = 400
    wrong = sum(bool(held([claim(random, str(k)) for k in range(20)])) for _ in range(runs))
    assert wrong / runs <= LEVEL
    at_once = sum(min(c.estimate.p for c in (claim(random, str(k)) for k in range(20))) < LEVEL
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


def test_an_effect_that_is_called_noticeable_is_noticed_four_times_in_five():
    """Seats of 1,000 games among eight claims: what `noticeable` says, Holm's test shows."""
    random = np.random.default_rng(9)
    least = noticeable(claim(random, "even", n=1000).estimate, 8)
    assert 0.05 < least < 0.06
    seen = 0
    for _ in range(600):
        claims = [claim(random, "seat", 0.5 + least, 1000), *(claim(random, str(k), n=1000)
                                                              for k in range(7))]
        seen += any(one.id == "seat" for one in held(claims))
    assert seen / 600 == pytest.approx(POWER, abs=0.05)


# The course of a game ----------------------------------------------------------------------------

def test_a_fair_race_is_what_the_books_say():
    """Two seats, many turns: the last change of the lead follows the arcsine law."""
    race = fair_race(2, 400)
    assert race.settled == pytest.approx(0.5, abs=0.03)
    assert race.leader_wins == pytest.approx(0.75, abs=0.01)
    assert fair_race(2, 22).settled == pytest.approx(0.435, abs=0.01)


def test_what_cannot_be_said_of_a_game_is_left_out():
    """A shared win is settled nowhere; without weighed decisions there is no share of them."""
    games = pl.DataFrame({"draw": [False, True], "winners": [1, 3], "turns": [10, 10],
                          "settled": [5, 0], "drama": [0.2, 0.0], "low": [0.1, 1.0],
                          "weighed": [4, 0], "mattered": [3, 0], "kingmade": [0, 0],
                          "half_leader": [0, -1]})
    assert metrics.values(games, metrics.SETTLED).tolist() == [0.5]
    assert metrics.values(games, metrics.DRAMA).tolist() == [0.2]
    assert metrics.values(games, metrics.MATTERING).tolist() == [0.75]
    assert metrics.values(games, metrics.LEADER_WINS).tolist() == [1.0]


@pytest.mark.parametrize(("low", "high", "word"), [
    (0.31, 0.39, MET), (0.376, 0.514, UNDECIDED), (0.42, 0.46, NOT_MET), (0.1, 0.19, NOT_MET)])
def test_a_target_is_met_not_met_or_undecided(low, high, word):
    """The audit's figure, 37.6 to 51.4 %, meets no target of 20 to 40 %."""
    metric = metrics.Metric("ending", "endings", "share", 0.1, lambda tables: None)
    target = Target("20..40 %", metric, 0.2, 0.4)
    found = Estimate((low + high) / 2, low, high, 200)
    assert target.judged(found) == word
    assert word != UNDECIDED or target.more_games(found) > 0


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
