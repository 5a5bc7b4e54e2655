"""A position: one game in progress, played move by move from Python.

`play` is the checked door: an action that is not legal is refused with a sentence and changes
nothing. What a seat may see leaves through `observe`, `view` and `told`.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.contract import apply, setup
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.log import clear, entries, new_log, seen_by
from exchequer.core.loops import LOG_ROOM
from exchequer.core.records import NOBODY
from exchequer.core.secret_chance import KEYED, rolls_from


class Refused(InputError):
    """An action that may not be taken now; the sentence says why and cites the paragraph."""


class Position:
    """`(game, content, seats, seed, actions)` is all there is to it; the rest follows."""

    def __init__(self, game: Game, content: Content | None = None, seats: int | None = None,
                 seed: int = 0, mode: Mode | None = None, key: str = "") -> None:
        """With a key (see `secret_chance`) the game is dealt from that instead of the seed."""
        self.game = game
        self.content = content or game.content()
        self.seats = game.seats[0] if seats is None else seats
        game.refuse_seats(self.seats)
        if not 0 <= seed < 2**63:
            raise InputError(f"A seed is a number from 0 to 2^63 - 1, not {seed}.")
        self.seed, self.key = seed, key
        self.engine = game.engine(mode)
        self._states = np.zeros(1, game.state)
        self._log = new_log(LOG_ROOM)
        self._out = np.zeros(game.max_legal, np.int32)
        clear(self._log)
        if key:
            with rolls_from(key):
                self._keyed(setup)(self.state, self.content.record, self.seats, seed, self._log)
        else:
            self.engine.setup(self.state, self.content.record, self.seats, seed, self._log)
        self.actions: list[int] = []
        self.logs: list[np.ndarray] = [entries(self._log)]  # of setup, then of each action
        self.keys: list[str] = []  # from which each action rolled, empty where chance did not fall
        self._before: list[bytes] = []

    @property
    def state(self) -> Any:
        return self._states[0]

    @property
    def actor(self) -> int:
        return int(self.engine.actor(self.state))

    @property
    def is_over(self) -> bool:
        return self.actor == NOBODY

    def legal(self) -> list[int]:
        count = self.engine.legal(self.state, self.content.record, self._out)
        return self._out[:count].tolist()

    def refusal(self, action: int) -> str:
        """Why the action may not be taken now, or an empty text."""
        why = int(self.engine.refusal(self.state, self.content.record, action))
        return self.game.words.refuse(why, self.content) if why else ""

    def play(self, action: int, key: str = "") -> np.ndarray:
        """Take a legal action; returns what happened. With a key (see `secret_chance`) what the
        action leaves to chance is rolled from that.
        """
        if action not in self.legal():
            raise Refused(self.refusal(action) or "That is not among the moves.")
        return self.take(action, key)

    def take(self, action: int, key: str = "") -> np.ndarray:
        """`play` without asking whether it is legal: for moves that were checked before."""
        self._before.append(self.state.tobytes())
        rng = self.state.rng
        clear(self._log)
        self.engine.apply(self.state, self.content.record, action, self._log)
        if key and self.state.rng == rng:
            key = ""
        elif key:  # chance fell: once more, from the key
            self._states[0] = np.frombuffer(self._before[-1], self.game.state)[0]
            clear(self._log)
            with rolls_from(key):
                self._keyed(apply)(self.state, self.content.record, action, self._log)
        self.keys.append(key)
        self.actions.append(action)
        self.logs.append(entries(self._log))
        return self.logs[-1]

    def _keyed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return self.game.engine(Mode.PYTHON).bind(function, KEYED)

    def play_text(self, text: str) -> np.ndarray:
        return self.play(self.game.words.TEXTS.action(text))

    def undo(self) -> None:
        """Take the last action back."""
        if not self.actions:
            raise Refused("There is no move to take back.")
        self._states[0] = np.frombuffer(self._before.pop(), self.game.state)[0]
        self.actions.pop()
        self.keys.pop()
        self.logs.pop()

    def at(self, moves: int) -> "Position":
        """This game as it was after so many moves."""
        past = copy.copy(self)
        past._states = self.earlier(len(self.actions) - moves)
        past.actions, past.keys = self.actions[:moves], self.keys[:moves]
        past.logs, past._before = self.logs[: moves + 1], self._before[:moves]
        return past

    def scores(self) -> list[int]:
        return [int(self.engine.score(self.state, self.content.record, seat))
                for seat in range(self.seats)]

    def winners(self) -> list[int]:
        mask = int(self.engine.winners(self.state, self.content.record))
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    @property
    def ending(self) -> str:
        return self.game.endings(int(self.engine.ending(self.state))).name.lower()

    # What a seat may know ----------------------------------------------------------------------

    def earlier(self, moves: int) -> np.ndarray:
        """The whole state as it was so many moves ago (an array of one)."""
        if moves == 0:
            return self.whole()
        return np.frombuffer(self._before[-moves], self.game.state).copy()

    def whole(self) -> np.ndarray:
        """A copy of the state with everything in it: for when the game is over, and for tests."""
        return self._states.copy()

    def observe(self, seat: int) -> np.ndarray:
        """A copy of the state, blanked of what the seat may not know (an array of one)."""
        observed = self._states.copy()
        self.engine.observe(observed[0], self.content.record, seat)
        return observed

    def imagine(self, seat: int, seed: int) -> np.ndarray:
        """A whole state that the seat cannot tell from the true one."""
        imagined = self.observe(seat)
        self.engine.imagine(imagined[0], self.content.record, seat, seed)
        return imagined

    def view(self, seat: int) -> dict[str, Any]:
        """The game as the seat may see it, as plain data."""
        return self.game.module("view").view(self.observe(seat)[0], self.content, seat)

    def told(self, seat: int | None, names: Sequence[str], since: int = 0,
             until: int | None = None) -> list[str]:
        """What happened from move `since` on, before `until`, in sentences this seat may read.

        NOBODY reads as somebody who only watches; None reads everything, for when it is over.
        """
        sentences = [self.game.words.tell(entry, self.content, names)
                     for log in self.logs[since:until]
                     for entry in (log if seat is None else seen_by(log, seat))]
        return [sentence for sentence in sentences if sentence]

    def has_secrets(self, seat: int) -> bool:
        """Whether anything but coming chance is hidden from the seat now."""
        true, seen = self._states.copy(), self.observe(seat)
        true["rng"] = seen["rng"] = 0
        return true.tobytes() != seen.tobytes()

    @property
    def question(self) -> str:
        """What is asked of the actor, built from what the actor may know."""
        return self.game.words.ask(self.observe(self.actor)[0], self.content)

    def menu(self) -> list[tuple[int, str]]:
        """The legal actions with a line for each, built from what the actor may know."""
        observed = self.observe(self.actor)[0]
        return [(action, self.game.words.describe(observed, self.content, action))
                for action in self.legal()]
