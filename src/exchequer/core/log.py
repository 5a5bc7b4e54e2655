"""The log: typed entries that become sentences, animation and measures.

It is a buffer passed to `apply`, never part of the state. Its entry 0 counts the others, also
those that found no room, so that a search may pass a log without room and pay almost nothing.
Everybody sees what happened and to whom; `thing` and `amount` only the seats in `known`.
"""

from typing import Any

import numpy as np

from exchequer.core.records import NOBODY, record, rule

ALL = 255  # `known` of an entry or a card that everybody may see
HIDDEN = -(2**62)  # what `thing` and `amount` become for a seat that may not know them

Entry = record(
    amount="i8",
    thing="i4",
    what="i2",  # the game's own Event
    seat="i1",
    other="i1",  # a second seat, or NOBODY
    known="u1",  # a bit per seat that may see thing and amount
)


def new_log(room: int) -> np.ndarray:
    return np.zeros(room + 1, Entry)


@rule
def clear(log):
    log[0].amount = 0


@rule
def note(log, what, seat, thing, amount):
    """An entry for all to see."""
    note_for(log, what, seat, NOBODY, thing, amount, ALL)


@rule
def note_for(log, what, seat, other, thing, amount, known):
    """An entry whose thing and amount only the seats in `known` may see."""
    log[0].amount += 1
    place = log[0].amount
    if place < len(log):
        entry = log[place]
        entry.what = what
        entry.seat = seat
        entry.other = other
        entry.thing = thing
        entry.amount = amount
        entry.known = known


def entries(log: np.ndarray) -> np.ndarray:
    """The entries written since `clear`, copied."""
    count = int(log[0].amount)
    if count >= len(log):
        raise OverflowError(f"{count} log entries in one move, room for {len(log) - 1}")
    return log[1 : count + 1].copy()


def seen_by(written: np.ndarray, seat: int) -> np.ndarray:
    """The entries as `seat` may see them (NOBODY: as somebody who only watches)."""
    seen = written.copy()
    bits = seen["known"] >> max(seat, 0) & 1 if seat != NOBODY else seen["known"] == ALL
    for name in ("thing", "amount"):
        limit: Any = np.iinfo(seen.dtype[name]).min if name == "thing" else HIDDEN
        seen[name][bits == 0] = limit
    seen["known"] = 0
    return seen
