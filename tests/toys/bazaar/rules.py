"""Bazaar's rules. B-n are the paragraphs of its rulebook."""


from exchequer.core.agenda import asked, then, top_seat
from exchequer.core.chance import GAME_STREAM, seed_chance
from exchequer.core.contract import list_legal
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import (
    TOP,
    card_at,
    deal_hidden,
    forget,
    hide_cards,
    lay_all,
    move,
    owner_knows,
    pile_size,
    reveal,
    show,
    shuffle,
)
from exchequer.core.records import NOBODY, rule
from toys.bazaar.state import (
    N_ACTIONS,
    N_GOODS,
    Ask,
    Do,
    Ending,
    Event,
    Fault,
    Good,
    Pile,
    Refusal,
)


@rule
def setup(s, c, seats, seed, log):
    """B-1"""
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    lay_all(s, Pile.DECK)
    shuffle(s, Pile.DECK)
    for seat in range(seats):
        s.gold[seat] = c.start_gold
        for _ in range(c.hand):
            draw(s, seat, log)
    then(s, Ask.TURN, 0, 0, 0)


@rule
def good(card):
    return card % N_GOODS


@rule
def draw(s, seat, log):
    """B-2"""
    place = move(s, Pile.DECK, pile_size(s, Pile.DECK) - 1, Pile.HAND + seat, TOP)
    show(s, place, seat)
    note_for(log, Event.DREW, seat, NOBODY, good(s.card[place]), 1, 1 << seat)


@rule
def refusal(s, c, action):
    if asked(s) == NOBODY:
        return Refusal.OVER
    seat = top_seat(s)
    hand = pile_size(s, Pile.HAND + seat)
    if asked(s) == Ask.TURN:
        if action == Do.DRAW:
            return Refusal.NONE
        if Do.SELL <= action < Do.PAY:
            return Refusal.NONE if action - Do.SELL < hand else Refusal.NO_CARD
        return Refusal.NOT_ASKED
    if action == Do.PAY:
        return Refusal.NONE if s.gold[seat] >= c.tribute or hand == 0 else Refusal.NO_GOLD
    if Do.DISCARD <= action < N_ACTIONS:
        return Refusal.NONE if action - Do.DISCARD < hand else Refusal.NO_CARD
    return Refusal.NOT_ASKED


@rule
def legal(s, c, out):
    return list_legal(s, c, 0, N_ACTIONS, out, 0)


@rule
def answer(s, c, ask, seat, a, b, action, log):
    if ask == Ask.TURN:
        if pile_size(s, Pile.DECK) > 1:
            then(s, Ask.TURN, (seat + 1) % s.seats, 0, 0)
        if action == Do.DRAW:
            draw(s, seat, log)
        else:
            sell(s, c, seat, action - Do.SELL, log)
    elif action == Do.PAY:
        paid = min(s.gold[seat], c.tribute)
        s.gold[seat] -= paid
        note(log, Event.PAID, seat, 0, paid)
    else:
        discard(s, seat, action - Do.DISCARD, log)


@rule
def sell(s, c, seat, index, log):
    """B-3"""
    place = move(s, Pile.HAND + seat, index, Pile.SOLD, TOP)
    reveal(s, place)
    kind = good(s.card[place])
    s.gold[seat] += c.good[kind].price
    note(log, Event.SOLD, seat, kind, c.good[kind].price)
    if kind == Good.SILK:
        for k in range(s.seats - 1, 0, -1):
            then(s, Ask.TRIBUTE, (seat + k) % s.seats, 0, 0)
    if pile_size(s, Pile.DECK) > 0:
        draw(s, seat, log)


@rule
def discard(s, seat, index, log):
    """B-4 Face down: the others know neither the card nor which of the hand it was."""
    kind = good(card_at(s, Pile.HAND + seat, index))
    place = move(s, Pile.HAND + seat, index, Pile.SOLD, TOP)
    s.known[place] = 1 << seat
    forget(s, Pile.HAND + seat, ALL - (1 << seat))
    note_for(log, Event.DISCARDED, seat, NOBODY, kind, 1, 1 << seat)


@rule
def score(s, c, seat):
    """B-5"""
    return s.gold[seat]


@rule
def winners(s, c):
    best, mask = -1, 0
    if asked(s) == NOBODY:
        for seat in range(s.seats):
            if s.gold[seat] == best:
                mask |= 1 << seat
            elif s.gold[seat] > best:
                best, mask = s.gold[seat], 1 << seat
    return mask


@rule
def ending(s):
    return Ending.SOLD_OUT if asked(s) == NOBODY else Ending.NONE


@rule
def fault(s, c):
    for seat in range(s.seats):
        if s.gold[seat] < 0:
            return Fault.DEBT
    return Fault.NONE


@rule
def observe(s, c, seat):
    s.rng = 0
    hide_cards(s, c.back, seat)


@rule
def determinize(s, c, seat, seed):
    seed_chance(s, seed, GAME_STREAM)
    deal_hidden(s, c.back)
    for other in range(s.seats):
        owner_knows(s, Pile.HAND + other, other)
