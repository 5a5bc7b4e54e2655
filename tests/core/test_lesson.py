"""Lessons: they are played as they are written, and whoever reads them is told what is wrong."""

import pathlib
import shutil

import pytest

from exchequer import starters
from exchequer.bots.bot import Bot
from exchequer.core import lesson
from exchequer.core.build import Mode
from exchequer.core.check import Broken, check_teaching
from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from toys.bazaar import GAME as BAZAAR

GAMES = all_games()
STARTERS = pathlib.Path(starters.__file__).parent
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@each_game
def test_every_game_has_a_lesson_that_can_be_played(game):
    found = lesson.lesson(game)
    assert found is not None and 8 <= len(found.steps) <= 14
    assert list(lesson.faults_of(game)) == []


@each_game
def test_a_lesson_ends_with_the_game_or_soon_before_its_end(game):
    found = lesson.lesson(game)
    position = lesson.begun(game, found)
    for turn in found.script:
        position.play(turn.action)
    assert found.next(position.actions) is None
    bot = Bot(game, "greedy", 0, Mode.PYTHON)
    for _ in range(150):
        if position.is_over:
            return
        position.play(bot.choose(position.observe(position.actor), position.content,
                                 position.actor))
    raise AssertionError("a first game is short")


@each_game
def test_numbers_in_a_lesson_are_those_of_its_content(game):
    found = lesson.lesson(game)
    content = game.content(found.overlay)
    for step in found.steps:
        assert "](" not in lesson.said(game, content, step.say)


def test_a_copied_game_has_one_to_change():
    game = find_game(str(STARTERS / "harvest"))
    assert lesson.lesson(game) and list(lesson.faults_of(game)) == []


def test_the_next_move_follows_from_the_moves_made():
    game = find_game("kingdom")
    found = lesson.lesson(game)
    actions = [turn.action for turn in found.script]
    for count, turn in enumerate(found.script):
        assert found.next(actions[:count]) == turn
    assert found.next(actions) is None
    assert found.next([found.script[0].action + 1]) is None


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(BAZAAR.folder, tmp_path / "stall",
                           ignore=shutil.ignore_patterns("__pycache__"))


def written(folder, text):
    (folder / "lesson.toml").write_text(text)
    return find_game(str(folder))


def test_a_game_without_a_lesson_is_fine():
    assert lesson.lesson(BAZAAR) is None and not list(lesson.faults_of(BAZAAR))


@pytest.mark.parametrize(("text", "sentence"), [
    ("seats = 2", "at least one"),
    ("hello = 1\n[[step]]\nsay = 'a'\nplay = 'b'", "nothing else"),
    ("[[step]]\nsay = 'Sell.'", "`say` and `play`"),
    ("[[step]]\nsay = 'Sell.'\nplay = 'fly'", "fly"),
])
def test_what_cannot_be_read_is_said(folder, text, sentence):
    game = written(folder, text)
    with pytest.raises(InputError, match=sentence):
        list(lesson.faults_of(game))
    with pytest.raises(Broken):
        check_teaching(game)
