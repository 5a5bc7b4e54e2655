"""Kingdom: a duel of two kingdoms, open and without dice."""

from exchequer.core.game import Game
from exchequer.games.kingdom.state import (
    Building,
    Development,
    Ending,
    Event,
    Role,
)


def names(members):  # type: ignore[no-untyped-def]
    return [member.name.lower() for member in members]


GAME = Game(
    package=__name__,
    seats=(2, 2),
    rules_version=1,
    coverage={
        "buildings built": (Event.BUILT, names(Building)),
        "buildings sold": (Event.SOLD_BUILDING, names(Building)),
        "developments placed": (Event.DEVELOPED, names(Development)),
        "developments sold": (Event.SOLD_DEVELOPMENT, names(Development)),
    },
    ledger={
        Event.INCOME: 1, Event.UPKEEP: -1, Event.SOLD_DEVELOPMENT: 1, Event.SOLD_BUILDING: 1,
        Event.PAID: -1, Event.OVERWORKED: 1, Event.TAXED: 1, Event.LOOTED: 1, Event.ROBBED: -1,
    },
    money=lambda s: int(s.gold.sum()),
)
