"""Gymnasium: one seat of a game against bots, and the solo game.

    import gymnasium, exchequer.envs.gymnasium
    env = gymnasium.make("exchequer/kingdom-v1", opponents="greedy")

Importing this module registers all games. An illegal action ends nothing and changes nothing: it
is answered with a sentence in `info["refused"]` and a reward of -1.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from exchequer.bots.bot import Bot
from exchequer.bots.policies import policy_named
from exchequer.core.errors import InputError
from exchequer.core.find import Wanted, address_of, all_games, find_game
from exchequer.core.words import seat_names
from exchequer.envs.pictures import picture
from exchequer.envs.play import Play, chosen


def env_id(wanted: Wanted) -> str:
    """exchequer/treasury_v17-v1: a rules change that alters behaviour raises the number."""
    game = find_game(wanted)
    return f"exchequer/{game.name.replace('/', '_')}-v{game.rules_version}"


def register() -> None:
    """Make the games known to `gymnasium.make`; those of one's own once they are found."""
    for game in all_games():
        if env_id(game) not in gymnasium.registry:
            gymnasium.register(env_id(game), entry_point="exchequer.envs.gymnasium:SeatEnv",
                               kwargs={"game": address_of(game)})


class SeatEnv(gymnasium.Env):
    """One seat; bots answer for the others between its questions."""

    def __init__(self, game: Wanted, seat: int = 0, opponents: str = "random",
                 seats: int | None = None, variant: str | None = None,
                 settings: dict[str, Any] | None = None, render_mode: str | None = None) -> None:
        found, content, seats = chosen(game, variant, settings, seats)
        policy_named(opponents)  # refuses a name that is none
        if not 0 <= seat < seats:
            raise InputError(f"Seat {seat} is not among the {seats} seats, which count from 0.")
        self.play, self.seat, self.opponents = Play(found, content, seats), seat, opponents
        self.metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}
        self.render_mode = render_mode
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
        return self.play.observation(self.seat), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        mask = self.play.mask(self.seat)
        if not mask[action]:
            info = self._info() | {"refused": self.why_not(int(action))}
            return self.play.observation(self.seat), -1.0, False, False, info
        before = self.play.scores()[0]
        self.play.apply(int(action))
        self._let_others_play()
        over, cut = self.play.is_over, self.play.is_cut_off and not self.play.is_over
        if self.play.seats == 1:
            reward = (self.play.scores()[0] - before) / 1000
        else:
            reward = self.play.rewards()[self.seat] if over else 0.0
        return self.play.observation(self.seat), reward, over, cut, self._info()

    def _let_others_play(self) -> None:
        play = self.play
        while not play.is_over and play.actor != self.seat and not play.is_cut_off:
            seat = play.actor
            play.apply(self.bots[seat].choose(play.observed(seat), play.content, seat))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}

    def action_masks(self) -> np.ndarray:
        """The name under which sb3-contrib's MaskablePPO looks for it."""
        return self.play.mask(self.seat).astype(bool)

    def why_not(self, action: int) -> str:
        why = int(self.play.engine.refusal(self.play.states[0], self.play.c, action))
        names = seat_names(self.play.seats)
        return self.play.game.words.refuse(why, self.play.content, names) if why else ""

    def clone(self) -> Any:
        """A moment of the game to come back to; the bots' own dice are not turned back."""
        return self.play.clone()

    def restore(self, moment: Any) -> None:
        self.play.restore(moment)

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        text = self.play.screen(self.seat)
        return text if self.render_mode == "ansi" else picture(text)


register()
