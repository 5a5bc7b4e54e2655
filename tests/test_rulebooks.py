"""Rulebook, code and tests name the same paragraphs."""

import pathlib
import re

import pytest

from exchequer.core.find import all_games
from exchequer.core.rulebook import NUMBER, cited

TESTS = pathlib.Path(__file__).parent / "games"
GAMES = all_games()


def slug(paragraph: str) -> str:
    """K-31 -> k31, K-R5 -> kr5, T17-34 -> t17_34."""
    return re.sub(r"(?<=[a-z])-", "", paragraph.lower()).replace("-", "_")


def names_of_tests(game) -> str:
    folder = TESTS / game.name
    names = [name for path in sorted(folder.rglob("test_*.py"))
             for name in re.findall(r"def (test_\w+)", path.read_text())]
    return "\n".join(f"{name}_" for name in names)


def code_of(game) -> str:
    """The game's own sources, and those it shares with its other editions."""
    folders = [game.folder]
    while folders[-1].parent.name != "games":
        folders.append(folders[-1].parent)
    return "\n".join(path.read_text() for folder in folders for path in folder.glob("*.py"))


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_paragraphs_are_unique(game):
    assert len(game.paragraphs) == len(set(game.paragraphs)) > 0


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_every_paragraph_is_in_the_code(game):
    named = set(cited(code_of(game)))
    missing = [number for number in game.paragraphs if number not in named]
    assert not missing, f"no code names {missing}"


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_every_paragraph_named_in_the_code_is_in_the_rulebook(game):
    prefixes = {p.rpartition("-")[0] for p in game.paragraphs}
    named = {number for number in cited(code_of(game)) if number.rpartition("-")[0] in prefixes}
    unknown = named - set(game.paragraphs)
    assert not unknown, f"the rulebook lacks {sorted(unknown)}"


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_every_paragraph_has_a_test(game):
    names = names_of_tests(game)
    missing = [p for p in game.paragraphs if not re.search(rf"_{slug(p)}_", names)]
    assert not missing, f"no test names {missing}"


def test_the_pattern_of_a_number_is_written_once():
    sources = pathlib.Path(__file__).parents[1].joinpath("src")
    assert [path.name for path in sources.rglob("*.py") if NUMBER in path.read_text()] == [
        "rulebook.py"]
