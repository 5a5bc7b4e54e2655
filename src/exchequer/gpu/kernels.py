"""Batches on a GPU: two kernels, written on the contract like every loop; `build` binds them.

Threads of a warp that do different things wait for each other, so a block sorts its games before
each half of a move. The log is the tally itself: `note_for` counts an entry instead of writing it.
"""

from typing import NamedTuple

import numpy as np
from numba import cuda

from exchequer.core.binding import Placeholder
from exchequer.core.chance import POLICY_STREAM, Chance, seed_chance
from exchequer.core.contract import actor, apply, legal, observe, question, setup
from exchequer.core.log import clear, note_for
from exchequer.core.loops import MAX_SEATS, WHOLE, Result, goes_on, pick, write_result
from exchequer.core.piles import deal_from, deal_hidden
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import THOUGHT_STEP, Node, Workspace, look_ahead
from exchequer.gpu.totals import (
    ENDINGS,
    FAULTS,
    GAMES,
    SCORES,
    SQUARES,
    STEPS,
    WINS,
    digest,
)

# What a game puts in the place of these; see `build.constants_of`.
State = Placeholder("the game's State")
STATE_WORDS = Placeholder("words of a state")
MAX_LEGAL = Placeholder("most legal actions")
CARDS = Placeholder("cards of the rack")
LAST_THING = Placeholder("the last thing of a tally")
N_ACTIONS = Placeholder("the number of actions")
ACTION_KEYS = Placeholder("keys to sort actions by")

RESULT_WORDS = Result.itemsize // 8
MOST_THREADS = 1024  # of a block
KEYS, CHUNK = 512, 16  # games are sorted by a question or an action
CHUNKS = 32
MOST_SLOTS = 2048  # games of a block that plays more than it has threads
DEAL, IDLE = 510, 511  # a game is to be dealt; there is none left


# In the place of the CPU's rules -----------------------------------------------------------------

@rule
def count_entry(log, what, seat, other, thing, amount, known):
    """Where the CPU writes a log entry, a device counts it; a log without rows counts nothing."""
    if len(log) > 0:
        cuda.atomic.add(log, (what, min(max(thing, 0), LAST_THING)), 1)


@rule
def leave(log):
    """There is nothing to clear."""


@rule
def deal_in_local_memory(s, backs):
    seen = cuda.local.array(CARDS, np.uint8)
    pool = cuda.local.array(CARDS, np.int16)
    for card in range(CARDS):
        seen[card] = 0
    deal_from(s, backs, seen, pool)


INSTEAD = {note_for: count_entry, clear: leave, deal_hidden: deal_in_local_memory}


# Policies ----------------------------------------------------------------------------------------

@rule
def choose(words, c, seats, seed, steps, chance, out, silence):
    """A placeholder for the policies below."""


@rule
def random_choice(words, c, seats, seed, steps, chance, out, silence):
    """As `loops.random_action`."""
    s = words.view(State)[0]
    return pick(s, chance[0], out, legal(s, c, out))


@rule
def greedy_choice(words, c, seats, seed, steps, chance, out, silence):
    """As `search.run_matches` where every seat looks one question ahead."""
    seen = cuda.local.array(STATE_WORDS, np.uint64)
    world = cuda.local.array(STATE_WORDS, np.uint64)
    nodes = cuda.local.array(1, Node)
    values = cuda.local.array(MAX_SEATS, np.float64)
    table = cuda.local.array((1, 1), np.float64)  # these three only a search would use
    counts = cuda.local.array((1, 1), np.int32)
    path = cuda.local.array((1, 2), np.int32)
    weights = cuda.local.array((1, 1, 1), np.int16)
    for i in range(STATE_WORDS):
        seen[i] = words[i]
    observation = seen.view(State)
    seat = actor(observation[0])
    observe(observation[0], c, seat)
    thought = np.int64(seed) * THOUGHT_STEP + steps
    seed_chance(chance[0], thought, POLICY_STREAM)
    workspace = Workspace(nodes, observation, world.view(State), values, values, out, table,
                          counts, path, chance, out, silence, out, path, out, out, out, weights,
                          weights, observation, path, path, path, path, table)
    return look_ahead(observation, c, seats, seat, workspace, thought)


CHOICES = {"random": random_choice, "greedy": greedy_choice}


# A game ------------------------------------------------------------------------------------------

@rule
def begin_game(words, c, seats, seed, chance, silence):
    for i in range(STATE_WORDS):
        words[i] = 0
    setup(words.view(State)[0], c, seats, np.int64(seed), silence)
    seed_chance(chance[0], seed, POLICY_STREAM)


@rule
def count_result(result, seats, totals, variant):
    """Add one game's result to the totals of its variant."""
    won = 0
    for seat in range(seats):
        won += (result.winners >> seat) & 1
    cuda.atomic.add(totals, (variant, GAMES), 1)
    cuda.atomic.add(totals, (variant, STEPS), np.int64(result.steps))
    cuda.atomic.add(totals, (variant, SQUARES), np.int64(result.steps) * result.steps)
    cuda.atomic.add(totals, (variant, ENDINGS + result.ending), 1)
    if result.fault != 0:
        cuda.atomic.add(totals, (variant, FAULTS), 1)
    for seat in range(seats):
        cuda.atomic.add(totals, (variant, SCORES + seat), result.score[seat])
        if (result.winners >> seat) & 1:
            cuda.atomic.add(totals, (variant, WINS + seat), WHOLE // won)


@rule
def end_game(words, c, seats, steps, game, variant, kept):
    """Judge a game; count it, and keep its result and its digest where there is room."""
    row = cuda.local.array(RESULT_WORDS, np.uint64)
    for i in range(RESULT_WORDS):
        row[i] = 0
    result = row.view(Result)[0]
    write_result(words.view(State)[0], c, seats, steps, result)
    count_result(result, seats, kept.totals, variant)
    if len(kept.results) > 0:
        for i in range(RESULT_WORDS):
            kept.results[game, i] = row[i]
    if len(kept.digests) > 0:
        kept.digests[game] = digest(words, row)


# Half a move -------------------------------------------------------------------------------------

class Slots(NamedTuple):
    """The games of a block, shared by its threads; states lie in the device's memory.

    Any thread can go on with any game, half a move at a time. Each half returns the key to sort
    the game by before the next, so that neighbouring threads do the same: what is asked before
    choosing, the action before applying, DEAL or IDLE.
    """

    game_of: np.ndarray  # (slots,) i8: its number in the batch
    steps_of: np.ndarray  # (slots,) i4: NOBODY before it is dealt
    action_of: np.ndarray  # (slots,): what was chosen, or NOBODY


@rule
def take_game(batch, kept, slots, slot):
    """The next game of the batch gets the slot, if there is one."""
    slots.game_of[slot] = cuda.atomic.add(kept.counter, 0, 1)
    slots.steps_of[slot] = NOBODY
    return DEAL if slots.game_of[slot] < len(batch.contents) * len(batch.seeds) else IDLE


@rule
def deal_or_choose(batch, kept, slots, slot, out):
    """The first half of a move; a new game is dealt before it."""
    game = slots.game_of[slot]
    variant = game // len(batch.seeds)
    if variant >= len(batch.contents):
        return IDLE
    c, seed = batch.contents[variant], batch.seeds[game - variant * len(batch.seeds)]
    row = kept.games[cuda.blockIdx.x * batch.slots + slot]
    words, chance = row[:STATE_WORDS], row[STATE_WORDS:].view(Chance)
    silence = kept.events[cuda.blockIdx.x][:0]  # only what follows an action is counted
    if slots.steps_of[slot] == NOBODY:
        begin_game(words, c, batch.seats, seed, chance, silence)
        slots.steps_of[slot] = 0
    action = NOBODY
    if goes_on(words.view(State)[0]) and slots.steps_of[slot] < batch.limit:
        action = choose(words, c, batch.seats, seed, np.int64(slots.steps_of[slot]), chance, out,
                        silence)
    slots.action_of[slot] = action
    return DEAL if action == NOBODY else action * ACTION_KEYS // N_ACTIONS


@rule
def apply_or_end(batch, kept, slots, slot):
    """The second half of a move; a game that is over makes room for the next."""
    game = slots.game_of[slot]
    variant = game // len(batch.seeds)
    if variant >= len(batch.contents):
        return IDLE
    c, tally = batch.contents[variant], kept.actions[cuda.blockIdx.x]
    words = kept.games[cuda.blockIdx.x * batch.slots + slot][:STATE_WORDS]
    s, action = words.view(State)[0], np.int64(slots.action_of[slot])
    if action != NOBODY:
        apply(s, c, action, kept.events[cuda.blockIdx.x])
        if len(tally) > 0:
            cuda.atomic.add(tally, action, 1)
        slots.steps_of[slot] += 1
    if goes_on(s) and slots.steps_of[slot] < batch.limit:
        return np.int64(question(s))
    end_game(words, c, batch.seats, np.int64(slots.steps_of[slot]), game, variant, kept)
    return take_game(batch, kept, slots, slot)


# A block of as many games as it has threads ------------------------------------------------------

@rule
def next_in_order(key, slot, counts, sums, order):
    """The slot a thread goes on with, so that games with equal keys are neighbours."""
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    for i in range(thread, KEYS, threads):
        counts[i] = 0
    cuda.syncthreads()
    place = np.int64(cuda.atomic.add(counts, key, 1))
    cuda.syncthreads()
    for chunk in range(thread, CHUNKS, threads):
        found = 0
        for i in range(chunk * CHUNK, chunk * CHUNK + CHUNK):
            found += counts[i]
        sums[chunk] = found
    cuda.syncthreads()
    whole = key // CHUNK
    for chunk in range(whole):
        place += sums[chunk]
    for i in range(whole * CHUNK, key):
        place += counts[i]
    order[place] = slot
    cuda.syncthreads()
    return np.int64(order[thread])


@rule
def play_small(batch, kept):
    """Every content with every seed, sorted before each half of a move."""
    counts = cuda.shared.array(KEYS, np.int32)
    sums = cuda.shared.array(CHUNKS, np.int32)
    order = cuda.shared.array(MOST_THREADS, np.int32)
    slots = Slots(cuda.shared.array(MOST_THREADS, np.int64),
                  cuda.shared.array(MOST_THREADS, np.int32),
                  cuda.shared.array(MOST_THREADS, np.int32))
    out = cuda.local.array(MAX_LEGAL, np.int32)
    slot = np.int64(cuda.threadIdx.x)
    key = take_game(batch, kept, slots, slot)
    while cuda.syncthreads_or(np.int32(key != IDLE)):
        slot = next_in_order(key, slot, counts, sums, order)
        key = deal_or_choose(batch, kept, slots, slot, out)
        slot = next_in_order(key, slot, counts, sums, order)
        key = apply_or_end(batch, kept, slots, slot)


# A block of more games than it has threads -------------------------------------------------------

@rule
def sort_games(keys, counts, starts, order, slots):
    """Put the block's games in the order of their keys."""
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    for key in range(thread, KEYS, threads):
        counts[key] = starts[key] = 0
    cuda.syncthreads()
    for slot in range(thread, slots, threads):
        cuda.atomic.add(counts, np.int64(keys[slot]), 1)
    cuda.syncthreads()
    for key in range(thread, KEYS, threads):
        for lower in range(key):
            starts[key] += counts[lower]
    cuda.syncthreads()
    for slot in range(thread, slots, threads):
        order[cuda.atomic.add(starts, np.int64(keys[slot]), 1)] = slot
    cuda.syncthreads()


@rule
def play_large(batch, kept):
    """The same for rules that are too large to be one piece."""
    counts = cuda.shared.array(KEYS, np.int32)
    starts = cuda.shared.array(KEYS, np.int32)
    order = cuda.shared.array(MOST_SLOTS, np.int16)
    keys = cuda.shared.array(MOST_SLOTS, np.int16)
    slots = Slots(cuda.shared.array(MOST_SLOTS, np.int64), cuda.shared.array(MOST_SLOTS, np.int32),
                  cuda.shared.array(MOST_SLOTS, np.int16))
    out = cuda.local.array(MAX_LEGAL, np.int32)
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    is_busy = 0
    for slot in range(thread, batch.slots, threads):
        keys[slot] = take_game(batch, kept, slots, slot)
        is_busy |= keys[slot] != IDLE
    while cuda.syncthreads_or(np.int32(is_busy)):
        sort_games(keys, counts, starts, order, batch.slots)
        for place in range(thread, batch.slots, threads):
            slot = np.int64(order[place])
            keys[slot] = deal_or_choose(batch, kept, slots, slot, out)
        sort_games(keys, counts, starts, order, batch.slots)
        is_busy = 0
        for place in range(thread, batch.slots, threads):
            slot = np.int64(order[place])
            keys[slot] = apply_or_end(batch, kept, slots, slot)
            is_busy |= keys[slot] != IDLE


BATCHES = (play_small, play_large)
