"""Datasets hold what was played, and can be played again."""

import importlib.metadata
import json
import pathlib
import tomllib

import numpy as np
import polars as pl
import pytest
from packaging.requirements import Requirement
from typer.testing import CliRunner

from exchequer.cli.main import app
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.envs import dataset, minari
from exchequer.envs.play import Play


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "kingdom"
    game = find_game("kingdom")
    dataset.write_dataset(game, game.content(), ["greedy", "random"], 3, 7, folder)
    return folder


def test_each_episode_runs_again_from_its_seed(folder):
    game = find_game("kingdom")
    about = json.loads((folder / "dataset.json").read_text())
    assert (about["rules_version"], about["rows_version"]) == (game.rules_version,
                                                               game.rows_version)
    table = pl.read_parquet(folder / "*.parquet")
    assert table["episode"].unique().sort().to_list() == [0, 1, 2]
    for (episode,), rows in table.group_by("episode", maintain_order=True):
        play = Play(game, game.content(), 2)
        play.start(about["seed"] + episode)
        for row in rows.iter_rows(named=True):
            assert row["seat"] == play.actor
            assert (np.array(row["observation"], np.float32) == play.observation(row["seat"])).all()
            assert row["legal"] == np.flatnonzero(play.mask(row["seat"])).tolist()
            play.play(row["action"])
        assert play.is_over
        got = rows.group_by("seat").agg(pl.col("reward").sum(), pl.col("return").first())
        for row in got.iter_rows(named=True):
            assert row["reward"] == row["return"] == pytest.approx(play.rewards()[row["seat"]])


def test_a_game_that_is_cut_off_is_truncated(tmp_path, monkeypatch):
    game = find_game("kingdom")
    monkeypatch.setitem(vars(game), "step_limit", 5)
    dataset.write_dataset(game, game.content(), ["random", "random"], 1, 0, tmp_path / "short")
    table = pl.read_parquet(tmp_path / "short" / "*.parquet")
    assert len(table) == 5 and not table["terminated"].any() and (table["return"] == 0).all()
    assert table["truncated"].sum() == table["seat"].n_unique()


def test_a_folder_with_something_in_it_is_left_alone(folder):
    game = find_game("kingdom")
    with pytest.raises(InputError, match="not empty"):
        dataset.write_dataset(game, game.content(), ["random", "random"], 1, 0, folder)


def test_minari_reads_what_was_played(folder, tmp_path, monkeypatch):
    """An episode for each seat: observations and masks as they were, the return at its end."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    kept = minari.export(folder, "exchequer/kingdom-v0")
    assert kept.total_episodes == 6
    table = pl.read_parquet(folder / "*.parquet").sort("episode", "step")
    first = next(kept.iterate_episodes([0]))
    own = table.filter(pl.col("episode") == 0, pl.col("seat") == table["seat"][0])
    assert first.actions.tolist() == own["action"].to_list()
    assert first.observations.shape == (len(own) + 1, len(own["observation"][0]))
    assert (first.observations[0] == np.array(own["observation"][0], np.float32)).all()
    assert first.rewards.sum() == pytest.approx(own["return"][0])
    assert first.terminations[-1] and not first.terminations[:-1].any()
    legal = [np.flatnonzero(mask).tolist() for mask in first.infos["action_mask"][:-1]]
    assert legal == own["legal"].to_list()


def test_minari_refuses_a_name_with_a_sentence(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    with pytest.raises(InputError, match="Minari says"):
        minari.export(folder, "no name")


def test_a_name_is_refused_before_anything_is_played(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "store"))
    minari.check_name("exchequer/taken-v0")
    minari.export(folder, "exchequer/taken-v0")
    for name, why in [("no name", "Minari says"), ("exchequer/taken-v0", "already")]:
        done = CliRunner().invoke(app, ["dataset", "kingdom", "--games", "1", "--bots", "random",
                                        "--out", str(tmp_path / "new"), "--minari", name])
        assert isinstance(done.exception, InputError) and why in str(done.exception)
        assert not (tmp_path / "new").exists()


def test_the_extra_asks_for_what_minaris_store_imports():
    """Pillow is imported there and not asked for; h5py comes with Minari's own extra."""
    file = pathlib.Path(__file__).parents[2] / "pyproject.toml"
    extras = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {"h5py", "pillow"} <= brought([Requirement(line) for line in extras["minari"]])


def brought(requirements):
    """The packages that these lead to; our own extras are left out, they are for other things."""
    names, left = set(), [one for one in requirements if one.name != "exchequer"]
    while left:
        asked = left.pop()
        if asked.name.lower() not in names:
            names.add(asked.name.lower())
            needs = map(Requirement, importlib.metadata.requires(asked.name) or ())
            left += [one for one in needs if one.marker is None
                     or any(one.marker.evaluate({"extra": extra}) for extra in asked.extras)]
    return names
