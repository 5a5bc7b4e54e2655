"""The pages of the desk. They work without a script; one makes them follow a run."""

import secrets
import tomllib
from typing import Annotated, Any
from urllib.parse import urlencode

import tomli_w
from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from exchequer.core.content import flat
from exchequer.core.find import all_games, find_game, game_names
from exchequer.core.game import Game
from exchequer.core.rulebook import changes
from exchequer.lab.plan import plan_from
from exchequer.lab.runs import FAILED, FINISHED, RUNNING, STOPPED
from exchequer.table.desk import (
    MOST_LINES,
    Desk,
    found_view,
    live_view,
    measure_names,
    refuse_unknown,
    said_overlay,
)
from exchequer.table.desk_fields import edited, fields_of, grouped, parts_of, searched
from exchequer.table.guard import visitor_of
from exchequer.table.history import AGENT
from exchequer.table.html import render
from exchequer.table.pages import Form, a_game, page, set_cookie, to_table
from exchequer.table.refusals import NotAdmitted, NotFound
from exchequer.table.table_setup import LEVEL_NAMES, TableSetup, seats_for, whole_number

router = APIRouter(prefix="/desk", include_in_schema=False)
DESK_COOKIE = "exchequer_desk"
NOT_YOURS = "The desk is the designer's; open it with the link that the server has printed."
MOST_FIELDS = 50  # of one page
Words = Annotated[str, Query(max_length=80)]
Place = Annotated[int, Query(ge=0, lt=10**6)]


def add_desk(app: FastAPI, desk: Desk) -> None:
    """Serve the desk beside the table."""
    app.state.desk = desk
    app.include_router(router)


async def the_desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    said = request.cookies.get(DESK_COOKIE, "")
    if not secrets.compare_digest(said.encode("utf-8", "replace"), desk.key.encode()):
        raise NotAdmitted(NOT_YOURS)
    return desk


async def writing(request: Request) -> Desk:
    request.app.state.service.writer(request)
    return await the_desk(request)


Reading = Annotated[Desk, Depends(the_desk)]
Writing = Annotated[Desk, Depends(writing)]


def go(request: Request, path: str, **query: Any) -> Response:
    said = urlencode({key: value for key, value in query.items() if value})
    return RedirectResponse(f"{request.app.state.service.base}/desk{path}"
                            f"{'?' if said else ''}{said}", 303)


def count_of(form: dict[str, str], key: str, default: int) -> int:
    return whole_number(form.get(key, "") or str(default), f"The number of {key}")


# Coming in ---------------------------------------------------------------------------------------

@router.get("/enter")
def enter(request: Request, key: Words = "", game: Words = "") -> Response:
    """Where the printed link leads: from now on this browser is the designer's."""
    desk: Desk = request.app.state.desk
    if not secrets.compare_digest(key.encode(), desk.key.encode()):
        raise NotAdmitted(NOT_YOURS)
    answer = go(request, f"/game/{game}" if game in game_names() else "")
    set_cookie(answer, request, DESK_COOKIE, desk.key)
    return answer


@router.get("")
def overview(request: Request, desk: Reading, first: Place = 0) -> Response:
    lines, count = desk.lines(None, first)
    return page(request, "desk.html", games=all_games(), lines=lines, count=count, first=first,
                most=MOST_LINES, game=None)


# A game ------------------------------------------------------------------------------------------

@router.get("/game/{game:path}")
def game_page(request: Request, desk: Reading, game: str, variant: Words = "",
              part: Words = "rules", search: Words = "", first: Place = 0) -> Response:
    found = a_game(game)
    variants = desk.runs.variants(found)
    content = variants.content(variant)
    part = part if part in parts_of(found) else "rules"
    fields = searched(found, content, search) if search.strip() else fields_of(found, content, part)
    lines, count = desk.lines(found)
    return page(request, "desk_game.html", game=found, variants=variants, variant=variant,
                is_own=variant in variants.own,
                groups=grouped(fields, first, MOST_FIELDS),
                first=first, more=len(fields) > first + MOST_FIELDS, most_fields=MOST_FIELDS,
                parts=parts_of(found), part=part, search=search, lines=lines[:8], count=count,
                changed=changes(found, content), versions=variants.history(variant)[::-1],
                bots=LEVEL_NAMES, measures=measure_names(found))


@router.get("/toml/{game:path}")
def export(desk: Reading, game: str, variant: Words = "") -> Response:
    """The small file that everything else reads."""
    found = a_game(game)
    content = desk.runs.variants(found).content(variant)
    name = f"{found.name.replace('/', '-')}-{variant or 'as-it-ships'}.toml"
    return Response(tomli_w.dumps(content.overlay), media_type="application/toml",
                    headers={"content-disposition": f'attachment; filename="{name}"'})


@router.post("/save")
def save(request: Request, desk: Writing, form: Form) -> Response:
    """Keep what the form changes, under a name."""
    game = a_game(form.get("game", ""))
    variants = desk.runs.variants(game)
    overlay = edited(game, variants.content(form.get("variant", "")), form)
    name = form.get("name", "").strip().replace(" ", "_")
    variants.save(name, overlay)
    return go(request, f"/game/{game.name}", variant=name, part=form.get("part", ""),
              search=form.get("search", ""), first=form.get("first", ""))


@router.post("/restore")
def restore(request: Request, desk: Writing, form: Form) -> Response:
    """A variant becomes what it was; that is a new version, so nothing is lost."""
    game, name = a_game(form.get("game", "")), form.get("variant", "")
    variants = desk.runs.variants(game)
    number = count_of(form, "version", 0)
    for version in variants.history(name) if name.isidentifier() else []:
        if version.number == number:
            variants.save(name, version.overlay)
            return go(request, f"/game/{game.name}", variant=name)
    raise NotFound("There is no such version of this variant.")


@router.post("/delete")
def delete(request: Request, desk: Writing, form: Form) -> Response:
    game = a_game(form.get("game", ""))
    desk.runs.variants(game).delete(form.get("variant", ""))
    return go(request, f"/game/{game.name}")


@router.post("/play")
def play(request: Request, desk: Writing, form: Form) -> Response:
    """A table for this variant at once, against greedy bots."""
    service, visitor = request.app.state.service, visitor_of(request)
    game = a_game(form.get("game", ""))
    content = desk.runs.variants(game).content(form.get("variant", ""))
    kinds = ["me", *["greedy"] * (min(max(game.seats[0], 2), game.seats[1]) - 1)]
    seats = seats_for(kinds, visitor.id, service.name_of(visitor), AGENT, {})
    match = service.open(TableSetup(game, content, seats, listed=False), visitor, request)
    return to_table(request, match, visitor)


# Runs --------------------------------------------------------------------------------------------

@router.post("/run")
def start(request: Request, desk: Writing, form: Form) -> Response:
    game = a_game(form.get("game", ""))
    kind = refuse_unknown(form.get("kind", "run"), ("run", "cards", "probe", "exploit",
                                                    "tune", "sensitivity"))
    more: dict[str, Any] = {key: form[key] for key in ("target", "over") if form.get(key)}
    if kind == "tune":
        more["trials"] = count_of(form, "trials", 40)
    seats = count_of(form, "seats", game.seats[0])
    name = desk.start(kind, game, form.get("variant", ""), form.get("bots", ""),
                      count_of(form, "games", 1000), seats, **more)
    return go(request, f"/run/{name}")


@router.post("/compare")
def compare(request: Request, desk: Writing, form: Form) -> Response:
    """Two variants, or the contents of two runs, on the same deals."""
    bots, games = form.get("bots", "") or "greedy", count_of(form, "games", 1000)
    if form.get("run_a"):
        plans = [plan for key in ("run_a", "run_b") if (plan := desk.plan(form.get(key, "")))]
        if len(plans) < 2 or plans[0].game != plans[1].game:
            raise NotFound("Two runs of one game can be compared.")
        game = plans[0].the_game
        names = desk.names_of(game.name)
        sides = [dict(plan.overlay) for plan in plans]
        words = [said_overlay(side, names) for side in sides]
    else:
        game = a_game(form.get("game", ""))
        variants = desk.runs.variants(game)
        words = [form.get("variant", ""), form.get("other", "")]
        sides = [variants.content(name).overlay for name in words]
        words = [word or "the game as it ships" for word in words]
    name = desk.compare(game, (sides[0], sides[1]), (words[0], words[1]), bots, games)
    return go(request, f"/run/{name}")


@router.get("/run/{name}")
def run_page(request: Request, desk: Reading, name: str) -> Response:
    status, plan = desk.runs.status(name), desk.plan(name)
    game = plan.the_game if plan else None
    variant = said_overlay(plan.overlay, desk.names_of(game.name)) if plan and game else ""
    shown: dict[str, Any] = {"found": None, "replays": [], "pairs": []}
    if status == FINISHED:
        shown = {"found": found_view(desk.runs.found(name)), "replays": desk.runs.replays(name),
                 "pairs": [flat_set(one["set"]) for one in desk.runs.found(name).get("pareto", [])]}
    return page(request, "desk_run.html", name=name, plan=plan, game=game, variant=variant,
                **live_parts(desk, name, status), **shown)


def flat_set(settings: dict[str, Any]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in settings.items()) or "as it ships"


def live_parts(desk: Desk, name: str, status: str) -> dict[str, Any]:
    return {"live": live_view(desk.runs.live(name)), "state": status,
            "is_finished": status == FINISHED, "is_running": status == RUNNING,
            "is_stopped": status == STOPPED,
            "complaint": desk.runs.complaint(name) if status == FAILED else ""}


@router.get("/live/{name}")
def live(desk: Reading, name: str) -> Response:
    """What a page that follows a run puts in its place."""
    status = desk.runs.status(name)
    return HTMLResponse(render("desk_live.html", **live_parts(desk, name, status)),
                        headers={"exchequer-status": status})


@router.post("/stop/{name}")
def stop(request: Request, desk: Writing, name: str) -> Response:
    desk.runs.folder_of(name)
    desk.runs.interrupt(name)
    return go(request, f"/run/{name}")


@router.post("/resume/{name}")
def resume(request: Request, desk: Writing, name: str) -> Response:
    desk.runs.resume(name)
    return go(request, f"/run/{name}")


@router.post("/watch/{name}")
def watch(request: Request, desk: Writing, name: str, form: Form) -> Response:
    """A replay on the board."""
    visitor = visitor_of(request)
    match = desk.watch(name, form.get("replay", ""), visitor.id)
    return RedirectResponse(f"{request.app.state.service.base}/table/{match.id}/replay", 303)


@router.post("/next/{name}")
def next_step(request: Request, desk: Writing, name: str, form: Form) -> Response:
    """The experiment that fits a finding."""
    for one in desk.runs.found(name).get("findings", []):
        if one["id"] == form.get("finding") and "next" in one:
            plan = plan_from(tomllib.loads(one["next"]["plan"]))
            return go(request, f"/run/{desk.runs.start(plan)}")
    raise NotFound("There is no next experiment for this finding.")


@router.post("/keep/{name}")
def keep(request: Request, desk: Writing, name: str, form: Form) -> Response:
    """A content that tuning found becomes a variant."""
    plan, found = desk.plan(name), desk.runs.found(name)
    place = count_of(form, "place", 0)
    if plan is None or place >= len(found.get("pareto", [])):
        raise NotFound("There is no such content in this run.")
    variants = desk.runs.variants(plan.the_game)
    settings = dict(flat(plan.overlay)) | found["pareto"][place]["set"]
    kept = form.get("name", "").strip().replace(" ", "_")
    variants.save(kept, nested(plan.the_game, settings))
    return go(request, f"/game/{plan.the_game.name}", variant=kept)


def nested(game: Game, settings: dict[str, Any]) -> dict[str, Any]:
    """`building.mill.price` as tables."""
    overlay: dict[str, Any] = {}
    for key, value in settings.items():
        *path, last = key.split(".") if "." in key else ("rules", key)
        place = overlay
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return game.schema.shaped(overlay, "variant")


@router.get("/runs")
def runs(request: Request, desk: Reading, game: Words = "", first: Place = 0) -> Response:
    """The history, of one game or of all."""
    found = find_game(game) if game in game_names() else None
    lines, count = desk.lines(found, first)
    return page(request, "desk.html", games=[], lines=lines, count=count, first=first,
                most=MOST_LINES, game=found)


@router.get("/two")
def two(request: Request, desk: Reading, a: Words = "", b: Words = "") -> Response:
    """Two runs side by side."""
    sides = [one_side(desk, name) for name in (a, b)]
    one, other = (side["pairs"] for side in sides)
    differ = [(key, one.get(key, "as it ships"), other.get(key, "as it ships"))
              for key in dict.fromkeys([*one, *other]) if one.get(key) != other.get(key)]
    return page(request, "desk_two.html", sides=sides, differ=differ,
                same_game=sides[0]["plan"].game == sides[1]["plan"].game)


def one_side(desk: Desk, name: str) -> dict[str, Any]:
    plan = desk.plan(name)
    if plan is None or desk.runs.status(name) != FINISHED:
        raise NotFound("Choose two runs that are finished.")
    return {"name": name, "plan": plan, "found": found_view(desk.runs.found(name)),
            "variant": said_overlay(plan.overlay, desk.names_of(plan.game)),
            "pairs": dict(flat(plan.overlay))}
