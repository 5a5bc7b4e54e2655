"""Speed of this checkout beside an older revision's, in one run.

    python scripts/compare_speed.py v0.1.0
    python scripts/compare_speed.py HEAD~20 --repeats 9 --games kingdom treasury/v17

Both revisions are measured by turns, each in a new process, so that whatever else slows the machine
slows both. Figures are medians with the smallest and the largest of the repeats; the first compile,
of all the games on all cores, is timed once. The older revision runs in the same Python with the
same libraries; each compiles into a folder of its own.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from exchequer.cli.bench import START

HERE = pathlib.Path(__file__).resolve().parents[1]
GAMES = ("kingdom", "treasury/v17", "treasury/v03", "jagged_time", "greement")

MEASURE = """
import importlib.util, json, sys
from exchequer.cli import bench, bench_envs, bench_search
from exchequer.core.find import find_game
bench.RUNS = 1
game = find_game(sys.argv[1])
found = {"random steps, million/s": bench.bench_play(game)["steps_per_s"] / 1e6,
         "search iterations, thousand/s": bench_search.search_speed(game)["iterations_per_s"] / 1e3}
if game.seats[1] > 1:
    from exchequer.envs import pettingzoo
    rate = bench_envs.rate(bench_envs.pettingzoo_random(pettingzoo.env(game.name)))
    found["PettingZoo steps, thousand/s"] = rate / 1e3
    if importlib.util.find_spec("pygame"):
        from pettingzoo.classic import connect_four_v3
        theirs = bench_envs.rate(bench_envs.pettingzoo_random(connect_four_v3.env()))
        found["PettingZoo steps, times its connect four's"] = rate / theirs
print(json.dumps(found))
"""

Figures = dict[tuple[str, str], dict[str, list[float]]]


def main() -> None:
    asked = arguments()
    found: Figures = {}
    with older_checkout(asked.revision) as older, tempfile.TemporaryDirectory() as caches:
        sides = {"before": older, "after": HERE}
        for side, folder in sides.items():
            note(found, ("all", "first compile, s"), side,
                 compile_seconds(folder, os.path.join(caches, side), asked.games))
        for _ in range(asked.repeats):
            for game in asked.games:
                for side, folder in sides.items():
                    measure(found, game, side, folder, os.path.join(caches, side))
    report(found, asked)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="a commit, tag or branch to compare with")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    return parser.parse_args()


@contextmanager
def older_checkout(revision: str) -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", folder + "/old", revision], check=True)
        try:
            yield pathlib.Path(folder, "old")
        finally:
            subprocess.run([*git, "remove", "--force", folder + "/old"], check=True)


def measure(found: Figures, game: str, side: str, folder: pathlib.Path, cache: str) -> None:
    print(f"{game}, {side}", file=sys.stderr, flush=True)
    for kind, value in json.loads(run(folder, cache, MEASURE, game)).items():
        note(found, (game, kind), side, value)
    note(found, (game, "start with warm cache, s"), side,
         json.loads(run(folder, cache, START, game)))


def run(folder: pathlib.Path, cache: str, code: str, game: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, game], cwd=folder, text=True,
                          env=environment(folder, cache), stdout=subprocess.PIPE, check=True)
    return done.stdout.splitlines()[-1]


def compile_seconds(folder: pathlib.Path, cache: str, games: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "exchequer", "warm", *games], cwd=folder, check=True,
                   env=environment(folder, cache), stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def environment(folder: pathlib.Path, cache: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder / "src"), "EXCHEQUER_CACHE": cache,
            "EXCHEQUER_PYTHON": ""}


def note(found: Figures, row: tuple[str, str], side: str, value: float) -> None:
    found.setdefault(row, {}).setdefault(side, []).append(value)


def report(found: Figures, asked: argparse.Namespace) -> None:
    print(f"| game | figure | {asked.revision} | this checkout | ratio |")
    print("|---|---|---|---|---|")
    for (game, kind), sides in sorted(found.items(), key=lambda row: (row[0][1], row[0][0])):
        before, after = (statistics.median(sides[side]) for side in ("before", "after"))
        print(f"| {game} | {kind} | {spread(sides['before'])} | {spread(sides['after'])} "
              f"| {after / before:.2f} |")


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"


if __name__ == "__main__":
    main()
