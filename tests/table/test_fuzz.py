"""Nonsense over every route and socket: an answer always comes, and never a 5xx."""

import contextlib
import json
import string
from typing import Any, NamedTuple

import httpx
import pytest
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served import Served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from exchequer.table import (
    api,
    end_pages,
    entrance,
    health,
    learning_pages,
    pages,
    playtest_pages,
)

pytestmark = pytest.mark.xdist_group("api")
PARTS = (api, pages, entrance, end_pages, learning_pages, playtest_pages, health)
ROUTES = sorted({(method, route.path) for part in PARTS
                 for route in part.router.routes if isinstance(route, APIRoute)
                 for method in route.methods})
FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANY = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

words = st.one_of(st.text(max_size=30), st.sampled_from(
    ["", "0", "1", "-1", "kingdom", "greement", "treasury/v17", "me", "random", "friend", "move",
     "99999999999999999999", "../../etc/passwd", "<script>", "\x00", "true", "none"]))
plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), words),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=4)),
    max_leaves=8)
KEYS = ["seat", "action", "version", "text", "name", "yes", "level", "game", "seats", "settings",
        "variant", "clock", "clock_amount", "seed", "listed", "whole_turn", "agent", "why",
        "agent_seconds", "agent_fallback"]
bodies = st.one_of(
    st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, plain)).map(json.dumps),
    st.fixed_dictionaries({"seat": st.integers(0, 2)}, optional={
        "action": st.integers(-5, 300), "version": words, "text": words, "yes": st.booleans(),
        "level": words}).map(json.dumps),
    st.sampled_from(KEYS).map(lambda key: json.dumps({"seat": 0, key: "\ud800"})),
    plain.map(json.dumps), st.text(max_size=50))
forms = st.dictionaries(st.one_of(words, st.sampled_from(
    ["game", "kind", "count", "seat.0", "seat.1", "clock", "amount.move", "seed", "variant",
     "set.turn_limit", "name", "listed", "seats", "people", "bots", "title", "delay", "agree",
     "other", "closed", "ask.fun", "kind.1", "own.1", "fun", "winner", "points.0", "minutes"])),
    words, max_size=10)
PLAYTEST = {"game": "kingdom", "seats": "2", "people": "1", "bots": "greedy", "ask.fun": "yes"}


class Fuzzed(NamedTuple):
    """A program, the tables of several kinds at which it sits, and its own playtest."""

    client: httpx.Client
    tables: list[str]
    served: Served
    link: str
    key: str


@pytest.fixture(scope="module")
def fuzzed(served: Served) -> Fuzzed:
    client = served.program()
    client.headers["accept"] = "text/html"
    tables = [client.post("/api/v1/tables", json={"game": game, "seats": seats}).json()["id"]
              for game, seats in (("kingdom", ["me", "friend"]), ("kingdom", ["me", "hotseat"]),
                                  ("treasury/v17", ["me", "hotseat", "friend"]),
                                  ("jagged_time", ["me"]))]
    link, key = new_playtest(client)
    joined = client.post(f"/playtest/{link}/join", data={"agree": "yes"})
    tables.append(joined.headers["location"].rpartition("/")[2])
    return Fuzzed(client, tables, served, link, key)


def new_playtest(client: httpx.Client) -> tuple[str, str]:
    """Its link, and the word that makes somebody its designer."""
    made = httpx.URL(client.post("/playtest/new", data=PLAYTEST).headers["location"])
    return made.path.split("/")[2], made.params["key"]


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: str(part))
def test_every_route_answers(fuzzed: Fuzzed, method: str, path: str):
    client, tables, _, link, key = fuzzed

    @FEW
    @given(table=st.one_of(st.sampled_from(tables), words), number=words, game=words, body=bodies,
           form=forms, query=st.dictionaries(st.sampled_from(
               ["seat", "text", "frame", "variant", "have", "action"]), words, max_size=5),
           playtest=st.sampled_from([link, link, "nowhere"]), word=st.one_of(st.just(key), words))
    def answers(table: str, number: str, game: str, body: str, form: dict, query: dict,
                playtest: str, word: str) -> None:
        query |= {"key": word}
        filled = path.split("{")[0] + game if "{game" in path else path.format_map(
            {"table_id": table, "number": number, "name": game, "invitation": game, "word": word,
             "link": playtest if "/playtest/" in path else game})
        url = httpx.URL(client.base_url, path=quoted(filled), params=query)
        sent: dict[str, Any] = {} if method == "GET" else (
            {"data": form} if not path.startswith("/api") else {"content": body.encode("utf-8",
                                                                                       "replace")})
        answer = client.request(method, url, **sent)
        assert answer.status_code < 500, (method, str(url), sent, answer.text[:200])

    answers()


def quoted(path: str) -> str:
    safe = string.ascii_letters + string.digits + "/-_."
    return "".join(c if c in safe else "".join(f"%{b:02X}" for b in c.encode("utf-8", "replace"))
                   for c in path)


def test_every_socket_message_is_survived(fuzzed: Fuzzed):
    client, served = fuzzed.client, fuzzed.served
    table = client.post("/api/v1/tables",  # where nobody has left
                        json={"game": "kingdom", "seats": ["me", "hotseat"]}).json()["id"]

    @MANY
    @given(st.lists(st.one_of(words, plain.map(json.dumps), st.binary(max_size=40),
                              st.integers(-5, 20).map(lambda seat: json.dumps({"sit": seat}))),
                    max_size=6), words, words)
    def survives(messages: list[Any], seat: str, have: str) -> None:
        url = httpx.URL(served.url.replace("http", "ws"), path=f"/table/{table}/stream",
                        params={"seat": seat, "have": have})
        headers = {"Authorization": client.headers["authorization"]}
        with contextlib.suppress(ConnectionClosed), \
                connect(str(url), additional_headers=headers) as shown:
            for message in messages:
                shown.send(message)
            first = json.loads(shown.recv(10))
            assert first["seat"] in (0, 1)

    survives()
    assert client.get(f"/api/v1/tables/{table}").status_code == 200


def test_nothing_of_the_inside_is_shown(served: Served):
    """An answer to nonsense names no file, no line, no table of the database."""
    client = served.program()
    for path in ("/api/v1/tables/%00", "/table/x'--", "/api/v1/tables/x/frames/99", "/new/..%2f"):
        text = client.get(path).text
        assert not any(word in text for word in ("Traceback", "sqlalchemy", ".py", "SELECT"))
