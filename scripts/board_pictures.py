"""Pictures of a game's board at some moments of a game, to look at while drawing it.

    python scripts/board_pictures.py kingdom --moves 0,20,60 --out /tmp/boards

plays a seeded game (bots of the given kind, or random), renders the board for one seat with
`board.css` and the game's own style and takes screenshots, light and dark, as wide as a desktop
and as a phone. A path works as well as a name; a game without a board has the default one.
"""

import argparse
import json
import pathlib
import random

from playwright.sync_api import sync_playwright

from exchequer.core.find import address_of, find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.reflection import last_look
from exchequer.table import boards
from exchequer.table.drawing import Drawing, draw

CSS = pathlib.Path(boards.__file__).parent / "static" / "board.css"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>board</title>
<style>:root{{color-scheme:{scheme}}}body{{margin:0;padding:{padding}px;
background:light-dark(#e9e2d3,#141210)}}
{css}</style>{sprite}<p class="question">{question}</p>{board}</html>"""
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
            "--disable-component-update", "--disable-sync"]
NAMES = ["Ada", "Bertrand de Born", "Chiara", "Dmitri", "Eleni", "Farid"]


def played(game: Game, seats: int, seed: int, moves: int, ask: str) -> Position:
    """A position after some random moves; with `ask`, at the next question of that name."""
    position, chance = Position(game, seats=seats, seed=seed), random.Random(seed)
    asks = game.module("state").Ask
    while not position.is_over:
        if len(position.actions) >= moves:
            what = asks(int(position.engine.question(position.state))).name
            if not ask or what == ask:
                break
        position.play(chosen(position, chance))
    return position


EAGER = ("open", "claim", "build", "raise", "cattle", "seed", "resolve", "advance", "accept")
DULL = ("end", "close", "pass", "stop", "cancel", "back", "bell", "no", "resign", "sell")


def chosen(position: Position, chance: random.Random) -> int:
    """Random, but fond of building and not given to ending, so that boards fill up."""
    legal = position.legal()
    verbs = {action: position.game.words.TEXTS.text(action).partition(":")[0] for action in legal}
    eager = [action for action in legal if verbs[action] in EAGER]
    lively = [action for action in legal if verbs[action] not in DULL]
    if chance.random() < 0.15:
        return chance.choice(legal)
    return chance.choice(eager or lively or legal)


def page(position: Position, seat: int, scheme: str, padding: int) -> str:
    game, content = position.game, position.content
    legal = tuple(map(int, position.legal())) if position.actor == seat else ()
    board = draw(Drawing(address_of(game), json.dumps(content.overlay),
                         position.observe(seat).tobytes(), seat, tuple(NAMES), legal,
                         last_look(position, seat)))
    return PAGE.format(scheme=scheme, css=CSS.read_text() + boards.style(game),
                       sprite=boards.sprite(game), board=board,
                       padding=padding, question="" if position.is_over else position.question)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--moves", default="0,30,90")
    parser.add_argument("--seats", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seat", type=int, default=-2, help="-1 watches; else who is asked")
    parser.add_argument("--ask", default="", help="go on to the next question of this name")
    parser.add_argument("--looks", default="desktop-light,phone-dark",
                        help="of desktop-light, desktop-dark, phone-light, phone-dark")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("/tmp/boards"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    game = find_game(given.game)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
        for moves in map(int, given.moves.split(",")):
            position = played(game, given.seats or game.seats[1], given.seed, moves, given.ask)
            seat = max(position.actor, 0) if given.seat == -2 else given.seat
            for look in given.looks.split(","):
                size, scheme = look.split("-")
                width = 390 if size == "phone" else given.width
                shot = browser.new_page(viewport={"width": width, "height": 700})
                shot.set_content(page(position, seat, scheme, 8 if size == "phone" else 16))
                name = f"{game.name.replace('/', '-')}-{moves}-{look}.png"
                shot.screenshot(path=given.out / name, full_page=True)
                wide = shot.evaluate("document.documentElement.scrollWidth")
                print(given.out / name, f"page {wide} wide", len(shot.content()), "characters")
                shot.close()
        browser.close()


if __name__ == "__main__":
    main()
