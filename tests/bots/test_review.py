"""Reviews: chances, luck and skill add up; decisions worth another try are found."""

import random

import numpy as np
import pytest

from exchequer.bots.review import Reviewer
from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.position import Position

SHORT = {"kingdom": {"turn_limit": 4}, "treasury/v17": {"turn_cap": 20},
         "treasury/v03": {"max_turns_per_player": 3}, "jagged_time": {"turn_cap": 4},
         "greement": {"rmin": 2, "rmax": 2, "events_per_round": 1}}


def played(name: str, seed: int = 1, most: int = 250) -> tuple[Position, list[int]]:
    game, chance, movers = find_game(name), random.Random(seed), list[int]()
    position = Position(game, game.content({"rules": SHORT[name]}), game.seats[0], seed,
                        Mode.PYTHON)
    while not position.is_over and len(movers) < most:
        movers.append(position.actor)
        position.play(chance.choice(position.legal()))
    return position, movers


def reviewer(name: str, seed: int = 1) -> Reviewer:
    position, movers = played(name, seed)
    return Reviewer(position, movers, position.winners(), Mode.PYTHON)


@pytest.mark.parametrize("name", SHORT)
def test_luck_and_skill_are_the_last_chance_less_the_first(name):
    found = reviewer(name).review()
    whole = found.luck + found.own + found.others
    assert np.allclose(whole, found.chances[-1] - found.chances[0])
    assert len(found.chances) == found.turns[-1].last + 1


@pytest.mark.parametrize("name", SHORT)
def test_chances_are_shares_of_a_win(name):
    found = reviewer(name).review()
    assert found.chances.min() >= 0
    if found.chances.shape[1] > 1:
        assert np.allclose(found.chances.sum(axis=1), 1)


def test_the_last_chance_is_the_result():
    looked = reviewer("kingdom")
    assert looked.review().chances[-1].tolist() == [
        (seat in looked.winners) / len(looked.winners) for seat in range(2)]


def test_who_gives_up_has_lost():
    position, movers = played("kingdom", most=6)
    found = Reviewer(position, movers, [1], Mode.PYTHON).review()
    assert found.chances[-1].tolist() == [0, 1]


def test_an_open_game_without_dice_has_no_luck():
    found = reviewer("kingdom").review()
    assert not found.luck.any() and found.own.any()


def test_what_is_turned_up_is_luck():
    """Greement's events, which nobody knows when they decide; who owes what is no luck."""
    looked = reviewer("greement")
    assert 0 < sum(looked.fell) < len(looked.fell) / 2
    assert looked.review().luck.any()


def test_alone_nobody_else_decides_anything():
    found = reviewer("jagged_time").review()
    assert not found.others.any() and len(found.turns) > 2


def test_turning_points_are_the_largest_changes_in_order():
    found = reviewer("kingdom").review()
    points = found.turning_points(0)
    assert 0 < len(points) <= 3
    assert [point.first for point in points] == sorted(point.first for point in points)
    least = min(abs(point.change[0]) for point in points)
    others = [abs(turn.change[0]) for turn in found.turns if turn not in points]
    assert all(change <= least for change in others)


def test_a_decision_is_tried_again_only_where_another_is_better():
    looked = reviewer("kingdom")
    people = [move for move, seat in enumerate(looked.movers) if seat == 0]
    retries = looked.review(people).retries
    assert 0 < len(retries) <= 3
    for retry in retries:
        past = looked.position.at(retry.moves)
        assert past.actor == retry.seat == 0
        assert retry.played == looked.position.actions[retry.moves] != retry.best
        assert retry.best in past.legal() and retry.cost > 0
    assert looked.review([]).retries == []


def test_a_long_game_costs_no_more():
    """Without a world to try a move in, all that it changed is luck where chance fell."""
    looked = reviewer("treasury/v03")
    looked.worlds = 0
    found = looked.review()
    assert np.allclose(found.luck + found.own + found.others,
                       found.chances[-1] - found.chances[0])
