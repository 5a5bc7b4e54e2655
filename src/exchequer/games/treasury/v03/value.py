"""What a position of Treasury 0.3 is worth, for bots: gold now, and what brings gold later."""

from exchequer.core.contract import actor
from exchequer.core.records import NOBODY, rule
from exchequer.core.value import share_of_win, squash
from exchequer.games.treasury.v03.holdings import contract_value
from exchequer.games.treasury.v03.state import SLOTS

LAST_AGE = 4


@rule
def strength(s, c, seat):
    """Gold, and by how many payouts are left: contracts, open businesses and startups."""
    payouts = LAST_AGE + 1 - s.age if s.end_due == 0 else 1
    total = 1.0 * s.gold[seat]
    for slot in range(SLOTS):
        if (s.opened[seat] >> slot) & 1:
            worth = 0.2 * contract_value(s, c, seat, slot) * payouts
            total += 0.4 * s.stored[seat, slot] + 0.5
            total += 3.0 * worth if (s.contracted[seat] >> slot) & 1 else worth
        elif (s.startups[seat] >> slot) & 1:
            total += 0.1 * payouts
    return total


@rule
def value(s, c, seats, seat):
    """0 to 1: the lead in strength over the best of the others as a chance to win."""
    if actor(s) == NOBODY:
        return share_of_win(s, c, seats, seat)
    best = 0.0
    for other in range(seats):
        if other != seat:
            best = max(best, strength(s, c, other))
    return squash((strength(s, c, seat) - best) / 6.0)
