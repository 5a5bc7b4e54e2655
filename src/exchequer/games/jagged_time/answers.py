"""What may be answered to the question on top of the agenda.

The list is made once, when the question comes up, and kept in the state (`options`): `legal`
copies it and `refusal` looks an action up in it. Nothing hidden takes part in it. A question
with a single answer is not asked (`rules.go_on`), one without any lapses where
`rules.may_lapse` has the reason; elsewhere it is a fault.
"""

import numpy as np

from exchequer.core.agenda import no_handler, top_item
from exchequer.core.piles import pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.banks import affords, can_share, is_in_play, payable, saved
from exchequer.games.jagged_time.cards import (
    controlled,
    controlled_copies,
    has_subtype,
    index_of,
    kind_at,
    kind_in,
    kind_of,
    version_in,
)
from exchequer.games.jagged_time.effects import (
    can_be_converted,
    can_be_delayed,
    can_be_replaced,
    can_play,
    is_possible,
    is_project,
    is_war,
    need_is_met,
    price_can_be_taken,
    transforms_fit,
)
from exchequer.games.jagged_time.objectives import is_unresolved
from exchequer.games.jagged_time.state import (
    MAX_LEGAL,
    MENU_BITS,
    N_ACTIONS,
    SHARES,
    Ask,
    Do,
    Pile,
    Refusal,
)
from exchequer.games.jagged_time.tables import (
    ANY,
    FIRST_OBJECTIVE,
    MILESTONE,
    MOST_CARD_OPTIONS,
    MOST_COSTS,
    N_DUE,
    N_KINDS,
    N_PLACES,
    N_RESOURCES,
    NO_KIND,
    NO_ROW,
    Family,
    Pay,
)


@apart
def offer(s, action):
    """Equal copies are one answer."""
    for i in range(s.n_options):
        if s.options[i] == action:
            return
    if s.n_options < MAX_LEGAL:
        s.options[s.n_options] = action
        s.n_options += 1


@rule
def clear_options(s):
    """Those that were offered; the others are 0 already."""
    for i in range(s.n_options):
        s.options[i] = 0
    s.n_options = 0


@apart
def list_answers(s, c):
    """Fill `options` for the question on top of the agenda."""
    clear_options(s)
    ask, _, a, b = top_item(s)
    if ask == Ask.PLAY:
        list_plays(s, c)
    elif ask == Ask.PLAY_LESS:
        list_plays_for_less(s, c, a, b)
    elif ask <= Ask.UNIT:
        list_payments(s, c, ask)
    elif ask == Ask.RETAIN:
        for index in range(pile_size(s, Pile.HAND)):
            if c.card[kind_at(s, Pile.HAND, index)].retained > 0:
                offer(s, Do.TAKE + kind_at(s, Pile.HAND, index))
    elif ask <= Ask.ANNOUNCED:
        list_alternatives(s, c, ask, a, b)
    elif ask == Ask.DELAY or ask == Ask.REPLACE or Ask.ANYWHERE <= ask <= Ask.WAR:
        list_targets(s, c, ask, a)
    elif ask <= Ask.COPY:
        list_cards(s, c, ask, a, b)
    elif ask == Ask.RESOLVE:
        list_steps(s, c)
    elif ask == Ask.DESTROY:
        list_controlled(s, c, a, NO_KIND)
    elif ask == Ask.MIX or ask == Ask.MAXIMUM:
        list_resources(s, a, b if ask == Ask.MAXIMUM else 0)
    elif ask == Ask.RESOLVE_NOW:
        list_steps(s, c)
    else:
        list_later(s, c, ask, a, b)


@rule
def list_resources(s, mask, change):
    """J-42 JL-9 JL-52 Any of them; a maximum that would fall below 0 only if all would."""
    for resource in range(N_RESOURCES):
        if mask >> resource & 1 and is_in_play(s, resource) and s.maximum[resource] + change >= 0:
            offer(s, Do.UNIT + resource)
    if s.n_options == 0:
        for resource in range(N_RESOURCES):
            if mask >> resource & 1 and is_in_play(s, resource):
                offer(s, Do.UNIT + resource)


# Playing and paying ------------------------------------------------------------------------------

@apart
def list_plays(s, c):
    """J-23 J-R23 The cards that can be paid for; stopping unless one of them must be played."""
    must = False
    for index in range(pile_size(s, Pile.HAND)):
        kind = kind_at(s, Pile.HAND, index)
        if can_play(s, c, kind, 0):
            offer(s, Do.PLAY + kind)
            must = must or c.card[kind].subtypes & c.mandatory != 0
    if not must:
        offer(s, Do.STOP)
    if c.resignation:
        offer(s, Do.RESIGN)  # J-68


@rule
def list_plays_for_less(s, c, mask, less):
    """J-62 J-R19 The cards of the subtype that can be paid for."""
    for index in range(pile_size(s, Pile.HAND)):
        kind = kind_at(s, Pile.HAND, index)
        if has_subtype(c, kind, c.mask[mask]) and can_play(s, c, kind, less):
            offer(s, Do.PLAY + kind)


@rule
def play_refusal(s, c, kind, less):
    if can_play(s, c, kind, less):
        return Refusal.NONE
    guarded = s.plays >= c.play_guard and c.card[kind].subtypes & c.mandatory == 0
    return Refusal.PLAYED_ENOUGH if guarded else Refusal.TOO_POOR


@rule
def list_payments(s, c, ask):
    """J-24"""
    if ask == Ask.COST:
        for cost in range(c.card[s.paying].costs):
            if payable(s, c.card[s.paying].cost[cost], s.pay_less + saved(s, c, s.paying, cost)):
                offer(s, Do.COST + cost)
    else:
        for resource in range(N_DUE):
            if ask == Ask.LESS and can_be_less(s, resource):
                offer(s, Do.UNIT + resource)
            if ask == Ask.UNIT and resource < N_RESOURCES and can_be_unit(s, resource):
                offer(s, Do.UNIT + resource)


@rule
def can_be_less(s, resource):
    """J-R18 Whether the rest can be paid when this unit is taken off."""
    if s.due[resource] == 0:
        return False
    s.due[resource] -= 1
    rest = payable(s, s.due, s.less - 1)
    s.due[resource] += 1
    return rest


@rule
def can_be_unit(s, resource):
    """J-24 Units of choice in the order of the resources, so that each mix comes up once."""
    if resource < s.unit_from or s.bank[resource] <= s.due[resource]:
        return False
    left = 0
    for other in range(resource, N_RESOURCES):
        left += s.bank[other] - s.due[other]
    return left >= s.due[ANY]


# Alternatives ------------------------------------------------------------------------------------

@rule
def list_alternatives(s, c, ask, at, b):
    """J-60 J-61 J-R21 J-R45"""
    if ask == Ask.CHOOSE:
        first, count = c.token[at].a, c.token[at].b
        for i in range(count):
            if is_possible(s, c, first + i):
                offer(s, Do.CHOICE + i)
        if s.n_options == 0:
            for i in range(count):
                offer(s, Do.CHOICE + i)
    elif ask == Ask.MAY:
        if s.bank[c.token[at].a] >= c.token[at].b and is_possible(s, c, c.token[at].d):
            offer(s, Do.CHOICE)
        offer(s, Do.STOP)
    else:
        for i in range(c.token[at].d):
            if menu_refusal(s, c, ask, at, b, i) == Refusal.NONE:
                offer(s, Do.CHOICE + i)
        if ask != Ask.ANNOUNCED:
            offer(s, Do.STOP)


@rule
def menu_refusal(s, c, ask, at, b, i):
    """J-61 J-R21 Each alternative once; a unit must be there for it."""
    taken = b % MENU_BITS
    if ask == Ask.ANNOUNCED:
        return Refusal.NONE if taken >> i & 1 else Refusal.NOTHING_LEFT
    if taken >> i & 1:
        return Refusal.NOTHING_LEFT
    due = 1
    if ask == Ask.ANNOUNCE:
        for other in range(c.token[at].d):
            due += taken >> other & 1
    if s.bank[c.token[at].a] < due:
        return Refusal.TOO_POOR
    return Refusal.NONE if is_possible(s, c, c.token[at].b + i) else Refusal.IMPOSSIBLE


# Cards and places --------------------------------------------------------------------------------

@rule
def list_cards(s, c, ask, a, b):
    """J-49 to J-53 J-56 J-R40 J-R41 J-R52 J-R54"""
    if ask == Ask.RECUR or ask == Ask.RESHUFFLE:
        mask = c.mask[b] if ask == Ask.RECUR and b != NO_ROW else 0
        for index in range(pile_size(s, Pile.DISCARD)):
            kind = kind_at(s, Pile.DISCARD, index)
            if mask == 0 or has_subtype(c, kind, mask):
                offer(s, Do.TAKE + kind)
    elif ask == Ask.SCOUT:
        for depth in range(a):
            offer(s, Do.BOTTOM + depth)
        if not c.scout_must:
            offer(s, Do.STOP)
    elif ask == Ask.TRANSFORM:
        for pile in range(Pile.HAND, Pile.DECK + 1):
            if version_in(s, c, pile, c.token[a].a) != NO_KIND:
                offer(s, Do.ZONE + pile)
    elif ask == Ask.COPY:
        list_controlled(s, c, a, b)
    else:
        no_handler(s, ask)


@rule
def list_controlled(s, c, mask, only):
    """J-4 J-56 Controlled cards of the subtypes; without a mask one kind, or all of them."""
    for thing in range(FIRST_OBJECTIVE):
        kind = kind_of(s, thing)
        if kind == NO_KIND:
            continue
        base = np.int64(c.card[kind].root)  # JL-5
        if has_subtype(c, kind, c.mask[mask]) if mask != NO_ROW else only in (NO_KIND, base):
            offer(s, Do.TAKE + kind)


@rule
def list_targets(s, c, ask, a):
    """J-52 J-55 J-57 J-58"""
    for place in range(N_PLACES):
        if is_target(s, c, ask, a, place):
            offer(s, Do.SLOT + place)
    if ask == Ask.PROJECT and is_project(s, c, MILESTONE):  # JL-51: which of its options
        for index in range(c.card[s.milestone].options):
            offer(s, Do.OPTION + MOST_CARD_OPTIONS * MILESTONE + index)
    if ask == Ask.ANYWHERE:
        for pile in range(Pile.OBJECTIVE_DISCARD, Pile.OBJECTIVE_DECK + 1):
            if index_of(s, pile, a) != NOBODY:
                offer(s, Do.ZONE + pile)


@rule
def is_target(s, c, ask, a, place):
    if ask == Ask.DELAY:
        return can_be_delayed(s, c, place)
    if ask == Ask.WAR:
        return is_war(s, c, place)
    if place >= s.slots:
        return False
    if ask == Ask.REPLACE:
        return can_be_replaced(s, c, place)
    if ask == Ask.PROJECT:
        return is_project(s, c, place)
    return ask == Ask.ANYWHERE and kind_in(s, c, place) == a


# The later acts ----------------------------------------------------------------------------------

@apart
def list_later(s, c, ask, a, b):
    """JL-5 JL-9 JL-19 JL-40 What only cards of the later acts ask."""
    if ask == Ask.SHARE:
        option = c.option[c.card[kind_in(s, c, a // MOST_CARD_OPTIONS)].first_option
                          + a % MOST_CARD_OPTIONS]
        for resource in range(b // SHARES, N_RESOURCES):
            if can_be_share(s, option.mix_of, resource, b % SHARES):
                offer(s, Do.UNIT + resource)
    elif ask == Ask.CONVERT:
        for thing in range(FIRST_OBJECTIVE):
            if s.kind[thing] != NO_KIND and can_be_converted(s, c, a, kind_of(s, thing)):
                offer(s, Do.TAKE + kind_of(s, thing))
    elif ask == Ask.WHERE:
        for pile in range(Pile.HAND, Pile.DECK + 1):
            if index_of(s, pile, a) != NOBODY:
                offer(s, Do.ZONE + pile)
    elif ask == Ask.OBJECTIVES:
        for place in range(s.slots):
            if kind_in(s, c, place) != NO_KIND and has_subtype(c, kind_in(s, c, place), c.mask[a]):
                offer(s, Do.SLOT + place)
        offer(s, Do.STOP)
    elif ask == Ask.ENTER or ask == Ask.UNLOCKED:
        for kind in range(c.n_kinds):
            if has_subtype(c, kind, c.mask[a]) and can_be_had(s, c, ask, kind):
                offer(s, Do.TAKE + kind)
    else:
        no_handler(s, ask)


@rule
def can_be_share(s, mask, resource, left):
    """JL-9 In the order of the resources, so that each way to split a price comes up once."""
    rest = mask >> resource << resource
    return mask >> resource & 1 > 0 and s.bank[resource] > 0 and can_share(s, rest, left)


@rule
def can_be_had(s, c, ask, kind):
    """JL-19 JL-40 Any objective of the supply, or a province that you have or had."""
    if ask == Ask.ENTER:
        return c.card[kind].family == Family.OBJECTIVE
    return s.removed[kind] > 0 or controlled_copies(s, c, kind) > 0


# The Resolution Phase ----------------------------------------------------------------------------

@rule
def list_steps(s, c):
    """J-29 J-30 J-R34 Every step that can be paid for or whose condition holds."""
    for place in range(N_PLACES if s.no_resolve != s.turn else 0):  # JL-11
        if not is_unresolved(s, c, place):
            continue
        for index in range(c.card[kind_in(s, c, place)].options):
            if option_refusal(s, c, place, index) == Refusal.NONE:
                offer(s, Do.OPTION + MOST_CARD_OPTIONS * place + index)
        if track_refusal(s, c, place) == Refusal.NONE:
            offer(s, Do.TRACK + place)
    offer(s, Do.STOP)
    if c.resignation:
        offer(s, Do.RESIGN)  # J-68


@apart
def option_refusal(s, c, place, index):
    """J-30 Whether an option of a card can be taken now."""
    if not is_unresolved(s, c, place):
        return Refusal.RESOLVED if place == MILESTONE else Refusal.EMPTY_PLACE
    kind = kind_in(s, c, place)
    if index >= c.card[kind].options:
        return Refusal.NOT_THERE
    option = c.option[c.card[kind].first_option + index]
    if option.pay == Pay.NEED:
        if not need_is_met(s, c, option.need):
            return Refusal.NOT_MET
    elif option.pay == Pay.UNPAID:
        return Refusal.NOT_PAYABLE
    elif option.pay == Pay.PER_CARDS:
        if not affords(s, option.cost, controlled(s) // option.per):  # J-R38
            return Refusal.TOO_POOR
    elif not affords(s, option.cost, 1) or not can_share(s, option.mix_of, option.mix) \
            or (option.price > 0 and not price_can_be_taken(s, c, option.price)):
        return Refusal.TOO_POOR
    return Refusal.NONE if transforms_fit(s, c, option.effect) else Refusal.IMPOSSIBLE


@apart
def track_refusal(s, c, place):
    """J-30"""
    if not is_unresolved(s, c, place):
        return Refusal.RESOLVED if place == MILESTONE else Refusal.EMPTY_PLACE
    track = c.card[kind_in(s, c, place)].track
    if track == NO_ROW:
        return Refusal.NOT_THERE
    return Refusal.NONE if affords(s, c.track[track].pay, 1) else Refusal.TOO_POOR


# Why not -----------------------------------------------------------------------------------------

@rule
def is_resolving(ask):
    return ask == Ask.RESOLVE or ask == Ask.RESOLVE_NOW


@apart
def why_not(s, c, action):
    """The reason for an action that is not among the answers."""
    ask, _, a, b = top_item(s)
    why = Refusal.NOT_ASKED
    if ask <= Ask.PLAY_LESS and Do.PLAY <= action < Do.PLAY + N_KINDS:
        kind = action - Do.PLAY
        if kind >= c.n_kinds or index_of(s, Pile.HAND, kind) == NOBODY:
            why = Refusal.NOT_IN_HAND
        elif ask == Ask.PLAY_LESS and not has_subtype(c, kind, c.mask[a]):
            why = Refusal.WRONG_SUBTYPE
        else:
            why = play_refusal(s, c, kind, b)  # b is 0 unless it is for less
    elif ask == Ask.PLAY and action == Do.STOP:
        why = Refusal.MUST_PLAY
    elif is_resolving(ask) and Do.OPTION <= action < N_ACTIONS and s.no_resolve == s.turn:
        why = Refusal.QUARANTINE
    elif is_resolving(ask) and Do.OPTION <= action < Do.TRACK:
        why = option_refusal(s, c, (action - Do.OPTION) // MOST_CARD_OPTIONS,
                             (action - Do.OPTION) % MOST_CARD_OPTIONS)
    elif is_resolving(ask) and Do.TRACK <= action < N_ACTIONS:
        why = track_refusal(s, c, action - Do.TRACK)
    elif ask == Ask.COST and Do.COST <= action < Do.COST + MOST_COSTS:
        why = Refusal.TOO_POOR
    elif (ask == Ask.MENU or ask == Ask.ANNOUNCE) and \
            Do.CHOICE <= action < Do.CHOICE + c.token[a].d:
        why = menu_refusal(s, c, ask, a, b, action - Do.CHOICE)
    elif ask == Ask.CHOOSE and Do.CHOICE <= action < Do.CHOICE + c.token[a].b:
        why = Refusal.IMPOSSIBLE
    elif action == Do.STOP:
        why = Refusal.COMPULSORY
    elif ask == Ask.REPLACE and Do.SLOT <= action < Do.SLOT + s.slots:
        empty = kind_in(s, c, action - Do.SLOT) == NO_KIND
        why = Refusal.EMPTY_PLACE if empty else Refusal.PROTECTED
    elif Do.SLOT <= action < Do.BOTTOM or Do.TAKE <= action < Do.COST:
        why = Refusal.NOT_THERE
    return why
