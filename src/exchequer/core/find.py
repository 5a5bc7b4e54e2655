"""Games are found by their folder: one that holds a rulebook is a game."""

import difflib
import functools
import importlib
import pathlib

from exchequer.core.errors import InputError
from exchequer.core.game import Game


class NoSuchGame(InputError):
    """A name that no folder bears."""


@functools.cache
def game_names() -> tuple[str, ...]:
    """`kingdom`, `treasury/v17`, ...; nothing is imported to find them."""
    root = pathlib.Path(__file__).parents[1] / "games"
    return tuple(sorted(str(book.parent.relative_to(root).as_posix())
                        for book in root.rglob("rulebook.md")))


def find_game(name: str) -> Game:
    if name not in game_names():
        close = difflib.get_close_matches(name, game_names(), 1, 0.4)
        hint = f'Did you mean "{close[0]}"?' if close else f"There are: {', '.join(game_names())}."
        raise NoSuchGame(f'There is no game "{name}". {hint}')
    return importlib.import_module("exchequer.games." + name.replace("/", ".")).GAME


def all_games() -> list[Game]:
    return [find_game(name) for name in game_names()]
