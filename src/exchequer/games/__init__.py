"""The games, one folder each. They are found by their folder; nothing here lists them."""

import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exchequer.core.game import Game


class Games(types.ModuleType):
    """`exchequer.games()` stays a call when this package, of the same name, has been imported."""

    def __call__(self) -> "list[Game]":
        from exchequer.core.find import all_games

        return all_games()


sys.modules[__name__].__class__ = Games
