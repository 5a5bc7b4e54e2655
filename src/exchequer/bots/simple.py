"""Two bots without search: one plays at random, one looks a single question ahead."""

from typing import Any, Protocol

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.chance import POLICY_STREAM, Chance, roll, seed_chance
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.log import new_log
from exchequer.core.records import NOBODY, blank

WON = 1_000_000  # worth more than any points


class Bot(Protocol):
    """Whoever answers for a seat."""

    def choose(self, observation: np.ndarray, content: Content, seat: int) -> int: ...


class RandomBot:
    """Any legal action, each as likely."""

    def __init__(self, game: Game, seed: int = 0, mode: Mode | None = None) -> None:
        self.engine = game.engine(mode)
        self.out = np.zeros(game.max_legal, np.int32)
        self.chance = blank(Chance)
        seed_chance(self.chance, seed, POLICY_STREAM)

    def legal(self, observation: np.ndarray, content: Content) -> list[int]:
        count = self.engine.legal(observation[0], content.record, self.out)
        return self.out[:count].tolist()

    def choose(self, observation: np.ndarray, content: Content, seat: int) -> int:
        moves = self.legal(observation, content)
        return moves[roll(self.chance, len(moves))]


class GreedyBot(RandomBot):
    """The action after which its lead in points is greatest; equals are drawn by lot."""

    def __init__(self, game: Game, seed: int = 0, mode: Mode | None = None) -> None:
        super().__init__(game, seed, mode)
        self.game = game
        self.log = new_log(0)

    def choose(self, observation: np.ndarray, content: Content, seat: int) -> int:
        moves = self.legal(observation, content)
        values = [self.value_after(observation, content, seat, action) for action in moves]
        best = [action for action, value in zip(moves, values, strict=True)
                if value == max(values)]
        return best[roll(self.chance, len(best))]

    def value_after(self, observation: np.ndarray, content: Content, seat: int, action: int) -> int:
        world = observation.copy()
        self.engine.imagine(world[0], content.record, seat, int(roll(self.chance, 2**31)))
        self.engine.apply(world[0], content.record, action, self.log)
        return self.lead(world[0], content, seat)

    def lead(self, s: Any, content: Content, seat: int) -> int:
        c, engine = content.record, self.engine
        if engine.actor(s) == NOBODY:
            mask = int(engine.winners(s, c))
            if mask:
                return WON if mask == 1 << seat else 0 if mask >> seat & 1 else -WON
        others = [int(engine.score(s, c, other)) for other in range(seats_of(self.game, s))
                  if other != seat]
        return int(engine.score(s, c, seat)) - max(others, default=0)


def seats_of(game: Game, s: Any) -> int:
    """How many play; a game for a fixed number need not keep it in its state."""
    return int(s.seats) if "seats" in s.dtype.names else game.seats[1]
