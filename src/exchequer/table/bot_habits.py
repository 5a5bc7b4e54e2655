"""What bots do at a table before they search (`core.habits`), and what they leave to people first.

Habits are asked in plain Python: they are a few hundred sums, and nobody waits for a compiler.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.habits import habit, habits_of, only_by_habit
from exchequer.table.match import Match

Enough = Callable[[], bool]


def asked_of_habit(game: Game, rule: Any, *arguments: Any) -> Any:
    return game.engine(Mode.PYTHON).bind(rule, habits_of(game))(*arguments)


def habitual(bot: Bot, observation: np.ndarray, content: Content, seat: int) -> int | None:
    """What the bot does without searching; None where it has to search."""
    if not bot.searches or not bot.game.has_module("habits"):
        return None
    seats = bot.game.seats_in(observation[0])
    action = int(asked_of_habit(bot.game, habit, observation[0], content.record, seats, seat))
    return action if action >= 0 else None


def searched(bot: Bot, observation: np.ndarray, content: Content, seat: int, is_enough: Enough,
             part: int) -> int:
    """What the bot finds by searching; what it does only out of habit it does not find."""
    action = bot.choose(observation, content, seat, is_enough, part)
    if not bot.searches or not bot.game.has_module("habits"):
        return action
    ideas = [action, *(idea.action for idea in bot.thought().ideas)]
    return next((one for one in ideas
                 if not asked_of_habit(bot.game, only_by_habit, observation[0], one)), action)


def leaves_people_the_word(match: Match, seat: int) -> bool:
    """Whether somebody could now make the bot an offer: it has its turn, and people play."""
    return (match.game.has_module("bargain") and match.game.has_module("habits")
            and any(one.holder and not one.bot for one in match.seats)
            and match.game.module("bargain").can_hear(match.position.state, seat))
