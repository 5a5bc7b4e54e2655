"""Scores line by line: the lines of every game add up to its score, at the end and on the way."""

import random

import pytest

from exchequer.core.build import Mode
from exchequer.core.check import Broken, check_measures
from exchequer.core.find import all_games
from exchequer.core.measures import Flow, Measures
from exchequer.core.position import Position
from exchequer.core.scoring import START, breakdown
from toys.bazaar import GAME as BAZAAR

GAMES = all_games()
SEEDS = range(6)


def played(game, seed, moves=100_000):
    """A game by random moves, up to its end."""
    chance = random.Random(seed)
    seats = game.seats[0] + seed % (game.seats[1] - game.seats[0] + 1)
    position = Position(game, None, seats, seed, Mode.PYTHON)
    while not position.is_over and len(position.actions) < moves:
        position.take(int(chance.choice(position._legal_ids())))
    return position


def totals(position):
    return [sum(column) for column in zip(*breakdown(position).values(), strict=True)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_lines_add_up_to_the_score(game, seed):
    position = played(game, seed, 1500)
    assert totals(position) == position.scores()
    for moves in range(0, len(position.actions), 60):
        past = position.at(moves)
        assert totals(past) == past.scores()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_more_than_one_line(game):
    assert len(breakdown(played(game, 1, 20))) > 2


def test_a_game_that_declares_no_lines_has_its_points():
    position = Position(BAZAAR, mode=Mode.PYTHON)
    assert breakdown(position) == {"points": position.scores()}


def test_flows_begin_with_what_was_there():
    game = next(game for game in GAMES if game.name == "treasury/v17")
    position = Position(game, mode=Mode.PYTHON)
    assert breakdown(position)[START] == [3, 3]


def test_lines_that_do_not_add_up_are_found(monkeypatch):
    game = next(game for game in GAMES if game.name == "treasury/v17")
    wrong = Measures(lines={"tax": Flow(game.module("state").Event.TAXED)})
    monkeypatch.setattr("exchequer.core.scoring.measures_of", lambda _: wrong)
    with pytest.raises(Broken, match="add up to"):
        check_measures(played(game, 1))
