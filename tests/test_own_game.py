"""A game outside the package works wherever ours do."""

import os
import pathlib

import pymupdf
import pyspiel
import pytest
from pettingzoo.test import api_test

from exchequer.core import find
from exchequer.core.find import address_of, find_game
from exchequer.envs import openspiel, pettingzoo
from exchequer.envs.gymnasium import SeatEnv
from exchequer.envs.vector import VectorEnv
from exchequer.lab.executors import Ray, play_there
from exchequer.lab.folder import Folder
from exchequer.lab.plan import arm_of, plan_from
from exchequer.lab.studies import run_study
from exchequer.printing.press import print_and_play
from toys.bazaar import GAME
from toys.souk import LOOKS, souk


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(find.VARIABLE, "")
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    return souk(tmp_path, *LOOKS)


def test_it_is_printed_from_its_own_folder(folder):
    game = find_game(folder)
    pdf, decks = print_and_play(game, game.content())
    text = "".join(page.get_text() for page in pymupdf.open(stream=pdf))
    assert decks[0].copies == 24 and "Silk" in text
    assert not [path for path in folder.iterdir() if path.suffix == ".pdf"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wanted", [str, pathlib.Path, find_game], ids=["text", "path", "game"])
def test_environments_take_a_path_or_a_game(folder, wanted):
    game = wanted(folder)
    api_test(pettingzoo.env(game), num_cycles=20)
    assert VectorEnv(game, 3).reset()[0].shape[0] == 3
    SeatEnv(game).reset(seed=1)


def test_openspiel_takes_a_path_and_a_game(folder):
    for game in (folder, GAME):
        loaded = openspiel.load_game(game, players=3)
        assert loaded.num_players() == 3
    pyspiel.random_sim_test(openspiel.load_game(folder), num_sims=1, serialize=True, verbose=False)


def plan_for(folder):
    return plan_from({"game": address_of(find_game(folder)), "seats": 2,
                      "lineups": [{"bots": "random", "games": 6}]})


def test_another_process_is_told_where_the_game_lies(folder, monkeypatch):
    arm = arm_of(plan_for(folder), plan_for(folder).lineups[0])
    places = os.environ[find.VARIABLE]
    monkeypatch.setenv(find.VARIABLE, "")
    assert play_there(places, arm, 0, 2).games == 2


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_the_lab_plays_it_on_a_ray_cluster(folder, tmp_path):
    pytest.importorskip("ray")
    found = run_study(plan_for(folder), Folder(tmp_path / "run"), Ray(workers=1))
    assert pathlib.Path(found["report"]).exists()
    assert str(folder) in (tmp_path / "run" / "plan.toml").read_text()
