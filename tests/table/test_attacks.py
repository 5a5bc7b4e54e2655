"""Attacks of another day: hosts, lengths, frames, cookies of elsewhere, names, resigning."""

import base64
import os
import socket
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from served import Served
from test_api import duel, new_table
from visitors import wait_until

from exchequer.table.guard import COOKIE, is_own_host
from exchequer.table.identity import Tokens
from exchequer.table.server import StreamProtocol

pytestmark = pytest.mark.xdist_group("api")
TOO_BIG, PROTOCOL_ERROR, BAD_TEXT = 1009, 1002, 1007
MOST_MESSAGE = 65_536


def answered(served: Served, request: bytes) -> bytes:
    """What the server says to these bytes, until it closes the connection."""
    with socket.create_connection(served.socket.getsockname(), 20) as line:
        line.sendall(request)
        return everything(line)


def everything(line: socket.socket) -> bytes:
    found = b""
    while data := line.recv(65_536):
        found += data
    return found


def request(served: Served, head: str = "", path: str = "/", method: str = "GET",
            host: str = "") -> bytes:
    where = host or urlsplit(served.url).netloc
    return (f"{method} {path} HTTP/1.1\r\nHost: {where}\r\nConnection: close\r\n{head}\r\n"
            ).encode("latin-1")


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


# Requests ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("host", ["[::1", "[::1]:x", "127.0.0.1:80/..", "ann@127.0.0.1",
                                  "127.0.0.1@evil.example", "localhost:99999999", "\xb2", "#"])
def test_an_odd_host_is_refused_in_a_sentence(served: Served, host: str):
    """Half an address of IPv6 once failed inside, and filled the log."""
    found = answered(served, request(served, host=host))
    assert status(found) == 421 and b"does not answer under that name" in found


def test_our_own_names_are_hosts():
    for host in ("127.0.0.1", "127.0.0.1:8017", "[::1]:8017", "localhost", "LOCALHOST:80"):
        assert is_own_host(host, "")
    assert is_own_host("games.example.org", "https://games.example.org/exchequer")


@pytest.mark.parametrize("head", [
    "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "Content-Length: \xb2\r\n",
    "Content-Length: 5, 6\r\n", "Content-Length: -1\r\n",
    "Content-Length: 4\r\nContent-Length: 5\r\n"])
def test_a_request_of_two_lengths_is_refused(served: Served, head: str):
    """Two servers that read such a request differently would take its body for another one."""
    hidden = b"0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n"
    found = answered(served, request(served, head, "/api/v1/visitors", "POST") + hidden)
    assert status(found) == 400 and found.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("method", ["TRACE", "PUT", "DELETE", "PROPFIND"])
def test_other_methods_do_nothing(served: Served, method: str):
    table = new_table(served.program())
    assert status(answered(served, request(served, path=f"/table/{table}", method=method))) == 405


def test_a_token_of_another_server_is_nobodys(served: Served):
    """It has the form of ours, and another key: as a cookie it is a new visitor, as a word it is
    refused.
    """
    table = new_table(served.program())
    foreign = Tokens(os.urandom(32)).issue().token
    page = served.client().get(f"/table/{table}", headers={
        "cookie": f"{COOKIE}={foreign}", "accept": "text/html"})
    assert page.status_code == 200 and "invites you" in page.text
    refused = served.client().get("/api/v1/games", headers={"authorization": f"Bearer {foreign}"})
    assert refused.status_code == 401 and refused.json()["error"] == "not-admitted"


# Streams -----------------------------------------------------------------------------------------

@contextmanager
def raw_stream(served: Served) -> Iterator[socket.socket]:
    """A stream whose frames we write ourselves."""
    ann = served.program()
    table = new_table(ann)
    key = base64.b64encode(os.urandom(16)).decode()
    head = (f"Upgrade: websocket\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
            f"Authorization: {ann.headers['authorization']}\r\n")
    asked = request(served, head, f"/table/{table}/stream?seat=0")
    with socket.create_connection(served.socket.getsockname(), 20) as line:
        line.sendall(asked.replace(b"Connection: close", b"Connection: Upgrade"))
        assert b" 101 " in line.recv(65_536)
        yield line


def closed_with(line: socket.socket, code: int) -> bool:
    return struct.pack("!H", code) in everything(line)


def test_a_small_message_that_unpacks_into_a_large_one_is_not_unpacked(served: Served):
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    packed = (packer.compress(bytes(50_000_000)) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
    assert len(packed) < MOST_MESSAGE
    with raw_stream(served) as line:
        line.sendall(bytes((0xC1, 0xFF)) + struct.pack("!Q", len(packed)) + bytes(4) + packed)
        assert closed_with(line, TOO_BIG)


@pytest.mark.parametrize(("frame", "code"), [
    (b"\xf1\x80\0\0\0\0", PROTOCOL_ERROR), (b"\x83\x80\0\0\0\0", PROTOCOL_ERROR),
    (b"\x81\x02hi", PROTOCOL_ERROR), (b"\x81\x82\0\0\0\0\xff\xfe", BAD_TEXT)],
    ids=["reserved bits", "no such kind", "not masked", "no UTF-8"])
def test_a_frame_that_breaks_the_protocol_closes_its_stream_alone(served: Served, frame: bytes,
                                                                  code: int):
    with raw_stream(served) as other, raw_stream(served) as line:
        line.sendall(frame)
        assert closed_with(line, code)
        other.sendall(b"\x89\x80\0\0\0\0")  # a ping, masked with zeros
        found = other.recv(65_536)
        while b"\x8a\x00" not in found:
            found += other.recv(65_536)


def test_a_closed_stream_keeps_no_window(served: Served, monkeypatch: pytest.MonkeyPatch):
    """160 KB each, which nobody needs to hold until the last who knows the connection is gone."""
    known: list[StreamProtocol] = []
    made = StreamProtocol.connection_made
    monkeypatch.setattr(StreamProtocol, "connection_made", lambda self, transport: (
        known.append(self), made(self, transport)))
    with raw_stream(served):
        assert known[0].conn.extensions
    wait_until(lambda: known[0].disconnected)
    assert not known[0].conn.extensions


# People ------------------------------------------------------------------------------------------

def test_a_bot_that_stands_in_takes_nobodys_name(served: Served):
    ann, ben, table = duel(served)
    name = ann.get(f"/api/v1/tables/{table}").json()["seats"][0]["name"]
    ben.post("/api/v1/name", json={"name": f"{name} (bot)"})
    assert ann.post(f"/api/v1/tables/{table}/leave", json={"seat": 0}).status_code == 200
    names = [seat["name"] for seat in ben.get(f"/api/v1/tables/{table}").json()["seats"]]
    assert names[1] == f"{name} (bot)" and names[0] == f"{name} (bot) (2)"


def test_nobody_resigns_for_another_or_twice(served: Served):
    ann, ben, table = duel(served)

    def resigned(who, seat: object) -> int:
        return who.post(f"/api/v1/tables/{table}/resign", json={"seat": seat}).status_code

    assert [resigned(ann, seat) for seat in (1, 2, -1, 10**9, "x", None)] == [403, 403, *[422] * 4]
    assert served.service.match(table).status == "running"
    assert (resigned(ann, 0), resigned(ann, 0), resigned(ben, 1)) == (200, 409, 409)
    assert ben.get(f"/api/v1/tables/{table}").json()["winners"] == [1]
