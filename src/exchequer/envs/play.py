"""One game at full speed: no log, no sentences; what the environments play on."""

import io
import operator
import pathlib
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.find import Wanted, find_game
from exchequer.core.game import Game
from exchequer.core.log import clear, new_log
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.reflection import view_of
from exchequer.core.rows import Encoder
from exchequer.core.screen import screen_of
from exchequer.core.words import seat_names
from exchequer.envs.loops import (
    array_of,
    prepare_single,
    take_action,
    write_rewards,
    write_view,
)

Moment = tuple[bytes, int, tuple[int, ...]]  # a state's bytes, the seed, the actions so far


def chosen(wanted: Wanted, variant: str | None, settings: dict[str, Any] | None,
           seats: int | None) -> tuple[Game, Content, int]:
    """A game, its content and a number of seats it allows."""
    game = find_game(wanted)
    return game, game.variant(variant, settings), game.seats_for(seats)


def whole(action: Any) -> int:
    """An action as its number: 0.9 is none, and neither is "0"."""
    try:
        return operator.index(action)
    except TypeError:
        raise InputError(f"{action!r} is no action; actions are whole numbers.") from None


class Play:
    """A state, its seed and the actions since: enough to play on, copy and replay."""

    def __init__(self, game: Game, content: Content, seats: int, mode: Mode | None = None) -> None:
        self.game, self.content, self.seats = game, content, seats
        self.c = content.record
        self.mode, self.engine = mode, game.engine(mode)
        prepare_single(game, mode)
        self.encoder = Encoder(game, mode)
        self._rewards = self.engine.bind(write_rewards)
        self._take, self._view = self.engine.bind(take_action), self.engine.bind(write_view)
        self.states, self.contents = np.zeros(1, game.state), array_of(self.c)
        self.log = new_log(0)
        self.seed, self.actor = 0, NOBODY
        self.actions: list[int] = []

    def __reduce__(self) -> Any:
        return resumed, (self.game, self.content, self.seats, self.mode, self.clone())

    def start(self, seed: int) -> None:
        self.states[:] = 0
        self.seed, self.actions = seed, []
        clear(self.log)
        self.engine.setup(self.states[0], self.c, self.seats, seed, self.log)
        self._look()

    def _look(self) -> None:
        """Who is asked now; environments want to know again and again, so it is kept."""
        self.actor = int(self.engine.actor(self.states[0]))

    @property
    def is_over(self) -> bool:
        return self.actor == NOBODY

    @property
    def is_cut_off(self) -> bool:
        """Too long: the environment ends it without a winner."""
        return len(self.actions) >= self.game.step_limit and not self.is_over

    @property
    def is_done(self) -> bool:
        return self.is_over or self.is_cut_off

    def why_not(self, action: int) -> str:
        """Why the seat that is asked may not take an action; empty where it may."""
        why = int(self.engine.refusal(self.states[0], self.c, action))
        return self.game.words.refuse(why, self.content, seat_names(self.seats)) if why else ""

    def play(self, action: int) -> None:
        """Carry out an action, or refuse it with a sentence and change nothing."""
        if self.is_done:
            raise InputError("The game is over.")
        if not self.took(action):
            raise InputError(f"The action {action} is illegal: {self.why_not(action)}")

    def took(self, action: int) -> bool:
        """Carry out an action of a game that is not over, or change nothing where it is refused."""
        why, actor = self._take(self.states, self.contents, action, self.log)
        if why:
            return False
        self.actions.append(int(action))
        self.actor = actor
        return True

    def seen(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """`observation` and `mask`, in one call of machine code."""
        row = np.empty(self.encoder.layout.width, np.float32)
        mask = np.zeros(self.game.n_actions, np.int8)
        self._view(self.states, self.contents, seat, *self.encoder.room, row, mask)
        if self.is_cut_off:
            mask[:] = 0
        return row, mask

    def observation(self, seat: int) -> np.ndarray:
        return self.encoder.row(self.states, self.c, seat)

    def all_observations(self) -> np.ndarray:
        """What all seats know together: their rows, one after another."""
        return np.concatenate([self.observation(seat) for seat in range(self.seats)])

    def mask(self, seat: int) -> np.ndarray:
        """The legal actions of the seat that is asked; nothing for the others."""
        if seat != self.actor or self.is_cut_off:
            return np.zeros(self.game.n_actions, np.int8)
        return self.encoder.mask(self.states, self.c)

    def observed(self, seat: int) -> np.ndarray:
        """The state as the seat may see it, for bots."""
        observed = self.states.copy()
        self.engine.observe(observed[0], self.c, seat)
        return observed

    def scores(self) -> list[int]:
        return [int(self.engine.score(self.states[0], self.c, seat)) for seat in range(self.seats)]

    def rewards(self) -> list[float]:
        """What each seat gets now, see `write_rewards`: nothing before the end."""
        rewards = np.zeros(self.seats, np.float64)
        self._rewards(self.states[0], self.c, self.seats, rewards)
        return rewards.tolist()

    def clone(self) -> Moment:
        """Everything needed to come back to this moment."""
        return self.states.tobytes(), self.seed, tuple(self.actions)

    def restore(self, moment: Moment) -> None:
        data, self.seed, actions = moment
        self.lay_out(data, list(actions))

    def lay_out(self, data: bytes, actions: list[int]) -> None:
        """Go on from a state's bytes; `actions` have led there."""
        self.states[:] = np.frombuffer(data, self.game.state)
        self.actions = actions
        self._look()

    def position(self) -> Position:
        """The same game with its log: it is played again from the seed."""
        position = Position(self.game, self.content, self.seats, self.seed, self.mode)
        for action in self.actions:
            position.play(action)
        return position

    def save(self, path: str | pathlib.Path) -> None:
        """Write the game as a replay, which the web table and `exchequer replay` open."""
        self.position().save(path)

    # In words ----------------------------------------------------------------------------------

    def information(self, seat: int) -> str:
        """All the seat sees now, as text: equal for states it cannot tell apart."""
        return f"seat {seat}: {view_of(self.game, self.observed(seat)[0], self.content, seat)}"

    def screen(self, seat: int) -> str:
        """The terminal's screen for a seat, as plain text."""
        from rich.console import Console

        names = seat_names(self.seats)
        console = Console(width=124, no_color=True, force_terminal=False, record=True,
                          file=io.StringIO())
        console.print(screen_of(self.game, self.observed(seat)[0], self.content, seat, names))
        return console.export_text()


def resumed(game: Game, content: Content, seats: int, mode: Mode | None, moment: Moment) -> Play:
    """What a pickled `Play` becomes again."""
    play = Play(game, content, seats, mode)
    play.restore(moment)
    return play
