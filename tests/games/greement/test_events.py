"""G-32 to G-60: the event phase, votes, pledges and every kind of card."""

import math

import numpy as np
import pytest

from exchequer.core.check.knowing import check_sealing
from exchequer.core.piles import pile_size
from exchequer.core.position import Refused
from exchequer.games.greement import GAME
from exchequer.games.greement.events import is_avoided
from exchequer.games.greement.state import (
    Ask,
    Avoid,
    Event,
    Fate,
    Happening,
    Pile,
    Value,
    Vote,
    deck_counts,
)
from games.greement.estate import ANN, BEN, CLEO, Estate, new_game

H = Happening

# G-37 to G-60: cards in the deck, and what the table gains when the card fires
CARDS = {
    H.LAKES_RISE: (4, {"lake": 1, "mountain": -1}),
    H.PEAKS_RISE: (2, {"mountain": 1, "lake": -1}),
    H.WATERS_AND_PEAKS: (4, {"lake": 1, "mountain": 1, "mine_profit": -2}),
    H.DEAR_LAND: (1, {"land": 1, "mine": -1}),
    H.DEAR_MINES: (3, {"land": -1, "mine": 1}),
    H.GOOD_HARVEST: (1, {"crop": 1, "mine_profit": -1}),
    H.GOLD_RUSH: (6, {"crop": -1, "mine_profit": 1}),
    H.FINE_SEED: (3, {"seed": 1, "crop": 1}),
    H.OPEN_ROADS: (2, {"tax": -2, "crop": -1, "mine_profit": -1}),
    H.PRIME_CATTLE: (2, {"cattle": 1, "cattle_profit": 1}),
    H.POOR_CATTLE: (2, {"cattle": -1, "cattle_profit": -1}),
    H.EASY_CREDIT: (2, {"loan": -1, "cattle_profit": -1, "crop": -1, "mine_profit": -1}),
    H.BOOM: (1, {"loan": 1, "lake": 1, "mountain": 1}),
    H.SLUMP: (1, {"loan": -1, "lake": -1, "mountain": -1}),
    H.JUBILEE: (5, {}),
    H.BLIGHT: (5, {"mine_profit": 3}),
    H.LEAN_YEARS: (3, {"mine_profit": 3}),
    H.GREAT_PASTURE: (2, {}),
    H.CHEAP_GOLD: (5, {"mine_profit": -1}),
    H.DRY_YEARS: (2, {"tax": -1, "lake": -1, "mountain": -1}),
    H.TIGHT_CREDIT: (3, {"loan": 1}),
    H.CATTLE_DISEASE: (3, {}),
    H.LAKE_SEIZURE: (3, {}),
    H.MOUNTAIN_SEIZURE: (2, {}),
}


def rich_estate(**settings):
    """Something of everything, and a table of tens so that no floor is met."""
    estate = Estate(seats=3, mines="a1 h8", lakes="e5", mountains="j1", **settings)
    estate.own(ANN, "a1").own(ANN, "b1", "crop").own(BEN, "b2", "cattle").own(CLEO, "c9")
    estate.s.table[:] = 10
    return estate


def let_happen(estate, kind):
    """Nobody does anything against the card."""
    return estate.events(kind).pass_all()


def test_g32_three_cards_one_after_the_other():
    estate = Estate().events(H.GOLD_RUSH, H.CHEAP_GOLD, H.FINE_SEED)
    view = estate.position.view(ANN)
    assert [card["kind"] for card in view["row"]] == ["gold_rush", None, None]
    estate.vote("let", "let")
    assert [card["fate"] for card in estate.position.view(ANN)["row"]] == [
        "happened", "open", "face_down"]
    estate.vote("against", "against").vote("let", "let")
    assert estate.asked == Ask.TURN
    assert pile_size(estate.s, Pile.USED) == 3 and pile_size(estate.s, Pile.DECK) == 64
    assert [Fate(f).name for f in estate.s.fate[:3]] == ["HAPPENED", "AVOIDED", "HAPPENED"]
    assert GAME.content().value("events_per_round") == 3


def test_g32_used_cards_make_a_new_deck():
    estate = Estate()
    s = estate.s
    for _ in range(22):                                   # after 22 event phases 66 are used
        estate.events_from_deck().pass_all()
    assert (pile_size(s, Pile.DECK), pile_size(s, Pile.USED)) == (1, 66)
    estate.events_from_deck().pass_all()                  # one card, then a new deck of 66
    assert (pile_size(s, Pile.DECK), pile_size(s, Pile.USED)) == (64, 3)
    assert sorted(s.card.tolist()) == list(range(80))


@pytest.mark.parametrize("kind, lacks", [
    (H.JUBILEE, "mine"), (H.GREAT_PASTURE, "mine"), (H.BLIGHT, "crop"), (H.LEAN_YEARS, "cattle")])
def test_g33_preconditions(kind, lacks):
    estate = Estate(seats=3, mines="a1")
    if lacks != "mine":
        estate.own(ANN, "a1")
    if lacks != "crop":
        estate.own(ANN, "b1", "crop")
    if lacks != "cattle":
        estate.own(BEN, "b2", "cattle")
    estate.events(kind)
    assert estate.asked == Ask.TURN                       # discarded without a vote
    assert estate.noted(Event.DISCARDED) == [(0, kind, 1)]
    assert rich_estate().events(kind).asked == Ask.VOTE


def test_g34_gx9_majorities():
    c = GAME.content().record
    cases = [(1, 2), (2, 2), (2, 3), (2, 4), (3, 4), (3, 5), (3, 6)]
    assert [is_avoided(c, against, seats) for against, seats in cases] == [
        False, True, True, False, True, True, False]


def test_g34_a_drawn_vote_triggers():
    estate = Estate().events(H.GOLD_RUSH).vote("against", "let")
    assert estate.value("crop") == 2
    assert estate.noted(Event.HAPPENED) == [(0, H.GOLD_RUSH, 1)]


def test_g34_votes_are_sealed_until_all_have_voted():
    estate = Estate(seats=3).events(H.GOLD_RUSH).vote("against")
    assert estate.position.observe(BEN)[0].sealed[ANN] == Vote.SEALED
    assert estate.told(BEN) == ["Ann has answered."]
    estate.do("vote:let", "vote:against")
    assert estate.noted(Event.VOTED) == [(ANN, 1, 1), (BEN, 0, 1), (CLEO, 1, 1)]
    assert estate.value("crop") == 3                      # two of three against
    assert estate.position.observe(BEN)[0].opened[:3].tolist() == [2, 1, 2]


def test_g34_open_votes_by_switch():
    estate = Estate(vote_mode="open_sequential").events(H.GOLD_RUSH).vote("against")
    assert estate.told(BEN) == ["Ann votes against."]
    assert estate.position.observe(BEN)[0].opened[ANN] == Vote.AGAINST


def test_g34_a_bribe_taken_and_betrayed():
    estate = Estate(seats=3, bribe_laps=2).own(ANN, "a1").own(BEN, "a2").own(CLEO, "a3")
    estate.purse(ANN, 10).purse(BEN, 0).events(H.CHEAP_GOLD)
    estate.do("gift", "seat:2", "4c")                     # for a vote against
    estate.do("promise", "seat:1", "promise:against")     # Ben answers without knowing of it
    estate.do("vote:let")
    assert (estate.asked, estate.actor) == (Ask.RECEIVE, BEN)
    estate.do("accept")
    assert (estate.asked, estate.actor) == (Ask.VOTE, ANN)  # all anew: Cleo's vote is void
    estate.do("vote:against", "vote:let", "vote:let")
    assert (estate.cash(ANN), estate.cash(BEN)) == (6, 4) # the money is gone
    assert estate.noted(Event.PROMISE_BROKEN) == [(BEN, 0, 1)]
    assert (estate.s.kept[BEN], estate.s.broken[BEN]) == (0, 1)  # and stays beside the name
    assert estate.value("mine_profit") == 3 and estate.sound()


def test_g34_the_first_can_answer_the_last_with_a_higher_gift():
    estate = Estate(seats=3, bribe_laps=100).own(ANN, "a1").own(BEN, "a2").own(CLEO, "a3")
    estate.purse(ANN, 10).purse(CLEO, 10).events(H.CHEAP_GOLD)
    estate.do("vote:against", "vote:let", "gift", "seat:2", "2c", "accept")  # Cleo, to Ben
    estate.do("gift", "seat:2", "3c", "vote:let", "vote:let", "accept")     # Ann has heard of it
    assert (estate.cash(BEN), estate.s.lap) == (5, 2)
    estate.do("vote:against", "vote:against", "vote:let")
    assert estate.noted(Event.AVOIDED) == [(0, H.CHEAP_GOLD, 1)]


def test_g34_a_word_is_as_secret_as_a_vote():
    estate = Estate(seats=3).own(ANN, "a1").purse(ANN, 10).events(H.CHEAP_GOLD)
    estate.do("gift", "seat:2", "4c")
    seen = estate.position.observe(BEN)[0]
    assert (seen.sealed[ANN], seen.word_to[ANN], seen.written[ANN]) == (Vote.SEALED, -1, 0)
    assert estate.told(BEN) == ["Ann has answered."]
    assert estate.told(ANN) == ["Ann seals a wish to talk first."]


def test_g34_no_answer_depends_on_what_others_answer():
    estate = Estate(seats=3, bribe_laps=2).own(ANN, "a1").own(BEN, "a2").own(CLEO, "a3")
    for seat in (ANN, BEN, CLEO):
        estate.purse(seat, 20)
    estate.events(H.CHEAP_GOLD)
    assert estate.position.together == [ANN, BEN, CLEO]
    check_sealing(estate.position, 1)
    estate.do("vote:let", "vote:let", "gift", "seat:2", "2c", "accept")  # and so in the next lap
    check_sealing(estate.position, 2)


def test_g34_bribes_cost_distance_tax_and_cannot_be_borrowed():
    estate = Estate(seats=3).own(ANN, "a1").own(BEN, "a4").purse(ANN, 13).events(H.CHEAP_GOLD)
    assert {"borrow", "repay", "buy"} & set(estate.moves()) == set()
    estate.do("gift", "seat:2")
    assert estate.amounts() == [1]                        # 13 - 3 * 4
    estate.do("amount:1", "vote:let", "vote:let", "decline")
    assert estate.cash(ANN) == 13 and estate.asked == Ask.VOTE


def test_g34_bribe_laps():
    for laps in (0, 1, 2):
        estate = Estate(seats=3, bribe_laps=laps).purse(ANN, 10).events(H.CHEAP_GOLD)
        for _ in range(laps):
            estate.do("gift", "seat:2", "1c", "vote:let", "vote:let", "accept")
        assert {"gift", "promise"} & set(estate.moves()) == set()
        assert "(G-34)" in estate.why_not("gift")
        estate.vote("let", "let", "let")
        assert estate.value("mine_profit") == 3


def test_g34_open_votes_with_a_word_before():
    estate = Estate(vote_mode="open_sequential").own(ANN, "a1").own(BEN, "a2").purse(ANN, 10)
    estate.events(H.GOLD_RUSH).do("gift", "3c", "vote:let", "accept")
    assert (estate.asked, estate.actor, estate.s.opened[BEN]) == (Ask.VOTE, ANN, Vote.NONE)
    estate.do("vote:against", "vote:against")
    assert estate.value("crop") == 3


def test_g35_gx15_pledges_are_collected_as_far_as_needed():
    # G-X15: 6 and 5, and of Cleo's 7 only the 4 that are missing
    estate = Estate(seats=3, lakes="a1").own(ANN, "a2")
    for seat in (ANN, BEN, CLEO):
        estate.purse(seat, 20)
    estate.events(H.LAKE_SEIZURE).do("6c", "5c", "7c")
    assert [estate.cash(seat) for seat in (ANN, BEN, CLEO)] == [14, 15, 16]
    assert estate.noted(Event.AVOIDED) == [(0, H.LAKE_SEIZURE, 1)]
    assert estate.owner("a2") == ANN and estate.sound()


def test_g35_gx15_pledges_that_fall_short_are_returned():
    # 6, 5, 3 and a second lap of passes: 14 of 15
    estate = Estate(seats=3, lakes="a1").own(ANN, "a2")
    for seat in (ANN, BEN, CLEO):
        estate.purse(seat, 20)
    estate.events(H.LAKE_SEIZURE).do("6c", "5c", "3c", "pass", "pass", "pass")
    assert [estate.cash(seat) for seat in (ANN, BEN, CLEO)] == [22, 20, 20]   # 2c for a2
    assert estate.noted(Event.PLEDGES_RETURNED) == [(0, H.LAKE_SEIZURE, 14)]
    assert estate.owner("a2") == -1 and not estate.s.pledged.any()


def test_g35_pledges_are_sealed_then_opened_and_can_be_raised():
    estate = Estate().purse(ANN, 20).purse(BEN, 20).events(H.TIGHT_CREDIT)
    assert estate.position.asked == [ANN, BEN]
    estate.do("4c")
    assert estate.told(-1) == [] and estate.position.view(BEN)["missing"]["missing"] == 10
    assert estate.position.observe(BEN)[0].written[ANN] == 0
    estate.do("3c")
    assert estate.position.asked == [ANN, BEN]            # the second lap
    assert estate.told(-1) == ["Ann pledges 4c.", "Ben pledges 3c."]
    assert estate.position.view(BEN)["missing"] == {"price": 10, "missing": 3}
    estate.do("amount:1", "pass")                         # what is missing
    assert (estate.cash(ANN), estate.cash(BEN), estate.value("loan")) == (13, 17, 2)


def test_g35_g71_a_loan_for_a_pledge():
    estate = Estate().purse(ANN, 4, 1).events(H.TIGHT_CREDIT).do("10c", "pass")
    assert (estate.cash(ANN), estate.debt(ANN)) == (0, 7) # 4 of his own, 6 borrowed
    assert estate.sound()
    short = Estate().purse(ANN, 4, 1).events(H.TIGHT_CREDIT).do("9c", "pass", "pass", "pass")
    assert (short.cash(ANN), short.debt(ANN)) == (4, 1)   # no loan without the payment


def test_g35_nobody_pledges_more_than_is_missing():
    estate = Estate(seats=3, lakes="a1").own(ANN, "a2")
    for seat in (ANN, BEN, CLEO):
        estate.purse(seat, 20)
    estate.events(H.LAKE_SEIZURE).do("6c", "5c", "pass", "type")
    assert estate.position.question == "From 1c to 4c: 0c so far."
    with pytest.raises(Refused, match=r"Nobody pledges more than is missing \(G-35\)"):
        estate.do("digit:5")
    estate.do("digit:4")
    with pytest.raises(Refused, match="more than is missing"):
        estate.do("digit:0")
    estate.do("confirm", "pass", "pass")
    assert [estate.cash(seat) for seat in (ANN, BEN, CLEO)] == [10, 15, 20] and estate.sound()


def test_g35_a_raise_in_the_second_lap_is_charged_to_whoever_raises():
    # price 15: 5 and 5, Cleo passes, Ann raises by the missing 5
    estate = Estate(seats=3, lakes="a1").own(ANN, "a2")
    for seat in (ANN, BEN, CLEO):
        estate.purse(seat, 20)
    estate.events(H.LAKE_SEIZURE).do("5c", "5c", "pass")
    with pytest.raises(Refused, match="more than is missing"):
        estate.do("type", "digit:6")                      # 10 was charged to Ben's account before
    estate.do("digit:5", "confirm", "pass", "pass")
    assert [estate.cash(seat) for seat in (ANN, BEN, CLEO)] == [10, 15, 20] and estate.sound()


def test_g35_a_raise_at_a_price_of_ten():
    # price 10: 4 and 4, then Ann can add 2 and no 5: Ann pays 6, Ben 4
    estate = Estate().purse(ANN, 20).purse(BEN, 20).events(H.TIGHT_CREDIT).do("4c", "4c")
    with pytest.raises(Refused, match="more than is missing"):
        estate.do("type", "digit:5")
    estate.do("digit:2", "confirm", "pass")
    assert (estate.cash(ANN), estate.cash(BEN), estate.value("loan")) == (14, 16, 2)
    assert estate.sound()


def test_g36_gx10_a_floor_does_not_stop_the_rest():
    # G-X10: mine_profit 2, lake 1, mountain 1
    estate = Estate().table(mine_profit=2).events(H.WATERS_AND_PEAKS).vote("let", "let")
    assert [estate.value(v) for v in ("lake", "mountain", "mine_profit")] == [2, 2, 1]


def test_g36_gx11_minimum_one():
    # G-X11: tax 2, crop 1, mine_profit 4
    estate = Estate().table(tax=2, crop=1).events(H.OPEN_ROADS).vote("let", "let")
    assert [estate.value(v) for v in ("tax", "crop", "mine_profit")] == [1, 1, 3]


def test_g36_gx21_easy_credit_and_slump():
    # G-X21: loan x1, then x1; cattle_profit 5, crop 2, mine_profit 3; lake, mountain 1
    estate = Estate().events(H.EASY_CREDIT, H.SLUMP).vote("let", "let").vote("let", "let")
    names = ("loan", "cattle_profit", "crop", "mine_profit", "lake", "mountain")
    assert [estate.value(v) for v in names] == [1, 5, 2, 3, 1, 1]
    estate.purse(ANN, 0, 9).do("end")
    assert estate.debt() == 9                             # debts no longer grow


@pytest.mark.parametrize("value", list(Value))
def test_g36_no_entry_falls_below_one(value):
    estate = Estate()
    estate.s.table[:] = 1
    for kind in CARDS:
        estate = let_happen(estate, kind)
        assert estate.s.table[value] >= 1


def changes_of(kind):
    estate = rich_estate()
    before = estate.s.table.tolist()
    let_happen(estate, kind)
    return {Value(v).name.lower(): int(estate.s.table[v]) - before[v] for v in range(11)
            if estate.s.table[v] != before[v]}


@pytest.mark.parametrize("kind", list(CARDS), ids=lambda kind: kind.name.lower())
def test_g37_g38_g39_g40_g41_g42_g43_g44_g45_g46_g47_g48_g49_g50_g55_g56_g57_every_card(kind):
    count, changes = CARDS[kind]
    assert deck_counts(GAME.content().record)[kind] == count
    assert changes_of(kind) == changes
    estate = rich_estate().events(kind)
    if estate.asked == Ask.VOTE:                          # and it can be avoided
        before = estate.s.table.tolist()
        estate.vote("against", "against", "let")
        assert estate.s.table.tolist() == before
        assert estate.noted(Event.AVOIDED) == [(0, kind, 1)]


def test_g37_to_g60_the_deck_and_gx20():
    # G-X20: 56 + 11 = 67; a Jubilee among the first 3, 12, 30 cards: 21.1, 64.0, 95.5 percent
    c = GAME.content().record
    counts = deck_counts(c)
    votes = sum(n for kind, n in enumerate(counts) if c.event[kind].avoid == Avoid.VOTE)
    assert (votes, sum(counts) - votes, len(CARDS)) == (56, 11, 24)
    chances = [1 - math.comb(62, n) / math.comb(67, n) for n in (3, 12, 30)]
    assert [round(100 * chance, 1) for chance in chances] == [21.1, 64.0, 95.5]
    drift = {}
    for count, changes in CARDS.values():
        for name, change in changes.items():
            drift[name] = drift.get(name, 0) + count * change
    assert drift == {"mine_profit": 12, "crop": -6, "cattle_profit": -2, "lake": 4, "mountain": 0,
                     "loan": 1, "tax": -6, "land": -2, "mine": 2, "seed": 3, "cattle": 0}


def test_g51_gx12_jubilee():
    # G-X12: A two mines, debt 40, cash 3; B no mine, debt 5
    estate = Estate(mines="a1 a2").own(ANN, "a1 a2").own(BEN, "b1").purse(ANN, 3, 40)
    estate.purse(BEN, 0, 5).events(H.JUBILEE).vote("let", "let")
    assert (estate.owner("a1"), estate.owner("a2"), estate.owner("b1")) == (-1, -1, BEN)
    assert (estate.debt(ANN), estate.debt(BEN), estate.cash(ANN)) == (0, 0, 3)
    assert estate.sound()
    assert "Ann is forgiven 40c of debt." in estate.told(ANN)
    assert "The bank forgives Ann as much debt as the card says, if any." in estate.told(BEN)


def test_g52_gx13_blight():
    # G-X13: A three crops, B two cattle, mine_profit 4
    estate = Estate().own(ANN, "a1 a2 a3", "crop").own(BEN, "c1 c2", "cattle")
    estate.events(H.BLIGHT).vote("let", "let")
    assert [estate.use(n) for n in ("a1", "a2", "a3", "c1", "c2")] == ["brown"] * 3 + ["cattle"] * 2
    assert estate.owner("a1") == ANN and estate.value("mine_profit") == 7


def test_g53_lean_years():
    estate = Estate().own(ANN, "a1", "cattle").own(BEN, "b1", "crop").own(BEN, "c1")
    estate.events(H.LEAN_YEARS).vote("let", "let")
    assert [estate.use(n) for n in ("a1", "b1", "c1")] == ["crop", "crop", "brown"]
    assert estate.value("mine_profit") == 7


def test_g54_great_pasture():
    estate = Estate(mines="a1").own(ANN, "a1").own(ANN, "b1").own(BEN, "c1", "crop")
    estate.events(H.GREAT_PASTURE).vote("let", "let")
    assert [estate.use(n) for n in ("b1", "c1", "d1")] == ["cattle", "cattle", "brown"]
    assert (estate.owner("a1"), estate.owner("b1"), estate.owner("d1")) == (-1, ANN, -1)


def test_g57_anyone_pays_ten():
    estate = Estate().purse(BEN, 30).events(H.TIGHT_CREDIT).do("pass", "10c")
    assert (estate.cash(BEN), estate.value("loan")) == (20, 2)


def test_g58_gx16_cattle_disease_paid_in_part():
    # G-X16: three cattle, 4c: two stay, one becomes a crop
    estate = Estate().own(ANN, "a1 a2 a3", "cattle").own(BEN, "j1", "crop").purse(ANN, 4)
    estate.events(H.CATTLE_DISEASE, then_turn_of=BEN)
    assert (estate.asked, estate.squares()) == (Ask.SAVE, {"a1", "a2", "a3"})
    estate.do("square:a1", "square:a3", "pass")
    assert [estate.use(n) for n in ("a1", "a2", "a3")] == ["cattle", "crop", "cattle"]
    assert estate.cash() == 0 and estate.owner("a2") == ANN and estate.sound()
    assert estate.asked == Ask.TURN                       # Ben has no cattle and is not asked
    assert estate.noted(Event.HAPPENED) == [(0, H.CATTLE_DISEASE, 1)]


def test_g58_borrowing_for_cattle_and_all_saved():
    estate = Estate().own(BEN, "a1 a2", "cattle").purse(BEN, 1).events(H.CATTLE_DISEASE)
    estate.do("square:a1", "square:a2")                   # the last one ends the question
    assert (estate.cash(BEN), estate.debt(BEN)) == (0, 3)
    assert estate.noted(Event.AVOIDED) == [(0, H.CATTLE_DISEASE, 1)]
    assert not estate.s.mark.any() and estate.sound()


@pytest.mark.parametrize("together", [0, 10])
def test_g33_g58_without_cattle_the_disease_is_laid_aside(together):
    estate = Estate(disease_common_price=together).own(ANN, "a1", "crop").events(H.CATTLE_DISEASE)
    assert estate.asked == Ask.TURN
    assert estate.noted(Event.DISCARDED) == [(0, H.CATTLE_DISEASE, 1)]
    assert not estate.noted(Event.HAPPENED) and estate.s.fate[0] == Fate.DISCARDED
    told = estate.told(ANN)
    assert "Nobody owns what Cattle Disease is about; it is laid aside." in told
    assert "Cattle Disease happens." not in told


def test_g59_a_seizure_of_nothing_says_so():
    estate = Estate(lakes="a1").own(ANN, "j10").events(H.LAKE_SEIZURE)
    estate.do("pass", "pass", "pass", "pass")
    told = estate.told(BEN)
    assert "No square is touched by it." in told
    assert "Nobody has pledged anything." in told          # and nothing of 0c falls short
    assert not any("0c" in line for line in told)
    touched = Estate(lakes="a1").own(ANN, "a2").events(H.LAKE_SEIZURE)
    assert "No square is touched by it." not in touched.pass_all().told(BEN)


def test_g59_without_compensation_nobody_is_paid():
    estate = Estate(lakes="a1", event={"lake_seizure": {"compensation": 0}}).own(ANN, "a2")
    estate.events(H.LAKE_SEIZURE).do("pass", "pass", "pass", "pass")
    assert "A2 is taken from Ann." in estate.told(BEN)
    assert not estate.noted(Event.COMPENSATED)


def test_g51_gr25_no_debt_no_tale():
    estate = Estate(mines="a1").own(ANN, "a1").purse(BEN, 0, 5).events(H.JUBILEE)
    estate.vote("let", "let")
    assert not any("0c" in line for line in estate.told(ANN))   # Ann owes nothing and reads nothing
    assert "The bank forgives Ann as much debt as the card says, if any." in estate.told(BEN)


def test_g59_gx14_seizure_at_the_lakes():
    # G-X14: A owns beside lakes a crop, cattle touching two lakes, a mine: loses all, gets 6c
    estate = Estate(lakes="a1 c1 e5", mines="e6").own(ANN, "a2", "crop").own(ANN, "b1", "cattle")
    estate.own(ANN, "e6").own(ANN, "j10").events(H.LAKE_SEIZURE)
    estate.do("pass", "pass", "pass", "pass")
    assert [estate.owner(n) for n in ("a2", "b1", "e6", "j10")] == [-1, -1, -1, ANN]
    assert [estate.use(n) for n in ("a2", "b1")] == ["brown", "brown"]
    assert estate.cash() == 6 and estate.sound()
    assert estate.s.reach[ANN, 0] == 18                   # only j10 is left to measure from


def test_g60_seizure_at_the_mountains():
    estate = Estate(lakes="a1", mountains="c3").own(ANN, "a2").own(BEN, "c2 c4", "crop")
    estate.events(H.MOUNTAIN_SEIZURE).do("pass", "pass", "pass", "pass")
    assert [estate.owner(n) for n in ("a2", "c2", "c4")] == [ANN, -1, -1]
    assert estate.cash(BEN) == 2                          # 1c each


def test_gr17_land_profit_is_crop_profit():
    assert changes_of(H.GOOD_HARVEST) == {"crop": 1, "mine_profit": -1}


def test_gr20_disease_cards_and_common_price():
    assert new_game(disease_cards=1).content.record.deck_size == 65
    estate = Estate(disease_common_price=20).own(ANN, "a1", "cattle").purse(BEN, 20)
    estate.events(H.CATTLE_DISEASE)
    assert estate.asked == Ask.PLEDGE
    estate.do("pass", "20c")
    assert estate.use("a1") == "cattle" and estate.cash(BEN) == 0
    estate.events(H.CATTLE_DISEASE).do("pass", "pass", "pass", "pass")
    assert estate.asked == Ask.SAVE                       # then each for himself
    estate.do("pass")
    assert estate.use("a1") == "crop"


def test_gr21_mountain_card_read_literally():
    estate = Estate(lakes="a1", mountains="c3", mountain_card_literal=True).own(ANN, "a2 c2")
    estate.events(H.MOUNTAIN_SEIZURE).do("pass", "pass", "pass", "pass")
    assert [estate.owner(n) for n in ("a2", "c2")] == [-1, ANN] and estate.cash() == 1


def test_gr22_seizures_may_spare_mines():
    estate = Estate(lakes="a1", mines="a2", appropriation_mines=False).own(ANN, "a2 b1")
    estate.events(H.LAKE_SEIZURE, then_turn_of=BEN).do("pass", "pass", "pass", "pass")
    assert [estate.owner(n) for n in ("a2", "b1")] == [ANN, -1] and estate.cash() == 2


def test_gr23_lost_mines_are_not_paid_for():
    estate = Estate(mines="a1").own(ANN, "a1").events(H.GREAT_PASTURE).vote("let", "let")
    assert estate.owner("a1") == -1 and estate.cash() == 0
    estate.purse(ANN, 5).do("buy")
    assert "a1" in estate.squares()                       # a mine again, for sale


def test_gr24_lost_crops_may_lose_their_owner():
    estate = Estate(crops_lost_ownership=True).own(ANN, "a1", "crop")
    estate.events(H.BLIGHT).vote("let", "let")
    assert (estate.owner("a1"), estate.use("a1")) == (-1, "brown")


def test_gr25_debts_paid_by_force():
    estate = Estate(mines="a1", debts_paid="forced").own(ANN, "a1").purse(ANN, 3, 40)
    estate.purse(BEN, 9, 5).events(H.JUBILEE).vote("let", "let")
    assert [(estate.cash(q), estate.debt(q)) for q in (ANN, BEN)] == [(0, 37), (4, 0)]
    assert estate.sound()


def test_gr26_unowned_lands_stay_brown():
    estate = Estate(mines="a1").own(ANN, "a1 b1").events(H.GREAT_PASTURE).vote("let", "let")
    assert np.count_nonzero(estate.s.use) == 1


def test_gr27_reshuffle_each_round_by_switch():
    estate = Estate(reshuffle_each_round=True).events(H.CHEAP_GOLD).vote("let", "let")
    assert (pile_size(estate.s, Pile.DECK), pile_size(estate.s, Pile.USED)) == (67, 0)


def test_gr28_letting_happen_is_no_vote_against():
    estate = Estate(seats=3).events(H.GOLD_RUSH).vote("against", "let", "let")
    assert estate.value("crop") == 2                      # 1 of 3


def test_gr29_a_single_payer_by_switch():
    estate = Estate(single_payer=True).purse(ANN, 5).purse(BEN, 20).events(H.LAKE_SEIZURE)
    assert estate.amounts() == [15]
    estate.do("pass", "amount:1")
    assert estate.cash(BEN) == 5
    pooled = Estate(single_payer=True).events(H.TIGHT_CREDIT)
    assert 5 in pooled.amounts()                          # only for the seizures


def test_gr30_no_loans_for_bribes():
    estate = Estate().own(ANN, "a1").own(BEN, "a2").events(H.GOLD_RUSH)
    assert "gift" not in estate.moves() and "cash" in estate.why_not("gift")


def test_gr31_events_come_before_the_profit():
    estate = Estate().own(ANN, "a1", "crop").events(H.BLIGHT)
    assert estate.cash() == 0
    estate.vote("let", "let")
    assert estate.asked == Ask.TURN and estate.cash() == 0    # the crop is gone before it pays


def test_gr34_a_card_without_effect_is_still_voted():
    estate = Estate().table(mine_profit=1).events(H.CHEAP_GOLD)
    assert estate.asked == Ask.VOTE
    estate.vote("let", "let")
    assert estate.value("mine_profit") == 1
    assert "Gold mine profit stays as it is." in estate.told(ANN)
