"""The pages: lobby, a new table, the table, replay, rules. Forms here work without any script."""

import functools
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
)

from exchequer.bots.policies import PERSONAS
from exchequer.core.content import Content
from exchequer.core.find import all_games, broken_games, find_game, game_names
from exchequer.core.game import Game
from exchequer.core.learn import Picture, learn
from exchequer.core.rulebook import changes
from exchequer.table import boards, qr, reports
from exchequer.table.api import AtTable, Serving, own_seat, viewer_of
from exchequer.table.clocks import length_key, timeout_sentence, turn_seconds
from exchequer.table.drawing import draw, drawing_of
from exchequer.table.endings import chapters
from exchequer.table.guard import COOKIE, COOKIE_AGE, visitor_of
from exchequer.table.html import picture, render
from exchequer.table.identity import Visitor
from exchequer.table.journaled import NOT_BEGUN, WATCHER
from exchequer.table.match import Match
from exchequer.table.offers import is_offered, remember_offer
from exchequer.table.playtest_overview import shown_notes
from exchequer.table.refusals import (
    BadInput,
    NotAdmitted,
    NotFound,
    NotNow,
    OtherRules,
    TableRefusal,
    Unavailable,
)
from exchequer.table.regions import short_hash
from exchequer.table.rulebook import learn_html, picture_path, rulebook, things_html
from exchequer.table.screens import game_card
from exchequer.table.service import Service
from exchequer.table.table_setup import (
    LEVEL_NAMES,
    MOST_SEATS,
    settings_from,
    switches,
    table_setup,
    training,
    whole_number,
)

router = APIRouter(include_in_schema=False)
InUrl = Annotated[str, Query(max_length=60)]
FIRST_OPPONENT = "greedy"  # answers at once, compiled or not


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
    service: Service = request.app.state.service
    name = visitor.default_name if visitor.is_new else service.name_of(visitor)
    html = render(template, visitor_name=name, theme=theme_of(request), base=service.base,
                  **values)
    return with_cookie(HTMLResponse(html, status), request, visitor)


def theme_of(request: Request) -> str:
    theme = request.cookies.get("theme", "")
    return theme if theme in ("light", "dark") else ""


def with_cookie(response: Any, request: Request, visitor: Visitor) -> Any:
    if visitor.is_new:
        set_cookie(response, request, COOKIE, visitor.token)
    return response


def set_cookie(response: Any, request: Request, name: str, value: str) -> None:
    service: Service = request.app.state.service
    is_secure = f"{service.settings.url or request.url}".startswith("https:")
    response.set_cookie(name, value, max_age=COOKIE_AGE, httponly=True, samesite="lax",
                        secure=is_secure, path=service.base or "/")


def to_table(request: Request, match: Match, visitor: Visitor) -> Response:
    base = request.app.state.service.base
    return with_cookie(RedirectResponse(f"{base}/table/{match.id}", 303), request, visitor)


# Lobby -------------------------------------------------------------------------------------------

@router.get("/")
def lobby(request: Request, service: Serving) -> Response:
    visitor = reader(request)
    store = service.store
    mine, finished = store.games_of(visitor.id, False), store.games_of(visitor.id, True)
    shown = {row["id"] for row in [*mine, *finished]}
    others = [row for row in store.finished() if row["id"] not in shown]
    waiting = [row for row in store.open_tables() if row["id"] not in shown]
    seats = store.seats([row["id"] for row in [*mine, *finished, *others, *waiting]])
    games = all_games()
    return page(request, "lobby.html", games=in_order(games), broken=broken_games(),
                pictures={game.name: picture(game) for game in games},
                mine=moves_first(mine, seats, visitor.id), finished=finished, others=others,
                waiting=waiting, seats=seats, levels=LEVEL_NAMES, level=FIRST_OPPONENT,
                bots=PERSONAS,
                titles=defaultdict(lambda: "A game that is gone",
                                   {game.name: game.title for game in games}), me=visitor.id)


def moves_first(rows: Sequence[Any], seats: Mapping[str, Sequence[Any]], visitor: str
                ) -> list[dict[str, Any]]:
    """A visitor's tables, those that wait for them first; with what they may do about each."""
    def of(row: Any) -> dict[str, Any]:
        here = seats[row["id"]]
        others = {seat["holder"] for seat in here} - {None, visitor}
        is_mine = any(seat["holder"] == visitor for number, seat in enumerate(here)
                      if number == row["asked"] or row["also_asked"] >> number & 1)
        return dict(row) | {"my_move": is_mine,
                            "may_close": row["creator"] == visitor and not others}

    return sorted(map(of, rows), key=lambda row: not row["my_move"])


def in_order(games: list[Game]) -> list[dict[str, Any]]:
    """Their cards, short games first: a newcomer reads from the left."""
    def minutes(card: dict[str, Any]) -> int:
        found = re.search(r"\d+", card["length"])
        return int(found[0]) if found else 999

    return sorted((game_card(game) for game in games),
                  key=lambda card: (card["seats"][1] == 1, minutes(card)))


@router.post("/quick")
def quick(request: Request, service: Serving, form: Form) -> Response:
    """One click to a game: against bots, or two bots to watch."""
    visitor = service.writer(request)
    game = a_game(form.get("game", ""))
    count = min(max(game.seats[0], 2), game.seats[1])
    level = form.get("level", FIRST_OPPONENT)
    seats = [level if level in LEVEL_NAMES else FIRST_OPPONENT] * count
    if form.get("kind") != "watch":
        seats[0] = "me"
    setup = table_setup(game.name, seats, visitor.id, service.name_of(visitor), clock="none",
                        listed=form.get("kind") == "watch")
    return to_table(request, service.open(setup, visitor, request), visitor)


@router.get("/new/{game:path}")
def new_table(request: Request, game: str, variant: InUrl = "") -> Response:
    reader(request)
    found = a_game(game)
    content = varied(found, variant)
    changed = changes(found, content)
    return page(request, "new.html", game=game_card(found), found=found, variant=variant,
                switches=[row for row in switches(found, content)
                          if row["key"] != length_key(found)],
                length=next((row for row in switches(found, content)
                             if row["key"] == length_key(found)), None), levels=LEVEL_NAMES,
                has_clock=turn_seconds(found, varied(found, "")), sentence=timeout_sentence(found),
                changed=changed, training=training(found, content),
                cards_changed=list(dict.fromkeys(one.card for one in changed if one.card)))


@router.post("/tables")
def create(request: Request, service: Serving, form: Form) -> Response:
    visitor = service.writer(request)
    game = a_game(form.get("game", ""))
    count = whole_number(form.get("count", ""), "The number of players")
    seats = [form.get(f"seat.{number}", "friend")
             for number in range(min(max(count, 0), MOST_SEATS))]
    seed = form.get("seed", "").strip()
    clock = form.get("clock", "")
    amount = form.get(f"amount.{clock}", "0") or "0"
    setup = table_setup(game.name, seats, visitor.id, service.name_of(visitor),
                        variant=form.get("variant", ""), settings=settings_from(game, form),
                        clock=clock, clock_amount=whole_number(amount, "The clock"),
                        seed=whole_number(seed, "A seed") if seed else None,
                        listed=form.get("listed") == "yes",
                        private_talk=form.get("private_talk") == "yes",
                        names={number: form.get(f"name.{number}", "")
                               for number in range(len(seats))})
    return to_table(request, service.open(setup, visitor, request), visitor)


def a_game(name: str) -> Game:
    if name not in game_names():
        raise NotFound("There is no such game here.")
    return find_game(name)


def varied(game: Game, variant: str) -> Content:
    """The content of a variant that comes with the game, or the game's own."""
    if variant and variant not in game.variants:
        raise NotFound(f"{game.title} has no such variant.")
    path = game.folder / "variants" / f"{variant}.toml"
    return read_variant(game, variant, path.stat().st_mtime_ns if variant else 0)


# Reading numbers and drawing rules takes long enough that nobody may have it done again and again.

@functools.lru_cache(maxsize=64)
def read_variant(game: Game, variant: str, changed: int) -> Content:
    """As the file was when it was last changed."""
    return game.variant(variant)


# The table ---------------------------------------------------------------------------------------

@router.get("/table/{table_id}")
def table(request: Request, match: AtTable, service: Serving,
          seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None) -> Response:
    """The table; with a seat that the visitor holds it is looked at from that one for good."""
    visitor = visitor_of(request)
    viewer = viewer_of(match, visitor, seat)
    screen = service.screens.fresh(match, viewer)
    if viewer != WATCHER:
        own_seat(match, visitor, viewer)  # somebody else may have it by now
    playtest = request.app.state.playtests.part(match, visitor)
    offered = playtest is None and is_offered(request, service, match, viewer)
    shown = page(request, "table.html", match=match, screen=screen, viewer=viewer,
                 watcher=WATCHER, mine=match.seats_of(visitor.id), digest=screen.digest,
                 version=screen.version or "", pinned=seat is not None, offered=offered,
                 playtest=playtest,
                 changed=changes(match.game, match.content))
    if offered:
        remember_offer(shown, request, match)
    return shown


@router.get("/table/{table_id}/replay")
def replay(request: Request, match: AtTable,
           frame: Annotated[int, Query(ge=0, lt=10**6)] = 0) -> Response:
    with match.lock:
        viewer = viewer_of(match, visitor_of(request), None)
        frames = match.frames(viewer)
        if not frames:
            raise NotNow(NOT_BEGUN)
        frame = min(frame, len(frames) - 1)
        drawing = drawing_of(match, viewer, match.position.at(frames[frame].moves))
    return page(request, "replay.html", match=match, viewer=viewer, watcher=WATCHER,
                frames=frames, frame=frame, board=draw(drawing), chapters=chapters(match, frames),
                notes=notes_on(request, match))


def notes_on(request: Request, match: Match) -> dict[int, list[tuple[str, str]]] | None:
    """What was noted on moments of a playtest's game; None for all who have no part in one."""
    try:
        return shown_notes(request.app.state.playtests, match, visitor_of(request)).by_frame
    except NotNow:
        return None


@router.get("/table/{table_id}/rules")
def table_rules(request: Request, match: AtTable) -> Response:
    """The rules beside the board, with the numbers in play."""
    base = request.app.state.service.base
    return HTMLResponse(render("rules_panel.html", where="at this table",
                               **rules_of(match.game, match.content, base)))


@functools.lru_cache(maxsize=64)
def rules_of(game: Game, content: Content, base: str) -> dict[str, Any]:
    """What the rules are drawn from, at a table and on their own page."""
    return {"game": game, "learn": learn_html(game, content, base),
            "things": things_html(game, content), "book": rulebook(game, content),
            "changed": changes(game, content)}


@router.get("/table/{table_id}/invite.svg")
def invite(request: Request, match: AtTable) -> Response:
    """The link to a table as a QR code."""
    service: Service = request.app.state.service
    origin = (service.settings.url or str(request.base_url)).rstrip("/")
    drawn = qr.svg(qr.qr_code(f"{origin}/table/{match.id}"))
    return Response(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
                    media_type="image/svg+xml")


@router.get("/table/{table_id}/tips")
def table_tips(match: AtTable) -> dict[str, dict[str, str]]:
    return boards.tips(match.game, match.content)


@router.get("/style/{game:path}.css")
def style(request: Request, game: str, v: Annotated[str, Query(max_length=40)] = "") -> Response:
    """A game's own style sheet. Its URL says which text it is, so it may be kept for ever."""
    reader(request)
    found = boards.style(a_game(game))
    kept = "private, max-age=31536000, immutable" if v == short_hash(found) else "no-cache"
    return Response(found, media_type="text/css", headers={"cache-control": kept})


@router.get("/rules/{game:path}")
def rules(request: Request, game: str, service: Serving, variant: InUrl = "") -> Response:
    reader(request)
    found = a_game(game)
    return page(request, "rules.html", variant=variant, where="in this variant",
                variants=game_card(found)["variants"],
                **rules_of(found, varied(found, variant), service.base))


@router.get("/pictures/{game:path}/{name}.png")
def learn_picture(request: Request, game: str, name: str) -> Response:
    """A picture of the pages for newcomers."""
    reader(request)
    found = a_game(game)
    if name not in {block.name for block in learn(found, varied(found, ""))
                    if isinstance(block, Picture)} or not picture_path(found, name).exists():
        raise NotFound("There is no such picture here.")
    return FileResponse(picture_path(found, name), headers={"cache-control": "max-age=3600"})


@router.get("/reports/{name}")
def report(name: str, request: Request, service: Serving) -> Response:
    """A report of the lab, as it was written."""
    reader(request)
    found = reports.finished(service.settings.reports).get(name)
    if found is None:
        raise NotFound("There is no such report here.")
    desk = f"{service.base}/desk/run" if hasattr(request.app.state, "desk") else ""
    return HTMLResponse(reports.served(found, desk), headers=reports.HEADERS)


@router.get("/api/v1/openapi.json")
def description(request: Request) -> Response:
    """The API; FastAPI's own route is charged to nobody."""
    reader(request)
    return JSONResponse(request.app.openapi())


# Shared ------------------------------------------------------------------------------------------

def reader(request: Request) -> Visitor:
    """Who reads a page, after the limits that hold for any."""
    visitor = visitor_of(request)
    request.app.state.service.spend(request, visitor, "reads")
    return visitor


def refused(request: Request, refusal: TableRefusal) -> Response:
    """A page that says in a sentence what cannot be done."""
    if isinstance(refusal, OtherRules) and refusal.row["story"]:
        return page(request, "story.html", sentence=str(refusal), row=refusal.row,
                    story=json.loads(refusal.row["story"]))
    if isinstance(refusal, (NotAdmitted, Unavailable)):
        return plain_refusal(request, refusal)
    return page(request, "sorry.html", refusal.status, sentence=str(refusal))


def plain_refusal(request: Request, refusal: TableRefusal) -> Response:
    """Without asking who it is for: the token or the database may be what is wrong."""
    service: Service = request.app.state.service
    return HTMLResponse(render("sorry.html", visitor_name="", theme=theme_of(request),
                               base=service.base, sentence=str(refusal)), refusal.status)
