"""What the lab measures in Kingdom."""

from exchequer.core.measures import Count, Lever, Measures
from exchequer.core.records import rule
from exchequer.games.kingdom import GAME
from exchequer.games.kingdom.rules import income, score
from exchequer.games.kingdom.state import (
    N_DEVELOPMENTS,
    N_ROLES,
    Building,
    Do,
    Event,
)
from exchequer.games.kingdom.words import BUILDINGS, DEVELOPMENTS

KINDS = {"overwork": (Do.OVERWORK, 1), "expand": (Do.EXPAND, 1), "develop": (Do.DEVELOP, 4),
         "tax": (Do.TAX, 1), "reallocate": (Do.REALLOCATE, 9), "raise population": (Do.RAISE, 4),
         "royal decree": (Do.DECREE, 4), "attack": (Do.ATTACK, 1), "festival": (Do.FESTIVAL, 1),
         "plow": (Do.PLOW, 1), "build": (Do.BUILD, 12)}

MEASURES = Measures(
    resources=("points", "gold", "income", "people", "army", "fort", "happiness", "castle",
               "developments"),
    turns="rounds",
    uses={
        "actions": GAME.coverage["actions taken"],
        "buildings": (Event.BUILT, BUILDINGS),
        "developments": (Event.DEVELOPED, DEVELOPMENTS),
    },
    counts={
        "gold earned": Count(Event.INCOME, amount=True),
        "gold taxed": Count(Event.TAXED, amount=True),
        "gold spent": Count(Event.PAID, amount=True),
        "gold looted": Count(Event.LOOTED, amount=True),
        "attacks": Count(Event.ATTACKED),
        "deserters": Count(Event.DESERTED),
    },
    levers={
        "buildings": {building.name.lower(): Lever((Do.BUILD + building,))
                      for building in Building},
        "actions": {name: Lever(tuple(range(first, first + count)))
                    for name, (first, count) in KINDS.items()},
    },
)


@rule
def clock(s):
    return s.round_number


@rule
def measure(s, c, seat, out):
    out[0] = score(s, c, seat)
    out[1] = s.gold[seat]
    out[2] = income(s, c, seat)
    out[3] = 0
    for role in range(N_ROLES):
        out[3] += s.people[seat, role]
    out[4] = s.army[seat]
    out[5] = s.fort[seat]
    out[6] = s.happiness[seat]
    out[7] = s.castle[seat]
    out[8] = 0
    for kind in range(N_DEVELOPMENTS):
        out[8] += s.developments[seat, kind]
