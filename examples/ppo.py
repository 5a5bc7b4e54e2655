"""PPO in one file: a network plays all seats of many games against itself.

    pip install 'exchequer[envs]' torch
    python examples/ppo.py kingdom --minutes 2

Prints what it gets against players who move at random (1 is every game won, 0 an even share; in
the solo game the score in thousands), and how it grows.
"""

import argparse
import json
import time
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from exchequer.envs.vector import VectorEnv

GAMES, STEPS, EPOCHS, BATCH = 256, 64, 3, 2048
DISCOUNT, TRACE, CLIP, ENTROPY, RATE = 0.999, 0.95, 0.2, 0.01, 5e-4


class Network(nn.Module):
    """What to do and what it is worth, from a row."""

    def __init__(self, width: int, actions: int, hidden: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(),
                                  nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.value = nn.Linear(hidden, actions), nn.Linear(hidden, 1)

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
    def __init__(self, game: str, seed: int = 1) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.game, self.envs = game, VectorEnv(game, GAMES)
        self.network = Network(self.envs.layout.width, self.envs.game.n_actions)
        self.optimizer = torch.optim.Adam(self.network.parameters(), RATE, eps=1e-5)
        self.rows, self.infos = self.envs.reset(seed=seed)
        self.steps = 0

    def collect(self) -> Rollout:
        seen = []
        for _ in range(STEPS):
            rows, masks = as_tensors(self.rows, self.infos)
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

    def against_random(self, games: int = 200) -> float:
        """The mean reward of the first games, one seat each, everybody else at random."""
        envs, random = VectorEnv(self.game, games), np.random.default_rng(7)
        rows, infos = envs.reset(seed=1_000_000)
        own, got, going = np.arange(games) % envs.seats, np.zeros(games), np.ones(games, bool)
        while going.any():
            with torch.no_grad():
                policy, _ = self.network(*as_tensors(rows, infos))
            masks = infos["action_mask"]
            at_random = (random.random(masks.shape) * masks).argmax(axis=1)
            actions = np.where(infos["actor"] == own, policy.sample().numpy(), at_random)
            rows, _, ended, cut, infos = envs.step(actions)
            done = going & (ended | cut)
            got[done] = infos["rewards"][done, own[done]]
            going &= ~done
        return float(got.mean())


def as_tensors(rows: np.ndarray, infos: dict) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.from_numpy(rows), torch.from_numpy(infos["action_mask"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--looks", type=int, default=10, help="how often it is measured")
    options = parser.parse_args()
    learner = Learner(options.game)
    look(learner, 0, 200)  # which compiles, where that has to be done
    begin, looks = time.monotonic(), 1
    while (spent := time.monotonic() - begin) < 60 * options.minutes:
        learner.learn()
        if spent >= looks * 60 * options.minutes / options.looks:
            look(learner, spent, 200)
            looks += 1
    look(learner, spent, 500)


def look(learner: Learner, spent: float, games: int) -> None:
    print(json.dumps({"example": "ppo", "game": learner.game, "seconds": round(spent),
                      "steps": learner.steps, "games": games,
                      "against_random": round(learner.against_random(games), 3)}), flush=True)


if __name__ == "__main__":
    main()
