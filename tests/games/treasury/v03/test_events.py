"""Each of the 22 event effects, and the rulings on them (T3-35 to T3-40)."""

import re

import pytest

from exchequer.games.treasury.v03.cards import Effect
from exchequer.games.treasury.v03.state import Ask, Event, Pile
from games.treasury.v03.tabletop import Table

A, B, C = 0, 1, 2


def treasury(table, gold):
    table.s.treasury = gold
    return table


def test_every_effect_has_a_test():
    with open(__file__, encoding="utf-8") as file:
        tested = set(re.findall(r"def test_(\w+?)__", file.read()))
    assert {effect.name.lower() for effect in Effect} <= tested


def test_barbarians__t3_40_strength_against_the_treasury():
    # 3 icons, treasury 2: loses 2
    table = treasury(Table().demand("a01", "a02", "a16", "a19"), 2).event("a09")
    assert table.s.treasury == 0
    table = treasury(Table().demand("a01", "a02", "a16", "a19"), 7).event("a09")
    assert table.s.treasury == 4


def test_barbarians__r3_25_its_own_icon_does_not_count():
    table = treasury(Table(), 5).event("a09")
    assert table.s.treasury == 5 and table.in_demand() == ["a09"]


def test_discard_developments__volcano_takes_two_of_each():
    # A has 3 development cards and chooses, B has 1: it goes.
    table = Table().startup(A, "a10", "a05", "a06").startup(A, "a20", "a07")
    table.startup(B, "a18", "a08").event("i07")
    assert table.asked == Ask.VOLCANO and table.options() == {"card:a05", "card:a06", "card:a07"}
    table.play("card:a05", "card:a07")
    assert table.developments(A, 1) == ["a06"] and table.developments(B, 1) == []
    assert sorted(table.discards(1)) == ["a05", "a07", "a08"]


def test_discard_developments__where_all_go_nothing_is_asked():
    table = Table().startup(A, "a10", "a05").startup(A, "a20", "a07").event("i07")
    assert table.asked == Ask.TURN and table.discards(1) == ["a05", "a07"]


def test_discard_developments__from_which_business_is_told():
    table = Table().startup(A, "a10", "a05", "a06").startup(A, "a20", "a07").event("i07")
    table.play("card:a07")
    assert [(entry.seat, entry.amount) for entry in table.told(Event.UNDEVELOPED)] == [(A, 2)]


def test_discard_developments__boss_keeps_one_of_the_batch():
    table = Table().opened(A, "a28", contract="a25").startup(A, "a10", "a05", "a06").event("i07")
    assert table.asked == Ask.BOSS and table.options() == {"card:a05", "card:a06", "no"}
    table.play("card:a06")
    assert table.in_demand()[0] == "a06" and table.discards(1) == ["a05"]


def test_discard_oldest_demand__r3_54_great_leader():
    table = Table().demand("a19", "a12", "a13").event("ii11")
    assert table.in_demand() == ["a19", "a13", "ii11"]
    table = Table().demand("a19").event("ii11")
    assert table.in_demand() == ["a19", "ii11"]  # none there: nothing


def test_draw_per_science_then_discard__breakthrough():
    # A provides 2 science: draws 2, discards 2. B none.
    table = Table().opened(A, "ii07").hand(A, "a01").hand(B, "a02").deck(2, "i12", "i11", "i10")
    table.event("ii13")
    table.play("no", "no")  # Laboratory is asked after each card
    assert table.asked == Ask.DISCARD_CARD
    table.play("card:i10", "card:a01")
    assert table.in_hand(A) == ["i11"] and table.in_hand(B) == ["a02"]


def test_draw_to_demand__stimulus_with_a_check_after_each():
    # Two cards, hides and stone with barbarians: Fruit Stand's i13 demands hides.
    table = Table().opened(A, "a10").deck(2, "i12", "i13").event("i14")
    assert table.contract(A, 1) == "i13" and table.in_demand() == ["i12", "i14"]


def test_draw_to_demand__stops_without_a_deck():
    table = Table().deck(2, "i12").event("ii14")  # Stimulus of 3
    assert table.in_demand() == ["i12", "ii14"]


def test_gain_per_icon__wonder():
    # 3 stone icons at 2 gold: +6, contracted or not
    table = Table().opened(A, "ii15", contract="i07").opened(A, "i01").opened(B, "a10").event("i08")
    assert table.gold == [6, 0]


def test_generation__t3_39_more_food_than_people():
    table = Table().opened(A, "a06").opened(B, "iii06").deck(2, "i01").event("a16")
    assert table.population == 3 and table.cards(Pile.FUTURE) == ["i01"]  # 3 food, 2 people


def test_generation__equal_changes_nothing_and_the_minimum_holds():
    table = Table().opened(B, "iii06").deck(2, "i01").event("a16")
    assert table.population == 2  # 2 food, 2 people
    table = Table().opened(A, "a06").deck(2, "i01").event("a16")
    assert table.population == 2  # 1 food, but 2 is the minimum for two players


def test_generation__t3_38_r3_26_less_food_reveals_a_card_for_the_next_round():
    table = Table().pile(Pile.FUTURE, "a20").event("a16")
    assert table.population == 2 and table.cards(Pile.ROW) == ["a35"]
    assert [int(entry.thing) for entry in table.told(Event.RESOLVED)] == [Effect.GENERATION]


def test_new_territory__gold_even_without_growth():
    table = Table().deck(2, "i01").event("iii12")
    assert table.population == 3 and table.s.treasury == 4
    table = Table().event("iii12")
    assert table.population == 2 and table.s.treasury == 4


def test_poor_gain_from_treasury__reforms_in_seat_order():
    # Treasury 3, three poor players at 2: 2, 1, 0
    table = treasury(Table(3), 3).event("iii16")
    assert table.gold == [2, 1, 0]
    table = treasury(Table(3), 9)
    table.gold = [6, 5, 0]  # below 6 is poor
    table.event("iii16")
    assert table.gold == [6, 7, 2]


def test_poor_gain_from_treasury__t3_35_in_order_from_the_starting_player():
    table = treasury(Table(3), 3)
    table.s.first = 2
    table.event("iii16")
    assert table.gold == [1, 0, 2]


def test_population__t3_37_summer():
    table = Table().deck(2, "i01").event("ii16")
    assert table.cards(Pile.FUTURE) == ["i01"]
    assert table.event("ii13").population == 3
    table = Table().event("ii16")
    assert table.population == 2  # no deck


def test_population__r3_27_nobody_sees_the_card():
    table = Table().deck(2, "i01").event("ii16")
    for seat in (A, B):
        assert table.position.view(seat)["future"] == [{"card": "", "back": "II"}]


def test_providers_discard_contract__r3_43_extinction():
    # A: Farmer and Baker contracted, one goes by choice; Scribe's contract is no food contract.
    table = Table().opened(A, "a06", contract="a19").opened(A, "a02", contract="a20")
    table.opened(A, "a10", contract="a29").opened(B, "a18", contract="a30").event("i01")
    assert table.options() == {"business:1", "business:2"}
    table.play("business:1")
    assert table.contract(A, 1) == "" and table.contract(A, 2) == "a20"
    assert table.contract(B, 1) == "a30" and table.discards(1) == ["a19"]
    assert table.businesses(A) == ["a06", "a02", "a10"]  # the business stays


def test_providers_discard_contract__nothing_without_a_food_contract():
    table = Table().opened(A, "a06").opened(A, "a10", contract="a29").event("i01")
    assert table.contract(A, 2) == "a29"


def test_providers_gain_flat__early_trade_and_harvest():
    # 3 hides icons: still +1
    table = Table().opened(A, "a10").opened(A, "a18").opened(A, "a07").opened(B, "a06").event("a29")
    assert table.gold == [1, 0]
    table.event("iii03")  # Harvest: food, 3 gold
    assert table.gold == [1, 3]


def test_providers_may_close__modernization():
    table = Table().opened(A, "ii02").opened(A, "a10", contract="a29").opened(B, "a18")
    table.hand(A, "a01").deck(2, "i01").event("ii08")
    assert table.actor == A and table.options() == {"business:1", "business:2", "no"}
    table.play("business:2")
    assert table.in_hand(A) == ["a01", "i01"]  # one draw in all
    assert table.contract(B, 1) == "a29"  # the returned contract is earned by Skinner


def test_providers_may_close__nobody_provides_it():
    table = Table().opened(A, "a10").event("ii08")
    assert table.businesses(A) == ["a10"] and table.asked == Ask.TURN


def test_rebellion__happiness_softens_it():
    # Base 9, 2 happiness at 3 each: loses 3
    table = treasury(Table().opened(A, "a31").opened(B, "a32"), 8).event("iii10")
    assert table.s.treasury == 5
    table = treasury(Table().opened(A, "iii11").opened(B, "iii07").opened(B, "a31"), 8)
    table.event("iii10")
    assert table.s.treasury == 8  # 4 happiness: not below 0
    assert treasury(Table(), 4).event("iii10").s.treasury == 0


def test_science_draw_then_demand__discovery_of_providers():
    # Two providers: demand +2, each after its own draw
    table = Table().opened(A, "a21", contract="a05").opened(B, "a36", contract="a06")
    table.hand(A, "a01").hand(B, "a02").deck(2, "i10", "i09").event("a04")
    assert table.actor == A and table.in_hand(A) == ["a01", "i09"]
    table.play("card:a01")
    assert table.actor == B and table.in_hand(B) == ["a02", "i10"]
    table.play("card:a02")
    assert table.in_demand() == ["a01", "a02", "a04"]


def test_science_draw_then_demand__leaders_only_and_a_hand_card_without_a_deck():
    table = Table(3).opened(A, "ii14", contract="a05").opened(B, "a36", contract="a06")
    table.hand(A, "a01").hand(B, "a02").event("ii01")
    assert table.in_demand() == ["a01", "ii01"]  # A leads 2 to 1; a single card is not asked for


def test_science_draw_then_demand__who_has_no_card_puts_none_into_demand():
    table = Table().opened(A, "a36", contract="a06").event("a04")
    assert table.in_demand() == ["a04"] and table.asked == Ask.TURN


def test_treasury_gain__golden_age():
    assert treasury(Table(), 1).event("ii07").s.treasury == 7


@pytest.mark.parametrize(("before", "after"), [(8, 6), (2, 2), (3, 2)])
def test_treasury_loss_fraction__corruption(before, after):
    assert treasury(Table(), before).event("iii04").s.treasury == after  # a third, rounded down


def test_trim_demand_to_provided__religion():
    # 4 happiness demanded, 2 provided: the two oldest go
    table = Table().opened(A, "a31", contract="a05").opened(B, "a32", contract="a06")
    table.demand("a09", "a19", "a10", "a12", "a13").event("i13")
    assert table.in_demand() == ["a19", "a12", "a13", "i13"]


def test_unarmed_lose_turn__r3_42_tigers():
    # Swords only: safe from a need of spears; clubs are not enough.
    table = Table(3).opened(A, "ii04").opened(B, "a04").event("i16")
    assert table.s.lose_turn.tolist() == [0, 1, 1, 0]
    table.event("i12")  # another card; a second Tigers would not add up
    assert table.s.lose_turn[B] == 1


def test_unarmed_return_contracts__r3_55_levy_and_tigers():
    # Tigers return two, one at a time; Armed B keeps its contract.
    table = Table().opened(A, "i02", contract="a29")  # Armory has spears: safe
    table.opened(B, "a10", contract="a30").opened(B, "a06", contract="a19").event("ii10")
    assert table.actor == B and table.options() == {"business:1", "business:2"}
    table.play("business:1")
    # hides returns and is earned straight back by Scribe, so there are again two to choose from
    assert table.contract(B, 1) == "a30" and table.options() == {"business:1", "business:2"}
    table.play("business:2")
    assert table.contract(A, 1) == "a29" and table.contract(B, 2) == "a19"


def test_unarmed_return_contracts__r3_55_a_better_armed_rival_gets_it():
    table = Table().opened(A, "a18").opened(A, "a04", contract="a25")
    table.opened(B, "a10", contract="a30").event("iii15")  # Levy: one contract of who has no weapon
    assert table.contract(A, 1) == "a30" and table.contract(B, 1) == ""


def test_unarmed_return_contracts__two_provisions_do_not_come_straight_back():
    table = Table().opened(A, "i14", contract="a29").event("iii15")  # Trade Post: stone, hides
    assert table.contract(A, 1) == "" and table.in_demand() == ["a29", "iii15"]


def test_uncontracted_businesses_gain__boom():
    # 2 such businesses at 2: +4; startups do not count
    table = Table().opened(A, "a10").opened(A, "a18").opened(A, "a06", contract="a19")
    table.startup(A, "a07").event("iii07")
    assert table.gold == [4, 0]


def test_war__half_the_treasury_and_one_of_the_people():
    table = treasury(Table().demand("a01").pile(Pile.FUTURE, "a20"), 7).event("ii12")
    assert table.s.treasury == 4 and table.population == 2
    table = treasury(Table().demand("a04").pile(Pile.FUTURE, "a20"), 7).event("ii12")
    assert table.s.treasury == 7 and table.population == 3  # no barbarians, no war
    table = treasury(Table().demand("a01"), 7).event("ii12")
    assert table.population == 2  # the minimum


def test_t3_35_who_is_concerned_is_fixed_when_the_event_begins():
    # Modernization: A closes its only bronze; B, who provides bronze too, may still close.
    table = Table().opened(A, "ii02").opened(B, "ii05").event("ii08").play("business:1")
    assert table.actor == B and table.asked == Ask.MODERNIZE


def test_t3_36_population_is_what_lies_in_the_two_piles():
    table = Table().pile(Pile.FUTURE, "a20").row("a21")
    assert table.population == 3
    assert table.position.view(A)["population"] == 3


def test_t3_37_growth_goes_on_top_of_the_future_pile():
    table = Table().pile(Pile.FUTURE, "a20").deck(2, "i01", "i02").event("ii16")
    assert table.cards(Pile.FUTURE) == ["a20", "i02"]


def test_t3_38_shrinking_to_an_empty_pile_closes_the_round():
    table = Table().current("a36").pile(Pile.FUTURE, "a20", "a21").demand("a01").event("ii12")
    assert table.cards(Pile.CURRENT) == [] and table.s.closing
    table.event("ii08")
    table = Table().current().pile(Pile.FUTURE, "a20", "a21", "a22").demand("a01").event("ii12")
    assert table.population == 3  # an empty pile cannot shrink


def test_r3_26_t3_38_a_pile_emptied_during_events_opens_the_next_round_closing():
    # Two people in each pile, no food: two Generations take both cards of the current pile.
    table = Table().hand(A, "a01", "a02").hand(B, "a03", "a04").pile(Pile.FUTURE, "a20", "a21")
    table.row("a16", "a17").round_step(6)
    assert table.s.round_number == 2 and table.s.closing and table.population == 2
    assert table.cards(Pile.CURRENT) == [] and table.cards(Pile.ROW) == ["a35", "a36"]
    assert "T3-15" in table.refuses("seed:action")
    table.play("start:down", "card:a01", "start:down", "card:a03")  # one turn each
    assert table.s.round_number == 3 and not table.s.closing
    assert table.cards(Pile.CURRENT) == ["a21", "a20"] and table.cards(Pile.ROW) == []
