"""The examples of `docs/research.md` run."""

import importlib.util
import pathlib

import numpy as np
import pyspiel
import pytest

from exchequer.bots.evaluation import evaluated
from exchequer.core.errors import InputError
from exchequer.core.find import find_game, shipped_names
from exchequer.core.rows import layout_of

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


def test_the_thirty_lines_of_the_research_page():
    torch = pytest.importorskip("torch")
    page = (EXAMPLES.parent / "docs" / "research.md").read_text()
    lines = page.split("```\nimport torch")[1].split("```")[0]
    assert lines.count("\n") <= 36
    scope = {}
    exec("import torch" + lines.replace('"cuda", 65_536, 64, 200', '"cpu", 512, 64, 1'), scope)
    assert scope["number"] == 0 and torch.isfinite(scope["loss"])


def test_openspiel_mcts():
    assert sum(load("openspiel_mcts").play(simulations=5)) == 0


def test_openspiel_is_mcts():
    """A policy's value is no further from the game's than NashConv; this one is worth 0."""
    example = load("openspiel_ismcts")
    game = pyspiel.load_game("python_exchequer_treasury_v03(variant=tiny,chance_outcomes=2)")
    searched = example.searched(game, simulations=3)
    shares = searched.action_probability_array
    assert np.allclose(shares.sum(axis=1), 1) and not shares[searched.legal_actions_mask == 0].any()
    distance, value = example.judged(game, searched)
    assert abs(value) <= distance <= 2


def test_every_game_has_a_trained_policy():
    names = {file.name for file in (EXAMPLES / "policies").iterdir()}
    assert {f"{name.replace('/', '-')}.npz" for name in shipped_names()} <= names


@pytest.mark.parametrize("file", sorted((EXAMPLES / "policies").iterdir()), ids=lambda it: it.stem)
def test_a_trained_policy_plays_or_says_that_its_rows_have_changed(file):
    policies = load("ppo_policy")
    trained = next(kind for kind in (policies.Maskable, policies.Tensors, policies.Policy)
                   if file.name.endswith(kind.ending))
    with np.load(file) as kept:
        rows, made = str(kept["rows"]), str(kept["made"])
    game = find_game(made.split()[0])
    assert file.name == f"{game.name.replace('/', '-')}{trained.ending}"
    assert f"examples/{trained.trainer} {game.name}" in made and file.stat().st_size < 300_000
    if rows != layout_of(game).hash:
        with pytest.raises(InputError, match="another version"):
            trained(game, 0)
        return
    against = "greedy" if game.seats[0] == 1 else "random"
    found = evaluated(game, game.content(), trained, [against], 20, 0)["results"]
    assert found[0]["score"] > 0 if game.seats[0] == 1 else found[0]["share"] > 0.55


def test_a_policy_gives_the_same_wishes_however_sums_are_ordered():
    """Whole numbers below 2^53 add up exactly."""
    game = find_game("kingdom")
    trained = load("ppo_policy").Policy(game, 0)
    row = np.random.default_rng(1).uniform(-1, 1, layout_of(game).width).astype(np.float32)
    wishes = trained.wishes(row)
    order = np.random.default_rng(2).permutation(len(row))
    for name in ("mean", "spread"):
        trained.kept[name] = trained.kept[name][order]
    first, bias = trained.layers[0]
    trained.layers[0] = first[:, order], bias
    assert (trained.wishes(row[order]) == wishes).all()
    assert (wishes == np.rint(wishes)).all() and np.abs(wishes).max() < 2**53
