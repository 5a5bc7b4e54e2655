"""Tasks that a device and cores share: both write the same bytes, so whoever is free takes one.

Cores take one task at a time from the end. A device is slow with few games and fast with many, so
it takes many neighbouring tasks from the front, and leaves the last ones to the cores where these
will be through with them sooner. Cores that find nothing left begin with what the device still has,
and whichever comes first counts: so a device never makes a run longer.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import SimpleQueue

from exchequer.lab.arms import Chunk
from exchequer.lab.executors import Task

OnCore = Callable[[Task], Chunk]
OnDevice = Callable[[Sequence[Task]], Iterable[tuple[Task, Chunk]]]  # neighbouring tasks of one arm


class Shared:
    """Tasks that wait to be played, by both or by cores alone."""

    def __init__(self, for_both: Iterable[Task], for_cores: Iterable[Task] = (),
                 now: Callable[[], float] = time.monotonic) -> None:
        self.for_both, self.for_cores, self.now = deque(for_both), deque(for_cores), now
        self.on_device: list[Task] = []  # begun there, and by no core
        self.left = {*self.for_both, *self.for_cores}  # that nobody has played yet
        self.began, self.by_cores = now(), 0  # games that cores have played
        self._lock = threading.Lock()

    def next_one(self) -> Task | None:
        """For a core: what only cores can play comes first, what the device has begun last."""
        with self._lock:
            if self.for_cores:
                return self.for_cores.popleft()
            tasks = self.for_both or self.on_device
            return tasks.pop() if tasks else None

    def next_many(self, most: int, seconds: float) -> list[Task]:
        """For a device that takes so many seconds: neighbouring tasks of up to `most` games."""
        with self._lock:
            found: list[Task] = []
            while self._worthwhile(seconds) and self.for_both and follows(
                    found, self.for_both[0]) and sum(task.games for task in found) < most:
                found.append(self.for_both.popleft())
            self.on_device += found
            return found

    def _worthwhile(self, seconds: float) -> bool:
        """Whether the cores would need longer for what is left."""
        waiting = sum(task.games for task in (*self.for_both, *self.for_cores))
        return waiting * (self.now() - self.began) >= seconds * self.by_cores

    def is_first(self, task: Task, by_core: bool) -> bool:
        """Somebody has played it; whether nobody did so before."""
        with self._lock:
            self.by_cores += task.games if by_core else 0
            if task in self.on_device:
                self.on_device.remove(task)
            was_left = task in self.left
            self.left.discard(task)
            return was_left

    def drop(self) -> None:
        """Nobody begins anything more."""
        with self._lock:
            for tasks in (self.for_both, self.for_cores, self.on_device):
                tasks.clear()


def follows(found: Sequence[Task], task: Task) -> bool:
    """Whether a task is of the same arm as the last one and begins where that ends."""
    return not found or (found[-1].arm, found[-1].first + found[-1].games) == (task.arm, task.first)


def played(shared: Shared, cores: int, on_core: OnCore, launches: int, games: int,
           on_device: OnDevice) -> Iterator[tuple[Task, Chunk]]:
    """All tasks with their chunks, as they come: from cores, and from a device to which up to so
    many launches of so many games are sent at a time."""
    done: SimpleQueue[tuple[Task, Chunk] | BaseException] = SimpleQueue()

    def core() -> None:
        while task := shared.next_one():
            chunk = on_core(task)
            if shared.is_first(task, by_core=True):
                done.put((task, chunk))

    def device() -> None:
        seconds = 0.0
        while tasks := shared.next_many(games, seconds):
            began = time.monotonic()
            for task, chunk in on_device(tasks):
                if shared.is_first(task, by_core=False):
                    done.put((task, chunk))
            seconds = time.monotonic() - began

    def reporting(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            done.put(error)

    count = len(shared.left)
    for work in [device] * launches + [core] * cores:  # what a device is still at is not awaited
        threading.Thread(target=reporting, args=(work,), daemon=work is device).start()
    try:
        for _ in range(count):
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        shared.drop()  # what comes second is of no use to anybody
