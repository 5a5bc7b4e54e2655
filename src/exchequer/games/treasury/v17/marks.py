"""The core's `then`, `note_for` and `move`, compiled once: these rules call them everywhere.

Each combination of argument types would compile them again, so all numbers are widened (`+ 0`).
"""

from exchequer.core.agenda import then as put_on_agenda
from exchequer.core.log import ALL
from exchequer.core.log import note_for as write_entry
from exchequer.core.piles import move as move_card
from exchequer.core.records import NOBODY, apart, rule


@apart
def push(s, what, seat, a, b):
    put_on_agenda(s, what, seat, a, b)


@rule
def then(s, what, seat, a, b):
    """Put an item on top of the agenda."""
    push(s, what + 0, seat + 0, a + 0, b + 0)


@apart
def write(log, what, seat, other, thing, amount, known):
    write_entry(log, what, seat, other, thing, amount, known)


@rule
def note_for(log, what, seat, other, thing, amount, known):
    """A log entry whose thing and amount only the seats in `known` may see."""
    write(log, what + 0, seat + 0, other + 0, thing + 0, amount + 0, known + 0)


@rule
def note(log, what, seat, thing, amount):
    """A log entry for all to see."""
    write(log, what + 0, seat + 0, NOBODY, thing + 0, amount + 0, ALL)


@apart
def shift(s, source, index, target, position):
    """Move a card from one pile to another; returns its new place."""
    return move_card(s, source, index, target, position)
