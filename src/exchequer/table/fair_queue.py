"""A fair queue: of all tables whose bots are due, the one goes first whose opener has had the
least thinking lately. However many tables one person opens, the others do not wait behind them.
"""

import contextlib
import threading
import time
from collections.abc import Iterator

HALF_LIFE = 60.0  # seconds after which half of what was used is forgotten
FORGOTTEN = 0.05  # seconds of use that are as good as none
MOST_KEPT = 2000  # openers, and tables that have been looked at


class FairQueue:
    """Every method may be called from any thread."""

    def __init__(self) -> None:
        self._due: dict[str, float] = {}  # when to look at which table
        self._owner: dict[str, str] = {}  # who opened it, once it was looked at
        self._used: dict[str, tuple[float, float]] = {}  # seconds by opener, as of when
        self._busy: set[str] = set()  # one thought for each table
        self._changed = threading.Condition()
        self._stopped = False

    def put(self, table: str, after: float = 0.0) -> None:
        with self._changed:
            if table not in self._due:
                self._due[table] = time.monotonic() + after
                self._changed.notify()

    def get(self) -> str | None:
        """The next table, when it is due; None when the queue was stopped."""
        with self._changed:
            while not self._stopped:
                now = time.monotonic()
                free = [table for table in self._due if table not in self._busy]
                due = [table for table in free if self._due[table] <= now]
                if due:
                    return self._take(min(due, key=lambda table: (self._used_by(table, now),
                                                                  self._due[table])))
                wait = min((self._due[table] for table in free), default=None)
                self._changed.wait(None if wait is None else wait - now)
            return None

    def _take(self, table: str) -> str:
        del self._due[table]
        return table

    def _used_by(self, table: str, now: float) -> float:
        used, at = self._used.get(self._owner.get(table, ""), (0.0, now))
        return used * 0.5 ** ((now - at) / HALF_LIFE)

    @contextlib.contextmanager
    def charged_to(self, owner: str, table: str) -> Iterator[None]:
        """What is done inside is charged to whoever opened the table."""
        with self._changed:
            self._owner[table] = owner
            self._busy.add(table)
        began = time.monotonic()
        try:
            yield
        finally:
            now = time.monotonic()
            with self._changed:
                self._busy.discard(table)
                self._used[owner] = (self._used_by(table, now) + now - began, now)
                if max(len(self._used), len(self._owner)) > MOST_KEPT:
                    self._forget(now)
                self._changed.notify()

    def _forget(self, now: float) -> None:
        self._used = {owner: (used, at) for owner, (used, at) in self._used.items()
                      if used * 0.5 ** ((now - at) / HALF_LIFE) > FORGOTTEN}
        self._owner = {table: owner for table, owner in self._owner.items()
                       if table in self._due or table in self._busy}

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
