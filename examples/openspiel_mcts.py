"""OpenSpiel's own MCTS bot plays Kingdom against a random one."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots import uniform_random

import exchequer.envs.openspiel  # noqa: F401 - makes the games known to OpenSpiel


def play(simulations: int = 20, seed: int = 0) -> list[float]:
    game = pyspiel.load_game("python_exchequer_kingdom")
    random = np.random.RandomState(seed)
    bots = [mcts.MCTSBot(game, 2.0, simulations, mcts.RandomRolloutEvaluator(1, random),
                         random_state=random),
            uniform_random.UniformRandomBot(1, random)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


if __name__ == "__main__":
    print("returns of MCTS and random:", play())
