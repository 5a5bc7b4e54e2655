"""Bots at the table: seats that play through the same door, in worker threads.

A bot is asked when the journal says so, after a restart too. It is given an observation and
answers with an action; if the game has moved on meanwhile, its answer is stale and forgotten.
With several processes one of them claims a match's bots for a while; should two think
nevertheless, the journal's unique numbers let one move in.
"""

import contextlib
import heapq
import logging
import threading
import time

from exchequer.bots.bot import Bot, Thought
from exchequer.bots.policies import LEVELS, policy_named
from exchequer.core.search import PolicyKind
from exchequer.table.clocks import content_for_bots
from exchequer.table.course import By
from exchequer.table.hall import Hall
from exchequer.table.match import Match
from exchequer.table.refusals import NotNow, TableRefusal
from exchequer.table.warming import Warming

LEASE = 8.0  # seconds a process keeps a match's bots without renewing the claim
SWEEP = 0.5  # seconds between two looks at the clocks
HINT_BOT = "hard"
log = logging.getLogger("exchequer.table")


class Robots:
    """Worker threads that think for bots, and one that minds the clocks."""

    def __init__(self, hall: Hall, warming: Warming, threads: int = 2, pace: float = 0.6) -> None:
        self.hall, self.warming, self.pace = hall, warming, pace
        self.owner = hall.store.process
        self._queue: list[tuple[float, str]] = []  # when to look at which match
        self._queued: set[str] = set()
        self._claims: dict[str, float] = {}
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._work, name=f"bots-{i}", daemon=True)
                         for i in range(threads)]
        self._threads.append(threading.Thread(target=self._sweep, name="clocks", daemon=True))

    def start(self) -> None:
        self.hall.listeners.append(self.look_at)
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        with self._changed:
            self._stopped.set()
            self._changed.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(30)

    def look_at(self, match: str, after: float | None = None) -> None:
        """Have somebody look whether a bot is asked in this match."""
        with self._changed:
            if match not in self._queued:
                self._queued.add(match)
                wait = self.pace if after is None else after
                heapq.heappush(self._queue, (time.monotonic() + wait, match))
                self._changed.notify()

    # Workers -------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (match := self._next()) is not None:
            try:
                self._play(self.hall.match(match))
            except TableRefusal:
                pass  # the game has moved on
            except Exception:
                log.exception("a bot stumbled at table %s", match)
                time.sleep(0.2)

    def _next(self) -> str | None:
        with self._changed:
            while not self._stopped.is_set():
                now = time.monotonic()
                if self._queue and self._queue[0][0] <= now:
                    _, match = heapq.heappop(self._queue)
                    self._queued.discard(match)
                    return match
                self._changed.wait(self._queue[0][0] - now if self._queue else None)
            return None

    def _play(self, match: Match) -> None:
        with match.lock:
            seat, version = match.asked, match.version
            if seat is None or match.seats[seat].bot is None:
                return
            name, moves = match.seats[seat].bot or "", len(match.position.actions)
            observation = match.observation(seat)
        if not self._may_play(match, name):
            return
        bot = self._bot(match, name, seat, moves)
        content = content_for_bots(match.game, match.content)
        match.play(seat, bot.choose(observation, content, seat), version, By.BOT)

    def _may_play(self, match: Match, name: str) -> bool:
        """Whether the machine code is there and the match's bots are ours."""
        searches = policy_named(name).kind == PolicyKind.SEARCH
        if searches and not self.warming.want(match.game) and self.warming.enabled \
                and match.game.name not in self.warming.failed:
            self.look_at(match.id, 1.0)
            return False
        now = time.time()
        if self._claims.get(match.id, 0) > now + LEASE / 2:
            return True
        if not self.hall.store.claim(match.id, self.owner, now, now + LEASE):
            return False  # the sweep looks again when the other's claim has run out
        self._claims[match.id] = now + LEASE
        return True

    def _bot(self, match: Match, name: str, seat: int, moves: int) -> Bot:
        """The same bot thinks the same of the same position, after a restart too."""
        searches = policy_named(name).kind == PolicyKind.SEARCH
        mode = self.warming.mode_of(match.game) if searches else match.mode
        bot = Bot(match.game, name, match.row["seed"] % 2**31 + seat, mode)
        bot.moves = moves
        return bot

    # Clocks --------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        """Moves that are due by the clock, and bots that nobody plays any more."""
        while not self._stopped.wait(SWEEP):
            try:
                self._tick(time.time())
            except Exception:
                log.exception("the clock stumbled")

    def _tick(self, now: float) -> None:
        for found in self.hall.store.due(now):
            with contextlib.suppress(TableRefusal):  # another process was quicker
                match = self.hall.match(found)
                while match.tick(time.time()):
                    pass
        for found in self.hall.store.awaiting_bots(now, self.owner):
            self.look_at(found)

    # Hints ---------------------------------------------------------------------------------------

    def hint(self, match: Match, seat: int) -> tuple[str, Thought, dict[int, str]]:
        """Which bot was asked, what it thinks of the seat's position, and the moves in words."""
        with match.lock:
            if match.asked != seat:
                raise NotNow("There is a hint when it is your move.")
            observation, menu = match.observation(seat), dict(match.menu(seat))
            moves = len(match.position.actions)
        level = HINT_BOT if self.warming.want(match.game) else "greedy"
        bot = Bot(match.game, level, 1, self.warming.mode_of(match.game))
        bot.moves = moves
        bot.choose(observation, content_for_bots(match.game, match.content), seat)
        return level, bot.thought(), menu


LEVEL_NAMES = ("random", "greedy", *LEVELS)
