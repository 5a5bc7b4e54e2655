"""Where cards lie and who may know them (T17-10 to T17-13): hands, slots, piles, knowledge.

Knowledge travels with a card. Where somebody moves one of several cards that look alike from the
back in secret, the others lose track of all of them (`lose_track`).
"""

import numpy as np

from exchequer.core.log import note, note_for
from exchequer.core.piles import TOP, move, pile_size, place_of, reveal, show
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.cards import N_AGES, N_ICONS, N_SKILLS, Ability, Icon
from exchequer.games.treasury.v17.state import N_SLOTS, Event, Pile


@rule
def at_slot(base, seat, slot):
    """The pile of a slot: its business, its development cards or its contract."""
    return base + seat * N_SLOTS + slot


@rule
def has_business(s, seat, slot):
    return pile_size(s, at_slot(Pile.BUSINESS, seat, slot)) > 0


@rule
def business_at(s, seat, slot):
    return np.int64(s.card[s.start[at_slot(Pile.BUSINESS, seat, slot)]])


@rule
def is_startup(s, seat, slot):
    """T17-5 Face-down."""
    return has_business(s, seat, slot) and s.opened[seat, slot] == 0


@rule
def has_contract(s, seat, slot):
    return pile_size(s, at_slot(Pile.CONTRACT, seat, slot)) > 0


@rule
def developments(s, seat, slot):
    return pile_size(s, at_slot(Pile.DEVELOPMENT, seat, slot))


@rule
def free_slot(s, seat):
    """T17-70 A place for one more business, or NOBODY."""
    for slot in range(N_SLOTS):
        if not has_business(s, seat, slot):
            return slot
    return NOBODY


@rule
def businesses(s, seat):
    """How many a player has, of either state."""
    count = 0
    for slot in range(N_SLOTS):
        if has_business(s, seat, slot):
            count += 1
    return count


@rule
def hand_size(s, seat):
    return pile_size(s, Pile.HAND + seat)


@apart
def index_of(s, pile, card):
    """Where a card lies in a pile, or NOBODY."""
    for index in range(pile_size(s, pile)):
        if s.card[s.start[pile] + index] == card:
            return index
    return NOBODY


@rule
def left_of(s, seat, steps):
    """T17-1 Play passes clockwise."""
    return (seat + steps) % np.int64(s.seats)


# Abilities on the table --------------------------------------------------------------------------

@rule
def has(s, seat, ability):
    """T17-6 Whether an open business of the seat has the ability."""
    return s.power[seat, ability] > 0


@rule
def skill_index(c, card, ability):
    """Which of a card's abilities it is, or NOBODY."""
    for i in range(N_SKILLS):
        if c.skill[card, i] == ability:
            return i
    return NOBODY


@rule
def shows_skill(c, card, ability):
    return skill_index(c, card, ability) != NOBODY


@rule
def provided_of(s, seat, mask):
    """How many of the icons a player provides (T17-6, R17-7)."""
    total = 0
    for icon in range(N_ICONS):
        if mask >> icon & 1:
            total += s.provided[seat, icon]
    return total


@apart
def power_sum(s, c, seat, ability):
    """R17-66 The amounts of all copies together."""
    total = 0
    if s.power[seat, ability] > 0:
        for slot in range(N_SLOTS):
            if s.opened[seat, slot]:
                card = business_at(s, seat, slot)
                i = skill_index(c, card, ability)
                if i != NOBODY:
                    total += c.amount[card, i]
    return total


@apart
def slot_of(s, c, seat, ability, fresh):
    """An open business with the ability, `fresh`: with a use left this turn; or NOBODY."""
    if s.power[seat, ability] > 0:
        for slot in range(N_SLOTS):
            if s.opened[seat, slot]:
                i = skill_index(c, business_at(s, seat, slot), ability)
                if i != NOBODY and (not fresh or s.used[seat, slot] < c.uses[
                        business_at(s, seat, slot), i]):
                    return slot
    return NOBODY


@rule
def ability_amount(c, card, ability):
    return c.amount[card, skill_index(c, card, ability)]


@rule
def ability_count(c, card, ability):
    return c.count[card, skill_index(c, card, ability)]


@rule
def ability_icons(c, card, ability):
    return c.icons[card, skill_index(c, card, ability)]


@rule
def fire(log, seat, ability):
    """An ability makes a difference: counted by the log."""
    note(log, Event.ABILITY, seat, ability, 1)


@apart
def count_business(s, c, seat, card, change):
    """T17-6 Keep the tables of what open businesses can do and provide."""
    for i in range(N_SKILLS):
        if c.skill[card, i] != Ability.NONE:
            s.power[seat, c.skill[card, i]] += change
    for icon in range(N_ICONS):
        s.provided[seat, icon] += change * c.needs[card, icon]


# Knowledge ---------------------------------------------------------------------------------------

@apart
def lose_track(s, c, pile, place, seat):
    """T17-13 `seat` is about to move the card at `place` of its own pile in secret."""
    back = c.back[s.card[place]]
    alike = 0
    for other in range(s.start[pile], s.start[pile + 1]):
        if c.back[s.card[other]] == back:
            alike += 1
    if alike > 1:
        for other in range(s.start[pile], s.start[pile + 1]):
            if c.back[s.card[other]] == back:
                s.known[other] = s.known[other] & (1 << seat)


@apart
def move_secretly(s, c, pile, index, target, position, seat):
    """A face-down card leaves a pile that only `seat` may look into; returns its new place."""
    lose_track(s, c, pile, place_of(s, pile, index), seat)
    return move(s, pile, index, target, position)


@apart
def peek(s, seat, owner, place, log):
    """T17-13 T17-75 One seat looks at a card; the others see that it does."""
    show(s, place, seat)
    note_for(log, Event.PEEKED, seat, owner, s.card[place], 1, 1 << seat)


# Draw piles and discards -------------------------------------------------------------------------

@rule
def current_pile(s):
    """T17-48 The earliest age with cards left, looked up afresh; NOBODY when all are gone."""
    for age in range(N_AGES):
        if pile_size(s, Pile.DRAW + age) > 0:
            return Pile.DRAW + age
    return NOBODY


@apart
def take_top(s, pile, target, seat, log):
    """T17-49 The top card of a draw pile or the discard pile, seen by whoever takes it."""
    place = move(s, pile, pile_size(s, pile) - 1, target, TOP)
    show(s, place, seat)
    what = Event.DREW_DISCARD if pile == Pile.DISCARD else Event.DREW
    note_for(log, what, seat, NOBODY, s.card[place], 1, s.known[place])


@apart
def discard(s, pile, index, seat, log):
    """T17-53 Onto the one face-down pile; what was known of the card stays known."""
    place = move(s, pile, index, Pile.DISCARD, TOP)
    s.face_up[place] = 0
    show(s, place, seat)
    note_for(log, Event.DISCARDED, seat, NOBODY, s.card[place], 1, s.known[place])


@apart
def discard_from_hand(s, c, index, seat, log):
    """T17-53 Chosen by the discarding player and not shown."""
    lose_track(s, c, Pile.HAND + seat, place_of(s, Pile.HAND + seat, index), seat)
    discard(s, Pile.HAND + seat, index, seat, log)


@apart
def enter_demand(s, c, pile, index, position, log):
    """T17-11 A card is put face-up into demand; Pawn Shops pay before anything else happens."""
    place = move(s, pile, index, Pile.DEMAND, position)
    reveal(s, place)
    card = np.int64(s.card[place])
    note(log, Event.ENTERED_DEMAND, s.current, card, 1)
    for k in range(s.seats):
        seat = left_of(s, s.current, k)
        if has(s, seat, Ability.DEMAND_GAIN):
            earn_by_demand(s, c, seat, Ability.DEMAND_GAIN, card, log)
    return card


@apart
def earn_by_demand(s, c, seat, ability, card, log):
    """Each open business whose ability names what the card demands pays its owner."""
    for slot in range(N_SLOTS):
        if s.opened[seat, slot]:
            business = business_at(s, seat, slot)
            i = skill_index(c, business, ability)
            if i != NOBODY and c.icons[business, i] >> c.demand[card] & 1:
                fire(log, seat, ability)
                earn(s, seat, business, c.amount[business, i], log)


@rule
def visible(s, c, icon):
    """R17-4 Face-up demand cards that show the icon; face-down ones are blanks."""
    count = 0
    for place in range(s.start[Pile.DEMAND], s.start[Pile.DEMAND + 1]):
        if s.face_up[place] and c.demand[s.card[place]] == icon:
            count += 1
    return count


@rule
def demand_size(s):
    """Cards of any facing."""
    return pile_size(s, Pile.DEMAND)


@rule
def is_happy(s, c, place):
    """R17-28 Only a face-up happiness card is."""
    return s.face_up[place] and c.demand[s.card[place]] == Icon.HAPPINESS


# Gold of players ---------------------------------------------------------------------------------

@apart
def earn(s, seat, card, amount, log):
    """T17-10 From the supply, for one of the player's businesses."""
    if amount > 0:
        s.gold[seat] += amount
        note(log, Event.EARNED, seat, card, amount)


@apart
def win(s, seat, card, amount, log):
    """T17-10 From the supply, for an event."""
    if amount > 0:
        s.gold[seat] += amount
        note(log, Event.WON, seat, card, amount)


@apart
def spend(s, seat, card, amount, log):
    """T17-10 To the supply."""
    if amount > 0:
        s.gold[seat] -= amount
        note(log, Event.SPENT, seat, card, amount)


