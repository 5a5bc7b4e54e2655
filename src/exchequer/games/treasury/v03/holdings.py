"""What players have: businesses in their places, the abilities at work, gold, and the treasury.

`refresh` writes down, for one seat, what follows from the cards in front of it; everything else
reads these tables. It is called whenever a business or a contract comes or goes.
"""

import numpy as np

from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import card_at, move, pile_size
from exchequer.core.records import apart, rule
from exchequer.games.treasury.v03.cards import (
    FIRST_WEAPON,
    MOST_ABILITIES,
    N_ICONS,
    NO_ABILITY,
    Ability,
)
from exchequer.games.treasury.v03.state import NO_CARD, SLOTS, Event, Pile

# Cards -------------------------------------------------------------------------------------------

@rule
def carry(s, source, index, target, position):
    """R3-60 `move`; a change of demand is news."""
    if source == Pile.DEMAND or target == Pile.DEMAND:
        s.wild_news = ALL
    return move(s, source, index, target, position)


# Seats -------------------------------------------------------------------------------------------

@rule
def seat_after(s, k):
    """The seat `k` places after the starting player."""
    return np.int64((s.first + k) % s.seats)


# Businesses --------------------------------------------------------------------------------------


@rule
def business_pile(seat, slot):
    """The pile of the business itself."""
    return Pile.BUSINESS + 3 * (seat * SLOTS + slot)


@rule
def development_pile(seat, slot):
    return Pile.BUSINESS + 3 * (seat * SLOTS + slot) + 1


@rule
def contract_pile(seat, slot):
    return Pile.BUSINESS + 3 * (seat * SLOTS + slot) + 2


@rule
def business_card(s, seat, slot):
    """The card in that place, or NO_CARD."""
    pile = business_pile(seat, slot)
    return np.int64(card_at(s, pile, 0)) if pile_size(s, pile) > 0 else NO_CARD


@rule
def is_open(s, seat, slot):
    return (s.opened[seat] >> slot) & 1 == 1


@rule
def is_startup(s, seat, slot):
    return (s.startups[seat] >> slot) & 1 == 1


@rule
def is_contracted(s, seat, slot):
    return (s.contracted[seat] >> slot) & 1 == 1


@rule
def is_business(s, seat, slot):
    return ((s.opened[seat] | s.startups[seat]) >> slot) & 1 == 1


@rule
def business_count(s, seat):
    """R3-48 Open businesses and startups."""
    count = 0
    for slot in range(SLOTS):
        count += ((s.opened[seat] | s.startups[seat]) >> slot) & 1
    return count


@rule
def free_slot(s, seat):
    """R3-58 The first free place for a business, or SLOTS."""
    taken = s.opened[seat] | s.startups[seat]
    slot = 0
    while slot < SLOTS and (taken >> slot) & 1 == 1:
        slot += 1
    return slot


@rule
def is_at_work(s, c, seat, slot):
    """T3-5 R3-21 Open; with contract_blocks_ability also without a contract."""
    blocked = c.contract_blocks_ability and is_contracted(s, seat, slot)
    return is_open(s, seat, slot) and not blocked


@apart
def refresh(s, c, seat):
    """T3-4 T3-5 What the cards in front of a seat amount to."""
    s.wild_news = s.wild_news | (1 << seat)  # R3-60
    s.opened[seat] = 0
    s.startups[seat] = 0
    s.contracted[seat] = 0
    s.abilities[seat] = 0
    for icon in range(N_ICONS):
        s.provided[seat, icon] = 0
    for slot in range(SLOTS):
        pile = business_pile(seat, slot)
        if s.start[pile] == s.start[business_pile(seat, SLOTS)]:
            break  # no card lies further on
        if pile_size(s, pile) == 0:
            continue
        if s.face_up[s.start[pile]] == 0:
            s.startups[seat] |= 1 << slot
            continue
        s.opened[seat] |= 1 << slot
        if pile_size(s, contract_pile(seat, slot)) > 0:
            s.contracted[seat] |= 1 << slot
        card = s.card[s.start[pile]]
        for i in range(c.provisions[card]):
            s.provided[seat, c.icons[card, i]] += 1
        if is_at_work(s, c, seat, slot):
            s.abilities[seat] |= c.mask[card]


# Abilities ---------------------------------------------------------------------------------------

@rule
def owns(s, seat, ability):
    """Whether the ability is at work for this seat."""
    return (s.abilities[seat] >> ability) & 1 == 1


@rule
def ability_index(c, card, ability):
    """Which of the card's abilities it is, or NO_ABILITY."""
    for i in range(MOST_ABILITIES):
        if c.codes[card, i] == ability:
            return i
    return NO_ABILITY


@rule
def ability_number(c, card, ability, place):
    """A number of a card's ability; the card must have it."""
    return c.numbers[card, ability_index(c, card, ability), place]


@apart
def works_at(s, c, seat, slot, ability):
    """Whether the business in that place is at work and has the ability."""
    if not is_at_work(s, c, seat, slot):
        return False
    return (c.mask[business_card(s, seat, slot)] >> ability) & 1 == 1


@apart
def total_of(s, c, seat, ability):
    """The first numbers of all copies at work, added up."""
    total = 0
    if owns(s, seat, ability):
        for slot in range(SLOTS):
            if works_at(s, c, seat, slot, ability):
                total += ability_number(c, business_card(s, seat, slot), ability, 0)
    return total


@apart
def largest_of(s, c, seat, ability):
    """The largest first number of the copies at work, -1 without any."""
    largest = -1
    if owns(s, seat, ability):
        for slot in range(SLOTS):
            if works_at(s, c, seat, slot, ability):
                largest = max(largest,
                              ability_number(c, business_card(s, seat, slot), ability, 0))
    return largest


@apart
def card_with(s, c, seat, ability):
    """The seat's first business at work with the ability; it must have one."""
    for slot in range(SLOTS):
        if works_at(s, c, seat, slot, ability):
            return business_card(s, seat, slot)
    return NO_CARD


@rule
def first_owner(s, ability):
    """The first seat in order from the starting player that has the ability, or -1."""
    for k in range(s.seats):
        seat = (s.first + k) % s.seats
        if owns(s, seat, ability):
            return seat
    return -1


@apart
def fire(s, c, seat, ability, log):
    """Tell that an ability took effect, and on which business."""
    note(log, Event.ABILITY, seat, ability, card_with(s, c, seat, ability))


# Icons -------------------------------------------------------------------------------------------

@rule
def total_provided(s, icon):
    """T3-39 The icons of all players together."""
    total = 0
    for seat in range(s.seats):
        total += s.provided[seat, icon]
    return total


@rule
def weapons_of(s, seat):
    """R3-17 Weapon icons on open businesses, contracted or not."""
    total = 0
    for icon in range(FIRST_WEAPON, N_ICONS):
        total += s.provided[seat, icon]
    return total


@rule
def provides_from(s, seat, weapon):
    """R3-42 Whether the seat provides that weapon or a better one."""
    total = 0
    for icon in range(weapon, N_ICONS):
        total += s.provided[seat, icon]
    return total > 0


@rule
def shows_icon(c, card, icons):
    """Whether a card provides one of the icons in the mask."""
    count = 0
    for i in range(c.provisions[card]):
        count += (icons >> c.icons[card, i]) & 1
    return count > 0


@apart
def contract_value(s, c, seat, slot):
    """T3-33 The contract price, and what Clothworks adds to each."""
    card = business_card(s, seat, slot)
    return c.card[card].contract + total_of(s, c, seat, Ability.CONTRACT_PAYOUT_BONUS)


# Gold --------------------------------------------------------------------------------------------

@rule
def gain(s, seat, gold, log):
    """T3-8 From the supply."""
    if gold > 0:
        s.gold[seat] += gold
        note(log, Event.GAINED, seat, 0, gold)


@rule
def pay_player(s, seat, other, most, what, log):
    """T3-8 From one player to another, at most what is there. Returns how much."""
    gold = min(most, s.gold[seat])
    if gold > 0:
        s.gold[seat] -= gold
        s.gold[other] += gold
        note_for(log, what, seat, other, 0, gold, ALL)
    return gold


@rule
def drain_treasury(s, most):
    """T3-34 Take from the treasury, at most what is there; note when it runs out."""
    gold = min(most, s.treasury)
    s.treasury -= gold
    if gold > 0 and s.treasury == 0:
        s.ran_out += 1
    return gold


@rule
def lose_treasury(s, most, log):
    """From the treasury to the supply."""
    gold = drain_treasury(s, most)
    note(log, Event.TREASURY_LOST, 0, 0, gold)


@rule
def take_treasury(s, seat, most, log):
    """From the treasury to a player."""
    gold = drain_treasury(s, most)
    if gold > 0:
        s.gold[seat] += gold
        note(log, Event.TOOK_TREASURY, seat, 0, gold)


@rule
def fill_treasury(s, gold, log):
    """From the supply to the treasury."""
    s.treasury += gold
    note(log, Event.TREASURY_GAINED, 0, 0, gold)
