"""The agenda and the log as the rules of this game write to them.

The same as `then`, `note` and `note_for` of the core, but compiled once: every argument is widened
here, and the body stands apart instead of being inlined at a hundred places.
"""

from exchequer.core import agenda, log
from exchequer.core.records import NOBODY, apart, rule

lay_item = agenda.then
write_entry = log.note_for


@rule
def then(s, what, seat, a, b):
    """Put a question or a step on top of the agenda."""
    then_wide(s, what + 0, seat + 0, a + 0, b + 0)


@apart
def then_wide(s, what, seat, a, b):
    lay_item(s, what, seat, a, b)


@rule
def note(log, what, seat, thing, amount):
    """An entry for all to see."""
    note_wide(log, what + 0, seat + 0, NOBODY, thing + 0, amount + 0, 255)


@rule
def note_for(log, what, seat, other, thing, amount, known):
    """An entry whose thing and amount only the seats in `known` may see."""
    note_wide(log, what + 0, seat + 0, other + 0, thing + 0, amount + 0, known + 0)


@apart
def note_wide(log, what, seat, other, thing, amount, known):
    write_entry(log, what, seat, other, thing, amount, known)
