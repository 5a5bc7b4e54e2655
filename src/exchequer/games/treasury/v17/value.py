"""What a position of Treasury 0.17 is worth, for bots: gold now, and what brings gold later."""

from exchequer.core.contract import actor
from exchequer.core.records import NOBODY, rule
from exchequer.core.value import share_of_win, squash
from exchequer.games.treasury.v17.money import contract_value
from exchequer.games.treasury.v17.state import N_AGES, N_SLOTS
from exchequer.games.treasury.v17.zones import has_business, has_contract


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
    """0 to 1: the lead in strength over the best of the others as a chance to win."""
    if actor(s) == NOBODY:
        return share_of_win(s, c, seats, seat)
    best = 0.0
    for other in range(seats):
        if other != seat:
            best = max(best, strength(s, c, other))
    return squash((strength(s, c, seat) - best) / 6.0)
