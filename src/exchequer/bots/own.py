"""Bots of one's own: a class in a Python file, named `FILE.py:CLASS`, or any program, named
`agent:COMMAND` (see `bots.agent`).

    class Careful:
        def __init__(self, game, seed): ...
        def choose(self, observation, content, seat): return one of the legal actions

`observation` is an array of one state, blanked of what the seat may not know.
"""

import functools
import importlib.util
import inspect
import pathlib
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from exchequer.bots.agent import SECONDS, Agent, check_agent, is_agent
from exchequer.bots.bot import Bot
from exchequer.bots.policies import policy_named
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.position import Position, Refused


class Player(Protocol):
    """Whoever answers for a seat."""

    def choose(self, observation: np.ndarray, content: Content, seat: int) -> int:
        """One of the legal actions, from what the seat may know (an array of one state)."""


PlayerClass = Callable[[Game, int], Player]
Entrant = str | PlayerClass  # a name, FILE.py:CLASS, agent:COMMAND, or the class itself


def is_own(bot: Entrant) -> bool:
    return not isinstance(bot, str) or ".py:" in bot or is_agent(bot)


def name_of(bot: Entrant) -> str:
    return bot if isinstance(bot, str) else getattr(bot, "__name__", str(bot))


def check_bot(bot: Entrant) -> None:
    """Refuse what is no bot before anything is compiled or played."""
    if not isinstance(bot, str):
        check_class(bot)
    elif is_agent(bot):
        check_agent(bot)
    elif is_own(bot):
        own_class(bot)
    else:
        check_name(bot)


def check_class(bot: PlayerClass) -> None:
    if not callable(bot) or not callable(getattr(bot, "choose", None)):
        raise InputError(f"{bot!r} is no bot; give a name such as hard, or a class with a method "
                         "`choose`.")
    check_made(bot)


def check_made(bot: PlayerClass) -> None:
    """It will be made anew for each game."""
    try:
        inspect.signature(bot).bind(None, 0)
    except TypeError as refused:
        raise InputError(f"A bot is made as {name_of(bot)}(game, seed): {refused}.") from None


def check_name(name: str) -> None:
    try:
        policy_named(name)
    except InputError as error:
        raise InputError(f"{error} One of your own is named FILE.py:CLASS or "
                         "agent:COMMAND.") from None


@functools.cache
def own_class(name: str) -> PlayerClass:
    file, _, wanted = name.rpartition(":")
    path = pathlib.Path(file)
    if not path.is_file():
        raise InputError(f"There is no file {file} with a bot in it.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file.")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Any = getattr(module, wanted, None)
    if not callable(getattr(found, "choose", None)):
        raise InputError(f"{file} has no class {wanted} with a method `choose`.")
    check_made(found)
    return found


def new_player(game: Game, bot: Entrant, seed: int, seconds: float = SECONDS) -> Player | Agent:
    """Whoever plays under that name; `seconds` is what an agent has for an answer."""
    if not isinstance(bot, str):
        return bot(game, seed)
    if is_agent(bot):
        return Agent(game, bot, seed, seconds)
    return own_class(bot)(game, seed) if is_own(bot) else Bot(game, bot, seed)


def answer_of(player: Player | Agent, position: Position) -> int:
    """The move of the seat that is asked; agents read, bots are given the observation."""
    if isinstance(player, Agent):
        return player.answer(position)
    seat = position.actor
    answer = player.choose(position.observe(seat), position.content, seat)
    if not isinstance(answer, int | np.integer | str):
        raise InputError(f"{type(player).__name__} chose {answer!r}, which is no action; actions "
                         "are whole numbers.")
    return answer


def move(player: Player | Agent, position: Position) -> None:
    """Make a bot's move; one that the rules refuse is told with its name."""
    action = answer_of(player, position)
    try:
        position.play(action)
    except Refused as refused:
        raise InputError(f"{type(player).__name__} chose {action}: {refused}") from None
