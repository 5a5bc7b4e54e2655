"""Cards on the move: decks and other sources, discards, demand, the event piles, population."""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import TOP, card_at, pile_size, reveal, top_card
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.cards import Ability
from exchequer.games.treasury.v03.holdings import (
    ability_number,
    business_card,
    card_with,
    carry,
    fire,
    gain,
    owns,
    works_at,
)
from exchequer.games.treasury.v03.state import (
    MOST_HAND,
    N_DECKS,
    N_SOURCES,
    SLOTS,
    Ask,
    Do,
    Event,
    Pile,
    Step,
)

NO_DECK = -1


# Drawing -----------------------------------------------------------------------------------------

@rule
def hand_size(s, seat):
    return pile_size(s, Pile.HAND + seat)


@rule
def ordinary_deck(s):
    """T3-24 R3-3 The deck of the lowest age that still has cards, or NO_DECK."""
    for deck in range(N_DECKS):
        if pile_size(s, Pile.DECK + deck) > 0:
            return deck
    return NO_DECK


@rule
def opens_deck(s, c, seat, deck):
    """R3-4 Alchemist and University: the deck of their row, or the next if that is ordinary."""
    if not owns(s, seat, Ability.MAY_DRAW_FROM_DECK):
        return False
    for slot in range(SLOTS):
        if works_at(s, c, seat, slot, Ability.MAY_DRAW_FROM_DECK):
            tier = ability_number(c, business_card(s, seat, slot), Ability.MAY_DRAW_FROM_DECK, 0)
            named = c.tier_age[tier] - 2
            if named >= 0 and named == ordinary_deck(s):
                named += 1
            if named == deck:
                return True
    return False


@rule
def source_pile(source):
    """The decks, then the discard piles of the four ages."""
    return Pile.DECK + source if source < N_DECKS else Pile.DISCARD + source - N_DECKS


@apart
def can_draw_from(s, c, seat, source):
    """T3-24 The ordinary deck; for some owners another deck or a discard pile."""
    if pile_size(s, source_pile(source)) == 0:
        return False
    if source >= N_DECKS:
        return owns(s, seat, Ability.MAY_DRAW_FROM_DISCARD_TOPS)
    return source == ordinary_deck(s) or opens_deck(s, c, seat, source)


@rule
def can_draw(s, c, seat):
    """R3-58 Whether there is anything to draw, and room in the hand."""
    if hand_size(s, seat) >= MOST_HAND:
        return False
    if ordinary_deck(s) != NO_DECK:
        return True
    source = N_DECKS
    while source < N_SOURCES and not can_draw_from(s, c, seat, source):
        source += 1
    return source < N_SOURCES


@handles(Step.DRAW)
@apart
def draw(s, c, seat, count, log):
    """T3-24 Draw cards one by one, each from a source of the drawer's choice."""
    if count > 0 and can_draw(s, c, seat):
        then(s, Step.DRAW, seat, count - 1, 0)
        then(s, Ask.SOURCE, seat, 0, 0)


@handles(Ask.SOURCE, source=Do.SOURCE)
@apart
def draw_from(s, c, seat, source, log):
    """T3-24 The top card into the hand; only its drawer sees a card of a deck."""
    if source >= N_DECKS:
        fire(s, c, seat, Ability.MAY_DRAW_FROM_DISCARD_TOPS, log)
    elif source != ordinary_deck(s):
        fire(s, c, seat, Ability.MAY_DRAW_FROM_DECK, log)
    pile = source_pile(source)
    place = carry(s, pile, pile_size(s, pile) - 1, Pile.HAND + seat, TOP)
    s.face_up[place] = 0
    s.known[place] = s.known[place] | (1 << seat)
    card = np.int64(s.card[place])
    note_for(log, Event.DREW, seat, NOBODY, card, source, s.known[place])
    offer_to_show(s, c, seat, card, source >= N_DECKS)


@apart
def offer_to_show(s, c, seat, card, is_public):
    """R3-44 R3-59 Laboratory's owner is asked after every card of a deck: else all would know.

    `is_public`: it comes from a discard pile, so that it counts only without `lab_needs_deck`.
    """
    if not owns(s, seat, Ability.GAIN_ON_DRAWING_DEMAND):
        return
    if not is_public or (not c.lab_needs_deck and pays_to_show(s, c, seat, card)):
        then(s, Ask.SHOW, seat, 0, 0)


@rule
def pays_to_show(s, c, seat, card):
    """R3-44 Whether the card demands what Laboratory wants."""
    owner = card_with(s, c, seat, Ability.GAIN_ON_DRAWING_DEMAND)
    return c.card[card].demand == ability_number(c, owner, Ability.GAIN_ON_DRAWING_DEMAND, 0)


@handles(Ask.SHOW)
def show_drawn(s, c, seat, log):
    """R3-44 The card just drawn is shown to all, for gold."""
    place = s.start[Pile.HAND + seat + 1] - 1
    s.known[place] = ALL
    fire(s, c, seat, Ability.GAIN_ON_DRAWING_DEMAND, log)
    note(log, Event.SHOWED, seat, s.card[place], 1)
    gain(s, seat, c.lab_gold, log)


# Leaving the hand --------------------------------------------------------------------------------

@rule
def hand_index(s, seat, card):
    """Where a card lies in the hand; it must be there."""
    return find_in(s, Pile.HAND + seat, card)


@apart
def find_in(s, pile, card):
    """The index of a card in a pile, or -1."""
    for index in range(pile_size(s, pile)):
        if card_at(s, pile, index) == card:
            return index
    return -1


@apart
def lay_secretly(s, c, seat, card, pile):
    """T3-9 From the hand face-down on top of a pile: of that age, the others lose track."""
    place = carry(s, Pile.HAND + seat, hand_index(s, seat, card), pile, TOP)
    mine = 1 << seat
    s.known[place] = mine
    s.face_up[place] = 0
    hand = Pile.HAND + seat
    for other in range(s.start[hand], s.start[hand + 1]):
        if c.age[s.card[other]] == c.age[card]:
            s.known[other] = s.known[other] & mine
    return place


@apart
def discard(s, c, pile, index, log):
    """R3-6 R3-57 Face-up on the discard pile of the card's own age."""
    note(log, Event.DISCARDED, 0, card_at(s, pile, index), 1)
    put_away(s, c, pile, index)


@apart
def put_away(s, c, pile, index):
    """The same without a word, where another entry tells it."""
    card = card_at(s, pile, index)
    reveal(s, carry(s, pile, index, Pile.DISCARD + c.age[card] - 1, TOP))


@handles(Ask.DISCARD_CARD, Ask.LOSS, card=Do.PICK)
def discard_hand_card(s, c, seat, card, log):
    discard(s, c, Pile.HAND + seat, hand_index(s, seat, card), log)


@apart
def demand(s, c, pile, index, seat, log):
    """T3-25 Face-up on top of demand; a contract check follows."""
    place = carry(s, pile, index, Pile.DEMAND, TOP)
    reveal(s, place)
    note(log, Event.DEMANDED, seat, s.card[place], 1)
    then(s, Step.CHECK, seat, 0, 0)


# Demand ------------------------------------------------------------------------------------------

@apart
def barbarians(s, c):
    """T3-40 Barbarian strength: the icons in demand."""
    count = 0
    for index in range(pile_size(s, Pile.DEMAND)):
        count += c.card[card_at(s, Pile.DEMAND, index)].barbarian
    return count


@rule
def demanded(s, c, icon):
    """How many demand cards show the icon."""
    count = 0
    for index in range(pile_size(s, Pile.DEMAND)):
        if c.card[card_at(s, Pile.DEMAND, index)].demand == icon:
            count += 1
    return count


@apart
def discard_oldest(s, c, icon, count, log):
    """R3-54 Discard the oldest demand cards with the icon, as many as there are."""
    index = 0
    while index < pile_size(s, Pile.DEMAND) and count > 0:
        if c.card[card_at(s, Pile.DEMAND, index)].demand == icon:
            discard(s, c, Pile.DEMAND, index, log)
            count -= 1
        else:
            index += 1


# Event piles and population ----------------------------------------------------------------------

@rule
def population(s):
    """T3-36 The cards of the current and the future pile."""
    return pile_size(s, Pile.CURRENT) + pile_size(s, Pile.FUTURE)


@apart
def reveal_event(s, log):
    """T3-19 R3-7 The top card of the current pile goes to the right end of the row."""
    place = carry(s, Pile.CURRENT, pile_size(s, Pile.CURRENT) - 1, Pile.ROW, TOP)
    reveal(s, place)
    note(log, Event.REVEALED, 0, s.card[place], 1)
    if pile_size(s, Pile.CURRENT) == 0:
        s.closing = 1
        note(log, Event.CLOSING, 0, 0, 1)


@apart
def grow(s, log):
    """T3-37 R3-27 The top card of the ordinary deck, unseen, on top of the future pile."""
    deck = ordinary_deck(s)
    if deck != NO_DECK:
        place = carry(s, Pile.DECK + deck, pile_size(s, Pile.DECK + deck) - 1, Pile.FUTURE, TOP)
        s.face_up[place] = 0
        note(log, Event.GREW, 0, 0, population(s))


@rule
def shrink(s, log):
    """T3-38 Reveal a card, unless the population is at its minimum or the pile is empty."""
    if population(s) > s.seats and pile_size(s, Pile.CURRENT) > 0:
        note(log, Event.SHRANK, 0, 0, population(s) - 1)
        reveal_event(s, log)


@rule
def top_of(s, pile):
    return np.int64(top_card(s, pile))
