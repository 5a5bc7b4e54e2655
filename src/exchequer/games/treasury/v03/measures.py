"""What the lab measures in Treasury 0.3."""

from exchequer.core.measures import Count, Flow, Lever, Measures
from exchequer.core.piles import pile_size
from exchequer.core.records import rule
from exchequer.games.treasury.measures import counts_of, most_turns
from exchequer.games.treasury.v03 import GAME
from exchequer.games.treasury.v03.cards import Card
from exchequer.games.treasury.v03.state import (
    FACE_UP,
    FREE,
    N_DEFAULT_CARDS,
    SLOTS,
    TO_ROW,
    Ask,
    Do,
    Event,
    Pile,
)


def called(card: Card) -> str:
    """`a01 Tanner`: several cards bear the same name."""
    key = card.name.lower()
    return f"{key} {GAME.text['card'][key]['name']}"


BUSINESSES = {int(card): called(card) for card in list(Card)[:N_DEFAULT_CARDS]}

@rule
def open_businesses(s, seat):
    return count_bits(s.opened[seat])


@rule
def contracts(s, seat):
    return count_bits(s.contracted[seat])


@rule
def count_bits(mask):
    count = 0
    for slot in range(SLOTS):
        count += (mask >> slot) & 1
    return count


@rule
def cards_in_hand(s, seat):
    return pile_size(s, Pile.HAND + seat)


MEASURES = Measures(
    resources={"gold": "gold", "open businesses": open_businesses, "contracts": contracts,
               "cards in hand": cards_in_hand},
    lines={
        "contracts": Flow(Event.PAID_OUT), "businesses and events": Flow(Event.GAINED),
        "taken from stores": Flow(Event.TOOK_STORED),
        "from the treasury": Flow(Event.TOOK_TREASURY), "spent": Flow(Event.PAID_COST, -1),
        "tolls": Flow(Event.TOLL, -1), "stolen": Flow(Event.STOLE, -1),
        "tax": Flow(Event.TAXED, -1),
    },
    turn=most_turns, turns="turns",
    uses={**GAME.coverage, "businesses opened": (Event.OPENED, BUSINESSES)},
    counts={
        **counts_of(Event.GAINED, Event.PAID_OUT, Event.PAID_COST, Event.OPENED, Event.CLOSED,
                    Event.LAID, Event.CONTRACT_LOST),
        "gold stolen": Count(Event.STOLE, amount=True),
    },
    levers={
        "actions": {
            "seed event": Lever((Do.SEED, Do.SEED + FREE, Do.SEED + TO_ROW,
                                 Do.SEED + FREE + TO_ROW)),
            "start business": Lever((Do.START, Do.START + FREE, Do.START + FACE_UP,
                                     Do.START + FREE + FACE_UP)),
            "develop": Lever((Do.DEVELOP,)), "close business": Lever((Do.CLOSE, Do.CLOSE + FREE)),
            "open for gold": Lever(tuple(range(Do.BUY, Do.BUY + SLOTS))),
        },
        "businesses opened": {name: Lever((Do.PICK + card,), (Ask.START_CARD,))
                              for card, name in BUSINESSES.items()},
    },
)
