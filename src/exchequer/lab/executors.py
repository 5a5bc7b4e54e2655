"""Executors: where games are played. All of them return the same bytes, chunk by chunk.

An executor takes arms and tasks and yields each task with its chunk, in any order.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol

from exchequer.bots.policies import policy_named
from exchequer.core.errors import InputError
from exchequer.core.find import VARIABLE
from exchequer.core.search import PolicyKind
from exchequer.lab.arms import Arm, Chunk, play

LOOKS = 40  # chunks of an arm, at the least


class Task(NamedTuple):
    """Some games of an arm."""

    arm: int
    first: int
    games: int

    @property
    def name(self) -> str:
        return f"{self.arm:04d}-{self.first:09d}-{self.games}"


class Executor(Protocol):
    """Plays tasks."""

    def chunk_size(self, arm: Arm) -> int:
        """Games of one task. Results do not depend on it."""

    def prepare(self, arms: Sequence[Arm]) -> None:
        """Compile what these arms need, before the progress bar starts."""

    def played(self, arms: Sequence[Arm], tasks: Sequence[Task]
               ) -> Iterator[tuple[Task, Chunk]]: ...


def tasks_of(arms: Sequence[Arm], size: Callable[[Arm], int]) -> list[Task]:
    return [Task(number, first, min(chunk, arm.games - first))
            for number, arm in enumerate(arms) for chunk in [size(arm)]
            for first in range(0, arm.games, chunk)]


class Cores:
    """What executors that run on CPU cores have in common."""

    def chunk_size(self, arm: Arm) -> int:
        """Games that take about a second, and few enough for somebody who watches."""
        looks = -(-arm.games // (LOOKS * arm.rotations)) * arm.rotations
        return min(self.one_second(arm), looks)

    def one_second(self, arm: Arm) -> int:
        policies = [policy_named(bot) for bot in arm.bots]
        hardest = max(policy.iterations for policy in policies)
        if hardest:
            return max(1, min(200, 2000 // hardest)) * arm.rotations
        greedy = any(policy.kind == PolicyKind.GREEDY for policy in policies)
        return (2000 if greedy else 5000) * arm.rotations

    def prepare(self, arms: Sequence[Arm]) -> None:
        for arm in {arm.game: arm for arm in arms}.values():
            play(arm, 0, 0)


class Threads(Cores):
    """All cores of this machine: compiled loops release the interpreter lock."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def played(self, arms: Sequence[Arm], tasks: Sequence[Task]
               ) -> Iterator[tuple[Task, Chunk]]:
        with ThreadPoolExecutor(self.workers) as pool:
            waiting = {pool.submit(play, arms[task.arm], task.first, task.games): task
                       for task in tasks}
            try:
                while waiting:
                    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield waiting.pop(future), future.result()
            finally:
                pool.shutdown(cancel_futures=True)


class Ray(Cores):
    """The same tasks on a Ray cluster: a running one, or one started here for the run."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise InputError("The engine ray needs Ray: pip install 'exchequer[ray]'.") from None
        self.ray, self.address, self.workers = ray, address, workers

    def played(self, arms: Sequence[Arm], tasks: Sequence[Task]
               ) -> Iterator[tuple[Task, Chunk]]:
        started = not self.ray.is_initialized()
        if started:
            self._connect()
        remote: Any = self.ray.remote(play_there)
        places = os.environ.get(VARIABLE, "")
        waiting = {remote.remote(places, arms[task.arm], task.first, task.games): task
                   for task in tasks}
        try:
            while waiting:
                done, _ = self.ray.wait(list(waiting), num_returns=1)
                yield waiting.pop(done[0]), self.ray.get(done[0])
        finally:
            for reference in waiting:
                self.ray.cancel(reference)
            if started:
                self.ray.shutdown()

    def _connect(self) -> None:
        options: dict[str, Any] = {"logging_level": "ERROR", "include_dashboard": False}
        if not self.address:
            options["num_cpus"] = self.workers or os.cpu_count()
        try:
            self.ray.init(self.address or "local", **(
                {"logging_level": "ERROR"} if self.address else options))
        except Exception as error:  # Ray raises errors of many kinds
            where = f"at {self.address}" if self.address else "on this machine"
            raise InputError(f"No Ray cluster could be reached {where}: {error}") from None


def play_there(places: str, arm: Arm, first: int, games: int) -> Chunk:
    """`play` on another machine, which finds games of one's own where this one does."""
    os.environ[VARIABLE] = places
    return play(arm, first, games)


def executor_by(name: str, workers: int | None = None, address: str | None = None) -> Executor:
    if name == "ray":
        return Ray(address, workers)
    if address:
        raise InputError("--address belongs to --engine ray.")
    if name == "gpu":
        from exchequer.lab.gpu import Gpu

        return Gpu(workers)
    if name == "threads":
        return Threads(workers)
    raise InputError(f'There is no engine "{name}"; there are threads, ray and gpu.')
