"""The contract check: candidates, groups, ties, awards, wild cards (T3-25 to T3-31)."""

import pytest

from exchequer.games.treasury.v03.cards import Ability, Icon
from exchequer.games.treasury.v03.state import Ask, Event, Step
from games.treasury.v03.tabletop import Table

A, B, C, D = 0, 1, 2, 3

# Demand cards used here: a25..a28 hides with barbarians, a29 a30 a31 hides; a16 a17 a18 food with
# barbarians, a19 a20 food; a04 a05 a06 science; a01 a02 science with barbarians; a09 happiness
# with barbarians, a12 a13 happiness; i07 i10 stone, i08 i09 stone with barbarians.
# Businesses: a10 a20 Scribe (hides), a18 a23 Skinner (hides), a04 Warrior (clubs), a07 a12 Guide
# (hides), a08 Thug (clubs), a06 Farmer (food), i02 Armory (stone, spears), i11 Spearman (spears).


def test_t3_25_a_check_awards_what_demand_can_serve():
    table = Table().opened(A, "a10").demand("a29").check()  # Scribe takes hides
    assert table.contract(A, 1) == "a29" and table.in_demand() == []


def test_t3_25_a_weapon_takes_barbarians_and_nothing_else():
    table = Table().opened(A, "a04").demand("a29").check()
    assert table.contract(A, 1) == ""
    table.demand("a16").check()
    assert table.contract(A, 1) == "a16" and table.in_demand() == ["a29"]


def test_t3_25_each_provision_needs_a_card_of_its_own():
    table = Table().opened(A, "ii15").demand("i07").check()  # Stone Cutter: stone, stone
    assert table.contract(A, 1) == ""
    table.demand("i10").check().play("card:i07")  # which serves the first provision ...
    assert table.asked == Ask.KEEP
    table.play("card:i10")  # ... and which is kept
    assert table.contract(A, 1) == "i10" and table.in_demand() == []
    assert table.discards(2) == ["i07"]


def test_t3_25_startups_and_contracted_businesses_are_no_candidates():
    table = Table().startup(A, "a10").opened(A, "a07", contract="a30").demand("a29").check()
    assert table.in_demand() == ["a29"]


def test_r3_20_one_card_serves_one_provision():
    table = Table().opened(A, "i02").demand("i08").check()  # stone with barbarians, for both?
    assert table.contract(A, 1) == "" and table.in_demand() == ["i08"]
    table.demand("i09").check().play("card:i08", "card:i09")
    assert table.contract(A, 1) == "i09" and table.discards(2) == ["i08"]


def test_t3_26_the_owner_chooses_among_cards_that_fit_and_what_to_keep():
    table = Table().opened(A, "a10").demand("a29", "a30").check()
    assert table.asked == Ask.FIT and table.options() == {"card:a29", "card:a30"}
    table.play("card:a30")
    assert table.contract(A, 1) == "a30" and table.in_demand() == ["a29"]


def test_t3_26_a_choice_must_leave_the_other_provisions_their_cards():
    # Armory: stone and spears. Only i08 has barbarians, so stone must be i07.
    table = Table().opened(A, "i02").demand("i07", "i08").check()
    assert table.asked == Ask.KEEP  # both cards are forced, only the kept one is a choice
    assert table.options() == {"card:i07", "card:i08"}


def test_t3_26_r3_57_cards_not_kept_go_to_the_pile_of_their_own_age():
    table = Table().opened(A, "i02").demand("i07", "a09").check().play("card:i07")
    assert table.discards(1) == ["a09"] and table.discards(2) == []


def test_t3_27_unrivalled_candidates_of_one_owner_are_taken_in_the_owners_order():
    table = Table().opened(A, "a10").opened(A, "a07").demand("a29").check()
    assert table.asked == Ask.AWARD and table.options() == {"business:1", "business:2"}
    table.play("business:2")
    assert table.contract(A, 2) == "a29" and table.contract(A, 1) == ""


# The auction ------------------------------------------------------------------------------------

def test_t3_46_the_example_of_award_and_tie():
    # Demand hides, food with barbarians, science. A: Scribe (hides), Warrior (clubs); B: Skinner
    # (hides). One hides card for two: A has 1 weapon, B 0. Warrior takes the barbarians.
    table = Table().opened(A, "a10").opened(A, "a04").opened(B, "a18")
    table.demand("a29", "a16", "a05").check()
    assert table.contract(A, 1) == "a29" and table.contract(A, 2) == "a16"
    assert table.contract(B, 1) == "" and table.in_demand() == ["a05"]


def test_t3_46_without_the_warrior_the_tie_stands():
    table = Table().opened(A, "a10").opened(B, "a18").demand("a29", "a16", "a05").check()
    assert table.in_demand() == ["a29", "a16", "a05"]


def test_t3_46_with_two_hides_both_are_served():
    table = Table().opened(A, "a10").opened(A, "a04").opened(B, "a18").demand("a29", "a30").check()
    table.play("card:a29")
    assert table.contract(A, 1) == "a29" and table.contract(B, 1) == "a30"


def test_t3_46_two_cards_for_three_go_to_the_best_armed_and_the_rest_stand():
    # A (1 weapon) goes first; B and C then compete for the second card, 0 to 0.
    table = Table(3).opened(A, "a10").opened(A, "a04").opened(B, "a18").opened(C, "a23")
    table.demand("a29", "a30").check().play("card:a29")
    assert table.contract(A, 1) == "a29" and table.in_demand() == ["a30"]
    assert table.contract(B, 1) == table.contract(C, 1) == ""


def test_t3_28_r3_17_contracted_weapons_count_too():
    table = Table().opened(A, "a10").opened(B, "a18").opened(B, "a04", contract="a16")
    table.demand("a29").check()
    assert table.contract(B, 1) == "a29"


def test_t3_28_the_best_weapon_among_those_tied_decides():
    # A: clubs and clubs. B: clubs and spears. Two weapons each, but only B has the best, spears.
    table = Table().opened(A, "a10").opened(A, "a04").opened(A, "a08")
    table.opened(B, "a18").opened(B, "a13").opened(B, "i11").demand("a29").check()
    assert table.contract(B, 1) == "a29"


def test_t3_28_a_better_weapon_of_somebody_outside_the_tie_does_not_count():
    # A and B have 2 weapons, C has 1 sword less: C is out. Best of A and B is clubs, 2 to 2.
    table = Table(3).opened(A, "a10").opened(A, "a04").opened(A, "a08")
    table.opened(B, "a18").opened(B, "a13").opened(B, "a15")
    table.opened(C, "a07").opened(C, "i11")
    table.demand("a29").check()
    assert table.in_demand() == ["a29"]


def test_t3_28_nobody_gets_it_when_all_is_level():
    table = Table().opened(A, "a10").opened(A, "a04").opened(B, "a18").opened(B, "a13")
    table.demand("a29").check()
    assert table.in_demand() == ["a29"] and table.asked == Ask.TURN


def test_r3_19_judge_decides_what_weapons_leave_open():
    table = Table(3).opened(A, "a10").opened(B, "a18").opened(C, "a16").demand("a29").check()
    assert table.asked == Ask.JUDGE and table.actor == C
    assert table.options() == {"player:1", "player:2"}  # one of the tied, not Judge's owner
    assert "R3-19" in table.refuses("player:3")
    table.play("player:2")
    assert table.contract(B, 1) == "a29" and table.fired(Ability.DECIDE_CONTRACT_TIES)


def test_r3_19_judge_is_not_asked_where_weapons_decide():
    table = Table(3).opened(A, "a10").opened(B, "a18").opened(B, "a04").opened(C, "a16")
    table.demand("a29").check()
    assert table.contract(B, 1) == "a29" and not table.fired(Ability.DECIDE_CONTRACT_TIES)


def test_r3_18_a_standing_tie_blocks_only_its_own_group():
    # hides is blocked between A and B, but A's Farmer (food) has no rival.
    table = Table().opened(A, "a10").opened(A, "a06").opened(B, "a18").demand("a29", "a19").check()
    assert table.contract(A, 2) == "a19" and table.in_demand() == ["a29"]
    # and the tie is looked at again: with a weapon A wins it now
    table.opened(A, "a04").check()
    assert table.contract(A, 1) == "a29"


def test_t3_27_groups_are_connected_through_others():
    # A: Scribe (hides). B: Trade Post (stone, hides). C: Quarry (stone). One hides, one stone:
    # A-B share hides, B-C share stone. Serving all three at once is impossible; C has the weapons.
    table = Table(3).opened(A, "a10").opened(B, "i14").opened(C, "i01").opened(C, "a04")
    table.demand("a29", "i07").check()
    # C wins the tie and takes stone; then A is alone with hides, B cannot be served any more.
    assert table.contract(C, 1) == "i07" and table.contract(A, 1) == "a29"
    assert table.contract(B, 1) == ""


def test_t3_27_each_leaves_enough_for_those_after():
    # A: Scribe (hides) and Farmer (food). B: Cow Farm (hides, food). One hides card, two of food:
    # both players can be served, but only if A takes food, so A is not asked for which business.
    table = Table().opened(A, "a10").opened(A, "a06").opened(B, "ii08")
    table.demand("a29", "a19", "a20").check()
    assert table.asked == Ask.FIT and table.options() == {"card:a19", "card:a20"}
    table.play("card:a19", "card:a29")
    assert table.contract(A, 2) == "a19" and table.contract(A, 1) == ""
    assert table.contract(B, 1) == "a29" and table.in_demand() == []


def test_t3_27_candidates_of_one_owner_do_not_connect_groups():
    # A: Scribe (hides), Farmer (food). B: Skinner (hides). C: Farmer (food). Hides is a tie of A
    # and B and stays; food is another group and serves A and C.
    table = Table(3).opened(A, "a10").opened(A, "a06").opened(B, "a18").opened(C, "a14")
    table.demand("a29", "a19", "a20").check().play("card:a19")
    assert table.contract(A, 2) == "a19" and table.contract(C, 1) == "a20"
    assert table.in_demand() == ["a29"]


def test_t3_27_a_card_is_kept_for_the_later_player():
    # A: Armory (stone, spears); B: Warrior (clubs). Barbarians on i08 (stone) and a09. A may take
    # i07 or i08 as stone, but with i08 as stone and a09 as spears nothing is left for Warrior.
    table = Table().opened(A, "i02").opened(B, "a04").demand("i07", "i08", "a09").check()
    assert table.asked == Ask.FIT
    assert table.options() == {"card:i08", "card:a09"}  # stone was forced: i07
    table.play("card:a09", "card:i07")
    assert table.contract(A, 1) == "i07" and table.contract(B, 1) == "i08"


def test_t3_27_the_last_player_is_offered_only_what_can_be_served():
    # A: Warrior (clubs). B: Thug (clubs) and Spearmaker (spears, spears). Two barbarian cards serve
    # each player once; with one of them gone Spearmaker can no longer be served.
    table = Table().opened(A, "a04").opened(B, "a08").opened(B, "i07").demand("a25", "a26")
    table.check().play("card:a26")
    assert table.contract(A, 1) == "a26" and table.asked == Ask.TURN  # Thug: nothing to choose
    assert table.contract(B, 1) == "a25" and table.contract(B, 2) == ""


def test_t3_27_the_last_player_cannot_lose_the_award_to_the_better_armed():
    # The same with four businesses of clubs at A, who would win the tie for the card B leaves.
    table = Table().opened(A, "a04").opened(A, "a13").opened(A, "a15").opened(A, "a19")
    table.opened(B, "a08").opened(B, "i07").demand("a25", "a26").check()
    assert table.asked == Ask.AWARD and table.actor == A
    table.play("business:1", "card:a26")
    assert table.contract(B, 1) == "a25" and table.in_demand() == []


def test_t3_27_seat_order_begins_with_the_starting_player():
    table = Table().opened(A, "a10").opened(B, "a18").demand("a29", "a30")
    table.s.first = B
    table.check()
    assert table.asked == Ask.FIT and table.actor == B
    table.play("card:a30")
    assert table.contract(B, 1) == "a30" and table.contract(A, 1) == "a29"


def test_t3_27_four_players_are_served_at_once():
    table = Table(4).opened(A, "a10").opened(B, "a18").opened(C, "a07").opened(D, "a23")
    table.demand("a29", "a30", "a31", "a32").check()
    table.play("card:a32", "card:a31", "card:a30")
    assert [table.contract(seat, 1) for seat in range(4)] == ["a32", "a31", "a30", "a29"]


def test_r3_16_three_cards_for_four_players_are_a_tie():
    table = Table(4).opened(A, "a10").opened(B, "a18").opened(C, "a07").opened(D, "a23")
    table.demand("a29", "a30", "a31").check()
    assert table.in_demand() == ["a29", "a30", "a31"]


def test_r3_15_the_check_at_the_end_of_a_turn_is_for_all():
    # B's Skinner is served at the end of A's turn.
    table = Table().opened(B, "a18").demand("a29").hand(A, "a01", "a02")
    table.play("start:down", "card:a01")
    assert table.contract(B, 1) == "a29"


def test_t3_47_the_example_of_two_provisions():
    # Armory with stone, hides, happiness with barbarians: takes stone and happiness.
    table = Table().opened(A, "i02").demand("i07", "a29", "a09").check()
    table.play("card:a09")
    assert table.contract(A, 1) == "a09"
    assert table.in_demand() == ["a29"] and table.discards(2) == ["i07"]


# Wild cards -------------------------------------------------------------------------------------

def test_t3_29_a_plain_award_is_compulsory():
    table = Table().opened(A, "a10").demand("a29").check()
    assert table.asked == Ask.TURN and table.contract(A, 1) == "a29"


def test_t3_29_r3_37_a_wild_match_is_made_only_if_wanted():
    # Tinkerer (science) makes happiness wild: Scribe (hides) could take it.
    table = Table().opened(A, "a33").opened(A, "a10").demand("a12").check()
    assert table.asked == Ask.WILD and table.options() == {"business:1", "business:2", "no"}
    table.play("no")
    assert table.asked == Ask.TURN and table.in_demand() == ["a12"]
    table = Table().opened(A, "a33").opened(A, "a10").demand("a12").check().play("business:2")
    assert table.asked == Ask.WILD and table.options() == {"business:1", "no"}  # another one, too?
    table.play("no")
    assert table.contract(A, 2) == "a12" and table.fired(Ability.WILD_DEMAND)


def test_r3_60_the_owner_is_not_asked_again_while_nothing_has_changed():
    table = Table().opened(A, "a33", contract="a05").opened(A, "a10").demand("a12").check()
    table.play("no").check()
    assert table.asked == Ask.TURN and table.in_demand() == ["a12"]
    assert table.opened(B, "a06").check().asked == Ask.TURN  # B's business is no news to A


def test_r3_60_a_yes_stands_as_well():
    # A wants happiness for Scribe, B's Hut needs it, too: a tie, until A is armed.
    table = Table().opened(A, "a33", contract="a05").opened(A, "a10").opened(B, "a31")
    table.demand("a12").check().play("business:2").check()
    assert table.asked == Ask.TURN and table.in_demand() == ["a12"]
    table.s.provided[A, Icon.CLUBS] = 1
    assert table.check().contract(A, 2) == "a12"


@pytest.mark.parametrize("news", ["demand", "business"])
def test_r3_60_the_owner_is_asked_again_when_demand_or_their_businesses_have_changed(news):
    table = Table().opened(A, "a33", contract="a05").opened(A, "a10").demand("a12")
    table.hand(A, "a01", "a02").check().play("no")
    if news == "demand":
        table.row("a05")
        table.s.to_resolve = 1
        table.run(Step.EVENT_DONE)  # science goes into demand
    else:
        table.turn(A).play("start:down", "card:a01")
    assert table.asked == Ask.WILD and table.options() == {"business:2", "no"}


def test_r3_60_r3_45_market_is_asked_for_when_its_owners_turn_comes():
    # Tinkerer's owner has declined for Scribe in B's turn, when Market could not be served.
    table = Table().opened(A, "a33", contract="a05").opened(A, "ii03").opened(A, "a10")
    table.demand("a12", "ii07", "i07")
    table.s.turn = B
    table.check()
    assert table.options() == {"business:3", "no"}
    table.play("no")
    table.s.turn = A
    assert table.check().options() == {"business:2", "no"}


def test_r3_37_wild_cards_serve_weapons_too():
    table = Table().opened(A, "a33", contract="a05").opened(A, "a04").demand("a12").check()
    table.play("business:2")
    assert table.contract(A, 2) == "a12"


def test_r3_37_tinkerer_bends_any_number_bard_one():
    # Castle's neighbour Knight: swords, swords; two happiness cards without barbarians.
    table = Table().opened(A, "a33", contract="a05").opened(A, "ii04").demand("a12", "a13").check()
    table.play("business:2", "card:a12", "card:a13")
    assert table.contract(A, 2) == "a13"
    table = Table().opened(A, "ii10", contract="a05").opened(A, "ii04").demand("a12", "a13").check()
    assert table.asked == Ask.TURN  # one is not enough for two swords
    table.demand("a16").check().play("business:2")
    assert table.asked == Ask.FIT and table.options() == {"card:a12", "card:a13", "card:a16"}
    table.play("card:a13")
    assert table.options() == {"card:a13", "card:a16"}  # a16 was forced, one of the two is kept


def test_r3_37_a_business_that_needs_no_wild_card_takes_none():
    table = Table().opened(A, "a33", contract="a05").opened(A, "a10").demand("a12", "a29").check()
    assert table.contract(A, 2) == "a29" and table.in_demand() == ["a12"]


def test_r3_45_market_sells_any_good_on_its_owners_turn():
    # Market: food, hides, bronze. Demand food, bronze (ii07), stone: stone stands for hides.
    table = Table().opened(A, "ii03").demand("a19", "ii07", "i07")
    table.check()
    assert table.asked == Ask.WILD
    table.play("business:1")
    assert table.asked == Ask.KEEP and table.fired(Ability.SELF_WILD_PROVISION)
    table.play("card:ii07")
    assert table.contract(A, 1) == "ii07" and table.in_demand() == []


def test_r3_45_market_is_not_wild_on_other_turns_and_not_for_bronze():
    table = Table().opened(A, "ii03").demand("a19", "ii07", "i07").turn(B)
    table.s.turn = B
    table.check()
    assert table.in_demand() == ["a19", "ii07", "i07"]
    table = Table().opened(A, "ii03").demand("a19", "a29", "i07").check()
    assert table.in_demand() == ["a19", "a29", "i07"]  # bronze is missing and not replaceable


def test_t3_29_a_wild_candidate_competes_like_any_other():
    # A wants happiness for Scribe by Tinkerer; B's Hut (happiness) needs it, too. 0 to 0: it stays.
    table = Table().opened(A, "a33", contract="a05").opened(A, "a10").opened(B, "a31")
    table.demand("a12").check().play("business:2")
    assert table.in_demand() == ["a12"]
    table = Table().opened(A, "a33", contract="a05").opened(A, "a10").opened(B, "a31")
    table.demand("a12").check().play("no")
    assert table.contract(B, 1) == "a12"


# One contract, out of date, Council -------------------------------------------------------------

def test_t3_30_a_business_holds_one_contract():
    table = Table().opened(A, "a10", contract="a29").demand("a30").check()
    assert table.in_demand() == ["a30"]


@pytest.mark.parametrize(("age", "served"), [(2, True), (3, False)])
def test_t3_31_clubs_are_out_of_date_in_age_3(age, served):
    table = Table().opened(A, "a04").demand("a16")
    table.s.age = age
    table.check()
    assert (table.contract(A, 1) == "a16") == served


@pytest.mark.parametrize(("card", "demand", "last", "strict"), [
    ("a04", ["a16"], 2, 1),  # clubs
    ("a10", ["a29"], 3, 1),  # hides
    ("i11", ["a16"], 3, 2),  # spears
    ("i01", ["i07"], 3, 3),  # stone
    ("ii02", ["ii07"], 4, 4),  # bronze
    ("iii01", ["iii06"], 4, 4),  # textiles
    ("a06", ["a19"], 4, 4),  # food: never out of date
    ("ii01", ["ii07", "a29"], 3, 1),  # bronze and hides: the first to go counts
])
def test_r3_23_last_ages_of_the_icons(card, demand, last, strict):
    for setting, limit in ((False, last), (True, strict)):
        for age in range(1, 5):
            table = Table(2, {"strict_windows": setting}).opened(A, card).demand(*demand)
            table.s.age = age
            table.check()
            if table.asked == Ask.KEEP:
                table.play(f"card:{demand[0]}")
            assert bool(table.contract(A, 1)) == (age <= limit)


def test_t3_31_a_contract_already_held_goes_on_to_pay():
    table = Table().opened(A, "a04", contract="a16")
    table.s.age, table.s.treasury = 4, 10
    table.round_step(7)
    assert table.gold[A] == 1


def test_r3_22_council_gives_the_contract_to_another_business():
    # Skinner qualifies, the contract is laid on Council.
    table = Table().opened(A, "a05").opened(A, "a18").demand("a29").check()
    assert table.asked == Ask.COUNCIL and table.options() == {"business:1", "business:2"}
    table.play("business:1")
    assert table.contract(A, 1) == "a29" and table.contract(A, 2) == ""
    assert table.fired(Ability.REDIRECT_CONTRACT)


def test_r3_22_not_to_one_that_is_out_of_date_or_contracted():
    table = Table().opened(A, "a05", contract="a12").opened(A, "a06").opened(A, "a04")
    table.demand("a19")
    table.s.age = 3
    table.check()
    assert table.asked == Ask.TURN  # Farmer alone is left, so there is nothing to ask
    assert table.contract(A, 2) == "a19"


def test_r3_22_the_cards_taken_are_those_of_the_business_that_qualified():
    table = Table().opened(A, "a05").opened(A, "i02").demand("i07", "a16").check()
    table.play("card:i07", "business:1")
    assert table.contract(A, 1) == "i07" and table.in_demand() == []


def test_t3_26_an_award_is_told():
    table = Table().opened(A, "a10").demand("a29").check()
    assert [int(entry.thing) for entry in table.told(Event.AWARDED)] == [9]  # Scribe a10
