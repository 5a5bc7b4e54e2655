"""Bazaar's records and enums."""

from enum import IntEnum

from exchequer.core.agenda import agenda_fields
from exchequer.core.content import Cards, Number, Schema, Text
from exchequer.core.piles import pile_fields
from exchequer.core.records import record

SEATS, CARDS, N_GOODS = 4, 24, 4


class Good(IntEnum):
    GRAIN, SALT, WINE, SILK = range(4)


class Pile(IntEnum):
    HAND = 0  # + seat
    DECK = 4
    SOLD = 5


class Ask(IntEnum):
    TURN, TRIBUTE = range(2)


class Do(IntEnum):
    DRAW = 0
    SELL = 1  # + place in hand
    PAY = 25
    DISCARD = 26  # + place in hand


N_ACTIONS = MAX_LEGAL = 50


class Event(IntEnum):
    DREW, SOLD, PAID, DISCARDED = range(4)


N_THINGS = 4


class Refusal(IntEnum):
    NONE, OVER, NOT_ASKED, NO_CARD, NO_GOLD = range(5)


class Ending(IntEnum):
    NONE, SOLD_OUT = range(2)


class Fault(IntEnum):
    NONE, DEBT = range(2)


def lay_goods(c):
    """One card of a good is like another; grain and salt, wine and silk share a back."""
    c.kind_of[:] = [card % N_GOODS for card in range(CARDS)]
    c.back[:] = c.kind_of // 2


CONTENT = Schema(
    rules={"start_gold": Number(0, 99), "hand": Number(0, 5), "tribute": Number(0, 9)},
    derived={"kind_of": ("i1", CARDS), "back": ("i1", CARDS)}, derive=lay_goods,
    good=Cards(Good, name=Text(), price=Number(0, 99)),
)
State = record(rng="u8", seats="i1", gold=("i4", SEATS), **agenda_fields(8),
               **pile_fields(CARDS, 6))
