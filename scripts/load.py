"""Load on one process over loopback: moves a second, how long people wait, what it costs.

    python scripts/load.py --tables 200 --rate 200 --seconds 30
    python scripts/load.py --knee
    python scripts/load.py --each --tables 20 --rate 40

Every table has two people (one and one more watcher in a solo game) and a watcher, each with a
stream. People move at random moments, by what their stream has shown them, as a browser does. Sizes
are those of the frames on the wire, compressed; handling is what the server itself measures from
request to answer (its Server-Timing header). The time of the processors for a move is that of the
server with the processes it draws in, and of this client beside it; it says nearly as much on a
busy machine as on a quiet one. `--knee` asks for more and more moves until clients wait too long;
`--each` plays one game after the other.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
from load_client import Line, Page

KNEE = [25, 50, 100, 150, 200, 250, 300, 400]  # moves a second that are asked for
TOO_LONG = 200  # milliseconds that a client waits
GAMES = ("kingdom", "treasury/v03", "treasury/v17", "jagged_time", "greement")


class Load:
    """So many tables, at all of which together `rate` moves a second are made."""

    def __init__(self, url: str, tables: int, seconds: float, rate: float,
                 games: Sequence[str] = GAMES, pid: int = 0) -> None:
        self.url, self.tables, self.seconds, self.rate = url, tables, seconds, rate
        self.games, self.pid = games, pid  # of the server, if it is our own
        self.busy = self.own = 0.0  # seconds of the processors: the server's, and ours
        self.host, _, port = url.partition("://")[2].partition(":")
        self.port = int(port)
        self.streams: list[Page] = []
        self.handled: list[float] = []
        self.waited: list[float] = []
        self.refused = 0
        self.chance = random.Random(1)
        limits = httpx.Limits(max_connections=100)
        self.client = httpx.AsyncClient(base_url=url, timeout=30, limits=limits)

    async def run(self) -> None:
        tables = [await self.open(number) for number in range(self.tables)]
        print(f"{self.tables} tables, {len(self.streams)} streams open", flush=True)
        await asyncio.sleep(2)
        self.first = [size for stream in self.streams for size in stream.sizes]
        for stream in self.streams:
            stream.sizes.clear()
        before, own = busy_seconds(self.pid), own_seconds()
        end = time.monotonic() + self.seconds
        await asyncio.gather(*(self.play(*table, end) for table in tables))
        await asyncio.sleep(2)
        self.busy, self.own = busy_seconds(self.pid) - before, own_seconds() - own
        for stream in self.streams:
            stream.close()
        await self.client.aclose()

    async def open(self, number: int) -> tuple[str, list[tuple[str, Page]]]:
        """A table with its people and a watcher, each with a stream."""
        game = self.games[number % len(self.games)]
        people = [await self.token() for _ in range(1 if game == "jagged_time" else 2)]
        seats = ["me", "friend"][: len(people)]
        answer = await self.post(people[0], "/api/v1/tables", {"game": game, "seats": seats,
                                                            "clock": "none", "seed": number})
        table = answer.json()["id"]
        if len(people) == 2:
            await self.post(people[1], f"/api/v1/tables/{table}/seats", {"seat": 1})
        for token in [*people, *[await self.token() for _ in range(3 - len(people))]]:
            seat = people.index(token) if token in people else -1
            self.streams.append(await Page.open(
                self.host, self.port, f"/table/{table}/stream?seat={seat}", token, seat >= 0))
        return table, list(zip(people, self.streams[-3:], strict=False))

    async def token(self) -> str:
        return (await self.client.post("/api/v1/visitors")).json()["token"]

    async def post(self, token: str, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self.client.post(path, json=body,
                                      headers={"authorization": f"Bearer {token}"})

    async def play(self, table: str, people: list[tuple[str, Page]], end: float) -> None:
        """Moves of the table's people, at moments that do not depend on how fast we are."""
        line, pause = Line(self.host, self.port), self.tables / self.rate
        due = time.monotonic() + self.chance.random() * pause
        while due < end:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            for seat, (token, shown) in enumerate(people):
                if shown.is_asked:
                    await self.move(line, table, seat, token, shown)
                    break
            due += self.chance.expovariate(1 / pause)
        line.close()

    async def move(self, line: Line, table: str, seat: int, token: str, shown: Page) -> None:
        shown.used = shown.version
        body = {"seat": seat, "action": self.chance.choice(shown.moves), "version": shown.version}
        began = time.perf_counter()
        status, head = await line.post(f"/api/v1/tables/{table}/play", token,
                                       json.dumps(body).encode())
        if status != 200:
            self.refused += 1
            return
        self.waited.append((time.perf_counter() - began) * 1000)
        timing = head.partition(b"server-timing:")[2].partition(b"\r\n")[0]
        self.handled.append(float(timing.rpartition(b"=")[2]))

    def report(self) -> dict[str, float]:
        sizes = [size for stream in self.streams for size in stream.sizes]
        return {
            "tables": self.tables, "streams": len(self.streams), "moves": len(self.handled),
            "moves_per_second": round(len(self.handled) / self.seconds, 1),
            "refused": self.refused, "updates": len(sizes),
            "update_bytes_median": part(sizes, 50), "update_bytes_p99": part(sizes, 99),
            "first_update_bytes_median": part(self.first, 50),
            "handling_ms_median": part(self.handled, 50), "handling_ms_p99": part(self.handled, 99),
            "seen_by_client_ms_median": part(self.waited, 50),
            "seen_by_client_ms_p99": part(self.waited, 99),
            "server_ms_per_move": self.per_move(self.busy),
            "client_ms_per_move": self.per_move(self.own),
            "processors_busy": round((self.busy + self.own) / (self.seconds + 2), 2),
        }

    def per_move(self, seconds: float) -> float:
        return round(1000 * seconds / max(1, len(self.handled)), 2)


def part(values: list[Any], percent: int) -> float:
    return round(statistics.quantiles(values, n=100)[percent - 1], 1) if len(values) > 1 else 0.0


def busy_seconds(pid: int) -> float:
    """Processor time of a process and of those it has started; 0 without one."""
    found = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat") if pid else ():
        with contextlib.suppress(OSError):  # it has just ended
            fields = path.read_text().rpartition(")")[2].split()
            if str(pid) in (path.parent.name, fields[1]):
                found += int(fields[11]) + int(fields[12])
    return found / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return spent.ru_utime + spent.ru_stime


def wait_until_compiled(url: str, seconds: float) -> list[str]:
    """The server compiles behind; handling is measured on machine code."""
    end = time.monotonic() + seconds
    missing = list(GAMES)
    while missing and time.monotonic() < end:
        try:
            found = httpx.get(f"{url}/api/v1/games", timeout=10).json()
            missing = [game["name"] for game in found if not game["compiled"]]
        except httpx.TransportError:
            pass
        time.sleep(0.5)
    return missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rate", type=float, default=25, help="moves a second, at all tables")
    parser.add_argument("--port", type=int, default=8019)
    parser.add_argument("--url", help="a server that runs already, without limits")
    parser.add_argument("--knee", action="store_true", help="more and more moves")
    parser.add_argument("--each", action="store_true", help="one game after the other")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    url = wanted.url or f"http://127.0.0.1:{wanted.port}"
    if wanted.url:
        found = loaded(url, 0, wanted)
    else:
        with own_server(wanted.port) as (url, server):
            found = loaded(url, server.pid, wanted)
    for report in found:
        if wanted.json:
            print(json.dumps(report))
        else:
            for key, value in report.items():
                print(f"{key.replace('_', ' '):28} {value:>10}")


def loaded(url: str, pid: int, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """A report for each rate, or for each game."""
    found = []
    for games in [(game,) for game in GAMES] if wanted.each else [GAMES]:
        for rate in KNEE if wanted.knee else [wanted.rate]:
            load = Load(url, wanted.tables, wanted.seconds, rate, games, pid)
            asyncio.run(load.run())
            one = load.report()
            found.append({"games": " ".join(games), "asked_for": rate} | one)
            print(f"{', '.join(games)}: {one['moves_per_second']} of {rate} moves/s, client p50 "
                  f"{one['seen_by_client_ms_median']} ms, p99 {one['seen_by_client_ms_p99']} ms; "
                  f"for a move the server {one['server_ms_per_move']} ms, the client "
                  f"{one['client_ms_per_move']} ms; {one['processors_busy']} processors busy",
                  file=sys.stderr)
            if wanted.knee and one["seen_by_client_ms_p99"] > TOO_LONG:
                break
    return found


@contextlib.contextmanager
def own_server(port: int, warm: bool = True) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server on a new SQLite file; its address and process."""
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "exchequer", "serve", "--host", "127.0.0.1", "--port",
             str(port), "--database", str(pathlib.Path(folder) / "load.db"), "--no-browser",
             "--no-limits", "--server-timing", "--warm" if warm else "--no-warm"],
            stdout=subprocess.DEVNULL)
        try:
            if missing := wait_until_compiled(url, 600 if warm else 20):
                print(f"not compiled, in plain Python: {', '.join(missing)}")
            yield url, server
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
