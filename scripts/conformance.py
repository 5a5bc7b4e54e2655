"""The peers' own test suites on every game, by whatever Exchequer is installed.

    python scripts/conformance.py [GAME ...]

`make conformance` builds the wheel, installs it into an environment of its own and runs this there,
outside the checkout. Prints a line for each game; ends with 1 if a suite failed.
"""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable

import minari
import numpy as np
import pyspiel
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import external_sampling_mccfr, outcome_sampling_mccfr
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.state_test import state_test
from shimmy import OpenSpielCompatibilityV0

import exchequer
from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game
from exchequer.envs import parallel, pettingzoo
from exchequer.envs.dataset import write_dataset
from exchequer.envs.gymnasium import SeatEnv
from exchequer.envs.minari import export
from exchequer.envs.openspiel import load_game
from exchequer.envs.vector import VectorEnv


def pettingzoo_api(game: Game) -> None:
    api_test(pettingzoo.env(game.name), num_cycles=300)


def pettingzoo_seeds(game: Game) -> None:
    seed_test(lambda: pettingzoo.env(game.name), num_cycles=50)


def pettingzoo_parallel(game: Game) -> None:
    parallel_api_test(parallel.parallel_env(game.name), num_cycles=300)


def pettingzoo_state(game: Game) -> None:
    state_test(pettingzoo.env(game.name), parallel.parallel_env(game.name))


def gymnasium_checker(game: Game) -> None:
    check_env(SeatEnv(game.name), skip_render_check=True)


def gymnasium_vector(game: Game) -> None:
    """Gymnasium has no suite for these: a thousand random steps stay inside the spaces."""
    env, random = VectorEnv(game.name, 8), np.random.default_rng(1)
    seen, info = env.reset(seed=1)
    for _ in range(1000):
        assert env.observation_space.contains(seen)
        masks = info["action_mask"]
        seen, _, _, _, info = env.step((random.random(masks.shape) * masks).argmax(axis=1))


def openspiel_random_sim(game: Game) -> None:
    pyspiel.random_sim_test(load_game(game.name), num_sims=2, serialize=True, verbose=False)


def openspiel_mccfr(game: Game) -> None:
    sys.setrecursionlimit(20_000)  # the solver calls itself once for each decision
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(load_game(game.name))
    for _ in range(3):
        solver.iteration()


def openspiel_tiny_mccfr(game: Game) -> None:
    """Where there is a small variant, external sampling walks all of it."""
    if "tiny" in game.variants:
        solver = external_sampling_mccfr.ExternalSamplingSolver(
            load_game(game.name, variant="tiny"), external_sampling_mccfr.AverageType.SIMPLE)
        for _ in range(5):
            solver.iteration()


def shimmy_api(game: Game) -> None:
    """PettingZoo's suite on Shimmy's wrapper around our OpenSpiel game."""
    env = OpenSpielCompatibilityV0(env=load_game(game.name))
    api_test(env, num_cycles=100)


def minari_store(game: Game) -> None:
    """Two games go to Minari's store, and every decision comes back."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINARI_DATASETS_PATH"] = f"{folder}/store"
        path = pathlib.Path(folder, "data")
        write_dataset(game, game.content(), ["random"] * game.seats[0], 2, 1, path)
        export(path, "exchequer/conformance-v0")
        kept = minari.load_dataset("exchequer/conformance-v0")
        for episode in kept.iterate_episodes():
            assert len(episode.observations) == len(episode.actions) + 1
            assert kept.observation_space.contains(episode.observations[0])
        assert kept.total_episodes == 2 * game.seats[0]


SUITES: list[Callable[[Game], None]] = [
    pettingzoo_api, pettingzoo_seeds, pettingzoo_parallel, pettingzoo_state, gymnasium_checker,
    gymnasium_vector, openspiel_random_sim, openspiel_mccfr, openspiel_tiny_mccfr, shimmy_api,
    minari_store]


def main() -> int:
    games = [find_game(name) for name in sys.argv[1:]] or all_games()
    print(f"exchequer {exchequer.__version__} in {exchequer.__path__[0]}")
    failed = [(game.name, suite.__name__, why) for game in games for suite in SUITES
              if (why := run(game, suite))]
    for name, suite, why in failed:
        print(f"\n{name}, {suite}:\n{why}")
    print(f"\n{len(games) * len(SUITES) - len(failed)} passed, {len(failed)} failed")
    return min(len(failed), 1)


def run(game: Game, suite: Callable[[Game], None]) -> str:
    """The end of what went wrong; nothing where nothing did."""
    why = ""
    with warnings.catch_warnings(action="ignore"), contextlib.redirect_stdout(io.StringIO()):
        try:
            suite(game)
        except Exception:
            why = traceback.format_exc(limit=-3)
    print(f"{game.name:16}{suite.__name__:24}{'FAILED' if why else 'passed'}", flush=True)
    return why


if __name__ == "__main__":
    sys.exit(main())
