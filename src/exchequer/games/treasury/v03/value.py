"""What a position of Treasury 0.3 is worth, for bots: gold now, and what brings gold later."""

from exchequer.core.records import rule
from exchequer.core.value import lead_value
from exchequer.games.treasury.v03.holdings import contract_value
from exchequer.games.treasury.v03.state import SLOTS

LAST_AGE = 4
POINTS = 6.0  # a lead of so many points is worth about three wins in four


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
    return lead_value(s, c, seats, seat, POINTS)
