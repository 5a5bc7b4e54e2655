"""A playtest of two variants in Chromium: three testers on phones, forms, report, erasing."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from served import Served
from visitors import DESKTOP, PHONE, Person, expect, wait_until

from exchequer.table.playtest_data import data_of
from exchequer.table.playtests import Playtests

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture
def people(chromium: Any, served: Served) -> Iterator[tuple[Person, ...]]:
    """A designer at a desk, three testers with phones."""
    found = (Person(chromium, served.url, DESKTOP),
             *(Person(chromium, served.url, PHONE, has_touch=True) for _ in range(3)))
    yield found
    for person in found:
        person.close()


def overflows(person: Person) -> bool:
    return person.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def sets_up(designer: Person) -> str:
    page = designer.goes_to("/designers")
    designer.clicks("Playtest with people", "link")
    designer.clicks("Kingdom", "link")
    page.locator("[name=variant]").select_option("tiny")
    page.locator("[name=other]").select_option("truce")
    page.locator("[name=people]").select_option("1")
    page.get_by_label("What was the best moment?").uncheck()
    page.get_by_label("A question of your own").first.fill("Would you play it again?")
    page.locator("[name='kind.1']").select_option("scale")
    designer.clicks("Set it up")
    page.wait_for_function("() => document.querySelector('.invite .qr')?.naturalWidth > 0")
    return page.get_by_label("Link for testers").input_value()


def comes(person: Person, link: str, name: str, choice: str) -> None:
    page = person.goes_to(link)
    expect(page.locator("main")).to_contain_text("how long you think about each")
    page.get_by_label("Your name at the table").fill(name)
    button = page.get_by_role("button", name=choice)
    box = button.bounding_box()
    assert box and box["height"] >= 48
    button.click()
    person.waits_for_move()


def answers(person: Person, fun: int, words: str) -> None:
    page = person.page
    page.locator(".questions").wait_for()
    thumb = page.locator(f"[name=fun][value='{fun}']")
    box = thumb.bounding_box()
    assert box and box["height"] >= 44 and box["width"] >= 44
    thumb.check()
    page.locator("[name=confused]").fill(words)
    page.locator(".questions").get_by_role("button", name="Send").click()
    expect(page.locator(".questions")).to_contain_text("Thank you!")


def test_a_playtest_of_two_variants(people: tuple[Person, ...], served: Served):
    designer, ann, ben, shy = people
    link = sets_up(designer)
    playtests: Playtests = served.app.state.playtests
    playtest = playtests.by_link(link.rpartition("/")[2])
    comes(ann, link, "Ann", "I agree: play")
    comes(ben, link, "Ben", "I agree: play")
    comes(shy, link, "Shy", "Play unrecorded")

    # Ann looks a rule up, asks for a hint, flags what she does not understand, and plays on.
    page = ann.page
    page.locator("[data-rules]").click()
    page.locator(".tabs a", has_text="Look up").click()
    page.locator("#rules a[href='#K-31']").first.click()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#toasts")).to_contain_text("Noted")
    page.locator("[data-hint]").click()
    page.locator(".ideas ol").wait_for()
    finishes(ann, served)
    answers(ann, 4, "K-31 and nothing else")

    # Ben leaves, and is asked as well; whoever plays unrecorded is asked nothing.
    ben.page.once("dialog", lambda dialog: dialog.accept())
    with ben.page.expect_navigation():
        ben.page.get_by_role("button", name="Leave").click()
    answers(ben, 2, "too long")
    expect(shy.page.locator(".playtest-bar")).to_contain_text("You play unrecorded.")
    finishes(shy, served)
    expect(shy.page.locator(".questions")).to_have_count(0)
    assert not any(map(overflows, people))

    # The designer sees all of it but what nobody agreed to.
    seen = designer.page
    seen.reload()
    for words in ("t1", "t2", "somebody unrecorded", "K-31 and nothing else", "too long"):
        expect(seen.locator("main")).to_contain_text(words)
    expect(seen.locator("main")).not_to_contain_text("Shy")
    game = next(one for one in data_of(playtests, playtest).games if one.people == ["t1"])
    did = {one.kind for one in game.happened}
    assert {"rules", "hint", "flag"} <= did
    assert "K-31" in [one.what for one in game.happened if one.kind == "rules"]
    designer.clicks("What the lab reads from it", "link")
    for words in ("Where it is not clear", "K-31", "How it was liked", "too long",
                  "Who left early"):
        expect(seen.locator("body")).to_contain_text(words)

    # Ann takes along what is hers, and erases it.
    own = page.get_by_role("link", name="What is recorded of me").first
    own.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Take it along").click()
    taken = download.value.path().read_text(encoding="utf-8")
    assert "K-31 and nothing else" in taken and '"you_are": "t1"' in taken
    page.get_by_role("button", name="Erase all of it").click()
    expect(page.locator("main")).to_contain_text("has been erased")
    seen.go_back()
    seen.reload()
    expect(seen.locator("main")).not_to_contain_text("K-31 and nothing else")
    assert not [one for one in data_of(playtests, playtest).games if "t1" in one.people]


def finishes(person: Person, served: Served) -> None:
    """Gives up, which ends a game of two at once."""
    table = re.search(r"/table/([\w-]+)", person.page.url)
    assert table
    if not served.service.match(table[1]).is_over:
        person.page.once("dialog", lambda dialog: dialog.accept())
        with person.page.expect_navigation():
            person.page.get_by_role("button", name="Resign").click()
    wait_until(lambda: served.service.match(table[1]).is_over)


def test_a_note_on_a_moment_and_a_game_on_paper(chromium: Any, served: Served):
    person = Person(chromium, served.url, PHONE, has_touch=True)
    link = sets_up(person)
    assert not overflows(person)
    sheet = person.page.get_by_role("link", name="Sheet for paper")
    sheet.click()
    person.page.locator(".paper-sheet .address").wait_for()
    assert not overflows(person)
    person.goes_to("/playtest/new/kingdom")
    assert not overflows(person)
    page = person.goes_to(f"{link}/paper")
    page.get_by_label("Score of player 1").fill("12")
    page.get_by_label("Score of player 2").fill("9")
    page.get_by_label("Minutes").fill("30")
    page.locator("[name=fun][value='5']").check()
    person.clicks("Enter the game")
    expect(page.locator("main")).to_contain_text("It is entered. Thank you!")
    comes(person, link, "Eve", "I agree: play")
    finishes(person, served)
    page.locator(".status a", has_text="Replay").click()
    page.get_by_label("About this moment").fill("K-31 surprised me")
    person.clicks("Attach")
    expect(page.locator(".moments li")).to_contain_text("K-31 surprised me")
    person.close()
