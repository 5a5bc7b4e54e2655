"""What the lab measures in both editions of Treasury."""

from exchequer.core.measures import Count
from exchequer.core.records import rule


@rule
def most_turns(s):
    """Turns that the seat ahead has completed."""
    most = 0
    for seat in range(len(s.turns)):
        most = max(most, s.turns[seat])
    return most


def counts_of(earned: int, paid_out: int, spent: int, opened: int, closed: int, claimed: int,
              lost: int) -> dict[str, Count]:
    """What both editions count, by the events that an edition has for it."""
    return {
        "gold earned": Count(earned, amount=True),
        "gold from contracts": Count(paid_out, amount=True),
        "gold spent": Count(spent, amount=True),
        "businesses opened": Count(opened), "businesses closed": Count(closed),
        "contracts claimed": Count(claimed), "contracts lost": Count(lost),
    }
