"""The list of games, and which of them cannot be imported."""

import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from exchequer.core.find import all_games, broken_games


def game_rows() -> list[dict[str, Any]]:
    """What `--json` prints; a game that cannot be imported has only its name and the error."""
    rows: list[dict[str, Any]] = [
        {"name": game.name, "title": game.title, "seats": list(game.seats),
         "rules_version": game.rules_version, "rows_version": game.rows_version,
         "actions": game.n_actions,
         "state_bytes": game.state.itemsize, "paragraphs": len(game.paragraphs)}
        for game in all_games()]
    return rows + [{"name": name, "error": error} for name, error in broken_games().items()]


def print_games() -> None:
    table = Table("game", "", "for", "rules", "paragraphs", "actions", "state", box=None)
    for game in all_games():
        table.add_row(f"[bold]{game.name}[/]", game.text["summary"], game.players,
                      f"v{game.version}", str(len(game.paragraphs)), str(game.n_actions),
                      f"{game.state.itemsize} B")
    Console().print(table)
    for error in broken_games().values():
        print(error, file=sys.stderr)
