"""All that serves tables in one process, put together."""

import asyncio
import pathlib
import threading
import time
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from exchequer.core.game import Game
from exchequer.table.drawing import Easel
from exchequer.table.guard import (
    NAME_LENGTH,
    Limits,
    Meter,
    Visitor,
    address_of,
    clean_text,
    refuse_foreign,
    visitor_of,
)
from exchequer.table.hall import Hall, Wish
from exchequer.table.match import Match
from exchequer.table.refusals import NotFound, TooMuch
from exchequer.table.robots import Robots
from exchequer.table.screens import Screens
from exchequer.table.store import Store
from exchequer.table.wake import Bells, Listener
from exchequer.table.warming import Warming


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    database: str | None = None  # a path or a PostgreSQL address
    pace: float = 0.6  # seconds before a bot answers, so that people can follow
    warm: bool = True  # compile the games behind
    bot_threads: int = 2
    limits: Limits = field(default_factory=Limits)
    reports: tuple[pathlib.Path, ...] = ()  # folders of the lab's runs


class Precedence:
    """Who makes a move goes first: what is only drawn waits a moment while moves are written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._moving = 0

    def __enter__(self) -> None:
        with self._lock:
            self._moving += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._moving -= 1

    def let_pass(self, seconds: float = 0.03) -> None:
        end = time.monotonic() + seconds
        while self._moving and time.monotonic() < end:
            time.sleep(0.001)


class Table:
    """The service. `start` and `stop` are the application's."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.store = Store(self.settings.database)
        self.warming = Warming(self.settings.warm, self._compiled)
        self.hall = Hall(self.store, self.warming.mode_of)
        self.bells = Bells()
        self.easel = Easel()
        self.screens = Screens(self.warming, self.easel)
        self.robots = Robots(self.hall, self.warming, self.settings.bot_threads,
                             self.settings.pace)
        self.meter = Meter(self.settings.limits)
        self.moves = Precedence()
        self.streams: dict[str, int] = {}
        self.listener = Listener(self.store.url, self.store.process, self.hall.changed_elsewhere,
                                 self.hall.all_may_have_changed) if self.store.is_postgres else None

    def start(self) -> None:
        self.bells.loop = asyncio.get_running_loop()
        self.hall.listeners.append(self.bells.ring)
        self.robots.start()
        if self.listener:
            self.listener.start()
        self.warming.start()

    def stop(self) -> None:
        self.warming.stop()
        self.robots.stop()
        if self.listener:
            self.listener.stop()
        self.easel.stop()
        self.store.close()

    def _compiled(self, game: Game) -> None:
        """From now on the game's tables run on machine code, and its bots stop waiting."""
        showing = self.hall.forget(game)
        for match in showing:
            self.bells.ring(match)

    # Visitors ------------------------------------------------------------------------------------

    def writer(self, connection: HTTPConnection, what: str = "writes") -> Visitor:
        """Who writes, after all checks that hold for any write."""
        visitor = visitor_of(connection)
        refuse_foreign(connection, visitor)
        self.meter.spend(visitor.id if not visitor.is_new else address_of(connection), what)
        return visitor

    def name_of(self, visitor: Visitor) -> str:
        return self.store.visitor(visitor.id) or visitor.default_name

    def rename(self, visitor: Visitor, name: str) -> str:
        cleaned = clean_text(name, NAME_LENGTH, "A name")
        self.store.remember(visitor.id, cleaned)
        return cleaned

    # Tables --------------------------------------------------------------------------------------

    def open(self, wish: Wish, visitor: Visitor, address: str) -> Match:
        self.meter.spend(visitor.id, "tables")
        self.meter.spend(address, "tables_per_address")
        most = self.settings.limits.running_tables
        if self.store.running_of(visitor.id) >= most:
            raise TooMuch(f"You have {most} tables that are not over; finish or leave some first.")
        return self.hall.open(wish, visitor.id)

    def match(self, match: str) -> Match:
        if not 1 <= len(match) <= 32:
            raise NotFound("There is no such table; perhaps the link was cut off.")
        return self.hall.match(match)
