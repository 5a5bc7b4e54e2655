"""A match: one game at one table. `play` is the only door, for people, bots and the clock.

What a match is follows from its row and its journal; whatever is kept here besides is made from
them. Nothing but views, sentences and menus leaves it, each for one viewer: a seat, or WATCHER.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.table.clocks import Clock, bell_after, default_move, hidden_action, turn_of
from exchequer.table.course import By, Course, Frame, Kind, Seat
from exchequer.table.refusals import IllegalMove, NotNow, StaleVersion, WrongSeat
from exchequer.table.store import Conflict, Entry, Store
from exchequer.table.undo import undoable
from exchequer.table.watching import watched

WATCHER = NOBODY
LEAVERS_BOT = "easy"  # who takes the seat of somebody who leaves


class Match:
    """One table. Every method may be called from any thread."""

    def __init__(self, store: Store, row: Mapping[str, Any], mode: Mode = Mode.PYTHON,
                 on_change: Callable[[str], None] = lambda _: None,
                 first: list[Entry] | None = None) -> None:
        """`first` are the lines of a new match, which are not in the store yet."""
        self.store, self.row, self.mode, self.on_change = store, row, mode, on_change
        self.id: str = row["id"]
        self.game: Game = find_game(row["game"])
        self.content: Content = self.game.content(json.loads(row["overlay"]))
        self.clock = Clock(**json.loads(row["clock"]))
        self.lock = threading.RLock()
        self._begin()
        if first is None:
            self.refresh()
        for entry in first or []:
            self._take(entry)

    # From the journal --------------------------------------------------------------------------

    def _reload(self) -> None:
        self._begin()
        self.refresh()

    def _begin(self) -> None:
        self.seats = [Seat() for _ in range(self.row["n_seats"])]
        self.course = Course()
        self.position = Position(self.game, self.content, self.row["n_seats"], self.row["seed"],
                                 self.mode)
        self._told: dict[int | None, list[list[str]]] = {}  # by reader and move
        self._past: Position | None = None
        self._actor = self.position.actor

    def refresh(self) -> None:
        """Read on in the journal: another process may have written there."""
        with self.lock:
            for entry in self.store.journal(self.id, self.course.number):
                self._take(entry)

    def _take(self, entry: Entry) -> None:
        """Let a line of the journal have its effect."""
        self._change(entry)
        self._actor = self.position.actor  # asked for again and again, so it is kept

    def _change(self, entry: Entry) -> None:
        course = self.course
        course.number = entry.number
        if entry.kind == Kind.SIT:
            assert entry.seat is not None
            self.seats[entry.seat] = Seat(**entry.data)
            course.agreed.discard(entry.seat)
            self._told.clear()  # sentences carry names
        elif entry.kind == Kind.START:
            course.started, course.version = entry.at, entry.number
            self._time(entry.at)
        elif entry.kind == Kind.MOVE:
            assert entry.seat is not None and entry.action is not None
            self.position.take(entry.action)
            course.movers.append(entry.seat)
            course.makers.append(entry.data.get("by", By.PERSON))
            course.version = entry.number
            self._time(entry.at)
        elif entry.kind == Kind.UNDO:
            self._take_back(entry)
        elif entry.kind == Kind.AGREE:
            assert entry.seat is not None
            (course.agreed.add if entry.data["yes"] else course.agreed.discard)(entry.seat)
        elif entry.kind == Kind.REMATCH:
            course.rematch = entry.data["match"]

    def _take_back(self, entry: Entry) -> None:
        course, left = self.course, entry.data["to"]
        while len(course.movers) > left:
            self.position.undo()
            course.movers.pop()
        del course.makers[left:], course.since[left + 1:], course.turns[left + 1:]
        for told in self._told.values():
            del told[left + 1:]
        course.version = entry.number

    def _time(self, at: float) -> None:
        """The clock begins anew with each turn, or with each move."""
        course = self.course
        turn = turn_of(self.game, self.clock, self.position.state, len(course.movers))
        is_new = not course.turns or turn != course.turns[-1]
        course.since.append(at if is_new else course.since[-1])
        course.turns.append(turn)

    # Facts -------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        if self.course.started is None:
            return "waiting"
        return "over" if self._actor == NOBODY else "running"

    @property
    def is_over(self) -> bool:
        return self.status == "over"

    @property
    def version(self) -> int:
        return self.course.version

    @property
    def asked(self) -> int | None:
        """The seat that has to answer now."""
        return self._actor if self.status == "running" else None

    @property
    def names(self) -> list[str]:
        return [seat.name or f"Seat {number + 1}" for number, seat in enumerate(self.seats)]

    @property
    def people(self) -> set[str]:
        return {seat.holder for seat in self.seats if seat.holder}

    def seats_of(self, visitor: str) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.holder == visitor]

    def first_seat(self, visitor: str) -> int:
        """From where somebody looks who has not said it.

        Who holds several seats in a game with secrets shares a screen: he looks on as a watcher
        until he says which of them he is.
        """
        mine = self.seats_of(visitor)
        if len(mine) > 1 and not self.is_over and any(map(self.position.has_secrets, mine)):
            return WATCHER
        if self.asked in mine:
            return self.asked
        return mine[0] if mine else WATCHER

    def move_due(self) -> float | None:
        """When the person who is asked runs out of time."""
        seconds = self.clock.seconds(self.game, self.content)
        if seconds is None or self.asked is None or self.seats[self.asked].bot:
            return None
        return self.course.since[-1] + seconds

    def _bell_due(self) -> float | None:
        after = bell_after(self.game, self.position.state, self.content)
        return None if after is None or self.course.started is None else self.course.started + after

    def cache(self, **more: Any) -> dict[str, Any]:
        """What the lobby and the clock look up; see `schema.matches`."""
        asked = self.asked
        due = [at for at in (self.move_due(), self._bell_due()) if at is not None]
        return {"status": self.status, "asked": asked, "changed": time.time(),
                "due": min(due) if due and asked is not None else None,
                "bot_asked": asked is not None and self.seats[asked].bot is not None, **more}

    # The one door ------------------------------------------------------------------------------

    def play(self, seat: int, action: int, version: int, by: By = By.PERSON) -> None:
        """Make a move. It is on disk when this returns; refused, nothing has changed."""
        with self.lock:
            self._refuse(seat, version)
            if action not in self.legal() and not (by is By.CLOCK and action in
                                                   self.position.legal()):
                raise IllegalMove(self._why_not(action))
            self._append(Kind.MOVE, seat, int(action), {} if by is By.PERSON else {"by": by})

    def _refuse(self, seat: int, version: int) -> None:
        if self.status != "running":
            raise NotNow("The game is over." if self.is_over
                         else "The game begins when all seats are taken.")
        if version != self.version:
            raise StaleVersion("The game has moved on since you saw it; look again.")
        if seat != self.asked:
            raise WrongSeat(f"It is {self.names[self.position.actor]}'s move.")

    def _why_not(self, action: int) -> str:
        if not 0 <= action < self.game.n_actions or action == hidden_action(self.game):
            return "There is no such move in this game."
        return self.position.refusal(action) or "That is not among the moves."

    def legal(self) -> list[int]:
        """What the asked seat may do; what is the clock's alone is not among it."""
        own = hidden_action(self.game)
        return [int(move) for move in self.position.legal() if move != own]

    def why_not(self, seat: int, text: str) -> str:
        """The game's own sentence for a move that cannot be made now, empty when it can."""
        with self.lock:
            self._refuse(seat, self.version)
            action = self.game.words.TEXTS.action(text)
            return "" if action in self.legal() else self._why_not(action)

    def _append(self, kind: Kind, seat: int | None, action: int | None = None,
                data: Mapping[str, Any] | None = None, sits: list[int] | None = None) -> None:
        """Write a line and let it have its effect; when it cannot be written, it has none."""
        entries = [Entry(self.course.number + 1, kind, seat, action, data or {}, time.time())]
        self._take(entries[0])
        if self.status == "waiting" and not any(s.is_free for s in self.seats):
            entries.append(Entry(self.course.number + 1, Kind.START, at=time.time()))
            self._take(entries[1])
        held = [{"seat": number, **self.seats[number].entry()} for number in sits or []]
        try:
            self.store.append(self.id, entries, self.cache(seats=held))
        except Conflict:
            self._reload()
            raise StaleVersion("Somebody was quicker; look again.") from None
        except BaseException:
            self._reload()
            raise
        self.on_change(self.id)

    # Taking back ---------------------------------------------------------------------------------

    def undoable(self, seat: int) -> int:
        """How many moves the seat may take back now."""
        with self.lock:
            if self.status != "running":
                return 0
            return undoable(self.position, self.course.movers, seat)

    def undo(self, seat: int, version: int, whole_turn: bool = False) -> None:
        """Take the last move back, or all that may be taken back."""
        with self.lock:
            self._refuse(seat, version)
            most = self.undoable(seat)
            if not most:
                raise NotNow("Nothing can be taken back: since your last move somebody else was "
                             "asked, chance fell or something hidden was shown.")
            left = len(self.course.movers) - (most if whole_turn else 1)
            self._append(Kind.UNDO, seat, data={"to": left})

    # Seats ---------------------------------------------------------------------------------------

    def sit(self, number: int, holder: str, name: str) -> None:
        """Take a free seat."""
        with self.lock:
            if not 0 <= number < len(self.seats) or not self.seats[number].is_free:
                raise NotNow("That seat is not free.")
            self._seat(number, Seat(holder, None, name))

    def leave(self, number: int, holder: str) -> None:
        """Stand up: before the game the seat is free again, in the game a bot takes it."""
        with self.lock:
            self._refuse_other(number, holder)
            if self.is_over:
                raise NotNow("The game is over.")
            bot = None if self.status == "waiting" else LEAVERS_BOT
            name = f"{self.seats[number].name} (bot)" if bot else ""
            self._seat(number, Seat(None, bot, name[:60]))

    def seat_bot(self, number: int, bot: str, name: str) -> None:
        """Let a bot take a free seat."""
        with self.lock:
            if not 0 <= number < len(self.seats) or not self.seats[number].is_free:
                raise NotNow("That seat is not free.")
            self._seat(number, Seat(None, bot, name))

    def rename(self, holder: str, name: str) -> None:
        with self.lock:
            mine = self.seats_of(holder)
            for place, number in enumerate(mine):
                shown = name if len(mine) == 1 else f"{name} {place + 1}"
                self._seat(number, replace(self.seats[number], name=shown))

    def _seat(self, number: int, seat: Seat) -> None:
        self._append(Kind.SIT, number, data=seat.entry(), sits=[number])

    def _refuse_other(self, number: int, holder: str) -> None:
        if not 0 <= number < len(self.seats) or self.seats[number].holder != holder:
            raise WrongSeat("You do not hold that seat.")

    # Hints, rematch ------------------------------------------------------------------------------

    def agree(self, number: int, holder: str, yes: bool) -> None:
        """Agree to hints, or no longer."""
        with self.lock:
            self._refuse_other(number, holder)
            self._append(Kind.AGREE, number, data={"yes": yes})

    @property
    def hints_allowed(self) -> bool:
        """Alone against bots always; among people when all of them agree."""
        held = [number for number, seat in enumerate(self.seats) if seat.holder]
        return len(self.people) <= 1 or all(number in self.course.agreed for number in held)

    def name_rematch(self, match: str) -> None:
        with self.lock:
            self._append(Kind.REMATCH, None, data={"match": match})

    # What leaves ---------------------------------------------------------------------------------

    def observation(self, seat: int) -> np.ndarray:
        """What a bot is given."""
        with self.lock:
            return self.position.observe(seat)

    def view(self, viewer: int, position: Position | None = None) -> dict[str, Any]:
        """The game as plain data, as the viewer may see it; when it is over all is open."""
        with self.lock:
            here = position or self.position
            return self.game.module("view").view(self.seen(viewer, here)[0], self.content, viewer)

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
            reader = None if self.is_over else viewer
            told = self._told.setdefault(reader, [])
            for move in range(len(told), len(self.position.logs)):
                told.append(self.position.told(reader, self.names, move, move + 1))
            return [Frame(moves, sentences) for moves, sentences in enumerate(told)
                    if sentences or moves == 0 or self.is_over
                    or self.course.movers[moves - 1] == viewer]

    def at(self, moves: int) -> Position:
        """The position after so many moves, for replays. One is kept, so that scrubbing is cheap;
        it is the caller's as long as he holds the lock.
        """
        with self.lock:
            actions, past = self.position.actions, self._past
            if past is None or past.actions != actions[: len(past.actions)]:
                past = self._past = Position(self.game, self.content, self.row["n_seats"],
                                             self.row["seed"], self.mode)
            while len(past.actions) > moves:
                past.undo()
            for action in actions[len(past.actions):moves]:
                past.take(action)
            return past

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
