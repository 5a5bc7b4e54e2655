"""The hall: all tables of this server, new ones, and who is told when one changes."""

import json
import secrets
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from exchequer.bots.own import is_own
from exchequer.bots.policies import policy_named
from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.table.clocks import Clock
from exchequer.table.course import Kind, Seat
from exchequer.table.match import Match
from exchequer.table.refusals import BadInput, NotFound, NotNow
from exchequer.table.store import Entry, Store

KEPT = 400  # matches in memory; the others are read from their journal when they are needed
NAMES = ("Ada", "Bede", "Cleo", "Dov", "Edda", "Finn")  # bots' names by seat


@dataclass(frozen=True)
class Wish:
    """A table as somebody wants it."""

    game: Game
    content: Content
    seats: list[Seat]
    clock: Clock = field(default_factory=Clock)
    seed: int | None = None
    listed: bool = True


def bot_seat(number: int, bot: str) -> Seat:
    """A bot's seat; refuses a bot that does not exist, and a visitor's program in any case."""
    if is_own(bot):
        raise InputError("A web table seats named bots only, such as greedy or hard.")
    policy_named(bot)
    return Seat(None, bot, f"{NAMES[number % len(NAMES)]} ({bot})")


def refuse_other_rules(row: Mapping[str, Any]) -> None:
    """A journal is a game only under the rules and numbers it was played by."""
    game = find_game(row["game"])
    numbers = game.content(json.loads(row["overlay"])).hash
    if row["rules_version"] != game.rules_version or row["content"] not in ("", numbers):
        raise NotNow(f"This table was played by other rules or numbers of {game.title} than the "
                     "program has now, so it cannot go on or be replayed.")


class Hall:
    """Matches by their id. Every method may be called from any thread."""

    def __init__(self, store: Store, mode_of: Callable[[Game], Mode] = lambda _: Mode.PYTHON
                 ) -> None:
        self.store, self.mode_of = store, mode_of
        self.listeners: list[Callable[[str], None]] = []
        self.talk: dict[str, int] = defaultdict(int)  # counts what may be new in a match's chat
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, wish: Wish, creator: str) -> Match:
        """A new table; it begins at once when no seat is free."""
        fewest, most = wish.game.seats
        if not fewest <= len(wish.seats) <= most:
            allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise BadInput(f"{wish.game.title} is for {allowed} players, not {len(wish.seats)}.")
        now, row = time.time(), self._row(wish, creator)
        entries = [Entry(number + 1, Kind.SIT, number, None, seat.entry(), now)
                   for number, seat in enumerate(wish.seats)]
        if not any(seat.is_free for seat in wish.seats):
            entries.append(Entry(len(entries) + 1, Kind.START, at=now))
        match = Match(self.store, row, self.mode_of(wish.game), self.told, entries)
        held = [{"seat": number, **seat.entry()} for number, seat in enumerate(wish.seats)]
        self.store.create(row, entries, match.cache(seats=held))
        with self._lock:
            self._matches[match.id] = match
        self.told(match.id)
        return match

    def _row(self, wish: Wish, creator: str) -> dict[str, Any]:
        return {
            "id": secrets.token_urlsafe(12), "game": wish.game.name,
            "rules_version": wish.game.rules_version,
            "overlay": json.dumps(wish.content.overlay), "content": wish.content.hash,
            "n_seats": len(wish.seats),
            "seed": secrets.randbelow(2**63) if wish.seed is None else wish.seed,
            "seed_chosen": wish.seed is not None, "clock": json.dumps(wish.clock.as_data()),
            "listed": wish.listed, "creator": creator, "created": time.time(),
        }

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
        loaded = Match(self.store, dict(row), self.mode_of(find_game(row["game"])), self.told)
        with self._lock:
            first = self._matches.setdefault(match, loaded)  # another thread may have been first
            while len(self._matches) > KEPT:
                self._matches.popitem(last=False)
        first.refresh()  # another process may have written while nobody here could hear of it
        return first

    def rematch(self, old: Match, creator: str) -> Match:
        """The same people at a new table, everyone one seat further."""
        if old.course.rematch:
            return self.match(old.course.rematch)
        seats = [old.seats[(number + 1) % len(old.seats)] for number in range(len(old.seats))]
        new = self.open(Wish(old.game, old.content, seats, old.clock, None, old.row["listed"]),
                        creator)
        old.name_rematch(new.id)
        return new

    def say(self, match: str, name: str, text: str) -> None:
        self.store.say(match, name, text, time.time())
        self.talk[match] += 1
        self.told(match)

    def told(self, match: str) -> None:
        """A match has changed here."""
        for listener in self.listeners:
            listener(match)

    def changed_elsewhere(self, match: str) -> None:
        """Another process has written to the match's journal; who is not shown here can wait."""
        self.talk[match] += 1
        if found := self.known(match):
            found.refresh()
            self.told(match)

    def all_may_have_changed(self) -> None:
        with self._lock:
            known = list(self._matches)
        for match in known:
            self.changed_elsewhere(match)

    def forget(self, game: Game) -> list[str]:
        """Matches of a game are read again, in the mode that it can be run in now."""
        with self._lock:
            found = [match.id for match in self._matches.values() if match.game == game]
            for match in found:
                del self._matches[match]
        return found
