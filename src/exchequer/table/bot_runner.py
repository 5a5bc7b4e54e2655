"""Bots at the table: seats that move through the same door as people, in worker threads.

A bot is asked when the journal says so, after a restart too. It is given an observation and
answers with an action; if the game has moved on meanwhile, its answer is stale and forgotten.
Chance of bots comes from the server's secret, so that their moves say nothing about the game's.
With several processes one of them claims a match's bots for a while; should two think
nevertheless, the journal's unique numbers let one move in.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np

from exchequer.bots.bot import Bot, Thought
from exchequer.bots.policies import policy_named
from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.search import PolicyKind
from exchequer.table.clocks import content_for_bots
from exchequer.table.fair_queue import FairQueue
from exchequer.table.history import By
from exchequer.table.identity import Tokens
from exchequer.table.lessons import scripted
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler, in_time
from exchequer.table.refusals import NotNow, TableRefusal, TooMuch
from exchequer.table.registry import Registry
from exchequer.table.store import LEASE
from exchequer.table.table_setup import LEVEL_NAMES

SWEEP = 0.5  # seconds between two looks at the clocks
HOUR = 3600.0
THOUGHT_SECONDS = 5.0  # after which a bot takes the best it has found
TURN_SECONDS = 3.0  # that people wait for a bot's turn, whatever is in it
LEAST_THOUGHT = 0.3  # seconds that it may think nevertheless
MOMENT = 3  # paces that people have to propose a bot a deal, once in its turn
MOST_TURNS = 2000  # that are kept in mind
HINT_BOT, STRONGEST = "hard", LEVEL_NAMES[-1]
MOST_ASKED_FOR = 2  # hints, reasons and prices that are thought about at once
log = logging.getLogger("exchequer.table")


def opener(match: Match) -> str:
    """Who is charged for a table's thoughts: an address, as one person can be many visitors."""
    return match.row.get("opened_from") or match.row["creator"]


def leaves_people_the_word(match: Match, seat: int) -> bool:
    """Whether somebody could now make the bot an offer: it has its turn, and people play."""
    return (match.game.has_module("bargain") and match.game.has_module("habits")
            and any(one.holder and not one.bot for one in match.seats)
            and match.game.module("bargain").can_hear(match.position.state, seat))


def reason(bot: Bot, observation: np.ndarray, content: Content, seat: int, action: int) -> str:
    """What a bot that deals by habit says with its answer."""
    if not bot.searches or not bot.game.has_module("bargain"):
        return ""
    return bot.game.module("bargain").said_with(observation[0], content, seat, action)


class BotRunner:
    """Worker threads that think for bots, and one that minds the clocks."""

    def __init__(self, registry: Registry, precompiler: Precompiler, tokens: Tokens,
                 threads: int = 2, pace: float = 0.6,
                 upkeep: Callable[[float], None] = lambda _: None) -> None:
        self.registry, self.precompiler, self.tokens = registry, precompiler, tokens
        self.pace, self.upkeep = pace, upkeep
        self.owner = registry.store.process
        self.thoughts = 0
        self._queue = FairQueue()
        self._claims: dict[str, float] = {}
        self._turns: dict[str, tuple[int | None, float]] = {}  # match -> seat asked, since when
        self._given: dict[str, list[int]] = {}  # match -> the turn in which people had a moment
        self._asked_for = threading.BoundedSemaphore(MOST_ASKED_FOR)
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._work, name=f"bots-{i}", daemon=True)
                         for i in range(threads)]
        self._threads.append(threading.Thread(target=self._sweep, name="clocks", daemon=True))

    def start(self) -> None:
        self.registry.listeners.append(self.look_at)
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float = 0.4) -> None:
        """Searches end with their current part; what does not end in time is left behind."""
        self._stopped.set()
        self._queue.stop()
        end = time.monotonic() + seconds
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))

    def look_at(self, match: str, after: float | None = None) -> None:
        """Have somebody look whether a bot is asked in this match."""
        self._queue.put(match, self._pause(match) if after is None else after)

    def hurry(self, match: str) -> None:
        """Nobody needs to see this turn move by move."""
        found = self.registry.known(match)
        if found is not None:
            self._turns[match] = (found.asked, 0.0)
            self._queue.put(match, 0.0)

    def _pause(self, match: str) -> float:
        """Time for people to see what happened last: none if nobody can see anything of it, none
        where all are asked at once, and none once the bot's turn has taken long enough.
        """
        found = self.registry.known(match)
        if found is None:
            return self.pace
        if not found.history.is_seen or len(found.asked_seats) > 1:
            return 0.0
        return min(self.pace, self._left(found))

    def _left(self, match: Match) -> float:
        """Seconds that the turn of the seat that is asked may still take."""
        now = time.monotonic()
        if len(self._turns) > MOST_TURNS:
            self._turns.clear()
        seat, since = self._turns.get(match.id, (None, now))
        if seat != match.asked:
            since = now
        self._turns[match.id] = (match.asked, since)
        return max(0.0, since + TURN_SECONDS - now)

    # Workers -------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (found := self._queue.get()) is not None:
            try:
                match = self.registry.match(found)
                with self._queue.charged_to(opener(match), found):
                    self._play(match)
            except TableRefusal:
                pass  # the game has moved on
            except Exception:
                log.exception("a bot failed at table %s", found)
                self._stopped.wait(0.2)

    def _play(self, match: Match) -> None:
        with match.lock:
            found = match.next_bot(time.time())
            if found is None:
                return
            seat, name = found
            version = match.version_of(seat)
            moves = len(match.position_of(seat).actions)
            observation = match.observation(seat)
        if name not in LEVEL_NAMES:
            name = STRONGEST  # seated when tables still took any search
        if not self._may_play(match, name):
            return
        mode = self._mode(match, name)
        bot = Bot(match.game, in_time(name, mode), self.tokens.seed(match.id, seat, moves), mode)
        content = content_for_bots(match.game, match.content)
        if (proposal := match.next_proposal(seat)) is not None:
            match.take_up(seat, [proposal], "hear", version, By.BOT)
            return
        if self._gives_people_a_moment(match, seat):
            return
        action = scripted(match)
        if action is None:
            seconds = min(THOUGHT_SECONDS, max(LEAST_THOUGHT, self._left(match)))
            action = bot.choose(observation, content, seat, self._limit(seconds), self._part(bot))
        self.thoughts += 1
        if not self._stopped.is_set():
            said = reason(bot, observation, content, seat, action)
            match.play(seat, action, version, By.BOT, said)

    def _gives_people_a_moment(self, match: Match, seat: int) -> bool:
        """Once in its turn a bot waits, before it does anything: people may propose it a deal."""
        if not self.pace or not leaves_people_the_word(match, seat):
            return False
        turn = match.talk_turn()
        if self._given.get(match.id) == turn:
            return False
        if len(self._given) > MOST_TURNS:
            self._given.clear()
        self._given[match.id] = turn
        self.look_at(match.id, MOMENT * self.pace)
        return True

    def _may_play(self, match: Match, name: str) -> bool:
        """Whether the machine code is there and the match's bots are ours."""
        searches = policy_named(name).kind == PolicyKind.SEARCH
        if searches and not self.precompiler.want(match.game) and self.precompiler.enabled \
                and match.game.name not in self.precompiler.failed:
            self.look_at(match.id, 1.0)
            return False
        now = time.time()
        claimed = self._claims.get(match.id, 0)
        if now + LEASE / 2 < claimed <= now + LEASE:
            return True
        if not self.registry.store.claim(match.id, self.owner, now, now + LEASE):
            return False  # the sweep looks again when the other's claim has run out
        self._claims = {one: until for one, until in self._claims.items() if until > now}
        self._claims[match.id] = now + LEASE
        return True

    def _mode(self, match: Match, name: str) -> Mode:
        searches = policy_named(name).kind == PolicyKind.SEARCH
        return self.precompiler.mode_of(match.game) if searches else match.mode

    def _part(self, bot: Bot) -> int:
        """Iterations between two looks at the clock: some milliseconds on machine code."""
        return 20 if bot.game.name in self.precompiler.ready else 1

    def _limit(self, seconds: float = THOUGHT_SECONDS) -> Callable[[], bool]:
        end = time.monotonic() + seconds
        return lambda: self._stopped.is_set() or time.monotonic() > end

    # Clocks --------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        """Moves that are due by the clock, and bots that nobody plays any more."""
        kept_up = 0.0
        while not self._stopped.wait(SWEEP):
            try:
                now = time.time()
                self._tick(now)
                if not kept_up <= now < kept_up + HOUR:
                    kept_up = now
                    self.upkeep(now)
            except TableRefusal:
                pass  # the database is away; we look again
            except Exception:
                log.exception("the clock failed")

    def _tick(self, now: float) -> None:
        for found in self.registry.store.due(now):
            try:
                self._tick_at(self.registry.match(found), now)
            except TableRefusal:
                pass  # another process was quicker, or the table cannot be read
            except Exception:
                log.exception("the clock failed at table %s", found)
        for found in self.registry.store.awaiting_bots(now, self.owner):
            self.look_at(found)

    def _tick_at(self, match: Match, now: float) -> None:
        while match.tick(time.time()):
            pass
        if match.next_bot(now) is not None:  # an agent that does not answer
            self.look_at(match.id)

    # What people ask for -------------------------------------------------------------------------

    def hint(self, match: Match, seat: int) -> tuple[str, Thought, dict[int, str]]:
        """Which bot was asked, what it thinks of the seat's position, and the moves in words."""
        with match.lock:
            if seat not in match.asked_seats:
                raise NotNow("You can ask for a hint when it is your move.")
            observation, menu = match.observation(seat), dict(match.menu(seat))
        level = HINT_BOT if self.precompiler.want(match.game) else "greedy"
        with self.asked_for():
            bot = Bot(match.game, level, self.tokens.seed("hint", match.id, match.version),
                      self.precompiler.mode_of(match.game))
            content = content_for_bots(match.game, match.content)
            bot.consider(observation, content, seat, self._limit(), self._part(bot))
        return level, bot.thought(), menu

    @contextlib.contextmanager
    def asked_for(self) -> Iterator[None]:
        """What people ask bots to think about; only so much of it at once."""
        if not self._asked_for.acquire(blocking=False):
            raise TooMuch("Others are asking the bots right now; try again in a moment.")
        try:
            yield
        finally:
            self._asked_for.release()
