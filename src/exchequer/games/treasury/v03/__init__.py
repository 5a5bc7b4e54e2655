"""Treasury, edition 0.3."""

from exchequer.core.content import keys_of
from exchequer.core.game import Game
from exchequer.games.treasury.v03.cards import Ability, Card, Effect
from exchequer.games.treasury.v03.state import N_DEFAULT_CARDS, Event

GAME = Game(
    package=__name__,
    seats=(2, 4),
    rules_version=2, rows_version=2,
    coverage={
        "businesses opened": (Event.OPENED, keys_of(Card)[:N_DEFAULT_CARDS]),
        "abilities used": (Event.ABILITY, keys_of(Ability)),
        "events carried out": (Event.RESOLVED, keys_of(Effect)),
    },
    ledger={
        Event.GAINED: 1, Event.PAID_COST: -1, Event.STORED: 1, Event.STORED_LOST: -1,
        Event.CIV_TAX: 1, Event.TREASURY_GAINED: 1, Event.TREASURY_LOST: -1,
        Event.SUPPLY_ADDED: 1,
    },
    money=lambda s: int(s.gold.sum() + s.treasury + s.stored.sum()),
)
