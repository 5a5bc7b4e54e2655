"""Search: one template for every game, bound to it like any other loop.

Monte Carlo tree search over information sets. Each iteration imagines a world that the searching
seat cannot tell from the true one (in an open game: the same world with fresh chance), walks down
the tree by the actions legal in that world, adds one node, plays on for a while and values what it
finds. A node stands for the actions that led to it, so it can meet different worlds; `chances`
counts how often it could have been chosen. Every seat maximises its own value.

The moves played on are drawn by lot, and of a few drawn the one is taken after which this search
has fared best so far. What that brings, and what was tried and dropped, is in `docs/bots.md`.

The caller allocates the tree; a full tree stops growing and goes on being used.
"""

import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from exchequer.core.chance import POLICY_STREAM, Chance, roll, seed_chance
from exchequer.core.contract import actor, apply, imagine, legal, observe, value
from exchequer.core.log import new_log
from exchequer.core.loops import MAX_SEATS, start_game, write_result
from exchequer.core.records import NOBODY, record, rule

ROOT = 0
NO_NODE = -1
MOST_MOVES = 64  # of one iteration that experience is drawn from
WORLD_STEP = 7919  # keeps the seeds of imagined worlds apart
THOUGHT_STEP = 1_000_003  # and those of a game's thoughts

Node = record(
    value="f8",  # sum of the values for the seat that moved into this node
    parent="i4",
    first_child="i4",
    sibling="i4",  # the next child of the same parent
    action="i4",
    visits="i4",
    chances="i4",  # how often this action was legal when its parent was visited; of the root: nodes
    seat="i1",  # who moved into this node
)


class Mind(IntEnum):
    """The kinds of bots."""

    RANDOM, GREEDY, SEARCH = range(3)


Plan = record(
    # How hard and how a bot thinks.
    mind="i4",
    iterations="i4",
    first="i4",  # the iterations made before, when a search is carried on from the tree in the room
    playout="i4",  # random moves before the position is valued
    explore="f8",  # weight of what is unknown, in units of the spread of values found
    urgency="f8",  # value of an action that has not been tried; 2 tries each once first
    haste="f8",  # part of a lead that is lost with each move until it is reached
    picks="i4",  # a move played on is the best by experience of so many drawn by lot
)


class Room(NamedTuple):
    """What one search works in."""

    nodes: np.ndarray  # (n,) Node
    seen: np.ndarray  # (1,) State: an observation
    worlds: np.ndarray  # (1,) State: a world imagined from it
    values: np.ndarray  # (MAX_SEATS,) f8
    spread: np.ndarray  # (2,) f8: lowest and highest value found in this search
    child_of: np.ndarray  # (n_actions,) i4: scratch, NO_NODE between uses
    gained: np.ndarray  # (MAX_SEATS, n_actions) f8: sum of values after a seat's action
    tried: np.ndarray  # (MAX_SEATS, n_actions) i4
    path: np.ndarray  # (MOST_MOVES, 2) i4: seat and action of this iteration
    chance: np.ndarray  # (1,) Chance
    out: np.ndarray  # (max_legal,) i4
    log: np.ndarray  # (1,) Entry: without room


def new_room(state: np.dtype, max_legal: int, n_actions: int, nodes: int) -> Room:
    return Room(np.zeros(nodes, Node), np.zeros(1, state), np.zeros(1, state),
                np.zeros(MAX_SEATS), np.zeros(2), np.full(n_actions, NO_NODE, np.int32),
                np.zeros((MAX_SEATS, n_actions)), np.zeros((MAX_SEATS, n_actions), np.int32),
                np.zeros((MOST_MOVES, 2), np.int32),
                np.zeros(1, Chance), np.zeros(max_legal, np.int32), new_log(0))


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
    node.chances = 0
    node.seat = seat
    if parent != NO_NODE:
        node.sibling = nodes[parent].first_child
        nodes[parent].first_child = size
    return size + 1


@rule
def appeal(node, plan, spread):
    """UCB1 over the times the action could have been chosen, in the measure of this search."""
    return (node.value / node.visits
            + plan.explore * spread * math.sqrt(math.log(1.0 + node.chances) / node.visits))


@rule
def mark_children(room, node, erase):
    """Note for each tried action which child it leads to, or take the notes away."""
    child = room.nodes[node].first_child
    while child != NO_NODE:
        room.child_of[room.nodes[child].action] = NO_NODE if erase else child
        child = room.nodes[child].sibling


@rule
def choose_child(room, node, count, plan, mover):
    """The most appealing of the legal actions' children; NO_NODE when a new one is better.

    The second number is the action of a child to be added, drawn by lot among the untried.
    """
    nodes = room.nodes
    mark_children(room, node, False)
    best, best_appeal = NO_NODE, -1e9
    spread = max(room.spread[1] - room.spread[0], 0.0)
    untried, new_action = 0, NOBODY
    for i in range(count):
        child = np.int64(room.child_of[room.out[i]])
        if child == NO_NODE:
            room.out[untried] = room.out[i]
            untried += 1
        else:
            nodes[child].chances += 1
            found = appeal(nodes[child], plan, spread)
            if found > best_appeal:
                best, best_appeal = child, found
    mark_children(room, node, True)
    if untried > 0 and best_appeal < plan.urgency:
        best, new_action = NO_NODE, pick(room, untried, plan.picks, mover)
    return best, new_action


@rule
def pick(room, count, picks, mover):
    """Of some actions drawn by lot the one that has gone best for the seat so far."""
    action = np.int64(room.out[roll(room.chance[0], count)])
    for _ in range(picks - 1):
        other = np.int64(room.out[roll(room.chance[0], count)])
        if experience(room, mover, other) > experience(room, mover, action):
            action = other
    return action


@rule
def experience(room, mover, action):
    """What followed this action on average; an even chance before anything did."""
    return (room.gained[mover, action] + 0.5) / (room.tried[mover, action] + 1)


@rule
def play_on(room, c, moves, picks, length):
    """Random moves, at most that many."""
    s = room.worlds[0]
    for _ in range(moves):
        mover = actor(s)
        if mover == NOBODY:
            return length
        count = legal(s, c, room.out)
        action = pick(room, count, picks, mover)
        length = remember(room, length, mover, action)
        apply(s, c, action, room.log)
    return length


@rule
def remember(room, length, mover, action):
    if length < MOST_MOVES:
        room.path[length, 0] = mover
        room.path[length, 1] = action
        return length + 1
    return length


@rule
def learn(room, length):
    """Every action of this iteration shares in what came of it."""
    for i in range(length):
        mover, action = np.int64(room.path[i, 0]), np.int64(room.path[i, 1])
        room.tried[mover, action] += 1
        room.gained[mover, action] += room.values[mover]


@rule
def weigh(room, c, seats, part):
    """What the world that was reached is worth to each seat; of a lead only that part counts."""
    even = 1.0 / seats
    for seat in range(seats):
        found = value(room.worlds[0], c, seats, seat)
        if seats > 1:
            found = even + (found - even) * part
        room.values[seat] = found
        room.spread[0] = min(room.spread[0], found)
        room.spread[1] = max(room.spread[1], found)


@rule
def back_up(nodes, node, values):
    """Every node on the way up learns the value for the seat that chose it."""
    while node != NO_NODE:
        nodes[node].visits += 1
        if nodes[node].seat >= 0:
            nodes[node].value += values[nodes[node].seat]
        node = nodes[node].parent


@rule
def iterate(observation, c, seats, seat, plan, room, size, seed):
    """One iteration: imagine, walk down, add a node, play on, value, learn."""
    room.worlds[0] = observation[0]
    s = room.worlds[0]
    imagine(s, c, seat, seed)
    node = ROOT + 0
    length = 0
    while actor(s) != NOBODY:
        mover = actor(s)
        count = legal(s, c, room.out)
        child, action = choose_child(room, node, count, plan, mover)
        is_new = child == NO_NODE
        if is_new:
            if size == len(room.nodes):
                break
            child = size
            size = add_node(room.nodes, size, node, action, mover)
            room.nodes[child].chances = 1
        else:
            action = np.int64(room.nodes[child].action)
        length = remember(room, length, mover, action)
        apply(s, c, action, room.log)
        node = child
        if is_new:
            break
    length = play_on(room, c, plan.playout, plan.picks, length)
    weigh(room, c, seats, 1.0 - plan.haste * length)
    learn(room, length)
    back_up(room.nodes, node, room.values)
    return size


@rule
def most_visited(nodes):
    """The action tried most often, of equals the one that went best."""
    best = np.int64(nodes[ROOT].first_child)
    child = best
    while child != NO_NODE:
        more = nodes[child].visits - nodes[best].visits
        if more > 0 or (more == 0 and nodes[child].value > nodes[best].value):
            best = np.int64(child)
        child = np.int64(nodes[child].sibling)
    return np.int64(nodes[best].action)


@rule
def search(observation, c, seats, seat, plan, room, seed):
    """The action tried most often. The tree stays in `room` for whoever asks."""
    size = np.int64(room.nodes[ROOT].chances)
    if plan.first == 0:
        size = add_node(room.nodes, 0, NO_NODE, NOBODY, NOBODY)
        room.spread[0], room.spread[1] = 1e9, -1e9
        room.gained[:] = 0
        room.tried[:] = 0
    for i in range(plan.first, plan.iterations):
        size = iterate(observation, c, seats, seat, plan, room, size,
                       np.int64(seed) + i * WORLD_STEP)
    room.nodes[ROOT].chances = size
    return most_visited(room.nodes)


@rule
def look_ahead(observation, c, seats, seat, room, seed):
    """The action whose outcome is worth most in an imagined world; equals are drawn by lot.

    The actions and what they are worth stay in `room` as children of the root.
    """
    size = add_node(room.nodes, 0, NO_NODE, NOBODY, NOBODY)
    count = legal(observation[0], c, room.out)
    best, equal, action = -1.0, 0, NOBODY
    for i in range(count):
        room.worlds[0] = observation[0]
        imagine(room.worlds[0], c, seat, seed)
        apply(room.worlds[0], c, np.int64(room.out[i]), room.log)
        worth = value(room.worlds[0], c, seats, seat)
        if size < len(room.nodes):
            size = add_node(room.nodes, size, ROOT, room.out[i], seat)
            room.nodes[size - 1].visits = 1
            room.nodes[size - 1].value = worth
        if worth > best:
            best, equal = worth, 0
        if worth == best:
            equal += 1
            if roll(room.chance[0], equal) == 0:
                action = np.int64(room.out[i])
    return action


@rule
def think(observation, c, seats, seat, plan, room, seed):
    """What a bot answers; the same seed, the same answer, also when it is thought in parts."""
    if plan.first == 0:
        seed_chance(room.chance[0], seed, POLICY_STREAM)
    if plan.mind == Mind.SEARCH:
        return search(observation, c, seats, seat, plan, room, seed)
    if plan.mind == Mind.GREEDY:
        return look_ahead(observation, c, seats, seat, room, seed)
    count = legal(observation[0], c, room.out)
    return np.int64(room.out[roll(room.chance[0], count)])


# Matches -----------------------------------------------------------------------------------------

@rule
def run_matches(desk, c, seats, seeds, plans, room, limit, results):
    """One game for each row of `plans`, which says who sits where. Returns the moves made."""
    total = 0
    for i in range(len(seeds)):
        start_game(desk, c, seats, seeds[i])
        s = desk.states[0]
        moves = 0
        while actor(s) != NOBODY and moves < limit:
            seat = actor(s)
            room.seen[0] = s
            observe(room.seen[0], c, seat)
            thought = np.int64(seeds[i]) * THOUGHT_STEP + moves
            action = think(room.seen, c, seats, seat, plans[i, seat], room, thought)
            apply(s, c, action, room.log)
            moves += 1
        write_result(s, c, seats, moves, results[i])
        total += moves
    return total
