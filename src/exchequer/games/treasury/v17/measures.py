"""What the lab measures in Treasury 0.17."""

from exchequer.core.measures import Flow, Lever, Measures
from exchequer.core.records import rule
from exchequer.games.treasury.measures import counts_of, most_turns
from exchequer.games.treasury.v17 import GAME
from exchequer.games.treasury.v17.cards import Card
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Do, Event
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
    counts=counts_of(Event.EARNED, Event.COLLECTED, Event.SPENT, Event.OPENED, Event.CLOSED,
                     Event.CLAIMED, Event.LOST_CONTRACT),
    levers={
        "actions": {
            "pass": Lever((Do.PASS,)), "play event": Lever((Do.PLAY, Do.FREE_PLAY)),
            "start business": Lever((Do.START, Do.FREE_START)),
            "develop": Lever((Do.DEVELOP, Do.FREE_DEVELOP)),
        },
        "cards opened": {card.name.lower(): Lever((Do.CARD + card,), STARTS) for card in Card},
    },
)
