"""Policies: how bots choose. Fixed configurations with names, the same on any machine.

    random      any legal action
    greedy      one question ahead, by the game's own valuation
    mcts:N      N iterations of search; `ismcts:N` is the same search, which determinizes what is
                hidden; where nothing is hidden, only chance is drawn anew
    easy, medium, hard, expert    search for people, each a rung above the last
"""

import re
from dataclasses import dataclass
from typing import Any

from exchequer.core.errors import InputError
from exchequer.core.records import blank
from exchequer.core.search import PolicyKind, PolicyRecord


@dataclass(frozen=True)
class Policy:
    """How a bot chooses, and how hard it searches; see `core.search.PolicyRecord`."""

    kind: PolicyKind
    iterations: int = 0
    playout: int = 20
    explore: float = 0.7
    first_play_urgency: float = 2.0
    discount: float = 0.01
    samples: int = 8

    def record(self) -> Any:
        """The same as the rules' loops read it."""
        record = blank(PolicyRecord)
        for name, value in vars(self).items():
            record[name] = value
        return record


LEVELS = {
    "easy": Policy(PolicyKind.SEARCH, 10, playout=4, samples=1),
    "medium": Policy(PolicyKind.SEARCH, 30, playout=10, samples=2),
    "hard": Policy(PolicyKind.SEARCH, 80),
    "expert": Policy(PolicyKind.SEARCH, 600, playout=40),
}
NAMED = {"random": Policy(PolicyKind.RANDOM), "greedy": Policy(PolicyKind.GREEDY), **LEVELS}


def policy_named(name: str) -> Policy:
    """A policy by its name."""
    if name in NAMED:
        return NAMED[name]
    if found := re.fullmatch(r"(?:is)?mcts:([1-9]\d{0,6})", name):
        return Policy(PolicyKind.SEARCH, int(found[1]))
    raise InputError(f'There is no bot "{name}"; there are {", ".join(NAMED)} and mcts:N.')
