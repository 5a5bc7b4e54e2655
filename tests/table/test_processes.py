"""Two processes on one PostgreSQL: what one writes, the streams of the other show."""

import json
import time
from typing import Any

import httpx
import pytest
from served import Served
from test_api import new_table
from visitors import wait_until
from websockets.sync.client import connect

from exchequer.table.refusals import OtherRules
from exchequer.table.store import JournalEntry

pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture
def pair(postgres: str):
    with Served(postgres) as first, Served(postgres) as second:
        yield first, second


def test_a_move_here_wakes_the_stream_there(pair: tuple[Served, Served]):
    first, second = pair
    ann, ben = first.program(), second.program()
    setup = {"game": "kingdom", "seats": ["me", "friend"]}
    table = ann.post("/api/v1/tables", json=setup).json()["id"]
    assert ben.post(f"/api/v1/tables/{table}/seats", json={"seat": 1}).status_code == 201
    with connect(f"{second.url.replace('http', 'ws')}/table/{table}/stream?seat=1",
                 additional_headers={"Authorization": ben.headers["authorization"]}) as shown:
        json.loads(shown.recv(10))
        move(ann, table, 0)
        while "log" not in (message := json.loads(shown.recv(10))):
            pass
        assert message["log"]["frames"][-1]
        ann.post(f"/api/v1/tables/{table}/chat", json={"text": "hello"})
        while "chat" not in (message := json.loads(shown.recv(10))):
            pass
        assert message["chat"][0][1] == "hello"


def test_a_table_that_is_not_in_memory_is_shown_on(pair: tuple[Served, Served]):
    """With more tables than are kept, who looked at one saw nothing of what came from elsewhere."""
    first, second = pair
    ann, ben = first.program(), second.program()
    setup = {"game": "kingdom", "seats": ["me", "friend"]}
    table = ann.post("/api/v1/tables", json=setup).json()["id"]
    assert ben.post(f"/api/v1/tables/{table}/seats", json={"seat": 1}).status_code == 201
    with connect(f"{second.url.replace('http', 'ws')}/table/{table}/stream?seat=1",
                 additional_headers={"Authorization": ben.headers["authorization"]}) as shown:
        json.loads(shown.recv(10))
        second.service.registry.drop(table)
        move(ann, table, 0)
        while "log" not in json.loads(shown.recv(10)):
            pass


def test_bots_are_played_by_one_process_and_taken_over(pair: tuple[Served, Served]):
    """Both processes mind the clocks; each bot's move is in the journal once."""
    first, second = pair
    ann = first.program()
    table = ann.post("/api/v1/tables", json={"game": "kingdom", "seats": ["random", "random"],
                                          "settings": {"turn_limit": 3}}).json()["id"]
    end = time.monotonic() + 60
    while (seen := httpx.get(f"{second.url}/api/v1/tables/{table}").json())["status"] != "over":
        assert time.monotonic() < end, "the bots do not play"
        time.sleep(0.1)
    numbers = [entry.number for entry in second.service.store.journal(table)]
    assert numbers == list(range(1, len(numbers) + 1)) and seen["winners"]


def move(client: httpx.Client, table: str, seat: int) -> None:
    def legal() -> dict[str, Any]:
        return client.get(f"/api/v1/tables/{table}/legal", params={"seat": seat}).json()

    wait_until(lambda: legal()["moves"])  # it hears a moment later who sat down elsewhere
    found = legal()
    body = {"seat": seat, "action": found["moves"][0]["action"], "version": found["version"]}
    assert client.post(f"/api/v1/tables/{table}/play", json=body).status_code == 200


def test_a_line_that_cannot_be_read_does_not_make_a_process_deaf(pair: tuple[Served, Served]):
    """As when the other process is a newer program already."""
    first, second = pair
    ann = first.program()
    broken, table = (new_table(ann, seats=("me", "hotseat")) for _ in range(2))
    for one in (broken, table):
        second.service.match(one)  # in memory there
    store = first.service.store
    store.append(broken, [JournalEntry(store.last_number(broken) + 1, "new kind")],
                 {"changed": time.time()})
    move(ann, table, first.service.match(table).asked or 0)
    number = first.service.match(table).history.number
    wait_until(lambda: second.service.match(table).history.number == number)
    with pytest.raises(OtherRules, match="cannot be read"):
        second.service.match(broken)
