"""What a position of The Jagged Time is worth, for bots: the score, and what keeps crises away."""

from exchequer.core.contract import actor
from exchequer.core.records import NOBODY, rule
from exchequer.games.jagged_time.campaign import flood_cap
from exchequer.games.jagged_time.cards import pile_size
from exchequer.games.jagged_time.objectives import crisis_cards
from exchequer.games.jagged_time.rules import milestone_progress, score
from exchequer.games.jagged_time.state import Pile
from exchequer.games.jagged_time.tables import MOST_CARD_OPTIONS, N_RESOURCES, Act

MOST_POINTS = 1000.0  # an early win comes close to it
MOST_CAMPAIGN = 2500.0  # all four acts, each of them early
ENOUGH = 5  # more in a bank is worth no more
FULL_BANK = 5.0  # points for each unit up to that
COLLAPSE = 600.0  # what is lost on the way there, slowly at first: the score counts few crises
LAST_CRISIS = 8.0  # for each crisis card of the third act, which is won without them
LATER_STEP = 4.0  # for each step on a card of the agenda


@rule
def value(s, c, seats, seat):
    """0 to 1: points, and while the game goes on what is in the banks."""
    points = 1.0 * score(s, c, seat)
    if actor(s) != NOBODY:
        for resource in range(N_RESOURCES):
            points += FULL_BANK * min(s.bank[resource], ENOUGH)
        if s.act > c.first_act and s.milestone_resolved == 0:  # JL-50 does not score it
            points += milestone_progress(s, c)
        if c.last_act > Act.FIRST:
            points += later_prospects(s, c)
    return points / (MOST_POINTS if c.first_act == c.last_act else MOST_CAMPAIGN)


@rule
def later_prospects(s, c):
    """JL-49 JL-50 Crises beyond what the score counts, and what has been done against them."""
    crises, limit = crisis_cards(s, c), flood_cap(s, c)
    points = -LAST_CRISIS * crises if s.act == Act.THIRD else 0.0
    if limit > 0:
        points -= COLLAPSE * (crises / limit) ** 2
    for place in range(s.slots):
        if pile_size(s, Pile.SLOT + place) > 0:
            for option in range(MOST_CARD_OPTIONS):
                points += LATER_STEP * s.progress[place, option]
    return points
