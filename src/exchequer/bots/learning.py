"""Learning a value from games: self-play with bursts of random moves, and fitting to who won.

The loops are compiled like those of any game; NumPy and Numba are all it takes. A position is the
list of inputs that are on in it (`core.learned`), a target what the end was worth to each seat.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from exchequer.bots.policies import Policy, equipped, with_inputs
from exchequer.core.chance import POLICY_STREAM, Chance, roll, seed_chance
from exchequer.core.content import Content
from exchequer.core.contract import actor, apply, legal, observe, value
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.learned import (
    HIDDEN,
    N_ROWS,
    NO_INPUT,
    START,
    VALUATION,
    Network,
    in_whole_numbers,
    inputs_of,
    list_inputs,
)
from exchequer.core.loops import MAX_SEATS, goes_on, start_game
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import THOUGHT_STEP, choose

CHUNK = 50  # games of one task
LONG_GAME = 1000  # moves; there is room for so many of each game
LONGEST_BURST = 6  # random moves in a row
HELD_BACK = 10  # one game in so many is kept for validation
BATCH = 512  # positions
RISE = 50  # batches until the rate is what was asked for
NEW_SLOPE, NEW_SQUARE, TINY = np.float32(0.1), np.float32(0.001), np.float32(1e-8)  # of Adam
FIRST_VALUATION = 3.0  # what the valuation counts before anything was learned
FEWEST_POSITIONS = 2 * BATCH  # of which a batch remains when some are held back
SEEN_OFTEN = 50  # positions; an input that is on in fewer would be learned by heart: left out


class Played(NamedTuple):
    """What self-play writes."""

    starts: np.ndarray  # (positions + 1,) i8: where the inputs of a position begin
    inputs: np.ndarray  # (n,) i4
    valued: np.ndarray  # (positions, MAX_SEATS) f4: what the game's own valuation says
    targets: np.ndarray  # (positions, MAX_SEATS) f4
    games: np.ndarray  # (positions,) i4: the game a position is from


@rule
def note_position(s, c, seats, workspace, played, positions):
    """Write the inputs of a state. Returns the number of positions, one more unless all is full."""
    begin = played.starts[positions]
    if positions == len(played.targets) or begin + len(workspace.inputs) > len(played.inputs):
        return positions
    workspace.worlds[0] = s
    count = list_inputs(workspace.worlds, c, seats, workspace.words, workspace.groups,
                        workspace.places, workspace.values, workspace.inputs)
    for i in range(count):
        played.inputs[begin + i] = workspace.inputs[i]
    for seat in range(seats):
        played.valued[positions, seat] = workspace.values[seat]
    played.starts[positions + 1] = begin + count
    return positions + 1


@rule
def note_end(s, c, seats, first, positions, game, played):
    """What the end was worth to each seat, together 1 unless somebody plays alone."""
    together = 0.0
    for seat in range(seats):
        together += value(s, c, seats, seat)
    for place in range(first, positions):
        played.games[place] = game
        for seat in range(seats):
            worth = min(max(value(s, c, seats, seat), 0.0), 1.0)
            if seats > 1:
                worth = worth / together if together > 0.0 else 1.0 / seats
            played.targets[place, seat] = worth


@rule
def play_and_note(buffers, c, seats, seeds, policies, workspace, limit, every, burst_every, played):
    """One game for each seed; one position in `every` is noted. Returns how many are.

    Now and then a few moves are random, so that positions are seen which good play avoids.
    """
    positions = 0
    for i in range(len(seeds)):
        start_game(buffers, c, seats, seeds[i])
        s = buffers.states[0]
        first, moves, burst = positions, 0, 0
        while goes_on(s) and moves < limit:
            seat = actor(s)
            if roll(buffers.chance[0], every) == 0:
                positions = note_position(s, c, seats, workspace, played, positions)
            if burst == 0 and roll(buffers.chance[0], burst_every) == 0:
                burst = 1 + roll(buffers.chance[0], LONGEST_BURST)
            if burst > 0:
                burst -= 1
                count = legal(s, c, buffers.out)
                action = np.int64(buffers.out[roll(buffers.chance[0], count)])
            else:
                workspace.seen[0] = s
                observe(workspace.seen[0], c, seat)
                action = choose(workspace.seen, c, seats, seat, policies[seat], workspace,
                                np.int64(seeds[i]) * THOUGHT_STEP + moves)
            apply(s, c, action, workspace.log)
            moves += 1
        if actor(s) != NOBODY:
            positions = first
        note_end(s, c, seats, first, positions, i, played)
    return positions


@dataclass(frozen=True)
class Positions:
    """Positions of finished games, and what became of them."""

    starts: np.ndarray
    inputs: np.ndarray
    valued: np.ndarray
    targets: np.ndarray
    games: np.ndarray
    seats: np.ndarray  # (positions,) i4

    def __len__(self) -> int:
        return len(self.targets)

    @staticmethod
    def join(parts: Sequence["Positions"]) -> "Positions":
        """One after another; games are numbered on."""
        sizes = np.concatenate([[0], *(np.diff(part.starts) for part in parts)])
        games, before = [], 0
        for part in parts:
            games.append(part.games + before)
            before += int(part.games.max(initial=-1)) + 1
        return Positions(np.cumsum(sizes), np.concatenate([part.inputs for part in parts]),
                         np.concatenate([part.valued for part in parts]),
                         np.concatenate([part.targets for part in parts]), np.concatenate(games),
                         np.concatenate([part.seats for part in parts]))


@dataclass(frozen=True)
class SelfPlay:
    """Who plays, and which of the positions are kept."""

    game: Game
    content: Content
    policy: Policy
    network: Network | None = None
    every: int = 1
    burst_every: int = 12

    def play(self, seats: int, first_seed: int, games: int, workers: int | None = None
             ) -> Positions:
        """Games from that seed on; the same positions with any number of workers."""
        seeds = np.arange(first_seed, first_seed + games, dtype=np.uint64)
        chunks = [seeds[i : i + CHUNK] for i in range(0, games, CHUNK)]
        with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
            return Positions.join(list(pool.map(lambda chunk: self._chunk(seats, chunk), chunks)))

    def _chunk(self, seats: int, seeds: np.ndarray) -> Positions:
        engine, game = self.game.engine(), self.game
        records, workspace = equipped(game, [(self.policy, self.network)] * seats)
        workspace = with_inputs(game, workspace)  # which are noted also without a network
        most = LONG_GAME * len(seeds) // self.every + LONG_GAME
        played = Played(np.zeros(most + 1, np.int64),
                        np.zeros(most * (40 + inputs_of(game).most // 3), np.int32),
                        np.zeros((most, MAX_SEATS), np.float32),
                        np.zeros((most, MAX_SEATS), np.float32), np.zeros(most, np.int32))
        play = engine.bind(play_and_note, habits_of(game))
        n = play(engine.buffers(0), self.content.record, seats, seeds, records, workspace,
                 game.step_limit, self.every, self.burst_every, played)
        return Positions(played.starts[: n + 1].copy(), played.inputs[: played.starts[n]].copy(),
                         played.valued[:n].copy(), played.targets[:n].copy(),
                         played.games[:n].copy(),
                         np.full(n, seats, np.int32))


# Fitting -----------------------------------------------------------------------------------------

class Weights(NamedTuple):
    """A network in training, or slopes of the same shape, or what Adam remembers of them."""

    first: np.ndarray  # (inputs, HIDDEN) f4
    second: np.ndarray  # (N_ROWS, MAX_SEATS) f4


class Course(NamedTuple):
    """What fitting goes by, and what it goes on with from batch to batch."""

    weights: Weights
    slopes: Weights
    means: Weights  # of slopes, as Adam keeps them
    squares: Weights
    chance: np.ndarray  # (1,) Chance: what is left out
    kept: np.ndarray  # (most,) i4: inputs of a position that are not


@rule
def guess(weights, inputs, share, valued, seats, hidden, chances):
    """What the network says of a position: hidden units, and a chance for each seat.

    `share` is how much an input counts; the first, which is always on, counts once.
    """
    hidden[:] = weights.first[inputs[0]]
    for i in range(1, len(inputs)):
        row = weights.first[inputs[i]]
        for j in range(HIDDEN):
            hidden[j] += share * row[j]
    most, together = np.float32(-1e9), np.float32(0)
    for seat in range(seats):
        total = weights.second[START, seat] + weights.second[VALUATION, seat] * valued[seat]
        for j in range(HIDDEN):
            total += max(hidden[j], np.float32(0)) * weights.second[j, seat]
        chances[seat] = total
        most = max(most, total)
    if seats == 1:
        chances[0] = 1.0 / (1.0 + np.exp(-chances[0]))
        return
    for seat in range(seats):
        chances[seat] = np.exp(chances[seat] - most)
        together += chances[seat]
    for seat in range(seats):
        chances[seat] /= together


@rule
def loss_of(chances, target, seats):
    """Cross entropy; alone, the same of one chance."""
    loss = 0.0
    for seat in range(seats):
        loss -= target[seat] * np.log(chances[seat] + 1e-7)
    if seats == 1:
        loss -= (1.0 - target[0]) * np.log(1.0 - chances[0] + 1e-7)
    return loss


@rule
def add_slopes(weights, slopes, inputs, share, valued, target, seats, hidden, chances, back):
    """How the loss of a position changes with each weight, after `guess`."""
    back[:] = 0.0
    for seat in range(seats):
        error = chances[seat] - target[seat]
        slopes.second[START, seat] += error
        slopes.second[VALUATION, seat] += error * valued[seat]
        for j in range(HIDDEN):
            if hidden[j] > 0:
                slopes.second[j, seat] += error * hidden[j]
                back[j] += error * weights.second[j, seat]
    for i in range(len(inputs)):
        row, part = slopes.first[inputs[i]], share if i > 0 else np.float32(1)
        for j in range(HIDDEN):
            row[j] += part * back[j]


@rule
def move_by_adam(weights, slopes, means, squares, rate, decay, size):
    """One step of Adam by the slopes of a batch, which are taken away; weights also shrink."""
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            slope = slopes[i, j] / size
            slopes[i, j] = 0.0
            means[i, j] += NEW_SLOPE * (slope - means[i, j])
            squares[i, j] += NEW_SQUARE * (slope * slope - squares[i, j])
            weights[i, j] -= rate * (means[i, j] / (np.sqrt(squares[i, j]) + TINY)
                                     + decay * weights[i, j])


@rule
def keep_some(inputs, drop, chance, kept):
    """Leave out that many of a hundred inputs, but not the first. Returns how many are kept."""
    count = 0
    for i in range(len(inputs)):
        if i == 0 or drop == 0 or roll(chance[0], 100) >= drop:
            kept[count] = inputs[i]
            count += 1
    return count


@rule
def walk_positions(course, starts, inputs, valued, targets, seats, order, rates, drop,
                   decay):
    """Learn positions in this order, a rate for each batch; without rates only look. Returns the
    mean loss.

    Dropout: in learning `drop` of a hundred inputs are left out, and the others count for them.
    """
    hidden, back = np.zeros(HIDDEN, np.float32), np.zeros(HIDDEN, np.float32)
    chances = np.zeros(MAX_SEATS, np.float32)
    share = np.float32(100.0 / (100 - drop))
    total = 0.0
    for n in range(len(order)):
        k = order[n]
        on = course.kept[:keep_some(inputs[starts[k]:starts[k + 1]], drop, course.chance,
                                    course.kept)]
        guess(course.weights, on, share, valued[k], seats[k], hidden, chances)
        total += loss_of(chances, targets[k], seats[k])
        if len(rates) > 0:
            add_slopes(course.weights, course.slopes, on, share, valued[k], targets[k], seats[k],
                       hidden, chances, back)
            if n % BATCH == BATCH - 1:
                rate = np.float32(rates[n // BATCH])
                move_by_adam(course.weights.first, course.slopes.first, course.means.first,
                             course.squares.first, rate, np.float32(decay), np.float32(BATCH))
                move_by_adam(course.weights.second, course.slopes.second, course.means.second,
                             course.squares.second, rate, np.float32(0), np.float32(BATCH))
    return total / max(len(order), 1)


@dataclass(frozen=True)
class Fit:
    """A network, and the loss on positions that it was or was not fitted to."""

    network: Network
    loss: float
    held_back_loss: float
    epochs: int


def fit(game: Game, positions: Positions, made: dict[str, Any], seed: int = 0, epochs: int = 6,
        rate: float = 0.001, drop: int = 40, decay: float = 10.0) -> Fit:
    """The network after the epoch that guessed games best which were held back."""
    random = np.random.default_rng(seed)
    positions = without_rare(positions, inputs_of(game).count)
    walk = game.engine().bind(walk_positions)
    course = new_course(game, positions, random, seed)
    is_held = positions.games % HELD_BACK == 0
    learned, held = np.flatnonzero(~is_held), np.flatnonzero(is_held)
    data = positions.starts, positions.inputs, positions.valued, positions.targets, positions.seats
    rates = rates_of(epochs, len(learned) // BATCH, rate)
    best: Fit | None = None
    for epoch in range(epochs):
        loss = walk(course, *data, random.permutation(learned), rates[epoch], drop, decay)
        course.slopes.first[:], course.slopes.second[:] = 0, 0  # of a batch that was not full
        missed = walk(course, *data, held, rates[0, :0], 0, 0.0)
        if not np.isfinite(loss + missed):
            raise InputError(f"The weights grew beyond all bounds; a rate below {rate:g} or a "
                             f"decay below {decay:g} may hold them.")
        if best is None or missed < best.held_back_loss:
            network = in_whole_numbers(course.weights.first, course.weights.second, made)
            best = Fit(network, float(loss), float(missed), epoch + 1)
    assert best is not None
    return best


def rates_of(epochs: int, batches: int, rate: float) -> np.ndarray:
    """For each batch of each epoch: a short rise, then less and less."""
    done = np.arange(epochs * batches)
    falling = 1.0 - done / max(len(done), 1)
    return (rate * falling * np.minimum(1.0, (done + 1) / RISE)).reshape(epochs, batches)


def without_rare(positions: Positions, count: int) -> Positions:
    """The same positions without inputs that are on in too few of them."""
    often = np.bincount(positions.inputs, minlength=count) >= SEEN_OFTEN
    often[NO_INPUT] = True
    kept = often[positions.inputs]
    before = np.concatenate([[0], np.cumsum(kept)])
    return replace(positions, starts=before[positions.starts], inputs=positions.inputs[kept])


def new_course(game: Game, positions: Positions, random: np.random.Generator, seed: int) -> Course:
    """Weights are small and random where an input is ever on, else 0."""
    count = inputs_of(game).count
    seen = np.bincount(positions.inputs, minlength=count) > 0
    first = np.where(seen[:, None], random.normal(0, 0.03, (count, HIDDEN)), 0)
    first[NO_INPUT] = random.normal(0.3, 0.3, HIDDEN)
    second = random.normal(0, 0.2, (N_ROWS, MAX_SEATS))
    second[START], second[VALUATION] = 0, FIRST_VALUATION
    chance = np.zeros(1, Chance)
    seed_chance(chance.view(np.recarray)[0], seed, POLICY_STREAM)
    weights = Weights(first.astype(np.float32), second.astype(np.float32))
    slopes, means, squares = (Weights(np.zeros_like(weights.first), np.zeros_like(weights.second))
                              for _ in range(3))
    return Course(weights, slopes, means, squares, chance,
                  np.zeros(inputs_of(game).most, np.int32))
