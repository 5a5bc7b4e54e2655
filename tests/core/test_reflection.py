"""The default view, screen and spots: read from records, enums and content, telling no secrets."""

import random

import pytest
from rich.console import Console

from exchequer.core.build import Mode
from exchequer.core.find import all_games
from exchequer.core.position import Position
from exchequer.core.reflection import changes, last_look, reflected, spots, view_of
from exchequer.core.screen import default_screen
from toys.bazaar import GAME
from toys.bazaar.state import Do, Pile
from toys.faulty import Faulty


def played(game, seats, seed=3, moves=8):
    position, chance = Position(game, seats=seats, seed=seed, mode=Mode.PYTHON), random.Random(seed)
    while len(position.actions) < moves and not position.is_over:
        position.play(chance.choice(position.legal()))
    return position


def seen(position, seat, states=None):
    observed = position.observe(seat) if states is None else states
    return reflected(position.game, observed[0], position.content, seat)


def pile(area, label):
    return next(one for one in area["piles"] if one["label"] == label)


def test_what_is_a_seats_lies_before_it_and_the_rest_on_the_table():
    view = seen(played(GAME, 3, moves=0), 1)
    assert [area["seat"] for area in view["seats"]] == [0, 1, 2]
    assert view["seats"][2]["numbers"] == [{"key": "gold.2", "label": "Gold", "value": 3}]
    assert [one["label"] for one in view["seats"][0]["piles"]] == ["Hand"]
    assert [one["label"] for one in view["shared"]["piles"]] == ["Deck", "Sold"]
    assert view["actor"] == 0 and view["seat"] == 1


def test_known_cards_have_their_names_and_hidden_ones_their_backs():
    view = seen(played(GAME, 2, moves=0), 0)
    own, other = (pile(view["seats"][seat], "Hand")["cards"] for seat in (0, 1))
    assert {card["name"] for card in own} <= {"Grain", "Salt", "Wine", "Silk"}
    assert own[0]["facts"][0][0] == "Price" and own[0]["tip"].startswith("good.")
    assert all(card["card"] is None and "name" not in card for card in other)
    assert {card["back"] for card in other} <= {0, 1}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_any_game_has_a_default_view_and_screen(game):
    position = played(game, game.seats[1], moves=12)
    for seat in range(position.seats):
        view = seen(position, seat)
        Console(file=None, quiet=True).print(default_screen(view, ["Somebody"] * position.seats))
        assert view == seen(position, seat, world_as_seen(position, seat))


def world_as_seen(position, seat):
    """Another world that the seat cannot tell from the true one, as it sees it."""
    other = Position(position.game, position.content, position.seats, position.seed, Mode.PYTHON)
    other._states[:] = position.determinize(seat, 77)
    return other.observe(seat)


def test_arrays_are_labelled_by_enums_and_empty_entries_left_out():
    kingdom = next(game for game in all_games() if game.name == "kingdom")
    area = seen(played(kingdom, 2, moves=0), 0)["seats"][0]
    numbers = {one["key"]: one for one in area["numbers"]}
    assert {"label": "Council", "value": 1} in numbers["people.0"]["parts"]
    assert numbers["gold.0"]["label"] == "Gold"


def test_an_action_is_done_at_the_card_that_it_moves():
    position = played(GAME, 2, moves=6)
    seat = position.actor
    found = spots(GAME, position.observe(seat)[0], position.content, position.legal())
    hand = range(position.state.start[Pile.HAND + seat], position.state.start[Pile.HAND + seat + 1])
    assert found == {f"card-{position.state.card[place]}": [Do.SELL + index]
                     for index, place in enumerate(hand)}
    assert position.observe(seat).tobytes() == played(GAME, 2, moves=6).observe(seat).tobytes()


def test_what_changed_since_ones_last_move():
    position = played(GAME, 2, moves=0)
    assert last_look(position, 0) == b""
    position.play("draw")
    position.play("sell:1")
    before = position.at(1)
    assert last_look(position, 0) == before.observe(0).tobytes()
    marks = changes(seen(before, 0), seen(position, 0))
    price = position.state.gold[1] - 3
    assert marks["gold.1"] == f"+{price}" and "gold.0" not in marks
    assert marks[f"pile{Pile.DECK}/size"] == "\N{MINUS SIGN}1"
    sold = int(position.state.card[position.state.start[Pile.SOLD]])
    assert marks[f"pile{Pile.SOLD}/{sold}"] == "new"


def test_a_games_own_view_goes_first():
    position = played(GAME, 2, moves=0)
    assert set(view_of(GAME, position.observe(0)[0], position.content, 0)) == {"gold", "cards"}


def test_a_rule_that_fails_half_way_leaves_nothing_behind():
    def answer(s, c, ask, seat, a, b, action, log):
        s.gold[seat] = 99
        raise ZeroDivisionError

    answer.is_rule = True
    position = Position(Faulty({"answer": answer}), seats=2, seed=1, mode=Mode.PYTHON)
    before = position.state.tobytes()
    with pytest.raises(ZeroDivisionError):
        position.play("draw")
    assert position.state.tobytes() == before and position.actions == []
    assert position.at(0).state.tobytes() == before
