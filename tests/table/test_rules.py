"""The rules in Chromium: learn and look up, on their own page and beside the board."""

from collections.abc import Iterator
from typing import Any

import pytest
from served import Served
from visitors import MOVES, PHONE, Person, expect

from exchequer.core.find import find_game, game_names
from exchequer.table.html import render
from exchequer.table.pages import rules_of
from toys.bazaar import GAME as BAZAAR

pytestmark = pytest.mark.xdist_group(__name__)
DESK = {"width": 1440, "height": 900}
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture
def person(chromium: Any, served: Served) -> Iterator[Person]:
    found = Person(chromium, served.url, DESK)
    yield found
    found.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", game_names())
def test_pages_fit_and_pictures_are_there(chromium: Any, served: Served, game: str, size: Any):
    person = Person(chromium, served.url, size)
    page = person.goes_to(f"/rules/{game}")
    expect(page.get_by_role("heading", name="Five mistakes beginners make")).to_be_visible()
    expect(page.locator(".law")).to_be_hidden()
    assert page.evaluate(FITS)
    assert page.locator(".learn img").evaluate(
        "image => image.decode().then(() => image.naturalWidth)") > 1000
    person.clicks("Look up", "link")
    expect(page.locator(".law .rule").first).to_be_visible()
    assert page.evaluate(FITS)
    person.close()


def test_a_link_opens_its_paragraph(person: Person):
    page = person.goes_to("/rules/kingdom#K-31")
    expect(page.locator("#K-31")).to_be_in_viewport()
    expect(page.locator(".learn")).to_be_hidden()
    page.locator("#K-35 a[href='#K-46']").click()
    expect(page.locator("#K-46")).to_be_in_viewport()


def test_search_finds_cards_and_paragraphs(person: Person):
    page = person.goes_to("/rules/kingdom")
    person.clicks("Look up", "link")
    search = page.get_by_role("searchbox")
    search.fill("barracks")
    expect(page.locator("[id='building.barracks']")).to_be_visible()
    expect(page.locator("#K-46f")).to_be_visible()
    expect(page.locator("#K-5")).to_be_hidden()
    search.fill("c barracks")
    expect(page.locator("[id='building.barracks']")).to_be_visible()
    expect(page.locator("#K-46f")).to_be_hidden()
    search.fill("moat")
    expect(page.locator(".law [role=status]")).to_have_text("0 found")
    search.fill("")
    expect(page.locator("#K-5")).to_be_visible()


def test_keys_are_shown_when_asked_for(person: Person):
    page = person.goes_to("/rules/kingdom#K-5")
    expect(page.locator("#K-5 code").first).to_be_hidden()
    assert "with 10 gold" in page.locator("#K-5").inner_text()
    page.get_by_label("Show keys").check()
    assert "with 10 (start_gold) gold" in page.locator("#K-5").inner_text()


def test_a_variant_has_its_own_rules(person: Person):
    page = person.goes_to("/rules/jagged_time?variant=easy")
    expect(page.locator(".learn mark").first).to_be_visible()
    expect(page.locator(".rules")).to_contain_text("Different in this variant")


def test_without_scripts_everything_is_on_one_page(chromium: Any, served: Served):
    person = Person(chromium, served.url, java_script_enabled=False)
    page = person.goes_to("/rules/kingdom")
    expect(page.get_by_role("heading", name="Five mistakes beginners make")).to_be_visible()
    expect(page.locator("#K-31")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.get_by_label("Show keys").check()
    expect(page.locator("#K-5 code").first).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desktop", "phone"])
def test_a_refusal_leads_to_its_paragraph_beside_the_board(chromium: Any, served: Served,
                                                           size: Any):
    person = Person(chromium, served.url, size)
    page = person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    page.locator("details.why summary").click()
    page.locator("details.why input").fill("attack")
    person.clicks("Tell me")
    page.locator(".why .answers a", has_text="K-32").first.click()
    expect(page.locator("#rules #K-32")).to_be_in_viewport()
    assert page.evaluate(FITS)
    page.locator("#rules .tabs a", has_text="Learn").click()
    expect(page.locator("#rules .learn img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#rules")).to_be_hidden()
    person.close()


def test_a_refused_move_says_why_with_a_link(person: Person):
    """A button that has gone stale is pressed: the refusal leads to the paragraph."""
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    page = person.page
    attack = find_game("kingdom").words.TEXTS.action("attack")
    page.locator(MOVES).first.evaluate("(button, move) => { button.dataset.move = move; }", attack)
    page.locator(MOVES).first.click()
    page.locator(".toast a", has_text="K-32").click()
    expect(page.locator("#rules #K-32")).to_be_in_viewport()


def test_a_game_without_pages_has_only_the_law():
    panel = render("rules_panel.html", where="here", **rules_of(BAZAAR, BAZAAR.content(), ""))
    assert 'id="look-up"' in panel and 'id="learn"' not in panel and 'class="tabs"' not in panel
    assert 'id="B-1"' in panel


def test_pictures_are_only_those_of_the_pages(served: Served):
    visitor = served.client()
    assert visitor.get("/pictures/kingdom/board.png").headers["content-type"] == "image/png"
    assert visitor.get("/pictures/treasury/v17/board.png").status_code == 200
    for path in ("kingdom/other.png", "nothing/board.png", "kingdom/..%2f..%2fpicture.png"):
        assert visitor.get(f"/pictures/{path}").status_code == 404
