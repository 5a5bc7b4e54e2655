"""Attacks of another day: hosts, lengths, frames, cookies of elsewhere, names, resigning."""

import base64
import gc
import os
import pathlib
import socket
import string
import struct
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import pytest
from served import Served
from test_api import duel, new_table, play
from visitors import wait_until
from websockets.server import ServerProtocol

from exchequer.table import journaled
from exchequer.table.guard import COOKIE, is_own_host
from exchequer.table.identity import Tokens
from exchequer.table.names import clean_text
from exchequer.table.refusals import BadInput
from exchequer.table.server import HEARD, BoundedProtocol, StreamProtocol

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


@pytest.mark.parametrize("other", ["evil.example", "127.0.0.1"])
def test_a_request_of_two_hosts_is_refused(served: Served, other: str):
    assert status(answered(served, request(served, f"Host: {other}\r\n"))) == 421


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


@pytest.mark.parametrize("path", ["/quick", "/api/v1/name"])
def test_a_body_that_is_too_long_or_breaks_off_is_no_failure_of_ours(
        served: Served, path: str, caplog: pytest.LogCaptureFixture):
    """Each such form was answered by 500 and filled the log with 5 KB."""
    head = f"Origin: {served.url}\r\nTransfer-Encoding: chunked\r\n"
    begun = request(served, head, path, "POST") + b"%x\r\n" % 70_000
    assert status(answered(served, begun + 70_000 * b"a" + b"\r\n0\r\n\r\n")) in (400, 422)
    with socket.create_connection(served.socket.getsockname(), 20) as line:
        line.sendall(begun)
    assert served.client().get("/healthz").status_code == 200
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


def test_requests_are_not_sent_before_the_last_is_answered(served: Served,
                                                           monkeypatch: pytest.MonkeyPatch):
    """One packet holds thousands of them, all of which would be kept."""
    heads: list[object] = []
    complete = BoundedProtocol.on_headers_complete
    monkeypatch.setattr(BoundedProtocol, "on_headers_complete", lambda self: (
        heads.append(self), complete(self)))
    one = request(served).replace(b"Connection: close\r\n", b"")
    found = answered(served, 500 * one)
    assert found.count(b"HTTP/1.1 400 ") == 1 and len(heads) == 1


@pytest.mark.parametrize("path", ["/table/%00", "/playtest/a%00", "/x%0A2026-01-01 ERROR no",
                                  "/api/v1/tables/%1b%5b2J"])
def test_a_path_of_control_characters_is_nowhere(served: Served, path: str,
                                                 caplog: pytest.LogCaptureFixture):
    """PostgreSQL refuses a text with a zero in it; a line break would write lines into the log."""
    with caplog.at_level("INFO"):
        caplog.clear()
        found = served.client().get(path)
    assert found.status_code == 404 and found.json()["error"] == "not-found"
    assert not [one for one in caplog.records
                if one.name == "exchequer.access" and one.getMessage() != "GET / 200"]


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


@pytest.mark.parametrize("name", ["absolute", "relative", "above"])
def test_no_visitor_names_a_folder(served: Served, tmp_path: pathlib.Path, name: str,
                                   monkeypatch: pytest.MonkeyPatch):
    """A game is found by its path, too, and what lies there is run; at the desk, not here."""
    folder = tmp_path / "trap"
    folder.mkdir()
    (folder / "rulebook.md").write_text("# Trap")
    (folder / "__init__.py").write_text("open(__file__ + '.run', 'w')")
    monkeypatch.chdir(tmp_path)
    wanted = {"absolute": str(folder), "relative": "./trap", "above": f"../{tmp_path.name}/trap"}
    answer = served.program().post("/api/v1/tables", json={"game": wanted[name],
                                                         "seats": ["me", "random"]})
    assert answer.status_code == 422
    assert not list(folder.glob("*.run")) and "trap" not in os.environ.get("EXCHEQUER_GAMES", "")


def spelled_otherwise(word: str) -> set[str]:
    """The same bytes in Base64: two alphabets, and bits of the last letter that nobody reads."""
    letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    body, unread = word.rstrip("="), word.count("=") * 2
    last = letters.index(body[-1])
    same_end = {body[:-1] + letters[last >> unread << unread | bits] + word[len(body):]
                for bits in range(1 << unread)}
    return {*same_end, word.replace("-", "+").replace("_", "/")} - {word}


def test_a_word_that_works_once_is_spelled_in_one_way():
    """Each spelling of a sign-in link once worked, and an invitation as often as it had dashes."""
    tokens, tried = Tokens(b"k" * 32), 0
    for _ in range(20):
        link, invitation = tokens.link("a" * 32), tokens.invitation(7)
        for other in spelled_otherwise(link):
            assert tokens.linked(other) is None
        for other in spelled_otherwise(invitation):
            assert not tokens.is_invitation(other)
        tried += len(spelled_otherwise(link) | spelled_otherwise(invitation))
        assert tokens.linked(link) == "a" * 32 and tokens.is_invitation(invitation)
    assert tried > 300


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


@pytest.mark.parametrize(("method", "head"), [
    ("POST", "Content-Length: 2\r\n"), ("GET", "Transfer-Encoding: chunked\r\n"),
    ("GET", "X: y\r\n" * 200), ("GET", "X: " + "y" * 10_000 + "\r\n")],
    ids=["post", "with a body", "many headers", "a long header"])
def test_a_stream_that_cannot_begin_is_closed(served: Served, method: str, head: str):
    """It stayed open for ever, outside of every limit: one address could take all connections."""
    asked = request(served, f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n{head}",
                    "/table/x/stream", method)
    found = answered(served, asked.replace(b"Connection: close", b"Connection: Upgrade"))
    assert not found or status(found) == 431


def closed_with(line: socket.socket, code: int) -> bool:
    return struct.pack("!H", code) in everything(line)


def test_a_small_message_that_unpacks_into_a_large_one_is_not_unpacked(served: Served):
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    packed = (packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
    assert len(packed) < HEARD[0] < MOST_MESSAGE
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


@pytest.mark.parametrize("frame", [b"\x89\x80\0\0\0\0", b"\x81\x80\0\0\0\0",
                                   b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 20],
                         ids=["pings", "empty messages", "pieces of one"])
def test_a_flood_of_small_frames_ends_its_stream(served: Served, frame: bytes,
                                                 monkeypatch: pytest.MonkeyPatch):
    """One stream could keep the server busy with pings, which are answered before we see them."""
    taken: list[int] = []
    received = ServerProtocol.receive_data
    monkeypatch.setattr(ServerProtocol, "receive_data", lambda self, data: (
        taken.append(len(data)), received(self, data)))
    with raw_stream(served) as line:
        taken.clear()
        with suppress(ConnectionError):
            for _ in range(200):
                line.sendall(frame * 1000)
            everything(line)
    assert sum(taken) <= HEARD[0] * 2 < 200 * 1000 * len(frame)


def test_a_closed_stream_is_forgotten_at_once(served: Served, monkeypatch: pytest.MonkeyPatch):
    """Its objects knew each other, and thousands waited for the garbage collector."""
    known: list[StreamProtocol] = []
    made = StreamProtocol.connection_made
    monkeypatch.setattr(StreamProtocol, "connection_made", lambda self, transport: (
        known.append(self), made(self, transport)))
    gc.disable()
    try:
        for _ in range(20):  # some are gone before they are sent anything
            with raw_stream(served):
                pass
        connections = [weakref.ref(one.conn) for one in known]
        wait_until(lambda: all(one.disconnected for one in known))
        known.clear()
        wait_until(lambda: not any(connection() for connection in connections))
    finally:
        gc.enable()


def test_a_closed_stream_keeps_no_window(served: Served, monkeypatch: pytest.MonkeyPatch):
    """160 KB each, which nobody needs to hold until the last who knows the connection is gone."""
    known: list[StreamProtocol] = []
    made = StreamProtocol.connection_made
    monkeypatch.setattr(StreamProtocol, "connection_made", lambda self, transport: (
        known.append(self), made(self, transport)))
    with raw_stream(served):
        assert known[0].conn.extensions
    wait_until(lambda: known[0].disconnected and not known[0].conn.extensions)


# People ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("blank", "\u115f\u1160\u2800\u3164\uffa0")
def test_a_blank_that_counts_as_a_letter_is_one(blank: str):
    """Hangul fillers and the Braille blank: a name of nothing, or "Ann" twice at a table."""
    with pytest.raises(BadInput, match="is empty"):
        clean_text(blank * 3, 24, "A name")
    assert clean_text(f"Ann{blank}", 24, "A name") == "Ann"


def test_a_journal_does_not_grow_for_ever(served: Served, monkeypatch: pytest.MonkeyPatch):
    """To agree and not to agree, to sit and to leave, to move and take back: each is a line."""
    monkeypatch.setattr(journaled, "MOST_BESIDE", 40)
    ann, ben, table = duel(served)
    match = served.service.match(table)

    def says(who, what: str, **body: object) -> int:
        return who.post(f"/api/v1/tables/{table}/{what}", json=body).status_code

    said = [says(ann, "agree", seat=0, yes=bool(count % 2)) for count in range(60)]
    assert said[0] == 200 and said[-1] == 409 and match.history.number < 50
    who, seat = (ann, 0) if match.asked == 0 else (ben, 1)
    assert play(who, table, seat).status_code == 200
    version = match.token(match.asked or 0)
    assert says(who, "undo", seat=seat, version=version) in (403, 409)
    assert says(ben, "leave", seat=1) == 200 and says(ann, "resign", seat=0) == 200



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
