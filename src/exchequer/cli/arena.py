"""The arena on the command line."""

from typing import Any

from exchequer.bots.arena import Arena
from exchequer.bots.own import check_bot
from exchequer.cli.progress import bar
from exchequer.cli.warm import prepare
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game


def seated(names: list[str], seats: int) -> list[str]:
    """A bot for each seat; the last one named takes all that are left."""
    if len(names) > seats:
        raise InputError(f"{len(names)} bots are named for {seats} seats.")
    return names + names[-1:] * (seats - len(names))


def play_arena(game: Game, content: Content, names: list[str], games: int, seed: int,
               stop: bool) -> dict[str, Any]:
    for name in names:
        check_bot(name)
    prepare(game)
    arena = Arena(game, content, names)
    with bar(f"{' against '.join(names)} in {game.name}", games) as advance:
        arena.play(games, seed, stop, advance)
    return arena.report()


def print_arena(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table("bot", "wins", "share", "95 % interval", "mean score", box=None)
    for bot in report["bots"]:
        table.add_row(escape(bot["name"]), f"{bot['wins']:g}", f"{100 * bot['share']:.1f} %",
                      f"{100 * bot['low']:.1f} to {100 * bot['high']:.1f} %",
                      f"{bot['mean_score']:.1f}")
    console = Console()
    console.print(f"[bold]{report['game']}[/], {len(report['bots'])} seats, {report['games']} "
                  "games, seats rotated")
    console.print(table)
