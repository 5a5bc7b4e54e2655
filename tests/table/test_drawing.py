"""Boards drawn in a process of their own are those drawn here, and nobody depends on it."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from visitors import wait_until

from exchequer.core.find import all_games
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.table.drawing import BoardDrawer, Drawing, board_of

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


@pytest.fixture(scope="module")
def apart() -> Iterator[BoardDrawer]:
    drawer = BoardDrawer(2)
    drawer.apart()
    wait_until(lambda: drawer.ready == 2, 60)
    yield drawer
    drawer.stop()


def first_board(game: Game) -> Drawing:
    position = Position(game)
    seat = position.actor
    return Drawing(game.name, "{}", position.observe(seat).tobytes(), seat,
                   ("Ann", "Ben")[: position.seats], tuple(position.legal()))


@GAMES
def test_the_other_process_draws_the_same(apart: BoardDrawer, game: Game):
    assert apart._workers[0].draw(first_board(game)) == board_of(first_board(game))


def test_what_cannot_be_drawn_fails_here_and_the_process_goes_on(apart: BoardDrawer):
    drawing = first_board(all_games()[0])
    with pytest.raises(ValueError):
        apart.draw(drawing._replace(observed=b"too short"))
    assert apart.ready == 2 and apart.draw(drawing) == board_of(drawing)


def test_when_processes_are_killed_the_others_draw_and_at_last_we_do():
    drawer, drawing = BoardDrawer(2), first_board(all_games()[0])
    drawer.apart()
    wait_until(lambda: drawer.ready == 2, 60)
    for left in (1, 0):
        os.kill(drawer._workers[left].process.pid, signal.SIGKILL)
        drawer._workers[left].process.wait()
        for _ in range(3):
            assert drawer.draw(drawing) == board_of(drawing)
        assert drawer.ready == left
    drawer.stop()


def test_many_threads_draw_at_once(apart: BoardDrawer):
    drawings = [first_board(game) for game in all_games()]
    with ThreadPoolExecutor(6) as threads:
        boards = list(threads.map(apart.draw, drawings * 4))
    assert boards == [board_of(drawing) for drawing in drawings] * 4
