"""Loops over any game's rules, written once; `core.build` binds them to a game.

The caller allocates: a `Buffers` holds what one loop needs to play on.
"""

from typing import NamedTuple

import numpy as np

from exchequer.core.agenda import AgendaFault, no_answer
from exchequer.core.chance import POLICY_STREAM, Chance, roll, seed_chance
from exchequer.core.contract import (
    actor,
    apply,
    ending,
    fault,
    legal,
    refusal,
    score,
    setup,
    winners,
)
from exchequer.core.log import clear, new_log
from exchequer.core.records import NOBODY, record, rule, whole

MAX_SEATS = 6
WHOLE = 60  # parts of a win, which any number of winners can share
LOG_ROOM = 1023  # entries one move may write; the longest chains seen stay far below

Result = record(
    score=("i8", MAX_SEATS),
    steps="i4",
    ending="i1",  # 0: stopped at the limit, unfinished
    winners="u1",
    fault="i1",
)


class Buffers(NamedTuple):
    """Room to play one game at a time."""

    states: np.ndarray  # (2,) State: the game, and a blank one to start from
    chance: np.ndarray  # (1,) Chance, what the random player rolls
    out: np.ndarray  # (max_legal,) i4
    log: np.ndarray  # (1 + room,) Entry


class Tally(NamedTuple):
    """What happened over many games, counted."""

    actions: np.ndarray  # (n_actions,) i8
    events: np.ndarray  # (n_events, n_things) i8; the last thing also counts all beyond it


def new_buffers(state: np.dtype, max_legal: int, log_room: int = 0) -> Buffers:
    return Buffers(np.zeros(2, state), np.zeros(1, Chance), np.zeros(max_legal, np.int32),
                new_log(log_room))


@rule
def start_game(buffers, c, seats, seed):
    buffers.states[0] = buffers.states[1]
    clear(buffers.log)
    setup(buffers.states[0], c, seats, np.int64(seed), buffers.log)
    seed_chance(buffers.chance[0], seed, POLICY_STREAM)


@rule
def pick(s, chance, out, count):
    """One of the legal actions at random; none is a fault of the state.

    Wide, as Python's own numbers are: another type would compile all of `apply` again.
    """
    if count == 0:
        no_answer(s)
        return NOBODY
    return np.int64(out[roll(chance, count)])


@rule
def random_action(buffers, c):
    count = legal(buffers.states[0], c, buffers.out)
    return pick(buffers.states[0], buffers.chance[0], buffers.out, count)


@rule
def goes_on(s):
    """Whether somebody is to move; a game whose agenda is broken stops where it broke."""
    return actor(s) != NOBODY and s.agenda_fault == AgendaFault.NONE


@rule
def broken(s, c):
    """The first promise that a state breaks: the agenda's, or the game's own; 0 when sound."""
    if s.agenda_fault != AgendaFault.NONE:
        return np.int64(s.agenda_fault)  # a narrow field and an enum have no type in common
    return fault(s, c)


@rule
def count_entries(log, tally):
    """Add the entries of one move to the tally."""
    last = tally.events.shape[1] - 1
    for place in range(1, min(log[0].amount + 1, len(log))):
        entry = log[place]
        tally.events[entry.what, min(max(entry.thing, 0), last)] += 1


@rule
def write_result(s, c, seats, steps, result):
    result.steps = steps
    result.ending = ending(s)
    result.winners = winners(s, c)
    result.fault = broken(s, c)
    for seat in range(seats):
        result.score[seat] = score(s, c, seat)


@whole
def run_batch(buffers, c, seats, seeds, limit, results, tally):
    """Play one random game per seed and count what happens. Returns the number of steps."""
    total = 0
    for i in range(len(seeds)):
        start_game(buffers, c, seats, seeds[i])
        steps = 0
        while goes_on(buffers.states[0]) and steps < limit:
            action = random_action(buffers, c)
            if action != NOBODY:
                clear(buffers.log)
                apply(buffers.states[0], c, action, buffers.log)
                tally.actions[action] += 1
                count_entries(buffers.log, tally)
                steps += 1
        write_result(buffers.states[0], c, seats, steps, results[i])
        total += steps
    return total


@rule
def trace(buffers, c, seats, seed, actions, states):
    """Play one random game and keep every state on the way. Returns the number of steps."""
    start_game(buffers, c, seats, seed)
    states[0] = buffers.states[0]
    steps = 0
    while goes_on(buffers.states[0]) and steps < len(actions):
        action = random_action(buffers, c)
        if action != NOBODY:
            actions[steps] = action
            clear(buffers.log)
            apply(buffers.states[0], c, action, buffers.log)
            steps += 1
            states[steps] = buffers.states[0]
    return steps


@rule
def refusals(s, c, whys):
    """Why each action may not be taken now; 0 where it may."""
    for action in range(len(whys)):
        whys[action] = refusal(s, c, action)


@rule
def copy_many(states, times):
    """Copy a state again and again; the bench measures what one copy costs."""
    for i in range(times):
        states[1 + i % (len(states) - 1)] = states[0]
