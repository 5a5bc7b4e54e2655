"""What may be answered to each question: the one source of legality.

`refusal` looks at the question on the agenda; every question chooses among things of one Shape,
so `legal` tries only what can be chosen at all.
"""

import numpy as np

from exchequer.core.agenda import asked, top_item, top_seat
from exchequer.core.piles import is_known, pile_size, place_of, top_card
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.ages import can_take_from
from exchequer.games.treasury.v17.businesses import (
    can_close_for,
    can_lay_on,
    dock_range,
    open_refusal,
    trades_for,
)
from exchequer.games.treasury.v17.cards import N_AGES, N_CARDS, Ability
from exchequer.games.treasury.v17.closing import close_refusal
from exchequer.games.treasury.v17.drawing import can_draw_from
from exchequer.games.treasury.v17.matching import claim_refusal, cook_reaches
from exchequer.games.treasury.v17.money import (
    best_contract,
    can_insure,
    can_pay,
    contract_value,
    is_payable,
    is_unpaid,
)
from exchequer.games.treasury.v17.playing import can_announce, goes_direct, has_free_event
from exchequer.games.treasury.v17.state import (
    CANCELLABLE,
    FREE_TOUCHED,
    FREE_UNTOUCHED,
    LAST_MAIN,
    MAY_DECLINE,
    MOST_CANCELS,
    N_SLOTS,
    SHAPE_OF,
    Ask,
    Do,
    Pile,
    Refusal,
    Shape,
    Target,
)
from exchequer.games.treasury.v17.zones import (
    ability_count,
    at_slot,
    business_at,
    current_pile,
    free_slot,
    hand_size,
    has,
    has_business,
    has_contract,
    index_of,
    is_startup,
    shows_skill,
    slot_of,
)

# The main part of a turn -------------------------------------------------------------------------

@rule
def main_refusal(s, c, seat, action):
    """T17-19 T17-23 T17-24 T17-33 Actions, free actions, abilities."""
    if action == Do.CLOSE:
        return closing_refusal(s, seat)
    if action >= Do.PAY:
        return pay_refusal(s, c, seat, action - Do.PAY)
    if action >= Do.CLAIM:
        return claim_refusal(s, c, seat, action - Do.CLAIM)
    if action >= Do.OPEN:
        return open_refusal(s, c, seat, action - Do.OPEN)
    if action == Do.END:  # T17-21
        return Refusal.NONE if s.acted else Refusal.ACTION_DUE
    if action >= Do.DISCARD:
        return free_refusal(s, c, seat, action)
    if action == Do.FREE_PLAY:
        if not has_free_event(s, c, seat):
            return Refusal.NO_ABILITY
        return Refusal.NONE if can_announce(s, c, seat) else Refusal.NO_CARD
    if action == Do.FREE_START:
        if s.free_starts == 0 and not has(s, seat, Ability.FREE_START):
            return Refusal.NO_ABILITY
        return start_refusal(s, seat)
    if action == Do.FREE_DEVELOP:
        if not has(s, seat, Ability.FREE_DEVELOP):
            return Refusal.NO_ABILITY
        if slot_of(s, c, seat, Ability.FREE_DEVELOP, 1) == NOBODY:
            return Refusal.USED
        return develop_refusal(s, seat)
    if s.actions == 0:
        return Refusal.NO_ACTION_LEFT
    return act_refusal(s, c, seat, action)


@rule
def act_refusal(s, c, seat, action):
    """T17-24 What uses the action; T17-21 a pass always may."""
    if action == Do.PASS:
        return Refusal.NONE
    if action == Do.PLAY:
        return Refusal.NONE if can_announce(s, c, seat) else Refusal.NO_CARD
    if action == Do.START:
        return start_refusal(s, seat)
    if action == Do.DEVELOP:
        return develop_refusal(s, seat)
    if action == Do.SCULPT:
        if not has(s, seat, Ability.ACT_DISCARD):
            return Refusal.NO_ABILITY
        home = slot_of(s, c, seat, Ability.ACT_DISCARD, 0)
        cards = ability_count(c, business_at(s, seat, home), Ability.ACT_DISCARD)
        return Refusal.NONE if hand_size(s, seat) >= max(cards, 1) else Refusal.NO_CARD
    if action == Do.WHALE:
        if not has(s, seat, Ability.ACT_REPLACE):
            return Refusal.NO_ABILITY
        if pile_size(s, Pile.DEMAND) == 0:
            return Refusal.NO_DEMAND
        return Refusal.NONE if hand_size(s, seat) > 0 else Refusal.NO_CARD
    if action == Do.TEACH:
        if not has(s, seat, Ability.ACT_SWAP):
            return Refusal.NO_ABILITY
        if pile_size(s, Pile.DEMAND) == 0:
            return Refusal.NO_DEMAND
        return Refusal.NONE if pile_size(s, Pile.QUEUE) > 0 else Refusal.NO_QUEUE
    if action != Do.PERFORM:
        return Refusal.NOT_ASKED
    if not has(s, seat, Ability.ACT_TAKE):
        return Refusal.NO_ABILITY
    return Refusal.NONE if theater(s, c, seat) != NOBODY else Refusal.NOTHING_STORED


@rule
def theater(s, c, seat):
    """An open Theater with gold on it, or NOBODY."""
    for slot in range(N_SLOTS):
        if s.opened[seat, slot] and s.stored[seat, slot] > 0 and \
                shows_skill(c, business_at(s, seat, slot), Ability.ACT_TAKE):
            return slot
    return NOBODY


@rule
def start_refusal(s, seat):
    """T17-29 T17-70 A hand card and room for it."""
    if hand_size(s, seat) == 0:
        return Refusal.NO_CARD
    return Refusal.NONE if free_slot(s, seat) != NOBODY else Refusal.NO_ROOM


@rule
def develop_refusal(s, seat):
    """T17-30 R17-12 At least one hand card, and a startup."""
    if hand_size(s, seat) == 0:
        return Refusal.NO_CARD
    for slot in range(N_SLOTS):
        if is_startup(s, seat, slot):
            return Refusal.NONE
    return Refusal.NO_STARTUP


@rule
def closing_refusal(s, seat):
    """T17-36 Whether there is a business to close."""
    why = Refusal.NO_BUSINESS
    for slot in range(N_SLOTS):
        if has_business(s, seat, slot):
            why = close_refusal(s, seat, slot)
            if why == Refusal.NONE:
                return why
    return why


@rule
def pay_refusal(s, c, seat, slot):
    """R17-33 The odd Warrior's contract may be paid on its owner's turn."""
    if not has_business(s, seat, slot) or not s.opened[seat, slot] or \
            not shows_skill(c, business_at(s, seat, slot), Ability.FREE_PAY):
        return Refusal.NO_ABILITY
    if not is_unpaid(s, seat, slot):
        return Refusal.PAID_ALREADY
    return Refusal.NONE if can_pay(s, c, seat, slot) else Refusal.TREASURY_SHORT


@rule
def ability_of(action):
    """The ability behind a free action."""
    if action == Do.DISCARD:
        return Ability.FREE_DISCARD
    if action == Do.MARKET:
        return Ability.FREE_MARKET
    if action == Do.PEEK:
        return Ability.FREE_PEEK
    if action == Do.FORESEE:
        return Ability.FREE_PROPHECY
    if action == Do.FLIP:
        return Ability.FREE_FLIP
    if Do.OBSERVE <= action < Do.OPEN:
        return Ability.FREE_OBSERVE
    return Ability.NONE


@rule
def free_refusal(s, c, seat, action):
    """T17-33 R17-43 R17-44 Once per own turn and copy; Craftsman as often as its owner likes."""
    ability = ability_of(action)
    if not has(s, seat, ability):
        return Refusal.NO_ABILITY
    limited = 1 if action != Do.DISCARD or c.craftsman_once else 0
    if slot_of(s, c, seat, ability, limited) == NOBODY:
        return Refusal.USED
    if action == Do.DISCARD:
        return Refusal.NONE if hand_size(s, seat) > 0 else Refusal.NO_CARD
    if action == Do.MARKET:
        return Refusal.NONE if has_pair(s, c, seat) else Refusal.NO_PAIR
    if action == Do.FORESEE:
        return Refusal.NONE if hides_top(s, seat, current_pile(s)) else Refusal.NO_PILE
    if action == Do.FLIP:
        if pile_size(s, Pile.DEMAND) == 0:
            return Refusal.NO_DEMAND
        return Refusal.NONE if s.face_up[s.start[Pile.DEMAND]] else Refusal.FACE_DOWN
    target = Target.STARTUP if action == Do.PEEK else action - Do.OBSERVE
    return Refusal.NONE if hides_any(s, seat, target) else Refusal.NOTHING_HIDDEN


@rule
def pairs_of(s, c, seat):
    home = slot_of(s, c, seat, Ability.FREE_MARKET, 0)
    return ability_count(c, business_at(s, seat, home), Ability.FREE_MARKET)


@rule
def alike_in_hand(s, c, seat, icon):
    """Hand cards with this demand icon."""
    count = 0
    for place in range(s.start[Pile.HAND + seat], s.start[Pile.HAND + seat + 1]):
        if c.demand[s.card[place]] == icon:
            count += 1
    return count


@rule
def has_pair(s, c, seat):
    """Market: enough hand cards with the same demand."""
    for place in range(s.start[Pile.HAND + seat], s.start[Pile.HAND + seat + 1]):
        if alike_in_hand(s, c, seat, c.demand[s.card[place]]) >= pairs_of(s, c, seat):
            return True
    return False


# What is hidden from a seat (R17-42) -------------------------------------------------------------

@rule
def hides_top(s, seat, pile):
    """A pile whose top card the seat does not know."""
    if pile == NOBODY or pile_size(s, pile) == 0:
        return False
    return not is_known(s, s.start[pile + 1] - 1, seat)


@rule
def hides_card(s, seat, pile):
    """A pile with a face-down card that the seat does not know."""
    for place in range(s.start[pile], s.start[pile + 1]):
        if not s.face_up[place] and not is_known(s, place, seat):
            return True
    return False


@rule
def hides_at(s, seat, target, owner, slot):
    """R17-42 Whether a slot holds a card to look at; a contract may always be exchanged."""
    if target == Target.STARTUP:
        return is_startup(s, owner, slot) and \
            hides_card(s, seat, at_slot(Pile.BUSINESS, owner, slot))
    if target == Target.DEVELOPMENT:
        return hides_card(s, seat, at_slot(Pile.DEVELOPMENT, owner, slot))
    return has_contract(s, owner, slot)


@apart
def hides_any(s, seat, target):
    """R17-42"""
    if target == Target.DEMAND:
        return hides_card(s, seat, Pile.DEMAND)
    if target == Target.QUEUE:
        return hides_card(s, seat, Pile.QUEUE)
    if target == Target.DISCARD:
        return hides_top(s, seat, Pile.DISCARD)
    if target == Target.DRAW_PILE:
        hidden = False
        for age in range(N_AGES):
            hidden = hidden or hides_top(s, seat, Pile.DRAW + age)
        return hidden
    for owner in range(s.seats):
        for slot in range(N_SLOTS):
            if hides_at(s, seat, target, owner, slot):
                return True
    return False


# The other questions -----------------------------------------------------------------------------

@rule
def chosen(allowed):
    """T17-9 What a question does not allow is forbidden, whatever permits it elsewhere."""
    return Refusal.NONE if allowed else Refusal.NOT_THAT


@rule
def card_refusal(s, c, ask, seat, a, b, card):
    """A card of the pile that the question is about."""
    shape = SHAPE_OF[ask]
    if shape == Shape.HAND:
        if index_of(s, Pile.HAND + seat, card) == NOBODY:
            return Refusal.NO_CARD
        if ask == Ask.TRADER_CARD:
            return chosen(trades_for(s, c, seat, a, card))
        if ask == Ask.MARKET_CARD:
            icon = c.demand[card]
            if b != NOBODY:
                return chosen(icon == b)
            return chosen(alike_in_hand(s, c, seat, icon) >= a)
        return Refusal.NONE
    if shape == Shape.ASIDE:
        return chosen(index_of(s, Pile.ASIDE, card) != NOBODY
                      or index_of(s, Pile.ASIDE_DISCARD, card) != NOBODY)
    if shape == Shape.TRAY:
        return chosen(index_of(s, Pile.TRAY, card) != NOBODY)
    if shape == Shape.DISCARD:
        return chosen(index_of(s, Pile.DISCARD, card) != NOBODY)
    if shape == Shape.DEVELOPMENTS:
        return chosen(index_of(s, at_slot(Pile.DEVELOPMENT, seat, a), card) != NOBODY)
    return Refusal.NOT_ASKED


@rule
def slot_refusal(s, c, ask, seat, a, owner, slot):
    """A business that the question allows."""
    if owner >= s.seats or not has_business(s, owner, slot):
        return Refusal.NO_BUSINESS
    if ask == Ask.PEEK_SLOT:
        return chosen(hides_at(s, seat, Target.STARTUP, owner, slot))
    if ask == Ask.OBSERVE_SLOT:
        return chosen(hides_at(s, seat, a, owner, slot))
    if ask == Ask.LODGE_SLOT or ask == Ask.INNOVATE_SLOT:
        return chosen(can_lay_on(s, c, seat, owner, slot))
    if owner != seat:
        return Refusal.NOT_THAT
    if ask == Ask.CLOSE_SLOT:
        return close_refusal(s, seat, slot)
    if ask == Ask.DEVELOP_SLOT:
        return Refusal.NONE if is_startup(s, seat, slot) else Refusal.NO_STARTUP
    if ask == Ask.FORT_SLOT:
        return chosen(slot != a and can_close_for(s, c, seat, business_at(s, seat, a), slot))
    if ask == Ask.COOK_SLOT:
        return chosen(slot == a or cook_reaches(s, c, seat, a, slot))
    if ask == Ask.EOA_SLOT:
        return chosen(s.due[seat, slot] == 1)
    if ask == Ask.PICK_SLOT:
        best, _, _ = best_contract(s, c, seat, a)
        return chosen(is_payable(s, c, seat, slot, a)
                      and contract_value(s, c, seat, slot) == best)
    if ask == Ask.PAY_SLOT:
        return chosen(can_pay(s, c, seat, slot))
    if ask == Ask.INSURE_SLOT:
        return chosen(can_insure(s, c, seat, a, slot))
    return Refusal.NOT_ASKED


@rule
def position_refusal(s, ask, seat, a, b, position):
    """A position of the pile that the question is about."""
    if ask == Ask.TEACH_POSITION:
        return chosen(position < pile_size(s, Pile.QUEUE))
    if ask == Ask.QUEUE_POSITION:
        return chosen(1 <= position <= pile_size(s, Pile.QUEUE))
    if ask == Ask.DIG_POSITION:
        return chosen(position < pile_size(s, Pile.DISCARD))
    if ask != Ask.OBSERVE_POSITION:
        return Refusal.NOT_ASKED
    pile = observed_pile(a, b)
    if position >= pile_size(s, pile):
        return Refusal.NOT_THAT
    place = place_of(s, pile, position)
    return chosen(not s.face_up[place] and not is_known(s, place, seat))


@rule
def observed_pile(target, code):
    """R17-42 The pile of which Observatory's owner picks a card."""
    if target == Target.DEMAND:
        return Pile.DEMAND
    if target == Target.QUEUE:
        return Pile.QUEUE
    return Pile.DEVELOPMENT + code


@rule
def decline_refusal(s, c, ask, a, b):
    """Whether "no", "none" or "no more" is an answer."""
    shape = SHAPE_OF[ask]
    if shape == Shape.YES_NO or shape == Shape.ORCHARD or MAY_DECLINE[ask]:
        return Refusal.NONE
    if ask == Ask.DEVELOP_CARD:  # R17-12 one card at least
        return Refusal.NONE if 0 < b < FREE_TOUCHED else Refusal.COMPULSORY
    if ask == Ask.LEADER_CARD and c.event[a].optional:
        return Refusal.NONE
    return Refusal.COMPULSORY


@rule
def agree_refusal(s, c, ask):
    """Whether "yes" is an answer; T17-73 the question may be asked where it is not."""
    if ask == Ask.DIRECT and not goes_direct(c, np.int64(top_card(s, Pile.TRANSIT))):
        return Refusal.NOT_DIRECT
    return Refusal.NONE if SHAPE_OF[ask] == Shape.YES_NO else Refusal.NOT_ASKED


@rule
def cancel_refusal(s, seat, ask, b):
    """T17-72 A choice may be taken back until something has happened, four times a turn."""
    if s.cancels >= MOST_CANCELS:
        return Refusal.COMMITTED
    open_choice = CANCELLABLE[ask] or (ask == Ask.DEVELOP_CARD and (
        b == 0 or b >= FREE_UNTOUCHED))
    if ask == Ask.EVENT_CARD:
        open_choice = s.in_main == 1 and not has(s, seat, Ability.DRAW_BEFORE)
    return Refusal.NONE if open_choice else Refusal.COMMITTED


@apart
def choice_refusal(s, c, action):
    """Every question but that of the main part."""
    ask, seat, a, b = top_item(s)
    shape = SHAPE_OF[ask]
    if action == Do.CANCEL:
        return cancel_refusal(s, seat, ask, b)
    if action == Do.NO:
        return decline_refusal(s, c, ask, a, b)
    if action == Do.YES:
        return agree_refusal(s, c, ask)
    if action >= Do.CARD:
        return card_refusal(s, c, ask, seat, a, b, action - Do.CARD)
    if action >= Do.POSITION:
        return position_refusal(s, ask, seat, a, b, action - Do.POSITION) \
            if shape == Shape.POSITION else Refusal.NOT_ASKED
    if action >= Do.SLOT:
        target = action - Do.SLOT
        return slot_refusal(s, c, ask, seat, a, target // N_SLOTS, target % N_SLOTS) \
            if shape == Shape.SLOT else Refusal.NOT_ASKED
    if action >= Do.AMOUNT:
        if shape != Shape.AMOUNT:
            return Refusal.NOT_ASKED
        least, most = dock_range(s, c, seat, a)
        return chosen(least <= action - Do.AMOUNT <= most)
    if action >= Do.AGE:
        return chosen(hides_top(s, seat, Pile.DRAW + action - Do.AGE)) \
            if shape == Shape.AGE else Refusal.NOT_ASKED
    if action >= Do.SEAT:
        if shape != Shape.SEAT:
            return Refusal.NOT_ASKED
        victim = action - Do.SEAT
        return chosen(victim < s.seats and can_take_from(s, c, seat, a, victim))
    if action >= Do.FROM_PILE:
        return chosen(can_draw_from(s, c, seat, a // 2, action)) \
            if shape == Shape.SOURCE else Refusal.NOT_ASKED
    if action >= Do.BY_CARDS:
        return Refusal.NONE if shape == Shape.PAYMENT else Refusal.NOT_ASKED
    if shape == Shape.ORCHARD and Do.OPEN <= action < Do.CLAIM:
        return open_refusal(s, c, seat, action - Do.OPEN)
    if shape == Shape.ORCHARD and Do.CLAIM <= action < Do.PAY:
        return claim_refusal(s, c, seat, action - Do.CLAIM)
    return Refusal.NOT_ASKED


@apart
def why_not(s, c, seat, action):
    """`main_refusal` for those who ask once."""
    return main_refusal(s, c, seat, action)


@rule
def answer_refusal(s, c, ask, seat, action):
    """Why an action may not be taken now."""
    if ask == Ask.MAIN:
        if action > LAST_MAIN:
            return Refusal.NOT_ASKED
        return why_not(s, c, seat, action)
    return choice_refusal(s, c, action)


@rule
def range_of(s, shape):
    """The ids a question that does not choose among cards can have."""
    if shape == Shape.MAIN:
        return 0, LAST_MAIN + 1
    if shape == Shape.SLOT:
        return Do.SLOT, Do.SLOT + s.seats * N_SLOTS
    if shape == Shape.POSITION:
        return Do.POSITION, Do.POSITION + N_CARDS
    if shape == Shape.AMOUNT:
        return Do.AMOUNT, Do.SLOT
    if shape == Shape.SEAT:
        return Do.SEAT, Do.AGE
    if shape == Shape.AGE:
        return Do.AGE, Do.AMOUNT
    if shape == Shape.SOURCE:
        return Do.FROM_PILE, Do.SEAT
    if shape == Shape.PAYMENT:
        return Do.BY_CARDS, Do.FROM_PILE
    if shape == Shape.ORCHARD:
        return Do.OPEN, Do.PAY
    return 0, 0


@rule
def cards_of(s, shape):
    """The places of the cards a question chooses among."""
    _, seat, a, _ = top_item(s)
    if shape == Shape.HAND:
        return s.start[Pile.HAND + seat], s.start[Pile.HAND + seat + 1]
    if shape == Shape.ASIDE:
        return s.start[Pile.ASIDE], s.start[Pile.ASIDE_DISCARD + 1]
    if shape == Shape.TRAY:
        return s.start[Pile.TRAY], s.start[Pile.TRAY + 1]
    if shape == Shape.DISCARD:
        return s.start[Pile.DISCARD], s.start[Pile.DISCARD + 1]
    if shape == Shape.DEVELOPMENTS:
        pile = at_slot(Pile.DEVELOPMENT, seat, a)
        return s.start[pile], s.start[pile + 1]
    return s.start[0], s.start[0]


@apart
def main_legal(s, c, out):
    """What may be done in the main part."""
    count, seat = 0, top_seat(s)
    for action in range(LAST_MAIN + 1):
        if main_refusal(s, c, seat, action) == Refusal.NONE:
            out[count] = action
            count += 1
    return count


@rule
def list_choices(s, c, first, last, out, count):
    """Append what may be chosen, of a range of actions."""
    for action in range(first, last):
        if choice_refusal(s, c, action) == Refusal.NONE:
            out[count] = action
            count += 1
    return count


@rule
def legal(s, c, out):
    """Every action that is not refused."""
    ask = asked(s)
    if ask == NOBODY:
        return 0
    if ask == Ask.MAIN:
        return main_legal(s, c, out)
    shape = SHAPE_OF[ask]
    count = list_choices(s, c, Do.CANCEL, Do.YES + 1, out, 0)
    first, last = range_of(s, shape)
    count = list_choices(s, c, first, last, out, count)
    first_place, last_place = cards_of(s, shape)
    for place in range(first_place, last_place):
        action = Do.CARD + np.int64(s.card[place])
        if choice_refusal(s, c, action) == Refusal.NONE:
            out[count] = action
            count += 1
    return count

