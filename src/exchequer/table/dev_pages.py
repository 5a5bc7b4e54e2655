"""The pages of `exchequer dev`: all seats side by side, and a drawer with all there is to know."""

import asyncio
import contextlib
import secrets
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import Field

from exchequer.table import qr
from exchequer.table.api import Body
from exchequer.table.guard import COOKIE, headers_for, visitor_of
from exchequer.table.pages import page, set_cookie
from exchequer.table.refusals import NotAdmitted
from exchequer.table.workshop import Workshop

router = APIRouter(include_in_schema=False)
PATIENCE = 20.0  # seconds that a page waits for news before it asks again
NOT_YOURS = "This page is the designer's; open it with the link that `exchequer dev` has printed."


def add_workshop(app: FastAPI, workshop: Workshop, phone: str) -> None:
    """Serve the workshop beside the table; `phone` is where a phone finds this machine, if any."""
    app.state.workshop, app.state.phone = workshop, phone
    app.include_router(router)
    app.router.routes.insert(0, app.router.routes.pop())  # nothing else answers under /dev
    app.add_exception_handler(Exception, answer_failure)


async def the_workshop(request: Request) -> Workshop:
    workshop: Workshop = request.app.state.workshop
    if visitor_of(request).id != workshop.designer.id:
        raise NotAdmitted(NOT_YOURS)
    return workshop


async def writing(request: Request) -> Workshop:
    request.app.state.service.writer(request)
    return await the_workshop(request)


Reading = Annotated[Workshop, Depends(the_workshop)]
Writing = Annotated[Workshop, Depends(writing)]


class Action(Body):
    action: int = Field(ge=0, lt=2**31)


class Moment(Body):
    moves: int = Field(ge=0, lt=10**6)


class NewGame(Body):
    seats: int | None = Field(None, ge=1, le=12)


@router.get("/dev")
def dev(request: Request, key: Annotated[str, Query(max_length=60)] = "") -> Response:
    if key:
        return entered(request, key, "/dev")
    workshop: Workshop = request.app.state.workshop
    if visitor_of(request).id != workshop.designer.id:
        raise NotAdmitted(NOT_YOURS)
    game = workshop.game
    title = game.title if game else workshop.folder.name
    return page(request, "dev.html", title=title, seat_range=game.seats if game else (1, 1),
                links=phone_links(request))


@router.get("/dev/seat/{seat}")
def seat(request: Request, seat: int, key: Annotated[str, Query(max_length=60)] = "") -> Response:
    """Where a phone comes in."""
    workshop: Workshop = request.app.state.workshop
    return entered(request, key, f"/table/{workshop.id}?seat={seat}")


def entered(request: Request, key: str, where: str) -> Response:
    workshop: Workshop = request.app.state.workshop
    if not secrets.compare_digest(key.encode(), workshop.key.encode()):
        raise NotAdmitted(NOT_YOURS)
    answer = RedirectResponse(where, 303)
    set_cookie(answer, request, COOKIE, workshop.designer.token)
    return answer


def phone_links(request: Request) -> list[dict[str, str]]:
    """A link and a QR code for each seat, where another device can reach us."""
    workshop, phone = request.app.state.workshop, request.app.state.phone
    match = workshop.match
    if not phone or match is None:
        return []
    links = [f"{phone}/dev/seat/{number}?key={workshop.key}" for number in range(len(match.seats))]
    return [{"name": name, "link": link, "code": qr.svg(qr.qr_code(link))}
            for name, link in zip(match.names, links, strict=True)]


@router.get("/dev/news")
async def news(request: Request, workshop: Reading,
               have: Annotated[str, Query(max_length=60)] = "") -> dict[str, Any]:
    """The drawer as soon as it is not the one that the page has."""
    changed = request.app.state.service.subscriptions.subscribe(workshop.id)
    try:
        if workshop.version == have:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), PATIENCE)
        return await to_thread.run_sync(workshop.report)
    finally:
        request.app.state.service.subscriptions.unsubscribe(workshop.id, changed)


@router.post("/dev/play")
def play(body: Action, workshop: Writing) -> dict[str, bool]:
    workshop.play(body.action)
    return {"played": True}


@router.post("/dev/jump")
def jump(body: Moment, workshop: Writing) -> dict[str, bool]:
    workshop.jump(body.moves)
    return {"there": True}


@router.post("/dev/new")
def new(body: NewGame, workshop: Writing) -> dict[str, bool]:
    workshop.begin(body.seats)
    return {"dealt": True}


def answer_failure(request: Request, error: Exception) -> Response:
    """A rule that fails is the designer's to see; the game stays as it was before the move."""
    found = request.app.state.workshop.failed(error)
    where = f"{found[0].file}:{found[0].line}: " if found[0].file else ""
    return JSONResponse({"error": "failed", "sentence": f"{where}{found[0].sentence}",
                         "paragraphs": []}, 500, headers_for(request.url.path, framed=True))
