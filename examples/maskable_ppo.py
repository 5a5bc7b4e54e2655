"""sb3-contrib's MaskablePPO learns a game against players who move at random.

    pip install 'exchequer[envs]' sb3-contrib
    python examples/maskable_ppo.py kingdom --minutes 10

Prints what it gets (1 is every game won, 0 an even share; in the solo game the score in thousands),
and how it grows.
"""

import argparse
import json
import time

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from exchequer.core.find import find_game
from exchequer.envs.gymnasium import SeatEnv


class Watched(BaseCallback):
    """Looks now and then how well it plays, and ends the training when the time is up."""

    def __init__(self, game: str, seconds: float, looks: int) -> None:
        super().__init__()
        self.game, self.seconds, self.begin = game, seconds, time.monotonic()
        self.looks, self.looked = looks, 0

    def _on_step(self) -> bool:
        return time.monotonic() - self.begin < self.seconds

    def _on_rollout_start(self) -> None:
        if time.monotonic() - self.begin >= self.looked * self.seconds / self.looks:
            self.looked += 1
            self.look(100)

    def look(self, games: int) -> None:
        got = against_random(self.model, self.game, games)
        print(json.dumps({"example": "maskable_ppo", "game": self.game,
                          "seconds": round(time.monotonic() - self.begin),
                          "steps": self.num_timesteps, "games": games,
                          "against_random": round(got, 3)}), flush=True)


def against_random(model: MaskablePPO, game: str, games: int) -> float:
    """The mean reward, each seat in turn; the games are played side by side."""
    seats = find_game(game).seats[0]
    envs = [SeatEnv(game, seat=number % seats) for number in range(games)]
    seen = [env.reset(seed=10_000 + number) for number, env in enumerate(envs)]
    rewards = np.zeros(games)
    while going := [number for number, env in enumerate(envs) if not env.play.is_done]:
        rows = np.stack([seen[number][0] for number in going])
        masks = np.stack([seen[number][1]["action_mask"] for number in going])
        for number, action in zip(going, model.predict(rows, action_masks=masks)[0], strict=True):
            row, rewards[number], _, _, info = envs[number].step(int(action))
            seen[number] = row, info
    return float(rewards.mean())


def train(game: str, minutes: float, looks: int) -> None:
    torch.set_num_threads(1)
    seats = find_game(game).seats[0]
    envs = DummyVecEnv([lambda seat=seat: SeatEnv(game, seat=seat % seats) for seat in range(8)])
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=512, gamma=0.999, seed=1,
                        device="cpu", verbose=0)
    watched = Watched(game, 60 * minutes, looks)
    model.learn(10**9, callback=watched)
    watched.look(200)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="kingdom")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--looks", type=int, default=10, help="how often it is measured")
    options = parser.parse_args()
    train(options.game, options.minutes, options.looks)
