"""What a match is: read from its row and journal, changed as a whole or not at all.

The game is dealt when the last seat is taken; before that there is no position to look at.
"""

import contextlib
import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.log import seen_by
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.sentences import listed, winners_text
from exchequer.core.story import Scene, Storyteller, Telling
from exchequer.table.clocks import SHORTEST, Clock, bell_after, turn_of
from exchequer.table.contents import content_of
from exchequer.table.history import By, EntryKind, Frame, History, Part, Proposal, Result, Seat
from exchequer.table.refusals import NotNow, StaleVersion
from exchequer.table.store import Conflict, JournalEntry, Store
from exchequer.table.undo import Stays

WATCHER = NOBODY
NOT_BEGUN = "The game begins when all seats are taken."
RECENT = 32  # lines of the journal that are kept in memory
MOST_BESIDE = 10_000  # lines that are no moves, or moves that were taken back
PATIENCE = 3  # moves in a row that an agent leaves to a bot before it counts as gone


def fresh_key() -> str:
    """What a table deals and rolls from: nothing that can be seen leads to it."""
    return secrets.token_hex(32)


def opening(row: Mapping[str, Any], seats: Sequence[Seat],
            moves: Sequence[tuple[int, int]] = ()) -> list[JournalEntry]:
    """The first lines of a new match's journal."""
    now = time.time()
    entries = [JournalEntry(number, EntryKind.SIT, number - 1, None, seat.entry(), now)
               for number, seat in enumerate(seats, 1)]
    if not any(seat.is_free for seat in seats):
        entries.append(start_entry(row, len(entries) + 1, now))
    return entries + [JournalEntry(number, EntryKind.MOVE, seat, int(action), {}, now)
                      for number, (seat, action) in enumerate(moves, len(entries) + 1)]


def start_entry(row: Mapping[str, Any], number: int, at: float) -> JournalEntry:
    dealt_from = {"seed": row["seed"]} if row["seed_chosen"] else {"key": fresh_key()}
    return JournalEntry(number, EntryKind.START, data=dealt_from, at=at)


def is_same_question(before: tuple[int, list[int]], now: tuple[int, list[int]]) -> bool:
    """Whether others are still asked what several were asked together."""
    return len(before[1]) > 1 and before[0] == now[0] and set(now[1]) <= set(before[1])


class JournaledMatch:
    """A match as far as it follows from its row and journal, and how these are written on."""

    _serials = itertools.count(1)

    def __init__(self, store: Store, row: Mapping[str, Any], mode: Mode = Mode.PYTHON,
                 on_change: Callable[[Any], None] = lambda _: None,
                 first: Sequence[JournalEntry] | None = None) -> None:
        """`first` are the lines of a new match, which are not in the store yet."""
        self.store, self.row, self.mode, self.on_change = store, row, mode, on_change
        self.id: str = row["id"]
        self.serial = next(self._serials)  # of this object: a match can be read anew
        self.game: Game = find_game(row["game"])
        self.content: Content = content_of(self.game, row["overlay"])
        self.clock = Clock(**json.loads(row["clock"]))
        self.lock = threading.RLock()
        self.seats = [Seat() for _ in range(row["n_seats"])]
        self.history = History()
        self._position: Position | None = None
        self._actor = NOBODY  # asked for again and again, so it is kept
        self._question: tuple[int, list[int]] = NOBODY, []  # what is asked of which seats
        self._is_asked_alone = True
        self._told: dict[int | None, list[Telling]] = {}  # by reader and move
        self._frames: dict[int, list[Frame | None]] = {}  # by viewer and move, while it is played
        self._last_told: dict[tuple[int, Scene, bytes], Telling] = {}  # a move, by what is read
        self._stays: Stays = {}  # moves that cannot be taken back; worked out when it is asked
        self.worked_out: dict[Any, Any] = {}  # what several viewers need of the present moment
        self._unwritten: list[JournalEntry] = []
        self.recent: tuple[JournalEntry, ...] = ()  # the last lines on disk, read without a lock
        self.follow(store.journal(self.id) if first is None else first)

    # From the journal --------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read on in the journal: another process may have written there."""
        with self.lock:
            self.follow(self.store.journal(self.id, self.history.number))

    def follow(self, entries: Sequence[JournalEntry]) -> None:
        """Take lines that are on disk; those known already have had their effect."""
        for entry in entries:
            if entry.number > self.history.number:
                self._take(entry)
                self._keep_recent(entry)

    def _keep_recent(self, *entries: JournalEntry) -> None:
        self.recent = (*self.recent, *entries)[-RECENT:]

    def _take(self, entry: JournalEntry) -> None:
        """Let a line of the journal have its effect."""
        if entry.kind == EntryKind.MOVE:
            assert entry.action is not None
            self.position.take(entry.action, entry.data.get("key", ""))
        self._note(entry)

    def _note(self, entry: JournalEntry) -> None:
        """All effects of a line but that of a move on the position."""
        history, asked, question = self.history, self._actor, self._question
        history.number = entry.number
        self.worked_out.clear()
        EFFECTS[EntryKind(entry.kind)](self, entry)
        self._look_who_is_asked()
        if entry.kind == EntryKind.MOVE:
            goes_on = is_same_question(question, self._question)
            if not goes_on:
                history.ask_anew(entry.number)
            told = self._tellings(WATCHER)[-1].sentences
            self._time(entry.at, self._actor != asked or bool(told), goes_on)
        elif entry.kind == EntryKind.START:
            self._time(entry.at, is_seen=True)
        elif entry.kind != EntryKind.ANSWER or "is_last" in entry.data:
            history.changed = entry.at

    def _look_who_is_asked(self) -> None:
        position = self._position
        self._actor = position.actor if position else NOBODY
        self._question, self._is_asked_alone = (NOBODY, []), True
        if position and self._actor != NOBODY:
            # in a lesson one is asked after the other, as it is written
            seats = [self._actor] if self.row.get("lesson") else position.together
            self._question = int(position.engine.question(position.state)), seats
            self._is_asked_alone = len(seats) == 1 or position.is_answering

    def _sit(self, entry: JournalEntry) -> None:
        assert entry.seat is not None
        before, self.seats[entry.seat] = self.seats[entry.seat], Seat(**entry.data)
        if before.holder != self.seats[entry.seat].holder:
            self.history.agreed.discard(entry.seat)
            if entry.seat not in self.history.answered:
                self.history.waiting.pop(entry.seat, None)
        self._forget_told(-1)  # sentences carry names
        if self._position is not None:
            self._position.names = self.names

    def _start(self, entry: JournalEntry) -> None:
        self.history.started = entry.at
        self.history.ask_anew(entry.number)
        seed = entry.data.get("seed", self.row["seed"])  # older journals have it in the row
        self._position = Position(self.game, self.content, len(self.seats), seed, self.mode,
                                  entry.data.get("key", ""))
        self._position.names = self.names

    def _move(self, entry: JournalEntry) -> None:
        assert entry.seat is not None
        self.history.movers.append(entry.seat)
        self.history.makers.append(entry.data.get("by", By.PERSON))
        self.history.whys.append(entry.data.get("why", ""))
        self.history.versions[entry.seat] = entry.number
        self.history.waiting.pop(entry.seat, None)
        self.history.answered.discard(entry.seat)

    def _answer(self, entry: JournalEntry) -> None:
        assert entry.seat is not None and entry.action is not None
        history, data = self.history, entry.data
        history.waiting.setdefault(entry.seat, []).append(
            Part(entry.action, By(data.get("by", By.PERSON)), data.get("why", "")))
        history.versions[entry.seat] = entry.number
        if "is_last" in data:
            history.answered.add(entry.seat)

    def _undo(self, entry: JournalEntry) -> None:
        history = self.history
        if "parts" in entry.data:
            assert entry.seat is not None
            del history.waiting[entry.seat][entry.data["parts"]:]
            history.versions[entry.seat] = entry.number
            return
        left = entry.data["to"]
        while len(history.movers) > left:
            self.position.undo()
            history.movers.pop()
        del history.makers[left:], history.whys[left:]
        del history.since[left + 1:], history.turns[left + 1:]
        self._forget_told(left)
        self._forget_stays(left)
        history.ask_anew(entry.number)

    def _propose(self, entry: JournalEntry) -> None:
        assert entry.seat is not None
        data = entry.data
        self.history.proposals[data["id"]] = Proposal(data["id"], entry.seat, data["terms"],
                                                      data["turn"])

    def _settle(self, entry: JournalEntry) -> None:
        found = self.history.proposals[entry.data["id"]]
        self.history.proposals[found.number] = replace(found, became=entry.data["became"])

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

    def _time(self, at: float, is_seen: bool, goes_on: bool = False) -> None:
        """The clock begins anew with each turn, or with each move of which all can see something:
        begun with every part of a hidden answer, it would tell how many parts there are. All who
        are asked together have the same time.
        """
        history = self.history
        turn = turn_of(self.game, self.clock, self.position.state, len(history.movers))
        is_new = not history.turns or (turn != history.turns[-1] and not goes_on
                                       and (is_seen or self.clock.kind == "rules"))
        history.since.append(at if is_new else history.since[-1])
        history.turns.append(turn)
        history.is_seen = is_seen
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
        """What the first seat that is asked has seen."""
        return self.version_of(self._actor)

    def version_of(self, seat: int) -> int:
        """The entry that led to what the seat is asked: what others answer to a sealed question
        changes nothing about that.
        """
        return self.history.versions.get(seat, self.history.version)

    @property
    def asked(self) -> int | None:
        """The seat that has to answer now; of several the first, by the rules."""
        return self._actor if self.status == "running" else None

    @property
    def asked_seats(self) -> list[int]:
        """All seats that have to answer now."""
        if self.status != "running":
            return []
        if self._is_asked_alone:
            return [self._actor]
        return [seat for seat in self._question[1] if seat not in self.history.answered]

    @property
    def asked_names(self) -> str:
        return listed([self.names[seat] for seat in self.asked_seats])

    def position_of(self, seat: int) -> Position:
        """The game as the seat has it before it: with its own question first, and with what it has
        answered so far to a sealed one.
        """
        parts = self.history.waiting.get(seat, [])
        if seat not in self.asked_seats or (seat == self._actor and not parts):
            return self.position
        own = self.position.asking_first(seat)
        for part in parts:
            own.take(part.action)
        return own

    @property
    def result(self) -> Result:
        position = self.position
        if self._actor == NOBODY:
            return Result(position.scores(), position.winners(), position.ending)
        left = [seat for seat in range(len(self.seats)) if seat not in self.history.resigned]
        return Result(position.scores(), left, "resigned")

    @property
    def verdict(self) -> str:
        """Who has won and why, as a sentence."""
        if self._actor == NOBODY:
            return self.position.verdict()
        gone = listed([self.names[seat] for seat in sorted(self.history.resigned)])
        won = winners_text(sum(1 << seat for seat in self.result.winners), self.names)
        return f"The game is over: {won}, since {gone} gave up."

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
        return next((seat for seat in self.asked_seats if seat in mine),
                    mine[0] if mine else WATCHER)

    def move_due(self) -> float | None:
        """When whoever is asked runs out of time."""
        due = [self._clock_due(), *map(self.agent_due, self.asked_seats)]
        return min((at for at in due if at is not None), default=None)

    def agent_due(self, seat: int) -> float | None:
        """When a bot makes the move of an agent who is asked: soon, if it often had to."""
        if not self.seats[seat].is_agents:
            return None
        own = [maker for mover, maker in zip(self.history.movers, self.history.makers, strict=True)
               if mover == seat][-PATIENCE:]
        is_gone = own == [By.BOT] * PATIENCE
        seconds = self.seats[seat].seconds
        return self.history.since[-1] + (min(seconds, SHORTEST) if is_gone else seconds)

    def _clock_due(self) -> float | None:
        seconds = self.clock.seconds(self.game, self.content)
        if seconds is None or not self._people_asked:
            return None
        return self.history.since[-1] + seconds

    @property
    def _people_asked(self) -> list[int]:
        """The seats that have to answer and are no bot's."""
        return [seat for seat in self.asked_seats if not self.seats[seat].bot]

    def _bell_due(self) -> float | None:
        if self.history.started is None:
            return None
        after = bell_after(self.game, self.position.state, self.content)
        return None if after is None else self.history.started + after

    def cache(self, **more: Any) -> dict[str, Any]:
        """What the lobby and the clock look up; see `schema.matches`."""
        asked, seats = self.asked, self.asked_seats
        due = [at for at in (self.move_due(), self._bell_due()) if at is not None]
        story = {"story": json.dumps(self.story())} if self.is_over else {}
        return {"status": self.status, "asked": asked, "changed": self.history.changed,
                "due": min(due) if due and asked is not None else None,
                "also_asked": sum(1 << seat for seat in seats[1:]),
                "bot_asked": len(self._people_asked) < len(seats),
                **story, **more}

    def story(self) -> dict[str, Any]:
        """A finished game in words, for when the program has other rules one day."""
        result = self.result
        return {"names": self.names, "scores": result.scores, "winners": result.winners,
                "verdict": self.verdict,
                "lines": [line for told in self._tellings(None) for line in told.lines]}

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
                self._keep_recent(*self._unwritten)
            except BaseException as error:
                self.seats, self.history, self._position = seats, history, position
                self._rewind(moves)
                if isinstance(error, Conflict):
                    self.refresh()
                    raise StaleVersion("Somebody was quicker; look again.") from None
                raise
            finally:
                self._unwritten.clear()
        self.on_change(self)

    def _rewind(self, moves: Sequence[tuple[int, str]]) -> None:
        """Bring the position to these moves again: one too many was made, or some taken back."""
        position = self._position
        if position is not None:
            while len(position.actions) > len(moves):
                position.undo()
            for action, key in moves[len(position.actions):]:
                position.take(action, key)
            self._forget_told(len(moves))
            self._forget_stays(len(moves))
        self.worked_out.clear()
        self._look_who_is_asked()

    def _forget_told(self, left: int) -> None:
        """What was told of moves after the first so many; -1: of the deal, too."""
        kept: Sequence[list[Any]] = (*self._told.values(), *self._frames.values())
        for told in kept:
            del told[left + 1:]
        self._last_told.clear()

    def _forget_stays(self, left: int) -> None:
        self._stays = {move: stays for move, stays in self._stays.items() if move <= left}

    def _fresh_key(self) -> str:
        """What the next move may roll from; a chosen seed is all there is to its game."""
        return "" if self.row["seed_chosen"] else fresh_key()

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

    def _refuse_endless(self) -> None:
        """A journal is read as a whole after a restart, so what can be done again and again ends
        at some point; moves, leaving and resigning do so by themselves.
        """
        if self.history.number - len(self.history.movers) > MOST_BESIDE:
            raise NotNow("Too much was changed and taken back at this table; from now on there "
                         "are only moves.")

    def _write(self) -> None:
        """Write the new lines, and the start of the game when the last seat was taken in them."""
        if self.status == "waiting" and not any(seat.is_free for seat in self.seats):
            self._unwritten.append(start_entry(self.row, self.history.number + 1, time.time()))
            self._take(self._unwritten[-1])
        if self._unwritten:
            held = [{"seat": entry.seat, **self.seats[entry.seat].row()}
                    for entry in self._unwritten
                    if entry.kind == EntryKind.SIT and entry.seat is not None]
            self.store.append(self.id, [*self._unwritten], self.cache(seats=held))

    # Sentences ---------------------------------------------------------------------------------

    def _tellings(self, reader: int | None) -> list[Telling]:
        """What the reader may know of the deal and of each move; None reads everything."""
        told = self._told.setdefault(reader, [])
        for move in range(len(told), len(self.position.logs)):
            told.append(self._tell(reader, move, told[-1].scene if told else Scene()))
        return told

    def _tell(self, reader: int | None, move: int, scene: Scene) -> Telling:
        """Told once for all who may read the same of a move."""
        log = self.position.logs[move]
        seen = (move, scene, b"" if reader is None else seen_by(log, reader).tobytes())
        if seen not in self._last_told:
            if self._last_told and next(iter(self._last_told))[0] != move:
                self._last_told.clear()
            teller = Storyteller(self.game.words, self.content, self.names, scene)
            self._last_told[seen] = self.position.telling(teller, move, reader)
        return self._last_told[seen]


EFFECTS: Mapping[EntryKind, Callable[[JournaledMatch, JournalEntry], None]] = {
    EntryKind.SIT: JournaledMatch._sit,
    EntryKind.START: JournaledMatch._start,
    EntryKind.MOVE: JournaledMatch._move,
    EntryKind.ANSWER: JournaledMatch._answer,
    EntryKind.UNDO: JournaledMatch._undo,
    EntryKind.PROPOSE: JournaledMatch._propose,
    EntryKind.SETTLE: JournaledMatch._settle,
    EntryKind.AGREE: JournaledMatch._agree,
    EntryKind.RESIGN: JournaledMatch._resign,
    EntryKind.REMATCH: JournaledMatch._rematch,
    EntryKind.CLOSE: JournaledMatch._close,
}
