"""Bazaar: a toy of 2 to 4 merchants with hidden hands, nested questions and money.

The smallest game that uses all of the core; the tests plant their faults in it.
"""

from exchequer.core.game import Game
from toys.bazaar.state import Event, Good

GAME = Game(
    package=__name__,
    seats=(2, 4),
    rules_version=1,
    coverage={"goods sold": (Event.SOLD, [good.name.lower() for good in Good])},
    ledger={Event.SOLD: 1, Event.PAID: -1},
    money=lambda s: int(s.gold.sum()),
    step_limit=500,
)
