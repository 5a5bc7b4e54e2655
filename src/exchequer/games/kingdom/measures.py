"""What the lab measures in Kingdom."""

from exchequer.core.measures import Count, Lever, Measures
from exchequer.games.kingdom import GAME
from exchequer.games.kingdom.assets import population
from exchequer.games.kingdom.rules import (
    building_score,
    castle_score,
    development_score,
    gold_score,
    happiness_score,
    income,
    score,
)
from exchequer.games.kingdom.state import Building, Do, Event
from exchequer.games.kingdom.words import BUILDINGS, DEVELOPMENTS

KINDS = {"overwork": (Do.OVERWORK, 1), "expand": (Do.EXPAND, 1), "develop": (Do.DEVELOP, 4),
         "tax": (Do.TAX, 1), "reallocate": (Do.REALLOCATE, 9), "raise population": (Do.RAISE, 4),
         "royal decree": (Do.DECREE, 4), "attack": (Do.ATTACK, 1), "festival": (Do.FESTIVAL, 1),
         "plow": (Do.PLOW, 1), "build": (Do.BUILD, 12)}

MEASURES = Measures(
    resources={"points": score, "gold": "gold", "income": income, "people": "people",
               "army": "army", "fort": "fort", "happiness": "happiness", "castle": "castle",
               "developments": "developments"},
    lines={"castle": castle_score, "gold": gold_score, "developments": development_score,
           "people": population, "happiness": happiness_score, "buildings": building_score},
    turn="round_number", turns="rounds",
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
