"""What a batch of games is reduced to, and a number for the end of each game.

A device adds up each variant's games in one row of whole numbers; the digest of a game mixes
every byte of its final state and of its `Result`, so that two machines can compare games without
exchanging states. `digest_games` plays on the CPU what a device plays.
"""

import numpy as np

from exchequer.core.chance import POLICY_STREAM, seed_chance
from exchequer.core.contract import actor, apply, observe
from exchequer.core.log import clear
from exchequer.core.loops import (
    MAX_SEATS,
    goes_on,
    random_action,
    start_game,
    write_result,
)
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import THOUGHT_STEP, look_ahead

# Columns of a variant's row
GAMES, STEPS, SQUARES, FAULTS = range(4)  # SQUARES: of the steps, for their spread
WINS = 4  # + seat, in parts of WHOLE: a shared win counts for an equal part
SCORES = WINS + MAX_SEATS  # + seat
ENDINGS = SCORES + MAX_SEATS  # + the game's Ending; 0 is a game stopped at the limit
WHOLE = 60  # divisible by every number of winners

BASIS = np.uint64(14695981039346656037)
PRIME = np.uint64(1099511628211)
SHIFT = np.uint64(29)


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


@rule
def greedy_action(desk, c, seats, seed, steps, room):
    """As `search.run_matches` where every seat looks one question ahead."""
    seat = actor(desk.states[0])
    room.seen[0] = desk.states[0]
    observe(room.seen[0], c, seat)
    thought = np.int64(seed) * THOUGHT_STEP + steps
    seed_chance(room.chance[0], thought, POLICY_STREAM)
    return look_ahead(room.seen, c, seats, seat, room, thought)


@rule
def digest_games(desk, c, seats, seeds, limit, words, row, digests):
    """Random games; `words` and `row` are the state of the desk and one result, as numbers."""
    for i in range(len(seeds)):
        start_game(desk, c, seats, seeds[i])
        steps = 0
        while goes_on(desk.states[0]) and steps < limit:
            action = random_action(desk, c)
            if action != NOBODY:
                clear(desk.log)
                apply(desk.states[0], c, action, desk.log)
                steps += 1
        write_result(desk.states[0], c, seats, steps, row[0])
        digests[i] = digest(words, row.view(np.uint64))


@rule
def digest_greedy_games(desk, c, seats, seeds, limit, words, row, digests, room):
    for i in range(len(seeds)):
        start_game(desk, c, seats, seeds[i])
        steps = 0
        while goes_on(desk.states[0]) and steps < limit:
            action = greedy_action(desk, c, seats, seeds[i], steps, room)
            clear(desk.log)
            apply(desk.states[0], c, action, desk.log)
            steps += 1
        write_result(desk.states[0], c, seats, steps, row[0])
        digests[i] = digest(words, row.view(np.uint64))
