"""The process around the application: connections with a deadline, open files, logs, the end.

uvicorn waits for ever for a request that was begun, keeps headers of any length, and lets one
address take all connections.
"""

import asyncio
import json
import logging
import os
import socket
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from exchequer.table.limits import Bucket, Rate, network_of

REQUEST_SECONDS = 15.0  # for a whole request to arrive
IDLE_SECONDS = 20  # a connection without a request is closed
MOST_HEAD = 32 * 1024  # bytes of the lines before a body
HEARD: Rate = (16 * 1024, 4 * 1024)  # bytes that a stream's page may send, at once and a second
MOST_FILES = 65_536
COMPRESSION: dict[str, Any] = {"level": 4, "memLevel": 6}
SPARE_FILES = 200  # for the database, the games and what else is opened


class BoundedProtocol(HttpToolsProtocol):
    """HTTP whose requests must arrive in time, from addresses with only so many connections."""

    most = 10**9  # connections of one address
    trusted: frozenset[str] = frozenset()  # proxies, which speak for many
    open: ClassVar[Counter[str]] = Counter()
    _deadline: asyncio.TimerHandle | None = None
    _address = ""
    _in_head = False
    _head = 0  # bytes of it that came after its first packet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if host and host not in self.trusted:
            self._address = network_of(host)
            self.open[self._address] += 1
            if self.open[self._address] > self.most:
                transport.abort()
                return
        self._await_request()

    def _await_request(self) -> None:
        self._cancel()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._give_up)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self._head += len(data) if self._in_head else 0
        if self._head > MOST_HEAD:
            self.send_400_response("The headers are too long.")
        else:
            super().data_received(data)

    def on_message_begin(self) -> None:
        """No browser sends a request before the last is answered; thousands would fit into one
        packet, and all of them would be kept.
        """
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            raise ValueError("a request before the last was answered")
        super().on_message_begin()
        self._in_head, self._head = True, 0
        self._await_request()

    def on_headers_complete(self) -> None:
        self._in_head, self._head = False, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._cancel()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._leave()  # from here on it counts as a stream
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        self._cancel()
        if self._address:
            self.open[self._address] -= 1
            if not self.open[self._address]:
                del self.open[self._address]
            self._address = ""


class StreamProtocol(WebSocketsSansIOProtocol):
    """Streams that remember 32 KB of what they sent instead of 4, so that a board's regions, sent
    again with a few words changed, take a third of the bytes and half of the time. Costs 160 KB of
    memory for each stream.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.conn.available_extensions = [ServerPerMessageDeflateFactory(
            server_max_window_bits=15, client_max_window_bits=12, compress_settings=COMPRESSION)]
        self._heard = Bucket(HEARD[0], self.loop.time())

    def data_received(self, data: bytes) -> None:
        """A page says little. Pings are answered before anybody counts them, and tens of thousands
        fit into one packet, so bytes are counted first.
        """
        if self.handshake_initiated and (
                len(data) > HEARD[0] or self._heard.take(HEARD, self.loop.time(), len(data))):
            self.transport.abort()
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None:  # it would stay open, and nobody counts it
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection's objects know each other, and would stay until the garbage collector
        comes by, which it seldom does here.
        """
        super().connection_lost(exc)
        self.conn.extensions = []
        self.conn.parser.close()


def open_files() -> int:
    """Raise the limit of open files as far as we may; returns it."""
    try:
        import resource
    except ImportError:  # Windows has none
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def configure(app: FastAPI, trusted_proxies: Sequence[str] = (), files: int = MOST_FILES
              ) -> uvicorn.Config:
    """How uvicorn serves the application."""
    most = app.state.service.settings.limits.connections_of_address
    protocol = type("Protocol", (BoundedProtocol,), {
        "most": most, "trusted": frozenset(trusted_proxies), "open": Counter()})
    return uvicorn.Config(
        app, http=protocol, ws=StreamProtocol, ws_max_size=65_536, log_config=None,
        access_log=False, timeout_graceful_shutdown=1, timeout_keep_alive=IDLE_SECONDS,
        server_header=False, lifespan="on", proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=",".join(trusted_proxies),
        limit_concurrency=max(16, files - SPARE_FILES))


def serve(config: uvicorn.Config, listening: socket.socket) -> None:
    """Serve until interrupted. A thread that still thinks does not keep the process alive."""
    try:
        uvicorn.Server(config).run([listening])
    finally:
        if threading.active_count() > 1:
            logging.shutdown()
            os._exit(0)


# Logs ---------------------------------------------------------------------------------------------

class JsonLines(logging.Formatter):
    """One JSON object a line, for whatever collects logs."""

    EXTRA = ("method", "path", "status", "ms")

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname.lower(),
            "from": record.name, "message": record.getMessage(),
            **{name: getattr(record, name) for name in self.EXTRA if hasattr(record, name)}}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def start_logging(as_json: bool, requests: bool) -> None:
    """Warnings always, requests when they are asked for."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else logging.Formatter(
        "%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("exchequer").setLevel(logging.INFO)
    logging.getLogger("exchequer.access").setLevel(logging.INFO if requests else logging.WARNING)
