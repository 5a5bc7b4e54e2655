"""PettingZoo: all seats of a game, agent by agent.

    env = exchequer.envs.pettingzoo.env("kingdom")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        action = None if done else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
"""

import operator
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
    return Guarded(raw_env(game, seats, variant, settings, render_mode))


def of_the_game(name: str) -> Any:
    """An attribute that is read from the environment itself and not guard by guard."""
    return property(operator.attrgetter(f"inside.{name}"))


class Guarded(wrappers.OrderEnforcingWrapper):
    """The three guards of PettingZoo's own games. A legal action passes all of them and so goes
    straight to the game; whatever else comes is theirs to answer.
    """

    def __init__(self, env: "raw_env") -> None:
        self.inside = env
        guarded = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
        super().__init__(wrappers.AssertOutOfBoundsWrapper(guarded))

    agents, agent_selection = of_the_game("agents"), of_the_game("agent_selection")
    rewards, _cumulative_rewards = of_the_game("rewards"), of_the_game("_cumulative_rewards")
    terminations, truncations = of_the_game("terminations"), of_the_game("truncations")
    infos = of_the_game("infos")

    def step(self, action: int | None) -> None:
        if self._has_reset and self.inside.took(action):
            self._has_updated = True
        else:
            super().step(action)

    def observe(self, agent: str) -> dict[str, np.ndarray] | None:
        return self.inside.observe(agent) if self._has_reset else super().observe(agent)


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
        self.n_actions = found.n_actions
        self.action_spaces = {agent: spaces.Discrete(self.n_actions)
                              for agent in self.possible_agents}
        width = self.play.encoder.layout.width
        self.observation_spaces = {agent: spaces.Dict({
            "observation": spaces.Box(-1.0, 1.0, (width,), np.float32),
            "action_mask": spaces.Box(0, 1, (self.n_actions,), np.int8),
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
        row, mask = self.play.seen(self.seat_of[agent])
        return {"observation": row, "action_mask": mask}

    def state(self) -> np.ndarray:
        """What all seats know together, for whatever learns with more than a seat may know."""
        return self.play.all_observations()

    def step(self, action: int | None) -> None:
        if not hasattr(self, "agent_selection"):
            raise InputError("Call reset before the first step.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        elif action is None:
            raise InputError(f"{agent} has to choose an action; None is for agents that are done.")
        else:
            self.play.play(whole(action))
            self._go_on(agent)

    def took(self, action: Any) -> bool:
        """Take a legal action of the agent whose turn it is, or do nothing."""
        agent = self.agent_selection
        if self.terminations.get(agent, True) or self.truncations[agent]:
            return False
        try:
            number = operator.index(action)
        except TypeError:
            return False
        if not 0 <= number < self.n_actions or not self.play.took(number):
            return False
        self._go_on(agent)
        return True

    def _go_on(self, agent: str) -> None:
        """What the agents see of a move. Before the end there are no rewards."""
        self._cumulative_rewards[agent] = 0.0
        if not self.play.is_over:
            self.agent_selection = self.possible_agents[self.play.actor]
        if self.play.is_done:
            self._end()
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        if self.play.is_cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
            return
        rewards = self.play.rewards()
        self.rewards = {name: rewards[self.seat_of[name]] for name in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

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
