"""Batches on a GPU: the counterpart of `Engine.run_batch` for a million games at once.

    engine = GpuEngine(game)                       # or game, "greedy"
    results, tally, steps = engine.run_batch(content, seats, seeds, limit)
    totals = engine.run_totals(contents, seats, seeds, limit)    # a sweep, one row a variant

The kernel is compiled once per version (`build`, no device needed) and kept on disk (`files`).
"""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.core.game import Game
from exchequer.core.loops import Result, Tally
from exchequer.gpu.driver import Buffer, NoDevice, buffers, device
from exchequer.gpu.files import batch_kernel
from exchequer.gpu.totals import Batch, as_totals, new_kept


@dataclass(frozen=True)
class Tuning:
    """How a kernel is started; measured on an H200, see docs/gpu.md."""

    threads: int  # in a block: the more, the better its games can be sorted
    registers: int  # most for a thread; 0 leaves it to the driver
    slots: int = 2048  # games that a block of `play_large` plays at a time
    blocks: int = 0  # on each multiprocessor; 0: as many as it holds


TUNINGS = {  # by kernel
    "play_small": Tuning(threads=512, registers=128, blocks=1),  # states stay in the second cache
    "play_large": Tuning(threads=1024, registers=64),
}


def has_device() -> bool:
    try:
        device()
    except NoDevice:
        return False
    return True


# Running -----------------------------------------------------------------------------------------

class GpuEngine:
    """A game's kernel on this machine's GPU."""

    def __init__(self, game: Game, policy: str = "random", tuning: Tuning | None = None) -> None:
        device().enter()
        file = batch_kernel(game, policy)
        self.game, self.policy, self.is_small = game, policy, file.card.kernel == "play_small"
        self.tuning = tuning = tuning or TUNINGS[file.card.kernel]
        self.kernel = file.load(tuning.registers)
        self.blocks = device().multiprocessors * (
            tuning.blocks or self.kernel.blocks_at_once(tuning.threads))

    def run_batch(self, contents: Any, seats: int, seeds: np.ndarray, limit: int
                  ) -> tuple[np.ndarray, Tally, int]:
        """The same arrays as `Engine.run_batch`; with several contents a row of results each."""
        played = self.play(contents, seats, seeds, limit, keep_results=True, keep_tally=True)
        assert played.results is not None and played.tally is not None
        shape = (-1, len(seeds)) if np.ndim(contents) else (-1,)
        return (played.results.reshape(shape), played.tally,
                int(played.totals["steps"].sum()))

    def run_totals(self, contents: Any, seats: int, seeds: np.ndarray, limit: int) -> np.ndarray:
        """A sweep: each content with every seed, added up on the device, one row a content."""
        return self.play(contents, seats, seeds, limit).totals

    def play(self, contents: Any, seats: int, seeds: np.ndarray, limit: int,
             keep_results: bool = False, keep_tally: bool = False, keep_digests: bool = False
             ) -> "Played":
        device().enter()
        rows = np.atleast_1d(np.asarray(contents, self.game.schema.dtype))
        games = len(rows) * len(seeds)
        blocks = max(1, min(self.blocks, -(-games // self.tuning.threads)))
        slots = self._slots(games, blocks)
        kept = new_kept(self.game, Buffer, len(rows), blocks, slots, keep_tally,
                        results=games if keep_results else 0, digests=games if keep_digests else 0)
        batch = Batch(Buffer.of(rows), seats, Buffer.of(np.asarray(seeds, np.uint64)), limit, slots)
        with buffers((batch.contents, batch.seeds, *kept)):
            self.kernel.launch(blocks, self.tuning.threads, batch, kept)
            device().wait()
            _, totals, actions, events, results, digests = (part.get() for part in kept[:-1])
        return Played(
            as_totals(totals, len(self.game.endings)),
            Tally(actions.sum(axis=0), events.sum(axis=0)) if keep_tally else None,
            results.reshape(-1).view(Result) if keep_results else None,
            digests if keep_digests else None)

    def _slots(self, games: int, blocks: int) -> int:
        """Games that each block plays at a time: few games are spread over all blocks."""
        threads = self.tuning.threads
        wanted = -(-games // (blocks * threads)) * threads
        return threads if self.is_small else max(threads, min(self.tuning.slots, wanted))


@dataclass(frozen=True)
class Played:
    """What a launch brings home; what was not asked for stays None."""

    totals: np.ndarray  # (contents,) Totals
    tally: Tally | None
    results: np.ndarray | None  # (contents x seeds,) Result
    digests: np.ndarray | None  # (contents x seeds,) u8


@functools.cache
def gpu_engine(game: Game, policy: str = "random") -> GpuEngine:
    return GpuEngine(game, policy)


def run_batch(game: Game, contents: Any, seats: int, seeds: np.ndarray, limit: int,
              policy: str = "random") -> tuple[np.ndarray, Tally, int]:
    """The same arrays as the CPU's `Engine.run_batch`, played on the GPU."""
    return gpu_engine(game, policy).run_batch(contents, seats, seeds, limit)
