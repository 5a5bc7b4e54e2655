"""Load on one process over loopback: prints the sizes of updates and the handling of moves.

    python scripts/load.py --tables 200 --seconds 30
    python scripts/load.py --knee
    python scripts/load.py --each --tables 20 --pause 0.5

Every table has two people (one and one more watcher in a solo game) and a watcher, each with a
stream. People move at random moments, by what their stream has shown them, as a browser does. Sizes
are those of the frames on the wire, compressed; handling is what the server itself measures from
request to answer (its Server-Timing header). The time of the processors for a move is that of the
server and of the processes it draws in, with all that a move makes to do; it says as much on a busy
machine as on a quiet one. `--knee` asks for more and more moves until clients wait too long;
`--each` plays one game after the other.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

MOVE = re.compile(r'data-move="(\d+)"')
KNEE = [8, 4, 2, 1, 0.7, 0.5, 0.35]  # seconds between two moves at a table
TOO_LONG = 200  # milliseconds that a client waits
GAMES = ("kingdom", "treasury/v03", "treasury/v17", "jagged_time", "greement")


class Metered(ClientConnection):
    """A connection that notes the size of every text message as it comes over the wire."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.sizes: list[int] = []
        self._bytes = bytearray()
        self._open = False
        self.moves: list[str] = []
        self.version = ""

    def data_received(self, data: bytes) -> None:
        if self._open or b"\r\n\r\n" in data:
            rest = data if self._open else data.split(b"\r\n\r\n", 1)[1]
            self._open = True
            self._bytes += rest
            self._take_frames()
        super().data_received(data)

    def _take_frames(self) -> None:
        while len(self._bytes) >= 2:
            length, head = self._bytes[1] & 127, 2
            if length >= 126:
                head += 2 if length == 126 else 8
                length = int.from_bytes(self._bytes[2:head], "big")
            if len(self._bytes) < head + length:
                return
            if self._bytes[0] & 15 in (0, 1):
                self.sizes.append(head + length)
            del self._bytes[:head + length]


class Load:
    def __init__(self, url: str, tables: int, seconds: float, pause: float,
                 games: Sequence[str] = GAMES, pid: int = 0) -> None:
        self.url, self.tables, self.seconds, self.pause = url, tables, seconds, pause
        self.games, self.pid = games, pid  # of the server, if it is our own
        self.busy = 0.0  # seconds of the processors
        self.streams: list[Metered] = []
        self.handled: list[float] = []
        self.waited: list[float] = []
        self.refused = 0
        self.chance = random.Random(1)
        limits = httpx.Limits(max_connections=100)
        self.client = httpx.AsyncClient(base_url=url, timeout=30, limits=limits)

    async def run(self) -> None:
        tables = [await self.open(number) for number in range(self.tables)]
        print(f"{self.tables} tables, {len(self.streams)} streams open", flush=True)
        readers = [asyncio.create_task(self.read(stream)) for stream in self.streams]
        await asyncio.sleep(2)
        self.first = [size for stream in self.streams for size in stream.sizes]
        for stream in self.streams:
            stream.sizes.clear()
        end, before = time.monotonic() + self.seconds, busy_seconds(self.pid)
        await asyncio.gather(*(self.play(*table, end) for table in tables))
        await asyncio.sleep(2)
        self.busy = busy_seconds(self.pid) - before
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        for stream in self.streams:
            await stream.close()
        await self.client.aclose()

    async def open(self, number: int) -> tuple[str, list[tuple[str, Metered]]]:
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
            self.streams.append(await connect(
                f"{self.url.replace('http', 'ws')}/table/{table}/stream?seat={seat}",
                additional_headers={"Authorization": f"Bearer {token}"},
                create_connection=Metered, max_size=2**22))  # type: ignore[arg-type]
        return table, list(zip(people, self.streams[-3:], strict=False))

    async def token(self) -> str:
        return (await self.client.post("/api/v1/visitors")).json()["token"]

    async def post(self, token: str, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self.client.post(path, json=body,
                                      headers={"authorization": f"Bearer {token}"})

    async def read(self, stream: Metered) -> None:
        """Keep what the page would show: the moves in the action bar, and their version."""
        async for text in stream:
            message = json.loads(text)
            stream.version = message.get("version", stream.version)
            if bar := message.get("regions", {}).get("moves"):
                stream.moves = MOVE.findall(bar.partition("<ol")[2].partition("</ol>")[0])

    async def play(self, table: str, people: list[tuple[str, Metered]], end: float) -> None:
        """Moves of the table's people, with pauses as people make them."""
        await asyncio.sleep(self.chance.random() * self.pause)
        while time.monotonic() < end:
            for seat, (token, shown) in enumerate(people):
                if shown.moves:
                    await self.move(table, seat, token, shown)
                    break
            await asyncio.sleep(self.chance.expovariate(1 / self.pause))

    async def move(self, table: str, seat: int, token: str, shown: Metered) -> None:
        action = int(self.chance.choice(shown.moves))
        began = time.perf_counter()
        answer = await self.post(token, f"/api/v1/tables/{table}/play", {
            "seat": seat, "action": action, "version": shown.version})
        if answer.status_code != 200:
            self.refused += 1
            return
        self.waited.append((time.perf_counter() - began) * 1000)
        self.handled.append(float(answer.headers["server-timing"].rpartition("=")[2]))

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
            "busy_ms_per_move": round(1000 * self.busy / max(1, len(self.handled)), 1),
        }


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
    parser.add_argument("--pause", type=float, default=8, help="mean seconds between moves")
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
    """A report for each pause, or for each game."""
    found = []
    for games in [(game,) for game in GAMES] if wanted.each else [GAMES]:
        for pause in KNEE if wanted.knee else [wanted.pause]:
            load = Load(url, wanted.tables, wanted.seconds, pause, games, pid)
            asyncio.run(load.run())
            found.append({"games": " ".join(games)} | load.report())
            print(f"{', '.join(games)}, every {pause} s at each table: "
                  f"{found[-1]['moves_per_second']} moves/s, client p99 "
                  f"{found[-1]['seen_by_client_ms_p99']} ms, processors "
                  f"{found[-1]['busy_ms_per_move']} ms for a move", file=sys.stderr)
            if wanted.knee and found[-1]["seen_by_client_ms_p99"] > TOO_LONG:
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
