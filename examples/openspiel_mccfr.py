"""External-sampling MCCFR solves a small variant; OpenSpiel computes how far it still is from it.

    pip install 'exchequer[openspiel]'
    python examples/openspiel_mccfr.py "python_exchequer_kingdom(variant=tiny)" 50 100 200

Prints NashConv of the uniform policy and of the average policy after so many iterations, and what
the game is worth to its first seat when all play that policy.
"""

import sys

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import expected_game_score, exploitability
from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver

import exchequer.envs.openspiel  # noqa: F401 - registers the games


def solve(name: str, looks: list[int]) -> list[tuple[int, float, float]]:
    """After how many iterations, NashConv, and the value of the game to the first seat."""
    np.random.seed(1)
    game = pyspiel.load_game(name)
    solver, done = ExternalSamplingSolver(game), 0
    found = [(0, *judged(game, policy.UniformRandomPolicy(game)))]
    for look in looks:
        for _ in range(look - done):
            solver.iteration()
        done = look
        found.append((look, *judged(game, solver.average_policy())))
    return found


def judged(game: pyspiel.Game, found: policy.Policy) -> tuple[float, float]:
    values = expected_game_score.policy_value(game.new_initial_state(),
                                              [found] * game.num_players())
    return exploitability.nash_conv(game, found, use_cpp_br=False), float(values[0])


if __name__ == "__main__":
    for iterations, distance, value in solve(sys.argv[1], [int(each) for each in sys.argv[2:]]):
        print(f"{iterations:6} iterations  NashConv {distance:.3f}  value {value:+.3f}", flush=True)
