"""Does a GPU play the same games as the CPU, byte for byte?

    python scripts/gpu_check.py build FOLDER            # where Numba is: kernels and digests
    python scripts/gpu_check.py run FOLDER              # where the GPU is: play, compare, time

`build` compiles the kernels, plays every game on the CPU and keeps a digest of the final state
and the result of each, and one of all that the lab wrote down of some. `run` needs the GPU's
driver, NumPy and this repository, and no compiler; it plays on the CPU only games whose digests
were not brought along (build --random 0 --greedy 0). It also times random play. The kernels of
the vector environment are made, too, for `examples/tensors.py` with EXCHEQUER_PTX=FOLDER;
`gpu_envs.py` checks and times these.
"""

import argparse
import hashlib
import json
import os
import pathlib
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "src"))

from exchequer.cli.bench_gpu import gpu_speed
from exchequer.core.find import find_game, game_names
from exchequer.core.game import Game
from exchequer.envs.device import KINDS, env_file
from exchequer.envs.torch import TUNING as ENV_TUNING
from exchequer.gpu.batches import TUNINGS, GpuEngine
from exchequer.gpu.driver import LOCAL_BYTES, REGISTERS
from exchequer.gpu.files import KernelFile, batch_kernel, kernel_name
from exchequer.gpu.totals import POLICIES, cpu_digests
from exchequer.lab.arms import Arm, Chunk, play
from exchequer.lab.gpu import QUICK, recorder_file
from exchequer.lab.gpu import play as play_on_gpu

CHUNK = 500  # games of one task


# Where Numba is ----------------------------------------------------------------------------------

def build(options: argparse.Namespace) -> int:
    options.folder.mkdir(parents=True, exist_ok=True)
    for game in options.found:
        for policy in POLICIES:
            if count := getattr(options, policy):
                np.save(digest_file(options.folder, game, policy), expected(game, policy, count))
                print(f"{game.name}, {policy}: {count} games played on the CPU", flush=True)
        if options.lab:
            lab_file(options.folder, game).write_text(
                json.dumps(lab_digests(game, options.lab, play), indent=1) + "\n")
        save_kernels(options.folder, game, with_lab=options.lab > 0)
    return 0


def save_kernels(folder: pathlib.Path, game: Game, with_lab: bool) -> None:
    for policy in POLICIES:
        file = batch_kernel(game, policy).copied(folder, game)
        assemble(file, TUNINGS[file.card.kernel].registers)
    for kind in KINDS:
        assemble(env_file(game, kind).copied(folder, game), ENV_TUNING.registers)
    if with_lab:
        assemble(recorder_file(game, False).copied(folder, game), QUICK.registers)


def assemble(file: KernelFile, registers: int) -> None:
    from exchequer.gpu.build import machine_code

    file.assembled(registers).write_bytes(machine_code(file.path.read_bytes(), registers))
    print(f"{file.path.name} made", flush=True)


def expected(game: Game, policy: str, count: int) -> np.ndarray:
    """The CPU's digests, on all cores."""
    seeds = np.arange(count, dtype=np.uint64)
    game.engine().prepare()
    cpu_digests(game, policy, seeds[:1])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return np.concatenate(list(pool.map(
            lambda first: cpu_digests(game, policy, seeds[first : first + CHUNK]),
            range(0, count, CHUNK))))


def lab_digests(game: Game, count: int, played: Callable[[Arm, int, int], Chunk]
                ) -> dict[str, str]:
    """Digests of all that the lab writes down, by bot; a tenth of the games is greedy."""
    found = {}
    for bot, games in (("random", count), ("greedy", count // 10)):
        arm = Arm(bot, game.name, (bot,) * game.seats[0], games)
        part = played(arm, 0, games)
        found[bot] = hashlib.sha256(b"".join(
            array.tobytes() for array in (*part.rows[:-1], *part.sums))).hexdigest()
    return found


def digest_file(folder: pathlib.Path, game: Game, policy: str) -> pathlib.Path:
    return folder / f"{kernel_name(game, policy)}.npy"


def lab_file(folder: pathlib.Path, game: Game) -> pathlib.Path:
    return folder / f"{kernel_name(game, 'lab')}-digests.json"


# Where the GPU is --------------------------------------------------------------------------------

def run(options: argparse.Namespace) -> int:
    os.environ["EXCHEQUER_PTX"] = str(options.folder)
    report: list[dict[str, object]] = []
    for game in options.found:
        for policy in POLICIES:
            if count := getattr(options, policy):
                report.append(compare(options.folder, game, policy, count))
        if options.lab:
            report += compare_lab(options.folder, game, options.lab)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    differ = [entry for entry in report if entry["equal"] != entry["games"]]
    print(f"{len(report) - len(differ)} of {len(report)} comparisons equal, byte for byte")
    return 1 if differ else 0


def compare(folder: pathlib.Path, game: Game, policy: str, count: int) -> dict[str, object]:
    brought = digest_file(folder, game, policy)
    wanted = np.load(brought)[:count] if brought.exists() else expected(game, policy, count)
    began = time.perf_counter()
    engine = GpuEngine(game, policy)
    loaded = time.perf_counter() - began
    played = engine.play(game.content().record, game.seats[0],
                         np.arange(len(wanted), dtype=np.uint64), game.step_limit,
                         keep_digests=True)
    wrong = np.flatnonzero(played.digests != wanted)
    if len(wrong):
        print(f"{game.name}, {policy}: seed {wrong[0]} is the first of {len(wrong)} that differ")
    found: dict[str, object] = {
        "game": game.name, "policy": policy, "games": len(wanted),
        "equal": int(len(wanted) - len(wrong)), "load_s": loaded,
        "registers": engine.kernel.attribute(REGISTERS),
        "local_bytes": engine.kernel.attribute(LOCAL_BYTES)}
    if policy == "random":
        found |= gpu_speed(engine)
    print("{game:13} {policy:7} {equal} of {games} games equal; {registers} registers, "
          "{local_bytes} bytes of local memory".format(**found)
          + (f"; {found['steps_per_s']:,.0f} steps/s" if "steps_per_s" in found else ""),
          flush=True)
    return found


def compare_lab(folder: pathlib.Path, game: Game, count: int) -> list[dict[str, object]]:
    """The lab's loop: the same bytes in every table?"""
    wanted = json.loads(lab_file(folder, game).read_text())
    report: list[dict[str, object]] = []
    for bot, digest in lab_digests(game, count, play_on_gpu).items():
        games = count if bot == "random" else count // 10
        is_equal = digest == wanted[bot]
        report.append({"game": game.name, "policy": f"lab {bot}", "games": games,
                       "equal": games if is_equal else 0})
        print(f"{game.name:13} lab's tables of {games} {bot} games "
              f"{'equal' if is_equal else 'DIFFER'}", flush=True)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    for name, work in (("build", build), ("run", run)):
        verb = verbs.add_parser(name)
        verb.set_defaults(work=work)
        verb.add_argument("folder", type=pathlib.Path)
        verb.add_argument("--games", nargs="*", help="all when none is named")
        verb.add_argument("--random", type=int, default=100_000, help="random games of each")
        verb.add_argument("--greedy", type=int, default=2_000, help="greedy games of each")
        verb.add_argument("--lab", type=int, default=20_000, help="games of each in the lab")
        if name == "run":
            verb.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.found = [find_game(name) for name in options.games or game_names()]
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main())
