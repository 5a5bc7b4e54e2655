"""Streams: a socket for each open page, on which the server sends what has changed for it.

The client says on connecting which seat it looks from and what it has (`have`, a digest of all
regions); if it has everything, nothing is sent. So a page that slept, lost its network or sits
beside another tab is brought up to date by the same rule. Messages are compressed by the socket
with one window for the whole stream, so what stays alike in a region costs almost nothing.
"""

import asyncio
import contextlib
import json
import os
from dataclasses import dataclass, field
from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from exchequer.core.story import Line
from exchequer.table.guard import refuse_foreign, visitor_of
from exchequer.table.identity import Visitor
from exchequer.table.journaled import WATCHER
from exchequer.table.limits import Bucket, address_of
from exchequer.table.match import Match
from exchequer.table.refusals import TableRefusal, TooMuch
from exchequer.table.regions import changed_regions
from exchequer.table.screens import Screen
from exchequer.table.service import Service

router = APIRouter()
drawing = CapacityLimiter((os.cpu_count() or 1) + 1)
MOST_MESSAGE = 400
POLICY_VIOLATION = 1008
MANY = 40  # streams from which on screens are made in processes of their own


@dataclass
class Stream:
    """What one page has been sent so far."""

    service: Service
    match_id: str
    visitor: Visitor
    seat: int  # the seat it looks from, or WATCHER
    have: str = ""  # the digest the client came with
    pinned: bool = False  # the page looks from this seat, whoever is asked
    hashes: dict[str, str] = field(default_factory=dict)
    log: list[list[Line]] = field(default_factory=list)  # the frames of the log
    said: int = 0  # messages of the chat
    talk: int = -1  # what the registry counted when the chat was last read
    version: str | None = ""
    curtain: int | None = None
    watching: int = 0

    async def next_message(self) -> dict[str, Any] | None:
        """What has to be sent now, or nothing. No thread is needed where the screen is made
        elsewhere; players who share a screen may have to change seats first.
        """
        service = self.service
        match = service.registry.known(self.match_id)
        mine = match.seats_of(self.visitor.id) if match else []
        screen = None
        if match and len(mine) < 2:
            self.seat = mine[0] if mine else WATCHER
            screen = await service.screens.soon(match, self.seat)
        if match is None or screen is None or not self._may_see(match, screen):
            return await to_thread.run_sync(self.update, limiter=drawing)
        said = {}
        if self.talk != service.registry.talk(self.match_id):
            said = await to_thread.run_sync(self._chat_update)
        return self._message(screen, None, said)

    def update(self) -> dict[str, Any] | None:
        """The same, with a screen that is made here."""
        self.service.moves.let_pass()
        match = self.service.match(self.match_id)
        while True:
            with match.lock:
                curtain = self._look_from(match)
            screen = self.service.screens.of(match, self.seat)
            if self._may_see(match, screen):
                return self._message(screen, curtain, self._chat_update())

    def _may_see(self, match: Match, screen: Screen) -> bool:
        """Whether the seat is still theirs: it can change hands while a screen is made."""
        return screen.viewer == WATCHER or screen.viewer in match.seats_of(self.visitor.id)

    def _message(self, screen: Screen, curtain: int | None, said: dict[str, Any]
                 ) -> dict[str, Any] | None:
        sent = changed_regions(self.hashes, screen.hashes, screen.board, screen.regions)
        is_known = not self.hashes and screen.digest == self.have
        self.hashes = screen.hashes
        message: dict[str, Any] = {} if is_known or not sent else {"regions": sent}
        message |= self._log_update(screen) | said
        watching = self.service.subscriptions.watchers(self.match_id)
        if curtain != self.curtain:
            message["curtain"] = curtain
            self.curtain = curtain
        if screen.version not in (None, self.version):
            message["version"] = self.version = screen.version
        if watching != self.watching:
            message["watching"] = self.watching = watching
        if not message:
            return None
        return message | {"digest": screen.digest, "seat": self.seat, "asked": screen.asked,
                          "status": screen.status}

    def _look_from(self, match: Match) -> int | None:
        """Hot seat: look from the seat that is asked; behind a curtain where there are secrets."""
        mine = match.seats_of(self.visitor.id)
        if self.pinned and self.seat in mine:
            return None
        if self.seat not in mine:
            self.seat = match.first_seat(self.visitor.id)
        asked = next((seat for seat in match.asked_seats if seat in mine), None)
        if asked is None or self.seat in match.asked_seats:
            return None
        if self.seat == WATCHER or match.position.has_secrets(self.seat):
            return asked
        self.seat = asked
        return None

    def _log_update(self, screen: Screen) -> dict[str, Any]:
        """Only the new end of the log, and from where it takes the place of the old one."""
        now = [frame.lines for frame in screen.frames]
        same = 0
        while same < min(len(now), len(self.log)) and now[same] == self.log[same]:
            same += 1
        if same == len(now) == len(self.log):
            return {}
        self.log = now
        return {"log": {"from": same, "frames": now[same:]}}

    def _chat_update(self) -> dict[str, Any]:
        talk = self.service.registry.talk(self.match_id)
        if talk == self.talk:
            return {}
        self.talk = talk
        messages = self.service.store.chat(self.match_id, self.said)
        if not messages:
            return {}
        self.said = messages[-1].number
        return {"chat": [[m.name, m.text if m.is_for(self.visitor.id) else None, m.at, m.role,
                          m.reader_name] for m in messages[-200:]]}

    def hear(self, text: str) -> None:
        """A message of the client: `{"sit": 1}` at one keyboard with several seats, or
        `{"hurry": true}` when a player need not see what the bots do one by one.
        """
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            message = json.loads(text)
            seat = message.get("sit") if isinstance(message, dict) else None
            match = self.service.match(self.match_id)
            if isinstance(message, dict) and message.get("hurry") is True \
                    and self.visitor.id in match.people:
                self.service.bots.hurry(self.match_id)
            if isinstance(seat, int) and seat in match.seats_of(self.visitor.id):
                self.seat = seat


@router.websocket("/table/{table_id}/stream")
async def stream(socket: WebSocket, table_id: str) -> None:
    service: Service = socket.app.state.service
    try:
        visitor, address = visitor_of(socket), address_of(socket)
        refuse_foreign(socket, visitor.by_header)
        service.spend(socket, visitor, "reads")
        await to_thread.run_sync(service.match, table_id)
        admit(service, visitor, address)
    except TableRefusal as refusal:
        await socket.close(POLICY_VIOLATION, str(refusal)[:120])
        return
    try:
        await socket.accept()
        await serve(socket, Stream(service, table_id, visitor, wanted_seat(socket),
                                   socket.query_params.get("have", "")[:40],
                                   "pinned" in socket.query_params))
    except TableRefusal as refusal:  # the table is gone
        await socket.close(POLICY_VIOLATION, str(refusal)[:120])
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page is gone
    finally:
        release(service, visitor, address)


def admit(service: Service, visitor: Visitor, address: str) -> None:
    """Count a stream, for its visitor and for the address; refuse one too many."""
    limits = service.settings.limits
    if service.streams[visitor.id] >= limits.streams_of_visitor:
        raise TooMuch(f"You have {limits.streams_of_visitor} tables open; close some.")
    if service.streams[address] >= limits.streams_of_address:
        raise TooMuch("Too many tables are open from your network; close some.")
    if service.open_streams >= limits.streams:
        raise TooMuch("This server shows as many tables as it can; come back later.")
    service.streams.update((visitor.id, address))
    service.open_streams += 1
    if service.open_streams == MANY:
        service.screens.elsewhere.start()


def release(service: Service, visitor: Visitor, address: str) -> None:
    service.open_streams -= 1
    for who in (visitor.id, address):
        service.streams[who] -= 1
        if not service.streams[who]:
            del service.streams[who]


def wanted_seat(socket: WebSocket) -> int:
    text = socket.query_params.get("seat", "")
    return int(text) if text.isdecimal() and len(text) < 3 else WATCHER


async def serve(socket: WebSocket, shown: Stream) -> None:
    """Send whenever the match changes, hear what the page says, until one of them ends."""
    changed = shown.service.subscriptions.subscribe(shown.match_id)
    changed.set()
    tasks = [asyncio.create_task(send_changes(socket, shown, changed)),
             asyncio.create_task(hear_messages(socket, shown, changed))]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        shown.service.subscriptions.unsubscribe(shown.match_id, changed)
        if not shown.service.subscriptions.watchers(shown.match_id):
            known = shown.service.registry.known(shown.match_id)
            shown.service.screens.unwatched(known, shown.match_id)
        shown.service.subscriptions.ring(shown.match_id)


async def send_changes(socket: WebSocket, shown: Stream, changed: asyncio.Event) -> None:
    while True:
        await changed.wait()
        changed.clear()
        try:
            message = await shown.next_message()
        except TableRefusal:
            raise
        except Exception as error:
            shown.service.failed(error)
            raise
        if message:
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            try:
                await socket.send_text(text)
            except (WebSocketDisconnect, RuntimeError):
                return  # the page is gone; raised on, it would keep all that it passes in memory


async def hear_messages(socket: WebSocket, shown: Stream, changed: asyncio.Event) -> None:
    rate = shown.service.settings.limits.messages
    bucket = Bucket(rate[0], asyncio.get_running_loop().time())
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        is_long = len(message.get("text") or message.get("bytes") or "") > MOST_MESSAGE
        if is_long or bucket.take(rate, asyncio.get_running_loop().time()):
            await socket.close(POLICY_VIOLATION, "Too many or too long messages.")
            return
        if message.get("text"):
            await to_thread.run_sync(shown.hear, message["text"])
            changed.set()
