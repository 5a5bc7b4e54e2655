"""The lab's loop on a GPU: `loops.play_game`, unchanged, for as many threads as there is room.

What belongs to one game at a time lies in arrays with a row for each thread, what is added up in
a book for each block. Sums are whole numbers, so no order of adding changes a byte.
"""

from typing import Any

import numba
from numba import cuda

from exchequer.core.game import Game
from exchequer.core.loops import Desk
from exchequer.core.piles import deal_hidden
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import Room, search
from exchequer.gpu.build import DeviceBuild
from exchequer.gpu.kernels import deal_in_local_memory
from exchequer.lab.arms import own_rules
from exchequer.lab.loops import add, play_game
from exchequer.lab.sheets import Book, Notes, Sheet


@rule
def add_at_once(sums, place, amount):
    cuda.atomic.add(sums, place, amount)


@rule
def no_search(observation, c, seats, seat, plan, room, seed):
    """Minds that search are not sent here."""
    return NOBODY


@rule
def record_on_device(work, counter):
    """As `loops.record_games`; whoever is free takes the next job."""
    me, block = cuda.grid(1), cuda.blockIdx.x
    desk, room, sheet, book, notes = work.desk, work.room, work.sheet, work.book, work.notes
    own_desk = Desk(desk.states[me], desk.chance[me], desk.out[me], desk.log[me])
    own_room = Room(room.nodes[me], room.seen[me], room.worlds[me], room.values[me],
                    room.spread[me], room.child_of[me], room.gained[me], room.tried[me],
                    room.path[me], room.chance[me], room.out[me], room.log[me])
    own_sheet = Sheet(sheet.rows, sheet.seats, sheet.counts, sheet.stock, sheet.actions[me])
    own_book = Book(book.legal[block], book.taken[block], book.events[block], book.uses[block],
                    book.turns[block], book.stock[block], book.led[block], book.deals[block])
    words = notes.words[me]  # of the game and of the blank it starts from
    own_notes = Notes(notes.track[me], notes.before[me], words[: len(words) // 2], notes.rng,
                      notes.chances[me], notes.stock[me], notes.used[me], notes.seen[me],
                      notes.ring[me], notes.forced[me])
    i = cuda.atomic.add(counter, 0, 1)
    while i < len(work.jobs):
        play_game(own_desk, work.contents[0], work.seats, work.jobs[i], work.brief, own_room,
                  work.limit, own_sheet, own_book, own_notes, i)
        i = cuda.atomic.add(counter, 0, 1)


def recorder(game: Game, arguments: tuple[Any, ...]) -> DeviceBuild:
    """The kernel for a game, compiled for arguments like these."""
    instead = {add: add_at_once, search: no_search, deal_hidden: deal_in_local_memory}
    return DeviceBuild(game, (record_on_device,), {**instead, **own_rules(game)},
                       tuple(map(numba.typeof, arguments)))
