"""What a position of Treasury 0.17 is worth, for bots: gold now, and what brings gold later."""

from exchequer.core.records import rule
from exchequer.core.value import lead_value
from exchequer.games.treasury.v17.cards import N_AGES
from exchequer.games.treasury.v17.money import contract_value
from exchequer.games.treasury.v17.state import N_SLOTS
from exchequer.games.treasury.v17.zones import has_business, has_contract

POINTS = 6.0  # a lead of so many points is worth about three wins in four


@rule
def strength(s, c, seat):
    """Gold, gold on contracts, and by how many payouts are left: contracts and open businesses."""
    payouts = N_AGES + 1 - s.next_end
    total = 1.0 * s.gold[seat]
    for slot in range(N_SLOTS):
        if s.opened[seat, slot]:
            total += s.contract_gold[seat, slot] + 0.4 * s.stored[seat, slot] + 0.5
            value = 0.2 * contract_value(s, c, seat, slot) * payouts
            total += 2.0 * value if has_contract(s, seat, slot) else value
        elif has_business(s, seat, slot):
            total += 0.3 * payouts / N_AGES
    return total


@rule
def value(s, c, seats, seat):
    return lead_value(s, c, seats, seat, POINTS)
