"""What is kept of playtests. Of somebody who did not agree to be recorded there is not a row."""

import contextlib
import json
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from exchequer.table.schema import matches, playtest_tables, playtests, seats, testers, traces
from exchequer.table.store import Conflict, Store

Row = dict[str, Any]


@dataclass(frozen=True)
class Trace:
    """One thing that a tester, or the designer, did or said."""

    id: int
    match: str | None
    tester: int | None
    kind: str
    data: Mapping[str, Any]
    at: float


@dataclass(frozen=True)
class NewTrace:
    """One that is not kept yet."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    at: float = 0.0  # 0: now


class PlaytestStore:
    """The SQL of playtests."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Playtests ---------------------------------------------------------------------------------

    def create(self, game: str, rules_version: int, setup: Mapping[str, Any], owner: str,
               brought: Sequence[Mapping[str, Any]] = ()) -> str:
        """Returns the word in the testers' link."""
        link = secrets.token_urlsafe(9)
        with self.store.writing() as connection:
            connection.execute(playtests.insert().values(
                link=link, game=game, rules_version=rules_version, setup=json.dumps(dict(setup)),
                owner=owner, created=time.time(),
                brought=json.dumps(list(brought)) if brought else None))
        return link

    def by_link(self, link: str) -> Row | None:
        return self._first(sa.select(playtests).where(playtests.c.link == link))

    def by_number(self, number: int) -> Row | None:
        return self._first(sa.select(playtests).where(playtests.c.number == number))

    def of_owner(self, owner: str | None) -> list[Row]:
        """The latest first; None: everybody's."""
        query = sa.select(playtests).order_by(playtests.c.number.desc()).limit(200)
        return self._rows(query if owner is None else query.where(playtests.c.owner == owner))

    def close(self, number: int, at: float | None) -> None:
        with self.store.writing() as connection:
            connection.execute(playtests.update().where(playtests.c.number == number)
                               .values(closed=at))

    # Testers -----------------------------------------------------------------------------------

    def tester(self, playtest: int, visitor: str) -> int | None:
        """The number of somebody who agreed."""
        found = self._first(sa.select(testers.c.number).where(
            testers.c.playtest == playtest, testers.c.holder == visitor))
        return found["number"] if found else None

    def testers(self, playtest: int) -> dict[str, int]:
        """Everybody who agreed, by visitor."""
        query = sa.select(testers).where(testers.c.playtest == playtest,
                                         testers.c.holder.is_not(None))
        return {row["holder"]: row["number"] for row in self._rows(query)}

    def holder(self, playtest: int, number: int) -> str | None:
        found = self._first(sa.select(testers.c.holder).where(
            testers.c.playtest == playtest, testers.c.number == number))
        return found["holder"] if found else None

    def add_tester(self, playtest: int, visitor: str) -> int:
        """Their number in this playtest; somebody who comes again keeps it."""
        for _ in range(20):
            if known := self.tester(playtest, visitor):
                return known
            with contextlib.suppress(IntegrityError), self.store.writing() as connection:
                last = connection.execute(sa.select(sa.func.max(testers.c.number)).where(
                    testers.c.playtest == playtest)).scalar() or 0
                connection.execute(testers.insert().values(
                    playtest=playtest, number=last + 1, holder=visitor, at=time.time()))
        raise Conflict(str(playtest))

    def forget_tester(self, playtest: int, number: int) -> None:
        """Whatever a tester did or said is deleted; their number is not given out again."""
        with self.store.writing() as connection:
            connection.execute(traces.delete().where(traces.c.playtest == playtest,
                                                     traces.c.tester == number))
            connection.execute(testers.update().where(
                testers.c.playtest == playtest, testers.c.number == number).values(holder=None))

    # Tables ------------------------------------------------------------------------------------

    def add_table(self, playtest: int, match: str, arm: int) -> None:
        with self.store.writing() as connection:
            connection.execute(playtest_tables.insert().values(match=match, playtest=playtest,
                                                               arm=arm))

    def table(self, match: str) -> Row | None:
        """Of which playtest a table is, and by which variant it is played."""
        return self._first(sa.select(playtest_tables).where(playtest_tables.c.match == match))

    def tables(self, playtest: int) -> list[Row]:
        """In the order in which they were opened."""
        query = sa.select(matches, playtest_tables.c.arm).join(
            playtest_tables, playtest_tables.c.match == matches.c.id).where(
            playtest_tables.c.playtest == playtest).order_by(matches.c.created, matches.c.id)
        return self._rows(query)

    def waiting(self, playtest: int) -> list[str]:
        """Tables with a free seat, the fullest first, so that somebody begins soon."""
        taken = sa.func.count(seats.c.holder)
        query = sa.select(matches.c.id).join(
            playtest_tables, playtest_tables.c.match == matches.c.id).join(
            seats, seats.c.match == matches.c.id).where(
            playtest_tables.c.playtest == playtest, matches.c.status == "waiting").group_by(
            matches.c.id, matches.c.created).order_by(taken.desc(), matches.c.created)
        return [row["id"] for row in self._rows(query)]

    # Traces ------------------------------------------------------------------------------------

    def note(self, playtest: int, match: str | None, tester: int | None,
             found: Iterable[NewTrace]) -> None:
        now = time.time()
        rows = [{"playtest": playtest, "match": match, "tester": tester, "kind": one.kind,
                 "data": json.dumps(dict(one.data)), "at": one.at or now} for one in found]
        if rows:
            with self.store.writing() as connection:
                connection.execute(traces.insert(), rows)

    def replace(self, playtest: int, match: str | None, tester: int, new: NewTrace) -> None:
        """The latest of its kind is the one that counts."""
        with self.store.writing() as connection:
            connection.execute(traces.delete().where(
                traces.c.playtest == playtest, traces.c.match == match,
                traces.c.tester == tester, traces.c.kind == new.kind))
        self.note(playtest, match, tester, [new])

    def traces(self, playtest: int, match: str | None = None, tester: int | None = None,
               kind: str = "") -> list[Trace]:
        query = sa.select(traces).where(traces.c.playtest == playtest).order_by(traces.c.id)
        for column, wanted in ((traces.c.match, match), (traces.c.tester, tester),
                               (traces.c.kind, kind or None)):
            if wanted is not None:
                query = query.where(column == wanted)
        return [Trace(row["id"], row["match"], row["tester"], row["kind"],
                      json.loads(row["data"]), row["at"]) for row in self._rows(query)]

    def count(self, match: str, tester: int) -> int:
        """How many traces there are of a tester at a table."""
        query = sa.select(sa.func.count().label("n")).select_from(traces).where(
            traces.c.match == match, traces.c.tester == tester)
        found = self._first(query)
        return found["n"] if found else 0

    def _rows(self, query: Any) -> list[Row]:
        with self.store.reading() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def _first(self, query: Any) -> Row | None:
        return next(iter(self._rows(query)), None)
