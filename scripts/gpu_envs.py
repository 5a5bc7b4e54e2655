"""The vector environment on a GPU: the CPU's rows, byte for byte, and how fast.

    python scripts/gpu_envs.py build FOLDER         # where Numba is: machine code and digests
    python FOLDER/scripts/gpu_envs.py run FOLDER    # where the GPU is, with PyTorch and NumPy

`build` compiles the kernels, plays the games in `VectorEnv` and keeps a digest of all that each
was shown. It also copies the package, this script and `examples/tensors.py`, so that FOLDER is all
that has to travel.
`run` plays the same games in `GpuVectorEnv`, compares, and measures random play: each line is a
game, a number of games at once and a way of starting the kernels, with the median of the runs.
"""

import argparse
import itertools
import json
import os
import pathlib
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "src"))

from exchequer.core.find import find_game, game_names
from exchequer.core.game import Game
from exchequer.envs.device import KINDS, env_file
from exchequer.envs.torch import DeviceGames, GpuVectorEnv, Tuning
from exchequer.gpu.driver import LOCAL_BYTES, REGISTERS
from exchequer.gpu.files import kernel_name

HERE = pathlib.Path(__file__).parents[1]
CHECKED_GAMES, CHECKED_STEPS, SEED = 1024, 700, 5
PARTS = ("observations", "masks", "rewards", "terminations", "truncations", "actors", "movers",
         "finals")
PRIME, ROUND = 1_000_003, 31  # of the digests; products wrap, in both libraries alike
NEVER = 2**62
RUNS, SECONDS, MOST_STEPS = 5, 0.1, 20  # of a measurement; how long one run should last
WARM_SECONDS, WARM_STEPS = 2.0, 300  # until games are in different places: whichever ends first
SORTED_FROM = {"both": (0, 0), "move": (0, NEVER), "look": (NEVER, 0), "none": (NEVER, NEVER),
               "graph": (0, NEVER)}  # games from which on each kernel takes them in order
ROOM = 120 * 2**30  # bytes of the device that rows may take


# What both sides compute -------------------------------------------------------------------------

def chosen(masks: Any, step: int, games: Any) -> Any:
    """A legal action for each game that looks random, and is the same everywhere."""
    up_to = masks.cumsum(1)
    nth = (games * 7919 + step * 104_729 + games * step * 31) % 1_000_000_007 % up_to[:, -1]
    return (up_to <= nth[:, None]).sum(1)


def stirred(digests: Any, numbers: Any, weights: Any) -> Any:
    """The digests with a row of whole numbers each taken in."""
    return digests * ROUND + (numbers * weights[:numbers.shape[1]]).sum(1)


def weights_of(game: Game) -> np.ndarray:
    from exchequer.core.rows import layout_of

    return (np.arange(max(layout_of(game).width, game.n_actions), dtype=np.int64) + 1) * PRIME


# Where Numba is ----------------------------------------------------------------------------------

def build(options: argparse.Namespace) -> int:
    from exchequer.gpu.build import machine_code

    copy_program(options.folder)
    for game in options.found:
        for seats in seats_of(game):
            np.save(digest_file(options.folder, game, seats), expected(game, seats))
        for kind in KINDS:
            file = env_file(game, kind)
            text = file.path.read_bytes()
            file = file.copied(options.folder, game)
            for registers in options.registers:
                file.assembled(registers).write_bytes(machine_code(text, registers))
            file.path.unlink()  # machine code is smaller
            print(f"{file.path.stem} made", flush=True)
    return 0


def copy_program(folder: pathlib.Path) -> None:
    for part in ("src", "scripts", "examples"):
        shutil.rmtree(folder / part, ignore_errors=True)
    for path in (HERE / "src").rglob("*"):
        if path.suffix in (".py", ".toml", ".md"):  # what runs without a compiler needs no more
            to = folder / path.relative_to(HERE)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)
    for path in (pathlib.Path(__file__), HERE / "examples" / "tensors.py",
                 HERE / "examples" / "ppo_policy.py"):
        (folder / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, folder / path.parent.name)


def seats_of(game: Game) -> list[int]:
    return sorted(set(game.seats))


def digest_file(folder: pathlib.Path, game: Game, seats: int) -> pathlib.Path:
    return folder / f"{kernel_name(game, 'env')}-{seats}.npy"


def expected(game: Game, seats: int) -> np.ndarray:
    """A digest for each game, and one for each step and part, of what the CPU shows."""
    from exchequer.envs.vector import VectorEnv

    envs = VectorEnv(game, CHECKED_GAMES, seats, copy=False)
    weights = weights_of(game)

    def whole(array: np.ndarray) -> np.ndarray:
        words = array.view(np.int32) if array.dtype == np.float32 else array
        return words.reshape(len(array), -1).astype(np.int64)

    envs.reset(seed=SEED)
    with np.errstate(over="ignore"):
        return digests_of(envs.rows, envs.step, whole, weights, np.arange(CHECKED_GAMES), np.stack)


# The same on both sides, whose arrays have methods of the same names -----------------------------

def digests_of(rows: Any, play: Callable[[Any], Any], whole: Callable[[Any], Any], weights: Any,
               games: Any, stack: Callable[[list[Any]], Any]) -> Any:
    """One column a part: games first, then steps."""
    own = [games * 0 for _ in PARTS]
    steps = []
    for step in range(CHECKED_STEPS):
        play(chosen(whole(rows.masks), step, games))
        now = [stirred(games * 0, whole(getattr(rows, part)), weights) for part in PARTS]
        own = [old * ROUND + new for old, new in zip(own, now, strict=True)]
        steps.append(stack([(new * (games * 2 + 1)).sum() for new in now]))
    return stack([*(stack(list(row)) for row in stack(own).T), *steps])


# Where the GPU is --------------------------------------------------------------------------------

def run(options: argparse.Namespace) -> int:
    os.environ["EXCHEQUER_PTX"] = str(options.folder)
    import torch

    print(torch.cuda.get_device_name(), "torch", torch.__version__, flush=True)
    report: list[dict[str, Any]] = []
    began = time.monotonic()
    for game in options.found:
        report += [compared(options.folder, game, seats) for seats in seats_of(game)]
    for game, games in itertools.product(options.found, options.at_once):
        if games * room_of(game) < ROOM:
            report += measured(game, games, options)
            torch.cuda.empty_cache()
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    differ = [entry for entry in report if entry.get("equal", 0) != entry.get("games", 0)]
    print(f"{time.monotonic() - began:.0f} s; "
          f"{'all games equal' if not differ else f'{len(differ)} comparisons DIFFER'}")
    return 1 if differ else 0


def room_of(game: Game) -> int:
    from exchequer.core.rows import layout_of

    return 8 * layout_of(game).width + 2 * game.state.itemsize + 10 * game.n_actions


def compared(folder: pathlib.Path, game: Game, seats: int) -> dict[str, Any]:
    """Whether the device shows what the CPU has shown."""
    import torch

    began = time.monotonic()
    envs = GpuVectorEnv(game, CHECKED_GAMES, seats)
    envs.reset(seed=SEED)

    def whole(tensor: Any) -> Any:
        words = tensor.view(torch.int32) if tensor.dtype == torch.float32 else tensor
        return words.reshape(len(tensor), -1).long()

    def on_device(numbers: np.ndarray) -> Any:
        return torch.from_numpy(numbers).to(envs.device)

    found = digests_of(envs.rows, envs.step, whole, on_device(weights_of(game)),
                       on_device(np.arange(CHECKED_GAMES)), torch.stack).cpu().numpy()
    wanted = np.load(digest_file(folder, game, seats))
    equal = int((found == wanted)[:CHECKED_GAMES].all(axis=1).sum())
    print(f"{game.name:13} {seats} seats: {equal} of {CHECKED_GAMES} games of {CHECKED_STEPS} "
          f"steps equal ({time.monotonic() - began:.1f} s)", flush=True)
    if equal < CHECKED_GAMES:
        step, part = np.argwhere((found != wanted)[CHECKED_GAMES:])[0]
        print(f"    first in step {step}: {PARTS[part]}", flush=True)
    return {"game": game.name, "seats": seats, "games": CHECKED_GAMES, "equal": equal}


def measured(game: Game, games: int, options: argparse.Namespace) -> list[dict[str, Any]]:
    envs, found = GpuVectorEnv(game, games, checked=False), []
    spread(envs)
    for threads, registers, way in itertools.product(options.threads, options.registers,
                                                     options.ways):
        envs.games = DeviceGames(envs, Tuning(threads, registers, *SORTED_FROM[way]))
        found.append({"game": game.name, "at_once": games, "threads": threads,
                      "registers": registers, "way": way} | speeds(envs, way == "graph"))
        print("{game:13} {at_once:9,} games {threads:4} threads {registers:4} registers {way:6}"
              "{steps_per_s:14,.0f} steps/s, with the choice {loop_per_s:14,.0f}  {kinds}".format(
                  **found[-1]), flush=True)
    return found


def spread(envs: GpuVectorEnv) -> None:
    """Play at random until the games are in different places, or for some seconds."""
    import torch

    envs.reset(seed=SEED)
    began = time.monotonic()
    for _ in range(WARM_STEPS):
        envs.step(envs.sample())
        torch.cuda.synchronize()
        if time.monotonic() - began > WARM_SECONDS:
            return


def speeds(envs: GpuVectorEnv, as_graph: bool) -> dict[str, Any]:
    """Medians of random play: with and without choosing, and where the time of a step goes."""
    def turn() -> None:
        envs.step(envs.sample())

    turn()  # PyTorch sets up what it needs
    loop = median_seconds(as_one_launch(turn) if as_graph else turn)
    choice = median_seconds(as_one_launch(envs.sample) if as_graph else envs.sample)
    return {"steps_per_s": envs.num_envs / max(loop - choice, 1e-9),
            "loop_per_s": envs.num_envs / loop, "kinds": where_time_goes(envs)}


def as_one_launch(turn: Callable[[], Any]) -> Callable[[], None]:
    """What PyTorch starts in a turn, recorded once and started as a whole."""
    import torch

    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        turn()
    return graph.replay


def median_seconds(play: Callable[[], Any]) -> float:
    """Of one call, by the device's own clock."""
    import torch

    def timed(steps: int) -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(steps):
            play()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1000 / steps

    steps = max(2, min(MOST_STEPS, int(SECONDS / timed(1))))
    return statistics.median(timed(steps) for _ in range(RUNS))


def where_time_goes(envs: GpuVectorEnv) -> str:
    """Nanoseconds a game of parts of a step; what is left is `move` and some of PyTorch's."""
    games = envs.games
    order = games._sorted("look", games.keys)
    kinds = {"sort": games.keys.argsort,
             "look": lambda: games._start("look", envs.num_envs, order),
             "rows": lambda: games._start("rows", envs.num_envs * 32)}
    spent = " ".join(f"{kind} {1e9 * median_seconds(play) / envs.num_envs:.1f}"
                     for kind, play in kinds.items())
    kernels = " ".join(f"{kind} {kernel.attribute(REGISTERS)}r {kernel.attribute(LOCAL_BYTES)}b"
                       for kind, kernel in games.kernels.items())
    return f"ns a game: {spent}; {kernels}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    for name, work in (("build", build), ("run", run)):
        verb = verbs.add_parser(name)
        verb.set_defaults(work=work)
        verb.add_argument("folder", type=pathlib.Path)
        verb.add_argument("--games", nargs="*", help="all when none is named")
        verb.add_argument("--registers", nargs="*", type=int, default=[64, 128],
                          help="most for a thread")
        if name == "run":
            verb.add_argument("--at-once", nargs="*", type=int, default=[65_536, 1_000_000])
            verb.add_argument("--threads", nargs="*", type=int, default=[128], help="of a block")
            verb.add_argument("--ways", nargs="*", default=["both", "move", "none"],
                              help="for which kernels games are sorted; graph: as for move, and "
                              "started as one graph")
            verb.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.found = [find_game(name) for name in options.games or game_names()]
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main())
