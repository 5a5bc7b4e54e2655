"""Going Once: sealed bids for paintings that are worth more in sets."""

from exchequer.kit import Game

GAME = Game(package=__name__, seats=(2, 4), rules_version=1)
