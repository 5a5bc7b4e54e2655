"""Learning a value from games: self-play with bursts of random moves, and fitting to who won.

The loops are compiled like those of any game; NumPy and Numba are all it takes. A position is the
list of inputs that are on in it (`core.learned`), a target what the end was worth to each seat.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from exchequer.bots.policies import Policy, equipped, with_inputs
from exchequer.core.chance import roll
from exchequer.core.content import Content
from exchequer.core.contract import actor, apply, legal, observe, value
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.learned import HIDDEN, Network, in_whole_numbers, inputs_of, list_inputs
from exchequer.core.loops import MAX_SEATS, goes_on, start_game
from exchequer.core.records import NOBODY, rule
from exchequer.core.search import THOUGHT_STEP, choose

CHUNK = 50  # games of one task
LONGEST_BURST = 6  # random moves in a row
HELD_BACK = 10  # one game in so many is kept for validation
FIRST_SUM = 0.05  # of squared slopes: what Adagrad starts from
USUALLY_ON = 30.0  # inputs; where more are on, each learns more slowly, or fitting runs wild
SEEN_OFTEN = 3  # inputs that are on less often get no weights


class Played(NamedTuple):
    """What self-play writes."""

    starts: np.ndarray  # (positions + 1,) i8: where the inputs of a position begin
    inputs: np.ndarray  # (n,) i4
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
                        workspace.places, workspace.inputs)
    for i in range(count):
        played.inputs[begin + i] = workspace.inputs[i]
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
        most = 400 * len(seeds) // self.every + 400
        played = Played(np.zeros(most + 1, np.int64),
                        np.zeros(most * (40 + inputs_of(game).most // 3), np.int32),
                        np.zeros((most, MAX_SEATS), np.float32), np.zeros(most, np.int32))
        play = engine.bind(play_and_note, habits_of(game))
        n = play(engine.buffers(0), self.content.record, seats, seeds, records, workspace,
                 game.step_limit, self.every, self.burst_every, played)
        return Positions(played.starts[: n + 1].copy(), played.inputs[: played.starts[n]].copy(),
                         played.targets[:n].copy(), played.games[:n].copy(),
                         np.full(n, seats, np.int32))


# Fitting -----------------------------------------------------------------------------------------

class Weights(NamedTuple):
    """A network in training, and the sums of squared slopes that Adagrad keeps."""

    first: np.ndarray  # (inputs, HIDDEN) f4
    second: np.ndarray  # (HIDDEN + 1, MAX_SEATS) f4
    first_sums: np.ndarray
    second_sums: np.ndarray


@rule
def guess(weights, inputs, seats, hidden, chances):
    """What the network says of a position: hidden units, and a chance for each seat."""
    hidden[:] = 0.0
    for i in range(len(inputs)):
        row = weights.first[inputs[i]]
        for j in range(HIDDEN):
            hidden[j] += row[j]
    most, together = -1e9, 0.0
    for seat in range(seats):
        total = weights.second[HIDDEN, seat]
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
def learn_position(weights, inputs, target, seats, hidden, chances, slopes, rate):
    """One step of Adagrad, after `guess`."""
    slopes[:] = 0.0
    for seat in range(seats):
        error = np.float32(chances[seat] - target[seat])
        for j in range(HIDDEN + 1):
            on = max(hidden[j], np.float32(0)) if j < HIDDEN else np.float32(1)
            if j < HIDDEN and hidden[j] > 0:
                slopes[j] += error * weights.second[j, seat]
            slope = error * on
            weights.second_sums[j, seat] += slope * slope
            weights.second[j, seat] -= rate * slope / np.sqrt(weights.second_sums[j, seat])
    for i in range(len(inputs)):
        row, sums = weights.first[inputs[i]], weights.first_sums[inputs[i]]
        for j in range(HIDDEN):
            sums[j] += slopes[j] * slopes[j]
            row[j] -= rate * slopes[j] / np.sqrt(sums[j])


@rule
def walk_positions(weights, starts, inputs, targets, seats, order, rate):
    """Learn positions in this order; with a rate of 0 only look. Returns the mean loss."""
    hidden, slopes = np.zeros(HIDDEN, np.float32), np.zeros(HIDDEN, np.float32)
    chances = np.zeros(MAX_SEATS, np.float32)
    total = 0.0
    for k in order:
        on = inputs[starts[k]:starts[k + 1]]
        guess(weights, on, seats[k], hidden, chances)
        total += loss_of(chances, targets[k], seats[k])
        if rate > 0.0:
            learn_position(weights, on, targets[k], seats[k], hidden, chances, slopes,
                           np.float32(rate))
    return total / max(len(order), 1)


@dataclass(frozen=True)
class Fit:
    """A network, and the loss on positions that it was or was not fitted to."""

    network: Network
    loss: float
    held_back_loss: float
    epochs: int


def fit(game: Game, positions: Positions, made: dict[str, Any], seed: int = 0, epochs: int = 6,
        rate: float = 0.02) -> Fit:
    """The network after the epoch that guessed games best which were held back."""
    random = np.random.default_rng(seed)
    walk = game.engine().bind(walk_positions)
    weights = new_weights(game, positions, random)
    is_held = positions.games % HELD_BACK == 0
    learned, held = np.flatnonzero(~is_held), np.flatnonzero(is_held)
    data = positions.starts, positions.inputs, positions.targets, positions.seats
    rate *= min(1.0, USUALLY_ON * len(positions) / max(len(positions.inputs), 1))
    best: Fit | None = None
    for epoch in range(epochs):
        speed = rate * (1.0 - epoch / epochs)
        loss = walk(weights, *data, random.permutation(learned), speed)
        missed = walk(weights, *data, held, 0.0)
        if best is None or missed < best.held_back_loss:
            network = in_whole_numbers(weights.first, weights.second, made)
            best = Fit(network, float(loss), float(missed), epoch + 1)
    assert best is not None
    return best


def new_weights(game: Game, positions: Positions, random: np.random.Generator) -> Weights:
    """Small and random where an input is on often enough to be learned, else 0."""
    count = inputs_of(game).count
    seen = np.bincount(positions.inputs, minlength=count) >= SEEN_OFTEN
    first = np.where(seen[:, None], random.normal(0, 0.03, (count, HIDDEN)), 0)
    first[0] = random.normal(0.3, 0.3, HIDDEN)
    second = random.normal(0, 0.3, (HIDDEN + 1, MAX_SEATS))
    second[HIDDEN] = 0
    return Weights(first.astype(np.float32), second.astype(np.float32),
                   np.full((count, HIDDEN), FIRST_SUM, np.float32),
                   np.full((HIDDEN + 1, MAX_SEATS), FIRST_SUM, np.float32))
