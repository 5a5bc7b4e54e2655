"""Who may do what, how often, and how much: cookies, origins, bounds, headers."""

import hashlib
import re
import secrets
import threading
import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exchequer.table.refusals import BadInput, Foreign, TooMuch

COOKIE = "exchequer_visitor"
COOKIE_AGE = 400 * 86_400
TOKEN = re.compile(r"[\w-]{40,64}", re.ASCII)
MOST_BODY = 64 * 1024
NAME_LENGTH, CHAT_LENGTH = 24, 500
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; "
          "base-uri 'none'; frame-ancestors 'none'")
HEADERS = {
    "content-security-policy": POLICY, "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin", "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


# Visitors ----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Visitor:
    """Somebody with a token. Only its hash is kept and compared."""

    token: str
    is_new: bool = False
    by_header: bool = False  # a program, not a browser

    @property
    def id(self) -> str:
        return hashlib.sha256(self.token.encode()).hexdigest()[:32]

    @property
    def default_name(self) -> str:
        return f"Guest {int(self.id[:6], 16) % 900 + 100}"


def visitor_of(connection: HTTPConnection) -> Visitor:
    """By `Authorization: Bearer`, by cookie, or a new one."""
    word, _, token = connection.headers.get("authorization", "").partition(" ")
    if word.lower() == "bearer" and TOKEN.fullmatch(token.strip()):
        return Visitor(token.strip(), by_header=True)
    token = connection.cookies.get(COOKIE, "")
    if TOKEN.fullmatch(token):
        return Visitor(token)
    return Visitor(secrets.token_urlsafe(32), is_new=True)


def refuse_foreign(connection: HTTPConnection, visitor: Visitor) -> None:
    """A write by cookie must come from our own pages; browsers say where it comes from."""
    origin = connection.headers.get("origin")
    if origin is None and visitor.by_header:
        return
    if origin is None or urlsplit(origin).netloc != connection.headers.get("host"):
        raise Foreign("This was sent from another site, so it is not carried out.")


# Bounds ------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Limits:
    """How often: (burst, per second). The rest are plain counts."""

    writes: tuple[float, float] = (60, 15)
    chat: tuple[float, float] = (8, 0.5)
    tables: tuple[float, float] = (20, 0.05)
    tables_per_address: tuple[float, float] = (80, 0.3)
    hints: tuple[float, float] = (6, 0.5)
    reads: tuple[float, float] = (300, 60)  # of one address
    running_tables: int = 20  # of one visitor, not over yet
    streams_of_visitor: int = 16
    streams: int = 2000
    messages: tuple[float, float] = (20, 5)


ANY = (1e9, 1e9)
NO_LIMITS = Limits(ANY, ANY, ANY, ANY, ANY, ANY, 10**9, 10**9, 10**9, ANY)


@dataclass
class Bucket:
    left: float
    at: float


@dataclass
class Meter:
    """Token buckets by who and what. Old ones are dropped when there are many."""

    limits: Limits = field(default_factory=Limits)
    buckets: dict[tuple[str, str], Bucket] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(self, who: str, what: str) -> None:
        burst, rate = getattr(self.limits, what)
        now = time.monotonic()
        with self.lock:
            if len(self.buckets) > 50_000:
                self._drop_full(now)
            bucket = self.buckets.setdefault((who, what), Bucket(burst, now))
            bucket.left = min(burst, bucket.left + (now - bucket.at) * rate)
            bucket.at = now
            if bucket.left < 1:
                wait = max(1, round((1 - bucket.left) / rate))
                unit = "second" if wait == 1 else "seconds"
                raise TooMuch(f"That was too often; try again in {wait} {unit}.")
            bucket.left -= 1

    def _drop_full(self, now: float) -> None:
        self.buckets = {key: bucket for key, bucket in self.buckets.items()
                        if now - bucket.at < 600}


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"


def clean_text(text: Any, longest: int, what: str) -> str:
    """One line without control characters or tricks of writing direction."""
    if not isinstance(text, str):
        raise BadInput(f"{what} must be a text.")
    kept = "".join(" " if c.isspace() else c for c in text
                   if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    kept = " ".join(kept.split())
    if not kept:
        raise BadInput(f"{what} is empty.")
    if len(kept) > longest:
        raise BadInput(f"{what} may have {longest} characters, not {len(kept)}.")
    return kept


# ASGI --------------------------------------------------------------------------------------------

class Shield:
    """Bounds every body, puts the security headers on every answer, and says how long it took."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BODY:
            await refuse_body(send)
            return
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > MOST_BODY:
                return {"type": "http.disconnect"}
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in headers_for(scope["path"]).items():
                    headers.setdefault(name, value)
                spent = (time.perf_counter() - began) * 1000
                headers["server-timing"] = f"app;dur={spent:.2f}"
            await send(message)

        await self.app(scope, bounded, with_headers)


def headers_for(path: str) -> Mapping[str, str]:
    is_static = path.startswith("/static/")
    return {**HEADERS, "cache-control": "no-cache" if is_static else "no-store"}


async def refuse_body(send: Send) -> None:
    body = b'{"error":"too-much","sentence":"That is too long; 64 KB is the most."}'
    await send({"type": "http.response.start", "status": 413,
                "headers": [(b"content-type", b"application/json"),
                            *((k.encode(), v.encode()) for k, v in HEADERS.items())]})
    await send({"type": "http.response.body", "body": body})
