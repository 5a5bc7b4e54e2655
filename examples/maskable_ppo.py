"""MaskablePPO learns to beat `random` in Kingdom.

    pip install 'exchequer[envs]' sb3-contrib
    python examples/maskable_ppo.py --minutes 10
"""

import argparse
import time

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from exchequer.envs.gymnasium import SeatEnv


class StopAfter(BaseCallback):
    """Ends the training when the time is up."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = time.monotonic() + seconds

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def win_share(model: MaskablePPO, games: int = 200) -> float:
    env = SeatEnv("kingdom", seat=1)
    points = 0.0
    for seed in range(games):
        observation, info = env.reset(seed=10_000 + seed)
        ended = cut = False
        while not (ended or cut):
            action, _ = model.predict(observation, action_masks=info["action_mask"],
                                      deterministic=True)
            observation, reward, ended, cut, info = env.step(int(action))
        points += (reward + 1) / 2
    return points / games


def train(minutes: float) -> MaskablePPO:
    envs = DummyVecEnv([lambda seat=seat: SeatEnv("kingdom", seat=seat % 2) for seat in range(8)])
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=512, gamma=0.999, seed=1,
                        device="cpu", verbose=0)
    model.learn(10**9, callback=StopAfter(60 * minutes))
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    minutes = parser.parse_args().minutes
    model = train(minutes)
    print(f"{model.num_timesteps} moves in {minutes} minutes; "
          f"wins {100 * np.round(win_share(model), 3):.1f} % of 200 games against random")
