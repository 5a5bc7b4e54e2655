"""A random game through PettingZoo, and a thousand at once through the vector environment."""

import numpy as np

from exchequer.envs import pettingzoo
from exchequer.envs.vector import VectorEnv


def one_game(name: str = "kingdom", seed: int = 1) -> dict[str, float]:
    env = pettingzoo.env(name)
    env.reset(seed=seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, cut, _ = env.last()
        totals[agent] += reward
        done = ended or cut
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    return totals


def many_games(name: str = "kingdom", games: int = 1000, steps: int = 100) -> int:
    envs = VectorEnv(name, games)
    random = np.random.default_rng(0)
    _, infos = envs.reset(seed=1)
    finished = 0
    for _ in range(steps):
        masks = infos["action_mask"]
        actions = (random.random(masks.shape) * masks).argmax(axis=1)
        _, _, ended, cut, infos = envs.step(actions)
        finished += int((ended | cut).sum())
    return finished


if __name__ == "__main__":
    print("one game:", one_game())
    print("games finished among a thousand after 100 moves each:", many_games())
