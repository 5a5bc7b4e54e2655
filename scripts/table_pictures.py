"""Draw the screens of the web table for the documentation: the lobby and every game, by Chromium.

    python scripts/table_pictures.py [FOLDER]

For each game: the page of a new table, its lesson, a table in the middle of a game (desktop, and a
phone in the dark), the end, the replay and the rules. All seats are played by bots from fixed
seeds, so the pictures stay the same until the rules, the bots or the drawings change.
"""

import io
import pathlib
import shutil
import socket
import sys
import tempfile
import threading
import time
from typing import NamedTuple

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.table.app import create_app
from exchequer.table.clocks import Clock
from exchequer.table.guard import COOKIE
from exchequer.table.history import Seat
from exchequer.table.lessons import lesson_setup
from exchequer.table.limits import NO_LIMITS
from exchequer.table.match import Match
from exchequer.table.service import Service, Settings
from exchequer.table.table_setup import TableSetup

PICTURES = pathlib.Path(__file__).parents[1] / "docs" / "pictures"
FOLDER = pathlib.Path(sys.argv[1]) if sys.argv[1:] else PICTURES
SHADES = 128
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
             "--disable-component-update", "--disable-sync"]
ME = "0" * 32  # a visitor
PATIENCE = 120_000  # milliseconds for the review of a game
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


class Shown(NamedTuple):
    """The game of a picture: so many moves, and then until I am asked."""

    players: int
    seed: int
    moves: int


GAMES = {
    "kingdom": Shown(2, 5, 24), "treasury/v17": Shown(3, 2, 60), "treasury/v03": Shown(3, 4, 45),
    "jagged_time": Shown(1, 8, 14), "greement": Shown(4, 3, 150),
}
NAMES = ("Ann", "Ben", "Cleo", "Dov")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(f"{folder}/pictures.db", 0.0, False, limits=NO_LIMITS))
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        app.state.service.store.remember(ME, NAMES[0])
        draw_all(app.state.service, f"http://127.0.0.1:{listening.getsockname()[1]}")
        server.should_exit = True
        thread.join(20)


def draw_all(table: Service, url: str) -> None:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        token = table.tokens.issue(ME).token
        with seated(browser, url, token, DESKTOP) as context:
            take(context, f"{url}/", "table-lobby")
        for name in GAMES:
            draw_game(table, browser, url, token, name)
        browser.close()


def draw_game(table: Service, browser: Browser, url: str, token: str, name: str) -> None:
    label = name.replace("/", "-")
    match = played(table, name, GAMES[name])
    over = played(table, name, GAMES[name]._replace(moves=10_000))
    with seated(browser, url, token, DESKTOP) as context:
        take(context, f"{url}/table/{match.id}", f"table-{label}")
        take(context, f"{url}/table/{over.id}", f"end-{label}")
        take(context, f"{url}/table/{over.id}/replay", f"replay-{label}")
        take(context, f"{url}/new/{name}", f"new-{label}")
        take(context, f"{url}/rules/{name}", f"rules-{label}")
        take(context, f"{url}/table/{lesson(table, name).id}", f"lesson-{label}")
    with seated(browser, url, token, PHONE, "dark") as context:
        take(context, f"{url}/table/{match.id}", f"phone-{label}")
        take(context, f"{url}/table/{over.id}", f"phone-end-{label}")


def seated(browser: Browser, url: str, token: str, size: dict[str, int], scheme: str = "light"
           ) -> BrowserContext:
    context = browser.new_context(viewport=size, color_scheme=scheme,  # type: ignore[arg-type]
                                  reduced_motion="reduce")
    context.add_cookies([{"name": COOKIE, "value": token, "url": url}])
    return context


def played(table: Service, name: str, shown: Shown) -> Match:
    game, moves = find_game(name), shown.moves
    game.engine(Mode.COMPILED).prepare()
    seats = [Seat(ME if number == 0 else NAMES[number], None, NAMES[number])
             for number in range(shown.players)]
    setup = TableSetup(game, game.content(), seats, Clock(), shown.seed)
    match = table.registry.open(setup, f"pictures{moves}")
    bots = [Bot(game, "easy", shown.seed + number, Mode.COMPILED)
            for number in range(shown.players)]
    while (seat := match.asked) is not None and (moves > 0 or seat != 0):
        action = bots[seat].choose(match.observation(seat), match.content, seat)
        match.play(seat, action, match.version)
        moves -= 1
    return match


def lesson(table: Service, name: str) -> Match:
    return table.registry.open(lesson_setup(find_game(name), ME, NAMES[0]), "pictures")


def take(context: BrowserContext, address: str, name: str) -> None:
    page = context.new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    if page.locator("[data-review]").count():  # what is worked out behind the table
        page.locator(".curve").wait_for(timeout=PATIENCE)
    page.evaluate("document.querySelector('.offer')?.remove()")  # of a lesson, made once
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.close()
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
    image.quantize(SHADES, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name} {path.stat().st_size // 1024} KB", flush=True)


if __name__ == "__main__":
    main()
