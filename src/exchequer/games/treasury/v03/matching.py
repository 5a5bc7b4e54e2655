"""Matching: what the demand pile can serve, also with wild cards, also for several at once.

Demand cards that serve the same provisions form a class (a good, with or without barbarians), so
the pile is two packed numbers, how many cards of each good without and with barbarians, and so is
what a business needs: `NEED_BITS` for each good, for weapons, and for cards of any kind. Needs of
several businesses simply add up. All of this is public.
"""

import numpy as np

from exchequer.core.piles import card_at, pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.cards import (
    ANY_NEED,
    N_GOODS,
    NEED_BITS,
    NEED_MASK,
    PROVISION_NEED,
    WEAPON_NEED,
    Ability,
)
from exchequer.games.treasury.v03.holdings import ability_number, business_card, owns, works_at
from exchequer.games.treasury.v03.state import SLOTS, Pile

ALL_SLOTS = (1 << SLOTS) - 1
N_VARIANTS = 32  # which provisions take wild cards (3 bits), and which one takes any card (2 bits)
N_OPTIONS = SLOTS * N_VARIANTS
ANY_NUMBER = 99
ALL_CLASSES = (1 << 2 * N_GOODS) - 1

NATURAL, WILD, SELF_WILD = 1, 2, 3  # ways in which a card can serve a provision


# What the pile can serve (T3-25) -----------------------------------------------------------------

@apart
def supply(s, c):
    """The demand pile: cards of each good without and with barbarians, packed."""
    plain, armed = 0, 0
    for index in range(pile_size(s, Pile.DEMAND)):
        card = card_at(s, Pile.DEMAND, index)
        one = 1 << (NEED_BITS * np.int64(c.card[card].demand))
        if c.card[card].barbarian:
            armed += one
        else:
            plain += one
    return plain, armed


@apart
def fits(plain, armed, need):
    """T3-25 R3-20 Whether different cards can be found for all of a need.

    Goods take cards without barbarians first; the barbarians left over serve the weapons.
    """
    spare_arms, cards = 0, 0
    for good in range(N_GOODS):
        shift = NEED_BITS * good
        wanted = (need >> shift) & NEED_MASK
        without = (plain >> shift) & NEED_MASK
        both = without + ((armed >> shift) & NEED_MASK)
        if wanted > both:
            return False
        spare_arms += both - max(without, wanted)
        cards += both - wanted
    weapons = (need >> NEED_BITS * WEAPON_NEED) & NEED_MASK
    return weapons <= spare_arms and (need >> NEED_BITS * ANY_NEED) <= cards - weapons


@rule
def is_in_date(s, c, card):
    """T3-31 R3-23 Whether the business can still get a contract."""
    return s.age <= c.last_age[card]


@rule
def can_hold(s, c, seat, slot):
    """T3-30 R3-22 Open, without a contract and in date."""
    if ((s.opened[seat] & ~s.contracted[seat]) >> slot) & 1 == 0:
        return False
    return is_in_date(s, c, business_card(s, seat, slot))


# Wild cards (T3-29) ------------------------------------------------------------------------------

@apart
def wild_allowance(s, c, seat):
    """R3-37 How many wild demand cards one contract may take."""
    total = 0
    if owns(s, seat, Ability.WILD_DEMAND):
        for slot in range(SLOTS):
            if works_at(s, c, seat, slot, Ability.WILD_DEMAND):
                count = ability_number(c, business_card(s, seat, slot), Ability.WILD_DEMAND, 1)
                total += count if count > 0 else ANY_NUMBER
    return total


@apart
def self_wild_icons(s, c, seat, slot):
    """R3-45 Market on its owner's turn: the icons of which one may be served by any good."""
    if s.turn == seat and works_at(s, c, seat, slot, Ability.SELF_WILD_PROVISION):
        return ability_number(c, business_card(s, seat, slot), Ability.SELF_WILD_PROVISION, 0)
    return 0


@apart
def is_variant(c, card, first, variant, allowance, icons):
    """Whether the provisions from `first` on may be served in this way."""
    wild, any_at = variant & 7, (variant >> 3) - 1
    count = (wild & 1) + ((wild >> 1) & 1) + ((wild >> 2) & 1)
    if count > allowance or wild >> c.provisions[card] != 0 or wild & ((1 << first) - 1) != 0:
        return False
    if any_at < 0:
        return True
    if any_at < first or any_at >= c.provisions[card] or (wild >> any_at) & 1 == 1:
        return False
    return (icons >> c.icons[card, any_at]) & 1 == 1


@apart
def variant_need(c, card, first, variant):
    """What the provisions from `first` on need in this way, packed."""
    need = 0
    for i in range(first, c.provisions[card]):
        if (variant >> i) & 1 == 1:
            need += PROVISION_NEED[c.wild_icon]
        elif (variant >> 3) - 1 == i:
            need += 1 << NEED_BITS * ANY_NEED
        else:
            need += PROVISION_NEED[c.icons[card, i]]
    return need


@apart
def has_wild_way(s, c, seat, slot, plain, armed):
    """T3-29 Whether the business could be served with the help of wild cards."""
    card = business_card(s, seat, slot)
    allowance, icons = wild_allowance(s, c, seat), self_wild_icons(s, c, seat, slot)
    if allowance == 0 and icons == 0:
        return False
    for variant in range(1, N_VARIANTS):
        if is_variant(c, card, 0, variant, allowance, icons) and \
                fits(plain, armed, variant_need(c, card, 0, variant)):
            return True
    return False


@rule
def wants_wild(s, seat, slot):
    return (s.wild_yes[seat] >> slot) & 1 == 1


# Serving several players at once -----------------------------------------------------------------

@rule
def seat_in(owners):
    """The lowest seat of a set, NOBODY of an empty one."""
    for seat in range(4):
        if (owners >> seat) & 1 == 1:
            return seat
    return NOBODY


@apart
def next_option(s, c, seat, option):
    """The next way, from `option` on, in which one candidate of the seat's group can be served."""
    while option < N_OPTIONS:
        slot, variant = option // N_VARIANTS, option % N_VARIANTS
        if (s.group[seat] >> slot) & 1 == 0 or (variant > 0 and not wants_wild(s, seat, slot)):
            option = (slot + 1) * N_VARIANTS
            continue
        if variant == 0 or is_variant(c, business_card(s, seat, slot), 0, variant,
                                      wild_allowance(s, c, seat),
                                      self_wild_icons(s, c, seat, slot)):
            return option
        option += 1
    return option


@rule
def option_need(s, c, seat, option):
    card = business_card(s, seat, option // N_VARIANTS)
    return variant_need(c, card, 0, option % N_VARIANTS)


@apart
def serves_one(s, c, plain, armed, need, seat):
    """Whether, beside a need, one candidate of the seat can be served."""
    if seat == NOBODY:
        return fits(plain, armed, need)
    option = next_option(s, c, seat, 0)
    while option < N_OPTIONS:
        if fits(plain, armed, need + option_need(s, c, seat, option)):
            return True
        option = next_option(s, c, seat, option + 1)
    return False


@apart
def serves_two(s, c, plain, armed, need, seat, other):
    """The same for two seats."""
    if seat == NOBODY:
        return serves_one(s, c, plain, armed, need, other)
    option = next_option(s, c, seat, 0)
    while option < N_OPTIONS:
        more = need + option_need(s, c, seat, option)
        if fits(plain, armed, more) and serves_one(s, c, plain, armed, more, other):
            return True
        option = next_option(s, c, seat, option + 1)
    return False


@apart
def can_serve(s, c, plain, armed, need, owners):
    """T3-27 Whether a need and one candidate of each owner (three at most) can be served."""
    if owners == 0:
        return fits(plain, armed, need)
    seat = seat_in(owners)
    owners &= ~(1 << seat)
    other = seat_in(owners)
    last = seat_in(owners & ~(1 << max(other, 0)))
    option = next_option(s, c, seat, 0)
    while option < N_OPTIONS:
        more = need + option_need(s, c, seat, option)
        if fits(plain, armed, more) and serves_two(s, c, plain, armed, more, other, last):
            return True
        option = next_option(s, c, seat, option + 1)
    return False


@apart
def can_take(s, c, plain, armed, seat, slot, owners):
    """T3-27 Whether the seat may take this candidate and the owners after it are served."""
    for variant in range(N_VARIANTS if wants_wild(s, seat, slot) else 1):
        card = business_card(s, seat, slot)
        if is_variant(c, card, 0, variant, wild_allowance(s, c, seat),
                      self_wild_icons(s, c, seat, slot)) and \
                can_serve(s, c, plain, armed, variant_need(c, card, 0, variant), owners):
            return True
    return False


@rule
def serves_all(s, c, plain, armed, owners):
    """T3-27 (b) R3-16 Whether one candidate of every owner can be served at the same time."""
    seat = seat_in(owners)
    for slot in range(SLOTS):
        if (s.group[seat] >> slot) & 1 == 1 and \
                can_take(s, c, plain, armed, seat, slot, owners & ~(1 << seat)):
            return True
    return False
