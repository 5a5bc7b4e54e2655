"""Questions: which answers they allow.

`POOLS` says where the answers to a question come from; one predicate for cards, one for businesses
and one for the rest say why an answer is refused. A turn's own question is in `legality.py`, what
answers do is in `answers.py`.
"""

import numpy as np

from exchequer.core.agenda import asked, no_answer, top_item
from exchequer.core.contract import WAIT
from exchequer.core.piles import card_at, pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.businesses import (
    can_close_for,
    can_start_open,
    lodge_slot,
    meets_requirement,
)
from exchequer.games.treasury.v03.contracts import way_to_serve
from exchequer.games.treasury.v03.drawing import (
    NO_DECK,
    can_draw_from,
    find_in,
    ordinary_deck,
    pays_to_show,
    top_of,
)
from exchequer.games.treasury.v03.events import holds_contract_for
from exchequer.games.treasury.v03.holdings import (
    business_card,
    business_pile,
    development_pile,
    is_business,
    is_contracted,
    is_startup,
)
from exchequer.games.treasury.v03.legality import (
    back_refusal,
    list_turn,
    startup_refusal,
    turn_refusal,
)
from exchequer.games.treasury.v03.matching import can_hold, can_take, supply
from exchequer.games.treasury.v03.rounds import can_be_robbed
from exchequer.games.treasury.v03.state import (
    FACE_UP,
    N_ASKS,
    N_SOURCES,
    SEATS,
    SLOTS,
    Ask,
    Do,
    Pile,
    Pool,
    Refusal,
)

POOLS = np.zeros(N_ASKS, np.int64)
for _ask, _pool in {
    Ask.SETUP_CARD: Pool.HAND, Ask.SEED_CARD: Pool.HAND | Pool.BACK,
    Ask.START_CARD: Pool.HAND | Pool.BACK, Ask.DEVELOP_CARD: Pool.HAND | Pool.BACK,
    Ask.SKIN: Pool.HAND | Pool.BACK, Ask.SWAP_OUT: Pool.DEMAND | Pool.BACK,
    Ask.SWAP_IN: Pool.HAND | Pool.BACK, Ask.PEEK: Pool.PLACES | Pool.BACK,
    Ask.SOURCE: Pool.SOURCES | Pool.NO, Ask.SHOW: Pool.YES | Pool.NO,
    Ask.LODGE: Pool.YES | Pool.NO, Ask.CLOSE_FIRST: Pool.SLOTS, Ask.BOSS: Pool.ASIDE | Pool.NO,
    Ask.ADD_DEMAND: Pool.HAND | Pool.NO, Ask.DISCARD_DEMAND: Pool.DEMAND | Pool.NO,
    Ask.LAY_CONTRACT: Pool.DEMAND | Pool.NO, Ask.CONTRACT_TARGET: Pool.SLOTS,
    Ask.DISCARD_CARD: Pool.HAND, Ask.LOSS: Pool.HAND | Pool.SLOTS, Ask.ORDER: Pool.SLOTS,
    Ask.TANNER: Pool.ASIDE, Ask.RETURN: Pool.ASIDE, Ask.STEAL: Pool.SEATS,
    Ask.MASON: Pool.ROW | Pool.NO, Ask.SHAMAN: Pool.ROW | Pool.NO, Ask.TO_DEMAND: Pool.HAND,
    Ask.VOLCANO: Pool.DEVELOPMENTS, Ask.LOSE_CONTRACT: Pool.SLOTS,
    Ask.RETURN_CONTRACT: Pool.SLOTS, Ask.MODERNIZE: Pool.SLOTS | Pool.NO,
    Ask.WILD: Pool.SLOTS | Pool.NO, Ask.AWARD: Pool.SLOTS, Ask.FIT: Pool.DEMAND,
    Ask.KEEP: Pool.ASIDE, Ask.COUNCIL: Pool.SLOTS, Ask.JUDGE: Pool.SEATS,
    Ask.DEVELOP_WHICH: Pool.SLOTS | Pool.BACK, Ask.CLOSE_WHICH: Pool.SLOTS | Pool.BACK,
}.items():
    POOLS[_ask] = _pool


# What is refused ---------------------------------------------------------------------------------

@apart
def card_refusal(s, c, card):
    """Why a card of the question's pool is no answer."""
    ask, seat, a, b = top_item(s)
    if ask == Ask.START_CARD and a & FACE_UP != 0:
        return Refusal.NONE if can_start_open(s, c, seat, card) else Refusal.TOO_POOR
    if ask == Ask.SWAP_OUT:
        return Refusal.NONE if c.card[card].barbarian else Refusal.NO_BARBARIAN
    if ask == Ask.SWAP_IN:
        return Refusal.NO_PEACEFUL_CARD if c.card[card].barbarian else Refusal.NONE
    if ask == Ask.LAY_CONTRACT:
        return Refusal.NONE if has_target(s, c, seat) else Refusal.HAS_CONTRACT
    if ask == Ask.RETURN:  # the card on top is the one that goes into demand
        return Refusal.NONE if card != top_of(s, Pile.ASIDE) else Refusal.NOT_THERE
    if ask == Ask.FIT:
        fits = way_to_serve(s, c, seat, a, b, card) > 0
        return Refusal.NONE if fits else Refusal.DOES_NOT_FIT
    return Refusal.NONE


@rule
def has_target(s, c, seat):
    """Whether some business of the seat can hold a contract."""
    slot = 0
    while slot < SLOTS and not can_hold(s, c, seat, slot):
        slot += 1
    return slot < SLOTS


@apart
def slot_refusal(s, c, slot):
    """Why a business of the seat is no answer."""
    ask, seat, a, b = top_item(s)
    if not is_business(s, seat, slot):
        return Refusal.NOT_THERE
    if ask == Ask.DEVELOP_WHICH:
        return startup_refusal(s, seat, slot)
    if ask == Ask.CLOSE_FIRST:
        closes = slot != a and slot != b and can_close_for(s, c, seat, business_card(s, seat, a),
                                                           slot)
        return Refusal.NONE if closes else Refusal.WRONG_ICON
    if ask == Ask.CONTRACT_TARGET:
        return Refusal.NONE if can_hold(s, c, seat, slot) else Refusal.HAS_CONTRACT
    if ask == Ask.COUNCIL:
        return Refusal.NONE if can_hold(s, c, seat, slot) else Refusal.HAS_CONTRACT
    if ask == Ask.ORDER:
        return Refusal.NONE if (a >> slot) & 1 == 1 else Refusal.NO_ABILITY
    if ask == Ask.WILD:
        return Refusal.NONE if (a >> slot) & 1 == 1 else Refusal.DOES_NOT_FIT
    if ask == Ask.LOSE_CONTRACT:
        return Refusal.NONE if holds_contract_for(s, c, seat, slot, a) else Refusal.NO_CONTRACT
    if ask == Ask.RETURN_CONTRACT:
        return Refusal.NONE if is_contracted(s, seat, slot) else Refusal.NO_CONTRACT
    if ask == Ask.AWARD:
        if (s.group[seat] >> slot) & 1 == 0:
            return Refusal.DOES_NOT_FIT
        plain, armed = supply(s, c)
        served = can_take(s, c, plain, armed, seat, slot, s.serve)
        return Refusal.NONE if served else Refusal.DOES_NOT_FIT
    return Refusal.NONE


@apart
def other_refusal(s, c, action):
    """Why a yes, a no, a player, a source or a startup is no answer."""
    ask, seat, a, _ = top_item(s)
    if action == Do.BACK:
        return back_refusal(s)
    if action == Do.NO:
        if ask == Ask.SOURCE and ordinary_deck(s) != NO_DECK:
            return Refusal.NOT_ASKED
        return Refusal.NONE
    if action == Do.YES:
        if ask == Ask.SHOW and not pays_to_show(s, c, seat, top_of(s, Pile.HAND + seat)):
            return Refusal.NOT_SCIENCE
        if ask == Ask.LODGE and not meets_requirement(s, c, seat, business_card(s, seat, a),
                                                      lodge_slot(s, c, seat)):
            return Refusal.NOTHING_TO_CLOSE
        return Refusal.NONE
    if ask == Ask.SOURCE:
        drawn = can_draw_from(s, c, seat, action - Do.SOURCE)
        return Refusal.NONE if drawn else Refusal.NO_SOURCE
    if ask == Ask.JUDGE:
        return Refusal.NONE if (a >> (action - Do.SEAT)) & 1 == 1 else Refusal.NOT_TIED
    if ask == Ask.STEAL:
        robbed = can_be_robbed(s, c, seat, a, action - Do.SEAT)
        return Refusal.NONE if robbed else Refusal.PROVIDES_FOOD
    if ask == Ask.PEEK:
        owner, slot = (action - Do.PLACE) // SLOTS, (action - Do.PLACE) % SLOTS
        startup = owner < s.seats and is_startup(s, owner, slot)
        return Refusal.NONE if startup else Refusal.NO_STARTUP
    return Refusal.NOT_ASKED


@rule
def pool_of(action):
    """Which pool an answer other than a card belongs to."""
    if action == Do.YES:
        return Pool.YES
    if action == Do.NO:
        return Pool.NO
    if action == Do.BACK:
        return Pool.BACK
    if action < Do.SLOT:
        return 0
    if action < Do.PLACE:
        return Pool.SLOTS
    if action < Do.SEAT:
        return Pool.PLACES
    return Pool.SEATS if action < Do.SOURCE else Pool.SOURCES


@rule
def is_in_pool(s, seat, pool, card):
    """Whether a card lies where the question looks for answers."""
    if pool & Pool.HAND != 0 and find_in(s, Pile.HAND + seat, card) >= 0:
        return True
    if pool & Pool.DEMAND != 0 and find_in(s, Pile.DEMAND, card) >= 0:
        return True
    if pool & Pool.ROW != 0 and find_in(s, Pile.ROW, card) >= 0:
        return True
    if pool & Pool.ASIDE != 0 and find_in(s, Pile.ASIDE, card) >= 0:
        return True
    if pool & Pool.DEVELOPMENTS != 0:
        for slot in range(SLOTS):
            if find_in(s, development_pile(seat, slot), card) >= 0:
                return True
    return False


@apart
def answer_refusal(s, c, ask, seat, action):
    """Why an action is no answer to the question on top of the agenda."""
    if ask == Ask.TURN:
        return turn_refusal(s, c, seat, action)
    if action >= Do.PICK:
        if not is_in_pool(s, seat, POOLS[ask], action - Do.PICK):
            return Refusal.NOT_THERE
        return card_refusal(s, c, action - Do.PICK)
    if POOLS[ask] & pool_of(action) == 0:
        return Refusal.NOT_ASKED
    if Do.SLOT <= action < Do.PLACE:
        return slot_refusal(s, c, action - Do.SLOT)
    return other_refusal(s, c, action)


# What is legal -----------------------------------------------------------------------------------


@apart
def list_cards(s, c, pile, out, count, limit):
    """Append the cards of a pile that answer the question."""
    for index in range(pile_size(s, pile)):
        card = np.int64(card_at(s, pile, index))
        if count < limit and card_refusal(s, c, card) == Refusal.NONE:
            out[count] = Do.PICK + card
            count += 1
    return count


@apart
def list_answers(s, c, out, limit):
    """All answers to the question on top, at most `limit`; BACK comes last."""
    ask, seat, _, _ = top_item(s)
    if ask == Ask.TURN:
        return list_turn(s, c, seat, out, limit)
    pool, count = POOLS[ask], 0
    single = -1
    if pool & Pool.HAND != 0:
        single = Pile.HAND + seat
    elif pool & Pool.DEMAND != 0:
        single = Pile.DEMAND
    elif pool & Pool.ROW != 0:
        single = Pile.ROW
    elif pool & Pool.ASIDE != 0:
        single = Pile.ASIDE
    first, last = single, single + 1
    if pool & Pool.DEVELOPMENTS != 0:
        first, last = business_pile(seat, 0), business_pile(seat, SLOTS)
    if first >= 0:
        for pile in range(first, last):
            if single >= 0 or (pile - first) % 3 == 1:
                count = list_cards(s, c, pile, out, count, limit)
    if pool & Pool.SLOTS != 0:
        businesses = s.opened[seat] | s.startups[seat]
        for slot in range(SLOTS):
            if businesses >> slot == 0:
                break
            if count < limit and slot_refusal(s, c, slot) == Refusal.NONE:
                out[count] = Do.SLOT + slot
                count += 1
    return list_others(s, c, pool, out, count, limit)


@apart
def list_others(s, c, pool, out, count, limit):
    """Append players, sources, startups, yes, no and the way back."""
    first, last = 0, 0
    if pool & Pool.PLACES != 0:
        first, last = Do.PLACE, Do.PLACE + SEATS * SLOTS
    elif pool & Pool.SEATS != 0:
        first, last = Do.SEAT, Do.SEAT + SEATS
    elif pool & Pool.SOURCES != 0:
        first, last = Do.SOURCE, Do.SOURCE + N_SOURCES
    for action in range(first, last):
        if count < limit and other_refusal(s, c, action) == Refusal.NONE:
            out[count] = action
            count += 1
    for action in range(Do.YES, Do.BACK + 1):
        if count < limit and pool & pool_of(action) != 0 and \
                other_refusal(s, c, action) == Refusal.NONE:
            out[count] = action
            count += 1
    return count


@rule
def is_always_asked(s):
    """R3-59 Questions whose absence would tell the others about hidden cards."""
    ask, _, a, _ = top_item(s)
    if ask == Ask.TURN or ask == Ask.SHOW or ask == Ask.LODGE or ask == Ask.SWAP_IN:
        return True
    return ask == Ask.START_CARD and a & FACE_UP != 0


@rule
def forced_answer(s, c):
    """The only answer to the question on top; WAIT where there is a choice, or nobody is asked."""
    if asked(s) == NOBODY or is_always_asked(s):
        return WAIT
    count = list_answers(s, c, s.forced, 2)
    first, second = s.forced[0], s.forced[1]
    s.forced[0] = 0
    s.forced[1] = 0
    if count == 0:
        no_answer(s)
        return WAIT
    if count == 1 or second == Do.BACK:
        return first
    return WAIT
