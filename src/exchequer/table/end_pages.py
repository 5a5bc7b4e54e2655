"""Pages about the end of a game: result, curve, picture, decisions to try again, the next bot."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response

from exchequer.bots.review import Retry, Review
from exchequer.table import endings
from exchequer.table.api import AtTable, Serving
from exchequer.table.drawing import Drawing, draw
from exchequer.table.guard import visitor_of
from exchequer.table.html import render
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.pages import Form, page, to_table
from exchequer.table.refusals import BadInput, NotFound, NotNow, WrongSeat
from exchequer.table.service import Service
from exchequer.table.table_setup import TableSetup, bot_seat, whole_number

router = APIRouter(include_in_schema=False)
PATIENCE = 8.0  # seconds that a page waits for a review before it asks again
NOT_YET, NO_CONTENT = 202, 204
Number = Annotated[int, Path(ge=0, lt=100)]


def refuse_running(match: Match) -> None:
    if not match.is_over:
        raise NotNow("The game is not over yet.")


def reviewed(service: Service, match: Match) -> Review | None:
    refuse_running(match)
    return service.reviews.of(match, PATIENCE)


def not_reviewed(service: Service, match: Match) -> Response:
    return Response(status_code=NO_CONTENT if service.reviews.is_hopeless(match) else NOT_YET)


def seats_here(request: Request, match: Match) -> list[int]:
    return match.seats_of(visitor_of(request).id)


@router.get("/table/{table_id}/result")
def result(request: Request, match: AtTable) -> Response:
    """The end of a game on a page of its own, to be shown to others."""
    refuse_running(match)
    viewer = next(iter(seats_here(request, match)), WATCHER)
    origin = str(request.app.state.service.settings.url or request.base_url).rstrip("/")
    return page(request, "result.html", match=match, viewer=viewer, watcher=WATCHER,
                origin=origin, **endings.result_of(match))


@router.get("/table/{table_id}/review")
def review(request: Request, match: AtTable, service: Serving) -> Response:
    """Curve, luck and skill, decisions to try again; 202 while they are worked out."""
    found = reviewed(service, match)
    if found is None:
        return not_reviewed(service, match)
    seats = seats_here(request, match)
    return HTMLResponse(render("review.html", base=service.base, match=match, mine=bool(seats),
                               **review_of(match, found, seats)))


def review_of(match: Match, found: Review, seats: list[int]) -> dict[str, Any]:
    """From the visitor's seat; for all others from the winner's."""
    seat = (seats or match.result.winners or [0])[0]
    return {"seat": seat, "curve": endings.curve(match, found),
            "points": endings.turning_points(match, found, seat),
            "shares": [endings.shares(found, one) for one in range(len(match.seats))],
            "retries": endings.retries_of(found, seats)}


@router.get("/table/{table_id}/curve")
def curve(match: AtTable, service: Serving) -> Response:
    """The curve alone, for under the replay's scrub bar."""
    found = reviewed(service, match)
    if found is None:
        return not_reviewed(service, match)
    return HTMLResponse(render("curve.html", base=service.base, match=match, points=[],
                               curve=endings.curve(match, found), stretched=True))


@router.get("/table/{table_id}/card.svg")
def card(match: AtTable, service: Serving) -> Response:
    """The result as a picture."""
    refuse_running(match)
    found = service.reviews.of(match, 0)
    drawn = endings.curve(match, found)["paths"] if found else []
    return Response(render("card.svg", match=match, paths=drawn, **endings.result_of(match)),
                    media_type="image/svg+xml")


# Decisions to try again ---------------------------------------------------------------------------

def retry_of(service: Service, match: Match, number: int, seats: list[int]) -> Retry:
    found = reviewed(service, match)
    retries = dict(endings.retries_of(found, seats)) if found else {}
    if number not in retries:
        raise NotFound("There is no such decision of yours in this game.")
    return retries[number]


@router.get("/table/{table_id}/again/{number}")
def again(request: Request, match: AtTable, service: Serving, number: Number) -> Response:
    """A decision as it was, without the answer."""
    retry = retry_of(service, match, number, seats_here(request, match))
    return page(request, "again.html", answer=None, number=number,
                **moment_of(service, match, retry))


@router.post("/table/{table_id}/again/{number}")
def answer(request: Request, match: AtTable, service: Serving, number: Number, form: Form
           ) -> Response:
    """What became of it: the choice now, the choice then, and the bot's."""
    service.writer(request)
    retry = retry_of(service, match, number, seats_here(request, match))
    moment = moment_of(service, match, retry)
    words, chosen = dict(moment["menu"]), whole_number(form.get("action", ""), "A move")
    if chosen not in words:
        raise BadInput("That was not among the moves.")
    said = {"chosen": chosen, "played": retry.played, "best": retry.best}
    return page(request, "again.html", number=number, **moment, answer={
        name: {"words": words.get(action, ""), "worth": retry.worths.get(action), "action": action}
        for name, action in said.items()})


def moment_of(service: Service, match: Match, retry: Retry) -> dict[str, Any]:
    """The board and the moves as the seat had them."""
    with match.lock:
        past = match.position.copy().at(retry.moves)
        drawing = Drawing(match.game.name, match.row["overlay"],
                          past.observe(retry.seat).tobytes(), retry.seat, tuple(match.names), ())
        menu = [(int(move), words) for move, words in past.menu()]
        return {"match": match, "retry": retry, "menu": menu, "question": past.question,
                "board": draw(drawing)}


@router.post("/table/{table_id}/next-bot")
def next_bot(request: Request, match: AtTable, service: Serving) -> Response:
    """The same table again, against bots of the next level."""
    visitor = service.writer(request)
    refuse_running(match)
    if visitor.id not in match.people:
        raise WrongSeat("Only the players of this game can play it again.")
    level = endings.next_level(match, match.seats_of(visitor.id)[0])
    if not level or len(match.people) > 1:
        raise NotNow("There is no other bot to play against here.")
    seats = [bot_seat(number, level) if seat.bot else seat
             for number, seat in enumerate(match.seats)]
    setup = TableSetup(match.game, match.content, seats, match.clock, None, match.row["listed"],
                       private_talk=match.row["private_talk"])
    return to_table(request, service.open(setup, visitor, request), visitor)
