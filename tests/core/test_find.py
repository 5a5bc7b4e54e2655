"""A game lives anywhere: by name, by path, in a folder of games; a broken one harms nobody."""

import os
import shutil
import subprocess
import sys

import pytest

from exchequer.core import find
from exchequer.core.find import BrokenGame, NoSuchGame, all_games, broken_games, find_game
from exchequer.core.position import Position
from toys.bazaar import GAME
from toys.souk import souk


@pytest.fixture
def bazaar(tmp_path, monkeypatch):
    """The toy as a designer's own folder: it imports its modules relatively."""
    monkeypatch.setenv(find.VARIABLE, "")
    return souk(tmp_path)


def test_a_path_is_a_game(bazaar):
    game = find_game(str(bazaar))
    assert game.name == "souk" and game.folder == bazaar
    assert find_game("souk") is game and find_game(game) is game
    position = Position(game, seed=3)
    position.play(position.legal()[0])
    assert len(position.actions) == 1


def test_a_folder_of_games(bazaar, monkeypatch):
    monkeypatch.setenv(find.VARIABLE, str(bazaar.parent))
    assert "souk" in find.game_names()
    assert find_game("souk").title == GAME.title


def test_of_two_folders_of_one_name_the_one_opened_last_is_found_by_it(bazaar, tmp_path):
    other = tmp_path / "elsewhere" / "souk"
    shutil.copytree(bazaar, other)
    for folder in (bazaar, other, bazaar):
        assert find_game(folder).folder == find_game("souk").folder == folder


def test_other_processes_find_it_by_name(bazaar):
    find_game(bazaar)
    done = subprocess.run([sys.executable, "-c", "from exchequer.core.find import find_game\n"
                           "print(find_game('souk').folder)"],
                          capture_output=True, text=True, env=os.environ)
    assert done.stdout.strip() == str(bazaar), done.stderr


def test_a_half_written_game_harms_nobody(bazaar, monkeypatch):
    monkeypatch.setenv(find.VARIABLE, str(bazaar.parent))
    half = bazaar.parent / "half"
    half.mkdir()
    (half / "rulebook.md").write_text("**H-1 So far.**\n")
    assert "half" in find.game_names() and "half" not in [g.name for g in all_games()]
    assert "half cannot be imported" in broken_games()["half"]


@pytest.mark.parametrize(("file", "text", "says"), [
    ("rules.py", "def broken(:\n", r"rules.py:1: SyntaxError"),
    ("state.py", "import nothing_such\n", r"state.py:1: ModuleNotFoundError"),
    ("__init__.py", "x = 1\n", r"__init__.py has no GAME = Game"),
])
def test_a_game_that_cannot_be_imported_is_a_sentence(bazaar, file, text, says):
    (bazaar / file).write_text(text)
    if file == "rules.py":
        (bazaar / "__init__.py").write_text("from . import rules\n")
    with pytest.raises(BrokenGame, match=f"^souk.*{says}|^souk: {says}"):
        find_game(bazaar)
    (bazaar / file).write_text("")


def test_mended_it_is_read_again(bazaar):
    good = (bazaar / "__init__.py").read_text()
    (bazaar / "__init__.py").write_text("import nothing_such\n")
    with pytest.raises(BrokenGame):
        find_game(bazaar)
    (bazaar / "__init__.py").write_text(good)
    os.utime(bazaar / "__init__.py", (1, 1))
    assert find_game(bazaar).title == GAME.title


@pytest.mark.parametrize(("name", "says"), [
    ("./nowhere", "there is no such folder"), (".", "holds no game: there is no rulebook.md"),
    ("kingdm", 'Did you mean "kingdom"?'), ("zzz", "A game of your own is named by the path")])
def test_what_is_no_game_is_a_sentence(name, says):
    with pytest.raises(NoSuchGame, match=says.replace("?", r"\?")):
        find_game(name)


def test_a_name_that_is_taken(bazaar):
    taken = bazaar.rename(bazaar.parent / "kingdom")
    with pytest.raises(NoSuchGame, match='There is a game "kingdom" already'):
        find_game(taken)
