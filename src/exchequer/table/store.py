"""What is kept: visitors, matches, the journal and the chat, in SQLite or PostgreSQL.

The journal is append-only and the truth; (match, number) is unique, so of two writers who read
the same position only one can go on. The other columns of a match (`status`, `asked`, `due`, the
seats) are a cache of its journal for the lobby and the clock, written in the same transaction.
A transaction that has returned is on disk.
"""

import contextlib
import json
import logging
import pathlib
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, RowMapping
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
)

from exchequer.core.errors import InputError
from exchequer.table.commits import SharedCommits, Write
from exchequer.table.history import EntryKind
from exchequer.table.refusals import NotFound, Unavailable
from exchequer.table.schema import (
    CHANNEL,
    chat,
    journal,
    lesson_steps,
    matches,
    migrate,
    seats,
    server,
    used_links,
    visitors,
)

LEASE = 8.0  # seconds a process keeps a match's bots without renewing the claim
PATIENCE, FIRST_PATIENCE = 5.0, 60.0  # seconds a lost database is waited for; when we start
MOST_CHAT = 1000  # messages that are kept of one table
OPEN = ("waiting", "running")
SQLITE = "sqlite:///"
DELETED = "This table has been deleted."
CHANGE_MATCH = matches.update().where(matches.c.id == sa.bindparam("which"))
WRITE_ENTRY = journal.insert()
log = logging.getLogger("exchequer.table")


class Conflict(Exception):
    """Somebody else has written this number of the journal."""


@dataclass(frozen=True)
class JournalEntry:
    """One line of a match's journal."""

    number: int
    kind: str  # one of EntryKind
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
    role: str  # player, spectator, or empty in messages from before version 3
    visitor: str = ""  # who said it
    reader: str = ""  # to whom alone, as a visitor and by name; empty: to everybody
    reader_name: str = ""

    def is_for(self, visitor: str) -> bool:
        return not self.reader or visitor in (self.visitor, self.reader)


def database_url(place: str | None) -> str:
    """A PostgreSQL address as it is, a path as SQLite; psycopg 3 drives PostgreSQL."""
    if not place:
        folder = pathlib.Path.home() / ".local" / "share" / "exchequer"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = str(folder / "table.db")
    for scheme in ("postgresql://", "postgres://"):
        if place.startswith(scheme):
            return "postgresql+psycopg://" + place.removeprefix(scheme)
    if "://" in place and not place.startswith((SQLITE, "postgresql+psycopg://")):
        raise InputError(f"{place.partition('://')[0]}:// is no database that can be used here; "
                         "name a file, or a postgresql:// address.")
    if place.removeprefix(SQLITE) in ("", ":memory:"):
        raise InputError("Games are kept in a file, not in memory; name one, such as games.db.")
    return place if "://" in place else f"{SQLITE}{place}"


def parsed(url: str) -> sa.URL:
    """It is not shown when it is wrong: a password may be in it."""
    try:
        return sa.make_url(url)
    except (ArgumentError, ValueError):
        raise InputError("The database's address cannot be read; it looks like "
                         "postgresql://user@host:5432/games.") from None


def sqlite_file(url: str) -> pathlib.Path | None:
    """Where an SQLite database lies."""
    path = url.removeprefix(SQLITE)
    return pathlib.Path(path) if path not in (url, "", ":memory:") else None


class Store:
    """The one place where SQL is spoken."""

    def __init__(self, place: str | None = None) -> None:
        self.url = database_url(place)
        self.is_postgres = self.url.startswith("postgresql")
        self.process = secrets.token_hex(8)  # whose changes these are, for other processes
        self.engine = self._engine()
        self._writing = threading.Lock()  # SQLite has one writer; waiting here is cheaper
        self._commits = SharedCommits(self.writing)
        self.patience = FIRST_PATIENCE
        try:
            with self.writing() as connection:
                migrate(connection, self.is_postgres)
                self.key = server_key(connection)  # a secret of this server
        except BaseException as error:
            self.close()
            if isinstance(error, (DatabaseError, sqlite3.DatabaseError)):
                raise InputError(f"{sqlite_file(self.url) or place} is not a database of "
                                 "Exchequer's; name another with --database.") from None
            raise
        self.patience = PATIENCE

    def _engine(self) -> Engine:
        if self.is_postgres:
            return sa.create_engine(parsed(self.url), pool_size=12, max_overflow=20,
                                    pool_pre_ping=True, connect_args={
                                        "client_encoding": "utf8", "connect_timeout": 5})
        if file := sqlite_file(self.url):
            make_private(file)
        engine = sa.create_engine(self.url, pool_size=8, max_overflow=40,
                                  connect_args={"timeout": 20, "check_same_thread": False})
        sa.event.listen(engine, "connect", prepare_sqlite)
        sa.event.listen(engine, "begin", begin_sqlite)
        return engine

    def close(self) -> None:
        self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with failures_as_sentences(), self._connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction; it is on disk when the block has ended."""
        waiting = contextlib.nullcontext() if self.is_postgres else self._writing
        with failures_as_sentences(), waiting, \
                self._connect().execution_options(writes=True) as connection, connection.begin():
            yield connection

    def _connect(self) -> Connection:
        """A database that is being started again is waited for."""
        end = time.monotonic() + self.patience
        while True:
            try:
                return self.engine.connect()
            except OperationalError:
                if not self.is_postgres or time.monotonic() > end:
                    raise
            time.sleep(0.2)

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

    def create(self, match: Mapping[str, Any], first: list[JournalEntry],
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

    def append(self, match: str, entries: list[JournalEntry], cache: Mapping[str, Any]) -> None:
        """Add lines to a journal. Raises Conflict when their numbers are taken."""
        def write(connection: Connection) -> None:
            found = connection.execute(CHANGE_MATCH, {"which": match, **values_of(cache)}).rowcount
            if not found:
                raise NotFound(DELETED)
            for entry in entries:
                write_entry(connection, match, entry)
            write_seats(connection, match, cache)
            self._wake(connection, match)

        try:
            self._written(write)
        except IntegrityError as error:
            raise Conflict(match) from error

    def _written(self, write: Write) -> None:
        """PostgreSQL itself takes commits together, and has many writers."""
        if self.is_postgres:
            with self.writing() as connection:
                write(connection)
        else:
            self._commits.run(write)

    def journal(self, match: str, after: int = 0) -> list[JournalEntry]:
        query = (sa.select(journal).where(journal.c.match == match, journal.c.number > after)
                 .order_by(journal.c.number))
        with self.reading() as connection:
            return [JournalEntry(row.number, row.kind, row.seat, row.action,
                                 json.loads(row.data), row.at)
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

    def say(self, match: str, name: str, text: str, at: float, role: str = "player",
            visitor: str = "", reader: tuple[str, str] = ("", "")) -> None:
        """Two processes may take the same number; who comes late takes the next.

        A `reader` is a visitor with their name: nobody else reads what was said.
        """
        for _ in range(20):
            with contextlib.suppress(IntegrityError):
                return self._say(match, {"name": name, "text": text, "at": at, "role": role,
                                         "visitor": visitor, "reader": reader[0],
                                         "reader_name": reader[1]})
        raise Conflict(match)

    def _say(self, match: str, said: Mapping[str, Any]) -> None:
        with self.writing() as connection:
            if not connection.execute(sa.select(matches.c.id).where(matches.c.id == match)).first():
                raise NotFound(DELETED)
            number = (connection.execute(sa.select(sa.func.max(chat.c.number))
                                         .where(chat.c.match == match)).scalar() or 0) + 1
            connection.execute(chat.insert().values(match=match, number=number, **said))
            connection.execute(chat.delete().where(chat.c.match == match,
                                                   chat.c.number <= number - MOST_CHAT))
            self._wake(connection, match)

    def chat(self, match: str, after: int = 0) -> list[Message]:
        query = (sa.select(chat).where(chat.c.match == match, chat.c.number > after)
                 .order_by(chat.c.number))
        with self.reading() as connection:
            return [Message(row.number, row.name, row.text, row.at, row.role, row.visitor,
                            row.reader, row.reader_name) for row in connection.execute(query)]

    # The lobby and the clock -------------------------------------------------------------------

    def open_tables(self, limit: int = 30, from_one_place: int = 3) -> list[RowMapping]:
        """Tables that wait for players, the newest first, only a few from each address."""
        seen: Counter[str] = Counter()
        found = []
        for row in self._rows(sa.select(matches)
                              .where(matches.c.status == "waiting", matches.c.listed)
                              .order_by(matches.c.created.desc()).limit(20 * limit)):
            seen[row["opened_from"]] += 1
            if not row["opened_from"] or seen[row["opened_from"]] <= from_one_place:
                found.append(row)
        return found[:limit]

    def games_of(self, visitor: str, over: bool, limit: int = 30) -> list[RowMapping]:
        """The matches in which a visitor sits, those that were played last first."""
        sat = sa.select(seats.c.match).where(seats.c.holder == visitor)
        status = matches.c.status == "over" if over else matches.c.status.in_(OPEN)
        return self._rows(sa.select(matches).where(matches.c.id.in_(sat), status)
                          .order_by(matches.c.changed.desc()).limit(limit))

    def finished(self, limit: int = 12) -> list[RowMapping]:
        """Finished games that anybody may look at."""
        return self._rows(sa.select(matches).where(matches.c.status == "over", matches.c.listed)
                          .order_by(matches.c.changed.desc()).limit(limit))

    def running_of(self, visitor: str) -> int:
        """How many tables a visitor has opened that are not over."""
        return self._count(matches.c.creator == visitor, matches.c.status.in_(OPEN))

    def open_from(self, opened_from: str, status: Sequence[str] = OPEN) -> int:
        """How many tables that were opened from an address are not over."""
        return self._count(matches.c.opened_from == opened_from, matches.c.status.in_(status))

    def _count(self, *which: Any) -> int:
        query = sa.select(sa.func.count()).select_from(matches).where(*which)
        with self.reading() as connection:
            return connection.execute(query).scalar() or 0

    def not_over(self) -> list[RowMapping]:
        return self._rows(sa.select(matches).where(matches.c.status.in_(OPEN)))

    def idle(self, waiting_since: float, running_since: float) -> list[RowMapping]:
        """Tables at which nothing has happened since then."""
        return self._rows(sa.select(matches).where(sa.or_(
            sa.and_(matches.c.status == "waiting", matches.c.changed < waiting_since),
            sa.and_(matches.c.status == "running", matches.c.changed < running_since))))

    def close_match(self, match: str, why: str) -> None:
        """Close a table without reading its game, which may not be there any more."""
        entry = JournalEntry(self.last_number(match) + 1, EntryKind.CLOSE, data={"why": why},
                             at=time.time())
        with contextlib.suppress(Conflict):  # something happened there after all
            self.append(match, [entry], {"status": "closed", "asked": None, "also_asked": 0,
                                         "due": None, "bot_asked": False})

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
            is_free(owner, now))
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def claim(self, match: str, owner: str, now: float, until: float) -> bool:
        """Take the match's bots for this process, unless another holds them."""
        with self.writing() as connection:
            return connection.execute(matches.update()
                                      .where(matches.c.id == match, is_free(owner, now))
                                      .values(bot_owner=owner, bot_until=until)).rowcount == 1

    # Lessons -----------------------------------------------------------------------------------

    def count_step(self, match: str, game: str, step: int) -> None:
        """A learner has done so many steps; each is counted once."""
        with contextlib.suppress(IntegrityError), self.writing() as connection:
            connection.execute(lesson_steps.insert().values(match=match, step=step, game=game))

    def steps_done(self, game: str) -> Counter[int]:
        """How many learners have done each step of a game's lesson; 0: have begun it."""
        begun = self._count(matches.c.game == game, matches.c.lesson)
        query = (sa.select(lesson_steps.c.step, sa.func.count())
                 .where(lesson_steps.c.game == game).group_by(lesson_steps.c.step))
        with self.reading() as connection:
            return Counter({0: begun} | {row[0]: row[1] for row in connection.execute(query)})

    def lesson_of(self, visitor: str, game: str) -> str | None:
        """The lesson that a visitor has begun and not ended."""
        query = sa.select(matches.c.id).where(
            matches.c.creator == visitor, matches.c.game == game, matches.c.lesson,
            matches.c.status.in_(OPEN)).order_by(matches.c.changed.desc())
        with self.reading() as connection:
            return connection.execute(query).scalar()

    def times_at(self, visitor: str, game: str) -> int:
        """At how many tables of a game a visitor has sat, lessons included."""
        sat = sa.select(seats.c.match).where(seats.c.holder == visitor)
        return self._count(matches.c.game == game, matches.c.id.in_(sat))

    # Links ----------------------------------------------------------------------------------------

    def use_link(self, link: str) -> bool:
        """Whether a sign-in link or an invitation is used for the first time."""
        try:
            with self.writing() as connection:
                connection.execute(used_links.insert().values(id=link, at=time.time()))
            return True
        except IntegrityError:
            return False

    def forget_links(self, before: float) -> None:
        """Links that are too old to be used need not be remembered."""
        with self.writing() as connection:
            connection.execute(used_links.delete().where(used_links.c.at < before))

    def _rows(self, query: Any) -> list[RowMapping]:
        with self.reading() as connection:
            return list(connection.execute(query).mappings())


@contextlib.contextmanager
def failures_as_sentences() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        log.warning("the database: %s", str(error.orig).partition("\n")[0])
        raise Unavailable("The database cannot be reached or written to right now. Nothing that "
                          "was confirmed is lost; try again in a moment.") from error


def make_private(file: pathlib.Path) -> None:
    """A new database is for nobody else on this machine: it holds the server's secret."""
    try:
        if not file.exists():
            file.touch(mode=0o600)
    except OSError as error:
        raise InputError(f"{file} cannot be made: {error.strerror}.") from None


def server_key(connection: Connection) -> bytes:
    """The secret of this server, made with its database."""
    query = sa.select(server.c.value).where(server.c.name == "key")
    found = connection.execute(query).scalar()
    if found is None:
        found = secrets.token_hex(32)
        connection.execute(server.insert().values(name="key", value=found))
    return bytes.fromhex(found)


def is_free(owner: str, now: float) -> Any:
    """Whether nobody else plays a match's bots. A claim that ends later than a claim can was
    written before the clock was set back.
    """
    return sa.or_(matches.c.bot_owner == owner, matches.c.bot_until <= now,
                  matches.c.bot_until > now + LEASE + 1)


def write_entry(connection: Connection, match: str, entry: JournalEntry) -> None:
    connection.execute(WRITE_ENTRY, {
        "match": match, "number": entry.number, "kind": entry.kind, "seat": entry.seat,
        "action": entry.action, "data": json.dumps(dict(entry.data)), "at": entry.at})


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
