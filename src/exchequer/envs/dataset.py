"""Trajectories of games between bots: a row for each decision, as Parquet.

    episode, step       which game of the dataset, and which decision in it
    seat, action        who decided what
    observation         the row that the seat saw (see `core.rows`)
    legal               the actions it could choose from
    reward              what the decision brought the seat: something only at its last one
    terminated          whether it was the seat's last one
    truncated           the same, in a game that was cut off at the limit of moves
    return              what the seat got in the end

Beside the parts lies `dataset.json` with game, versions, content, bots and seeds; the game of
episode i is dealt from seed + i, so each can be played again and saved as a replay.
"""

import json
import os
import pathlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import exchequer
from exchequer.bots.agent import Agent
from exchequer.bots.own import Player, check_bot, new_player
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.game import Game
from exchequer.envs.play import Play

PART = 250  # games of one file


def write_dataset(game: Game, content: Content, bots: Sequence[str], games: int, seed: int,
                  folder: pathlib.Path, advance: Callable[[int], None] = lambda _: None) -> None:
    """Play the games and write them, a file for each `PART` of them."""
    for bot in bots:
        check_bot(bot)
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty; a dataset needs a folder of its own.")
    folder.mkdir(parents=True, exist_ok=True)
    play = Play(game, content, len(bots))  # compiles what all threads need
    about = {"game": game.name, "rules_version": game.rules_version,
             "rows_version": game.rows_version, "rows_hash": play.encoder.layout.hash,
             "content": content.hash, "overlay": content.overlay, "bots": list(bots),
             "games": games, "seed": seed, "exchequer": exchequer.__version__}
    write_whole(folder / "dataset.json", json.dumps(about, indent=1).encode())

    def part(first: int) -> None:
        episodes = range(first, min(first + PART, games))
        table(list(decisions(game, content, bots, episodes, seed))).write_parquet(
            folder / f"part-{first // PART:05d}.parquet", compression="zstd")
        advance(len(episodes))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(part, range(0, games, PART)))


def decisions(game: Game, content: Content, bots: Sequence[str], episodes: range, seed: int
              ) -> Iterator[dict[str, Any]]:
    """Every decision of these games, in order."""
    play = Play(game, content, len(bots))
    for episode in episodes:
        play.start(seed + episode)
        players = [observer(game, bot, seed + episode) for bot in bots]
        found: list[dict[str, Any]] = []
        while not play.is_done:
            seat = play.actor
            row = {"episode": episode, "step": len(found), "seat": seat,
                   "observation": play.observation(seat),
                   "legal": np.flatnonzero(play.mask(seat)).astype(np.int16)}
            action = int(players[seat].choose(play.observed(seat), content, seat))
            play.play(action)
            found.append(row | {"action": action})
        yield from with_returns(found, play.rewards(), play.is_cut_off)


def observer(game: Game, bot: str, seed: int) -> Player:
    """A bot that is given observations; an agent reads a position, and there is none here."""
    player = new_player(game, bot, seed)
    if isinstance(player, Agent):
        raise InputError(f"{bot} reads positions as text; a dataset is played by bots.")
    return player


def with_returns(found: list[dict[str, Any]], rewards: list[float], is_cut_off: bool
                 ) -> list[dict[str, Any]]:
    """Each decision with what its seat got in the end; the last one of a seat brings it."""
    last = {row["seat"]: row["step"] for row in found}

    def ended(row: dict[str, Any]) -> dict[str, Any]:
        got, is_last = rewards[row["seat"]], last[row["seat"]] == row["step"]
        return {"return": got, "reward": got if is_last else 0.0,
                "terminated": is_last and not is_cut_off, "truncated": is_last and is_cut_off}

    return [row | ended(row) for row in found]


def table(rows: list[dict[str, Any]]) -> Any:
    import polars as pl

    columns: dict[str, Any] = {name: [row[name] for row in rows]
                               for name in rows[0] if name != "observation"}
    observations = np.stack([row["observation"] for row in rows])
    return pl.DataFrame(columns, schema_overrides={
        "episode": pl.Int64, "step": pl.Int32, "seat": pl.Int8, "action": pl.Int16,
        "legal": pl.List(pl.Int16), "return": pl.Float32, "reward": pl.Float32,
    }).with_columns(pl.Series("observation", observations))
