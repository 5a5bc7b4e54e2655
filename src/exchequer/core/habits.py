"""Habits: what a bot that searches does without searching, from `habits.py` of a game's folder.

A deal of six small moves between two people, each of whom knows only their own books, is beyond a
search of some hundred iterations. A game says here what its bots do instead; a loop asks `habit`
first and leaves what `only_by_habit` names out of what is searched for. A weak level pays less
attention, and a master more than others: what either sees is up to the game.
"""

from typing import Any

from exchequer.core.contract import legal
from exchequer.core.game import Game
from exchequer.core.records import NOBODY, rule


@rule
def habit(s, c, seats, seat, attention):
    """What the seat does without searching, from what it knows; NOBODY: it has to search.
    `attention`: the part, from 0 to 1, that it sees of what there is to see; 2: a master's."""
    return NOBODY


@rule
def only_by_habit(s, action):
    """Whether a bot takes this action only out of habit."""
    return False


@rule
def legal_habit(s, c, seats, seat, attention, out):
    """The same, and NOBODY where it is not legal, as in a draft that somebody else began."""
    action = habit(s, c, seats, seat, attention)
    if action != NOBODY:
        for i in range(legal(s, c, out)):
            if out[i] == action:
                return action
    return NOBODY


@rule
def leave_to_habit(s, out, count):
    """Keep what a bot searches for; all of it, where nothing would be left."""
    kept = 0
    for i in range(count):
        if not only_by_habit(s, out[i]):
            out[kept] = out[i]
            kept += 1
    return kept if kept > 0 else count


def habits_of(game: Game) -> dict[Any, Any]:
    """The game's own habits, to bind a loop with."""
    if not game.has_module("habits"):
        return {}
    own = game.module("habits")
    return {habit: own.habit, only_by_habit: own.only_by_habit}
