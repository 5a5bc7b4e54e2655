"""A game's lesson is offered once, to whoever plays that game for the first time."""

from fastapi import Request
from fastapi.responses import Response

from exchequer.table.guard import COOKIE_AGE, visitor_of
from exchequer.table.journaled import WATCHER
from exchequer.table.lessons import readable_lesson
from exchequer.table.match import Match
from exchequer.table.service import Service

OFFERED = "offered"  # the cookie with the games whose lesson was offered
MOST_NAMED = 20


def offered(request: Request) -> list[str]:
    return [name for name in request.cookies.get(OFFERED, "").split("|") if name]


def is_offered(request: Request, service: Service, match: Match, viewer: int) -> bool:
    if viewer == WATCHER or match.row.get("lesson") or match.status != "running" \
            or readable_lesson(match.game) is None or match.game.name in offered(request):
        return False
    return service.store.times_at(visitor_of(request).id, match.game.name) == 1


def remember_offer(response: Response, request: Request, match: Match) -> None:
    service: Service = request.app.state.service
    names = [*offered(request)[-MOST_NAMED:], match.game.name]
    response.set_cookie(OFFERED, "|".join(names), max_age=COOKIE_AGE, samesite="lax",
                        path=service.base or "/")
