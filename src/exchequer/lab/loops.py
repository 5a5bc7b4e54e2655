"""The lab's loop: games between bots, with everything that is measured recorded on the way.

One loop serves every command of the lab: run, compare, cards, probe and tune only differ in the
games they ask for. `recording` defines what it reads and writes. `decide` and `play_game` take its
parts one by one: given one tuple, compiled code counts a reference to each of 45 arrays with every
call, and the loop is a quarter slower.
"""

import numpy as np

from exchequer.core.agenda import no_answer
from exchequer.core.chance import HALF, LOW, MULTIPLIER, POLICY_STREAM, roll, seed_chance
from exchequer.core.contract import (
    actor,
    apply,
    ending,
    legal,
    observe,
    question,
    score,
    value,
    winners,
)
from exchequer.core.habits import habit, leave_to_habit
from exchequer.core.log import clear
from exchequer.core.loops import WHOLE, broken, goes_on, start_game
from exchequer.core.measures import measure, turn_now
from exchequer.core.records import NOBODY, apart, rule
from exchequer.core.search import NO_NODE, ROOT, THOUGHT_STEP, PolicyKind, think
from exchequer.lab.recording import (
    BANDS,
    DEAL,
    MILLION,
    MOST_TURNS,
    RING,
    TEN_THOUSAND,
    TENTHS,
    TOGETHER,
    VOTE,
)

SAMPLE = 16  # one decision in this many is weighed option by option
MATTERS = 0.02  # a decision matters when its options differ by this chance to win
MOST_STOCK = 2**24  # the most that a curve shows
SETTLED = 0.9  # a chance to win that counts as decided
HOPELESS = 0.5  # of an even share of the chance to win
DEALS, VOTES, ALIKE = range(len(TOGETHER))


@rule
def add(sums, place, amount):
    """Everything in `Sums` is added by this; on a GPU many games do so at once."""
    sums[place] += amount


# Chances -----------------------------------------------------------------------------------------

@apart
def weigh_chances(states, c, seats, chances):
    """Each seat's chance to win, by the game's own evaluation of the true position."""
    total = 0.0
    for seat in range(seats):
        chances[seat] = value(states[0], c, seats, seat)
        total += chances[seat]
    if seats > 1:
        for seat in range(seats):
            chances[seat] = chances[seat] / total if total > 0.0 else 1.0 / seats


@rule
def leader(chances, seats):
    """The seat with the best chance, or NOBODY when two share it."""
    best, found = NOBODY, -1.0
    for seat in range(seats):
        if chances[seat] > found:
            best, found = seat, chances[seat]
        elif chances[seat] == found:
            best = NOBODY
    return best


# Constraints -------------------------------------------------------------------------------------

@rule
def constrain(constraint, may_force, out, count):
    """Keep what a constraint allows: the forced actions, else those not denied, else all."""
    forced, free = 0, 0
    for i in range(count):
        if constraint[out[i]] > 0 and may_force:
            forced += 1
        if constraint[out[i]] >= 0:
            free += 1
    least = 1 if forced > 0 else 0 if free > 0 else -1
    kept = 0
    for i in range(count):
        if constraint[out[i]] >= least:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def best_kept(nodes, out, count):
    """Of the actions left, the one the search liked best; NOBODY when it looked at none."""
    best, best_visits, best_value = NOBODY, 0, -1.0
    child = nodes[ROOT].first_child
    while child != NO_NODE:
        node = nodes[child]
        for i in range(count):
            if node.visits > 0 and node.action == out[i]:
                worth = node.value / node.visits
                if node.visits > best_visits or (node.visits == best_visits
                                                 and worth > best_value):
                    best, best_value = node.action, worth
                    best_visits = node.visits
        child = nodes[child].sibling
    return best


@rule
def is_kept(action, out, count):
    for i in range(count):
        if out[i] == action:
            return True
    return False


# A decision --------------------------------------------------------------------------------------

@rule
def weigh_options(nodes, row):
    """How much the options of a decision differ, from the children of the greedy search."""
    total, best, worst, options = 0.0, 0.0, 1.0, 0
    child = nodes[ROOT].first_child
    while child != NO_NODE:
        worth = nodes[child].value
        total += worth
        best, worst = max(best, worth), min(worst, worth)
        options += 1
        child = nodes[child].sibling
    if options > 1:
        row.weighed += 1
        row.spread += best - total / options
        row.mattered += best - worst > MATTERS


@rule
def decide(buffers, c, seats, seat, design, job, space, moves, weighs, forced, row, legal_count):
    """The seat's action: what its policy chooses, within its constraint."""
    constraint = design.constraints[job.constraint[seat], question(buffers.states[0])]
    may_force = forced[seat] < design.times[job.constraint[seat]]
    count = legal_count
    if job.constraint[seat] > 0:
        count = constrain(constraint, may_force, buffers.out, count)
    policy = job.policy[seat]
    is_random = design.policies[policy].kind == PolicyKind.RANDOM
    action = buffers.out[roll(buffers.chance[0], count)] if is_random else buffers.out[0]
    needs = count > 1 and not is_random
    if needs or weighs:
        space.seen[0] = buffers.states[0]
        observe(space.seen[0], c, seat)
        if needs and design.policies[policy].kind == PolicyKind.SEARCH:
            wanted = habit(space.seen[0], c, seats, seat, design.policies[policy].attention)
            if is_kept(wanted, buffers.out, count):
                action, needs = wanted, False
            else:
                count = leave_to_habit(space.seen[0], buffers.out, count)
                action, needs = buffers.out[0], count > 1
        thought = np.int64(job.policy_seed) * THOUGHT_STEP + moves
        for turn in range(0 if weighs else 1, 2 if needs else 1):
            which = policy if turn == 1 else len(design.policies) - 1
            wanted = think(space.seen, c, seats, seat, design.policies[which], space, thought)
            if turn == 0:
                weigh_options(space.nodes, row)
            elif is_kept(wanted, buffers.out, count):
                action = wanted
            else:
                wanted = best_kept(space.nodes, buffers.out, count)
                if wanted != NOBODY:
                    action = wanted
    if job.constraint[seat] > 0 and constraint[action] > 0:
        forced[seat] += 1
    return action


# What is recorded --------------------------------------------------------------------------------

@rule
def fold(digest, number):
    """Add a number to a digest by multiply-with-carry; no step overflows 64 bits."""
    return MULTIPLIER * ((digest & LOW) ^ (np.uint64(number) & LOW)) + (digest >> HALF)


@rule
def notice_position(scratch, row):
    """Remember the position by a digest without its generator; count it if it was seen."""
    digest = np.uint64(1)
    for i in range(scratch.rng[0]):
        digest = fold(digest, scratch.words[i])
    for i in range(scratch.rng[1], len(scratch.words)):
        digest = fold(digest, scratch.words[i])
    for i in range(RING):
        if scratch.ring[i] == digest:
            row.revisits += 1
            return
    scratch.ring[row.steps % RING] = digest


@rule
def notice_pace(log, scratch, row, entry, seat, count, is_on):
    """How much one move sets off, and how long a seat has waited for its choice.

    The move that ends a game sets off its end, which is no news; so it is left out.
    """
    if is_on and log[0].amount > row.chain:
        row.chain, row.chain_seat = log[0].amount, seat
    if count > 1:
        entry.waited = max(entry.waited, row.choices - scratch.chose[seat])
        scratch.chose[seat] = row.choices + 1


@rule
def notice_entries(log, design, scratch, counts, seats, turn):
    """Count what one move wrote to the log. Returns whether it held deals and votes."""
    last = design.use_of.shape[1] - 1
    found = 0
    for place in range(1, min(log[0].amount + 1, len(log))):
        entry = log[place]
        seat = entry.seat if 0 <= entry.seat < seats else seats
        scratch.seen[entry.what, seat] += 1
        use = design.use_of[entry.what, min(max(entry.thing, 0), last)]
        if use >= 0 and seat < seats:
            if scratch.used[use, seat, 0] == 0:
                scratch.used[use, seat, 2] = turn
            scratch.used[use, seat, 0] += 1
            scratch.used[use, seat, 1] += turn
        if design.watched[entry.what] & 1 and seat < seats:
            for k in range(len(design.counts)):
                if design.counts[k, 0] == entry.what and (
                        design.counts[k, 1] < 0 or design.counts[k, 1] == entry.thing):
                    counts[seat, k] += entry.amount if design.counts[k, 2] else 1
        found |= design.watched[entry.what]
    return found


@rule
def notice_deal(log, design, scratch, sums, seats):
    """What a deal was worth to the two seats that closed it, in chances to win."""
    for place in range(1, min(log[0].amount + 1, len(log))):
        entry = log[place]
        is_deal = design.watched[entry.what] & DEAL
        if is_deal and 0 <= entry.seat < seats and 0 <= entry.other < seats:
            add(sums.deals, 0, 1)
            for side in range(2):
                who = entry.seat if side == 0 else entry.other
                gain = scratch.chances[1, who] - scratch.chances[0, who]
                add(sums.deals, 1 + side, np.int64(round(gain * MILLION)))


@rule
def count_pair(pairs, one, other, what):
    pairs[min(one, other), max(one, other), what] += 1


@rule
def notice_pairs(log, design, pairs, seats):
    """Who closed a deal with whom, and who voted as whom."""
    last = min(log[0].amount + 1, len(log))
    for place in range(1, last):
        entry = log[place]
        watched = design.watched[entry.what]
        if not 0 <= entry.seat < seats:
            continue
        if watched & DEAL and 0 <= entry.other < seats:
            count_pair(pairs, entry.seat, entry.other, DEALS)
        for later in range(place + 1, last if watched & VOTE else 0):
            vote = log[later]
            if vote.what == entry.what and 0 <= vote.seat < seats:
                count_pair(pairs, entry.seat, vote.seat, VOTES)
                if vote.thing == entry.thing:
                    count_pair(pairs, entry.seat, vote.seat, ALIKE)


@rule
def notice_swing(scratch, row, seat, seats):
    """How much one decision moved the chances; whether a seat without hope chose the winner."""
    moved = 0.0
    for other in range(seats):
        moved = max(moved, abs(scratch.chances[1, other] - scratch.chances[0, other]))
    row.swing += moved
    before, after = leader(scratch.chances[0], seats), leader(scratch.chances[1], seats)
    if (seats > 2 and before != after and before != seat and after != seat
            and scratch.chances[0, seat] * seats < HOPELESS):
        row.kingmade += 1


@rule
def inequality(stock, seats):
    """Gini of the first resource, in TEN_THOUSAND."""
    apart_by, total = 0.0, 0.0
    for seat in range(seats):
        total += max(0, stock[seat, 0])
        for other in range(seats):
            apart_by += abs(max(0, stock[seat, 0]) - max(0, stock[other, 0]))
    return np.int64(TEN_THOUSAND * apart_by / (2.0 * seats * total)) if total > 0.0 else 0


@rule
def open_turn(buffers, c, seats, turn, scratch, sums, course, i):
    """A turn begins: record chances and stocks."""
    weigh_chances(buffers.states, c, seats, scratch.track[turn])
    for seat in range(seats):
        measure(buffers.states[0], c, seat, scratch.stock[seat])
        for k in range(scratch.stock.shape[1]):
            held = min(max(scratch.stock[seat, k], -MOST_STOCK), MOST_STOCK)
            add(sums.stock, (turn, seat, k, 0), held)
            add(sums.stock, (turn, seat, k, 1), held * held)
            if i < len(course):
                course[i, turn, seat, k] = held
    add(sums.turns, (turn, 0), 1)
    add(sums.turns, (turn, 1), inequality(scratch.stock, seats))


# The end of a game -------------------------------------------------------------------------------

@rule
def tell_story(scratch, row, seats, first, last, winner):
    """Who led when, and when the game was decided, from the chances at each turn."""
    row.low, row.settled, row.decided = 1.0, 0, 0
    before = NOBODY
    behind = 0.0
    for turn in range(first, last + 1):
        ahead = leader(scratch.track[turn], seats)
        if ahead != NOBODY and before != NOBODY and ahead != before:
            row.lead_changes += 1
        before = ahead if ahead != NOBODY else before
        if winner != NOBODY:
            chance = scratch.track[turn, winner]
            row.low = min(row.low, chance)
            best = chance
            for seat in range(seats):
                best = max(best, scratch.track[turn, seat])
            behind += best - chance
            if ahead != winner:
                row.settled = turn + 1 - first
            if chance < SETTLED:
                row.decided = turn + 1 - first
    row.drama = behind / (last - first + 1)
    row.half_leader = leader(scratch.track[(first + last) // 2], seats)


@rule
def tell_leads(scratch, sums, seats, first, last, shares):
    """How often the leader after each tenth of the game won, and seats by their value then."""
    for tenth in range(TENTHS):
        turn = first + tenth * (last - first) // (TENTHS - 1)
        ahead = leader(scratch.track[turn], seats)
        if ahead != NOBODY:
            add(sums.led, (tenth, 0), 1)
            add(sums.led, (tenth, 1), shares[ahead].share)
        if 0 < tenth < TENTHS - 1 and seats > 1:
            for seat in range(seats):
                band = min(int(scratch.track[turn, seat] * BANDS), BANDS - 1)
                add(sums.chances, (band, 0), 1)
                add(sums.chances, (band, 1), shares[seat].share)


@rule
def close_game(buffers, c, seats, row, rows, scratch, sums, i):
    """Scores, wins, and everything counted during the game."""
    s = buffers.states[0]
    row.ending, row.winners, row.fault = ending(s), winners(s, c), broken(s, c)
    won = 0
    for seat in range(seats):
        won += (row.winners >> seat) & 1
    for seat in range(seats):
        entry = rows.seats[i, seat]
        entry.score = score(s, c, seat)
        entry.share = WHOLE // won if (row.winners >> seat) & 1 else 0
        entry.forced = scratch.forced[seat]
        measure(s, c, seat, rows.stock[i, seat])
        for use in range(len(scratch.used)):
            if scratch.used[use, seat, 0] > 0:
                add(sums.uses, (use, seat, 0), scratch.used[use, seat, 0])
                add(sums.uses, (use, seat, 1), 1)
                add(sums.uses, (use, seat, 2), entry.share)
                add(sums.uses, (use, seat, 3), scratch.used[use, seat, 1])
                if i < len(rows.first_use):
                    rows.first_use[i, seat, use] = 1 + scratch.used[use, seat, 2]
    for event in range(len(scratch.seen)):
        for seat in range(seats + 1):
            if scratch.seen[event, seat] > 0:
                add(sums.events, (event, seat, 0), scratch.seen[event, seat])
                add(sums.events, (event, seat, 1), 1)


@rule
def sole_winner(row, seats):
    winner, won = NOBODY, 0
    for seat in range(seats):
        if (row.winners >> seat) & 1:
            winner, won = seat, won + 1
    return winner if won == 1 else NOBODY


@rule
def turn_of(s, moves, seats):
    """The turn as the game counts it; without one a turn is `seats` moves."""
    now = turn_now(s)
    if now < 0:
        now = moves // seats
    return min(max(now, 0), MOST_TURNS - 1)


@rule
def count_in_moves(row, seats):
    """A game that counts no turns is measured in moves, as `simulate` does."""
    row.turns = row.steps
    row.settled = min(row.settled * seats, row.steps)
    row.decided = min(row.decided * seats, row.steps)


# The loop ----------------------------------------------------------------------------------------

@rule
def write_move(row, entry, actions, action, count):
    """Count a move in the rows of its game and seat."""
    entry.decisions += 1
    actions[row.steps] = action
    row.path = fold(row.path, action)
    row.branching += count
    row.choices += count > 1
    row.steps += 1


@rule
def play_game(buffers, c, seats, job, design, space, limit, rows, sums, scratch, i):
    """One game from setup to the end."""
    s, row = buffers.states[0], rows.games[i]
    start_game(buffers, c, seats, job.seed)
    seed_chance(buffers.chance[0], job.policy_seed, POLICY_STREAM)
    scratch.used[:] = 0
    scratch.seen[:] = 0
    scratch.ring[:] = np.uint64(0)
    scratch.forced[:] = 0
    scratch.chose[:] = 0
    row.seed, row.path = job.seed, np.uint64(1)
    first = turn_of(s, 0, seats)
    turn, since = first - 1, 0
    notice_entries(buffers.log, design, scratch, rows.counts[i], seats, first)
    while goes_on(s) and row.steps < limit:
        now = turn_of(s, row.steps, seats)
        while turn < now:
            turn += 1
            open_turn(buffers, c, seats, turn, scratch, sums, rows.course, i)
            since = row.steps
        seat = actor(s)
        count = legal(s, c, buffers.out)
        if count == 0:
            no_answer(s)
            break
        for k in range(count):
            add(sums.legal, (seat, buffers.out[k]), 1)
        weighs = count > 1 and (row.steps + np.int64(job.seed)) % SAMPLE == 0
        action = decide(buffers, c, seats, seat, design, job, space, row.steps, weighs,
                        scratch.forced, row, count)
        if weighs:
            weigh_chances(buffers.states, c, seats, scratch.chances[0])
        if len(scratch.before) > 0:
            scratch.before[0] = s
        clear(buffers.log)
        apply(s, c, action, buffers.log)
        found = notice_entries(buffers.log, design, scratch, rows.counts[i], seats, now)
        if weighs:
            weigh_chances(buffers.states, c, seats, scratch.chances[1])
            notice_swing(scratch, row, seat, seats)
        if found & DEAL:
            weigh_chances(scratch.before, c, seats, scratch.chances[0])
            weigh_chances(buffers.states, c, seats, scratch.chances[1])
            notice_deal(buffers.log, design, scratch, sums, seats)
        if found & (DEAL | VOTE):
            notice_pairs(buffers.log, design, rows.pairs[i], seats)
        add(sums.taken, (seat, action), 1)
        notice_pace(buffers.log, scratch, row, rows.seats[i, seat], seat, count, goes_on(s))
        write_move(row, rows.seats[i, seat], rows.actions, action, count)
        row.longest = max(row.longest, row.steps - since)
        notice_position(scratch, row)
    last = min(turn + 1, MOST_TURNS - 1)
    open_turn(buffers, c, seats, last, scratch, sums, rows.course, i)
    row.first_turn, row.last_turn = first, last
    row.turns = turn - first + 1
    close_game(buffers, c, seats, row, rows, scratch, sums, i)
    tell_story(scratch, row, seats, first, last, sole_winner(row, seats))
    if turn_now(s) < 0:
        count_in_moves(row, seats)
    tell_leads(scratch, sums, seats, first, last, rows.seats[i])


@rule
def record_games(work):
    """One game for each job. Returns the moves made."""
    total = 0
    buffers, c, seats = work.buffers, work.contents[0], work.seats
    design, space = work.design, work.workspace
    rows, sums, scratch = work.rows, work.sums, work.scratch
    for i in range(len(work.jobs)):
        play_game(buffers, c, seats, work.jobs[i], design, space, work.limit, rows, sums,
                  scratch, i)
        total += rows.games[i].steps
    return total
