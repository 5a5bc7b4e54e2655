"""What a position of The Jagged Time is worth, for bots: the score, and what keeps crises away."""

from exchequer.core.contract import actor
from exchequer.core.records import NOBODY, rule
from exchequer.games.jagged_time.rules import milestone_progress, score
from exchequer.games.jagged_time.tables import N_RESOURCES

MOST_POINTS = 1000.0  # an early win comes close to it
MOST_CAMPAIGN = 2500.0  # all four acts, each of them early
ENOUGH = 5  # more in a bank is worth no more
FULL_BANK = 5.0  # points for each unit up to that


@rule
def value(s, c, seats, seat):
    """0 to 1: points, and while the game goes on what is in the banks."""
    points = 1.0 * score(s, c, seat)
    if actor(s) != NOBODY:
        for resource in range(N_RESOURCES):
            points += FULL_BANK * min(s.bank[resource], ENOUGH)
        if s.act > c.first_act and s.milestone_resolved == 0:  # JL-50 does not score it
            points += milestone_progress(s, c)
    return points / (MOST_POINTS if c.first_act == c.last_act else MOST_CAMPAIGN)
