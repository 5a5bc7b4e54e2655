"""Drawing boards: here, or in a process of its own when many look on.

A board is most of the work that a move makes for the server, and Python does one thing at a time:
drawn elsewhere, it holds up nobody's next move. The other process is this module; drawings go in
and boards come out by its pipes, and it ends when they are closed, however its parent died.
"""

import functools
import json
import logging
import pickle
import signal
import subprocess
import sys
import threading
from typing import NamedTuple

import numpy as np

from exchequer.core.content import Content
from exchequer.core.find import find_game
from exchequer.core.position import Position
from exchequer.table import boards
from exchequer.table.html import has_board, render
from exchequer.table.match import Match

log = logging.getLogger("exchequer.table")


class Drawing(NamedTuple):
    """All that a board is drawn from; nothing in it is hidden from the viewer."""

    game: str
    overlay: str
    observed: bytes
    viewer: int
    names: tuple[str, ...]
    legal: tuple[int, ...]


def drawing_of(match: Match, viewer: int, position: Position, legal: tuple[int, ...] = ()
               ) -> Drawing:
    return Drawing(match.game.name, match.row["overlay"], match.seen(viewer, position).tobytes(),
                   viewer, tuple(match.names), legal)


def draw(drawing: Drawing) -> str:
    """The board as HTML."""
    game = find_game(drawing.game)
    content = content_of(drawing.game, drawing.overlay)
    observed = np.frombuffer(bytearray(drawing.observed), game.state)[0]
    view = game.module("view").view(observed, content, drawing.viewer)
    if not has_board(game):
        return str(render("plain_board.html", view=view))
    moves = boards.spots(game, observed, content, drawing.legal) if drawing.legal else {}
    return str(boards.render(game, content, view, drawing.names, moves))


@functools.lru_cache(maxsize=128)
def content_of(game: str, overlay: str) -> Content:
    return find_game(game).content(json.loads(overlay))


class BoardDrawer:
    """Draws; in a process of its own from `apart` on, once that is ready."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ready = False
        self._lock = threading.Lock()

    def apart(self) -> None:
        """Have boards drawn in another process; until it is there they are drawn here."""
        with self._lock:
            if self._process is not None:
                return
            self._process = subprocess.Popen(
                [sys.executable, "-m", "exchequer.table.drawing"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, start_new_session=True)
        threading.Thread(target=self._greet, name="drawer", daemon=True).start()

    def _greet(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        self._is_ready = self._process.stdout.read(len(READY)) == READY

    def draw(self, drawing: Drawing) -> str:
        if self._is_ready:
            try:
                return self._drawn_apart(drawing)
            except (OSError, EOFError, pickle.UnpicklingError):
                self._is_ready = False
                log.exception("boards are drawn here again")
        return draw(drawing)

    def _drawn_apart(self, drawing: Drawing) -> str:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        with self._lock:
            pickle.dump(drawing, process.stdin)
            process.stdin.flush()
            board: str | None = pickle.load(process.stdout)
        return draw(drawing) if board is None else board

    def stop(self) -> None:
        if self._process is not None:
            self._is_ready = False
            self._process.kill()
            self._process.communicate()


READY = b"ready"


def main() -> None:
    """The other process. What cannot be drawn is answered with None, and fails where it is seen."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, goal = sys.stdin.buffer, sys.stdout.buffer
    goal.write(READY)
    goal.flush()
    while True:
        try:
            drawing = pickle.load(source)
        except EOFError:
            return
        try:
            board = draw(drawing)
        except Exception:
            board = None
        pickle.dump(board, goal)
        goal.flush()


if __name__ == "__main__":
    main()
