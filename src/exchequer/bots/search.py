"""A bot that searches, and what it thought."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.records import blank
from exchequer.core.search import NO_NODE, ROOT, Plan, new_room, search

SEED_STEP = 1_000_003  # keeps the seeds of a bot's thoughts apart


@dataclass(frozen=True)
class Thinking:
    """How hard and how a bot thinks; the same on any machine."""

    iterations: int
    playout: int = 10
    explore: float = 0.5
    urgency: float = 2.0

    def plan(self) -> Any:
        plan = blank(Plan)
        plan.iterations, plan.playout = self.iterations, self.playout
        plan.explore, plan.urgency = self.explore, self.urgency
        return plan


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


class SearchBot:
    """Monte Carlo tree search over what the seat may know."""

    def __init__(self, game: Game, seed: int = 0, mode: Mode | None = None,
                 thinking: Thinking | None = None) -> None:
        self.game, self.seed, self.moves = game, seed, 0
        self.thinking = thinking or Thinking(1000)
        self.plan = self.thinking.plan()
        self.search = game.engine(mode).bind(search)
        self.room = new_room(game.state, game.max_legal, self.thinking.iterations + 1)

    def choose(self, observation: np.ndarray, content: Content, seat: int) -> int:
        self.moves += 1
        return int(self.search(observation, content.record, self.game.seats_in(observation[0]),
                               seat, self.plan, self.room, self.seed + self.moves * SEED_STEP))

    def thought(self) -> Thought:
        """What the last `choose` considered."""
        nodes, text = self.room.nodes, self.game.words.TEXTS.text
        ideas = [Idea(int(n.action), text(n.action), int(n.visits), float(n.value / n.visits))
                 for n in children(nodes, ROOT) if n.visits]
        line, node = [], most_visited_child(nodes, ROOT)
        while node != NO_NODE and nodes[node].visits > 1:
            line.append(text(nodes[node].action))
            node = most_visited_child(nodes, node)
        return Thought(sorted(ideas, key=lambda idea: -idea.visits), line)


def children(nodes: np.ndarray, node: int) -> list[Any]:
    found, child = [], nodes[node].first_child
    while child != NO_NODE:
        found.append(nodes[child])
        child = nodes[child].sibling
    return found


def most_visited_child(nodes: np.ndarray, node: int) -> int:
    best, child = NO_NODE, nodes[node].first_child
    while child != NO_NODE:
        if best == NO_NODE or nodes[child].visits > nodes[best].visits:
            best = child
        child = nodes[child].sibling
    return int(best)
