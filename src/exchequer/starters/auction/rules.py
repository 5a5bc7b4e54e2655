"""Going Once: one function for each rule, with the number of its paragraph."""

from .state import *


@rule
def setup(s, c, seats, seed, log):
    """A-1 A-2"""
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    for seat in range(seats):
        s.coins[seat] = c.coins
    lay_all(s, Pile.DECK)
    for _ in range(CARDS - c.deck):
        reveal(s, move(s, Pile.DECK, c.deck, Pile.BOX, TOP))
    shuffle(s, Pile.DECK)
    then(s, Step.SALE, 0, 0, 0)
    run_steps(s, c, log)


@handles(Step.SALE)
def start_sale(s, c, log):
    """A-3 A-7 While there are paintings, one is turned up and everybody is asked."""
    if pile_size(s, Pile.DECK) == 0:
        return
    place = move(s, Pile.DECK, pile_size(s, Pile.DECK) - 1, Pile.EASEL, TOP)
    reveal(s, place)
    note(log, Event.ON_SALE, 0, c.kind_of[s.card[place]], 1)
    then(s, Step.OPEN, 0, 0, 0)
    for seat in range(s.seats - 1, -1, -1):
        then(s, Ask.BID, seat, 0, 0)


@refuses(Ask.BID, coins=Do.BID)
def bid_refusal(s, c, seat, coins):
    """A-4"""
    if coins > c.largest_bid:
        return Refusal.TOO_HIGH
    return Refusal.TOO_POOR if coins > s.coins[seat] else Refusal.NONE


@handles(Ask.BID, coins=Do.BID)
def bid(s, seat, coins):
    """A-3 Nobody else sees it yet, and the log is silent."""
    s.bid[seat] = coins + 1


@handles(Step.OPEN)
def open_bids(s, c, log):
    """A-5 The highest bid pays; two that are equal pay nothing."""
    best, winner = 0, NOBODY
    for seat in range(s.seats):
        note(log, Event.BID, seat, 0, s.bid[seat] - 1)
        if s.bid[seat] > best:
            best, winner = s.bid[seat], seat
        elif s.bid[seat] == best:
            winner = NOBODY
    sell(s, c, winner, best - 1, log)
    for seat in range(s.seats):
        s.last_bid[seat] = s.bid[seat] - 1  # what the log has told, the state keeps in sight
        s.bid[seat] = 0
        s.coins[seat] += c.income
    then(s, Step.SALE, 0, 0, 0)


@rule
def sell(s, c, winner, price, log):
    """A-5 A-6"""
    style = c.kind_of[card_at(s, Pile.EASEL, 0)]
    if winner == NOBODY:
        move(s, Pile.EASEL, 0, Pile.GONE, TOP)
        note(log, Event.UNSOLD, 0, style, 1)
        return
    move(s, Pile.EASEL, 0, Pile.COLLECTION + winner, TOP)
    s.coins[winner] -= price
    s.owned[winner, style] += 1
    s.points[winner] += s.owned[winner, style] * c.style[style].worth
    note(log, Event.SOLD, winner, style, price)
