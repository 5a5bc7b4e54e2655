"""Search: one template for every game, bound to it like any other loop.

Information-set Monte Carlo tree search. Each iteration determinizes: it samples a world that the
searching seat cannot tell from the true one (in an open game: the same world with fresh chance),
walks down the tree by the actions legal in that world, adds one node, makes a playout and values
what it reaches. A node stands for the actions that led to it, so it can meet different worlds;
`availability` counts how often it could have been chosen. Every seat maximises its own value.

In a playout, of a few sampled moves the one with the best average so far is taken. What is reached
is valued by the game's own valuation, or by a network (`core.learned`) where the policy has one.
What all that is worth, and what was tried and dropped, is in `docs/bots.md`.

A policy with `finish` first looks for a win that needs nothing but the seat's own next moves
(`core.sure_win`) and takes it: a tree may leave a win lying that is worth little more than waiting.

The caller allocates the tree; a full tree stops growing and goes on being used.
"""

import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from exchequer.core.chance import POLICY_STREAM, WORLD_STEP, Chance, roll, seed_chance
from exchequer.core.contract import actor, apply, determinize, legal, observe, value
from exchequer.core.habits import leave_to_habit, legal_habit
from exchequer.core.learned import HIDDEN, N_ROWS, add_rows, list_inputs, write_chances
from exchequer.core.log import new_log
from exchequer.core.loops import MAX_SEATS, start_game, write_result
from exchequer.core.records import NOBODY, record, rule
from exchequer.core.sure_win import sure_win
from exchequer.core.value import log_of

ROOT = 0
NO_NODE = -1
MOST_MOVES = 64  # of one iteration that count towards the averages
THOUGHT_STEP = 1_000_003  # and those of a game's thoughts
SURE = -1  # visits of a root whose only child was found without a tree: a win, or a habit
SETTLED_EVERY = 16  # iterations after which a search looks whether its answer is settled

Node = record(
    value="f8",  # sum of the values for the seat that moved into this node
    parent="i4",
    first_child="i4",
    sibling="i4",  # the next child of the same parent
    action="i4",
    visits="i4",
    availability="i4",  # times the action was legal when its parent was visited; root: nodes
    seat="i1",  # who moved into this node
)


class PolicyKind(IntEnum):
    """How a bot chooses: any legal action, one question ahead, or by search."""

    RANDOM, GREEDY, SEARCH = range(3)


PolicyRecord = record(
    # How a bot chooses, and how hard it searches.
    kind="i4",
    iterations="i4",
    first="i4",  # iterations made before, when a search goes on from the tree in the workspace
    playout="i4",  # moves before the position is valued
    explore="f8",  # weight of what is unknown, in units of the spread of values found
    first_play_urgency="f8",  # value of an action that has not been tried; 2 tries each once first
    discount="f8",  # part of a lead that is lost with each move until it is reached
    samples="i4",  # a playout's move is the best by its average of so many sampled
    network="i4",  # that values positions, counted from 1; 0: the game's own valuation
    finish="i4",  # moves to try out in looking for a sure win; 0: not at all
    win_worlds="i4",  # in which it has to be one
    whole="i4",  # iterations of all parts, where a settled answer ends the search; 0: nothing does
    attention="f8",  # part of what its habits could find that it sees, see `core.habits`
)


class Workspace(NamedTuple):
    """What one search works in."""

    nodes: np.ndarray  # (n,) Node
    seen: np.ndarray  # (1,) State: an observation
    worlds: np.ndarray  # (1,) State: a world determinized from it
    values: np.ndarray  # (MAX_SEATS,) f8
    spread: np.ndarray  # (2,) f8: lowest and highest value found in this search
    child_of: np.ndarray  # (n_actions,) i4: scratch, NO_NODE between uses
    gained: np.ndarray  # (MAX_SEATS, n_actions) f8: sum of values after a seat's action
    tried: np.ndarray  # (MAX_SEATS, n_actions) i4
    path: np.ndarray  # (MOST_MOVES, 2) i4: seat and action of this iteration
    chance: np.ndarray  # (1,) Chance
    out: np.ndarray  # (max_legal,) i4
    log: np.ndarray  # (1,) Entry: without workspace
    # For a learned value, see `core.learned`; empty without one.
    inputs: np.ndarray  # (most,) i4: the switches that are on
    words: np.ndarray  # (n, 2) i4
    groups: np.ndarray  # (piles,) i4
    places: np.ndarray  # (7,) i4
    hidden: np.ndarray  # (HIDDEN,) i4
    first: np.ndarray  # (networks, inputs, HIDDEN) i2
    second: np.ndarray  # (networks, N_ROWS, MAX_SEATS) i4
    # For a sure win, see `core.sure_win`; empty where no policy looks for one.
    line: np.ndarray  # (LONGEST_WIN + 1,) State: after each of its moves
    branches: np.ndarray  # (LONGEST_WIN, max_legal) i4: moves there
    tried_there: np.ndarray  # (LONGEST_WIN, 2) i4: how many there are, and the next one
    line_words: np.ndarray  # (LONGEST_WIN + 1, words) u4: the same memory as `line`
    keys: np.ndarray  # (2, words) u4
    met: np.ndarray  # (MOST_MET, 2) u8: what tells positions apart that were looked on from


def new_workspace(state: np.dtype, max_legal: int, n_actions: int, nodes: int) -> Workspace:
    """For the game's own valuation; `bots.policies.equipped` adds what else a policy needs."""
    return Workspace(np.zeros(nodes, Node), np.zeros(1, state), np.zeros(1, state),
                np.zeros(MAX_SEATS), np.zeros(2), np.full(n_actions, NO_NODE, np.int32),
                np.zeros((MAX_SEATS, n_actions)), np.zeros((MAX_SEATS, n_actions), np.int32),
                np.zeros((MOST_MOVES, 2), np.int32),
                np.zeros(1, Chance), np.zeros(max_legal, np.int32), new_log(0),
                np.zeros(0, np.int32), np.zeros((0, 2), np.int32), np.zeros(0, np.int32),
                np.zeros(7, np.int32), np.zeros(HIDDEN, np.int32),
                np.zeros((0, 0, HIDDEN), np.int16),
                np.zeros((0, N_ROWS, MAX_SEATS), np.int32), np.zeros(0, state),
                np.zeros((0, max_legal), np.int32), np.zeros((0, 2), np.int32),
                np.zeros((0, 0), np.uint32), np.zeros((0, 0), np.uint32),
                np.zeros((0, 2), np.uint64))


@rule
def add_node(nodes, size, parent, action, seat):
    """Write a node and put it before its siblings. Returns the new size."""
    node = nodes[size]
    node.value = 0.0
    node.parent = parent
    node.first_child = NO_NODE
    node.sibling = NO_NODE
    node.action = action
    node.visits = 0
    node.availability = 0
    node.seat = seat
    if parent != NO_NODE:
        node.sibling = nodes[parent].first_child
        nodes[parent].first_child = size
    return size + 1


@rule
def ucb_score(node, policy, spread):
    """UCB1 over the times the action could have been chosen, in the measure of this search."""
    return (node.value / node.visits
            + policy.explore * spread * math.sqrt(log_of(1 + node.availability) / node.visits))


@rule
def mark_children(workspace, node, erase):
    """Note for each tried action which child it leads to, or take the notes away."""
    child = workspace.nodes[node].first_child
    while child != NO_NODE:
        workspace.child_of[workspace.nodes[child].action] = NO_NODE if erase else child
        child = workspace.nodes[child].sibling


@rule
def choose_child(workspace, node, count, policy, mover):
    """The legal child with the best UCB score; NO_NODE when a new one is better.

    The second number is the action of a child to be added, sampled among the untried.
    """
    nodes = workspace.nodes
    mark_children(workspace, node, False)
    best, best_score = NO_NODE, -1e9
    spread = max(workspace.spread[1] - workspace.spread[0], 0.0)
    untried, new_action = 0, NOBODY
    for i in range(count):
        child = workspace.child_of[workspace.out[i]]
        if child == NO_NODE:
            workspace.out[untried] = workspace.out[i]
            untried += 1
        else:
            nodes[child].availability += 1
            found = ucb_score(nodes[child], policy, spread)
            if found > best_score:
                best, best_score = child, found
    mark_children(workspace, node, True)
    if untried > 0 and best_score < policy.first_play_urgency:
        best, new_action = NO_NODE, pick(workspace, untried, policy.samples, mover)
    return best, new_action


@rule
def pick(workspace, count, samples, mover):
    """Of some sampled actions the one with the best average for the seat so far."""
    action = np.int64(workspace.out[roll(workspace.chance[0], count)])
    best = move_average(workspace, mover, action)
    for _ in range(samples - 1):
        other = np.int64(workspace.out[roll(workspace.chance[0], count)])
        found = move_average(workspace, mover, other)
        if found > best:
            action, best = other, found
    return action


@rule
def move_average(workspace, mover, action):
    """What followed this action on average; an even chance before anything did."""
    return (workspace.gained[mover, action] + 0.5) / (workspace.tried[mover, action] + 1)


@rule
def playout(workspace, c, moves, samples, length):
    """Random moves, at most that many."""
    s = workspace.worlds[0]
    for _ in range(moves):
        mover = actor(s)
        if mover == NOBODY:
            return length
        count = legal(s, c, workspace.out)
        action = pick(workspace, count, samples, mover)
        length = remember(workspace, length, mover, action)
        apply(s, c, action, workspace.log)
    return length


@rule
def remember(workspace, length, mover, action):
    if length < MOST_MOVES:
        workspace.path[length, 0] = mover
        workspace.path[length, 1] = action
        return length + 1
    return length


@rule
def learn(workspace, length):
    """Every action of this iteration shares in what came of it."""
    for i in range(length):
        mover, action = workspace.path[i, 0], workspace.path[i, 1]
        workspace.tried[mover, action] += 1
        workspace.gained[mover, action] += workspace.values[mover]


@rule
def write_values(workspace, c, seats, network):
    """What the world that was reached is worth to each seat; a game that is over is not guessed."""
    if network > 0 and actor(workspace.worlds[0]) != NOBODY:
        count = list_inputs(workspace.worlds, c, seats, workspace.words, workspace.groups,
                            workspace.places, workspace.values, workspace.inputs)
        add_rows(workspace.first[network - 1], workspace.inputs, count, workspace.hidden)
        write_chances(workspace.second[network - 1], workspace.hidden, seats, workspace.values)
    else:
        for seat in range(seats):
            workspace.values[seat] = value(workspace.worlds[0], c, seats, seat)


@rule
def weigh(workspace, c, seats, network, part):
    """What the world that was reached is worth to each seat; of a lead only that part counts."""
    even = 1.0 / seats
    write_values(workspace, c, seats, network)
    for seat in range(seats):
        found = workspace.values[seat]
        if seats > 1:
            found = even + (found - even) * part
        workspace.values[seat] = found
        workspace.spread[0] = min(workspace.spread[0], found)
        workspace.spread[1] = max(workspace.spread[1], found)


@rule
def back_up(nodes, node, values):
    """Every node on the way up learns the value for the seat that chose it."""
    while node != NO_NODE:
        nodes[node].visits += 1
        if nodes[node].seat >= 0:
            nodes[node].value += values[nodes[node].seat]
        node = nodes[node].parent


@rule
def iterate(observation, c, seats, seat, policy, workspace, size, seed):
    """One iteration: determinize, walk down, add a node, play out, value, learn."""
    workspace.worlds[0] = observation[0]
    s = workspace.worlds[0]
    determinize(s, c, seat, seed)
    node = ROOT
    length = 0
    while actor(s) != NOBODY:
        mover = actor(s)
        count = legal(s, c, workspace.out)
        if node == ROOT:
            count = leave_to_habit(s, workspace.out, count)
        child, action = choose_child(workspace, node, count, policy, mover)
        is_new = child == NO_NODE
        if is_new:
            if size == len(workspace.nodes):
                break
            child = size
            size = add_node(workspace.nodes, size, node, action, mover)
            workspace.nodes[child].availability = 1
        else:
            action = np.int64(workspace.nodes[child].action)
        length = remember(workspace, length, mover, action)
        apply(s, c, action, workspace.log)
        node = child
        if is_new:
            break
    length = playout(workspace, c, policy.playout, policy.samples, length)
    weigh(workspace, c, seats, policy.network, 1.0 - policy.discount * length)
    learn(workspace, length)
    back_up(workspace.nodes, node, workspace.values)
    return size


@rule
def most_visited(nodes):
    """The action tried most often, of equals the one that went best."""
    best = nodes[ROOT].first_child
    child = best
    while child != NO_NODE:
        more = nodes[child].visits - nodes[best].visits
        if more > 0 or (more == 0 and nodes[child].value > nodes[best].value):
            best = child
        child = nodes[child].sibling
    return np.int64(nodes[best].action)


@rule
def plant(nodes, seat, action, worth):
    """A tree that says no more than that this action is taken, and what it is worth."""
    add_node(nodes, 0, NO_NODE, NOBODY, NOBODY)
    add_node(nodes, 1, ROOT, action, seat)
    nodes[ROOT].visits = SURE
    nodes[ROOT].availability = 2
    nodes[ROOT + 1].visits, nodes[ROOT + 1].value = 1, worth


@rule
def search(observation, c, seats, seat, policy, workspace, seed):
    """The action tried most often. The tree stays in `workspace` for whoever asks."""
    if policy.finish > 0:
        if policy.first == 0:
            workspace.nodes[ROOT].visits = 0
            action = sure_win(observation, c, seats, seat, policy, workspace, seed)
            if action != NOBODY:
                plant(workspace.nodes, seat, action, 1.0)
        if workspace.nodes[ROOT].visits == SURE:
            return most_visited(workspace.nodes)
    return grow_tree(observation, c, seats, seat, policy, workspace, seed)


@rule
def is_settled(nodes, left):
    """Whether no other action can be tried more often than the first, with so many tries left."""
    if left < 0:
        return False
    most, next_most = 0, 0
    child = nodes[ROOT].first_child
    while child != NO_NODE:
        visits = np.int64(nodes[child].visits)
        next_most = max(next_most, min(most, visits))
        most = max(most, visits)
        child = nodes[child].sibling
    return most > next_most + left


@rule
def grow_tree(observation, c, seats, seat, policy, workspace, seed):
    """All iterations of a search, or those of one part of it."""
    size = np.int64(workspace.nodes[ROOT].availability)
    if policy.first == 0:
        size = add_node(workspace.nodes, 0, NO_NODE, NOBODY, NOBODY)
        workspace.spread[0], workspace.spread[1] = 1e9, -1e9
        workspace.gained[:] = 0
        workspace.tried[:] = 0
    for i in range(policy.first, policy.iterations):
        if i % SETTLED_EVERY == 0 and is_settled(workspace.nodes, policy.whole - i):
            break
        size = iterate(observation, c, seats, seat, policy, workspace, size,
                       np.int64(seed) + i * WORLD_STEP)
    workspace.nodes[ROOT].availability = size
    return most_visited(workspace.nodes)


@rule
def look_ahead(observation, c, seats, seat, workspace, seed):
    """The action whose outcome is worth most in a determinized world; ties are broken at random.

    The actions and what they are worth stay in `workspace` as children of the root.
    """
    size = add_node(workspace.nodes, 0, NO_NODE, NOBODY, NOBODY)
    count = legal(observation[0], c, workspace.out)
    best, equal, action = -1.0, 0, NOBODY
    for i in range(count):
        workspace.worlds[0] = observation[0]
        determinize(workspace.worlds[0], c, seat, seed)
        apply(workspace.worlds[0], c, np.int64(workspace.out[i]), workspace.log)
        worth = value(workspace.worlds[0], c, seats, seat)
        if size < len(workspace.nodes):
            size = add_node(workspace.nodes, size, ROOT, workspace.out[i], seat)
            workspace.nodes[size - 1].visits = 1
            workspace.nodes[size - 1].value = worth
        if worth > best:
            best, equal = worth, 0
        if worth == best:
            equal += 1
            if roll(workspace.chance[0], equal) == 0:
                action = np.int64(workspace.out[i])
    return action


@rule
def think(observation, c, seats, seat, policy, workspace, seed):
    """What a bot answers; the same seed, the same answer, also when it is thought in parts."""
    if policy.first == 0:
        seed_chance(workspace.chance[0], seed, POLICY_STREAM)
    if policy.kind == PolicyKind.SEARCH:
        return search(observation, c, seats, seat, policy, workspace, seed)
    if policy.kind == PolicyKind.GREEDY:
        return look_ahead(observation, c, seats, seat, workspace, seed)
    count = legal(observation[0], c, workspace.out)
    return np.int64(workspace.out[roll(workspace.chance[0], count)])


@rule
def choose(observation, c, seats, seat, policy, workspace, seed):
    """What a bot does: out of habit if it searches and has one here, else what it thinks of."""
    if policy.kind == PolicyKind.SEARCH:
        action = legal_habit(observation[0], c, seats, seat, policy.attention, workspace.out)
        if action != NOBODY:
            return np.int64(action)
    return think(observation, c, seats, seat, policy, workspace, seed)


# Matches -----------------------------------------------------------------------------------------

@rule
def run_matches(buffers, c, seats, seeds, policies, workspace, limit, results):
    """One game for each row of `policies`, which says who sits where. Returns the moves made."""
    total = 0
    for i in range(len(seeds)):
        start_game(buffers, c, seats, seeds[i])
        s = buffers.states[0]
        moves = 0
        while actor(s) != NOBODY and moves < limit:
            seat = actor(s)
            workspace.seen[0] = s
            observe(workspace.seen[0], c, seat)
            thought = np.int64(seeds[i]) * THOUGHT_STEP + moves
            action = choose(workspace.seen, c, seats, seat, policies[i, seat], workspace, thought)
            apply(s, c, action, workspace.log)
            moves += 1
        write_result(s, c, seats, moves, results[i])
        total += moves
    return total
