"""The core's piles, agenda and log as The Jagged Time uses them: one seat, and compiled once
instead of inlined at each of their many calls, which keeps the time to compile short.
"""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.log import note
from exchequer.core.piles import move, shuffle
from exchequer.core.records import apart


@apart
def carry(s, source, index, target, position):
    """Move a card from pile to pile; returns its new place."""
    return np.int64(move(s, source, index, target, position))


@apart
def mix(s, pile):
    """Shuffle a pile."""
    shuffle(s, pile)


@apart
def book(entries, what, thing, amount):
    """Write an entry that the player may see."""
    note(entries, what, 0, thing, amount)


@apart
def queue(s, what, a, b):
    """Put a question or a step on top of the agenda."""
    then(s, what, 0, a, b)
