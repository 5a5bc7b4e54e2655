"""The End of Round step by step, payout, ages and the end of the game (T3-32 on)."""

import pytest

from exchequer.games.treasury.v03.cards import Effect
from exchequer.games.treasury.v03.state import Ask, Ending, Event, Pile
from games.treasury.v03.tabletop import Table

A, B, C = 0, 1, 2


# The nine steps ----------------------------------------------------------------------------------

def test_t3_32_the_worked_end_of_round():
    """Two players, age 2, a whole End of Round with something in each step."""
    table = Table().current().pile(Pile.FUTURE, "a35", "a36").deck(2, "i10", "i11", "i12", "i13")
    table.opened(A, "a01")  # Tanner (hides): step 2
    table.opened(A, "a06", contract="a20")  # Farmer (food), contract 2
    table.opened(B, "a26", contract="a12")  # Shaman (happiness), contract 2: step 5
    table.opened(B, "iii06")  # Mill: 2 food, so 3 food in all against 2 people: step 4
    table.row("a09", "a29").hand(A, "a02", "a04").hand(B, "a05", "a07")
    table.s.age, table.s.treasury, table.s.closing = 2, 1, 1
    table.gold = [5, 1]
    table.end_round()

    # 1. Refill reverses the future pile; 2. Tanner looks at three cards.
    assert table.cards(Pile.CURRENT) == ["a36", "a35"] and not table.s.closing
    assert table.asked == Ask.TANNER and table.options() == {"card:i13", "card:i12", "card:i11"}
    table.play("card:i13")  # hides with barbarians: Tanner itself is served by the check
    assert table.asked == Ask.RETURN
    table.play("card:i12")
    assert table.contract(A, 1) == "i13" and table.cards(Pile.DECK)[:2] == ["i11", "i12"]

    # 3. Tax: 2 x 2 from the supply, 2 from A, 1 (all there is) from B: 1 + 4 + 3 = 8.
    # 4. Growth: 3 food against 2 people. The card goes to the new future pile.
    assert table.gold == [3, 0] and table.s.treasury == 8
    assert table.cards(Pile.FUTURE) == ["i10"] and table.population == 3

    # 5. Shaman may spare the civ one event: Barbarians a09.
    assert table.asked == Ask.SHAMAN and table.actor == B
    table.play("card:a09")

    # 6. Early Trade a29: A provides hides, +1. Then it lies in demand.
    # 7. Payout: 8 gold. Batch 1: A's best is 2 (Tanner or Farmer), B's 2: 4 left. Batch 2: A's 2.
    assert [int(entry.thing) for entry in table.told(Event.RESOLVED)] \
        == [Effect.PROVIDERS_GAIN_FLAT]
    assert table.in_demand() == ["a09", "a29"]
    assert table.gold == [3 + 1 + 2 + 2, 0 + 2] and table.s.treasury == 2
    # 8. The deck of age II still has cards: the age is 1 by the clock. 9. B is poorest and starts.
    assert table.s.age == 1 and table.s.first == B and table.actor == B


def test_t3_32_step_1_refill_reverses_the_future_pile():
    table = Table().current().pile(Pile.FUTURE, "a20", "a21", "a22").end_round()
    assert table.cards(Pile.CURRENT) == ["a22", "a21", "a20"]  # the first seeded is on top


def test_t3_32_step_2_each_player_orders_their_own_abilities():
    table = Table().opened(A, "a01").opened(A, "i06").deck(2, "i10").row("a20").demand("a05")
    table.hand(A, "a11", "a12").hand(B, "a13", "a14").round_step(2)
    assert table.asked == Ask.ORDER and table.options() == {"business:1", "business:2"}
    table.play("business:2")
    assert table.asked == Ask.MASON
    table.play("no")
    assert table.contract(A, 2) == "i10"  # then Tanner: its only card, stone, serves Mason


def test_t3_32_step_2_in_seat_order_from_the_starting_player():
    table = Table().opened(A, "i06").opened(B, "a03").startup(B, "a10").row("a20", "a21")
    table.demand("a05", "a06")
    table.s.first = B
    table.round_step(2)
    assert table.actor == A  # only A has such an ability
    table = Table(3).opened(A, "a02").opened(B, "i06").row("a20").demand("a05")
    table.s.first = B
    table.round_step(2)
    assert table.actor == B


def test_t3_49_the_example_of_tax():
    # Age 2, population 4, gold 5, 1, 3, the last with Gatherer: 8 + 2 + 1 + 0 = 11
    table = Table(3).pile(Pile.FUTURE, "a20").opened(C, "a09")
    table.s.age = 2
    table.gold = [5, 1, 3]
    table.round_step(3)
    assert table.s.treasury == 11 and table.gold == [3, 0, 3]


def test_t3_32_step_4_growth_by_food_and_r3_24_it_waits_a_round_longer():
    table = Table().current().pile(Pile.FUTURE, "a35", "a36").deck(2, "i01", "i02")
    table.opened(A, "iii06").opened(B, "a06").end_round()
    assert table.cards(Pile.FUTURE) == ["i02"] and table.cards(Pile.CURRENT) == ["a36", "a35"]
    table = Table().opened(A, "iii06").deck(2, "i01").round_step(4)
    assert table.population == 2  # 2 food for 2 people is not more


def test_t3_32_step_6_the_row_from_left_to_right_with_a_check_after_each():
    # a29 (Early Trade) joins demand before a09 (Barbarians) counts icons; a25 has barbarians.
    table = Table().opened(A, "a10").row("a25", "a09")
    table.s.treasury = 9
    table.round_step(6)
    # a25 pays A 1 gold for hides, joins demand, and serves Scribe: no icon is left for a09.
    assert table.contract(A, 1) == "a25" and table.gold[A] == 1 + 1
    assert table.s.treasury == 9 - 1  # only Scribe's contract of 1 was paid


def test_t3_32_step_6_r3_26_what_is_revealed_meanwhile_waits():
    table = Table().pile(Pile.FUTURE, "a20").row("a16", "a17")
    table.hand(A, "a11", "a12").hand(B, "a13", "a14").round_step(6)
    # no food: the first Generation reveals a35 (3 people), the second finds the minimum of 2
    assert table.cards(Pile.ROW) == ["a35"] and table.in_demand() == ["a16", "a17"]


def test_t3_32_step_9_r3_29_the_poorest_starts_if_alone():
    table = Table(3).hand(B, "a11", "a12")
    table.gold = [5, 2, 3]
    table.round_step(8)
    assert table.s.first == B and table.actor == B and table.told(Event.STARTER)
    table = Table(3).hand(A, "a11", "a12")
    table.gold = [5, 2, 2]
    table.round_step(9)
    assert table.s.first == A  # tied: no change, though A is not among them


# Payout ------------------------------------------------------------------------------------------

def payout_table(treasury):
    """N = 3. Contracts: A 4, 2; B 3; C 2, 1 (i04 Lodge 4, a06 2, i06 Mason 3, a29 2, a10 1)."""
    table = Table(3).opened(A, "i04", contract="i07").opened(A, "a06", contract="a19")
    table.opened(B, "i06", contract="i10").opened(C, "a14", contract="a20")
    table.opened(C, "a31", contract="a12").demand("a01", "a02", "a04", "a05", "a07")
    table.s.treasury = treasury
    return table


@pytest.mark.parametrize(("treasury", "gold", "left", "demand"), [
    (7, [4, 3, 2], 0, ["a05", "a07"]),  # 4 + 3 + 2 = 9 > 7: supply adds 2, three demand cards go
    (9, [4, 3, 2], 0, ["a01", "a02", "a04", "a05", "a07"]),  # exactly: no demand is lost
    (10, [6, 3, 3], 0, ["a05", "a07"]),  # 1 left for 2 + 1 = 3: supply adds 2
    (12, [6, 3, 3], 0, ["a01", "a02", "a04", "a05", "a07"]),
    (20, [6, 3, 3], 8, ["a01", "a02", "a04", "a05", "a07"]),
    (0, [0, 0, 0], 0, ["a01", "a02", "a04", "a05", "a07"]),  # empty from the beginning
])
def test_t3_33_t3_48_r3_28_the_payout(treasury, gold, left, demand):
    # C's contracts are Hut 2 and Farmer a14 1
    table = payout_table(treasury).round_step(7)
    assert (table.gold, table.s.treasury, table.in_demand()) == (gold, left, demand)


def test_t3_33_fewer_demand_cards_than_players():
    table = Table(3).opened(A, "i04", contract="i07").demand("a01", "a02")
    table.s.treasury = 1
    table.round_step(7)
    assert table.gold[A] == 4 and table.in_demand() == []


def test_t3_34_running_out_pays_once_for_each_time():
    # Barbarians empty the treasury in step 6 (Bank 3), Golden Age fills it with 6, Armory's 2 and
    # a contract of 4 empty it again in step 7 (Bank 3 more).
    table = Table().opened(A, "i03").opened(B, "i02").opened(B, "i04", contract="i07")
    table.demand("a01", "a02").row("a12", "ii07")
    table.s.treasury = 2
    table.round_step(6)
    assert table.gold == [3 + 3, 2 + 4] and table.s.treasury == 0


def test_t3_34_paying_exactly_to_zero_is_running_out():
    table = Table().opened(A, "i03").opened(B, "i04", contract="i07")
    table.s.treasury = 4
    table.round_step(7)
    assert table.gold == [3, 4]


# Ages --------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("decks", "lagged", "deck"), [
    (("i01", "ii01", "iii01"), 1, 2), ((None, "ii01", "iii01"), 2, 3),
    ((None, None, "iii01"), 3, 4), ((None, None, None), 4, 4),
    (("i01", None, None), 1, 2), ((None, "ii01", None), 2, 3),  # no gaps are jumped
])
def test_t3_41_r3_2_the_age_follows_the_decks(decks, lagged, deck):
    for clock, age in (("lagged", lagged), ("deck", deck)):
        table = Table(2, {"age_clock": clock})
        for number, card in enumerate(decks):
            if card:
                table.deck(number + 2, card)
        table.round_step(8)
        assert table.s.age == age


def test_t3_41_the_age_changes_only_in_the_end_of_round():
    # A draws the last card of age II; the age is 1 until the round has ended.
    table = Table().current("a36").pile(Pile.FUTURE, "a35").deck(2, "i01").deck(3, "ii01")
    table.hand(A, "a01", "a02").hand(B, "a03", "a04").play("seed:action", "card:a01")
    assert table.cards(Pile.DECK) == [] and table.s.age == 1 and table.s.closing
    table.play("start:down", "card:a03")
    assert table.s.age == 2


# The end -----------------------------------------------------------------------------------------

def test_t3_42_r3_30_an_empty_hand_ends_the_game_at_the_starting_player():
    # B empties the hand; C still moves; then one last End of Round, with tax (R3-31).
    table = Table(3).hand(A, "a01", "a02").hand(B, "a03").hand(C, "a05", "a06", "a07")
    table.gold = [3, 3, 3]
    table.turn(B).play("start:down")
    assert table.s.end_due == Ending.EMPTY_HAND and table.actor == C
    table.play("start:down", "card:a05")
    assert table.position.is_over and table.position.ending == "empty_hand"
    assert table.gold == [2, 2, 2]  # tax of age 1


def test_t3_42_r3_31_the_last_end_of_round_carries_out_what_is_revealed():
    table = Table().hand(A, "a01", "a02").hand(B, "a03").row("a29").opened(A, "a10")
    table.gold = [3, 3]
    table.turn(B).play("start:down")
    # a29 Early Trade pays A 1 for hides; Scribe then earns it and is paid 1; tax 1 each
    assert table.position.is_over and table.gold == [3 - 1 + 1 + 1, 2]
    assert table.cards(Pile.CURRENT) == ["a36", "a35"]  # unrevealed events are ignored


def test_t3_42_a_hand_emptied_by_an_event_does_not_trigger():
    table = Table().opened(A, "a21", contract="a05").hand(A, "a01").hand(B, "a02", "a03")
    table.event("a04")  # Discovery takes A's last card
    assert table.in_hand(A) == [] and table.s.end_due == Ending.NONE


def test_r3_30_end_needs_empty_decks():
    table = Table(2, {"end_needs_empty_decks": True}).hand(A, "a01").hand(B, "a02", "a03")
    table.deck(2, "i01").play("start:down")
    assert table.s.end_due == Ending.NONE and table.actor == B
    table.play("start:down", "card:a02")
    assert table.in_hand(A) == ["i01"] and table.actor == A  # who has no card draws one first
    table.play("start:down")  # now the decks are empty, too
    assert table.s.end_due == Ending.EMPTY_HAND


def test_t3_43_r3_32_most_gold_wins_and_stored_gold_does_not_count():
    table = Table().opened(A, "a08", stored=3).hand(A, "a01", "a02").hand(B, "a03")
    table.gold = [3, 5]
    table.turn(B).play("start:down")
    assert table.position.is_over and table.position.winners() == [B]
    assert table.position.scores() == [2, 4]


@pytest.mark.parametrize(("a_side", "b_side", "winners"), [
    (("a06", "a19"), ("a10", "a29"), [A]),  # contract values 2 to 1 (an empty treasury pays none)
    (("a10", "a29"), ("a18", "a30"), [A, B]),  # level in all
    (("a10", "a29"), ("a04", "a16"), [B]),  # 1 to 1, but B has a weapon
])
def test_t3_43_ties_by_contract_values_then_weapons_then_shared(a_side, b_side, winners):
    table = Table().opened(A, a_side[0], contract=a_side[1])
    table.opened(B, b_side[0], contract=b_side[1])
    table.s.end_due = Ending.EMPTY_HAND
    table.round_step(7)
    assert table.position.winners() == winners


def test_t3_44_the_length_guard():
    table = Table(2, {"max_turns_per_player": 2}).hand(A, "a01", "a02").hand(B, "a03", "a04")
    table.opened(A, "a06").opened(B, "a14")
    table.s.turns[:2] = [2, 1]
    table.turn(A).play("use:1")  # B's second turn begins
    assert table.s.end_due == Ending.NONE
    table.play("use:1")
    assert table.position.is_over and table.position.ending == "length"
