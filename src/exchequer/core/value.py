"""What a position is worth to a seat, from 0 to 1, when its game says nothing better."""

from exchequer.core.contract import actor, score, strength, winners
from exchequer.core.records import NOBODY, rule

POINTS = 10.0  # a lead of so many points is worth about three wins in four
MOST_EXPONENT = 60.0
WEAKEST = -1e18  # below any strength


@rule
def share_of_win(s, c, seats, seat):
    """1 for the sole winner, an equal part for each who shares, 0 for the others."""
    mask = winners(s, c)
    won = 0
    for other in range(seats):
        won += (mask >> other) & 1
    if won == 0:
        return 0.0
    return ((mask >> seat) & 1) / won


@rule
def squash(lead):
    """A lead of points as a chance to win."""
    return 1.0 / (1.0 + power_of_e(-lead))


@rule
def power_of_e(x):
    """From sums and products alone, so that a GPU gets the same bits as every CPU.

    e to a small part of x is a short series; squared ten times it is what was asked.
    """
    x = min(max(x, -MOST_EXPONENT), MOST_EXPONENT) / 1024.0
    power = 1.0 + x * (1.0 + x * (1 / 2) * (1.0 + x * (1 / 3) * (1.0 + x * (1 / 4) * (
        1.0 + x * (1 / 5) * (1.0 + x * (1 / 6) * (1.0 + x * (1 / 7)))))))
    for _ in range(10):
        power = power * power
    return power


@rule
def lead_value(s, c, seats, seat, points):
    """The lead in strength over the best of the others, by what lead counts as large."""
    if actor(s) == NOBODY:
        return share_of_win(s, c, seats, seat)
    best = WEAKEST
    for other in range(seats):
        if other != seat:
            best = max(best, strength(s, c, other))
    return squash((strength(s, c, seat) - best) / points)


@rule
def default_value(s, c, seats, seat):
    """The lead in points over the best of the others; a solo game by its points."""
    if seats == 1:
        return score(s, c, seat) / 1000.0
    return lead_value(s, c, seats, seat, POINTS)
