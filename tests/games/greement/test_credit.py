"""How a master borrows: all it can while a Jubilee is likely, and not where it would have to pay.
"""

import pytest

from exchequer.bots.arena import Arena
from exchequer.bots.policies import policy_named
from exchequer.core.agenda import then
from exchequer.games.greement import GAME
from exchequer.games.greement.credit import LOANS, jubilee_chance, jubilees_left
from exchequer.games.greement.state import N_MENU, Ask, Happening
from games.greement.estate import ANN, BEN, Estate, square_number
from games.greement.test_habits import wanted

MASTER, EXPERT = (policy_named(name).attention for name in ("master", "expert"))
LOAN = int(GAME.content().record.loan_most)


def by_habit(estate: Estate) -> Estate:
    """A master's turn, as far as it needs no search."""
    while estate.actor == ANN and wanted(estate, MASTER):
        estate.do(wanted(estate, MASTER))
    return estate


def test_a_master_fills_its_purse_and_does_not_pay_back():
    estate = by_habit(Estate(mines="a2 a3").own(ANN, "a1").purse(ANN, 0, 2).turn_of(ANN))
    assert estate.owner("a2") == estate.owner("a3") == ANN
    assert estate.cash() >= (LOANS - 1) * LOAN and estate.debt() >= 2 * LOANS * LOAN
    assert estate.asked != Ask.TURN or estate.actor != ANN


def test_others_do_not():
    estate = Estate(mines="a2").own(ANN, "a1", "crop").purse(ANN, 0, 2)
    assert wanted(estate, MASTER) == "borrow" != wanted(estate, EXPERT)


@pytest.mark.parametrize("rule, value", [
    ("hr_loan_cap", 20), ("hr_collateral", True), ("hr_wipe", "half"), ("hr_wipe", "off"),
    ("debts_paid", "forced"), ("hr_forced_repayment", True)])
def test_where_a_jubilee_is_no_rescue_a_master_does_not_borrow(rule, value):
    estate = Estate(mines="a2", **{rule: value}).own(ANN, "a1", "crop").purse(ANN, 0, 2)
    assert wanted(estate, MASTER) == wanted(estate, EXPERT)


def test_late_in_the_game_it_is_no_longer_likely():
    estate = Estate(mines="a2").own(ANN, "a1", "crop").purse(ANN, 0, 2)
    estate.s.round_number = 11
    assert wanted(estate, MASTER) != "borrow"


def test_the_chance_counts_what_lies_in_the_deck():
    estate = Estate()
    assert jubilees_left(estate.s, estate.c) == 5
    assert jubilee_chance(estate.s, estate.c, 1.0) == pytest.approx(1 - 62 * 61 * 60 / 67 / 66 / 65)
    estate.own(BEN, "a1").events(Happening.JUBILEE).pass_all()
    assert jubilees_left(estate.s, estate.c) == 4
    assert jubilee_chance(estate.s, estate.c, 1.0) == pytest.approx(4 / 66)  # a card a round


@pytest.mark.parametrize("most", [14, 1000])
def test_a_master_writes_down_the_highest_first_loan_of_the_menu(most):
    estate = Estate(first_loan_max=most)
    estate.s.todo, estate.s.home[ANN] = 0, square_number("a1")
    then(estate.s, Ask.FIRST_LOAN, ANN, 0, 0)
    assert estate.do(wanted(estate, MASTER)).s.first_loan[ANN] == min(most, 2 + N_MENU - 1)


def test_a_debtor_lets_the_jubilee_happen():
    estate = Estate(mines="a1").own(BEN, "a1").purse(ANN, 0, 5).events(Happening.JUBILEE)
    assert estate.actor == ANN and wanted(estate, MASTER) == "vote:let"


def test_a_full_purse_averts_whatever_can_be_averted():
    """Else a search would type and erase pledges for ever, since no coin counts beside millions."""
    seized = Estate(lakes="b1").own(ANN, "a1", "cattle").purse(ANN, LOAN)
    seized.events(Happening.LAKE_SEIZURE, then_turn_of=BEN)
    seized.do(wanted(seized, MASTER), "pass")
    assert seized.owner("a1") == ANN and seized.cash() == LOAN - 15
    ill = Estate().own(ANN, "a1 a2", "cattle").purse(ANN, LOAN)
    by_habit(ill.events(Happening.CATTLE_DISEASE, then_turn_of=BEN))
    assert [ill.use(name) for name in ("a1", "a2")] == ["cattle", "cattle"]


def test_a_master_beats_hard_bots():
    """Nine games of ten are won, by the chance of a Jubilee (docs/bots.md): here four of six."""
    master, _ = Arena(GAME, GAME.content(), ["master", "hard"]).play(6, seed=20_000)
    assert master.wins >= 4
