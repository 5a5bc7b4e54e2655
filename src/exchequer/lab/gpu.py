"""The executor `gpu`: this machine's GPU, and beside it its cores.

It plays the same loop as every executor (`kernels.py` binds it) and writes the same bytes. What
random and greedy bots play goes to the GPU alone. Where bots search, GPU and cores take from the
same tasks (`sharing.py`); bots with a network, or that look for sure wins, stay on the cores.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from exchequer.bots.policies import policy_for, policy_named
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.gpu.driver import Buffer, Kernel, buffers, device, own_stream
from exchequer.gpu.files import KernelFile, kernel_file
from exchequer.lab.arms import Arm, Chunk, content_of, work_of
from exchequer.lab.arms import play as play_on_core
from exchequer.lab.executors import Task, Threads
from exchequer.lab.recording import Rows, Sums, Work
from exchequer.lab.sharing import Shared, played

GAMES_AT_A_TIME = 200_000
MOST_BLOCKS = 32  # that a multiprocessor holds at a time
GAMES_OF_A_LAUNCH, LAUNCHES = 512, 4  # where bots search: launches run side by side
MEMORY_SHARE = 0.5  # of what is free on the device, for the threads' own arrays


class Shape(NamedTuple):
    """How a kernel is started; measured on an H200, see docs/gpu.md."""

    threads: int  # of a block
    registers: int  # of a thread


QUICK, SEARCHING = Shape(256, 64), Shape(4, 64)


class Gpu(Threads):
    """A GPU beside the cores."""

    def __init__(self, workers: int | None = None) -> None:
        super().__init__(workers)
        device()  # without one, fail before anything is compiled or played

    def chunk_size(self, arm: Arm) -> int:
        if searches(arm):
            return super().chunk_size(arm)
        return GAMES_AT_A_TIME // arm.rotations * arm.rotations

    def prepare(self, arms: Sequence[Arm]) -> None:
        super().prepare(arms)
        for arm in filter(suits_device, arms):
            recorder_of(arm.game, searches(arm), shape_for(arm).registers)

    def played(self, arms: Sequence[Arm], tasks: Sequence[Task]
               ) -> Iterator[tuple[Task, Chunk]]:
        for task in tasks:
            if not searches(arms[task.arm]):
                yield task, play(arms[task.arm], task.first, task.games)
        tasks = [task for task in tasks if searches(arms[task.arm])]
        shared = Shared([task for task in tasks if suits_device(arms[task.arm])],
                        [task for task in tasks if not suits_device(arms[task.arm])])
        yield from played(shared, self.workers,
                          lambda task: play_on_core(arms[task.arm], task.first, task.games),
                          LAUNCHES, GAMES_OF_A_LAUNCH, lambda tasks: launch_tasks(arms, tasks))


def launch_tasks(arms: Sequence[Arm], tasks: Sequence[Task]) -> list[tuple[Task, Chunk]]:
    """Neighbouring tasks of one arm, beside what else the device is doing."""
    with own_stream():
        chunks = play_parts(arms[tasks[0].arm], tasks[0].first, [task.games for task in tasks])
    return list(zip(tasks, chunks, strict=True))


# Which bots --------------------------------------------------------------------------------------

def searches(arm: Arm) -> bool:
    """Whether one of its bots does."""
    return any(policy_named(bot).iterations > 0 for bot in arm.bots)


def suits_device(arm: Arm) -> bool:
    """Whether a device can play its bots: none asks a network or looks for a sure win."""
    game = find_game(arm.game)
    content = content_of(arm, game).hash
    return all(policy_named(bot).finish == 0
               and policy_for(game, content, arm.seats, bot)[1] is None for bot in arm.bots)


def shape_for(arm: Arm) -> Shape:
    return SEARCHING if searches(arm) else QUICK


# Kernels -----------------------------------------------------------------------------------------

@functools.cache
def recorder_of(name: str, searching: bool, registers: int) -> Kernel:
    """A game's kernel, on the device."""
    device().enter()
    kernel = recorder_file(find_game(name), searching).load(registers)
    if searching:
        kernel.leave_room(MOST_BLOCKS)
    return kernel


def recorder_file(game: Game, searching: bool) -> KernelFile:
    """The kernel of the lab's loop for a game."""
    return kernel_file(game, "lab-search" if searching else "lab",
                       functools.partial(compilable, game, searching))


def compilable(game: Game, searching: bool) -> Any:
    from exchequer.lab.kernels import recorder

    some = Arm("some", game.name, ("greedy",) * game.seats[0], games=1)
    sums_of = np.zeros(1, np.int64)
    return recorder(game, laid_out(work_of(some, 0, 1), sums_of, 1, 1, np.zeros, np.asarray),
                    searching)


def laid_out(work: Work, sums_of: np.ndarray, sums: int, threads: int, new: Callable[..., Any],
             put: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """What the kernel is given: work with a row per thread and rows of sums, for each job the
    row that it adds to, and a counter.

    `new` makes an array of zeros and `put` copies one to where the kernel runs.
    """
    def rows(count: int, parts: Any) -> Any:
        return type(parts)(*(new((count, *part.shape), part.dtype) for part in parts))

    buffers = rows(threads, work.buffers)
    space = rows(threads, work.workspace)._replace(  # the only part that does not begin blank
        child_of=put(np.tile(work.workspace.child_of, (threads, 1))))
    scratch = rows(threads, work.scratch)._replace(rng=put(work.scratch.rng),
                                                   words=buffers.states.view(np.uint32))
    actions = new((threads, *work.rows.actions.shape), np.int32)
    return work._replace(
        buffers=buffers, contents=put(work.contents), jobs=put(work.jobs),
        design=type(work.design)(*map(put, work.design)), workspace=space,
        rows=Rows(*[*map(put, work.rows[:-1]), actions]), sums=rows(sums, work.sums),
        scratch=scratch), put(sums_of), new((1,), np.int64)


def row_bytes(work: Work) -> int:
    """How much of the device's memory one thread needs."""
    parts = (*work.buffers, *work.workspace, *work.scratch, work.rows.actions)
    return sum(part.nbytes for part in parts)


# Playing -----------------------------------------------------------------------------------------

def play(arm: Arm, first: int, games: int) -> Chunk:
    """As `arms.play`, on the GPU."""
    return play_parts(arm, first, [games])[0]


def play_parts(arm: Arm, first: int, parts: Sequence[int]) -> list[Chunk]:
    """Neighbouring chunks of an arm, of so many games each, in one launch."""
    shape = shape_for(arm)
    kernel = recorder_of(arm.game, searches(arm), shape.registers)
    rows, sums = launched(kernel, shape.threads, work_of(arm, first, sum(parts)), parts)
    return apart(first, parts, rows, sums)


def launched(kernel: Kernel, threads: int, work: Work, parts: Sequence[int]
             ) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Rows of all games, and sums of each part."""
    device().enter()
    blocks = blocks_for(work, kernel, threads)
    each = max(1, blocks // len(parts))  # rows of sums for a part: threads that add wait in turn
    sums_of = np.concatenate([np.arange(count) % each + each * i for i, count in enumerate(parts)])
    made: list[Buffer] = []

    def kept(buffer: Buffer) -> Buffer:
        made.append(buffer)
        return buffer

    with buffers(made):
        arguments = laid_out(work, sums_of, each * len(parts), blocks * threads,
                             lambda *a: kept(Buffer(*a)), lambda array: kept(Buffer.of(array)))
        kernel.launch(blocks, threads, *arguments)
        device().wait()
        there = arguments[0]
        rows, sums = [part.get() for part in there.rows[:-1]], [part.get() for part in there.sums]
    return rows, [part.reshape(len(parts), each, *part.shape[1:]).sum(axis=1) for part in sums]


def blocks_for(work: Work, kernel: Kernel, threads: int) -> int:
    """As many as games need, the device holds, and its memory has room for."""
    fitting = int(device().free_bytes() * MEMORY_SHARE) // (row_bytes(work) * threads)
    return max(1, min(fitting, -(-len(work.jobs) // threads),
                      device().multiprocessors * kernel.blocks_at_once(threads)))


def apart(first: int, parts: Sequence[int], rows: list[np.ndarray], sums: list[np.ndarray]
          ) -> list[Chunk]:
    """One chunk for each part. Only the first games have a course: slices end where it ends."""
    ends = np.cumsum(parts).tolist()
    return [Chunk(first + end - count,
                  Rows(*[*(part[end - count : end] for part in rows), np.zeros(0, np.int32)]),
                  Sums(*[part[number] for part in sums]))
            for number, (count, end) in enumerate(zip(parts, ends, strict=True))]
