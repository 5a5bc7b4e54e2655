"""What the lab measures in Treasury 0.17."""

from exchequer.core.measures import Count, Lever, Measures
from exchequer.core.piles import pile_size
from exchequer.core.records import rule
from exchequer.games.treasury.measures import clock
from exchequer.games.treasury.v17 import GAME
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Card, Do, Event, Pile
from exchequer.games.treasury.v17.zones import has_contract

STARTS = (Ask.START_CARD, Ask.START_NOW)

__all__ = ["clock"]

MEASURES = Measures(
    resources=("gold", "open businesses", "contracts", "cards in hand"),
    turns="turns",
    uses=GAME.coverage,
    counts={
        "gold earned": Count(Event.EARNED, amount=True),
        "gold from contracts": Count(Event.COLLECTED, amount=True),
        "gold spent": Count(Event.SPENT, amount=True),
        "businesses opened": Count(Event.OPENED),
        "businesses closed": Count(Event.CLOSED),
        "contracts claimed": Count(Event.CLAIMED),
        "contracts lost": Count(Event.LOST_CONTRACT),
    },
    levers={
        "actions": {
            "pass": Lever((Do.PASS,)), "play event": Lever((Do.PLAY, Do.FREE_PLAY)),
            "start business": Lever((Do.START, Do.FREE_START)),
            "develop": Lever((Do.DEVELOP, Do.FREE_DEVELOP)),
        },
        "cards opened": {card.name.lower(): Lever((Do.CARD + card,), STARTS) for card in Card},
    },
)


@rule
def measure(s, c, seat, out):
    out[0] = s.gold[seat]
    out[1] = 0
    out[2] = 0
    for slot in range(N_SLOTS):
        if s.opened[seat, slot]:
            out[1] += 1
            out[2] += has_contract(s, seat, slot)
    out[3] = pile_size(s, Pile.HAND + seat)
