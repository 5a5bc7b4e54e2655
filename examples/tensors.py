"""A policy learned in thirty lines, on games whose rows are tensors and never leave the GPU.

    pip install 'exchequer[gpu,torch]'
    python examples/tensors.py kingdom --minutes 10 --save examples/policies/kingdom-tensors.npz
    python examples/tensors.py kingdom --device cpu --games 512 --minutes 5
    exchequer evaluate examples/ppo_policy.py:Tensors kingdom

`play` and `learn` are the thirty lines: PPO, with one network in all seats. Prints a line of JSON
now and then: how many steps have been learned from, how many a second (playing and learning, not
counting these looks), and how many games one seat wins against players who move at random.
"""

import argparse
import json
import pathlib
import sys
import time

import ppo_policy
import torch
from torch import nn

from exchequer.envs.torch import GpuVectorEnv

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("game")
parser.add_argument("--device", default="cuda")
parser.add_argument("--games", type=int, default=65_536)
parser.add_argument("--minutes", type=float, default=10)
parser.add_argument("--steps", type=int, default=32, help="of each game in a round")
parser.add_argument("--batches", type=int, default=16, help="of a round")
parser.add_argument("--rate", type=float, default=1e-3)
parser.add_argument("--hidden", type=int, default=128)
parser.add_argument("--looks", type=int, default=10, help="how often it is measured")
parser.add_argument("--save", type=pathlib.Path, help="where to write the policy")
given = parser.parse_args()
torch.manual_seed(1)
torch.set_float32_matmul_precision("high")  # TF32 where a GPU has it
if given.device == "cpu":
    torch.set_num_threads(1)  # more wait for each other where others use the cores, too

envs = GpuVectorEnv(given.game, given.games, device=given.device, checked=False)
scale = nn.BatchNorm1d(envs.layout.width, affine=False, momentum=None).eval()
network = nn.Sequential(
    scale, nn.Hardtanh(-5, 5), nn.Linear(envs.layout.width, given.hidden), nn.ReLU(),
    nn.Linear(given.hidden, given.hidden), nn.ReLU(),
    nn.Linear(given.hidden, envs.game.n_actions + 1)).to(given.device)
optimizer = torch.optim.Adam(network.parameters(), given.rate, eps=1e-5)


def look(rows, masks):
    """Logarithms of the chances of the actions, and what the position is worth."""
    out = network(rows)
    return out[:, 1:].masked_fill(masks == 0, -1e9).log_softmax(1), out[:, 0]


@torch.no_grad()
def play(rows, infos):
    """Some steps of all games: what was seen, done and given, a line a step."""
    seen = []
    for _ in range(given.steps):
        at = rows.clone(), infos["action_mask"].clone(), infos["actor"].long()[:, None]
        chances, worth = look(*at[:2])
        actions = (chances - torch.empty_like(chances).exponential_().log()).argmax(1)
        chance = chances.gather(1, actions[:, None])[:, 0]
        rows, _, ended, cut, infos = envs.step(actions)
        seen.append((*at, actions, chance, worth, infos["rewards"].clone(), ended | cut))
    return rows, infos, [torch.stack(column) for column in zip(*seen, strict=True)]


def gains(seats, worths, rewards, ended, discount=0.999, trace=0.95):
    """How much better each step was than expected, by its seat's next; and where that is known."""
    nothing = torch.zeros_like(rewards[0])
    coming, worth, gain, is_known = nothing, nothing, nothing, nothing.bool()
    found = []
    for step in reversed(range(len(worths))):
        seat, value, reward, over = (part[step] for part in (seats, worths, rewards, ended))
        over, value = over[:, None], value[:, None]
        coming, is_known = torch.where(over, reward, coming), is_known | over
        worth, gain = worth.masked_fill(over, 0), gain.masked_fill(over, 0)
        now = coming.gather(1, seat) + discount * worth.gather(1, seat) - value \
            + discount * trace * gain.gather(1, seat)
        found.append((now[:, 0], is_known.gather(1, seat)[:, 0]))
        worth, gain = worth.scatter(1, seat, value), gain.scatter(1, seat, now)
        coming = coming.scatter(1, seat, 0)
        is_known = is_known.scatter(1, seat, True)
    return [torch.stack(column) for column in zip(*found[::-1], strict=True)]


def learn(rows, masks, seats, actions, chances, worths, rewards, ended):
    """A pass of PPO over a round; returns how many steps it was."""
    gain, is_known = gains(seats, worths, rewards, ended)
    parts = [part.flatten(0, 1) for part in (rows, masks, actions, chances, gain + worths, gain)]
    known = is_known.flatten().nonzero()[:, 0]
    scale.train()(parts[0][::4])  # the means and spreads of all rounds so far
    scale.eval()
    for batch in known[torch.randperm(len(known), device=known.device)].chunk(given.batches):
        rows, masks, actions, chances, results, gain = (part[batch] for part in parts)
        now, worth = look(rows, masks)
        ratio = (now.gather(1, actions[:, None])[:, 0] - chances).exp()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        loss = ((worth - results).square() / 2 + 0.01 * (now.exp() * now).sum(1)
                - torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain)).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 0.5)
        optimizer.step()
    return len(known)


@torch.no_grad()
def against_random(games=1000):
    """The rewards of one seat that takes what it likes best; all others move at random."""
    envs = GpuVectorEnv(given.game, games, device=given.device)
    rows, infos = envs.reset(seed=10**6)
    own = (torch.arange(games, device=given.device) % envs.seats)[:, None]
    got, going = torch.zeros_like(infos["rewards"][:, :1]), torch.ones_like(own, dtype=torch.bool)
    while going.any():
        mine = look(rows, infos["action_mask"])[0].argmax(1)
        actions = torch.where(infos["actor"] == own[:, 0], mine, envs.sample())
        rows, _, ended, cut, infos = envs.step(actions)
        over = (ended | cut)[:, None] & going
        got, going = torch.where(over, infos["rewards"].gather(1, own), got), going & ~over
    return got


def report(steps, seconds):
    got = against_random()
    print(json.dumps({"example": "tensors", "game": given.game, "steps": steps,
                      "steps_per_s": round(steps / max(seconds, 1e-9)), "seconds": round(seconds),
                      "won_against_random": round(float((got > 0).float().mean()), 3),
                      "reward": round(float(got.mean()), 3),
                      "command": f"python {' '.join(sys.argv)}"}), flush=True)


def save(file):
    layers = [(network[place].weight, network[place].bias) for place in (2, 4)]
    layers.append((network[6].weight[1:], network[6].bias[1:]))
    ppo_policy.save(file, envs.game, [[part.detach().cpu().numpy() for part in layer]
                                      for layer in layers], scale.running_mean.cpu().numpy(),
                    (scale.running_var + scale.eps).sqrt().cpu().numpy(), 5.0,
                    f"torch {torch.__version__}, {given.device}")


rows, infos = envs.reset(seed=1)
steps, seconds = 0, 0.0
report(steps, seconds)
for number in range(given.looks):
    while seconds < 60 * given.minutes * (number + 1) / given.looks:
        began = time.monotonic()
        optimizer.param_groups[0]["lr"] = given.rate * (1 - 0.95 * seconds / (60 * given.minutes))
        rows, infos, seen = play(rows, infos)
        steps += learn(*seen)
        if given.device == "cuda":
            torch.cuda.synchronize()
        seconds += time.monotonic() - began
    report(steps, seconds)
    if given.save:
        save(given.save)
