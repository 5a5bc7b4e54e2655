"""A bot of one's own, entered in the ladder beside ours.

    exchequer ladder kingdom --bots random,examples/own_bot.py:Builder,greedy --games 100

It builds and develops whenever it can and never attacks.
"""

import random

PEACEFUL = ("build:", "develop:", "expand", "tax", "end")  # in this order


class Builder:
    def __init__(self, game, seed):
        self.game, self.random = game, random.Random(seed)

    def choose(self, observation, content, seat):
        moves = self.game.legal(observation, content)
        for wanted in PEACEFUL:
            if found := [move for move in moves if move.text.startswith(wanted)]:
                return self.random.choice(found)
        return self.random.choice(moves)
