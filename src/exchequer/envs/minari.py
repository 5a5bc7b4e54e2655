"""A dataset of ours as one of Minari's: an episode for each seat of each game.

Minari keeps an episode's observations and one more, after its last action; that one is found by
playing the game again from its seed.
"""

import json
import pathlib
import warnings
from collections.abc import Iterator
from typing import Any

import minari
import numpy as np
import polars as pl
from gymnasium import spaces
from minari.data_collector.episode_buffer import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id
from minari.storage.datasets_root_dir import get_dataset_path

from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.envs.play import Play


def check_name(name: str) -> None:
    """Refuse what Minari would refuse, before any game is played for it."""
    try:
        parse_dataset_id(name)
    except ValueError as refused:
        raise InputError(f"Minari says: {refused}") from None
    if get_dataset_path(name).exists():
        raise InputError(f"Minari's store has {name} already; take another name or version.")


def export(folder: pathlib.Path, name: str) -> Any:
    """Write the dataset in `folder` to Minari's own store, as for example exchequer/kingdom-v0."""
    about = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    game = find_game(about["game"])
    content = game.content(about["overlay"])
    if (about["rules_version"], about["rows_version"]) != (game.rules_version, game.rows_version):
        raise InputError(f"{folder} was written by another version of {game.name}'s rules or rows; "
                         "write it again.")
    play = Play(game, content, len(about["bots"]))
    table = pl.read_parquet(folder / "*.parquet").sort("episode", "step")
    episodes = [episode for (number,), rows in table.group_by("episode", maintain_order=True)
                for episode in episodes_of(play, about["seed"] + int(number), rows)]
    try:
        return kept(name, about, play, episodes)
    except ValueError as refused:
        raise InputError(f"Minari says: {refused}") from refused


def kept(name: str, about: dict[str, Any], play: Play, episodes: list[EpisodeBuffer]) -> Any:
    game = play.game
    with warnings.catch_warnings(action="ignore"):  # it wants an author and a link to our code
        return minari.create_dataset_from_buffers(
            name, episodes, action_space=spaces.Discrete(game.n_actions),
            observation_space=spaces.Box(-1.0, 1.0, (play.encoder.layout.width,), np.float32),
            algorithm_name=", ".join(about["bots"]), requirements=["exchequer"],
            description=f"{game.title} {game.version}, seed {about['seed']}: one seat's decisions "
                        "each; infos hold the action mask.")


def episodes_of(play: Play, seed: int, rows: pl.DataFrame) -> Iterator[EpisodeBuffer]:
    """Every seat's part of one game."""
    play.start(seed)
    for action in rows["action"]:
        play.play(action)
    for (seat,), own in rows.group_by("seat", maintain_order=True):
        seen = np.array(own["observation"].to_list(), np.float32)
        masks = np.zeros((len(own) + 1, play.game.n_actions), np.int8)
        for place, legal in enumerate(own["legal"]):
            masks[place, legal.to_numpy()] = 1
        yield EpisodeBuffer(
            seed=seed, options={"seat": int(seat)}, infos={"action_mask": masks},
            observations=np.vstack([seen, play.observation(int(seat))]),
            actions=own["action"].to_numpy().astype(np.int64), rewards=own["reward"].to_list(),
            terminations=own["terminated"].to_list(),
            truncations=own["truncated"].to_list())
