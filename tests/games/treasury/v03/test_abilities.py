"""Each of the 50 abilities at work, one test or more for each, and the rulings on them."""

import re

import pytest

from exchequer.core.content import ContentError
from exchequer.games.treasury.v03 import GAME
from exchequer.games.treasury.v03.cards import Ability, Card
from exchequer.games.treasury.v03.state import Ask, Event, Pile
from exchequer.games.treasury.v03.words import ability_text
from games.treasury.v03.tabletop import Table

A, B, C = 0, 1, 2


def two(settings=None):
    """A table for two on which nobody runs out of cards."""
    return Table(2, settings).hand(A, "a01", "a02").hand(B, "a03", "a04")


def test_every_ability_has_a_test():
    with open(__file__, encoding="utf-8") as file:
        tested = set(re.findall(r"def test_(\w+?)__", file.read()))
    assert {ability.name.lower() for ability in Ability} <= tested


# Actions -----------------------------------------------------------------------------------------

def test_action_discard_draw__skinner_exchanges_a_card():
    table = two().opened(A, "a18").deck(2, "i01").play("use:1", "card:a01")
    assert table.in_hand(A) == ["a02", "i01"] and table.discards(1) == ["a01"]
    assert table.actor == B and table.fired(Ability.ACTION_DISCARD_DRAW)


def test_action_discard_draw__without_a_deck_the_discard_still_happens():
    table = two().opened(A, "a18").play("use:1", "card:a01")
    assert table.in_hand(A) == ["a02"]


def test_action_gain__r3_33_farmer_and_farm():
    table = two().opened(A, "a06").opened(A, "i12").play("use:1")
    assert table.gold[A] == 2 and table.actor == B
    table.turn(A).play("use:2")
    assert table.gold[A] == 5


def test_action_gain__r3_33_needs_a_deck_or_is_limited_if_so_set():
    table = two({"farm_needs_deck": True}).opened(A, "a06")
    assert "R3-33" in table.refuses("use:1")
    table.deck(2, "i01").play("use:1")
    assert table.gold[A] == 2
    table = two({"farm_cap": 3}).opened(A, "a06").play("use:1").turn(A).play("use:1")
    assert table.gold[A] == 3  # 2 and the 1 that was left
    table.turn(A)
    assert "R3-33" in table.refuses("use:1")


def test_action_swap_barbarian_demand__warrior_takes_the_place_in_the_pile():
    # Demand [a16 (food with barbarians), a19]: a16 to the hand, a05 takes its place.
    table = two().hand(A, "a05").opened(A, "a04", contract="a25").demand("a16", "a19")
    table.play("use:1")
    assert table.asked == Ask.SWAP_IN and table.options() == {"card:a05", "back"}
    table.play("card:a05")
    assert table.in_demand() == ["a05", "a19"] and table.in_hand(A) == ["a01", "a02", "a16"]


def test_action_swap_barbarian_demand__needs_both_cards_and_checks():
    table = two().opened(A, "a04", contract="a25").demand("a19")
    assert "T3-40" in table.refuses("use:1")
    table.demand("a16")
    assert "T3-40" in table.refuses("use:1")  # a01 and a02 have barbarians
    table.hand(A, "a05").opened(B, "a11").play("use:1", "card:a05")
    assert table.contract(B, 1) == "a05"  # Philosopher earns science at once


# Looking -----------------------------------------------------------------------------------------

def test_peek_current_bottom__r3_7_guide_sees_what_comes_last():
    table = two().opened(A, "a07").play("use:1")
    assert table.position.view(A)["current"][0]["card"] == "a36"
    assert table.position.view(B)["current"][0]["card"] == ""
    assert table.fired(Ability.PEEK_CURRENT_BOTTOM)
    assert "R3-52" in table.refuses("use:1")


def test_peek_current_bottom__nothing_in_an_empty_pile():
    table = two().opened(A, "a07").current()
    assert "R3-52" in table.refuses("use:1")


def test_peek_future_top__r3_7_philosopher_sees_the_newest():
    table = two().opened(A, "a11").pile(Pile.FUTURE, "a20", "a21").play("use:1")
    assert [card["card"] for card in table.position.view(A)["future"]] == ["", "a21"]


def test_peek_startup__r3_52_mentor_looks_once_a_turn():
    table = two().opened(A, "a03").startup(B, "i01").startup(B, "i02").play("use:1")
    assert table.asked == Ask.PEEK and table.options() == {"startup:2-1", "startup:2-2", "back"}
    table.play("startup:2-2")
    seen = [b["business"]["card"] for b in table.position.view(A)["players"][B]["businesses"]]
    assert seen == ["", "i02"] and "R3-52" in table.refuses("use:1")
    assert table.told(Event.PEEKED)[0].known == 1 << A


def test_peek_startup__r3_52_free_before_and_after_the_action():
    table = two().opened(A, "a03").startup(B, "i01").play("start:down", "card:a01")
    assert table.actor == A
    table.play("use:1", "startup:2-1")
    assert table.actor == B


# Starting and developing -------------------------------------------------------------------------

def test_after_start_draw_discard__inventor_after_each_start():
    table = two().opened(A, "i08").deck(2, "i01").play("start:down", "card:a01")
    assert table.asked == Ask.DISCARD_CARD and table.in_hand(A) == ["a02", "i01"]
    table.play("card:a02")
    assert table.in_hand(A) == ["i01"] and table.discards(1) == ["a02"]


def test_after_start_draw_discard__no_draw_no_discard():
    table = two().opened(A, "i08").play("start:down", "card:a01")
    assert table.in_hand(A) == ["a02"]


def test_after_start_draw_discard__not_for_its_own_start():
    table = two().hand(A, "i08").deck(2, "i01")
    table.gold = [4, 0]
    table.play("start:up", "card:i08")
    assert table.is_open(A, 1) and table.in_hand(A) == ["a01", "a02"]


@pytest.mark.parametrize(("seats", "gold"), [(2, 3), (3, 2), (4, 1)])
def test_gain_when_any_start__guard_by_number_of_players(seats, gold):
    table = Table(seats).opened(B, "i09").hand(A, "a01", "a02").hand(B, "a03", "a04")
    table.play("start:down", "card:a01")
    assert table.gold[B] == gold and table.fired(Ability.GAIN_WHEN_ANY_START)


def test_gain_when_any_start__r3_36_own_starts_too_unless_others_only():
    table = two().opened(A, "i09").play("start:down", "card:a01")
    assert table.gold[A] == 3
    table = two({"others_only": True}).opened(A, "i09").play("start:down", "card:a01")
    assert table.gold[A] == 0


def test_gain_when_any_start__not_for_the_start_of_guard_itself():
    table = two().hand(A, "i09")
    table.gold = [5, 0]
    table.play("start:up", "card:i09")
    assert table.gold[A] == 0 and table.is_open(A, 1)


def test_left_neighbour_pays_to_start__r3_41_construction():
    # B sits to A's left. C sits to B's left and pays nobody.
    table = Table(3).opened(A, "i15").hand(B, "a03", "a04").hand(C, "a05", "a06")
    table.gold = [0, 1, 1]
    table.turn(B).play("start:down", "card:a03")
    assert table.gold == [1, 0, 1]
    table.play("start:down", "card:a05")
    assert table.gold == [1, 0, 1]
    table = Table(3).opened(A, "i15").hand(B, "a03", "a04").hand(C, "a05", "a06")
    table.turn(B).play("start:down", "card:a03")  # without gold: starts all the same
    assert table.gold == [0, 0, 0] and table.businesses(B) == ["a03"]


def test_develop_twice__coffee_roaster_develops_a_second_time():
    table = two().hand(A, "a05").opened(A, "ii16").startup(A, "a10").startup(A, "a20")
    table.deck(2, "i01", "i02").play("develop", "business:2", "card:a01")
    assert table.actor == A  # once more, with another draw
    table.play("develop", "business:3", "card:a02")
    assert table.developments(A, 2) == ["a01"] and table.developments(A, 3) == ["a02"]
    assert sorted(table.in_hand(A)) == ["a05", "i01", "i02"] and table.actor == B


def test_develop_twice__only_after_developing():
    table = two().opened(A, "ii16").startup(A, "a10").play("start:down", "card:a01")
    assert table.actor == B


def test_may_develop_on_start_turn__stone_cutter_only_what_was_just_started():
    table = two().hand(A, "a05").opened(A, "ii15").startup(A, "a10").play("start:down", "card:a01")
    assert table.actor == A and "T3-21" not in table.refuses("develop")
    table.play("develop", "card:a05")  # a10 in place 2 cannot be meant, so it is not asked
    assert table.developments(A, 3) == ["a05"] and table.developments(A, 2) == []
    assert table.fired(Ability.MAY_DEVELOP_ON_START_TURN)


def test_may_develop_on_start_turn__only_if_face_down():
    table = two().hand(A, "a07").opened(A, "ii15")
    table.gold = [1, 0]
    table.play("start:up", "card:a07")
    assert "T3-16" in table.refuses("develop") or "T3-21" in table.refuses("develop")


def test_free_start_once__cow_farm():
    table = two().hand(A, "a05", "a06").opened(A, "ii08").startup(A, "a10")
    table.play("start:down-free", "card:a01")
    assert table.fired(Ability.FREE_START_ONCE)
    assert "T3-20" in table.refuses("start:down-free")  # once a turn
    assert "T3-21" in table.refuses("develop")  # no developing now
    table.play("seed:action", "card:a05")
    assert table.actor == B


def test_free_start_once__not_after_developing():
    table = two().hand(A, "a05").opened(A, "ii08").startup(A, "a10").play("develop", "card:a01")
    assert table.actor == B  # nothing free is left


def test_free_start_once__also_face_up():
    table = two().hand(A, "a07").opened(A, "ii08")
    table.gold = [1, 0]
    table.play("start:up-free", "card:a07")
    assert table.is_open(A, 2) and table.actor == A


# Opening and closing -----------------------------------------------------------------------------

def test_gold_cost_discount__two_scribes_add_up():
    table = two().opened(A, "a10").opened(A, "a20").startup(A, "a06").play("buy:3")
    assert table.is_open(A, 3) and table.gold[A] == 0  # Farmer costs 2
    assert table.fired(Ability.GOLD_COST_DISCOUNT)


def test_gold_cost_discount__not_on_itself():
    table = two().startup(A, "a10")
    table.gold = [1, 0]
    assert "T3-17" in table.refuses("buy:1")


@pytest.mark.parametrize(("card", "cards", "opens"), [
    ("i15", 2, True), ("i15", 1, False),  # Construction: 3 becomes 2
    ("a10", 1, True), ("a10", 0, False),  # Scribe: 1 stays 1
    ("a07", 0, True),  # Guide: 0 stays 0
])
def test_develop_cost_discount__quarry(card, cards, opens):
    table = two().opened(A, "i01").startup(A, card, *["a11", "a12"][:cards])
    assert (not table.refuses("open:2")) == opens
    if card == "i15" and opens:
        table.play("open:2")
        assert table.fired(Ability.DEVELOP_COST_DISCOUNT)


def test_development_discard_to_demand__boss_keeps_one():
    table = two().opened(A, "a28", contract="a25").startup(A, "a10", "a05", "a06").play("open:2")
    assert table.asked == Ask.BOSS and table.options() == {"card:a05", "card:a06", "no"}
    table.play("card:a05")
    assert table.in_demand() == ["a05"] and table.discards(1) == ["a06"]


def test_development_discard_to_demand__r3_14_also_when_closing():
    table = two().opened(A, "a28", contract="a25").startup(A, "a10", "a05")
    table.play("close:action", "business:2", "card:a05")
    assert table.in_demand() == ["a05"] and table.discards(1) == ["a10"]


def test_free_close__r3_40_hut_any_number_of_times():
    table = two().opened(A, "a31").startup(A, "a10").startup(A, "a20").deck(2, "i01", "i02")
    table.play("close:free", "business:2", "close:free", "business:3")
    assert sorted(table.in_hand(A)) == ["a01", "a02", "i01", "i02"]
    table.play("start:down", "card:a01")
    assert table.actor == A and "close:free" in table.options()  # still free after the action
    table.play("close:free", "business:1")  # Hut may close itself
    assert table.actor == B


def test_open_requires_closing__castle_in_the_place_of_stone():
    table = two().startup(A, "ii11", "a05", "a06").opened(A, "a10")
    assert "T3-17" in table.refuses("open:1")
    table.opened(A, "i01", contract="i07").opened(A, "i05").deck(2, "i02").play("open:1")
    assert table.asked == Ask.CLOSE_FIRST and table.options() == {"business:3", "business:4"}
    table.play("business:3")  # Quarry: a normal close, the contract returns, a card is drawn
    assert table.is_open(A, 1) and table.in_demand() == ["i07"]
    assert table.in_hand(A) == ["a01", "a02", "i02"]
    assert table.fired(Ability.OPEN_REQUIRES_CLOSING)


def test_open_requires_closing__the_usual_cost_is_still_due():
    table = two().hand(A, "ii11").opened(A, "i01")
    table.gold = [6, 0]
    assert "T3-17" in table.refuses("start:up") or "card:ii11" not in table.options()
    table.gold = [7, 0]
    table.play("start:up", "card:ii11")  # only one stone business: not asked which
    assert table.gold[A] == 0 and table.businesses(A) == ["ii11"]


def test_open_requires_closing__citadel_takes_any_old_weapon():
    table = two().startup(A, "iii15", "a05", "a06").opened(A, "a04").opened(A, "iii14")
    table.play("open:1")
    assert table.discards(1)[0] == "a04"  # Warrior, not the Musketeers


def test_on_loss_discard__r3_49_warehouse_takes_a_hand_card_along():
    table = two().opened(A, "i16").play("close:action")
    assert table.asked == Ask.LOSS and table.options() == {"card:a01", "card:a02"}
    table.play("card:a02")
    assert table.in_hand(A) == ["a01"] and table.fired(Ability.ON_LOSS_DISCARD) is False


def test_on_loss_discard__r3_49_who_has_nothing_left_loses_nothing():
    table = Table().opened(A, "i16").play("close:action")
    assert table.in_hand(A) == [] and table.businesses(A) == []
    assert not table.fired(Ability.ON_LOSS_DISCARD)


def test_on_loss_discard__r3_49_or_a_business_without_a_draw():
    table = two().opened(A, "i16").opened(A, "a10", contract="a29").deck(2, "i01", "i02")
    table.play("close:action", "business:1")
    assert table.fired(Ability.ON_LOSS_DISCARD)
    table.play("business:2")
    assert table.in_hand(A) == ["a01", "a02", "i02"]  # one draw, for the close itself
    assert table.in_demand() == ["a29"] and table.businesses(A) == []


def test_on_loss_discard__r3_49_may_take_what_was_to_be_opened():
    # Castle is to open in the place of Warehouse, and Warehouse takes Castle along.
    table = two().startup(A, "ii11", "a05", "a06").opened(A, "i16").play("open:1", "business:1")
    assert table.businesses(A) == [] and sorted(table.discards(1)) == ["a05", "a06"]


def test_on_open_add_hand_to_demand_draw__butcher():
    table = two().startup(A, "ii12", "a05", "a06").deck(2, "i01").play("open:1")
    assert table.options() == {"card:a01", "card:a02", "no"}
    table.play("card:a01")
    assert table.in_demand() == ["a01"] and table.in_hand(A) == ["a02", "i01"]


def test_on_open_contract_from_demand__spearmaker_needs_no_match():
    table = two().startup(A, "i07", "a05").demand("a29", "a30").play("open:1", "card:a30")
    assert table.contract(A, 1) == "a30" and table.in_demand() == ["a29"]  # itself


def test_on_open_contract_from_demand__any_business_in_date_or_none():
    table = two().startup(A, "i07", "a05").opened(A, "a06").opened(A, "a04").demand("a29")
    table.s.age = 3
    table.play("open:1", "card:a29")
    assert table.options() == {"business:1", "business:2"}  # clubs are out of date
    table = two().startup(A, "i07", "a05").play("open:1")
    assert table.asked == Ask.TURN  # empty demand


def test_on_open_discard_demand__fruit_stand():
    table = two().startup(A, "i13").demand("a16", "a29").play("open:1", "card:a16")
    assert table.in_demand() == ["a29"] and table.discards(1) == ["a16"]


def test_on_open_draw__warehouse():
    table = two().startup(A, "i16", "a05").deck(2, "i01").play("open:1")
    assert table.in_hand(A) == ["a01", "a02", "i01"]


def test_on_open_gain_per_business__r3_48_trade_post_counts_itself_and_startups():
    table = two().startup(A, "i14", "a05").startup(A, "a10").opened(A, "a07").opened(A, "a12")
    table.play("open:1")
    assert table.gold[A] == 4


def test_on_open_population__hunter():
    table = two().startup(A, "a27").deck(2, "i01").play("open:1")
    assert table.cards(Pile.FUTURE) == ["i01"] and table.population == 3
    table = two().startup(A, "a27").play("open:1")
    assert table.population == 2  # no deck


def test_on_open_store_gold__thug():
    table = two().startup(A, "a08").play("open:1")
    assert table.s.stored[A, 0] == 3 and table.gold[A] == 0


def test_take_stored_when_business_opens__r3_36_three_openings_empty_thug():
    table = two().opened(A, "a08", stored=3)
    for card in ("a07", "a12", "a18", "a23"):
        table.startup(A, card)
    table.play("open:2", "open:3", "open:4", "open:5")
    assert table.gold[A] == 3 and table.s.stored[A, 0] == 0


def test_take_stored_when_business_opens__r3_36_others_only():
    table = two({"others_only": True}).opened(A, "a08", stored=3).startup(A, "a07").play("open:2")
    assert table.gold[A] == 0
    table.startup(B, "a12").turn(B).play("open:1")
    assert table.gold[A] == 1


def test_gain_when_other_opens__playhouse():
    table = two().opened(B, "iii11").startup(A, "a07").play("open:1")
    assert table.gold == [0, 1]
    table.startup(B, "a12").turn(B).play("open:2")
    assert table.gold == [0, 1]


def test_start_open_by_closing_self__r3_35_lodge():
    # A business of 7 gold with 0 gold: open now, Lodge gone, one card drawn.
    table = two().hand(A, "ii03").opened(A, "i04", contract="i07").deck(2, "i01")
    table.play("start:down", "card:ii03")
    assert table.asked == Ask.LODGE
    table.play("yes")
    assert table.businesses(A) == ["ii03"] and table.is_open(A, 2)
    assert table.in_demand() == ["i07"] and table.in_hand(A) == ["a01", "a02", "i01"]


def test_start_open_by_closing_self__r3_35_castle_needs_another_stone():
    table = two().hand(A, "ii11").opened(A, "i04").play("start:down", "card:ii11")
    assert table.options() == {"no"}  # asked all the same, or the others would know (R3-59)
    table = two().hand(A, "ii11").opened(A, "i04").opened(A, "i01")
    table.play("start:down", "card:ii11", "yes")
    assert table.businesses(A) == ["ii11"]


# Drawing -----------------------------------------------------------------------------------------

def test_may_draw_from_deck__r3_4_alchemist_and_university():
    table = two().opened(A, "a25").startup(A, "a10").deck(2, "i01").deck(3, "ii01").deck(4, "iii01")
    table.play("develop", "card:a01")
    assert table.options() == {"draw:deck-ii", "draw:deck-iii"}
    table.play("draw:deck-iii")
    assert table.in_hand(A) == ["a02", "ii01"] and table.fired(Ability.MAY_DRAW_FROM_DECK)
    table = two().opened(A, "ii14").startup(A, "a10").deck(2, "i01").deck(3, "ii01")
    table.deck(4, "iii01").play("develop", "card:a01")
    assert table.options() == {"draw:deck-ii", "draw:deck-iv"}


def test_may_draw_from_deck__r3_4_the_next_deck_if_it_is_ordinary_already():
    table = two().opened(A, "a25").startup(A, "a10").deck(3, "ii01").deck(4, "iii01")
    table.play("develop", "card:a01")
    assert table.options() == {"draw:deck-iii", "draw:deck-iv"}
    table = two().opened(A, "a25").startup(A, "a10").deck(2, "i01").play("develop", "card:a01")
    assert table.in_hand(A) == ["a02", "i01"]  # its deck is empty


def test_may_draw_from_discard_tops__archives():
    table = two().opened(A, "a21").startup(A, "a10").deck(2, "i01")
    table.pile(Pile.DISCARD, "a05", "a06").pile(Pile.DISCARD + 2, "ii01")
    table.play("develop", "card:a01")
    assert table.options() == {"draw:deck-ii", "draw:discard-i", "draw:discard-iii"}
    table.play("draw:discard-i")
    assert table.in_hand(A) == ["a02", "a06"]
    assert table.position.view(B)["players"][A]["hand"][1]["card"] == "a06"  # all have seen it


def test_may_draw_from_discard_tops__optional_when_the_decks_are_empty():
    table = two().opened(A, "a21").startup(A, "a10").pile(Pile.DISCARD, "a05")
    table.play("develop", "card:a01")
    assert table.options() == {"draw:discard-i", "no"}
    table.play("no")
    assert table.in_hand(A) == ["a02"]


def test_gain_on_drawing_demand__r3_44_laboratory():
    table = two().opened(A, "ii07").startup(A, "a10").deck(2, "i01").play("develop", "card:a01")
    table.play("yes")  # i01 demands science
    assert table.gold[A] == 10
    assert table.position.view(B)["players"][A]["hand"][1]["card"] == "i01"


def test_gain_on_drawing_demand__r3_44_the_gold_is_a_setting_and_showing_optional():
    table = two({"lab_gold": 4}).opened(A, "ii07").startup(A, "a10").deck(2, "i01")
    table.play("develop", "card:a01", "yes")
    assert table.gold[A] == 4
    table = two().opened(A, "ii07").startup(A, "a10").deck(2, "i01")
    table.play("develop", "card:a01", "no")
    assert table.gold[A] == 0


def test_gain_on_drawing_demand__r3_44_laboratory_pays_for_cards_of_a_deck_only():
    # Skinner discards i01 (science), Archives draws it back: no discovery, or it would never end.
    table = two().opened(A, "ii07").opened(A, "a21").opened(A, "a18").hand(A, "i01").deck(2, "i02")
    table.play("use:3", "card:i01", "draw:discard-ii")
    assert table.asked != Ask.SHOW and table.gold[A] == 0
    table = two({"lab_needs_deck": False}).opened(A, "ii07").opened(A, "a21").opened(A, "a18")
    table.hand(A, "i01").deck(2, "i02").play("use:3", "card:i01", "draw:discard-ii")
    assert table.asked == Ask.SHOW and table.play("yes").gold[A] == 10


@pytest.mark.parametrize(("settings", "alchemist", "university"), [
    ({}, "age III", "age IV"), ({"age_tiers": "merged"}, "age II", "age III")])
def test_r3_4_cards_name_the_age_that_the_deck_bears(settings, alchemist, university):
    content = GAME.content(settings)
    for card, age in ((Card.A25, alchemist), (Card.II14, university)):
        text = ability_text(content, card)
        assert f"the {age} deck" in text and "row" not in text


def test_r3_4_a_card_cannot_name_a_deck_that_does_not_exist():
    with pytest.raises(ContentError, match="no deck for row A"):
        GAME.content({"card": {"a25": {"ability": [{"id": "may_draw_from_deck", "tier": "a"}]}}})


# Seeding -----------------------------------------------------------------------------------------

def test_first_seed_free__r3_39_hay_maker():
    table = two().hand(A, "a05").opened(A, "i10").play("seed:free", "card:a01")
    assert table.actor == A and table.fired(Ability.FIRST_SEED_FREE)
    assert "R3-39" in table.refuses("seed:free")
    table.play("start:down", "card:a02")
    assert table.actor == B


def test_first_seed_free__not_after_a_seed_that_was_the_action():
    table = two().hand(A, "a05").opened(A, "i10").play("seed:action", "card:a01")
    assert table.actor == B


def test_second_seed__r3_39_prophet_and_hay_maker_combine():
    table = two().hand(A, "a05", "a06").opened(A, "i10").opened(A, "a17")
    table.current("a36", "a35", "a34", "a33")
    table.play("seed:free", "card:a01", "seed:action", "card:a02", "seed:action", "card:a05")
    assert table.cards(Pile.FUTURE) == ["a01", "a02", "a05"]
    assert table.actor == B and table.fired(Ability.SECOND_SEED)


def test_second_seed__r3_39_not_when_the_first_closes_the_round():
    table = two().hand(A, "a05").opened(A, "a17").current("a36").pile(Pile.FUTURE, "a35")
    table.play("seed:action", "card:a01")
    assert table.actor == B


def test_second_seed__r3_39_needs_a_seed_as_the_action():
    table = two().hand(A, "a05").opened(A, "a17").play("start:down", "card:a01")
    assert table.actor == B


def test_seed_to_row__r3_38_spearman_into_an_empty_row():
    table = two().hand(A, "a05").opened(A, "i11", contract="a25").deck(2, "i01")
    table.play("seed:row", "card:a01")
    assert table.cards(Pile.ROW) == ["a01"] and table.cards(Pile.CURRENT) == ["a36", "a35"]
    assert table.in_hand(A) == ["a02", "a05", "i01"] and table.population == 2


def test_seed_to_row__r3_38_knight_allows_one_in_the_row_and_not_while_closing():
    table = two().opened(A, "i11").row("a20")
    assert "R3-38" in table.refuses("seed:row")
    table.opened(A, "ii04")
    assert not table.refuses("seed:row")
    table.s.closing = 1
    assert "T3-15" in table.refuses("seed:row")


# Contracts (more in test_contracts.py) -----------------------------------------------------------

def test_decide_contract_ties__judge():
    table = two().opened(A, "a10").opened(B, "a18").opened(B, "a16").demand("a29").check()
    assert table.actor == B
    table.play("player:2")
    assert table.contract(B, 1) == "a29"


def test_redirect_contract__council():
    table = two().opened(A, "a05").opened(A, "a18").demand("a29").check().play("business:1")
    assert table.contract(A, 1) == "a29"


def test_wild_demand__tinkerer():
    table = two().opened(A, "a33", contract="a05").opened(A, "a10").demand("a12").check()
    table.play("business:2")
    assert table.contract(A, 2) == "a12"


def test_self_wild_provision__market():
    # food, bronze and stone in demand: stone stands for hides
    table = two().opened(A, "ii03").demand("a19", "ii07", "i07").check()
    table.play("business:1", "card:a19")
    assert table.contract(A, 1) == "a19"


def test_contract_blocks_ability_r3_21():
    table = two().opened(A, "a06", contract="a19").play("use:1")
    assert table.gold[A] == 2  # as the rules stand, Farmer goes on
    table = two({"contract_blocks_ability": True}).opened(A, "a06", contract="a19")
    assert "T3-18" in table.refuses("use:1")
    table.opened(A, "a14")
    assert not table.refuses("use:2")


# End of round ------------------------------------------------------------------------------------

def test_eor_draw_pick_to_demand__tanner():
    table = two().opened(A, "a01").deck(2, "i01", "i02", "i03", "i04").round_step(2)
    assert table.asked == Ask.TANNER and table.options() == {"card:i04", "card:i03", "card:i02"}
    assert [(entry.thing, entry.known) for entry in table.told(Event.PEEKED)] \
        == [(Card.I04, 1 << A), (Card.I03, 1 << A), (Card.I02, 1 << A)]
    table.play("card:i03")
    assert table.asked == Ask.RETURN
    table.play("card:i02")  # under the deck first, then i04 below it
    assert table.in_demand() == ["i03"] and table.cards(Pile.DECK) == ["i04", "i02", "i01"]
    assert table.position.view(A)["decks"]["II"] == 3


def test_eor_draw_pick_to_demand__fewer_cards_and_other_decks():
    table = two().opened(A, "a01").deck(2, "i01").deck(3, "ii01").round_step(2)
    table.play("card:i01")  # the other goes back to its own deck
    assert table.in_demand() == ["i01"] and table.cards(Pile.DECK + 1) == ["ii01"]
    table = two().opened(A, "a01").round_step(2)
    assert table.in_demand() == []  # no deck is left


def test_eor_steal__r3_53_baker():
    table = Table(3).opened(A, "a02").opened(B, "a06")
    table.gold = [0, 5, 5]
    table.round_step(2)
    assert table.gold[A] + table.s.treasury >= 1 and table.fired(Ability.EOR_STEAL)
    table = Table(3).opened(A, "a02").opened(B, "a06").opened(C, "a14")
    table.gold = [5, 5, 5]
    table.round_step(2)
    assert not table.fired(Ability.EOR_STEAL)  # all provide food


def test_contract_blocks_ability_r3_21_also_in_the_middle_of_the_end_of_round():
    # Tanner puts food into demand; Baker gets it as a contract and no longer takes gold.
    table = Table(2, {"contract_blocks_ability": True}).opened(A, "a01").opened(A, "a02")
    table.deck(2, "i06").row("a20").demand("a05")
    table.gold = [0, 5]
    table.round_step(2).play("business:1")
    assert table.contract(A, 2) == "i06" and table.asked == Ask.TURN
    assert not table.fired(Ability.EOR_STEAL)


def test_eor_steal__r3_53_the_owner_chooses_among_those_without_food():
    table = Table(3).opened(A, "a02")
    table.gold = [0, 5, 5]
    table.round_step(2)
    assert table.asked == Ask.STEAL and table.options() == {"player:2", "player:3"}
    assert "R3-53" in table.refuses("player:1")


def test_eor_swap_revealed_with_top_demand__mason():
    # Row [a20, a21], demand top a29; a21 is chosen: row [a20, a29], a21 on top of demand.
    table = two().opened(A, "i06").row("a20", "a21").demand("a05", "a29").round_step(2)
    assert table.options() == {"card:a20", "card:a21", "no"}
    table.play("card:a21")
    assert [int(entry.thing) for entry in table.told(Event.SWAPPED_ROW)] == [20]
    # then the events: a20, then a29
    assert [int(entry.amount) for entry in table.told(Event.RESOLVED)] == [19, 28]
    assert table.in_demand() == ["a05", "a21", "a20", "a29"]


def test_pre_events_move_to_demand__shaman():
    table = two().opened(A, "a26").row("a09").demand("a16")
    table.s.treasury = 5
    table.round_step(5)
    table.play("card:a09")
    assert table.in_demand()[:2] == ["a16", "a09"] or table.contract(A, 1) == "a09"
    assert not table.told(Event.RESOLVED)  # no Barbarians


def test_tax_exempt__gatherer():
    table = two().opened(A, "a09")
    table.gold = [3, 3]
    table.round_step(3)
    assert table.gold == [3, 2] and table.fired(Ability.TAX_EXEMPT)


def test_before_payout_take_treasury__armory_may_leave_nothing():
    table = two().opened(A, "i02").opened(B, "a10", contract="a29")
    table.s.treasury = 2
    table.round_step(7)
    assert table.gold == [2, 0] and table.fired(Ability.BEFORE_PAYOUT_TAKE_TREASURY)


def test_gain_when_treasury_empties__bank():
    table = two().opened(A, "i03").opened(B, "a06", contract="a19").demand("a05", "a11")
    table.s.treasury = 1  # Farmer's contract is 2: a shortfall
    table.round_step(7)
    assert table.gold == [3, 2] and table.fired(Ability.GAIN_WHEN_TREASURY_EMPTIES)
    table = two().opened(A, "i03").round_step(7)
    assert table.gold == [0, 0]  # it was empty before


def test_gain_gold_taken_by_barbarians__swordmaker():
    table = two().opened(B, "ii06").demand("a01", "a02", "a16")
    table.s.treasury = 2
    table.event("a09")
    assert table.gold == [0, 2] and table.s.treasury == 0


def test_contract_payout_bonus__clothworks():
    # Values 7 and 4 become 8 and 5.
    table = two().opened(A, "iii02", contract="iii06").opened(A, "iii01", contract="iii09")
    table.s.treasury = 20
    table.round_step(7)
    assert table.gold[A] == 13 and table.s.treasury == 7


def test_paid_after_exhaustion__r3_46_mint():
    table = two().opened(A, "ii13").opened(A, "a10", contract="a29")
    table.opened(A, "a06", contract="a19")
    table.s.treasury = 1
    table.round_step(7)
    assert table.gold[A] == 3  # Farmer 2 with 1 from the supply, then Scribe 1 by Mint
    table = two().opened(A, "ii13").opened(A, "a10", contract="a29").round_step(7)
    assert table.gold[A] == 1  # the treasury was empty throughout


def test_turn_gain__bronze_mine_and_dye_house():
    table = two().opened(A, "ii02").opened(A, "iii03")
    table.turn(B).play("start:down", "card:a03")
    assert table.actor == A and table.gold[A] == 2


def test_turn_gain__not_in_the_turn_it_is_opened():
    table = two().startup(A, "ii02", "a05").play("open:1")
    assert table.gold[A] == 0


def test_immune_to_harmful_events__r3_34_tower():
    table = two().opened(A, "i05").startup(A, "a10", "a05").startup(B, "a20", "a06").event("i07")
    assert table.developments(A, 2) == ["a05"] and table.developments(B, 1) == []
    assert table.fired(Ability.IMMUNE_TO_HARMFUL_EVENTS)
