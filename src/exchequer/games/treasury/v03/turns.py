"""A turn: income, the opening window, exactly one action, free abilities, and the end of it.

One question, `Ask.TURN`, covers the window, the action and what is free; it comes again until the
turn is over. Which answers are legal is said in `legality.py`.
"""

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import TOP, pile_size, reveal, show
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.businesses import open_business, pay_cost
from exchequer.games.treasury.v03.cards import Ability
from exchequer.games.treasury.v03.drawing import (
    NO_DECK,
    draw,
    find_in,
    hand_index,
    hand_size,
    lay_secretly,
    ordinary_deck,
    reveal_event,
)
from exchequer.games.treasury.v03.holdings import (
    ability_index,
    business_card,
    business_pile,
    carry,
    development_pile,
    fire,
    gain,
    total_of,
)
from exchequer.games.treasury.v03.legality import has_action, list_turn, used_ability
from exchequer.games.treasury.v03.state import (
    FREE,
    SLOTS,
    TO_ROW,
    Act,
    Ask,
    Do,
    Ending,
    Event,
    Pile,
    Step,
)

# The course of a turn (T3-15, T3-16) -------------------------------------------------------------


@handles(Step.NEXT)
def come_to(s, seat):
    """T3-15 T3-42 R3-9 The turn comes to a seat, or at the starting player the round ends."""
    if seat == s.first and (s.closing == 1 or s.end_due != Ending.NONE):
        then(s, Step.ROUND_STEP, seat, 1, 0)
    else:
        then(s, Step.TURN, seat, 0, 0)


@handles(Step.TURN)
@apart
def start_turn(s, c, seat, log):
    """T3-16 R3-42 Income first; a lost turn is skipped with all that belongs to it."""
    s.turns[seat] += 1
    if s.lose_turn[seat]:
        s.lose_turn[seat] = 0
        note(log, Event.SKIPPED, seat, 0, 1)
        guard_length(s, c, log)
        then(s, Step.NEXT, (seat + 1) % s.seats, 0, 0)
        return
    clear_turn(s)
    s.turn = seat
    note(log, Event.TURN, seat, 0, s.turns[seat])
    income = total_of(s, c, seat, Ability.TURN_GAIN)
    if income > 0:
        fire(s, c, seat, Ability.TURN_GAIN, log)
        gain(s, seat, income, log)
    then(s, Step.END_TURN, seat, 0, 0)
    then(s, Step.MAIN, seat, 0, 0)
    if c.end_needs_empty_decks and hand_size(s, seat) == 0:  # R3-30
        draw(s, c, seat, 1, log)


@rule
def clear_turn(s):
    """Nothing has been done yet in this turn."""
    s.acted = Act.NONE
    s.seeds = 0
    s.extra_seeds = 0
    s.extra_developed = 0
    s.developed = 0
    s.started_free = 0
    s.started = 0
    s.action_slot = -1
    s.backs = 0
    for slot in range(SLOTS):
        s.uses[slot] = 0


@handles(Step.MAIN)
@apart
def go_on(s, c, seat, log):
    """T3-16 T3-23 Ask while there is something to do; what decides this is public."""
    if s.acted == Act.NONE:
        if not has_action(s, seat):
            note(log, Event.PASSED, seat, 0, 1)
            return
        then(s, Ask.TURN, seat, 0, 0)
        return
    if c.open_any_time and s.startups[seat] != 0:
        then(s, Ask.TURN, seat, 0, 0)
        return
    free = list_turn(s, c, seat, s.forced, 2) - 1  # ending the turn is one answer
    s.forced[0] = 0
    s.forced[1] = 0
    if free > 0:
        then(s, Ask.TURN, seat, 0, 0)


@handles(Step.END_TURN)
def end_turn(s, c, seat):
    """T3-16 R3-15 A contract check, for all players, then the check for the end."""
    then(s, Step.TURN_OVER, seat, 0, 0)
    then(s, Step.CHECK, seat, 0, 0)


@handles(Step.TURN_OVER)
@apart
def finish_turn(s, c, seat, log):
    """T3-42 R3-30 An empty hand at the end of one's own turn triggers the end."""
    s.turn = NOBODY
    may_end = not c.end_needs_empty_decks or ordinary_deck(s) == NO_DECK
    if hand_size(s, seat) == 0 and may_end and s.end_due == Ending.NONE:
        s.end_due = Ending.EMPTY_HAND
        note(log, Event.END_NEAR, seat, Ending.EMPTY_HAND, 1)
    guard_length(s, c, log)
    then(s, Step.NEXT, (seat + 1) % s.seats, 0, 0)


@rule
def guard_length(s, c, log):
    """T3-44 After so many turns of every player the end is triggered."""
    fewest = s.turns[0]
    for seat in range(1, s.seats):
        fewest = min(fewest, s.turns[seat])
    if fewest >= c.max_turns_per_player and s.end_due == Ending.NONE:
        s.end_due = Ending.LENGTH
        note(log, Event.END_NEAR, s.first, Ending.LENGTH, 1)


# Doing it ----------------------------------------------------------------------------------------

@handles(Ask.TURN)
@apart
def take_turn(s, c, seat, action, log):
    """T3-16 T3-18 What the player has chosen; then the turn goes on."""
    if action == Do.END:
        if s.acted == Act.NONE:
            note(log, Event.PASSED, seat, 0, 1)
        return
    then(s, Step.MAIN, seat, 0, 0)
    if action < Do.START:
        then(s, Ask.SEED_CARD, seat, action - Do.SEED, 0)
        return
    if action < Do.DEVELOP:
        then(s, Ask.START_CARD, seat, action - Do.START, 0)
        return
    if action == Do.DEVELOP:
        then(s, Ask.DEVELOP_WHICH, seat, 0, 0)
        return
    if action < Do.OPEN:
        then(s, Ask.CLOSE_WHICH, seat, action - Do.CLOSE, 0)
        return
    slot = (action - Do.OPEN) % SLOTS
    if action >= Do.USE:
        use_ability(s, c, seat, slot, log)
    else:
        open_startup(s, c, seat, slot, action >= Do.BUY, log)


@handles(Ask.CLOSE_WHICH, slot=Do.SLOT)
def close_own(s, c, seat, slot, kind, log):
    """T3-22 R3-40 As the action, or free with a Hut."""
    if kind & FREE != 0:
        fire(s, c, seat, Ability.FREE_CLOSE, log)
    else:
        s.acted = Act.CLOSE
    then(s, Step.CLOSE, seat, slot, 0)


@rule
def open_startup(s, c, seat, slot, pays, log):
    """T3-17 By its development cards or for gold; no action is used."""
    card = business_card(s, seat, slot)
    if pays:
        pay_cost(s, c, seat, card, log)
    elif pile_size(s, development_pile(seat, slot)) < c.card[card].develop_cost:
        fire(s, c, seat, Ability.DEVELOP_COST_DISCOUNT, log)
    open_business(s, c, seat, slot, SLOTS)


@apart
def use_ability(s, c, seat, slot, log):
    """T3-18 R3-52"""
    card = business_card(s, seat, slot)
    what = used_ability(c, card)
    if what == Ability.ACTION_GAIN:
        s.acted = Act.ABILITY
        gold = c.numbers[card, ability_index(c, card, what), 0]
        if c.farm_cap > 0:
            gold = min(gold, c.farm_cap - s.yielded[seat, slot])
            s.yielded[seat, slot] += gold
        note(log, Event.ABILITY, seat, what, card)
        gain(s, seat, gold, log)
    elif what == Ability.ACTION_DISCARD_DRAW:
        then(s, Ask.SKIN, seat, slot, 0)
    elif what == Ability.ACTION_SWAP_BARBARIAN_DEMAND:
        then(s, Ask.SWAP_OUT, seat, 0, 0)
    elif what == Ability.PEEK_STARTUP:
        then(s, Ask.PEEK, seat, slot, 0)
    elif what == Ability.PEEK_CURRENT_BOTTOM:
        peek(s, c, seat, slot, s.start[Pile.CURRENT], log)
    elif what == Ability.PEEK_FUTURE_TOP:
        peek(s, c, seat, slot, s.start[Pile.FUTURE + 1] - 1, log)


@rule
def peek(s, c, seat, slot, place, log):
    """R3-7 R3-52 Look at one card; the others learn only that."""
    s.uses[slot] += 1
    card = business_card(s, seat, slot)
    note(log, Event.ABILITY, seat, used_ability(c, card), card)
    show(s, place, seat)
    note_for(log, Event.PEEKED, seat, NOBODY, s.card[place], 1, 1 << seat)


@rule
def startup_place(s, seat, slot):
    return s.start[business_pile(seat, slot)]


@rule
def take_back(s):
    """R3-58"""
    s.backs += 1


@handles(Ask.SEED_CARD, card=Do.PICK)
@apart
def seed(s, c, seat, card, kind, log):
    """T3-19 R3-8 R3-38 Lay the card, draw, reveal; straight into the row nothing is revealed."""
    if kind & FREE != 0:
        fire(s, c, seat, Ability.FIRST_SEED_FREE, log)
    elif s.acted == Act.NONE:
        s.acted = Act.SEED
    else:
        s.extra_seeds += 1
        fire(s, c, seat, Ability.SECOND_SEED, log)
    s.seeds += 1
    if kind & TO_ROW != 0:
        fire(s, c, seat, Ability.SEED_TO_ROW, log)
        place = carry(s, Pile.HAND + seat, hand_index(s, seat, card), Pile.ROW, TOP)
        reveal(s, place)
        note(log, Event.SEEDED_ROW, seat, card, 1)
    else:
        lay_secretly(s, c, seat, card, Pile.FUTURE)
        note_for(log, Event.SEEDED, seat, NOBODY, card, 1, 1 << seat)
        then(s, Step.REVEAL, seat, 0, 0)
    draw(s, c, seat, 1, log)


@rule
def skin(s, c, seat, slot, card, log):
    """Skinner: discard a hand card, then draw."""
    s.acted = Act.ABILITY
    note(log, Event.ABILITY, seat, Ability.ACTION_DISCARD_DRAW, business_card(s, seat, slot))
    draw(s, c, seat, 1, log)


@handles(Ask.SWAP_IN, card=Do.PICK)
@apart
def swap_demand(s, c, seat, out, card, log):
    """Warrior: the hand card takes the place of the demand card, which comes into the hand."""
    s.acted = Act.ABILITY
    fire(s, c, seat, Ability.ACTION_SWAP_BARBARIAN_DEMAND, log)
    index = find_in(s, Pile.DEMAND, out)
    place = carry(s, Pile.HAND + seat, hand_index(s, seat, card), Pile.DEMAND, index)
    reveal(s, place)
    place = carry(s, Pile.DEMAND, index + 1, Pile.HAND + seat, TOP)
    s.face_up[place] = 0
    note_for(log, Event.SWAPPED, seat, NOBODY, out, card, ALL)
    then(s, Step.CHECK, seat, 0, 0)


@handles(Step.REVEAL)
def reveal_next(s, log):
    """T3-19 The reveal that ends a seed; the pile may be empty by then only by another rule."""
    if pile_size(s, Pile.CURRENT) > 0:
        reveal_event(s, log)
