"""Where the time of random games or of a search goes, by rule.

    python scripts/profile_rules.py treasury/v17
    python scripts/profile_rules.py greement --search --inlined

Every rule is kept as a function of its own, so that the samples of Linux `perf` have a name; calls
that are inlined otherwise cost a little then. With --inlined the machine code is the usual one, and
what is inlined counts for whoever called it. Needs `perf` (linux-perf) and `nm` (binutils).
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from typing import Any

from numba.core.codegen import JITCodeLibrary

from exchequer.core import build, linking, machine_code

SECONDS = 4.0
LEAST = 0.5  # per cent of the samples that a rule must have to be printed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--search", action="store_true", help="a search instead of random games")
    parser.add_argument("--inlined", action="store_true", help="the usual machine code")
    parser.add_argument("--sampled", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.sampled:
        sampled(asked)
    else:
        report(sys.argv[1:])


def report(arguments: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "samples")
        command = [sys.executable, __file__, *arguments, "--sampled"]
        if "--inlined" not in arguments:
            os.environ["EXCHEQUER_CACHE"] = str(build.cache_root() / "profiled")
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)  # compiles, if need be
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "4000", "-o", data,
                        *command], check=True)
        printed = subprocess.run(["perf", "report", "-i", data, "--stdio", "-q", "--sort",
                                  "symbol", "--percent-limit", str(LEAST)],
                                 check=True, text=True, capture_output=True).stdout
    print(printed)


def sampled(asked: argparse.Namespace) -> None:
    """What is sampled: names first, then the work."""
    if not asked.inlined:
        keep_functions()
    name_functions()
    work = search_of(asked.game) if asked.search else games_of(asked.game)
    work()
    began = time.process_time()
    done = 0
    while time.process_time() - began < SECONDS:
        done += work()
    print(f"{1e9 * (time.process_time() - began) / done:.0f} ns each", file=sys.stderr)


def games_of(name: str) -> Any:
    import numpy as np

    from exchequer.core.find import find_game

    game = find_game(name)
    engine, content = game.engine(build.Mode.COMPILED), game.content().record
    engine.prepare()
    seeds = np.arange(200, dtype=np.uint64)
    return lambda: engine.run_batch(content, game.seats[0], seeds, game.step_limit)[2]


def search_of(name: str) -> Any:
    """A search as `exchequer bench --search` measures it."""
    import numpy as np

    from exchequer.bots.bot import Bot
    from exchequer.cli.bench_search import ITERATIONS, OPENING
    from exchequer.core.find import find_game
    from exchequer.core.position import Position

    game = find_game(name)
    position, random = Position(game, seed=1, mode=build.Mode.COMPILED), np.random.default_rng(1)
    for _ in range(OPENING):
        position.play(int(random.choice(position.legal())))
    bot = Bot(game, f"mcts:{ITERATIONS}", 1, build.Mode.COMPILED)
    seat, observed = position.actor, position.observe(position.actor)

    def work() -> int:
        bot.choose(observed, position.content, seat)
        return ITERATIONS
    return work


def keep_functions() -> None:
    """Have no rule inlined, in machine code that is stored elsewhere."""
    optimize = linking.Entry._optimize_final_module

    def apart(self: Any) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.add_function_attribute("noinline")
        optimize(self)

    linking.Entry._optimize_final_module = apart  # type: ignore[method-assign]
    as_given = build.Build._jit

    def jit(self: Any, copy: Any, folder: Any) -> Any:
        copy.is_apart = True
        return as_given(self, copy, folder)

    build.Build._jit = jit  # type: ignore[method-assign]


def name_functions() -> None:
    """Tell `perf` where each function of an entry lies, compiled or loaded."""
    finalize, rebuild = linking.Entry.finalize, machine_code.Kept.rebuild

    def finalized(self: Any) -> None:
        finalize(self)
        name(self, self._get_compiled_object())

    def rebuilt(self: Any, target_context: Any, payload: Any) -> Any:
        found = rebuild(self, target_context, payload)
        (_, _, (code, _)), *_ = payload[2]
        name(found.library, code)
        return found

    linking.Entry.finalize = finalized  # type: ignore[method-assign]
    machine_code.Kept.rebuild = rebuilt  # type: ignore[method-assign]


def name(library: JITCodeLibrary, code: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(code)
        file.flush()
        lines = subprocess.run(["nm", "-n", "-S", file.name], check=True, text=True,
                               capture_output=True).stdout.splitlines()
    found = [line.split() for line in lines]
    symbols = [(int(row[0], 16), int(row[1], 16), row[3]) for row in found
               if len(row) == 4 and row[2] in "tTwW"]
    start = next(library._codegen._engine.get_function_address(symbol) - place
                 for place, _, symbol in symbols
                 if library._codegen._engine.get_function_address(symbol))
    with pathlib.Path(f"/tmp/perf-{os.getpid()}.map").open("a") as file:
        for place, size, symbol in symbols:
            file.write(f"{start + place:x} {size:x} {plain(symbol)}\n")


def plain(symbol: str) -> str:
    """`piles.move` of `_ZN9exchequer4core5piles4moveB3v14E`: each part of a name has its length."""
    parts, rest = [], symbol.removeprefix("_ZN")
    while found := re.match(r"\d+", rest):
        end = found.end() + int(found[0])
        parts.append(rest[found.end():end])
        rest = rest[end:]
    return ".".join(parts[-2:]) or symbol


if __name__ == "__main__":
    main()
