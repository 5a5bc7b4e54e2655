"""The pages of the environments are what their script writes."""

import importlib.util
import pathlib

import pytest

from exchequer.core.find import all_games, find_game
from exchequer.core.rows import layout_of

ROOT = pathlib.Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("environment_pages",
                                              ROOT / "scripts" / "environment_pages.py")
pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pages)
GAMES = [game.name for game in all_games()]


@pytest.mark.parametrize("name", GAMES)
def test_the_page_is_up_to_date(name, golden):
    game = find_game(name)
    path = pages.FOLDER / pages.file_name(game)
    text = pages.page(game)
    if golden:
        path.write_text(text)
    assert path.read_text() == text, "run `python scripts/environment_pages.py`"


@pytest.mark.parametrize("name", GAMES)
def test_every_field_of_the_row_is_explained_or_named_by_the_game(name):
    game = find_game(name)
    text = pages.fields(game)
    for field in layout_of(game).fields:
        assert f"`{field}`" in text


def test_the_leaderboard_is_up_to_date(golden):
    path = pages.FOLDER / "leaderboard.md"
    if golden:
        path.write_text(pages.leaderboard())
    assert path.read_text() == pages.leaderboard()
