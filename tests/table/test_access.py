"""An audit with axe-core in light and dark, names and words of our own check, zoom, weight."""

import gzip
import pathlib
import re
from typing import Any

import pytest
from served import Served
from visitors import DESKTOP, PHONE, Person, expect, wait_until

from exchequer.core.find import find_game, game_names

pytestmark = pytest.mark.xdist_group(__name__)
HERE = pathlib.Path(__file__).parent
CHECK = (HERE / "access.js").read_text(encoding="utf-8")
AXE = HERE.parents[1] / ".tools" / "axe.min.js"
AUDIT = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.map(
    (one) => [one.id, ...one.nodes.slice(0, 4).map((node) => node.html.slice(0, 160))])"""
MOST_BYTES = 60_000  # of our own script and style on a page, compressed


def axe() -> str:
    if not AXE.exists():
        pytest.skip("axe-core is missing; scripts/install_test_tools.sh fetches it with npm")
    return AXE.read_text(encoding="utf-8")


def check(person: Person) -> None:
    person.page.evaluate(axe())
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for audit in (CHECK, AUDIT):
            assert person.page.evaluate(audit) == [], f"{person.page.url} {scheme}"


def test_pages(chromium: Any, served: Served):
    person = Person(chromium, served.url)
    for path in ("/", "/new/greement", "/new/jagged_time?variant=hard", "/rules/kingdom",
                 "/rules/kingdom#K-31", "/designers", "/playtest", "/playtest/new/kingdom",
                 "/table/nothing"):
        person.goes_to(path)
        check(person)
    person.close()


def test_a_waiting_room_a_lesson_and_the_end(chromium: Any, served: Served):
    person = Person(chromium, served.url, PHONE)
    friend = served.program().post("/api/v1/tables", json={"game": "kingdom",
                                                        "seats": ["me", "friend"]}).json()["id"]
    bots = {"game": "kingdom", "seats": ["greedy", "random"], "settings": {"turn_limit": 5}}
    over = served.program().post("/api/v1/tables", json=bots).json()["id"]
    person.goes_to(f"/table/{friend}").get_by_role("button", name="Take a seat").wait_for()
    check(person)
    person.goes_to("/")
    person.clicks("Learn Kingdom in five minutes")
    person.page.locator(".wanted").first.wait_for()
    check(person)
    wait_until(lambda: served.service.match(over).is_over)
    person.goes_to(f"/table/{over}").locator(".review .curve").wait_for()
    check(person)
    person.goes_to(f"/table/{over}/result").locator(".review .curve").wait_for()
    check(person)
    person.close()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_opens_at_a_table(chromium: Any, served: Served, size: dict[str, int]):
    """A menu, a tip with a reason, a hint, the question before a turn ends, why a bot did it, the
    rules.
    """
    person = Person(chromium, served.url, size)
    page = person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    page.locator("#board .free.live").first.click()
    page.locator("#menu").wait_for()
    check(person)
    page.keyboard.press("Escape")
    temple = page.locator("#board .mine [data-place='building-temple']")
    expect(person.asks_why_not(temple)).to_be_visible()
    check(person)
    page.keyboard.press("Escape")
    page.locator("[data-hint]").click()
    page.locator(".ideas ol").wait_for()
    page.locator("[data-end]").click()
    page.locator(".sure").wait_for()
    check(person)
    person.is_sure()
    page.locator("[data-why-bot]").click()
    page.locator(".why-bot p").first.wait_for()
    person.clicks("Rules")
    page.locator("#rules .rules").wait_for()
    check(person)
    person.close()


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_tables(chromium: Any, served: Served, game: str, size: dict[str, int]):
    """A table at which it is one's move, and its replay."""
    person = Person(chromium, served.url, size)
    page = person.goes_to("/")
    page.locator(f"form:has(input[name=game][value='{game}']) button").first.click()
    person.waits_for_move()
    check(person)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    person.goes_to(f"/table/{person.table}/replay")
    check(person)
    person.close()


@pytest.mark.parametrize("game", game_names())
def test_a_window_of_half_the_size_still_works(chromium: Any, served: Served, game: str):
    """What 200 % zoom makes of 1440 x 900: nothing has to be scrolled sideways."""
    person = Person(chromium, served.url, {"width": 720, "height": 450})
    page = person.goes_to("/")
    page.locator(f"form:has(input[name=game][value='{game}']) button").first.click()
    person.waits_for_move()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    person.moves(board_share=0)
    person.close()


def test_a_page_is_light(served: Served):
    """All script and style that a table's page loads, compressed; fonts are kept for ever."""
    client = served.program()
    for game in game_names():
        seats = ["me"] * find_game(game).seats[0] if find_game(game).seats[0] == 1 \
            else ["me", "random"]
        table = client.post("/api/v1/tables", json={"game": game, "seats": seats}).json()["id"]
        page = client.get(f"/table/{table}", headers={"accept": "text/html"}).text
        wanted = re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css)[^"]*)"', page)
        found: dict[str, bytes] = {}
        while wanted:
            path = wanted.pop()
            if path not in found:
                found[path] = client.get(path).content
                wanted += [f"/static/{name}" for name
                           in re.findall(r'from "\./([\w.]+)"', found[path].decode())]
        assert len(found) > 5
        assert sum(len(gzip.compress(text)) for text in found.values()) < MOST_BYTES
