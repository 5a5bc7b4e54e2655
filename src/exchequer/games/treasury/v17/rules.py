"""Treasury 0.17: setup, turns and the agenda. The other modules hold a subject each:
`zones` (cards and knowledge), `money`, `matching`, `businesses`, `closing`, `drawing`, `playing`,
`events`, `ages`, `acts` (the main part), `questions` (legality) and `answers`.

Source: the designer's rulebook 0.17 with our rulings R17-n; `rulebook.md` is the authority here.
Deviations: twelve businesses per player (T17-70), a cap on turns (T17-71), four choices taken
back in a turn (T17-72).
"""

import numpy as np

from exchequer.core.agenda import asked, asked_seat, then
from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.handlers import handles
from exchequer.core.log import note, note_for
from exchequer.core.piles import (
    TOP,
    deal_hidden,
    hide_faces,
    hide_order,
    lay_all,
    move,
    pile_size,
    reveal,
    show,
    shuffle,
)
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.ages import end_age, lead
from exchequer.games.treasury.v17.answers import answer
from exchequer.games.treasury.v17.cards import N_AGES, N_ICONS, Ability
from exchequer.games.treasury.v17.drawing import start_end_draw
from exchequer.games.treasury.v17.playing import can_announce
from exchequer.games.treasury.v17.questions import answer_refusal, closing_refusal, legal, why_not
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Do, Event, Fault, Pile, Refusal, Step
from exchequer.games.treasury.v17.zones import (
    at_slot,
    business_at,
    earn,
    fire,
    free_slot,
    hand_size,
    has,
    has_business,
    has_contract,
    index_of,
    left_of,
    move_secretly,
    peek,
    power_sum,
    shows_skill,
    slot_of,
)

__all__ = ["answer", "answer_refusal", "lead", "legal"]

# Setup (T17-14 to T17-18) ------------------------------------------------------------------------


@rule
def setup(s, c, seats, seed, log):
    """T17-1 T17-14 T17-18 R17-8 Three gold each and in the treasury; who starts is random."""
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    s.last_seat = NOBODY
    s.treasury = c.treasury_per_player * seats
    for seat in range(seats):
        s.gold[seat] = c.start_gold
        s.pick[seat] = NOBODY
    deal(s, c, seats)
    s.current = roll(s, seats)
    if c.advanced_draft:
        then(s, Step.TURN, s.current, 0, 0)
        ask_picks(s, np.int64(s.current))
    else:
        start_turn(s, c, np.int64(s.current), log)


@rule
def deal(s, c, seats):
    """T17-15 T17-16 T17-17 Five cards each, a hidden demand, four draw piles; the rest is boxed."""
    lay_all(s, Pile.BOX)
    shuffle(s, Pile.BOX)
    for seat in range(seats):
        deal_from_box(s, c, 0, Pile.HAND + seat, c.hand)
        for place in range(s.start[Pile.HAND + seat], s.start[Pile.HAND + seat + 1]):
            show(s, place, seat)
    deal_from_box(s, c, 0, Pile.DEMAND, max(seats - c.demand_below_seats, 0))
    four = seats == 4
    deal_from_box(s, c, 0, Pile.DRAW, seats * (c.age0_of_four if four else c.age0_per_player))
    for age in range(1, N_AGES):
        deal_from_box(s, c, age, Pile.DRAW + age,
                      seats * (c.later_of_four if four else c.later_per_player))


@apart
def deal_from_box(s, c, age, pile, count):
    """The uppermost cards of an age in the shuffled box."""
    index = pile_size(s, Pile.BOX) - 1
    left = count
    while left > 0 and index >= 0:
        if c.back[s.card[s.start[Pile.BOX] + index]] == age:
            move(s, Pile.BOX, index, pile, TOP)
            left -= 1
        index -= 1


# The contract ------------------------------------------------------------------------------------

@rule
def score(s, c, seat):
    """T17-63 Gold stored on businesses does not count."""
    return s.gold[seat]


@rule
def fault(s, c):
    """T17-10 T17-39 R17-54 What every state promises."""
    if s.treasury < 0:
        return Fault.NEGATIVE
    if pile_size(s, Pile.QUEUE) > s.seats:
        return Fault.QUEUE_SIZE
    if asked(s) == Ask.MAIN and s.start[Pile.BUSINESS] != s.start[Pile.KEPT]:
        return Fault.LEFT_OVER
    for seat in range(s.seats):
        why = seat_fault(s, c, seat)
        if why != Fault.NONE:
            return why
    return Fault.NONE


@apart
def seat_fault(s, c, seat):
    """The tables of abilities and icons agree with the cards; gold lies only where it may."""
    if s.gold[seat] < 0:
        return Fault.NEGATIVE
    for slot in range(N_SLOTS):
        if pile_size(s, at_slot(Pile.BUSINESS, seat, slot)) > 1 or \
                pile_size(s, at_slot(Pile.CONTRACT, seat, slot)) > 1:
            return Fault.TWO_CARDS
        if s.contract_gold[seat, slot] < 0 or s.stored[seat, slot] < 0:
            return Fault.NEGATIVE
        if s.contract_gold[seat, slot] > 0 and not has_contract(s, seat, slot):
            return Fault.STRAY_GOLD
        if not has_business(s, seat, slot) and s.opened[seat, slot] + s.stored[seat, slot] > 0:
            return Fault.EMPTY_SLOT
    for ability in range(Ability.NONE):
        if count_power(s, c, seat, ability) != s.power[seat, ability]:
            return Fault.POWER
    for icon in range(N_ICONS):
        provided = 0
        for slot in range(N_SLOTS):
            if s.opened[seat, slot]:
                provided += c.needs[business_at(s, seat, slot), icon]
        if provided != s.provided[seat, icon]:
            return Fault.PROVIDED
    return Fault.NONE


@rule
def count_power(s, c, seat, ability):
    """Open businesses with the ability, counted afresh."""
    count = 0
    for slot in range(N_SLOTS):
        if s.opened[seat, slot] and shows_skill(c, business_at(s, seat, slot), ability):
            count += 1
    return count


@rule
def observe(s, c, seat):
    """T17-12 T17-13 T17-75 Blank what the seat may not know; what others choose from has no order.

    Who knows a card is public: looks are, and `lose_track` goes by nothing but backs.
    """
    s.rng = 0
    hide_faces(s, c.back, seat)
    for other in range(s.seats):
        if other != seat:
            hide_order(s, Pile.HAND + other)
            hide_order(s, Pile.KEPT + other)
    if seat != asked_seat(s):
        for pile in range(Pile.ASIDE, Pile.TRAY + 1):
            hide_order(s, pile)


@rule
def determinize(s, c, seat, seed):
    """T17-2 T17-13 Unseen cards are dealt anew, never against the age on a back."""
    seed_chance(s, seed, GAME_STREAM)
    deal_hidden(s, c.back)


# The advanced game (T17-65) ----------------------------------------------------------------------

@handles(Step.DRAFT)
def start_picks(s, seat, log):
    """T17-65 Everyone keeps a card of what they hold; the last one is kept without asking."""
    if hand_size(s, seat) <= 1:
        for other in range(s.seats):
            while pile_size(s, Pile.HAND + other) > 0:
                move(s, Pile.HAND + other, 0, Pile.KEPT + other, TOP)
            while pile_size(s, Pile.KEPT + other) > 0:
                move(s, Pile.KEPT + other, 0, Pile.HAND + other, TOP)
    else:
        ask_picks(s, seat)


@rule
def ask_picks(s, seat):
    """T17-65 One card each; then the packs go on."""
    then(s, Step.PASS_PACKS, seat, 0, 0)
    for k in range(s.seats - 1, -1, -1):
        then(s, Ask.DRAFT, left_of(s, seat, k), 0, 0)


@handles(Ask.DRAFT, card=Do.CARD)
def keep_pick(s, c, seat, card, log):
    """T17-65 Secretly."""
    hand = Pile.HAND + seat
    place = move_secretly(s, c, hand, index_of(s, hand, card), Pile.KEPT + seat, TOP, seat)
    note_for(log, Event.PICKED, seat, NOBODY, card, 1, s.known[place])


@handles(Step.PASS_PACKS)
def pass_packs(s, seat, log):
    """T17-65 All packs go to the left at the same time; who passed a card on remembers it."""
    last = s.seats - 1
    while pile_size(s, Pile.HAND + last) > 0:
        move(s, Pile.HAND + last, 0, Pile.TRAY, TOP)
    for giver in range(last - 1, -1, -1):
        while pile_size(s, Pile.HAND + giver) > 0:
            move(s, Pile.HAND + giver, 0, Pile.HAND + giver + 1, TOP)
    while pile_size(s, Pile.TRAY) > 0:
        move(s, Pile.TRAY, 0, Pile.HAND, TOP)
    for taker in range(s.seats):
        giver = left_of(s, taker, last)
        for place in range(s.start[Pile.HAND + taker], s.start[Pile.HAND + taker + 1]):
            peek(s, taker, giver, place, log)
    note(log, Event.PACKS_PASSED, seat, 0, hand_size(s, seat))
    then(s, Step.DRAFT, seat, 0, 0)


# Turns (T17-19 to T17-23) ------------------------------------------------------------------------

@handles(Step.TURN)
def start_turn(s, c, seat, log):
    """T17-19 Start, main part, draw, End of Age check, next turn."""
    s.current = seat
    if s.next_end == N_AGES:
        s.late_turns[seat] += 1
    s.actions = 1
    s.acted = 0
    s.in_main = 1
    s.free_events = 0
    s.free_starts = 0
    s.starts = 0
    s.cancels = 0
    s.idle_pass = 0
    s.event_action = 0
    for slot in range(N_SLOTS):
        s.used[seat, slot] = 0
        for other in range(s.seats):  # R17-50: until now "this turn" was the turn before
            s.started[other, slot] = 0
            s.developed[other, slot] = 0
    note(log, Event.TURN, seat, s.turns[seat], s.age)
    then(s, Step.NEXT_TURN, seat, 0, 0)
    then(s, Step.CHECK_AGE, seat, 0, 0)
    then(s, Step.END_DRAW, seat, 0, 0)
    if s.turns[seat] > 0:
        if has(s, seat, Ability.TURN_GAIN):  # R17-43
            fire(log, seat, Ability.TURN_GAIN)
            home = slot_of(s, c, seat, Ability.TURN_GAIN, 0)
            earn(s, seat, business_at(s, seat, home), power_sum(s, c, seat, Ability.TURN_GAIN),
                 log)
        then(s, Step.MAIN, seat, 0, 0)
        return
    if c.first_turn_extra_action:  # R17-9
        then(s, Step.MAIN, seat, 0, 0)
    then(s, Ask.FIRST_CARD, seat, 0, 0)


@handles(Ask.FIRST_CARD, card=Do.CARD)
def place_first(s, c, seat, card, log):
    """T17-20 Face-up on top of the queue; nothing is triggered and nothing reacts."""
    hand = Pile.HAND + seat
    place = move_secretly(s, c, hand, index_of(s, hand, card), Pile.QUEUE, TOP, seat)
    reveal(s, place)
    note(log, Event.PLACED, seat, card, 1)


@handles(Step.MAIN)
def go_on(s, c, seat):
    """T17-19 T17-23 T17-73 The main part goes on while there may be a choice besides ending it.

    Whoever has a business that may be closed has one; the others cannot tell from the question
    what else there is to do with it.
    """
    if s.actions > 0 or closing_refusal(s, seat) == Refusal.NONE \
            or why_not(s, c, seat, Do.FREE_PLAY) == Refusal.NONE \
            or why_not(s, c, seat, Do.FREE_START) == Refusal.NONE:
        then(s, Ask.MAIN, seat, 0, 0)
    else:
        s.in_main = 0


@handles(Step.NEXT_TURN)
def next_turn(s, c, seat, log):
    """T17-19 T17-59 T17-60 T17-61 R17-51 To the left, again for Cafe, or the game ends."""
    s.turns[seat] += 1
    guard(s, c, seat, log)
    if s.extra_turns > 0:
        s.extra_turns -= 1
        then(s, Step.TURN, seat, 0, 0)
    elif s.last_seat == NOBODY:
        then(s, Step.TURN, left_of(s, seat, 1), 0, 0)
    elif s.turns_left > 0:
        s.turns_left -= 1
        then(s, Step.TURN, left_of(s, seat, 1), 0, 0)
    else:
        end_age(s, np.int64(s.last_seat), N_AGES - 1, 1, log)


@rule
def guard(s, c, seat, log):
    """T17-64 T17-71 R17-64 After so many turns the queue counts as emptied by this player."""
    if s.last_seat != NOBODY:
        return
    late, long = True, True
    for other in range(s.seats):
        late = late and s.late_turns[other] >= c.endgame_turn_cap
        long = long and s.turns[other] >= c.turn_cap
    if late or long:
        s.stalemate = 1
        s.last_seat = seat
        s.turns_left = s.seats - 1
        while pile_size(s, Pile.QUEUE) > 0:
            place = move(s, Pile.QUEUE, 0, Pile.BOX, TOP)
            s.face_up[place] = 0
        note(log, Event.STALEMATE, seat, 0, 1)


@handles(Step.EVENT_NOW)
def event_now(s, c, seat, left):
    """R17-50 Baker opened outside its owner's turn: now or never."""
    if left > 0 and can_announce(s, c, seat):
        then(s, Ask.EVENT_NOW, seat, left, 0)


@handles(Step.START_NOW)
def start_now(s, seat, left):
    """R17-50 Bridge outside its owner's turn: now or never."""
    if left > 0 and hand_size(s, seat) > 0 and free_slot(s, seat) != NOBODY:
        then(s, Ask.START_NOW, seat, left, 0)


# The agenda --------------------------------------------------------------------------------------

@handles(Step.END_DRAW)
def end_main_part(s, c, seat):
    """T17-51 Then cards are drawn."""
    s.in_main = 0
    start_end_draw(s, c, seat)


@handles(Step.SECOND_EVENT)
def allow_second_event(s):
    """R17-53"""
    s.event_action = 1


