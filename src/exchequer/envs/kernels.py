"""The vector environment on a GPU: a thread for each game, the CPU's own rules for each step."""

from typing import Any

import numba
import numpy as np
from numba import cuda

from exchequer.core.game import Game
from exchequer.core.records import rule
from exchequer.core.rows import flat_tables, layout_of
from exchequer.envs.loops import Room, Rows, begin, look, new_rows, step
from exchequer.gpu.build import DeviceBuild
from exchequer.gpu.kernels import INSTEAD, MAX_LEGAL, STATE_WORDS, State


@rule
def rack(scratch, octets, shorts):
    """A placeholder for the two below: the cards of a state, and where its piles start."""


@rule
def its_rack(scratch, octets, shorts):
    return scratch[0].card, scratch[0].start


@rule
def no_rack(scratch, octets, shorts):
    return octets[:0], shorts[:0]


@rule
def room_in(words, given, out):
    """A thread's own room, around its scratch."""
    scratch, octets, shorts = words.view(State), words.view(np.int8), words.view(np.int16)
    card, start = rack(scratch, octets, shorts)
    views = (octets, words.view(np.uint8), shorts, words.view(np.uint16), words.view(np.int32),
             words.view(np.uint32), words.view(np.int64), card, start)
    return Room(given.blank, scratch, views, given.tables, out, given.log)


@rule
def begin_on_device(contents, seats, given, places, rows):
    i = cuda.grid(1)
    if i < len(rows.states):
        words = cuda.local.array(STATE_WORDS, np.uint64)
        out = cuda.local.array(MAX_LEGAL, np.int32)
        room = room_in(words, given, out)
        begin(i, contents[0], seats, room, rows)
        look(i, contents[0], room, places, rows)


@rule
def step_on_device(actions, contents, seats, limit, given, places, rows):
    i = cuda.grid(1)
    if i < len(rows.states):
        words = cuda.local.array(STATE_WORDS, np.uint64)
        out = cuda.local.array(MAX_LEGAL, np.int32)
        room = room_in(words, given, out)
        step(i, np.int64(actions[i]), contents[0], seats, limit, len(rows.states), room, places,
             rows)


KERNELS = {"begin": begin_on_device, "step": step_on_device}


def arguments_of(game: Game, kind: str, given: Room, contents: Any, seats: int, actions: Any,
                 rows: Rows) -> tuple[Any, ...]:
    """What a kernel is handed, in its order."""
    places = layout_of(game).places
    if kind == "begin":
        return contents, seats, given, places, rows
    return actions, contents, seats, game.step_limit, given, places, rows


def given_room(game: Game, put: Any) -> Room:
    """What all threads share; `put` copies an array to where the kernel runs."""
    nothing = put(np.zeros((0, 1), np.int64))  # a log without rows counts nothing
    return Room(put(np.zeros(1, game.state)), nothing, (),
                tuple(map(put, flat_tables(layout_of(game)))), nothing, nothing)


def kernel_of(game: Game, kind: str) -> DeviceBuild:
    """A kernel of the vector environment, bound to a game."""
    given, contents = given_room(game, np.asarray), np.atleast_1d(game.content().record)
    some = arguments_of(game, kind, given, contents, 1, np.zeros(1, np.int64),
                        new_rows(game, 1, 1))
    has_cards = "card" in (game.state.names or ())
    instead = {**INSTEAD, rack: its_rack if has_cards else no_rack}
    return DeviceBuild(game, (KERNELS[kind],), instead, tuple(map(numba.typeof, some)))
