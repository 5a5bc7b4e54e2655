"""Businesses closed, and the cards that leave with them (T17-34, T17-36, T17-53)."""

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note, note_for
from exchequer.core.piles import TOP, move, pile_size, place_of
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.businesses import forget_weapons, on_own_turn
from exchequer.games.treasury.v17.cards import N_SKILLS, Ability
from exchequer.games.treasury.v17.matching import contract_pile
from exchequer.games.treasury.v17.money import collect, lose_store
from exchequer.games.treasury.v17.state import Ask, Do, Drawing, Event, Pile, Refusal, Step
from exchequer.games.treasury.v17.zones import (
    ability_amount,
    at_slot,
    business_at,
    count_business,
    developments,
    discard,
    earn,
    enter_demand,
    fire,
    has_business,
    has_contract,
    index_of,
    lose_track,
    power_sum,
    shows_skill,
    slot_of,
    spend,
)

# Development cards leave -------------------------------------------------------------------------

@rule
def broker_price(s, c, seat):
    """What Broker asks for, or NOBODY where its owner cannot use it."""
    home = slot_of(s, c, seat, Ability.BROKER, 0)
    if home == NOBODY:
        return NOBODY
    price = ability_amount(c, business_at(s, seat, home), Ability.BROKER)
    return price if s.gold[seat] >= price else NOBODY


@handles(Step.DEVELOPMENT_LEAVES)
def developments_leave(s, c, seat, slot, card, log):
    """T17-34 To the discard pile in an order of choice; University takes them, Broker sells one.

    `card` is the business they were laid on; Trader has left already if it was exchanged.
    """
    cards = at_slot(Pile.DEVELOPMENT, seat, slot)
    if pile_size(s, cards) == 0:
        return
    if shows_skill(c, card, Ability.OPEN_RECOVER):
        fire(log, seat, Ability.OPEN_RECOVER)
        note(log, Event.TOOK_BACK, seat, card, pile_size(s, cards))
        while pile_size(s, cards) > 0:
            move(s, cards, 0, Pile.HAND + seat, TOP)
        return
    then(s, Step.DISCARD_DEVELOPMENT, seat, slot, 0)
    offer_broker(s, c, seat, slot)


@rule
def offer_broker(s, c, seat, slot):
    if broker_price(s, c, seat) != NOBODY:
        then(s, Ask.BROKER_CARD, seat, slot, 0)


@handles(Ask.BROKER_CARD, card=Do.CARD)
def sell_development(s, c, seat, slot, card, log):
    """Broker: pay, and one of the cards goes face-up on top of demand; all see where it lay."""
    home = slot_of(s, c, seat, Ability.BROKER, 0)
    fire(log, seat, Ability.BROKER)
    spend(s, seat, business_at(s, seat, home), broker_price(s, c, seat), log)
    cards = at_slot(Pile.DEVELOPMENT, seat, slot)
    index = index_of(s, cards, card)
    note(log, Event.TAKEN_FROM, seat, card, index + 1)
    enter_demand(s, c, cards, index, TOP, log)


@handles(Step.DISCARD_DEVELOPMENT)
def discard_developments(s, seat, slot):
    cards = at_slot(Pile.DEVELOPMENT, seat, slot)
    while pile_size(s, cards) > 0:
        move(s, cards, 0, Pile.TRAY, TOP)
    then(s, Step.ORDER, seat, 0, 0)


@handles(Step.ORDER)
def discard_tray(s, c, seat, log):
    """T17-53 Several cards are discarded at once in an order of the owner's choice."""
    if pile_size(s, Pile.TRAY) > 1:
        then(s, Ask.ORDER_CARD, seat, 0, 0)
    elif pile_size(s, Pile.TRAY) == 1:
        discard(s, Pile.TRAY, 0, seat, log)


@handles(Ask.ORDER_CARD, card=Do.CARD)
def discard_next(s, c, seat, card, log):
    """T17-53 The others lose track of what looks alike from the back."""
    index = index_of(s, Pile.TRAY, card)
    lose_track(s, c, Pile.TRAY, place_of(s, Pile.TRAY, index), seat)
    discard(s, Pile.TRAY, index, seat, log)
    then(s, Step.ORDER, seat, 0, 0)


# Closing (T17-36) --------------------------------------------------------------------------------

@rule
def close_refusal(s, seat, slot):
    """T17-36 R17-13 Any own business that was not started this turn."""
    if not has_business(s, seat, slot):
        return Refusal.NO_BUSINESS
    return Refusal.THIS_TURN if s.started[seat, slot] else Refusal.NONE


@handles(Step.CLOSE)
@apart
def close_business(s, c, seat, slot, log):
    """T17-36 Gold on the contract is received, stored gold is lost, the cards are discarded."""
    place = place_of(s, at_slot(Pile.BUSINESS, seat, slot), 0)
    card = business_at(s, seat, slot)
    note_for(log, Event.CLOSED, seat, NOBODY, card, 1, s.known[place])
    collect(s, seat, slot, log)
    lose_store(s, seat, slot, log)
    free_starts = power_sum(s, c, seat, Ability.ANY_CLOSE_START)
    if free_starts > 0:
        fire(log, seat, Ability.ANY_CLOSE_START)
    was_open = s.opened[seat, slot] == 1
    if was_open and shows_skill(c, card, Ability.CLOSE_START):
        fire(log, seat, Ability.CLOSE_START)
        free_starts += ability_amount(c, card, Ability.CLOSE_START)
    if on_own_turn(s, seat):
        s.free_starts += free_starts
    elif free_starts > 0:
        then(s, Step.START_NOW, seat, free_starts, 0)
    if was_open:
        count_business(s, c, seat, card, -1)
        s.opened[seat, slot] = 0
        forget_weapons(s, c)
        then(s, Step.AFTER_CLOSE, seat, card, 0)
    then(s, Step.CLOSE_CARDS, seat, slot, 0)
    if was_open and has_contract(s, seat, slot) and shows_skill(c, card, Ability.CLOSE_RETURN):
        then(s, Ask.GATHERER, seat, slot, 0)
    if developments(s, seat, slot) > 0:
        offer_broker(s, c, seat, slot)


@handles(Step.CLOSE_CARDS)
def discard_business(s, seat, slot):
    """T17-36 Business, development cards and contract, in an order of choice."""
    s.face_up[place_of(s, at_slot(Pile.BUSINESS, seat, slot), 0)] = 0
    move(s, at_slot(Pile.BUSINESS, seat, slot), 0, Pile.TRAY, TOP)
    if has_contract(s, seat, slot):
        move(s, contract_pile(seat, slot), 0, Pile.TRAY, TOP)
    s.developed[seat, slot] = 0
    s.paid[seat, slot] = 0
    s.used[seat, slot] = 0
    s.due[seat, slot] = 0
    discard_developments(s, seat, slot)


@handles(Step.AFTER_CLOSE)
def when_closed(s, c, seat, card, log):
    """T17-36 After the cards have left."""
    for i in range(N_SKILLS):
        skill, amount = c.skill[card, i], c.amount[card, i]
        if skill == Ability.CLOSE_AGE:  # R17-60
            fire(log, seat, skill)
            earn(s, seat, card, s.age, log)
        elif skill == Ability.CLOSE_DRAW:
            fire(log, seat, skill)
            then(s, Step.DRAW, seat, Drawing.ANY * 2, amount)
        elif skill == Ability.CLOSE_PAY:
            fire(log, seat, skill)
            for _ in range(amount):
                then(s, Step.PAY_ONE, seat, 0, 0)


@handles(Ask.GATHERER, Do.YES)
def return_contract(s, c, seat, slot, log):
    """Gatherer: the contract card goes back to demand, face-up."""
    fire(log, seat, Ability.CLOSE_RETURN)
    enter_demand(s, c, contract_pile(seat, slot), 0, TOP, log)
