"""PPO in one file: a network plays all seats of many games against itself.

    pip install 'exchequer[envs]' torch
    python examples/ppo.py kingdom --steps 250000 --save kingdom.npz

Prints what it gets against players who move at random (1 is every game won, 0 an even share; in
the solo game the score in thousands), and how it grows. The saved policy plays without PyTorch, see
`examples/ppo_policy.py`.
"""

import argparse
import json
import pathlib
import sys
import time
from typing import NamedTuple

import numpy as np
import ppo_policy
import torch
from torch import nn

from exchequer.envs.vector import VectorEnv

GAMES, STEPS, EPOCHS, BATCH, HIDDEN = 256, 64, 3, 2048, 64
DISCOUNT, TRACE, CLIP, ENTROPY, RATE = 0.999, 0.95, 0.2, 0.01, 5e-4
MOST = 5.0  # spreads from the mean that a column may be


class Scale:
    """Brings each column to mean 0 and spread 1, over all rows that were seen; or leaves it."""

    def __init__(self, width: int, raw: bool) -> None:
        self.raw, self.count, self.mean = raw, 0, np.zeros(width)
        self.variance = np.full(width, float(raw))

    def see(self, rows: np.ndarray) -> None:
        if self.raw:
            return
        self.count += len(rows)
        share, gap = len(rows) / self.count, rows.mean(axis=0) - self.mean
        self.variance += share * (rows.var(axis=0) - self.variance + (1 - share) * gap**2)
        self.mean += share * gap

    @property
    def spread(self) -> np.ndarray:
        return np.sqrt(self.variance + 1e-8).astype(np.float32)

    def __call__(self, rows: np.ndarray) -> torch.Tensor:
        scaled = (rows - self.mean.astype(np.float32)) / self.spread
        return torch.from_numpy(scaled.clip(-MOST, MOST))


class Network(nn.Module):
    """What to do and what it is worth, from a scaled row."""

    def __init__(self, width: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, HIDDEN), nn.ReLU(),
                                  nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.policy, self.value = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)

    def forward(self, rows: torch.Tensor, masks: torch.Tensor
                ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        body = self.body(rows)
        logits = self.policy(body).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(body).squeeze(-1)


class Rollout(NamedTuple):
    """What was seen, done and given: one line a step, one column a game."""

    rows: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    chances: torch.Tensor  # logarithms
    values: torch.Tensor
    actors: np.ndarray
    rewards: np.ndarray  # of every seat
    ended: np.ndarray


class Learner:
    def __init__(self, game: str, seed: int = 1, raw: bool = False) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.game, self.envs = game, VectorEnv(game, GAMES)
        self.scale = Scale(self.envs.layout.width, raw)
        self.network = Network(self.envs.layout.width, self.envs.game.n_actions)
        self.optimizer = torch.optim.Adam(self.network.parameters(), RATE, eps=1e-5)
        self.rows, self.infos = self.envs.reset(seed=seed)
        self.steps = 0

    def collect(self) -> Rollout:
        seen = []
        for _ in range(STEPS):
            self.scale.see(self.rows)
            rows, masks = self.scale(self.rows), torch.from_numpy(self.infos["action_mask"])
            actors = self.infos["actor"].copy()
            with torch.no_grad():
                policy, values = self.network(rows, masks)
            actions = policy.sample()
            self.rows, _, ended, cut, self.infos = self.envs.step(actions.numpy())
            seen.append((rows, masks, actions, policy.log_prob(actions), values, actors,
                         self.infos["rewards"].copy(), ended | cut))
        self.steps += GAMES * STEPS
        columns = list(zip(*seen, strict=True))
        return Rollout(*map(torch.stack, columns[:5]), *map(np.stack, columns[5:]))

    def advantages(self, seen: Rollout) -> tuple[np.ndarray, np.ndarray]:
        """Generalised advantages, each seat's from its own next decision; and which are known."""
        games, seats = np.arange(GAMES), self.envs.seats
        coming, worth, trace = (np.zeros((GAMES, seats)) for _ in range(3))
        is_known = np.zeros((GAMES, seats), bool)
        found, known = np.zeros((STEPS, GAMES)), np.zeros((STEPS, GAMES), bool)
        for step in reversed(range(STEPS)):
            ended = seen.ended[step]
            coming[ended], worth[ended], trace[ended] = seen.rewards[step][ended], 0, 0
            is_known[ended] = True
            at = games, seen.actors[step]
            value = seen.values[step].numpy()
            gain = coming[at] + DISCOUNT * worth[at] - value
            found[step] = trace[at] = gain + DISCOUNT * TRACE * trace[at]
            known[step] = is_known[at]
            coming[at], worth[at], is_known[at] = 0, value, True
        return found, known

    def learn(self) -> None:
        seen = self.collect()
        found, known = self.advantages(seen)
        keep = torch.from_numpy(known.reshape(-1)).nonzero().squeeze(-1)
        advantages = torch.from_numpy(found.astype(np.float32)).reshape(-1)
        flat = [part.flatten(0, 1) for part in seen[:5]]
        targets = advantages + flat[4]
        for _ in range(EPOCHS):
            for batch in keep[torch.randperm(len(keep))].split(BATCH):
                self.improve([part[batch] for part in flat], advantages[batch], targets[batch])

    def improve(self, seen: list[torch.Tensor], advantages: torch.Tensor, targets: torch.Tensor
                ) -> None:
        rows, masks, actions, chances, _ = seen
        policy, values = self.network(rows, masks)
        ratio = (policy.log_prob(actions) - chances).exp()
        scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = torch.min(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
        loss = (values - targets).square().mean() / 2 - gain - ENTROPY * policy.entropy().mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimizer.step()

    def against_random(self, games: int) -> np.ndarray:
        """The rewards of the first games, one seat each, everybody else at random."""
        envs, random = VectorEnv(self.game, games), np.random.default_rng(7)
        rows, infos = envs.reset(seed=1_000_000)
        own, got, going = np.arange(games) % envs.seats, np.zeros(games), np.ones(games, bool)
        while going.any():
            masks = infos["action_mask"]
            with torch.no_grad():
                policy, _ = self.network(self.scale(rows), torch.from_numpy(masks))
            at_random = (random.random(masks.shape) * masks).argmax(axis=1)
            actions = np.where(infos["actor"] == own, policy.sample().numpy(), at_random)
            rows, _, ended, cut, infos = envs.step(actions)
            done = going & (ended | cut)
            got[done] = infos["rewards"][done, own[done]]
            going &= ~done
        return got

    def save(self, file: pathlib.Path) -> None:
        layers = [(layer.weight.detach().numpy(), layer.bias.detach().numpy())
                  for layer in (self.network.body[0], self.network.body[2], self.network.policy)]
        ppo_policy.save(file, self.envs.game, layers, self.scale.mean, self.scale.spread, MOST,
                        f"torch {torch.__version__}")


def look(learner: Learner, games: int) -> None:
    """Print how well it plays, with a 95 % interval."""
    got = learner.against_random(games)
    print(json.dumps({"example": "ppo", "game": learner.game, "version": learner.envs.game.version,
                      "steps": learner.steps, "games": games,
                      "against_random": round(float(got.mean()), 3),
                      "half_interval": round(1.96 * float(got.std()) / games**0.5, 3),
                      "processor_seconds": round(time.process_time()),
                      "command": f"python {' '.join(sys.argv)}"}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--steps", type=int, default=250_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--raw", action="store_true", help="take the rows as they are, unscaled")
    parser.add_argument("--looks", type=int, default=10, help="how often it is measured")
    parser.add_argument("--save", type=pathlib.Path, help="where to write the policy")
    options = parser.parse_args()
    learner = Learner(options.game, options.seed, options.raw)
    for number in range(options.looks):
        look(learner, 200)
        while learner.steps < (number + 1) * options.steps / options.looks:
            learner.learn()
    look(learner, 1000)
    if options.save:
        learner.save(options.save)


if __name__ == "__main__":
    main()
