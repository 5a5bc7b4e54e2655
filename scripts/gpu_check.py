"""Does a GPU play the same games as the CPU, byte for byte?

    python scripts/gpu_check.py build FOLDER            # where Numba is: kernels and digests
    python scripts/gpu_check.py run FOLDER              # where the GPU is: play, compare, time

`build` compiles the kernels, plays every game on the CPU and keeps a digest of the final state
and the result of each, and one of all that the lab wrote down of some. `run` needs the GPU's
driver, NumPy and this repository, and no compiler; it plays on the CPU only games whose digests
were not brought along (build --random 0 --greedy 0).
"""

import argparse
import functools
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

from exchequer.core.driver import assembled
from exchequer.core.find import find_game, game_names
from exchequer.core.game import Game
from exchequer.core.gpu import POLICIES
from exchequer.lab.arms import Arm, Played, play

CHUNK = 500  # games of one task


def build(options: argparse.Namespace) -> int:
    from exchequer.core.gpu import kernel_path, save_kernels, usual_tuning
    from exchequer.core.kernels import machine_code
    from exchequer.lab.gpu import REGISTERS, recorder_path

    games = [find_game(name) for name in options.games or game_names()]
    options.folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        for policy, count in (("random", options.random), ("greedy", options.greedy)):
            if count:
                np.save(digest_file(options.folder, game, policy),
                        expected(game, policy, np.arange(count, dtype=np.uint64)))
                print(f"{game.name}, {policy}: {count} games played on the CPU", flush=True)
    if options.lab:
        written = {game.name: lab_digests(game, options.lab, play) for game in games}
        (options.folder / "lab.json").write_text(json.dumps(written, indent=1) + "\n")
    kinds = {policy: functools.partial(kernel_path, policy=policy) for policy in POLICIES}
    for path in save_kernels(options.folder, games, {**kinds, "lab": recorder_path}):
        is_lab = path.stem.endswith("-lab")
        most = REGISTERS if is_lab else usual_tuning(path).registers
        assembled(path, most).write_bytes(machine_code(path.read_bytes(), most))
        print(f"{path.name} made", flush=True)
    return 0


def lab_digests(game: Game, count: int, played: Callable[[Arm, int, int], Played]
                ) -> dict[str, str]:
    """Digests of all that the lab writes down, by bot; a tenth of the games is greedy."""
    found = {}
    for bot, games in (("random", count), ("greedy", count // 10)):
        arm = Arm(bot, game.name, (bot,) * game.seats[0], games)
        part = played(arm, 0, games)
        found[bot] = hashlib.sha256(b"".join(
            array.tobytes() for array in (*part.sheet[:-1], *part.book))).hexdigest()
    return found


def digest_file(folder: pathlib.Path, game: Game, policy: str) -> pathlib.Path:
    return folder / f"{game.name.replace('/', '-')}-{policy}.npy"


def expected(game: Game, policy: str, seeds: np.ndarray) -> np.ndarray:
    """The CPU's digests, on all cores."""
    chunks = [seeds[i : i + CHUNK] for i in range(0, len(seeds), CHUNK)]
    game.engine().prepare()
    cpu_digests(game, policy, seeds[:1])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return np.concatenate(list(pool.map(lambda some: cpu_digests(game, policy, some), chunks)))


def cpu_digests(game: Game, policy: str, seeds: np.ndarray) -> np.ndarray:
    from exchequer.core.loops import Result
    from exchequer.core.search import new_room
    from exchequer.core.totals import digest_games, digest_greedy_games

    engine, content = game.engine(), game.content().record
    desk, row = engine.desk(), np.zeros(1, Result)
    words, digests = desk.states[:1].view(np.uint64), np.zeros(len(seeds), np.uint64)
    given = desk, content, game.seats[0], seeds, game.step_limit, words, row, digests
    if policy == "random":
        engine.bind(digest_games)(*given)
    else:
        room = new_room(game.state, game.max_legal, game.n_actions, 1)
        engine.bind(digest_greedy_games)(*given, room)
    return digests


def run(options: argparse.Namespace) -> int:
    os.environ["EXCHEQUER_PTX"] = str(options.folder)
    report = []
    for name in options.games or game_names():
        for policy in ("random", "greedy"):
            count = options.random if policy == "random" else options.greedy
            if not count:
                continue
            report.append(compare(options.folder, find_game(name), policy, count))
            print("{game:13} {policy:7} {equal} of {games} games equal; {steps_per_s:,.0f} "
                  "steps/s, {registers} registers, {local_bytes} bytes of local memory, "
                  "loaded in {load_s:.1f} s".format(**report[-1]), flush=True)
    if options.lab:
        report += compare_lab(options)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if all(entry["equal"] == entry["games"] for entry in report) else 1


def compare(folder: pathlib.Path, game: Game, policy: str, count: int) -> dict[str, object]:
    from exchequer.core.driver import LOCAL_BYTES, REGISTERS
    from exchequer.core.gpu import GpuEngine

    brought = digest_file(folder, game, policy)
    wanted = np.load(brought)[:count] if brought.exists() else expected(
        game, policy, np.arange(count, dtype=np.uint64))
    began = time.perf_counter()
    engine = GpuEngine(game, policy)
    loaded = time.perf_counter()
    played = engine.play(game.content().record, game.seats[0],
                         np.arange(len(wanted), dtype=np.uint64), game.step_limit,
                         keep_digests=True)
    spent = time.perf_counter() - loaded
    wrong = np.flatnonzero(played.digests != wanted)
    if len(wrong):
        print(f"{game.name}, {policy}: seed {wrong[0]} is the first of {len(wrong)} that differ")
    return {"game": game.name, "policy": policy, "games": len(wanted),
            "equal": int(len(wanted) - len(wrong)), "load_s": loaded - began,
            "steps_per_s": int(played.totals["steps"].sum()) / spent,
            "registers": engine.kernel.attribute(REGISTERS),
            "local_bytes": engine.kernel.attribute(LOCAL_BYTES)}


def compare_lab(options: argparse.Namespace) -> list[dict[str, object]]:
    """The lab's loop: the same bytes in every table?"""
    from exchequer.lab.gpu import play as play_on_gpu

    wanted = json.loads((options.folder / "lab.json").read_text())
    report: list[dict[str, object]] = []
    for name in options.games or game_names():
        found = lab_digests(find_game(name), options.lab, play_on_gpu)
        for bot, digest in found.items():
            is_equal = digest == wanted[name][bot]
            games = options.lab if bot == "random" else options.lab // 10
            report.append({"game": name, "policy": f"lab {bot}", "games": games,
                           "equal": games if is_equal else 0})
            print(f"{name:13} lab's tables of {games} {bot} games "
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
        verb.add_argument("--lab", type=int, default=20_000, help="games of each for the lab")
        if name == "run":
            verb.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main())
