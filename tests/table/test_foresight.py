"""What a move would change and what cannot be done: by the rules, and no more than one may know."""

import random

import pytest

from exchequer.cli.new import new_game, starters
from exchequer.core.build import Mode
from exchequer.core.find import all_games, find_game
from exchequer.core.position import Position
from exchequer.table.choices import choices, entering
from exchequer.table.foresight import Refusals, foresee

GAMES = all_games()
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def some_moments(game, every=20, limit=61, seed=5):
    """Positions of one random game in which somebody is asked."""
    position = Position(game, seats=game.seats[1], seed=seed, mode=Mode.PYTHON)
    chance = random.Random(seed)
    while not position.is_over and len(position.actions) < limit:
        if len(position.actions) % every == 0:
            yield position.copy()
        position.play(chance.choice(position.legal()))


@each_game
def test_only_what_the_seat_may_know_is_foreseen(game):
    """Worlds that differ in secrets and in coming chance promise the same."""
    for position in some_moments(game):
        seat, other = position.actor, position.copy()
        other._states[:] = position.determinize(seat, 77)
        for action in position.legal()[:4]:
            assert foresee(position, seat, action) == foresee(other, seat, action)


@each_game
def test_what_is_foreseen_comes_true(game):
    """Unless something is unsure, a move does what was said of it."""
    for position in some_moments(game):
        seat = position.actor
        for action in position.legal()[:4]:
            found = foresee(position, seat, action)
            after = position.copy()
            after.play(action)
            told = after.told(seat, since=len(after.logs) - 1)
            assert set(found.told) <= set(told)
            if not found.unsure and len(told) <= 5:
                assert found.told == told


@each_game
def test_a_refused_move_has_words_and_a_reason(game):
    for position in some_moments(game):
        legal = position.legal()
        for one in Refusals(position, position.actor).all():
            assert one.text not in [move.text for move in legal]
            assert one.words and one.sentence
            assert position.refusal(one.text)


def test_kingdom_two_gold_are_short():
    position = Position(find_game("kingdom"), mode=Mode.PYTHON)
    refusals = Refusals(position, 0)
    [barracks] = refusals.at("building-barracks")
    assert barracks.words == "Build: Barracks (12 gold)"
    assert barracks.sentence.startswith("2 gold short.")
    assert refusals.at("nowhere") == []


def test_kingdom_what_an_outpost_changes():
    position = Position(find_game("kingdom"), mode=Mode.PYTHON)
    found = foresee(position, 0, position.game.words.TEXTS.action("develop:outpost"))
    assert ("", "gold", 10, 7) in [(one.who, one.what, one.before, one.after)
                                   for one in found.changes]
    assert not found.nothing and not found.unsure


def test_greement_an_offer_that_is_too_dear_is_shown_with_what_is_missing():
    """G-R36 Accept is greyed, not absent."""
    game, found = find_game("greement"), []
    for seed in range(40):
        position, chance = Position(game, seats=3, seed=seed, mode=Mode.PYTHON), random.Random(seed)
        while not position.is_over and len(position.actions) < 500 and not found:
            accept = game.words.TEXTS.action("accept")
            if "proposes" in position.question and accept not in position.legal():
                laid = choices(position, position.actor, [
                    (int(move), words) for move, words in position.menu()], True)
                found = [(one.words, one.sentence) for one in laid.refused
                         if one.words.startswith("Accept")]
                assert found
            position.play(chance.choice(position.legal()))
        if found:
            break
    [(_, why)] = found
    assert "cash short" in why and "G-R36" in why


def test_greement_a_number_is_entered_by_its_digits():
    """G-65, also where a part has been typed already."""
    game, chance = find_game("greement"), random.Random(1)
    position = Position(game, seats=2, seed=1, mode=Mode.PYTHON)
    text = game.words.TEXTS.text
    while "type" not in map(text, position.legal()):
        position.play(chance.choice(position.legal()))
    seat = position.actor
    low = choices(position, seat, [(int(a), w) for a, w in position.menu()], True).amount.low
    moves = entering(position, seat, low + 3)
    assert [text(move) for move in moves] == [
        "type", *(f"digit:{digit}" for digit in str(low + 3)), "confirm"]
    position.play("type")
    position.play(f"digit:{str(low + 3)[0]}")
    again = entering(position, seat, low + 3)
    assert text(again[0]) == "erase"
    for move in again:
        position.play(move)
    assert entering(position, position.actor, 10**15) == []


@pytest.mark.parametrize("name", starters())
def test_a_game_without_any_of_this_has_it_as_well(name, tmp_path):
    game = find_game(new_game("lantern", name, tmp_path))
    for position in some_moments(game, every=3, limit=10):
        seat = position.actor
        menu = [(int(move), words) for move, words in position.menu()]
        laid = choices(position, seat, menu, True)
        assert laid.any
        assert not foresee(position, seat, menu[-1][0]).nothing
        for one in Refusals(position, seat).all():
            assert one.words and one.sentence


def test_a_row_of_numbers_is_one_field(tmp_path):
    """Going Once: `bid:0` to `bid:10` is a number that is typed."""
    game = find_game(new_game("lantern", "auction", tmp_path))
    position = Position(game, seats=2, seed=1, mode=Mode.PYTHON)
    menu = [(int(move), words) for move, words in position.menu()]
    laid = choices(position, position.actor, menu, True)
    assert laid.amount and laid.amount.low == 0 and not laid.moves
    assert laid.amount.label == "Bid"
    [action] = entering(position, position.actor, 3)
    assert game.words.TEXTS.text(action) == "bid:3"


def test_greement_a_turn_in_which_nothing_was_done_asks_before_it_ends():
    """Also of those without debts, to whom the bank's interest says nothing."""
    asked = 0
    for position in some_moments(find_game("greement"), every=3, limit=200):
        menu = [(int(move), words) for move, words in position.menu()]
        first, later = (choices(position, position.actor, menu, is_first)
                        for is_first in (True, False))
        if first.end_words == "End the turn" and not later.unfinished:
            asked += 1
            assert first.unfinished == "You have not done anything yet in this turn."
        if first.end_words == "Pass":
            assert not first.unfinished
    assert asked


def test_what_opens_a_choice_foresees_the_question():
    position = Position(find_game("treasury/v03"), seed=1, mode=Mode.PYTHON)
    while "start:down" not in [move.text for move in position.legal()]:
        position.play(position.legal()[0])
    found = foresee(position, position.actor, position.game.words.TEXTS.action("start:down"))
    assert found.then == "Which business do you start face-down?"
    position.play("start:down")
    assert position.question == found.then
    for move in position.legal():
        if move.text == "cancel":  # whoever goes back knows what was asked
            assert foresee(position, position.actor, move).then == ""
