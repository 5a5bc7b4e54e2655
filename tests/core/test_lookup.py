"""Looking things up: every card has a text, paragraphs are found by number and by words."""

import pytest

from exchequer.core.find import all_games, find_game
from exchequer.core.lookup import paragraphs_about, thing, things, things_named
from toys.bazaar import GAME as BAZAAR

KINGDOM = find_game("kingdom")


@pytest.mark.parametrize("game", [*all_games(), BAZAAR], ids=lambda game: game.name)
def test_everything_with_a_name_can_be_looked_up(game):
    every = things(game, game.content())
    assert every
    for one in every:
        assert one.line and one.full and "[[" not in one.full, one
        assert one in things_named(game, game.content(), one.name)


@pytest.mark.parametrize("words, names", [
    ("Barracks", ["Barracks"]), ("barracks", ["Barracks"]),
    ("castle", ["Castle Walls", "Castle Gardens"]), ("moat", []), ("", [])])
def test_things_by_name(words, names):
    assert [one.name for one in things_named(KINGDOM, KINGDOM.content(), words)] == names


def test_the_words_of_the_game_come_first(monkeypatch):
    monkeypatch.setattr(KINGDOM.words, "thing", lambda content, table, key: (
        f"The {key}", "A line.", "All of it."), raising=False)
    barracks = thing(KINGDOM, KINGDOM.content(), "building", "barracks")
    assert (barracks.name, barracks.line, barracks.full) == (
        "The barracks", "A line.", "All of it.")


def test_a_thing_without_a_text_has_its_fields():
    game = find_game("treasury/v03")
    assert thing(game, game.content(), "icon", "hides").line


@pytest.mark.parametrize("words, numbers", [
    ("K-31", ["K-31"]), ("k-31", ["K-31"]), ("K-999", []), ("", []),
    ("castle hit carry off", ["K-38"])])
def test_paragraphs_by_number_and_words(words, numbers):
    found = paragraphs_about(KINGDOM, KINGDOM.content(), words)
    assert [block.number for block in found] == numbers


def test_keys_are_not_searched():
    """`start_gold` is the key of a number; who looks for "start" does not mean it."""
    assert paragraphs_about(KINGDOM, KINGDOM.content(), "start_gold") == []
