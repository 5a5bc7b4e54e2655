"""sb3-contrib's MaskablePPO learns a game against players who move at random.

    pip install 'exchequer[envs]' sb3-contrib
    python examples/maskable_ppo.py kingdom --minutes 10

Prints what it gets (1 is every game won, 0 an even share; in the solo game the score in thousands),
and how it grows.
"""

import argparse
import json
import time

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from exchequer.core.find import find_game
from exchequer.envs.gymnasium import SeatEnv


class Watched(BaseCallback):
    """Looks ten times how well it plays, and ends the training when the time is up."""

    def __init__(self, game: str, seconds: float) -> None:
        super().__init__()
        self.game, self.seconds, self.begin, self.looks = game, seconds, time.monotonic(), 0

    def _on_step(self) -> bool:
        return time.monotonic() - self.begin < self.seconds

    def _on_rollout_start(self) -> None:
        if time.monotonic() - self.begin >= self.looks * self.seconds / 10:
            self.looks += 1
            self.look(100)

    def look(self, games: int) -> None:
        print(json.dumps({"game": self.game, "seconds": round(time.monotonic() - self.begin),
                          "steps": self.num_timesteps, "against_random": round(
                              against_random(self.model, self.game, games), 3)}), flush=True)


def against_random(model: MaskablePPO, game: str, games: int) -> float:
    """The mean reward, each seat in turn."""
    seats = find_game(game).seats[0]
    envs = [SeatEnv(game, seat=seat) for seat in range(seats)]
    return sum(episode(model, envs[number % seats], 10_000 + number)
               for number in range(games)) / games


def episode(model: MaskablePPO, env: SeatEnv, seed: int) -> float:
    observation, info = env.reset(seed=seed)
    ended, cut, reward = env.play.is_over, False, 0.0
    while not (ended or cut):
        action, _ = model.predict(observation, action_masks=info["action_mask"])
        observation, reward, ended, cut, info = env.step(int(action))
    return reward


def train(game: str, minutes: float) -> None:
    torch.set_num_threads(1)
    seats = find_game(game).seats[0]
    envs = DummyVecEnv([lambda seat=seat: SeatEnv(game, seat=seat % seats) for seat in range(8)])
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=512, gamma=0.999, seed=1,
                        device="cpu", verbose=0)
    watched = Watched(game, 60 * minutes)
    model.learn(10**9, callback=watched)
    watched.look(400)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="kingdom")
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    train(options.game, options.minutes)
