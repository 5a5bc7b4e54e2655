"""J-1 Things and zones: how copies come out of the supply, move, and leave the game.

Every copy that exists is a thing with a kind. All live actions are controlled (J-4), so counting
them needs no look at the piles. Where a copy is picked in a deck, the lowest thing is taken and
never the topmost, so that no choice depends on the hidden order; a copy that comes to light is the
lowest of its kind as well.
"""

import numpy as np

from exchequer.core.log import note
from exchequer.core.piles import TOP, card_at, move, pile_size, place_of, reveal, shuffle
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.state import Event, Pile
from exchequer.games.jagged_time.tables import (
    FIRST_OBJECTIVE,
    MILESTONE,
    MILESTONE_THING,
    N_CARDS,
    NO_KIND,
    Family,
)


@rule
def kind_of(s, thing):
    return np.int64(s.kind[thing])


@rule
def kind_at(s, pile, index):
    return np.int64(s.kind[card_at(s, pile, index)])


@rule
def has_subtype(c, kind, mask):
    """J-7 Whether a card has one of these subtypes."""
    return c.card[kind].subtypes & mask != 0


@rule
def occupant(s, place):
    """The thing in a slot, NOBODY when it is empty; the milestone has a number of its own."""
    if place == MILESTONE:
        return MILESTONE_THING
    if pile_size(s, Pile.SLOT + place) == 0:
        return NOBODY
    return card_at(s, Pile.SLOT + place, 0)


@rule
def kind_in(s, c, place):
    """The kind of card in a slot or of the milestone; NO_KIND when there is none."""
    if place == MILESTONE:
        return np.int64(s.milestone)
    if place > MILESTONE or pile_size(s, Pile.SLOT + place) == 0:
        return NO_KIND
    return kind_at(s, Pile.SLOT + place, 0)


# Finding -----------------------------------------------------------------------------------------

@apart
def index_of(s, pile, kind):
    """Where in the pile the lowest thing of a kind lies, or NOBODY."""
    found, lowest = NOBODY, N_CARDS
    for index in range(pile_size(s, pile)):
        thing = card_at(s, pile, index)
        if s.kind[thing] == kind and thing < lowest:
            found, lowest = index, thing
    return found


@apart
def index_of_thing(s, pile, thing):
    for index in range(pile_size(s, pile)):
        if card_at(s, pile, index) == thing:
            return index
    return NOBODY


@apart
def pile_of(s, thing):
    """The pile in which a live thing lies."""
    first, last = (Pile.HAND, Pile.DECK) if thing < FIRST_OBJECTIVE else \
        (Pile.OBJECTIVE_DISCARD, len(s.start) - 2)
    for pile in range(first, last + 1):
        if index_of_thing(s, pile, thing) != NOBODY:
            return pile
    return NOBODY


@rule
def controlled(s):
    """J-4 All action cards in deck, hand, discard and resolving."""
    return FIRST_OBJECTIVE - pile_size(s, Pile.SPARE_ACTIONS)


@apart
def controlled_of(s, c, mask):
    """J-4 Controlled cards with one of these subtypes."""
    count = 0
    for thing in range(FIRST_OBJECTIVE):
        if s.kind[thing] != NO_KIND and has_subtype(c, kind_of(s, thing), mask):
            count += 1
    return count


@rule
def controlled_copies(s, c, base):
    """JL-5 Copies of a card, its specialised version included."""
    count = 0
    for thing in range(FIRST_OBJECTIVE):
        if s.kind[thing] != NO_KIND and c.card[kind_of(s, thing)].root == base:
            count += 1
    return count


@rule
def controlled_plus(s, c, mask):
    """JL-22 Specialised cards with one of these subtypes."""
    count = 0
    for thing in range(FIRST_OBJECTIVE):
        kind = kind_of(s, thing)
        if kind != NO_KIND and c.card[kind].root != kind and has_subtype(c, kind, mask):
            count += 1
    return count


@rule
def version_in(s, c, pile, base):
    """JL-58 The kind that stands for a card in a pile: itself, else its specialised version."""
    if index_of(s, pile, base) != NOBODY:
        return base
    plus = c.card[base].plus
    return plus if plus != NO_KIND and index_of(s, pile, plus) != NOBODY else NO_KIND


@rule
def version_of(c, old, new):
    """JL-58 What a card turns into: a specialised one stays specialised where it can."""
    plus = c.card[new].plus
    return plus if c.card[old].root != old and plus != NO_KIND else new


# Making and unmaking -----------------------------------------------------------------------------

@apart
def make(s, c, kind, pile, log):
    """J-R6 J-72 JL-45 A copy from the supply, if a thing is left for it. Returns the thing."""
    actions = c.card[kind].family == Family.ACTION
    spare = Pile.SPARE_ACTIONS if actions else Pile.SPARE_OBJECTIVES
    count = pile_size(s, spare)
    if count == 0:
        note(log, Event.NO_ROOM, 0, kind, 1)
        return NOBODY
    nearest = 0 if pile == Pile.OBJECTIVE_DISCARD else TOP  # a discard has no order
    place = move(s, spare, 0 if actions else count - 1, pile, nearest)
    thing = s.card[place]
    s.kind[thing] = kind
    s.made += 1
    reveal(s, place)
    return thing


@apart
def unmake(s, pile, index):
    """The thing becomes spare again."""
    thing = card_at(s, pile, index)
    s.kind[thing] = NO_KIND
    if thing < FIRST_OBJECTIVE:
        reveal(s, move(s, pile, index, Pile.SPARE_ACTIONS, 0))
    else:
        reveal(s, move(s, pile, index, Pile.SPARE_OBJECTIVES, TOP))


@apart
def destroy(s, pile, index, log):
    """J-57 Out of the game."""
    kind = kind_at(s, pile, index)
    s.removed[kind] += 1
    note(log, Event.REMOVED, 0, kind, 1)
    unmake(s, pile, index)


@rule
def to_supply(s, pile, index):
    """J-54 Back to the supply, where it can be had again."""
    s.supplied += 1
    unmake(s, pile, index)


@rule
def discard_of(c, kind):
    """J-43 A gained card goes to the discard of its own family."""
    return Pile.DISCARD if c.card[kind].family == Family.ACTION \
        else Pile.OBJECTIVE_DISCARD


@rule
def gain_card(s, c, kind, log):
    """J-43"""
    if make(s, c, kind, discard_of(c, kind), log) != NOBODY:
        note(log, Event.CARD_GAINED, 0, kind, 1)


@rule
def gain_to_hand(s, c, kind, log):
    """J-44"""
    if make(s, c, kind, Pile.HAND, log) != NOBODY:
        note(log, Event.CARD_TO_HAND, 0, kind, 1)


@rule
def gain_to_deck(s, c, kind, log):
    """J-R8 Shuffled into its deck."""
    deck = Pile.DECK if c.card[kind].family == Family.ACTION else Pile.OBJECTIVE_DECK
    if make(s, c, kind, deck, log) != NOBODY:
        shuffle(s, deck)
        note(log, Event.CARD_TO_DECK, 0, kind, 1)


# Decks -------------------------------------------------------------------------------------------

@rule
def shuffle_discard_in(s, family, log):
    """J-63 J-41 JL-21 The whole discard goes into its deck, which is shuffled.

    A discard is its deck's neighbour, so it is enough to move the border between them.
    """
    deck = Pile.DECK if family == Family.ACTION else Pile.OBJECTIVE_DECK
    s.start[deck] = s.start[deck - 1]
    shuffle(s, deck)
    note(log, Event.SHUFFLED, 0, family, 1)


@apart
def bring_to_light(s, pile, index):
    """J-1 J-R79 Of equal copies that lie hidden in a deck the lowest thing is the one to be seen.

    Copies are alike; without this the number of the one that was drawn would tell them apart.
    """
    place = place_of(s, pile, index)
    if s.known[place]:
        return
    thing = s.card[place]
    lowest = thing
    for other in range(s.start[pile], s.start[pile + 1]):
        is_alike = (s.kind[s.card[other]] == s.kind[thing]) & (s.known[other] == 0)
        lowest = min(lowest, s.card[other] if is_alike else thing)
    if lowest != thing:
        s.card[place_of(s, pile, index_of_thing(s, pile, lowest))] = thing
        s.card[place] = lowest


@apart
def draw_card(s, log):
    """J-63 J-26 The top card, after a reshuffle where the deck is empty. NO_KIND: none is left."""
    if pile_size(s, Pile.DECK) == 0:
        if pile_size(s, Pile.DISCARD) == 0:
            return NO_KIND
        shuffle_discard_in(s, Family.ACTION, log)
    top = pile_size(s, Pile.DECK) - 1
    bring_to_light(s, Pile.DECK, top)
    place = move(s, Pile.DECK, top, Pile.HAND, TOP)
    reveal(s, place)
    return kind_of(s, s.card[place])


@rule
def disrupt(s, count, log):
    """J-48 J-R53 From the top of the deck to the discard; an empty deck ends it."""
    moved = min(count, pile_size(s, Pile.DECK))
    for _ in range(moved):
        top = pile_size(s, Pile.DECK) - 1
        bring_to_light(s, Pile.DECK, top)
        reveal(s, move(s, Pile.DECK, top, Pile.DISCARD, TOP))
    book_cards(s, Pile.DISCARD, moved, Event.DISRUPTED, log)


@apart
def book_cards(s, pile, count, what, log):
    """Tell the cards that came last to a pile, and lay them there, by kind.

    Not in the order of the deck, which nobody saw: it is told neither by log nor by places.
    """
    last = s.start[pile + 1]
    for place in range(last - count, last):
        for other in range(place + 1, last):
            if comes_before(s, s.card[other], s.card[place]):
                lower = s.card[other]
                s.card[other] = s.card[place]
                s.card[place] = lower
        note(log, what, 0, kind_of(s, s.card[place]), 1)


@rule
def comes_before(s, thing, other):
    """By kind, copies by number."""
    if s.kind[thing] != s.kind[other]:
        return s.kind[thing] < s.kind[other]
    return thing < other


@rule
def destroy_kind(s, kind, count, log):
    """J-57 So many controlled copies of a kind, from the lowest thing on."""
    for thing in range(FIRST_OBJECTIVE):
        if s.kind[thing] == kind and count > 0:
            pile = pile_of(s, thing)
            destroy(s, pile, index_of_thing(s, pile, thing), log)
            count -= 1


@apart
def destroy_subtype(s, c, mask, log):
    """J-57 J-R48 Every controlled card of the subtype."""
    for thing in range(FIRST_OBJECTIVE):
        if s.kind[thing] != NO_KIND and has_subtype(c, kind_of(s, thing), mask):
            pile = pile_of(s, thing)
            destroy(s, pile, index_of_thing(s, pile, thing), log)
