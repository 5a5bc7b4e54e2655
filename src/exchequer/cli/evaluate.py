"""`exchequer evaluate` and `exchequer dataset` on the command line."""

import json
from typing import Any

from exchequer.bots.evaluation import evaluated
from exchequer.core.content import Content, settings
from exchequer.core.game import Game
from exchequer.core.progress import bar


def evaluate_policy(game: Game, content: Content, policy: str, opponents: list[str], games: int,
                    seed: int) -> dict[str, Any]:
    matches = len(opponents) + (game.seats[0] == 1)
    with bar(f"{policy} in {game.name}", matches * games) as advance:
        return evaluated(game, content, policy, opponents, games, seed, advance)


def exploited(game: Game, policy: str, variant: str | None, pairs: list[str] | None
              ) -> dict[str, Any]:
    """What best responses would gain against the policy; asked for before anything is played."""
    from exchequer.envs.exploitability import SAMPLES, nash_conv

    given = settings(pairs or [])
    found = nash_conv(game, policy, variant or "", json.dumps(given) if given else "")
    return {"nash_conv": found, "samples": SAMPLES}


def print_evaluation(result: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    is_solo = result["seats"] == 1
    shares = () if is_solo else ("share of wins", "95 % interval")
    table = Table("policy" if is_solo else "against", "games", *shares, "mean score",
                  "95 % interval", box=None)
    for row in result["results"]:
        share = () if is_solo else (
            f"{100 * row['share']:.1f} %", f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %")
        table.add_row(escape(row["against"]), str(row["games"]), *share, f"{row['score']:.1f}",
                      f"{row['score_low']:.1f} to {row['score_high']:.1f}")
    console = Console()
    seats = "alone" if is_solo else f"{result['seats']} seats in rotation"
    console.print(f"[bold]{escape(result['policy'])}[/] in {result['game']}, rules version "
                  f"{result['rules_version']}, rows version {result['rows_version']}, {seats}, "
                  f"seeds {result['seeds'][0]} to {result['seeds'][1]}")
    console.print(table)
    if "nash_conv" in result:
        console.print(f"NashConv {result['nash_conv']:.3f}: what best responses of all seats would "
                      f"gain; the policy as {result['samples']} answers at each information state "
                      "show it")
    console.print(f"Exchequer {result['exchequer']}, content {result['content']}, "
                  f"{result['machine']}")
