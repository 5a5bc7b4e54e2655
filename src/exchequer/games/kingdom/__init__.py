"""Kingdom: a duel of two kingdoms, open and without dice."""

from exchequer.core.game import Game
from exchequer.games.kingdom.state import FIRST_MAIN, LAST_MAIN, Do, Event, Role
from exchequer.games.kingdom.words import BUILDINGS, DEVELOPMENTS, TEXTS

# A citizen needs the switch raise_pop_citizen or desertion_result.
CITIZENS = {Do.RAISE + Role.CITIZEN, *range(Do.RAISE - 3, Do.RAISE)}

GAME = Game(
    package=__name__,
    seats=(2, 2),
    rules_version=1, rows_version=2,
    coverage={
        "actions taken": (Event.PAID, {action: TEXTS.text(action)
                                       for action in range(FIRST_MAIN, LAST_MAIN + 1)
                                       if action not in CITIZENS}),
        "buildings sold": (Event.SOLD_BUILDING, BUILDINGS),
        "developments placed": (Event.DEVELOPED, DEVELOPMENTS),
        "developments sold": (Event.SOLD_DEVELOPMENT, DEVELOPMENTS),
        "endings": (Event.GAME_ENDED, {1: "conquest", 2: "bankruptcy", 3: "points"}),
    },
    ledger={
        Event.INCOME: 1, Event.UPKEEP: -1, Event.SOLD_DEVELOPMENT: 1, Event.SOLD_BUILDING: 1,
        Event.PAID: -1, Event.OVERWORKED: 1, Event.TAXED: 1, Event.LOOTED: 1, Event.ROBBED: -1,
    },
    money=lambda s: int(s.gold.sum()),
)
