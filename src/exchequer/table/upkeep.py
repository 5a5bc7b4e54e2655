"""What whoever runs a server does now and then: list, show, delete, purge, erase, back up."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa

from exchequer.core.errors import InputError
from exchequer.core.sentences import listed
from exchequer.table.history import EntryKind
from exchequer.table.refusals import Unavailable
from exchequer.table.schema import (
    chat,
    journal,
    lesson_steps,
    matches,
    playtest_tables,
    schema_version,
    seats,
    testers,
    traces,
    visitors,
)
from exchequer.table.store import OPEN, SQLITE, Store, database_url, sqlite_file

NOBODY_NAMED = "Somebody"
LEAST_FREE = 1 << 20  # bytes on the disk, without which no move can be written
AT_ONCE = 500  # tables in one statement; a database takes only so many parameters
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps in files of their own
STATUSES = (*OPEN, "over", "closed")


def tables(store: Store, status: str = "", limit: int = 1000) -> list[dict[str, Any]]:
    """The tables, those that changed last first, with who sits at them."""
    query = _by_status(sa.select(matches), status).limit(limit)
    with store.reading() as connection:
        rows = [dict(row) for row in connection.execute(query).mappings()]
    held: dict[str, list[Any]] = {}
    for some in _in_parts([row["id"] for row in rows]):
        held |= store.seats(some)
    return [{"id": row["id"], "game": row["game"], "status": row["status"],
             "created": row["created"], "changed": row["changed"], "listed": row["listed"],
             "seats": [seat["name"] for seat in held[row["id"]]]} for row in rows]


def table_ids(store: Store, status: str = "") -> list[str]:
    with store.reading() as connection:
        return list(connection.execute(_by_status(sa.select(matches.c.id), status)).scalars())


def _by_status(query: Any, status: str) -> Any:
    """Only tables of that status, if one is named; those that changed last first."""
    if status and status not in STATUSES:
        raise InputError(f'No table is "{status}"; they are {listed(STATUSES)}.')
    which = [matches.c.status == status] if status else []
    return query.where(*which).order_by(matches.c.changed.desc())


def _in_parts(ids: list[str]) -> Iterator[list[str]]:
    return (ids[start:start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))


def table(store: Store, match: str) -> dict[str, Any]:
    """All that is kept of one table. It holds secrets while the game runs."""
    row = store.match(match)
    if row is None:
        raise InputError(f"There is no table {match}.")
    return {"table": dict(row), "seats": [dict(seat) for seat in store.seats([match])[match]],
            "journal": [vars(entry) for entry in store.journal(match)],
            "chat": [vars(message) for message in store.chat(match)]}


def delete(store: Store, found: Iterable[str]) -> int:
    """Delete tables with all that belongs to them; returns how many there were."""
    deleted = 0
    for some in _in_parts(list(found)):
        with store.writing() as connection:
            for part in (chat, journal, seats, lesson_steps, playtest_tables, traces):
                connection.execute(part.delete().where(part.c.match.in_(some)))
            deleted += connection.execute(matches.delete().where(matches.c.id.in_(some))).rowcount
    return deleted


def purge(store: Store, before: float, ended_only: bool = True) -> int:
    """Delete tables at which nothing has happened since then."""
    query = sa.select(matches.c.id).where(matches.c.changed < before)
    if ended_only:
        query = query.where(matches.c.status.not_in(OPEN))
    with store.reading() as connection:
        found = list(connection.execute(query).scalars())
    return delete(store, found)


def visitors_named(store: Store, name: str) -> list[str]:
    """Who has that name, sits somewhere by it or said something by it."""
    with store.reading() as connection:
        known = connection.execute(sa.select(visitors.c.id).where(visitors.c.name == name))
        sat = connection.execute(sa.select(seats.c.holder).where(seats.c.name == name,
                                                                 seats.c.holder.is_not(None)))
        said = connection.execute(sa.select(chat.c.visitor).where(chat.c.name == name,
                                                                  chat.c.visitor != ""))
        return sorted({*known.scalars(), *sat.scalars(), *said.scalars()})


def erase(store: Store, visitor: str) -> int:
    """Take a visitor's name and words out of everything; their games stay, played by "Somebody".
    Returns at how many tables they sat.
    """
    with store.writing() as connection:
        connection.execute(visitors.delete().where(visitors.c.id == visitor))
        _silence(connection, chat.c.visitor == visitor)
        _rename_reader(connection, chat.c.reader == visitor)
        for part in connection.execute(sa.select(testers).where(testers.c.holder == visitor)):
            connection.execute(traces.delete().where(traces.c.playtest == part.playtest,
                                                     traces.c.tester == part.number))
        connection.execute(testers.update().where(testers.c.holder == visitor)
                           .values(holder=None))
        return _erase_from_tables(connection, visitor)


def erase_from(store: Store, visitor: str, found: Iterable[str]) -> int:
    """The same for some tables only."""
    with store.writing() as connection:
        tables = list(found)
        _silence(connection, (chat.c.visitor == visitor) & chat.c.match.in_(tables))
        _rename_reader(connection, (chat.c.reader == visitor) & chat.c.match.in_(tables))
        return _erase_from_tables(connection, visitor, tables)


def _erase_from_tables(connection: sa.Connection, visitor: str, only: list[str] | None = None
                       ) -> int:
    found, names = set(), set()
    query = sa.select(journal).where(journal.c.kind == EntryKind.SIT,
                                     journal.c.data.contains(visitor, autoescape=True))
    held, made = seats.c.holder == visitor, matches.c.creator == visitor
    if only is not None:
        query = query.where(journal.c.match.in_(only))
        held, made = held & seats.c.match.in_(only), made & matches.c.id.in_(only)
    for entry in connection.execute(query).all():
        data = json.loads(entry.data)
        if data["holder"] != visitor:  # a name has the same letters
            continue
        found.add(entry.match)
        names.add((entry.match, data["name"]))
        data |= {"holder": NOBODY_NAMED.lower(), "name": NOBODY_NAMED}
        _write_data(connection, entry, data)
        _erase_reasons(connection, entry.match, entry.seat)
    connection.execute(seats.update().where(held)
                       .values(holder=NOBODY_NAMED.lower(), name=NOBODY_NAMED))
    connection.execute(matches.update().where(made).values(creator=""))
    for match, name in names:
        _erase_stand_in(connection, match, f"{name} (bot)"[:60])
        _silence(connection, sa.and_(chat.c.match == match, chat.c.name == name,
                                     chat.c.visitor == ""))
        _erase_from_story(connection, match, name)
    return len(found)


def _erase_stand_in(connection: sa.Connection, match: str, name: str) -> None:
    """The bot that took somebody's seat carries their name."""
    lines = sa.select(journal).where(journal.c.match == match, journal.c.kind == EntryKind.SIT)
    for entry in connection.execute(lines).all():
        data = json.loads(entry.data)
        if data["name"] == name:
            _write_data(connection, entry, data | {"name": f"{NOBODY_NAMED} (bot)"})
    connection.execute(seats.update().where(seats.c.match == match, seats.c.name == name)
                       .values(name=f"{NOBODY_NAMED} (bot)"))


def _silence(connection: sa.Connection, which: Any) -> None:
    connection.execute(chat.update().where(which).values(name=NOBODY_NAMED, text="…", visitor=""))


def _rename_reader(connection: sa.Connection, which: Any) -> None:
    """What was said to somebody in private stays private."""
    connection.execute(chat.update().where(which).values(reader=NOBODY_NAMED.lower(),
                                                         reader_name=NOBODY_NAMED))


def _erase_reasons(connection: sa.Connection, match: str, seat: int) -> None:
    """What was said about moves from a seat."""
    entries = connection.execute(sa.select(journal).where(
        journal.c.match == match, journal.c.seat == seat, journal.c.data.contains('"why"'),
        journal.c.kind.in_((EntryKind.MOVE, EntryKind.ANSWER)))).all()
    for entry in entries:
        data = json.loads(entry.data)
        data.pop("why", None)
        _write_data(connection, entry, data)


def _write_data(connection: sa.Connection, entry: Any, data: dict[str, Any]) -> None:
    connection.execute(journal.update().where(
        journal.c.match == entry.match, journal.c.number == entry.number
    ).values(data=json.dumps(data)))


def _erase_from_story(connection: sa.Connection, match: str, name: str) -> None:
    """The name as a word of its own; a person called "A" is not every letter A."""
    query = sa.select(matches.c.story).where(matches.c.id == match)
    if story := connection.execute(query).scalar():
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        told = renamed(json.loads(story), whole)
        connection.execute(matches.update().where(matches.c.id == match)
                           .values(story=json.dumps(told)))


def renamed(told: Any, name: re.Pattern[str]) -> Any:
    """A story, or a part of it, in which somebody is "Somebody"."""
    if isinstance(told, str):
        return name.sub(NOBODY_NAMED, told)
    if isinstance(told, list):
        return [renamed(part, name) for part in told]
    if isinstance(told, dict):
        return {key: renamed(part, name) for key, part in told.items()}
    return told


# Backups ------------------------------------------------------------------------------------------

def backup(store: Store, goal: pathlib.Path) -> None:
    """A copy of the whole database while the server runs: an SQLite file, or what pg_dump writes.
    It is complete when it is there.
    """
    if goal.exists():
        raise InputError(f"{goal} is there already; name a file that is not.")
    part = goal.with_name(goal.name + ".part")
    with new_file(part):
        if store.is_postgres:
            _run_tool("pg_dump", "--format=custom", f"--file={part}",
                      f"--dbname={plain_url(store.url)}")
        else:
            with contextlib.closing(sqlite3.connect(store.url.removeprefix(SQLITE))) as source, \
                    contextlib.closing(sqlite3.connect(part)) as copy:
                source.backup(copy)
        part.replace(goal)


@contextlib.contextmanager
def new_file(path: pathlib.Path) -> Iterator[None]:
    """A file for our eyes only, as it holds the server's key; gone again when writing it fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            for left in (path, *beside(path)):
                left.unlink(missing_ok=True)
        if isinstance(error, (OSError, sqlite3.Error)):
            raise InputError(f"{path} cannot be written: {error}.") from None
        raise


def restore(place: str, source: pathlib.Path) -> None:
    """Put a backup into a database that is not there yet, or has nothing in it."""
    if not source.is_file():
        raise InputError(f"There is no backup {source}.")
    url = database_url(place)
    file = sqlite_file(url)
    if file is None:
        _run_tool("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={plain_url(url)}",
                  str(source))
        opened(place)
        return
    refuse_no_backup(source)
    for old in (file, *beside(file)):
        if old.exists():  # SQLite would take what is beside for moves made after the backup
            raise InputError(f"{old} is there already; move it away first.")
    with new_file(file):
        shutil.copyfile(source, file)
        opened(str(file))


def beside(file: pathlib.Path) -> list[pathlib.Path]:
    return [file.with_name(file.name + ending) for ending in BESIDE]


def refuse_no_backup(source: pathlib.Path) -> None:
    """An empty file or another program's would become a database without tables."""
    try:
        with contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro&immutable=1",
                                                uri=True)) as found:
            found.execute("SELECT version FROM schema_version")
    except sqlite3.Error:
        raise InputError(f"{source} is no backup of an SQLite database of Exchequer's.") from None


def opened(place: str) -> None:
    """It can be read, and is brought to this version."""
    Store(place).close()


def why_no_backup(store: Store) -> str:
    """Why a backup cannot be made here, or an empty text."""
    if store.is_postgres:
        return "" if shutil.which("pg_dump") else "pg_dump is not installed here."
    file = sqlite_file(store.url)
    assert file is not None
    needed, free = file.stat().st_size, shutil.disk_usage(file.parent).free
    return "" if free > needed else f"{free >> 20} MB are free and {needed >> 20} MB are needed."


def check(store: Store) -> None:
    """Fail with a sentence when the database does not answer, or has nowhere to write."""
    with store.reading() as connection:
        connection.execute(sa.select(schema_version.c.version)).scalar()
    if file := sqlite_file(store.url):
        if not os.access(file, os.W_OK):
            raise Unavailable(f"{file.name} cannot be written to.")
        if shutil.disk_usage(file.parent).free < LEAST_FREE:
            raise Unavailable("The disk is full.")


def plain_url(url: str) -> str:
    return url.replace("postgresql+psycopg://", "postgresql://")


def _run_tool(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise InputError(f"{command[0]} is not installed; Debian has it in postgresql-client.")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it did not say why"]
        said = next((line for line in lines if "error" in line.lower()), lines[-1])
        raise InputError(f"{command[0]} failed: {said.rstrip('.')}.")
