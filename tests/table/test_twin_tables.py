"""Twin tables: the same public course, other secret books. Nobody else can tell them apart, by any
route, page or stream; not even by how many moves were made in secret.
"""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from served import Served
from test_deals import propose

from exchequer.table import journaled, match
from exchequer.table.history import Frame
from exchequer.table.identity import Visitor
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.stream import Stream

pytestmark = pytest.mark.xdist_group("api")
ANN, BEN, CLEO = range(3)
QUERIES = {"/why": "text=buy", "/preview": "action=3", "/why-bot": "seat=0"}


@pytest.fixture(autouse=True)
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journaled, "fresh_key", lambda: "7" * 64)


def table_routes(served: Served) -> list[str]:
    """Every path that tells something about a table; `invite.svg` is its address as a picture."""
    routers = [getattr(route, "original_router", None) for route in served.app.routes]
    found = {route.path for router in routers if router for route in router.routes
             if isinstance(route, APIRoute) and "GET" in route.methods
             and "{table_id}" in route.path and not route.path.endswith("/invite.svg")}
    return sorted(found)


def tables(served: Served) -> tuple[list[httpx.Client], list[Match]]:
    """Two tables of the same three programs, at which Ann has the first turn."""
    people = [served.program() for _ in range(3)]
    found = []
    for _ in range(2):
        opened = people[ANN].post("/api/v1/tables", json={
            "game": "greement", "seats": ["me", "friend", "friend"],
            "settings": {"end_mode": "rounds"}}).json()
        for seat in (BEN, CLEO):
            people[seat].post(f"/api/v1/tables/{opened['id']}/seats", json={"seat": seat})
        one = served.service.match(opened["id"])
        while len(one.asked_seats) == 1:
            one.play(one.asked or 0, one.legal()[0], one.version)
        for seat, loan in ((CLEO, 9), (BEN, 9), (ANN, 14)):
            one.enter(seat, loan, one.version_of(seat))
        assert one.asked == ANN
        found.append(one)
    return people, found


def do(one: Match, *texts: str) -> None:
    for text in texts:
        seat = one.asked or 0
        one.play(seat, one.game.words.TEXTS.action(text), one.version_of(seat))


def plain(one: Match, text: str) -> str:
    """Without the table's own name, versions, which are keyed, and times of day."""
    text = re.sub(r'version(&#34;|["\' ])*[:=]?["\' ]*[\w-]*', "version", text)
    text = text.replace(one.id, "")
    return re.sub(r"data-digest=\"\w*\"|[0-9a-f]{12,}|\d{9,}\.?\d*", "", text)


def seen_by_routes(served: Served, client: httpx.Client, one: Match, seat: int) -> dict[str, str]:
    found = {}
    for path in table_routes(served):
        address = path.replace("{table_id}", one.id).replace("{number}", "1")
        query = "&".join(filter(None, [QUERIES.get(path[path.rindex("/"):], ""),
                                       f"seat={seat}" if seat >= 0 and "why-bot" not in path
                                       else ""]))
        answer = client.get(f"{address}?{query}")
        found[path] = f"{answer.status_code} {plain(one, answer.text)}"
    return found


def new_stream(served: Served, one: Match, holder: str, seat: int) -> Callable[[], str]:
    """What a page that stays open is sent from now on."""
    stream = Stream(served.service, one.id, Visitor(holder, ""), seat, pinned=True)

    def sent() -> str:
        message = dict(stream.update() or {})
        return plain(one, json.dumps({key: value for key, value in message.items()
                                      if key not in ("digest", "version")}, default=asdict))
    return sent


STEPS: tuple[tuple[Any, Any], ...] = (  # what Ann does at one table and at the other
    (("borrow", "type", "digit:7"), ("borrow", "type", "digit:1", "digit:2", "digit:3")),
    (("confirm",), ("digit:4", "confirm")),
    (("repay", "type", "digit:3", "confirm"), ("repay", "type", "digit:9", "digit:0", "confirm")),
    (5, 120),  # offered to Ben for his square
    (("decline",), ("decline",)),
    (("end",), ("end",)),
)


def step(one: Match, what: Any) -> None:
    if isinstance(what, int):
        home = one.view(BEN)["players"][BEN]["start"]
        propose(one, ANN, BEN, [home], min(what, one.view(ANN)["players"][ANN]["cash"]), "seller")
    else:
        do(one, *what)


def test_nobody_can_tell_secret_books_apart(served: Served):
    people, twins = tables(served)
    watcher = served.program()
    streams = [[new_stream(served, one, one.seats[CLEO].holder or "", CLEO),
                new_stream(served, one, "somebody", WATCHER)] for one in twins]
    assert len(table_routes(served)) > 14
    for first, second in STEPS:
        for one, what in zip(twins, (first, second), strict=True):
            step(one, what)
        assert twins[0].view(ANN)["players"][ANN] != twins[1].view(ANN)["players"][ANN] \
            or twins[0].view(ANN)["draft"] != twins[1].view(ANN)["draft"]
        for client, seat in ((people[CLEO], CLEO), (watcher, WATCHER)):
            seen = [seen_by_routes(served, client, one, seat) for one in twins]
            for path in seen[0]:
                assert seen[0][path].split("\n") == seen[1][path].split("\n"), path
        for left, right in zip(*streams, strict=True):
            assert left() == right()
    assert len(twins[0].position.actions) != len(twins[1].position.actions)


def test_a_count_of_hidden_moves_would_be_noticed(served: Served, monkeypatch: pytest.MonkeyPatch):
    """The comparison finds what it looks for: moments that give hidden moves away."""
    people, twins = tables(served)

    def all_moments(self: Match, viewer: int) -> list[Frame]:
        return [Frame(moves, [], []) for moves in range(len(self.position.actions) + 1)]

    for one, what in zip(twins, STEPS[0], strict=True):
        step(one, what)
    monkeypatch.setattr(match.Match, "frames", all_moments)
    seen = [seen_by_routes(served, people[CLEO], one, CLEO) for one in twins]
    assert {path for path in seen[0] if seen[0][path] != seen[1][path]} >= {
        "/api/v1/tables/{table_id}/journal", "/api/v1/tables/{table_id}/frames/{number}"}
