"""The End of Round: its nine steps, the ages and the end of the game."""

import numpy as np

from exchequer.core.agenda import drop_all, then
from exchequer.core.contract import leaders
from exchequer.core.handlers import handles
from exchequer.core.log import note, note_for
from exchequer.core.piles import TOP, card_at, pile_size, reveal, show
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.cards import N_AGES, Ability, Icon
from exchequer.games.treasury.v03.drawing import (
    NO_DECK,
    demand,
    find_in,
    grow,
    ordinary_deck,
    population,
)
from exchequer.games.treasury.v03.holdings import (
    ability_number,
    business_card,
    carry,
    contract_value,
    fire,
    is_at_work,
    is_contracted,
    owns,
    pay_player,
    seat_after,
    total_provided,
    weapons_of,
    works_at,
)
from exchequer.games.treasury.v03.payout import pay_for_empty_treasury, pay_out, use_armories
from exchequer.games.treasury.v03.state import (
    N_DECKS,
    SLOTS,
    AgeClock,
    Ask,
    Do,
    Ending,
    Event,
    Pile,
    Step,
)

ROUND_ABILITIES = (1 << Ability.EOR_DRAW_PICK_TO_DEMAND | 1 << Ability.EOR_STEAL
                   | 1 << Ability.EOR_SWAP_REVEALED_WITH_TOP_DEMAND)

# The nine steps (T3-32) --------------------------------------------------------------------------


@handles(Step.ROUND_STEP)
@apart
def round_step(s, c, number, log):
    """T3-32 R3-31 One step of the End of Round; the next one waits below what it causes."""
    if number < 9:
        then(s, Step.ROUND_STEP, 0, number + 1, 0)
    if number == 1:
        refill(s, log)
    elif number == 2:
        use_round_abilities(s, c)
    elif number == 3:
        collect_tax(s, c, log)
    elif number == 4:
        feed(s, log)
    elif number == 5:
        ask_shamans(s, c)
    elif number == 6:
        s.to_resolve = pile_size(s, Pile.ROW)
        then(s, Step.EVENTS, 0, 0, 0)
    elif number == 7:
        pay_for_empty_treasury(s, c, log)
        use_armories(s, c, log)
        pay_out(s, c, log)
        pay_for_empty_treasury(s, c, log)
    elif number == 8:
        if s.end_due != Ending.NONE:
            end_game(s, c, log)
        else:
            set_age(s, c, log)
    else:
        start_round(s, log)


@rule
def refill(s, log):
    """T3-32 Step 1: the future pile onto the current one, card by card, which reverses it."""
    note(log, Event.ROUND_ENDS, 0, 0, s.round_number)
    s.closing = 0
    while pile_size(s, Pile.FUTURE) > 0:
        carry(s, Pile.FUTURE, pile_size(s, Pile.FUTURE) - 1, Pile.CURRENT, TOP)
    note(log, Event.REFILLED, 0, 0, population(s))


@apart
def round_abilities(s, c, seat):
    """T3-32 The slots with an "end of the round" ability at work."""
    slots = 0
    if s.abilities[seat] & ROUND_ABILITIES != 0:
        for slot in range(SLOTS):
            if is_at_work(s, c, seat, slot) and \
                    c.mask[business_card(s, seat, slot)] & ROUND_ABILITIES != 0:
                slots |= 1 << slot
    return slots


@rule
def use_round_abilities(s, c):
    """T3-32 Step 2: "end of the round" abilities, players in seat order, each in their own."""
    for k in range(s.seats - 1, -1, -1):
        seat = seat_after(s, k)
        then(s, Step.ROUND_ABILITIES, seat, round_abilities(s, c, seat), 0)


@handles(Step.ROUND_ABILITIES)
def next_round_ability(s, c, seat, waiting):
    """T3-32 R3-21 The owner orders those still at work: a contract may have switched one off."""
    waiting &= round_abilities(s, c, seat)
    if waiting != 0:
        then(s, Ask.ORDER, seat, waiting, 0)


@handles(Ask.ORDER, slot=Do.SLOT)
@apart
def use_round_ability(s, c, seat, slot, waiting, log):
    """T3-32 Tanner looks, Baker takes, Mason may exchange."""
    then(s, Step.ROUND_ABILITIES, seat, waiting & ~(1 << slot), 0)
    card = business_card(s, seat, slot)
    if works_at(s, c, seat, slot, Ability.EOR_DRAW_PICK_TO_DEMAND):
        look(s, seat, card, ability_number(c, card, Ability.EOR_DRAW_PICK_TO_DEMAND, 0), log)
    elif works_at(s, c, seat, slot, Ability.EOR_STEAL):
        if has_victim(s, c, seat, slot):
            then(s, Ask.STEAL, seat, slot, 0)
    elif works_at(s, c, seat, slot, Ability.EOR_SWAP_REVEALED_WITH_TOP_DEMAND):
        if pile_size(s, Pile.ROW) > 0 and pile_size(s, Pile.DEMAND) > 0:
            then(s, Ask.MASON, seat, 0, 0)


@rule
def look(s, seat, card, count, log):
    """Tanner: look at cards of the ordinary deck, one of which goes into demand."""
    if ordinary_deck(s) == NO_DECK:
        return
    note(log, Event.ABILITY, seat, Ability.EOR_DRAW_PICK_TO_DEMAND, card)
    while count > 0 and ordinary_deck(s) != NO_DECK:
        deck = Pile.DECK + ordinary_deck(s)
        place = carry(s, deck, pile_size(s, deck) - 1, Pile.ASIDE, TOP)
        show(s, place, seat)
        note_for(log, Event.PEEKED, seat, NOBODY, s.card[place], 1, 1 << seat)
        count -= 1
    then(s, Ask.TANNER, seat, 0, 0)


@handles(Ask.TANNER, card=Do.PICK)
def choose_looked(s, c, seat, card, log):
    """Tanner: the chosen card goes into demand once the others have been returned."""
    place = carry(s, Pile.ASIDE, find_in(s, Pile.ASIDE, card), Pile.ASIDE, TOP)
    reveal(s, place)
    then(s, Step.RETURN_LOOKED, seat, 0, 0)


@handles(Ask.RETURN, card=Do.PICK)
def put_under(s, c, seat, card):
    """Tanner: under the deck of its age; with more than one to return the others lose track."""
    several = pile_size(s, Pile.ASIDE) > 2
    place = carry(s, Pile.ASIDE, find_in(s, Pile.ASIDE, card), Pile.DECK + c.age[card] - 2, 0)
    if several:
        s.known[place] = s.known[place] & (1 << seat)
        for index in range(pile_size(s, Pile.ASIDE) - 1):
            other = s.start[Pile.ASIDE] + index
            s.known[other] = s.known[other] & (1 << seat)


@handles(Step.RETURN_LOOKED)
def return_looked(s, c, seat, log):
    """Tanner: each card goes back under its own deck, in an order of the owner's choice."""
    if pile_size(s, Pile.ASIDE) == 1:
        demand(s, c, Pile.ASIDE, 0, seat, log)
        return
    then(s, Step.RETURN_LOOKED, seat, 0, 0)
    first = np.int64(card_at(s, Pile.ASIDE, 0))
    for index in range(1, pile_size(s, Pile.ASIDE) - 1):
        if c.age[card_at(s, Pile.ASIDE, index)] == c.age[first]:
            then(s, Ask.RETURN, seat, 0, 0)
            return
    put_under(s, c, seat, first)  # nothing to choose: no other goes to the same deck


@rule
def can_be_robbed(s, c, seat, slot, other):
    """R3-53 Baker: an opponent who provides none of the icon."""
    icon = ability_number(c, business_card(s, seat, slot), Ability.EOR_STEAL, 1)
    return other != seat and other < s.seats and s.provided[other, icon] == 0


@rule
def has_victim(s, c, seat, slot):
    """R3-53 Whether Baker finds such an opponent."""
    found = False
    for other in range(s.seats):
        found |= can_be_robbed(s, c, seat, slot, other)
    return found


@handles(Ask.STEAL, other=Do.SEAT)
def steal(s, c, seat, slot, other, log):
    """R3-53 Baker takes up to so much gold."""
    card = business_card(s, seat, slot)
    note(log, Event.ABILITY, seat, Ability.EOR_STEAL, card)
    pay_player(s, other, seat, ability_number(c, card, Ability.EOR_STEAL, 0), Event.STOLE, log)


@handles(Ask.MASON, card=Do.PICK)
def swap_event(s, c, seat, card, log):
    """Mason: a revealed event and the top demand card change places."""
    fire(s, c, seat, Ability.EOR_SWAP_REVEALED_WITH_TOP_DEMAND, log)
    index = find_in(s, Pile.ROW, card)
    old = card_at(s, Pile.DEMAND, pile_size(s, Pile.DEMAND) - 1)
    note(log, Event.SWAPPED_ROW, seat, card, old)
    carry(s, Pile.DEMAND, pile_size(s, Pile.DEMAND) - 1, Pile.ROW, index)
    demand(s, c, Pile.ROW, index + 1, seat, log)


@rule
def collect_tax(s, c, log):
    """T3-32 Step 3: the supply pays for the population, then each player the age."""
    gold = np.int64(s.age) * population(s)
    s.treasury += gold
    note(log, Event.CIV_TAX, 0, 0, gold)
    for k in range(s.seats):
        seat = seat_after(s, k)
        if owns(s, seat, Ability.TAX_EXEMPT):
            fire(s, c, seat, Ability.TAX_EXEMPT, log)
            continue
        paid = min(s.age, s.gold[seat])
        s.gold[seat] -= paid
        s.treasury += paid
        note(log, Event.TAXED, seat, 0, paid)


@rule
def feed(s, log):
    """T3-32 R3-24 Step 4: more food than people, and the population grows by one."""
    if total_provided(s, Icon.FOOD) > population(s):
        grow(s, log)


@rule
def ask_shamans(s, c):
    """T3-32 Step 5: each Shaman may spare the civ one event."""
    for k in range(s.seats - 1, -1, -1):
        seat = seat_after(s, k)
        if owns(s, seat, Ability.PRE_EVENTS_MOVE_TO_DEMAND):
            for slot in range(SLOTS):
                if works_at(s, c, seat, slot, Ability.PRE_EVENTS_MOVE_TO_DEMAND):
                    then(s, Ask.SHAMAN, seat, 0, 0)


@handles(Ask.SHAMAN, card=Do.PICK)
def spare_event(s, c, seat, card, log):
    """Shaman: a revealed card goes into demand without its event."""
    fire(s, c, seat, Ability.PRE_EVENTS_MOVE_TO_DEMAND, log)
    demand(s, c, Pile.ROW, find_in(s, Pile.ROW, card), seat, log)


# Ages and rounds (T3-41, T3-32 step 9) -----------------------------------------------------------

@rule
def decks_behind(s):
    """T3-41 Empty decks, counted from age II on without a gap."""
    count = 0
    while count < N_DECKS and pile_size(s, Pile.DECK + count) == 0:
        count += 1
    return count


@rule
def age_now(s, c):
    """T3-41 R3-2 One step behind the decks, or with them."""
    if c.age_clock == AgeClock.DECK:
        return min(N_AGES, 2 + decks_behind(s))
    return 1 + decks_behind(s)


@rule
def set_age(s, c, log):
    """T3-41 Step 8."""
    age = age_now(s, c)
    if age != s.age:
        s.age = age
        note(log, Event.AGE, 0, 0, age)


@rule
def choose_starter(s, log):
    """T3-32 R3-29 Step 9: the poorest, if there is exactly one."""
    least = s.gold[0]
    for seat in range(1, s.seats):
        least = min(least, s.gold[seat])
    count, poorest = 0, 0
    for seat in range(s.seats):
        if s.gold[seat] == least:
            count += 1
            poorest = seat
    if count == 1:
        s.first = poorest
        note(log, Event.STARTER, poorest, 0, 1)


@rule
def start_round(s, log):
    """T3-15 T3-32 Step 9, and the next round begins."""
    choose_starter(s, log)
    s.round_number += 1
    note(log, Event.ROUND, s.first, 0, s.round_number)
    then(s, Step.TURN, s.first, 0, 0)


# The end (T3-42, T3-43) --------------------------------------------------------------------------

@rule
def end_game(s, c, log):
    """T3-42 T3-43 R3-32 Most gold wins."""
    drop_all(s)
    s.ending = s.end_due
    s.winners = leaders(s, c, s.seats)
    note(log, Event.GAME_ENDED, 0, s.ending, s.winners)


@rule
def contract_sum(s, c, seat):
    total = 0
    for slot in range(SLOTS):
        if is_contracted(s, seat, slot):
            total += contract_value(s, c, seat, slot)
    return total


@rule
def lead(s, c, seat, other):
    """T3-43 Gold, then contract values, then weapons."""
    ahead = s.gold[seat] - s.gold[other]
    if ahead == 0:
        ahead = contract_sum(s, c, seat) - contract_sum(s, c, other)
    if ahead == 0:
        ahead = weapons_of(s, seat) - weapons_of(s, other)
    return ahead
