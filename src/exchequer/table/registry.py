"""The registry: all matches of this server, new ones, and who is told when one changes."""

import contextlib
import itertools
import json
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy.exc import IntegrityError

from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.table.contents import content_of
from exchequer.table.journaled import opening
from exchequer.table.match import Match
from exchequer.table.refusals import NotFound, OtherRules, TableRefusal
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup

log = logging.getLogger("exchequer.table")
KEPT = 400  # matches in memory; the others are read from their journal when they are needed


def refuse_other_rules(row: Mapping[str, Any]) -> None:
    """A journal is a game only under the rules and numbers it was played by."""
    try:
        game = find_game(row["game"])
        numbers = content_of(game, row["overlay"]).hash
    except InputError:
        raise OtherRules(f"The game {row['game']} is not installed here any more, or has no such "
                         "numbers.", row) from None
    if row["rules_version"] != game.rules_version or row["content"] not in ("", numbers):
        raise OtherRules(f"This table was played by other rules or numbers of {game.title} than "
                         "the program has now, so it cannot go on or be replayed.", row)


def why_unplayable(row: Mapping[str, Any]) -> str:
    try:
        refuse_other_rules(row)
    except OtherRules as refusal:
        return str(refusal)
    return ""


class Registry:
    """Matches by their id. Every method may be called from any thread."""

    def __init__(self, store: Store, mode_of: Callable[[Game], Mode] = lambda _: Mode.PYTHON
                 ) -> None:
        self.store, self.mode_of = store, mode_of
        self.listeners: list[Callable[[str], None]] = []
        self._talk: dict[str, int] = {}  # of matches in memory
        self._talks = itertools.count(1)
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._unreadable: set[str] = set()
        self._lock = threading.Lock()

    def open(self, setup: TableSetup, creator: str, opened_from: str = "",
             match_id: str | None = None, moves: Sequence[tuple[int, int]] = ()) -> Match:
        """A new table; it begins at once when no seat is free. It takes the place of one in memory
        that has its id: whoever looks meanwhile sees the old one.

        `moves` (seat and action) have been made at it already: they were played elsewhere.
        """
        row = self._row(setup, creator) | {"opened_from": opened_from}
        row["id"] = match_id or row["id"]
        replaced = self.known(row["id"])
        entries = opening(row, setup.seats, moves)
        match = Match(self.store, row, self.mode_of(setup.game), self._changed, entries)
        held = [{"seat": number, **seat.row()} for number, seat in enumerate(setup.seats)]
        self.store.create(row, entries, match.cache(seats=held))
        kept = self._keep(match, replaced)
        self.told(match.id)
        return kept

    def _row(self, setup: TableSetup, creator: str) -> dict[str, Any]:
        return {
            "id": secrets.token_urlsafe(12), "game": setup.game.name,
            "rules_version": setup.game.rules_version,
            "overlay": json.dumps(setup.content.overlay), "content": setup.content.hash,
            "n_seats": len(setup.seats), "seed": setup.seed or 0,
            "seed_chosen": setup.seed is not None, "clock": json.dumps(setup.clock.as_data()),
            "listed": setup.listed, "creator": creator, "created": time.time(),
            "lesson": setup.lesson, "private_talk": setup.private_talk,
        }

    def _keep(self, match: Match, replaced: Match | None = None) -> Match:
        """Keep a match in memory, and only so many."""
        with self._lock:
            kept = self._matches.get(match.id)
            if kept is replaced or kept is None:  # else another thread was first
                kept = self._matches[match.id] = match
                self._talk[match.id] = next(self._talks)
            while len(self._matches) > KEPT:
                self._talk.pop(self._matches.popitem(last=False)[0], None)
            return kept

    def known(self, match: str) -> Match | None:
        """The match of that id when it is in memory."""
        with self._lock:
            if match in self._matches:
                self._matches.move_to_end(match)
            return self._matches.get(match)

    def match(self, match: str) -> Match:
        """The match of that id, read from its journal when it is not in memory."""
        if found := self.known(match):
            return found
        row = self.store.match(match)
        if row is None:
            raise NotFound("There is no such table; perhaps the link was cut off.")
        refuse_other_rules(dict(row))
        kept = self._keep(self._read(dict(row)))
        kept.refresh()  # another process may have written while nobody here could hear of it
        return kept

    def _read(self, row: dict[str, Any]) -> Match:
        """A match from its journal. One that makes no game, as when rules were changed and their
        version was not, harms nobody else; it is there again when the program can read it.
        """
        unreadable = OtherRules("The journal of this table cannot be read by the program as it is "
                                "now.", row)
        if row["id"] in self._unreadable:
            raise unreadable
        try:
            return Match(self.store, row, self.mode_of(find_game(row["game"])),
                         self._changed)
        except (TableRefusal, MemoryError):
            raise
        except Exception:
            log.exception("the journal of table %s cannot be read", row["id"])
            self._unreadable.add(row["id"])
            raise unreadable from None

    def rematch(self, old: Match, creator: str, opened_from: str = "") -> Match:
        """The same people at a new table, everyone one seat further; the old table's journal says
        which, so that there is one, however many ask for it at once.
        """
        named = old.name_rematch(secrets.token_urlsafe(12))
        if self.store.match(named) is None:
            seats = [old.seats[(number + 1) % len(old.seats)] for number in range(len(old.seats))]
            setup = TableSetup(old.game, old.content, seats, old.clock, None, old.row["listed"],
                               private_talk=old.row["private_talk"])
            try:
                return self.open(setup, creator, opened_from, named)
            except IntegrityError:
                pass  # somebody else has just opened it
        return self.match(named)

    def close_unplayable(self) -> int:
        """Close the tables whose rules have gone; a table is never played on by other rules."""
        why: dict[tuple[Any, ...], str] = {}  # by rules and numbers, which many tables share
        closed = 0
        for row in self.store.not_over():
            played_by = row["game"], row["rules_version"], row["overlay"], row["content"]
            if played_by not in why:
                why[played_by] = why_unplayable(dict(row))
            if why[played_by]:
                self.store.close_match(row["id"], why[played_by])
                closed += 1
        return closed

    def close_idle(self, now: float, waiting: float, running: float) -> int:
        """Close tables at which nothing has happened for so many seconds."""
        found = self.store.idle(now - waiting, now - running)
        for row in found:
            self.store.close_match(row["id"], "Nobody came or moved here for a long time, so the "
                                   "table was closed.")
            self.changed_elsewhere(row["id"])
        return len(found)

    def say(self, match: str, name: str, text: str, role: str, visitor: str,
            reader: tuple[str, str] = ("", "")) -> None:
        self.store.say(match, name, text, time.time(), role, visitor, reader)
        self._talk[match] = next(self._talks)
        self.told(match)

    def talk(self, match: str) -> int:
        """Another number than before when something may be new in a match's chat."""
        return self._talk.get(match, 0)

    def _changed(self, match: Match) -> None:
        """Somebody may have begun with an object that has been forgotten and read again since, as
        when a bot thinks while its game's machine code is loaded: whoever looks on sees the other.
        """
        kept = self.known(match.id)
        if kept is not None and kept is not match:
            with contextlib.suppress(TableRefusal):  # what was done is on disk all the same
                kept.refresh()
        self.told(match.id)

    def told(self, match: str) -> None:
        """A match has changed here."""
        for listener in self.listeners:
            listener(match)

    def changed_elsewhere(self, match: str) -> None:
        """Another process has written to the match's journal; who is not shown here can wait."""
        if found := self.known(match):
            self._talk[match] = next(self._talks)
            try:
                found.refresh()
            except TableRefusal:
                raise
            except Exception:  # the other one may be a newer program; nobody else bears it
                log.exception("what was written at table %s cannot be read", match)
                self.drop(match)
            self.told(match)

    def all_may_have_changed(self) -> None:
        with self._lock:
            known = list(self._matches)
        for match in known:
            self.changed_elsewhere(match)

    def drop(self, match: str) -> None:
        """A match is no longer in memory."""
        with self._lock:
            self._matches.pop(match, None)

    def forget(self, game: Game) -> list[str]:
        """Matches of a game are read again, in the mode that it can be run in now."""
        with self._lock:
            found = [match.id for match in self._matches.values() if match.game == game]
            for match in found:
                del self._matches[match]
        return found
