"""What the lab measures in Treasury 0.17."""

from exchequer.core.measures import Count, Flow, Lever, Measures
from exchequer.core.records import rule
from exchequer.games.treasury.measures import most_turns
from exchequer.games.treasury.v17 import GAME
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Card, Do, Event
from exchequer.games.treasury.v17.zones import hand_size, has_contract

STARTS = (Ask.START_CARD, Ask.START_NOW)

@rule
def contracts(s, seat):
    """Of open businesses."""
    count = 0
    for slot in range(N_SLOTS):
        if s.opened[seat, slot] and has_contract(s, seat, slot):
            count += 1
    return count


MEASURES = Measures(
    resources={"gold": "gold", "open businesses": "opened", "contracts": contracts,
               "cards in hand": hand_size},
    lines={
        "contracts": Flow(Event.COLLECTED), "businesses": Flow(Event.EARNED),
        "events": Flow(Event.WON), "taken from stores": Flow(Event.TOOK_STORED),
        "taken from others": Flow(Event.TOOK_GOLD), "spent": Flow(Event.SPENT, -1),
        "tax": Flow(Event.TAXED, -1),
    },
    turn=most_turns, turns="turns",
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
