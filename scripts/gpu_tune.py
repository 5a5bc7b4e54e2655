"""Which way of starting a kernel is fastest? Prints one line for each, fastest last.

    python scripts/gpu_tune.py FOLDER --games kingdom --threads 512 1024 --registers 64 128

FOLDER is what `gpu_check.py build` makes. Every figure is the median of three runs.
"""

import argparse
import itertools
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "src"))

from exchequer.cli.bench_gpu import gpu_speed
from exchequer.core.find import find_game, game_names
from exchequer.gpu.batches import GpuEngine, Tuning
from exchequer.gpu.driver import LOCAL_BYTES, REGISTERS


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
                         **gpu_speed(engine, options.tally)})
            print(json.dumps(rows[-1]), flush=True)
    rows.sort(key=lambda row: (row["game"], row["steps_per_s"]))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    for row in rows:
        print("{game:13} {threads:4} threads, slots {slots:3}, {registers:3} registers, {blocks:5} "
              "blocks: {steps_per_s:15,.0f} steps/s".format(**row))


if __name__ == "__main__":
    main()
