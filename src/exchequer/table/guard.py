"""What every request must pass: hosts, origins, bounds, headers, the server's password."""

import ipaddress
import json
import logging
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exchequer.table.identity import Tokens, Visitor
from exchequer.table.refusals import Foreign, NotAdmitted, TableRefusal

COOKIE, PASS_COOKIE = "exchequer_visitor", "exchequer_pass"
COOKIE_AGE = 400 * 86_400
MOST_BODY = 64 * 1024
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; "
          "base-uri 'none'; frame-ancestors 'none'")
HEADERS = {
    "content-security-policy": POLICY, "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin", "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
FRAMED = {"x-frame-options": "SAMEORIGIN", "content-security-policy":
          POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'")}
UNGUARDED = ("/healthz", "/readyz", "/metrics", "/static/", "/enter")  # no password is asked here
access = logging.getLogger("exchequer.access")


# Visitors ----------------------------------------------------------------------------------------

def visitor_of(connection: HTTPConnection) -> Visitor:
    """By `Authorization: Bearer`, by cookie, or a new one."""
    tokens: Tokens = connection.app.state.service.tokens
    word, _, token = connection.headers.get("authorization", "").partition(" ")
    if word.lower() == "bearer":
        known = tokens.visitor(token.strip())
        if known is None:
            raise NotAdmitted("This token was not issued here; POST /api/v1/visitors gives one.")
        return Visitor(known, token.strip(), by_header=True)
    token = connection.cookies.get(COOKIE, "")
    if token and (known := tokens.visitor(token)):
        return Visitor(known, token)
    kept = connection.scope.setdefault("state", {})
    if "visitor" not in kept:  # one request, one visitor
        kept["visitor"] = tokens.issue()
    return kept["visitor"]


def refuse_foreign(connection: HTTPConnection, by_header: bool) -> None:
    """A write by cookie must come from our own pages; browsers say where it comes from."""
    origin = connection.headers.get("origin")
    if origin is None and by_header:
        return
    if origin is None or origin.lower() != origin_of(connection):
        raise Foreign("This was sent from another site, so it was not carried out.")


def origin_of(connection: HTTPConnection) -> str:
    """The site that our pages belong to."""
    public = connection.app.state.service.settings.url
    if public:
        parts = urlsplit(public)
        return f"{parts.scheme}://{parts.netloc}".lower()
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return f"{scheme}://{connection.headers.get('host', '')}".lower()


# Hosts -------------------------------------------------------------------------------------------

def is_own_host(host: str, public: str) -> bool:
    """Whether the server answers under this name. A name that anybody could have made to lead here
    (DNS rebinding) is not ours: we have our address, this machine's name, and the one we are told.
    """
    try:
        parts = urlsplit(f"//{host}")
        if parts.netloc != host or parts.username is not None or parts.port == 0:
            return False
    except ValueError:  # half an address of IPv6, or a port that is none
        return False
    name = (parts.hostname or "").rstrip(".")
    if public and name == urlsplit(public).hostname:
        return True
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        own = socket.gethostname().lower()
        return name in ("localhost", own, own.partition(".")[0]) or name.endswith(
            (".localhost", ".local"))


# ASGI --------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Rules:
    """What the guard holds requests against."""

    url: str = ""  # where people find the server, such as https://games.example.org/exchequer
    admit: Callable[[HTTPConnection], None] | None = None  # refuses who has not said the password
    server_timing: bool = False
    observe: Callable[[str, int, float], None] = lambda *_: None  # method, status, seconds
    framed: bool = False  # pages of ours may show others of ours inside


def base_path(url: str) -> str:
    return urlsplit(url).path.rstrip("/")


class Guard:
    """Around the whole application: hosts, the base path, the password, bounds and headers."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self.app, self.rules, self.base = app, rules, base_path(rules.url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = self._without_base(scope)
        refused = self._refusal(scope)
        if scope["type"] == "websocket":
            if refused:
                await send({"type": "websocket.close", "code": 1008, "reason": refused[1]})
            else:
                await self.app(scope, receive, send)
        elif refused and refused[0] == "not-admitted" and wants_page(scope):
            await redirect(send, f"{self.base}/enter?{urlencode({'to': scope['path']})}")
        elif refused:
            await refuse(send, *refused)
        else:
            await self._serve(scope, receive, send)

    def _without_base(self, scope: Scope) -> Scope:
        """A proxy may hand the base path on or leave it out."""
        base = self.base
        if base and (scope["path"] == base or scope["path"].startswith(base + "/")):
            return {**scope, "path": scope["path"][len(base):] or "/"}
        return scope

    def _refusal(self, scope: Scope) -> tuple[str, str, int] | None:
        headers = Headers(scope=scope)
        path = scope["path"]
        if not path.isprintable():  # a database may refuse it, and a log would show it as lines
            return "not-found", "There is nothing here.", 404
        host = ",".join(headers.getlist("host"))  # a proxy may read another of two than we do
        if not is_own_host(host, self.rules.url) and path != "/healthz":
            return ("foreign", "This server does not answer under that name; whoever runs it can "
                    "name it with --url.", 421)
        if self.rules.admit and not path.startswith(UNGUARDED):
            try:
                self.rules.admit(HTTPConnection(scope))
            except TableRefusal as refusal:
                return refusal.kind, str(refusal), refusal.status
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BODY:
            return "too-much", "That is too long; 64 KB is the most.", 413
        return None

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, taken, status = time.perf_counter(), 0, 500
        is_head = scope["method"] == "HEAD"
        if is_head:
            scope = {**scope, "method": "GET"}

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            return {"type": "http.disconnect"} if taken > MOST_BODY else message

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in headers_for(scope["path"], self.rules.framed).items():
                    headers.setdefault(name, value)
                if self.rules.server_timing:
                    spent = (time.perf_counter() - began) * 1000
                    headers["server-timing"] = f"app;dur={spent:.2f}"
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        try:
            await self.app(scope, bounded, with_headers)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        self.rules.observe(scope["method"], status, seconds)
        access.info("%s %s %d", scope["method"], scope["path"], status,
                    extra={"method": scope["method"], "path": scope["path"], "status": status,
                           "ms": round(seconds * 1000, 1)})


def wants_page(scope: Scope) -> bool:
    accepts = Headers(scope=scope).get("accept", "")
    return "text/html" in accepts and not scope["path"].startswith("/api")


def headers_for(path: str, framed: bool = False) -> dict[str, str]:
    is_static = path.startswith("/static/")
    return {**HEADERS, **(FRAMED if framed else {}),
            "cache-control": "no-cache" if is_static else "no-store"}


async def refuse(send: Send, kind: str, sentence: str, status: int) -> None:
    body = json.dumps({"error": kind, "sentence": sentence, "paragraphs": []}).encode()
    await respond(send, status, body, {"content-type": "application/json"})


async def redirect(send: Send, where: str) -> None:
    await respond(send, 303, b"", {"location": where})


async def respond(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    found = {**HEADERS, **headers, "content-length": str(len(body))}
    await send({"type": "http.response.start", "status": status,
                "headers": [(k.encode(), v.encode()) for k, v in found.items()]})
    await send({"type": "http.response.body", "body": body})
