"""A match: one game at one table. People, bots and the clock all move through `play`.

Nothing but views, sentences and menus leaves it, each for one viewer: a seat, or WATCHER.
"""

import contextlib
import hashlib
from dataclasses import replace
from typing import Any

import numpy as np

from exchequer.core.position import Position, Refused
from exchequer.core.reflection import view_of
from exchequer.core.story import Line, Telling, Tone
from exchequer.table import lessons
from exchequer.table.bargains import BargainingMatch
from exchequer.table.choices import Choices, choices, entering
from exchequer.table.clocks import default_move, hidden_action
from exchequer.table.history import AGENT, By, EntryKind, Frame, Seat
from exchequer.table.journaled import NOT_BEGUN, WATCHER
from exchequer.table.names import same_name, unique_name
from exchequer.table.refusals import IllegalMove, NotNow, StaleVersion, WrongSeat
from exchequer.table.undo import undoable
from exchequer.table.watching import watched

LEAVERS_BOT = "easy"  # who takes the seat of somebody who leaves


def agent_name(name: str) -> str:
    """An agent is named as such."""
    return name if name.endswith("(agent)") else f"{name} (agent)"


def made_by(by: By, why: str) -> dict[str, Any]:
    """What a line of the journal says about who made a move."""
    return ({} if by is By.PERSON else {"by": by}) | ({"why": why} if why else {})


class Match(BargainingMatch):
    """What can be done at a table. Every method may be called from any thread."""

    # Moves -------------------------------------------------------------------------------------

    def play(self, seat: int, action: int, version: int, by: By = By.PERSON, why: str = ""
             ) -> None:
        """Make a move. It is on disk when this returns; refused, nothing has changed.

        `why` is a sentence about it, which others read when the game is over.
        """
        with self._change():
            self._refuse(seat, version)
            self._make(seat, action, by, why)

    def _make(self, seat: int, action: int, by: By, why: str = "") -> None:
        if (by is not By.CLOCK and action == hidden_action(self.game)) \
                or not 0 <= action < self.game.n_actions:
            raise IllegalMove("There is no such move in this game.")
        if word := lessons.kind_word(self, seat, action):
            raise IllegalMove(word)
        is_alone = self._is_asked_alone and seat not in self.history.waiting
        if is_alone or action == hidden_action(self.game):
            self._move_now(seat, action, by, why)
        else:
            self._answer_sealed(seat, action, by, why)

    def _answer_sealed(self, seat: int, action: int, by: By, why: str) -> None:
        """What several seats are asked at once waits until the rules come to it, part by part."""
        own = self.position_of(seat).copy()
        try:
            own.play(action)
        except Refused as refusal:
            raise IllegalMove(str(refusal)) from None
        data = made_by(by, why) | ({} if own.is_answering else {"is_last": True})
        self._take(self._entry(EntryKind.ANSWER, seat, int(action), data))
        while self._actor in self.history.answered:
            first = self._actor
            for part in self.history.waiting[first]:
                self._move_now(first, part.action, part.by, part.why)

    def _move_now(self, seat: int, action: int, by: By, why: str) -> None:
        try:
            self.position.play(action, self._fresh_key())
        except Refused as refusal:
            raise IllegalMove(str(refusal)) from None
        data = made_by(by, why)
        if key := self.position.keys[-1]:
            data["key"] = key
        self._note(self._entry(EntryKind.MOVE, seat, int(action), data))

    def enter(self, seat: int, number: int, version: int) -> None:
        """Name a number, by as many moves as the game needs for it, or by none of them."""
        with self._change():
            self._refuse(seat, version)
            actions = entering(self.position_of(seat), seat, number)
            if not actions:
                raise IllegalMove(f"{number:,} is not possible here.")
            for action in actions:
                self._make(seat, action, By.PERSON)

    def _refuse(self, seat: int, version: int) -> None:
        self._refuse_ended()
        if self.status == "waiting":
            raise NotNow(NOT_BEGUN)
        if version != self.version_of(seat):
            raise StaleVersion("The game has moved on since you saw it; look again.")
        if seat not in self.asked_seats:
            raise WrongSeat(f"It is {self.asked_names}'s move.")

    def _refuse_ended(self) -> None:
        if self.status in ("over", "closed"):
            raise NotNow(self.history.closed or "The game is over.")

    def legal(self) -> list[int]:
        """What the first seat that is asked may do; what is the clock's alone is not among it."""
        own = hidden_action(self.game)
        return [int(move) for move in self.position_of(self._actor).legal() if move != own]

    # Taking back ---------------------------------------------------------------------------------

    def undoable(self, seat: int) -> int:
        """How many moves the seat may take back now."""
        with self.lock:
            if self.status != "running":
                return 0
            if parts := self.history.waiting.get(seat):
                return len(parts) if seat in self.asked_seats else 0
            return undoable(self.position, self.history.movers, seat, self._stays)

    def undo(self, seat: int, version: int, whole_turn: bool = False) -> None:
        """Take the last move back, or all that may be taken back."""
        with self._change():
            self._refuse(seat, version)
            self._refuse_endless()
            most = self.undoable(seat)
            if not most:
                raise NotNow("Nothing can be taken back: since your last move somebody else was "
                             "asked, chance fell or something hidden was shown.")
            count = most if whole_turn else 1
            if parts := self.history.waiting.get(seat):
                self._append(EntryKind.UNDO, seat, {"parts": len(parts) - count})
            else:
                self._append(EntryKind.UNDO, seat, {"to": len(self.history.movers) - count})

    # Seats ---------------------------------------------------------------------------------------

    def sit(self, number: int, holder: str, name: str, as_agent: bool = False) -> None:
        """Take a free seat; one is enough for each visitor."""
        with self._change():
            self._refuse_taken(number)
            if self.seats_of(holder):
                raise NotNow("You have a seat at this table already.")
            free = self.seats[number]
            if free.is_agents and not as_agent:
                raise NotNow("That seat is for an agent.")
            terms = free if free.is_agents else AGENT if as_agent else Seat()
            taken = replace(terms, holder=holder, name=agent_name(name) if as_agent else name)
            self._seat(number, replace(taken, name=self._unique(taken.name, number)))

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
            self._seat(number, self._freed(number) if self.status == "waiting"
                       else self._stand_in(number))

    def remove(self, number: int, opener: str) -> None:
        """The opener frees a seat that somebody else has taken, before the game begins."""
        with self._change():
            if opener != self.row["creator"]:
                raise WrongSeat("Only whoever opened the table can free a seat.")
            if self.status != "waiting":
                raise NotNow("A seat can be freed only before the game begins.")
            if not 0 <= number < len(self.seats) or self.seats[number].is_free:
                raise NotNow("Nobody sits there.")
            self._seat(number, self._freed(number))

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

    def _freed(self, number: int) -> Seat:
        """What is an agent's seat stays one."""
        seat = self.seats[number]
        return replace(seat, holder=None, name=AGENT.name) if seat.is_agents else Seat()

    def _stand_in(self, number: int) -> Seat:
        seat = self.seats[number]
        name = self._unique(f"{seat.name} (bot)"[:60], number)
        return Seat(None, seat.fallback or LEAVERS_BOT, name)

    def rename(self, holder: str, name: str) -> None:
        with self._change():
            self._refuse_endless()
            mine = self.seats_of(holder)
            for place, number in enumerate(mine, 1):
                if len(mine) > 1 and not self.seats[number].name.endswith(f" {place}"):
                    continue  # somebody at the same screen, with a name of their own
                shown = name if len(mine) == 1 else f"{name} {place}"
                shown = agent_name(shown) if self.seats[number].is_agents else shown
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

    def private_reader(self, visitor: str, number: int) -> tuple[str, str]:
        """The visitor in a seat to whom a player may talk in private, and their name."""
        with self.lock:
            if not self.row["private_talk"]:
                raise NotNow("At this table everybody reads what is said.")
            if not self.seats_of(visitor):
                raise WrongSeat("Only players talk in private.")
            seat = self.seats[number] if 0 <= number < len(self.seats) else Seat()
            if not seat.holder or seat.holder == visitor or seat.is_agents:
                raise NotNow("Nobody sits there who could talk to you in private.")
            return seat.holder, seat.name

    def _seat(self, number: int, seat: Seat) -> None:
        self._append(EntryKind.SIT, number, seat.entry())

    def _refuse_taken(self, number: int) -> None:
        self._refuse_ended()
        self._refuse_endless()
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
            self._refuse_endless()
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
        """The version for a seat that is asked. Others get none, and it is a keyed hash: nobody
        can count the parts of another seat's answer by it.
        """
        if self.status == "running" and viewer not in self.asked_seats:
            return None
        text = f"{self.id} {self.version_of(viewer)}".encode()
        return hashlib.blake2b(text, key=self.store.key, digest_size=9).hexdigest()

    def observation(self, seat: int) -> np.ndarray:
        """What a bot is given."""
        with self.lock:
            return self.position_of(seat).observe(seat)

    def view(self, viewer: int) -> dict[str, Any] | None:
        """The game as plain data, as the viewer may see it; when it is over all is open."""
        with self.lock:
            if self._position is None:
                return None
            seen = self.seen(viewer, self.position_of(viewer))[0]
            return view_of(self.game, seen, self.content, viewer)

    def seen(self, viewer: int, position: Position) -> np.ndarray:
        if self.is_over:
            return position.whole()
        return watched(position) if viewer == WATCHER else position.observe(viewer)

    def question(self, viewer: int) -> str:
        """What the viewer is asked, empty for all others."""
        with self.lock:
            return self.position_of(viewer).question if viewer in self.asked_seats else ""

    def menu(self, viewer: int) -> list[tuple[int, str]]:
        """The viewer's moves in words; empty for all but seats that are asked."""
        with self.lock:
            if viewer not in self.asked_seats:
                return []
            own, menu = hidden_action(self.game), self.position_of(viewer).menu()
            return [(int(move), words) for move, words in menu if move != own]

    def choices(self, viewer: int, menu: list[tuple[int, str]]) -> Choices:
        """The menu as the viewer's page lays it out, with what cannot be done."""
        with self.lock:
            is_first = self.history.movers[-1:] != [viewer]
            return choices(self.position_of(viewer), viewer, menu, is_first) if menu else Choices()

    def frames(self, viewer: int) -> list[Frame]:
        """The moments of the game, with what happened, as the viewer may know of them.

        A move of somebody else of which nothing can be seen is no moment: the number of its parts
        could tell how much was written.
        """
        with self.lock:
            if self._position is None:
                return []
            told = self._tellings(None if self.is_over else viewer)
            found = [] if self.is_over else self._frames.setdefault(viewer, [])
            found += [self._frame(moves, told[moves], viewer)
                      for moves in range(len(found), len(told))]
            return [frame for frame in found if frame]

    def _frame(self, moves: int, told: Telling, viewer: int) -> Frame | None:
        late = self._time_over(moves)
        if not (late or told.sentences or moves == 0 or self.is_over
                or self.history.movers[moves - 1] == viewer):
            return None
        return Frame(moves, [line.text for line in late] + told.sentences, late + told.lines,
                     self._why(moves, viewer))

    def _time_over(self, moves: int) -> list[Line]:
        """What is said where the clock began to move for somebody, however many moves it made."""
        movers, makers = self.history.movers, self.history.makers
        if not moves or makers[moves - 1] != By.CLOCK \
                or self.position.actions[moves - 1] == hidden_action(self.game):
            return []
        seat = movers[moves - 1]
        goes_on = moves > 1 and (movers[moves - 2], makers[moves - 2]) == (seat, By.CLOCK)
        said = Line(Tone.IMPORTANT, seat, f"{self.names[seat]}'s time ran out.")
        return [] if goes_on else [said]

    def last_own_move(self, seat: int) -> int:
        """After how many moves the seat had last moved by itself; 0 if it never has."""
        movers, makers = self.history.movers, self.history.makers
        return next((number for number in range(len(movers), 0, -1)
                     if movers[number - 1] == seat and makers[number - 1] != By.CLOCK), 0)

    def is_late(self, seat: int) -> bool:
        """Whether the clock has moved for the seat since it last moved by itself."""
        history, last = self.history, self.last_own_move(seat)
        return any(mover == seat and maker == By.CLOCK for mover, maker
                   in zip(history.movers[last:], history.makers[last:], strict=True))

    def _why(self, moves: int, viewer: int) -> str:
        """What was said about the move that led here: to others only when the game is over."""
        may_read = moves and (self.is_over or self.history.movers[moves - 1] == viewer)
        return self.history.whys[moves - 1] if may_read else ""

    # The clock -----------------------------------------------------------------------------------

    def next_bot(self, now: float) -> tuple[int, str] | None:
        """A seat that is asked, and the bot that has to move there: its own, or a late agent's."""
        with self.lock:
            for number in self.asked_seats:
                seat, due = self.seats[number], self.agent_due(number)
                name = seat.fallback if due is not None and due <= now else seat.bot
                if name is not None:
                    return number, name
            return None

    def tick(self, now: float) -> bool:
        """Do what the clock demands; True when it did something."""
        with self.lock:
            if self.asked is None:
                return False
            bell, due = self._bell_due(), self._clock_due()
            action = hidden_action(self.game)
            if bell is not None and bell <= now and action is not None:
                self.play(self.asked, action, self.version, By.CLOCK)
            elif due is not None and due <= now:
                late = self._people_asked[0]
                self.play(late, default_move(self.game, self.position_of(late).legal()),
                          self.version_of(late), By.CLOCK)
            else:
                return False
            return True
