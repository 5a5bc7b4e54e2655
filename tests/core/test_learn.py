"""Pages for newcomers: every number is the content's or was played, in every variant."""

import re
from dataclasses import replace

import pytest

from exchequer.core import learn
from exchequer.core.check import Broken, check_teaching
from exchequer.core.content import settings
from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.core.rulebook import Heading, Paragraph, Table, said, value_of
from exchequer.table.rulebook import learn_html, picture_path, picture_size
from toys.bazaar import GAME as BAZAAR

GAMES = all_games()
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
WORDS = {"one": 1, "two": 2, "three": 3, "third": 3, "four": 4}


def runs_of(block):
    if isinstance(block, Table):
        return [run for row in block.rows for cell in row for run in cell]
    steps = [run for step in getattr(block, "steps", ()) for run in step]
    return [*(block.text if isinstance(block, Paragraph) else ()), *steps]


def rewritten(game, text):
    """The game with other pages."""
    learn.read.cache_clear()
    another = replace(game)
    another.__dict__["learn"] = text
    return another


@pytest.fixture(autouse=True)
def fresh_pages():
    yield
    learn.read.cache_clear()


def chapter(game, title):
    """The blocks under a heading."""
    blocks = learn.learn(game, game.content())
    at = next(i for i, block in enumerate(blocks)
              if isinstance(block, Heading) and block.text.startswith(title))
    rest = blocks[at + 1:]
    end = next((i for i, block in enumerate(rest) if isinstance(block, Heading)), len(rest))
    return rest[:end]


# What a page has ---------------------------------------------------------------------------------

@each_game
def test_a_page_has_all_that_a_newcomer_needs(game):
    goal, *_ = learn.learn(game, game.content())
    assert isinstance(goal, Paragraph) and len("".join(run.text for run in goal.text)) < 140
    picture, *_ = chapter(game, "What is on the table")
    assert isinstance(picture, learn.Picture) and 6 <= len(picture.steps) == len(picture.places)
    assert any(isinstance(block, learn.Round) for block in chapter(game, "The first"))
    assert chapter(game, "How it ends")
    mistakes, *_ = chapter(game, "Five mistakes beginners make")
    assert len(mistakes.steps) == 5
    assert any(isinstance(block, learn.Things) for block in learn.read(game))


@each_game
def test_every_placeholder_is_filled_in_every_variant(game):
    for variant in (None, *game.variants):
        shown = learn.learn(game, game.variant(variant))
        text = " ".join(run.text for block in shown for run in runs_of(block))
        assert not re.search(r"[{}`]|\]\(|\*\*|\bnothing\b.{0,3}$", text)
        assert all(run.text for block in shown for run in runs_of(block) if run.key)


@each_game
def test_the_numbers_are_those_of_the_game_as_it_ships(game):
    for block in learn.read(game):
        for run in runs_of(block) if not isinstance(block, learn.Things) else ():
            value = value_of(game.text, run.key) if run.kind == "value" else None
            if isinstance(value, int):
                assert WORDS.get(run.text) == value or run.text.lstrip("+") == said(value), run


@each_game
def test_the_board_is_drawn(game):
    for block in learn.read(game):
        if isinstance(block, learn.Picture):
            width, height = picture_size(picture_path(game, block.name))
            assert width > 1500 and height > 600
            assert picture_path(game, block.name).stat().st_size < 500_000


def test_a_variant_has_its_own_numbers():
    game = find_game("kingdom")
    content = game.variant(None, settings(["farm_income=5", "building.mill.price=9"]))
    changed = {(run.key, run.text) for block in learn.learn(game, content)
               for run in runs_of(block) if run.kind == "changed"}
    assert changed == {("farm_income", "5"), ("building.mill.price", "9")}
    told = [run.text for block in learn.learn(game, content) for run in runs_of(block)]
    assert learn.SHIPPED in told


def test_a_game_without_pages_has_none():
    assert learn.learn(BAZAAR, BAZAAR.content()) == []
    assert learn_html(BAZAAR, BAZAAR.content()) == ""


# Whether it is true ------------------------------------------------------------------------------

@each_game
def test_the_round_was_really_played(game):
    checked = [run for block in learn.read(game) if isinstance(block, learn.Round)
               for step in block.steps for run in step if run.key]
    assert len(checked) >= 10
    assert list(learn.faults_of(game)) == []


@pytest.mark.parametrize("step, fault", [
    ("{play develop:farm} leaves [8](kingdoms.0.gold) gold", 'says "8", but kingdoms.0.gold is 7'),
    ("{play develop:farm} for [13](told) gold", 'says "13", but told is Ann develops a Farm for 3'),
    ("{play develop:farm} [1](kingdoms.0.buildings)", 'says "1", but kingdoms.0.buildings is 0')])
def test_what_was_not_so_is_said(step, fault):
    game = rewritten(find_game("kingdom"), f"{{round seats=2 seed=0}}\n1. {step}")
    (sentence,) = learn.faults_of(game)
    assert fault in sentence


def test_the_conformance_suite_plays_the_round():
    page = "{round seats=2 seed=0}\n1. {play -} Ann has [99](kingdoms.0.gold) gold."
    with pytest.raises(Broken, match='teaching: learn.md: step 1 says "99"'):
        check_teaching(rewritten(find_game("kingdom"), page))


@pytest.mark.parametrize("text, says", [
    ("{tabel building | A: name}", "{tabel building"), ("{round seats=2}\n1. no move", "{round"),
    ("{table building.mill | A: name}", "there is no building.mill"),
    ("{table building moat | A: name}", "there is no building moat"),
    ("[7](building.mil.price)", 'the key "building.mil.price"')])
def test_what_cannot_be_read_is_refused(text, says):
    with pytest.raises(InputError, match=re.escape(says)):
        learn.read(rewritten(find_game("kingdom"), text))
