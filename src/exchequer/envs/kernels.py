"""The vector environment on a GPU: the CPU's own rules, in three kernels for a step.

A thread of `move` carries out the action of a game, one of `look` begins the next game where one
is over and writes down what may be done and seen, and a warp of `rows` writes what was seen as a
row. Threads of a warp that do different things wait for each other, so games are taken in an
`order`: by action before they move, by what is asked before they are looked at.
"""

import numba
import numpy as np
from numba import cuda

from exchequer.core.agenda import asked
from exchequer.core.contract import actor, observe, question
from exchequer.core.game import Game
from exchequer.core.records import rule
from exchequer.core.rows import (
    ITEM,
    NUMBERS,
    OF_I2,
    OF_ITEM,
    QUESTION,
    SEAT,
    SIZE,
    float_at,
    no_legal,
    squeeze,
    write_mask,
)
from exchequer.envs.device import ENDED, NEW, WARP, arguments_of, given_room, new_desk
from exchequer.envs.loops import Room, begin, copy_state, move, new_rows, nth_legal, renew
from exchequer.gpu.build import DeviceBuild
from exchequer.gpu.kernels import INSTEAD, MAX_LEGAL, STATE_WORDS, State

# In the place of the CPU's rules -----------------------------------------------------------------

@rule
def copy_words(to, i, states, j):
    """Word by word: a record copied as a whole is copied byte by byte."""
    target, source = to.view(np.uint64), states.view(np.uint64)
    for word in range(STATE_WORDS):
        target[i * STATE_WORDS + word] = source[j * STATE_WORDS + word]


@rule
def keep(mask):
    """All masks are blanked at once, before the kernel."""


@rule
def rack(scratch, octets, shorts):
    """A placeholder for the two below: the cards of a state, and where its piles start."""


@rule
def its_rack(scratch, octets, shorts):
    return scratch[0].card, scratch[0].start


@rule
def no_rack(scratch, octets, shorts):
    return octets[:0], shorts[:0]


# Games -------------------------------------------------------------------------------------------

@rule
def views_of(words):
    """A state as numbers of each type, its rack and its piles."""
    scratch, octets, shorts = words.view(State), words.view(np.int8), words.view(np.int16)
    card, start = rack(scratch, octets, shorts)
    return (octets, words.view(np.uint8), shorts, words.view(np.uint16), words.view(np.int32),
            words.view(np.uint32), words.view(np.int64), card, start)


@rule
def move_on_device(order, actions, contents, seats, limit, log, rows, desk):
    place = cuda.grid(1)
    if place < len(order):
        i = np.int64(order[place])
        is_over = move(i, np.int64(actions[i]), contents[0], seats, limit, log, rows)
        desk.keys[i] = ENDED if is_over else question(rows.states[i])


@rule
def look_on_device(order, contents, seats, given, places, rows, desk):
    place = cuda.grid(1)
    if place < len(order):
        i, c, words = np.int64(order[place]), contents[0], desk.seen[order[place]]
        out = cuda.local.array(MAX_LEGAL, np.int32)
        room = Room(given.blank, words.view(State), views_of(words), given.tables, out, given.log)
        if desk.keys[i] == ENDED:
            renew(i, c, seats, len(rows.states), room, places, rows)
        elif desk.keys[i] == NEW:
            begin(i, c, seats, room, rows)
        rows.actors[i] = actor(rows.states[i])
        write_mask(rows.states[i], c, out, rows.masks[i])
        copy_state(room.scratch, 0, rows.states, i)
        observe(room.scratch[0], c, rows.actors[i])


@rule
def sample_on_device(chances, actions, rows):
    i = cuda.grid(1)
    if i < len(actions):
        actions[i] = nth_legal(rows.masks[i], chances[i])


# Rows --------------------------------------------------------------------------------------------

@rule
def item_at(s, place):
    """A column of the agenda, as `rows.write_agenda`."""
    if place // OF_ITEM >= s.todo:
        return np.float32(0.0)
    item, column = s.agenda[s.todo - 1 - place // OF_ITEM], place % OF_ITEM
    if column == 0:
        return squeeze(item.what + 1, OF_I2)
    if column == 1:
        return squeeze(item.seat, OF_I2)
    if column == 2:
        return squeeze(item.a, OF_I2)
    return squeeze(item.b, OF_I2)


@rule
def cell(s, views, kind, place, seat):
    """What stands in a column; where cards are, is written by `write_known`."""
    if kind < NUMBERS:
        return float_at(views, kind, place)
    if kind == SEAT:
        return np.float32(1.0 if place == seat else 0.0)
    if kind == QUESTION:
        return np.float32(1.0 if place == asked(s) else 0.0)
    if kind == ITEM:
        return item_at(s, place)
    if kind == SIZE:
        return squeeze(np.int64(views[8][place + 1]) - np.int64(views[8][place]), OF_I2)
    return np.float32(0.0)


@rule
def write_known(card, start, lane, known):
    """In which pile each card is known to be, as `rows.write_piles`; lanes share the piles."""
    for pile in range(lane, len(start) - 1, WARP):
        known_there = squeeze(pile + 1, OF_I2)
        for place in range(start[pile], start[pile + 1]):
            if card[place] >= 0:
                known[card[place]] = known_there


@rule
def rows_on_device(places, rows, desk):
    """Neighbouring threads write neighbouring numbers, which a GPU does as one."""
    thread = cuda.grid(1)
    i, lane = np.int64(thread // WARP), np.int64(thread % WARP)
    if i < len(rows.actors):
        words, row, columns = desk.seen[i], rows.observations[i], desk.columns
        scratch, views, seat = words.view(State), views_of(words), np.int64(rows.actors[i])
        for column in range(lane, len(columns), WARP):
            row[column] = cell(scratch[0], views, np.int64(columns[column, 0]),
                               np.int64(columns[column, 1]), seat)
        if len(views[7]) > 0:
            cuda.syncwarp()
            write_known(views[7], views[8], lane, row[places[3]:])


KERNELS = {"move": move_on_device, "look": look_on_device, "rows": rows_on_device,
           "sample": sample_on_device}


def kernel_of(game: Game, kind: str) -> DeviceBuild:
    """A kernel of the vector environment, bound to a game."""
    given, contents = given_room(game, np.asarray), np.atleast_1d(game.content().record)
    numbers = np.zeros(1, np.int64)
    some = arguments_of(game, kind, given, contents, 1, new_rows(game, 1, 1), new_desk(game, 1),
                        numbers, numbers, np.zeros(1, np.float32))
    has_cards = "card" in (game.state.names or ())
    instead = {**INSTEAD, copy_state: copy_words, no_legal: keep,
               rack: its_rack if has_cards else no_rack}
    return DeviceBuild(game, (KERNELS[kind],), instead, tuple(map(numba.typeof, some)))
