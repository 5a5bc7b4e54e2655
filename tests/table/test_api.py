"""The API, its guards, and what nobody may learn through it."""

import html
import json
import pathlib
import re
import time
from unittest.mock import Mock

import httpx
import pytest
from served import Served
from visitors import wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from exchequer.bots.policies import PERSONAS
from exchequer.table.guard import COOKIE
from exchequer.table.limits import Limits

pytestmark = pytest.mark.xdist_group("api")


def new_table(client: httpx.Client, game: str = "kingdom",
              seats: tuple[str, ...] = ("me", "friend"), **more: object) -> str:
    answer = client.post("/api/v1/tables", json={"game": game, "seats": list(seats), **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def duel(served: Served, game: str = "kingdom", **more: object
         ) -> tuple[httpx.Client, httpx.Client, str]:
    ann, ben = served.program(), served.program()
    table = new_table(ann, game, **more)
    assert ben.post(f"/api/v1/tables/{table}/seats", json={"seat": 1}).status_code == 201
    return ann, ben, table


def play(client: httpx.Client, table: str, seat: int, action: int | None = None) -> httpx.Response:
    found = client.get(f"/api/v1/tables/{table}/legal", params={"seat": seat}).json()
    chosen = found["moves"][0]["action"] if action is None else action
    return client.post(f"/api/v1/tables/{table}/play", json={
        "seat": seat, "action": chosen, "version": found["version"]})


def test_a_program_holds_a_seat_to_the_end(served: Served):
    """All that a bot in another language needs."""
    bot = served.program()
    table = new_table(bot, seats=("me", "random"), settings={"turn_limit": 4})
    end = time.monotonic() + 60
    while time.monotonic() < end:
        seen = bot.get(f"/api/v1/tables/{table}").json()
        if seen["status"] == "over":
            break
        if seen["moves"]:
            body = {"seat": 0, "action": seen["moves"][-1]["action"], "version": seen["version"]}
            assert bot.post(f"/api/v1/tables/{table}/play", json=body).status_code in (200, 409)
    assert seen["winners"] and len(seen["scores"]) == 2
    journal = bot.get(f"/api/v1/tables/{table}/journal").json()
    assert journal["seed"] >= 0 and all("action" in line for line in journal["lines"][1:])


def test_the_rules_of_a_table_list_and_show_changed_cards(served: Served):
    bot = served.program()
    table = new_table(bot, "greement", ("me", "random"), variant="designer_2017_08")
    rules = bot.get(f"/table/{table}/rules").text
    assert "Crop profit: start. Here: <b>4</b> (rulebook: 3)." in rules
    assert 'Crop profit <mark title="3 in the rulebook">4</mark>,' in rules
    assert '<p id="G-16" class="off">' in rules and '<p id="G-74">' in rules
    assert "Crop profit: start. Here: <b>4</b>" in bot.get(f"/table/{table}").text


def test_refusals_have_a_type_a_sentence_and_paragraphs(served: Served):
    ann, ben, table = duel(served)
    answer = play(ann, table, 0, 10**6)
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal")
    stale = {"seat": 0, "action": 0, "version": "0" * 18}
    answer = ann.post(f"/api/v1/tables/{table}/play", json=stale)
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")
    answer = ben.post(f"/api/v1/tables/{table}/play", json={**stale, "seat": 1})
    assert answer.status_code in (403, 409)
    attack = next(m for m in ann.get(f"/api/v1/tables/{table}/why",
                                     params={"seat": 0, "text": "attack"}).json())
    assert "K-32" in attack["sentence"] and attack["words"] == "Army Attack"


def test_why_answers_in_the_words_of_the_menu(served: Served):
    ann, _, table = duel(served)
    for sought in ("great", "build:gr"):
        found = ann.get(f"/api/v1/tables/{table}/why", params={"seat": 0, "text": sought}).json()
        assert [one["words"] for one in found] == ["Build: Great Hall (22 gold)"]
        assert "K-2" in found[0]["paragraphs"]
    params = {"seat": 0, "text": "palace:use"}  # an answer to another question
    assert ann.get(f"/api/v1/tables/{table}/why", params=params).json() == []


@pytest.mark.parametrize("what", ["play", "undo", "leave", "agree", "hint"])
def test_nobody_acts_for_another_seat(served: Served, what: str):
    _, ben, table = duel(served)
    body = {"seat": 0, "action": 0, "version": "x", "yes": True}
    needed = {"play": ("seat", "action", "version"), "undo": ("seat", "version"),
              "leave": ("seat",), "agree": ("seat", "yes"), "hint": ("seat",)}[what]
    answer = ben.post(f"/api/v1/tables/{table}/{what}", json={key: body[key] for key in needed})
    assert (answer.status_code, answer.json()["error"]) == (403, "wrong-seat")
    for path in ("", "/legal", "/journal"):
        answer = ben.get(f"/api/v1/tables/{table}{path}", params={"seat": 0})
        assert answer.status_code == 403


def test_what_others_did_in_secret_is_not_in_the_journal(served: Served):
    ann, ben, table = duel(served, "greement")
    for _ in range(6):
        for client, seat in ((ann, 0), (ben, 1)):
            if client.get(f"/api/v1/tables/{table}/legal", params={"seat": seat}).json()["moves"]:
                assert play(client, table, seat).status_code == 200
    lines = ben.get(f"/api/v1/tables/{table}/journal").json()
    assert "seed" not in lines
    assert not any("action" in line for line in lines["lines"] if line.get("seat") == 0)
    assert any("action" in line for line in lines["lines"] if line.get("seat") == 1)


def test_versions_cannot_be_counted(served: Served):
    ann, ben, table = duel(served)
    first = ann.get(f"/api/v1/tables/{table}").json()["version"]
    assert re.fullmatch("[0-9a-f]{18}", first)
    play(ann, table, 0)
    seen = [client.get(f"/api/v1/tables/{table}").json() for client in (ann, ben, served.program())]
    for data in seen:
        is_asked = data["seat"] is not None and data["seat"] == data["asked"]
        assert bool(data["version"]) == is_asked and data["version"] != first


# Browsers ----------------------------------------------------------------------------------------

def test_writes_by_cookie_need_our_own_origin(served: Served):
    browser = served.client()
    page = browser.get("/", headers={"accept": "text/html"})
    cookie = page.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    body = {"game": "kingdom", "seats": ["me", "random"]}
    for origin in (None, "http://evil.example", "null"):
        headers = {"origin": origin} if origin else {}
        assert browser.post("/api/v1/tables", json=body, headers=headers).status_code == 403
    assert browser.post("/api/v1/tables", json=body,
                        headers={"origin": served.url}).status_code == 201


def test_a_token_is_nowhere_to_be_read(served: Served):
    browser = served.client(origin=served.url, accept="text/html")
    browser.get("/")
    token = browser.cookies[COOKIE]
    table = browser.post("/quick", data={"game": "kingdom", "kind": "play"})
    page = browser.get(table.headers["location"])
    assert page.status_code == 200 and token not in page.text
    database = pathlib.Path(served.service.store.url.removeprefix("sqlite:///"))
    for file in database.parent.iterdir():
        assert token.encode() not in file.read_bytes()


def test_a_new_table_says_how_each_level_plays(served: Served):
    text = httpx.get(f"{served.url}/new/kingdom").text
    for level, persona in PERSONAS.items():
        assert f"<strong>{level}</strong>: {persona}" in text


@pytest.mark.parametrize("path", ["/", "/new/kingdom", "/rules/kingdom", "/api/v1/games",
                                  "/nothing", "/static/table.js"])
def test_every_answer_carries_the_policy(served: Served, path: str):
    answer = httpx.get(served.url + path, headers={"accept": "text/html"})
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    if path in ("/", "/new/kingdom"):
        assert "<script>" not in answer.text and " style=" not in answer.text
        assert " onclick=" not in answer.text


# Bounds ------------------------------------------------------------------------------------------

def test_what_is_too_much_is_said(tmp_path):
    tight = Limits(chat=(2, 0.01), running_tables=2, writes=(30, 0.01), streams_of_visitor=1)
    with Served(str(tmp_path / "t.db"), tight) as served:
        ann = served.program()
        table = new_table(ann)
        for text in ("one", "two"):
            assert ann.post(f"/api/v1/tables/{table}/chat", json={"text": text}).status_code == 201
        answer = ann.post(f"/api/v1/tables/{table}/chat", json={"text": "three"})
        assert answer.status_code == 429 and "try again in" in answer.json()["sentence"]
        new_table(ann)
        answer = ann.post("/api/v1/tables", json={"game": "kingdom", "seats": ["me", "friend"]})
        assert answer.status_code == 429 and "not over" in answer.json()["sentence"]
        with stream(served, ann, table), pytest.raises(InvalidStatus):
            stream(served, ann, table)
        for _ in range(30):
            answer = ann.post(f"/api/v1/tables/{table}/agree", json={"seat": 0, "yes": True})
        assert answer.status_code == 429


@pytest.mark.parametrize(("name", "sentence"), [
    ("", "is empty"), ("\u202e\u0000", "is empty"), ("x" * 25, "24 characters")])
def test_names_are_bounded(served: Served, name: str, sentence: str):
    answer = served.program().post("/api/v1/name", json={"name": name})
    assert answer.status_code == 422 and sentence in answer.json()["sentence"]


def test_a_table_never_seats_a_visitors_program(served: Served, tmp_path: pathlib.Path):
    """Neither the API nor the page takes FILE.py:CLASS, and the file is not looked into."""
    file, trace = tmp_path / "bot.py", tmp_path / "trace"
    file.write_text(f"open({str(trace)!r}, 'w').close()\nclass Bot:\n    choose = print\n")
    ann = served.program()
    table = new_table(ann)
    for name in ("bot.py:Bot", f"{file}:Bot"):
        for answer in (
                ann.post("/api/v1/tables", json={"game": "kingdom", "seats": ["me", name]}),
                ann.post(f"/api/v1/tables/{table}/bots", json={"seat": 1, "level": name}),
                ann.post("/tables", data={"game": "kingdom", "count": "2", "seat.0": "me",
                                          "seat.1": name})):
            assert answer.status_code in (400, 422)
            said = html.unescape(answer.text)
            assert "named bots only" in said or "at most 20 characters" in said
    assert not trace.exists()


def test_bodies_are_bounded(served: Served):
    ann = served.program()
    answer = ann.post("/api/v1/name", content=b"x" * 70_000)
    assert answer.status_code == 413
    answer = ann.post("/api/v1/name", content=(b"x" * 1000 for _ in range(70)))
    assert answer.status_code >= 400


@pytest.mark.parametrize(("change", "sentence"), [
    ({"game": "chess"}, "no game"), ({"seats": ["me"]}, "2 players"),
    ({"seats": ["me", "genius"]}, "no bot"), ({"clock": "rules"}, "name no clock"),
    ({"clock": "move", "clock_amount": 1}, "5 to 3600"), ({"variant": "../x"}, "no variant"),
    ({"settings": {"turn_limit": -1}}, "turn_limit"), ({"settings": {"nonsense": 1}}, "nonsense")])
def test_wishes_that_cannot_be(served: Served, change: dict, sentence: str):
    body = {"game": "kingdom", "seats": ["me", "random"], **change}
    answer = served.program().post("/api/v1/tables", json=body)
    assert answer.status_code == 422 and sentence in answer.json()["sentence"]


# Streams -----------------------------------------------------------------------------------------

def stream(served: Served, client: httpx.Client, table: str, query: str = "?seat=0",
           origin: str | None = None):
    headers = {"Authorization": client.headers["authorization"]} if client else {}
    return connect(f"{served.url.replace('http', 'ws')}/table/{table}/stream{query}",
                   additional_headers=headers, origin=origin, open_timeout=10)  # type: ignore[arg-type]


def test_a_stream_sends_only_what_changed_and_resumes(served: Served):
    ann, _, table = duel(served)
    with stream(served, ann, table) as shown:
        first = json.loads(shown.recv(10))
        assert "board" in first["regions"] and first["version"]
        play(ann, table, 0)
        while "regions" not in (second := json.loads(shown.recv(10))):
            pass
        assert "board" not in second["regions"] and len(str(second)) < len(str(first))
    with stream(served, ann, table, f"?seat=0&have={second['digest']}") as again:
        message = json.loads(again.recv(10))
        assert "regions" not in message and message["digest"] == second["digest"]


def test_with_many_streams_screens_are_made_elsewhere_and_look_the_same(
        tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Also while they talk, and after the processes are killed."""
    monkeypatch.setattr("exchequer.table.stream.MANY", 1)
    with Served(str(tmp_path / "t.db")) as served:
        *people, table = duel(served)
        match, screens = served.service.match(table), served.service.screens
        with stream(served, people[0], table) as shown:
            wait_until(lambda: len(screens.elsewhere.ready) == screens.elsewhere.count, 60)
            page = json.loads(shown.recv(10))["regions"]
            monkeypatch.setattr(screens, "of", made_here := Mock(wraps=screens.of))
            for _ in range(6):
                play(people[match.asked], table, match.asked)
                now, digest = screens.fresh(match, 0), ""
                while digest != now.digest:
                    message = json.loads(shown.recv(10))
                    page, digest = page | message.get("regions", {}), message["digest"]
                assert {name: page[name] for name in now.regions} == now.regions
            made_here.assert_not_called()
            people[1].post(f"/api/v1/tables/{table}/chat", json={"text": "Well played"})
            assert "Well played" in shown.recv(10)
            for process in screens.elsewhere.processes:
                process.process.kill()
            wait_until(lambda: not screens.elsewhere.ready)
            play(people[match.asked], table, match.asked)
            assert "regions" in json.loads(shown.recv(10)) and made_here.called


def test_a_stream_from_another_site_is_refused(served: Served):
    _, _, table = duel(served)
    address = f"{served.url.replace('http', 'ws')}/table/{table}/stream"
    for origin in ("http://evil.example", None):
        with pytest.raises(InvalidStatus):
            connect(address, origin=origin)  # type: ignore[arg-type]


def test_a_watcher_cannot_ask_for_a_seat(served: Served):
    ann, ben, table = duel(served, "treasury/v17")
    stranger = served.program()
    seat = ann.get(f"/api/v1/tables/{table}").json()["asked"]
    with stream(served, stranger, table, "?seat=0") as shown:
        assert json.loads(shown.recv(10))["seat"] == -1
        shown.send('{"sit": 0}')
        play((ann, ben)[seat], table, seat)
        assert json.loads(shown.recv(10))["seat"] == -1


def test_too_long_messages_end_the_stream(served: Served):
    ann, _, table = duel(served)
    with stream(served, ann, table) as shown:
        shown.send("x" * 5000)
        with pytest.raises(ConnectionClosed):
            for _ in range(5):
                shown.recv(10)


def test_finished_reports_are_shown_and_nothing_else_of_their_folder(tmp_path: pathlib.Path):
    for name, file in (("first run", "report.html"), ("unfinished", "plan.toml")):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / file).write_text("<title>Mills &amp; more</title><p>Found.")
    (tmp_path / "report.html").write_text("outside")
    (tmp_path / "runs" / "broken" / "report.html").mkdir(parents=True)  # cannot be read
    with Served(str(tmp_path / "table.db"), reports=(tmp_path / "runs",)) as served:
        browser = served.client(accept="text/html")
        lobby = browser.get("/designers").text
        assert "/reports/first%20run" in lobby and "Mills &amp; more" in lobby
        assert "unfinished" not in lobby and "broken" not in lobby
        shown = browser.get("/reports/first%20run")
        assert shown.text.endswith("Found.")
        assert "sandbox" in shown.headers["content-security-policy"]
        for name in ("unfinished", "%2e%2e", "..%2fruns", "nothing"):
            assert browser.get(f"/reports/{name}").status_code == 404


def test_the_api_describes_itself(served: Served):
    paths = httpx.get(f"{served.url}/api/v1/openapi.json").json()["paths"]
    assert {"/api/v1/tables", "/api/v1/tables/{table_id}", "/api/v1/tables/{table_id}/legal",
            "/api/v1/tables/{table_id}/play", "/api/v1/tables/{table_id}/seats",
            "/api/v1/tables/{table_id}/journal"} <= set(paths)
