"""Whispers at Court: who holds the highest card when the whispering stops?"""

from exchequer.kit import Game

GAME = Game(package=__name__, seats=(2, 4), rules_version=1)
