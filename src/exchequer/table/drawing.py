"""A board, drawn from what its viewer may see."""

from typing import Any, NamedTuple

import numpy as np

from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.records import Glance
from exchequer.core.reflection import changes, last_look, reflected, view_of
from exchequer.table import boards
from exchequer.table.contents import content_of
from exchequer.table.html import has_board, render
from exchequer.table.match import Match
from exchequer.table.regions import Board, take_apart

MOST_CARDS = 10  # of a pile that the default board shows at once


class Drawing(NamedTuple):
    """All that a board is drawn from; nothing in it is hidden from the viewer."""

    game: str
    overlay: str
    observed: bytes
    viewer: int
    names: tuple[str, ...]
    legal: tuple[int, ...]
    before: bytes = b""  # what the viewer saw after their last move, where changes are marked


def drawing_of(match: Match, viewer: int, position: Position, legal: tuple[int, ...] = ()
               ) -> Drawing:
    before = b"" if has_board(match.game) else last_look(position, viewer)
    return Drawing(match.game.name, match.row["overlay"], match.seen(viewer, position).tobytes(),
                   viewer, tuple(match.names), legal, before)


def draw(drawing: Drawing) -> str:
    """The board as HTML."""
    game = find_game(drawing.game)
    content: Any = content_of(game, drawing.overlay)
    observed: Any = record_from(game, drawing.observed)

    def read_by(module: str) -> tuple[Any, Any]:
        """A game's own modules read faster; reflection wants the records themselves."""
        return (Glance(observed), content.for_reading) if game.has_module(module) \
            else (observed, content)

    moves = boards.spots(game, *read_by("browser"), drawing.legal) if drawing.legal else {}
    if has_board(game):
        view = view_of(game, *read_by("view"), drawing.viewer)
        return str(boards.render(game, content.for_reading, view, drawing.names, moves))
    view = reflected(game, observed, content, drawing.viewer)
    changed = {}
    if drawing.before:
        before = record_from(game, drawing.before)
        changed = changes(reflected(game, before, content, drawing.viewer), view)
    html = render("default_board.html", view=view, names=drawing.names, spot=boards.spot,
                  changed=changed, most=MOST_CARDS)
    return boards.placed(boards.compact(html), moves)


def board_of(drawing: Drawing) -> Board:
    return take_apart(draw(drawing))


def record_from(game: Game, data: bytes) -> Any:
    return np.frombuffer(bytearray(data), game.state)[0]
