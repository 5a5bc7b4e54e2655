"""Bots of one's own: a class in a Python file, named `FILE.py:CLASS`.

    class Careful:
        def __init__(self, game, seed): ...
        def choose(self, observation, content, seat): return one of the legal actions

`observation` is an array of one state, blanked of what the seat may not know.
"""

import functools
import importlib.util
import pathlib
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from exchequer.bots.bot import Bot
from exchequer.bots.thinking import thinking
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game


class Player(Protocol):
    """Whoever answers for a seat."""

    def choose(self, observation: np.ndarray, content: Content, seat: int) -> int: ...


def is_own(name: str) -> bool:
    return ".py:" in name


def check_bot(name: str) -> None:
    """Refuse a name that is none before anything is compiled or played."""
    if is_own(name):
        own_class(name)
        return
    try:
        thinking(name)
    except InputError as error:
        raise InputError(f"{error} One of your own is named FILE.py:CLASS.") from None


@functools.cache
def own_class(name: str) -> Callable[[Game, int], Player]:
    file, _, wanted = name.rpartition(":")
    path = pathlib.Path(file)
    if not path.is_file():
        raise InputError(f"There is no file {file} with a bot in it.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file.")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(getattr(module, wanted, None), "choose", None)):
        raise InputError(f"{file} has no class {wanted} with a method `choose`.")
    return getattr(module, wanted)


def new_player(game: Game, name: str, seed: int) -> Player:
    return own_class(name)(game, seed) if is_own(name) else Bot(game, name, seed)
