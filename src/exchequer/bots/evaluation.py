"""How good a policy is: the table that one prints in a paper, with all it takes to repeat it."""

import json
import math
import pathlib
import platform
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import exchequer
from exchequer.bots.arena import CHUNK, Z95, Arena, wilson
from exchequer.bots.own import Entrant, check_bot, name_of
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game

OPPONENTS = ("random", "greedy", "easy", "medium", "hard")


def evaluated(game: Game, content: Content, policy: Entrant, opponents: Sequence[Entrant],
              games: int, seed: int, advance: Callable[[int], None] = lambda _: None
              ) -> dict[str, Any]:
    """A policy against each opponent on the same deals, in every seat.

    Where there are more than two seats, the opponent has all but one. In a solo game each plays
    alone, and scores are compared.
    """
    for bot in (policy, *opponents):
        check_bot(bot)
    seats = game.seats[0]
    lineups = [[bot] for bot in (policy, *opponents)] if seats == 1 else \
        [[policy, *[bot] * (seats - 1)] for bot in opponents]
    rows = [{"against": name_of(lineup[-1])}
            | match(Arena(game, content, lineup), games, seed, advance) for lineup in lineups]
    deals = max(1, games // seats)
    return {"policy": name_of(policy), "game": game.name, "rules_version": game.rules_version,
            "rows_version": game.rows_version, "content": content.hash,
            "changes": content.overlay, "seats": seats,
            "seeds": [seed, seed + deals - 1], "results": rows,
            "exchequer": exchequer.__version__, "machine": machine()}


def match(arena: Arena, games: int, seed: int, advance: Callable[[int], None]) -> dict[str, Any]:
    """The first bot's share of wins and mean score, with 95 % intervals."""
    seats = len(arena.names)
    deals = np.arange(seed, seed + max(1, games // seats), dtype=np.uint64)
    won, scores = [], []
    for first in range(0, len(deals), CHUNK):
        results = arena.run(deals[first : first + CHUNK])
        for row, result in enumerate(results):
            seat = -row % seats  # the rotation puts the first bot here
            mask = int(result.winners)
            won.append((mask >> seat & 1) / mask.bit_count() if mask else 0.0)
            scores.append(int(result.score[seat]))
        advance(len(results))
    half = Z95 * float(np.std(scores)) / math.sqrt(len(scores))
    mean = float(np.mean(scores))
    share = {} if seats == 1 else dict(zip(("low", "high"), wilson(sum(won), len(won)),
                                           strict=True)) | {"share": sum(won) / len(won)}
    return {"games": len(won), **share, "score": mean, "score_low": mean - half,
            "score_high": mean + half}


def machine() -> str:
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, " \
           f"NumPy {np.__version__}"


def check_results(file: pathlib.Path) -> None:
    """Refuse what no result can be added to, before any game is played for it."""
    if not file.parent.is_dir() or file.is_dir():
        raise InputError(f"{file} cannot be a file of results: "
                         + ("it is a folder." if file.is_dir() else "there is no such folder."))


def add_result(result: dict[str, Any], file: pathlib.Path) -> None:
    """Append a result to a file of results, a line each."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(result) + "\n")


def read_results(file: pathlib.Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
