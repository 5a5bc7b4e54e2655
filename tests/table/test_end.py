"""The end of a game: outcome, breakdown, curve, luck, decisions to try again, sharing, replay."""

import re
import types
from typing import Any

import numpy as np
import pytest
from served import Served
from test_masters import given_up
from visitors import Person, expect

from exchequer.table.endings import Line, cause, shares

pytestmark = pytest.mark.xdist_group(__name__)
SHORT = {"kingdom": {"turn_limit": 4}, "treasury/v17": {"turn_cap": 20},
         "treasury/v03": {"max_turns_per_player": 3}, "jagged_time": {"turn_cap": 4},
         "greement": {"rmin": 2, "rmax": 2, "events_per_round": 1}}


def finished(served: Served, person: Person, game: str = "kingdom") -> str:
    """A game that this person has played to its end, by random moves; its id."""
    person.goes_to("/")
    cookies = {cookie["name"]: cookie["value"] for cookie in person.context.cookies()}
    client = served.client(authorization=f"Bearer {cookies['exchequer_visitor']}")
    seats = ["me"] if game == "jagged_time" else ["me", "greedy"]
    table = client.post("/api/v1/tables", json={"game": game, "seats": seats, "clock": "none",
                                             "settings": SHORT[game]}).json()["id"]
    match = served.service.match(table)
    while not match.is_over:
        look = client.get(f"/api/v1/tables/{table}").json()
        if look["moves"]:
            move = person.chance.choice(look["moves"])["action"]
            client.post(f"/api/v1/tables/{table}/play",
                        json={"seat": 0, "action": move, "version": look["version"]})
    return table


def number(shown: str) -> int:
    return int(shown.replace(",", ""))


@pytest.mark.parametrize("game", SHORT)
def test_the_end_is_told_line_by_line(person: Person, served: Served, game: str):
    table = finished(served, person, game)
    page = person.goes_to(f"/table/{table}")
    expect(page.locator("#end-title")).to_be_visible()
    scores = served.service.match(table).result.scores
    shown = page.locator(".end .breakdown").first.locator("tfoot td").all_inner_texts()
    assert sorted(map(number, shown)) == sorted(scores)
    columns = [list(map(number, row.locator("td").all_inner_texts())) for row in
               page.locator(".end .breakdown").first.locator("tbody tr").all()]
    assert [sum(column) for column in zip(*columns, strict=True)] == list(map(number, shown))
    expect(page.locator(".review .curve")).to_be_visible(timeout=90_000)
    luck = page.locator(".review .breakdown tbody tr").first.locator("td").all_inner_texts()
    first, *changes, last = map(int, luck)
    assert first + sum(changes) == last
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("seats", [1, 2])
def test_what_rounding_leaves_over_is_told(seats: int):
    """0.104 + 0.004 + 0.007 is 0.115: rounded one by one, 10 + 0 + 1 would be 12."""
    review: Any = types.SimpleNamespace(
        chances=np.array([[0.104] * seats, [0.115] * seats]), luck=[0.004] * seats,
        own=[0.007] * seats)
    found = shares(review, 0)
    assert found["first"] + found["luck"] + found["own"] + found["others"] == found["last"] == 12
    assert seats > 1 or found["others"] == 0


def test_the_score_is_the_cause_only_where_it_decided():
    """Ben has conquered Ann's castle, with 3 points fewer."""
    lines = [Line("Castle", [0, 6]), Line("Gold", [12, 3])]
    for scores, winners, said in (([12, 9], [1], ""), ([9, 12], [1], "castle (+6)")):
        match: Any = types.SimpleNamespace(
            seats=[0, 1], names=["Ann", "Ben"],
            result=types.SimpleNamespace(scores=scores, winners=winners))
        assert said in cause(match, lines) and bool(said) == bool(cause(match, lines))


def test_a_turning_point_leads_into_the_replay(person: Person, served: Served):
    page = person.goes_to(f"/table/{finished(served, person)}")
    page.locator(".points a").first.click()
    page.wait_for_url(re.compile(r"/replay\?frame=\d+"))
    expect(page.locator(".scrub-bar .curve")).to_be_visible()
    expect(page.locator("#frames .turn").first).to_contain_text("Round 1")
    assert page.evaluate("scrollY") == 0  # the board is in view, also on a phone
    frame = page.locator(".scrub output")
    for way in ("back", "on"):
        before = frame.inner_text()
        page.get_by_label(f"One round {way}").click()
        expect(frame).not_to_have_text(before)
    bar, curve = (page.locator(f".scrub-bar {what}").bounding_box() for what in ("input", ".curve"))
    assert bar and curve and abs(bar["width"] - curve["width"]) < 20


def test_a_decision_is_tried_again_before_its_answer(person: Person, served: Served):
    page = person.goes_to(f"/table/{finished(served, person)}")
    page.get_by_role("link", name="Decision 1").click()
    expect(page.locator(".board")).to_be_visible()
    assert not page.locator(".answer").count()
    assert "bot" not in page.locator(".side").inner_text().lower()
    page.locator(".moves button").first.click()
    expect(page.locator(".answer")).to_contain_text("In the game")
    expect(page.locator(".answer")).to_contain_text("The bot")
    page.get_by_role("link", name="Back to the result").click()
    expect(page.locator("#end-title")).to_be_visible()


def test_the_link_and_the_picture_are_for_everybody(person: Person, served: Served, chromium: Any):
    table = finished(served, person)
    page = person.goes_to(f"/table/{table}")
    page.evaluate("() => { navigator.share = async (what) => { window.shared = what.url; }; }")
    person.clicks("Share")
    link = page.evaluate("window.shared")
    stranger = Person(chromium, served.url)
    stranger.goes_to(link)
    expect(stranger.page.locator("#end-title")).to_be_visible()
    expect(stranger.page.locator(".curve")).to_be_visible()
    assert not stranger.page.get_by_role("link", name="Decision 1").count()
    stranger.close()
    picture = served.client().get(f"/table/{table}/card.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "Kingdom" in picture.text and picture.text.count('fill="none"') == 2


def test_the_result_is_found_from_anywhere_on_the_board(person: Person, served: Served):
    page = person.goes_to(f"/table/{finished(served, person)}")
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    expect(page.locator("#end-title")).not_to_be_in_viewport()
    page.get_by_role("link", name="Result", exact=True).click()
    expect(page.locator("#end-title")).to_be_in_viewport()


@pytest.mark.parametrize(("loser", "words", "level"), [
    (1, "a stronger bot (easy)", "easy"), (0, "an easier bot (random)", "random")])
def test_who_won_meets_a_stronger_bot_and_who_lost_an_easier_one(
        person: Person, served: Served, loser: int, words: str, level: str):
    table = given_up(served, person, "greedy", loser)
    page = person.goes_to(f"/table/{table}")
    person.clicks(f"Play {words}")
    page.wait_for_url(lambda url: table not in url)
    assert served.service.match(person.table).seats[1].bot == level


def test_nothing_is_told_before_the_end(served: Served):
    me = served.program()
    wanted = {"game": "kingdom", "seats": ["me", "greedy"]}
    table = me.post("/api/v1/tables", json=wanted).json()["id"]
    for what in ("result", "review", "curve", "card.svg", "again/0"):
        assert me.get(f"/table/{table}/{what}").status_code == 409, what
    assert me.post(f"/table/{table}/next-bot").status_code == 409


def test_only_own_decisions_are_tried_again(person: Person, served: Served):
    table = finished(served, person)
    assert served.client().get(f"/table/{table}/again/0").status_code == 404
    assert served.program().post(f"/table/{table}/next-bot").status_code == 403
