"""What the lab measures in Greement."""

from exchequer.core.content import keys_of
from exchequer.core.measures import Count, Lever, Measures
from exchequer.core.records import rule
from exchequer.games.greement.board import profit_of, worth_of
from exchequer.games.greement.ending import wealth
from exchequer.games.greement.state import Ask, Deal, Do, Event, Happening, Promise, Value

KINDS = ("borrow", "repay", "buy", "seed", "cattle", "sell", "offer", "gift", "call", "promise")


@rule
def owed(s, seat):
    return -s.debt[seat]


MEASURES = Measures(
    resources={"wealth": wealth, "cash": "cash", "debt": "debt", "profit": profit_of,
               "squares": "held"},
    lines={"squares": worth_of, "cash": "cash", "debt": owed},
    turn="round_number", turns="rounds", seconds=3.0,  # most of them are digits and clicks
    uses={
        "events that happened": (Event.HAPPENED, keys_of(Happening)),
        "events avoided": (Event.AVOIDED, keys_of(Happening)),
        "deals closed": (Event.DEAL, keys_of(Deal)),
        "promises made": (Event.PROMISED, keys_of(Promise)),
        "table entries changed": (Event.CHANGED, keys_of(Value)),
    },
    counts={
        "offers made": Count(Event.OFFERED),
        "counter-offers": Count(Event.COUNTERED),
        "offers declined": Count(Event.DECLINED),
        "deals closed": Count(Event.DEAL),
        "prices paid": Count(Event.PRICE_PAID, amount=True),
        "gifts given": Count(Event.GIFT_GIVEN),
        "coins given": Count(Event.GIFT_GIVEN, amount=True),
        "votes cast": Count(Event.VOTED),
        "promises made": Count(Event.PROMISED),
        "promises kept": Count(Event.PROMISE_KEPT),
        "promises broken": Count(Event.PROMISE_BROKEN),
        "coins pledged": Count(Event.PLEDGE_PAID, amount=True),
        "squares bought": Count(Event.BOUGHT),
        "interest": Count(Event.INTEREST, amount=True),
    },
    ratios={
        "offers accepted": ("deals closed", "offers made"),
        "gifts (bribes) for each vote": ("gifts given", "votes cast"),
        "coins given for each vote": ("coins given", "votes cast"),
        "promises broken (defaults)": ("promises broken", "promises made"),
    },
    levers={
        "actions": {name: Lever((Do[name.upper()],), (Ask.TURN,)) for name in KINDS},
        "events": {happening.name.lower(): Lever(
            without={"event": {happening.name.lower(): {"cards": 0}}})
            for happening in Happening},
    },
    deals=(Event.DEAL,), votes=(Event.VOTED,),
)
