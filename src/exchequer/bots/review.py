"""A finished game looked at again: chances at each moment, luck, skill, decisions to try again.

The chance of a seat is the game's own valuation of the whole record, as a share among the seats.
What a move changed is split as backgammon players do. Where it rolled, or brought to light a card
that nobody knew, it was worth so much over worlds that the mover could not tell apart (the
decision), and what came differed from that by so much (luck). All else is decision.
Both add up to the last chance minus the first, for every seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.log import new_log
from exchequer.core.measures import rules_of, turn_now
from exchequer.core.position import Position

MOST_WORLDS = 8  # that a move is tried in
WORK, MUCH_WORK = 120, 4000  # such trials of a whole game; where there is machine code
LOOKED_AT, MORE_LOOKED_AT = 4, 8  # decisions that a bot thinks about again
MOST_RETRIES, MOST_TURNS = 3, 3
LARGE, WORTH_A_TRY = 0.04, 0.02  # changes of chance
WORLD_SEED = 20_011


class Decision(NamedTuple):
    """One move: what it was worth to every seat, and what chance made of it."""

    seat: int
    skill: np.ndarray  # (seats,)
    luck: np.ndarray  # (seats,)


@dataclass(frozen=True)
class Turn:
    """Moves of one seat in a row, and how they changed the chances."""

    seat: int
    first: int  # the number of moves before it
    last: int  # and after it
    change: np.ndarray = field(repr=False)  # (seats,)


@dataclass(frozen=True)
class Retry:
    """A decision that was not the best: after so many moves, what was played and what is better."""

    moves: int
    seat: int
    played: int
    best: int
    worths: dict[int, float]  # of every action that a bot looked at

    @property
    def cost(self) -> float:
        return self.worths[self.best] - self.worths[self.played]


@dataclass(frozen=True)
class Review:
    """What a game looks like afterwards; arrays have a column for each seat."""

    chances: np.ndarray  # (moments, seats)
    luck: np.ndarray  # (seats,)
    own: np.ndarray  # (seats,): by one's own decisions
    others: np.ndarray  # (seats,): by those of the others
    turns: list[Turn]
    retries: list[Retry]

    def turning_points(self, seat: int) -> list[Turn]:
        """The turns that changed the seat's chance most, in the order of the game."""
        large = [turn for turn in self.turns if abs(turn.change[seat]) >= LARGE]
        largest = sorted(large, key=lambda turn: -abs(turn.change[seat]))[:MOST_TURNS]
        return sorted(largest, key=lambda turn: turn.first)


class Reviewer:
    """Looks at one finished game. `movers` says whose each move was, `winners` who has won."""

    def __init__(self, position: Position, movers: Sequence[int], winners: Sequence[int],
                 mode: Mode) -> None:
        self.position, self.movers, self.winners, self.mode = position, movers, winners, mode
        self.engine = position.game.engine(mode)
        self.record, self.seats = position.content.record, position.seats
        self._log = new_log(0)
        is_slow = mode is Mode.PYTHON
        work = WORK if is_slow else MUCH_WORK
        self.fell = [chance_fell(self.state(move), self.state(move + 1))
                     for move in range(len(movers))]
        self.worlds = min(MOST_WORLDS, work // max(sum(self.fell), 1))
        self.looked_at = LOOKED_AT if is_slow else MORE_LOOKED_AT

    def review(self, people: Sequence[int] = (), content: Content | None = None) -> Review:
        """`people` are the moves that people made: some are looked at again by a bot, who plays
        by `content`.
        """
        chances = self.chances()
        decisions = [self.decision(move, chances) for move in range(len(self.movers))]
        luck, own, others = self.shares(decisions)
        turns = self.turns(chances)
        retries = self.retries(decisions, people, content or self.position.content)
        return Review(chances, luck, own, others, turns, retries)

    def state(self, moves: int) -> np.ndarray:
        """The whole state after so many moves (an array of one)."""
        return self.position.earlier(len(self.movers) - moves)

    # Chances -----------------------------------------------------------------------------------

    def chances(self) -> np.ndarray:
        """At every moment; the last one is the result."""
        found = np.array([self.worth(self.state(moves)) for moves in range(len(self.movers) + 1)])
        if self.seats > 1 and self.winners:
            found[-1] = [(seat in self.winners) / len(self.winners) for seat in range(self.seats)]
        return found

    def worth(self, state: np.ndarray) -> np.ndarray:
        """What a state is worth to each seat; between several, how they would share a win."""
        values = np.array([float(self.engine.value(state[0], self.record, self.seats, seat))
                           for seat in range(self.seats)]).clip(1e-6, 1.0)
        return values / values.sum() if self.seats > 1 else values

    # Luck and skill ------------------------------------------------------------------------------

    def decision(self, move: int, chances: np.ndarray) -> Decision:
        """What a move was worth before chance had its say, and what chance added."""
        change, seat = chances[move + 1] - chances[move], self.movers[move]
        if not self.fell[move]:
            return Decision(seat, change, np.zeros(self.seats))
        if not self.worlds:
            return Decision(seat, np.zeros(self.seats), change)
        seen = self.state(move)
        self.engine.observe(seen[0], self.record, seat)
        skill = np.mean([self.tried(seen, seat, int(self.position.actions[move]), world)
                         for world in range(self.worlds)], axis=0)
        return Decision(seat, skill, change - skill)

    def tried(self, seen: np.ndarray, seat: int, action: int, world: int) -> np.ndarray:
        """How an action changes the chances in a world that fits what the seat saw."""
        state = seen.copy()
        self.engine.determinize(state[0], self.record, seat, WORLD_SEED + world)
        before = self.worth(state)
        self.engine.apply(state[0], self.record, action, self._log)
        return self.worth(state) - before

    def shares(self, decisions: Sequence[Decision]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Luck, own and others' decisions, for every seat."""
        own, others, luck = (np.zeros(self.seats) for _ in range(3))
        for one in decisions:
            luck += one.luck
            for seat in range(self.seats):
                (own if seat == one.seat else others)[seat] += one.skill[seat]
        return luck, own, others

    # Turns and decisions --------------------------------------------------------------------------

    def turns(self, chances: np.ndarray) -> list[Turn]:
        """The game in turns: moves that one seat made in a row, before the next round."""
        game = self.position.game
        now = game.engine(Mode.PYTHON).bind(turn_now, rules_of(game))
        whose = [(seat, int(now(self.state(move)[0]))) for move, seat in enumerate(self.movers)]
        starts = [move for move in range(len(whose)) if move == 0 or whose[move] != whose[move - 1]]
        ends = [*starts[1:], len(self.movers)] if starts else []  # given up before the first move
        return [Turn(self.movers[first], first, last, chances[last] - chances[first])
                for first, last in zip(starts, ends, strict=True)]

    def retries(self, decisions: Sequence[Decision], people: Sequence[int], content: Content
                ) -> list[Retry]:
        """Of the decisions that cost people most those that a bot would make better."""
        costly = sorted(people, key=lambda move: decisions[move].skill[decisions[move].seat])
        found = [retry for move in costly[:self.looked_at]
                 if (retry := self.retry(move, content)) is not None]
        best = sorted(found, key=lambda retry: -retry.cost)[:MOST_RETRIES]
        return sorted(best, key=lambda retry: retry.moves)

    def retry(self, move: int, content: Content) -> Retry | None:
        past, seat = self.position.at(move), self.movers[move]
        legal = past.legal()
        if len(legal) < 2:
            return None
        name = "greedy" if self.mode is Mode.PYTHON else f"mcts:{max(300, 6 * len(legal))}"
        bot = Bot(self.position.game, name, WORLD_SEED, self.mode)
        bot.consider(past.observe(seat), content, seat)
        ideas, played = bot.thought().ideas, int(self.position.actions[move])
        worths = {idea.action: idea.value for idea in ideas}
        found = Retry(move, seat, played, ideas[0].action, worths)
        return found if played in worths and found.cost >= WORTH_A_TRY else None


def chance_fell(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether a move rolled, or brought to light a card that nobody knew."""
    return bool(before["rng"] != after["rng"]) or not known_cards(after) <= known_cards(before)


def known_cards(state: np.ndarray) -> set[int]:
    """The cards that at least one seat knows."""
    if "known" not in (state.dtype.names or ()):
        return set()
    return set(state["card"][state["known"] != 0].tolist())
