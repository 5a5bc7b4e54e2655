"""Learning: lessons are begun and skipped; why a bot did that; a page for designers."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from exchequer.table import reports
from exchequer.table.api import AtTable, Serving, viewer_of
from exchequer.table.guard import visitor_of
from exchequer.table.lessons import lesson_setup, stops
from exchequer.table.pages import Form, a_game, page, reader, to_table
from exchequer.table.refusals import NotNow, WrongSeat
from exchequer.table.table_setup import MOST_SEATS
from exchequer.table.thoughts import Question

router = APIRouter(include_in_schema=False)
MOST_REPORTS = 100


@router.post("/lesson")
def begin(request: Request, service: Serving, form: Form) -> Response:
    """A game's lesson: the one that was begun, or a new one."""
    visitor = service.writer(request)
    game = a_game(form.get("game", ""))
    known = service.store.lesson_of(visitor.id, game.name)
    if known:
        return to_table(request, service.match(known), visitor)
    setup = lesson_setup(game, visitor.id, service.name_of(visitor))
    return to_table(request, service.open(setup, visitor, request), visitor)


@router.post("/table/{table_id}/skip")
def skip(request: Request, match: AtTable, service: Serving) -> Response:
    """Leave a lesson; nobody waits for it."""
    visitor = service.writer(request)
    if not match.row.get("lesson") or visitor.id not in match.people:
        raise WrongSeat("This is not a lesson of yours.")
    if not match.is_over:
        match.close("The lesson was left.")
    return RedirectResponse(f"{service.base}/", 303)


@router.get("/table/{table_id}/why-bot")
def why_bot(request: Request, match: AtTable, service: Serving,
            seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None) -> dict[str, Any]:
    """Why the last decision of a bot was made."""
    visitor = visitor_of(request)
    viewer = viewer_of(match, visitor, seat)
    if not match.is_dealt:
        raise NotNow("No bot has decided anything yet.")
    if not match.hints_allowed and not match.is_over:
        raise NotNow("Other people play here; a bot explains itself when all of them agree.")
    service.spend(request, visitor, "hints")
    with service.bots.asked_for():
        return {"told": Question(match, viewer, service.precompiler, service.tokens).answer()}


@router.get("/designers")
def designers(request: Request, service: Serving) -> Response:
    """For those who make the games: reports of the lab, and where learners stop."""
    reader(request)
    found = list(reports.finished(service.settings.reports).values())[:MOST_REPORTS]
    return page(request, "designers.html", reports=found, lessons=list(stops(service.store)))
