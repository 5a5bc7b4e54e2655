"""kill -9 while moves are being made: what was acknowledged is there, nothing is there twice."""

import random
import threading
import time

import httpx
import pytest
from postgres import free_port
from served import Process

from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.position import Position
from exchequer.table.course import Seat
from exchequer.table.guard import Visitor
from exchequer.table.hall import Hall, Wish, bot_seat
from exchequer.table.store import Store

KINGDOM = find_game("kingdom")
TABLES, KILLS, MOVES = 100, 3, 12  # acknowledged moves between two kills
TOKEN = "a" * 43


def open_tables(place: str) -> list[str]:
    """A hundred games of one person against a bot."""
    store = Store(place)
    hall, me = Hall(store), Seat(Visitor(TOKEN).id, None, "Ann")
    found = [hall.open(Wish(KINGDOM, KINGDOM.content(), [me, bot_seat(1, "random")]), "ann").id
             for _ in range(TABLES)]
    store.close()
    return found


class Player:
    """Makes moves as fast as it can and remembers what became of each."""

    def __init__(self, tables: list[str], seed: int) -> None:
        self.tables, self.chance = tables, random.Random(seed)
        self.attempts: dict[str, list[tuple[int, bool]]] = {table: [] for table in tables}
        self.urls: list[str] = []
        self.acknowledged = 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        with httpx.Client(headers={"authorization": f"Bearer {TOKEN}"}, timeout=10) as client:
            while not self.stopped.is_set():
                table = self.chance.choice(self.tables)
                url = self.chance.choice(self.urls)
                try:
                    self.move(client, f"{url}/api/tables/{table}", table)
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
            for action, was_acknowledged in attempts:
                if was_acknowledged:
                    acknowledged += 1
                    assert written and written[0] == action, f"{table} has lost a move"
                if written and written[0] == action:
                    written.pop(0)
            assert not written, f"{table} has moves that nobody made"
    replay(store, players[0].tables[:5])
    store.close()
    return acknowledged


def replay(store: Store, tables: list[str]) -> None:
    """What is written is a game by the rules."""
    for table in tables:
        row = store.match(table)
        assert row is not None
        position = Position(KINGDOM, seed=row["seed"], mode=Mode.PYTHON)
        for entry in store.journal(table):
            if entry.kind == "move":
                assert entry.seat == position.actor
                position.play(entry.action or 0)


def hammer(tables: list[str], urls: list[str]) -> list[Player]:
    """Two players with fifty tables each, so that each knows the order of its own moves."""
    players = [Player(tables[::2], 1), Player(tables[1::2], 2)]
    for player in players:
        player.urls = urls
        player.thread.start()
    return players


def wait_for_moves(players: list[Player]) -> None:
    """Until each player has had some more moves acknowledged: the games go on."""
    wanted = [player.acknowledged + MOVES for player in players]
    end = time.monotonic() + 60
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


def test_killed_again_and_again(tmp_path):
    place, port = str(tmp_path / "table.db"), free_port()
    tables = open_tables(place)
    servers, players = [Process(place, port).wait()], []
    try:
        players = hammer(tables, [servers[0].url])
        for _ in range(KILLS):
            wait_for_moves(players)
            servers[0].kill()
            servers[0] = Process(place, port).wait()
        wait_for_moves(players)
    finally:
        stop(players, servers)
    assert check(place, players) >= 2 * MOVES * (KILLS + 1)


@pytest.mark.xdist_group("postgres")
def test_one_of_two_processes_is_killed(postgres: str):
    tables = open_tables(postgres)
    ports, players = [free_port(), free_port()], []
    servers = [Process(postgres, port) for port in ports]
    try:
        players = hammer(tables, [server.wait().url for server in servers])
        for _ in range(2):
            wait_for_moves(players)
            servers[0].kill()
            wait_for_moves(players)  # by the other process
            servers[0] = Process(postgres, ports[0]).wait()
        wait_for_moves(players)
    finally:
        stop(players, servers)
    assert check(postgres, players) >= 10 * MOVES
