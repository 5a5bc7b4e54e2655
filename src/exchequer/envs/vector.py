"""Many games at once, as a Gymnasium vector environment over the compiled rules.

    envs = VectorEnv("kingdom", 1024, threads=2)
    observations, infos = envs.reset(seed=1)
    while training:
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)

All seats are the caller's to play: each row is a game seen by the seat that is asked
(`infos["actor"]`). `rewards` is what the seat that has just moved gets, and `infos["rewards"]` has
a column for every seat. A game that ends starts anew in the same step (Gymnasium's
`AutoresetMode.SAME_STEP`): the row is then the first of the new game, and `infos["final_obs"]`
holds what the seat that moved saw last, where `infos["_final_obs"]` says so.

With `observations="bytes"` a row is the state itself, as far as the seat sees it: sooner written,
and a third as large to keep. `envs.records(rows)` names its numbers
(`records["gold"]`), and `envs.floats(rows, actors)` makes the usual rows where they are wanted.

`reset(options={"reset_mask": mask})` starts some games anew, as Gymnasium's own vectors do. `clone`
and `restore` come back to a moment, also in other games: `envs.restore(envs.clone([3]))` lays out
the game in place 3 everywhere.
"""

import itertools
import operator
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from exchequer.core.errors import InputError
from exchequer.core.find import Wanted
from exchequer.core.rows import layout_of
from exchequer.envs.loops import (
    BYTES,
    MOST_SEEDS,
    Room,
    Rows,
    array_of,
    begin_all,
    floats_all,
    illegal_all,
    look_all,
    new_room,
    new_rows,
    prepare_vector,
    step_all,
)
from exchequer.envs.play import chosen

FLOATS, AS_BYTES = "floats", "bytes"
MADE = {"_parts", "_rows", "_rooms", "_contents", "_pool", "_begin", "_look", "_step", "_illegal",
        "_floats"}
# what is made anew where an environment is unpickled

Infos = dict[str, Any]
Moment = tuple[np.ndarray, np.ndarray, np.ndarray]  # states, seeds and numbers of moves
Games = slice | Sequence[int] | np.ndarray  # places of games
Step = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Infos]


class VectorEnv(gymnasium.vector.VectorEnv):
    """`num_envs` games of one kind; game i takes seeds seed + i, seed + num_envs + i, and so on.

    With `copy=False` the arrays are written anew by each step instead of copied.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP,  # noqa: RUF012
                                "render_modes": []}

    def __init__(self, game: Wanted, num_envs: int, seats: int | None = None,
                 variant: str | None = None, settings: dict[str, Any] | None = None,
                 threads: int = 1, copy: bool = True, observations: str = FLOATS) -> None:
        self.game, self.content, self.seats = chosen(game, variant, settings, seats)
        if num_envs < 1 or threads < 1:
            raise InputError("A vector environment needs at least one game and one thread, not "
                             f"{num_envs} and {threads}.")
        if observations not in (FLOATS, AS_BYTES):
            raise InputError(f"Observations are {FLOATS} or {AS_BYTES}, not {observations!r}.")
        self.num_envs, self.threads, self.copy = num_envs, threads, copy
        self.as_bytes = observations == AS_BYTES
        prepare_vector(self.game, self.as_bytes)
        self.layout = layout_of(self.game)
        self.single_observation_space = (
            spaces.Box(0, 255, (self.game.state.itemsize,), np.uint8) if self.as_bytes
            else spaces.Box(-1.0, 1.0, (self.layout.width,), np.float32))
        self.single_action_space = spaces.Discrete(self.game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.rows = new_rows(self.game, self.seats, num_envs, self.as_bytes)
        self.is_started = False
        self._make_workers()

    def _make_workers(self) -> None:
        """Each thread plays its own part of the games, in room of its own."""
        ends = np.linspace(0, self.num_envs, min(self.threads, self.num_envs) + 1).astype(int)
        self._parts = [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]
        self._rows = [self.rows.part(part) for part in self._parts]
        self._rooms = [new_room(self.game) for _ in self._parts]
        self._contents = array_of(self.content.record)
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        engine, instead = self.game.engine(), BYTES if self.as_bytes else None
        self._begin, self._illegal = engine.bind(begin_all), engine.bind(illegal_all)
        self._look, self._step = engine.bind(look_all, instead), engine.bind(step_all, instead)
        self._floats = engine.bind(floats_all)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items()
                if name not in MADE}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_workers()

    def _each(self, play: Callable[[slice, Rows, Room], None]) -> None:
        if self._pool is None:
            play(self._parts[0], self._rows[0], self._rooms[0])
        else:
            list(self._pool.map(play, self._parts, self._rows, self._rooms))

    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[np.ndarray, Infos]:
        """Start the games. A list has a seed for each; None goes on from the last seeds.

        With `options={"reset_mask": mask}` only those games start anew in which the mask is True.
        """
        games = self._asked_for(options or {})
        self.rows.seeds[games] = self._first_seeds(seed)[games]
        for array in (self.rows.rewards, self.rows.terminations, self.rows.truncations):
            array[games] = 0
        if isinstance(games, slice):
            self._each(self._start)
        else:
            for i in games.tolist():
                part = slice(i, i + 1)
                self._start(part, self.rows.part(part), self._rooms[0])
        self.is_started = True
        return self._shown(self.rows.observations), self._seen()

    def _start(self, part: slice, rows: Rows, room: Room) -> None:
        self._begin(self._contents, self.seats, room, rows)
        self._look_at(part, rows, room)

    def _look_at(self, part: slice, rows: Rows, room: Room) -> None:
        self._look(self._contents, room, self.layout.places, rows)

    def _asked_for(self, options: dict[str, Any]) -> slice | np.ndarray:
        """The games that `reset` is about."""
        if unknown := ", ".join(name for name in options if name != "reset_mask"):
            raise InputError(f"There is no option {unknown}; there is reset_mask.")
        if "reset_mask" not in options:
            return slice(None)
        if not self.is_started:
            raise gymnasium.error.ResetNeeded("All games must have begun before some begin anew.")
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise InputError(f"reset_mask has {self.num_envs} times True or False, one a game, and "
                             "is not False throughout.")
        return np.flatnonzero(mask)

    def _first_seeds(self, seed: int | Sequence[int | None] | None) -> np.ndarray:
        after = self.rows.seeds + np.uint64(self.num_envs)
        if seed is None:
            return after if self.is_started else np.arange(self.num_envs, dtype=np.uint64)
        given = self._listed(seed)
        if len(given) != self.num_envs or \
                not all(each is None or 0 <= each < MOST_SEEDS for each in given):
            raise InputError(f"{self.num_envs} seeds from 0 to 2^62 are needed, or one to count "
                             f"from, not {seed}.")
        return np.array([old if new is None else new
                         for old, new in zip(after.tolist(), given, strict=True)], np.uint64)

    def _listed(self, seed: int | Sequence[int | None]) -> list[int | None]:
        """A seed for each game."""
        try:
            if np.ndim(seed) == 0:  # type: ignore[arg-type]
                first = operator.index(seed)  # type: ignore[arg-type]
                return [first + i for i in range(self.num_envs)]
            return [None if one is None else operator.index(one)
                    for one in seed]  # type: ignore[union-attr]
        except TypeError:
            raise InputError(f"Seeds are whole numbers, not {seed}.") from None

    def clone(self, games: Games = slice(None)) -> Moment:
        """A moment of all games, or of some, to come back to."""
        return (self.rows.states[games].copy(), self.rows.seeds[games].copy(),
                self.rows.steps[games].copy())

    def restore(self, moment: Moment, games: Games = slice(None)) -> tuple[np.ndarray, Infos]:
        """Lay out a moment; that of one game fits any number of them. Returns what `reset` does."""
        if not self.is_started:
            raise gymnasium.error.ResetNeeded("Call reset before restore.")
        for array, kept in zip((self.rows.states, self.rows.seeds, self.rows.steps), moment,
                               strict=True):
            array[games] = kept
        self._each(self._look_at)
        return self._shown(self.rows.observations), self._seen()

    def step(self, actions: np.ndarray) -> Step:
        """One move in each game; where an action is illegal, none is carried out in any."""
        actions = self._checked(np.asarray(actions))
        self._each(lambda part, rows, room: self._step(
            actions[part], self._contents, self.seats, self.game.step_limit, self.num_envs,
            room, self.layout.places, rows))
        rows = self.rows
        return (self._shown(rows.observations), rows.gained.astype(np.float64),
                rows.terminations.copy(), rows.truncations.copy(), self._infos())

    def _checked(self, actions: np.ndarray) -> np.ndarray:
        if not self.is_started:
            raise gymnasium.error.ResetNeeded("Call reset before the first step.")
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise InputError(self._wanted())
        whole = np.ascontiguousarray(actions, np.int64)
        if self._illegal(whole, self.rows.masks):
            raise InputError(self._why_not(whole))
        return whole

    def _wanted(self) -> str:
        return (f"{self.num_envs} whole numbers from 0 to {self.game.n_actions - 1} are needed, "
                "one action a game.")

    def _why_not(self, actions: np.ndarray) -> str:
        if actions.min() < 0 or actions.max() >= self.game.n_actions:
            return self._wanted()
        illegal = np.flatnonzero(self.rows.masks[np.arange(self.num_envs), actions] == 0)
        return (f"{len(illegal)} of the actions are illegal, the first in game {illegal[0]}; "
                "nothing was carried out. Choose among those whose mask is 1.")

    def records(self, rows: np.ndarray) -> np.ndarray:
        """Rows of bytes with the names of the state's fields: `records(rows)["gold"]`."""
        size = self.game.state.itemsize
        if rows.dtype != np.uint8 or rows.shape[-1:] != (size,):
            raise InputError(f"Rows of {size} bytes are needed, as observations=\"{AS_BYTES}\" "
                             f"gives them, not {rows.dtype} of shape {rows.shape}.")
        return np.ascontiguousarray(rows).view(self.game.state)[..., 0]

    def floats(self, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Rows of floats for rows of bytes, each as the seat saw it that is given with it."""
        records, seats = self.records(rows), np.asarray(seats)
        if seats.shape != records.shape or records.ndim != 1 or not all_below(seats, self.seats):
            raise InputError(f"Each row needs a seat from 0 to {self.seats - 1}.")
        floats = np.zeros((len(records), self.layout.width), np.float32)
        self._floats(records, seats.astype(np.int32), new_room(self.game), self.layout.places,
                     floats)
        return floats

    def _shown(self, array: np.ndarray) -> np.ndarray:
        rows = array.view(np.uint8).reshape(self.num_envs, -1) if self.as_bytes else array
        return self._given(rows)

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _seen(self) -> Infos:
        rows = self.rows
        return {"action_mask": self._given(rows.masks), "actor": self._given(rows.actors),
                "rewards": self._given(rows.rewards)}

    def _infos(self) -> Infos:
        """After a step: with what the games that have ended had to show."""
        rows, infos = self.rows, self._seen()
        ended = rows.terminations | rows.truncations
        if ended.any():
            infos |= {"final_obs": self._shown(rows.finals), "_final_obs": ended,
                      "final_info": {"rewards": infos["rewards"], "_rewards": ended},
                      "_final_info": ended}
        return infos

    def close_extras(self, **_: Any) -> None:
        if self._pool:
            self._pool.shutdown()


def all_below(seats: np.ndarray, end: int) -> bool:
    return seats.dtype.kind in "iu" and bool(((seats >= 0) & (seats < end)).all())
