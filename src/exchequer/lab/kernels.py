"""The lab's loop on a GPU: `loops.play_game`, unchanged, for as many threads as there is workspace.

What belongs to one game at a time lies in arrays with a row for each thread, what is added up in
a sums for each block. Sums are whole numbers, so no order of adding changes a byte.
"""

from typing import Any

import numba
from numba import cuda

from exchequer.core.game import Game
from exchequer.core.loops import Buffers
from exchequer.core.measures import rules_of
from exchequer.core.piles import deal_hidden
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import Workspace, search
from exchequer.gpu.build import DeviceBuild
from exchequer.gpu.kernels import deal_in_local_memory
from exchequer.lab.loops import add, play_game
from exchequer.lab.recording import Rows, Scratch, Sums


@rule
def add_at_once(sums, place, amount):
    cuda.atomic.add(sums, place, amount)


@rule
def no_search(observation, c, seats, seat, plan, workspace, seed):
    """Bots that search are not sent here."""
    return NOBODY


@rule
def record_on_device(work, counter):
    """As `loops.record_games`; a thread that is free takes the next job."""
    me, block = cuda.grid(1), cuda.blockIdx.x
    buffers, space, rows, sums, scratch = (work.buffers, work.workspace, work.rows, work.sums,
                                           work.scratch)
    own_buffers = Buffers(buffers.states[me], buffers.chance[me], buffers.out[me], buffers.log[me])
    own_space = Workspace(space.nodes[me], space.seen[me], space.worlds[me], space.values[me],
                          space.spread[me], space.child_of[me], space.gained[me],
                          space.tried[me], space.path[me], space.chance[me], space.out[me],
                          space.log[me], space.inputs[me], space.words[me], space.groups[me],
                          space.places[me], space.hidden[me], space.first[me],
                          space.second[me], space.line[me], space.branches[me],
                          space.tried_there[me])
    own_rows = Rows(rows.games, rows.seats, rows.counts, rows.stock, rows.course,
                    rows.first_use, rows.pairs, rows.actions[me])
    own_sums = Sums(sums.legal[block], sums.taken[block], sums.events[block], sums.uses[block],
                    sums.turns[block], sums.stock[block], sums.led[block], sums.chances[block],
                    sums.deals[block])
    words = scratch.words[me]  # of the game and of the blank it starts from
    own_scratch = Scratch(scratch.track[me], scratch.before[me], words[: len(words) // 2],
                          scratch.rng, scratch.chances[me], scratch.stock[me], scratch.used[me],
                          scratch.seen[me], scratch.ring[me], scratch.forced[me],
                          scratch.chose[me])
    i = cuda.atomic.add(counter, 0, 1)
    while i < len(work.jobs):
        play_game(own_buffers, work.contents[0], work.seats, work.jobs[i], work.design, own_space,
                  work.limit, own_rows, own_sums, own_scratch, i)
        i = cuda.atomic.add(counter, 0, 1)


def recorder(game: Game, arguments: tuple[Any, ...]) -> DeviceBuild:
    """The kernel for a game, compiled for arguments like these."""
    instead = {add: add_at_once, search: no_search, deal_hidden: deal_in_local_memory}
    return DeviceBuild(game, (record_on_device,), {**instead, **rules_of(game)},
                       tuple(map(numba.typeof, arguments)))
