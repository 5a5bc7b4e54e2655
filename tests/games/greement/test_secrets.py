"""Who may know what (G-66, G-67), imagined worlds, and the ledger in whole games."""

import numpy as np
import pytest

from exchequer.core.agenda import asked
from exchequer.core.build import Mode
from exchequer.core.check import (
    check_conservation,
    check_determinization,
    check_legality,
    check_secrecy,
    check_words,
    walk,
)
from exchequer.games.greement import GAME, rules
from exchequer.games.greement.state import UNKNOWN, Ask, Event, Happening, Refusal
from games.greement.estate import ANN, BEN, CLEO, Estate, new_game, play, started


def test_cash_debts_and_loans_are_ones_own():
    position = started(3, seed=6)
    s, seen = position.state, position.observe(BEN)[0]
    assert seen.cash[BEN] == s.cash[BEN] and seen.debt[BEN] == s.debt[BEN]
    for other in (ANN, CLEO):
        assert seen.cash[other] == seen.debt[other] == seen.first_loan[other] == UNKNOWN
    assert seen.bank == 0 and seen.rng == 0 and seen.last_round == 0


def test_the_log_tells_no_amounts_of_others():
    estate = Estate(seats=3).own(ANN, "a1", "crop").purse(ANN, 0, 9)
    estate.do("end")
    for entry in estate.position.logs[-1]:
        if entry.what in (Event.INTEREST, Event.PROFIT, Event.BOOKS):
            assert entry.known == 1 << entry.seat
    assert "Ann's debt grows by 9c." in estate.told(ANN)
    assert not any("9c" in line for line in estate.told(BEN))


def test_entries_are_there_whatever_the_purse():
    """A debt of nothing grows by nothing, and that is noted too."""
    def shape(debt):
        estate = Estate(seats=3).purse(ANN, 0, debt).do("end")
        return [(int(e.what), int(e.seat)) for e in estate.position.logs[-1]][:2]
    assert shape(0) == shape(1000) == [(Event.INTEREST, ANN), (Event.TURN_ENDED, ANN)]


def test_refusals_know_only_ones_own_books():
    for text in ("accept", "counter", "borrow"):
        answers = set()
        for cash in (0, 10**6):
            estate = Estate(seats=3).own(ANN, "a1").own(BEN, "a2").purse(BEN, 5)
            estate.purse(CLEO, cash, cash).purse(ANN, cash)
            estate.do("offer", "seat:2", "square:a1", "2c")
            answers.add(estate.why_not(text))
        assert len(answers) == 1


def test_imagined_books_keep_what_is_public_possible():
    estate = Estate(seats=3).own(ANN, "a1").own(BEN, "a5").purse(ANN, 60)
    estate.do("offer", "seat:2", "square:a5", "40c", "tax:buyer")
    for seed in range(30):
        world = estate.position.determinize(BEN, seed)[0]
        assert world.cash[ANN] >= 40 + 16                 # whoever proposes can pay
        assert int(rules.books_fault(world, estate.c)) == 0
        third = estate.position.determinize(CLEO, seed)[0]
        square = int(third.deal_square[1, 0])
        assert third.owner[square] in (ANN, BEN)


def test_imagined_first_loans_respect_the_first_player():
    for seed in range(4):
        position = started(4, seed)
        for seat in range(4):
            for dream in range(10):
                world = position.determinize(seat, dream)[0]
                assert int(rules.fault(world, position.content.record)) == 0
                assert min(world.first_loan[:4]) >= 2 and max(world.first_loan[:4]) <= 14


def test_imagined_boards_hold_the_same_squares():
    position = play(new_game(2), "square:c3")
    boards = {position.determinize(BEN, seed)[0].kind.tobytes() for seed in range(5)}
    assert len(boards) == 5
    for board in boards:
        assert np.bincount(np.frombuffer(board, "i1")).tolist() == [60, 30, 5, 5]


def test_imagined_votes_are_votes():
    estate = Estate(seats=3).events(Happening.GOLD_RUSH).vote("against")
    votes = {int(estate.position.determinize(BEN, seed)[0].sealed[ANN]) for seed in range(20)}
    assert votes == {1, 2}


def test_hidden_end_is_imagined_no_earlier_than_now():
    position = started(2)
    position.state.round_number = 10
    worlds = [position.determinize(ANN, seed)[0] for seed in range(40)]
    assert {int(world.last_round) for world in worlds} == {10, 11, 12}


SWITCHES = [
    {"start_choice": "simultaneous", "reveal_first_loans": True, "bundle_trades": True},
    {"reveal": "on_pick", "vote_mode": "open_sequential", "floor": "every_turn"},
    {"end_mode": "clock", "gift_amounts_public": True, "sell_to_bank": True, "adjacency": 8},
    {"hr_loan_cap": 20, "hr_price_cap": 5, "hr_no_gifts_in_debt": True, "hr_collateral": True,
     "disease_common_price": 20, "single_payer": True, "reshuffle_each_round": True},
    {"hr_free_start": True, "hr_no_loans": True, "public_end": True, "bribe_laps": 2,
     "start_allows_mine": False, "crops_lost_ownership": True, "debts_paid": "forced"},
    {"bank_price_multiplied": True, "tax_formula": "always_d", "hr_forced_repayment": True,
     "hr_interest_percent": 25, "hr_no_first_turn_repay": True, "hr_wipe": "half"},
]


@pytest.mark.parametrize("settings", SWITCHES, ids=lambda settings: next(iter(settings)))
def test_every_promise_holds_with_switches(settings):
    """The first 250 moves with each set of switches: legality, secrecy, ledger, words."""
    content, money = GAME.content(settings), None
    for number, position in enumerate(walk(GAME, content, 3, 1, Mode.COMPILED, 250)):
        money = check_conservation(position, money)
        check_words(position)
        if number % 13 == 5:
            check_legality(position)
            for seat in range(3):
                check_determinization(position, seat, 0)
                check_secrecy(position, seat, 0)


def test_the_ledger_balances_through_a_whole_game():
    """Every coin of a random game is explained, move by move."""
    money = None
    for position in walk(GAME, GAME.content(), 4, 9, Mode.COMPILED, 5000):
        money = check_conservation(position, money)
    assert position.is_over
    assert int(position.state.bank) == -money


def test_planted_faults_are_found():
    position = started(2)
    c = position.content.record
    state = position._states.copy()
    state[0].bank += 1
    assert int(rules.fault(state[0], c)) != 0
    state = position._states.copy()
    state[0].held[0, 0] += 1
    assert int(rules.fault(state[0], c)) != 0
    assert int(rules.fault(position.state, c)) == 0
    assert GAME.engine(Mode.PYTHON).refusal(position.state, c, 10**6) == Refusal.NOT_ASKED
    assert asked(position.state) == Ask.TURN
