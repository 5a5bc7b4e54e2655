"""A match: one game at one table. People, bots and the clock all move through `play`.

What a match is follows from its row and its journal; whatever is kept here besides is made from
them. Nothing but views, sentences and menus leaves it, each for one viewer: a seat, or WATCHER.
The game is dealt when the last seat is taken; before that there is no position to look at.
"""

import contextlib
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.log import seen_by
from exchequer.core.position import Position, Refused
from exchequer.core.records import NOBODY
from exchequer.table.clocks import Clock, bell_after, default_move, hidden_action, turn_of
from exchequer.table.history import By, EntryKind, Frame, History, Result, Seat
from exchequer.table.names import same_name, unique_name
from exchequer.table.refusals import IllegalMove, NotNow, StaleVersion, WrongSeat
from exchequer.table.store import Conflict, JournalEntry, Store
from exchequer.table.undo import undoable
from exchequer.table.watching import watched

WATCHER = NOBODY
LEAVERS_BOT = "easy"  # who takes the seat of somebody who leaves
NOT_BEGUN = "The game begins when all seats are taken."


def fresh_key() -> str:
    """What a table deals and rolls from: nothing that can be seen leads to it."""
    return secrets.token_hex(32)


def opening(row: Mapping[str, Any], seats: Sequence[Seat]) -> list[JournalEntry]:
    """The first lines of a new match's journal."""
    now = time.time()
    entries = [JournalEntry(number, EntryKind.SIT, number - 1, None, seat.entry(), now)
               for number, seat in enumerate(seats, 1)]
    if not any(seat.is_free for seat in seats):
        entries.append(start_entry(row, len(entries) + 1, now))
    return entries


def start_entry(row: Mapping[str, Any], number: int, at: float) -> JournalEntry:
    dealt_from = {"seed": row["seed"]} if row["seed_chosen"] else {"key": fresh_key()}
    return JournalEntry(number, EntryKind.START, data=dealt_from, at=at)


class Match:
    """One table. Every method may be called from any thread."""

    def __init__(self, store: Store, row: Mapping[str, Any], mode: Mode = Mode.PYTHON,
                 on_change: Callable[[str], None] = lambda _: None,
                 first: Sequence[JournalEntry] | None = None) -> None:
        """`first` are the lines of a new match, which are not in the store yet."""
        self.store, self.row, self.mode, self.on_change = store, row, mode, on_change
        self.id: str = row["id"]
        self.game: Game = find_game(row["game"])
        self.content: Content = self.game.content(json.loads(row["overlay"]))
        self.clock = Clock(**json.loads(row["clock"]))
        self.lock = threading.RLock()
        self.seats = [Seat() for _ in range(row["n_seats"])]
        self.history = History()
        self._position: Position | None = None
        self._actor = NOBODY  # asked for again and again, so it is kept
        self._told: dict[int | None, list[list[str]]] = {}  # sentences by reader and move
        self._last_told: dict[tuple[int, bytes], list[str]] = {}  # of one move, by what is read
        self._unwritten: list[JournalEntry] = []
        for entry in store.journal(self.id) if first is None else first:
            self._take(entry)

    # From the journal --------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read on in the journal: another process may have written there."""
        with self.lock:
            for entry in self.store.journal(self.id, self.history.number):
                self._take(entry)

    def _take(self, entry: JournalEntry) -> None:
        """Let a line of the journal have its effect."""
        if entry.kind == EntryKind.MOVE:
            assert entry.action is not None
            self.position.take(entry.action, entry.data.get("key", ""))
        self._note(entry)

    def _note(self, entry: JournalEntry) -> None:
        """All effects of a line but that of a move on the position."""
        history, asked = self.history, self._actor
        history.number = entry.number
        EFFECTS[EntryKind(entry.kind)](self, entry)
        self._actor = self._position.actor if self._position else NOBODY
        if entry.kind == EntryKind.MOVE:
            self._time(entry.at, is_seen=self._actor != asked or bool(self._sentences(WATCHER)[-1]))
        elif entry.kind == EntryKind.START:
            self._time(entry.at, is_seen=True)
        else:
            history.changed = entry.at

    def _sit(self, entry: JournalEntry) -> None:
        assert entry.seat is not None
        before, self.seats[entry.seat] = self.seats[entry.seat], Seat(**entry.data)
        if before.holder != self.seats[entry.seat].holder:
            self.history.agreed.discard(entry.seat)
        self._told.clear()  # sentences carry names
        self._last_told.clear()

    def _start(self, entry: JournalEntry) -> None:
        self.history.started, self.history.version = entry.at, entry.number
        seed = entry.data.get("seed", self.row["seed"])  # older journals have it in the row
        self._position = Position(self.game, self.content, len(self.seats), seed, self.mode,
                                  entry.data.get("key", ""))

    def _move(self, entry: JournalEntry) -> None:
        assert entry.seat is not None
        self.history.movers.append(entry.seat)
        self.history.makers.append(entry.data.get("by", By.PERSON))
        self.history.version = entry.number

    def _undo(self, entry: JournalEntry) -> None:
        history, left = self.history, entry.data["to"]
        while len(history.movers) > left:
            self.position.undo()
            history.movers.pop()
        del history.makers[left:], history.since[left + 1:], history.turns[left + 1:]
        for told in self._told.values():
            del told[left + 1:]
        self._last_told.clear()
        history.version = entry.number

    def _agree(self, entry: JournalEntry) -> None:
        assert entry.seat is not None
        agreed = self.history.agreed
        (agreed.add if entry.data["yes"] else agreed.discard)(entry.seat)

    def _resign(self, entry: JournalEntry) -> None:
        assert entry.seat is not None
        self.history.resigned.add(entry.seat)

    def _rematch(self, entry: JournalEntry) -> None:
        self.history.rematch = entry.data["match"]

    def _close(self, entry: JournalEntry) -> None:
        self.history.closed = entry.data["why"]

    def _time(self, at: float, is_seen: bool) -> None:
        """The clock begins anew with each turn, or with each move of which all can see something:
        begun with every part of a hidden answer, it would tell how many parts there are.
        """
        history = self.history
        turn = turn_of(self.game, self.clock, self.position.state, len(history.movers))
        is_new = not history.turns or (turn != history.turns[-1]
                                       and (is_seen or self.clock.kind == "rules"))
        history.since.append(at if is_new else history.since[-1])
        history.turns.append(turn)
        if is_seen:
            history.changed = at

    # Facts -------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        if self._position is None:
            raise NotNow(NOT_BEGUN)
        return self._position

    @property
    def is_dealt(self) -> bool:
        return self._position is not None

    @property
    def status(self) -> str:
        if self.history.closed:
            return "closed"
        if self._position is None:
            return "waiting"
        return "over" if self._actor == NOBODY or self._is_given_up else "running"

    @property
    def _is_given_up(self) -> bool:
        resigned = len(self.history.resigned)
        return 0 < resigned >= len(self.seats) - 1

    @property
    def is_over(self) -> bool:
        return self.status == "over"

    @property
    def version(self) -> int:
        return self.history.version

    @property
    def asked(self) -> int | None:
        """The seat that has to answer now."""
        return self._actor if self.status == "running" else None

    @property
    def result(self) -> Result:
        position = self.position
        if self._actor == NOBODY:
            return Result(position.scores(), position.winners(), position.ending)
        left = [seat for seat in range(len(self.seats)) if seat not in self.history.resigned]
        return Result(position.scores(), left, "resigned")

    @property
    def names(self) -> list[str]:
        return [seat.name or f"Seat {number + 1}" for number, seat in enumerate(self.seats)]

    @property
    def people(self) -> set[str]:
        return {seat.holder for seat in self.seats if seat.holder}

    def seats_of(self, visitor: str) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.holder == visitor]

    def first_seat(self, visitor: str) -> int:
        """The seat somebody looks from who has not said which.

        Who holds several seats in a game with secrets shares a screen: they look on as a watcher
        until they say which seat they are.
        """
        mine = self.seats_of(visitor)
        if len(mine) > 1 and self.status == "running" and any(
                map(self.position.has_secrets, mine)):
            return WATCHER
        if self.asked in mine:
            return self.asked
        return mine[0] if mine else WATCHER

    def move_due(self) -> float | None:
        """When the person who is asked runs out of time."""
        seconds = self.clock.seconds(self.game, self.content)
        if seconds is None or self.asked is None or self.seats[self.asked].bot:
            return None
        return self.history.since[-1] + seconds

    def _bell_due(self) -> float | None:
        if self.history.started is None:
            return None
        after = bell_after(self.game, self.position.state, self.content)
        return None if after is None else self.history.started + after

    def cache(self, **more: Any) -> dict[str, Any]:
        """What the lobby and the clock look up; see `schema.matches`."""
        asked = self.asked
        due = [at for at in (self.move_due(), self._bell_due()) if at is not None]
        story = {"story": json.dumps(self.story())} if self.is_over else {}
        return {"status": self.status, "asked": asked, "changed": self.history.changed,
                "due": min(due) if due and asked is not None else None,
                "bot_asked": asked is not None and self.seats[asked].bot is not None,
                **story, **more}

    def story(self) -> dict[str, Any]:
        """A finished game in words, for when the program has other rules one day."""
        result = self.result
        return {"names": self.names, "scores": result.scores, "winners": result.winners,
                "ending": result.ending, "told": self._sentences(None)}

    # Moves -------------------------------------------------------------------------------------

    def play(self, seat: int, action: int, version: int, by: By = By.PERSON) -> None:
        """Make a move. It is on disk when this returns; refused, nothing has changed."""
        with self._change():
            self._refuse(seat, version)
            if (by is not By.CLOCK and action == hidden_action(self.game)) \
                    or not 0 <= action < self.game.n_actions:
                raise IllegalMove("There is no such move in this game.")
            try:
                self.position.play(action, "" if self.row["seed_chosen"] else fresh_key())
            except Refused as refusal:
                raise IllegalMove(str(refusal)) from None
            data: dict[str, Any] = {} if by is By.PERSON else {"by": by}
            if key := self.position.keys[-1]:
                data["key"] = key
            self._note(self._entry(EntryKind.MOVE, seat, action, data))

    def _refuse(self, seat: int, version: int) -> None:
        self._refuse_ended()
        if self.status == "waiting":
            raise NotNow(NOT_BEGUN)
        if version != self.version:
            raise StaleVersion("The game has moved on since you saw it; look again.")
        if seat != self.asked:
            raise WrongSeat(f"It is {self.names[self._actor]}'s move.")

    def _refuse_ended(self) -> None:
        if self.status in ("over", "closed"):
            raise NotNow(self.history.closed or "The game is over.")

    def legal(self) -> list[int]:
        """What the asked seat may do; what is the clock's alone is not among it."""
        own = hidden_action(self.game)
        return [int(move) for move in self.position.legal() if move != own]

    def why_not(self, seat: int, text: str) -> str:
        """The game's own sentence for a move that cannot be made now, empty when it can."""
        with self.lock:
            self._refuse(seat, self.version)
            action = self.game.words.TEXTS.action(text)
            if action == hidden_action(self.game):
                return "There is no such move in this game."
            if action in self.legal():
                return ""
            return self.position.refusal(action) or "That is not among the moves."

    # Writing -----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        """What is done inside happens as a whole or not at all, in memory as in the journal."""
        with self.lock:
            seats, history, position = [*self.seats], self.history.copy(), self._position
            moves = list(zip(position.actions, position.keys, strict=True)) if position else []
            try:
                yield
                self._write()
            except BaseException as error:
                self.seats, self.history, self._position = seats, history, position
                self._rewind(moves)
                if isinstance(error, Conflict):
                    self.refresh()
                    raise StaleVersion("Somebody was quicker; look again.") from None
                raise
            finally:
                self._unwritten.clear()
        self.on_change(self.id)

    def _rewind(self, moves: Sequence[tuple[int, str]]) -> None:
        """Bring the position to these moves again: one too many was made, or some taken back."""
        position = self._position
        if position is not None:
            while len(position.actions) > len(moves):
                position.undo()
            for action, key in moves[len(position.actions):]:
                position.take(action, key)
            for told in self._told.values():
                del told[len(position.logs):]
            self._last_told.clear()
        self._actor = position.actor if position else NOBODY

    def _entry(self, kind: EntryKind, seat: int | None = None, action: int | None = None,
               data: Mapping[str, Any] | None = None) -> JournalEntry:
        """A new line, to be written when the change is complete."""
        entry = JournalEntry(self.history.number + 1, kind, seat, action, data or {}, time.time())
        self._unwritten.append(entry)
        return entry

    def _append(self, kind: EntryKind, seat: int | None = None,
                data: Mapping[str, Any] | None = None) -> None:
        """A line that is no move."""
        self._take(self._entry(kind, seat, None, data))

    def _write(self) -> None:
        """Write the new lines, and the start of the game when the last seat was taken in them."""
        if self.status == "waiting" and not any(seat.is_free for seat in self.seats):
            self._unwritten.append(start_entry(self.row, self.history.number + 1, time.time()))
            self._take(self._unwritten[-1])
        if self._unwritten:
            held = [{"seat": entry.seat, **self.seats[entry.seat].entry()}
                    for entry in self._unwritten
                    if entry.kind == EntryKind.SIT and entry.seat is not None]
            self.store.append(self.id, [*self._unwritten], self.cache(seats=held))

    # Taking back ---------------------------------------------------------------------------------

    def undoable(self, seat: int) -> int:
        """How many moves the seat may take back now."""
        with self.lock:
            if self.status != "running":
                return 0
            return undoable(self.position, self.history.movers, seat)

    def undo(self, seat: int, version: int, whole_turn: bool = False) -> None:
        """Take the last move back, or all that may be taken back."""
        with self._change():
            self._refuse(seat, version)
            most = self.undoable(seat)
            if not most:
                raise NotNow("Nothing can be taken back: since your last move somebody else was "
                             "asked, chance fell or something hidden was shown.")
            left = len(self.history.movers) - (most if whole_turn else 1)
            self._append(EntryKind.UNDO, seat, {"to": left})

    # Seats ---------------------------------------------------------------------------------------

    def sit(self, number: int, holder: str, name: str) -> None:
        """Take a free seat; one is enough for each visitor."""
        with self._change():
            self._refuse_taken(number)
            if self.seats_of(holder):
                raise NotNow("You have a seat at this table already.")
            self._seat(number, Seat(holder, None, self._unique(name, number)))

    def seat_bot(self, number: int, bot: str, name: str) -> None:
        """Let a bot take a free seat."""
        with self._change():
            self._refuse_taken(number)
            self._seat(number, Seat(None, bot, self._unique(name, number)))

    def leave(self, number: int, holder: str) -> None:
        """Stand up: before the game the seat is free again, in the game a bot takes it."""
        with self._change():
            self._refuse_other(number, holder)
            self._refuse_ended()
            self._seat(number, Seat() if self.status == "waiting" else self._stand_in(number))

    def remove(self, number: int, opener: str) -> None:
        """The opener frees a seat that somebody else has taken, before the game begins."""
        with self._change():
            if opener != self.row["creator"]:
                raise WrongSeat("Only whoever opened the table can free a seat.")
            if self.status != "waiting":
                raise NotNow("A seat can be freed only before the game begins.")
            if not 0 <= number < len(self.seats) or self.seats[number].is_free:
                raise NotNow("Nobody sits there.")
            self._seat(number, Seat())

    def resign(self, number: int, holder: str) -> None:
        """Give up. The last seat left has won; while more are left a bot plays on."""
        with self._change():
            self._refuse_other(number, holder)
            self._refuse_ended()
            if self.status == "waiting":
                raise NotNow("The game has not begun; leave the table instead.")
            self._append(EntryKind.RESIGN, number)
            if not self.is_over:
                self._seat(number, self._stand_in(number))

    def _stand_in(self, number: int) -> Seat:
        return Seat(None, LEAVERS_BOT, f"{self.seats[number].name} (bot)"[:60])

    def rename(self, holder: str, name: str) -> None:
        with self._change():
            mine = self.seats_of(holder)
            for place, number in enumerate(mine):
                shown = name if len(mine) == 1 else f"{name} {place + 1}"
                shown = self._unique(shown, number)
                if shown != self.seats[number].name:
                    self._seat(number, replace(self.seats[number], name=shown))

    def _unique(self, name: str, number: int) -> str:
        return unique_name(name, [seat.name for place, seat in enumerate(self.seats)
                                  if place != number and seat.name])

    def role(self, visitor: str, name: str) -> tuple[str, str]:
        """Under which name somebody chats here, and as what."""
        with self.lock:
            if mine := self.seats_of(visitor):
                return self.seats[mine[0]].name, "player"
            taken = any(same_name(name, seat.name) for seat in self.seats)
            return (f"Not {name}" if taken else name), "spectator"

    def _seat(self, number: int, seat: Seat) -> None:
        self._append(EntryKind.SIT, number, seat.entry())

    def _refuse_taken(self, number: int) -> None:
        self._refuse_ended()
        if not 0 <= number < len(self.seats) or not self.seats[number].is_free:
            raise NotNow("That seat is not free.")

    def _refuse_other(self, number: int, holder: str) -> None:
        if not 0 <= number < len(self.seats) or self.seats[number].holder != holder:
            raise WrongSeat("You do not hold that seat.")

    # Hints, rematch, closing ---------------------------------------------------------------------

    def agree(self, number: int, holder: str, yes: bool) -> None:
        """Agree to hints, or no longer."""
        with self._change():
            self._refuse_other(number, holder)
            self._append(EntryKind.AGREE, number, {"yes": yes})

    @property
    def hints_allowed(self) -> bool:
        """Alone against bots always; among people when all of them agree."""
        held = [number for number, seat in enumerate(self.seats) if seat.holder]
        return len(self.people) <= 1 or all(number in self.history.agreed for number in held)

    def name_rematch(self, match: str) -> str:
        """Say where the same people play again; whoever is first says it for all."""
        with self.lock:
            with contextlib.suppress(StaleVersion):
                if self.history.rematch is None:
                    with self._change():
                        self._append(EntryKind.REMATCH, None, {"match": match})
            if self.history.rematch is None:
                raise StaleVersion("Something else happened at this table; try again.")
            return self.history.rematch

    def close(self, why: str) -> None:
        with self._change():
            self._refuse_ended()
            self._append(EntryKind.CLOSE, None, {"why": why})

    # What leaves ---------------------------------------------------------------------------------

    def token(self, viewer: int) -> str | None:
        """The version for the seat that is asked. Others get none, and it is a keyed hash: nobody
        can count the parts of another seat's answer by it.
        """
        if self.status == "running" and viewer != self.asked:
            return None
        text = f"{self.id} {self.version}".encode()
        return hashlib.blake2b(text, key=self.store.key, digest_size=9).hexdigest()

    def observation(self, seat: int) -> np.ndarray:
        """What a bot is given."""
        with self.lock:
            return self.position.observe(seat)

    def view(self, viewer: int) -> dict[str, Any] | None:
        """The game as plain data, as the viewer may see it; when it is over all is open."""
        with self.lock:
            if self._position is None:
                return None
            seen = self.seen(viewer, self._position)[0]
            return self.game.module("view").view(seen, self.content, viewer)

    def seen(self, viewer: int, position: Position) -> np.ndarray:
        if self.is_over:
            return position.whole()
        return watched(position) if viewer == WATCHER else position.observe(viewer)

    def question(self, viewer: int) -> str:
        """What the viewer is asked, empty for all others."""
        with self.lock:
            return self.position.question if viewer == self.asked else ""

    def menu(self, viewer: int) -> list[tuple[int, str]]:
        """The viewer's moves in words; empty for all but the seat that is asked."""
        with self.lock:
            if viewer != self.asked:
                return []
            own = hidden_action(self.game)
            return [(int(move), words) for move, words in self.position.menu() if move != own]

    def frames(self, viewer: int) -> list[Frame]:
        """The moments of the game, with what happened, as the viewer may know of them.

        A move of somebody else of which nothing can be seen is no moment: the number of its parts
        could tell how much was written.
        """
        with self.lock:
            if self._position is None:
                return []
            return [Frame(moves, sentences) for moves, sentences
                    in enumerate(self._sentences(None if self.is_over else viewer))
                    if sentences or moves == 0 or self.is_over
                    or self.history.movers[moves - 1] == viewer]

    def _sentences(self, reader: int | None) -> list[list[str]]:
        """What the reader may know of the deal and of each move; None reads everything."""
        told = self._told.setdefault(reader, [])
        for move in range(len(told), len(self.position.logs)):
            told.append(self._tell(reader, move))
        return told

    def _tell(self, reader: int | None, move: int) -> list[str]:
        """Told once for all who may read the same of a move."""
        log = self.position.logs[move]
        seen = (move, b"" if reader is None else seen_by(log, reader).tobytes())
        if seen not in self._last_told:
            if self._last_told and next(iter(self._last_told))[0] != move:
                self._last_told.clear()
            self._last_told[seen] = self.position.told(reader, self.names, move, move + 1)
        return self._last_told[seen]

    # The clock -----------------------------------------------------------------------------------

    def tick(self, now: float) -> bool:
        """Do what the clock demands; True when it did something."""
        with self.lock:
            if self.asked is None:
                return False
            bell, due = self._bell_due(), self.move_due()
            action = hidden_action(self.game)
            if bell is not None and bell <= now and action is not None:
                self.play(self.asked, action, self.version, By.CLOCK)
            elif due is not None and due <= now:
                self.play(self.asked, default_move(self.game, self.position.legal()),
                          self.version, By.CLOCK)
            else:
                return False
            return True


EFFECTS: Mapping[EntryKind, Callable[[Match, JournalEntry], None]] = {
    EntryKind.SIT: Match._sit, EntryKind.START: Match._start, EntryKind.MOVE: Match._move,
    EntryKind.UNDO: Match._undo, EntryKind.AGREE: Match._agree, EntryKind.RESIGN: Match._resign,
    EntryKind.REMATCH: Match._rematch, EntryKind.CLOSE: Match._close,
}
