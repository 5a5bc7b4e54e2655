"""PettingZoo: all seats of a game, agent by agent.

    env = exchequer.envs.pettingzoo.env("kingdom")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        action = None if done else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
"""

import pathlib
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from exchequer.core.errors import InputError
from exchequer.core.find import Wanted
from exchequer.envs.pictures import RENDERING, drawable, drawn
from exchequer.envs.play import Play, chosen, whole


def env(game: Wanted, seats: int | None = None, variant: str | None = None,
        settings: dict[str, Any] | None = None, render_mode: str | None = None) -> AECEnv:
    """The environment with PettingZoo's usual guards around it."""
    guarded = raw_env(game, seats, variant, settings, render_mode)
    guarded = wrappers.TerminateIllegalWrapper(guarded, illegal_reward=-1)
    guarded = wrappers.AssertOutOfBoundsWrapper(guarded)
    return wrappers.OrderEnforcingWrapper(guarded)


class raw_env(AECEnv):  # noqa: N801 - the name PettingZoo's own games use
    """The environment itself. `clone` and `restore` go back to any moment in microseconds.

    An illegal action is refused with an InputError and changes nothing; `env` ends the game there.
    """

    metadata = RENDERING | {"is_parallelizable": False}

    def __init__(self, game: Wanted, seats: int | None = None, variant: str | None = None,
                 settings: dict[str, Any] | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        found, content, seats = chosen(game, variant, settings, seats)
        self.play = Play(found, content, seats)
        self.metadata = self.metadata | {
            "name": f"exchequer_{found.name.replace('/', '_')}_v{found.version}"}
        self.render_mode = drawable(render_mode)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(found.n_actions)
                              for agent in self.possible_agents}
        width = self.play.encoder.layout.width
        self.observation_spaces = {agent: spaces.Dict({
            "observation": spaces.Box(-1.0, 1.0, (width,), np.float32),
            "action_mask": spaces.Box(0, 1, (found.n_actions,), np.int8),
        }) for agent in self.possible_agents}
        self.state_space = spaces.Box(-1.0, 1.0, (seats * width,), np.float32)
        self.random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.play.start(int(self.random.integers(2**31)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.play.actor]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seat = self.seat_of[agent]
        return {"observation": self.play.observation(seat), "action_mask": self.play.mask(seat)}

    def state(self) -> np.ndarray:
        """What all seats know together, for whatever learns with more than a seat may know."""
        return self.play.all_observations()

    def step(self, action: int | None) -> None:
        if not hasattr(self, "agent_selection"):
            raise InputError("Call reset before the first step.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError(f"{agent} has to choose an action; None is for agents that are done.")
        self.play.play(whole(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.play.is_over:
            rewards = self.play.rewards()
            self.rewards = {name: rewards[self.seat_of[name]] for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.play.is_cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
        if not self.play.is_over:
            self.agent_selection = self.possible_agents[self.play.actor]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def clone(self) -> Any:
        """A moment to come back to."""
        return (self.play.clone(), self.agent_selection, list(self.agents), dict(self.rewards),
                dict(self._cumulative_rewards), dict(self.terminations), dict(self.truncations))

    def restore(self, moment: Any) -> None:
        (play, self.agent_selection, agents, rewards, cumulative, terminations,
         truncations) = moment
        self.play.restore(play)
        self.agents, self.rewards = list(agents), dict(rewards)
        self._cumulative_rewards = dict(cumulative)
        self.terminations, self.truncations = dict(terminations), dict(truncations)
        self.infos = {agent: {} for agent in self.agents}

    def save(self, path: str | pathlib.Path) -> None:
        """Write the episode so far as a replay."""
        self.play.save(path)

    def render(self) -> str | np.ndarray | None:
        return drawn(self.play, self.seat_of.get(self.agent_selection, 0), self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
