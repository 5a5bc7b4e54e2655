"""Chance: a generator that lives in a record, so that a seed replays a game bit for bit.

Multiply-with-carry (MWC64X): the low half of `rng` is the number, the high half the carry. No
step overflows 64 bits, so plain Python, machine code and GPU agree without special care.
Any record with a field `rng` of type u8 will do.
"""

import numpy as np

from exchequer.core.records import record, rule

Chance = record(  # a generator of its own, for whoever is not the game
    unused="u8",  # or Numba would take every state for a subtype of this and warn
    rng="u8",
)

GAME_STREAM = 0  # the game's own chance
POLICY_STREAM = 1  # what a random player rolls, kept apart so that actions alone replay a game

WORLD_STEP = 7919  # keeps the seeds of determinized worlds apart

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
MULTIPLIER = np.uint64(4294883355)
FIRST_MIX = np.uint64(0x7FEB352D)
SECOND_MIX = np.uint64(0x846CA68B)
SIXTEEN = np.uint64(16)
FIFTEEN = np.uint64(15)


@rule
def scramble(x):
    """Spread the low 32 bits of x evenly; products of two halves fit 64 bits."""
    x = x & LOW
    x = x ^ (x >> SIXTEEN)
    x = (x * FIRST_MIX) & LOW
    x = x ^ (x >> FIFTEEN)
    x = (x * SECOND_MIX) & LOW
    return x ^ (x >> SIXTEEN)


@rule
def seed_chance(s, seed, stream):
    """Start the generator; neighbouring seeds and streams share nothing."""
    seed = np.uint64(seed)
    low = scramble(seed ^ FIRST_MIX)
    high = scramble((seed >> HALF) ^ low ^ (np.uint64(stream) * SIXTEEN + SECOND_MIX))
    low = scramble(low ^ high)
    s.rng = ((high >> np.uint64(1)) + np.uint64(1)) << HALF | low


@rule
def roll(s, sides):
    """A number from 0 to sides-1."""
    number = s.rng & LOW
    carry = s.rng >> HALF
    s.rng = MULTIPLIER * number + carry
    return np.int64(((number ^ carry) * np.uint64(sides)) >> HALF)
