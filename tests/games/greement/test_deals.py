"""G-28 to G-30: offers, counter-offers, gifts, calls, promises; G-67, G-69, G-70."""

import re

import pytest

from exchequer.games.greement import GAME, turn
from exchequer.games.greement.state import Ask, Deal, Event, Happening
from exchequer.table import boards
from games.greement.estate import ANN, BEN, CLEO, DOV, Estate


def two_farms(seats=3, **settings):
    """Ann owns a1 and a2, Ben a5: his distance to a2 is 3, hers to a5 too."""
    return Estate(seats, **settings).own(ANN, "a1 a2", "crop").own(BEN, "a5")


def test_g28_a_sale():
    estate = two_farms().purse(ANN, 1).purse(BEN, 30)
    estate.do("offer", "seat:2", "square:a2", "10c", "tax:buyer")
    assert (estate.asked, estate.actor) == (Ask.ANSWER, BEN)
    assert "you get A2, you pay 10c, the buyer bears the tax of 12c" in estate.position.question
    estate.do("accept")
    assert (estate.owner("a2"), estate.use("a2")) == (BEN, "crop")   # with its present use
    assert (estate.cash(ANN), estate.cash(BEN)) == (11, 8)           # 1 + 10; 30 - 10 - 12
    assert estate.noted(Event.DEAL) == [(ANN, Deal.SALE_BUYER_TAX, 10)]
    assert estate.asked == Ask.TURN and estate.sound()


@pytest.mark.parametrize("who, ann, ben", [("seller", 8, 80), ("buyer", 20, 68)])
def test_g28_gx17_a_sale_across_the_board_with_the_tax_on_either_side(who, ann, ben):
    # G-X17: buyer's distance 3, price 20: seller +8 or +20, buyer -20 or -32; the bank gets 12
    estate = two_farms().purse(BEN, 100)
    estate.do("offer", "seat:2", "square:a2", "20c", f"tax:{who}", "accept")
    assert (estate.cash(ANN), estate.cash(BEN)) == (ann, ben)
    assert estate.cash(ANN) + estate.cash(BEN) == 100 - 12 and estate.sound()


def test_g28_a_purchase_proposed_by_the_buyer():
    estate = two_farms().purse(ANN, 20)
    estate.do("offer", "seat:2", "square:a5", "8c")
    assert "tax:buyer" in estate.moves()                  # 8 + 12 = 20
    estate.do("tax:buyer", "accept")
    assert (estate.owner("a5"), estate.cash(ANN), estate.cash(BEN)) == (ANN, 0, 8)
    assert estate.noted(Event.DEAL) == [(ANN, Deal.PURCHASE_BUYER_TAX, 8)]


def offer_panel(estate, seat):
    """The offer as the seat's board shows it, without its tags."""
    view = estate.position.view(seat)
    html = str(boards.render(GAME, estate.content, view, ["Ann", "Ben", "Cleo"], {}))
    panel = re.search(r'data-region="offer".*?</section>', html, re.S)[0]
    return " ".join(re.sub(r"<[^>]*>", " ", panel).split())


def test_g28_the_offer_tells_a_tax_that_is_due_and_how_much():
    estate = two_farms().purse(BEN, 100).do("offer", "seat:2", "square:a2", "20c", "tax:buyer")
    assert estate.position.view(BEN)["offer"]["tax"] == 12
    assert "the buyer bears the tax of 12c" in offer_panel(estate, BEN)


def test_g28_the_offer_tells_nothing_of_a_tax_that_is_not_due():
    estate = Estate(3).own(ANN, "a1").own(BEN, "a2").purse(BEN, 100)
    estate.do("offer", "seat:2", "square:a1", "20c")
    assert estate.position.view(BEN)["offer"]["tax"] == 0
    assert "tax" not in offer_panel(estate, BEN)
    assert "tax" not in estate.position.question


def test_g28_a_square_for_nothing_tells_of_no_payment():
    estate = Estate(3).own(ANN, "a1").own(BEN, "a2").do("offer", "seat:2", "square:a1", "0c")
    assert estate.do("accept").told(BEN) == ["A1 goes from Ann to Ben."]


def test_g28_connected_squares_need_no_tax_question():
    estate = Estate().own(ANN, "a1").own(BEN, "a2 a3").purse(ANN, 5)
    estate.do("offer", "square:a2", "3c", "accept")
    assert (estate.owner("a2"), estate.cash(ANN)) == (ANN, 2)
    assert estate.noted(Event.DEAL) == [(ANN, Deal.PURCHASE, 3)]


def test_g28_decline_and_counter_offer():
    estate = two_farms().purse(ANN, 50).purse(BEN, 50)
    estate.do("offer", "seat:2", "square:a2", "20c", "tax:buyer", "counter", "square:a2", "5c",
              "tax:seller")
    assert (estate.asked, estate.actor) == (Ask.ANSWER, ANN)     # the offer goes back
    assert estate.noted(Event.COUNTERED) == [(BEN, 1, 5)]
    estate.do("accept")
    assert (estate.cash(ANN), estate.cash(BEN)) == (43, 45)      # 50 + 5 - 12; 50 - 5
    estate.do("offer", "seat:2", "square:a1", "1c", "decline")   # a1 touches a2
    assert estate.owner("a1") == ANN and estate.asked == Ask.TURN


def test_g28_counters_end_with_the_offers_of_the_turn():
    estate = two_farms(max_offers_per_turn=2).purse(ANN, 50).purse(BEN, 50)
    estate.do("offer", "seat:2", "square:a2", "1c", "tax:buyer", "counter", "square:a2", "1c",
              "tax:buyer")
    assert "counter" not in estate.moves()
    assert "No more offers" in estate.why_not("counter")


def test_g28_who_accepts_must_have_the_cash():
    estate = two_farms().purse(BEN, 19)
    estate.do("offer", "seat:2", "square:a2", "8c", "tax:buyer")
    assert "accept" not in estate.moves() and "decline" in estate.moves()   # 8 + 12 > 19
    assert "borrow" not in estate.moves()                 # Ben is not on turn
    assert "cash" in estate.why_not("accept")


def test_g28_the_active_player_may_borrow_to_accept():
    estate = two_farms().purse(BEN, 0)
    estate.do("call", "seat:2", "offer", "square:a5", "4c", "tax:buyer")
    assert estate.actor == ANN and "accept" not in estate.moves()
    estate.do("borrow", "amount:7", "accept")             # 20 >= 4 + 12
    assert (estate.owner("a5"), estate.cash(ANN), estate.debt(ANN)) == (ANN, 4, 20)


def test_g29_gifts_and_gx4():
    # G-X4: distance 3, tax 12: Ann pays 17, Ben gets 5
    estate = Estate().own(ANN, "a1 a2").own(BEN, "a5 j10").purse(ANN, 17)
    estate.do("gift")
    assert max(estate.amounts()) == 5
    estate.do("5c")
    assert (estate.asked, estate.actor) == (Ask.RECEIVE, BEN)
    estate.do("accept")
    assert (estate.cash(ANN), estate.cash(BEN)) == (0, 5) and estate.sound()
    near = Estate().own(ANN, "a1 a2").own(BEN, "a5 j10 a3").purse(ANN, 17)
    near.do("gift", "5c", "accept")
    assert near.cash(ANN) == 12


def test_g29_a_gift_may_be_refused():
    estate = Estate().purse(ANN, 17).do("gift", "5c", "decline")
    assert (estate.cash(ANN), estate.cash(BEN)) == (17, 0)
    assert estate.told(-1) == ["Ben refuses Ann's gift."]


def test_g29_amounts_are_seen_by_two():
    for public in (False, True):
        estate = Estate(seats=3, gift_amounts_public=public).purse(ANN, 17)
        estate.do("gift", "seat:2", "5c")
        assert estate.told(BEN) == ["Ann holds out 5c to Ben."]
        assert (estate.told(CLEO) == ["Ann holds out a gift to Ben."]) != public
        assert (estate.position.observe(CLEO)[0].deal_price[1] == 5) == public
        estate.do("accept")
        assert (estate.told(CLEO) == ["Ben takes Ann's gift."]) != public


def test_g30_promises_are_written_down_and_bind_nobody():
    estate = Estate(seats=3)
    estate.do("promise", "seat:2", "promise:against")
    assert estate.told(CLEO) == ["Ann promises Ben to vote against the next event."]
    assert "promise:against" not in estate.do("promise", "seat:2").moves()
    estate.do("promise:keep-off")
    estate.events(Happening.CHEAP_GOLD).vote("let", "let", "let")
    assert estate.noted(Event.PROMISE_BROKEN) == [(ANN, 0, 1)]
    assert "Ann breaks the word given to Ben!" in estate.told(CLEO)
    turn.start_turn(estate.s, estate.c, ANN, estate.log)
    assert not estate.s.promised.any()                    # until her next turn


def test_g30_a_kept_word():
    estate = Estate(seats=3)
    estate.do("promise", "seat:3", "promise:let").events(Happening.CHEAP_GOLD)
    estate.vote("let", "against", "against")
    assert estate.noted(Event.PROMISE_KEPT) == [(ANN, 1, 1)]


def test_gr11_the_giver_pays_the_tax_to_the_bank():
    estate = Estate().own(ANN, "a1").own(BEN, "a3").purse(ANN, 20).do("gift", "5c", "accept")
    assert estate.noted(Event.GIFT_TAX) == [(ANN, 0, 8)]
    assert estate.cash(ANN) + estate.cash(BEN) == 12


def test_g28_both_bear_half_of_the_tax_and_the_buyer_the_odd_coin():
    estate = Estate(tax_formula="d_minus_1").table(tax=3).own(ANN, "a1").own(BEN, "a5")
    estate.purse(ANN, 9).purse(BEN, 30)
    estate.do("offer", "square:a1", "10c", "tax:both")    # distance 4: 3 times 3
    assert estate.position.view(BEN)["offer"]["taxed"] == "both"
    estate.do("accept")
    assert (estate.cash(ANN), estate.cash(BEN)) == (9 + 10 - 4, 30 - 10 - 5)
    assert estate.noted(Event.DEAL) == [(ANN, Deal.SALE_SPLIT_TAX, 10)] and estate.sound()


def test_g28_offers_are_numbered_and_know_with_which_their_bargain_began():
    estate = Estate().own(ANN, "a1").own(BEN, "a2").purse(ANN, 30).purse(BEN, 30)

    def offer():
        shown = estate.position.view(estate.actor)["offer"]
        return shown["number"], shown["chain"]

    estate.do("offer", "square:a1", "10c")
    assert offer() == (1, 1)
    estate.do("counter", "square:a1", "6c")
    assert offer() == (2, 1)
    estate.do("decline", "offer", "square:a2", "5c")
    assert offer() == (3, 3)


def test_gr12_the_price_is_not_taxed_as_a_gift():
    estate = two_farms().purse(BEN, 100).do("offer", "seat:2", "square:a2", "20c", "tax:buyer",
                                            "accept")
    assert sum(amount for _, _, amount in estate.noted(Event.DEAL_TAX)) == 12
    assert estate.noted(Event.GIFT_TAX) == []


def test_gr32_one_side_is_the_active_player():
    estate = two_farms(seats=4).own(CLEO, "j1")
    estate.do("offer", "seat:2")
    assert estate.squares() == {"a1", "a2", "a5"}         # not Cleo's
    assert "one of the two" in estate.why_not("square:j1")


def test_gr33_deals_are_whole_or_nothing():
    estate = two_farms().purse(BEN, 50)
    before = (estate.s.owner.tolist(), estate.s.cash.tolist())
    estate.do("offer", "seat:2", "square:a2", "15c", "tax:seller")
    assert (estate.s.owner.tolist(), estate.s.cash.tolist()) == before
    estate.do("decline")
    assert (estate.s.owner.tolist(), estate.s.cash.tolist()) == before


def test_gr38_bundles_by_switch():
    estate = two_farms(bundle_trades=True).purse(ANN, 30).purse(BEN, 30)
    estate.do("offer", "seat:2", "square:a2", "square:a5", "done", "price:mine", "4c")
    # a swap: a2 is 3 from Ben's a5, a5 is 3 from Ann's a2, on the holdings before the deal
    estate.do("tax:buyer", "accept")
    assert (estate.owner("a2"), estate.owner("a5")) == (BEN, ANN)
    assert (estate.cash(ANN), estate.cash(BEN)) == (14, 22)      # 30 - 4 - 12; 30 + 4 - 12
    assert estate.noted(Event.DEAL) == [(ANN, Deal.SWAP, 4)] and estate.sound()


def test_gr38_a_bundle_of_one_side():
    estate = two_farms(bundle_trades=True).purse(BEN, 100)
    estate.do("offer", "seat:2", "square:a1", "square:a2", "done", "10c", "tax:buyer", "accept")
    assert (estate.owner("a1"), estate.owner("a2")) == (BEN, BEN)
    assert estate.cash(BEN) == 100 - 10 - 16 - 12         # distances 4 and 3
    full = Estate(bundle_trades=True).own(ANN, "a1 a2 a3 a4 a5").do(
        "offer", "square:a1", "square:a2", "square:a3", "square:a4")
    assert full.squares() == set() and "at most four" in full.why_not("square:a5")


def test_g67_questions_do_not_tell_a_purse():
    """Ben is asked whether he could pay or not; Ann cannot see the difference."""
    seen = []
    for cash in (0, 100):
        estate = two_farms().purse(BEN, cash)
        estate.do("offer", "seat:2", "square:a2", "20c", "tax:buyer")
        assert estate.actor == BEN
        seen.append((estate.position.observe(ANN).tobytes(),
                     [e.tobytes() for e in estate.position.logs[-1]]))
    assert seen[0] == seen[1]


def test_g67_the_proposer_must_be_able_to_pay_his_side():
    estate = two_farms().purse(ANN, 10)
    estate.do("offer", "seat:2", "square:a5")
    assert max(estate.amounts()) <= 10
    estate.do("9c")
    assert {"tax:buyer", "tax:seller"} & set(estate.moves()) == {"tax:seller"}   # 9 + 12 > 10


def test_g69_the_tax_may_come_out_of_the_price():
    estate = two_farms().purse(ANN, 0).purse(BEN, 50)
    estate.do("offer", "seat:2", "square:a2", "11c")
    assert "tax:seller" not in estate.moves()             # 0 + 11 < 12
    estate.do("cancel", "offer", "seat:2", "square:a2", "12c", "tax:seller", "accept")
    assert (estate.cash(ANN), estate.cash(BEN)) == (0, 38)


def test_g70_others_propose_when_called():
    estate = two_farms(seats=4).purse(ANN, 50)
    estate.do("call", "seat:2")
    assert (estate.asked, estate.actor) == (Ask.CALLED, BEN)
    estate.do("pass")
    assert estate.told(CLEO) == ["Ben makes no offer."] and estate.actor == ANN
    estate.do("call", "seat:2", "offer", "square:a5", "2c", "tax:buyer")
    assert estate.actor == ANN and "decline" in estate.moves()
    assert estate.s.offers_made[BEN] == 2                 # a call and its offer count once


def test_g70_the_floor_every_turn_by_switch():
    estate = two_farms(seats=4, floor="every_turn")
    estate.s.todo = 0
    turn.start_turn(estate.s, estate.c, ANN, estate.log)
    order = []
    while estate.asked == Ask.CALLED:
        order.append(estate.actor)
        estate.do("pass")
    assert order == [BEN, CLEO, DOV] and estate.actor == ANN
    bare = Estate(floor="every_turn")
    bare.s.todo = 0
    turn.start_turn(bare.s, bare.c, ANN, bare.log)
    assert bare.moves() == ["pass"] and "no square to trade" in bare.why_not("offer")


def test_offers_between_others_are_hidden():
    estate = two_farms(seats=3).purse(BEN, 50)
    estate.do("offer", "seat:2", "square:a2", "9c", "tax:buyer")
    seen = estate.position.observe(CLEO)[0]
    assert (seen.deal_from[1], seen.deal_to[1]) == (ANN, BEN)
    assert seen.deal_price[1] == 0 and seen.deal_count[1] == 0
    assert "price" not in estate.position.view(CLEO)["offer"]
    assert estate.position.view(BEN)["offer"]["squares"] == ["a2"]
    assert estate.told(CLEO) == ["Ann makes Ben an offer."]
    assert estate.told(BEN) == ["Ann makes Ben an offer: A2 for 9c."]
