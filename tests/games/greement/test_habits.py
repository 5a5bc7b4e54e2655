"""How bots bargain: they mean what they offer, never sell at a loss, and come to an end."""

import numpy as np
import pytest

from exchequer.bots.arena import Arena
from exchequer.bots.bot import Bot
from exchequer.bots.policies import LEVELS, policy_named
from exchequer.core.build import Mode
from exchequer.core.habits import habit, habits_of, only_by_habit
from exchequer.core.loops import Result
from exchequer.core.measures import measures_of
from exchequer.core.records import NOBODY
from exchequer.games.greement import GAME
from exchequer.games.greement.board import square_tax
from exchequer.games.greement.habits import (
    LEAST_GAIN,
    agrees,
    foothold,
    offer_gain,
    overlooks,
)
from exchequer.games.greement.state import OFFER, Ask, Do, Draft, Happening
from exchequer.lab.arms import Arm, play
from games.greement.estate import ANN, BEN, CLEO, Estate, square_number

TEXTS = GAME.words.TEXTS
HABIT, ONLY = (GAME.engine(Mode.PYTHON).bind(rule, habits_of(GAME))
               for rule in (habit, only_by_habit))


def wanted(estate: Estate, attention: float = 1.0) -> str:
    """What the bot that is asked does out of habit."""
    seen = estate.position.observe(estate.actor)[0]
    action = HABIT(seen, estate.c, int(estate.s.seats), estate.actor, attention)
    return "" if action == NOBODY else TEXTS.text(int(action))


def bargained(estate: Estate) -> Estate:
    """Bots do what they do out of habit until they have to search."""
    said, bargaining = wanted(estate), 0
    while bargaining < 60:
        if not said:
            return estate
        bargaining += estate.asked == Ask.ANSWER or said == "offer" \
            or estate.s.draft_kind == Draft.OFFER
        if said in ("accept", "decline"):
            assert estate.asked == Ask.ANSWER
        estate.do(said)
        said = wanted(estate)
    raise AssertionError("bots that haggle without end")


def three(**settings) -> Estate:
    """Ann has the turn and Ben the next one; all live side by side with some cattle and cash."""
    estate = Estate(3, mines="a2 b1 b4", **settings)
    estate.own(ANN, "a1 c1", "cattle").own(BEN, "b2 c2", "cattle").own(CLEO, "b3", "crop")
    estate.s.turns[ANN:CLEO + 1] = 1
    return estate.purse(ANN, 12).purse(BEN, 40).purse(CLEO, 15)


def test_who_has_the_turn_sells_to_who_has_the_next_one():
    """Ann has had her profit of this round, Ben has it before him: both gain by a sale."""
    estate = three()
    while estate.asked == Ask.TURN:
        estate.do(wanted(estate))
    assert estate.asked == Ask.ANSWER and estate.s.owner[estate.s.deal_square[OFFER, 0]] == ANN


@pytest.mark.parametrize("cash", [0, 3, 12, 60])
@pytest.mark.parametrize("debt", [0, 9, 50])
def test_a_bot_never_offers_what_it_would_refuse(cash, debt):
    estate = three().purse(ANN, cash, debt)
    while wanted(estate) and estate.asked == Ask.TURN:
        estate.do(wanted(estate))
    if estate.asked == Ask.ANSWER:
        seen = estate.position.observe(ANN)[0]
        assert offer_gain(seen, estate.c, ANN) >= LEAST_GAIN


@pytest.mark.parametrize("debt", [0, 30])
def test_bargains_among_bots_come_to_an_end(debt):
    for seat in (ANN, BEN, CLEO):
        estate = bargained(three().purse(BEN, 40, debt).turn_of(seat))
        assert estate.asked == Ask.TURN and estate.s.offers_made.sum() <= 6


def test_nobody_sells_at_a_loss_to_their_own_books():
    """A mine brings 4 a turn; the bank has no other one beside Ben."""
    for price, answer in (("1c", ("decline", "counter")), ("60c", ("accept",))):
        estate = Estate(3, mines="b1").own(ANN, "a1", "crop").own(BEN, "b1").own(CLEO, "j9")
        estate.purse(ANN, 90).purse(BEN, 5).do("offer", "seat:2", "square:b1", price)
        assert wanted(estate) in answer


def test_a_counter_offer_names_a_price_the_bot_would_take_and_is_the_last_word():
    estate = Estate(3, mines="b1").own(ANN, "a1", "crop").own(BEN, "b1").own(CLEO, "j9")
    estate.purse(ANN, 90).purse(BEN, 5).do("offer", "seat:2", "square:b1", "9c")
    assert wanted(estate) == "counter"
    while estate.actor == BEN:
        estate.do(wanted(estate))
    price = int(estate.s.deal_price[OFFER])
    assert price > 9 and offer_gain(estate.position.observe(BEN)[0], estate.c, BEN) >= LEAST_GAIN
    assert wanted(estate) in ("accept", "decline")


def test_coins_are_worth_more_to_somebody_whose_debt_grows():
    asked = {}
    for debt in (0, 40):
        estate = Estate(3, mines="b1").own(ANN, "a1", "crop").own(BEN, "b1").own(CLEO, "j9")
        estate.purse(ANN, 900).purse(BEN, 0, debt)
        asked[debt] = next(price for price in range(1, 90) if agrees(
            offered(estate, price), estate.c, BEN))
    assert asked[40] < asked[0]


def offered(estate: Estate, price: int):
    """Ann's offer for Ben's mine as Ben sees it."""
    again = estate.position.observe(BEN)[0].copy()
    again.deal_from[OFFER], again.deal_to[OFFER], again.deal_payer[OFFER] = ANN, BEN, ANN
    again.deal_square[OFFER, 0], again.deal_count[OFFER] = 10, 1
    again.deal_price[OFFER] = price
    return again


def test_who_breaks_their_word_has_to_offer_more():
    prices = []
    for broken in (0, 3):
        estate = Estate(3, mines="b1").own(ANN, "a1", "crop").own(BEN, "b1").own(CLEO, "j9")
        estate.purse(ANN, 900).purse(BEN, 0)
        estate.s.broken[ANN] = broken
        prices.append(next((price for price in range(1, 200) if agrees(
            offered(estate, price), estate.c, BEN)), 200))
    assert prices[0] <= prices[1]


@pytest.mark.parametrize("promise, vote", [("against", "vote:against"), ("let", "vote:let")])
def test_a_promised_vote_is_given(promise, vote):
    estate = three().do("promise", "seat:2", f"promise:{promise}")
    estate.events(Happening.GOLD_RUSH)
    assert (estate.asked, estate.actor) == (Ask.VOTE, ANN)
    assert wanted(estate) == vote


def test_a_bot_that_takes_over_a_draft_does_not_send_what_it_does_not_mean():
    """Ann left while she named a price with which she cannot pay the tax of a square far away."""
    estate = Estate(3).own(ANN, "a1").own(BEN, "a5").own(CLEO, "j9").purse(ANN, 10)
    estate.do("offer", "seat:2", "square:a5", "8c")
    assert "tax:buyer" not in estate.moves() and wanted(estate) == "cancel"
    assert bargained(estate).asked == Ask.TURN and estate.s.draft_kind == Draft.NONE


def test_a_search_makes_no_offers_of_its_own():
    seen = three().position.observe(ANN)[0]
    assert ONLY(seen, Do.OFFER) and ONLY(seen, Do.GIFT) and not ONLY(seen, Do.BUY)


# Building and dealing ----------------------------------------------------------------------------

def test_a_bot_buys_seeds_and_stocks_what_pays():
    """A mine for 5 brings 4 a turn, seed for 2 brings 3, cattle for 5 another 3."""
    estate = Estate(3, mines="a2").own(ANN, "a1").own(BEN, "j1").own(CLEO, "j9")
    estate.purse(ANN, 12).purse(BEN, 0).purse(CLEO, 0)
    said = []
    while wanted(estate) in ("buy", "seed", "cattle") or "square" in wanted(estate):
        said.append(wanted(estate))
        estate.do(said[-1])
    assert said[:2] == ["seed", "square:a1"] and "square:a2" in said
    assert estate.s.cash[ANN] >= 0


def test_nothing_is_built_that_the_rest_of_the_game_does_not_pay_for():
    """In the last round a mine costs 5 and is worth 5, and cattle bring nothing more."""
    estate = Estate(3, mines="a2").own(ANN, "a1", "crop").own(BEN, "j1").own(CLEO, "j9")
    estate.purse(ANN, 40).s.round_number = estate.c.rmax
    assert wanted(estate) not in ("buy", "seed", "cattle")


def test_what_a_bot_sells_it_gets_again():
    """Ann lives beside free land: what she sells to Ben she builds anew in the same turn."""
    estate = three()
    before = int(estate.s.held[ANN].sum())
    for _ in range(200):
        said = wanted(estate)
        if not said:
            break
        estate.do(said)
    sold = [square for square in range(100) if estate.s.owner[square] == BEN]
    assert len(sold) > 2 and estate.s.held[ANN].sum() >= before


@pytest.mark.parametrize("beside, counts", [("", False), ("g8 h7", True)])
def test_a_foothold_is_worth_part_of_its_tax(beside, counts):
    """Ben would pay tax for Ann's cattle at g7, but not for what lies beside it afterwards."""
    estate = Estate(3).own(ANN, f"g7 {beside}".strip(), "cattle").own(BEN, "g3", "cattle")
    estate.own(CLEO, "a9", "crop").purse(ANN, 0).purse(BEN, 90)
    square = square_number("g7")
    tax = square_tax(estate.s, estate.c, BEN, square)
    assert tax > 0 and (foothold(estate.s, estate.c, BEN, square) == min(6, tax)) == counts


def test_who_can_sell_does_not_ask_others_to_sell():
    estate, offers = three(), []
    for _ in range(200):
        said = wanted(estate)
        if not said:
            break
        estate.do(said)
        if estate.asked == Ask.ANSWER and not estate.s.countered:
            offers.append(int(estate.s.owner[estate.s.deal_square[OFFER, 0]]))
    assert offers and offers[0] == ANN


# Levels ------------------------------------------------------------------------------------------

def test_a_level_that_pays_less_attention_overlooks_what_would_pay():
    """Ann has brown land and coins for seed, which pays; without attention she would not see it."""
    estate = Estate(3).own(ANN, "a1").own(BEN, "j1").own(CLEO, "j9").purse(ANN, 12)
    assert [wanted(estate, attention) for attention in (0.0, 1.0)] == ["", "seed"]


@pytest.mark.parametrize("level, seen", [("easy", 20), ("medium", 50), ("hard", 100),
                                         ("expert", 100), ("master", 100)])
def test_easy_sees_a_fifth_medium_half_and_the_others_all(level, seen):
    """In each round other squares, so that nothing is overlooked for ever."""
    estate, found = Estate(3), []
    for number in (1, 2):
        estate.s.round_number = number
        found.append({square for square in range(100) if not overlooks(
            estate.s, ANN, square, policy_named(level).attention)})
    assert all(abs(len(squares) - seen) <= 3 for squares in found)
    assert (found[0] == found[1]) == (seen == 100)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_deals_by_the_same_books(level):
    """Who pays less attention sells no cheaper: the answer to an offer is the same."""
    estate = Estate(3, mines="b1").own(ANN, "a1", "crop").own(BEN, "b1").own(CLEO, "j9")
    estate.purse(ANN, 90).purse(BEN, 5).do("offer", "seat:2", "square:b1", "9c")
    assert wanted(estate, policy_named(level).attention) == "counter"


def test_the_arena_plays_as_the_lab_does():
    """Same deals, same bots: the same moves, deals included."""
    names, deals = ("easy", "medium", "hard"), np.arange(3, dtype=np.uint64)
    lab = play(Arm("levels", "greement", names, len(deals))).rows
    arena, results = Arena(GAME, GAME.content(), names), np.zeros(len(deals), Result)
    arena._compiled(deals, [[0, 1, 2]] * len(deals), results)
    assert results["score"][:, :3].tolist() == lab.seats["score"].tolist()
    assert results["steps"].tolist() == lab.games["steps"].tolist()
    assert lab.counts[:, :, list(measures_of(GAME).counts).index("deals closed")].sum() > 0


def test_a_bot_of_ones_own_meets_the_same_bots():
    """`Bot`, whom tables, environments and bots of one's own meet, has the same habits."""
    estate, bot = three(), Bot(GAME, "hard")
    seen = estate.position.observe(ANN)
    action = bot.choose(seen, estate.position.content, ANN)
    assert TEXTS.text(action) == wanted(estate)
    assert [idea.action for idea in bot.thought().ideas] == [action]
    searched = bot.consider(seen, estate.position.content, ANN)
    assert not ONLY(seen[0], searched) and len(bot.thought().ideas) > 1
