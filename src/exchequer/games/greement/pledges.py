"""Pledges to avoid an event, and the cattle disease (G-35, G-58)."""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.log import note
from exchequer.core.piles import card_at
from exchequer.core.records import apart, rule
from exchequer.games.greement.board import set_use
from exchequer.games.greement.money import credit, pay_by_loan
from exchequer.games.greement.state import (
    N_SQUARES,
    Ask,
    Event,
    Happening,
    Holding,
    Land,
    Pile,
    Refusal,
    Step,
    Use,
)


@rule
def open_card(s, c):
    """The kind of the card that lies open."""
    return np.int64(c.kind_of[card_at(s, Pile.ROW, s.row_place)])


@rule
def card_price(s, c):
    """What must come together to avoid the open card (G-R20: a switch prices the disease)."""
    kind = open_card(s, c)
    if kind == Happening.CATTLE_DISEASE:
        return c.disease_common_price
    return c.event[kind].price


@rule
def must_pay_whole(s, c):
    """G-R29 With `single_payer` one player alone averts a seizure."""
    kind = open_card(s, c)
    return c.single_payer and (kind == Happening.LAKE_SEIZURE or kind == Happening.MOUNTAIN_SEIZURE)


@rule
def pledge_sum(s):
    total = 0
    for seat in range(s.seats):
        total += s.pledged[seat]
    return total


@rule
def amount_missing(s, c):
    return card_price(s, c) - pledge_sum(s)


@rule
def most_pledge(s, c, seat):
    """G-35 G-71 At most what is missing; the bank lends what the purse lacks once it is paid."""
    able = s.cash[seat] + credit(s, c, seat) - s.pledged[seat]
    return min(amount_missing(s, c), able)


@rule
def in_order(s, place):
    """G-R37 Seats from the first player on."""
    return (np.int64(s.first) + place) % s.seats


@rule
def ask_all(s, what):
    """G-34 G-35 Everybody at once, as far as the rules know an order from the first player on."""
    for place in range(s.seats - 1, -1, -1):
        then(s, what, in_order(s, place), 0, 0)


@rule
def ask_for_pledges(s, c):
    """G-35 The open card can be bought off."""
    s.lap = 0
    for seat in range(s.seats):
        s.pledged[seat] = 0
    then(s, Step.PLEDGES, 0, 0, 0)


@rule
def pledge(s, seat, coins):
    """G-35 Written down for oneself; the log is silent until all are opened."""
    s.written[seat] = coins


@apart
def open_pledges(s, log):
    """G-35 What was written is shown, and may be raised in a later lap."""
    for place in range(s.seats):
        seat = in_order(s, place)
        if s.written[seat] > 0:
            note(log, Event.PLEDGED, seat, 0, s.written[seat])
        s.pledged[seat] += s.written[seat]
        s.written[seat] = 0


@apart
def collect_pledges(s, c, log):
    """G-35 From the first player on everybody pays what they pledged, the last one only what is
    still missing; loans are taken now (G-71)."""
    missing = card_price(s, c)
    for place in range(s.seats):
        seat = in_order(s, place)
        coins = min(s.pledged[seat], missing)
        if coins > 0:
            missing -= coins
            pay_by_loan(s, seat, coins)
            note(log, Event.PLEDGE_PAID, seat, 0, coins)


# Cattle disease (G-58) ---------------------------------------------------------------------------

@rule
def save_refusal(s, c, seat, square):
    """G-58 One's own cattle that are not paid for yet, for cash or a loan."""
    if s.owner[square] != seat or s.kind[square] != Land.LAND or s.use[square] != Use.CATTLE \
            or s.mark[square]:
        return Refusal.NO_CATTLE
    able = s.cash[seat] + credit(s, c, seat) >= c.disease_price
    return Refusal.NONE if able else Refusal.TOO_POOR


@rule
def save_cattle(s, c, seat, square, log):
    """G-58 Pay for one square; returns whether more of the seat's cattle are unpaid."""
    s.mark[square] = 1
    pay_by_loan(s, seat, c.disease_price)
    note(log, Event.SAVED, seat, square, c.disease_price)
    for other in range(N_SQUARES):
        if s.owner[other] == seat and s.use[other] == Use.CATTLE and not s.mark[other]:
            return True
    return False


@rule
def next_patient(s, c):
    """G-58 Ask the next seat that owns cattle; returns whether there was one."""
    while s.lap < s.seats:
        seat = in_order(s, s.lap)
        s.lap += 1
        if s.held[seat, Holding.CATTLE] > 0:
            then(s, Step.DISEASE, 0, 0, 0)
            then(s, Ask.SAVE, seat, 0, 0)
            return True
    return False


@apart
def infect(s, log):
    """G-58 Unpaid cattle become crops, still owned. Returns how many."""
    lost = 0
    for square in range(N_SQUARES):
        if s.use[square] == Use.CATTLE and not s.mark[square]:
            set_use(s, square, Use.CROP)
            note(log, Event.INFECTED, s.owner[square], square, 1)
            lost += 1
        s.mark[square] = 0
    return lost
