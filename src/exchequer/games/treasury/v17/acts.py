"""The main part of a turn: actions, free actions, and what abilities add to them."""

import numpy as np

from exchequer.core.agenda import no_handler, then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import TOP, move, pile_size, place_of, reveal, show
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.businesses import develop, start_business, start_claim
from exchequer.games.treasury.v17.cards import Ability
from exchequer.games.treasury.v17.closing import close_refusal
from exchequer.games.treasury.v17.money import pay_contract
from exchequer.games.treasury.v17.playing import late_pass, use_action
from exchequer.games.treasury.v17.questions import pairs_of, theater
from exchequer.games.treasury.v17.state import (
    FREE_TOUCHED,
    FREE_UNTOUCHED,
    LAST_MAIN,
    N_SLOTS,
    Ask,
    Do,
    Event,
    Pile,
    Playing,
    Refusal,
    Source,
    Step,
    Target,
)
from exchequer.games.treasury.v17.zones import (
    ability_amount,
    ability_count,
    at_slot,
    business_at,
    current_pile,
    discard,
    discard_from_hand,
    earn,
    enter_demand,
    fire,
    has,
    index_of,
    is_startup,
    lose_track,
    move_secretly,
    peek,
    slot_of,
)

# The main part -----------------------------------------------------------------------------------

@handles(Ask.MAIN)
@apart
def act(s, c, seat, action, log):
    """T17-24 T17-33 One action or free action; then the main part goes on."""
    if action == Do.END:
        s.in_main = 0
        return
    then(s, Step.MAIN, seat, 0, 0)
    if action > LAST_MAIN:
        no_handler(s, Ask.MAIN)
    elif action == Do.CLOSE:
        choose_closing(s, seat)
    elif action >= Do.PAY:
        fire(log, seat, Ability.FREE_PAY)
        pay_contract(s, c, seat, action - Do.PAY, log)
    elif action >= Do.CLAIM:
        start_claim(s, c, seat, action - Do.CLAIM, log)
    elif action >= Do.OPEN:
        then(s, Step.OPEN, seat, action - Do.OPEN, 0)
    elif action == Do.PASS:
        take_pass(s, seat, log)
    elif action == Do.PLAY:
        then(s, Step.PLAY, seat, Source.HAND, Playing.ACTION)
    elif action == Do.FREE_PLAY:
        then(s, Step.PLAY, seat, Source.HAND, Playing.FREE)
    elif action == Do.START or action == Do.FREE_START:
        choose_start(s, c, seat, action == Do.FREE_START, log)
    elif action == Do.DEVELOP or action == Do.FREE_DEVELOP:
        choose_startup(s, c, seat, action == Do.FREE_DEVELOP, log)
    elif action == Do.PERFORM:
        perform(s, c, seat, log)
    elif action == Do.TEACH:
        if pile_size(s, Pile.QUEUE) == 1:
            teach(s, c, seat, 0, log)
        else:
            then(s, Ask.TEACH_POSITION, seat, 0, 0)
    elif action >= Do.OBSERVE:
        observe_kind(s, c, seat, action - Do.OBSERVE, log)
    elif action == Do.FORESEE:
        foresee(s, c, seat, log)
    elif action == Do.FLIP:
        flip(s, c, seat, log)
    elif action == Do.MARKET:
        then(s, Ask.MARKET_CARD, seat, pairs_of(s, c, seat), NOBODY)
    elif action == Do.PEEK:
        then(s, Ask.PEEK_SLOT, seat, 0, 0)
    elif action == Do.WHALE or action == Do.SCULPT or action == Do.DISCARD:
        choose_discard(s, c, seat, action, log)
    else:
        no_handler(s, Ask.MAIN)


@rule
def take_pass(s, seat, log):
    """T17-31 T17-32 R17-52 R17-53 From the draw pile, or a late pass, or nothing at all."""
    use_action(s)
    note(log, Event.PASSED, seat, NOBODY, 1)
    if s.idle_pass:
        return
    if current_pile(s) != NOBODY:
        then(s, Step.PLAY, seat, Source.PASS, Playing.ACTION)
    else:
        late_pass(s, seat, log)


@rule
def choose_closing(s, seat):
    """T17-36 Which business."""
    count, found = 0, NOBODY
    for slot in range(N_SLOTS):
        if close_refusal(s, seat, slot) == Refusal.NONE:
            count += 1
            found = slot
    if count == 1:
        then(s, Step.CLOSE, seat, found, 0)
    else:
        then(s, Ask.CLOSE_SLOT, seat, 0, 0)


@rule
def choose_start(s, c, seat, free, log):
    """T17-29 Which hand card becomes a startup."""
    if pile_size(s, Pile.HAND + seat) == 1:
        begin(s, c, seat, np.int64(s.card[s.start[Pile.HAND + seat]]), free, log)
    else:
        then(s, Ask.START_CARD, seat, free, 0)


@handles(Ask.START_CARD, card=Do.CARD)
def begin(s, c, seat, card, free, log):
    """T17-29 By the action, or by a permission: Dairy Farm's has no end."""
    if not free:
        use_action(s)
    elif has(s, seat, Ability.FREE_START):
        fire(log, seat, Ability.FREE_START)
    else:
        s.free_starts -= 1
    start_business(s, c, seat, card, log)


@rule
def choose_startup(s, c, seat, free, log):
    """T17-30 On which startup, and with which card."""
    left = 0
    if free:
        home = slot_of(s, c, seat, Ability.FREE_DEVELOP, 1)
        left = FREE_UNTOUCHED + ability_amount(c, business_at(s, seat, home),
                                               Ability.FREE_DEVELOP)
    count, found = 0, NOBODY
    for slot in range(N_SLOTS):
        if is_startup(s, seat, slot):
            count += 1
            found = slot
    if count == 1:
        choose_development(s, c, seat, found, left, log)
    else:
        then(s, Ask.DEVELOP_SLOT, seat, left, 0)


@rule
def choose_development(s, c, seat, slot, code, log):
    """T17-30 The next card; the only card of a hand is not asked for."""
    if pile_size(s, Pile.HAND + seat) == 1 and (code == 0 or code >= FREE_TOUCHED):
        place_development(s, c, seat, slot, np.int64(s.card[s.start[Pile.HAND + seat]]), code, log)
    elif pile_size(s, Pile.HAND + seat) > 0:
        then(s, Ask.DEVELOP_CARD, seat, slot, code)


@handles(Ask.DEVELOP_CARD, card=Do.CARD)
def place_development(s, c, seat, slot, card, code, log):
    """T17-30 The first card uses the action or Inn's ability."""
    if code == 0:
        use_action(s)
    elif code >= FREE_UNTOUCHED:
        home = slot_of(s, c, seat, Ability.FREE_DEVELOP, 1)
        s.used[seat, home] += 1
        fire(log, seat, Ability.FREE_DEVELOP)
        code -= FREE_UNTOUCHED - FREE_TOUCHED
    develop(s, c, seat, slot, card, log)
    if code < FREE_TOUCHED:
        if pile_size(s, Pile.HAND + seat) > 0:
            then(s, Ask.DEVELOP_CARD, seat, slot, code + 1)
    elif code > FREE_TOUCHED + 1 and pile_size(s, Pile.HAND + seat) > 0:
        then(s, Ask.DEVELOP_CARD, seat, slot, code - 1)


# Abilities worded as actions ---------------------------------------------------------------------

@rule
def perform(s, c, seat, log):
    """Theater: take some of its gold."""
    slot = theater(s, c, seat)
    card = business_at(s, seat, slot)
    gold = min(ability_amount(c, card, Ability.ACT_TAKE), s.stored[seat, slot])
    use_action(s)
    fire(log, seat, Ability.ACT_TAKE)
    s.stored[seat, slot] -= gold
    s.gold[seat] += gold
    note(log, Event.TOOK_STORED, seat, card, gold)


@handles(Ask.TEACH_POSITION, position=Do.POSITION)
def teach(s, c, seat, position, log):
    """R17-41 School: a queue card and the top of demand change places, both face-up."""
    use_action(s)
    fire(log, seat, Ability.ACT_SWAP)
    top = pile_size(s, Pile.DEMAND) - 1
    place = move(s, Pile.DEMAND, top, Pile.QUEUE, position)
    reveal(s, place)
    note(log, Event.SWAPPED, seat, s.card[place], 1)
    enter_demand(s, c, Pile.QUEUE, position + 1, TOP, log)


@handles(Ask.WHALE_CARD, card=Do.CARD)
def whale(s, c, seat, card, log):
    """R17-40 Whaler: the bottom card of demand is discarded, a hand card lies in its place."""
    use_action(s)
    fire(log, seat, Ability.ACT_REPLACE)
    hand = Pile.HAND + seat
    index = index_of(s, hand, card)
    lose_track(s, c, hand, place_of(s, hand, index), seat)
    enter_demand(s, c, hand, index, 0, log)
    if c.whaler_to_hand:
        place = move(s, Pile.DEMAND, 1, hand, TOP)
        s.face_up[place] = 0
        show(s, place, seat)
        note_for(log, Event.TOOK_BACK, seat, NOBODY, s.card[place], 1, s.known[place])
    else:
        discard_unseen(s, 1, seat, log)


@rule
def discard_unseen(s, index, seat, log):
    """Whaler discards even what nobody has seen, without looking at it."""
    place = move(s, Pile.DEMAND, index, Pile.DISCARD, TOP)
    s.face_up[place] = 0
    note_for(log, Event.DISCARDED, seat, NOBODY, s.card[place], 1, s.known[place])


@rule
def choose_discard(s, c, seat, action, log):
    """Sculptor, Whaler and Craftsman: which hand card."""
    only = pile_size(s, Pile.HAND + seat) == 1
    card = np.int64(s.card[s.start[Pile.HAND + seat]])
    if action == Do.WHALE:
        if only:
            whale(s, c, seat, card, log)
        else:
            then(s, Ask.WHALE_CARD, seat, 0, 0)
    elif action == Do.SCULPT:
        if only:
            sculpt(s, c, seat, card, 0, log)
        else:
            then(s, Ask.SCULPT_CARD, seat, 0, 0)
    elif only:
        craft(s, c, seat, card, log)
    else:
        then(s, Ask.DISCARD_CARD, seat, 0, 0)


@handles(Ask.SCULPT_MORE, card=Do.CARD)
def sculpt(s, c, seat, card, done, log):
    """Sculptor: discard cards from hand, gain gold. The first card uses the action."""
    home = slot_of(s, c, seat, Ability.ACT_DISCARD, 0)
    business = business_at(s, seat, home)
    if done == 0:
        use_action(s)
        fire(log, seat, Ability.ACT_DISCARD)
    discard_from_hand(s, c, index_of(s, Pile.HAND + seat, card), seat, log)
    if done + 1 < ability_count(c, business, Ability.ACT_DISCARD):
        then(s, Ask.SCULPT_MORE, seat, done + 1, 0)
        return
    earn(s, seat, business, ability_amount(c, business, Ability.ACT_DISCARD), log)


@handles(Ask.DISCARD_CARD, card=Do.CARD)
def craft(s, c, seat, card, log):
    """R17-44 Craftsman: discard a card, not shown."""
    fire(log, seat, Ability.FREE_DISCARD)
    s.used[seat, slot_of(s, c, seat, Ability.FREE_DISCARD, c.craftsman_once)] += 1
    discard_from_hand(s, c, index_of(s, Pile.HAND + seat, card), seat, log)


# Free actions of abilities -----------------------------------------------------------------------

@rule
def use_once(s, c, seat, ability, log):
    """R17-43 R17-66 One copy's use of this turn."""
    s.used[seat, slot_of(s, c, seat, ability, 1)] += 1
    fire(log, seat, ability)


@rule
def foresee(s, c, seat, log):
    """Prophet: the top card of the current draw pile."""
    use_once(s, c, seat, Ability.FREE_PROPHECY, log)
    peek(s, seat, NOBODY, s.start[current_pile(s) + 1] - 1, log)


@rule
def flip(s, c, seat, log):
    """R17-38 Scriptorium: the bottom card of demand lies face-down from now on."""
    use_once(s, c, seat, Ability.FREE_FLIP, log)
    place = s.start[Pile.DEMAND]
    s.face_up[place] = 0
    note(log, Event.FLIPPED, seat, s.card[place], 1)


@rule
def observe_kind(s, c, seat, target, log):
    """R17-42 Observatory: at which card its owner looks."""
    if target == Target.DISCARD:
        use_once(s, c, seat, Ability.FREE_OBSERVE, log)
        peek(s, seat, NOBODY, s.start[Pile.DISCARD + 1] - 1, log)
    elif target == Target.DRAW_PILE:
        then(s, Ask.OBSERVE_AGE, seat, 0, 0)
    elif target == Target.DEMAND or target == Target.QUEUE:
        then(s, Ask.OBSERVE_POSITION, seat, target, 0)
    else:
        then(s, Ask.OBSERVE_SLOT, seat, target, 0)


@handles(Ask.OBSERVE_SLOT, code=Do.SLOT)
def observe_slot(s, c, seat, target, code, log):
    """R17-42 A startup, a development card or a contract, which may be exchanged."""
    owner, slot = code // N_SLOTS, code % N_SLOTS
    if target == Target.DEVELOPMENT:
        then(s, Ask.OBSERVE_POSITION, seat, target, code)
        return
    use_once(s, c, seat, Ability.FREE_OBSERVE, log)
    if target == Target.STARTUP:
        peek(s, seat, owner, s.start[at_slot(Pile.BUSINESS, owner, slot)], log)
        return
    peek(s, seat, owner, s.start[at_slot(Pile.CONTRACT, owner, slot)], log)
    if pile_size(s, Pile.HAND + seat) > 0:
        then(s, Ask.EXCHANGE_CARD, seat, code, 0)


@handles(Ask.EXCHANGE_CARD, card=Do.CARD)
def exchange(s, c, seat, code, card, log):
    """R17-42 A hand card takes the contract's place; gold and paid status stay."""
    owner, slot = code // N_SLOTS, code % N_SLOTS
    hand, contract = Pile.HAND + seat, at_slot(Pile.CONTRACT, owner, slot)
    move_secretly(s, c, hand, index_of(s, hand, card), contract, TOP, seat)
    move(s, contract, 0, hand, TOP)
    show(s, place_of(s, contract, 0), owner)
    note_for(log, Event.EXCHANGED, seat, owner, card, 1, 1 << seat | 1 << owner)


@handles(Ask.MARKET_CARD, card=Do.CARD)
def sell_pair(s, c, seat, left, card, log):
    """Market: shown and discarded; the last of them brings the gold."""
    hand = Pile.HAND + seat
    icon = c.demand[card]
    index = index_of(s, hand, card)
    lose_track(s, c, hand, place_of(s, hand, index), seat)
    s.known[place_of(s, hand, index)] = ALL
    note(log, Event.REVEALED, seat, card, 1)
    discard(s, hand, index, seat, log)
    if left > 1:
        then(s, Ask.MARKET_CARD, seat, left - 1, icon)
        return
    business = business_at(s, seat, slot_of(s, c, seat, Ability.FREE_MARKET, 1))
    use_once(s, c, seat, Ability.FREE_MARKET, log)
    earn(s, seat, business, ability_amount(c, business, Ability.FREE_MARKET), log)
