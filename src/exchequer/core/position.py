"""A position: one game in progress, played move by move from Python.

`play` is the checked door: an action that is not legal is refused with a sentence and changes
nothing. What a seat may see leaves through `observe`, `view` and `told`.
"""

import copy
import pathlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from exchequer.core.agenda import ask_first, asked_together
from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.contract import apply, setup
from exchequer.core.drawn import Drawn
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.log import clear, entries, new_log, seen_by
from exchequer.core.loops import LOG_ROOM
from exchequer.core.records import NOBODY, Glance
from exchequer.core.reflection import view_of
from exchequer.core.secret_chance import KEYED, rolls_from
from exchequer.core.story import Line, Storyteller, Telling
from exchequer.core.words import Move, seat_names

if TYPE_CHECKING:
    from rich.console import RenderableType


class Refused(InputError):
    """An action that may not be taken now; the sentence says why and cites the paragraph."""


class Position(Drawn):
    """A game in progress: `(game, content, seats, seed, actions)` says all, the rest follows.

    `exchequer.game("kingdom").start()` gives one. Printed, it is the board as the seat to move
    sees it.
    """

    actions: list[Move]
    """The moves so far."""
    names: Sequence[str]
    """What the people are called, by seat, in every sentence; ours until others are set."""

    def __init__(self, game: Game, content: Content | None = None, seats: int | None = None,
                 seed: int = 0, mode: Mode | None = None, key: str = "") -> None:
        """With a key (see `secret_chance`) the game is dealt from that instead of the seed."""
        self.game = game
        self.content = content or game.content()
        self.seats = game.seats_for(seats)
        if not 0 <= seed < 2**63:
            raise InputError(f"A seed is a number from 0 to 2^63 - 1, not {seed}.")
        self.seed, self.key = seed, key
        self.names = seat_names(self.seats)
        self.engine = game.engine(mode)
        self._texts = game.words.TEXTS
        self._states = np.zeros(1, game.state)
        self._log = new_log(LOG_ROOM)
        self._out = np.zeros(game.max_legal, np.int32)
        clear(self._log)
        if key:
            with rolls_from(key):
                self._keyed(setup)(self.state, self.content.record, self.seats, seed, self._log)
        else:
            self.engine.setup(self.state, self.content.record, self.seats, seed, self._log)
        self.actions = []
        self.actors: list[int] = []  # who made each of them
        self.logs: list[np.ndarray] = [entries(self._log)]  # of setup, then of each action
        self.keys: list[str] = []  # from which each action rolled, empty where chance did not fall
        self._before: list[bytes] = []

    @property
    def state(self) -> Any:
        """The whole state as a NumPy record; `observe` gives what one seat may know of it."""
        return self._states[0]

    @property
    def actor(self) -> int:
        """The seat to move, counted from 0; -1 when the game is over."""
        return int(self.engine.actor(self.state))

    @property
    def asked(self) -> list[int]:
        """The seats to answer, in the order of the rules; several where a question is sealed. Who
        has begun to answer it finishes first.
        """
        return [self.actor] if self.is_answering else self.together

    @property
    def together(self) -> list[int]:
        """The seats of which the present question is asked, whoever has begun to answer it."""
        if self.is_over or not self.game.sealed:
            return [] if self.is_over else [self.actor]
        return asked_together(self.state, self.game.sealed)

    @property
    def is_answering(self) -> bool:
        """Whether the last move was a part of an answer to the sealed question that is open."""
        if not self.game.sealed or not self.actors or self.actors[-1] != self.actor:
            return False
        before = self.earlier(1)[0]
        questions = {(int(self.engine.question(s)), *asked_together(s, self.game.sealed))
                     for s in (before, self.state)}
        return len(questions) == 1 and int(self.engine.question(before)) in self.game.sealed

    def asking_first(self, seat: int) -> "Position":
        """A position of its own in which this seat's sealed question comes before the others'."""
        turned = self.copy()
        if seat != self.actor:
            ask_first(turned.state, seat, self.game.sealed)
        return turned

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == NOBODY

    def legal(self) -> list[Move]:
        """The moves that may be made now; each is a number that prints as its text."""
        return [self._texts.moves[action] for action in self._legal_ids()]

    def _legal_ids(self) -> list[int]:
        count = self.engine.legal(self.state, self.content.record, self._out)
        return self._out[:count].tolist()

    def _id(self, action: int | str) -> int:
        return self._texts.action(action) if isinstance(action, str) else int(action)

    def refusal(self, action: int | str) -> str:
        """Why an action may not be taken now, as a sentence; empty when it may."""
        why = int(self.engine.refusal(self.state, self.content.record, self._id(action)))
        return self.game.words.refuse(why, self.content, self.names) if why else ""

    def play(self, action: int | str, key: str = "") -> None:
        """Make a move, given as text such as `build:mill`, as a number or as a `Move`.

        Raises `Refused` with the reason when it is not legal; nothing has changed then. With a key
        (see `secret_chance`) what the move leaves to chance is rolled from that.
        """
        action = self._id(action)
        if action not in self._legal_ids():
            raise Refused("The game is over." if self.is_over
                          else self.refusal(action) or "That is not among the moves.")
        self.take(action, key)

    def take(self, action: int, key: str = "") -> None:
        """`play` without asking whether it is legal: for moves that were checked before."""
        self._before.append(self.state.tobytes())
        rng, actor = self.state.rng, self.actor
        clear(self._log)
        try:
            self.engine.apply(self.state, self.content.record, int(action), self._log)
        except BaseException:  # a rule that fails half-way leaves nothing behind
            self._states[0] = np.frombuffer(self._before.pop(), self.game.state)[0]
            raise
        if key and self.state.rng == rng:
            key = ""
        elif key:  # chance fell: once more, from the key
            self._states[0] = np.frombuffer(self._before[-1], self.game.state)[0]
            clear(self._log)
            with rolls_from(key):
                self._keyed(apply)(self.state, self.content.record, int(action), self._log)
        self.keys.append(key)
        self.actors.append(actor)
        self.actions.append(self._texts.moves[action])
        self.logs.append(entries(self._log))

    def _keyed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return self.game.engine(Mode.PYTHON).bind(function, KEYED)

    def undo(self) -> None:
        """Take the last move back."""
        if not self.actions:
            raise Refused("There is no move to take back.")
        self._states[0] = np.frombuffer(self._before.pop(), self.game.state)[0]
        self.actions.pop()
        self.actors.pop()
        self.keys.pop()
        self.logs.pop()

    def copy(self) -> "Position":
        """A position of its own, to try moves on."""
        again = copy.copy(self)
        again._states, again._log = self._states.copy(), self._log.copy()
        again._out = self._out.copy()
        again.actions, again.logs = self.actions.copy(), self.logs.copy()
        again.keys, again.actors = self.keys.copy(), self.actors.copy()
        again._before = self._before.copy()
        return again

    def save(self, path: str | pathlib.Path, names: Sequence[str] = ()) -> None:
        """Write the game as a readable file from which `exchequer.load` plays it again."""
        from exchequer.core.replay import replay_of, write_replay

        write_replay(replay_of(self, list(names)), pathlib.Path(path))

    def at(self, moves: int) -> "Position":
        """This game as it was after so many moves."""
        past = copy.copy(self)
        past._states = self.earlier(len(self.actions) - moves)
        past.actions, past.keys = self.actions[:moves], self.keys[:moves]
        past.actors = self.actors[:moves]
        past.logs, past._before = self.logs[: moves + 1], self._before[:moves]
        return past

    def scores(self) -> list[int]:
        """The points of every seat as they stand now."""
        return [int(self.engine.score(self.state, self.content.record, seat))
                for seat in range(self.seats)]

    def winners(self) -> list[int]:
        """The seats that have won; several share a win, and there are none while the game runs."""
        mask = int(self.engine.winners(self.state, self.content.record))
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    @property
    def ending(self) -> str:
        """Why the game ended, such as `conquest`; `none` while it runs."""
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

    def determinize(self, seat: int, seed: int) -> np.ndarray:
        """A whole state that the seat cannot tell from the true one."""
        world = self.observe(seat)
        self.engine.determinize(world[0], self.content.record, seat, seed)
        return world

    def view(self, seat: int) -> dict[str, Any]:
        """The game as the seat may see it, as plain data."""
        return view_of(self.game, self.observe(seat)[0], self.content, seat)

    def told(self, seat: int | None = None, names: Sequence[str] = (), since: int = 0,
             until: int | None = None) -> list[str]:
        """What happened from move `since` on, before `until`, in sentences this seat may read.

        NOBODY (-1) reads as somebody who only watches; None reads everything, for when it is over.
        """
        names = names or self.names
        sentences = [self.game.words.tell(entry, self.content, names)
                     for log in self.logs[since:until]
                     for entry in (log if seat is None else seen_by(log, seat))]
        return [sentence for sentence in sentences if sentence]

    def story(self, seat: int | None = None, names: Sequence[str] = (), since: int = 0
              ) -> list[Line]:
        """The same as a story: in turns, with routine folded into one line (see `core.story`)."""
        teller = Storyteller(self.game.words, self.content, names or self.names)
        for log in self.logs[:since]:
            teller.skip(log)
        return [line for move in range(since, len(self.logs))
                for line in self.telling(teller, move, seat).lines]

    def telling(self, teller: Storyteller, move: int, seat: int | None) -> Telling:
        """What a seat may read of one move (0 is the deal)."""
        log = self.logs[move] if seat is None else seen_by(self.logs[move], seat)
        mover = self.actors[move - 1] if move else NOBODY
        asked = self.actors[move] if move < len(self.actors) else self.actor
        return teller.tell(log, mover, asked)

    def has_secrets(self, seat: int) -> bool:
        """Whether anything but coming chance is hidden from the seat now."""
        true, seen = self._states.copy(), self.observe(seat)
        true["rng"] = seen["rng"] = 0
        return true.tobytes() != seen.tobytes()

    @property
    def question(self) -> str:
        """What is asked of the seat to move, built from what it may know; empty after the end."""
        if self.is_over:
            return ""
        return self.game.words.ask(*self._asked(), self.names)

    def menu(self) -> list[tuple[Move, str]]:
        """The legal moves with a line for each, built from what the seat to move may know."""
        observed, content = self._asked()
        return [(move, self.game.words.describe(observed, content, int(move), self.names))
                for move in self.legal()]

    def _asked(self) -> tuple[Glance, Content]:
        """What the seat to move knows, for the game's words."""
        return Glance(self.observe(self.actor)[0]), self.content.for_reading

    # How it is drawn ---------------------------------------------------------------------------

    def screen(self, seat: int, names: Sequence[str] = ()) -> "RenderableType":
        """The board as the seat sees it, for Rich to print."""
        from exchequer.core.screen import screen_of

        return screen_of(self.game, self.observe(seat)[0], self.content, seat,
                         names or self.names)

    def verdict(self, names: Sequence[str] = ()) -> str:
        """Who won and why, as a sentence."""
        winners = int(self.engine.winners(self.state, self.content.record))
        said = self.game.words.ending(int(self.engine.ending(self.state)), winners, self.content,
                                      names or self.names)
        return f"The game is over: {said}"

    def outcome(self, names: Sequence[str] = ()) -> str:
        """The same with the points."""
        names = names or self.names
        scores = ", ".join(f"{name} {score}"
                           for name, score in zip(names, self.scores(), strict=False))
        return f"{self.verdict(names)}\nPoints: {scores}."

    def __rich__(self) -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        if self.is_over:
            return Group(self.screen(0), Text(self.outcome()))
        return Group(self.screen(self.actor),
                     Text(f"{self.names[self.actor]} to move: {self.question}"))
