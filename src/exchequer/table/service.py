"""All that serves tables in one process, put together."""

import asyncio
import hmac
import pathlib
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from exchequer.core.game import Game
from exchequer.table.bot_runner import BotRunner
from exchequer.table.guard import PASS_COOKIE, base_path, refuse_foreign, visitor_of
from exchequer.table.identity import MOST_DAYS, Tokens, Visitor
from exchequer.table.journaled import WATCHER
from exchequer.table.lessons import steps_done
from exchequer.table.limits import Limits, RateLimiter, address_of
from exchequer.table.match import Match
from exchequer.table.metrics import Metrics
from exchequer.table.names import CHAT_LENGTH, NAME_LENGTH, clean_text
from exchequer.table.notify import Listener, Subscriptions
from exchequer.table.precompile import Precompiler
from exchequer.table.refusals import NotAdmitted, NotFound, TooMuch
from exchequer.table.registry import Registry
from exchequer.table.reviews import Reviews
from exchequer.table.screen_cache import Screens
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup
from exchequer.table.upkeep import purge

DAY = 86_400.0


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    database: str | None = None  # a path or a PostgreSQL address
    pace: float = 0.6  # seconds before a bot answers, so that people can follow
    warm: bool = True  # compile the games in the background
    bot_threads: int = 2
    limits: Limits = field(default_factory=Limits)
    reports: tuple[pathlib.Path, ...] = ()  # folders of the lab's runs
    url: str = ""  # where people find the server; its path is the base path
    password: str = ""  # that everybody must say; empty: anybody may come
    waiting_days: float = 7.0  # after which a table that waits for players is closed
    running_days: float = 60.0  # and one at which nobody moves
    keep_days: float = 0.0  # after which ended games are deleted; 0: never
    server_timing: bool = False  # say in a header how long an answer took
    framed: bool = False  # our pages may show each other, for `exchequer dev`


class MovesFirst:
    """Moves go first: what is only drawn waits a moment while moves are written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._moving = 0
        self._none_moving = threading.Event()
        self._none_moving.set()

    def __enter__(self) -> None:
        with self._lock:
            self._moving += 1
            self._none_moving.clear()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._moving -= 1
            if not self._moving:
                self._none_moving.set()

    def let_pass(self, seconds: float = 0.03) -> None:
        self._none_moving.wait(seconds)


def is_same(said: str, wanted: str) -> bool:
    """In the same time, however much of it is right."""
    return hmac.compare_digest(said.encode("utf-8", "replace"), wanted.encode())


class Service:
    """`start` and `stop` are the application's."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.store = Store(self.settings.database)
        self.tokens = Tokens(self.store.key)
        self.precompiler = Precompiler(self.settings.warm, self._compiled)
        self.registry = Registry(self.store, self.precompiler.mode_of)
        self.subscriptions = Subscriptions()
        self.screens = Screens(self.precompiler, self.base)
        self.bots = BotRunner(self.registry, self.precompiler, self.tokens,
                              self.settings.bot_threads, self.settings.pace, self.keep_up)
        self.reviews = Reviews(self.precompiler)
        self.limiter = RateLimiter(self.settings.limits)
        self.moves = MovesFirst()
        self.streams: Counter[str] = Counter()  # open ones by visitor and by address
        self.open_streams = 0
        self.metrics = Metrics(self)
        self.failed: Callable[[BaseException], object] = lambda _: None  # told what fails inside
        self.listener = Listener(
            self.store.url, self.store.process, self._changed_elsewhere,
            self.registry.all_may_have_changed) if self.store.is_postgres else None

    @property
    def base(self) -> str:
        return base_path(self.settings.url)

    def start(self) -> None:
        self.subscriptions.loop = asyncio.get_running_loop()
        self.registry.listeners.append(self.subscriptions.ring)
        self.registry.close_unplayable()
        self.bots.start()
        self.reviews.start()
        if self.listener:
            self.listener.start()
        self.precompiler.start()

    def stop(self) -> None:
        self.precompiler.stop()
        self.bots.stop()
        self.reviews.stop()
        if self.listener:
            self.listener.stop()
        self.screens.elsewhere.stop()
        self.store.close()

    def keep_up(self, now: float) -> None:
        """Once in a while: close what nobody plays at, delete what is old enough."""
        settings = self.settings
        self.registry.close_idle(now, settings.waiting_days * DAY, settings.running_days * DAY)
        if settings.keep_days:
            purge(self.store, now - settings.keep_days * DAY)
        self.store.forget_links(now - MOST_DAYS * DAY)

    def _changed_elsewhere(self, match: str) -> None:
        """Who looks at it is told even where it is not in memory: their stream reads it again."""
        self.registry.changed_elsewhere(match)
        self.subscriptions.ring(match)

    def _compiled(self, game: Game) -> None:
        """From now on the game's tables run on machine code, and its bots stop waiting."""
        for match in self.registry.forget(game):
            self.subscriptions.ring(match)

    # Visitors ------------------------------------------------------------------------------------

    def writer(self, connection: HTTPConnection, what: str = "writes") -> Visitor:
        """Who writes, after all checks that hold for any write."""
        visitor = visitor_of(connection)
        refuse_foreign(connection, visitor.by_header)
        self.spend(connection, visitor, what)
        return visitor

    def spend(self, connection: HTTPConnection, visitor: Visitor | None, what: str) -> None:
        known = visitor.id if visitor and not visitor.is_new else None
        self.limiter.spend(what, address_of(connection), known)

    def admit(self, connection: HTTPConnection) -> None:
        """Refuse who has neither the cookie that the password gave nor the password itself. Whoever
        guesses too often is not heard for a while, whether or not they are right then.
        """
        cookie = connection.cookies.get(PASS_COOKIE, "")
        if is_same(cookie, self.tokens.password(self.settings.password)):
            return
        said = connection.headers.get("exchequer-password", "").encode("latin-1").decode(
            "utf-8", "replace")
        if not said:
            raise NotAdmitted("This server asks for a password: open it in a browser.")
        address = address_of(connection)
        self.limiter.spend("passwords", address, count=0)
        if not self.is_password(said):
            self.limiter.spend("passwords", address)
            raise NotAdmitted("That is not the password.")

    def is_password(self, said: str) -> bool:
        password = self.settings.password
        return bool(password) and is_same(said, password)

    def name_of(self, visitor: Visitor) -> str:
        return self.store.visitor(visitor.id) or visitor.default_name

    def rename(self, visitor: Visitor, name: str) -> str:
        cleaned = clean_text(name, NAME_LENGTH, "A name")
        self.store.remember(visitor.id, cleaned)
        return cleaned

    # Tables --------------------------------------------------------------------------------------

    def open(self, setup: TableSetup, visitor: Visitor, connection: HTTPConnection) -> Match:
        opened_from = self._refuse_many(visitor, connection)
        return self.registry.open(setup, visitor.id, opened_from)

    def rematch(self, match: Match, visitor: Visitor, connection: HTTPConnection) -> Match:
        opened_from = self._refuse_many(visitor, connection)
        return self.registry.rematch(match, visitor.id, opened_from)

    def _refuse_many(self, visitor: Visitor, connection: HTTPConnection) -> str:
        """Returns the word for the address, of which the address cannot be told."""
        self.spend(connection, visitor, "tables")
        limits, opened_from = self.settings.limits, self.tokens.tag(address_of(connection))
        if self.store.running_of(visitor.id) >= limits.running_tables:
            raise TooMuch(f"You have {limits.running_tables} tables that are not over; finish or "
                          "leave some first.")
        if self.store.open_from(opened_from) >= limits.running_tables * limits.address_factor:
            raise TooMuch("Many tables that were opened from your network are not over; finish "
                          "some first.")
        if self.store.open_from(opened_from, ("waiting",)) >= limits.waiting_tables:
            raise TooMuch(f"{limits.waiting_tables} tables that were opened from your network are "
                          "waiting for players; fill those first.")
        return opened_from

    def match(self, match: str) -> Match:
        if not 1 <= len(match) <= 32:
            raise NotFound("There is no such table; perhaps the link was cut off.")
        return self.registry.match(match)

    def count_lesson(self, match: Match, before: int) -> None:
        """Count the steps of a lesson that a move has done."""
        for step in range(before + 1, steps_done(match) + 1):
            self.store.count_step(match.id, match.game.name, step)
            self.metrics.lesson_steps.labels(match.game.name, str(step)).inc()

    def chat(self, match: Match, visitor: Visitor, text: str, to: int = WATCHER) -> None:
        """Players speak by the name of their seat, everybody else as a spectator. With a seat
        it is said to whoever holds that one alone.
        """
        name, role = match.role(visitor.id, self.name_of(visitor))
        self.limiter.spend_at(f"{match.id} {role}", "chat_at_table")  # nobody silences the players
        cleaned = clean_text(text, CHAT_LENGTH, "A message")
        reader = match.private_reader(visitor.id, to) if to != WATCHER else ("", "")
        self.registry.say(match.id, name, cleaned, role, visitor.id, reader)
