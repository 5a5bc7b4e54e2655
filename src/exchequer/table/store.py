"""What is kept: visitors, matches, the journal and the chat, in SQLite or PostgreSQL.

The journal is append-only and the truth; (match, number) is unique, so of two writers who read
the same position only one can go on. The other columns of a match (`status`, `asked`, `due`, the
seats) are a cache of its journal for the lobby and the clock, written in the same transaction.
A transaction that has returned is on disk.
"""

import contextlib
import json
import pathlib
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, RowMapping
from sqlalchemy.exc import IntegrityError

from exchequer.table.schema import (
    CHANNEL,
    chat,
    journal,
    matches,
    migrate,
    seats,
    visitors,
)


class Conflict(Exception):
    """Somebody else has written this number of the journal."""


@dataclass(frozen=True)
class Entry:
    """One line of a match's journal."""

    number: int
    kind: str  # one of course.Kind
    seat: int | None = None
    action: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    at: float = 0.0


@dataclass(frozen=True)
class Message:
    number: int
    name: str
    text: str
    at: float


def database_url(place: str | None) -> str:
    """A PostgreSQL address as it is, a path as SQLite; psycopg 3 drives PostgreSQL."""
    if not place:
        folder = pathlib.Path.home() / ".local" / "share" / "exchequer"
        folder.mkdir(parents=True, exist_ok=True)
        place = str(folder / "table.db")
    for scheme in ("postgresql://", "postgres://"):
        if place.startswith(scheme):
            return "postgresql+psycopg://" + place.removeprefix(scheme)
    return place if "://" in place else f"sqlite:///{place}"


class Store:
    """The one place where SQL is spoken."""

    def __init__(self, place: str | None = None) -> None:
        self.url = database_url(place)
        self.is_postgres = self.url.startswith("postgresql")
        self.process = secrets.token_hex(8)  # whose changes these are, for other processes
        self.engine = self._engine()
        self._writing = threading.Lock()  # SQLite has one writer; waiting here is cheaper
        try:
            with self.writing() as connection:
                migrate(connection, self.is_postgres)
        except BaseException:
            self.close()
            raise

    def _engine(self) -> Engine:
        if self.is_postgres:
            return sa.create_engine(self.url, pool_size=12, max_overflow=20, pool_pre_ping=True,
                                    connect_args={"client_encoding": "utf8"})
        engine = sa.create_engine(self.url, pool_size=8, max_overflow=40,
                                  connect_args={"timeout": 20, "check_same_thread": False})
        sa.event.listen(engine, "connect", prepare_sqlite)
        sa.event.listen(engine, "begin", begin_sqlite)
        return engine

    def close(self) -> None:
        self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction; it is on disk when the block has ended."""
        if self.is_postgres:
            with self.engine.begin() as connection:
                yield connection
            return
        options = {"writes": True}
        with self._writing, self.engine.connect().execution_options(**options) as connection, \
                connection.begin():
            yield connection

    # Visitors ----------------------------------------------------------------------------------

    def visitor(self, visitor: str) -> str | None:
        """The name of a visitor who has been here before."""
        with self.reading() as connection:
            return connection.execute(sa.select(visitors.c.name)
                                      .where(visitors.c.id == visitor)).scalar()

    def remember(self, visitor: str, name: str) -> None:
        """A new visitor, or a new name of one."""
        with self.writing() as connection:
            changed = connection.execute(visitors.update().where(visitors.c.id == visitor)
                                         .values(name=name)).rowcount
            if not changed:
                connection.execute(visitors.insert().values(id=visitor, name=name,
                                                            created=time.time()))

    # Matches -----------------------------------------------------------------------------------

    def create(self, match: Mapping[str, Any], first: list[Entry],
               cache: Mapping[str, Any]) -> None:
        """A new match with the first lines of its journal."""
        with self.writing() as connection:
            connection.execute(matches.insert().values(**match, **values_of(cache)))
            for entry in first:
                write_entry(connection, match["id"], entry)
            write_seats(connection, match["id"], cache)
            self._wake(connection, match["id"])

    def match(self, match: str) -> RowMapping | None:
        with self.reading() as connection:
            return connection.execute(sa.select(matches).where(matches.c.id == match)) \
                .mappings().first()

    def append(self, match: str, entries: list[Entry], cache: Mapping[str, Any]) -> None:
        """Add lines to a journal. Raises Conflict when their numbers are taken."""
        try:
            with self.writing() as connection:
                for entry in entries:
                    write_entry(connection, match, entry)
                connection.execute(matches.update().where(matches.c.id == match)
                                   .values(**values_of(cache)))
                write_seats(connection, match, cache)
                self._wake(connection, match)
        except IntegrityError as error:
            raise Conflict(match) from error

    def journal(self, match: str, after: int = 0) -> list[Entry]:
        query = (sa.select(journal).where(journal.c.match == match, journal.c.number > after)
                 .order_by(journal.c.number))
        with self.reading() as connection:
            return [Entry(row.number, row.kind, row.seat, row.action, json.loads(row.data), row.at)
                    for row in connection.execute(query)]

    def last_number(self, match: str) -> int:
        with self.reading() as connection:
            return connection.execute(sa.select(sa.func.max(journal.c.number))
                                      .where(journal.c.match == match)).scalar() or 0

    def _wake(self, connection: Connection, match: str) -> None:
        """Other processes hear of it when, and only when, the transaction is on disk."""
        if self.is_postgres:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{self.process} {match}")))

    # Chat --------------------------------------------------------------------------------------

    def say(self, match: str, name: str, text: str, at: float) -> None:
        """Two processes may take the same number; who comes late takes the next."""
        for _ in range(20):
            with contextlib.suppress(IntegrityError):
                return self._say(match, name, text, at)
        raise Conflict(match)

    def _say(self, match: str, name: str, text: str, at: float) -> None:
        with self.writing() as connection:
            number = (connection.execute(sa.select(sa.func.max(chat.c.number))
                                         .where(chat.c.match == match)).scalar() or 0) + 1
            connection.execute(chat.insert().values(match=match, number=number, name=name,
                                                    text=text, at=at))
            self._wake(connection, match)

    def chat(self, match: str, after: int = 0) -> list[Message]:
        query = (sa.select(chat).where(chat.c.match == match, chat.c.number > after)
                 .order_by(chat.c.number))
        with self.reading() as connection:
            return [Message(row.number, row.name, row.text, row.at)
                    for row in connection.execute(query)]

    # The lobby and the clock -------------------------------------------------------------------

    def open_tables(self, limit: int = 30) -> list[RowMapping]:
        query = (sa.select(matches).where(matches.c.status == "waiting", matches.c.listed)
                 .order_by(matches.c.changed.desc()).limit(limit))
        return self._rows(query)

    def games_of(self, visitor: str, over: bool, limit: int = 30) -> list[RowMapping]:
        """The matches in which a visitor sits, those that were played last first."""
        sat = sa.select(seats.c.match).where(seats.c.holder == visitor)
        status = matches.c.status == "over" if over else matches.c.status != "over"
        return self._rows(sa.select(matches).where(matches.c.id.in_(sat), status)
                          .order_by(matches.c.changed.desc()).limit(limit))

    def finished(self, limit: int = 12) -> list[RowMapping]:
        """Finished games that anybody may look at."""
        return self._rows(sa.select(matches).where(matches.c.status == "over", matches.c.listed)
                          .order_by(matches.c.changed.desc()).limit(limit))

    def running_of(self, visitor: str) -> int:
        """How many tables a visitor has opened that are not over."""
        query = (sa.select(sa.func.count()).select_from(matches)
                 .where(matches.c.creator == visitor, matches.c.status != "over"))
        with self.reading() as connection:
            return connection.execute(query).scalar() or 0

    def seats(self, found: list[str]) -> dict[str, list[RowMapping]]:
        """Who sits where, for several matches at once."""
        result: dict[str, list[RowMapping]] = {match: [] for match in found}
        for row in self._rows(sa.select(seats).where(seats.c.match.in_(found))
                              .order_by(seats.c.match, seats.c.seat)):
            result[row["match"]].append(row)
        return result

    def due(self, now: float) -> list[str]:
        """Matches in which the clock has run out."""
        query = sa.select(matches.c.id).where(matches.c.status == "running", matches.c.due <= now)
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def awaiting_bots(self, now: float, owner: str) -> list[str]:
        """Running matches in which a bot is asked and no other process has claimed the bots."""
        query = sa.select(matches.c.id).where(
            matches.c.status == "running", matches.c.bot_asked,
            sa.or_(matches.c.bot_owner == owner, matches.c.bot_until <= now))
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def claim(self, match: str, owner: str, now: float, until: float) -> bool:
        """Take the match's bots for this process, unless another holds them."""
        free = sa.or_(matches.c.bot_owner == owner, matches.c.bot_until <= now)
        with self.writing() as connection:
            return connection.execute(matches.update().where(matches.c.id == match, free)
                                      .values(bot_owner=owner, bot_until=until)).rowcount == 1

    def _rows(self, query: Any) -> list[RowMapping]:
        with self.reading() as connection:
            return list(connection.execute(query).mappings())


def write_entry(connection: Connection, match: str, entry: Entry) -> None:
    connection.execute(journal.insert().values(
        match=match, number=entry.number, kind=entry.kind, seat=entry.seat, action=entry.action,
        data=json.dumps(dict(entry.data)), at=entry.at))


def write_seats(connection: Connection, match: str, cache: Mapping[str, Any]) -> None:
    for seat in cache.get("seats", []):
        connection.execute(seats.delete().where(seats.c.match == match,
                                                seats.c.seat == seat["seat"]))
        connection.execute(seats.insert().values(match=match, **seat))


def values_of(cache: Mapping[str, Any]) -> dict[str, Any]:
    """The cached columns of a match."""
    return {key: value for key, value in cache.items() if key != "seats"}


def prepare_sqlite(connection: Any, _: Any) -> None:
    """WAL lets readers go on while a move is written; FULL has it on disk before we answer."""
    connection.isolation_level = None  # we say BEGIN ourselves
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=20000"):
        connection.execute(f"PRAGMA {pragma}")


def begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
