"""Compile a game and the bots' search for it:  python -m exchequer.table.compiling kingdom"""

import contextlib
import os
import sys

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.position import Position


def exercise(game: Game) -> None:
    """Call all that the table calls, which compiles it or loads it from the cache."""
    game.engine(Mode.COMPILED).prepare()
    position = Position(game, mode=Mode.COMPILED)
    seat = position.actor
    bot = Bot(game, "easy", 0, Mode.COMPILED)
    bot.by_habit(position.observe(seat), position.content, seat)
    bot.consider(position.observe(seat), position.content, seat)
    position.engine.refusals(position.state, position.content.record)
    position.play(position.legal()[0])


if __name__ == "__main__":
    with contextlib.suppress(PermissionError):  # a service's sandbox may forbid it
        os.nice(10)
    exercise(find_game(sys.argv[1]))
