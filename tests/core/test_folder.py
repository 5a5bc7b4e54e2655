"""Names in a game's folder: what is missing, misspelt or read by nobody is said in a sentence."""

import pathlib
import shutil

import pytest

from exchequer.core.folder import faults_of
from exchequer.core.modules import MODULES, page
from toys.bazaar import GAME

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(GAME.folder, tmp_path / "bazaar",
                           ignore=shutil.ignore_patterns("__pycache__"))


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_toy_has_no_fault(folder):
    assert list(faults_of(folder)) == []


def test_a_module_that_is_missing(folder):
    (folder / "state.py").unlink()
    assert "state.py is missing; it holds records, enums and the schema of the content." in \
        list(faults_of(folder))


@pytest.mark.parametrize("name", ["view", "terminal", "browser", "clock", "measures", "value"])
def test_a_module_that_may_be_missing(folder, name):
    (folder / f"{name}.py").unlink(missing_ok=True)
    assert list(faults_of(folder)) == []


def test_a_name_that_is_missing(folder):
    change(folder / "rules.py", "def setup(s, c, seats", "def finale(s, c, seats")
    missing, unread = faults_of(folder)
    assert missing == ("rules.py has no `setup`; it holds the rules; `core/contract.py` says what "
                       "each function does.")
    assert unread.startswith("rules.py:") and "`finale` is used by nothing" in unread


def test_a_misspelt_setting(folder):
    (folder / "clock.py").write_text('DEFUALTS = ("pay",)\nSENTENCE = "tribute is paid"\n')
    assert list(faults_of(folder)) == [
        "clock.py:1: `DEFUALTS` is used by nothing in the game, and Exchequer does not read it. "
        "Did you mean `DEFAULTS`?"]


def test_a_misspelt_module(folder):
    (folder / "clok.py").write_text('DEFAULTS = ("pay",)\n')
    first, _ = faults_of(folder)
    assert first == ("clok.py is imported by no module of the game, and Exchequer does not read "
                     "it. Did you mean `clock.py`?")


def test_a_leftover(folder):
    change(folder / "state.py", "class Pile(", "UNUSED = 3\n\n\nclass Pile(")
    (fault,) = faults_of(folder)
    assert "`UNUSED` is used by nothing in the game" in fault and fault.endswith("Delete it.")


def test_the_page_about_the_folder_is_written_from_the_protocols():
    """`python scripts/contract_page.py` writes it."""
    assert (ROOT / "docs" / "game-folder.md").read_text() == page()
    assert MODULES["rules"].needed == ("setup",)
    assert MODULES["words"].needed == ()
    assert "`spot(s, content, action)`: where on the board" in page()
