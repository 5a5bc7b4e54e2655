"""The core's piles, agenda and log as The Jagged Time uses them: one seat, and compiled once
instead of inlined at each of their many calls, which keeps the time to compile short. The first of
each pair makes all numbers wide, so that the second is compiled for one combination of types.
"""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.log import note
from exchequer.core.piles import move, shuffle
from exchequer.core.records import apart, rule


@rule
def carry(s, source, index, target, position):
    """Move a card from pile to pile; returns its new place."""
    return carry_wide(s, np.int64(source), np.int64(index), np.int64(target), np.int64(position))


@apart
def carry_wide(s, source, index, target, position):
    return np.int64(move(s, source, index, target, position))


@rule
def mix(s, pile):
    """Shuffle a pile."""
    mix_wide(s, np.int64(pile))


@apart
def mix_wide(s, pile):
    shuffle(s, pile)


@rule
def book(entries, what, thing, amount):
    """Write an entry that the player may see."""
    book_wide(entries, np.int64(what), np.int64(thing), np.int64(amount))


@apart
def book_wide(entries, what, thing, amount):
    note(entries, what, 0, thing, amount)


@rule
def queue(s, what, a, b):
    """Put a question or a step on top of the agenda."""
    queue_wide(s, np.int64(what), np.int64(a), np.int64(b))


@apart
def queue_wide(s, what, a, b):
    then(s, what, 0, a, b)
