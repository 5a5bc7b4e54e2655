"""Writes that wait for each other go to disk together.

A commit waits for the disk, some milliseconds each time, and the rows themselves cost far less.
Whoever comes while one is under way is written with all others who came meanwhile, by the first of
them. If anything of that fails, each is written alone, so that nobody bears another's error.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from sqlalchemy.engine import Connection

Write = Callable[[Connection], None]


class Waiting:
    """One write, and what became of it."""

    def __init__(self, write: Write) -> None:
        self.write = write
        self.is_done = False
        self.error: BaseException | None = None


class SharedCommits:
    """For a database with one writer at a time."""

    def __init__(self, writing: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._writing = writing  # a transaction, on disk when it has ended
        self._waiting: list[Waiting] = []
        self._list, self._disk = threading.Lock(), threading.Lock()

    def run(self, write: Write) -> None:
        """It is on disk when this returns; it may be called twice, the first time for nothing."""
        mine = Waiting(write)
        with self._list:
            self._waiting.append(mine)
        with self._disk:
            if not mine.is_done:
                self._write_all()
        if mine.error is not None:
            raise mine.error

    def _write_all(self) -> None:
        with self._list:
            together, self._waiting = self._waiting, []
        if len(together) == 1 or not self._on_disk(together):
            for one in together:
                self._on_disk([one])

    def _on_disk(self, together: Sequence[Waiting]) -> bool:
        error: BaseException | None = None
        try:
            with self._writing() as connection:
                for one in together:
                    one.write(connection)
        except BaseException as failure:
            error = failure
        for one in together:
            one.is_done, one.error = True, error
        return error is None
