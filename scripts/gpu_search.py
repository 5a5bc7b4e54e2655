"""How fast does a GPU play games between bots that search, and are they the CPU's, byte for byte?

    python scripts/gpu_search.py build FOLDER     # where Numba is: kernels and digests
    python scripts/gpu_search.py run FOLDER       # where the GPU is: compare, then time
    python scripts/gpu_search.py share FOLDER     # where both are: as `lab run --engine gpu`

`run` needs the GPU's driver, NumPy and this repository, and no compiler. It compares the tables of
some games, stopped after a few decisions, with the CPU's, and tries out shapes (threads of a block,
registers of a thread). In the best one it plays whole games, as far as they fit into the seconds of
a game: those that are compared, then as many as were asked for. `share` needs Numba, too: the cores
play beside the GPU, as in the lab.
"""

import argparse
import hashlib
import json
import os
import pathlib
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "src"))

from exchequer.bots.policies import policy_named
from exchequer.core.find import find_game, game_names
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.measures import rules_of
from exchequer.gpu.driver import LOCAL_BYTES, NoDevice, device
from exchequer.gpu.driver import REGISTERS as USED
from exchequer.gpu.files import kernel_name
from exchequer.lab import gpu
from exchequer.lab.arms import Arm, Chunk, joined, play, work_of
from exchequer.lab.executors import Task, tasks_of
from exchequer.lab.loops import record_games

REGISTERS = 64, 128
SHAPES = [gpu.Shape(*shape) for shape in ((1, 64), (2, 64), (4, 64), (8, 64), (32, 64), (64, 64),
                                          (1, 128), (2, 128), (4, 128), (32, 128))]
TRIAL = 1.5  # seconds that a shape is tried
BEGINNING = 16  # decisions of a game that are compared in any case


def arm_of(game: Game, bot: str, games: int) -> Arm:
    return Arm(bot, game.name, (bot,) * game.seats[0], games)


def digest(rows: Sequence[np.ndarray], sums: Sequence[np.ndarray]) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in (*rows, *sums))).hexdigest()


def expected_file(game: Game, options: argparse.Namespace) -> pathlib.Path:
    return options.folder / f"{kernel_name(game, options.bot)}-{options.compare}.json"


def expected(game: Game, options: argparse.Namespace) -> dict[str, Any]:
    """What the cores wrote down where the folder was made."""
    return json.loads(expected_file(game, options).read_text())


# Where Numba is ----------------------------------------------------------------------------------

def build(options: argparse.Namespace) -> int:
    from exchequer.gpu.build import machine_code

    options.folder.mkdir(parents=True, exist_ok=True)
    for game in options.found:
        began = time.perf_counter()
        file = gpu.recorder_file(game, True).copied(options.folder, game)
        made = time.perf_counter()
        for registers in REGISTERS:
            file.assembled(registers).write_bytes(machine_code(file.path.read_bytes(), registers))
        print(f"{game.name}: kernel {made - began:.0f} s, machine code "
              f"{time.perf_counter() - made:.0f} s", flush=True)
        wanted = expected_file(game, options)
        if not wanted.exists() or options.again:
            wanted.write_text(json.dumps(on_cores(arm_of(game, options.bot, options.compare))))
            print(wanted.read_text(), flush=True)
    return 0


def on_cores(arm: Arm) -> dict[str, object]:
    """What the cores of this machine write down, of whole games and of their beginnings."""
    def some(first: int, limit: int | None = None) -> Chunk:
        work = work_of(arm, first, min(8, arm.games - first))
        loop(work._replace(limit=limit or work.limit))
        return Chunk(first, work.rows, work.sums)

    game = find_game(arm.game)
    loop = game.engine().bind(record_games, rules_of(game) | habits_of(game))
    starts = joined([some(first, BEGINNING) for first in range(0, arm.games, 8)])
    began = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        whole = joined(list(pool.map(some, range(0, arm.games, 8))))
    rows = whole.rows.games
    return {"digest": digest(whole.rows[:-1], whole.sums), "cores": os.cpu_count(),
            "beginnings": digest(starts.rows[:-1], starts.sums),
            "seconds": time.perf_counter() - began, "choices": float(rows["choices"].mean()),
            "steps": float(rows["steps"].mean()), "longest": int(rows["steps"].max())}


# Where the GPU is --------------------------------------------------------------------------------

def run(options: argparse.Namespace) -> int:
    os.environ["EXCHEQUER_PTX"] = str(options.folder)
    print(device().name, flush=True)
    report: list[str] = []
    for game in options.found:
        try:
            report += measured(game, options)
        except NoDevice as error:  # one game that crashes leaves no device to the others
            report.append(f"{game.name}: {error}")
            print("\n".join(report))
            return 1
    print("\n".join(report))
    return 0


def measured(game: Game, options: argparse.Namespace) -> list[str]:
    """Trials of all shapes, then what there is time for: the comparison, and the whole."""
    end = time.perf_counter() + options.seconds
    wanted, arm = expected(game, options), arm_of(game, options.bot, options.games)
    some = arm.of(options.compare)
    lines = [compared(some, gpu.SEARCHING, BEGINNING, wanted["beginnings"])]
    rates = {}
    for shape in [gpu.SEARCHING] if options.shape else SHAPES:
        if time.perf_counter() < end - options.seconds / 2:
            rates[shape] = rate_of(arm, shape, options.stop)
    best = max(rates, key=lambda shape: rates[shape])
    rate, needed = rates[best], options.games * wanted["choices"] / rates[best]
    lines.append(f"{game.name:13} best with {best.threads} threads, {best.registers} registers: "
                 f"{rate:,.0f} choices/s; {options.games} games need {needed:.0f} s or more")
    if time.perf_counter() + wanted["longest"] * options.games / rate < end:  # all at once
        lines.append(compared(some, best, None, wanted["digest"]))
    if time.perf_counter() + needed < end:
        lines.append(timed(arm, best))
    return lines


def compared(arm: Arm, shape: gpu.Shape, limit: int | None, wanted: str) -> str:
    """Games, or their beginnings, as the CPU has played them?"""
    kernel = gpu.recorder_of(arm.game, True, shape.registers)
    work = work_of(arm, 0, arm.games)
    began = time.perf_counter()
    rows, sums = gpu.launched(kernel, shape.threads, work._replace(limit=limit or work.limit),
                              [arm.games])
    is_equal = digest(rows, [part[0] for part in sums]) == wanted
    line = (f"{arm.game:13} tables of {arm.games} {arm.bots[0]} games"
            f"{f', {limit} decisions each,' if limit else ''} {'equal' if is_equal else 'DIFFER'}, "
            f"in {time.perf_counter() - began:.1f} s; {kernel.attribute(USED)} registers, "
            f"{kernel.attribute(LOCAL_BYTES)} local bytes")
    print(line, flush=True)
    return line


def rate_of(arm: Arm, shape: gpu.Shape, stop: int) -> float:
    """Choices a second, from games that are stopped early."""
    kernel = gpu.recorder_of(arm.game, True, shape.registers)
    seconds = 0.0
    while seconds < TRIAL / 3 and stop < 4096:
        work = work_of(arm, 0, arm.games)._replace(limit=stop)
        began = time.perf_counter()
        rows, _ = gpu.launched(kernel, shape.threads, work, [arm.games])
        seconds = time.perf_counter() - began
        choices = int(rows[0]["choices"].sum())
        print(f"{arm.game:13} {shape.threads:3} threads {shape.registers:3} registers: "
              f"{gpu.blocks_for(work, kernel, shape.threads):5} blocks, {choices} choices in "
              f"{seconds:.2f} s, {choices / seconds:,.0f}/s", flush=True)
        stop = int(stop * min(16.0, max(2.0, TRIAL / seconds)))
    return choices / seconds


def timed(arm: Arm, shape: gpu.Shape) -> str:
    kernel = gpu.recorder_of(arm.game, True, shape.registers)
    began = time.perf_counter()
    rows, _ = gpu.launched(kernel, shape.threads, work_of(arm, 0, arm.games), [arm.games])
    seconds = time.perf_counter() - began
    choices = int(rows[0]["choices"].sum())
    line = (f"{arm.game:13} {arm.games} games between {arm.bots[0]} bots in {seconds:.1f} s: "
            f"{arm.games / seconds:,.0f} games/s, at most "
            f"{choices * policy_named(arm.bots[0]).iterations / seconds:,.0f} iterations/s")
    print(line, flush=True)
    return line


# Where both are ----------------------------------------------------------------------------------

def share(options: argparse.Namespace) -> int:
    os.environ["EXCHEQUER_PTX"] = str(options.folder)
    began = time.perf_counter()
    with ProcessPoolExecutor(len(options.found), get_context("spawn")) as pool:
        list(pool.map(compiled, [game.name for game in options.found]))
    print(f"rules compiled for the cores in {time.perf_counter() - began:.0f} s", flush=True)
    executor, lines = gpu.Gpu(), []
    for game in options.found:
        lines += [compared_by(executor, game, options), shared_by(executor, game, options)]
    print("\n".join(lines))
    return 0


def compiled(name: str) -> None:
    play(arm_of(find_game(name), "hard", 0))


def compared_by(executor: gpu.Gpu, game: Game, options: argparse.Namespace) -> str:
    """The same bytes, whoever has played which of the tasks?"""
    arm = arm_of(game, options.bot, options.compare)
    executor.prepare([arm])
    whole = joined([chunk for _, chunk in executor.played([arm], tasks_of(
        [arm], executor.chunk_size))])
    is_equal = digest(whole.rows[:-1], whole.sums) == expected(game, options)["digest"]
    return f"{game.name:13} tables of {arm.games} shared games {'equal' if is_equal else 'DIFFER'}"


def shared_by(executor: gpu.Gpu, game: Game, options: argparse.Namespace) -> str:
    arm, done = arm_of(game, options.bot, options.games), 0
    started: list[int] = []
    launches: list[float] = []  # seconds of those that are through

    def noted(arms: Sequence[Arm], tasks: Sequence[Task]) -> list[tuple[Task, Chunk]]:
        started.append(sum(task.games for task in tasks))
        since = time.perf_counter()
        found = launch_tasks(arms, tasks)
        launches.append(time.perf_counter() - since)
        return found

    launch_tasks, gpu.launch_tasks = gpu.launch_tasks, noted
    began = time.perf_counter()
    for task, _ in executor.played([arm], tasks_of([arm], executor.chunk_size)):
        done += task.games
        if time.perf_counter() - began > options.seconds:
            break
    seconds, finished = time.perf_counter() - began, list(launches)
    while len(launches) < len(started):  # what cores were quicker with
        time.sleep(0.1)
    gpu.launch_tasks = launch_tasks
    line = (f"{game.name:13} {done} of {arm.games} games in {seconds:.1f} s: {done / seconds:,.0f} "
            f"games/s; {len(finished)} of {len(started)} launches of up to {max(started)} games "
            f"were through by then, in {min(launches):.1f} to {max(launches):.1f} s")
    print(line, flush=True)
    return line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    for name, work in (("build", build), ("run", run), ("share", share)):
        verb = verbs.add_parser(name)
        verb.set_defaults(work=work)
        verb.add_argument("folder", type=pathlib.Path)
        verb.add_argument("--only", nargs="*", help="games; all when none is named")
        verb.add_argument("--bot", default="hard")
        verb.add_argument("--compare", type=int, default=200, help="games that are compared")
        verb.add_argument("--games", type=int, default=10_000, help="games that are timed")
        verb.add_argument("--seconds", type=float, default=44, help="that a game may take")
        verb.add_argument("--stop", type=int, default=4, help="decisions of a first trial")
        verb.add_argument("--shape", type=int, nargs=2,
                          help="the only one to try: threads of a block, registers of a thread")
        verb.add_argument("--launches", type=int, nargs=2, help="how many, of how many games",
                          default=(gpu.LAUNCHES, gpu.GAMES_OF_A_LAUNCH))
        verb.add_argument("--again", action="store_true", help="play on the cores once more")
    options = parser.parse_args()
    options.found = [find_game(name) for name in options.only or game_names()]
    gpu.SEARCHING = gpu.Shape(*options.shape or gpu.SEARCHING)
    gpu.LAUNCHES, gpu.GAMES_OF_A_LAUNCH = options.launches
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main())
