"""What whoever runs a server does now and then: list, show, delete, purge, erase, back up."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from exchequer.core.errors import InputError
from exchequer.table.history import EntryKind
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
from exchequer.table.store import OPEN, Store

NOBODY_NAMED = "Somebody"


def tables(store: Store, status: str = "", limit: int = 1000) -> list[dict[str, Any]]:
    """The tables, those that changed last first, with who sits at them."""
    query = sa.select(matches).order_by(matches.c.changed.desc()).limit(limit)
    if status:
        query = query.where(matches.c.status == status)
    with store.reading() as connection:
        rows = [dict(row) for row in connection.execute(query).mappings()]
    held = store.seats([row["id"] for row in rows])
    return [{"id": row["id"], "game": row["game"], "status": row["status"],
             "created": row["created"], "changed": row["changed"], "listed": row["listed"],
             "seats": [seat["name"] for seat in held[row["id"]]]} for row in rows]


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
    ids, deleted = list(found), 0
    for start in range(0, len(ids), 500):
        some = ids[start:start + 500]
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
    with store.reading() as connection:
        known = connection.execute(sa.select(visitors.c.id).where(visitors.c.name == name))
        sat = connection.execute(sa.select(seats.c.holder).where(seats.c.name == name,
                                                                 seats.c.holder.is_not(None)))
        return sorted({*known.scalars(), *sat.scalars()})


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
                                     journal.c.data.contains(visitor))
    held, made = seats.c.holder == visitor, matches.c.creator == visitor
    if only is not None:
        query = query.where(journal.c.match.in_(only))
        held, made = held & seats.c.match.in_(only), made & matches.c.id.in_(only)
    for entry in connection.execute(query).all():
        data = json.loads(entry.data)
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
    beside = goal.with_name(goal.name + ".part")
    beside.unlink(missing_ok=True)
    goal.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(beside, os.O_CREAT | os.O_WRONLY, 0o600))  # it holds the server's key
    if store.is_postgres:
        _run_tool("pg_dump", "--format=custom", f"--file={beside}", f"--dbname={plain_url(store)}")
    else:
        with contextlib.closing(sqlite3.connect(sqlite_path(store))) as source, \
                contextlib.closing(sqlite3.connect(beside)) as copy:
            source.backup(copy)
    beside.replace(goal)


def restore(place: str, source: pathlib.Path) -> None:
    """Put a backup into a database that is not there yet, or has nothing in it."""
    if not source.exists():
        raise InputError(f"There is no backup {source}.")
    if place.startswith("postgres"):
        _run_tool("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={place}", str(source))
    elif pathlib.Path(place).exists():
        raise InputError(f"{place} is there already; move it away first.")
    else:
        pathlib.Path(place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
        os.chmod(place, 0o600)
    Store(place).close()  # it can be read, and is brought to this version


def why_no_backup(store: Store) -> str:
    """Why a backup cannot be made here, or an empty text."""
    if store.is_postgres:
        return "" if shutil.which("pg_dump") else "pg_dump is not installed here."
    path = pathlib.Path(sqlite_path(store))
    needed, free = path.stat().st_size, shutil.disk_usage(path.parent).free
    return "" if free > needed else f"{free >> 20} MB are free and {needed >> 20} MB are needed."


def check(store: Store) -> None:
    """Fail with a sentence when the database does not answer."""
    with store.reading() as connection:
        connection.execute(sa.select(schema_version.c.version)).scalar()


def sqlite_path(store: Store) -> str:
    return store.url.removeprefix("sqlite:///")


def plain_url(store: Store) -> str:
    return store.url.replace("postgresql+psycopg://", "postgresql://")


def _run_tool(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise InputError(f"{command[0]} is not installed; Debian has it in postgresql-client.")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InputError(f"{command[0]} failed: {done.stderr.strip().splitlines()[-1:]}.")
