"""Draw the pictures of the web table for the documentation: the lobby and every game, by Chromium.

    python scripts/table_pictures.py

All seats are played by bots from fixed seeds, so the pictures stay the same until the rules, the
bots or the drawings change.
"""

import pathlib
import shutil
import socket
import tempfile
import threading
import time

import uvicorn
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.table.app import create_app
from exchequer.table.clocks import Clock
from exchequer.table.guard import COOKIE
from exchequer.table.history import Seat
from exchequer.table.limits import NO_LIMITS
from exchequer.table.match import Match
from exchequer.table.service import Service, Settings
from exchequer.table.table_setup import TableSetup

PICTURES = pathlib.Path(__file__).parents[1] / "docs" / "pictures"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
             "--disable-component-update", "--disable-sync"]
ME = "0" * 32  # a visitor
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
GAMES = {  # game: (players, seed, moves before the picture)
    "kingdom": (2, 5, 34), "treasury/v17": (3, 2, 60), "treasury/v03": (3, 4, 45),
    "jagged_time": (1, 8, 14), "greement": (4, 3, 150),
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
            take(context, url, "/", "table-lobby")
        for name, (players, seed, moves) in GAMES.items():
            match = played(table, name, players, seed, moves)
            scheme = "dark" if name == "jagged_time" else "light"
            with seated(browser, url, token, DESKTOP, scheme) as context:
                take(context, url, f"/table/{match.id}", f"table-{name.replace('/', '-')}")
            if name == "kingdom":
                with seated(browser, url, token, PHONE, "dark") as context:
                    take(context, url, f"/table/{match.id}", "table-phone")
        browser.close()


def seated(browser: Browser, url: str, token: str, size: dict[str, int], scheme: str = "light"
           ) -> BrowserContext:
    context = browser.new_context(viewport=size, color_scheme=scheme,  # type: ignore[arg-type]
                                  reduced_motion="reduce")
    context.add_cookies([{"name": COOKIE, "value": token, "url": url}])
    return context


def played(table: Service, name: str, players: int, seed: int, moves: int) -> Match:
    """A game that has gone on for so many moves, and then until I am asked."""
    game = find_game(name)
    game.engine(Mode.COMPILED).prepare()
    seats = [Seat(ME if number == 0 else NAMES[number], None, NAMES[number])
             for number in range(players)]
    match = table.registry.open(TableSetup(game, game.content(), seats, Clock(), seed), "pictures")
    bots = [Bot(game, "easy", seed + number, Mode.COMPILED) for number in range(players)]
    while (seat := match.asked) is not None and (moves > 0 or seat != 0):
        action = bots[seat].choose(match.observation(seat), match.content, seat)
        match.play(seat, action, match.version)
        moves -= 1
    return match


def take(context: BrowserContext, url: str, path: str, name: str) -> None:
    page = context.new_page()
    page.goto(url + path)
    page.wait_for_load_state("networkidle")
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
    print(f"{name}.png {(PICTURES / f'{name}.png').stat().st_size // 1024} KB", flush=True)


if __name__ == "__main__":
    main()
