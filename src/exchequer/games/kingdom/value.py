"""What a position of Kingdom is worth, for bots: points now, and what makes points later."""

from exchequer.core.contract import actor
from exchequer.core.records import NOBODY, rule
from exchequer.core.value import share_of_win, squash
from exchequer.games.kingdom.assets import absorption, bill
from exchequer.games.kingdom.rules import income, score
from exchequer.games.kingdom.state import Role


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
    """0 to 1: the lead in strength as a chance to win."""
    if actor(s) == NOBODY:
        return share_of_win(s, c, seats, seat)
    return squash((strength(s, c, seat) - strength(s, c, 1 - seat)) / 6.0)
