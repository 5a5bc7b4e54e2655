"""Legality: what may be done in a turn (T3-17 to T3-23).

Each kind of action has one refusal. `turn_refusal` asks that of an action, `list_turn` asks all.
"""

import numpy as np

from exchequer.core.piles import card_at, pile_size
from exchequer.core.records import apart, rule
from exchequer.games.treasury.v03.businesses import (
    can_start_open,
    develop_cost,
    gold_cost,
    meets_requirement,
)
from exchequer.games.treasury.v03.cards import Ability
from exchequer.games.treasury.v03.drawing import NO_DECK, barbarians, hand_size, ordinary_deck
from exchequer.games.treasury.v03.holdings import (
    ability_number,
    business_card,
    development_pile,
    free_slot,
    is_at_work,
    is_business,
    is_startup,
    largest_of,
    owns,
)
from exchequer.games.treasury.v03.state import (
    FACE_UP,
    FREE,
    LAST_OF_TURN,
    MOST_BACKS,
    SLOTS,
    TO_ROW,
    Act,
    Do,
    Pile,
    Refusal,
)

# What may be done (T3-17 to T3-23) ---------------------------------------------------------------

@rule
def has_action(s, seat):
    """T3-23 With a hand card or a business some action is always possible."""
    return hand_size(s, seat) > 0 or s.opened[seat] != 0 or s.startups[seat] != 0


@apart
def turn_refusal(s, c, seat, action):
    """T3-18 Why something may not be done in a turn."""
    if action == Do.END:
        return end_refusal(s, c, seat)
    if action < Do.SEED or action > LAST_OF_TURN:
        return Refusal.NOT_ASKED
    if action < Do.START:
        return seed_refusal(s, c, seat, action - Do.SEED)
    if action < Do.DEVELOP:
        return start_refusal(s, c, seat, action - Do.START)
    if action == Do.DEVELOP:
        return develop_refusal(s, c, seat)
    if action < Do.OPEN:
        return close_refusal(s, seat, action - Do.CLOSE)
    slot = (action - Do.OPEN) % SLOTS
    if not is_business(s, seat, slot):
        return Refusal.NOT_THERE
    if action >= Do.USE:
        return use_refusal(s, c, seat, slot)
    return open_refusal(s, c, seat, slot, action >= Do.BUY)


@apart
def list_turn(s, c, seat, out, limit):
    """T3-18 What may be done, at most `limit` of it."""
    count = listed(out, 0, limit, Do.END, end_refusal(s, c, seat))
    for kind in range(Do.START - Do.SEED):
        count = listed(out, count, limit, Do.SEED + kind, seed_refusal(s, c, seat, kind))
    for kind in range(Do.DEVELOP - Do.START):
        count = listed(out, count, limit, Do.START + kind, start_refusal(s, c, seat, kind))
    count = listed(out, count, limit, Do.DEVELOP, develop_refusal(s, c, seat))
    for kind in range(Do.OPEN - Do.CLOSE):
        count = listed(out, count, limit, Do.CLOSE + kind, close_refusal(s, seat, kind))
    return list_businesses(s, c, seat, out, count, limit)


@apart
def list_businesses(s, c, seat, out, count, limit):
    """T3-17 T3-18 What may be done with each business: opened by cards, for gold, or used."""
    businesses = s.opened[seat] | s.startups[seat]
    for slot in range(SLOTS):
        if businesses >> slot == 0:
            break
        if (businesses >> slot) & 1 == 1:
            why = open_refusal(s, c, seat, slot, False)
            count = listed(out, count, limit, Do.OPEN + slot, why)
            why = open_refusal(s, c, seat, slot, True)
            count = listed(out, count, limit, Do.BUY + slot, why)
            count = listed(out, count, limit, Do.USE + slot, use_refusal(s, c, seat, slot))
    return count


@rule
def listed(out, count, limit, action, why):
    """Append an action that is not refused; returns how many there are then."""
    if why != Refusal.NONE or count >= limit:
        return count
    out[count] = action
    return count + 1


@rule
def end_refusal(s, c, seat):
    """T3-23 R3-10 A turn has exactly one action; passing is a switch."""
    done = s.acted != Act.NONE or c.allow_pass or not has_action(s, seat)
    return Refusal.NONE if done else Refusal.MUST_ACT


@rule
def seed_refusal(s, c, seat, kind):
    """T3-19 R3-38 R3-39 Not while the round closes; free, as the action, or once more after it."""
    if s.closing:
        return Refusal.CLOSING
    if hand_size(s, seat) == 0:
        return Refusal.NO_HAND
    if kind & FREE != 0:
        if not owns(s, seat, Ability.FIRST_SEED_FREE) or s.seeds > 0:
            return Refusal.NO_FREE_SEED
    elif s.acted != Act.NONE:
        more = largest_of(s, c, seat, Ability.SECOND_SEED)
        if s.acted != Act.SEED or s.extra_seeds >= more:
            return Refusal.ACTED
    if kind & TO_ROW == 0:
        return Refusal.NONE
    most = largest_of(s, c, seat, Ability.SEED_TO_ROW)
    return Refusal.NONE if pile_size(s, Pile.ROW) <= most else Refusal.NO_ROW_SEED


@apart
def start_refusal(s, c, seat, kind):
    """T3-20 R3-58 A hand card and a free place; face-up also the gold."""
    if hand_size(s, seat) == 0:
        return Refusal.NO_HAND
    if kind & FREE != 0:
        if not owns(s, seat, Ability.FREE_START_ONCE) or s.started_free or s.developed:
            return Refusal.NO_FREE_START
    elif s.acted != Act.NONE:
        return Refusal.ACTED
    if free_slot(s, seat) == SLOTS:
        return Refusal.NO_SLOT
    if kind & FACE_UP != 0:
        for index in range(hand_size(s, seat)):
            if can_start_open(s, c, seat, np.int64(card_at(s, Pile.HAND + seat, index))):
                return Refusal.NONE
        return Refusal.TOO_POOR
    return Refusal.NONE


@rule
def develop_refusal(s, c, seat):
    """T3-21 Own startups; a second time with Coffee Roaster, or after a start with Stone Cutter."""
    if s.startups[seat] == 0:
        return Refusal.NO_STARTUP
    if hand_size(s, seat) == 0:
        return Refusal.NO_HAND
    if s.started_free:
        return Refusal.HAS_STARTED_FREE
    if s.acted == Act.NONE:
        return Refusal.NONE
    if s.extra_developed:
        return Refusal.ACTED
    if s.acted == Act.DEVELOP and owns(s, seat, Ability.DEVELOP_TWICE):
        return Refusal.NONE
    if s.acted == Act.START and owns(s, seat, Ability.MAY_DEVELOP_ON_START_TURN) and \
            s.action_slot >= 0 and is_startup(s, seat, s.action_slot):
        return Refusal.NONE
    return Refusal.ACTED


@rule
def startup_refusal(s, seat, slot):
    """T3-21 Which startup is developed; after a start it can only be the one just started."""
    if not is_startup(s, seat, slot):
        return Refusal.NO_STARTUP
    if s.acted == Act.START and slot != s.action_slot:
        return Refusal.ONLY_THE_STARTED
    return Refusal.NONE


@rule
def close_refusal(s, seat, kind):
    """T3-22 R3-40 Closing is an action, with a Hut it need not be."""
    if s.opened[seat] | s.startups[seat] == 0:
        return Refusal.NOTHING_TO_CLOSE
    if kind & FREE != 0:
        return Refusal.NONE if owns(s, seat, Ability.FREE_CLOSE) else Refusal.NO_FREE_CLOSE
    return Refusal.NONE if s.acted == Act.NONE else Refusal.ACTED


@rule
def open_refusal(s, c, seat, slot, pays):
    """T3-17 R3-11 R3-12 Before the action, not what was started now; cards or gold must do."""
    if not is_startup(s, seat, slot):
        return Refusal.NO_STARTUP
    if not c.open_any_time:
        if s.acted != Act.NONE:
            return Refusal.WINDOW_OVER
        if (s.started >> slot) & 1 == 1:
            return Refusal.JUST_STARTED
    card = business_card(s, seat, slot)
    if pays and s.gold[seat] < gold_cost(s, c, seat, card):
        return Refusal.TOO_POOR
    if not pays and pile_size(s, development_pile(seat, slot)) < develop_cost(s, c, seat, card):
        return Refusal.TOO_FEW_CARDS
    return Refusal.NONE if meets_requirement(s, c, seat, card, SLOTS) else Refusal.NOTHING_TO_CLOSE


@rule
def used_ability(c, card):
    """The ability of a card that its owner uses by choice, or -1."""
    for i in range(2):
        code = c.codes[card, i]
        if code == Ability.ACTION_DISCARD_DRAW or code == Ability.ACTION_GAIN or \
                code == Ability.ACTION_SWAP_BARBARIAN_DEMAND or \
                code == Ability.PEEK_CURRENT_BOTTOM or code == Ability.PEEK_FUTURE_TOP or \
                code == Ability.PEEK_STARTUP:
            return code
    return -1


@rule
def use_refusal(s, c, seat, slot):
    """T3-18 R3-52 Abilities worded as an action, and those for looking at cards."""
    if not is_at_work(s, c, seat, slot):
        return Refusal.NO_ABILITY
    card = business_card(s, seat, slot)
    what = used_ability(c, card)
    if what < 0:
        return Refusal.NO_ABILITY
    if what == Ability.PEEK_CURRENT_BOTTOM or what == Ability.PEEK_FUTURE_TOP or \
            what == Ability.PEEK_STARTUP:
        return peek_refusal(s, c, slot, card, what)
    if s.acted != Act.NONE:
        return Refusal.ACTED
    if what == Ability.ACTION_GAIN:
        return farm_refusal(s, c, seat, slot)
    if hand_size(s, seat) == 0:
        return Refusal.NO_HAND
    if what == Ability.ACTION_SWAP_BARBARIAN_DEMAND:
        if barbarians(s, c) == 0:
            return Refusal.NO_BARBARIAN
        return Refusal.NONE if has_peaceful_card(s, c, seat) else Refusal.NO_PEACEFUL_CARD
    return Refusal.NONE


@rule
def peek_refusal(s, c, slot, card, what):
    """R3-52 Once a turn each, and only where a card lies."""
    limit = 1
    if what == Ability.PEEK_STARTUP:
        limit = ability_number(c, card, what, 0)
    if s.uses[slot] >= limit:
        return Refusal.USED_UP
    if what == Ability.PEEK_CURRENT_BOTTOM and pile_size(s, Pile.CURRENT) == 0:
        return Refusal.NOTHING_TO_SEE
    if what == Ability.PEEK_FUTURE_TOP and pile_size(s, Pile.FUTURE) == 0:
        return Refusal.NOTHING_TO_SEE
    if what == Ability.PEEK_STARTUP:
        startups = 0
        for seat in range(s.seats):
            startups |= s.startups[seat]
        if startups == 0:
            return Refusal.NOTHING_TO_SEE
    return Refusal.NONE


@rule
def farm_refusal(s, c, seat, slot):
    """R3-33 As printed, or while cards can be drawn, or up to a limit for each copy."""
    if c.farm_needs_deck and ordinary_deck(s) == NO_DECK:
        return Refusal.NO_DECK
    if c.farm_cap > 0 and s.yielded[seat, slot] >= c.farm_cap:
        return Refusal.FARM_EXHAUSTED
    return Refusal.NONE


@rule
def has_peaceful_card(s, c, seat):
    for index in range(hand_size(s, seat)):
        if not c.card[card_at(s, Pile.HAND + seat, index)].barbarian:
            return True
    return False


@rule
def back_refusal(s):
    """R3-58 A choice that has changed nothing yet can be taken back, a few times in a turn."""
    return Refusal.NONE if s.backs < MOST_BACKS else Refusal.NO_MORE_BACK
