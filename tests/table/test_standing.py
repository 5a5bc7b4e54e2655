"""How one stands: a score is shown where it is known, and then it is the true one."""

import random

import pytest

from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.table.standing import scores_that_agree


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_score_that_stands_there_is_the_true_one(game: Game):
    """In two worlds a secret comes out alike once in thirty times."""
    shown = 0
    for seed in range(20):
        position, chance = Position(game, seed=seed), random.Random(seed)
        for move in range(60):
            if position.is_over:
                break
            if move % 5 == 0:
                known = scores_that_agree(position, 0)
                assert all(score in (None, true) for score, true in
                           zip(known, position.scores(), strict=True))
                shown += len(known) - known.count(None)
            position.play(chance.choice(position.legal()))
    assert shown


def test_other_books_are_unknown_after_the_first_loan():
    position, chance = Position(find_game("greement"), seed=35), random.Random(35)
    for _ in range(12):
        position.play(chance.choice(position.legal()))
    assert scores_that_agree(position, 0) == [position.scores()[0], None]
