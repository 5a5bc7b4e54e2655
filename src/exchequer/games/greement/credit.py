"""How a master borrows in Greement: as printed, the bank's patience is worth more than any land.

The bank lends without limit (G-23), nobody must repay (G-24), and a Jubilee wipes out every debt
but no purse (G-51). So whoever holds most of the bank's coins when it comes has all but won, and
whoever borrowed and waited in vain has lost. It needs a mine of somebody's to count (G-33).

A master that thinks a Jubilee likely fills its purse in its first turn, buys what it can, and ends
its turns without paying back. It writes down the highest first loan, to be first (G-17). House
rules that bound loans, or what is wiped out, leave nothing to wait for.
"""

import numpy as np

from exchequer.core.agenda import asked
from exchequer.core.piles import card_at, pile_size
from exchequer.core.records import NOBODY, rule
from exchequer.games.greement.amounts import amount_bounds, next_digit
from exchequer.games.greement.pledges import open_card, save_refusal
from exchequer.games.greement.state import (
    N_MENU,
    N_SQUARES,
    Ask,
    DebtsPaid,
    Do,
    Draft,
    Happening,
    Pile,
    Refusal,
    Stage,
    Wipe,
)

LOANS = 8  # of the largest kind fill a purse, one more replaces what is spent: 90 of 200 answers
LIKELY = 0.7  # a chance of a Jubilee for which a master runs into debt


@rule
def jubilees_left(s, c):
    """Those that still lie in the deck."""
    left = np.int64(c.event[Happening.JUBILEE].cards)
    for place in range(pile_size(s, Pile.USED)):
        left -= c.kind_of[card_at(s, Pile.USED, place)] == Happening.JUBILEE
    return left


@rule
def jubilee_chance(s, c, rounds):
    """The chance that one is turned up in so many rounds."""
    cards, left, none = pile_size(s, Pile.DECK), jubilees_left(s, c), 1.0
    for drawn in range(min(np.int64(rounds * c.events_per_round), cards)):
        none *= max(cards - left - drawn, 0) / (cards - drawn)
    return 1.0 - none


@rule
def bank_forgives(c):
    """Whether the bank lends without limit and a Jubilee forgives all of it."""
    return (c.hr_loan_cap == 0 and not c.hr_collateral and not c.hr_no_loans
            and not c.hr_forced_repayment and c.hr_wipe == Wipe.FULL
            and c.debts_paid == DebtsPaid.FORGIVEN)


@rule
def fills_purse(s, c, seat, rounds):
    """Whether the seat borrows all it can, and waits."""
    return (bank_forgives(c) and s.cash[seat] < LOANS * c.loan_most
            and jubilee_chance(s, c, rounds) >= LIKELY)


@rule
def compose_loan(s, c, seat):
    """G-65 The next part of a loan as large as the bank gives at a time."""
    if s.draft_stage == Stage.AMOUNT:
        return Do.TYPE
    return next_digit(s, amount_bounds(s, c, seat)[1])


@rule
def borrow_first(s, c, seat, rounds):
    """What comes before all else to a master; NOBODY: there is nothing to borrow or to hope for."""
    ask = asked(s)
    if s.draft_kind == Draft.BORROW:
        return compose_loan(s, c, seat)
    if ask == Ask.FIRST_LOAN and fills_purse(s, c, seat, rounds):
        low, high = amount_bounds(s, c, seat)
        return Do.MENU + min(high - low, N_MENU - 1)
    if ask == Ask.TURN and s.draft_kind == Draft.NONE and fills_purse(s, c, seat, rounds):
        return Do.BORROW
    if ask == Ask.VOTE and s.debt[seat] > 0 and open_card(s, c) == Happening.JUBILEE:
        return Do.VOTE
    return NOBODY


@rule
def spend_freely(s, c, seat):
    """What is left to do for somebody with coins that only the bank can have given: whatever is
    asked for is paid, and the turn ends without paying back. NOBODY: no such purse or question."""
    ask = asked(s)
    if s.cash[seat] < c.loan_most or s.draft_kind != Draft.NONE:
        return NOBODY
    if ask == Ask.PLEDGE:
        return Do.MENU  # all that is missing
    if ask == Ask.SAVE:
        for square in range(N_SQUARES):
            if save_refusal(s, c, seat, square) == Refusal.NONE:
                return Do.SQUARE + square
    return Do.END if ask == Ask.TURN else NOBODY
