"""The core's `then`, `note` and `note_for`, compiled once: these rules call them everywhere."""

from exchequer.core.agenda import then as put_on_agenda
from exchequer.core.log import ALL
from exchequer.core.log import note_for as write_entry
from exchequer.core.records import NOBODY, apart, rule


@apart
def then(s, what, seat, a, b):
    """Put an item on top of the agenda."""
    put_on_agenda(s, what, seat, a, b)


@apart
def note_for(log, what, seat, other, thing, amount, known):
    """A log entry whose thing and amount only the seats in `known` may see."""
    write_entry(log, what, seat, other, thing, amount, known)


@rule
def note(log, what, seat, thing, amount):
    """A log entry for all to see."""
    note_for(log, what, seat, NOBODY, thing, amount, ALL)
