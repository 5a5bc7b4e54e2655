"""Names for everything that can be used, words for pictures, contrast in light and dark."""

import pathlib
from typing import Any

import pytest
from served import Served
from visitors import PHONE, Person, wait_until

from exchequer.core.find import find_game, game_names

pytestmark = pytest.mark.xdist_group("browser")
CHECK = (pathlib.Path(__file__).parent / "access.js").read_text(encoding="utf-8")


def check(person: Person) -> None:
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert person.page.evaluate(CHECK) == [], f"{person.page.url} {scheme}"


def test_pages(chromium: Any, served: Served):
    person = Person(chromium, served.url)
    for path in ("/", "/new/greement", "/new/jagged_time?variant=hard", "/rules/kingdom",
                 "/rules/kingdom#K-31", "/designers",
                 "/table/nothing"):
        person.goes_to(path)
        check(person)
    person.close()


def test_a_waiting_room_a_lesson_and_the_end(chromium: Any, served: Served):
    person = Person(chromium, served.url, PHONE)
    friend = served.program().post("/api/tables", json={"game": "kingdom",
                                                        "seats": ["me", "friend"]}).json()["id"]
    bots = {"game": "kingdom", "seats": ["greedy", "random"], "settings": {"turn_limit": 5}}
    over = served.program().post("/api/tables", json=bots).json()["id"]
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


@pytest.mark.parametrize("game", game_names())
def test_tables(chromium: Any, served: Served, game: str):
    """A table and its replay, on a phone."""
    seats = ["me"] if find_game(game).seats[1] == 1 else ["random", "random"]
    setup = {"game": game, "seats": seats}
    table = served.program().post("/api/tables", json=setup).json()["id"]
    person = Person(chromium, served.url, PHONE)
    page = person.goes_to(f"/table/{table}")
    page.locator("#log li:not(:empty)").first.wait_for()
    check(person)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    person.goes_to(f"/table/{table}/replay")
    check(person)
    person.close()
