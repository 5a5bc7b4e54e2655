"""The peers' random play, timed on the games that are most like ours.

OpenSpiel's are timed twice, through its Python interface and inside its C++ rollout evaluator;
what counts is decisions, not outcomes of chance. RLCard: gin rummy, and limit hold'em, its fastest
bundled duel.
"""

import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

SECONDS = 1.0
RUNS = 3
NEAREST = {  # OpenSpiel's games by ours
    "kingdom": ("oware", "connect_four"),  # duels with open information
    "treasury/v17": ("gin_rummy", "hearts"),  # hidden hands, cards drawn and laid down
    "treasury/v03": ("gin_rummy", "hearts"),
    "greement": ("negotiation", "bargaining"),  # offers, answers, secret values
}


RLCARD = {"limit-holdem": (*NEAREST, "jagged_time"),
          "gin-rummy": ("treasury/v17", "treasury/v03")}


def bench_peers(games: list[str]) -> dict[str, dict[str, Any]]:
    """Steps per second of whichever peers are installed, and which of our games each is like."""
    peers: dict[str, dict[str, Any]] = {}
    if importlib.util.find_spec("pyspiel"):
        for name in dict.fromkeys(peer for game in games for peer in NEAREST.get(game, ())):
            like = [game for game in games if name in NEAREST.get(game, ())]
            for kind, made in (("python", openspiel_python), ("cpp", openspiel_cpp)):
                peers[f"openspiel_{name}_{kind}"] = {"steps_per_s": rate(made(name)), "like": like}
    for name, found in rlcard_rates().items():
        like = [game for game in games if game in RLCARD[name.replace("_", "-")]]
        peers[f"rlcard_{name}"] = {"steps_per_s": found, "like": like}
    return peers


def rlcard_rates() -> dict[str, float]:
    """Steps per second of RLCard's games, if it is installed."""
    names = RLCARD if importlib.util.find_spec("rlcard") else ()
    return {name.replace("-", "_"): rate(rlcard_duel(name)) for name in names}


def rate(play: Callable[[], int]) -> float:
    """Median steps per second over a few runs of about a second."""
    rates = []
    for _ in range(RUNS):
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            steps += play()
        rates.append(steps / (time.perf_counter() - began))
    return statistics.median(rates)


def openspiel_python(name: str) -> Callable[[], int]:
    """Whole random games, a call of Python for each decision."""
    import numpy as np
    import pyspiel

    game, random = pyspiel.load_game(name), np.random.default_rng(0)
    return lambda: play_on(game.new_initial_state(), random)


def play_on(state: Any, random: Any) -> int:
    """Play to the end at random. Returns the decisions."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            deal(state, random)
            continue
        moves = state.legal_actions()
        state.apply_action(moves[random.integers(len(moves))])
        decisions += 1
    return decisions


def deal(state: Any, random: Any) -> None:
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(outcomes[random.choice(len(outcomes), p=chances)])


def openspiel_cpp(name: str) -> Callable[[], int]:
    """Whole random games inside the library: one search step that rolls out `games` times.

    The mean number of decisions is taken from random play from the same first question.
    """
    import numpy as np
    import pyspiel

    game, random, games = pyspiel.load_game(name), np.random.default_rng(0), 200
    state = game.new_initial_state()
    while state.is_chance_node():
        deal(state, random)
    mean = statistics.mean(play_on(state.clone(), random) for _ in range(200))
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(games, 0), uct_c=2.0,
                          max_simulations=1, max_memory_mb=100, solve=False, seed=0,
                          verbose=False)

    def play() -> int:
        bot.step(state)
        return round(games * mean)

    return play


def rlcard_duel(name: str) -> Callable[[], int]:
    import numpy as np
    import rlcard

    env = rlcard.make(name, config={"seed": 0})
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
