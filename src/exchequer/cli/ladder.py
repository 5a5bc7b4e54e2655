"""The ladder on the command line: a table, and a picture."""

import html
import pathlib
from typing import Any

from exchequer.bots.agent import agent_sentence
from exchequer.bots.ladder import Ladder
from exchequer.bots.own import check_bot
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.progress import bar

WIDTH, ROW, LEFT, RIGHT, TOP = 640, 34, 150, 30, 30


def play_ladder(game: Game, content: Content, names: list[str], games: int, seed: int,
                seconds: float) -> dict[str, Any]:
    for name in names:
        check_bot(name)
    ladder = Ladder(game, content, names, seconds)
    matches = len(names) if game.seats[0] == 1 else len(names) * (len(names) - 1) // 2
    with bar(f"the ladder of {game.name}", matches * games) as advance:
        ladder.play(games, seed, advance)
    return ladder.report()


def print_ladder(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table("bot", "rating", "95 % interval", "games", "share", "", box=None)
    best = max(1.0, max(bot["rating"] for bot in report["bots"]))
    for bot in report["bots"]:
        table.add_row(escape(bot["name"]), f"{bot['rating']:.0f}",
                      f"{bot['low']:.0f} to {bot['high']:.0f}", str(bot["games"]),
                      f"{100 * bot['share']:.0f} %",
                      "▇" * max(0, round(24 * bot["rating"] / best)))
    console = Console()
    console.print(f"[bold]{report['game']}[/], every bot against every other")
    console.print(table)
    for name, record in report["agents"].items():
        console.print(agent_sentence(name, record), markup=False)


def draw_ladder(report: dict[str, Any], file: pathlib.Path) -> None:
    """A dot for each rating, a line for its interval."""
    bots = report["bots"]
    lowest = min(bot["low"] for bot in bots)
    span = max(1.0, max(bot["high"] for bot in bots) - lowest)

    def x(rating: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (rating - lowest) / span, 1)

    rows = "".join(
        f'<text x="{LEFT - 12}" y="{y + 5}" text-anchor="end">{html.escape(bot["name"])}</text>'
        f'<path d="M{x(bot["low"])} {y}H{x(bot["high"])}" stroke="#888" stroke-width="3"/>'
        f'<circle cx="{x(bot["rating"])}" cy="{y}" r="6" fill="#2a6f97"/>'
        f'<text x="{x(bot["rating"])}" y="{y - 9}" text-anchor="middle" font-size="11">'
        f'{bot["rating"]:.0f}</text>'
        for y, bot in zip(range(TOP + 20, TOP + 20 + ROW * len(bots), ROW), bots, strict=True))
    height = TOP + 20 + ROW * len(bots)
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="14"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="16" y="22" font-weight="bold">{report["game"]}: ratings, 95 % intervals</text>'
        f"{rows}</svg>\n", encoding="utf-8")
