"""A policy learned in thirty lines, on games whose rows are tensors and never leave the GPU.

    pip install 'exchequer[gpu,torch]'
    python examples/tensors.py kingdom --device cuda --games 65536 --rounds 200
    python examples/tensors.py kingdom --device cpu --games 512 --rounds 60

All seats are played by the same network, which learns from who won: actions that were followed by
a win become more likely. Prints steps a second and, now and then, the mean reward of one seat
against players who move at random (1 is every game won, 0 an even share).
"""

import argparse
import time

import torch
from torch import nn

from exchequer.envs.torch import GpuVectorEnv

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("game")
parser.add_argument("--device", default="cuda")
parser.add_argument("--games", type=int, default=65_536)
parser.add_argument("--rounds", type=int, default=200)
parser.add_argument("--steps", type=int, default=64, help="of each game in a round")
given = parser.parse_args()
torch.manual_seed(1)

envs = GpuVectorEnv(given.game, given.games, device=given.device, checked=False)
body = nn.Sequential(nn.Linear(envs.layout.width, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
network = nn.Sequential(body, nn.Linear(128, envs.game.n_actions + 1)).to(given.device)
optimizer = torch.optim.Adam(network.parameters(), 1e-3)


def look(rows, masks):
    """Chances of the actions, and what the position is worth."""
    out = network(rows)
    logits = out[:, 1:].masked_fill(masks == 0, -1e9)
    return torch.distributions.Categorical(logits=logits, validate_args=False), out[:, 0]


def play(rows, infos):
    """Some steps of all games; what came of each by the end of its game, where that was seen."""
    seen, played = [], []
    for _ in range(given.steps):
        at = rows.clone(), infos["action_mask"].clone(), infos["actor"].long()[:, None].clone()
        with torch.no_grad():
            actions = look(*at[:2])[0].sample()
        rows, _, ended, cut, infos = envs.step(actions)
        seen.append((*at[:2], actions))
        played.append((at[2], infos["rewards"].clone(), (ended | cut).clone()))
    coming, known = torch.zeros_like(infos["rewards"]), torch.zeros_like(ended)
    ends = []
    for seat, rewards, ended in reversed(played):
        coming, known = torch.where(ended[:, None], rewards, coming), known | ended
        ends.append((coming.gather(1, seat)[:, 0], known))
    columns = *zip(*seen, strict=True), *zip(*ends[::-1], strict=True)
    parts = [torch.cat(column) for column in columns]
    return rows, infos, [part[parts[-1]] for part in parts[:-1]]


def learn(rows, masks, actions, results):
    for batch in torch.randperm(len(rows), device=rows.device).split(32_768):
        policy, worth = look(rows[batch], masks[batch])
        gain = (results[batch] - worth).detach()
        loss = ((results[batch] - worth).square() - gain * policy.log_prob(actions[batch])
                - 0.01 * policy.entropy()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def against_random(games=1024):
    envs = GpuVectorEnv(given.game, games, device=given.device)
    rows, infos = envs.reset(seed=10**6)
    own = (torch.arange(games, device=given.device) % envs.seats)[:, None]
    got, going = torch.zeros_like(infos["rewards"][:, :1]), torch.ones_like(own, dtype=torch.bool)
    while going.any():
        mine = look(rows, infos["action_mask"])[0].sample()
        any_move = torch.multinomial(infos["action_mask"].float(), 1)[:, 0]
        actions = torch.where(infos["actor"] == own[:, 0], mine, any_move)
        rows, _, ended, cut, infos = envs.step(actions)
        over = (ended | cut)[:, None] & going
        got, going = torch.where(over, infos["rewards"].gather(1, own), got), going & ~over
    return float(got.mean())


rows, infos = envs.reset(seed=1)
began, steps = time.monotonic(), 0
for number in range(given.rounds):
    rows, infos, lessons = play(rows, infos)
    learn(*lessons)
    steps += given.games * given.steps
    if number % 10 == 9 or number == given.rounds - 1:
        print(f"{steps:,} steps, {steps / (time.monotonic() - began):,.0f} a second, "
              f"{against_random():.2f} against random", flush=True)
