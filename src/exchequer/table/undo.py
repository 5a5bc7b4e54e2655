"""Strict undo: what may be taken back, decided from facts.

A move stays when chance fell in it (the generator moved on), when another seat was asked before
or after it, or when anybody came to know something that was hidden from them before.
"""

import numpy as np

from exchequer.core.position import Position
from exchequer.table.watching import numbers_of

NOT_TOLD = ("rng", "known", "face_up", "card", "start")  # chance, and cards, which are told by card


Stays = dict[int, bool]  # whether a move, by its number from 1 on, stays for ever


def undoable(position: Position, movers: list[int], seat: int, stays: Stays) -> int:
    """How many of the last moves the seat may take back; `stays` is what is known of moves."""
    if position.is_over or position.actor != seat:
        return 0
    count = 0
    while count < len(movers) and movers[-1 - count] == seat:
        move = len(movers) - count
        if move not in stays:
            before, after = position.earlier(count + 1), position.earlier(count)
            stays[move] = bool(before["rng"] != after["rng"]) or is_revealing(
                position, before, after)
        if stays[move]:
            break
        count += 1
    return count


def is_revealing(position: Position, before: np.ndarray, after: np.ndarray) -> bool:
    """Whether any seat has come to know something that was there before."""
    return learns_cards(position, before, after) or any(
        learns_numbers(position, before, after, seat) for seat in range(position.seats))


def learns_cards(position: Position, before: np.ndarray, after: np.ndarray) -> bool:
    """Whether a seat knows the place of a card now that it did not know."""
    if "known" not in (before.dtype.names or ()):
        return False
    everybody = (1 << position.seats) - 1
    old, new = knowledge(before, everybody), knowledge(after, everybody)
    return any(known & ~old.get(card, 0) for card, known in new.items())


def knowledge(states: np.ndarray, everybody: int) -> dict[int, int]:
    """For each card the seats that know where it lies."""
    return {int(card): int(known) & everybody
            for card, known in zip(states["card"][0], states["known"][0], strict=True)}


def learns_numbers(position: Position, before: np.ndarray, after: np.ndarray, seat: int) -> bool:
    """Whether a number that has not changed was hidden from the seat and is not any more."""
    old_truth, new_truth = numbers_of(before), numbers_of(after)
    old, new = (numbers_of(seen_by_seat(position, states, seat)) for states in (before, after))
    for name in old_truth:
        if name in NOT_TOLD or old[name].tobytes() == old_truth[name].tobytes():
            continue
        was_hidden = (old[name] != old_truth[name]) & (old_truth[name] == new_truth[name])
        if (was_hidden & (new[name] == new_truth[name])).any():
            return True
    return False


def seen_by_seat(position: Position, states: np.ndarray, seat: int) -> np.ndarray:
    observed = states.copy()
    position.engine.observe(observed[0], position.content.record, seat)
    return observed
