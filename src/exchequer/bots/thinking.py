"""How a bot thinks: fixed configurations with names, the same on any machine.

    random      any legal action
    greedy      one question ahead, by the game's own valuation
    search:N    N iterations of search over what the seat may know
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
    playout: int = 10
    explore: float = 0.5
    urgency: float = 2.0

    def plan(self) -> Any:
        plan = blank(Plan)
        plan.mind, plan.iterations, plan.playout = self.mind, self.iterations, self.playout
        plan.explore, plan.urgency = self.explore, self.urgency
        return plan


LEVELS = {
    "easy": Thinking(Mind.SEARCH, 30, playout=4),
    "medium": Thinking(Mind.SEARCH, 150, playout=8),
    "hard": Thinking(Mind.SEARCH, 1000),
    "expert": Thinking(Mind.SEARCH, 8000),
}
NAMED = {"random": Thinking(Mind.RANDOM), "greedy": Thinking(Mind.GREEDY), **LEVELS}


def thinking(name: str) -> Thinking:
    """A configuration by its name."""
    if name in NAMED:
        return NAMED[name]
    if found := re.fullmatch(r"search:(\d{1,7})", name):
        return Thinking(Mind.SEARCH, max(1, int(found[1])))
    raise InputError(f'There is no bot "{name}"; there are {", ".join(NAMED)}, search:N.')
