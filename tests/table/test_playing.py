"""Playing as people do: mouse paths with pauses, taps, keys; on a desktop and on a phone."""

import contextlib
import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from served import Served
from visitors import DESKTOP, LIVE, PHONE, Person, expect, wait_until

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(params=["desktop", "phone"])
def either(request: pytest.FixtureRequest, chromium: Any, served: Served) -> Iterator[Person]:
    """Somebody at a desk, then somebody with a phone."""
    touch = {"has_touch": True, "is_mobile": True} if request.param == "phone" else {}
    found = Person(chromium, served.url, PHONE if touch else DESKTOP, **touch)
    yield found
    found.close()


@pytest.fixture
def person(chromium: Any, served: Served) -> Iterator[Person]:
    found = Person(chromium, served.url, DESKTOP)
    yield found
    found.close()


@pytest.fixture
def phone(chromium: Any, served: Served) -> Iterator[Person]:
    found = Person(chromium, served.url, PHONE, has_touch=True, is_mobile=True)
    yield found
    found.close()


def opens(person: Person, game: str = "kingdom", opponent: str = "greedy", **settings: Any
          ) -> Any:
    """A table of their own, by the form, where it is their move."""
    page = person.goes_to(f"/new/{game}")
    if page.locator("select[name='seat.1']").count():
        page.locator("select[name='seat.1']").select_option(opponent)
    page.locator("input[name=clock][value=none]").check()
    if settings:
        page.locator("details.switches summary").first.click()
    for key, value in settings.items():
        page.locator(f"[name='set.{key}']").fill(str(value))
    person.clicks("Open the table")
    person.waits_for_move()
    if page.get_by_role("button", name="No, thanks").is_visible():  # the lesson of a first game
        person.clicks("No, thanks")
    return page


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# Tooltips ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("dwell", [0, 100, 340, 800])
def test_a_tooltip_never_covers_the_menu(person: Person, dwell: int):
    """A click shortly after the mouse has arrived, then a pause: the menu stays free."""
    page = opens(person)
    page.mouse.move(5, 5)
    page.mouse.move(*middle(page, "#board .free.live"), steps=8)
    page.wait_for_timeout(dwell)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_timeout(700)
    before = person.shown()
    line = page.locator("#menu [role=menuitem]").nth(1)
    page.mouse.move(*middle(page, "#menu [role=menuitem]:nth-child(2)"), steps=6)
    page.wait_for_timeout(400)
    expect(page.locator(".tip")).to_have_count(0)
    assert "Develop" in line.inner_text()
    page.mouse.down()
    page.mouse.up()
    wait_until(lambda: person.shown() != before)


def test_a_tooltip_passes_a_click_on(person: Person):
    """A tip that lies over something hands the click to what is under it."""
    page = opens(person)
    page.locator("#board [data-tip='building.mill']").first.hover()
    expect(page.locator(".tip")).to_have_count(1)
    page.locator(".tip").evaluate("""tip => {
        const spot = document.querySelector('#board .free.live').getBoundingClientRect();
        tip.style.top = `${spot.top - 4}px`; tip.style.left = `${spot.left - 4}px`; }""")
    page.mouse.click(*middle(page, "#board .free.live"))
    expect(page.locator("#menu")).to_be_visible()


# Before the scripts are there ---------------------------------------------------------------------

@contextlib.contextmanager
def slow_scripts(page: Any) -> Iterator[None]:
    """What is done in here is done before the page's script is there."""
    late: list[Any] = []
    page.route("**/static/table.js", lambda route: late.append(route))
    yield
    wait_until(lambda: bool(page.wait_for_timeout(50) or late))
    late[0].continue_()
    page.unroute("**/static/table.js")


def test_a_click_before_the_scripts_are_there_counts(either: Person):
    page = opens(either)
    table, before = page.url, either.shown()
    with slow_scripts(page):
        page.goto(table, wait_until="commit")
        page.locator("#moves ol [data-move]").first.click()
    wait_until(lambda: either.shown() != before)
    with slow_scripts(page):
        page.goto(f"{table}/replay?frame=0", wait_until="commit")
        page.locator("[data-step='1']").click()
    expect(page.locator("#frames [aria-current]")).to_have_attribute("data-frame", "1")


def test_a_message_before_the_scripts_are_there_is_sent(person: Person):
    page = opens(person)
    with slow_scripts(page):
        page.goto(page.url, wait_until="commit")
        page.get_by_role("textbox", name="Message").fill("Good luck!")
        page.get_by_role("button", name="Send").click()
    expect(page.locator("#chat")).to_contain_text("Good luck!")


# Focus and hearing -------------------------------------------------------------------------------

def focused(page: Any) -> str:
    return page.evaluate("""() => document.activeElement.closest('#moves, #board')?.id
                            ?? document.activeElement.tagName""")


def test_a_click_on_the_new_screen_counts_before_the_old_one_is_answered(person: Person):
    page, waiting = opens(person, start_council=3), []

    def answers_late(route):
        """The table has the move, the page hears of it by the stream alone."""
        waiting.append((route, route.fetch()))

    page.route("**/play", answers_late)
    for _ in range(2):
        before = person.shown()
        page.locator("#moves ol [data-move]").first.dblclick()
        wait_until(lambda before=before: person.shown() != before)
    assert len(waiting) == 2  # and none for the second clicks
    for route, answer in waiting:
        route.fulfill(response=answer)


def test_focus_stays_after_a_move(person: Person):
    page = opens(person, start_council=3)
    page.locator("#moves ol [data-move]").nth(1).focus()
    for key in ("Enter", "1"):
        before = person.shown()
        page.keyboard.press(key)
        wait_until(lambda before=before: person.shown() != before)
        person.waits_for_move()
        assert focused(page) == "moves"
    spot = page.locator(LIVE).first
    spot.focus()
    before = person.shown()
    page.keyboard.press("Enter")
    if page.locator("#menu").is_visible():
        page.keyboard.press("Enter")
    wait_until(lambda: person.shown() != before)
    person.waits_for_move()
    assert focused(page) in ("moves", "board")


def test_headings_are_in_order_and_the_log_is_heard(person: Person):
    page = opens(person)
    levels = page.evaluate("""() => [...document.querySelectorAll('h1, h2, h3, h4')]
        .filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]))""")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    log = page.get_by_role("log")
    expect(log).to_have_attribute("aria-live", "polite")
    assert log.locator("#log li").count() and log.get_attribute("aria-busy") == "false"


# The end of the turn -----------------------------------------------------------------------------

def test_the_end_of_the_turn_has_a_place_of_its_own_and_asks_once(either: Person):
    page = opens(either)
    end = page.locator("[data-end]")
    expect(end).to_contain_text("End the turn")
    assert not page.locator("#moves ol", has_text="End the turn").count()
    before = either.shown()
    end.click()
    expect(page.locator(".sure")).to_contain_text("You still have 1 action point.")
    assert either.shown() == before
    page.get_by_role("button", name="Keep playing").click()
    expect(page.locator(".sure")).to_be_hidden()
    page.keyboard.press("e")
    page.keyboard.press("e")
    wait_until(lambda: either.shown() != before)


# What can be done, and what not ------------------------------------------------------------------

def test_what_cannot_be_done_says_what_is_missing(either: Person):
    """The Barracks cost 12 and there are 10 gold."""
    page = opens(either)
    barracks = page.locator("#board .mine [data-place='building-barracks']")
    expect(either.asks_why_not(barracks)).to_contain_text("2 gold short")
    page.locator(".tip .cannot a.paragraph").first.click()
    expect(page.locator("#rules")).to_be_visible()


def test_what_cannot_be_done_is_listed_with_its_reason(person: Person):
    page = opens(person)
    refused = page.locator(".refused")
    refused.locator("summary").click()
    expect(refused.locator("li", has_text="Build: Temple")).to_contain_text("6 gold short")
    expect(refused.locator("li", has_text="Attack")).to_contain_text("K-32")


def test_a_move_says_beforehand_what_it_changes(person: Person):
    page = opens(person)
    line = page.locator("#moves ol [data-move]", has_text="Develop: Outpost")
    line.hover()
    foresight = page.locator(".foresight")
    expect(foresight).to_contain_text(re.compile(r"gold\s*10 → 7"))
    expect(foresight).to_contain_text(re.compile(r"army\s*0 → 1"))
    expect(page.locator("#board .free.lit").first).to_be_visible()
    page.locator("#board .purse-gold.live").hover()
    expect(page.locator("#moves .lit")).to_have_text(re.compile("Tax"))
    expect(foresight).not_to_contain_text("army")


def test_on_a_phone_the_first_tap_says_what_would_happen(phone: Person):
    page = opens(phone)
    before = phone.shown()
    page.locator("#board .purse-gold.live").tap()
    expect(page.locator("#menu")).to_contain_text("Tax")
    expect(page.locator("#menu")).to_contain_text(re.compile(r"happiness\s*0 → -1"))
    assert phone.shown() == before
    page.locator("#menu [role=menuitem]").tap()
    wait_until(lambda: phone.shown() != before)


def test_on_a_phone_a_move_that_is_held_says_what_it_would_change(phone: Person):
    page = opens(phone)
    before, (x, y) = phone.shown(), middle(page, "#moves ol [data-move]:has-text('Expand')")
    finger = phone.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent",
                {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(page.locator(".tip")).to_contain_text(re.compile(r"gold\s*10 → 8"))
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)
    assert phone.shown() == before
    page.locator("#moves ol [data-move]", has_text="Expand").tap()
    wait_until(lambda: phone.shown() != before)


@pytest.mark.parametrize(("game", "place"), [
    ("treasury/v17", ".others .who"), ("treasury/v03", "[data-place='deck-2']"),
    ("jagged_time", ".bank.might"), ("greement", ".books")])
def test_whatever_is_clicked_answers(either: Person, game: str, place: str):
    """Something else is asked: what one clicks says so, and what is asked."""
    page = opens(either, game)
    spot = page.locator(f"#board {place}").first
    expect(either.asks_why_not(spot)).to_contain_text("Nothing can be done here now.")
    question = page.locator(".status .question").inner_text().removeprefix("Your move").strip()
    expect(page.locator(".tip .cannot")).to_contain_text(question)


@pytest.mark.parametrize(("game", "move", "asked"), [
    ("treasury/v17", "Start", "Which card becomes a startup?"),
    ("greement", "Borrow", "How much?")])
def test_a_move_that_opens_a_choice_says_what_is_asked_next(person: Person, game: str, move: str,
                                                            asked: str):
    page = opens(person, game)
    line = page.locator("#moves ol [data-move]", has_text=move)
    for _ in range(12):
        if line.count():
            break
        person.moves()
        person.waits_for_move()
    line.first.hover()
    expect(page.locator(".foresight")).to_contain_text(f"Next: {asked}")


# A phone -----------------------------------------------------------------------------------------

FIVE = ["kingdom", "treasury/v03", "treasury/v17", "jagged_time", "greement"]


@pytest.mark.parametrize("game", FIVE)
def test_on_a_phone_moves_and_board_are_in_view_together(phone: Person, game: str):
    page = opens(phone, game)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (".status .question", "#moves .choices [data-move]", "[data-undo]", "[data-hint]"):
        box = page.locator(part).first.bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"], part
    seen = page.evaluate("""() => [120, 260, 400, 480].filter((y) =>
        document.elementFromPoint(195, y)?.closest('#board')).length""")
    assert seen >= 3, "the board is in view"
    page.locator("[data-all-moves]").tap()
    first = page.locator("#moves .choices [data-move]").first
    before = phone.shown()
    first.tap()
    if page.locator("[data-end-anyway]").is_visible():
        page.locator("[data-end-anyway]").tap()
    wait_until(lambda: phone.shown() != before)


def test_on_a_phone_the_last_event_is_one_line(phone: Person):
    page = opens(phone)
    page.locator("#moves ol [data-move]", has_text="Overwork").tap()
    expect(page.locator("#log")).to_contain_text("overworks")
    phone.waits_for_move()
    event = page.locator(".status .event")
    expect(event).to_be_visible()
    said = page.locator("#log li > p").last.inner_text()
    expect(event).to_contain_text(said, ignore_case=True)
    expect(event).to_contain_text(re.compile("Guest|Bede"))
    assert event.bounding_box()["height"] < 30


# Amounts -----------------------------------------------------------------------------------------

def test_a_number_is_typed_into_a_field(either: Person):
    """Greement's first loan: digits on the keyboard are digits."""
    page = opens(either, "greement")
    field = page.locator("[data-amount] input")
    for _ in range(6):
        if field.count():
            break
        either.moves(board_share=0)
        either.waits_for_move()
    assert not page.locator("#moves [data-move]", has_text="Digit").count()
    most = int(field.get_attribute("max") or 0)
    field.fill("")
    field.focus()
    page.keyboard.type(str(most - 1))
    page.get_by_role("button", name="One more").click()
    assert field.input_value() == str(most)
    field.press("Enter")
    expect(page.locator("#log")).to_contain_text(f"first loan of {most}c")


def test_a_number_out_of_bounds_is_not_sent(person: Person, served: Served):
    page = opens(person, "greement")
    while not page.locator("[data-amount]").count():
        person.moves(board_share=0)
        person.waits_for_move()
    before = person.shown()
    page.locator("[data-amount] input").fill("0")
    page.locator("[data-amount] input").press("Enter")
    page.wait_for_timeout(200)
    assert person.shown() == before


# What happened -----------------------------------------------------------------------------------

def test_what_changed_is_marked_and_numbers_float(chromium: Any, served: Served):
    person = Person(chromium, served.url, DESKTOP)
    page = person.page
    page.emulate_media(reduced_motion="no-preference")
    opens(person)
    page.evaluate("""() => { window.floats = [];
        new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((node) => {
            if (node.classList?.contains('float')) window.floats.push(node.textContent); })))
        .observe(document.body, { childList: true }); }""")
    before = person.shown()
    page.locator("#moves ol [data-move]", has_text="Develop: Outpost").click()
    wait_until(lambda: person.shown() != before)
    expect(page.locator("#board [data-piece='k0-outpost-1'].changed")).to_have_count(1)
    expect(page.locator("#board .purse-gold b.changed").first).to_have_text("7")
    assert {"\u22123", "+1"} <= set(page.evaluate("window.floats"))
    assert page.evaluate("document.documentElement.style.viewTransitionName") == ""
    person.close()


def test_nothing_moves_for_those_who_want_it_calm(person: Person):
    page = opens(person)  # these people ask for reduced motion
    page.evaluate("""() => { window.moved = 0; const old = Element.prototype.animate;
        Element.prototype.animate = function (...all) {
            window.moved++; return old.apply(this, all); }; }""")
    before = person.shown()
    page.locator("#moves ol [data-move]", has_text="Develop: Outpost").click()
    wait_until(lambda: person.shown() != before)
    expect(page.locator("#board .changed").first).to_be_visible()
    assert page.evaluate("window.moved") == 0


def test_no_page_is_faded(chromium: Any, served: Served):
    """Only pieces are animated: no picture of the whole page is ever laid over it."""
    person = Person(chromium, served.url, DESKTOP)
    page = person.page
    page.emulate_media(reduced_motion="no-preference")
    opens(person)
    page.evaluate("""() => { window.animated = []; const old = Element.prototype.animate;
        Element.prototype.animate = function (...all) {
            window.animated.push(this.matches('#board [data-piece], .float'));
            return old.apply(this, all); };
        document.startViewTransition = () => { throw new Error('the page fades'); }; }""")
    before = person.shown()
    page.locator("#moves ol [data-move]", has_text="Develop: Outpost").click()
    wait_until(lambda: person.shown() != before)
    wait_until(lambda: page.evaluate("window.animated.length > 0"))
    assert page.evaluate("window.animated.every((piece) => piece)")
    person.close()


def test_coins_fly_from_whoever_pays_to_whoever_is_paid(chromium: Any, served: Served):
    person = Person(chromium, served.url, DESKTOP)
    person.page.emulate_media(reduced_motion="no-preference")
    page = opens(person, "treasury/v17")
    flown = page.evaluate("""async () => {
        const { swap } = await import('/static/swap.js');
        const chest = document.querySelector('.chest b');
        const purse = document.querySelector('.mine .purse b');
        const count = (paid) => {
          swap(() => { chest.textContent -= paid; purse.textContent -= -paid; });
          return document.querySelectorAll('.coin').length;
        };
        const coin = () => getComputedStyle(document.querySelector('.coin')).backgroundColor;
        return [count(0), count(2), coin()];
    }""")
    assert flown[:2] == [0, 2]
    assert flown[2] == "rgb(138, 97, 0)"  # they are of gold
    person.close()


@pytest.mark.parametrize("game", ["kingdom", "treasury/v17", "treasury/v03", "greement"])
def test_opponents_stay_in_view(either: Person, game: str):
    page = opens(either, game)
    page.evaluate("document.querySelector('#board').scrollIntoView({ block: 'end' })")
    expect(page.locator(".standing .dot").nth(1)).to_be_in_viewport()
    expect(page.locator(".status .question")).to_be_in_viewport()


IN_VIEW = {
    "kingdom": [".realm.theirs", ".realm.mine"], "jagged_time": [".agenda", ".panel .hand"],
    "treasury/v17": [".others .seat", ".mine .hand"], "greement": [".land", "tbody tr"],
    "treasury/v03": [".others .seat", ".mine .hand"]}


@pytest.mark.parametrize("game", IN_VIEW)
def test_at_a_desk_nothing_has_to_be_scrolled_to(person: Person, game: str):
    """The others and one's own cards are in view together."""
    page = opens(person, game)
    for part in IN_VIEW[game]:
        for one in page.locator(f"#board {part}").all():
            expect(one).to_be_in_viewport(ratio=1)


def test_a_bots_turn_is_followed_step_by_step_and_skipped(person: Person):
    following = person.page.get_by_role("button", name="Next")
    skipping = person.page.get_by_role("button", name="Skip")
    for _ in range(5):  # moves that come close together are one step, and none may be left to skip
        page = opens(person, "kingdom", start_council=2)
        page.evaluate("() => { const box = document.querySelector('#steps input');"
                      " if (!box.checked) box.click(); }")
        page.keyboard.press("e")
        page.keyboard.press("e")
        expect(following).to_be_visible()
        before = person.shown()
        following.click()
        wait_until(lambda before=before: person.shown() != before)
        if skipping.is_visible():
            break
    skipping.click()
    person.waits_for_move()
    expect(following).to_be_hidden()


def test_time_over_is_announced_and_in_the_log(either: Person, served: Served):
    page = either.goes_to("/new/kingdom")
    page.locator("input[name=clock][value=move]").check()
    page.locator("input[name='amount.move']").fill("3600")
    either.clicks("Open the table")
    either.waits_for_move()
    expect(page.locator(".clock svg")).to_be_visible()
    match = served.service.match(either.table)
    assert match.tick(match.move_due() + 1)
    expect(page.locator("#log")).to_contain_text("'s time ran out.")
    expect(page.locator(".status .late")).to_contain_text("Your time ran out")
    expect(page.locator(".since")).to_be_hidden()
