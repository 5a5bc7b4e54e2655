"""PettingZoo's parallel interface: whoever is asked answers in the same step.

    env = exchequer.envs.parallel.parallel_env("greement", seats=4)
    observations, infos = env.reset(seed=1)
    while env.agents:
        actions = {agent: env.action_space(agent).sample(observations[agent]["action_mask"])
                   for agent in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)

Where a question is sealed (votes, first loans, bids), all seats that it is asked of answer at once,
none knowing the others' answers; elsewhere one seat moves. The last action of the space is to wait:
it is all that a seat may do that is not asked, and nothing that a seat may do that is.
"""

import pathlib
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from exchequer.core.agenda import ask_first, asked_together
from exchequer.core.errors import InputError
from exchequer.core.find import Wanted
from exchequer.envs.pettingzoo import raw_env
from exchequer.envs.pictures import RENDERING, drawn
from exchequer.envs.play import Play, whole

Seen = dict[str, dict[str, np.ndarray]]
Infos = dict[str, dict[str, Any]]


class parallel_env(ParallelEnv):  # noqa: N801 - the name PettingZoo's own games use
    """All seats of a game, those asked at once."""

    metadata = RENDERING | {"is_parallelizable": True}

    def __init__(self, game: Wanted, seats: int | None = None, variant: str | None = None,
                 settings: dict[str, Any] | None = None, render_mode: str | None = None) -> None:
        one_by_one = raw_env(game, seats, variant, settings, render_mode)
        self.play, self.render_mode = one_by_one.play, one_by_one.render_mode
        self.metadata = self.metadata | {"name": one_by_one.metadata["name"]}
        self.possible_agents, self.seat_of = one_by_one.possible_agents, one_by_one.seat_of
        self.state_space = one_by_one.state_space
        self.agents: list[str] = []
        self.wait = self.play.game.n_actions
        actions, width = self.wait + 1, self.play.encoder.layout.width
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: spaces.Dict({
            "observation": spaces.Box(-1.0, 1.0, (width,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }) for agent in self.possible_agents}
        self.asking = Play(self.play.game, self.play.content, self.play.seats)
        self.answered: dict[int, int] = {}  # by seat; those whose turn has not come
        self.is_started = False
        self.random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None
              ) -> tuple[Seen, Infos]:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.play.start(int(self.random.integers(2**31)))
        self.agents, self.answered, self.is_started = list(self.possible_agents), {}, True
        return self._seen(self.agents), {agent: {} for agent in self.agents}

    def asked(self) -> list[int]:
        """The seats that have to answer now, in the order of the rules."""
        if self.play.is_done:
            return []
        together = asked_together(self.play.states[0], self.play.game.sealed)
        return [seat for seat in together if seat not in self.answered]

    def step(self, actions: dict[str, int]) -> tuple[
            Seen, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Take everybody's answer; one that is illegal is refused, and none is carried out."""
        self.answered |= self._checked(actions)
        while not self.play.is_done and self.play.actor in self.answered:
            self.play.play(self.answered.pop(self.play.actor))
        play, agents = self.play, self.agents
        rewards = play.rewards()
        infos: Infos = {agent: {} for agent in agents}
        if play.is_done:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (self._seen(agents), {agent: rewards[self.seat_of[agent]] for agent in agents},
                dict.fromkeys(agents, play.is_over), dict.fromkeys(agents, play.is_cut_off), infos)

    def _checked(self, actions: dict[str, int]) -> dict[int, int]:
        """The answers of those who are asked."""
        if not self.is_started:
            raise InputError("Call reset before the first step.")
        if missing := ", ".join(agent for agent in self.agents if agent not in actions):
            raise InputError(f"Every agent needs an action; {missing} has none. Whoever is not "
                             f"asked waits: {self.wait}.")
        asked, given = self.asked(), {self.seat_of[agent]: whole(actions[agent])
                                      for agent in self.agents}
        for seat, action in given.items():
            if action == self.wait and seat not in asked:
                continue
            why = self._as_asked(seat).why_not(action) if seat in asked else "it is not asked."
            if why or action == self.wait:
                raise InputError(f"The action {action} of seat_{seat} is illegal: "
                                 f"{why or 'it is asked, and cannot wait.'}")
        return {seat: given[seat] for seat in asked}

    def _as_asked(self, seat: int) -> Play:
        """The game in which this seat's question comes before those of the others."""
        if seat == self.play.actor:
            return self.play
        self.asking.states[:] = self.play.states
        ask_first(self.asking.states[0], seat, self.play.game.sealed)
        self.asking.lay_out(self.asking.states.tobytes(), [])
        return self.asking

    def _seen(self, agents: list[str]) -> Seen:
        asked = self.asked()
        return {agent: self._seen_by(self.seat_of[agent], self.seat_of[agent] in asked)
                for agent in agents}

    def _seen_by(self, seat: int, is_asked: bool) -> dict[str, np.ndarray]:
        play = self._as_asked(seat) if is_asked else self.play
        mask = np.zeros(self.wait + 1, np.int8)
        if is_asked:
            mask[:-1] = play.mask(seat)
        else:
            mask[-1] = 1
        return {"observation": play.observation(seat).copy(), "action_mask": mask}

    def state(self) -> np.ndarray:
        """What all seats know together, in the order of the rules."""
        return self.play.all_observations()

    def save(self, path: str | pathlib.Path) -> None:
        """Write the episode so far as a replay; answers that wait for others are not in it."""
        self.play.save(path)

    def render(self) -> str | np.ndarray | None:
        return drawn(self.play, max(self.play.actor, 0), self.render_mode)
