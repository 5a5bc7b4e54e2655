"""The executor `gpu`: random and greedy games on this machine's GPU, all others on its cores.

It plays the same loop as every executor (`kernels.py` binds it) and writes the same bytes.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from exchequer.bots.policies import policy_named
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.gpu.driver import Buffer, Kernel, buffers, device
from exchequer.gpu.files import KernelFile, kernel_file
from exchequer.lab.arms import Arm, Chunk, work_of
from exchequer.lab.executors import Task, Threads
from exchequer.lab.recording import Rows, Sums, Work

GAMES_AT_A_TIME = 200_000
THREADS, REGISTERS = 256, 64  # of a block, of a thread; measured on an H200, see docs/gpu.md
MEMORY_SHARE = 0.5  # of what is free on the device, for the threads' own arrays


class Gpu(Threads):
    """A GPU beside the cores."""

    def __init__(self, workers: int | None = None) -> None:
        super().__init__(workers)
        device()  # without one, fail before anything is compiled or played

    def chunk_size(self, arm: Arm) -> int:
        if not is_quick(arm):
            return super().chunk_size(arm)
        return GAMES_AT_A_TIME // arm.rotations * arm.rotations

    def prepare(self, arms: Sequence[Arm]) -> None:
        super().prepare(arms)
        for arm in filter(is_quick, arms):
            recorder_of(arm.game)

    def played(self, arms: Sequence[Arm], tasks: Sequence[Task]
               ) -> Iterator[tuple[Task, Chunk]]:
        for task in tasks:
            if is_quick(arms[task.arm]):
                yield task, play(arms[task.arm], task.first, task.games)
        yield from super().played(arms, [t for t in tasks if not is_quick(arms[t.arm])])


def is_quick(arm: Arm) -> bool:
    """True when none of its bots searches."""
    return all(policy_named(bot).iterations == 0 for bot in arm.bots)


@functools.cache
def recorder_of(name: str) -> Kernel:
    """A game's kernel, on the device."""
    device().enter()
    return recorder_file(find_game(name)).load(REGISTERS)


def recorder_file(game: Game) -> KernelFile:
    """The kernel of the lab's loop for a game."""
    return kernel_file(game, "lab", functools.partial(compilable, game))


def compilable(game: Game) -> Any:
    from exchequer.lab.kernels import recorder

    some = Arm("some", game.name, ("greedy",) * game.seats[0], games=1)
    return recorder(game, laid_out(work_of(some, 0, 1), 1, 1, np.zeros, np.asarray))


def laid_out(work: Work, blocks: int, threads: int, new: Callable[..., Any],
             put: Callable[..., Any]) -> tuple[Any, Any]:
    """What the kernel is given: work with a row per thread and sums per block; a counter.

    `new` makes an array of zeros and `put` copies one to where the kernel runs.
    """
    def rows(count: int, parts: Any) -> Any:
        return type(parts)(*(new((count, *part.shape), part.dtype) for part in parts))

    buffers = rows(threads, work.buffers)
    scratch = rows(threads, work.scratch)._replace(rng=put(work.scratch.rng),
                                                   words=buffers.states.view(np.uint32))
    actions = new((threads, *work.rows.actions.shape), np.int32)
    return work._replace(
        buffers=buffers, contents=put(work.contents), jobs=put(work.jobs),
        design=type(work.design)(*map(put, work.design)), workspace=rows(threads, work.workspace),
        rows=Rows(*[*map(put, work.rows[:-1]), actions]), sums=rows(blocks, work.sums),
        scratch=scratch), new((1,), np.int64)


def row_bytes(work: Work) -> int:
    """How much of the device's memory one thread needs."""
    parts = (*work.buffers, *work.workspace, *work.scratch, work.rows.actions)
    return sum(part.nbytes for part in parts)


def play(arm: Arm, first: int, games: int) -> Chunk:
    """As `arms.play`, on the GPU."""
    work, kernel = work_of(arm, first, games), recorder_of(arm.game)
    device().enter()
    fitting = int(device().free_bytes() * MEMORY_SHARE) // (row_bytes(work) * THREADS)
    blocks = max(1, min(fitting, -(-games // THREADS),
                        device().multiprocessors * kernel.blocks_at_once(THREADS)))
    made: list[Buffer] = []

    def kept(buffer: Buffer) -> Buffer:
        made.append(buffer)
        return buffer

    with buffers(made):
        there, counter = laid_out(work, blocks, blocks * THREADS, lambda *a: kept(Buffer(*a)),
                                  lambda array: kept(Buffer.of(array)))
        kernel.launch(blocks, THREADS, there, counter)
        device().wait()
        rows = [part.get() for part in there.rows[:-1]]
        sums = [part.get().sum(axis=0) for part in there.sums]
    return Chunk(first, Rows(*[*rows, np.zeros(0, np.int32)]), Sums(*sums))
