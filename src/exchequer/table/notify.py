"""Waking: a change of a match reaches the streams that show it, also in other processes."""

import asyncio
import logging
import threading
from collections import defaultdict
from collections.abc import Callable

from exchequer.table.refusals import TableRefusal
from exchequer.table.schema import CHANNEL

log = logging.getLogger("exchequer.table")


class Subscriptions:
    """Streams wait here; a match that changes wakes those that show it."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)

    def subscribe(self, match: str) -> asyncio.Event:
        event = asyncio.Event()
        self._waiting[match].add(event)
        return event

    def unsubscribe(self, match: str, event: asyncio.Event) -> None:
        self._waiting[match].discard(event)
        if not self._waiting[match]:
            del self._waiting[match]

    def ring(self, match: str) -> None:
        """From any thread."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._ring, match)

    def _ring(self, match: str) -> None:
        for event in self._waiting.get(match, ()):
            event.set()

    def watchers(self, match: str) -> int:
        return len(self._waiting.get(match, ()))


class Listener:
    """Hears what other processes write to the same PostgreSQL; reconnects when it is cut off."""

    def __init__(self, url: str, process: str, heard: Callable[[str], None],
                 connected: Callable[[], None]) -> None:
        self.url = url.replace("postgresql+psycopg://", "postgresql://")
        self.process, self.heard, self.connected = process, heard, connected
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(0.3)

    def _run(self) -> None:
        import psycopg

        while not self._stopped.is_set():
            try:
                with psycopg.connect(self.url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.connected()  # what was said before was not heard
                    self._listen(connection)
            except (psycopg.Error, TableRefusal):
                log.warning("the database does not answer; trying again")
                self._stopped.wait(1)

    def _listen(self, connection: object) -> None:
        from psycopg import Connection

        assert isinstance(connection, Connection)
        while not self._stopped.is_set():
            for note in connection.notifies(timeout=0.2):
                process, _, match = note.payload.partition(" ")
                if process != self.process:
                    self.heard(match)
