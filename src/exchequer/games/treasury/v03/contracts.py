"""Contracts: who can be served from the demand pile, who goes first, and the award itself.

Demand cards that serve the same provisions form a class (a good, with or without barbarians), so
the pile is two packed numbers, how many cards of each good without and with barbarians, and so is
what a business needs: `NEED_BITS` for each good, for weapons, and for cards of any kind. Needs of
several businesses simply add up. A *candidate* is a business that the pile can serve; one that
needs wild cards counts only if its owner wants it (`wild_yes`). All of this is public.

The check runs in passes. A pass makes one award, or one for each player of a group, and the next
pass starts from what is left; when nothing more can be awarded, the check is over.
"""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.log import note
from exchequer.core.piles import TOP, card_at, pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.cards import (
    ANY_NEED,
    FIRST_WEAPON,
    N_GOODS,
    N_ICONS,
    NEED_BITS,
    NEED_MASK,
    PROVISION_NEED,
    WEAPON_NEED,
    Ability,
)
from exchequer.games.treasury.v03.drawing import discard, find_in
from exchequer.games.treasury.v03.holdings import (
    ability_number,
    business_card,
    carry,
    contract_pile,
    fire,
    first_owner,
    owns,
    refresh,
    weapons_of,
    works_at,
)
from exchequer.games.treasury.v03.state import SLOTS, Ask, Event, Pile, Step

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
    plain, armed = np.int64(0), np.int64(0)
    for index in range(pile_size(s, Pile.DEMAND)):
        card = card_at(s, Pile.DEMAND, index)
        one = np.int64(1) << (NEED_BITS * np.int64(c.card[card].demand))
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
    spare_arms, cards = np.int64(0), np.int64(0)
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
    total = np.int64(0)
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
    return np.int64(0)


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
    need = np.int64(0)
    for i in range(first, c.provisions[card]):
        if (variant >> i) & 1 == 1:
            need += PROVISION_NEED[c.wild_icon]
        elif (variant >> 3) - 1 == i:
            need += np.int64(1) << NEED_BITS * ANY_NEED
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


@apart
def ask_wild(s, c, plain, armed):
    """T3-29 Ask an owner about a match that needs wild cards, once in a check."""
    for k in range(s.seats):
        seat = np.int64((s.first + k) % s.seats)
        if not (owns(s, seat, Ability.WILD_DEMAND) or owns(s, seat, Ability.SELF_WILD_PROVISION)):
            continue
        answered = s.wild_yes[seat] | s.wild_no[seat]
        for slot in range(SLOTS):
            if (answered >> slot) & 1 == 0 and can_hold(s, c, seat, slot) and \
                    not fits(plain, armed, c.need[business_card(s, seat, slot)]) and \
                    has_wild_way(s, c, seat, slot, plain, armed):
                then(s, Step.CHECK_ON, seat, 0, 0)
                then(s, Ask.WILD, seat, slot, 0)
                return True
    return False


# Candidates and groups (T3-27) -------------------------------------------------------------------

@rule
def is_candidate(s, c, seat, slot, plain, armed):
    """T3-25 T3-29"""
    if not can_hold(s, c, seat, slot):
        return False
    if fits(plain, armed, c.need[business_card(s, seat, slot)]):
        return True
    return wants_wild(s, seat, slot) and has_wild_way(s, c, seat, slot, plain, armed)


@rule
def bit_of(seat, slot):
    """A business as a bit; a set of businesses is one number."""
    return np.int64(1) << (seat * SLOTS + slot)


@apart
def candidates(s, c, plain, armed):
    """T3-27 All candidates, as a set."""
    found = np.int64(0)
    for seat in range(s.seats):
        if s.opened[seat] & ~s.contracted[seat] != 0:
            for slot in range(SLOTS):
                if is_candidate(s, c, seat, slot, plain, armed):
                    found |= bit_of(seat, slot)
    return found


@apart
def usable(s, c, seat, slot):
    """The classes of demand cards this candidate could use."""
    classes = np.int64(c.uses[business_card(s, seat, slot)])
    if wants_wild(s, seat, slot):
        if wild_allowance(s, c, seat) > 0:
            classes |= 3 << 2 * c.wild_icon
        if self_wild_icons(s, c, seat, slot) != 0:
            classes |= ALL_CLASSES
    return classes


@rule
def present_classes(plain, armed):
    """The classes of which the pile holds a card."""
    classes = np.int64(0)
    for good in range(N_GOODS):
        if (plain >> NEED_BITS * good) & NEED_MASK != 0:
            classes |= 1 << 2 * good
        if (armed >> NEED_BITS * good) & NEED_MASK != 0:
            classes |= 2 << 2 * good
    return classes


@rule
def rivals_use(s, c, group, seat, present):
    """The classes that candidates of other players in the group could use."""
    classes = np.int64(0)
    for other in range(s.seats):
        if other != seat:
            for slot in range(SLOTS):
                if group & bit_of(other, slot) != 0:
                    classes |= usable(s, c, other, slot)
    return classes & present


@apart
def group_of(s, c, pool, seat, slot, present):
    """T3-27 R3-16 The candidates connected with one through cards that rivals could use."""
    group = bit_of(seat, slot)
    grew = True
    while grew:
        grew = False
        for other in range(s.seats):
            theirs = rivals_use(s, c, group, other, present)
            for place in range(SLOTS):
                one = bit_of(other, place)
                if pool & one != 0 and group & one == 0 and \
                        usable(s, c, other, place) & theirs != 0:
                    group |= one
                    grew = True
    return group


@rule
def owners_of(s, group):
    """A bit for each seat with a candidate in the group."""
    owners = 0
    for seat in range(s.seats):
        if (group >> seat * SLOTS) & ALL_SLOTS != 0:
            owners |= 1 << seat
    return owners


@rule
def is_one_seat(owners):
    return owners & (owners - 1) == 0


@rule
def seat_in(owners):
    """The lowest seat of a set, NOBODY of an empty one."""
    for seat in range(4):
        if (owners >> seat) & 1 == 1:
            return np.int64(seat)
    return np.int64(NOBODY)


# Serving several players at once -----------------------------------------------------------------

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
    """T3-27 Whether the seat may take this candidate so that the owners after it are served."""
    if owners == 0:
        return True
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


# Ties (T3-28) ------------------------------------------------------------------------------------

@rule
def best_armed(s, owners):
    """T3-28 R3-17 Most weapons, then most of the best weapon among those tied."""
    left = most_of(s, owners, -1)
    if is_one_seat(left):
        return left
    for weapon in range(N_ICONS - 1, FIRST_WEAPON - 1, -1):
        for seat in range(s.seats):
            if (left >> seat) & 1 == 1 and s.provided[seat, weapon] > 0:
                return most_of(s, left, weapon)
    return left


@rule
def most_of(s, owners, weapon):
    """The owners with the most icons of a weapon, or of all weapons (-1)."""
    most, left = -1, 0
    for seat in range(s.seats):
        if (owners >> seat) & 1 == 1:
            count = s.provided[seat, weapon] if weapon >= 0 else weapons_of(s, seat)
            if count > most:
                most, left = count, 1 << seat
            elif count == most:
                left |= 1 << seat
    return left


# The check (T3-25 to T3-28) ----------------------------------------------------------------------

@rule
def start_check(s, c, log):
    """T3-25 R3-15 A new check, for all players; nobody has said anything about wild cards yet."""
    for seat in range(s.seats):
        s.wild_yes[seat] = 0
        s.wild_no[seat] = 0
    check_contracts(s, c, log)


@apart
def check_contracts(s, c, log):
    """T3-27 R3-18 One pass: the first group that is not blocked gets its award."""
    if pile_size(s, Pile.DEMAND) == 0:
        return
    plain, armed = supply(s, c)
    if ask_wild(s, c, plain, armed):
        return
    pool = candidates(s, c, plain, armed)
    if pool == 0:
        return
    present = present_classes(plain, armed)
    for k in range(s.seats):
        seat = np.int64((s.first + k) % s.seats)
        for slot in range(SLOTS):
            if pool & bit_of(seat, slot) != 0:
                group = group_of(s, c, pool, seat, slot, present)
                if owners_of(s, group) == 1 << seat:
                    award_unrivalled(s, c, pool, seat, present)
                    return
                if settle_group(s, c, plain, armed, group, log):
                    return
                pool &= ~group  # blocked until the next check


@apart
def award_unrivalled(s, c, pool, seat, present):
    """T3-27 (a) The owner takes one of the candidates that nobody competes with."""
    s.group[seat] = 0
    for slot in range(SLOTS):
        if pool & bit_of(seat, slot) != 0:
            group = group_of(s, c, pool, seat, slot, present)
            if owners_of(s, group) == 1 << seat:
                s.group[seat] |= 1 << slot
    then(s, Step.CHECK_ON, seat, 0, 0)
    then(s, Step.TAKE, seat, 0, 0)


@apart
def settle_group(s, c, plain, armed, group, log):
    """T3-27 T3-28 R3-19 All are served, or the best armed, or whom Judge names; or nobody yet."""
    owners = owners_of(s, group)
    for seat in range(s.seats):
        s.group[seat] = (group >> seat * SLOTS) & ALL_SLOTS
    if serves_all(s, c, plain, armed, owners):
        award_each(s, owners)
        return True
    tied = best_armed(s, owners)
    if is_one_seat(tied):
        award_tie(s, seat_in(tied), log)
        return True
    judge = first_owner(s, Ability.DECIDE_CONTRACT_TIES)
    if judge != NOBODY:
        then(s, Ask.JUDGE, judge, tied, 0)
        return True
    return False


@rule
def award_each(s, owners):
    """T3-27 (b) In seat order, each leaving enough for those after them."""
    then(s, Step.CHECK_ON, 0, 0, 0)
    later = 0
    for k in range(s.seats - 1, -1, -1):
        seat = (s.first + k) % s.seats
        if (owners >> seat) & 1 == 1:
            then(s, Step.TAKE, seat, later, 0)
            later |= 1 << seat


@rule
def award_tie(s, seat, log):
    """T3-27 (c) The winner takes one of their candidates in the group."""
    note(log, Event.TIE_WON, seat, 0, weapons_of(s, seat))
    then(s, Step.CHECK_ON, seat, 0, 0)
    then(s, Step.TAKE, seat, 0, 0)


@rule
def judge_tie(s, c, judge, seat, log):
    """R3-19 Judge's owner names the winner."""
    fire(s, c, judge, Ability.DECIDE_CONTRACT_TIES, log)
    award_tie(s, seat, log)


# The award (T3-26) -------------------------------------------------------------------------------

@rule
def take_award(s, seat, later):
    """T3-26 The seat takes one of its candidates; `later` must still be served after it."""
    s.serve = later
    then(s, Ask.AWARD, seat, 0, 0)


@rule
def start_award(s, seat, slot):
    s.wild_used = 0
    s.self_used = 0
    then(s, Step.FIT, seat, slot, 0)


@apart
def serves_rest(s, c, seat, slot, first, plain, armed, wild_used, self_used):
    """Whether the provisions from `first` on, and those who come later, can still be served."""
    card = business_card(s, seat, slot)
    allowance = wild_allowance(s, c, seat) - wild_used
    icons = np.int64(0) if self_used else self_wild_icons(s, c, seat, slot)
    for variant in range(N_VARIANTS if wants_wild(s, seat, slot) else 1):
        if is_variant(c, card, first, variant, allowance, icons) and \
                can_serve(s, c, plain, armed, variant_need(c, card, first, variant), s.serve):
            return True
    return False


@rule
def serves_naturally(c, card, provision):
    """T3-25 R3-20 A good by its icon, a weapon by barbarians."""
    if provision >= FIRST_WEAPON:
        return c.card[card].barbarian == 1
    return c.card[card].demand == provision


@apart
def way_to_serve(s, c, seat, slot, index, card):
    """T3-26 How a demand card can serve a provision so that all else still can be, or 0."""
    plain, armed = supply(s, c)
    one = np.int64(1) << (NEED_BITS * np.int64(c.card[card].demand))
    if c.card[card].barbarian:
        armed -= one
    else:
        plain -= one
    provision = np.int64(c.icons[business_card(s, seat, slot), index])
    if serves_naturally(c, card, provision) and \
            serves_rest(s, c, seat, slot, index + 1, plain, armed, s.wild_used, s.self_used):
        return NATURAL
    if not wants_wild(s, seat, slot):
        return 0
    if c.card[card].demand == c.wild_icon and s.wild_used < wild_allowance(s, c, seat) and \
            serves_rest(s, c, seat, slot, index + 1, plain, armed, s.wild_used + 1, s.self_used):
        return WILD
    if s.self_used == 0 and (self_wild_icons(s, c, seat, slot) >> provision) & 1 == 1 and \
            serves_rest(s, c, seat, slot, index + 1, plain, armed, s.wild_used, 1):
        return SELF_WILD
    return 0


@apart
def take_card(s, c, seat, slot, index, card, log):
    """T3-26 One demand card for one provision."""
    way = way_to_serve(s, c, seat, slot, index, card)
    if way == WILD:
        s.wild_used += 1
        fire(s, c, seat, Ability.WILD_DEMAND, log)
    elif way == SELF_WILD:
        s.self_used = 1
        fire(s, c, seat, Ability.SELF_WILD_PROVISION, log)
    carry(s, Pile.DEMAND, find_in(s, Pile.DEMAND, card), Pile.ASIDE, TOP)
    then(s, Step.FIT, seat, slot, index + 1)


@rule
def fit_next(s, c, seat, slot, index):
    """T3-26 The next provision takes its card; with all taken, one is kept."""
    if index < c.provisions[business_card(s, seat, slot)]:
        then(s, Ask.FIT, seat, slot, index)
    else:
        then(s, Ask.KEEP, seat, slot, 0)


@apart
def keep_card(s, c, seat, slot, card, log):
    """T3-26 R3-57 One of the cards taken is the contract, the others are discarded."""
    earner = business_card(s, seat, slot)
    note(log, Event.AWARDED, seat, earner, np.int64(c.provisions[earner]))
    for index in range(pile_size(s, Pile.ASIDE) - 1, -1, -1):
        if card_at(s, Pile.ASIDE, index) != card:
            discard(s, c, Pile.ASIDE, index, log)
    if owns(s, seat, Ability.REDIRECT_CONTRACT):
        then(s, Ask.COUNCIL, seat, slot, 0)
    else:
        lay_contract(s, c, seat, slot, Pile.ASIDE, 0, log)


@apart
def lay_contract(s, c, seat, slot, pile, index, log):
    """T3-26 T3-30 Face-down on the business; all have seen which card it is."""
    place = carry(s, pile, index, contract_pile(seat, slot), TOP)
    s.face_up[place] = 0
    refresh(s, c, seat)
    note(log, Event.LAID, seat, business_card(s, seat, slot), np.int64(s.card[place]))


@rule
def redirect_contract(s, c, seat, earned, slot, log):
    """R3-22 Council: the contract goes to another business of its owner."""
    if slot != earned:
        fire(s, c, seat, Ability.REDIRECT_CONTRACT, log)
    lay_contract(s, c, seat, slot, Pile.ASIDE, 0, log)

