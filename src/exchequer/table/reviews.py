"""Reviews of finished games, made one after the other behind the table's back, and kept a while."""

import logging
import queue
import threading
from collections import OrderedDict

from exchequer.bots.review import Review, Reviewer
from exchequer.table.clocks import content_for_bots
from exchequer.table.history import By
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.refusals import TooMuch

KEPT = 200
MOST_PATIENT = 4  # requests that wait for a review; the others are told to ask again
MOST_WAITING = 100  # games
log = logging.getLogger("exchequer.table")


class Reviews:
    """One thread looks at games; whoever asks waits for theirs a while, and asks again."""

    def __init__(self, precompiler: Precompiler) -> None:
        self.precompiler = precompiler
        self._made: OrderedDict[str, Review | None] = OrderedDict()
        self._asked: dict[str, threading.Event] = {}
        self._waiting: queue.SimpleQueue[Match | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._patient = threading.BoundedSemaphore(MOST_PATIENT)  # each of them holds a thread
        self._thread = threading.Thread(target=self._work, name="reviews", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._waiting.put(None)

    def of(self, match: Match, seconds: float) -> Review | None:
        """The review of a game that is over; None while it is not made."""
        with self._lock:
            if match.id in self._made:
                return self._made[match.id]
            if match.id not in self._asked:
                if len(self._asked) >= MOST_WAITING:
                    raise TooMuch("Many games are being looked at; try again in a minute.", 60)
                self._asked[match.id] = threading.Event()
                self._waiting.put(match)
            asked = self._asked[match.id]
        if self._patient.acquire(blocking=False):
            try:
                asked.wait(seconds)
            finally:
                self._patient.release()
        return self._made.get(match.id)

    def is_hopeless(self, match: Match) -> bool:
        """Whether it was tried and could not be made."""
        return match.id in self._made and self._made[match.id] is None

    def _work(self) -> None:
        while (match := self._waiting.get()) is not None:
            found = None
            try:
                found = review(match, self.precompiler)
            except Exception:
                log.exception("the game at table %s could not be reviewed", match.id)
            with self._lock:
                self._made[match.id] = found
                while len(self._made) > KEPT:
                    self._made.popitem(last=False)
                self._asked.pop(match.id).set()


def review(match: Match, precompiler: Precompiler) -> Review:
    with match.lock:
        position, movers = match.position.copy(), [*match.history.movers]
        people = [move for move, by in enumerate(match.history.makers)
                  if by == By.PERSON and not match.row.get("lesson")]
        winners = match.result.winners
    content = content_for_bots(match.game, match.content)
    reviewer = Reviewer(position, movers, winners, precompiler.mode_of(match.game))
    return reviewer.review(people, content)
