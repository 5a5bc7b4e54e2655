"""Screens made in other processes when many look on.

Making screens is most of the work of a move, and Python does one thing at a time: made elsewhere,
they hold up nobody's next move. Each process follows the journals of its own tables, makes what is
asked for and answers with what has changed since its last answer. The processes run `main` and end
when their socket is closed, however the parent died. What they cannot do is done here.
"""

import asyncio
import contextlib
import logging
import os
import pickle
import secrets
import signal
import socket
import struct
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import Coroutine, Mapping
from typing import Any, NamedTuple

from anyio import to_thread

from exchequer.core.build import Mode
from exchequer.table.history import Frame
from exchequer.table.match import Match
from exchequer.table.regions import Board
from exchequer.table.screens import Screen, make_screen
from exchequer.table.store import JournalEntry

log = logging.getLogger("exchequer.table")
LENGTH = struct.Struct("!I")  # stands before every message
READY = b"ready"
MOST_COPIES = 300  # tables that a process follows at once
LESS_URGENT = 5  # than the moves that people wait for, where processors are short
PATIENCE = 10.0  # seconds without any answer after which a process is given up
MOST_PROCESSES = 4  # each takes 200 MB, and one server does not keep more of them busy


class Table(NamedTuple):
    """What a process needs to follow a table from its beginning."""

    row: Mapping[str, Any]
    mode: Mode
    key: bytes  # of the server, from which versions are made


class Asked(NamedTuple):
    """Screens of one table, after these lines of its journal."""

    serial: int  # of the match
    table: Table | None  # None: it is followed already
    lines: list[JournalEntry]
    viewers: dict[int, int]  # which answer about each viewer is the last one known; 0: none.
    # Without viewers the table is to be forgotten
    notice: str
    base: str


class Change(NamedTuple):
    """A screen, as it differs from that of an earlier answer."""

    answer: int  # counts them
    viewer: int
    version: str | None
    asked: int | None
    status: str
    board: Board | None  # whole, if more than some of its parts has changed
    parts: dict[str, str]
    part_hashes: dict[str, str]
    regions: dict[str, str]
    region_hashes: dict[str, str]
    first_frame: int  # from which on frames are others
    frames: list[Frame]
    digest: str


def change_of(answer: int, old: Screen | None, now: Screen) -> Change:
    is_whole = old is None or old.board.frame != now.board.frame \
        or old.board.parts.keys() != now.board.parts.keys()
    had = old.hashes if old else {}
    new = {name for name, found in now.hashes.items() if had.get(name) != found}
    regions = {name: html for name, html in now.regions.items() if name in new}
    parts = {} if is_whole else {name: html for name, html in now.board.parts.items()
                                 if name in new}
    same, frames = 0, old.frames if old else []
    while same < min(len(frames), len(now.frames)) and frames[same] == now.frames[same]:
        same += 1
    return Change(answer, now.viewer, now.version, now.asked, now.status,
                  now.board if is_whole else None, parts, picked(now.board.hashes, parts), regions,
                  picked(now.hashes, regions), same, now.frames[same:], now.digest)


def picked(hashes: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    return {name: hashes[name] for name in names}


def changed_screen(old: Screen | None, change: Change) -> Screen:
    board = change.board
    if board is None:
        assert old is not None
        board = Board(old.board.frame, old.board.parts | change.parts,
                      old.board.hashes | change.part_hashes)
    screen = Screen(change.viewer, change.version, board,
                    (old.regions if old else {}) | change.regions,
                    (old.frames if old else [])[:change.first_frame] + change.frames,
                    change.asked, change.status, change.answer)
    kept = {name: old.hashes[name] for name in old.regions} if old else {}
    vars(screen).update(hashes=board.hashes | kept | change.region_hashes, digest=change.digest)
    return screen


# In the other process ----------------------------------------------------------------------------

class KeyOnly:
    """All of a store that making screens asks for."""

    def __init__(self, key: bytes) -> None:
        self.key = key


class Copy:
    """A table as its journal tells it, and the screens that were last answered."""

    def __init__(self, table: Table, lines: list[JournalEntry]) -> None:
        store: Any = KeyOnly(table.key)
        self.match = Match(store, table.row, table.mode, first=lines)
        self.last: dict[int, tuple[int, Screen]] = {}

    def changes(self, asked: Asked, answer: int) -> list[Change]:
        self.match.follow(asked.lines)
        found = []
        for viewer, known in asked.viewers.items():
            now = make_screen(self.match, viewer, asked.notice, asked.base)
            number, old = self.last.get(viewer, (0, None))
            found.append(change_of(answer, old if number == known else None, now))
            self.last[viewer] = answer, now
        return found


class Copies:
    """The tables that this process follows."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Copy] = OrderedDict()
        self._answers = secrets.randbits(40)  # no two processes count alike

    def answer(self, asked: Asked) -> list[Change] | None:
        """None where the table is not known here, or where something fails."""
        self._answers += 1
        copy = self._kept.pop(asked.serial, None)
        if not asked.viewers:
            return []
        try:
            if asked.table is not None:
                copy = Copy(asked.table, asked.lines)
            if copy is None:
                return None
            found = copy.changes(asked, self._answers)
        except Exception:
            log.exception("a screen could not be made")
            return None
        self._kept[asked.serial] = copy
        while len(self._kept) > MOST_COPIES:
            self._kept.popitem(last=False)
        return found


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(PermissionError):  # a service's sandbox may forbid it
        os.nice(LESS_URGENT)
    copies = Copies()
    with socket.socket(fileno=0) as pipe, pipe.makefile("rwb") as file:
        file.write(READY)
        file.flush()
        while head := file.read(LENGTH.size):
            asked = pickle.loads(file.read(LENGTH.unpack(head)[0]))
            answer = pickle.dumps(copies.answer(asked), pickle.HIGHEST_PROTOCOL)
            file.write(LENGTH.pack(len(answer)) + answer)
            file.flush()


# In the serving process --------------------------------------------------------------------------

class ScreenProcess:
    """One of the processes. Answers come in the order in which was asked."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", f"from {__name__} import main; main()"],
                stdin=theirs.fileno(), start_new_session=True)
        self.socket = ours
        self.is_ready = False
        self.followed: OrderedDict[int, int] = OrderedDict()  # the last line sent, by serial
        self._waiting: deque[asyncio.Future[list[Change] | None]] = deque()
        self._heard = 0.0  # when it last answered, or had nothing to answer
        self._writer: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        """Hand answers to those who wait for them, until the process ends."""
        try:
            reader, self._writer = await asyncio.open_connection(sock=self.socket)
            self.is_ready = await reader.readexactly(len(READY)) == READY
            while True:
                length = LENGTH.unpack(await reader.readexactly(LENGTH.size))[0]
                answer = pickle.loads(await reader.readexactly(length))
                self._heard = asyncio.get_running_loop().time()
                waiting = self._waiting.popleft()
                if not waiting.done():
                    waiting.set_result(answer)
        except (OSError, EOFError):
            if self.is_ready:
                log.warning("a process that makes screens has ended; they are made elsewhere")
        finally:
            self.stop()

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    async def ask(self, asked: Asked) -> list[Change] | None:
        if not self.is_ready or self._writer is None:
            return None
        loop = asyncio.get_running_loop()
        if not self._waiting:
            self._heard = loop.time()
        answer: asyncio.Future[list[Change] | None] = loop.create_future()
        self._waiting.append(answer)
        message = pickle.dumps(asked, pickle.HIGHEST_PROTOCOL)
        self._writer.write(LENGTH.pack(len(message)) + message)
        while not (await asyncio.wait([answer], timeout=PATIENCE))[0]:
            if loop.time() - self._heard > PATIENCE and self.is_ready:
                log.warning("a process that makes screens does not answer and is given up")
                self.stop()
        return answer.result()

    def note(self, serial: int, number: int) -> None:
        """The process follows a match up to that line; it forgets the same ones as `Copies`."""
        self.followed[serial] = number
        while len(self.followed) > MOST_COPIES:
            self.followed.popitem(last=False)

    def stop(self) -> None:
        self.is_ready = False
        self.process.kill()
        self.process.wait()
        if self._writer is not None:
            self._writer.close()
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()


class Wanted(NamedTuple):
    """A screen that somebody waits for, and the last one of that viewer."""

    last: Screen | None
    waiting: asyncio.Future[Screen | None]


class ScreenProcesses:
    """Screens made elsewhere, from `start` on and as soon as the processes are ready."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.processes: list[ScreenProcess] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._wanted: dict[int, dict[int, Wanted]] = {}  # by serial and viewer; asked in a moment
        self._given_up: set[int] = set()  # matches that no other process can follow

    def start(self) -> None:
        """All of them, or those that have ended since."""
        self.processes = [process for process in self.processes if not process.has_ended]
        while len(self.processes) < self.count:
            self.processes.append(ScreenProcess())
            self._start_task(self.processes[-1].run())

    def stop(self) -> None:
        for process in self.processes:
            process.stop()

    @property
    def ready(self) -> list[ScreenProcess]:
        return [process for process in self.processes if process.is_ready]

    async def screen(self, match: Match, viewer: int, last: Screen | None, notice: str, base: str
                     ) -> Screen | None:
        """What the viewer is shown now; None where it has to be made here. All that is asked about
        a table in the same moment is asked at once.
        """
        ready = self.ready
        if not ready or match.serial in self._given_up:
            return None
        wanted = self._wanted.get(match.serial)
        if wanted is None:
            wanted = self._wanted[match.serial] = {}
            process = ready[match.serial % len(ready)]
            self._start_task(self._ask(process, match, notice, base))
        if viewer not in wanted:
            wanted[viewer] = Wanted(last, asyncio.get_running_loop().create_future())
        return await asyncio.shield(wanted[viewer].waiting)

    def forget(self, serial: int) -> None:
        """Nobody looks at that match any more."""
        for process in self.ready:
            if process.followed.pop(serial, None) is not None:
                asked = Asked(serial, None, [], {}, "", "")
                self._start_task(process.ask(asked))

    async def _ask(self, process: ScreenProcess, match: Match, notice: str, base: str) -> None:
        wanted = self._wanted.pop(match.serial)
        viewers = {viewer: one.last.answer if one.last else 0 for viewer, one in wanted.items()}
        changes: list[Change] | None = None
        try:
            changes = await self._changes(process, match, viewers, notice, base)
        except Exception:
            log.exception("a screen could not be asked for")
        found = {change.viewer: change for change in changes or ()}
        for viewer, one in wanted.items():
            if not one.waiting.done():
                change = found.get(viewer)
                one.waiting.set_result(changed_screen(one.last, change) if change else None)

    async def _changes(self, process: ScreenProcess, match: Match, viewers: dict[int, int],
                       notice: str, base: str) -> list[Change] | None:
        """By the lines that are new there, and if that fails by all of them."""
        for _ in range(2):
            sent, table = process.followed.pop(match.serial, None), None
            if sent is not None and match.recent[0].number <= sent + 1:
                lines = [line for line in match.recent if line.number > sent]
            else:
                table = Table(dict(match.row), match.mode, match.store.key)
                lines = await to_thread.run_sync(match.store.journal, match.id)
            process.note(match.serial, lines[-1].number if lines else sent or 0)
            found = await process.ask(Asked(match.serial, table, lines, viewers, notice, base))
            if found is not None or not process.is_ready:
                return found
            process.followed.pop(match.serial, None)
            if table is not None:
                self._given_up.add(match.serial)
                return None
        return None

    def _start_task(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
