"""A bot that answers for a seat, and what it thought."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.bots.policies import policy_named, seated_policies
from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.habits import habits_of, legal_habit
from exchequer.core.records import NOBODY
from exchequer.core.search import (
    NO_NODE,
    ROOT,
    THOUGHT_STEP,
    PolicyKind,
    Workspace,
    plant,
    think,
)


@dataclass(frozen=True)
class Idea:
    """One action a bot considered."""

    action: int
    text: str
    visits: int
    value: float  # 0 to 1 for the seat that takes it


@dataclass(frozen=True)
class Thought:
    """What a bot considered, best first, and the line it expects."""

    ideas: list[Idea]
    line: list[str]


@dataclass(frozen=True)
class Reply:
    """What a bot thinks may follow an action, and by whom; its value is theirs."""

    seat: int
    idea: Idea


class Bot:
    """It is given observations, never the true state."""

    def __init__(self, game: Game, name: str, seed: int = 0, mode: Mode | None = None) -> None:
        self.game, self.name, self.seed, self.moves = game, name, seed, 0
        self.mode, self.policy = mode, policy_named(name)
        self._habits = habits_of(game)
        self.think = game.engine(mode).bind(think, self._habits)
        self._seat(game.content(), game.seats[0])

    def __repr__(self) -> str:
        return f"<Bot {self.name} of {self.game.name}, seed {self.seed}>"

    def __reduce__(self) -> Any:
        return Bot, (self.game, self.name, self.seed, self.mode), {"moves": self.moves}

    def _seat(self, content: Content, seats: int) -> None:
        """Get ready for games with this content: a level may have learned some and not others."""
        self._seated_for = content.hash, seats
        self.workspace: Workspace
        records, self.workspace = seated_policies(self.game, content, seats, [self.name])
        self._record, self._most = records[0], int(records[0].iterations)

    @property
    def searches(self) -> bool:
        """Whether it wants machine code."""
        return self.policy.kind == PolicyKind.SEARCH

    def choose(self, observation: np.ndarray, content: Content, seat: int,
               is_enough: Callable[[], bool] | None = None, part: int = 10) -> int:
        """The action it takes: out of habit where it has one, else what it finds."""
        action = self.by_habit(observation, content, seat)
        if action is None:
            return self.consider(observation, content, seat, is_enough, part)
        self.moves += 1
        plant(self.workspace.nodes, seat, action, 1 / self.game.seats_in(observation[0]))
        return action

    def by_habit(self, observation: np.ndarray, content: Content, seat: int) -> int | None:
        """What it does without searching; None where it has to search."""
        if not self._habits or not self.searches:
            return None
        asked = self.game.engine(self.mode).bind(legal_habit, self._habits)
        action = int(asked(observation[0], content.record, self.game.seats_in(observation[0]),
                           seat, self.policy.attention, self.workspace.out))
        return action if action != NOBODY else None

    def consider(self, observation: np.ndarray, content: Content, seat: int,
                 is_enough: Callable[[], bool] | None = None, part: int = 10) -> int:
        """The best action by its policy alone. `is_enough` is asked after every `part` iterations
        of a search and ends it early; a search that is never ended early finds the same in parts
        as at once.
        """
        self.moves += 1
        seed, seats = self.seed + self.moves * THOUGHT_STEP, self.game.seats_in(observation[0])
        if (content.hash, seats) != self._seated_for:
            self._seat(content, seats)
        most = self._most
        step = part if is_enough and self.searches else max(most, 1)
        action = 0
        for first in range(0, max(most, 1), step):
            self._record.first, self._record.iterations = first, min(first + step, most)
            action = int(self.think(observation, content.record, seats, seat, self._record,
                                    self.workspace, seed))
            if is_enough and is_enough():
                break
        return action

    def thought(self) -> Thought:
        """What was considered last; of a habit nothing but the action."""
        nodes, text = self.workspace.nodes, self.game.words.TEXTS.text
        ideas = [Idea(int(n.action), text(n.action), int(n.visits), float(n.value / n.visits))
                 for n in children(nodes, ROOT) if n.visits]
        line, node = [], most_visited_child(nodes, ROOT)
        while node != NO_NODE and nodes[node].visits > 1:
            line.append(text(nodes[node].action))
            node = most_visited_child(nodes, node)
        return Thought(sorted(ideas, key=lambda idea: (-idea.visits, -idea.value)), line)


    def replies(self, action: int) -> list[Reply]:
        """What the last `choose` saw follow an action; only a search looks so far."""
        nodes, text = self.workspace.nodes, self.game.words.TEXTS.text
        node = next((place for place in places(nodes, ROOT) if nodes[place].action == action),
                    NO_NODE)
        return [Reply(int(n.seat), Idea(int(n.action), text(n.action), int(n.visits),
                                        float(n.value / n.visits)))
                for n in (children(nodes, node) if node != NO_NODE else ()) if n.visits]


def places(nodes: np.ndarray, node: int) -> list[int]:
    """Where in the tree the children of a node are."""
    found, child = [], int(nodes[node].first_child)
    while child != NO_NODE:
        found.append(child)
        child = int(nodes[child].sibling)
    return found


def children(nodes: np.ndarray, node: int) -> list[Any]:
    return [nodes[child] for child in places(nodes, node)]


def most_visited_child(nodes: np.ndarray, node: int) -> int:
    return max(places(nodes, node), key=lambda child: weight(nodes[child]), default=NO_NODE)


def weight(node: Any) -> tuple[int, float]:
    """What a search goes by: visits, and of equals the values."""
    return int(node.visits), float(node.value)
