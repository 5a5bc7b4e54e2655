"""The agenda: what the game has still to do, the next thing on top.

An item is a question for a seat or a step the game does by itself. Nested decisions, extra
turns and interrupts are all items, so a search can copy a state in the middle of anything.
By convention a game numbers its steps from FIRST_STEP up and its questions below it.
"""

from typing import Any

import numpy as np

from exchequer.core.records import NOBODY, rule, struct

FIRST_STEP = 100

Item = struct(
    what="i2",  # the game's own Ask or Step
    seat="u1",  # whom it concerns; unsigned, so that indexing with it needs no test for below 0
    a="i2",
    b="i2",
)


def agenda_fields(capacity: int) -> dict[str, Any]:
    """Fields of a state that has an agenda. `lost` counts items that found no room."""
    return {"agenda": (Item, capacity), "todo": "i2", "lost": "i2"}


@rule
def then(s, what, seat, a, b):
    """Put an item on top. A full agenda counts the loss, which the conformance suite forbids."""
    if s.todo == len(s.agenda):
        s.lost += 1
        return
    item = s.agenda[s.todo]
    item.what = what
    item.seat = seat
    item.a = a
    item.b = b
    s.todo += 1


@rule
def drop_all(s):
    """Nothing more is to be done: the game is over."""
    s.todo = 0


@rule
def asked(s):
    """What the item on top is, or NOBODY when nothing is left."""
    return np.int64(s.agenda[s.todo - 1].what) if s.todo > 0 else NOBODY


@rule
def asked_seat(s):
    """Whom it concerns, or NOBODY when nothing is left."""
    return top_seat(s) if s.todo > 0 else NOBODY


@rule
def top_seat(s):
    """The same where something is left. Wide: each type of `seat` compiles every rule again."""
    return np.int64(s.agenda[s.todo - 1].seat)


@rule
def step_waits(s):
    """Whether the game itself has the next thing to do."""
    return s.todo > 0 and s.agenda[s.todo - 1].what >= FIRST_STEP


@rule
def next_step(s):
    """Take the step on top off the agenda: what it is and whom it concerns."""
    what, seat = asked(s), top_seat(s)
    s.todo -= 1
    return what, seat
