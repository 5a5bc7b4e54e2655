"""Two processes on one PostgreSQL: what one writes, the streams of the other show."""

import json
import time

import httpx
import pytest
from served import Served
from websockets.sync.client import connect

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
    found = client.get(f"/api/v1/tables/{table}/legal", params={"seat": seat}).json()
    body = {"seat": seat, "action": found["moves"][0]["action"], "version": found["version"]}
    assert client.post(f"/api/v1/tables/{table}/play", json=body).status_code == 200
