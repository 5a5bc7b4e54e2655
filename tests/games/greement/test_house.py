"""G-72 to G-81: house rules, all off by default; the variants."""

import pytest

from exchequer.core.agenda import asked
from exchequer.core.build import Mode
from exchequer.core.content import ContentError
from exchequer.core.position import Position
from exchequer.games.greement import GAME, rules
from exchequer.games.greement.state import Ask, Happening, Use
from games.greement.estate import ANN, BEN, Estate, started


def test_house_rules_are_off():
    content = GAME.content()
    off = {key: content.value(key) for key in content.words["rules"] if key.startswith("hr_")}
    assert len(off) == 12
    assert all(value in (False, 0, "full") for value in off.values())


def test_g72_loan_cap():
    estate = Estate(hr_loan_cap=20).purse(ANN, 0, 17).do("borrow")
    assert max(estate.amounts()) == 2                     # 1 and 2; 3 can be typed
    estate.do("3c")
    assert estate.debt() == 20 and "lends you no more" in estate.why_not("borrow")
    pledging = Estate(hr_loan_cap=20).purse(ANN, 1, 17).events(Happening.TIGHT_CREDIT)
    assert max(pledging.amounts()) == 4                   # 1 + 3


def test_g73_interest_instead_of_doubling():
    for loan, after in ((1, 10), (2, 13), (3, 15)):       # 10 + up(2.5), 10 + 5
        estate = Estate(hr_interest_percent=25).table(loan=loan).purse(ANN, 0, 10).do("end")
        assert estate.debt() == after
    huge = Estate(hr_interest_percent=100).table(loan=999).purse(ANN, 0, 10**15 - 7).do("end")
    assert huge.debt() == 10**15


def test_g74_free_start_and_no_loans():
    position = started(3, hr_free_start=True, hr_no_loans=True)
    s = position.state
    assert s.debt[:3].tolist() == [0, 0, 0]
    for seat in range(3):
        home = int(s.home[seat])
        assert s.owner[home] == seat
        assert s.kind[home] == 1 or s.use[home] == Use.CROP
    assert s.cash[int(s.first)] in (3, 4)                 # profit from the first turn
    assert "lends you no more" in position.refusal(GAME.words.TEXTS.action("borrow"))
    firsts = {int(started(3, seed, hr_free_start=True).state.first) for seed in range(12)}
    assert firsts == {0, 1, 2}                            # by lot
    with pytest.raises(ContentError, match="needs hr_free_start"):
        GAME.content({"hr_no_loans": True})


def test_g75_collateral():
    estate = Estate(hr_collateral=True, mines="a1").own(ANN, "a1").purse(ANN, 3, 2).do("borrow")
    assert max(estate.amounts()) == 5                     # 3 + 5 - 2 = 6; the menu has 5
    estate.do("6c")
    assert estate.debt() == 8


def test_g76_no_gifts_in_debt_and_price_cap():
    estate = Estate(hr_no_gifts_in_debt=True).purse(ANN, 9, 1)
    assert "in debt" in estate.why_not("gift")
    assert "gift" in estate.do("repay", "1c").moves()
    capped = Estate(hr_price_cap=5).own(ANN, "a1").own(BEN, "a2").purse(BEN, 99)
    capped.do("offer", "square:a1", "type", "digit:1")
    assert "digit:0" in capped.moves() and "digit:1" not in capped.moves()   # 5 * 2 = 10


def test_g77_forced_repayment():
    estate = Estate(hr_forced_repayment=True).purse(ANN, 6, 10).do("end")
    assert (estate.cash(), estate.debt()) == (0, 8)       # (10 - 6) * 2


@pytest.mark.parametrize("wipe, debt", [("full", 0), ("half", 25), ("max20", 31)])
def test_g78_a_smaller_jubilee(wipe, debt):
    estate = Estate(hr_wipe=wipe, mines="a1").own(ANN, "a1").purse(ANN, 0, 51)
    estate.events(Happening.JUBILEE).vote("let", "let")
    assert estate.debt() == debt and estate.sound()       # half of 51 rounded down: 25 stay


def test_g78_no_jubilee_at_all():
    assert GAME.content({"hr_wipe": "off"}).record.deck_size == 62


def test_g79_buy_limit():
    estate = Estate(hr_buy_limit=1).own(ANN, "a1").purse(ANN, 20).do("buy", "square:a2")
    assert "No more purchases" in estate.why_not("buy")


def test_g80_the_first_loan_stays_for_a_turn():
    estate = Estate(hr_no_first_turn_repay=True).purse(ANN, 12, 14)
    estate.s.turns[ANN], estate.s.first_loan[ANN] = 0, 14
    assert "repay" not in estate.moves()
    estate.do("borrow", "amount:5", "repay")              # 5 more can go back
    assert max(estate.amounts()) == 5
    estate.do("cancel")
    estate.s.turns[ANN] = 1
    assert max(estate.do("repay").amounts()) == 17


def test_g81_a_drawn_vote_may_avoid():
    estate = Estate(hr_tie_avoids=True).events(Happening.GOLD_RUSH).vote("against", "let")
    assert estate.value("crop") == 3


@pytest.mark.parametrize("name", GAME.variants)
def test_variants_play(name):
    content = GAME.variant(name)
    position = Position(GAME, content, 3, 5, Mode.PYTHON)
    for move in range(150):
        if position.is_over:
            break
        moves = position.legal()
        position.play(moves[move * 7 % len(moves)])
        assert int(rules.fault(position.state, content.record)) == 0


def test_the_designers_later_rules():
    content = GAME.variant("designer_2017_08")
    assert [int(v) for v in content.record.value["start"]] == [2, 2, 4, 6, 6, 1, 1, 6, 2, 8, 8]
    assert content.record.rmin == content.record.rmax == 20
    assert Ask.FIRST_LOAN not in {int(asked(started(2).state))}


def test_the_house_variant_bounds_credit():
    content = GAME.variant("house")
    estate = Estate(hr_loan_cap=content.value("hr_loan_cap"),
                    hr_interest_percent=content.value("hr_interest_percent"))
    estate.purse(ANN, 0, 20)
    assert "lends you no more" in estate.why_not("borrow")
    assert estate.do("end").debt() == 25                  # a quarter, not double
