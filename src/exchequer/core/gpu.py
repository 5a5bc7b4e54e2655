"""Batches on a GPU: the counterpart of `Engine.run_batch` for a million games at once.

    engine = GpuEngine(game)                       # or game, "greedy"
    results, tally, steps = engine.run_batch(content, seats, seeds, limit)
    totals = engine.run_totals(contents, seats, seeds, limit)    # a sweep, one row a variant

The kernel is compiled once per version with Numba (`core/kernels.py`, no device needed) and kept
beside the CPU's machine code. Where there is no compiler, EXCHEQUER_PTX names a folder of kernels
made elsewhere by `scripts/gpu_check.py build`.
"""

import functools
import hashlib
import importlib.util
import json
import os
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.core.build import cache_root
from exchequer.core.chance import Chance
from exchequer.core.driver import Buffer, Kernel, NoDevice, buffers, device, image_at
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.loops import Result, Tally
from exchequer.core.totals import (
    ENDINGS,
    FAULTS,
    GAMES,
    MAX_SEATS,
    SCORES,
    SQUARES,
    STEPS,
    WHOLE,
    WINS,
)

POLICIES = ("random", "greedy")
NO_EXTRA = "The rules cannot be compiled for a GPU here: pip install 'exchequer[gpu]'."
RESULT_WORDS, CHANCE_WORDS = Result.itemsize // 8, Chance.itemsize // 8


@dataclass(frozen=True)
class Tuning:
    """How a kernel is started; measured on an H200, see docs/gpu.md."""

    threads: int  # in a block: the more, the better its games can be sorted
    registers: int  # most for a thread; 0 leaves it to the driver
    slots: int = 2048  # games that a block of `play_large` plays at a time
    blocks: int = 0  # on each multiprocessor; 0: as many as it holds


SMALL = Tuning(threads=512, registers=128, blocks=1)  # so many states stay in the second cache
LARGE = Tuning(threads=1024, registers=64)


def can_compile() -> bool:
    return importlib.util.find_spec("numba_cuda") is not None


def has_device() -> bool:
    try:
        device()
    except NoDevice:
        return False
    return True


# Kernels on disk ---------------------------------------------------------------------------------

def kernel_path(game: Game, policy: str) -> pathlib.Path:
    """The PTX of a game's kernel for batches by one policy."""
    if policy not in POLICIES:
        raise InputError(f'A GPU plays {" or ".join(POLICIES)}, not "{policy}".')

    def bound() -> Any:
        from exchequer.core.kernels import batches

        return batches(game, policy)

    return kernel_at(game, policy, bound)


def kernel_at(game: Game, kind: str, bound: Callable[[], Any]) -> pathlib.Path:
    """The PTX of a kernel: brought along, or compiled on first need."""
    if folder := os.environ.get("EXCHEQUER_PTX"):
        return brought_kernel(pathlib.Path(folder), game, kind)
    if not can_compile():
        raise InputError(NO_EXTRA)
    return compiled_kernel(game, kind, bound())


def compiled_kernel(game: Game, kind: str, bound: Any) -> pathlib.Path:
    """One process compiles, others wait and then load."""
    from filelock import FileLock

    stem = f"{game.name.replace('/', '-')}-{kind}"
    path = cache_root() / f"{stem}-gpu-{bound.fingerprint()}" / f"{stem}.ptx"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path.parent}.lock"):
            if not path.exists():
                unfinished = path.with_suffix(".part")
                unfinished.write_text(bound.ptx())
                unfinished.replace(path)
    return path


def prove_compiles(game: Game) -> None:
    """Compile all rules for a device, in haste and for nothing but the proof; once per version."""
    from exchequer.core.kernels import batches

    bound = batches(game, "greedy")  # what looks ahead reaches every rule
    proof = cache_root() / f"{game.name.replace('/', '-')}-gpu-{bound.fingerprint()}.proof"
    if not proof.exists():
        bound.ptx(level=0)
        proof.parent.mkdir(parents=True, exist_ok=True)
        proof.touch()


def save_kernels(folder: pathlib.Path, games: Iterable[Game],
                 kinds: Mapping[str, Callable[[Game], pathlib.Path]]) -> Iterator[pathlib.Path]:
    """Kernels to take to a machine without a compiler, with the sources they were made of."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {}
    for game in games:
        manifest[game.name] = sources_of(game)
        for kind, made in kinds.items():
            path = folder / kernel_name(game, kind)
            path.write_bytes(made(game).read_bytes())
            yield path
    (folder / "kernels.json").write_text(json.dumps(manifest, indent=1) + "\n")


def kernel_name(game: Game, policy: str) -> str:
    return f"{game.name.replace('/', '-')}-{policy}.ptx"


def brought_kernel(folder: pathlib.Path, game: Game, policy: str) -> pathlib.Path:
    path = folder / kernel_name(game, policy)
    if not path.exists():
        raise InputError(f"EXCHEQUER_PTX={folder} holds no kernel {path.name}.")
    if json.loads((folder / "kernels.json").read_text()).get(game.name) != sources_of(game):
        raise InputError(f"{path} was made from other rules than those here; make it again.")
    return path


def sources_of(game: Game) -> str:
    """Names the text of core and game; unlike bytecode it is the same for every Python."""
    digest = hashlib.sha256()
    here = pathlib.Path(__file__).parent
    for path in (*sorted(here.glob("*.py")), *sorted(game.folder.rglob("*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def load_kernel(path: pathlib.Path, registers: int) -> Kernel:
    """Put a kernel on the device."""
    return Kernel(image_at(path, registers), entry_of(path), registers)


def entry_of(path: pathlib.Path) -> str:
    """The name of the kernel in a file."""
    name = re.search(r"\.entry\s+(\w+)", path.read_text())
    assert name, f"{path} is no PTX"
    return name.group(1)


def is_small(path: pathlib.Path) -> bool:
    return "play_small" in entry_of(path)


def usual_tuning(path: pathlib.Path) -> Tuning:
    return SMALL if is_small(path) else LARGE


# Running -----------------------------------------------------------------------------------------

class GpuEngine:
    """A game's kernel on this machine's GPU."""

    def __init__(self, game: Game, policy: str = "random", tuning: Tuning | None = None) -> None:
        device().enter()
        path = kernel_path(game, policy)
        self.game, self.policy, self.is_small = game, policy, is_small(path)
        self.tuning = tuning = tuning or usual_tuning(path)
        self.kernel = load_kernel(path, tuning.registers)
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
        game, device_ = self.game, device()
        device_.enter()
        rows = np.atleast_1d(np.asarray(contents, game.schema.dtype))
        games = len(rows) * len(seeds)
        threads = self.tuning.threads
        blocks = max(1, min(self.blocks, -(-games // threads)))
        slots = self._slots(games, blocks)
        kept = blocks if keep_tally else 0
        given = (Buffer.of(rows), Buffer.of(np.asarray(seeds, np.uint64)))
        taken = (Buffer((1,), np.int64), Buffer((len(rows), ENDINGS + len(game.endings)), np.int64),
                 Buffer((blocks, game.n_actions if kept else 0), np.int64),
                 Buffer((blocks, game.n_events if kept else 0, game.n_things), np.int64),
                 Buffer((games if keep_results else 0, RESULT_WORDS), np.uint64),
                 Buffer((games if keep_digests else 0,), np.uint64),
                 Buffer((blocks * slots, game.state.itemsize // 8 + CHANCE_WORDS), np.uint64))
        with buffers((*given, *taken)):
            self.kernel.launch(blocks, threads, given[0], seats, given[1], limit, slots,
                               *taken)
            device_.wait()
            _, totals, actions, events, results, digests = (buffer.get() for buffer in taken[:-1])
        return Played(
            as_totals(totals, len(game.endings)),
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


def totals_type(endings: int) -> np.dtype:
    return np.dtype([("games", "i8"), ("steps", "i8"), ("squares", "i8"), ("faults", "i8"),
                     ("wins", "f8", MAX_SEATS), ("scores", "i8", MAX_SEATS),
                     ("endings", "i8", endings)])


def as_totals(sums: np.ndarray, endings: int) -> np.ndarray:
    """The device's rows of numbers, with names; wins in whole games."""
    totals = np.zeros(len(sums), totals_type(endings))
    for name, column in (("games", GAMES), ("steps", STEPS), ("squares", SQUARES),
                         ("faults", FAULTS)):
        totals[name] = sums[:, column]
    totals["wins"] = sums[:, WINS : WINS + MAX_SEATS] / WHOLE
    totals["scores"] = sums[:, SCORES : SCORES + MAX_SEATS]
    totals["endings"] = sums[:, ENDINGS:]
    return totals


@functools.cache
def gpu_engine(game: Game, policy: str = "random") -> GpuEngine:
    return GpuEngine(game, policy)


def run_batch(game: Game, contents: Any, seats: int, seeds: np.ndarray, limit: int,
              policy: str = "random") -> tuple[np.ndarray, Tally, int]:
    """The same arrays as the CPU's `Engine.run_batch`, played on the GPU."""
    return gpu_engine(game, policy).run_batch(contents, seats, seeds, limit)
