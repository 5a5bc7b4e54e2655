"""Text observations: short, complete, and the same in worlds that a seat cannot tell apart."""

import statistics

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.find import all_games, find_game
from exchequer.core.plain_text import board_lines, position_text, written
from exchequer.core.position import Position
from toys.bazaar import GAME as BAZAAR

LONGEST = 2500  # characters of a typical position
GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


def walked(game, seed, moves):
    """A position after random moves of everybody."""
    random = np.random.default_rng(seed)
    position = Position(game, seed=seed, mode=Mode.PYTHON)
    while not position.is_over and len(position.actions) < moves:
        position.play(int(random.choice(position.legal())))
    return position


def met(game):
    """Positions from all over a few games, as the seat to move meets them."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        position = Position(game, seed=seed, mode=Mode.PYTHON)
        while not position.is_over and len(position.actions) < 240:
            if len(position.actions) % 8 == 3:
                yield position
            position.play(int(random.choice(position.legal())))


@GAMES
def test_a_typical_text_is_short(game, record_property):
    lengths = [len(position_text(position, position.actor)) for position in met(game)]
    long = float(np.percentile(lengths, 95))
    record_property("95th percentile", long)
    print(f"{game.name}: median {statistics.median(lengths):.0f}, 95 % below {long:.0f}")
    assert statistics.median(lengths) <= LONGEST
    assert long <= 1.2 * LONGEST


@GAMES
def test_it_says_what_is_asked_and_numbers_every_move(game):
    position = walked(game, 1, 9)
    text = position_text(position, position.actor)
    assert position.question in text
    lines = text.splitlines()
    for number, (_, words) in enumerate(position.menu(), 1):
        assert f"{number} {words}" in lines
    assert not any(mark in text for mark in ("[/]", "[bold]", "None", "{", "}"))


@GAMES
def test_worlds_that_a_seat_cannot_tell_apart_read_the_same(game):
    for moves in (5, 25, 60):
        position = walked(game, 2, moves)
        for seat in range(position.seats):
            texts = set()
            for world in range(3):
                imagined = position.determinize(seat, world)
                position.engine.observe(imagined[0], position.content.record, seat)
                texts.add("\n".join(board_lines(game, imagined[0], position.content, seat,
                                                position.names)))
            assert texts == {"\n".join(board_lines(
                game, position.observe(seat)[0], position.content, seat, position.names))}


@GAMES
def test_a_watcher_and_everybody_at_the_end_can_read_it(game):
    from exchequer.core.records import NOBODY
    from exchequer.table.watching import watched

    position = walked(game, 3, 30)
    assert board_lines(game, watched(position)[0], position.content, NOBODY, position.names)
    assert board_lines(game, position.whole()[0], position.content, 0, position.names)


def test_who_is_not_asked_is_told_who_is():
    position = walked(find_game("kingdom"), 1, 9)
    other = 1 - position.actor
    text = position_text(position, other)
    assert text.endswith(f"{position.names[position.actor]} is to move.")
    assert position.question not in text


def test_it_tells_what_has_happened_since_ones_last_move():
    position = Position(find_game("kingdom"), seed=1, mode=Mode.PYTHON)
    first = position.actor
    while position.actor == first:
        position.play("end")
    other = position.actor
    position.play("end")
    told = [line.text for line in position.story(other, since=len(position.actions))]
    assert told and "\n".join(told) in position_text(position, other)


def test_much_news_is_cut_at_its_beginning():
    text = written(["Board."], [f"Thing {n}." for n in range(30)], "What now?")
    assert "Thing 17." not in text and "Thing 18." in text and "Thing 29." in text
    assert "(18 earlier lines left out)" in text


def test_a_game_that_writes_no_text_is_read_from_its_records():
    position = Position(BAZAAR, seats=2, seed=1, mode=Mode.PYTHON)
    text = position_text(position, position.actor)
    assert "(you, to move): " in text and "face down" in text


def test_an_over_game_says_how_it_ended():
    position = walked(find_game("kingdom"), 1, 10_000)
    assert position_text(position, 0).endswith(position.outcome())
