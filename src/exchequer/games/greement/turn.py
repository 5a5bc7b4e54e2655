"""A turn: profit, what may be done in it, and its end (G-18 to G-27)."""

from exchequer.core.agenda import asked, no_handler, then
from exchequer.core.handlers import handles
from exchequer.core.log import note, note_for
from exchequer.core.records import NOBODY, rule
from exchequer.games.greement.board import (
    bank_price,
    can_be_owned,
    entry,
    free_square,
    give_square,
    measure,
    profit_of,
    set_use,
    square_tax,
    square_value,
    squares_of,
)
from exchequer.games.greement.deals import any_partner_refusal, clear_draft, forget_promises
from exchequer.games.greement.money import borrow, credit, grow_debt, pay, receive, repay, repayable
from exchequer.games.greement.state import (
    N_SQUARES,
    UNKNOWN,
    Ask,
    Book,
    Do,
    Draft,
    Event,
    Floor,
    Holding,
    Land,
    Refusal,
    Step,
    Use,
    Value,
)

# The turn begins and ends (G-19 to G-21) ---------------------------------------------------------


@handles(Step.START_TURN)
def start_turn(s, c, seat, log):
    """G-19 G-20 G-R9 Profit first, except in one's own first turn; then free actions."""
    s.active = seat
    s.bought = 0
    for other in range(s.seats):
        s.offers_made[other] = 0
        s.answers[other] = 0
    forget_promises(s, seat)
    note(log, Event.TURN, seat, 0, 1)
    if s.turns[seat] > 0 or c.first_turn_profit or c.hr_free_start:
        coins = receive(s, seat, profit_of(s, c, seat))
        note_for(log, Event.PROFIT, seat, NOBODY, 0, coins, 1 << seat)
    then(s, Ask.TURN, seat, 0, 0)
    if c.floor == Floor.EVERY_TURN:  # G-70
        for k in range(s.seats - 1, 0, -1):
            then(s, Ask.CALLED, (seat + k) % s.seats, 0, 0)


@rule
def end_turn(s, c, seat, log):
    """G-21 The debt is multiplied whatever was done; a house rule pays it first (G-77)."""
    if c.hr_forced_repayment:
        coins = min(s.cash[seat], s.debt[seat])
        repay(s, seat, coins)
        note_for(log, Event.BOOKS, seat, NOBODY, Book.REPAYMENT, coins, 1 << seat)
    added = grow_debt(s, c, seat)
    note_for(log, Event.INTEREST, seat, NOBODY, 0, added, 1 << seat)
    s.turns[seat] += 1
    s.doublings[seat] += 1
    s.active = UNKNOWN
    note(log, Event.TURN_ENDED, seat, 0, 1)


# What may be done (G-23 to G-29) -----------------------------------------------------------------

@rule
def is_spent(s, c, seat):
    """G-22 G-65 No more answers in this turn but those that end it."""
    return s.answers[seat] >= c.max_actions_per_turn


@rule
def borrow_refusal(s, c, seat):
    """G-23"""
    if is_spent(s, c, seat):
        return Refusal.ACTIONS_USED
    return Refusal.NONE if credit(s, c, seat) >= 1 else Refusal.NO_CREDIT


@rule
def turn_refusal(s, c, seat, action):
    """Whether something may be begun in one's own turn; which square or whom is asked next."""
    if action == Do.END:
        return Refusal.NONE
    if action < Do.END or action > Do.PROMISE:
        return Refusal.NOT_ASKED
    if is_spent(s, c, seat):
        return Refusal.ACTIONS_USED
    if action == Do.BORROW:
        return borrow_refusal(s, c, seat)
    if action == Do.REPAY:
        if s.debt[seat] == 0:
            return Refusal.NO_DEBT
        return Refusal.NONE if repayable(s, c, seat) >= 1 else Refusal.TOO_POOR
    if action == Do.BUY:
        return any_buy_refusal(s, c, seat)
    if action == Do.SEED:
        return work_refusal(s, seat, Holding.BROWN, Value.SEED, Refusal.NOT_BROWN)
    if action == Do.CATTLE:
        return work_refusal(s, seat, Holding.CROP, Value.CATTLE, Refusal.NOT_CROP)
    if action == Do.SELL:
        if not c.sell_to_bank:  # G-31 G-R13
            return Refusal.SWITCHED_OFF
        return Refusal.NONE if squares_of(s, seat) > 0 else Refusal.NOTHING_OWNED
    return any_partner_refusal(s, c, seat, action - Do.BORROW + Draft.BORROW)


@rule
def work_refusal(s, seat, needs, price, lacking):
    """G-26 G-27 There must be a square for it and the money."""
    if s.held[seat, needs] == 0:
        return lacking
    return Refusal.NONE if s.cash[seat] >= entry(s, price) else Refusal.TOO_POOR


@rule
def buy_refusal(s, c, seat, square):
    """G-25 Unowned land or mine, for table price and distance tax in cash."""
    if not can_be_owned(s, square):
        return Refusal.NO_SUCH_SQUARE
    if s.owner[square] != UNKNOWN:
        return Refusal.NOT_FREE
    cost = bank_price(s, c, square) + square_tax(s, c, seat, square)
    return Refusal.NONE if cost <= s.cash[seat] else Refusal.TOO_POOR


@rule
def any_buy_refusal(s, c, seat):
    """G-25 G-79 Whether anything can be bought at all."""
    if c.hr_buy_limit > 0 and s.bought >= c.hr_buy_limit:
        return Refusal.BUY_LIMIT
    if s.cash[seat] < min(entry(s, Value.LAND), entry(s, Value.MINE)):
        return Refusal.TOO_POOR
    for square in range(N_SQUARES):
        if buy_refusal(s, c, seat, square) == Refusal.NONE:
            return Refusal.NONE
    return Refusal.TOO_POOR


@rule
def square_refusal(s, c, seat, kind, square):
    """Which square can be bought, seeded, stocked or sold to the bank."""
    if kind == Draft.BUY:
        return buy_refusal(s, c, seat, square)
    if s.owner[square] != seat:
        return Refusal.NOT_YOURS
    if kind == Draft.SELL:
        return Refusal.NONE
    if s.kind[square] != Land.LAND:
        return Refusal.NOT_BROWN
    if kind == Draft.SEED:
        return Refusal.NONE if s.use[square] == Use.BROWN else Refusal.NOT_BROWN
    return Refusal.NONE if s.use[square] == Use.CROP else Refusal.NOT_CROP


# Doing it ----------------------------------------------------------------------------------------

@rule
def work_square(s, c, seat, kind, square, log):
    """Buy, seed, stock or sell one square."""
    clear_draft(s)
    if kind == Draft.BUY:
        buy(s, c, seat, square, log)
    elif kind == Draft.SEED:
        seed(s, seat, square, log)
    elif kind == Draft.CATTLE:
        stock(s, seat, square, log)
    elif kind == Draft.SELL:
        sell_to_bank(s, c, seat, square, log)
    else:
        no_handler(s, asked(s))


@rule
def buy(s, c, seat, square, log):
    """G-25 At once, so that the next square may be connected to this one."""
    price, tax = bank_price(s, c, square), square_tax(s, c, seat, square)
    pay(s, seat, price + tax)
    give_square(s, c, square, seat)
    s.bought += 1
    note(log, Event.BOUGHT, seat, square, price)
    if tax > 0:
        note(log, Event.BUY_TAX, seat, square, tax)


@rule
def seed(s, seat, square, log):
    """G-26 Brown land becomes a crop."""
    pay(s, seat, entry(s, Value.SEED))
    set_use(s, square, Use.CROP)
    note(log, Event.SEEDED, seat, square, entry(s, Value.SEED))


@rule
def stock(s, seat, square, log):
    """G-27 A crop becomes cattle."""
    pay(s, seat, entry(s, Value.CATTLE))
    set_use(s, square, Use.CATTLE)
    note(log, Event.STOCKED, seat, square, entry(s, Value.CATTLE))


@rule
def sell_to_bank(s, c, seat, square, log):
    """G-R13 For its value, without tax; the land turns brown."""
    coins = square_value(s, c, square)
    free_square(s, square)
    measure(s, c, seat)
    got = receive(s, seat, coins)
    note(log, Event.SOLD_TO_BANK, seat, square, 1)
    note_for(log, Event.BANK_PAID, seat, NOBODY, square, got, 1 << seat)


@rule
def write_books(s, seat, book, coins, log):
    """G-23 G-24 Others see that somebody writes in their books, not what."""
    clear_draft(s)
    if book == Book.LOAN:
        borrow(s, seat, coins)
    else:
        repay(s, seat, coins)
    note_for(log, Event.BOOKS, seat, NOBODY, book, coins, 1 << seat)


