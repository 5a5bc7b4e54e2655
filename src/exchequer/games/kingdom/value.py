"""What a position of Kingdom is worth, for bots: points now, and what makes points later."""

from exchequer.core.records import rule
from exchequer.core.value import lead_value
from exchequer.games.kingdom.assets import absorption, bill
from exchequer.games.kingdom.rules import income, score
from exchequer.games.kingdom.state import Role

POINTS = 6.0  # a lead of so many points is worth about three wins in four


@rule
def strength(s, c, seat):
    """Points, and by how many rounds are left: earning power, councillors, gold and threat."""
    left = max(0, c.turn_limit - s.round_number) / 22.0
    earning = income(s, c, seat) - bill(s, c, seat)
    foe = 1 - seat
    blow = s.army[seat] * (100 - absorption(s, c, foe)) // 100 - s.fort[foe]
    threat = min(10, max(0, blow)) if s.people[seat, Role.COMMANDER] > 0 else 0
    return (score(s, c, seat) + left * (1.0 * earning + 4.0 * s.people[seat, Role.COUNCIL]
                                        + 0.15 * min(60, s.gold[seat]))
            + 0.8 * threat)


@rule
def value(s, c, seats, seat):
    return lead_value(s, c, seats, seat, POINTS)
