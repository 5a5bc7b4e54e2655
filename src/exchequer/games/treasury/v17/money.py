"""The treasury and the contracts it pays (T17-39 to T17-44, T17-56, T17-58)."""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.cards import FIRST_WEAPON, N_ICONS, Ability
from exchequer.games.treasury.v17.state import (
    N_SLOTS,
    AbilityPayment,
    Ask,
    Event,
    Paying,
    Pile,
    Step,
)
from exchequer.games.treasury.v17.zones import (
    at_slot,
    business_at,
    demand_size,
    earn,
    fire,
    has,
    has_contract,
    left_of,
    power_sum,
    shows_skill,
    skill_index,
)

# Treasury ----------------------------------------------------------------------------------------

@rule
def fill_treasury(s, seat, card, amount, log):
    """T17-10 From the supply."""
    if amount > 0:
        s.treasury += amount
        note(log, Event.TREASURY_GAINED, seat, card, amount)


@rule
def take_treasury(s, amount, log):
    """T17-58 R17-27 Gold leaves the treasury; a change from some to none runs it out."""
    before = s.treasury
    s.treasury -= amount
    if before > 0 and s.treasury == 0:
        note(log, Event.RAN_OUT, s.current, 0, 0)
        then(s, Step.RAN_OUT, s.current, 0, 0)


@rule
def drain_treasury(s, seat, card, amount, log):
    """T17-10 A loss greater than what is there takes what is there."""
    amount = min(amount, s.treasury)
    if amount > 0:
        note(log, Event.TREASURY_LOST, seat, card, amount)
        take_treasury(s, amount, log)


@handles(Step.RAN_OUT)
def run_out(s):
    """T17-58 Players handle their Banks and Insurances in turn order from the current player."""
    for k in range(s.seats - 1, -1, -1):
        seat = left_of(s, s.current, k)
        if has(s, seat, Ability.EMPTY_GAIN) or has(s, seat, Ability.EMPTY_PAY):
            then(s, Step.RAN_OUT_SEAT, seat, 0, 0)


@handles(Step.RAN_OUT_SEAT)
def run_out_seat(s, c, seat, log):
    """T17-58 R17-66 Each Bank pays; each Insurance pays a contract."""
    for slot in range(N_SLOTS - 1, -1, -1):
        if s.opened[seat, slot]:
            card = business_at(s, seat, slot)
            i = skill_index(c, card, Ability.EMPTY_GAIN)
            if i != NOBODY:
                fire(log, seat, Ability.EMPTY_GAIN)
                earn(s, seat, card, c.amount[card, i], log)
            if shows_skill(c, card, Ability.EMPTY_PAY):
                then(s, Step.INSURE, seat, slot, 0)


# Contracts ---------------------------------------------------------------------------------------

@rule
def contract_value(s, c, seat, slot):
    """T17-40 R17-34 The figure on the business; Shoemaker's goes by the size of demand."""
    card = business_at(s, seat, slot)
    i = skill_index(c, card, Ability.VARIABLE_PRICE)
    if i != NOBODY and demand_size(s) >= c.count[card, i] * s.seats:
        return c.amount[card, i]
    return c.card[card].contract


@rule
def is_unpaid(s, seat, slot):
    """T17-5"""
    return has_contract(s, seat, slot) and s.paid[seat, slot] == 0


@rule
def can_pay(s, c, seat, slot):
    """T17-41 R17-23 Only in full, or with the supply's help where the variant says so."""
    if not is_unpaid(s, seat, slot):
        return False
    if c.ability_payment == AbilityPayment.TOP_UP:
        return s.treasury >= 1 or contract_value(s, c, seat, slot) == 0
    return s.treasury >= contract_value(s, c, seat, slot)


@apart
def pay_contract(s, c, seat, slot, log):
    """T17-41 Treasury gold goes onto the contract; if the treasury is short nothing moves."""
    if not can_pay(s, c, seat, slot):
        return
    value = contract_value(s, c, seat, slot)
    if shows_skill(c, business_at(s, seat, slot), Ability.VARIABLE_PRICE):
        fire(log, seat, Ability.VARIABLE_PRICE)
    from_treasury = min(value, s.treasury)
    lay_gold(s, seat, slot, value, log)
    if value > from_treasury:
        note(log, Event.TOPPED_UP, seat, business_at(s, seat, slot), value - from_treasury)
    take_treasury(s, from_treasury, log)


@rule
def lay_gold(s, seat, slot, value, log):
    """T17-42 Gold on a contract belongs to nobody yet."""
    s.contract_gold[seat, slot] += value
    s.paid[seat, slot] = 1
    note(log, Event.PAID_CONTRACT, seat, business_at(s, seat, slot), value)


@rule
def collect(s, seat, slot, log):
    """T17-42 The owner receives what lies on the contract."""
    gold = s.contract_gold[seat, slot]
    if gold > 0:
        s.contract_gold[seat, slot] = 0
        s.gold[seat] += gold
        s.income[seat] += gold
        note(log, Event.COLLECTED, seat, business_at(s, seat, slot), gold)


@rule
def lose_store(s, seat, slot, log):
    """R17-14 Gold stored on a business that leaves play returns to the supply."""
    gold = s.stored[seat, slot]
    if gold > 0:
        s.stored[seat, slot] = 0
        note(log, Event.STORE_LOST, seat, business_at(s, seat, slot), gold)


@rule
def payable(s, c, seat, without):
    """How many contracts of the seat could be paid now, and the last of them."""
    count, found = 0, NOBODY
    for slot in range(N_SLOTS):
        if slot != without and can_pay(s, c, seat, slot):
            count += 1
            found = slot
    return count, found


@handles(Step.PAY_ONE)
@handles(Step.EARLY_TRADE)
@apart
def pay_one(s, c, seat, log):
    """T17-41 The owner picks one of the contracts the treasury can cover; compulsory (R17-67)."""
    count, slot = payable(s, c, seat, NOBODY)
    if count == 1:
        pay_contract(s, c, seat, slot, log)
    elif count > 1:
        then(s, Ask.PAY_SLOT, seat, 0, 0)


# Insurance ---------------------------------------------------------------------------------------

@rule
def can_insure(s, c, seat, home, slot):
    """R17-62 An own unpaid contract not dearer than the gold stored on the Insurance."""
    if not is_unpaid(s, seat, slot):
        return False
    value = contract_value(s, c, seat, slot)
    if c.insurance_partial and value > 0:
        return s.stored[seat, home] > 0
    if value == 0:
        return not insures_gold(s, c, seat, home)
    return value <= s.stored[seat, home]


@apart
def insures_gold(s, c, seat, home):
    """R17-62 Whether a contract worth something could be insured: then one worth 0 may not."""
    for slot in range(N_SLOTS):
        if is_unpaid(s, seat, slot):
            value = contract_value(s, c, seat, slot)
            partly = c.insurance_partial and s.stored[seat, home] > 0
            if value > 0 and (value <= s.stored[seat, home] or partly):
                return True
    return False


@handles(Step.INSURE)
def start_insurance(s, c, seat, home, log):
    """R17-62 Compulsory where a contract qualifies."""
    count, found = 0, NOBODY
    for slot in range(N_SLOTS):
        if can_insure(s, c, seat, home, slot):
            count += 1
            found = slot
    if count == 1:
        insure(s, c, seat, home, found, log)
    elif count > 1:
        then(s, Ask.INSURE_SLOT, seat, home, 0)


@rule
def insure(s, c, seat, home, slot, log):
    """R17-62 The stored gold moves onto the contract, which is paid."""
    value = min(contract_value(s, c, seat, slot), s.stored[seat, home])
    fire(log, seat, Ability.EMPTY_PAY)
    s.stored[seat, home] -= value
    note(log, Event.INSURED, seat, business_at(s, seat, home), value)
    lay_gold(s, seat, slot, value, log)


# Weapons (T17-43, T17-44) ------------------------------------------------------------------------

@rule
def is_obsolete(s, c, card):
    """T17-44 R17-32 A business that shows an obsolete weapon, even beside other icons."""
    if s.obsolete == 0:
        return False
    for icon in range(FIRST_WEAPON, N_ICONS):
        if s.obsolete >> icon & 1 and c.needs[card, icon] > 0:
            return True
    return False


@rule
def contracted_weapons(s, c):
    """T17-6 Weapon icons on contracted businesses of all players."""
    total = 0
    for seat in range(s.seats):
        for slot in range(N_SLOTS):
            if has_contract(s, seat, slot):
                total += c.weapons[business_at(s, seat, slot)]
    return total


# The payout loop (T17-56) ------------------------------------------------------------------------

@rule
def is_payable(s, c, seat, slot, kind):
    """T17-56 R17-26 Unpaid; in a War only on businesses with weapons."""
    return is_unpaid(s, seat, slot) and (
        kind == Paying.ALL or c.weapons[business_at(s, seat, slot)] > 0)


@apart
def best_contract(s, c, seat, kind):
    """T17-56 The highest value among the unpaid, how many have it, and the first of them."""
    best, count, found = -1, 0, NOBODY
    for slot in range(N_SLOTS):
        if is_payable(s, c, seat, slot, kind):
            value = contract_value(s, c, seat, slot)
            if value > best:
                best, count, found = value, 1, slot
            elif value == best:
                count += 1
    return best, count, found


@handles(Step.PAYOUT)
def start_batch(s, c, kind):
    """T17-56 While the treasury holds gold and a contract is unpaid, one batch more."""
    open_contracts = 0
    for seat in range(s.seats):
        s.pick[seat] = NOBODY
        _, count, _ = best_contract(s, c, seat, kind)
        open_contracts += count
    if s.treasury > 0 and open_contracts > 0:
        then(s, Step.PAY_BATCH, s.current, kind, 0)
        for k in range(s.seats - 1, -1, -1):
            then(s, Step.PICK, left_of(s, s.current, k), kind, 0)


@handles(Step.PICK)
def pick_contract(s, c, seat, kind):
    """T17-56 R17-25 R17-26 Each player's best unpaid contract.

    Among equals the owner chooses in a War. At an End of Age all gold is collected at once and
    every contract is unpaid again, so that the choice would change nothing.
    """
    _, count, slot = best_contract(s, c, seat, kind)
    if count > 1 and kind == Paying.WEAPONS:
        then(s, Ask.PICK_SLOT, seat, kind, 0)
    else:
        s.pick[seat] = slot


@handles(Step.PAY_BATCH)
def pay_batch(s, c, kind, log):
    """T17-56 T17-67 T17-68 R17-24 The whole batch is paid; the supply adds what is missing."""
    cost = 0
    for seat in range(s.seats):
        if s.pick[seat] != NOBODY:
            slot = np.int64(s.pick[seat])
            value = contract_value(s, c, seat, slot)
            if shows_skill(c, business_at(s, seat, slot), Ability.VARIABLE_PRICE):
                fire(log, seat, Ability.VARIABLE_PRICE)
            cost += value
            lay_gold(s, seat, slot, value, log)
            s.pick[seat] = NOBODY
    if cost >= s.treasury:
        if cost > s.treasury:
            note(log, Event.TOPPED_UP, s.current, NOBODY, cost - s.treasury)
        take_treasury(s, s.treasury, log)
    else:
        s.treasury -= cost
        then(s, Step.PAYOUT, s.current, kind, 0)


# Contracts are laid ------------------------------------------------------------------------------

@rule
def contract_laid(s, c, seat, slot, log):
    """T17-37 When contracted: paid at once, or gold for every other open business."""
    card = business_at(s, seat, slot)
    if shows_skill(c, card, Ability.CONTRACT_GAIN):
        others = -1
        for other in range(N_SLOTS):
            if s.opened[seat, other]:
                others += 1
        fire(log, seat, Ability.CONTRACT_GAIN)
        i = skill_index(c, card, Ability.CONTRACT_GAIN)
        earn(s, seat, card, c.amount[card, i] * others, log)
    if shows_skill(c, card, Ability.CONTRACT_PAY) and can_pay(s, c, seat, slot):
        fire(log, seat, Ability.CONTRACT_PAY)
        pay_contract(s, c, seat, slot, log)


@rule
def contracts_total(s):
    """T17-45 Contracts on all players' businesses."""
    count = 0
    for seat in range(s.seats):
        for slot in range(N_SLOTS):
            count += pile_size(s, at_slot(Pile.CONTRACT, seat, slot))
    return count


@rule
def population(s):
    """T17-45 T17-47 Demand of any facing and contracts; no event of this set lowers it."""
    return demand_size(s) + contracts_total(s)


@rule
def opening_price(s, c, seat, card):
    """T17-34 The gold cost less Scribe's discount."""
    return max(c.card[card].gold_cost - power_sum(s, c, seat, Ability.DISCOUNT),
               0)


@rule
def dock_gold(s, c, seat):
    """Gold stored where it may pay for openings."""
    total = 0
    if has(s, seat, Ability.STORE_OPENS):
        for slot in range(N_SLOTS):
            if s.opened[seat, slot] and s.stored[seat, slot] > 0 and \
                    shows_skill(c, business_at(s, seat, slot), Ability.STORE_OPENS):
                total += s.stored[seat, slot]
    return total


@rule
def pay_opening(s, c, seat, card, amount, from_dock, log):
    """T17-34 Gold and stored gold pay for an opening."""
    if c.card[card].gold_cost > amount:
        fire(log, seat, Ability.DISCOUNT)
    if from_dock > 0:
        fire(log, seat, Ability.STORE_OPENS)
    left = from_dock
    for slot in range(N_SLOTS):
        if left > 0 and s.opened[seat, slot] and s.stored[seat, slot] > 0 and \
                shows_skill(c, business_at(s, seat, slot), Ability.STORE_OPENS):
            part = min(left, s.stored[seat, slot])
            s.stored[seat, slot] -= part
            left -= part
            note(log, Event.STORE_SPENT, seat, business_at(s, seat, slot), part)
    gold = amount - from_dock
    if gold > 0:
        s.gold[seat] -= gold
        note(log, Event.SPENT, seat, NOBODY, gold)


@rule
def take_gold(s, seat, victim, card, amount, log):
    """R17-61 Up to that much from an opponent; no shortfall is made up."""
    taken = min(amount, s.gold[victim])
    s.gold[victim] -= taken
    s.gold[seat] += taken
    note_for(log, Event.TOOK_GOLD, seat, victim, card, taken, ALL)

