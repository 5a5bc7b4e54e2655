"""How a bot thinks: fixed configurations with names, the same on any machine.

    random      any legal action
    greedy      one question ahead, by the game's own valuation
    mcts:N      N iterations of search; `ismcts:N` is the same search, which imagines what is hidden
                and where nothing is hidden only draws chance anew
    easy, medium, hard, expert    search for people, each a rung above the last
"""

import re
from dataclasses import dataclass
from typing import Any

from exchequer.core.errors import InputError
from exchequer.core.records import blank
from exchequer.core.search import Mind, Plan


@dataclass(frozen=True)
class Thinking:
    """How hard and how a bot thinks; see `core.search.Plan`."""

    mind: Mind
    iterations: int = 0
    playout: int = 20
    explore: float = 0.7
    urgency: float = 2.0
    haste: float = 0.01
    picks: int = 8

    def plan(self) -> Any:
        plan = blank(Plan)
        plan.mind, plan.iterations, plan.playout = self.mind, self.iterations, self.playout
        plan.explore, plan.urgency = self.explore, self.urgency
        plan.haste, plan.picks = self.haste, self.picks
        return plan


LEVELS = {
    "easy": Thinking(Mind.SEARCH, 10, playout=4, picks=1),
    "medium": Thinking(Mind.SEARCH, 30, playout=10, picks=2),
    "hard": Thinking(Mind.SEARCH, 80),
    "expert": Thinking(Mind.SEARCH, 600, playout=40),
}
NAMED = {"random": Thinking(Mind.RANDOM), "greedy": Thinking(Mind.GREEDY), **LEVELS}


def thinking(name: str) -> Thinking:
    """A configuration by its name."""
    if name in NAMED:
        return NAMED[name]
    if found := re.fullmatch(r"(?:is)?mcts:([1-9]\d{0,6})", name):
        return Thinking(Mind.SEARCH, int(found[1]))
    raise InputError(f'There is no bot "{name}"; there are {", ".join(NAMED)} and mcts:N.')
