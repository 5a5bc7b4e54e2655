"""The Action Phase: paying for a card, playing it, and what is left in hand."""

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.piles import TOP, card_at, move, pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.banks import payable, saved, spend, total
from exchequer.games.jagged_time.cards import destroy, index_of, index_of_thing, kind_at
from exchequer.games.jagged_time.objectives import run
from exchequer.games.jagged_time.state import Ask, Do, Event, Pile, Step
from exchequer.games.jagged_time.tables import (
    ANY,
    N_DUE,
    N_RESOURCES,
    NO_KIND,
    NO_PLACE,
    NO_ROW,
    PlayedCards,
    UnplayedHand,
)


@apart
def start_payment(s, c, kind, less):
    """J-24 J-R17 J-R18 A card with one way to pay asks nothing; a free way is taken."""
    s.paying, s.pay_less = kind, less
    ways, only = 0, NOBODY
    for cost in range(c.card[kind].costs):
        off = less + saved(s, c, kind, cost)
        if total(c.card[kind].cost[cost]) <= off:
            ways, only = 0, NOBODY
            break
        if payable(s, c.card[kind].cost[cost], off):
            ways, only = ways + 1, cost
    if ways > 1:
        then(s, Ask.COST, 0, 0, 0)
    elif ways == 1:
        set_due(s, c, only)
    else:
        then(s, Step.PAY, 0, 0, 0)


@handles(Ask.COST, cost=Do.COST)
def set_due(s, c, cost):
    """J-24 JL-8 One alternative, in full."""
    for resource in range(N_DUE):
        s.due[resource] = c.card[s.paying].cost[cost, resource]
    s.due[ANY] -= saved(s, c, s.paying, cost)
    s.less = s.pay_less
    s.unit_from = 0
    then(s, Step.PAY, 0, 0, 0)


@handles(Step.PAY)
@apart
def go_on_paying(s, c, log):
    """J-24 First the discount, then the units of choice, then the card is paid and played."""
    if s.less > 0:
        kinds, last = 0, 0
        for resource in range(N_DUE):
            if s.due[resource] > 0:
                kinds, last = kinds + 1, resource
        if kinds > 1:
            then(s, Ask.LESS, 0, 0, 0)
            return
        s.due[last] = max(s.due[last] - s.less, 0)
        s.less = 0
    if s.due[ANY] > 0:
        then(s, Ask.UNIT, 0, 0, 0)
        return
    kind = s.paying
    note(log, Event.PLAYED, 0, kind, 1)
    for resource in range(N_RESOURCES):
        spend(s, resource, s.due[resource], log)
    stop_paying(s)
    play_card(s, c, kind, log)


@rule
def stop_paying(s):
    s.paying = NO_KIND
    s.pay_less = 0
    s.less = 0
    s.unit_from = 0
    for resource in range(N_DUE):
        s.due[resource] = 0


@rule
def play_card(s, c, kind, log):
    """J-24 To the resolving cards, its effect, its clock, and where it goes then."""
    index = index_of(s, Pile.HAND, kind)
    thing = card_at(s, Pile.HAND, index)
    move(s, Pile.HAND, index, Pile.RESOLVING, TOP)
    s.plays += 1
    base = c.card[kind].root  # JL-5
    s.played[base] = min(s.played[base] + 1, 255)
    then(s, Step.FINISH_PLAY, 0, thing, 0)
    if c.card[kind].clock != NO_ROW:
        then(s, Step.CLOCK, 0, c.card[kind].clock, NO_PLACE)
    if c.card[kind].province[0] != NO_ROW:
        run(s, province_outcome(s, c, kind, log), NO_PLACE)
    run(s, c.card[kind].effect, NO_PLACE)


@rule
def province_outcome(s, c, kind, log):
    """J-24 J-R24 The two banks as they are now decide which effect it is."""
    first, second = c.card[kind].province[0], c.card[kind].province[1]
    there = s.bank[first] + s.bank[second]
    if there >= c.card[kind].at_least:
        note(log, Event.PROVINCE_HELD, 0, kind, there)
        return c.card[kind].held
    note(log, Event.PROVINCE_FAILED, 0, kind, there)
    return c.card[kind].failed


@handles(Step.FINISH_PLAY)
def finish_play(s, c, thing, log):
    """J-24 J-R11 An expendable card is removed, another discarded; one destroyed is neither."""
    index = index_of_thing(s, Pile.RESOLVING, thing)
    if index == NOBODY:
        return
    if c.card[kind_at(s, Pile.RESOLVING, index)].subtypes & c.expendable != 0:
        destroy(s, Pile.RESOLVING, index, log)
    elif c.played_cards == PlayedCards.END_OF_PHASE:
        move(s, Pile.RESOLVING, index, Pile.PLAYED, TOP)
    else:
        move(s, Pile.RESOLVING, index, Pile.DISCARD, TOP)


# The end of the phase (J-28) ---------------------------------------------------------------------

@rule
def first_retained(s, c):
    """J-28 J-R13 The first card of the hand whose Retained effect waits, or NOBODY."""
    for index in range(pile_size(s, Pile.HAND)):
        if c.card[kind_at(s, Pile.HAND, index)].retained > 0:
            return index
    return NOBODY


@apart
def retain(s, c, index, log):
    """J-28 J-R15 One card's Retained effect."""
    kind = kind_at(s, Pile.HAND, index)
    move(s, Pile.HAND, index, Pile.RETAINED, TOP)
    note(log, Event.RETAINED, 0, kind, 1)
    then(s, Step.RETAIN, 0, 0, 0)
    run(s, c.card[kind].retained, NO_PLACE)


@apart
def clear_hand(s, c, log):
    """J-28 J-R12 Seasonal cards go, the others are discarded or kept."""
    while pile_size(s, Pile.RETAINED) > 0:
        move(s, Pile.RETAINED, 0, Pile.HAND, TOP)
    for index in range(pile_size(s, Pile.HAND) - 1, -1, -1):
        if c.card[kind_at(s, Pile.HAND, index)].subtypes & c.seasonal != 0:
            destroy(s, Pile.HAND, index, log)
    while pile_size(s, Pile.PLAYED) > 0:
        move(s, Pile.PLAYED, 0, Pile.DISCARD, TOP)
    if c.unplayed_hand == UnplayedHand.DISCARD:
        left = pile_size(s, Pile.HAND)
        if left > 0:
            note(log, Event.DISCARDED, 0, 0, left)
        for pile in range(Pile.RETAINED, Pile.DISCARD + 1):  # all empty between the two
            s.start[pile] = s.start[Pile.HAND]
