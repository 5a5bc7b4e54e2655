"""The conformance suite over every game found."""

import json

import pytest

import exchequer
from exchequer.core.build import Mode
from exchequer.core.check import check_game, check_modes
from exchequer.core.find import all_games
from exchequer.gpu.check import check_device
from exchequer.gpu.files import NO_EXTRA, can_compile

GAMES = all_games()


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_game_keeps_its_promises(game):
    fewest, most = game.seats
    check_game(game, games=2 if fewest == most else 1, mode=Mode.COMPILED, every=23)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_all_modes_give_the_same_bytes(game):
    """Plain Python takes its time, so every number of seats plays one game."""
    fewest, most = game.seats
    for seats in range(fewest, most + 1):
        check_modes(game, game.content(), seats, range(2 if fewest == most else 1))


@pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)
@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_rules_compile_for_a_gpu(game):
    check_device(game)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_random_play_reaches_all_content(game):
    played = exchequer.simulate(game, games=20_000, seats=game.seats[1])
    missing = {kind: (seen, total) for kind, (seen, total) in played.coverage.items()
               if seen < total}
    assert played.unfinished == 0
    assert not missing, json.dumps(missing)
