"""The start: squares named face down, the reveal, sealed first loans, the first player
(G-13 to G-17)."""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.chance import roll
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.greement.board import bank_price, count_neighbours, give_square, set_use
from exchequer.games.greement.money import borrow, pay
from exchequer.games.greement.state import (
    N_SQUARES,
    NO_SQUARE,
    SIDE,
    Ask,
    Begins,
    Do,
    Event,
    Land,
    Refusal,
    Reveal,
    StartChoice,
    Step,
    Use,
)

# Naming a square (G-14) --------------------------------------------------------------------------

@rule
def is_sealed_pick(s, c):
    """G-R4 Whether start squares are being named in secret."""
    return c.start_choice == StartChoice.SIMULTANEOUS and not s.picks_open


@rule
def pick_refusal(s, c, seat, square):
    """G-14 Not taken and not connected to another start square; sealed picks cannot know."""
    if is_sealed_pick(s, c):
        return Refusal.NONE
    for other in range(s.seats):
        home = s.home[other]
        if other != seat and home >= 0:
            if home == square:
                return Refusal.NOT_FREE
            if c.distance[home, square] == 1:
                return Refusal.TOO_CLOSE
    return Refusal.NONE


@handles(Step.PICK)
def next_pick(s, c, seat, log):
    """G-14 G-R4 In seat order; sealed picks are opened when all are made."""
    if is_sealed_pick(s, c):
        seal_picks(s, c, log)
        return
    while seat < s.seats and s.home[seat] >= 0:
        seat += 1
    if seat < s.seats:
        then(s, Step.PICK, seat + 1, 0, 0)
        then(s, Ask.START, seat, 0, 0)
    else:
        then(s, Step.REVEAL, 0, 0, 0)


@rule
def seal_picks(s, c, log):
    """G-R4 All name a square at once; those are opened together."""
    then(s, Step.PICK, 0, 0, 0)
    if s.home[0] >= 0:
        open_picks(s, c, log)
        return
    for seat in range(s.seats - 1, -1, -1):
        then(s, Ask.START, seat, 0, 0)


@apart
def open_picks(s, c, log):
    """G-R4 Of two that are the same or connected the later seat chooses again."""
    s.picks_open = 1
    for seat in range(s.seats):
        note(log, Event.START_NAMED, seat, s.home[seat], 1)
    for seat in range(1, s.seats):
        home = s.home[seat]
        for other in range(seat):
            if s.home[other] >= 0 and c.distance[s.home[other], home] <= 1:
                s.home[seat] = NO_SQUARE


@handles(Ask.START, square=Do.SQUARE)
def name_start(s, c, seat, square, log):
    """G-14 G-R3 The square stays face down, unless the switch turns it up at once."""
    s.home[seat] = square
    if is_sealed_pick(s, c):
        note_for(log, Event.START_SEALED, seat, NOBODY, square, 1, 1 << seat)
        return
    note(log, Event.START_NAMED, seat, square, 1)
    if c.reveal == Reveal.ON_PICK:
        turn_square_up(s, seat, square, log)
        ask_to_move(s, c, seat, log)


@rule
def turn_square_up(s, seat, square, log):
    """G-R3 A single square is shown to all before the rest."""
    s.mark[square] = 1
    note(log, Event.TURNED_UP, seat, square, s.kind[square])


# The reveal (G-15) -------------------------------------------------------------------------------

@rule
def is_good_start(s, c, square):
    """G-15 G-R1 A land or a mine, as far as can be seen."""
    if not s.revealed and not s.mark[square]:
        return True
    if s.kind[square] == Land.MINE:
        return c.start_allows_mine == 1
    return s.kind[square] == Land.LAND


@rule
def can_move_to(s, c, seat, square):
    return is_good_start(s, c, square) and pick_refusal(s, c, seat, square) == Refusal.NONE


@apart
def nearest_start(s, c, seat):
    """G-15 How far the nearest fitting square is, how many lie there, and one of them."""
    home = s.home[seat]
    nearest, count, found = 99, 0, NO_SQUARE
    for square in range(N_SQUARES):
        if can_move_to(s, c, seat, square):
            distance = 1 if c.rechoose_anywhere else np.int64(c.distance[home, square])
            if distance < nearest:
                nearest, count = distance, 0
            if distance == nearest:
                count += 1
                found = square
    return nearest, count, found


@rule
def move_refusal(s, c, seat, square):
    """G-15 G-R1 Connected to the first choice, or as near as can be."""
    if not is_good_start(s, c, square):
        return Refusal.NO_SUCH_SQUARE
    why = pick_refusal(s, c, seat, square)
    if why != Refusal.NONE or c.rechoose_anywhere:
        return why
    nearest, _, _ = nearest_start(s, c, seat)
    near = c.distance[s.home[seat], square] == nearest
    return Refusal.NONE if near else Refusal.NOT_NEAREST


@rule
def ask_to_move(s, c, seat, log):
    """G-15 Whoever sits on a lake or mountain picks another square."""
    if not is_good_start(s, c, np.int64(s.home[seat])):
        _, count, found = nearest_start(s, c, seat)
        if count == 1 and s.revealed:
            move_start(s, c, seat, found, log)
        else:
            then(s, Ask.MOVE_START, seat, 0, 0)


@handles(Ask.MOVE_START, square=Do.SQUARE)
def move_start(s, c, seat, square, log):
    s.home[seat] = square
    note(log, Event.START_MOVED, seat, square, 1)
    if not s.revealed:
        turn_square_up(s, seat, square, log)
        if not is_good_start(s, c, square):
            then(s, Ask.MOVE_START, seat, 0, 0)


@handles(Step.REVEAL)
def turn_board_up(s, c, log):
    """G-15 G-R3 Everything is turned up, then bad starts are mended in seat order."""
    s.revealed = 1
    for square in range(N_SQUARES):
        s.mark[square] = 0
    count_neighbours(s, c)
    note(log, Event.REVEALED, 0, 0, 1)
    show_rows(s, log)
    then(s, Step.MOVE_START, 0, 0, 0)


@rule
def show_rows(s, log):
    """G-15 What all see now: the squares of each row as digits of base 4, the first one lowest."""
    for row in range(SIDE):
        shown = 0
        for column in range(SIDE - 1, -1, -1):
            shown = 4 * shown + np.int64(s.kind[SIDE * row + column])
        note(log, Event.ROW_SHOWN, 0, row, shown)


@handles(Step.MOVE_START)
def next_move(s, c, seat, log):
    if seat < s.seats:
        then(s, Step.MOVE_START, seat + 1, 0, 0)
        ask_to_move(s, c, seat, log)
    else:
        then(s, Step.LOANS, 0, 0, 0)


# First loans (G-16, G-17) ------------------------------------------------------------------------

@handles(Step.LOANS)
def ask_for_loans(s, c, log):
    """G-16 G-74 All at once and in secret; a start that is free needs none."""
    then(s, Step.OPEN_LOANS, 0, 0, 0)
    if c.hr_free_start:
        return
    for seat in range(s.seats - 1, -1, -1):
        price = bank_price(s, c, np.int64(s.home[seat]))
        if price >= c.first_loan_max:
            seal_loan(s, seat, price, log)
        else:
            then(s, Ask.FIRST_LOAN, seat, 0, 0)


@rule
def seal_loan(s, seat, coins, log):
    """G-16 G-R5 Between the price of the start square and `first_loan_max`."""
    s.first_loan[seat] = coins
    note_for(log, Event.FIRST_LOAN, seat, NOBODY, 0, coins, 1 << seat)


@rule
def goes_before(s, seat, other):
    """G-17 The larger loan; of equal ones the younger player's."""
    if s.first_loan[seat] != s.first_loan[other]:
        return s.first_loan[seat] > s.first_loan[other]
    return s.age[seat] < s.age[other]


@rule
def why_first(s, c, first):
    """G-17 G-R6 G-74 What may be told of why a seat begins: a tie only where loans are shown."""
    if c.hr_free_start:
        return Begins.LOT
    if not c.reveal_first_loans:
        return Begins.SEALED
    for seat in range(s.seats):
        if seat != first and s.first_loan[seat] == s.first_loan[first]:
            return Begins.YOUNGEST
    return Begins.LARGEST


@handles(Step.OPEN_LOANS)
@apart
def open_loans(s, c, log):
    """G-16 G-17 G-R6 G-74 Start squares are paid; only the first player's name is told."""
    first = 0
    for seat in range(s.seats):
        square = np.int64(s.home[seat])
        if not c.hr_free_start:
            price = bank_price(s, c, square)
            borrow(s, seat, s.first_loan[seat])
            pay(s, seat, price)
            note(log, Event.START_PAID, seat, square, price)
            if c.reveal_first_loans:
                note_for(log, Event.FIRST_LOAN, seat, NOBODY, 0, s.first_loan[seat], ALL)
            if goes_before(s, seat, first):
                first = seat
        give_square(s, c, square, seat)
        if c.hr_free_start and s.kind[square] == Land.LAND:
            set_use(s, square, Use.CROP)
    if c.hr_free_start:
        first = roll(s, s.seats)
    s.loans_open = 1
    s.first = first
    note(log, Event.FIRST_PLAYER, first, why_first(s, c, first), 1)
    then(s, Step.START_ROUND, 0, 0, 0)
