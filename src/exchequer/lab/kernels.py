"""The lab's loop on a GPU: `loops.play_game`, unchanged, for as many threads as there is workspace.

What belongs to one game at a time lies in arrays with a row for each thread, what is added up in
rows of sums; which of these a game adds to is written beside its job. Sums are whole numbers, so no
order of adding changes a byte.

There are two kernels. In one no bot searches. The other searches as the cores do: each thread grows
the trees of its own game. Networks and sure wins it leaves to the cores.
"""

from typing import Any

import numba
from numba import cuda

from exchequer.core.contract import value
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.loops import Buffers
from exchequer.core.measures import rules_of
from exchequer.core.piles import deal_hidden
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import Workspace, grow_tree, pick, search, write_values
from exchequer.gpu.build import DeviceBuild
from exchequer.gpu.kernels import deal_in_local_memory
from exchequer.lab.loops import add, play_game
from exchequer.lab.recording import Rows, Scratch, Sums


@rule
def add_at_once(sums, place, amount):
    cuda.atomic.add(sums, place, amount)


@rule
def no_search(observation, c, seats, seat, plan, workspace, seed):
    """Bots that search are not sent to this kernel."""
    return NOBODY


@rule
def write_valuation(workspace, c, seats, network):
    """Bots that ask a network are not sent here."""
    for seat in range(seats):
        workspace.values[seat] = value(workspace.worlds[0], c, seats, seat)


@rule
def sums_at(sums, row):
    return Sums(sums.legal[row], sums.taken[row], sums.events[row], sums.uses[row],
                sums.turns[row], sums.stock[row], sums.led[row], sums.chances[row],
                sums.deals[row])


@rule
def record_on_device(work, sums_of, counter):
    """As `loops.record_games`; a thread that is free takes the next job."""
    me = cuda.grid(1)
    buffers, space, rows, scratch = work.buffers, work.workspace, work.rows, work.scratch
    own_buffers = Buffers(buffers.states[me], buffers.chance[me], buffers.out[me], buffers.log[me])
    own_space = Workspace(space.nodes[me], space.seen[me], space.worlds[me], space.values[me],
                          space.spread[me], space.child_of[me], space.gained[me],
                          space.tried[me], space.path[me], space.chance[me], space.out[me],
                          space.log[me], space.inputs[me], space.words[me], space.groups[me],
                          space.places[me], space.hidden[me], space.first[me],
                          space.second[me], space.line[me], space.branches[me],
                          space.tried_there[me], space.line_words[me], space.keys[me],
                          space.met[me])
    own_rows = Rows(rows.games, rows.seats, rows.counts, rows.stock, rows.course,
                    rows.first_use, rows.pairs, rows.actions[me])
    words = scratch.words[me]  # of the game and of the blank it starts from
    own_scratch = Scratch(scratch.track[me], scratch.before[me], words[: len(words) // 2],
                          scratch.rng, scratch.chances[me], scratch.stock[me], scratch.used[me],
                          scratch.seen[me], scratch.ring[me], scratch.forced[me],
                          scratch.chose[me])
    i = cuda.atomic.add(counter, 0, 1)
    while i < len(work.jobs):
        play_game(own_buffers, work.contents[0], work.seats, work.jobs[i], work.design, own_space,
                  work.limit, own_rows, sums_at(work.sums, sums_of[i]), own_scratch, i)
        i = cuda.atomic.add(counter, 0, 1)


QUICK = {search: no_search}
SEARCHING = {search: grow_tree, write_values: write_valuation}


def instead_for(game: Game, searching: bool) -> dict[Any, Any]:
    """What stands in the place of the cores' rules."""
    found = {add: add_at_once, deal_hidden: deal_in_local_memory, **rules_of(game)}
    return found | (SEARCHING | habits_of(game) if searching else QUICK)


def recorder(game: Game, arguments: tuple[Any, ...], searching: bool) -> DeviceBuild:
    """The kernel for a game, compiled for arguments like these."""
    return DeviceBuild(game, (record_on_device,), instead_for(game, searching),
                       tuple(map(numba.typeof, arguments)), inlined=(pick,),
                       called=(grow_tree,) if searching else ())
