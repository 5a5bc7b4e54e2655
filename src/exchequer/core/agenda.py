"""The agenda: what the game has still to do, the next thing on top.

An item is a question for a seat or a step the game does by itself. Nested decisions, extra
turns and interrupts are all items, so a search can copy a state in the middle of anything.
By convention a game numbers its steps from FIRST_STEP up and its questions below it, and says
behind each what `a` and `b` hold.

Questions that lie on each other and are of a kind that the game calls SEALED are asked at once:
whoever answers knows no other's answer, so a table may take the answers in any order. The rules
are given them from the top, one after another.

What goes wrong with an agenda is kept in the state: an item without room, a question without an
answer, an item that nobody handles. `core.loops.broken` reports it before the game's own faults.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from exchequer.core.records import NOBODY, apart, rule, struct

FIRST_STEP = 100

Item = struct(
    what="i2",  # the game's own Ask or Step
    seat="u1",  # whom it concerns; unsigned, so that indexing with it needs no test for below 0
    a="i2",
    b="i2",
)


class AgendaFault(IntEnum):
    """Faults that any game can have; a game's own are numbered below them."""

    NONE = 0
    FULL = 100  # an item found no room
    NO_ANSWER = 101  # somebody is asked and can answer nothing
    NO_HANDLER = 102  # a step or question that no rule carries out


def agenda_fields(capacity: int) -> dict[str, Any]:
    """Fields of a state that has an agenda: the items, how many, and the first fault of it."""
    return {"agenda": (Item, capacity), "todo": "i2",
            "agenda_fault": "i2", "agenda_fault_item": "i2"}


@apart
def fail(s, fault, what):
    """Keep the first thing that goes wrong, and with which Ask or Step."""
    if s.agenda_fault == AgendaFault.NONE:
        s.agenda_fault = fault
        s.agenda_fault_item = what


@rule
def no_answer(s):
    """The question on top came up and nothing can be answered to it."""
    fail(s, AgendaFault.NO_ANSWER, asked(s))


@rule
def no_handler(s, what):
    """The last branch of every chain over steps or questions: nobody handles this one."""
    fail(s, AgendaFault.NO_HANDLER, what)


@rule
def then(s, what, seat, a, b):
    """Put an item on top."""
    if s.todo == len(s.agenda):
        fail(s, AgendaFault.FULL, what)
        return
    item = s.agenda[s.todo]
    item.what = what
    item.seat = seat
    item.a = a
    item.b = b
    s.todo += 1


@rule
def blank_done(s):
    """Wipe out the items that have been taken off, for those who read a state's bytes."""
    for place in range(s.todo, len(s.agenda)):
        item = s.agenda[place]
        item.what = 0
        item.seat = 0
        item.a = 0
        item.b = 0


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
    """The same where something is left."""
    return np.int64(s.agenda[s.todo - 1].seat)


@rule
def top_item(s):
    """The item on top, which must be there: what, seat, a, b."""
    item = s.agenda[s.todo - 1]
    return np.int64(item.what), np.int64(item.seat), np.int64(item.a), np.int64(item.b)


@rule
def step_waits(s):
    """Whether the game itself has the next thing to do."""
    return s.todo > 0 and s.agenda[s.todo - 1].what >= FIRST_STEP


@rule
def next_step(s):
    """Take the step on top off the agenda: what, seat, a, b."""
    s.todo -= 1
    item = s.agenda[s.todo]
    return np.int64(item.what), np.int64(item.seat), np.int64(item.a), np.int64(item.b)


@rule
def take_question(s):
    """Take the question that is being answered off the agenda: what, seat, a, b."""
    return next_step(s)


# For those who watch over rules; no rule asks for these -------------------------------------------

def asked_together(s: Any, sealed: tuple[int, ...]) -> list[int]:
    """The seats that are asked now, in the order of the rules: one, or all of a sealed question."""
    if s.todo == 0:
        return []
    items = s.agenda[: s.todo][::-1]
    what = int(items[0]["what"])
    if what not in sealed:
        return [int(items[0]["seat"])]
    others = (int(item["what"]) != what for item in items)
    end = next((place for place, differs in enumerate(others) if differs), len(items))
    return [int(item["seat"]) for item in items[:end]]


def ask_first(s: Any, seat: int, sealed: tuple[int, ...]) -> None:
    """Put the seat's sealed question on top of the others; their order stays."""
    place = int(s.todo) - 1 - asked_together(s, sealed).index(seat)
    item = s.agenda[place].copy()
    for i in range(place, int(s.todo) - 1):
        s.agenda[i] = s.agenda[i + 1]
    s.agenda[int(s.todo) - 1] = item
