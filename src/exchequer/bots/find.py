"""Bots by name: `random`, `greedy`, `search:N` and the levels `easy` to `expert`."""

import re

from exchequer.bots.search import SearchBot, Thinking
from exchequer.bots.simple import Bot, GreedyBot, RandomBot
from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.game import Game

LEVELS = {
    "easy": Thinking(30, playout=4),
    "medium": Thinking(150, playout=8),
    "hard": Thinking(1000),
    "expert": Thinking(8000),
}
NAMES = ["random", "greedy", *LEVELS, "search:N"]


def make_bot(name: str, game: Game, seed: int = 0, mode: Mode | None = None) -> Bot:
    """A bot for one seat; the same name and seed give the same answers anywhere."""
    if name == "random":
        return RandomBot(game, seed, mode)
    if name == "greedy":
        return GreedyBot(game, seed, mode)
    if name in LEVELS:
        return SearchBot(game, seed, Mode.COMPILED, LEVELS[name])
    if found := re.fullmatch(r"search:(\d{1,7})", name):
        return SearchBot(game, seed, Mode.COMPILED, Thinking(max(1, int(found[1]))))
    raise InputError(f'There is no bot "{name}"; there are {", ".join(NAMES)}.')
