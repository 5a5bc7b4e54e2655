"""One designed experiment: effects that are there are found, those that are not are not."""

import numpy as np
import pytest

from exchequer.core.errors import InputError
from exchequer.lab.metrics import Metric
from exchequer.lab.plan import plan_from
from exchequer.lab.sensitivity import Factor, contents, design, factors, metric_effects

LENGTH = Metric("length", "the length", "rounds", 0.1, lambda tables: tables.games)


@pytest.mark.parametrize("count", [1, 2, 7, 20, 63])
def test_every_number_is_low_and_high_equally_often_and_no_pair_passes_for_one(count):
    signs = design(count)
    assert (signs.sum(0) == 0).all()
    assert (signs.T @ signs == len(signs) * np.eye(count)).all()
    pairs = signs[:, :1] * signs
    assert (pairs.T @ signs == 0).all()


def test_planted_effects_are_measured_and_pairs_do_not_disturb_them():
    """The first number adds 2 rounds, the second nothing, and both together another 3."""
    rng, signs = np.random.default_rng(3), design(3)
    values = [20 + a + 1.5 * a * b + rng.normal(0, 2, 200) for a, b, _ in signs]
    weights = 2 * np.linalg.pinv(np.column_stack([np.ones(len(signs)), signs]))[1:]
    found = metric_effects([Factor(key, 0, 1) for key in "abc"], LENGTH, values, weights)
    assert found[0].estimate.low < 2 < found[0].estimate.high
    assert found[0].estimate.p < 1e-6
    for other in found[1:]:
        assert other.estimate.low < 0 < other.estimate.high


def test_numbers_move_by_a_fifth_within_their_bounds():
    plan = plan_from({"kind": "sensitivity", "game": "kingdom",
                      "lineups": [{"bots": "random", "games": 5}]})
    by_key = {one.key: one for one in factors(plan)}
    assert (by_key["start_gold"].low, by_key["start_gold"].high) == (8, 12)
    assert (by_key["farm_income"].low, by_key["farm_income"].high) == (1, 3)
    assert "start_happiness" not in by_key  # 0 as it ships


def test_a_design_plays_each_content_it_can(study):
    found, _ = study(kind="sensitivity", game="kingdom", over="turn_limit=10..20; start_gold=8..12",
                     lineups=[{"bots": "random", "games": 20}])
    first = found["effects"][0]
    assert (first["key"], first["low_value"], first["high_value"]) == ("turn_limit", 10, 20)
    assert "turn_limit moves" in found["verdict"].replace("Turn_limit", "turn_limit")


def test_a_key_that_does_not_exist_is_a_sentence():
    plan = plan_from({"kind": "sensitivity", "game": "kingdom", "over": "turn_limits=1..2",
                      "lineups": [{"bots": "random", "games": 5}]})
    with pytest.raises(InputError, match="has no key"):
        contents(plan)
