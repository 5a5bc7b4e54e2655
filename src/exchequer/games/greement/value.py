"""What a position of Greement is worth, for bots: wealth at the end if everybody just repays."""

import numpy as np

from exchequer.core.contract import actor
from exchequer.core.records import NOBODY, rule
from exchequer.core.value import share_of_win, squash
from exchequer.games.greement.board import entry, profit_of, worth_of
from exchequer.games.greement.state import EndMode, Value

USUAL_ROUNDS = 5  # what a game by the clock comes to
PATIENCE = 6  # how many turns ahead are believed
ENOUGH = np.int64(10**9)  # beyond this one debt is as bad as another


@rule
def turns_ahead(s, c):
    """Turns each seat may still have; the end is hidden, so by what is public."""
    last = USUAL_ROUNDS if c.end_mode == EndMode.CLOCK else (c.rmin + c.rmax) // 2
    return min(max(last - s.round_number, 1), PATIENCE)


@rule
def outlook(s, c, seat):
    """Wealth after some turns in which profit comes in and all cash goes into the debt."""
    profit = min(profit_of(s, c, seat), ENOUGH)
    cash, debt = min(s.cash[seat], ENOUGH), min(s.debt[seat], ENOUGH)
    for _ in range(turns_ahead(s, c)):
        paid = min(cash, debt)
        cash, debt = cash - paid + profit, min((debt - paid) * entry(s, Value.LOAN), ENOUGH)
    return min(worth_of(s, c, seat), ENOUGH) + cash - debt


@rule
def value(s, c, seats, seat):
    """0 to 1: the lead in outlook, measured against what is at stake, as a chance to win."""
    if actor(s) == NOBODY:
        return share_of_win(s, c, seats, seat)
    own = outlook(s, c, np.int64(seat))
    best, found = np.int64(0), False
    for other in range(seats):
        if other != seat:
            theirs = outlook(s, c, np.int64(other))
            if not found or theirs > best:
                best, found = theirs, True
    stake = 20.0 + 0.25 * (abs(own) + abs(best))
    return squash((own - best) / stake)
