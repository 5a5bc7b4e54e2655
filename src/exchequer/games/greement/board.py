"""The board of Greement: squares, neighbours, distances, multipliers, profit, value and taxes.

`held` and `reach` follow from the owners; only `give_square`, `free_square` and `set_use` change
owners and uses, so that they stay true.
"""

import numpy as np

from exchequer.core.chance import roll
from exchequer.core.records import apart, rule
from exchequer.games.greement.state import (
    FAR,
    MOST_MULTIPLIER,
    N_SQUARES,
    NO_SQUARE,
    UNKNOWN,
    Holding,
    Land,
    TaxFormula,
    Use,
    Value,
)


@rule
def entry(s, value):
    """An entry of the table of values, wide: multipliers go far beyond 32 bits (G-64)."""
    return np.int64(s.table[value])


# Laying out (G-2, G-13) --------------------------------------------------------------------------

@apart
def deal_board(s, c):
    """G-2 G-13 Lay the squares that are not turned up at random, in the content's numbers."""
    lands, mines, lakes = c.lands, c.mines, c.lakes
    mountains = c.mountains
    for square in range(N_SQUARES):
        if s.mark[square]:
            lands -= s.kind[square] == Land.LAND
            mines -= s.kind[square] == Land.MINE
            lakes -= s.kind[square] == Land.LAKE
            mountains -= s.kind[square] == Land.MOUNTAIN
    for square in range(N_SQUARES):
        if not s.mark[square]:
            drawn = roll(s, lands + mines + lakes + mountains)
            if drawn < lands:
                lands -= 1
                s.kind[square] = Land.LAND
            elif drawn < lands + mines:
                mines -= 1
                s.kind[square] = Land.MINE
            elif drawn < lands + mines + lakes:
                lakes -= 1
                s.kind[square] = Land.LAKE
            else:
                mountains -= 1
                s.kind[square] = Land.MOUNTAIN


@apart
def count_neighbours(s, c):
    """G-8 How many lakes and mountains each square is connected to."""
    for square in range(N_SQUARES):
        beside = 0
        for i in range(8):
            near = c.near[square, i]
            if near != NO_SQUARE:
                beside += (s.kind[near] == Land.LAKE) + 16 * (s.kind[near] == Land.MOUNTAIN)
        s.beside[square] = beside


@rule
def lakes_beside(s, square):
    return np.int64(s.beside[square]) % 16


@rule
def mountains_beside(s, square):
    return np.int64(s.beside[square]) // 16


# Owners and uses (G-3) ---------------------------------------------------------------------------

@rule
def can_be_owned(s, square):
    """G-3 Lakes and mountains belong to nobody."""
    return s.kind[square] == Land.LAND or s.kind[square] == Land.MINE


@rule
def holding(s, square):
    """As what an owned square is counted."""
    if s.kind[square] == Land.MINE:
        return Holding.MINE
    return np.int64(s.use[square])


@rule
def set_use(s, square, use):
    """Turn a land into crop, cattle or back."""
    owner = s.owner[square]
    if owner != UNKNOWN:
        s.held[owner, holding(s, square)] -= 1
    s.use[square] = use
    if owner != UNKNOWN:
        s.held[owner, holding(s, square)] += 1


@rule
def free_square(s, square):
    """The square belongs to nobody again and is brown; `measure` has to follow for its owner."""
    s.held[s.owner[square], holding(s, square)] -= 1
    s.owner[square] = UNKNOWN
    s.use[square] = Use.BROWN


@apart
def give_square(s, c, square, seat):
    """G-28 The square changes hands with its present use."""
    old = np.int64(s.owner[square])
    if old != UNKNOWN:
        s.held[old, holding(s, square)] -= 1
    s.owner[square] = seat
    s.held[seat, holding(s, square)] += 1
    for other in range(N_SQUARES):
        if c.distance[square, other] < s.reach[seat, other]:
            s.reach[seat, other] = c.distance[square, other]
    if old != UNKNOWN:
        measure(s, c, old)


@apart
def measure(s, c, seat):
    """G-5 The distance of every square to the seat's nearest one."""
    for square in range(N_SQUARES):
        s.reach[seat, square] = FAR
    for own in range(N_SQUARES):
        if s.owner[own] == seat:
            for square in range(N_SQUARES):
                if c.distance[own, square] < s.reach[seat, square]:
                    s.reach[seat, square] = c.distance[own, square]


@rule
def squares_of(s, seat):
    """How many squares the seat owns."""
    return (s.held[seat, Holding.BROWN] + s.held[seat, Holding.CROP]
            + s.held[seat, Holding.CATTLE] + s.held[seat, Holding.MINE])


@rule
def total_held(s, what):
    """G-33 How many squares of a kind all players own together."""
    total = 0
    for seat in range(s.seats):
        total += s.held[seat, what]
    return total


# Multipliers, profit, value (G-8 to G-10) --------------------------------------------------------

@rule
def multiplier(s, c, square):
    """G-8 G-R15 Each connected lake and each connected mountain multiplies."""
    product = 1
    if s.kind[square] == Land.MINE and not c.mines_multiplied:
        return product
    for _ in range(lakes_beside(s, square)):
        product = min(product * entry(s, Value.LAKE), MOST_MULTIPLIER)
    for _ in range(mountains_beside(s, square)):
        product = min(product * entry(s, Value.MOUNTAIN), MOST_MULTIPLIER)
    return product


@rule
def square_profit(s, c, square):
    """G-9 What a square brings in a turn of its owner."""
    if s.kind[square] == Land.MINE:
        each = entry(s, Value.MINE_PROFIT)
    elif s.use[square] == Use.CROP:
        each = entry(s, Value.CROP)
    elif s.use[square] == Use.CATTLE:
        each = entry(s, Value.CATTLE_PROFIT)
    else:
        return 0
    return each * multiplier(s, c, square)


@rule
def square_value(s, c, square):
    """G-10 G-R16 The value for scoring: table price times multiplier."""
    if s.kind[square] == Land.MINE:
        each = entry(s, Value.MINE)
    else:
        each = entry(s, Value.LAND)
        if c.improvements_count:
            if s.use[square] != Use.BROWN:
                each += entry(s, Value.SEED)
            if s.use[square] == Use.CATTLE:
                each += entry(s, Value.CATTLE)
    return each * multiplier(s, c, square)


@apart
def profit_of(s, c, seat):
    """G-20 The profit of all squares of a seat."""
    total = 0
    for square in range(N_SQUARES):
        if s.owner[square] == seat:
            total += square_profit(s, c, square)
    return total


@apart
def worth_of(s, c, seat):
    """G-62 The value of all squares of a seat."""
    total = 0
    for square in range(N_SQUARES):
        if s.owner[square] == seat:
            total += square_value(s, c, square)
    return total


# Prices and taxes (G-11, G-12, G-25) -------------------------------------------------------------

@rule
def bank_price(s, c, square):
    """G-25 G-R14 The plain price of the table; a switch multiplies it."""
    price = entry(s, Value.MINE) if s.kind[square] == Land.MINE else entry(s, Value.LAND)
    return price * multiplier(s, c, square) if c.bank_price_multiplied else price


@rule
def tax_at(s, c, distance):
    """G-11 G-R10 Nothing when connected, else the distance times the tax; who owns nothing pays
    none."""
    if distance == FAR:
        return 0
    if c.tax_formula == TaxFormula.D_MINUS_1:
        return (distance - 1) * entry(s, Value.TAX)
    if c.tax_formula == TaxFormula.ZERO_THEN_D and distance == 1:
        return 0
    return distance * entry(s, Value.TAX)


@rule
def square_tax(s, c, seat, square):
    """G-11 The distance tax when this seat gets this square."""
    return tax_at(s, c, np.int64(s.reach[seat, square]))


@apart
def gift_tax(s, c, giver, taker):
    """G-12 G-R11 By the smallest distance between any square of one and any of the other."""
    nearest = FAR
    for square in range(N_SQUARES):
        if s.owner[square] == giver:
            nearest = min(nearest, np.int64(s.reach[taker, square]))
    return tax_at(s, c, nearest)
