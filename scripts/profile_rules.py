"""Where the time of random games or of a search goes, by rule and by line.

    python scripts/profile_rules.py treasury/v17
    python scripts/profile_rules.py greement --search --lines 40

The machine code is the usual one, compiled once more with a table of lines, so that a sample of
Linux `perf` in a rule that was inlined counts for that rule. `self` is what a rule does by itself,
`all` includes what was inlined into it, but not what it calls. Needs `perf` (linux-perf), and
`addr2line` and `nm` (binutils).
"""

import argparse
import bisect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from numba.core import lowering
from numba.core.codegen import JITCodeLibrary

from exchequer.core import build, linking, machine_code

SECONDS = 4.0
LEAST = 0.5  # per cent of the samples that a rule must have to be printed


class Place(NamedTuple):
    """Where a function lies in memory, and in which file at what offset."""

    start: int
    size: int
    file: str
    offset: int


class Frame(NamedTuple):
    """A rule and the line of it."""

    rule: str
    line: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--search", action="store_true", help="a search instead of random games")
    parser.add_argument("--lines", type=int, default=0, help="print so many lines, too")
    parser.add_argument("--sampled", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.sampled:
        sampled(asked)
    else:
        report(asked)


def report(asked: argparse.Namespace) -> None:
    os.environ["EXCHEQUER_CACHE"] = str(build.cache_root() / "profiled")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, *sys.argv[1:], "--sampled", folder]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)  # compiles, if need be
        for file in pathlib.Path(folder).iterdir():
            file.unlink()
        data = os.path.join(folder, "samples")
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "4000", "-o", data,
                        *command], check=True)
        samples = output("perf", "script", "-i", data, "-F", "ip").split()
        print_shares(list(stacks(folder, [int(sample, 16) for sample in samples])), asked.lines)


def print_shares(found: list[list[Frame]], lines: int) -> None:
    """Shares of the samples in compiled code: Python's own are left out."""
    alone = Counter(stack[0].rule for stack in found)
    inlined = Counter(rule for stack in found for rule in {frame.rule for frame in stack})
    print("  self   all")
    for rule, count in inlined.most_common():
        if 100 * count >= LEAST * len(found):
            print(f"{100 * alone[rule] / len(found):6.1f}{100 * count / len(found):6.1f}  {rule}")
    for line, count in Counter(stack[0].line for stack in found).most_common(lines):
        print(f"{100 * count / len(found):6.1f}  {line}")


# The frames of a sample -------------------------------------------------------------------------

def stacks(folder: str, samples: list[int]) -> Iterator[list[Frame]]:
    """The rule in which each sample lies, and those it was inlined into."""
    places = sorted(read_places(folder))
    starts = [place.start for place in places]
    hits: dict[str, Counter[int]] = {}
    for sample in samples:
        place = places[max(bisect.bisect_right(starts, sample) - 1, 0)]
        if place.start <= sample < place.start + place.size:
            offset = place.offset + sample - place.start
            hits.setdefault(place.file, Counter())[offset] += 1
    for file, offsets in hits.items():
        for offset, frames in frames_in(file, list(offsets)):
            yield from [frames] * offsets[offset]


def read_places(folder: str) -> Iterator[Place]:
    for line in pathlib.Path(folder, "places").read_text().splitlines():
        start, size, file, offset = line.split()
        yield Place(int(start), int(size), file, int(offset))


def frames_in(file: str, offsets: list[int]) -> Iterator[tuple[int, list[Frame]]]:
    """`addr2line` prints an address, then two lines for each frame: function, and file:line."""
    text = output("addr2line", "-a", "-i", "-f", "-e", file, given="\n".join(map(hex, offsets)))
    for block in re.split(r"(?m)^(?=0x)", text)[1:]:
        address, *rest = block.splitlines()
        frames = [Frame(plain(rule), f"{plain(rule)} {os.path.basename(line.split(' (')[0])}")
                  for rule, line in zip(rest[::2], rest[1::2], strict=True)]
        yield int(address, 16), frames


def output(*command: str, given: str = "") -> str:
    return subprocess.run(command, check=True, text=True, input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


# What is sampled --------------------------------------------------------------------------------

def sampled(asked: argparse.Namespace) -> None:
    keep_lines()
    name_functions(asked.sampled)
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


def keep_lines() -> None:
    """Have the lines of the rules written beside the machine code."""
    run_pass = linking.PartLowering.run_pass

    def with_lines(self: Any, state: Any) -> bool:
        state.flags.debuginfo = state.flags.dbg_directives_only = True
        state.targetctx.enable_debuginfo = True
        return run_pass(self, state)

    linking.PartLowering.run_pass = with_lines  # type: ignore[method-assign]
    lowering.get_func_body_first_lineno = lambda _: None  # chains of handlers have no text


def name_functions(folder: str) -> None:
    """Write down where each function of an entry lies, compiled or loaded."""
    finalize, rebuild = linking.Entry.finalize, machine_code.Kept.rebuild

    def finalized(self: Any) -> None:
        finalize(self)
        name(self, self._get_compiled_object(), folder)

    def rebuilt(self: Any, target_context: Any, payload: Any) -> Any:
        found = rebuild(self, target_context, payload)
        (_, _, (code, _)), *_ = payload[2]
        name(found.library, code, folder)
        return found

    linking.Entry.finalize = finalized  # type: ignore[method-assign]
    machine_code.Kept.rebuild = rebuilt  # type: ignore[method-assign]


def name(library: JITCodeLibrary, code: bytes, folder: str) -> None:
    file = tempfile.mkstemp(".o", dir=folder)[1]
    pathlib.Path(file).write_bytes(code)
    found = [line.split() for line in output("nm", "-n", "-S", file).splitlines()]
    symbols = [(int(row[0], 16), int(row[1], 16), row[3]) for row in found
               if len(row) == 4 and row[2] in "tTwW"]
    address = library._codegen._engine.get_function_address
    start = next(address(symbol) - place for place, _, symbol in symbols if address(symbol))
    with pathlib.Path(folder, "places").open("a") as places:
        for place, size, _ in symbols:
            places.write(f"{start + place} {size} {file} {place}\n")


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
