"""Each paragraph of the rulebook in a test: `pytest`."""

import pathlib

import exchequer

GAME = exchequer.game(pathlib.Path(__file__).parent)


def test_x2_everybody_starts_with_a_hand():
    position = GAME.start(seed=1, seats=3)
    state = GAME.module("state")
    starts = position.state.start[state.Pile.HAND:]
    assert [int(starts[seat + 1] - starts[seat]) for seat in range(3)] == [3, 3, 3]


def test_x3_a_card_is_worth_its_points():
    position = GAME.start(seed=1, variant={"crop": {"wheat": {"points": 9}}})
    while "play:wheat" not in map(repr, position.legal()):
        position.play(position.legal()[0])
    seat, before = position.actor, position.scores()
    position.play("play:wheat")
    assert position.scores()[seat] == before[seat] + 9


def test_x5_every_game_ends_with_a_winner():
    result = exchequer.simulate(GAME, games=200, seats=4)
    assert sum(result.wins) > 0
