"""Rulebooks: every paragraph is set, numbers come from the content, changes are marked."""

import functools

import pymupdf
import pytest

from exchequer.core.content import settings
from exchequer.core.find import find_game, game_names
from exchequer.printing.press import print_and_play
from exchequer.printing.rulebook import example, pictures, rulebook_pdf


@functools.cache
def pages_of(name, *pairs, keys=False):
    game = find_game(name)
    pdf = pymupdf.open(stream=rulebook_pdf(game, game.variant(None, settings(list(pairs))),
                                           keys=keys))
    return [" ".join(page.get_text().split()) for page in pdf]


def text_of(name, *pairs, keys=False):
    return " ".join(pages_of(name, *pairs, keys=keys))


@pytest.mark.parametrize("name", game_names())
def test_the_first_two_pages_teach_and_the_law_follows(name):
    first, second, third, *_ = pages_of(name)
    assert "What is on the table" in first
    assert "Five mistakes beginners make" in first + second
    assert find_game(name).paragraphs[0] not in first + second
    assert find_game(name).paragraphs[0] in third


@pytest.mark.parametrize("name", game_names())
def test_the_cover_of_the_pieces_says_what_there_is_and_names_the_rulebook(name):
    game = find_game(name)
    pdf, decks = print_and_play(game, game.content())
    cover = " ".join(pymupdf.open(stream=pdf)[0].get_text().split())
    assert "What to print" in cover and f"exchequer print {name} --rulebook" in cover
    for deck in decks:
        assert deck.title in cover


def test_keys_are_printed_when_asked_for():
    assert "begins with 10 gold" in text_of("kingdom")
    assert "begins with 10 (start_gold) gold" in text_of("kingdom", keys=True)


@pytest.mark.parametrize("name", game_names())
def test_every_paragraph_is_there_and_no_markup(name):
    text = text_of(name)
    missing = [number for number in find_game(name).paragraphs if number not in text]
    assert missing == []
    assert "**" not in text and "`" not in text and "](" not in text
    assert "An example of play" in text


def test_a_variant_is_listed_and_marked_in_its_paragraphs():
    text = text_of("kingdom", "mill_bonus=2", "building.mill.price=9")
    assert "mill_bonus 1 2 Gold more from each Farm with a Mill (K-46b)." in text
    assert "building.mill.price 7 9 Mill: price." in text
    assert "Mill (9)." in text and "Mill (7)" not in text
    assert "mill_bonus: 1 is now 2; building.mill.price: 7 is now 9." in text


def test_what_a_switch_turns_off_is_not_in_play():
    marked = "Free start, if hr_free_start (off). not in play"
    assert marked in text_of("greement", keys=True)
    assert "Free start. not in play" in text_of("greement")
    turned = text_of("greement", "hr_free_start=true")
    assert "Free start, if hr_free_start (on). not in play" not in turned
    assert "First loans, unless hr_free_start (on). not in play" in turned


def test_a_changed_entry_is_filled_in_behind_its_name():
    text = text_of("greement", "value.land.start=3", "event.lakes_rise.cards=5")
    assert "Land 3, Seed 2" in text
    assert "Rising Lakes (5 cards)" in text


@pytest.mark.parametrize("name", game_names())
def test_the_example_is_played_to_its_end(name):
    game = find_game(name)
    script = game.module("pieces").EXAMPLE
    assert len(example(game, game.content())) == 1 + len(script["moves"])


def test_the_example_follows_the_variant_and_stops_where_it_must():
    game = find_game("kingdom")
    richer = example(game, game.variant(None, settings(["farm_income=5"])))
    assert "Ann collects 5 gold of income." in richer[0]["lines"]
    poor = example(game, game.variant(None, settings(["start_gold=2"])))
    assert len(poor) < len(richer)


@pytest.mark.parametrize("name", game_names())
def test_pictures_are_of_pieces_that_exist(name):
    game = find_game(name)
    chosen = game.module("pieces").PICTURES
    assert set(chosen) <= set(game.paragraphs)
    assert set(pictures(game, game.content())) == {key for keys in chosen.values() for key in keys}
