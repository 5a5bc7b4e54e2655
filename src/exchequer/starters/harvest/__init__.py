"""Harvest: play what you have grown before the others' weather does."""

from exchequer.kit import Game

GAME = Game(package=__name__, seats=(2, 4), rules_version=1)
