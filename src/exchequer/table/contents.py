"""Contents of tables: one for all that are played by the same numbers, since its words take more
memory than all else that is kept of a table.
"""

import functools
import json

from exchequer.core.content import Content
from exchequer.core.game import Game


@functools.lru_cache(maxsize=128)
def content_of(game: Game, overlay: str) -> Content:
    """As a match's row has it, in JSON. Nobody changes a content."""
    return game.content(json.loads(overlay))
