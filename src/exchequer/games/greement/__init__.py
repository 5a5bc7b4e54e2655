"""Greement: land, loans, votes and promises for two to six."""

from exchequer.core.content import keys_of
from exchequer.core.game import Game
from exchequer.games.greement.state import Deal, Event, Happening, Promise, Value

GAME = Game(
    package=__name__,
    seats=(2, 6),
    rules_version=4, rows_version=4,
    coverage={
        "events that happened": (Event.HAPPENED, keys_of(Happening)),
        "events avoided": (Event.AVOIDED, keys_of(Happening)),
        "table entries changed": (Event.CHANGED, keys_of(Value)),
        "deals closed": (Event.DEAL, keys_of(Deal)[:-1]),
        "promises made": (Event.PROMISED, keys_of(Promise)),
        "votes cast": (Event.VOTED, ["let it happen", "against"]),
        "promised votes kept": (Event.PROMISE_KEPT, keys_of(Promise)[:2]),
        "promised votes broken": (Event.PROMISE_BROKEN, keys_of(Promise)[:2]),
        "books written": (Event.BOOKS, ["loan", "repayment"]),
        "gifts taken": (Event.GIFT_GIVEN, ["gift"]),
        "gifts refused": (Event.GIFT_REFUSED, ["gift"]),
        "offers declined": (Event.DECLINED, ["offer"]),
        "counter-offers": (Event.COUNTERED, [f"square {i}" for i in range(100)]),
        "squares bought": (Event.BOUGHT, [f"square {i}" for i in range(100)]),
        "squares handed over": (Event.HANDED_OVER, [f"square {i}" for i in range(100)]),
        "cattle saved": (Event.SAVED, [f"square {i}" for i in range(100)]),
    },
    ledger={
        Event.START_PAID: -1, Event.PROFIT: 1, Event.INTEREST: -1, Event.BOUGHT: -1,
        Event.BUY_TAX: -1, Event.SEEDED: -1, Event.STOCKED: -1, Event.BANK_PAID: 1,
        Event.PRICE_PAID: -1, Event.PRICE_GOT: 1, Event.DEAL_TAX: -1, Event.GIFT_GIVEN: -1,
        Event.GIFT_GOT: 1, Event.GIFT_TAX: -1, Event.DEBT_FORGIVEN: 1, Event.COMPENSATED: 1,
        Event.PLEDGE_PAID: -1, Event.SAVED: -1,
    },
    money=lambda s: int(s.cash.sum()) - int(s.debt.sum()),
)
