"""Gymnasium: one seat of a game against bots, and the solo game.

    import gymnasium, exchequer.envs.gymnasium
    env = gymnasium.make(exchequer.envs.gymnasium.env_id("kingdom"), opponents="greedy")

Importing this module registers all games. Rewards come at the end, see `loops.write_rewards`. An
illegal action ends nothing and changes nothing: it is answered with a sentence in
`info["refused"]` and a reward of -1. After the end `step` asks for a `reset`.
"""

import pathlib
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from exchequer.bots.bot import Bot
from exchequer.bots.policies import policy_named
from exchequer.core.errors import InputError
from exchequer.core.find import Wanted, address_of, all_games, find_game
from exchequer.envs.pictures import RENDERING, drawable, drawn
from exchequer.envs.play import Play, chosen

ILLEGAL = -1.0  # the reward of an action that is refused


def env_id(wanted: Wanted) -> str:
    """exchequer/treasury_v17-v2.1: the versions of the rules and of the rows."""
    game = find_game(wanted)
    return f"exchequer/{game.name.replace('/', '_')}-v{game.version}"


def register() -> None:
    """Make the games known to `gymnasium.make`; those of one's own once they are found."""
    for game in all_games():
        if env_id(game) not in gymnasium.registry:
            gymnasium.register(env_id(game), entry_point="exchequer.envs.gymnasium:SeatEnv",
                               kwargs={"game": address_of(game)})


class SeatEnv(gymnasium.Env):
    """One seat; bots answer for the others between its questions."""

    metadata = RENDERING

    def __init__(self, game: Wanted, seat: int = 0, opponents: str = "random",
                 seats: int | None = None, variant: str | None = None,
                 settings: dict[str, Any] | None = None, render_mode: str | None = None) -> None:
        found, content, seats = chosen(game, variant, settings, seats)
        policy_named(opponents)  # refuses a name that is none
        if seat not in range(seats):
            raise InputError(f"Seat {seat} is not among the {seats} seats, which count from 0.")
        self.render_mode = drawable(render_mode)
        self.play, self.seat, self.opponents = Play(found, content, seats), seat, opponents
        self.action_space = spaces.Discrete(found.n_actions)
        self.observation_space = spaces.Box(-1.0, 1.0, (self.play.encoder.layout.width,),
                                            np.float32)
        self.bots: list[Bot] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None
              ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self.play.start(int(self.np_random.integers(2**31)))
        self.bots = [Bot(self.play.game, self.opponents, int(self.np_random.integers(2**31)))
                     for _ in range(self.play.seats)]
        self._let_others_play()
        self._show()
        return self.play.observation(self.seat), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        if self.play.is_done:
            raise gymnasium.error.ResetNeeded("The game is over, or has not begun: call reset.")
        if not self.action_space.contains(action):
            raise InputError(f"{action} is no action; these are the whole numbers from 0 to "
                             f"{self.play.game.n_actions - 1}.")
        if not self.play.took(int(action)):
            return (self.play.observation(self.seat), ILLEGAL, False, False,
                    self._info() | {"refused": self.play.why_not(int(action))})
        self._let_others_play()
        self._show()
        return (self.play.observation(self.seat), self.play.rewards()[self.seat],
                self.play.is_over, self.play.is_cut_off, self._info())

    def _let_others_play(self) -> None:
        play = self.play
        while not play.is_done and play.actor != self.seat:
            seat = play.actor
            play.play(self.bots[seat].choose(play.observed(seat), play.content, seat))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.play.mask(self.seat)}

    def action_masks(self) -> np.ndarray:
        """The name under which sb3-contrib's MaskablePPO looks for it."""
        return self.play.mask(self.seat).astype(bool)

    def clone(self) -> Any:
        """A moment of the game to come back to; the bots' own dice are not turned back."""
        return self.play.clone()

    def restore(self, moment: Any) -> None:
        self.play.restore(moment)

    def save(self, path: str | pathlib.Path) -> None:
        """Write the episode so far as a replay."""
        self.play.save(path)

    def render(self) -> Any:
        return drawn(self.play, self.seat, self.render_mode)


register()
