"""Secret chance: rolls that nobody can work out, from a key of 256 bits.

The generator in a record is quick and small, and whoever sees enough of what it gives can find
its 64 bits. A server deals and rolls from a key instead: BLAKE2b in counter mode. Rules are bound
with `keyed_roll` in the place of `roll`, as plain Python, so the same key gives the same game.
"""

import contextlib
import hashlib
import threading
from collections.abc import Iterator

import numpy as np

from exchequer.core.binding import Instead
from exchequer.core.chance import roll
from exchequer.core.records import rule

BITS = 64  # of a roll, before it is brought down to the sides


class Source(threading.local):
    """Where this thread's rolls come from."""

    key, count = b"", 0

    def roll(self, sides: int) -> int:
        self.count += 1
        drawn = hashlib.blake2b(self.count.to_bytes(8, "big"), key=self.key, digest_size=BITS // 8)
        return int.from_bytes(drawn.digest(), "big") * int(sides) >> BITS


SOURCE = Source()
ONE = np.uint64(1)


@rule
def keyed_roll(s, sides):
    """A number from 0 to sides-1; the record's generator only notes that chance fell."""
    s.rng = s.rng + ONE
    return np.int64(SOURCE.roll(sides))


KEYED: Instead = {roll: keyed_roll}


@contextlib.contextmanager
def rolls_from(key: str) -> Iterator[None]:
    """Inside, this thread's keyed rolls come from the key (64 hexadecimal digits), in order."""
    SOURCE.key, SOURCE.count = bytes.fromhex(key), 0
    try:
        yield
    finally:
        SOURCE.key = b""
