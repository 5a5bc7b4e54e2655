"""Drawing boards: here, or in processes of their own when many look on.

A board is most of the work that a move makes for the server, and Python does one thing at a time:
drawn elsewhere, it holds up nobody's next move. The other processes run this module; drawings go
in and boards come out by their pipes, and they end when these are closed, however the parent died.
"""

import logging
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
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

log = logging.getLogger("exchequer.table")
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


class Worker:
    """One process that draws."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "exchequer.table.drawing"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, start_new_session=True)

    def wait(self) -> bool:
        assert self.process.stdout is not None
        return self.process.stdout.read(len(READY)) == READY

    def draw(self, drawing: Drawing) -> Board:
        assert self.process.stdin is not None and self.process.stdout is not None
        pickle.dump(drawing, self.process.stdin)
        self.process.stdin.flush()
        board: Board | None = pickle.load(self.process.stdout)
        return board_of(drawing) if board is None else board

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


class BoardDrawer:
    """Draws; from `apart` on in processes of their own, as many as there are cores, once these are
    ready. What they cannot do, or when they die, is done here.
    """

    def __init__(self, processes: int | None = None) -> None:
        self.processes = processes or os.cpu_count() or 1
        self._workers: list[Worker] = []
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self.ready = 0  # processes that draw
        self._lock = threading.Lock()

    def apart(self) -> None:
        """Have boards drawn in other processes; until they are there they are drawn here."""
        with self._lock:
            if self._workers:
                return
            self._workers = [Worker() for _ in range(self.processes)]
        for worker in self._workers:
            threading.Thread(target=self._greet, args=(worker,), name="drawing", daemon=True
                             ).start()

    def _greet(self, worker: Worker) -> None:
        if worker.wait():
            with self._lock:
                self.ready += 1
            self._idle.put(worker)

    def draw(self, drawing: Drawing) -> Board:
        if not self.ready:
            return board_of(drawing)
        try:
            worker = self._idle.get(timeout=2)
        except queue.Empty:
            return board_of(drawing)
        try:
            board = worker.draw(drawing)
        except (OSError, EOFError, pickle.UnpicklingError):
            with self._lock:
                self.ready -= 1
            log.exception("a process that draws has ended; %d are left", self.ready)
            return board_of(drawing)
        except BaseException:
            self._idle.put(worker)
            raise
        self._idle.put(worker)
        return board

    def stop(self) -> None:
        self.ready = 0
        for worker in self._workers:
            worker.stop()


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
            board = board_of(drawing)
        except Exception:
            board = None
        pickle.dump(board, goal)
        goal.flush()


if __name__ == "__main__":
    main()
