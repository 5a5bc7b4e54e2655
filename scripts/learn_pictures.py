"""Draw the boards of the pages for newcomers, with a numbered ring around what is explained.

    python scripts/learn_pictures.py [GAME ...]

Reads the pictures from each game's learn.md (see core/learn.py): how the game was dealt and played
so far, and the CSS selectors of what gets a ring; what one selector finds is ringed together. Run
by `make pictures`.
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
LABEL = """.label,.ring{position:absolute;z-index:9;box-sizing:border-box}
.ring{border:2px dashed #b0006a;border-radius:10px}
.label{width:3.2vw;height:3.2vw;border-radius:50%;background:#b0006a;color:#fff;
font:700 2vw/3.2vw system-ui,sans-serif;text-align:center;
box-shadow:0 0 0 3px #fff,0 2px 6px #0006}"""
PLACE = """([selector, number]) => {
  const boxes = [...document.querySelectorAll(selector)].map((it) => it.getBoundingClientRect());
  if (!boxes.length) throw new Error(`nothing on the board is ${selector}`);
  const around = 3;
  const left = Math.min(...boxes.map((box) => box.left)) - around;
  const top = Math.min(...boxes.map((box) => box.top)) - around;
  const right = Math.max(...boxes.map((box) => box.right)) + around;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + around;
  const put = (name, x, y) => {
    const part = document.createElement("div");
    part.className = name;
    part.style.left = `${x + scrollX}px`;
    part.style.top = `${y + scrollY}px`;
    document.body.append(part);
    return part;
  };
  const ring = put("ring", left, top);
  ring.style.width = `${right - left}px`;
  ring.style.height = `${bottom - top}px`;
  const taken = [...document.querySelectorAll(".label")].map((it) => it.getBoundingClientRect());
  const range = document.createRange();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    range.selectNodeContents(walk.currentNode);
    if (walk.currentNode.data.trim()) taken.push(...range.getClientRects());
  }
  const label = put("label", 0, 0);
  label.textContent = number;
  const size = label.offsetWidth;
  const hidden = ([x, y]) => taken.reduce((sum, rect) => sum
    + Math.max(0, Math.min(rect.right, x + size) - Math.max(rect.left, x))
    * Math.max(0, Math.min(rect.bottom, y + size) - Math.max(rect.top, y)), 0);
  const [xs, ys] = [[left, (left + right) / 2, right], [top, (top + bottom) / 2, bottom]]
    .map((edge) => edge.map((at) => Math.max(4, at - size / 2)));
  const places = [[0, 0], [2, 0], [0, 2], [2, 2], [0, 1], [2, 1], [1, 0], [1, 2]]
    .map(([x, y]) => [xs[x], ys[y]]);
  const least = Math.min(...places.map(hidden));  // the first place that covers no words
  const [x, y] = places.find((place) => hidden(place) === least);
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
    """Without a mark at what can be clicked: the numbers mark what is explained."""
    return boards.page(position.game, position.content, position.view(seat),
                       seat_names(position.seats), {}, LABEL)


if __name__ == "__main__":
    main()
