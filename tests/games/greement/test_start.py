"""G-13 to G-17: face-down start squares, the reveal, sealed loans, the first player."""

import numpy as np
import pytest

from exchequer.core.agenda import asked
from exchequer.core.content import ContentError
from exchequer.core.piles import pile_size
from exchequer.games.greement import GAME
from exchequer.games.greement.start import move_refusal, next_move, turn_board_up
from exchequer.games.greement.state import (
    NO_SQUARE,
    SEALED_SQUARE,
    Ask,
    Event,
    Land,
    Pile,
    Refusal,
)
from games.greement.estate import ANN, BEN, CLEO, Estate, new_game, play, square_number, started


def legal_squares(position):
    texts = (GAME.words.TEXTS.text(action) for action in position.legal())
    return {text[7:] for text in texts if text.startswith("square:")}


def with_kinds(position, **kinds):
    """Exchange squares so that the named ones are of a kind; the counts stay."""
    s, fixed = position.state, {square_number(name) for name in kinds}
    for name, kind in kinds.items():
        here = square_number(name)
        there = next(q for q in range(99, -1, -1) if s.kind[q] == kind and q not in fixed - {here})
        s.kind[here], s.kind[there] = int(s.kind[there]), int(s.kind[here])
    return position


def test_g13_squares_and_cards_are_shuffled():
    one, two = new_game(seed=1).state, new_game(seed=2).state
    assert one.card.tolist() != two.card.tolist()
    assert pile_size(one, Pile.DECK) == 67 and pile_size(one, Pile.BOX) == 13
    assert not one.revealed and (new_game().observe(ANN)[0].kind == Land.HIDDEN).all()
    with pytest.raises(ContentError, match="the deck has"):
        GAME.content({"event": {"gold_rush": {"cards": 60}}})


def test_g14_start_squares_in_seat_order():
    position = play(new_game(3), "square:c3")
    assert position.actor == BEN
    assert {"c3", "b3", "d3", "c2", "c4"} & legal_squares(position) == set()
    assert "d4" in legal_squares(position)                # diagonals do not touch
    assert "connected to another start" in position.refusal(
        GAME.words.TEXTS.action("square:c4"))
    play(position, "square:d4")
    assert position.actor == CLEO
    assert "Ann starts on C3." in position.told(CLEO, ["Ann", "Ben", "Cleo"])


def test_g15_bad_starts_move_next_door_and_gx19():
    # G-X19: pick (5,5) is a lake; (4,5) mine, (6,5) land, (5,4) mountain, (5,6) land, but
    # connected to a rival's start at (5,7)
    position = with_kinds(new_game(), f6=Land.LAKE, e6=Land.MINE, g6=Land.LAND, f5=Land.MOUNTAIN,
                          f7=Land.LAND, f8=Land.LAND)
    play(position, "square:f6", "square:f8")
    assert asked(position.state) == Ask.MOVE_START and position.actor == ANN
    assert legal_squares(position) == {"e6", "g6"}
    play(position, "square:e6")
    assert position.state.home[ANN] == square_number("e6")
    assert asked(position.state) == Ask.FIRST_LOAN


def test_g15_nearest_square_when_no_neighbour_fits():
    estate = Estate(lakes="a1 a2 b1", mountains="c1")
    s = estate.s
    s.todo = 0
    s.home[ANN], s.home[BEN] = square_number("a1"), square_number("j10")
    fits = [name for name in ("b2", "a3", "c1", "b3", "d1")
            if move_refusal(s, estate.c, ANN, square_number(name)) == Refusal.NONE]
    assert fits == ["b2", "a3"]                           # distance 2; c1 is a mountain
    next_move(s, estate.c, ANN, estate.log)
    assert asked(s) == Ask.MOVE_START


def test_g15_a_single_way_out_is_not_asked():
    estate = Estate(lakes="a1 a2", mines="b1")
    s = estate.s
    s.todo = 0
    s.home[ANN], s.home[BEN] = square_number("a1"), square_number("j10")
    next_move(s, estate.c, ANN, estate.log)
    assert s.home[ANN] == square_number("b1")


def test_g16_first_loans_between_price_and_fourteen():
    position = with_kinds(new_game(), c3=Land.MINE, f6=Land.LAND)
    play(position, "square:c3", "square:f6")
    menu = [line for _, line in position.menu()]
    assert menu[:2] == ["5c", "6c"] and "14c" in menu and "15c" not in menu   # mine: 5 to 14
    play(position, "amount:10")                           # 5 + 9 = 14
    assert [line for _, line in position.menu()][:2] == ["2c", "3c"]          # land: 2 to 14
    play(position, "type", "digit:1", "digit:3", "confirm")
    s = position.state
    assert (s.cash[:2].tolist(), s.debt[:2].tolist()) == ([9, 11], [14, 13])
    assert s.owner[square_number("c3")] == ANN and s.use[square_number("f6")] == 0


def test_g17_the_largest_loan_begins():
    position = with_kinds(new_game(3), c3=Land.LAND, f6=Land.LAND, h8=Land.LAND)
    play(position, "square:c3", "square:f6", "square:h8", "amount:1", "amount:5", "amount:3")
    assert position.state.first == BEN and position.actor == BEN
    told = position.told(ANN, ["Ann", "Ben", "Cleo"])
    assert told[-3].startswith("Ben begins: no first loan is larger")
    assert "Ben has written down a first loan." in told   # but not how much
    assert not any("6c" in line for line in told)


def test_g17_of_equals_the_youngest():
    position = with_kinds(new_game(2), c3=Land.LAND, f6=Land.LAND)
    position.state.age[:2] = [1, 0]
    play(position, "square:c3", "square:f6", "amount:4", "amount:4")
    assert position.state.first == BEN
    assert sorted(new_game(6, seed=5).state.age.tolist()) == list(range(6))


def begins(position):
    return next(line for line in position.told(-1, ["Ann", "Ben"]) if "begins" in line)


def test_g17_with_equal_loans_nobody_is_told_of_a_largest():
    """Sealed loans: the sentence is true of equal ones and does not tell whether they are."""
    told = []
    for ben in ("amount:4", "amount:5"):
        position = with_kinds(new_game(2), c3=Land.LAND, f6=Land.LAND)
        position.state.age[:2] = [1, 0]
        told.append(begins(play(position, "square:c3", "square:f6", "amount:4", ben)))
    assert told[0] == told[1] == (
        "Ben begins: no first loan is larger, and of equal ones the youngest player's counts; "
        "ages were drawn by lot.")


def test_g17_gr6_open_loans_tell_whether_they_are_equal():
    told = []
    for ben in ("amount:4", "amount:5"):
        position = with_kinds(new_game(2, reveal_first_loans=True), c3=Land.LAND, f6=Land.LAND)
        position.state.age[:2] = [1, 0]
        told.append(begins(play(position, "square:c3", "square:f6", "amount:4", ben)))
    assert told == ["No first loan is larger than Ben's, and of those who wrote as much Ben is the "
                    "youngest, by lot: Ben begins.",
                    "Ben wrote down the largest first loan and begins."]


def test_g17_g74_without_loans_the_lot_begins():
    position = with_kinds(new_game(2, hr_free_start=True), c3=Land.LAND, f6=Land.LAND)
    assert begins(play(position, "square:c3", "square:f6")).endswith("begins, drawn by lot.")


def test_gr1_mines_and_rechoosing_by_switch():
    position = with_kinds(new_game(start_allows_mine=False), c3=Land.MINE, f6=Land.LAND,
                          b3=Land.LAND, d3=Land.MINE, c2=Land.LAND, c4=Land.LAKE)
    play(position, "square:c3", "square:f6")
    assert legal_squares(position) == {"b3", "c2"}
    position = with_kinds(new_game(rechoose_anywhere=True), c3=Land.LAKE, f6=Land.LAND)
    play(position, "square:c3", "square:f6")
    assert len(legal_squares(position)) > 50


def test_gr3_reveal_after_all_or_on_pick():
    position = with_kinds(new_game(), c3=Land.LAKE)
    assert asked(play(position, "square:c3").state) == Ask.START    # Ben, all face down
    position = with_kinds(new_game(reveal="on_pick"), c3=Land.LAKE, b3=Land.LAKE, d3=Land.LAND)
    play(position, "square:c3")
    assert asked(position.state) == Ask.MOVE_START and position.actor == ANN
    seen = position.observe(BEN)[0]
    assert seen.kind[square_number("c3")] == Land.LAKE
    assert seen.kind[square_number("b3")] == Land.HIDDEN
    assert legal_squares(position) == {"b3", "d3", "c2", "c4"}   # face down: no hint which is good
    play(position, "square:b3")                           # a lake again
    assert position.actor == ANN and "c3" not in legal_squares(position)
    with pytest.raises(ContentError, match="on_pick"):
        GAME.content({"reveal": "on_pick", "start_choice": "simultaneous"})


def test_g15_the_log_tells_the_whole_board_when_it_is_turned_up():
    position = play(with_kinds(new_game(), c3=Land.LAND, f6=Land.LAND), "square:c3", "square:f6")
    rows = {int(e.thing): int(e.amount) for log in position.logs for e in log
            if e.what == Event.ROW_SHOWN}
    told = [rows[square // 10] // 4 ** (square % 10) % 4 for square in range(100)]
    assert told == position.state.kind.tolist()


def test_gr3_the_log_tells_a_square_that_is_turned_up_alone():
    position = with_kinds(new_game(reveal="on_pick"), c3=Land.LAKE, b3=Land.MINE)
    play(position, "square:c3", "square:b3")
    assert {"C3 is a lake.", "B3 is a gold mine."} <= set(position.told(BEN, ["Ann", "Ben"]))


def test_gr4_sealed_start_squares():
    position = new_game(3, start_choice="simultaneous")
    play(position, "square:c3")
    assert position.observe(BEN)[0].home[ANN] == SEALED_SQUARE
    assert position.observe(ANN)[0].home[ANN] == square_number("c3")
    assert len(legal_squares(position)) == 100            # nobody knows what is taken
    play(position, "square:c4", "square:h8")
    s = position.state                                    # c4 is connected to c3: Ben again
    assert position.actor == BEN and s.home[BEN] == NO_SQUARE
    assert not {"c3", "c4", "h8", "h7"} & legal_squares(position)
    play(position, "square:f6")
    assert position.state.revealed


def test_gr5_first_loan_of_fifteen_by_switch():
    position = with_kinds(new_game(first_loan_max=15), c3=Land.LAND, f6=Land.LAND)
    play(position, "square:c3", "square:f6")
    assert "15c" in [line for _, line in position.menu()]
    with pytest.raises(ContentError, match="does not pay for a start square"):
        GAME.content({"first_loan_max": 4})


def test_gr6_first_loans_can_be_shown():
    for shown in (False, True):
        position = with_kinds(new_game(reveal_first_loans=shown), c3=Land.LAND, f6=Land.LAND)
        play(position, "square:c3", "square:f6", "amount:3", "amount:1")
        assert (position.observe(BEN)[0].first_loan[ANN] == 4) == shown
        told = position.told(BEN, ["Ann", "Ben"], len(position.logs) - 1)
        assert ("Ann writes down a first loan of 4c." in told) == shown


def test_gr37_seats_ages_and_order():
    position = started(4, seed=3)
    first, order = int(position.state.first), []
    for _ in range(4):
        order.append(position.actor)
        play(position, "end")
        if position.state.round_number > 1:
            break
    assert order == [(first + k) % 4 for k in range(4)]   # to the right, cyclic


def test_start_is_noted_and_paid():
    estate = Estate()
    turn_board_up(estate.s, estate.c, estate.log)
    position = started(2)
    paid = [(e.seat, e.amount) for log in position.logs for e in log if e.what == Event.START_PAID]
    assert len(paid) == 2 and np.isin([amount for _, amount in paid], [2, 5]).all()
