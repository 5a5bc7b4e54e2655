"""Banks: gaining, spending and losing resources, and what a deficit brings."""

import numpy as np

from exchequer.core.log import note
from exchequer.core.records import apart, rule
from exchequer.games.jagged_time.cards import discard_of, make
from exchequer.games.jagged_time.state import Event, Phase
from exchequer.games.jagged_time.tables import (
    ANY,
    N_RESOURCES,
    N_START,
    NO_KIND,
    NO_ROW,
    TOP_MAXIMUM,
)


@apart
def gain(s, c, resource, amount, log):
    """J-11 J-R29 J-R30 Up to the maximum; the full amount counts as gained."""
    got = min(amount, s.maximum[resource] - s.bank[resource])
    s.bank[resource] += got
    counted = amount if c.count_overflow else got
    s.gained_turn[resource] += counted
    if s.phase <= Phase.ACTION:
        s.gained_phase[resource] += counted
    s.best_gained[resource] = max(s.best_gained[resource], s.gained_turn[resource])
    if got > 0:
        note(log, Event.GAINED, 0, resource, got)
    if amount > got:
        note(log, Event.WASTED, 0, resource, amount - got)


@rule
def is_in_play(s, resource):
    """J-10 J-R33 The four always, even with a maximum of 0; trade goods once there is room."""
    return resource < N_START or s.maximum[resource] > 0


@rule
def spend(s, resource, amount, log):
    """J-12 What is paid must be there; who asks has made sure."""
    if amount > 0:
        s.bank[resource] -= amount
        note(log, Event.PAID, 0, resource, amount)


@apart
def spend_price(s, price, times, log):
    for resource in range(N_RESOURCES):
        spend(s, resource, times * np.int64(price[resource]), log)


@apart
def lose(s, c, resource, amount, log):
    """J-13 J-14 J-R28 Each missing unit brings a Misfortune; reaching 0 does not."""
    taken = min(amount, s.bank[resource])
    if taken > 0:
        s.bank[resource] -= taken
        note(log, Event.LOST, 0, resource, taken)
    kind = c.misfortune_card[c.misfortune, resource]
    for _ in range(amount - taken):
        if kind != NO_KIND:
            note(log, Event.MISFORTUNE, 0, kind, 1)
            make(s, c, kind, discard_of(c, kind), log)


@apart
def change_maximum(s, resource, change, log):
    """J-15 J-R32 J-R33 JL-48 Within 0 and 12; what no longer fits is gone, which is no loss."""
    s.maximum[resource] = min(max(s.maximum[resource] + change, 0), TOP_MAXIMUM)
    note(log, Event.MAXIMUM, 0, resource, s.maximum[resource])
    cut = s.bank[resource] - s.maximum[resource]
    if cut > 0:
        s.bank[resource] -= cut
        note(log, Event.CUT, 0, resource, cut)


@rule
def affords(s, price, times):
    """J-12 Whether the banks cover a price of named resources so many times."""
    short = 0
    for resource in range(N_RESOURCES):
        short += max(times * price[resource] - s.bank[resource], 0)
    return short == 0


@rule
def total(price):
    units = 0
    for resource in range(N_RESOURCES + 1):
        units += price[resource]
    return units


@rule
def saved(s, c, kind, cost):
    """JL-8 Units of choice that a standing change takes off a cost; one always stays."""
    change = c.card[kind].cheaper
    if change == NO_ROW:
        return 0
    return max(min(s.modified[change], c.card[kind].cost[cost, ANY] - 1), 0)


@rule
def can_share(s, mask, units):
    """JL-9 Whether the banks of these resources hold so many units together."""
    there = 0
    for resource in range(N_RESOURCES):
        if mask >> resource & 1:
            there += s.bank[resource]
    return there >= units


@apart
def payable(s, price, less):
    """J-24 J-R18 Whether a cost with units of choice can be paid, `less` units taken off."""
    short, free = 0, 0
    for resource in range(N_RESOURCES):
        short += max(price[resource] - s.bank[resource], 0)
        free += max(s.bank[resource] - price[resource], 0)
    return short + max(price[ANY] - free, 0) <= less
