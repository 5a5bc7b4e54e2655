"""What the kernels of the vector environment are handed; no compiler is needed to hand it over."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from exchequer.core.game import Game
from exchequer.core.rows import columns_of, flat_tables, layout_of
from exchequer.envs.loops import Room, Rows
from exchequer.gpu.files import KernelFile, kernel_file

KINDS = ("move", "look", "rows", "sample")  # of kernels; the first three are a step
ENDED, NEW = 32767, 32766  # keys of games that are over, and that are to begin
WARP = 32  # threads that write a row together

Put = Callable[[np.ndarray], Any]  # an array of zeros, or a copy, where the kernels run


class Desk(NamedTuple):
    """What the kernels tell each other."""

    keys: Any  # (n,) i2: what is asked in each game, ENDED or NEW
    seen: Any  # (n, words) u8: State as the seat that is asked may see it
    columns: Any  # (width, 2) i4: what each column of a row holds


def new_desk(game: Game, n: int) -> Desk:
    return Desk(np.zeros(n, np.int16), np.zeros((n, game.state.itemsize // 8), np.uint64),
                columns_of(layout_of(game)))


def given_room(game: Game, put: Put) -> Room:
    """What all threads share."""
    nothing = put(np.zeros((0, 1), np.int64))  # a log without rows counts nothing
    return Room(put(np.zeros(1, game.state)), nothing, (),
                tuple(map(put, flat_tables(layout_of(game)))), nothing, nothing)


def arguments_of(game: Game, kind: str, given: Room, contents: Any, seats: int, rows: Rows,
                 desk: Desk, order: Any = None, actions: Any = None, chances: Any = None
                 ) -> tuple[Any, ...]:
    """What a kernel is handed, in its order."""
    places = layout_of(game).places
    if kind == "move":
        return order, actions, contents, seats, game.step_limit, given.log, rows, desk
    if kind == "look":
        return order, contents, seats, given, places, rows, desk
    return (places, rows, desk) if kind == "rows" else (chances, actions, rows)


def env_file(game: Game, kind: str) -> KernelFile:
    """A kernel of the vector environment; compiled on first need."""
    def build() -> Any:
        from exchequer.envs.kernels import kernel_of

        return kernel_of(game, kind)

    return kernel_file(game, f"env-{kind}", build)
