"""A bot of one's own, entered in the ladder beside ours.

    exchequer ladder kingdom --bots random,examples/own_bot.py:Builder,greedy --games 100

It builds and develops whenever it can and never attacks.
"""

import numpy as np

PEACEFUL = ("build:", "develop:", "expand", "tax", "end")  # in this order


class Builder:
    def __init__(self, game, seed):
        self.game, self.random = game, np.random.default_rng(seed)
        self.out = np.zeros(game.max_legal, np.int32)

    def choose(self, observation, content, seat):
        count = self.game.engine().legal(observation[0], content.record, self.out)
        moves = [int(move) for move in self.out[:count]]
        texts = {move: self.game.words.TEXTS.text(move) for move in moves}
        for wanted in PEACEFUL:
            if found := [move for move in moves if texts[move].startswith(wanted)]:
                return int(self.random.choice(found))
        return int(self.random.choice(moves))
