"""The table in real Chromium: people click what they see."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from served import Served
from visitors import MOVES, PHONE, Person, expect, wait_until

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture
def person(chromium: Any, served: Served) -> Iterator[Person]:
    found = Person(chromium, served.url)
    yield found
    found.close()


@pytest.fixture
def other(chromium: Any, served: Served) -> Iterator[Person]:
    found = Person(chromium, served.url)
    yield found
    found.close()


def test_the_first_move_is_two_clicks_from_the_lobby(person: Person):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    person.moves()


SHORT = {  # game: (settings that make it short, moves to prefer)
    "kingdom": ({"turn_limit": "5"}, ()),
    "treasury/v03": ({"max_turns_per_player": "3"}, ("End",)),
    "treasury/v17": ({"turn_cap": "20"}, ("End", "Pass")),
    "jagged_time": ({"turn_cap": "5"}, ("Stop", "End")),
    "greement": ({"rmin": "2", "rmax": "2", "events_per_round": "1"},
                 ("End", "Pass", "Decline", "Back")),
}


@pytest.mark.parametrize("game", SHORT)
def test_a_game_is_played_to_its_end(person: Person, game: str):
    """Opened by the form, with its switches; on the board and in the action bar."""
    settings, prefer = SHORT[game]
    page = person.goes_to(f"/new/{game}")
    if page.locator("select[name='seat.1']").count():
        page.locator("select[name='seat.1']").select_option("random")
    page.locator("input[name=clock][value=none]").check()
    page.locator("details.switches summary").click()
    for key, value in settings.items():
        page.locator(f"[name='set.{key}']").fill(value)
    person.clicks("Open the table")
    table = person.table
    assert person.plays_to_the_end(prefer) > 0
    expect(page.locator(".status")).to_contain_text("The game is over")
    expect(page.locator("#log li:not(:empty)").first).to_be_visible()
    person.clicks("Replay", "link")
    replay(person)
    page.go_back()
    person.clicks("Rematch")
    page.wait_for_url(lambda url: table not in url)
    assert person.waits_for_move()


def replay(person: Person) -> None:
    """Scrub, step, and open the link to a moment."""
    page = person.page
    output, bar = page.locator(".scrub output"), page.get_by_label("Moment of the game")
    expect(page.locator("#board .board")).to_be_visible()
    last = bar.get_attribute("max")
    bar.fill(str(last))
    expect(output).to_have_text(f"{last} / {last}")
    person.clicks("One moment back")  # moments of which nothing is told are passed over
    expect(output).not_to_have_text(f"{last} / {last}")
    shown = output.inner_text()
    person.goes_to(page.url)
    expect(output).to_have_text(shown)


def test_undo_and_reset(person: Person):
    """Three action points in the first turn: two moves, one back, another, all back."""
    page = person.goes_to("/new/kingdom")
    page.locator("details.switches summary").click()
    page.locator("[name='set.start_council']").fill("3")
    person.clicks("Open the table")
    person.waits_for_move()
    log, undo = page.locator("#log li"), page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    for count in (2, 3):
        page.locator(MOVES, has_text="Overwork").click()
        expect(log).to_have_count(count)
    undo.click()
    expect(log).to_have_count(2)
    page.locator(MOVES, has_text="Overwork").click()
    expect(log).to_have_count(3)
    person.clicks("Reset turn")
    expect(log).to_have_count(1)
    expect(undo).to_be_disabled()
    person.ends_turn()
    person.waits_for_move()
    expect(undo).to_be_disabled()  # another seat has answered


def test_a_move_that_cannot_be_made_says_why(person: Person):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    page = person.page
    page.locator("details.why summary").click()
    page.locator("details.why input").fill("attack")
    person.clicks("Tell me")
    expect(page.locator(".why .answers")).to_contain_text("K-32")


def test_rules_beside_the_board_carry_the_variants_numbers(person: Person, served: Served):
    page = person.goes_to("/new/kingdom")
    page.locator("details.switches summary").click()
    page.locator("[name='set.start_gold']").fill("17")
    person.clicks("Open the table")
    person.waits_for_move()
    person.clicks("Rules", exact=True)
    expect(page.locator("#K-5 mark")).to_have_text("17")
    page.keyboard.press("Escape")
    expect(page.locator("#rules")).to_be_hidden()


def test_keyboard_alone(person: Person):
    page = person.goes_to("/")
    for _ in range(90):
        page.keyboard.press("Tab")
        if re.search(r"Play now\s+Kingdom", page.evaluate("document.activeElement.innerText")):
            break
    page.keyboard.press("Enter")
    person.waits_for_move()
    before = person.shown()
    page.keyboard.press("3")
    wait_until(lambda: person.shown() != before)
    person.waits_for_move()
    before = person.shown()
    live = page.locator("#board .live").first
    live.focus()
    page.keyboard.press("Enter")
    if page.locator("#menu").is_visible():
        page.keyboard.press("Enter")
    wait_until(lambda: person.shown() != before)


def test_tips_open_inside_tips(person: Person):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    page = person.page
    page.locator("#board [data-tip='building.mill']").first.hover()
    expect(page.locator(".tip")).to_have_count(1)
    page.locator(".tip .word").first.hover()
    expect(page.locator(".tip")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_have_count(0)


def test_the_keyboard_has_one_thing_after_another_explained(person: Person):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    page, tip = person.page, person.page.locator(".tip strong")
    page.keyboard.press("t")
    first = tip.text_content()
    page.keyboard.press("t")
    expect(tip).not_to_have_text(first or "")
    page.keyboard.press("Shift+T")
    expect(tip).to_have_text(first or "")
    assert page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "tip-0"


def open_duel(person: Person, other: Person, game: str = "kingdom", **options: Any) -> None:
    """Two people at one table: one opens it, the other comes by the link."""
    page = person.goes_to(f"/new/{game}")
    page.locator("select[name='seat.1']").select_option("friend")
    page.locator("input[name=clock][value=none]").check()
    person.clicks("Open the table")
    other.goes_to(page.url)
    other.clicks("Sit here")
    other.page.locator(".seats small", has_text="you").wait_for()
    for each in (person, other):  # the streams are there
        each.page.locator("#log li:not(:empty)").first.wait_for()


def test_two_people_chat_rename_and_leave(person: Person, other: Person, chromium: Any,
                                          served: Served):
    open_duel(person, other)
    other.page.get_by_label("Message", exact=True).fill("<b>good luck</b>")
    other.clicks("Send")
    expect(person.page.locator("#chat")).to_contain_text("<b>good luck</b>")
    assert person.page.locator("#chat b b").count() == 0
    other.page.get_by_label("Your name").fill("Berta <i>")
    other.page.keyboard.press("Enter")
    expect(person.page.locator(".seats")).to_contain_text("Berta <i>")
    watcher = Person(chromium, served.url)
    watcher.goes_to(person.page.url)
    expect(watcher.page.locator(".moves")).to_contain_text("You are watching")
    assert not watcher.page.locator(MOVES).count()
    expect(person.page.locator("[data-hint]")).to_be_disabled()
    for each in (person, other):
        each.page.get_by_role("button", name="I agree").click()
    expect(person.page.locator("[data-hint]")).to_be_enabled()
    other.page.once("dialog", lambda dialog: dialog.accept())
    other.clicks("Leave")
    expect(person.page.locator(".seats")).to_contain_text("(bot)")
    expect(other.page.locator(".moves")).to_contain_text("You are watching")
    watcher.close()


def test_hint(person: Person):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    person.clicks("Hint")
    expect(person.page.locator(".ideas ol li").first).to_be_visible()


def test_reconnect_brings_the_page_up_to_date(person: Person, other: Person):
    open_duel(person, other)
    other.context.set_offline(True)
    other.page.evaluate("window.dispatchEvent(new Event('offline'))")
    person.ends_turn()
    person.page.locator(".status", has_text="is to move").wait_for()
    other.context.set_offline(False)
    other.page.evaluate("window.dispatchEvent(new Event('online'))")
    other.page.locator(MOVES).first.wait_for()
    other.errors = [error for error in other.errors if "ERR_INTERNET_DISCONNECTED" not in error]


def test_two_tabs_stay_together(person: Person):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    second = person.context.new_page()
    second.goto(person.page.url)
    second.locator(MOVES).first.wait_for()
    person.page.locator(MOVES).nth(1).click()
    expect(person.page.locator("#log li").nth(2)).to_be_visible()
    person.waits_for_move()
    for part in (MOVES, "#log li"):
        wait_until(lambda part=part: second.locator(part).all_inner_texts()
                   == person.page.locator(part).all_inner_texts() != [])
    second.goto("about:blank")


def test_watching_two_bots(person: Person):
    person.goes_to("/")
    person.clicks("Watch bots Kingdom")
    expect(person.page.locator(".status")).to_contain_text("The game is over", timeout=60_000)


def test_hot_seat(person: Person):
    page = person.goes_to("/new/kingdom")
    page.locator("select[name='seat.1']").select_option("hotseat")
    person.clicks("Open the table")
    person.waits_for_move()
    person.ends_turn()
    expect(page.locator("#table")).to_be_visible()
    expect(page.locator(".seats .asked .dot")).to_have_text("2")
    person.waits_for_move()


def test_hot_seat_with_secrets_has_a_curtain(person: Person):
    """Before the second seat's cards are sent, somebody says that they sit there."""
    page = person.goes_to("/new/treasury/v17")
    page.locator("select[name='seat.1']").select_option("hotseat")
    person.clicks("Open the table")
    curtain = page.locator("#curtain")
    curtain.get_by_role("button", name="I sit in seat").click()
    person.waits_for_move()
    while not curtain.is_visible():
        person.moves(("End", "Pass"))
        page.wait_for_timeout(50)
    assert not person.is_asked()
    page.reload()
    expect(curtain).to_be_visible()
    assert not person.is_asked()
    curtain.get_by_role("button", name="I sit in seat").click()
    person.waits_for_move()
    expect(curtain).to_be_hidden()


def test_phone(chromium: Any, served: Served):
    """Nothing has to be scrolled sideways, and a move is one tap."""
    person = Person(chromium, served.url, PHONE, has_touch=True, is_mobile=True)
    page = person.goes_to("/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    person.moves()
    person.close()


# Secrets -----------------------------------------------------------------------------------------

def test_the_others_secrets_are_nowhere(person: Person, other: Person, served: Served):
    """Treasury: the cards of one hand are in no page, stream or storage of the other person."""
    open_duel(person, other, "treasury/v17")
    for _ in range(8):
        asked = person if person.is_asked() else other
        asked.waits_for_move()
        asked.moves(("End", "Pass"))
        wait_until(lambda: person.is_asked() or other.is_asked())
    match = served.service.match(person.table)
    for mine, theirs, page in ((0, 1, person), (1, 0, other)):
        keys = secret_cards(match, theirs, mine)
        assert keys, "there is something to hide"
        everything = "\n".join([page.page.content(), *page.received, json.dumps(
            page.page.evaluate("[{...localStorage}, {...sessionStorage}]"))])
        for key in keys:
            assert not re.search(rf"\b{key}\b", everything), f"{key} reached seat {mine}"


def secret_cards(match: Any, holder: int, viewer: int) -> list[str]:
    """Cards that one seat knows and the other has never been shown."""
    s = match.position.state
    cards = match.game.module("words").CARDS
    return [cards[int(card)] for card, known in zip(s.card, s.known, strict=True)
            if known >> holder & 1 and not known >> viewer & 1]
