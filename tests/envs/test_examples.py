"""The examples of `docs/research.md` run."""

import importlib.util
import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.filterwarnings("ignore")


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_random_rollout():
    example = load("random_rollout")
    assert sum(example.one_game().values()) == 0
    assert example.many_games(games=50) > 50


def test_openspiel_mcts():
    assert sum(load("openspiel_mcts").play(simulations=5)) == 0
