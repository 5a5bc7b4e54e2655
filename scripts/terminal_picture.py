"""Draws docs/pictures/kingdom-terminal.svg: a real game of Kingdom in the terminal."""

import io
import pathlib
import re

from rich.console import Console

from exchequer.bots.bot import Bot
from exchequer.cli.play import moves_table
from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.position import Position

PICTURE = pathlib.Path(__file__).parents[1] / "docs" / "pictures" / "kingdom-terminal.svg"
NAMES = ["Ann", "Ben"]
MOVES = 44


def played() -> Position:
    game = find_game("kingdom")
    position = Position(game, seed=11, mode=Mode.PYTHON)
    bots = [Bot(game, "random", 4, Mode.PYTHON), Bot(game, "greedy", 2, Mode.PYTHON)]
    while not position.is_over and (len(position.actions) < MOVES or position.actor != 0):
        seat = position.actor
        bot = bots[len(position.actions) % 3 == 0]
        position.play(bot.choose(position.observe(seat), position.content, seat))
    return position


def main() -> None:
    position = played()
    console = Console(record=True, width=124, file=io.StringIO(), force_terminal=True)
    console.print("[bold]$ exchequer play kingdom[/]")
    for sentence in position.told(0, NAMES, len(position.logs) - 2)[-6:]:
        console.print(f"  {sentence}", highlight=False)
    screen = position.game.module("terminal").screen
    console.print(screen(position.view(0), position.content, NAMES))
    console.print(moves_table(position.menu()))
    console.print(f"[bold]Ann[/]: {position.question} [dim](? for help)[/]")
    svg = console.export_svg(title="Exchequer")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # nothing is fetched
    PICTURE.write_text(svg)


if __name__ == "__main__":
    main()
