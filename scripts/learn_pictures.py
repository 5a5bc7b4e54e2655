"""Draw the boards of the pages for newcomers, with a number at everything that is explained.

    python scripts/learn_pictures.py [GAME ...]

Reads the pictures from each game's learn.md (see core/learn.py): how the game was dealt and played
so far, and the CSS selectors that get the numbers. Run by `make pictures`.
"""

import io
import shutil
import sys

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game
from exchequer.core.learn import Deal, Picture, Round, played, read
from exchequer.core.position import Position
from exchequer.core.words import seat_names
from exchequer.table import boards
from exchequer.table.rulebook import picture_path

SCALE, SHADES = 2, 96
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
             "--disable-component-update", "--disable-sync"]
LABEL = """.label{z-index:9;position:absolute;width:3.2vw;height:3.2vw;border-radius:50%;
background:#00776c;color:#fff;font:700 2vw/3.2vw system-ui,sans-serif;text-align:center;
box-shadow:0 0 0 3px #fff,0 2px 6px #0006}"""
PLACE = """([selector, number]) => {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`nothing on the board is ${selector}`);
  const box = element.getBoundingClientRect();
  const label = document.createElement("div");
  label.className = "label";
  label.textContent = number;
  const texts = [], range = document.createRange();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    range.selectNodeContents(walk.currentNode);
    if (walk.currentNode.data.trim()) texts.push(...range.getClientRects());
  }
  document.body.append(label);
  const size = label.offsetWidth;
  const hidden = ([x, y]) => texts.reduce((sum, rect) => sum
    + Math.max(0, Math.min(rect.right, x + size) - Math.max(rect.left, x))
    * Math.max(0, Math.min(rect.bottom, y + size) - Math.max(rect.top, y)), 0);
  const [left, right] = [Math.max(4, box.left - size * 0.8), box.right - size * 0.2];
  const [top, bottom] = [Math.max(4, box.top - size * 0.8), box.bottom - size * 0.2];
  const corners = [[left, top], [left, bottom], [right, top], [right, bottom]];
  const least = Math.min(...corners.map(hidden));  // the first corner that covers no words
  const [x, y] = corners.find((corner) => hidden(corner) === least);
  label.style.left = `${x + scrollX}px`;
  label.style.top = `${y + scrollY}px`;
}"""


def main() -> None:
    games = [find_game(name) for name in sys.argv[1:]] or all_games()
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for game in games:
            for block in read(game):
                if isinstance(block, Picture):
                    draw(browser, game, block)
        browser.close()


def draw(browser: Browser, game: Game, block: Picture) -> None:
    page = browser.new_page(viewport={"width": block.deal.width, "height": 400},
                            device_scale_factor=SCALE)
    page.set_content(board_page(position_of(game, block.deal), block.deal.seat))
    for number, selector in enumerate(block.places, 1):
        page.evaluate(PLACE, [selector, number])
    image = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    page.close()
    path = picture_path(game, block.name)
    path.parent.mkdir(exist_ok=True)
    image.quantize(SHADES, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{game.name}/pictures/{path.name}: {path.stat().st_size // 1024} KB", flush=True)


def position_of(game: Game, deal: Deal) -> Position:
    return of_round(game, deal.step) if deal.step else of_bots(game, deal)


def of_round(game: Game, step: int) -> Position:
    """The page's own round after one of its steps."""
    block = next(block for block in read(game) if isinstance(block, Round))
    return next(position for number, (position, _) in enumerate(played(game, block), 1)
                if number == step)


def of_bots(game: Game, deal: Deal) -> Position:
    """A game that greedy bots have played so far, and then until the one who looks is asked."""
    position = Position(game, None, deal.seats, deal.seed, Mode.PYTHON)
    bots = [Bot(game, "greedy", deal.seed + seat, Mode.PYTHON) for seat in range(position.seats)]
    while not position.is_over and (len(position.actions) < deal.moves
                                    or position.actor != deal.seat):
        seat = position.actor
        position.play(bots[seat].choose(position.observe(seat), position.content, seat))
    return position


def board_page(position: Position, seat: int) -> str:
    game, content = position.game, position.content
    moves = {}
    if position.actor == seat:
        moves = boards.spots(game, position.observe(seat)[0], content, position.legal())
    return boards.page(game, content, position.view(seat), seat_names(position.seats), moves, LABEL)


if __name__ == "__main__":
    main()
