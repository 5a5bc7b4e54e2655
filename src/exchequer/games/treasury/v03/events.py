"""Events: what each of the 22 effects does when its card of the row is carried out.

Effects on the treasury and on counts happen at once; where players choose, a step for each of
them goes on the agenda, in seat order. Who qualifies is fixed when the event begins (T3-35).
"""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.piles import TOP, card_at, pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.businesses import discard_batch, lay_developments_aside
from exchequer.games.treasury.v03.cards import FIRST_WEAPON, LEADERS, Ability, Effect, Icon
from exchequer.games.treasury.v03.drawing import (
    NO_DECK,
    barbarians,
    demand,
    demanded,
    discard,
    discard_oldest,
    draw,
    find_in,
    grow,
    hand_size,
    ordinary_deck,
    population,
    shrink,
)
from exchequer.games.treasury.v03.holdings import (
    business_card,
    carry,
    contract_pile,
    development_pile,
    fill_treasury,
    fire,
    first_owner,
    gain,
    is_contracted,
    lose_treasury,
    owns,
    provides_from,
    refresh,
    seat_after,
    shows_icon,
    take_treasury,
    total_provided,
)
from exchequer.games.treasury.v03.state import SLOTS, Ask, Do, Event, Pile, Step

# One event after the other (T3-32) ---------------------------------------------------------------


@handles(Step.EVENTS)
def next_event(s, c, log):
    """T3-32 R3-26 The row from left to right, as long as it was when the events began."""
    if s.to_resolve > 0:
        card = np.int64(card_at(s, Pile.ROW, 0))
        note(log, Event.RESOLVED, 0, c.effects[card], card)
        then(s, Step.EVENT_DONE, 0, 0, 0)
        carry_out(s, c, card, log)


@handles(Step.EVENT_DONE)
def finish_event(s, c, log):
    """T3-32 The card goes on top of demand, a contract check follows, then the next event."""
    s.to_resolve -= 1
    then(s, Step.EVENTS, 0, 0, 0)
    demand(s, c, Pile.ROW, 0, s.first, log)


@apart
def carry_out(s, c, card, log):
    """T3-35 What the event does."""
    what = c.effects[card]
    x, y = c.effect_numbers[card, 0], c.effect_numbers[card, 1]
    if what == Effect.BARBARIANS:
        raid(s, c, x, log)
    elif what == Effect.GENERATION:
        pass_generation(s, log)
    elif what == Effect.WAR:
        wage_war(s, c, log)
    elif what == Effect.POPULATION:
        for _ in range(x):
            grow(s, log)
    elif what == Effect.NEW_TERRITORY:
        for _ in range(x):
            grow(s, log)
        fill_treasury(s, y, log)
    elif what == Effect.TREASURY_GAIN:
        fill_treasury(s, x, log)
    elif what == Effect.TREASURY_LOSS_FRACTION:
        lose_treasury(s, s.treasury // x, log)
    elif what == Effect.REBELLION:
        lose_treasury(s, max(0, x - y * total_provided(s, Icon.HAPPINESS)), log)
    elif what == Effect.DISCARD_OLDEST_DEMAND:
        discard_oldest(s, c, x, y, log)
    elif what == Effect.TRIM_DEMAND_TO_PROVIDED:
        discard_oldest(s, c, x, max(0, demanded(s, c, x) - total_provided(s, x)), log)
    elif what == Effect.DRAW_TO_DEMAND:
        then(s, Step.DRAW_TO_DEMAND, 0, x, 0)
    else:
        concern_players(s, c, card, log)


# The treasury and the people ---------------------------------------------------------------------

@rule
def raid(s, c, gold_per_icon, log):
    """T3-40 R3-25 Barbarians take from the treasury; Swordmaker's owner gets what they take."""
    gold = gold_per_icon * barbarians(s, c)
    owner = first_owner(s, Ability.GAIN_GOLD_TAKEN_BY_BARBARIANS)
    if owner == NOBODY:
        lose_treasury(s, gold, log)
    elif gold > 0 and s.treasury > 0:
        fire(s, c, owner, Ability.GAIN_GOLD_TAKEN_BY_BARBARIANS, log)
        take_treasury(s, owner, gold, log)


@rule
def pass_generation(s, log):
    """T3-39 More food than people: one more; less: one fewer."""
    food = total_provided(s, Icon.FOOD)
    if food > population(s):
        grow(s, log)
    elif food < population(s):
        shrink(s, log)


@rule
def wage_war(s, c, log):
    """T3-40 With barbarians in demand half of the treasury and one of the population are lost."""
    if barbarians(s, c) > 0:
        lose_treasury(s, s.treasury // 2, log)
        shrink(s, log)


@handles(Step.DRAW_TO_DEMAND)
def draw_to_demand(s, c, count, log):
    """Laws, Stimulus: from the deck into demand one at a time, each with its check."""
    deck = ordinary_deck(s)
    if count > 0 and deck != NO_DECK:
        then(s, Step.DRAW_TO_DEMAND, 0, count - 1, 0)
        demand(s, c, Pile.DECK + deck, pile_size(s, Pile.DECK + deck) - 1, s.first, log)


# Players -----------------------------------------------------------------------------------------

@apart
def concern_players(s, c, card, log):
    """T3-35 R3-34 Each player who qualifies, in seat order; harmful events spare Tower's owner.

    Steps are laid on the agenda from the last seat to the first, gold is paid the other way.
    """
    what = c.effects[card]
    x, y = c.effect_numbers[card, 0], c.effect_numbers[card, 1]
    most = most_science(s)
    poor = 0
    for seat in range(s.seats):
        if s.gold[seat] < x:
            poor |= 1 << seat
    for k in range(s.seats):
        pay_event(s, c, seat_after(s, k), what, x, y, poor, log)
    for k in range(s.seats - 1, -1, -1):
        seat = seat_after(s, k)
        if c.effect[what].harmful and owns(s, seat, Ability.IMMUNE_TO_HARMFUL_EVENTS):
            fire(s, c, seat, Ability.IMMUNE_TO_HARMFUL_EVENTS, log)
        else:
            involve(s, seat, what, x, y, most, log)


@rule
def most_science(s):
    most = 1
    for seat in range(s.seats):
        most = max(most, s.provided[seat, Icon.SCIENCE])
    return most


@apart
def pay_event(s, c, seat, what, x, y, poor, log):
    """Events that pay gold: for an icon, for each icon, for idle businesses, to the poor."""
    if what == Effect.PROVIDERS_GAIN_FLAT:
        if s.provided[seat, x] > 0:
            gain(s, seat, y, log)
    elif what == Effect.GAIN_PER_ICON:
        gain(s, seat, y * s.provided[seat, x], log)
    elif what == Effect.UNCONTRACTED_BUSINESSES_GAIN:
        idle = 0
        for slot in range(SLOTS):
            idle += ((s.opened[seat] & ~s.contracted[seat]) >> slot) & 1
        gain(s, seat, x * idle, log)
    elif what == Effect.POOR_GAIN_FROM_TREASURY and (poor >> seat) & 1 == 1:
        take_treasury(s, seat, y, log)


@apart
def involve(s, seat, what, x, y, most, log):
    """Events in which a player does something, or loses something."""
    if what == Effect.SCIENCE_DRAW_THEN_DEMAND:
        least = most if x == LEADERS else 1
        if s.provided[seat, Icon.SCIENCE] >= least:
            then(s, Step.DISCOVER, seat, 0, 0)
    elif what == Effect.DRAW_PER_SCIENCE_THEN_DISCARD:
        if s.provided[seat, Icon.SCIENCE] > 0:
            then(s, Step.BREAKTHROUGH, seat, s.provided[seat, Icon.SCIENCE], 0)
    elif what == Effect.DISCARD_DEVELOPMENTS:
        then(s, Step.VOLCANO, seat, x, 0)
    elif what == Effect.PROVIDERS_DISCARD_CONTRACT:
        if s.provided[seat, x] > 0:
            then(s, Step.LOSE_CONTRACTS, seat, x, y)
    elif what == Effect.PROVIDERS_MAY_CLOSE:
        if s.provided[seat, x] > 0:
            then(s, Ask.MODERNIZE, seat, 0, 0)
    elif what == Effect.UNARMED_LOSE_TURN:  # R3-42
        if not provides_from(s, seat, x):
            s.lose_turn[seat] = 1
            note(log, Event.LOST_TURN, seat, 0, 1)
    elif what == Effect.UNARMED_RETURN_CONTRACTS and not provides_from(s, seat, FIRST_WEAPON):
        then(s, Step.RETURN_CONTRACTS, seat, x, 0)


@handles(Step.DISCOVER)
def discover(s, c, seat, log):
    """Discovery: draw, then put a hand card into demand."""
    then(s, Step.TO_DEMAND, seat, 0, 0)
    draw(s, c, seat, 1, log)


@handles(Step.TO_DEMAND)
def ask_for_demand(s, seat):
    """Discovery: without a deck the hand may be empty, and nothing is put into demand."""
    if hand_size(s, seat) > 0:
        then(s, Ask.TO_DEMAND, seat, 0, 0)


@handles(Step.BREAKTHROUGH)
def break_through(s, c, seat, count, log):
    """Breakthrough: draw as many as science icons, then discard as many as were drawn."""
    then(s, Step.DISCARD_DOWN, seat, hand_size(s, seat), 0)
    draw(s, c, seat, count, log)


@handles(Step.DISCARD_DOWN)
def discard_down(s, seat, size):
    """Discard hand cards until the hand is back at its size."""
    if hand_size(s, seat) > size:
        then(s, Step.DISCARD_DOWN, seat, size, 0)
        then(s, Ask.DISCARD_CARD, seat, 0, 0)


@rule
def development_count(s, seat):
    """All development cards on a seat's startups."""
    count = 0
    for slot in range(SLOTS):
        count += pile_size(s, development_pile(seat, slot))
    return count


@handles(Step.VOLCANO)
def erupt(s, c, seat, count):
    """Volcano: choose development cards to discard; together they are one batch for Boss.

    Where all have to go there is nothing to choose.
    """
    if count > 0 and development_count(s, seat) > count:
        then(s, Step.VOLCANO, seat, count - 1, 0)
        then(s, Ask.VOLCANO, seat, 0, 0)
        return
    if count > 0:
        for slot in range(SLOTS):
            lay_developments_aside(s, seat, slot)
    if pile_size(s, Pile.ASIDE) > 0:
        discard_batch(s, seat)


@handles(Ask.VOLCANO, card=Do.PICK)
def lay_development_aside(s, seat, card, log):
    """Volcano: one development card; from which business, everybody sees."""
    for slot in range(SLOTS):
        index = find_in(s, development_pile(seat, slot), card)
        if index >= 0:
            carry(s, development_pile(seat, slot), index, Pile.ASIDE, TOP)
            note(log, Event.UNDEVELOPED, seat, 0, slot + 1)


@rule
def holds_contract_for(s, c, seat, slot, icon):
    """R3-43 A contract on a business that provides the icon."""
    return is_contracted(s, seat, slot) and shows_icon(c, business_card(s, seat, slot), 1 << icon)


@handles(Step.LOSE_CONTRACTS)
def lose_contracts(s, c, seat, icon, count):
    """R3-43 Extinction: the owner picks which contracts are discarded, if there are any."""
    left = False
    for slot in range(SLOTS):
        left |= holds_contract_for(s, c, seat, slot, icon)
    if count > 0 and left:
        then(s, Step.LOSE_CONTRACTS, seat, icon, count - 1)
        then(s, Ask.LOSE_CONTRACT, seat, icon, 0)


@handles(Ask.LOSE_CONTRACT, slot=Do.SLOT)
def lose_contract(s, c, seat, slot, log):
    note(log, Event.CONTRACT_LOST, seat, business_card(s, seat, slot), 1)
    discard(s, c, contract_pile(seat, slot), 0, log)
    refresh(s, c, seat)


@handles(Step.RETURN_CONTRACTS)
def return_contracts(s, seat, count):
    """R3-55 Levy, Tigers: contracts return to demand one at a time."""
    if count > 0 and s.contracted[seat] != 0:
        then(s, Step.RETURN_CONTRACTS, seat, count - 1, 0)
        then(s, Ask.RETURN_CONTRACT, seat, 0, 0)


@handles(Ask.RETURN_CONTRACT, slot=Do.SLOT)
def return_contract(s, c, seat, slot, log):
    """R3-55 The check that follows may give it straight back."""
    note(log, Event.RETURNED, seat, business_card(s, seat, slot), 1)
    demand(s, c, contract_pile(seat, slot), 0, seat, log)
    refresh(s, c, seat)
