"""The pages: lobby, a new table, the table, replay, rules. Forms here work without any script."""

import json
import re
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from exchequer.core.find import find_game, game_names
from exchequer.core.game import Game
from exchequer.core.rulebook import changes
from exchequer.table import boards, reports
from exchequer.table.api import AtTable, Service, viewer_of
from exchequer.table.clocks import turn_seconds
from exchequer.table.drawing import draw, drawing_of
from exchequer.table.guard import COOKIE, COOKIE_AGE, Visitor, address_of, visitor_of
from exchequer.table.html import has_board, picture, render
from exchequer.table.match import WATCHER, Match
from exchequer.table.refusals import BadInput, NotFound, TableRefusal
from exchequer.table.regions import changed_regions, short_hash
from exchequer.table.robots import LEVEL_NAMES
from exchequer.table.rulebook import rulebook
from exchequer.table.screens import game_card
from exchequer.table.service import Table
from exchequer.table.wishes import settings_from, switches, whole_number, wish_for

router = APIRouter(include_in_schema=False)
FIRST_OPPONENT = "greedy"  # answers at once, compiled or not
MOST_REPORTS = 30


async def form_of(request: Request) -> dict[str, str]:
    """A form as it was sent, bounded in number and length."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=300))
    except ValueError:
        raise BadInput("That form has too many fields.") from None


Form = Annotated[dict[str, str], Depends(form_of)]


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page for this visitor, who gets a cookie with the first one."""
    visitor = visitor_of(request)
    service: Table = request.app.state.table
    html = render(template, visitor_name=service.name_of(visitor),
                  theme=theme_of(request), **values)
    return with_cookie(HTMLResponse(html, status), request, visitor)


def theme_of(request: Request) -> str:
    theme = request.cookies.get("theme", "")
    return theme if theme in ("light", "dark") else ""


def with_cookie(response: Any, request: Request, visitor: Visitor) -> Any:
    if visitor.is_new:
        response.set_cookie(COOKIE, visitor.token, max_age=COOKIE_AGE, httponly=True,
                            samesite="lax", secure=request.url.scheme == "https")
    return response


def to_table(request: Request, match: Match, visitor: Visitor) -> Response:
    return with_cookie(RedirectResponse(f"/table/{match.id}", 303), request, visitor)


# Lobby -------------------------------------------------------------------------------------------

@router.get("/")
def lobby(request: Request, service: Service) -> Response:
    visitor = visitor_of(request)
    service.meter.spend(address_of(request), "reads")
    store = service.store
    mine, finished = store.games_of(visitor.id, False), store.games_of(visitor.id, True)
    shown = {row["id"] for row in [*mine, *finished]}
    others = [row for row in store.finished() if row["id"] not in shown]
    waiting = [row for row in store.open_tables() if row["id"] not in shown]
    seats = store.seats([row["id"] for row in [*mine, *finished, *others, *waiting]])
    return page(request, "lobby.html", games=[game_card(name) for name in in_order()],
                pictures={name: picture(find_game(name)) for name in game_names()},
                mine=mine, finished=finished, others=others, waiting=waiting, seats=seats,
                titles={name: find_game(name).title for name in game_names()}, me=visitor.id,
                reports=list(reports.finished(service.settings.reports).values())[:MOST_REPORTS])


def in_order() -> list[str]:
    """Short games first: a newcomer reads from the left."""
    def minutes(name: str) -> int:
        found = re.search(r"\d+", game_card(name)["length"])
        return int(found[0]) if found else 999

    return sorted(game_names(), key=lambda name: (game_card(name)["seats"][1] == 1, minutes(name)))


@router.post("/quick")
def quick(request: Request, service: Service, form: Form) -> Response:
    """One click to a game: against bots, or two bots to watch."""
    visitor = service.writer(request)
    game = a_game(form.get("game", ""))
    count = min(max(game.seats[0], 2), game.seats[1])
    seats = [FIRST_OPPONENT] * count
    if form.get("kind") != "watch":
        seats[0] = "me"
    wish = wish_for(game.name, seats, visitor.id, service.name_of(visitor), clock="none",
                    listed=form.get("kind") == "watch")
    return to_table(request, service.open(wish, visitor, address_of(request)), visitor)


@router.get("/new/{game:path}")
def new_table(request: Request, game: str,
              variant: Annotated[str, Query(max_length=60)] = "") -> Response:
    found = a_game(game)
    if variant and variant not in found.variants:
        raise NotFound(f"{found.title} has no such variant.")
    content = found.variant(variant) if variant else None
    changed = changes(found, content) if content else []
    return page(request, "new.html", game=game_card(found.name), found=found, variant=variant,
                switches=switches(found, content), levels=LEVEL_NAMES,
                has_clock=turn_seconds(found, found.content()),
                changed=changed,
                cards_changed=list(dict.fromkeys(one.card for one in changed if one.card)))


@router.post("/tables")
def create(request: Request, service: Service, form: Form) -> Response:
    visitor = service.writer(request)
    game = a_game(form.get("game", ""))
    count = whole_number(form.get("count", ""), "The number of players")
    seats = [form.get(f"seat.{number}", "friend") for number in range(min(max(count, 0), 12))]
    seed = form.get("seed", "").strip()
    clock = form.get("clock", "")
    amount = form.get(f"amount.{clock}", "0") or "0"
    if form.get("name", "").strip():
        service.rename(visitor, form["name"])
    wish = wish_for(game.name, seats, visitor.id, service.name_of(visitor),
                    variant=form.get("variant", ""), settings=settings_from(game, form),
                    clock=clock, clock_amount=whole_number(amount, "The clock"),
                    seed=whole_number(seed, "A seed") if seed else None,
                    listed=form.get("listed") == "yes")
    return to_table(request, service.open(wish, visitor, address_of(request)), visitor)


def a_game(name: str) -> Game:
    if name not in game_names():
        raise NotFound("There is no such game here.")
    return find_game(name)


# The table ---------------------------------------------------------------------------------------

@router.get("/table/{table_id}")
def table(request: Request, match: AtTable, service: Service) -> Response:
    visitor = visitor_of(request)
    viewer = viewer_of(match, visitor, None)
    screen = service.screens.of(match, viewer)
    _, hashes = changed_regions({}, screen.board, screen.regions)
    digest = short_hash(json.dumps(hashes, sort_keys=True) + str(viewer))
    return page(request, "table.html", match=match, screen=screen, viewer=viewer,
                watcher=WATCHER, mine=match.seats_of(visitor.id), digest=digest,
                version=screen.version if screen.asked in (viewer, None) else "",
                changed=changes(match.game, match.content))


@router.get("/table/{table_id}/replay")
def replay(request: Request, match: AtTable,
           frame: Annotated[int, Query(ge=0, lt=10**6)] = 0) -> Response:
    viewer = viewer_of(match, visitor_of(request), None)
    frames = match.frames(viewer)
    frame = min(frame, len(frames) - 1)
    with match.lock:
        drawing = drawing_of(match, viewer, match.at(frames[frame].moves))
    return page(request, "replay.html", match=match, viewer=viewer, watcher=WATCHER,
                frames=frames, frame=frame, board=draw(drawing))


@router.get("/table/{table_id}/rules")
def table_rules(match: AtTable) -> Response:
    """The rulebook beside the board, with the numbers in play."""
    return HTMLResponse(render("rules_panel.html", game=match.game,
                               book=rulebook(match.game, match.content),
                               changed=changes(match.game, match.content)))


@router.get("/table/{table_id}/tips")
def table_tips(match: AtTable) -> dict[str, dict[str, str]]:
    return boards.tips(match.game, match.content) if has_board(match.game) else {}


@router.get("/rules/{game:path}")
def rules(request: Request, game: str) -> Response:
    found = a_game(game)
    return page(request, "rules.html", game=found, book=rulebook(found))


@router.get("/reports/{name}")
def report(name: str, request: Request, service: Service) -> Response:
    """A report of the lab, as it was written."""
    service.meter.spend(address_of(request), "reads")
    found = reports.finished(service.settings.reports).get(name)
    if found is None:
        raise NotFound("There is no such report here.")
    return HTMLResponse(found.path.read_bytes(), headers=reports.HEADERS)


def refused(request: Request, refusal: TableRefusal) -> Response:
    """A page that says in a sentence what cannot be done."""
    return page(request, "sorry.html", refusal.status, sentence=str(refusal))
