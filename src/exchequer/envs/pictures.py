"""What an environment shows: the terminal's screen, or a picture of the browser's board."""

import functools
import io
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from exchequer.core.errors import InputError
from exchequer.core.reflection import view_of
from exchequer.core.words import seat_names
from exchequer.envs.play import Play

RENDERING: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}
WIDTH = 1000  # of a picture
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
MISSING = ('The render mode "rgb_array" draws the board of the browser, which needs Chromium and '
           "Playwright: pip install 'exchequer[pictures]', then playwright install chromium. "
           'The mode "ansi" needs neither.')


def drawable(mode: str | None) -> str | None:
    """A render mode that there is."""
    if mode is not None and mode not in RENDERING["render_modes"]:
        raise InputError(f'There is no render mode "{mode}"; there are '
                         f"{', '.join(RENDERING['render_modes'])}.")
    return mode


def drawn(play: Play, seat: int, mode: str | None) -> str | np.ndarray | None:
    """What a seat sees: printed for people, as text, or as an array of height x width x 3."""
    if mode is None:
        return None
    if mode == "rgb_array":
        return painter(os.getpid()).draw(board_page(play, seat))
    screen = play.screen(seat)
    if mode == "human":
        print(screen)
        return None
    return screen


def board_page(play: Play, seat: int) -> str:
    try:
        from exchequer.table import boards
    except ImportError as missing:
        raise InputError(MISSING) from missing
    view = view_of(play.game, play.observed(seat)[0], play.content, seat)
    return boards.page(play.game, play.content, view, seat_names(play.seats), {})


@functools.cache
def painter(process: int) -> "Painter":
    """One for each process: a child that was forked cannot use its parent's browser."""
    return Painter()


class Painter:
    """Chromium in a thread of its own, since Playwright refuses one that has an event loop."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1)
        self.page = self.thread.submit(self._open).result()

    def _open(self) -> Any:
        try:
            from playwright.sync_api import Error, sync_playwright
        except ImportError as missing:
            raise InputError(MISSING) from missing
        try:
            browser = sync_playwright().start().chromium.launch(
                executable_path=shutil.which("chromium"), args=ARGUMENTS)
        except Error as missing:
            raise InputError(MISSING) from missing
        return browser.new_page(viewport={"width": WIDTH, "height": 400})

    def draw(self, html: str) -> np.ndarray:
        return self.thread.submit(self._draw, html).result()

    def _draw(self, html: str) -> np.ndarray:
        from PIL import Image

        self.page.set_content(html)
        self.page.evaluate("document.fonts.ready")
        shot = self.page.screenshot(full_page=True)
        return np.array(Image.open(io.BytesIO(shot)).convert("RGB"))
