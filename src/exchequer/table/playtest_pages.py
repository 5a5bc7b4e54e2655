"""The pages of playtests: for whoever sets one up, for testers, for games on paper."""

import json
import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from exchequer.core.content import Content
from exchequer.core.find import all_games
from exchequer.core.game import Game
from exchequer.lab.playtest import as_json
from exchequer.table import qr, reports
from exchequer.table.api import AtTable, Serving
from exchequer.table.drawing import draw, drawing_of
from exchequer.table.guard import visitor_of
from exchequer.table.html import render
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.pages import Form, a_game, page, reader, to_table, with_cookie
from exchequer.table.playtest_data import data_of, erase_tester, own_data
from exchequer.table.playtest_overview import overview, paper_from, shown_notes
from exchequer.table.playtest_store import NewTrace
from exchequer.table.playtests import (
    BANK,
    DELAY,
    MOST_QUESTIONS,
    USUAL,
    Playtest,
    Playtests,
    Wanted,
    closed_at,
)
from exchequer.table.refusals import BadInput, NotFound, NotNow
from exchequer.table.screens import game_card
from exchequer.table.service import is_same
from exchequer.table.table_setup import LEVEL_NAMES, whole_number

router = APIRouter(prefix="/playtest", include_in_schema=False)
Key = Annotated[str, Query(max_length=40)]


def add_playtests(app: FastAPI, playtests: Playtests) -> None:
    app.state.playtests = playtests
    app.include_router(router)


async def the_playtests(request: Request) -> Playtests:
    return request.app.state.playtests


def a_playtest(link: str, request: Request) -> Playtest:
    reader(request)
    playtests: Playtests = request.app.state.playtests
    return playtests.by_link(link)


All = Annotated[Playtests, Depends(the_playtests)]
One = Annotated[Playtest, Depends(a_playtest)]


def designers(playtest: One, playtests: All, request: Request, key: Key = "") -> Playtest:
    playtests.refuse_others(playtest, visitor_of(request), key)
    return playtest


Designers = Annotated[Playtest, Depends(designers)]


def go(request: Request, path: str) -> Response:
    return RedirectResponse(f"{request.app.state.service.base}/playtest{path}", 303)


def origin_of(request: Request) -> str:
    return (request.app.state.service.settings.url or str(request.base_url)).rstrip("/")


# Setting one up ----------------------------------------------------------------------------------

@router.get("")
def mine(request: Request, playtests: All) -> Response:
    """One's own playtests, and the games of which a new one can be made."""
    visitor = reader(request)
    rows = playtests.store.of_owner(visitor.id)
    return page(request, "playtest_list.html", rows=rows, games=all_games(),
                titles={row["number"]: json.loads(row["setup"])["title"] for row in rows})


@router.get("/new/{game:path}")
def new(request: Request, game: str, variant: Key = "") -> Response:
    reader(request)
    found = a_game(game)
    return page(request, "playtest_new.html", game=game_card(found), bank=BANK, usual=USUAL,
                variant=variant,
                variants=variants_of(request, found), levels=LEVEL_NAMES, most=MOST_QUESTIONS,
                delay=int(DELAY))


def variants_of(request: Request, game: Game) -> dict[str, str]:
    """Names and titles: what ships with the game and, for the designer at their desk, their own."""
    found = {"": "As the rulebook has it"}
    found |= {one["name"]: one["title"] for one in game_card(game)["variants"]}
    if desk := desk_of(request):
        found |= {name: name.replace("_", " ") for name in desk.runs.variants(game).own}
    return found


def desk_of(request: Request) -> Any:
    """The designer's desk, when this browser is the designer's."""
    desk = getattr(request.app.state, "desk", None)
    said = request.cookies.get("exchequer_desk", "")
    return desk if desk and is_same(said, desk.key) else None


def content_named(request: Request, game: Game, name: str) -> Content:
    if name not in variants_of(request, game):
        raise NotFound(f"{game.title} has no such variant.")
    desk = desk_of(request)
    return desk.runs.variants(game).content(name) if desk else game.variant(name)


@router.post("/new")
def create(request: Request, playtests: All, service: Serving, form: Form) -> Response:
    visitor = service.writer(request)
    service.spend(request, visitor, "tables")
    game = a_game(form.get("game", ""))
    names = variants_of(request, game)
    chosen = [form.get("variant", "")]
    if form.get("other", "none") != "none":
        chosen.append(form["other"])
    wanted = Wanted(
        form.get("title", ""),
        [(names.get(one, one), content_named(request, game, one)) for one in chosen],
        whole_number(form.get("seats", ""), "The number of seats"),
        whole_number(form.get("people", ""), "The number of people"), form.get("bots", "greedy"),
        [one for one in BANK if form.get(f"ask.{one}")],
        [(form.get(f"kind.{number}", "text"), form.get(f"own.{number}", "")) for number in (1, 2)],
        whole_number(form.get("delay", "") or str(int(DELAY)), "The delay"))
    made = playtests.create(game, wanted, visitor.id)
    answer = go(request, f"/{made.link}/designer?key={playtests.key(made)}")
    return with_cookie(answer, request, visitor)


# The designer's page -----------------------------------------------------------------------------

@router.get("/{link}/designer")
def designer(request: Request, playtest: Designers, playtests: All) -> Response:
    return page(request, "playtest_designer.html", playtest=playtest, game=playtest.the_game,
                key=playtests.key(playtest), origin=origin_of(request),
                **overview(playtests, playtest), desk=desk_of(request) is not None)


@router.get("/{link}/report")
def report(request: Request, playtest: Designers, playtests: All, service: Serving) -> Response:
    """What the lab reads from it, without bots beside it; these need a run of their own."""
    service.spend(request, visitor_of(request), "hints")
    try:
        from exchequer.lab.people_analysis import analyse
        from exchequer.lab.people_report import people_report
    except ImportError:
        raise NotNow("This server has no lab: pip install 'exchequer[lab]'.") from None
    html = people_report(analyse(data_of(playtests, playtest)))
    return HTMLResponse(html, headers=reports.HEADERS)


@router.post("/{link}/run")
def beside_bots(request: Request, playtest: Designers, playtests: All, service: Serving,
                form: Form) -> Response:
    """At the desk: a run in which bots play the same variants."""
    service.writer(request)
    desk = desk_of(request)
    if desk is None:
        raise NotNow("The desk is the designer's; open it with the link that the server has "
                     "printed.")
    from exchequer.lab.people import FILE, plan_from_people

    data = data_of(playtests, playtest)
    games = whole_number(form.get("games", "") or "1000", "The number of games")
    name = desk.runs.start(plan_from_people(data, [], games),
                           {FILE: json.dumps(as_json(data), ensure_ascii=False).encode()})
    return RedirectResponse(f"{service.base}/desk/run/{name}", 303)


@router.get("/{link}/live")
def live(request: Request, playtest: Designers, playtests: All) -> Response:
    """The part of the designer's page that changes by itself."""
    return HTMLResponse(render("playtest_live.html", playtest=playtest,
                               base=request.app.state.service.base, key=playtests.key(playtest),
                               **overview(playtests, playtest)))


@router.post("/{link}/close")
def close(request: Request, playtest: Designers, playtests: All, service: Serving,
          form: Form) -> Response:
    """Take no more testers, or take some again."""
    service.writer(request)
    playtests.store.close(playtest.number, closed_at(form.get("closed") == "yes"))
    return go(request, f"/{playtest.link}/designer?key={playtests.key(playtest)}")


@router.get("/{link}/data.json")
def export(playtest: Designers, playtests: All) -> Response:
    text = json.dumps(as_json(data_of(playtests, playtest)), ensure_ascii=False)
    return download(text, f"{playtest.name}.json")


def download(text: str, name: str) -> Response:
    return Response(text, media_type="application/json",
                    headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/{link}/code.svg")
def code(request: Request, playtest: One, paper: Annotated[bool, Query()] = False) -> Response:
    """The testers' link, or that of the form for games on paper, as a QR code."""
    path = f"/playtest/{playtest.link}{'/paper' if paper else ''}"
    drawn = qr.svg(qr.qr_code(origin_of(request) + path))
    return Response(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
                    media_type="image/svg+xml")


@router.get("/{link}/watch/{table_id}")
def watch(request: Request, playtest: Designers, playtests: All, match: AtTable) -> Response:
    """A table as a spectator saw it a while ago, so that nobody can whisper to the players."""
    row = playtests.store.table(match.id)
    if row is None or row["playtest"] != playtest.number:
        raise NotFound("There is no such table in this playtest.")
    people = match.people - set(playtests.store.testers(playtest.number))
    if people:
        raise NotNow("Somebody plays unrecorded at this table, so it cannot be watched from here.")
    return page(request, "playtest_watch.html", playtest=playtest, key=playtests.key(playtest),
                match=match, **delayed(match, playtest.delay))


def delayed(match: Match, delay: float) -> dict[str, Any]:
    """What a spectator saw then; all of it once the game is over."""
    if not match.is_dealt:
        raise NotNow("The game has not begun.")
    moves = len(match.position.actions)
    if not match.is_over:
        moves = moves_before(match, time.time() - delay)
    frames = [frame for frame in match.frames(WATCHER) if frame.moves <= moves]
    with match.lock:
        drawing = drawing_of(match, WATCHER, match.position.at(moves))
    return {"frames": frames[-30:], "board": draw(drawing), "moves": moves}


def moves_before(match: Match, end: float) -> int:
    """How many moves had been made by then, of those that still stand."""
    made: list[float] = []
    for entry in match.store.journal(match.id):
        if entry.kind == "move":
            made.append(entry.at)
        elif entry.kind == "undo" and "to" in entry.data:
            del made[entry.data["to"]:]
    return sum(at <= end for at in made[:len(match.position.actions)])


# Testers -----------------------------------------------------------------------------------------

@router.post("/{link}/join")
def join(request: Request, link: str, playtests: All, service: Serving, form: Form) -> Response:
    visitor = service.writer(request)
    playtest = playtests.by_link(link)
    if form.get("name", "").strip():
        service.rename(visitor, form["name"])
    match = playtests.join(playtest, visitor, form.get("agree") == "yes", request)
    return to_table(request, match, visitor)


@router.get("/{link}/mine/{word}")
def own(request: Request, playtest: One, playtests: All, word: str) -> Response:
    """What is kept of a tester, by their own link."""
    tester = playtests.tester_by(playtest, word)
    is_there = playtests.store.holder(playtest.number, tester) is not None
    return page(request, "playtest_mine.html", playtest=playtest, word=word, tester=tester,
                found=own_data(playtests, playtest, tester) if is_there else None)


@router.get("/{link}/mine/{word}/data.json")
def own_export(playtest: One, playtests: All, word: str) -> Response:
    tester = playtests.tester_by(playtest, word)
    found = own_data(playtests, playtest, tester)
    return download(json.dumps(found, ensure_ascii=False, indent=1), f"{playtest.name}-mine.json")


@router.post("/{link}/mine/{word}/erase")
def own_erase(request: Request, link: str, playtests: All, service: Serving, word: str
              ) -> Response:
    service.writer(request)
    playtest = playtests.by_link(link)
    erase_tester(playtests, playtest, playtests.tester_by(playtest, word))
    return go(request, f"/{link}/mine/{word}")


# On paper ----------------------------------------------------------------------------------------

@router.get("/{link}/sheet")
def sheet(request: Request, playtest: Designers) -> Response:
    """To be printed and laid on the table."""
    return page(request, "playtest_sheet.html", playtest=playtest, game=playtest.the_game,
                origin=origin_of(request))


@router.get("/{link}/paper")
def paper(request: Request, playtest: One) -> Response:
    return page(request, "playtest_paper.html", playtest=playtest, game=playtest.the_game,
                done=False, said=None)


@router.post("/{link}/paper")
def enter_paper(request: Request, link: str, playtests: All, service: Serving, form: Form
                ) -> Response:
    """A game that was played at a kitchen table."""
    visitor = service.writer(request)
    playtest = playtests.by_link(link)
    if playtest.closed:
        raise NotNow("This playtest is over. Thank you for coming!")
    service.spend(request, visitor, "tables")
    found = paper_from(playtest, form)
    playtests.store.note(playtest.number, None, None, [NewTrace("paper", found)])
    return page(request, "playtest_paper.html", playtest=playtest, game=playtest.the_game,
                done=True, said=found)


@router.get("/{link}")
def landing(request: Request, playtest: One, playtests: All) -> Response:
    """Where testers come in: what it is, what is recorded, and the choice."""
    visitor = visitor_of(request)
    tester = playtests.store.tester(playtest.number, visitor.id)
    word = playtests.own_word(playtest, tester) if tester else ""
    return page(request, "playtest_join.html", playtest=playtest, word=word,
                game=game_card(playtest.the_game), is_new=tester is None)


# At a table --------------------------------------------------------------------------------------

KINDS = ("hint", "why", "rules", "preview", "idle", "flag")
FLAGS = ("great", "unclear")
MOST_AT_ONCE = 100


@router.post("/at/{table_id}/noted")
async def noted(request: Request, match: AtTable, playtests: All, service: Serving
                ) -> dict[str, int]:
    """What a tester's page has seen them do, some seconds ago."""
    from anyio import to_thread

    visitor = service.writer(request)
    try:
        found = traces_from(json.loads(await request.body(), parse_constant=no_number))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise BadInput("That is not what a page of a playtest sends.") from None
    return {"noted": await to_thread.run_sync(playtests.note, match, visitor, found)}


def no_number(text: str) -> None:
    """NaN would spoil every mean that it comes into."""
    raise ValueError(text)


def writable(text: Any, longest: int) -> str:
    """JSON can hold half a character, with which no export could be written."""
    return str(text)[:longest].encode("utf-8", "replace").decode()


def traces_from(body: Any) -> list[NewTrace]:
    now, found = time.time(), []
    for one in body["things"][:MOST_AT_ONCE]:
        kind, what = one["kind"], writable(one.get("what", ""), 80)
        if kind not in KINDS or (kind == "flag" and what not in FLAGS):
            raise BadInput("That is not what a page of a playtest sends.")
        data: dict[str, Any] = {"what": what}
        if "seconds" in one:
            data["seconds"] = round(min(max(float(one["seconds"]), 0.0), 36_000.0), 1)
        if cites := [writable(number, 20) for number in one.get("cites", [])][:12]:
            data["cites"] = cites
        ago = min(max(float(one.get("ago", 0.0)), 0.0), 600.0)
        found.append(NewTrace(kind, data, now - ago))
    return found


@router.get("/at/{table_id}/form")
def form(request: Request, match: AtTable, playtests: All) -> Response:
    """The questions, when it is time for them; 204 before."""
    visitor = visitor_of(request)
    part = playtests.part(match, visitor)
    if part is None or part.tester is None or not playtests.may_answer(match, visitor):
        return Response(status_code=204)
    said = playtests.store.traces(part.playtest.number, match.id, part.tester, "answers")
    return HTMLResponse(render("playtest_form.html", base=request.app.state.service.base,
                               match=match, questions=part.playtest.questions,
                               link=part.playtest.link, is_done=bool(said),
                               word=playtests.own_word(part.playtest, part.tester)))


@router.post("/at/{table_id}/answers")
def answers(request: Request, match: AtTable, playtests: All, service: Serving, form: Form
            ) -> Response:
    visitor = service.writer(request)
    playtest, tester = playtests.recorded(match, visitor)
    when = playtests.may_answer(match, visitor)
    if not when:
        raise NotNow("The questions come when the game is over or you have left.")
    playtests.answer(playtest, match.id, tester, form, when)
    return RedirectResponse(f"{service.base}/table/{match.id}", 303)


@router.post("/at/{table_id}/note")
def note(request: Request, match: AtTable, playtests: All, service: Serving, form: Form
         ) -> Response:
    """A note on a moment of the replay, by a tester or the designer."""
    visitor = service.writer(request)
    frame = whole_number(form.get("frame", ""), "A moment")
    shown_notes(playtests, match, visitor).add(form.get("text", ""), frame)
    return RedirectResponse(f"{service.base}/table/{match.id}/replay?frame={frame}", 303)
