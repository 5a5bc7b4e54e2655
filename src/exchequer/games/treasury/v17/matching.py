"""Claims: whether a business's provisions can all be matched in demand (T17-38).

A matching gives every icon of the business a face-up card of its own. Goods want their own icon,
weapons take any card; so an assignment exists exactly when every good has cards enough and all
cards together are enough. Trade Post turns one food into an icon that takes any card, Scriptorium
lets one happiness card serve any icon.
"""

import numpy as np

from exchequer.core.piles import pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.cards import FIRST_WEAPON, Ability
from exchequer.games.treasury.v17.money import is_obsolete
from exchequer.games.treasury.v17.state import N_SLOTS, ContractTakes, CookSize, Pile, Refusal
from exchequer.games.treasury.v17.zones import (
    ability_icons,
    at_slot,
    business_at,
    has,
    has_business,
    has_contract,
    shows_skill,
    visible,
)


@apart
def shortfall(s, c, card, taken, served, wild_icon, strict):
    """Icons for which no card is left, after the card `taken` serves the icon `served`.

    `wild_icon` goods lose one icon to the any-card kind; `strict` counts every icon, otherwise
    only kinds. Returns the missing goods; -1 when the cards in all are too few.
    """
    missing, icons, total = 0, 0, 0
    for icon in range(FIRST_WEAPON):
        there = visible(s, c, icon)
        total += there
        if taken != NOBODY and c.demand[taken] == icon:
            there -= 1
        need = np.int64(c.needs[card, icon])
        icons += need
        if icon == wild_icon and need > 0:
            need -= 1
        if icon == served:
            need -= 1
        if not strict:
            need = min(need, 1)
            there = min(there, 1)
        if need > there:
            missing += need - there
    icons += np.int64(c.weapons[card])
    if (strict and icons > total) or total == 0:
        return -1
    return missing


@rule
def matches_with(s, c, card, wild_icon, wild_demand):
    """T17-38 R17-2 R17-5 The assignment, with or without the two abilities that relax it."""
    strict = c.match_multiplicity == 1
    missing = shortfall(s, c, card, NOBODY, NOBODY, wild_icon, strict)
    if missing == 0:
        return True
    if missing != 1 or wild_demand == NOBODY:
        return False
    return spare(s, c, card, wild_icon, wild_demand, 0, strict)


@rule
def spare(s, c, card, wild_icon, icon, taken, strict):
    """R17-38 One visible card of the icon that the business's own icons can do without.

    `taken` of them serve another icon already.
    """
    need = np.int64(c.needs[card, icon])
    if icon == wild_icon and need > 0:
        need -= 1
    if not strict:
        return visible(s, c, icon) > 0
    return visible(s, c, icon) - taken > need


@rule
def wild_food(s, c, seat, card):
    """R17-37 The icon that Trade Post bends on this business, or NOBODY."""
    if not has(s, seat, Ability.WILD_PROVISION):
        return NOBODY
    if c.trade_post_self_only and not shows_skill(c, card, Ability.WILD_PROVISION):
        return NOBODY
    return relaxed_icon(s, c, seat, Ability.WILD_PROVISION)


@rule
def wild_card(s, c, seat):
    """R17-38 The demand icon that Scriptorium lets stand for any, or NOBODY."""
    if not has(s, seat, Ability.WILD_DEMAND):
        return NOBODY
    return relaxed_icon(s, c, seat, Ability.WILD_DEMAND)


@apart
def relaxed_icon(s, c, seat, ability):
    """The icon named by the ability of an open business."""
    for slot in range(N_SLOTS):
        if s.opened[seat, slot] and shows_skill(c, business_at(s, seat, slot), ability):
            mask = ability_icons(c, business_at(s, seat, slot), ability)
            for icon in range(FIRST_WEAPON):
                if mask >> icon & 1:
                    return icon
    return NOBODY


@apart
def is_matched(s, c, seat, card):
    """T17-38 T17-66"""
    return matches_with(s, c, card, wild_food(s, c, seat, card), wild_card(s, c, seat))


@apart
def claim_refusal(s, c, seat, slot):
    """T17-37 R17-6 An open, uncontracted business without obsolete weapons that is matched."""
    if not has_business(s, seat, slot) or s.opened[seat, slot] == 0:
        return Refusal.NO_BUSINESS
    if has_contract(s, seat, slot):
        return Refusal.HAS_CONTRACT
    card = business_at(s, seat, slot)
    if is_obsolete(s, c, card):
        return Refusal.OBSOLETE
    if pile_size(s, Pile.DEMAND) == 0:
        return Refusal.NO_DEMAND
    return Refusal.NONE if is_matched(s, c, seat, card) else Refusal.NO_MATCH


@rule
def can_hold(s, c, seat, slot):
    """T17-39 T17-44 Whether a contract may be laid on it by whatever route."""
    return s.opened[seat, slot] == 1 and not has_contract(s, seat, slot) and \
        not is_obsolete(s, c, business_at(s, seat, slot))


@rule
def cook_reaches(s, c, seat, slot, target):
    """R17-35 Another own business that can hold the contract, with as many icons."""
    if target == slot or not can_hold(s, c, seat, target):
        return False
    here = c.icon_count[business_at(s, seat, slot)]
    there = c.icon_count[business_at(s, seat, target)]
    if c.cook_size_rule == CookSize.AT_LEAST:
        return there >= here
    if c.cook_size_rule == CookSize.AT_MOST:
        return there <= here
    return there == here


@rule
def contract_index(s, c, seat, slot):
    """T17-37 R17-3 The bottom card of demand, or the oldest that can be part of the matching."""
    if c.contract_takes == ContractTakes.OLDEST_MATCHING:
        card = business_at(s, seat, slot)
        for index in range(pile_size(s, Pile.DEMAND)):
            place = s.start[Pile.DEMAND] + index
            if s.face_up[place] and takes_part(s, c, seat, card, np.int64(s.card[place])):
                return index
    return 0


@apart
def takes_part(s, c, seat, card, demand_card):
    """R17-3 Whether a full matching exists in which this demand card serves an icon."""
    wild_icon, wild = wild_food(s, c, seat, card), wild_card(s, c, seat)
    icon = np.int64(c.demand[demand_card])
    strict = c.match_multiplicity == 1
    if c.weapons[card] > 0 or (wild_icon != NOBODY and c.needs[card, wild_icon] > 0):
        # it serves the icon that takes any card, if the others can be matched without it
        missing = shortfall(s, c, card, demand_card, NOBODY, wild_icon, strict)
        taken = 1 if icon == wild else 0
        if missing == 0 or (missing == 1 and wild != NOBODY
                            and spare(s, c, card, wild_icon, wild, taken, strict)):
            return True
    if c.needs[card, icon] > 0:
        missing = shortfall(s, c, card, demand_card, icon, wild_icon, strict)
        bent = shortfall(s, c, card, demand_card, icon, NOBODY, strict)
        if missing == 0 or bent == 0:
            return True
        if missing == 1 and wild != NOBODY and spare(s, c, card, wild_icon, wild, 0, strict):
            return True
    if icon == wild:
        for served in range(FIRST_WEAPON):
            if c.needs[card, served] > 0 and \
                    shortfall(s, c, card, demand_card, served, wild_icon, strict) == 0:
                return True
    return False


@rule
def contract_pile(seat, slot):
    return at_slot(Pile.CONTRACT, seat, slot)
