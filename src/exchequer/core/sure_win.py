"""A win that needs nothing but a seat's own next moves, found by trying them.

Lines of moves are tried depth first, in one look after another of which each goes further. What a
look has met before, by the same moves in another order, it does not go on from again.
"""

import numpy as np

from exchequer.core.chance import WORLD_STEP, scramble
from exchequer.core.contract import actor, apply, determinize, legal
from exchequer.core.records import NOBODY, rule
from exchequer.core.value import share_of_win

LOOKS = (1, 2, 3, 4, 6, 8, 10, 12)  # moves that a line may have
LONGEST_WIN = LOOKS[-1]
MOST_MET = 1 << 14  # positions that are remembered; a power of two


def keys_of(words):
    """Two factors for each word of a position, so small that no sum exceeds 64 bits."""
    bits = np.uint64(words.bit_length())
    return np.array([[scramble(np.uint64(2 * i + row)) >> bits for i in range(words)]
                     for row in range(2)], np.uint32)


@rule
def wins_again(observation, c, seats, seat, workspace, length, seed):
    """Whether the line, tried move by move, wins in another world, too."""
    workspace.worlds[0] = observation[0]
    s = workspace.worlds[0]
    determinize(s, c, seat, seed)
    for i in range(length):
        if actor(s) != seat:
            return False
        action = np.int64(workspace.branches[i, workspace.tried_there[i, 1] - 1])
        count = legal(s, c, workspace.out)
        found = False
        for k in range(count):
            found = found or workspace.out[k] == action
        if not found:
            return False
        apply(s, c, action, workspace.log)
    return actor(s) == NOBODY and share_of_win(s, c, seats, seat) == 1.0


@rule
def wins_surely(observation, c, seats, seat, worlds, workspace, length, seed):
    """Whether the line that won in one world wins in all that are tried."""
    for world in range(1, worlds):
        if not wins_again(observation, c, seats, seat, workspace, length,
                          np.int64(seed) + world * WORLD_STEP):
            return False
    return True


@rule
def list_branches(workspace, c, level):
    workspace.tried_there[level, 0] = legal(workspace.line[level], c, workspace.branches[level])
    workspace.tried_there[level, 1] = 0


@rule
def is_met(workspace, depth, level):
    """Whether other moves led to the same position, as far from the end of the same look.

    Two sums over the words of the position tell it from others; it is noted for later.
    """
    words, keys = workspace.line_words[level], workspace.keys
    first, second = np.uint64(depth * len(workspace.line) + level), np.uint64(0)
    for i in range(len(words)):
        first += np.uint64(words[i]) * np.uint64(keys[0, i])
        second += np.uint64(words[i]) * np.uint64(keys[1, i])
    there = workspace.met[np.int64(scramble(first ^ second) & np.uint64(MOST_MET - 1))]
    if there[0] == first and there[1] == second:
        return True
    there[0], there[1] = first, second
    return False


@rule
def win_within(observation, c, seats, seat, worlds, workspace, depth, left, seed):
    """The first of up to `depth` own moves that win, none of which rolls; else NOBODY.

    Depth first. The second number is how many moves may still be tried, and NOBODY where longer
    lines would be no other ones.
    """
    level, cut = 0, False
    list_branches(workspace, c, 0)
    while level >= 0 and left > 0:
        there = workspace.tried_there[level]
        if there[0] == there[1]:
            level -= 1
            continue
        action = np.int64(workspace.branches[level, there[1]])
        there[1] += 1
        left -= 1
        workspace.line[level + 1] = workspace.line[level]
        s = workspace.line[level + 1]
        apply(s, c, action, workspace.log)
        if s.rng != workspace.line[level].rng:
            continue
        if actor(s) == NOBODY and share_of_win(s, c, seats, seat) == 1.0 and wins_surely(
                observation, c, seats, seat, worlds, workspace, level + 1, seed):
            return np.int64(workspace.branches[0, workspace.tried_there[0, 1] - 1]), left
        if actor(s) == seat:
            if level + 1 == depth:
                cut = True
            elif not is_met(workspace, depth, level + 1):
                level += 1
                list_branches(workspace, c, level)
    return NOBODY, left if cut else NOBODY


@rule
def shortest_win(observation, c, seats, seat, policy, workspace, depth, found_at, action, seed):
    """The first move of a shorter line than was found, if there is one: so a win comes nearer."""
    while depth < found_at:
        sooner, _ = win_within(observation, c, seats, seat, policy.win_worlds, workspace, depth,
                               np.int64(policy.finish), seed)
        if sooner != NOBODY:
            return sooner
        depth += 1
    return action


@rule
def sure_win(observation, c, seats, seat, policy, workspace, seed):
    """The first move of the shortest line of own moves that surely wins; NOBODY when none is found.

    Surely: no move of it rolls, and it wins in every one of some worlds the seat thinks possible.
    """
    workspace.line[0] = observation[0]
    determinize(workspace.line[0], c, seat, seed)
    workspace.met[:] = 0
    left, shorter = np.int64(policy.finish), 0
    for depth in LOOKS:
        action, left = win_within(observation, c, seats, seat, policy.win_worlds, workspace, depth,
                                  left, seed)
        if action != NOBODY:
            return shortest_win(observation, c, seats, seat, policy, workspace, shorter + 1, depth,
                                action, seed)
        if left <= 0:
            break
        shorter = depth
    return NOBODY
