"""How many clicks and prompts a bargain takes in Greement, counted in Chromium.

    python scripts/clicks.py

A sale at a price of one's own and a swap with cash and a split tax, by the form and move by move
(each part of an offer is a move, which is a click in the bar of moves); three cards to vote on at
six seats, asked of all at once and one after the other. Prints a table.
"""

import pathlib
import sys
import tempfile
from collections.abc import Callable

from playwright.sync_api import Locator, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "table"))
from served import Served  # the table as the tests serve it
from visitors import ARGUMENTS, Person, chromium_path

from exchequer.core.agenda import asked
from exchequer.games.greement import GAME
from exchequer.games.greement.state import Ask
from exchequer.table.clocks import Clock
from exchequer.table.guard import COOKIE
from exchequer.table.history import Seat
from exchequer.table.match import Match
from exchequer.table.table_setup import TableSetup

COUNTING = """() => { window.clicks = 0;
  document.addEventListener("pointerdown", () => { window.clicks += 1; }, true); }"""
NO_PRICES = {name: {"cards": 0} for name in ("tight_credit", "lake_seizure", "mountain_seizure")}
LOAN = 14


def opened(served: Served, seats: int) -> Match:
    """A table of people at which the first has the first turn."""
    content = GAME.content({"bundle_trades": True, "disease_cards": 0, "event": NO_PRICES})
    people = [Seat(f"{number}" * 32, None, f"Player {number + 1}") for number in range(seats)]
    for person in people:
        served.service.store.remember(person.holder or "", person.name)
    match = served.service.registry.open(TableSetup(GAME, content, people, Clock(), 1), "clicks")
    while len(match.asked_seats) == 1:
        match.play(match.asked or 0, match.legal()[0], match.version)
    for seat in range(seats):
        match.enter(seat, LOAN if seat == 0 else 9, match.version_of(seat))
    return match


def fill(form: Locator, person: Person, squares: list[str], price: str) -> None:
    for square in squares:
        person.page.locator(f"#board [data-square='{square}']").click()
    if form.locator("[name=to]:checked, [type=hidden][name=to]").count() == 0:
        form.locator("[type=radio][name=to]").first.click()
    form.get_by_label("Price").fill(price)


def clicks(person: Person, match: Match, draw_up: Callable[[Locator, list[str]], None]
           ) -> tuple[int, int]:
    """Clicks by the form; and the moves that it stands for."""
    page = person.goes_to(f"/table/{match.id}")
    form = page.locator("[data-deal]")
    form.wait_for()
    page.evaluate(COUNTING)
    moves = len(match.position.actions)
    views = [match.view(seat) or {} for seat in (0, 1)]
    draw_up(form, [view["players"][seat]["start"] for seat, view in enumerate(views)])
    form.get_by_role("button", name="Send the offer").click()
    page.locator(".bargain li").first.wait_for()
    return int(page.evaluate("() => window.clicks")), len(match.position.actions) - moves


def voted(match: Match) -> tuple[int, int, int]:
    """The cards that are voted on in an event phase, the answers, and how often all had to wait."""
    while match.position.state.active >= 0:
        end = GAME.words.TEXTS.action("end")
        match.play(match.asked or 0, end, match.version)
    cards = answers = waits = 0
    while asked(match.position.state) == Ask.VOTE:
        waits += 1
        cards += 1
        for seat in list(match.asked_seats):
            match.play(seat, GAME.words.TEXTS.action("vote:let"), match.version_of(seat))
            answers += 1
    return cards, answers, waits


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Served(f"{folder}/table.db") as served, \
            sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        person = Person(browser, served.url)
        token = served.service.tokens.issue("0" * 32).token
        person.context.add_cookies([{"name": COOKIE, "value": token, "url": served.url}])

        def sale(form: Locator, homes: list[str]) -> None:
            fill(form, person, homes[:1], "11")

        def swap(form: Locator, homes: list[str]) -> None:
            fill(form, person, homes, "2")
            form.get_by_label("I pay it").click()
            form.get_by_label("Tax").click()
            form.get_by_label("Tax").select_option("both")

        print(f"{'':44}{'now':>12}{'one by one':>12}")
        for name, draw_up in (("sale at a price of one's own, clicks", sale),
                              ("swap with cash and a split tax, clicks", swap)):
            now, moves = clicks(person, opened(served, 3), draw_up)
            print(f"{name:44}{now:12}{moves:12}")
        cards, answers, waits = voted(opened(served, 6))
        print(f"{f'{cards} cards at six seats, answers given':44}{answers:12}{answers:12}")
        print(f"{f'{cards} cards at six seats, rounds of waiting':44}{waits:12}{answers:12}")
        browser.close()


if __name__ == "__main__":
    main()
