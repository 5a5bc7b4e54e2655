"""The peers' random play, timed on the most similar games they have.

Kingdom is a duel with open information and a few dozen choices. OpenSpiel: Oware (two sides move
stores of seeds), once through its Python interface and once inside its C++ rollout evaluator.
RLCard: limit hold'em, its fastest bundled duel.
"""

import importlib.util
import statistics
import time
from collections.abc import Callable

SECONDS = 1.0
RUNS = 3


def bench_peers() -> dict[str, dict[str, float]]:
    """Steps per second of whichever peers are installed."""
    peers = {}
    if importlib.util.find_spec("pyspiel"):
        peers["openspiel_python"] = {"steps_per_s": rate(openspiel_python())}
        peers["openspiel_cpp"] = {"steps_per_s": rate(openspiel_cpp())}
    if importlib.util.find_spec("rlcard"):
        peers["rlcard"] = {"steps_per_s": rate(rlcard_duel())}
    return peers


def rate(play: Callable[[], int]) -> float:
    """Median steps per second over a few runs of about a second."""
    rates = []
    for _ in range(RUNS):
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            steps += play()
        rates.append(steps / (time.perf_counter() - began))
    return statistics.median(rates)


def openspiel_python() -> Callable[[], int]:
    import numpy as np
    import pyspiel

    game = pyspiel.load_game("oware")
    random = np.random.default_rng(0)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[random.integers(len(moves))])
            steps += 1
        return steps

    return play


def openspiel_cpp() -> Callable[[], int]:
    """Whole random games inside the library: one search step that rolls out `games` times.

    Their mean length is taken from the same game's random play.
    """
    import pyspiel

    length = openspiel_python()
    mean = statistics.mean(length() for _ in range(200))
    state = pyspiel.load_game("oware").new_initial_state()
    games = 200
    bot = pyspiel.MCTSBot(pyspiel.load_game("oware"), pyspiel.RandomRolloutEvaluator(games, 0),
                          uct_c=2.0, max_simulations=1, max_memory_mb=100, solve=False, seed=0,
                          verbose=False)

    def play() -> int:
        bot.step(state)
        return round(games * mean)

    return play


def rlcard_duel() -> Callable[[], int]:
    import numpy as np
    import rlcard

    env = rlcard.make("limit-holdem", config={"seed": 0})
    random = np.random.default_rng(0)

    def play() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            moves = list(state["legal_actions"])
            state, _ = env.step(moves[random.integers(len(moves))])
            steps += 1
        return steps

    return play
