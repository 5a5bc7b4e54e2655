"""The payout: step 7 of the End of Round."""

from exchequer.core.log import note
from exchequer.core.piles import pile_size
from exchequer.core.records import apart, rule
from exchequer.games.treasury.v03.cards import Ability
from exchequer.games.treasury.v03.drawing import discard
from exchequer.games.treasury.v03.holdings import (
    business_card,
    contract_value,
    fire,
    gain,
    owns,
    seat_after,
    take_treasury,
    total_of,
)
from exchequer.games.treasury.v03.state import SLOTS, Event, Pile

# Payout (T3-33, T3-34) ---------------------------------------------------------------------------

@rule
def use_armories(s, c, log):
    """T3-32 Step 7 begins: Armory's owners take from the treasury, in seat order."""
    for k in range(s.seats):
        seat = seat_after(s, k)
        gold = total_of(s, c, seat, Ability.BEFORE_PAYOUT_TAKE_TREASURY)
        if gold > 0 and s.treasury > 0:
            fire(s, c, seat, Ability.BEFORE_PAYOUT_TAKE_TREASURY, log)
            take_treasury(s, seat, gold, log)


@apart
def best_unpaid(s, c, seat):
    """T3-33 The slot of a player's most valuable contract that is not paid yet, or SLOTS."""
    best, found = -1, SLOTS
    unpaid = s.contracted[seat] & ~s.paid[seat]
    for slot in range(SLOTS):
        if unpaid >> slot == 0:
            break
        if (unpaid >> slot) & 1 == 1:
            value = contract_value(s, c, seat, slot)
            if value > best:
                best, found = value, slot
    return found


@rule
def batch_cost(s, c):
    """T3-33 What the next batch costs, -1 when nobody has a contract left."""
    cost = -1
    for seat in range(s.seats):
        slot = best_unpaid(s, c, seat)
        if slot < SLOTS:
            cost = max(cost, 0) + contract_value(s, c, seat, slot)
    return cost


@rule
def pay_batch(s, c, log):
    """T3-33 R3-28 Each player's best unpaid contract is paid in full."""
    for k in range(s.seats):
        seat = seat_after(s, k)
        slot = best_unpaid(s, c, seat)
        if slot < SLOTS:
            pay_contract(s, c, seat, slot, log)


@apart
def pay_contract(s, c, seat, slot, log):
    value = contract_value(s, c, seat, slot)
    if owns(s, seat, Ability.CONTRACT_PAYOUT_BONUS):
        fire(s, c, seat, Ability.CONTRACT_PAYOUT_BONUS, log)
    s.paid[seat] |= 1 << slot
    s.gold[seat] += value
    note(log, Event.PAID_OUT, seat, business_card(s, seat, slot), value)


@apart
def pay_out(s, c, log):
    """T3-33 R3-28 R3-46 Batch after batch while the treasury lasts; then Mint's owners."""
    for seat in range(s.seats):
        s.paid[seat] = 0
    cost = batch_cost(s, c)
    while s.treasury > 0 and cost >= 0:
        pay_batch(s, c, log)
        if cost > s.treasury:
            fall_short(s, c, cost - s.treasury, log)
        else:
            s.treasury -= cost
            if s.treasury == 0 and cost > 0:
                s.ran_out += 1
        cost = batch_cost(s, c)
    pay_mints(s, c, log)
    for seat in range(s.seats):
        s.paid[seat] = 0


@rule
def fall_short(s, c, missing, log):
    """T3-33 The supply adds what is missing; as many of the oldest demand cards as players go."""
    s.treasury = 0
    s.ran_out += 1
    note(log, Event.SUPPLY_ADDED, 0, 0, missing)
    for _ in range(s.seats):
        if pile_size(s, Pile.DEMAND) > 0:
            discard(s, c, Pile.DEMAND, 0, log)


@rule
def pay_mints(s, c, log):
    """R3-46 Mint: the supply pays what the treasury did not."""
    for k in range(s.seats):
        seat = seat_after(s, k)
        if owns(s, seat, Ability.PAID_AFTER_EXHAUSTION):
            slot = best_unpaid(s, c, seat)
            while slot < SLOTS:
                value = contract_value(s, c, seat, slot)
                fire(s, c, seat, Ability.PAID_AFTER_EXHAUSTION, log)
                note(log, Event.SUPPLY_ADDED, seat, 0, value)
                pay_contract(s, c, seat, slot, log)
                slot = best_unpaid(s, c, seat)


@rule
def pay_for_empty_treasury(s, c, log):
    """T3-34 Bank, Draper: paid at the end of the step for each time the treasury ran out."""
    for k in range(s.seats):
        seat = seat_after(s, k)
        gold = total_of(s, c, seat, Ability.GAIN_WHEN_TREASURY_EMPTIES)
        if gold > 0 and s.ran_out > 0:
            fire(s, c, seat, Ability.GAIN_WHEN_TREASURY_EMPTIES, log)
            gain(s, seat, gold * s.ran_out, log)
    s.ran_out = 0
