"""What the lab's loop is given and what it records.

A `Job` says who plays which seed, the `Design` how bots choose and what is counted. `Rows` holds a
row for each game, `Sums` what is added up over games, `Scratch` what is needed during one game.
Sums are whole numbers, so they do not depend on how games were split into chunks.
"""

from typing import NamedTuple

import numpy as np

from exchequer.core.loops import MAX_SEATS, Buffers
from exchequer.core.records import record
from exchequer.core.search import Workspace

MOST_TURNS = 128  # turns recorded one by one; the last one also takes all beyond
TENTHS = 11  # moments of a game: the start, after each tenth of its turns, the end
BANDS = 10  # of the value of a position, to compare it with what was won
RING = 32  # positions remembered, to notice when one is repeated
MILLION = 1_000_000
TEN_THOUSAND = 10_000
DEAL, VOTE = 2, 4  # entries in which two seats have to do with each other
TOGETHER = ("deals", "votes", "alike")  # what two seats did together: votes cast, votes alike

Job = record(
    seed="u8",
    policy_seed="u8",  # seeds what bots do at random; the seed itself except in replicas
    policy=("i2", MAX_SEATS),  # row of the seat's policy in the design
    constraint=("i2", MAX_SEATS),  # row of the seat's constraint in the design
)

GameRow = record(
    seed="u8",
    path="u8",  # a digest of all actions
    branching="i8",  # legal actions, summed over decisions
    spread="f8",  # best minus mean option of the weighed decisions, summed
    swing="f8",  # how much these decisions moved the chances, summed
    drama="f8",  # how far the winner was behind, mean over turns
    low="f8",  # the winner's lowest chance
    steps="i4",
    turns="i4",
    choices="i4",  # decisions with more than one option
    weighed="i4",
    mattered="i4",
    kingmade="i4",  # weighed decisions of a seat without hope that changed who leads
    lead_changes="i4",
    settled="i4",  # turns before the winner led for good
    decided="i4",  # turns before the winner's chance stayed high
    revisits="i4",  # decisions in a position seen shortly before
    longest="i4",  # decisions in the longest turn
    chain="i4",  # log entries of the move that set off most, the last one left out
    first_turn="i2",  # the turns that were recorded one by one; without a clock a turn is
    last_turn="i2",  # `seats` moves
    half_leader="i1",
    chain_seat="i1",  # who made that move
    ending="i1",  # 0: stopped at the limit
    winners="u1",
    fault="i1",
)

SeatRow = record(
    score="i8",
    decisions="i4",
    forced="i4",
    waited="i4",  # choices that others made in a row, at most
    share="i2",
)


class Design(NamedTuple):
    """How bots choose and what is counted."""

    policies: np.ndarray  # (n,) PolicyRecord; the last one is greedy and weighs decisions
    constraints: np.ndarray  # (n, asks, actions) i1: -1 denied, 1 forced; row 0 is free
    times: np.ndarray  # (n,) i4: how often a constraint forces in a game
    use_of: np.ndarray  # (events, things) i2: number of the use it counts as, or -1
    counts: np.ndarray  # (n, 3) i4: event, thing or -1, whether the amount counts
    watched: np.ndarray  # (events,) u1: 1 counts, DEAL, VOTE


class Rows(NamedTuple):
    """A row for each game."""

    games: np.ndarray  # (games,) GameRow
    seats: np.ndarray  # (games, seats) SeatRow
    counts: np.ndarray  # (games, seats, counts) i8
    stock: np.ndarray  # (games, seats, resources) i8, at the end
    course: np.ndarray  # (told, turns, seats, resources) i4: of the first games of an arm
    first_use: np.ndarray  # (told, seats, uses) u1: 1 + the turn of the first use, 0 never
    pairs: np.ndarray  # (games, seats, seats, TOGETHER) i4: above the diagonal; none: not declared
    actions: np.ndarray  # (limit,) i4: of the last game


class Sums(NamedTuple):
    """Sums over games."""

    legal: np.ndarray  # (seats, actions) i8: decisions in which the action could be taken
    taken: np.ndarray  # (seats, actions) i8
    events: np.ndarray  # (events, seats + 1, 2) i8: entries, games; the last seat is NOBODY
    uses: np.ndarray  # (uses, seats, 4) i8: uses, games, wins in WHOLE, turns
    turns: np.ndarray  # (turns, 2) i8: games that reached it, inequality in TEN_THOUSAND
    stock: np.ndarray  # (turns, seats, resources, 2) i8: sum, sum of squares
    led: np.ndarray  # (TENTHS, 2) i8: games with a leader, wins of that leader in WHOLE
    chances: np.ndarray  # (BANDS, 2) i8: seats valued so during a game, their wins in WHOLE
    deals: np.ndarray  # (3,) i8: deals, what giver and taker gained by them in MILLION


class Scratch(NamedTuple):
    """What the loop needs to remember during a game."""

    track: np.ndarray  # (turns, seats) f8: values of the position, which add up to 1
    before: np.ndarray  # (1,) State
    words: np.ndarray  # (n,) u4: the state as numbers
    rng: np.ndarray  # (2,) i4: where the generator begins and ends in `words`
    chances: np.ndarray  # (2, seats) f8
    stock: np.ndarray  # (seats, resources) i8
    used: np.ndarray  # (uses, seats, 3) i4: uses, turns, the first turn
    seen: np.ndarray  # (events, seats + 1) i4
    ring: np.ndarray  # (RING,) u8
    forced: np.ndarray  # (seats,) i4
    chose: np.ndarray  # (seats,) i4: choices in the game when the seat last made one


class Work(NamedTuple):
    """Everything that `loops.record_games` is given."""

    buffers: Buffers
    contents: np.ndarray  # (1,) Content
    seats: int
    jobs: np.ndarray  # (games,) Job
    design: Design
    workspace: Workspace
    limit: int  # steps after which a game is stopped
    rows: Rows
    sums: Sums
    scratch: Scratch
