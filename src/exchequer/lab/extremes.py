"""Replays of extreme games, so that what the tables show can be watched move by move."""

import pathlib
import re
from dataclasses import dataclass

import polars as pl

from exchequer.core.find import find_game
from exchequer.core.position import Position
from exchequer.core.replay import Replay, replay_of, write_replay
from exchequer.lab.arms import Arm, content_of, play
from exchequer.lab.tables import Tables


@dataclass(frozen=True)
class Extreme:
    """One game worth watching."""

    arm: str
    game: int  # its number in the arm
    why: str

    @property
    def file(self) -> str:
        """Weights are named by their path, which is no path here."""
        return re.sub(r"[ /\\]", "-", f"{self.arm}-{self.why}").replace(":", "") + ".toml"


def extremes(arm: Arm, tables: Tables) -> list[Extreme]:
    """The longest, shortest, closest, most one-sided and most dramatic games of an arm."""
    games = tables.games
    picks = {"longest game": games.sort("steps", "game", descending=[True, False]),
             "shortest game": games.sort("steps", "game")}
    if arm.seats > 1:
        scores = tables.seats.group_by("game", maintain_order=True).agg(
            (pl.col("score").max() - pl.col("score").top_k(2).min()).alias("margin"))
        margins = games.join(scores, on="game")
        picks |= {"closest finish": margins.sort("margin", "game"),
                  "widest margin": margins.sort("margin", "game", descending=[True, False]),
                  "greatest comeback": games.filter(~pl.col("draw")).sort("low", "game"),
                  "most lead changes": games.sort("lead_changes", "game",
                                                  descending=[True, False])}
    else:
        scores = tables.seats.sort("score", "game", descending=[True, False])
        picks |= {"best run": scores, "worst run": scores.sort("score", "game")}
    return [Extreme(arm.name, int(frame["game"][0]), why) for why, frame in picks.items()
            if len(frame)]


def position_of(arm: Arm, number: int) -> Position:
    """Game `number` of an arm, played again."""
    chunk = play(arm, number, 1)
    actions = chunk.rows.actions[: int(chunk.rows.games["steps"][0])]
    game = find_game(arm.game)
    position = Position(game, content_of(arm, game), arm.seats, int(chunk.rows.games["seed"][0]))
    for action in actions.tolist():
        position.play(action)
    return position


def replay_of_game(arm: Arm, number: int) -> Replay:
    names = [f"{arm.bots[arm.bot_at(number, seat)]} {seat}" for seat in range(arm.seats)]
    return replay_of(position_of(arm, number), names)


def write_extremes(arm: Arm, tables: Tables, folder: pathlib.Path) -> None:
    for extreme in extremes(arm, tables):
        write_game(arm, extreme.game, folder / extreme.file)


def write_game(arm: Arm, number: int, path: pathlib.Path) -> None:
    """An existing replay is kept: a new one would be the same."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        write_replay(replay_of_game(arm, number), path)
