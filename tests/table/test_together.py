"""Coming together: invitations, the waiting room, the lobby, notices, names in hot seat."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from served import Served
from visitors import DESKTOP, PHONE, Person, expect, wait_until

from exchequer.table import qr
from exchequer.table.stream import Stream

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def size(request: pytest.FixtureRequest) -> dict[str, int]:
    return request.param


@pytest.fixture
def people(chromium: Any, served: Served, size: dict[str, int]) -> Iterator[tuple[Person, Person]]:
    found = Person(chromium, served.url, size), Person(chromium, served.url, size)
    yield found
    for person in found:
        person.close()


def opens_for_a_friend(person: Person) -> str:
    page = person.goes_to("/new/kingdom")
    page.locator("select[name='seat.1']").select_option("friend")
    person.clicks("Open the table")
    page.locator(".invite").wait_for()
    return page.url


def test_an_invited_friend_takes_a_seat_by_name(people: tuple[Person, Person], served: Served,
                                                size: dict[str, int]):
    host, friend = people
    page = friend.goes_to(opens_for_a_friend(host))
    page.get_by_label("Your name", exact=True).last.fill("Ben")
    button = page.get_by_role("button", name="Take a seat as Ben")
    box = button.bounding_box()
    assert box and box["height"] >= 48 and box["y"] + box["height"] < size["height"]
    button.click()
    friend.page.locator(".seats small", has_text="you").wait_for()
    expect(host.page.locator(".seats")).to_contain_text("Ben")
    assert served.service.match(host.table).names[1] == "Ben"
    host.waits_for_move()


def test_the_host_has_a_link_a_code_and_the_share_sheet(people: tuple[Person, Person],
                                                        served: Served):
    host, _ = people
    link = opens_for_a_friend(host)
    page = host.page
    expect(page.get_by_label("Link to this table")).to_have_value(link)
    expect(page.get_by_role("button", name="Sit here")).to_have_count(0)
    page.wait_for_function("() => document.querySelector('.invite img')?.naturalWidth > 0")
    drawn = served.client().get(f"/table/{host.table}/invite.svg").text
    assert drawn.removeprefix('<svg xmlns="http://www.w3.org/2000/svg"') == \
        qr.svg(qr.qr_code(link)).removeprefix("<svg")
    page.evaluate("() => { navigator.share = async (what) => { window.shared = what.url; }; }")
    host.clicks("Share the link")
    assert page.evaluate("window.shared") == link
    assert page.locator(".seats .free").evaluate("seat => getComputedStyle(seat).outlineStyle") \
        == "solid"


def test_the_lobby_has_ones_moves_first_and_closes_tables(people: tuple[Person, Person]):
    person, _ = people
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    opens_for_a_friend(person)
    page = person.goes_to("/")
    labels = page.locator("[aria-labelledby=mine] .tag")
    assert labels.all_inner_texts() == ["Your move", "Waiting for players"]
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Close this table of Kingdom").last.click()
    expect(labels).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_only_ones_own_empty_tables_are_closed(people: tuple[Person, Person], served: Served):
    host, friend = people
    friend.goes_to(opens_for_a_friend(host))
    other = served.program()
    assert other.post(f"/api/v1/tables/{host.table}/close").status_code == 403
    friend.clicks("Take a seat")
    friend.page.locator(".seats small", has_text="you").wait_for()
    page = host.goes_to("/")
    assert not page.get_by_role("button", name="Close this table").count()


def test_the_level_stands_beside_play_now(people: tuple[Person, Person], served: Served):
    person, _ = people
    page = person.goes_to("/")
    page.get_by_label("Level of the bot in Kingdom").select_option("random")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    assert served.service.match(person.table).seats[1].bot == "random"


def test_reports_are_for_designers(people: tuple[Person, Person]):
    page = people[0].goes_to("/")
    assert "What the lab found" not in page.content()
    people[0].clicks("For designers", "link")
    expect(page.get_by_role("heading", name="What the lab found")).to_be_visible()


def test_ones_turn_rings_where_it_is_switched_on(people: tuple[Person, Person]):
    person, _ = people
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    page = person.page
    assert page.evaluate("document.body.dataset.rung") is None
    page.get_by_label("a sound").check()
    expect(page.locator("body")).to_have_attribute("data-rung", "1")
    person.ends_turn()
    expect(page.locator("body")).to_have_attribute("data-rung", "2")
    assert page.title().startswith("\u25cf")
    page.reload()
    expect(page.get_by_label("a sound")).to_be_checked()


def asks_for_notices(person: Person) -> None:
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    person.page.evaluate("""() => {
      window.noticed = [];
      window.Notification = class { constructor(title) { window.noticed.push(title); } };
      Notification.permission = "granted";
      Notification.requestPermission = async () => "granted";
      Object.defineProperty(document, "hidden", { get: () => true });
    }""")
    person.page.get_by_label("a browser notification").check()


def test_a_notice_of_the_browser_is_asked_for(people: tuple[Person, Person]):
    person, _ = people
    asks_for_notices(person)
    person.ends_turn()
    wait_until(lambda: person.page.evaluate("window.noticed") == ["Your move"])


def test_a_new_turn_is_told_from_the_next_question(people: tuple[Person, Person], served: Served,
                                                   monkeypatch: pytest.MonkeyPatch):
    """A bot was done before the page had shown that it was its turn: nobody was called back."""
    person, _ = people
    asks_for_notices(person)
    match, is_open = served.service.match(person.table), threading.Event()
    soon = Stream.next_message

    async def late(stream: Stream) -> dict[str, Any] | None:
        while not is_open.is_set():
            await asyncio.sleep(0.01)
        return await soon(stream)

    monkeypatch.setattr(Stream, "next_message", late)
    person.page.locator("[data-end]").click()
    person.is_sure()
    wait_until(lambda: match.asked == 0 and 1 in match.history.movers)
    assert person.page.evaluate("window.noticed") == []
    is_open.set()
    wait_until(lambda: person.page.evaluate("window.noticed") == ["Your move"])


def test_people_at_one_screen_have_names(people: tuple[Person, Person], served: Served):
    person, _ = people
    page = person.goes_to("/new/kingdom")
    name = page.get_by_label("Name of whoever sits in seat 2")
    expect(name).to_be_hidden()
    page.locator("select[name='seat.1']").select_option("hotseat")
    name.fill("Cleo")
    person.clicks("Open the table")
    person.waits_for_move()
    expect(page.locator(".seats")).to_contain_text("Cleo")
    page.get_by_label("Your name", exact=True).fill("Dov")
    page.keyboard.press("Enter")
    expect(page.locator(".seats")).to_contain_text("Dov")
    expect(page.locator(".seats")).to_contain_text("Cleo")
