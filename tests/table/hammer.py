"""Players who move as fast as they can while servers are killed, and what must be true then.

Used by `test_crash.py` and, for longer, by `scripts/kill.py`.
"""

import random
import threading
import time

import httpx
from served import Process

from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.position import Position
from exchequer.table.history import Seat
from exchequer.table.identity import Tokens
from exchequer.table.registry import Registry
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup, bot_seat

KINGDOM = find_game("kingdom")
ANN = "a" * 32  # a visitor


def open_tables(place: str, tables: int = 100) -> tuple[str, list[str]]:
    """Games of one person against a bot; returns the person's token and the tables."""
    store = Store(place)
    registry, seats = Registry(store), [Seat(ANN, None, "Ann"), bot_seat(1, "random")]
    found = [registry.open(TableSetup(KINGDOM, KINGDOM.content(), seats), ANN).id
             for _ in range(tables)]
    token = Tokens(store.key).issue(ANN).token
    store.close()
    return token, found


class Player:
    """Makes moves as fast as it can and remembers what became of each."""

    def __init__(self, token: str, tables: list[str], seed: int) -> None:
        self.token = token
        self.tables, self.chance = tables, random.Random(seed)
        self.attempts: dict[str, list[tuple[int, bool]]] = {table: [] for table in tables}
        self.urls: list[str] = []
        self.acknowledged = 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        with httpx.Client(headers={"authorization": f"Bearer {self.token}"}, timeout=30) as client:
            while not self.stopped.is_set():
                table = self.chance.choice(self.tables)
                url = self.chance.choice(self.urls)
                try:
                    self.move(client, f"{url}/api/v1/tables/{table}", table)
                except httpx.TransportError:
                    time.sleep(0.05)  # the server is being killed or started

    def move(self, client: httpx.Client, url: str, table: str) -> None:
        found = client.get(f"{url}/legal", params={"seat": 0}).json()
        if not found.get("moves"):
            return
        action = self.chance.choice(found["moves"])["action"]
        body = {"seat": 0, "action": action, "version": found["version"]}
        try:
            answer = client.post(f"{url}/play", json=body)
        except httpx.TransportError:
            self.attempts[table].append((action, False))
            raise
        if answer.status_code == 503:  # the database is away: it may have been written, or not
            self.attempts[table].append((action, False))
            return
        assert answer.status_code in (200, 409), answer.text
        if answer.status_code == 200:
            self.attempts[table].append((action, True))
            self.acknowledged += 1


def check(place: str, players: list[Player]) -> int:
    """Every acknowledged move is in the journal, in order; returns how many there are."""
    store = Store(place)
    acknowledged = 0
    for player in players:
        for table, attempts in player.attempts.items():
            entries = store.journal(table)
            assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
            written = [e.action for e in entries if e.kind == "move" and e.seat == 0]
            explained = {0}  # how many of the written moves the attempts so far can account for
            for action, was_acknowledged in attempts:
                acknowledged += was_acknowledged
                taken = {n + 1 for n in explained if written[n:n + 1] == [action]}
                explained = taken if was_acknowledged else explained | taken
                assert explained, f"{table} has lost a move"
            assert len(written) in explained, f"{table} has moves that nobody made"
    replay(store, players[0].tables[:5])
    store.close()
    return acknowledged


def replay(store: Store, tables: list[str]) -> None:
    """What is written is a game by the rules."""
    for table in tables:
        entries = store.journal(table)
        key = next(entry.data["key"] for entry in entries if entry.kind == "start")
        position = Position(KINGDOM, mode=Mode.PYTHON, key=key)
        for entry in entries:
            if entry.kind == "move":
                assert entry.seat == position.actor
                position.play(entry.action or 0, entry.data.get("key", ""))


def hammer(opened: tuple[str, list[str]], urls: list[str]) -> list[Player]:
    """Two players with half of the tables each, so that each knows the order of its own moves."""
    token, tables = opened
    players = [Player(token, tables[::2], 1), Player(token, tables[1::2], 2)]
    for player in players:
        player.urls = urls
        player.thread.start()
    return players


def wait_for_moves(players: list[Player], moves: int) -> None:
    """Until each player has had so many more moves acknowledged: the games go on."""
    wanted = [player.acknowledged + moves for player in players]
    end = time.monotonic() + 180
    while any(p.acknowledged < w for p, w in zip(players, wanted, strict=True)):
        assert time.monotonic() < end, "the games do not go on"
        assert all(player.thread.is_alive() for player in players), "a player has given up"
        time.sleep(0.01)


def stop(players: list[Player], servers: list[Process]) -> None:
    for player in players:
        player.stopped.set()
    for player in players:
        player.thread.join()
    for server in servers:
        server.kill()
