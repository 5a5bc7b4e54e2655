"""Playing, triggering and resolving events (T17-8, T17-25 to T17-28, T17-31, T17-32)."""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import TOP, is_known, move, pile_size, reveal, show, top_card
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.cards import Ability
from exchequer.games.treasury.v17.drawing import sources
from exchequer.games.treasury.v17.state import (
    N_SLOTS,
    Ask,
    Do,
    Drawing,
    Event,
    Pile,
    Playing,
    Source,
    Step,
)
from exchequer.games.treasury.v17.zones import (
    ability_amount,
    ability_count,
    ability_icons,
    business_at,
    current_pile,
    earn,
    earn_by_demand,
    enter_demand,
    fire,
    hand_size,
    has,
    index_of,
    move_secretly,
    power_sum,
    shows_skill,
    slot_of,
)

# Permissions -------------------------------------------------------------------------------------

@rule
def can_announce(s, c, seat):
    """T17-25 A hand card, or a Laboratory that can draw one."""
    if hand_size(s, seat) > 0:
        return True
    if not has(s, seat, Ability.DRAW_BEFORE):
        return False
    count, _ = sources(s, c, seat, Drawing.ANY)
    return count > 0


@rule
def free_event_slot(s, c, seat):
    """Wheat Farm, or Hunter after an event as the action, not used this turn; or NOBODY."""
    slot = slot_of(s, c, seat, Ability.FREE_EVENT, 1)
    if slot == NOBODY and s.event_action:
        slot = slot_of(s, c, seat, Ability.SECOND_EVENT, 1)
    return slot


@rule
def has_free_event(s, c, seat):
    return s.free_events > 0 or free_event_slot(s, c, seat) != NOBODY


@rule
def use_free_event(s, c, seat, log):
    """R17-66 Permissions of businesses first, which closing could end; then Baker's."""
    slot = free_event_slot(s, c, seat)
    if slot == NOBODY:
        s.free_events -= 1
        return
    s.used[seat, slot] += 1
    hunter = shows_skill(c, business_at(s, seat, slot), Ability.SECOND_EVENT)
    fire(log, seat, Ability.SECOND_EVENT if hunter else Ability.FREE_EVENT)


@rule
def use_action(s):
    """T17-21 One action of this turn is used."""
    s.actions -= 1
    s.acted = 1


# PLAY (T17-25) -----------------------------------------------------------------------------------

@handles(Step.PLAY)
@apart
def play(s, c, seat, source, as_action):
    """T17-25 Laboratories draw first; then the card is chosen and placed."""
    then(s, Step.CHOOSE_EVENT, seat, source, as_action)
    for slot in range(N_SLOTS):
        if s.opened[seat, slot] and shows_skill(c, business_at(s, seat, slot),
                                                Ability.DRAW_BEFORE):
            then(s, Step.LAB_DRAW, seat, slot, 0)


@handles(Step.LAB_DRAW)
def laboratory_draw(s, c, seat, slot, log):
    """T17-25 Draw; if the first card shows the icon, it is shown and more are drawn."""
    fire(log, seat, Ability.DRAW_BEFORE)
    then(s, Step.LAB_BONUS, seat, slot, hand_size(s, seat))
    then(s, Step.DRAW, seat, Drawing.ANY * 2, 1)


@handles(Step.LAB_BONUS)
def laboratory_bonus(s, c, seat, slot, before, log):
    card = business_at(s, seat, slot)
    more = ability_amount(c, card, Ability.DRAW_BEFORE) - 1
    if hand_size(s, seat) > before:
        drawn = top_card(s, Pile.HAND + seat)
        if ability_icons(c, card, Ability.DRAW_BEFORE) >> c.demand[drawn] & 1:
            s.known[s.start[Pile.HAND + seat + 1] - 1] = ALL
            note(log, Event.REVEALED, seat, drawn, 1)
            more += ability_count(c, card, Ability.DRAW_BEFORE)
        then(s, Step.DRAW, seat, Drawing.ANY * 2, more)


@handles(Step.CHOOSE_EVENT)
def choose_event(s, c, seat, source, as_action, log):
    """T17-25 T17-31 From hand by choice, from the draw pile by a pass, or the one set aside."""
    if source == Source.HAND:
        if hand_size(s, seat) == 1:
            play_from_hand(s, c, seat, np.int64(top_card(s, Pile.HAND + seat)), as_action, log)
        elif hand_size(s, seat) > 1:
            then(s, Ask.EVENT_CARD, seat, as_action, 0)
    elif source == Source.PASS:
        play_from_pile(s, c, seat, as_action, log)
    else:
        then(s, Step.PLACE, seat, 0, 0)


@handles(Ask.EVENT_CARD, card=Do.CARD)
def play_from_hand(s, c, seat, card, as_action, log):
    """T17-25 The action or the permission is used up only now."""
    if as_action == Playing.ACTION:
        use_action(s)
    elif as_action == Playing.FREE:
        use_free_event(s, c, seat, log)
    hand = Pile.HAND + seat
    place = move_secretly(s, c, hand, index_of(s, hand, card), Pile.TRANSIT, TOP, seat)
    announce_event(s, place, seat, log)
    start_placing(s, seat, as_action == Playing.ACTION)


@rule
def announce_event(s, place, seat, log):
    """T17-74 An event is shown before it is said where it goes; Smuggler's owner shows none."""
    if not has(s, seat, Ability.FACE_DOWN):
        reveal(s, place)
    note_for(log, Event.PLAYED, seat, NOBODY, s.card[place], 1, s.known[place])


@rule
def start_placing(s, seat, as_action):
    """T17-25 When everything is finished, the action has its consequences."""
    if as_action:
        then(s, Step.AFTER_ACTION, seat, 0, 0)
    then(s, Step.PLACE, seat, 0, 0)


@rule
def play_from_pile(s, c, seat, as_action, log):
    """T17-31 T17-32 R17-15 The next top card; Smelter's owner sees it even if Smuggler hides it."""
    pile = current_pile(s)
    if pile == NOBODY:  # Laboratory took the last card: a late pass
        late_pass(s, seat, log)
        return
    place = move(s, pile, pile_size(s, pile) - 1, Pile.TRANSIT, TOP)
    if has(s, seat, Ability.PLACE_ANYWHERE):
        show(s, place, seat)
    announce_event(s, place, seat, log)
    start_placing(s, seat, as_action == Playing.ACTION and c.pass_counts_as_event_action == 1)


@rule
def late_pass(s, seat, log):
    """T17-32 T17-61 The bottom event is triggered and none is added; the last one ends the game."""
    if pile_size(s, Pile.QUEUE) == 1 and s.last_seat == NOBODY:
        note(log, Event.LAST_EVENT, seat, 0, 1)
        s.last_seat = seat
        s.turns_left = s.seats - 1
    then(s, Step.TRIGGER, seat, 0, 0)


@handles(Step.PLACE)
def place_event(s, c, seat, log):
    """T17-25 T17-28 R17-16 Fertility may go straight to demand if its player sees it.

    T17-73 Of a face-down card the others see the back, so the question goes by that.
    """
    place = s.start[Pile.TRANSIT]
    card = np.int64(s.card[place])
    if not is_known(s, place, seat):
        queue_event(s, c, seat, log)
    elif goes_direct(c, card) or (not s.face_up[place] and c.hides_direct[c.back[card]]):
        then(s, Ask.DIRECT, seat, 0, 0)
    else:
        queue_event(s, c, seat, log)


@rule
def goes_direct(c, card):
    """T17-28 Fertility."""
    return c.event[c.card[card].event].direct == 1


@handles(Ask.DIRECT, Do.NO)
def queue_event(s, c, seat, log):
    """T17-25 On top of the queue; Smelter's owner picks any position above the bottom card."""
    if has(s, seat, Ability.PLACE_ANYWHERE) and pile_size(s, Pile.QUEUE) > 1:
        then(s, Ask.QUEUE_POSITION, seat, 0, 0)
    else:
        put_in_queue(s, c, seat, pile_size(s, Pile.QUEUE), log)


@handles(Ask.QUEUE_POSITION, position=Do.POSITION)
@apart
def put_in_queue(s, c, seat, position, log):
    """T17-25 R17-39 Face-down for Smuggler's owner; Shrine pays as it is placed."""
    if position < pile_size(s, Pile.QUEUE):
        fire(log, seat, Ability.PLACE_ANYWHERE)
    place = move(s, Pile.TRANSIT, 0, Pile.QUEUE, position)
    if not s.face_up[place]:
        fire(log, seat, Ability.FACE_DOWN)
    pay_shrine(s, c, seat, log)
    then(s, Step.TRIGGER, seat, 0, 0)


@handles(Ask.DIRECT, Do.YES)
def play_direct(s, c, seat, log):
    """T17-28 Straight to demand and resolved at once; the queue is left alone."""
    card = top_card(s, Pile.TRANSIT)
    note(log, Event.PLAYED_DIRECT, seat, card, 1)
    pay_shrine(s, c, seat, log)
    enter_demand(s, c, Pile.TRANSIT, 0, TOP, log)
    then(s, Step.RESOLVE, seat, card, 0)


@rule
def pay_shrine(s, c, seat, log):
    """T17-25 Whenever an event is played, from whatever source."""
    if has(s, seat, Ability.PLAY_GAIN):
        fire(log, seat, Ability.PLAY_GAIN)
        home = slot_of(s, c, seat, Ability.PLAY_GAIN, 0)
        earn(s, seat, business_at(s, seat, home), power_sum(s, c, seat, Ability.PLAY_GAIN), log)


# TRIGGER and RESOLVE (T17-26, T17-27) ------------------------------------------------------------

@handles(Step.TRIGGER)
def trigger(s, c, seat, log):
    """T17-26 R17-1 The bottom card lies in demand before it is resolved; R17-55 or nothing."""
    if pile_size(s, Pile.QUEUE) > 0:
        card = s.card[s.start[Pile.QUEUE]]
        note(log, Event.TRIGGERED, seat, card, 1)
        enter_demand(s, c, Pile.QUEUE, 0, TOP, log)
        then(s, Step.RESOLVE, seat, card, 0)


@handles(Step.RESOLVE)
def start_resolving(s, seat, card):
    """T17-27 R17-49 Shaman's owner may cancel the whole effect, knowing the card."""
    if has(s, seat, Ability.SKIP):
        then(s, Ask.SKIP, seat, card, 0)
    else:
        then(s, Step.EFFECT, seat, card, 0)


@handles(Step.RESOLVED)
def after_effect(s, c, seat, card, log):
    """T17-27 Trapper and Counselor pay the acting player."""
    if has(s, seat, Ability.RESOLVE_GAIN):
        earn_by_demand(s, c, seat, Ability.RESOLVE_GAIN, card, log)


@handles(Step.AFTER_ACTION)
def after_action(s, c, seat, log):
    """T17-25 Apothecary's draw, then Hunter's permission."""
    then(s, Step.SECOND_EVENT, seat, 0, 0)
    draws = power_sum(s, c, seat, Ability.DRAW_AFTER)
    if draws > 0:
        fire(log, seat, Ability.DRAW_AFTER)
        then(s, Step.DRAW, seat, Drawing.ANY * 2, draws)
