"""The audit's section C: attacks that were refused then, and must be refused for ever."""

import json
import pathlib
import random
import re
import socket

import httpx
import pytest
from served import Served
from test_api import duel, new_table, play
from test_fuzz import ROUTES, new_playtest

from exchequer.core.find import find_game
from exchequer.table import journaled
from exchequer.table.api import table_data
from exchequer.table.drawing import draw, drawing_of
from exchequer.table.history import By, Seat
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.registry import Registry
from exchequer.table.screens import make_screen
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup

pytestmark = pytest.mark.xdist_group("api")
COLD = Precompiler(enabled=False)
FREE = ("/seats", "/bots")  # these take a seat that nobody has


def test_every_attack_of_the_audit_has_a_test():
    """The table in docs/security.md names tests that are there."""
    text = (pathlib.Path(__file__).parents[2] / "docs" / "security.md").read_text()
    named = set(re.findall(r"`(test_\w+)`", text.partition("## The audit")[2]))
    written = "".join(path.read_text() for path in pathlib.Path(__file__).parent.glob("test_*.py"))
    missing = {name for name in named if f"def {name}(" not in written}
    assert len(named) > 60 and not missing, missing


# Other seats -------------------------------------------------------------------------------------

@pytest.mark.parametrize("path", ["?seat=0", "/legal?seat=0", "/why?seat=0&text=a",
                                  "/journal?seat=0", "/frames/0?seat=0"])
def test_nobody_looks_from_anothers_seat(served: Served, path: str):
    _, ben, table = duel(served)
    for client in (ben, served.program()):
        assert client.get(f"/api/v1/tables/{table}{path}").status_code == 403


@pytest.mark.parametrize(("what", "body"), [
    ("play", {"action": 0, "version": "x"}), ("undo", {"version": "x"}), ("leave", {}),
    ("agree", {"yes": True}), ("hint", {}), ("resign", {}), ("remove", {}), ("bots", {})])
def test_strangers_do_nothing_at_a_table(served: Served, what: str, body: dict):
    _, _, table = duel(served)
    stranger = served.program()
    answer = stranger.post(f"/api/v1/tables/{table}/{what}", json={"seat": 0, **body})
    assert answer.status_code == 403 and answer.json()["error"] == "wrong-seat"


def test_no_route_takes_another_persons_seat(served: Served):
    """Every route of the API that takes a seat, those of tomorrow, too."""
    _, ben, table = duel(served, "greement")
    stranger, tried = served.program(), set()
    described = served.app.openapi()
    for path, methods in described["paths"].items():
        for method, told in methods.items():
            query, body = seat_taken(described, told)
            if "{table_id}" not in path or not (query or body) or path.endswith(FREE):
                continue
            tried.add(path.rpartition("}")[2])
            for client in (ben, stranger):
                answer = client.request(method, path.format(table_id=table, number=0), json=body,
                                        params=query)
                assert answer.status_code == 403, (path, answer.text)
                assert answer.json()["error"] == "wrong-seat"
    assert tried > {"", "/play", "/legal", "/text", "/preview", "/amount", "/deals", "/deals/price",
                    "/deals/weighed", "/journal", "/hint", "/undo", "/resign"}


def seat_taken(described: dict, told: dict) -> tuple[dict | None, dict | None]:
    """Query and body with seat 0, where a route takes one."""
    named = {one["name"]: one["schema"] for one in told.get("parameters", ())}
    query = {name: 0 for name, schema in named.items()
             if name in ("seat", "action") and "seat" in named}
    if "requestBody" not in told:
        return query or None, None
    schema = told["requestBody"]["content"]["application/json"]["schema"]
    fields = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]
    body = {name: field["examples"][0] for name, field in fields.items() if "examples" in field}
    return query or None, body | {"seat": 0} if "seat" in fields else None


# Browsers ----------------------------------------------------------------------------------------

def test_no_other_site_reads_our_answers(served: Served):
    for method in ("GET", "OPTIONS"):
        answer = httpx.request(method, f"{served.url}/api/v1/games",
                               headers={"origin": "http://evil.example"})
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "http://127.0.0.1"])
def test_no_write_by_cookie_comes_from_another_site(served: Served, origin: str | None):
    """Every route that writes."""
    ann, _, table = duel(served)
    link, key = new_playtest(ann)
    browser = served.client(accept="text/html", **({"origin": origin} if origin else {}))
    browser.get("/")
    paths = [path for method, path in ROUTES if method == "POST"]
    for path in paths:
        sent = {"json": {}} if path.startswith("/api") else {"data": {}}
        filled = path.format(table_id=table, number=0, link=link, word="1")
        answer = browser.post(filled, params={"key": key}, **sent)  # type: ignore[arg-type]
        is_program = path == "/api/v1/visitors" and origin is None  # a new token, no more
        assert answer.status_code == (201 if is_program else 403), (path, answer.text)
    assert len(paths) > 25


def test_names_and_words_are_escaped(served: Served):
    ann = served.program()
    ann.post("/api/v1/name", json={"name": "<img src=x>"})
    table = new_table(ann, seats=("me", "random"))
    page = ann.get(f"/table/{table}", headers={"accept": "text/html"}).text
    assert "<img src=x" not in page and "&lt;img src=x" in page


# Nonsense ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("path", [
    "/reports/..%2f..%2fetc%2fpasswd", "/static/..%2fapp.py", "/static/%2e%2e/app.py",
    "/rules/..%2f..%2fcore", "/new/kingdom?variant=..%2f..%2fx", "/table/..%2f..%2fetc",
    "/sign-in/..%2fenter"])
def test_no_address_leaves_its_folder(served: Served, path: str):
    with socket.create_connection(served.socket.getsockname()) as plain:
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n"
                      "Connection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: plain.recv(65_536), b""))
    assert int(answer.split()[1]) in (401, 404, 422) and b"def " not in answer


@pytest.mark.parametrize("headers", [
    "Content-Length: 70000\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: x\r\n\r\n",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"])
def test_odd_lengths_are_refused(served: Served, headers: str):
    with socket.create_connection(served.socket.getsockname(), timeout=20) as plain:
        plain.sendall(b"POST /api/v1/name HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers.encode())
        assert plain.recv(4096).split()[1] in (b"400", b"413")


@pytest.mark.parametrize("body", [
    "[" * 5000, '{"game": "kingdom", "seats": ["me", "random"], "settings": {"turn_limit": NaN}}',
    '{"game": "kingdom", "seats": ["me", "random"], "settings": {"turn_limit": 1e400}}',
    '{"game": "kingdom", "seats": ["me", "random"], "settings": {"turn_limit": {"a": {}}}}',
    json.dumps({"game": "kingdom", "seats": ["me", "random"],
                "settings": {"turn_limit": 10**30}})])
def test_odd_bodies_are_refused(served: Served, body: str):
    answer = served.program().post("/api/v1/tables", content=body)
    assert answer.status_code in (400, 422)


# Twins -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["greement", "treasury/v17", "treasury/v03"])
def test_tables_that_differ_in_anothers_secret_look_alike(tmp_path, name: str,
                                                          monkeypatch: pytest.MonkeyPatch):
    """Two tables with the same deal, at which one seat last chose differently, in secret."""
    monkeypatch.setattr(journaled, "fresh_key", lambda: "7" * 64)
    store, chance, compared = Store(str(tmp_path / "t.db")), random.Random(8), 0
    registry, game = Registry(store), find_game(name)
    seats = [Seat("ann", None, "Ann"), Seat("ben", None, "Ben")]
    twins = [registry.open(TableSetup(game, game.content(), seats), "ann") for _ in range(2)]
    for _ in range(90):
        if twins[0].asked is None:
            break
        if twins[0].asked == 1 and len(twins[0].legal()) > 1:
            compared += compare_after(twins, chance)
        action = chance.choice(twins[0].legal())
        for match in twins:
            match.play(match.asked or 0, action, match.version)
    store.close()
    assert compared >= (3 if name == "greement" else 0)


def compare_after(twins: list[Match], chance: random.Random) -> int:
    """Let both choose, compare if that was in secret, and bring both back to where they were."""
    kept = [match.position.whole() for match in twins]
    moves = len(twins[0].position.actions)
    for match, action in zip(twins, chance.sample(twins[0].legal(), 2), strict=True):
        match.position.take(action)
        match.history.movers.append(1)
        match.history.makers.append(By.PERSON)
        match.history.whys.append("")
        match._look_who_is_asked()
    seen = [match.position.observe(0).tobytes() for match in twins]
    is_secret = twins[0].asked is not None and seen[0] == seen[1] and all(
        told(twins[0], viewer) == told(twins[1], viewer) for viewer in (0, WATCHER))
    if is_secret:
        for viewer in (0, WATCHER):
            assert shown(twins[0], viewer) == shown(twins[1], viewer)
    for match, state in zip(twins, kept, strict=True):
        match.position.undo()
        for column in (match.history.movers, match.history.makers, match.history.whys):
            column.pop()
        match._told.clear()
        match._last_told.clear()
        match._look_who_is_asked()
        assert match.position.whole().tobytes() == state.tobytes()
        assert len(match.position.actions) == moves
    return is_secret


def told(match: Match, viewer: int) -> list[list[str]]:
    return [frame.sentences for frame in match.frames(viewer)]


def shown(match: Match, viewer: int) -> dict:
    """All that a viewer gets, but for the table's id."""
    match.history.since.append(0.0)  # the clock of the moment
    data = table_data(match, viewer) | {"id": ""}
    screen = make_screen(match, viewer)
    past = match.position.at(max(0, len(match.position.actions) - 1))
    match.history.since.pop()
    return {"api": {key: value for key, value in data.items() if key != "version"},
            "regions": {name: html.replace(match.id, "") for name, html in screen.regions.items()},
            "board": screen.board.whole, "last": draw(drawing_of(match, viewer, past))}


def test_a_finished_game_tells_everything(served: Served):
    """The other side of it: when it is over, the whole game is open to all."""
    ann, ben, table = duel(served, settings={"turn_limit": 1})
    for _ in range(60):
        for client, seat in ((ann, 0), (ben, 1)):
            if client.get(f"/api/v1/tables/{table}/legal", params={"seat": seat}).json()["moves"]:
                play(client, table, seat)
    journal = served.program().get(f"/api/v1/tables/{table}/journal").json()
    assert journal["status"] == "over" and len(journal["key"]) == 64
    assert all("action" in line for line in journal["lines"][1:])
