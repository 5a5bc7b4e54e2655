"""Boards drawn in a process of their own are those drawn here, and nobody depends on it."""

import os
import signal
from collections.abc import Iterator

import pytest
from visitors import wait_until

from exchequer.core.find import all_games
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.table.drawing import BoardDrawer, Drawing, draw

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


@pytest.fixture(scope="module")
def apart() -> Iterator[BoardDrawer]:
    drawer = BoardDrawer()
    drawer.apart()
    wait_until(lambda: drawer._is_ready)
    yield drawer
    drawer.stop()


def first_board(game: Game) -> Drawing:
    position = Position(game)
    seat = position.actor
    return Drawing(game.name, "{}", position.observe(seat).tobytes(), seat,
                   ("Ann", "Ben")[: position.seats], tuple(position.legal()))


@GAMES
def test_the_other_process_draws_the_same(apart: BoardDrawer, game: Game):
    assert apart._drawn_apart(first_board(game)) == draw(first_board(game))


def test_what_cannot_be_drawn_fails_here_and_the_process_goes_on(apart: BoardDrawer):
    drawing = first_board(all_games()[0])
    with pytest.raises(ValueError):
        apart.draw(drawing._replace(observed=b"too short"))
    assert apart._is_ready and apart.draw(drawing) == draw(drawing)


def test_when_the_process_is_killed_boards_are_drawn_here():
    drawer, drawing = BoardDrawer(), first_board(all_games()[0])
    drawer.apart()
    wait_until(lambda: drawer._is_ready)
    os.kill(drawer._process.pid, signal.SIGKILL)
    assert drawer.draw(drawing) == draw(drawing)
    assert not drawer._is_ready
    drawer.stop()
