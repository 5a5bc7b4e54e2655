"""Treasury 0.17: businesses, events and contracts over four ages, for two to four players."""

from exchequer.core.content import keys_of
from exchequer.core.game import Game
from exchequer.games.treasury.v17.cards import Ability, Card, Printed
from exchequer.games.treasury.v17.state import Event

GAME = Game(
    package=__name__,
    seats=(2, 4),
    rules_version=2, rows_version=2,
    coverage={
        "cards opened": (Event.OPENED, keys_of(Card)),
        "abilities used": (Event.ABILITY, keys_of(Ability)[:-1]),  # without NONE
        "events resolved": (Event.RESOLVED, keys_of(Printed)),
    },
    ledger={
        Event.EARNED: 1, Event.WON: 1, Event.SPENT: -1, Event.STORED: 1, Event.STORE_SPENT: -1,
        Event.STORE_LOST: -1, Event.TREASURY_GAINED: 1, Event.TREASURY_LOST: -1,
        Event.TOPPED_UP: 1, Event.POPULATION_TAX: 1,
    },
    money=lambda s: int(s.gold.sum() + s.treasury + s.contract_gold.sum() + s.stored.sum()),
)
