"""Rules on a GPU: one kernel, written on the contract, bound to a game and compiled to PTX.

One thread plays one game after the other. Its state lies in the thread's local memory, which the
device interleaves word by word among the threads of a warp: neighbours that look at the same
field read one line of the cache, though the record's layout is the same as everywhere. No device
is needed to compile.

On a device the log is the tally itself: `note_for` counts an entry instead of writing it.
"""

import collections
import contextlib
import dis
import enum
import functools
import importlib.metadata
import itertools
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numba
import numba.core.types as kinds
import numpy as np
from numba import cuda
from numba.cuda import dispatcher as cuda_dispatcher
from numba.cuda.compiler import compile_cuda, kernel_fixup

from exchequer.core.build import (
    Rules,
    described,
    fingerprint,
    globals_used,
    is_rule,
    widest,
)
from exchequer.core.chance import POLICY_STREAM, Chance, seed_chance
from exchequer.core.contract import CONTRACT, actor, apply, legal, observe, question, setup
from exchequer.core.game import Game
from exchequer.core.log import clear, note_for
from exchequer.core.loops import MAX_SEATS, Result, goes_on, pick, write_result
from exchequer.core.piles import deal_from, deal_hidden
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import THOUGHT_STEP, Node, Room, look_ahead
from exchequer.core.totals import (
    ENDINGS,
    FAULTS,
    GAMES,
    SCORES,
    SQUARES,
    STEPS,
    WHOLE,
    WINS,
    digest,
)

CAPABILITY = (9, 0)  # what is compiled for where no device says otherwise
PTX_VERSION = "9.0"  # what drivers of CUDA 13.0 accept; newer compilers write a newer number
ONE_PIECE = 60_000  # instructions of Python's up to which a kernel is one piece
APART_SIZE = 100  # instructions of Python's from which a rule called twice is not inlined
CALL_SIZE = 5
SHORT = {"optsize"}  # for the optimiser: large rules wait for instructions more than for anything

# What a game puts in the place of these; see `constants_of`.
State = np.dtype("u8")
STATE_WORDS = RESULT_WORDS = MAX_LEGAL = CARDS = LAST_THING = N_ACTIONS = ACTION_KEYS = 1

MOST_THREADS = 1024  # of a block
KEYS, CHUNK = 512, 16  # games are sorted by a question or an action
CHUNKS = 32
MOST_SLOTS = 2048  # games of a block that plays more than it has threads
DEAL, IDLE = 510, 511  # a game is to be dealt; there is none left


# On the device ---------------------------------------------------------------------------------

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
    for i in range(STATE_WORDS):
        seen[i] = words[i]
    observation = seen.view(State)
    seat = actor(observation[0])
    observe(observation[0], c, seat)
    thought = np.int64(seed) * THOUGHT_STEP + steps
    seed_chance(chance[0], thought, POLICY_STREAM)
    room = Room(nodes, observation, world.view(State), values, values, out, table, counts, path,
                chance, out, silence)
    return look_ahead(observation, c, seats, seat, room, thought)


POLICIES = {"random": random_choice, "greedy": greedy_choice}


@rule
def begin_game(words, c, seats, seed, chance, log):
    for i in range(STATE_WORDS):
        words[i] = 0
    setup(words.view(State)[0], c, seats, np.int64(seed), log)
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
def end_game(words, c, seats, steps, game, variant, totals, results, digests):
    """Judge a game; count it, and keep its result and its digest where there is room."""
    row = cuda.local.array(RESULT_WORDS, np.uint64)
    for i in range(RESULT_WORDS):
        row[i] = 0
    result = row.view(Result)[0]
    write_result(words.view(State)[0], c, seats, steps, result)
    count_result(result, seats, totals, variant)
    if len(results) > 0:
        for i in range(RESULT_WORDS):
            results[game, i] = row[i]
    if len(digests) > 0:
        digests[game] = digest(words, row)


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
def play_small(contents, seats, seeds, limit, slots, counter, totals, actions, events, results,
               digests, room):
    """Every content with every seed; a game that is over makes room for the next.

    A block plays as many games as it has threads. It sorts them before each half of a move,
    first by what is asked, then by the action chosen, so that neighbouring threads do the same.
    Games lie in the device's memory, where any thread of the block can go on with them.
    """
    counts = cuda.shared.array(KEYS, np.int32)
    sums = cuda.shared.array(CHUNKS, np.int32)
    order = cuda.shared.array(MOST_THREADS, np.int32)
    action_of = cuda.shared.array(MOST_THREADS, np.int32)
    steps_of = cuda.shared.array(MOST_THREADS, np.int32)
    game_of = cuda.shared.array(MOST_THREADS, np.int64)
    out = cuda.local.array(MAX_LEGAL, np.int32)
    log = events[cuda.blockIdx.x]
    silence = log[:0]
    tally = actions[cuda.blockIdx.x]
    first = cuda.blockIdx.x * cuda.blockDim.x
    games = len(contents) * len(seeds)
    slot = np.int64(cuda.threadIdx.x)
    game_of[slot] = cuda.atomic.add(counter, 0, 1)
    steps_of[slot] = NOBODY
    key = DEAL + 0
    while cuda.syncthreads_or(np.int32(game_of[slot] < games)):
        if game_of[slot] >= games:
            key = IDLE + 0
        slot = next_in_order(key, slot, counts, sums, order)
        game = game_of[slot]
        variant = game // len(seeds)
        key = IDLE + 0
        if game < games:
            seed = seeds[game - variant * len(seeds)]
            c = contents[variant]
            words = room[first + slot][:STATE_WORDS]
            chance = room[first + slot][STATE_WORDS:].view(Chance)
            if steps_of[slot] < 0:
                begin_game(words, c, seats, seed, chance, log)
                steps_of[slot] = 0
            action = NOBODY + 0
            key = DEAL + 0
            if goes_on(words.view(State)[0]) and steps_of[slot] < limit:
                action = choose(words, c, seats, seed, np.int64(steps_of[slot]), chance, out,
                                silence)
                key = action * ACTION_KEYS // N_ACTIONS
            action_of[slot] = action
        slot = next_in_order(key, slot, counts, sums, order)
        game = game_of[slot]
        variant = game // len(seeds)
        key = DEAL + 0
        if game < games:
            c = contents[variant]
            words = room[first + slot][:STATE_WORDS]
            s = words.view(State)[0]
            action = np.int64(action_of[slot])
            if action != NOBODY:
                apply(s, c, action, log)
                if len(tally) > 0:
                    cuda.atomic.add(tally, action, 1)
                steps_of[slot] += 1
            if not goes_on(s) or steps_of[slot] >= limit:
                end_game(words, c, seats, np.int64(steps_of[slot]), game, variant, totals, results,
                         digests)
                game_of[slot] = cuda.atomic.add(counter, 0, 1)
                steps_of[slot] = NOBODY
            else:
                key = np.int64(question(s))


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
def play_large(contents, seats, seeds, limit, slots, counter, totals, actions, events, results,
               digests, room):
    """The same for rules too large for one piece: a block plays more games than it has threads."""
    counts = cuda.shared.array(KEYS, np.int32)
    starts = cuda.shared.array(KEYS, np.int32)
    order = cuda.shared.array(MOST_SLOTS, np.int16)
    keys = cuda.shared.array(MOST_SLOTS, np.int16)
    action_of = cuda.shared.array(MOST_SLOTS, np.int16)
    steps_of = cuda.shared.array(MOST_SLOTS, np.int32)
    game_of = cuda.shared.array(MOST_SLOTS, np.int64)
    out = cuda.local.array(MAX_LEGAL, np.int32)
    log = events[cuda.blockIdx.x]
    silence = log[:0]
    tally = actions[cuda.blockIdx.x]
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    first = cuda.blockIdx.x * slots
    games = len(contents) * len(seeds)
    is_busy = 0
    for slot in range(thread, slots, threads):
        game_of[slot] = cuda.atomic.add(counter, 0, 1)
        keys[slot] = DEAL if game_of[slot] < games else IDLE
        is_busy |= game_of[slot] < games
    while cuda.syncthreads_or(np.int32(is_busy)):
        sort_games(keys, counts, starts, order, slots)
        for place in range(thread, slots, threads):
            slot = np.int64(order[place])
            if keys[slot] != IDLE:
                game = game_of[slot]
                variant = game // len(seeds)
                seed = seeds[game - variant * len(seeds)]
                c = contents[variant]
                words = room[first + slot][:STATE_WORDS]
                chance = room[first + slot][STATE_WORDS:].view(Chance)
                if keys[slot] == DEAL:
                    begin_game(words, c, seats, seed, chance, log)
                    steps_of[slot] = 0
                keys[slot] = DEAL
                if goes_on(words.view(State)[0]) and steps_of[slot] < limit:
                    action = choose(words, c, seats, seed, np.int64(steps_of[slot]), chance, out,
                                    silence)
                    action_of[slot] = action
                    keys[slot] = action * ACTION_KEYS // N_ACTIONS
        sort_games(keys, counts, starts, order, slots)
        is_busy = 0
        for place in range(thread, slots, threads):
            slot = np.int64(order[place])
            if keys[slot] != IDLE:
                game = game_of[slot]
                variant = game // len(seeds)
                c = contents[variant]
                words = room[first + slot][:STATE_WORDS]
                s = words.view(State)[0]
                if keys[slot] != DEAL:
                    action = np.int64(action_of[slot])
                    apply(s, c, action, log)
                    if len(tally) > 0:
                        cuda.atomic.add(tally, action, 1)
                    steps_of[slot] += 1
                if not goes_on(s) or steps_of[slot] >= limit:
                    end_game(words, c, seats, np.int64(steps_of[slot]), game, variant, totals,
                             results, digests)
                    game_of[slot] = cuda.atomic.add(counter, 0, 1)
                    keys[slot] = DEAL if game_of[slot] < games else IDLE
                else:
                    keys[slot] = question(s)
                is_busy |= keys[slot] != IDLE


# Compiling ---------------------------------------------------------------------------------------

class Device:
    """A game's rules bound for a device: the counterpart of `core.build.Build`.

    Of several kernels that do the same the first is taken if it is small enough for one piece,
    else the last. `instead` says which rules stand in the place of others on the device.
    """

    def __init__(self, game: Game, kernels: Sequence[Any], instead: Mapping[Any, Any],
                 signature: tuple[Any, ...], apart_size: int = APART_SIZE) -> None:
        self.game, self.instead, self.signature = game, instead, signature
        self.rules: Rules = {name: game.function(name) for name in CONTRACT}
        self.constants = constants_of(game)
        self.bound: dict[types.FunctionType, Any] = {}
        is_small = self._size(kernels[0]) <= ONE_PIECE
        self.kernel = kernels[0] if is_small else kernels[-1]
        self.apart = set() if is_small else self._rules_apart(apart_size)
        self.attributes = set() if is_small else SHORT

    def fingerprint(self, *more: Any) -> str:
        functions: Any = [self.kernel, *self.instead.values()]
        constants = {name: described(value) for name, value in self.constants.items()}
        return fingerprint(functions, self.rules, importlib.metadata.version("numba-cuda"),
                           PTX_VERSION, sorted(f.__qualname__ for f in self.apart),
                           sorted(self.attributes), constants, self.game.state.descr,
                           self.game.schema.dtype.descr, *more)

    def ptx(self, capability: tuple[int, int] = CAPABILITY, level: int = 3) -> str:
        """Compile the kernel. No fused multiply-add: it rounds differently from a CPU."""
        with pretended(capability):
            compiled = compile_cuda(self._copy(self.kernel), kinds.void, self.signature,
                                    nvvm_options={"opt": level, "fma": 0}, cc=capability)
            name = compiled.fndesc.llvm_func_name
            compiled.library._entry_name = name
            mark(compiled, self.attributes)
            kernel_fixup(compiled.library.get_function(name), False)
            text = compiled.library.get_asm_str(cc=capability)
        return re.sub(r"(?m)^\.version .*$", f".version {PTX_VERSION}", text)

    def uses(self, function: types.FunctionType) -> dict[str, Any]:
        """A function's globals as the device sees them."""
        found = globals_used(function, self.rules)
        if function.__module__ == __name__:
            found.update({name: value for name, value in self.constants.items() if name in found})
        return {name: self.instead.get(value, value) if is_rule(value) else for_device(value)
                for name, value in found.items()}

    def _copy(self, function: Any) -> types.FunctionType:
        """The function with what it uses on the device in the place of its globals."""
        scope = dict(function.__globals__)
        for name, value in self.uses(function).items():
            scope[name] = self._bind(value) if is_rule(value) else value
        copy = types.FunctionType(function.__code__, scope, function.__name__,
                                  function.__defaults__)
        copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
        return copy

    def _bind(self, function: types.FunctionType) -> Any:
        if function not in self.bound:
            is_apart = function in self.apart
            made = cuda.jit(self._copy(function), device=True, forceinline=not is_apart)
            self.bound[function] = compiled_wide(
                made, {*self.attributes, "noinline"} if is_apart else self.attributes)
        return self.bound[function]

    def _rules_apart(self, most: int) -> set[types.FunctionType]:
        """Rules that are called rather than inlined.

        Inlining everything makes hundreds of thousands of instructions of the larger games,
        which no compiler gets through in minutes and no instruction cache holds. So a rule that
        has come to more than `most` instructions and is called from two places stays apart.
        """
        order: dict[types.FunctionType, list[types.FunctionType]] = {}
        self._walk(self.kernel, order)
        callers = collections.Counter(itertools.chain(*order.values()))
        apart: set[types.FunctionType] = set()
        sizes: dict[types.FunctionType, int] = {}
        for function, calls in order.items():
            sizes[function] = length(function) + sum(
                CALL_SIZE if called in apart else sizes[called] for called in calls)
            if sizes[function] > most and callers[function] > 1:
                apart.add(function)
        return apart

    def _size(self, kernel: Any) -> int:
        """Of the whole if everything is inlined."""
        order: dict[types.FunctionType, list[types.FunctionType]] = {}
        sizes: dict[types.FunctionType, int] = {}
        self._walk(kernel, order)
        for function, calls in order.items():
            sizes[function] = length(function) + sum(sizes[called] for called in calls)
        return sizes[kernel]

    def _walk(self, function: Any,
              order: dict[types.FunctionType, list[types.FunctionType]]) -> None:
        """Every rule with the rules it calls, each as often as it does; the called go first."""
        uses = self.uses(function)
        calls = [uses[i.argval] for i in dis.get_instructions(function.__code__)
                 if i.opname == "LOAD_GLOBAL" and is_rule(uses.get(i.argval))]
        for called in calls:
            if called not in order:
                self._walk(called, order)
        order[function] = calls


def batches(game: Game, policy: str) -> Device:
    """Batches of games by one policy."""
    return Device(game, (play_small, play_large), {**INSTEAD, choose: POLICIES[policy]},
                  signature_of(game))


def machine_code(ptx: bytes, registers: int, capability: tuple[int, int] = CAPABILITY) -> bytes:
    """What a driver would make of PTX when it loads it, made ahead of time."""
    from cuda.bindings import nvjitlink

    options = [f"-arch=sm_{capability[0]}{capability[1]}", f"-maxrregcount={registers}"]
    linker = nvjitlink.create(len(options), options)
    nvjitlink.add_data(linker, nvjitlink.InputType.PTX, ptx, len(ptx), "kernel")
    nvjitlink.complete(linker)
    code = bytearray(nvjitlink.get_linked_cubin_size(linker))
    nvjitlink.get_linked_cubin(linker, code)
    nvjitlink.destroy(linker)
    return bytes(code)


def length(function: types.FunctionType) -> int:
    return sum(1 for _ in dis.get_instructions(function.__code__))


def constants_of(game: Game) -> dict[str, Any]:
    """What the placeholders at the top of this module stand for."""
    cards = game.state["card"].shape[0] if "card" in (game.state.names or ()) else 1
    return {"State": game.state, "STATE_WORDS": game.state.itemsize // 8,
            "RESULT_WORDS": Result.itemsize // 8, "MAX_LEGAL": game.max_legal, "CARDS": cards,
            "LAST_THING": game.n_things - 1, "N_ACTIONS": game.n_actions,
            "ACTION_KEYS": min(game.n_actions, DEAL)}


def signature_of(game: Game) -> tuple[Any, ...]:
    """The types of `play_small` and `play_large`."""
    def array(kind: Any, dimensions: int = 1) -> Any:
        return kinds.Array(kind, dimensions, "C")

    wide, word = kinds.int64, kinds.uint64
    return (array(numba.from_dtype(game.schema.dtype)), wide, array(word), wide, wide,
            array(wide), array(wide, 2), array(wide, 2), array(wide, 3), array(word, 2),
            array(word), array(word, 2))


def for_device(value: Any) -> Any:
    """Enums become plain numbers: the compiler for devices knows no others."""
    if isinstance(value, enum.IntEnum):
        return int(value)
    if isinstance(value, type) and issubclass(value, enum.IntEnum):
        return as_numbers(value)
    return value


@functools.cache
def as_numbers(members: type[enum.IntEnum]) -> types.ModuleType:
    module = types.ModuleType(members.__name__)
    module.__dict__.update({member.name: int(member) for member in members})
    return module


def compiled_wide(dispatcher: Any, attributes: set[str]) -> Any:
    """As `build.widened`; with what the compiler of the device is told about the function."""
    compile_as_given = dispatcher.compile_device

    def compile_device(arguments: tuple[Any, ...], return_type: Any = None) -> Any:
        compiled = compile_as_given(tuple(map(widest, arguments)), return_type)
        mark(compiled, attributes)
        return compiled

    dispatcher.compile_device = compile_device
    return dispatcher


def mark(compiled: Any, attributes: set[str]) -> None:
    function = compiled.library.get_function(compiled.fndesc.llvm_func_name)
    for attribute in sorted(attributes):
        function.attributes.add(attribute)


@contextlib.contextmanager
def pretended(capability: tuple[int, int]) -> Iterator[None]:
    """Numba asks the present device for its capability, also where there is none."""
    asked = cuda_dispatcher.get_current_device
    cuda_dispatcher.get_current_device = lambda: types.SimpleNamespace(
        compute_capability=capability)
    try:
        yield
    finally:
        cuda_dispatcher.get_current_device = asked
