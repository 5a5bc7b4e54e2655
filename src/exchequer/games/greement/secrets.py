"""What a seat may know, and worlds it could be living in (G-67 and the rulebook's table).

Secret: the board before the reveal, sealed start squares, cash, debts, first loans, sealed votes,
drafts of others, offers and gift amounts between others, undrawn cards, the end. `observe` blanks
these; `determinize` fills them again so that all that is public stays possible.
"""

import numpy as np

from exchequer.core.agenda import asked, asked_seat
from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.piles import deal_hidden, hide_cards
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.greement.board import bank_price, deal_board, entry, gift_tax, profit_of
from exchequer.games.greement.deals import clear_deal, clear_draft, deal_cost
from exchequer.games.greement.ending import hide_end
from exchequer.games.greement.pledges import amount_missing, must_pay_whole
from exchequer.games.greement.start import is_sealed_pick
from exchequer.games.greement.state import (
    MOST_COINS,
    N_SQUARES,
    OFFER,
    SEALED_SQUARE,
    UNKNOWN,
    Ask,
    Ending,
    Land,
    Value,
    Vote,
    VoteMode,
)

PLAUSIBLE = 10**9  # determinized debts stop growing here
IMAGINED_GIFT = 10


@rule
def is_party(s, seat):
    """Whether the offer or gift on the table is the seat's own business."""
    return s.deal_from[OFFER] == seat or s.deal_to[OFFER] == seat


@rule
def observe(s, c, seat):
    """Blank what the seat may not know; at the end all books are open (G-62)."""
    s.rng = 0
    hide_cards(s, c.back, seat)
    if s.ending != Ending.NONE:
        return
    if not c.public_end:
        s.last_round = 0
        s.deadline = 0
    if not s.revealed:
        for square in range(N_SQUARES):
            if not s.mark[square]:
                s.kind[square] = Land.HIDDEN
    s.bank = 0
    for other in range(s.seats):
        if other != seat:
            hide_books(s, c, other)
    if asked_seat(s) != seat:
        clear_draft(s)
    if not is_party(s, seat) and s.deal_from[OFFER] != NOBODY:
        hide_offer(s, c)


@rule
def hide_books(s, c, other):
    s.cash[other] = UNKNOWN
    s.debt[other] = UNKNOWN
    s.answers[other] = 0
    s.written[other] = 0
    s.word_to[other] = NOBODY
    s.word[other] = 0
    if s.first_loan[other] > 0 and not (s.loans_open and c.reveal_first_loans):
        s.first_loan[other] = UNKNOWN
    if s.sealed[other] != Vote.NONE and c.vote_mode == VoteMode.SIMULTANEOUS:
        s.sealed[other] = Vote.SEALED
    if s.home[other] >= 0 and is_sealed_pick(s, c):
        s.home[other] = SEALED_SQUARE


@rule
def hide_offer(s, c):
    """Who deals with whom can be seen, about what cannot."""
    giver, taker, price = s.deal_from[OFFER], s.deal_to[OFFER], s.deal_price[OFFER]
    clear_deal(s, OFFER)
    s.deal_from[OFFER] = giver
    s.deal_to[OFFER] = taker
    if asked(s) == Ask.RECEIVE and c.gift_amounts_public:
        s.deal_price[OFFER] = price


# Imagination -------------------------------------------------------------------------------------

@rule
def determinize(s, c, seat, seed):
    """Everything blanked is dealt again; what is public stays possible."""
    seed_chance(s, seed, GAME_STREAM)
    deal_hidden(s, c.back)
    if s.ending != Ending.NONE:
        return
    if not c.public_end:
        hide_end(s, c)
    if not s.revealed:
        deal_board(s, c)
    for other in range(s.seats):
        if s.home[other] == SEALED_SQUARE:
            s.home[other] = roll(s, N_SQUARES)
        if s.sealed[other] == Vote.SEALED:
            s.sealed[other] = Vote.LET + roll(s, 2)
    determinize_loans(s, c)
    for other in range(s.seats):
        if other != seat:
            determinize_pledge(s, c, other)
            determinize_books(s, c, other)
    if s.deal_from[OFFER] != NOBODY:
        determinize_offer(s, c, seat)
    balance_bank(s)


@rule
def least_loan(s, c, seat):
    """The smallest first loan a seat can have written down; its own when it is known."""
    if s.first_loan[seat] > 0:
        return s.first_loan[seat]
    if not s.loans_open:
        return bank_price(s, c, np.int64(s.home[seat]))
    if c.bank_price_multiplied:  # the multipliers of that time are forgotten
        return 1
    start = Value.MINE if s.kind[s.home[seat]] == Land.MINE else Value.LAND
    return c.value[start].start


@apart
def determinize_loans(s, c):
    """G-16 G-17 Sealed first loans; once the first player is known, none that would go before."""
    first = np.int64(s.first)
    if s.loans_open and s.first_loan[first] == UNKNOWN:
        floor = least_loan(s, c, first)
        for other in range(s.seats):
            if other != first:
                least = least_loan(s, c, other) + (s.age[other] < s.age[first])
                floor = max(floor, least)
        s.first_loan[first] = floor + roll(s, max(c.first_loan_max - floor, 0) + 1)
    for seat in range(s.seats):
        if s.first_loan[seat] == UNKNOWN:
            least = least_loan(s, c, seat)
            most = c.first_loan_max
            if s.loans_open:
                most = s.first_loan[first] - (s.age[seat] < s.age[first])
            s.first_loan[seat] = least + roll(s, max(most - least, 0) + 1)


@rule
def has_written(s, seat):
    """G-35 Whether the seat has answered the question for pledges that is open."""
    if asked(s) != Ask.PLEDGE:
        return False
    for i in range(s.todo):
        if s.agenda[i].what == Ask.PLEDGE and s.agenda[i].seat == seat:
            return False
    return True


@rule
def determinize_pledge(s, c, other):
    """G-35 What somebody has written can be nothing, or anything up to what is missing."""
    if has_written(s, other):
        missing = amount_missing(s, c)
        least = missing if must_pay_whole(s, c) else 1
        coins = roll(s, missing + 1)
        s.written[other] = coins if coins >= least else 0


@apart
def determinize_books(s, c, other):
    """Cash and debt as they might be after so many turns; pledges stay payable."""
    s.cash[other] = 0
    s.debt[other] = 0
    if not s.loans_open:
        return
    profit = min(profit_of(s, c, other), PLAUSIBLE)
    loan, debt = entry(s, Value.LOAN), s.first_loan[other]
    if s.doublings[other] < s.turns[other]:
        debt = roll(s, 10)
    for _ in range(s.doublings[other]):
        debt = min(max(debt * loan - roll(s, profit + 4), 0), PLAUSIBLE)
    s.debt[other] = 0 if c.hr_no_loans else debt
    s.cash[other] = roll(s, 2 * profit + 12) + s.pledged[other] + s.written[other]


@apart
def determinize_offer(s, c, seat):
    """G-28 G-29 An offer between others could be about any square of theirs, and whoever proposed
    it can pay its side."""
    giver, taker = np.int64(s.deal_from[OFFER]), np.int64(s.deal_to[OFFER])
    if asked(s) == Ask.RECEIVE:
        if not is_party(s, seat) and not c.gift_amounts_public:
            s.deal_price[OFFER] = 1 + roll(s, IMAGINED_GIFT)
        need = s.deal_price[OFFER] + gift_tax(s, c, giver, taker)
    else:
        if not is_party(s, seat):
            determinize_square(s, giver, taker)
        need = deal_cost(s, c, OFFER, giver)
    if giver != seat and s.cash[giver] < need:
        s.cash[giver] = min(need + roll(s, IMAGINED_GIFT), MOST_COINS)


@rule
def determinize_square(s, giver, taker):
    """One of the two sides' squares for a small price."""
    count = 0
    for square in range(N_SQUARES):
        if s.owner[square] == giver or s.owner[square] == taker:
            count += 1
            if roll(s, count) == 0:
                s.deal_square[OFFER, 0] = square
    s.deal_count[OFFER] = 1
    owner = s.owner[s.deal_square[OFFER, 0]]
    s.deal_payer[OFFER] = taker if owner == giver else giver
    s.deal_price[OFFER] = roll(s, IMAGINED_GIFT)


@rule
def balance_bank(s):
    """The bank's ledger follows from what everybody has."""
    s.bank = 0
    for seat in range(s.seats):
        s.bank += s.debt[seat] - s.cash[seat]


