"""The log in the browser: turns under the colour of who has them, read aloud, in the replay too."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect
from served import Served
from visitors import DESKTOP, PHONE, Person


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def person(chromium: Any, served: Served, request: pytest.FixtureRequest) -> Iterator[Person]:
    found = Person(chromium, served.url, request.param)
    yield found
    found.close()


def test_the_log_tells_turns_with_their_colours(person: Person):
    page = person.goes_to("/")
    person.clicks("Play now Kingdom")
    for _ in range(3):
        assert person.waits_for_move()
        person.moves(board_share=0)
    assert person.waits_for_move()
    log = page.get_by_role("log", name="What happened")
    expect(log).to_have_attribute("aria-live", "polite")
    turns = log.locator("h3.turn")
    expect(turns.nth(2)).to_be_attached()
    assert turns.nth(0).inner_text().startswith("Round 1 · ")
    colours = [turn.evaluate("it => getComputedStyle(it, '::before').backgroundColor")
               for turn in turns.all()[:2]]
    assert len({*colours}) == 2
    expect(log.locator("p.routine").first).to_contain_text("gold of income, ")
    expect(page.locator(".since h3.turn").first).to_contain_text("Round")


def test_the_replay_tells_the_same_turns(person: Person):
    page = person.goes_to("/")
    person.clicks("Play now Kingdom")
    assert person.waits_for_move()
    person.moves(board_share=0)
    assert person.waits_for_move()
    person.clicks("Replay", "link")
    expect(page.locator("#frames h3.turn").first).to_contain_text("Round 1 · ")
    page.locator("#frames").get_by_role("button", name="Moment 1", exact=True).click()
    expect(page.locator("#frames li").nth(1)).to_have_attribute("aria-current", "step")


def test_the_replay_marks_what_changed_in_the_colour_of_who_did_it(person: Person):
    page = person.goes_to("/")
    person.clicks("Play now Kingdom")
    for _ in range(2):
        assert person.waits_for_move()
        person.moves(("Develop",), board_share=0)
    person.clicks("Replay", "link")
    page.locator("#frames").get_by_role("button", name="Moment 1", exact=True).click()
    purse = page.locator("#board .mine .purse-gold b.changed")
    expect(purse).to_have_count(1)
    shadow, own = purse.evaluate("""number => [getComputedStyle(number).boxShadow,
        getComputedStyle(document.querySelector('#frames .seat-0'), '::before').backgroundColor]""")
    assert own in shadow


def test_the_replay_passes_over_moves_of_which_nothing_is_told(chromium: Any, served: Served):
    person = Person(chromium, served.url, DESKTOP)
    page = person.goes_to("/")
    person.clicks("Play now Greement")
    person.waits_for_move()
    while not page.locator("[data-amount]").count():
        person.moves(board_share=0)
        assert person.waits_for_move()
    before = person.shown()
    page.locator("[data-amount] input").fill("12")
    page.locator("[data-amount] input").press("Enter")
    page.wait_for_function(
        "before => document.querySelector('#table').dataset.moment !== before", arg=before)
    assert person.waits_for_move()
    person.clicks("Replay", "link")
    expect(page.locator("#frames .untold").first).to_be_attached()  # the digits of a loan
    shown = page.locator("#frames [aria-current]")
    last = page.locator(".scrub input").get_attribute("max")
    while (before := shown.get_attribute("data-frame")) != last:
        person.clicks("One moment on")
        expect(shown).not_to_have_attribute("data-frame", before)
        assert "untold" not in (shown.get_attribute("class") or "")
    person.close()
