"""G-18 to G-27, G-31: rounds, turns, loans, buying, seeding, cattle; G-64 and G-65."""

import pytest

from exchequer.core.agenda import AgendaFault, then
from exchequer.games.greement import GAME, rules, turn
from exchequer.games.greement.state import MOST_COINS, Draft, Event, Land, Stage
from games.greement.estate import ANN, BEN, CLEO, Estate, play, started


def test_g18_a_round_is_events_and_a_turn_of_each():
    position = started(3, seed=4)
    first = int(position.state.first)
    assert position.state.round_number == 1               # no events before the very first turn
    assert not any(e.what == Event.CARD for log in position.logs for e in log)
    for k in range(3):
        assert position.actor == (first + k) % 3
        play(position, "end")
    assert position.state.round_number == 2
    cards = [e for e in position.logs[-1] if e.what == Event.CARD]
    assert len(cards) >= 1 and position.state.first == first


def test_g20_g21_g77_nothing_is_told_of_no_profit_no_interest_no_repayment():
    estate = Estate(hr_forced_repayment=True).own(ANN, "a1").own(BEN, "b1").purse(ANN, 5)
    estate.do("end")
    assert estate.told(ANN)[0] == "Ann ends the turn."     # and nothing of 0c before it
    assert not any(" 0c" in line for seat in (ANN, BEN) for line in estate.told(seat))


def test_g19_profit_then_free_actions_then_the_end():
    estate = Estate().own(ANN, "a1", "crop").purse(ANN, 10, 1)
    estate.do("buy", "square:a2", "borrow", "amount:3", "seed", "square:a2", "repay", "amount:1",
              "end")                                      # any order
    # 10 - 2 for a2, + 1 borrowed, - 2 for the seed, - 2 for all of the debt
    assert (estate.cash(), estate.debt(), estate.s.turns[ANN]) == (5, 0, 2)


def test_g20_profit_except_in_the_own_first_turn():
    position = started(2)
    s = position.state
    cash = s.cash[:2].tolist()
    play(position, "end")
    assert s.cash[:2].tolist() == cash                    # neither had profit in the first turn
    estate = Estate(mines="a1").own(ANN, "a1").own(ANN, "a2", "crop").purse(ANN, 1)
    turn.start_turn(estate.s, estate.c, ANN, estate.log)
    assert estate.cash() == 8                             # 1 + 4 + 3


def test_g21_debt_is_multiplied_at_the_end_of_the_turn():
    estate = Estate().purse(ANN, 3, 7).purse(BEN, 0, 5).do("end")
    assert (estate.debt(ANN), estate.debt(BEN)) == (14, 5)
    estate = Estate().table(loan=3).purse(ANN, 0, 7).do("end")
    assert estate.debt() == 21


def test_g21_gx6_start_on_a_mine_with_fourteen():
    # cash 9, debt 14: repay 9 -> 5 -> 10; then +4, repay 4 -> 6 -> 12
    estate = Estate(mines="a1").own(ANN, "a1").purse(ANN, 9, 14)
    estate.do("repay", "9c", "end")
    assert (estate.cash(), estate.debt()) == (0, 10)
    estate.turn_of(ANN)
    turn.start_turn(estate.s, estate.c, ANN, estate.log)
    estate.do("repay", "4c", "end")
    assert estate.debt() == 12


def repeat_turns(estate, count, *actions):
    """Ann's turns, the first without profit; her debt after each."""
    debts = []
    for number in range(count):
        estate.s.turns[ANN] = number
        estate.s.todo = 0
        turn.start_turn(estate.s, estate.c, ANN, estate.log)
        if number:
            estate.do(*actions)
        estate.s.todo = 1
        turn.end_turn(estate.s, estate.c, ANN, estate.log)
        debts.append(estate.debt())
    return debts


def test_g21_gx7_paying_only_the_profit():
    estate = Estate(mines="a1").own(ANN, "a1").purse(ANN, 0, 5)
    assert repeat_turns(estate, 8, "repay", "amount:1") == [10, 12, 16, 24, 40, 72, 136, 264]
    assert rules.score(estate.s, estate.c, ANN) == -259   # 5 - 264


def test_g21_gx8_doing_nothing():
    estate = Estate().own(ANN, "a1").purse(ANN, 0, 2)
    assert repeat_turns(estate, 8)[-1] == 512             # 2 * 2^8
    assert rules.score(estate.s, estate.c, ANN) == -510


def test_g22_actions_and_offers_are_limited():
    estate = Estate(seats=3, max_actions_per_turn=10).own(ANN, "a1").purse(ANN, 50, 50)
    for _ in range(5):
        estate.do("promise", "cancel")
    assert estate.moves() == ["end"]
    assert "used up" in estate.why_not("borrow")
    estate = Estate(seats=3, max_offers_per_turn=1).own(ANN, "a1").purse(ANN, 50)
    estate.do("call", "seat:2", "pass", "offer")
    assert {"seat:2", "seat:3"} & set(estate.moves()) == {"seat:3"}
    assert GAME.content().value("turn_seconds") == 180


def test_g22_the_turn_clock_lets_everything_lapse():
    """The table answers decline, cancel and end when three minutes are over."""
    estate = Estate(seats=3).own(ANN, "a1").purse(ANN, 5, 5)
    estate.do("offer", "seat:2", "square:a1", "amount:1")
    assert estate.actor == BEN                            # asked when the time is up
    estate.do("decline", "end")
    assert estate.debt() == 10 and estate.owner("a1") == ANN
    estate = Estate(seats=3).purse(ANN, 5, 5).do("borrow", "type", "digit:7")
    estate.do("cancel", "cancel", "end")                  # typing, menu, turn
    assert estate.debt() == 10


def test_g23_borrowing_has_no_limit():
    estate = Estate().do("borrow", "amount:9", "borrow", "1000000c", "borrow", "7c")
    assert (estate.cash(), estate.debt()) == (1_000_107, 1_000_107)


def test_g24_repaying_in_parts():
    estate = Estate().purse(ANN, 10, 6).do("repay")
    assert estate.amounts() == [6, 3, 1, 2, 5]            # all, half, then the menu
    estate.do("4c")
    assert (estate.cash(), estate.debt()) == (6, 2)
    assert "owe the bank nothing" in Estate().purse(ANN, 5).why_not("repay")
    assert "cash" in Estate().purse(ANN, 0, 5).why_not("repay")


def test_g25_buying_and_gx2_a_chain():
    # G-X2: own (2,2); (2,3), then (2,4): 2 + 2, no tax
    estate = Estate().own(ANN, "c3").purse(ANN, 4).do("buy", "square:c4", "buy", "square:c5")
    assert estate.cash() == 0 and estate.owner("c5") == ANN


def test_g25_gx3_a_mine_at_distance_three():
    estate = Estate(mines="c6").own(ANN, "c3").purse(ANN, 17).do("buy", "square:c6")
    assert estate.cash() == 0                             # 5 + 12
    estate = Estate(mines="c6").table(tax=1).own(ANN, "c3").purse(ANN, 8).do("buy", "square:c6")
    assert estate.cash() == 0                             # 5 + 3
    estate = Estate(mines="c6").own(ANN, "c3").purse(ANN, 16).do("buy")
    assert "c6" not in estate.squares()


def test_g25_far_across_the_board():
    estate = Estate().own(ANN, "a1").purse(ANN, 74).do("buy", "square:j10")
    assert estate.cash() == 0                             # 2 + 18 * 4


def test_g26_seeding():
    estate = Estate(mines="a2").own(ANN, "a1 a2").own(BEN, "b1").purse(ANN, 2).do("seed")
    assert estate.squares() == {"a1"}                     # neither a mine nor Ben's
    estate.do("square:a1")
    assert (estate.cash(), estate.use("a1")) == (0, "crop")
    assert "brown land" in estate.why_not("seed")


def test_g27_cattle():
    estate = Estate().own(ANN, "a1").own(ANN, "a2", "crop").purse(ANN, 5).do("cattle")
    assert estate.squares() == {"a2"}
    estate.do("square:a2")
    assert (estate.cash(), estate.use("a2")) == (0, "cattle")
    fresh = Estate().own(ANN, "a1").purse(ANN, 9)         # 2 + 2 + 5 on one new square
    fresh.do("buy", "square:a2", "seed", "square:a2", "cattle", "square:a2")
    assert (fresh.cash(), fresh.use("a2")) == (0, "cattle")


def test_g31_no_sale_to_the_bank_no_bankruptcy():
    estate = Estate().own(ANN, "a1").purse(ANN, 0, 10**9)
    assert "buys no squares" in estate.why_not("sell")
    estate.do("end")                                      # deep in debt and still playing
    broke = Estate()
    assert {"borrow", "end"} <= set(broke.moves())


def test_gr7_loans_stay_unlimited_after_the_first():
    assert Estate().purse(ANN, 0, 10**12).do("borrow", "amount:9").debt() == 10**12 + 100


def test_gr8_repayment_is_voluntary():
    estate = Estate().purse(ANN, 100, 10).do("end")
    assert (estate.cash(), estate.debt()) == (100, 20)


def test_gr9_profit_in_the_first_turn_by_switch():
    for switch, cash in ((False, 0), (True, 3)):
        estate = Estate(first_turn_profit=switch).own(ANN, "a1", "crop")
        estate.s.turns[ANN] = 0
        turn.start_turn(estate.s, estate.c, ANN, estate.log)
        assert estate.cash() == cash


def test_gr13_sale_to_the_bank_by_switch():
    estate = Estate(sell_to_bank=True, lakes="a2").table(lake=3).own(ANN, "a1", "cattle")
    estate.do("sell", "square:a1")
    assert (estate.cash(), estate.owner("a1"), estate.use("a1")) == (6, -1, "brown")   # 3 * 2


def test_gr36_cash_never_goes_below_nothing():
    estate = Estate().own(ANN, "a1").purse(ANN, 1, 0)
    assert not {"buy", "seed"} & set(estate.moves())
    assert "cash" in estate.why_not("buy")


def test_g64_debt_stops_at_its_bound():
    most = int(MOST_COINS)
    assert most == 10**15
    estate = Estate().table(loan=999).purse(ANN, 0, most - 1).do("end")
    assert estate.debt() == most and estate.sound()       # not wrapped, not beyond
    estate.turn_of(ANN)
    assert estate.noted(Event.INTEREST) == [(ANN, 0, 1)]  # the log tells what was really added
    estate.do("end")
    assert estate.debt() == most
    assert "lends you no more" in estate.turn_of(ANN).why_not("borrow")


def test_g64_doubling_for_a_hundred_turns():
    estate = Estate().purse(ANN, 0, 14)
    debts = repeat_turns(estate, 100)
    assert debts == [min(14 * 2 ** (turn + 1), 10**15) for turn in range(100)]
    assert estate.sound()


def test_g64_cash_stops_at_its_bound():
    most = int(MOST_COINS)
    estate = Estate().own(ANN, "a1", "crop").purse(ANN, most - 1)
    turn.start_turn(estate.s, estate.c, ANN, estate.log)
    assert estate.cash() == most and estate.sound()       # 3 earned, 1 fits
    estate = Estate().own(ANN, "a1").own(BEN, "a2").purse(ANN, 10).purse(BEN, most - 4)
    estate.do("gift", "10c", "accept")
    assert (estate.cash(ANN), estate.cash(BEN)) == (0, most) and estate.sound()
    assert estate.noted(Event.GIFT_GOT) == [(BEN, 0, 4)]


def test_g65_menu_and_typing_reach_the_same_amounts():
    estate = Estate().purse(ANN, 37, 37).do("repay")
    assert estate.amounts() == [37, 18, 1, 2, 5, 10, 20]
    estate.do("type", "digit:2")
    assert "digit:9" in estate.moves()                    # 29
    estate.do("digit:3", "erase", "digit:1", "confirm")
    assert estate.debt() == 16                            # 21 repaid
    estate.do("repay", "type", "digit:1")
    assert {"digit:6", "digit:7"} & set(estate.moves()) == {"digit:6"}   # at most 16
    assert "more than is possible" in estate.why_not("digit:7")
    assert "less than is possible" in Estate().purse(ANN, 9, 9).do("repay", "type").why_not(
        "confirm")


def test_g65_loans_by_the_million():
    estate = Estate().do("borrow", "type", *["digit:9"] * 6)
    assert not any(move.startswith("digit") for move in estate.moves())   # loan_most = 1000000
    estate.do("confirm")
    assert estate.cash() == 999_999


@pytest.mark.parametrize("texts", [
    ("borrow",), ("borrow", "type", "digit:3"), ("buy",), ("seed",), ("cattle",), ("repay",),
    ("offer",), ("offer", "seat:3"), ("offer", "seat:3", "square:a1"), ("gift", "seat:2"),
    ("promise", "seat:2"), ("call",)])
def test_g66_drafts_are_secret_and_can_be_dropped(texts):
    estate = Estate(seats=3).own(ANN, "a1").own(ANN, "a2", "crop").own(CLEO, "d4")
    estate.purse(ANN, 100, 100)
    before = [estate.position.observe(seat).tobytes() for seat in (BEN, CLEO)]
    state = estate.s.tobytes()
    estate.do(*texts)
    assert [estate.position.observe(seat).tobytes() for seat in (BEN, CLEO)] == before
    assert all(len(log) == 0 for log in estate.position.logs[1:])
    while "cancel" in estate.moves():
        estate.do("cancel")
    estate.s.answers[:] = 0                               # only the count of answers remains
    assert estate.s.tobytes() == state


def test_books_are_written_in_secret():
    estate = Estate(seats=3).do("borrow", "amount:5")
    assert estate.told(ANN) == ["Ann borrows 5c."]
    assert estate.told(BEN) == estate.told(-1) == []
    assert estate.s.kind[0] == Land.LAND


# Items nobody handles ----------------------------------------------------------------------------

def fault_of(estate):
    return [estate.s.agenda_fault, estate.s.agenda_fault_item]


def test_a_step_or_a_question_nobody_handles_is_a_fault():
    estate = Estate()
    then(estate.s, 199, ANN, 0, 0)
    estate.go_on()
    assert fault_of(estate) == [AgendaFault.NO_HANDLER, 199]
    estate = Estate()
    then(estate.s, 99, ANN, 0, 0)
    assert estate.position.legal() == []
    estate.position.engine.apply(estate.s, estate.c, GAME.words.TEXTS.action("pass"), estate.log)
    assert fault_of(estate) == [AgendaFault.NO_HANDLER, 99]


@pytest.mark.parametrize(("stage", "text"), [
    (Stage.PARTNER, "seat:2"), (Stage.SQUARE, "square:a1"), (Stage.PROMISE + 1, "promise:let")])
def test_g66_a_draft_of_no_known_kind_is_a_fault(stage, text):
    estate = Estate(3)
    estate.s.draft_kind, estate.s.draft_stage = Draft.PROMISE + 1, stage
    estate.position.engine.apply(estate.s, estate.c, GAME.words.TEXTS.action(text), estate.log)
    assert fault_of(estate)[0] == AgendaFault.NO_HANDLER
