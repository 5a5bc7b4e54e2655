"""Treasury 0.3: setup, the contract of a game, and the steps it takes by itself.

Source: the designer's working note on version 0.3 with our rulings R3-1 to R3-59; `rulebook.md`
is the authority here. The rest of the rules by subject: `turns.py` and `legality.py`,
`businesses.py`, `contracts.py` and `matching.py`, `rounds.py`, `events.py`, `payout.py`;
`holdings.py` says what players have, `drawing.py` moves cards, `questions.py` and `answers.py` are
about choices. Deviations: a player has at most 12 businesses and 24 hand cards (R3-58).
"""

from exchequer.core.agenda import (
    asked,
    asked_seat,
    then,
    top_seat,
)
from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.piles import (
    TOP,
    card_at,
    deal_hidden,
    hide_cards,
    lay_all,
    move,
    owner_knows,
    pile_size,
    rotate,
    show,
    shuffle,
)
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.answers import answer
from exchequer.games.treasury.v03.businesses import (
    close_business,
    turn_up,
)
from exchequer.games.treasury.v03.cards import N_ICONS
from exchequer.games.treasury.v03.drawing import population
from exchequer.games.treasury.v03.holdings import (
    business_card,
    business_pile,
    contract_pile,
    development_pile,
    is_at_work,
    is_business,
    is_open,
    is_startup,
)
from exchequer.games.treasury.v03.questions import answer_refusal, forced_answer, list_answers
from exchequer.games.treasury.v03.rounds import (
    age_now,
    lead,
)
from exchequer.games.treasury.v03.state import (
    MAX_LEGAL,
    MOST_HAND,
    N_DECKS,
    SLOTS,
    Ask,
    Event,
    Fault,
    Pile,
    Step,
)

__all__ = ["answer", "answer_refusal", "forced_answer", "lead"]

# The contract ------------------------------------------------------------------------------------


@rule
def setup(s, c, seats, seed, log):
    """T3-10 to T3-13 Lots, gold, hands and decks; then each lays a card, the last player first.

    The first question is a choice of several hand cards, so there is nothing to run up to it.
    """
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    s.turn = NOBODY
    s.first = roll(s, seats)
    s.round_number = 1
    s.treasury = c.treasury_per_player * seats
    for k in range(seats):  # R3-51
        s.gold[(s.first + k) % seats] = c.start_gold[k]
    deal_cards(s, c)
    s.age = age_now(s, c)
    note(log, Event.ROUND, s.first, 0, s.round_number)
    then(s, Step.TURN, s.first, 0, 0)
    for k in range(seats):
        then(s, Ask.SETUP_CARD, (s.first + k) % seats, 0, 0)


@rule
def legal(s, c, out):
    return 0 if asked(s) == NOBODY else list_answers(s, c, out, MAX_LEGAL)


@rule
def score(s, c, seat):
    """T3-43 R3-32 Gold in hand; stored gold does not count."""
    return s.gold[seat]


@rule
def observe(s, c, seat):
    """T3-9 Only the cards a seat has seen, and no coming chance; all else is public."""
    s.rng = 0
    hide_cards(s, c.back, seat)
    hide_private_order(s, seat)


@rule
def determinize(s, c, seat, seed):
    """T3-9 The cards that were not seen may lie anywhere their backs allow."""
    seed_chance(s, seed, GAME_STREAM)
    deal_hidden(s, c.back)
    for owner in range(s.seats):
        owner_knows(s, Pile.HAND + owner, owner)
        for pile in range(business_pile(owner, 0), business_pile(owner, SLOTS)):
            owner_knows(s, pile, owner)
    if asked(s) != NOBODY:
        owner_knows(s, Pile.ASIDE, top_seat(s))


@apart
def hide_private_order(s, seat):
    """T3-9 R3-61 In which order others hold cards, or have them in the works, is not seen."""
    for other in range(s.seats):
        if other != seat:
            drawn = asked(s) == Ask.SHOW and top_seat(s) == other  # the last card, kept apart
            sort_hidden(s, Pile.HAND + other, pile_size(s, Pile.HAND + other) - drawn)
            for slot in range(SLOTS):
                pile = development_pile(other, slot)
                sort_hidden(s, pile, pile_size(s, pile))
    if asked_seat(s) != seat:
        sort_hidden(s, Pile.ASIDE, pile_size(s, Pile.ASIDE))


@rule
def sort_hidden(s, pile, count):
    """Put the first cards of a pile in the order of what is seen of them.

    `hide_order` would also move cards that lie face up, and the one just drawn.
    """
    first = s.start[pile]
    for last in range(first + 1, first + count):
        place = last
        while place > first and s.card[place - 1] > s.card[place] and \
                s.face_up[place - 1] == 0 and s.face_up[place] == 0:
            rotate(s.card, place, place - 1)
            rotate(s.known, place, place - 1)
            place -= 1


# Setup (T3-11, T3-12) ----------------------------------------------------------------------------

@apart
def deal_cards(s, c):
    """T3-11 T3-12 Hands of age I and a deck of each later age; the rest stays in the box."""
    lay_all(s, Pile.BOX)
    shuffle(s, Pile.BOX)
    for seat in range(s.seats):
        for _ in range(c.hand):
            show(s, deal(s, c, 1, Pile.HAND + seat), seat)
    for deck in range(N_DECKS):
        for _ in range(deck_size(s, c, deck + 2)):
            deal(s, c, deck + 2, Pile.DECK + deck)


@rule
def deck_size(s, c, age):
    """T3-12 R3-5 So many cards for each player, or all; never more than there are."""
    there = 0
    for card in range(len(c.age)):
        if c.age[card] == age:
            there += 1
    wanted = c.cards_per_player_per_age * s.seats
    return there if wanted == 0 else min(wanted, there)


@apart
def deal(s, c, age, pile):
    """The next card of an age from the box; returns its place."""
    index = pile_size(s, Pile.BOX) - 1
    while c.age[card_at(s, Pile.BOX, index)] != age:
        index -= 1
    return move(s, Pile.BOX, index, pile, TOP)


# Steps -------------------------------------------------------------------------------------------

@handles(Step.OPEN)
def open_startup(s, c, seat, slot, log):
    """T3-17 R3-49 A Warehouse closed for it may have taken it along."""
    if is_startup(s, seat, slot):
        turn_up(s, c, seat, slot, log)


@handles(Step.CLOSE)
def close_if_there(s, c, seat, slot, log):
    """T3-22"""
    if is_business(s, seat, slot):
        close_business(s, c, seat, slot, True, log)


# Promises ----------------------------------------------------------------------------------------

@rule
def fault(s, c):
    """T3-8 T3-9 T3-38 R3-58 What must be true of every state."""
    if s.treasury < 0 or (asked(s) != Ask.SETUP_CARD and population(s) < s.seats):
        return Fault.DEBT if s.treasury < 0 else Fault.POPULATION
    for seat in range(s.seats):
        if s.gold[seat] < 0:
            return Fault.DEBT
        if pile_size(s, Pile.HAND + seat) > MOST_HAND:
            return Fault.HAND_FULL
        if not (is_written_down(s, seat) and is_added_up(s, c, seat)):
            return Fault.STALE_TABLES
    if (asked(s) == Ask.TURN or asked(s) == NOBODY) and pile_size(s, Pile.ASIDE) > 0:
        return Fault.CARDS_ASIDE
    return card_fault(s, c)


@apart
def is_written_down(s, seat):
    """Whether the tables of a seat say what lies in front of it."""
    for slot in range(SLOTS):
        there = pile_size(s, business_pile(seat, slot)) > 0
        up = there and s.face_up[s.start[business_pile(seat, slot)]] == 1
        if ((s.opened[seat] >> slot) & 1 == 1) != up:
            return False
        if ((s.startups[seat] >> slot) & 1 == 1) != (there and not up):
            return False
        held = pile_size(s, contract_pile(seat, slot)) > 0
        if ((s.contracted[seat] >> slot) & 1 == 1) != held:
            return False
    return True


@apart
def is_added_up(s, c, seat):
    """Whether icons and abilities are those of the open businesses."""
    abilities = 0
    for slot in range(SLOTS):
        if is_at_work(s, c, seat, slot):
            abilities |= c.mask[business_card(s, seat, slot)]
    same = abilities == s.abilities[seat]
    for icon in range(N_ICONS):
        count = 0
        for slot in range(SLOTS):
            if is_open(s, seat, slot):
                card = business_card(s, seat, slot)
                for i in range(c.provisions[card]):
                    count += c.icons[card, i] == icon
        same = same and count == s.provided[seat, icon]
    return same


@apart
def card_fault(s, c):
    """T3-12 T3-14 R3-6 Each card in play belongs to the game and to its deck or discard pile."""
    for place in range(s.start[Pile.BOX]):
        if c.age[s.card[place]] == 0:
            return Fault.UNUSED_CARD_OUT
    for place in range(s.start[Pile.ASIDE], len(s.card)):
        if c.age[s.card[place]] == 0:
            return Fault.UNUSED_CARD_OUT
    for deck in range(N_DECKS):
        for index in range(pile_size(s, Pile.DECK + deck)):
            if c.age[card_at(s, Pile.DECK + deck, index)] != deck + 2:
                return Fault.WRONG_DECK
    for age in range(1, N_DECKS + 2):
        for index in range(pile_size(s, Pile.DISCARD + age - 1)):
            if c.age[card_at(s, Pile.DISCARD + age - 1, index)] != age:
                return Fault.WRONG_DECK
    return Fault.NONE
