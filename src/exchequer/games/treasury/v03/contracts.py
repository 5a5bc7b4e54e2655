"""Contracts: who gets what the demand pile can serve, and the award itself.

A *candidate* is a business that the pile can serve; one that needs wild cards counts only if its
owner wants it (`wild_yes`). The check runs in passes. A pass makes one award, or one for each
player of a group, and the next pass starts from what is left; when nothing more can be awarded,
the check is over.
"""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.piles import TOP, card_at, pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.cards import (
    FIRST_WEAPON,
    N_GOODS,
    N_ICONS,
    NEED_BITS,
    NEED_MASK,
    Ability,
)
from exchequer.games.treasury.v03.drawing import discard, find_in
from exchequer.games.treasury.v03.holdings import (
    business_card,
    carry,
    contract_pile,
    fire,
    first_owner,
    owns,
    refresh,
    seat_after,
    weapons_of,
)
from exchequer.games.treasury.v03.matching import (
    ALL_CLASSES,
    ALL_SLOTS,
    N_VARIANTS,
    NATURAL,
    SELF_WILD,
    WILD,
    can_hold,
    can_serve,
    fits,
    has_wild_way,
    is_variant,
    seat_in,
    self_wild_icons,
    serves_all,
    supply,
    variant_need,
    wants_wild,
    wild_allowance,
)
from exchequer.games.treasury.v03.state import SLOTS, Ask, Do, Event, Pile, Step

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
    return 1 << (seat * SLOTS + slot)


@apart
def candidates(s, c, plain, armed):
    """T3-27 All candidates, as a set."""
    found = 0
    for seat in range(s.seats):
        free = s.opened[seat] & ~s.contracted[seat]
        for slot in range(SLOTS):
            if free >> slot == 0:
                break
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
    classes = 0
    for good in range(N_GOODS):
        if (plain >> NEED_BITS * good) & NEED_MASK != 0:
            classes |= 1 << 2 * good
        if (armed >> NEED_BITS * good) & NEED_MASK != 0:
            classes |= 2 << 2 * good
    return classes


@rule
def rivals_use(s, c, group, seat, present):
    """The classes that candidates of other players in the group could use."""
    classes = 0
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

@handles(Step.CHECK)
def start_check(s, c, log):
    """T3-25 R3-15 R3-60 A new check, for all players; what was said of wild cards may stand."""
    for seat in range(s.seats):
        if (s.wild_news >> seat) & 1 == 1:
            s.wild_yes[seat] = 0
            s.wild_no[seat] = 0
    s.wild_news = 0
    check_contracts(s, c, log)


@apart
def wild_offers(s, c, seat, plain, armed):
    """T3-29 R3-60 Businesses that only wild cards can serve and whose owner has said nothing."""
    offers = 0
    if owns(s, seat, Ability.WILD_DEMAND) or owns(s, seat, Ability.SELF_WILD_PROVISION):
        said = s.wild_yes[seat] | s.wild_no[seat]
        for slot in range(SLOTS):
            if (said >> slot) & 1 == 0 and can_hold(s, c, seat, slot) and \
                    not fits(plain, armed, c.need[business_card(s, seat, slot)]) and \
                    has_wild_way(s, c, seat, slot, plain, armed):
                offers |= 1 << slot
    return offers


@rule
def ask_wild(s, c, plain, armed):
    """T3-29 R3-60 Ask the first owner who has something to say about wild cards."""
    for k in range(s.seats):
        seat = seat_after(s, k)
        offers = wild_offers(s, c, seat, plain, armed)
        if offers != 0:
            then(s, Step.CHECK_ON, seat, 0, 0)
            then(s, Ask.WILD, seat, offers, 0)
            return True
    return False


@handles(Step.CHECK_ON)
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
        seat = seat_after(s, k)
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


@handles(Ask.JUDGE, winner=Do.SEAT)
def judge_tie(s, c, seat, winner, log):
    """R3-19 Judge's owner names the winner."""
    fire(s, c, seat, Ability.DECIDE_CONTRACT_TIES, log)
    award_tie(s, winner, log)


# The award (T3-26) -------------------------------------------------------------------------------

@handles(Step.TAKE)
def take_award(s, seat, later):
    """T3-26 The seat takes one of its candidates; `later` must still be served after it."""
    s.serve = later
    then(s, Ask.AWARD, seat, 0, 0)


@handles(Ask.AWARD, slot=Do.SLOT)
def start_award(s, seat, slot):
    s.wild_used = 0
    s.self_used = 0
    then(s, Step.FIT, seat, slot, 0)


@apart
def serves_rest(s, c, seat, slot, first, plain, armed, wild_used, self_used):
    """Whether the provisions from `first` on, and those who come later, can still be served."""
    card = business_card(s, seat, slot)
    allowance = wild_allowance(s, c, seat) - wild_used
    icons = 0 if self_used else self_wild_icons(s, c, seat, slot)
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
    one = 1 << (NEED_BITS * np.int64(c.card[card].demand))
    if c.card[card].barbarian:
        armed -= one
    else:
        plain -= one
    provision = c.icons[business_card(s, seat, slot), index]
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


@handles(Ask.FIT, card=Do.PICK)
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


@handles(Step.FIT)
def fit_next(s, c, seat, slot, index):
    """T3-26 The next provision takes its card; with all taken, one is kept."""
    if index < c.provisions[business_card(s, seat, slot)]:
        then(s, Ask.FIT, seat, slot, index)
    else:
        then(s, Ask.KEEP, seat, slot, 0)


@handles(Ask.KEEP, card=Do.PICK)
@apart
def keep_card(s, c, seat, slot, card, log):
    """T3-26 R3-57 One of the cards taken is the contract, the others are discarded."""
    earner = business_card(s, seat, slot)
    note(log, Event.AWARDED, seat, earner, c.provisions[earner])
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
    note(log, Event.LAID, seat, business_card(s, seat, slot), s.card[place])


@handles(Ask.COUNCIL, slot=Do.SLOT)
def redirect_contract(s, c, seat, earned, slot, log):
    """R3-22 Council: the contract goes to another business of its owner."""
    if slot != earned:
        fire(s, c, seat, Ability.REDIRECT_CONTRACT, log)
    lay_contract(s, c, seat, slot, Pile.ASIDE, 0, log)
