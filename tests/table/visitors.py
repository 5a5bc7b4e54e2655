"""People in real browsers: they click only what they can see."""

import contextlib
import random
import re
import shutil
import time
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as TooLate

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
             "--disable-component-update", "--disable-sync"]
expect.set_options(timeout=20_000)  # no test depends on the machine's speed
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
MOVES = "#moves .choices ol [data-move], #moves [data-amount] .primary, #moves [data-end]"
LIVE = "#board .live"
ANSWERED = """asked => !document.querySelector('.status.mine')
  || document.querySelector('#table').dataset.version !== asked"""


def chromium_path() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise RuntimeError("Chromium is missing; `make test` installs it, or: "
                           "apt-get install chromium")
    return path


class Person:
    """Somebody with a browser of their own. Everything the page is sent is kept in `received`."""

    def __init__(self, browser: Browser, url: str, size: dict[str, int] = DESKTOP,
                 **options: Any) -> None:
        self.url = url
        self.context = browser.new_context(viewport=size, reduced_motion="reduce",  # type: ignore[arg-type]
                                           **options)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.errors: list[str] = []
        self.received: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("websocket", lambda socket: socket.on(
            "framereceived", lambda data: self.received.append(str(data))))
        self.chance = random.Random(1)

    def _heard(self, message: Any) -> None:
        """The browser also reports refused requests as errors; those are expected."""
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def close(self) -> None:
        """Leave; closing a context now and then waits for Chromium for ever, so that the browser
        closes all of them at its end.
        """
        for page in self.context.pages:
            page.goto("about:blank")
        assert not self.errors, self.errors

    def goes_to(self, path: str) -> Page:
        self.page.goto(self.url + path if path.startswith("/") else path)
        return self.page

    def clicks(self, name: str, role: Any = "button", exact: bool = False) -> None:
        self.page.get_by_role(role, name=name, exact=exact).first.click()

    @property
    def table(self) -> str:
        found = re.search(r"/table/([\w-]+)", self.page.url)
        assert found, self.page.url
        return found[1]

    # Playing -----------------------------------------------------------------------------------

    def is_asked(self) -> bool:
        return self.page.locator(MOVES).count() > 0

    def is_over(self) -> bool:
        status = self.page.locator('[data-region="status"]').inner_text()
        return status.startswith("The game is over")

    def waits_for_move(self) -> bool:
        """Until it is this person's move; False when the game is over instead."""
        self.page.locator("#log li").first.wait_for(state="attached")  # the stream is there
        self.page.locator(f'{MOVES}, .status:has-text("The game is over")').first.wait_for()
        return not self.is_over()

    def shown(self) -> str:
        """Something that changes with every move."""
        return self.page.locator("#table").get_attribute("data-moment") or ""

    def question(self) -> str:
        """What only an answer of one's own changes: others may answer beside it."""
        return self.page.locator("#table").get_attribute("data-version") or ""

    def moves(self, prefer: tuple[str, ...] = (), board_share: float = 0.5) -> None:
        """One click or two on something that lights up, on the board or in the action bar."""
        asked = self.question()
        names = [re.sub(r"^[1-9E]?\s+", "", text) for text in
                 self.page.locator(MOVES).all_inner_texts()]
        wanted = [i for i, name in enumerate(names) if name.startswith(prefer)]
        spots = self.page.locator(LIVE)
        if prefer and wanted and self.chance.random() < 0.7:
            self.chooses(wanted[0])
        elif spots.count() and self.chance.random() < board_share:
            self.clicks_on_board(spots.nth(self.chance.randrange(spots.count())))
        elif names:
            self.chooses(self.chance.randrange(len(names)))
        else:
            self.types_a_number()
        self.page.wait_for_function(ANSWERED, arg=asked)

    def clicks_on_board(self, spot: Any) -> None:
        """A place, and one of its moves where it has several."""
        with contextlib.suppress(TooLate):  # somebody else has moved
            spot.click(timeout=5000)
        choices = self.page.locator("#menu [role=menuitem]")
        if self.page.locator("#menu").is_visible():
            choices.nth(self.chance.randrange(choices.count())).click()

    def asks_why_not(self, place: Any) -> Any:
        """Click until it says why nothing can be done: a page that scrolls closes tips."""
        said = self.page.locator(".tip .cannot")
        place.evaluate("place => place.scrollIntoView({ block: 'center' })")
        for _ in range(4):
            self.page.wait_for_timeout(300)
            place.click()
            with contextlib.suppress(TooLate):
                said.wait_for(timeout=6000)
                break
        return said

    def types_a_number(self) -> None:
        field = self.page.locator("[data-amount] input")
        low, high = (int(field.get_attribute(bound) or 0) for bound in ("min", "max"))
        field.fill(str(self.chance.randint(low, min(high, low + 9))))
        field.press("Enter")

    def chooses(self, number: int) -> None:
        """A move of the list or the end of the turn, which may ask once more."""
        self.page.locator(MOVES).nth(number).click()
        self.is_sure()

    def ends_turn(self) -> None:
        """Asked again where an update came in between, as somebody would."""
        self.waits_for_move()
        asked = self.question()
        for _ in range(5):
            self.page.locator("[data-end]").click()
            self.is_sure()
            with contextlib.suppress(TooLate):
                self.page.wait_for_function(ANSWERED, arg=asked, timeout=5000)
                return

    def is_sure(self) -> None:
        """Confirm the end of the turn where that is asked; asked again after a late update."""
        sure = self.page.locator("[data-end-anyway]")
        for _ in range(5):
            if not sure.is_visible():
                return
            try:
                sure.click(timeout=2000)
                return
            except TooLate:
                self.page.locator("[data-end]").click()

    def follows(self, match: Any, bot: Any, most: int = 3000) -> Iterator[Any]:
        """Make the moves that a bot would make in this seat, each by a click, to the end of the
        game; yields what the seat sees before each of them.
        """
        for _ in range(most):
            if not self.waits_for_move():
                return
            observation, asked = match.observation(0), self.question()
            yield observation[0]
            action = int(bot.choose(observation, match.content, 0))
            self.page.locator(f'#moves [data-move="{action}"]').first.click()
            self.is_sure()
            self.page.wait_for_function(ANSWERED, arg=asked)
        raise AssertionError(f"not over after {most} moves")

    def plays_to_the_end(self, prefer: tuple[str, ...] = (), most: int = 600) -> int:
        """Returns how many moves that took."""
        for count in range(most):
            if not self.waits_for_move():
                return count
            self.moves(prefer)
        raise AssertionError(f"not over after {most} moves")


def wait_until(is_so: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.05)


__all__ = ["DESKTOP", "PHONE", "Person", "TooLate", "expect", "wait_until"]
