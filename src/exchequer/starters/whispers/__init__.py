"""Whispers at Court: who holds the highest card when the whispering stops?"""

from exchequer.kit import Game

from .state import Courtier, Event

GAME = Game(package=__name__, seats=(2, 4), rules_version=1,
            coverage={"courtiers played": (Event.PLAYED, [k.name.lower() for k in Courtier])})
