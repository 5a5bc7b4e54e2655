"""Which way of starting a kernel is fastest? Prints one line for each, fastest last.

    python scripts/gpu_tune.py FOLDER --games kingdom --threads 512 1024 --registers 64 128

FOLDER is what `gpu_check.py build` makes. Every figure is the median of three runs.
"""

import argparse
import itertools
import json
import os
import pathlib
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "src"))

from exchequer.core.driver import LOCAL_BYTES, REGISTERS
from exchequer.core.find import find_game, game_names
from exchequer.core.gpu import GpuEngine, Tuning

RUNS = 3
SECONDS = 0.3  # how long one run should last


def measured(engine: GpuEngine, tally: bool) -> float:
    """Steps per second, with a batch large enough that its tail does not matter."""
    game = engine.game
    content, games = game.content().record, engine.blocks * engine.tuning.threads

    def timed() -> tuple[float, int]:
        began = time.perf_counter()
        played = engine.play(content, game.seats[0], np.arange(games, dtype=np.uint64),
                             game.step_limit, keep_tally=tally)
        return time.perf_counter() - began, int(played.totals["steps"].sum())

    timed()
    while (spent := timed()[0]) < SECONDS / 2 and games < 10**8:
        games = int(games * min(10, SECONDS / spent))
    runs = [timed() for _ in range(RUNS)]
    return statistics.median(steps / seconds for seconds, steps in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--games", nargs="*", default=game_names())
    parser.add_argument("--policy", default="random")
    parser.add_argument("--threads", nargs="*", type=int, default=[1024])
    parser.add_argument("--slots", nargs="*", type=int, default=[2048])
    parser.add_argument("--registers", nargs="*", type=int, default=[64])
    parser.add_argument("--blocks", nargs="*", type=int, default=[0])
    parser.add_argument("--tally", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    os.environ["EXCHEQUER_PTX"] = str(options.folder)
    rows = []
    for name in options.games:
        for registers, threads, slots, blocks in itertools.product(
                options.registers, options.threads, options.slots, options.blocks):
            engine = GpuEngine(find_game(name), options.policy,
                               Tuning(threads, registers, slots, blocks))
            rows.append({"game": name, "threads": threads, "slots": slots,
                         "most_registers": registers,
                         "registers": engine.kernel.attribute(REGISTERS),
                         "local_bytes": engine.kernel.attribute(LOCAL_BYTES),
                         "blocks": engine.blocks, "tally": options.tally,
                         "steps_per_s": measured(engine, options.tally)})
            print(json.dumps(rows[-1]), flush=True)
    rows.sort(key=lambda row: (row["game"], row["steps_per_s"]))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    for row in rows:
        print("{game:13} {threads:4} threads, slots {slots:3}, {registers:3} registers, {blocks:5} "
              "blocks: {steps_per_s:15,.0f} steps/s".format(**row))


if __name__ == "__main__":
    main()
