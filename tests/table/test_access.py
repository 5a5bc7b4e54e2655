"""Names for everything that can be used, words for pictures, contrast in light and dark."""

import pathlib
from typing import Any

import pytest
from served import Served
from visitors import PHONE, Person

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
                 "/rules/kingdom#K-31",
                 "/table/nothing"):
        person.goes_to(path)
        check(person)
    person.close()


@pytest.mark.parametrize("game", game_names())
def test_tables(chromium: Any, served: Served, game: str):
    """A table and its replay, on a phone."""
    seats = ["me"] if find_game(game).seats[1] == 1 else ["random", "random"]
    setup = {"game": game, "seats": seats}
    table = served.program().post("/api/v1/tables", json=setup).json()["id"]
    person = Person(chromium, served.url, PHONE)
    page = person.goes_to(f"/table/{table}")
    page.locator("#log li:not(:empty)").first.wait_for()
    check(person)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    person.goes_to(f"/table/{table}/replay")
    check(person)
    person.close()
