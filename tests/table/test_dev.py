"""`exchequer dev` in Chromium: a game in a folder of its own is edited while it is played."""

import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from visitors import PHONE, Person, expect

from exchequer.cli.dev import Bench, opened_workshop
from exchequer.core import find
from exchequer.table import dev_pages
from exchequer.table import workshop as workshops
from toys.souk import souk

pytestmark = pytest.mark.xdist_group(__name__)
LEGAL = "#legal button"


class Desk:
    """A folder, the workshop that follows it, and a browser on it."""

    def __init__(self, folder: Any, workshop: Any, designer: Person) -> None:
        self.folder, self.workshop, self.designer = folder, workshop, designer
        self.page = designer.page

    def edits(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text()
        assert old in text
        (self.folder / file).write_text(text.replace(old, new))

    def place_of(self, text: str) -> str:
        """`rules.py:12`: where that is written."""
        lines = (self.folder / "rules.py").read_text().splitlines()
        return f"rules.py:{next(n for n, line in enumerate(lines, 1) if text in line)}"

    def plays(self, text: str) -> None:
        before = self.page.locator("body").get_attribute("data-version")
        move = self.page.locator(LEGAL, has=self.page.locator(f"code:text-is('{text}')"))
        move.press("Enter")  # problems that come and go move what a mouse would aim at
        self.page.wait_for_function(
            "before => document.body.dataset.version !== before", arg=before)

    def seat(self, number: int) -> Any:
        return self.page.frame_locator("#seats iframe").nth(number)


@pytest.fixture
def desk(chromium: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv(find.VARIABLE, "")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    folder = souk(tmp_path)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        told = Bench(folder, phone=True, warm=False)
        config, workshop = opened_workshop(told, listening, tmp_path)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        designer = Person(chromium, url)
        designer.goes_to(f"/dev?key={workshop.key}")
        expect(designer.page.locator(LEGAL).first).to_be_visible()
        yield Desk(folder, workshop, designer)
        workshop.stopped.set()
        designer.close()
        server.should_exit = True
        thread.join(15)


def test_all_seats_are_side_by_side_and_every_move_is_a_button(desk: Desk):
    expect(desk.page.locator("#seats iframe")).to_have_count(2)
    expect(desk.seat(0).locator(".own")).to_contain_text("Ann")
    expect(desk.seat(1).locator(".own")).to_contain_text("Ben")
    desk.plays("draw")
    expect(desk.page.locator("#asked")).to_have_text("Ben is asked")
    expect(desk.page.locator("#agenda")).to_contain_text("Ask.TURN")
    expect(desk.page.locator("#state")).to_contain_text("gold [3, 3, 0, 0]")
    expect(desk.page.locator("#sees > details")).to_have_count(2)
    desk.seat(1).locator(".card.live").first.click()  # on the default board
    expect(desk.page.locator("#asked")).not_to_have_text("Ben is asked")
    expect(desk.page.locator("#moment")).to_have_text("2 of 2")


def test_any_moment_can_be_gone_to_and_come_back_from(desk: Desk):
    for move in ("draw", "draw", "draw"):
        desk.plays(move)
    desk.page.get_by_label("Moment of the game").fill("1")
    expect(desk.page.locator("#moment")).to_have_text("1 of 3")
    expect(desk.seat(1).locator(".status")).to_contain_text("Your move")
    desk.page.get_by_label("One move on").click()
    expect(desk.page.locator("#moment")).to_have_text("2 of 3")
    desk.plays("draw")
    expect(desk.page.locator("#moment")).to_have_text("3 of 3")


def test_numbers_words_and_looks_change_while_the_game_runs(desk: Desk):
    desk.plays("draw")
    desk.edits("content.toml", "start_gold = 3", "start_gold = 8")
    expect(desk.page.locator("#state")).to_contain_text("gold [8, 8, 0, 0]")
    expect(desk.page.locator("#moment")).to_have_text("1 of 1")
    expect(desk.seat(0).locator(".own .counters")).to_contain_text("Gold 8")
    desk.edits("words.toml", '"Your turn, {who}: you have {gold} gold."', '"Sell or draw?"')
    expect(desk.page.locator("#question")).to_have_text("Sell or draw?")
    (desk.folder / "style.css").write_text(".own { outline: 7px solid red; }\n")
    expect(desk.seat(0).locator(".own")).to_have_css("outline-width", "7px")


def test_a_rule_that_changes_replays_the_game_up_to_the_move_that_no_longer_fits(desk: Desk):
    for move in ("draw", "sell:2", "sell:5"):
        desk.plays(move)
    desk.edits("rules.py", "return Refusal.NONE if action - Do.SELL < hand else",
               "return Refusal.NONE if action - Do.SELL < min(hand, 3) else")
    expect(desk.page.locator("#notice")).to_contain_text(
        "2 of 3 moves were replayed. Move 3 (sell:5) no longer fits: You have no such card (B-2).")
    expect(desk.page.locator("#moment")).to_have_text("2 of 3")
    desk.edits("rules.py", "min(hand, 3)", "hand")
    expect(desk.page.locator("#moment")).to_have_text("3 of 3")  # mended, it all fits again
    expect(desk.page.locator("#notice")).to_be_hidden()


@pytest.mark.parametrize(("file", "old", "new", "says", "paragraph"), [
    ("rules.py", "    kind = good(s.card[place])\n", "    kind = good(s.card[place]\n",
     "SyntaxError", ""),
    ("rules.py", "    kind = good(s.card[place])\n",
     "    kind = good(s.card[place])\n    both = [kind, kind]\n",
     "`sell` uses a list", "B-3 A sold card brings its price."),
    ("rules.py", "s.gold[seat] += c.good", "s.golf[seat] += c.good",
     "has no field `golf`", "B-3"),
    ("content.toml", "start_gold = 3", "start_gold = 300",
     "300 is out of range; it must be a whole number from 0 to 99", ""),
])
def test_a_mistake_is_shown_in_the_page_and_vanishes_when_it_is_mended(
        desk: Desk, file: str, old: str, new: str, says: str, paragraph: str):
    desk.plays("draw")
    desk.edits(file, old, new)
    problem = desk.page.locator("#problems .problem")
    expect(problem.first).to_contain_text(says)
    if file == "rules.py":
        expect(problem.first).to_contain_text(desk.place_of(new.strip().splitlines()[-1]))
    expect(problem.first).to_contain_text(paragraph)
    desk.plays("draw")  # by the rules that were there
    desk.edits(file, new, old)
    expect(problem).to_have_count(0)
    expect(desk.page.locator("#moment")).to_have_text("2 of 2")


def test_a_rule_that_fails_in_play_is_named_and_the_game_stays_as_it_was(desk: Desk):
    before = desk.page.locator("body").get_attribute("data-version")
    desk.edits("rules.py",
               "    place = move(s, Pile.HAND + seat, index, Pile.SOLD, TOP)\n    reveal",
               "    place = move(s, Pile.HAND + seat, index, Pile.SOLD, TOP)\n"
               "    place = s.start[place + 99]\n    reveal")
    desk.page.wait_for_function(
        "before => document.body.dataset.version !== before", arg=before)
    expect(desk.page.locator("#problems .problem")).to_have_count(0)
    desk.page.locator(LEGAL, has_text="sell:1").click()
    problem = desk.page.locator("#problems .problem")
    expect(problem).to_contain_text(desk.place_of("place = s.start[place + 99]"))
    expect(problem).to_contain_text("IndexError")
    expect(problem).to_contain_text("B-3 A sold card brings its price.")
    expect(desk.page.locator("#moment")).to_have_text("0 of 0")
    desk.plays("draw")


def test_nothing_is_drawn_anew_when_nothing_is_new(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """Whoever was about to click a move lost the click every twenty seconds."""
    monkeypatch.setattr(dev_pages, "PATIENCE", 0.2)
    desk.plays("draw")
    asked: list[str] = []
    desk.page.on("response", lambda answer: asked.append(answer.url))
    move = desk.page.locator(LEGAL).first
    move.evaluate("move => { move.dataset.same = 'yes'; }")
    while sum("/dev/news" in url for url in asked) < 3:
        desk.page.wait_for_timeout(50)
    expect(desk.page.locator(LEGAL).first).to_have_attribute("data-same", "yes")


def test_a_key_finds_its_move_whatever_else_is_new(desk: Desk):
    """A problem that was told just then took the button away from under it."""
    desk.plays("draw")
    desk.page.locator(LEGAL).first.focus()
    desk.edits("content.toml", "start_gold = 3", "start_gold = 300")
    expect(desk.page.locator("#problems .problem")).to_be_visible()
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("#moment")).to_have_text("2 of 2")
    expect(desk.page.locator(f"{LEGAL}:focus")).to_have_count(1)  # and the next move, too


def test_a_move_made_while_the_game_is_laid_out_anew_is_made(desk: Desk,
                                                             monkeypatch: pytest.MonkeyPatch):
    """It was answered with "This table has been deleted"."""
    delete, moved = workshops.delete, []

    def deleted(store: Any, tables: list[str]) -> None:
        delete(store, tables)
        moved.append(threading.Thread(target=desk.workshop.play, args=(0,)))
        moved[0].start()
        moved[0].join(0.3)

    monkeypatch.setattr(workshops, "delete", deleted)
    assert desk.workshop.reload()
    moved[0].join(20)
    assert len(desk.workshop.the_match().position.actions) == 1


def test_an_endless_loop_is_ended_and_named(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workshops, "SECONDS", 0.5)
    desk.edits("rules.py", "def draw(s, seat, log):\n    \"\"\"B-2\"\"\"\n",
               "def draw(s, seat, log):\n    \"\"\"B-2\"\"\"\n    while s.seats > 0:\n"
               "        s.rng += 1\n")
    problem = desk.page.locator("#problems .problem")
    expect(problem).to_contain_text("`draw` has not come to an end after 0.5 seconds")
    expect(problem).to_contain_text("B-2 On your turn draw a card, or sell one.")
    desk.plays("draw")


def test_a_phone_takes_a_seat_by_its_link(desk: Desk, chromium: Any):
    desk.page.reload()
    desk.designer.clicks("Phones")
    link = desk.page.locator("#phones a").nth(1).get_attribute("href") or ""
    expect(desk.page.locator("#phones svg.qr")).to_have_count(2)
    desk.designer.clicks("Close")
    phone = Person(chromium, desk.designer.url, PHONE)
    phone.goes_to(f"/dev/seat/1?{link.partition('?')[2]}")
    expect(phone.page.locator(".own")).to_contain_text("Ben")
    desk.plays("draw")
    phone.waits_for_move()
    phone.moves()
    expect(desk.page.locator("#moment")).to_have_text("2 of 2")
    phone.close()


def test_strangers_see_nothing_of_the_workshop(desk: Desk, chromium: Any):
    stranger = Person(chromium, desk.designer.url)
    for path in ("/dev", "/dev/news", "/dev?key=guessed", "/dev/seat/0?key="):
        stranger.goes_to(path)
        expect(stranger.page.locator("body")).to_contain_text("the designer's")
    stranger.close()


