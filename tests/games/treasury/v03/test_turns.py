"""Rounds, turns and actions (T3-15 to T3-24), and the rulings on them."""

import pytest

from exchequer.games.treasury.v03.state import SLOTS, Ask, Event, Pile
from games.treasury.v03.tabletop import Table

A, B, C = 0, 1, 2


def test_t3_15_r3_9_the_round_ends_when_the_turn_would_come_to_the_starting_player():
    # T3-45: current b0 (a35), a0 (a36) on top; A seeds a1, B starts, A seeds a2, B develops.
    table = Table().current("a35", "a36").hand(A, "a04", "a05", "a06").hand(B, "a07", "a08", "a09")
    table.s.gold[:2] = 5
    table.play("seed:action", "card:a04")
    assert table.actor == B and not table.s.closing and table.population == 2
    table.play("start:down", "card:a07")
    table.play("seed:action", "card:a05")
    assert table.s.closing and table.actor == B and table.population == 2
    assert "T3-15" in table.refuses("seed:action")
    table.play("develop", "card:a08")
    # the End of Round has been carried out: the card seeded first is on top
    assert table.s.round_number == 2 and table.cards(Pile.CURRENT) == ["a05", "a04"]
    assert table.in_demand() == ["a36", "a35"] and table.population == 2


def test_t3_45_the_row_is_resolved_in_the_order_of_revelation():
    table = Table().current("a09", "a16").hand(A, "a04", "a05", "a06").hand(B, "a07", "a08", "a10")
    table.play("seed:action", "card:a04", "start:down", "card:a07", "seed:action", "card:a05",
               "start:down", "card:a08")
    names = [int(entry.amount) for entry in table.told(Event.RESOLVED)]
    assert names == [15, 8]  # a16 Generation, then a09 Barbarians


def test_t3_16_income_window_one_action_check():
    # Bronze Mine +1 at the start; a startup may be opened, one action, then the turn passes.
    table = Table().opened(A, "ii02").startup(A, "a07").hand(A, "a04", "a05").hand(B, "a06", "a08")
    table.turn(B).play("start:down", "card:a06")
    assert table.actor == A and table.gold[A] == 1
    table.play("open:2")
    assert table.is_open(A, 2) and table.actor == A  # no action used
    table.play("start:down", "card:a04")
    # Guide is open: looking is still free
    assert table.actor == A and "T3-16" in table.refuses("start:down")
    table.play("end")
    assert table.actor == B


def test_t3_17_opening_by_development_or_by_gold():
    table = Table().startup(A, "a10", "a01").startup(A, "a20").hand(A, "a02", "a03")
    assert "open:1" in table.options() and "open:2" not in table.options()
    assert "T3-17" in table.refuses("open:2") and "T3-17" in table.refuses("buy:2")
    table.gold = [2, 0]
    table.play("buy:2")  # Scribe costs 2
    assert table.gold[A] == 0 and table.is_open(A, 2)
    table.play("open:1")
    assert table.discards(1) == ["a01"] and table.developments(A, 1) == []


def test_t3_17_a_startup_of_development_cost_0_opens_for_nothing_in_a_later_turn():
    table = Table().startup(A, "a07").hand(A, "a01", "a02").play("open:1")
    assert table.is_open(A, 1) and table.gold[A] == 0


def test_r3_11_nothing_opens_after_the_action_nor_in_the_turn_of_its_start():
    table = Table().opened(A, "ii08").opened(A, "a07").startup(A, "a12")
    table.hand(A, "a04", "a08", "a01")
    table.play("start:down-free", "card:a04")  # Cow Farm
    assert "R3-11" in table.refuses("open:4")  # Warrior, development cost 0, just started
    table.play("start:down", "card:a08")
    assert table.asked == Ask.TURN and "R3-11" in table.refuses("open:3")


def test_r3_11_open_any_time():
    table = Table(2, {"open_any_time": True}).startup(A, "a12").hand(A, "a04", "a08", "a01")
    table.play("start:down", "card:a04")
    assert {"open:1", "open:2", "end"} <= table.options()


def test_r3_12_more_cards_than_needed_will_do():
    table = Table().startup(A, "a10", "a01", "a02", "a03").hand(A, "a04", "a05").play("open:1")
    assert table.discards(1) == ["a01", "a02", "a03"]


def test_t3_18_five_kinds_of_action():
    table = Table().opened(A, "a06").startup(A, "a10").hand(A, "a01", "a02")
    assert table.options() == {"seed:action", "start:down", "develop", "close:action", "use:1"}
    table.hand(B, "a03", "a04").play("use:1")
    assert table.gold[A] == 2 and table.actor == B


def test_t3_19_r3_8_seed_draw_reveal_in_this_order():
    table = Table().hand(A, "a01").hand(B, "a03").deck(2, "i01", "i02")
    table.play("seed:action")  # a single card: not asked which
    assert table.cards(Pile.FUTURE) == ["a01"] and table.in_hand(A) == ["i02"]
    assert table.cards(Pile.ROW) == ["a35"]  # the top of a36, a35
    whats = [int(entry.what) for entry in table.position.logs[-1]]
    assert whats.index(Event.SEEDED) < whats.index(Event.DREW) < whats.index(Event.REVEALED)


def test_t3_19_the_last_card_closes_the_round():
    table = Table().current("a36").pile(Pile.FUTURE, "a35").hand(A, "a01", "a02").hand(B, "a03")
    table.play("seed:action", "card:a01")
    assert table.s.closing and table.actor == B and "T3-15" in table.refuses("seed:action")


def test_t3_20_starting_draws_nothing():
    table = Table().hand(A, "a10", "a02").hand(B, "a03", "a04").deck(2, "i01")
    table.play("start:down", "card:a10")
    assert table.in_hand(A) == ["a02"] and table.s.startups[A] == 1


def test_t3_20_r3_13_paid_for_it_is_open_at_once():
    # Hunter for 1 gold: its "when opened" ability works, and it counts as started and opened.
    table = Table().hand(A, "a27", "a02").hand(B, "a03", "a04").deck(2, "i01", "i02")
    table.opened(B, "a08", stored=3).opened(B, "i09")  # Thug, Guard
    table.gold = [1, 0]
    assert "T3-17" not in table.refuses("start:up")
    table.play("start:up", "card:a27")
    assert table.gold == [0, 1 + 3] and table.is_open(A, 1)  # Thug 1, Guard 3 with two players
    assert table.cards(Pile.FUTURE) == ["i02"]


def test_t3_20_face_up_needs_the_gold():
    table = Table().hand(A, "a10", "a02").hand(B, "a03")
    assert "T3-17" in table.refuses("start:up")
    table.gold = [1, 0]
    table.play("start:up")
    assert table.options() == {"card:a02", "back"}  # Baker costs 1, Scribe 2


def test_t3_21_developing_draws():
    table = Table().startup(A, "a10").hand(A, "a01", "a02").hand(B, "a03").deck(2, "i01")
    table.play("develop", "card:a02")
    assert table.developments(A, 1) == ["a02"] and table.in_hand(A) == ["a01", "i01"]


def test_t3_21_only_startups_are_developed():
    table = Table().opened(A, "a10").hand(A, "a01", "a02")
    assert "T3-21" in table.refuses("develop")


def test_t3_22_r3_56_closing_returns_the_contract_and_checks():
    # A closes Scribe; hides returns to demand and goes at once to A's own Skinner.
    table = Table().opened(A, "a10", contract="a29").opened(A, "a18").hand(A, "a01", "a02")
    table.hand(B, "a03", "a04").deck(2, "i01").play("close:action", "business:1")
    assert table.discards(1) == ["a10"] and table.contract(A, 2) == "a29"
    assert table.in_hand(A) == ["a01", "a02", "i01"]


def test_t3_22_the_returned_contract_lies_on_top_of_demand():
    table = Table().opened(A, "a10", contract="a29").hand(A, "a01", "a02").hand(B, "a03", "a04")
    table.demand("a05").play("close:action")  # a single business: not asked which
    assert table.in_demand() == ["a05", "a29"]


def test_r3_50_stored_gold_goes_to_the_supply():
    table = Table().opened(A, "a08", stored=2).hand(A, "a01", "a02").hand(B, "a03", "a04")
    table.play("close:action")
    assert table.gold[A] == 0 and table.s.stored[A, 0] == 0
    assert [int(entry.amount) for entry in table.told(Event.STORED_LOST)] == [2]


def test_r3_14_a_startup_can_be_closed_with_its_development_cards():
    table = Table().startup(A, "a10", "a01", "a02").hand(A, "a03", "a04").hand(B, "a05", "a06")
    table.play("close:action")
    assert sorted(table.discards(1)) == ["a01", "a02", "a10"]


def test_t3_23_r3_10_passing_is_no_choice_but_for_who_has_nothing():
    table = Table().hand(A, "a01", "a02").hand(B, "a03", "a04")
    assert "R3-10" in table.refuses("end")
    table = Table().hand(A, "a01", "a02")
    table.play("start:down", "card:a01")  # B has neither cards nor businesses: the end is near
    assert table.told(Event.PASSED) and table.told(Event.END_NEAR)
    table = Table(2, {"allow_pass": True}).hand(A, "a01", "a02").hand(B, "a03", "a04").play("end")
    assert table.actor == B and table.in_hand(A) == ["a01", "a02"]


def test_t3_24_r3_3_the_lowest_deck_with_cards():
    table = Table().startup(A, "a10").hand(A, "a01", "a02").hand(B, "a03", "a04")
    table.deck(3, "ii01").deck(4, "iii01").play("develop", "card:a01")
    assert table.in_hand(A) == ["a02", "ii01"]
    table = Table().startup(A, "a10").hand(A, "a01", "a02").hand(B, "a03", "a04")
    table.play("develop", "card:a01")
    assert table.in_hand(A) == ["a02"]  # nothing to draw


def test_r3_6_discards_go_to_the_pile_of_their_age():
    table = Table().opened(A, "i01").opened(A, "a10").hand(A, "a01", "a02").hand(B, "a03", "a04")
    table.play("close:action", "business:1")
    assert table.discards(2) == ["i01"] and table.discards(1) == []


def test_r3_42_a_lost_turn_is_skipped_with_all_in_it():
    # A lost turn gives no income, and a skipped starting player still marks the round's end.
    table = Table().opened(A, "ii02").hand(A, "a01", "a02").hand(B, "a03", "a04", "a05")
    table.s.lose_turn[A] = 1
    table.turn(B).play("start:down", "card:a03")
    assert table.told(Event.SKIPPED) and table.gold[A] == 0 and table.actor == B
    table.s.lose_turn[A] = 1
    table.s.closing = 1
    table.play("start:down", "card:a04")
    assert table.s.round_number == 2


def test_r3_58_twelve_businesses_are_the_limit():
    table = Table().hand(A, "a35", "a36")
    for card in [f"a{number:02}" for number in range(1, SLOTS + 1)]:
        table.startup(A, card)
    assert "R3-58" in table.refuses("start:down")
    assert "close:action" in table.options()  # so there always is an action


def test_r3_58_a_full_hand_draws_nothing():
    table = Table().startup(A, "a10").hand(B, "iii16", "iii15").deck(2, "i16")
    table.hand(A, *[f"a{n:02}" for n in range(11, 35)], "iii01")  # 25 cards; one develops
    table.play("develop", "card:iii01")
    assert len(table.in_hand(A)) == 24 and table.cards(Pile.DECK) == ["i16"]


def test_r3_58_a_choice_can_be_taken_back_eight_times():
    table = Table().hand(A, "a01", "a02").hand(B, "a03")
    for _ in range(8):
        table.play("seed:action", "back")
        assert table.asked == Ask.TURN and table.in_hand(A) == ["a01", "a02"]
    table.play("start:down")
    assert "R3-58" in table.refuses("back")


def test_r3_59_laboratorys_owner_is_asked_after_each_card_from_a_deck():
    # i02 demands science, i12 does not: in both cases the question is asked.
    for card, options in (("i02", {"yes", "no"}), ("i12", {"no"})):
        table = Table().opened(A, "ii07").startup(A, "a10").hand(A, "a01", "a03")
        table.hand(B, "a07", "a04").deck(2, card).play("develop", "card:a01")
        assert table.asked == Ask.SHOW and table.options() == options
    assert "R3-44" in table.refuses("yes")


def test_r3_59_a_face_up_start_is_seen_before_anything_follows_from_it():
    # Castle will ask which business to close; Inventor comes first, and all know Castle by then.
    table = Table().opened(A, "i08").opened(A, "i01").opened(A, "i06").hand(A, "ii11", "a01")
    table.deck(2, "i02")
    table.gold = [7, 0]
    table.play("start:up", "card:ii11")
    assert table.asked == Ask.DISCARD_CARD
    assert table.position.view(B)["players"][A]["businesses"][3]["business"]["card"] == "ii11"
    assert table.play("card:a01").asked == Ask.CLOSE_FIRST


@pytest.mark.parametrize("question", ["face-up", "Warrior", "Lodge"])
def test_r3_59_a_single_card_that_will_do_does_not_choose_itself(question):
    table = Table().hand(A, "a01", "a02", "a05").demand("a16")  # only a05 has no barbarians
    if question == "face-up":  # a02 costs 1 gold, a01 and a05 2
        table.gold = [1, 0]
        table.play("start:up")
        assert table.asked == Ask.START_CARD and table.options() == {"card:a02", "back"}
    elif question == "Warrior":
        table.opened(A, "a04", contract="a17").play("use:1")
        assert table.asked == Ask.SWAP_IN and table.options() == {"card:a05", "back"}
    else:  # Castle needs stone to be closed
        table.opened(A, "i04", contract="a17").hand(A, "ii11").play("start:down", "card:ii11")
        assert table.asked == Ask.LODGE and table.options() == {"no"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_t3_15_all_have_the_same_number_of_turns_in_a_round(seats):
    table = Table(seats).current(*["a36"]).pile(Pile.FUTURE, *["a35", "a34", "a33"][: seats - 1])
    for seat in range(seats):
        table.hand(seat, *[f"a{8 * seat + n + 1:02}" for n in range(4)])
    table.play("seed:action", "card:a01")
    for seat in range(1, seats):
        assert table.actor == seat
        table.play("start:down", f"card:a{8 * seat + 1:02}")
    assert table.s.round_number == 2
    assert table.s.turns[:seats].tolist() in ([1] + [1] * (seats - 1), [0] + [1] * (seats - 1),
                                              [1, 2] + [1] * (seats - 2))
