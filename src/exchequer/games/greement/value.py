"""What a position of Greement is worth, for bots: wealth at the end if everybody just repays."""

from exchequer.core.contract import actor
from exchequer.core.records import NOBODY, rule
from exchequer.core.value import share_of_win, squash
from exchequer.games.greement.board import can_be_owned, entry, profit_of, worth_of
from exchequer.games.greement.state import (
    N_SQUARES,
    UNKNOWN,
    Draft,
    EndMode,
    Holding,
    Value,
)

USUAL_ROUNDS = 5  # what a game by the clock comes to
PATIENCE = 6  # how many turns ahead are believed
ANSWER_COST, MOST_COUNTED = 0.001, 40  # talk that changes nothing is not worth its time
ENOUGH = 10**9  # beyond this one debt is as bad as another


@rule
def turns_ahead(s, c):
    """Turns each seat may still have; the end is hidden, so by what is public."""
    last = USUAL_ROUNDS if c.end_mode == EndMode.CLOCK else (c.rmin + c.rmax) // 2
    return min(max(last - s.round_number, 1), PATIENCE)


@rule
def prospects(s, c, seat):
    """Profit of a turn; half of what a crop would bring for land that lies brown."""
    brown = s.held[seat, Holding.BROWN] * entry(s, Value.CROP) // 2
    return min(profit_of(s, c, seat) + brown, ENOUGH)


@rule
def outlook(s, c, seat):
    """Wealth after some turns in which profit comes in and all cash goes into the debt."""
    profit = prospects(s, c, seat)
    cash, debt = min(s.cash[seat], ENOUGH), min(s.debt[seat], ENOUGH)
    if s.active == seat:  # what is in hand can still be repaid before the debt grows
        paid = min(cash, debt)
        cash, debt = cash - paid, min((debt - paid) * entry(s, Value.LOAN), ENOUGH)
    for _ in range(turns_ahead(s, c)):
        paid = min(cash + profit, debt)
        cash, debt = cash + profit - paid, min((debt - paid) * entry(s, Value.LOAN), ENOUGH)
    return min(worth_of(s, c, seat), ENOUGH) + cash - debt


@rule
def can_improve(s, seat):
    """Whether the draft that the seat has begun can end in something that pays."""
    if s.draft_kind == Draft.SEED:
        return s.held[seat, Holding.BROWN] > 0
    if s.draft_kind == Draft.CATTLE:
        return s.table[Value.CATTLE_PROFIT] > s.table[Value.CROP]
    if s.draft_kind == Draft.BUY:
        for square in range(N_SQUARES):
            if s.owner[square] == UNKNOWN and s.reach[seat, square] == 1 \
                    and can_be_owned(s, square):
                return True
    return False


@rule
def hint(s, seat):
    """What a half-made decision promises to somebody who looks one question ahead."""
    if s.active != seat:
        return 0.0
    idle = -ANSWER_COST * min(s.answers[seat], MOST_COUNTED)
    if s.cash[seat] > 0 and s.debt[seat] > 0:
        idle -= 0.003
    if s.draft_kind == Draft.NONE:
        return idle
    if s.draft_kind == Draft.REPAY:
        return idle + 0.002
    return idle + (0.01 if can_improve(s, seat) else -0.01)


@rule
def value(s, c, seats, seat):
    """0 to 1: the lead in outlook, measured against what is at stake, as a chance to win."""
    if actor(s) == NOBODY:
        return share_of_win(s, c, seats, seat)
    own = outlook(s, c, seat)
    best, found = 0, False
    for other in range(seats):
        if other != seat:
            theirs = outlook(s, c, other)
            if not found or theirs > best:
                best, found = theirs, True
    stake = 20.0 + 0.25 * (abs(own) + abs(best))
    return squash((own - best) / stake) + hint(s, seat)
