"""What a batch on a device is, what it is reduced to, and a number for the end of each game.

A device adds up each variant's games in one row of whole numbers. The digest of a game mixes
every byte of its final state and of its `Result`, so that two machines can compare games without
exchanging states; `cpu_digests` takes those of the CPU's own loops.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.chance import Chance
from exchequer.core.game import Engine, Game
from exchequer.core.loops import MAX_SEATS, WHOLE, Result, run_batch
from exchequer.core.records import rule
from exchequer.core.search import PolicyKind, PolicyRecord, new_workspace, run_matches

POLICIES = ("random", "greedy")
Array = Any  # NumPy's, or a Buffer on a device
Games = Callable[[np.ndarray, np.ndarray], Any]  # plays seeds, writes a Result for each

# Columns of a variant's row
GAMES, STEPS, SQUARES, FAULTS = range(4)  # SQUARES: of the steps, for their spread
WINS = 4  # + seat, in parts of WHOLE: a shared win counts for an equal part
SCORES = WINS + MAX_SEATS  # + seat
ENDINGS = SCORES + MAX_SEATS  # + the game's Ending; 0 is a game stopped at the limit

BASIS = np.uint64(14695981039346656037)
PRIME = np.uint64(1099511628211)
SHIFT = np.uint64(29)


class Batch(NamedTuple):
    """What is played: every content with every seed."""

    contents: Array  # (variants,) Content
    seats: int
    seeds: Array  # (seeds,) u8
    limit: int  # steps after which a game is stopped
    slots: int  # games that a block plays at a time


class Kept(NamedTuple):
    """What a launch writes; arrays without rows are not asked for."""

    counter: Array  # (1,) i8: games begun so far
    totals: Array  # (variants, columns) i8
    actions: Array  # (blocks, actions) i8
    events: Array  # (blocks, events, things) i8
    results: Array  # (games, words) u8: Result
    digests: Array  # (games,) u8
    games: Array  # (blocks * slots, words) u8: State and Chance of the games in progress


def new_kept(game: Game, new: Callable[..., Any], variants: int, blocks: int, slots: int,
             tally: bool = False, results: int = 0, digests: int = 0) -> Kept:
    """Workspace for what is wanted; `new` makes an array of zeros where the kernel runs."""
    return Kept(
        new((1,), np.int64),
        new((variants, ENDINGS + len(game.endings)), np.int64),
        new((blocks, game.n_actions if tally else 0), np.int64),
        new((blocks, game.n_events if tally else 0, game.n_things), np.int64),
        new((results, Result.itemsize // 8), np.uint64),
        new((digests,), np.uint64),
        new((blocks * slots, (game.state.itemsize + Chance.itemsize) // 8), np.uint64))


# Totals ------------------------------------------------------------------------------------------

def totals_type(endings: int) -> np.dtype:
    return np.dtype([("games", "i8"), ("steps", "i8"), ("squares", "i8"), ("faults", "i8"),
                     ("wins", "f8", MAX_SEATS), ("scores", "i8", MAX_SEATS),
                     ("endings", "i8", endings)])


def as_totals(sums: np.ndarray, endings: int) -> np.ndarray:
    """The device's rows of numbers, with names; wins in whole games."""
    totals = np.zeros(len(sums), totals_type(endings))
    for name, column in (("games", GAMES), ("steps", STEPS), ("squares", SQUARES),
                         ("faults", FAULTS)):
        totals[name] = sums[:, column]
    totals["wins"] = sums[:, WINS : WINS + MAX_SEATS] / WHOLE
    totals["scores"] = sums[:, SCORES : SCORES + MAX_SEATS]
    totals["endings"] = sums[:, ENDINGS:]
    return totals


# Digests -----------------------------------------------------------------------------------------

@rule
def stir(mixed, word):
    mixed = (mixed ^ word) * PRIME
    return mixed ^ (mixed >> SHIFT)


@rule
def digest(state_words, result_words):
    """Every bit of the final state and of the result has its say."""
    mixed = BASIS
    for i in range(len(state_words)):
        mixed = stir(mixed, state_words[i])
    for i in range(len(result_words)):
        mixed = stir(mixed, result_words[i])
    return mixed


def cpu_digests(game: Game, policy: str, seeds: np.ndarray) -> np.ndarray:
    """Digests of the games that `run_batch` or, greedy, `run_matches` plays on the CPU."""
    engine = game.engine(Mode.COMPILED)
    buffers, mixed = engine.buffers(), engine.bind(digest)
    given = buffers, game.content().record, game.seats[0]
    results, found = np.zeros(len(seeds), Result), np.zeros(len(seeds), np.uint64)
    words = buffers.states[:1].view(np.uint64)
    play = random_games(engine, given) if policy == "random" else greedy_games(engine, given)
    for i in range(len(seeds)):
        play(seeds[i : i + 1], results[i : i + 1])
        found[i] = mixed(words, results[i : i + 1].view(np.uint64))
    return found


def random_games(engine: Engine, given: tuple[Any, ...]) -> Games:
    run, tally, limit = engine.bind(run_batch), engine.tally(), engine.game.step_limit
    return lambda seeds, results: run(*given, seeds, limit, results, tally)


def greedy_games(engine: Engine, given: tuple[Any, ...]) -> Games:
    game, run = engine.game, engine.bind(run_matches)
    policies = np.zeros((1, game.seats[0]), PolicyRecord)
    policies["kind"] = PolicyKind.GREEDY
    workspace = new_workspace(game.state, game.max_legal, game.n_actions, 1)
    return lambda seeds, results: run(*given, seeds, policies, workspace, game.step_limit, results)
