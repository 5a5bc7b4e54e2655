"""How quickly a table answers a person: first paint, and from the click to the changed screen.

    python scripts/responsiveness.py [--moves 30]

Serves a table over loopback and plays random moves by clicks in Chromium, against a bot that
waits before its moves as it does for people.
Both times are taken inside the page: the browser's own first contentful paint, and from the click
to the frame after the screen has changed. Prints medians and the slowest, for an idle machine.
"""

import argparse
import random
import shutil
import socket
import statistics
import tempfile
import threading
import time
from typing import Any

import uvicorn
from playwright.sync_api import Page, sync_playwright

from exchequer.core.find import all_games
from exchequer.table.app import create_app
from exchequer.table.limits import NO_LIMITS
from exchequer.table.service import Settings

MOVES = "#moves ol [data-move], #moves [data-end], #moves [data-amount] .primary"
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
WATCH = """() => {
  let clicked = 0; window.waits = [];
  addEventListener("click", () => { clicked = performance.now(); }, true);
  new MutationObserver((changes) => {
    if (!clicked || changes.every(({ target }) => target.closest?.(".foresight, .tip"))) return;
    const begin = clicked; clicked = 0;
    requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - begin)));
  }).observe(document.querySelector("#table"), { childList: true, subtree: true });
}"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--moves", type=int, default=30)
    moves = options.parse_args().moves
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, url = serve(folder)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        print(f"{'':16}{'first paint':>12}{'click to screen, ms: median':>30}{'slowest':>9}")
        for game in all_games():
            page = browser.new_page()
            paints, waits = measured(page, url, game.name, moves)
            print(f"{game.name:16}{statistics.median(paints):12.0f}"
                  f"{statistics.median(waits):30.0f}{max(waits):9.0f}", flush=True)
            page.close()
        browser.close()
        server.should_exit = True


def serve(folder: str) -> tuple[uvicorn.Server, str]:
    app = create_app(Settings(f"{folder}/table.db", warm=False, limits=NO_LIMITS))
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
    threading.Thread(target=server.run, args=([listening],), daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return server, f"http://127.0.0.1:{listening.getsockname()[1]}"


def measured(page: Page, url: str, game: str, moves: int) -> tuple[list[float], list[float]]:
    page.goto(url)
    title = page.locator(f"form:has([name=game][value='{game}']) button.primary").first
    title.click()
    page.wait_for_selector(MOVES)
    paints = []
    for _ in range(5):
        page.reload()
        page.wait_for_selector(MOVES)
        paints.append(float(page.wait_for_function(PAINT).json_value()))
    page.evaluate(WATCH)
    chance, waits = random.Random(1), list[float]()
    while len(waits) < moves and is_asked(page):
        found: Any = page.locator(MOVES)
        found.nth(chance.randrange(found.count())).click()
        if page.locator("[data-end-anyway]").is_visible():
            page.locator("[data-end-anyway]").click()
        waits = next_waits(page, len(waits))
    return paints, waits


def next_waits(page: Page, known: int) -> list[float]:
    while len(waits := page.evaluate("window.waits")) == known:
        page.wait_for_timeout(20)
    return waits


def is_asked(page: Page) -> bool:
    """Whether there is a move to make; waits for the bot, or for the end."""
    page.locator(f"{MOVES}, [data-region=end]:not([hidden])").first.wait_for()
    return page.locator(MOVES).count() > 0


if __name__ == "__main__":
    main()
