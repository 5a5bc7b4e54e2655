"""An arm: games played under the same conditions, such as greedy bots without the Mill.

Every verb of the lab plays arms and compares them. The same deal (seed) in two arms is the same
game up to the first decision that differs. `play` plays some games of an arm and returns the same
bytes whichever thread, process or machine calls it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from exchequer.bots.policies import seated_policies
from exchequer.core.content import Content
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.measures import Lever, Measures, measures_of, named, rules_of
from exchequer.lab.loops import record_games
from exchequer.lab.recording import (
    BANDS,
    DEAL,
    MOST_TURNS,
    RING,
    TENTHS,
    TOGETHER,
    VOTE,
    Design,
    GameRow,
    Job,
    Rows,
    Scratch,
    SeatRow,
    Sums,
    Work,
)

ALWAYS = 2**31 - 1
REPLICA = np.uint64(1 << 40)  # keeps a replica's policy seeds apart from those of every deal


@dataclass(frozen=True)
class Constraint:
    """Levers that a bot is denied or forced to use, a number of times in each game."""

    deny: tuple[Lever, ...] = ()
    force: tuple[Lever, ...] = ()
    times: int = ALWAYS


FREE = Constraint()


@dataclass(frozen=True)
class Arm:
    """Who plays what, from which seed on and how often."""

    name: str
    game: str
    bots: tuple[str, ...]
    games: int
    seed: int = 0
    overlay: Mapping[str, Any] = field(default_factory=dict)
    constraints: tuple[Constraint, ...] = ()  # one for each bot; none: unconstrained
    rotates: bool = False  # each deal is played once in every rotation of the bots
    replica: int = 0  # above 0: the same deals with different policy seeds
    told: int = 0  # the first games, whose course is kept turn by turn

    @property
    def seats(self) -> int:
        return len(self.bots)

    @property
    def rotations(self) -> int:
        return self.seats if self.rotates else 1

    def of(self, games: int) -> "Arm":
        return replace(self, games=games)

    def bot_at(self, row: int, seat: int) -> int:
        """Which of the bots sits there in game `row` of the arm."""
        return (seat + row) % self.seats if self.rotates else seat

    @property
    def bot_table(self) -> np.ndarray:
        """(rotations, seats): the bot in each seat."""
        return np.array([[self.bot_at(row, seat) for seat in range(self.seats)]
                         for row in range(self.rotations)])


@dataclass
class Chunk:
    """What some games of an arm recorded."""

    first: int  # number of the first game in the arm
    rows: Rows
    sums: Sums

    @property
    def games(self) -> int:
        return len(self.rows.games)


# Work for the loop -------------------------------------------------------------------------------

def content_of(arm: Arm, game: Game) -> Content:
    return game.content(arm.overlay, "overlay")


def jobs_of(arm: Arm, first: int, games: int) -> np.ndarray:
    rows = np.arange(first, first + games)
    jobs = np.zeros(games, Job)
    jobs["seed"] = np.uint64(arm.seed) + (rows // arm.rotations).astype(np.uint64)
    jobs["policy_seed"] = jobs["seed"] + np.uint64(arm.replica) * REPLICA
    sitting = arm.bot_table[rows % arm.rotations]
    jobs["policy"][:, : arm.seats] = sitting
    jobs["constraint"][:, : arm.seats] = constraint_numbers(arm)[sitting]
    return jobs


def constraint_numbers(arm: Arm) -> np.ndarray:
    """For each bot the row of its constraint in the table; row 0 is no constraint."""
    return np.array([0 if i >= len(arm.constraints) or arm.constraints[i] == FREE else i + 1
                     for i in range(arm.seats)])


def constraint_table(game: Game, constraints: tuple[Constraint, ...]
                     ) -> tuple[np.ndarray, np.ndarray]:
    """What each constraint does to each action of each question, and how often it forces."""
    asks = max(int(ask) for ask in game.module("state").Ask) + 1
    table = np.zeros((len(constraints) + 1, asks, game.n_actions), np.int8)
    times = np.zeros(len(constraints) + 1, np.int32)
    for row, constraint in enumerate(constraints, 1):
        times[row] = constraint.times
        for sign, levers in ((-1, constraint.deny), (1, constraint.force)):
            for lever in levers:
                for ask in lever.asks or range(asks):
                    table[row, ask, list(lever.actions)] = sign
    return table, times


def use_names(measures: Measures) -> list[tuple[str, str]]:
    """Every use that is counted, as group and name, in the order in which the loop counts."""
    return [(group, name) for group, (_, things) in measures.uses.items()
            for name in named(things).values()]


def design_of(arm: Arm, game: Game, measures: Measures, policies: np.ndarray) -> Design:
    use_of = np.full((game.n_events, game.n_things), -1, np.int16)
    uses = [(event, thing) for event, things in measures.uses.values() for thing in named(things)]
    for number, (event, thing) in enumerate(uses):
        use_of[event, thing] = number
    counts = np.array([(count.event, count.thing, count.amount)
                       for count in measures.counts.values()], np.int32).reshape(-1, 3)
    watched = np.zeros(game.n_events, np.uint8)
    watched[counts[:, 0]] |= 1
    watched[list(measures.deals)] |= DEAL
    watched[list(measures.votes)] |= VOTE
    return Design(policies, *constraint_table(game, arm.constraints), use_of, counts, watched)


def new_rows(arm: Arm, game: Game, measures: Measures, first: int, games: int) -> Rows:
    seats, told = arm.seats, min(games, max(0, arm.told - first))
    watched = games if measures.deals or measures.votes else 0
    return Rows(np.zeros(games, GameRow), np.zeros((games, seats), SeatRow),
                np.zeros((games, seats, len(measures.counts)), np.int64),
                np.zeros((games, seats, len(measures.resources)), np.int64),
                np.zeros((told, MOST_TURNS, seats, len(measures.resources)), np.int32),
                np.zeros((told, seats, len(use_names(measures))), np.uint8),
                np.zeros((watched, seats, seats, len(TOGETHER)), np.int32),
                np.zeros(game.step_limit, np.int32))


def new_sums(arm: Arm, game: Game, measures: Measures) -> Sums:
    seats, counted = arm.seats, len(measures.resources)
    shapes: list[tuple[int, ...]] = [
        (seats, game.n_actions), (seats, game.n_actions), (game.n_events, seats + 1, 2),
        (len(use_names(measures)), seats, 4), (MOST_TURNS, 2), (MOST_TURNS, seats, counted, 2),
        (TENTHS, 2), (BANDS, 2), (3,)]
    return Sums(*(np.zeros(shape, np.int64) for shape in shapes))


def new_scratch(arm: Arm, game: Game, measures: Measures, states: np.ndarray) -> Scratch:
    seats = arm.seats
    rng = game.state.fields["rng"][1] // 4  # type: ignore[index]
    return Scratch(np.zeros((MOST_TURNS, seats)), np.zeros(int(bool(measures.deals)), game.state),
                   states[:1].view(np.uint32), np.array([rng, rng + 2], np.int32),
                   np.zeros((2, seats)), np.zeros((seats, len(measures.resources)), np.int64),
                   np.zeros((len(use_names(measures)), seats, 3), np.int32),
                   np.zeros((game.n_events, seats + 1), np.int32), np.zeros(RING, np.uint64),
                   np.zeros(seats, np.int32), np.zeros(seats, np.int32))


# Playing -----------------------------------------------------------------------------------------

def work_of(arm: Arm, first: int, games: int) -> Work:
    game = find_game(arm.game)
    measures, buffers = measures_of(game), game.engine().buffers()
    content = content_of(arm, game)
    policies, workspace = seated_policies(game, content, arm.seats, (*arm.bots, "greedy"))
    design = design_of(arm, game, measures, policies)
    return Work(buffers, np.atleast_1d(content.record), arm.seats, jobs_of(arm, first, games),
                design, workspace, game.step_limit,
                new_rows(arm, game, measures, first, games), new_sums(arm, game, measures),
                new_scratch(arm, game, measures, buffers.states))


def play(arm: Arm, first: int = 0, games: int | None = None) -> Chunk:
    """Play games `first` to `first + games` of the arm."""
    work = work_of(arm, first, arm.games - first if games is None else games)
    game = find_game(arm.game)
    game.engine().bind(record_games, rules_of(game) | habits_of(game))(work)
    return Chunk(first, work.rows, work.sums)


def joined(parts: list[Chunk]) -> Chunk:
    """Chunks of one arm as one."""
    parts = sorted(parts, key=lambda part: part.first)
    whole = {name: np.concatenate([getattr(part.rows, name) for part in parts])
             for name in Rows._fields[:-1]}
    rows = Rows(**whole, actions=parts[0].rows.actions[:0])
    sums = Sums(*(sum(getattr(part.sums, name) for part in parts) for name in Sums._fields))
    return Chunk(parts[0].first, rows, sums)
