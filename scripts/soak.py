"""A long quiet load: memory, open files and waiting times over half an hour.

    python scripts/soak.py --minutes 30 --tables 60

Plays as `scripts/load.py` does and prints a line a minute, with the memory of the server and of the
processes that make screens for it. Ends with a sentence, and fails when memory grew by more than a
tenth from the first third of the time to the last.
"""

import argparse
import asyncio
import contextlib
import pathlib
import statistics
import sys

import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--rate", type=float, default=15, help="moves a second, at all tables")
    parser.add_argument("--port", type=int, default=8021)
    parser.add_argument("--no-warm", action="store_true", help="in plain Python")
    wanted = parser.parse_args()
    with load.own_server(wanted.port, not wanted.no_warm) as (url, process):
        sizes = asyncio.run(soak(url, process.pid, wanted))
    third = max(1, len(sizes) // 3)
    first, last = statistics.median(sizes[:third]), statistics.median(sizes[-third:])
    print(f"memory: {first:.0f} MB in the first third, {last:.0f} MB in the last")
    sys.exit(0 if last < first * 1.1 else "Memory grows.")


async def soak(url: str, pid: int, wanted: argparse.Namespace) -> list[float]:
    sizes: list[float] = []
    minutes = max(1, round(wanted.minutes))
    seconds = wanted.minutes * 60 / minutes
    for minute in range(minutes):  # new tables each minute: old ones end, and must be forgotten
        one = load.Load(url, wanted.tables, seconds, wanted.rate)
        await one.run()
        each = resident(pid)
        sizes.append(sum(each))
        found = one.report()
        apart = ' + '.join(f'{size:.0f}' for size in each)
        print(f"minute {minute + 1}: {sizes[-1]:.0f} MB ({apart}), "
              f"{open_files(pid)} files, "
              f"{found['moves_per_second']} moves/s, p99 {found['seen_by_client_ms_p99']} ms, "
              f"{found['refused']} refused", flush=True)
    return sizes


def resident(pid: int) -> list[float]:
    """Megabytes in memory: of a process, and of each that it has started."""
    sizes = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError, KeyError):  # it has just ended
            facts = dict(line.split(":\t") for line in path.read_text().splitlines())
            if str(pid) in (facts["Pid"], facts["PPid"]):
                sizes[int(facts["Pid"])] = int(facts["VmRSS"].split()[0]) / 1024
    return [sizes.pop(pid), *sizes.values()]


def open_files(pid: int) -> int:
    return sum(1 for _ in pathlib.Path(f"/proc/{pid}/fd").iterdir())


if __name__ == "__main__":
    main()
