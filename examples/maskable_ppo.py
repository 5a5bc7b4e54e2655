"""sb3-contrib's MaskablePPO learns a game against players who move at random.

    pip install 'exchequer[envs]' sb3-contrib
    python examples/maskable_ppo.py kingdom --steps 250000

Prints what it gets (1 is every game won, 0 an even share; in the solo game the score in thousands),
and how it grows.
"""

import argparse
import json
import sys
import time

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from exchequer.core.find import find_game
from exchequer.envs.gymnasium import SeatEnv


class Watched(BaseCallback):
    """Looks now and then how well it plays."""

    def __init__(self, game: str, every: float) -> None:
        super().__init__()
        self.game, self.every, self.looked = game, every, 0

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.looked * self.every:
            self.looked += 1
            self.look(100)

    def look(self, games: int) -> None:
        """Print it, with a 95 % interval."""
        got = against_random(self.model, self.game, games)
        print(json.dumps({"example": "maskable_ppo", "game": self.game,
                          "version": find_game(self.game).version, "steps": self.num_timesteps,
                          "games": games, "against_random": round(float(got.mean()), 3),
                          "half_interval": round(1.96 * float(got.std()) / games**0.5, 3),
                          "processor_seconds": round(time.process_time()),
                          "command": f"python {' '.join(sys.argv)}"}), flush=True)


def against_random(model: MaskablePPO, game: str, games: int) -> np.ndarray:
    """The rewards, each seat in turn; the games are played side by side."""
    seats, scaled = find_game(game).seats[0], model.get_vec_normalize_env().normalize_obs
    envs = [SeatEnv(game, seat=number % seats) for number in range(games)]
    seen = [env.reset(seed=10_000 + number) for number, env in enumerate(envs)]
    rewards = np.zeros(games)
    while going := [number for number, env in enumerate(envs) if not env.play.is_done]:
        rows = scaled(np.stack([seen[number][0] for number in going]))
        masks = np.stack([seen[number][1]["action_mask"] for number in going])
        for number, action in zip(going, model.predict(rows, action_masks=masks)[0], strict=True):
            row, rewards[number], _, _, info = envs[number].step(int(action))
            seen[number] = row, info
    return rewards


def train(game: str, steps: int, looks: int) -> None:
    torch.set_num_threads(1)
    seats = find_game(game).seats[0]
    envs = DummyVecEnv([lambda seat=seat: SeatEnv(game, seat=seat % seats) for seat in range(8)])
    model = MaskablePPO("MlpPolicy", VecNormalize(envs, norm_reward=False), n_steps=256,
                        batch_size=512, gamma=0.999, seed=1, device="cpu", verbose=0)
    watched = Watched(game, steps / looks)
    model.learn(steps, callback=watched)
    watched.look(500)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="kingdom")
    parser.add_argument("--steps", type=int, default=250_000)
    parser.add_argument("--looks", type=int, default=10, help="how often it is measured")
    options = parser.parse_args()
    train(options.game, options.steps, options.looks)
