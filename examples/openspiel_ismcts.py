"""OpenSpiel's IS-MCTS on a small variant: how far from equilibrium its play is, and what it earns.

    pip install 'exchequer[openspiel]'
    python examples/openspiel_ismcts.py "python_exchequer_treasury_v03(variant=tiny)" 10 50

At every information state it searches with so many simulations; the shares of its visits are its
policy. Prints NashConv of that, and what the game is worth to its first seat when all play it.
Kingdom hides nothing, which OpenSpiel's IS-MCTS refuses.
"""

import sys

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import expected_game_score, exploitability, ismcts, mcts

import exchequer.envs.openspiel  # noqa: F401 - registers the games

EXPLORATION = 2.0


def searched(game: pyspiel.Game, simulations: int, seed: int = 1) -> policy.TabularPolicy:
    """What IS-MCTS does at each information state."""
    random = np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, random), EXPLORATION, simulations, random_state=random,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT)
    found = policy.TabularPolicy(game)
    for number, state in enumerate(found.states):
        found.action_probability_array[number] = 0
        for action, share in bot.get_policy(state):
            found.action_probability_array[number, action] = share
    return found


def judged(game: pyspiel.Game, found: policy.Policy) -> tuple[float, float]:
    """NashConv, and the value of the game to the first seat."""
    values = expected_game_score.policy_value(game.new_initial_state(),
                                              [found] * game.num_players())
    return exploitability.nash_conv(game, found, use_cpp_br=False), float(values[0])


def main(name: str, looks: list[int]) -> None:
    game = pyspiel.load_game(name)
    for simulations in looks:
        found = searched(game, simulations)
        distance, value = judged(game, found)
        print(f"{simulations:6} simulations  {len(found.states)} information states  "
              f"NashConv {distance:.3f}  value {value:+.3f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], [int(each) for each in sys.argv[2:]])
