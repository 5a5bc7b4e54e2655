"""What the lab measures in both editions of Treasury."""

from exchequer.core.records import rule


@rule
def most_turns(s):
    """Turns that the seat ahead has completed."""
    most = 0
    for seat in range(len(s.turns)):
        most = max(most, s.turns[seat])
    return most
