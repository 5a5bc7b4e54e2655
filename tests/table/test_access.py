"""Names for everything that can be used, words for pictures, contrast in light and dark."""

import pathlib
from typing import Any

import pytest
from served import Served
from visitors import PHONE, Person

from exchequer.core.find import game_names

pytestmark = pytest.mark.xdist_group("browser")
CHECK = (pathlib.Path(__file__).parent / "access.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/new/greement", "/rules/kingdom", "/table/nothing",
                                  "/new/jagged_time?variant=hard"])
def test_pages(chromium: Any, served: Served, path: str, scheme: str):
    person = Person(chromium, served.url, color_scheme=scheme)
    assert person.goes_to(path).evaluate(CHECK) == []
    person.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", game_names())
def test_tables(chromium: Any, served: Served, game: str, scheme: str):
    """A table and its replay, on a phone, after a few moves."""
    ann = served.program()
    seats = ["me"] if game == "jagged_time" else ["random", "random"]
    table = ann.post("/api/tables", json={"game": game, "seats": seats}).json()["id"]
    person = Person(chromium, served.url, PHONE, color_scheme=scheme)
    page = person.goes_to(f"/table/{table}")
    page.locator("#log li:not(:empty)").first.wait_for()
    assert page.evaluate(CHECK) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert person.goes_to(f"/table/{table}/replay").evaluate(CHECK) == []
    person.close()
