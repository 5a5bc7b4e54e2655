"""Play The Jagged Time in Chromium, every move by a click, from the first card to the last screen.

    python scripts/campaign_in_browser.py FOLDER [--variant campaign] [--seed 4] [--phone]

A bot says which move to make, from what the seat sees; the browser makes it. FOLDER gets a picture
of the first screen, of every milestone and of the last screen.
"""

import argparse
import pathlib
import sys
import tempfile

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "table"))
from served import Served  # the table as the tests serve it
from visitors import ARGUMENTS, DESKTOP, PHONE, Person, chromium_path

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.games.jagged_time import GAME
from exchequer.table.clocks import Clock
from exchequer.table.guard import COOKIE
from exchequer.table.history import Seat
from exchequer.table.match import Match
from exchequer.table.table_setup import TableSetup

ME = "0" * 32  # a visitor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--variant", default="campaign")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--phone", action="store_true", help="on a screen as large as a phone's")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    GAME.engine(Mode.COMPILED).prepare()
    with tempfile.TemporaryDirectory() as folder, Served(f"{folder}/table.db") as served:
        table = served.service
        table.store.remember(ME, "Ann")
        setup = TableSetup(GAME, GAME.variant(asked.variant), [Seat(ME, None, "Ann")], Clock(),
                           asked.seed)
        match = table.registry.open(setup, "campaign")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
            person = Person(browser, served.url, PHONE if asked.phone else DESKTOP)
            person.context.add_cookies([{"name": COOKIE, "value": table.tokens.issue(ME).token,
                                         "url": served.url}])
            play(person, match, Bot(GAME, asked.bot, asked.seed), asked.folder)
            person.close()
            browser.close()


def play(person: Person, match: Match, bot: Bot, folder: pathlib.Path) -> None:
    page, milestone, moves = person.goes_to(f"/table/{match.id}"), -1, 0
    for moves, seen in enumerate(person.follows(match, bot)):
        if seen.milestone != milestone:
            milestone = int(seen.milestone)
            page.screenshot(path=folder / f"{moves:04}-milestone.png")
            print(f"move {moves}: {page.locator('.goals').inner_text()}", flush=True)
    page.screenshot(path=folder / f"{moves + 1:04}-end.png", full_page=True)
    assert not person.errors, person.errors
    print(f"{moves + 1} moves: {page.locator('[data-region=status]').inner_text()}")


if __name__ == "__main__":
    main()
