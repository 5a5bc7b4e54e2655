"""Sealed questions: who is asked together; answers that depend on each other are found."""

import pytest

from exchequer.core.agenda import ask_first, asked_together
from exchequer.core.build import Mode
from exchequer.core.check import Broken
from exchequer.core.check.knowing import check_sealing
from exchequer.core.position import Position
from exchequer.starters.auction import GAME


@pytest.fixture
def sale() -> Position:
    """Three are asked for a bid, in plain Python and with an engine of its own."""
    position = Position(GAME, seats=3, seed=1, mode=Mode.PYTHON)
    position.engine = type(position.engine)(GAME, Mode.PYTHON)
    return position


def test_all_are_asked_at_once_and_one_can_be_asked_first(sale: Position):
    assert sale.asked == [0, 1, 2]
    turned = sale.asking_first(2)
    assert turned.asked == [2, 0, 1] and sale.asked == [0, 1, 2]
    turned.play("bid:3")
    assert turned.asked == [0, 1] and turned.state.bid.tolist() == [0, 0, 4, 0]
    sale.play("bid:0")
    assert sale.asked == [1, 2] and not sale.is_answering


def test_without_the_mark_one_is_asked_after_the_other(sale: Position):
    assert asked_together(sale.state, ()) == [0]
    ask_first(sale.state, 1, GAME.sealed)
    assert asked_together(sale.state, GAME.sealed) == [1, 0, 2]


def test_sealed_bids_are_sound(sale: Position):
    check_sealing(sale, 1)


def test_an_answer_that_others_see_is_found(sale: Position, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sale.engine, "observe", lambda s, c, seat: None, raising=False)
    with pytest.raises(Broken, match=r"^sealing.*sees in bid"):
        check_sealing(sale, 1)


def test_moves_that_depend_on_anothers_answer_are_found(sale: Position,
                                                        monkeypatch: pytest.MonkeyPatch):
    honest = sale.engine.legal

    def outbidding(s, c, out):
        """One must bid more than the seat before."""
        count = honest(s, c, out)
        higher = [action for action in out[:count] if action >= s.bid.max()]
        out[: len(higher)] = higher
        return len(higher)

    monkeypatch.setattr(sale.engine, "legal", outbidding, raising=False)
    with pytest.raises(Broken, match=r"^sealing.*moves of seat 1 depend"):
        check_sealing(sale, 1)


def test_a_question_that_another_answer_takes_away_is_found(sale: Position,
                                                            monkeypatch: pytest.MonkeyPatch):
    honest = sale.engine.apply

    def closing(s, c, action, log):
        """The first bid ends the sale."""
        honest(s, c, action, log)
        if s.bid[0] and not s.bid[1]:
            s.todo -= 1

    monkeypatch.setattr(sale.engine, "apply", closing, raising=False)
    with pytest.raises(Broken, match=r"^sealing.*whether seat 1 is asked"):
        check_sealing(sale, 1)
