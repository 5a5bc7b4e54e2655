"""The tutorial builds the game it says it builds, and every starter keeps its promises."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import exchequer
from exchequer.cli.new import STARTERS, new_game, starters
from exchequer.core.build import Mode
from exchequer.core.check import check_action_texts, check_names, check_one_game, check_rules
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.handlers import unhandled

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "your-game.md"
BLOCK = re.compile(r'^``` \{\.\w+ title="([\w.]+)"\}\n(.*?)^```$', re.MULTILINE | re.DOTALL)
MOST_LINES = {"whispers": 300, "auction": 180, "harvest": 200}


def typed(folder, blocks):
    """The files as somebody types them off the page, block by block."""
    folder.mkdir(exist_ok=True)
    files = {}
    for name, text in blocks:
        gap = "\n\n" if name.endswith(".py") and name in files else ""
        files[name] = files.get(name, "") + gap + text
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def blocks():
    return BLOCK.findall(PAGE.read_text())


def test_the_page_builds_the_game_that_ships(tmp_path, blocks):
    folder = typed(tmp_path / "whispers", blocks)
    for path in (STARTERS / "whispers").iterdir():
        if path.is_file():
            assert (folder / path.name).read_text() == path.read_text(), path.name


def test_after_each_step_the_check_says_what_is_still_missing(tmp_path, blocks):
    parts = [n for n, (name, _) in enumerate(blocks) if name == "rules.py"]
    missing = []
    for number, last in enumerate(parts):
        game = find_game(typed(tmp_path / f"step{number}", blocks[: last + 1]))
        missing.append([sentence.split(".")[2] for sentence in
                        unhandled(game.rule_modules, game.module("state"))])
    assert missing[0] == ["PLAY", "TARGET", "GUESS", "TURN"]
    assert missing[1] == ["TARGET", "GUESS"]
    assert missing[2:] == [[], []]


def test_the_tests_of_the_page_pass_and_its_valuation_is_used(tmp_path, blocks, monkeypatch):
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    folder = typed(tmp_path / "whispers", blocks)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
                          cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout + done.stderr
    game = find_game(folder)
    check_names(game)
    check_rules(game)
    position = game.start(seed=3)
    first, second = (position.engine.value(position.state, position.content.record, 2, seat)
                     for seat in range(2))
    assert first != second


@pytest.mark.parametrize("name", starters())
def test_a_starter_is_short_and_keeps_its_promises(name, tmp_path, monkeypatch):
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    folder = new_game("mine", name, tmp_path)
    game = find_game(folder)
    check_names(game)
    check_rules(game)
    check_action_texts(game)
    for seats in (2, 4):
        check_one_game(game, game.content(), seats, 0, Mode.PYTHON, 7)
    lines = sum(path.read_text().count("\n") for path in (STARTERS / name).iterdir()
                if path.is_file() and not path.name.startswith("test_"))
    assert lines <= MOST_LINES[name]


def test_a_new_game_bears_its_own_name_and_letter(tmp_path):
    folder = new_game("river_trade", "harvest", tmp_path)
    assert (folder / "rulebook.md").read_text().startswith("# River Trade\n\n**R-1 Players.**")
    assert exchequer.game(folder).title == "River Trade"
    assert "def test_r3" in (folder / "test_rules.py").read_text()
    assert (folder / "AGENTS.md").exists()
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
                          cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "EXCHEQUER_PYTHON": "1"})
    assert "3 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(("name", "like", "says"), [
    ("My Game", "harvest", "cannot be a game's name"), ("class", "harvest", "cannot be"),
    ("fine", "chess", 'There is no starter "chess". There are: auction, harvest, whispers.')])
def test_a_new_game_that_cannot_be_is_refused(name, like, says, tmp_path):
    with pytest.raises(InputError, match=re.escape(says)):
        new_game(name, like, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_that_is_there_is_overwritten(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "rules.py").write_text("# my work\n")
    with pytest.raises(InputError, match="is there already; nothing was written"):
        new_game("mine", "harvest", tmp_path)
    assert (tmp_path / "mine" / "rules.py").read_text() == "# my work\n"
