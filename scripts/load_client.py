"""Pages and connections for `load.py`, as cheap as they can honestly be: they share the machine
with the server they measure.

A player's page unpacks what it is sent and looks for its moves, as a browser does; a watcher's
page only takes the frames and counts their bytes.
"""

import asyncio
import base64
import os
import re
import zlib

VERSION = re.compile(rb'"version":"([0-9a-f]+)"')
BAR = re.compile(rb'"moves":"(<section.*?</section>)')
MOVE = re.compile(rb'data-move=\\"(\d+)\\"')
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
TAIL = b"\x00\x00\xff\xff"  # what the sender of a compressed message leaves out (RFC 7692)


class Page(asyncio.Protocol):
    """A table's stream: what its page would show, and the size of every message on the wire."""

    transport: asyncio.Transport

    def __init__(self, request: bytes, is_player: bool) -> None:
        self.request, self.is_player = request, is_player
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sizes: list[int] = []
        self.moves: list[int] = []
        self.version = self.used = ""  # the version that is shown, and that of the last move
        self._bytes = bytearray()
        self._window = zlib.decompressobj(-15)

    @classmethod
    async def open(cls, host: str, port: int, path: str, token: str, is_player: bool) -> "Page":
        key = base64.b64encode(os.urandom(16)).decode()
        request = (f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
                   f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Extensions: permessage-deflate\r\n"
                   f"Authorization: Bearer {token}\r\n\r\n").encode()
        _, page = await asyncio.get_running_loop().create_connection(
            lambda: cls(request, is_player), host, port)
        await page.opened
        return page

    @property
    def is_asked(self) -> bool:
        """Whether there are moves that were shown after the last one was made."""
        return bool(self.moves) and self.version != self.used

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self._bytes += data
        if not self.opened.done():
            head, found, rest = bytes(self._bytes).partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self._bytes = bytearray(rest)
            self.opened.set_result(None)
        self._take_frames()

    def _take_frames(self) -> None:
        while len(self._bytes) >= 2:
            length, head = self._bytes[1] & 127, 2
            if length >= 126:
                head += 2 if length == 126 else 8
                length = int.from_bytes(self._bytes[2:head], "big")
            if len(self._bytes) < head + length:
                return
            frame, first = bytes(self._bytes[head:head + length]), self._bytes[0]
            del self._bytes[:head + length]
            self._take(first, frame, head + length)

    def _take(self, first: int, frame: bytes, size: int) -> None:
        kind = first & 15
        if kind == PING:  # the mask of zeros leaves the bytes as they are
            self.transport.write(bytes((128 | PONG, 128 | len(frame), 0, 0, 0, 0)) + frame)
        elif kind == CLOSE:
            self.transport.close()
        else:
            self.sizes.append(size)
            if self.is_player:
                self._read(self._window.decompress(frame + TAIL) if first & 64 else frame)

    def _read(self, text: bytes) -> None:
        """The moves in the action bar, the end of the turn among them, and their version."""
        if bar := BAR.search(text):
            self.moves = [int(move) for move in MOVE.findall(bar[1])]
        if version := VERSION.search(text):
            self.version = version[1].decode()

    def close(self) -> None:
        self.transport.close()


class Line:
    """A connection on which one request follows the other."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, token: str, body: bytes) -> tuple[int, bytes]:
        """The status, and the head of the answer."""
        if self._reader is None or self._writer is None or self._reader.at_eof():
            self._reader, self._writer = await asyncio.open_connection(self.host, self.port)
        self._writer.write(
            (f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
             f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
             f"Content-Length: {len(body)}\r\n\r\n").encode() + body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await self._reader.readexactly(length)
        return int(head.split(b" ", 2)[1]), head

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
