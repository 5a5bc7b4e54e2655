"""sb3-contrib's MaskablePPO learns a game against players who move at random.

    pip install 'exchequer[envs]' sb3-contrib
    python examples/maskable_ppo.py kingdom --steps 250000 --save kingdom.npz

Prints what it gets (1 is every game won, 0 an even share; in the solo game the score in thousands),
and how it grows. The saved policy plays without PyTorch, see `examples/ppo_policy.py`.
"""

import argparse
import json
import pathlib
import sys
import time

import numpy as np
import ppo_policy
import sb3_contrib
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize
from torch import nn

from exchequer.core.find import find_game
from exchequer.envs.gymnasium import SeatEnv

GAMES, EPOCHS, BATCH, HIDDEN = 16, 6, 512, 64
DISCOUNT, ENTROPY, RATE = 0.999, 0.01, 5e-4


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


def train(game: str, steps: int, looks: int, raw: bool, rollout: int) -> MaskablePPO:
    torch.set_num_threads(1)
    seats = find_game(game).seats[0]
    envs = DummyVecEnv([lambda seat=seat: SeatEnv(game, seat=seat % seats)
                        for seat in range(GAMES)])
    model = MaskablePPO(
        "MlpPolicy", VecNormalize(envs, norm_obs=not raw, norm_reward=False), n_steps=rollout,
        n_epochs=EPOCHS, batch_size=BATCH, gamma=DISCOUNT, ent_coef=ENTROPY, learning_rate=RATE,
        policy_kwargs={"net_arch": [HIDDEN, HIDDEN], "activation_fn": nn.ReLU}, seed=1,
        device="cpu")
    watched = Watched(game, steps / looks)
    model.learn(steps, callback=watched)
    watched.look(500)
    return model


def save(file: pathlib.Path, game: str, model: MaskablePPO) -> None:
    body, envs = model.policy.mlp_extractor.policy_net, model.get_vec_normalize_env()
    layers = [(layer.weight.detach().numpy(), layer.bias.detach().numpy())
              for layer in (body[0], body[2], model.policy.action_net)]
    width = envs.observation_space.shape[0]
    mean, spread = (envs.obs_rms.mean, np.sqrt(envs.obs_rms.var + envs.epsilon)) \
        if envs.norm_obs else (np.zeros(width), np.ones(width))
    ppo_policy.save(file, find_game(game), layers, mean, spread, envs.clip_obs,
                    f"sb3-contrib {sb3_contrib.__version__}, torch {torch.__version__}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="kingdom")
    parser.add_argument("--steps", type=int, default=250_000)
    parser.add_argument("--looks", type=int, default=10, help="how often it is measured")
    parser.add_argument("--raw", action="store_true", help="take the rows as they are, unscaled")
    parser.add_argument("--rollout", type=int, default=256,
                        help="steps of each game before it learns from them; long games want more")
    parser.add_argument("--save", type=pathlib.Path, help="where to write the policy")
    options = parser.parse_args()
    learnt = train(options.game, options.steps, options.looks, options.raw, options.rollout)
    if options.save:
        save(options.save, options.game, learnt)
