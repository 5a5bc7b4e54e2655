"""Lessons at the table: a match whose moves are written down beforehand, in the game's lesson.

How far somebody has come is how many moves they have made, so that the journal is all there is to
keep: a lesson is gone on with, taken back and left like any game.
"""

import contextlib
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exchequer.core.errors import InputError
from exchequer.core.find import all_games
from exchequer.core.game import Game
from exchequer.core.lesson import Lesson, Turn, lesson, said
from exchequer.table.clocks import Clock
from exchequer.table.history import Seat
from exchequer.table.refusals import NotFound
from exchequer.table.store import Store
from exchequer.table.table_setup import NAMES, TableSetup

if TYPE_CHECKING:
    from exchequer.table.journaled import JournaledMatch as Match

OPPONENT = "greedy"  # who plays on when the lesson is over


def readable_lesson(game: Game) -> Lesson | None:
    """One that is written wrongly harms nobody who does not ask for it."""
    with contextlib.suppress(InputError):
        return lesson(game)
    return None


def lesson_setup(game: Game, visitor: str, name: str) -> TableSetup:
    """The table at which a lesson is played."""
    found = lesson(game)
    if found is None:
        raise NotFound(f"{game.title} has no lesson.")
    seats = [Seat(visitor, None, name) if number == found.seat
             else Seat(None, OPPONENT, NAMES[number % len(NAMES)])
             for number in range(found.seats)]
    return TableSetup(game, game.content(found.overlay), seats, Clock(), found.seed, listed=False,
                      lesson=True)


def lesson_at(match: "Match") -> Lesson | None:
    """The lesson that is played at a table, if one is."""
    return lesson(match.game) if match.row.get("lesson") else None


def next_turn(match: "Match") -> Turn | None:
    """The move that the lesson wants now; none when it is over, or was left."""
    found = lesson_at(match)
    return found.next(match.position.actions) if found and match.is_dealt else None


def scripted(match: "Match") -> int | None:
    """What a bot plays because the lesson says so."""
    turn = next_turn(match)
    return turn.action if turn and not turn.by_learner else None


def kind_word(match: "Match", seat: int, action: int) -> str:
    """Why the learner may not do this yet; empty where they may."""
    turn = next_turn(match)
    if turn is None or action == turn.action:
        return ""
    wanted = match.game.words.describe(match.position.observe(seat)[0], match.content,
                                       turn.action, match.names)
    return f"A good thought, and you may in any other game. For now: {wanted}."


def steps_done(match: "Match") -> int:
    """How many steps of the lesson are behind the learner."""
    found, turn = lesson_at(match), next_turn(match)
    if found is None:
        return 0
    return len(found.steps) if turn is None else turn.step + (not turn.by_learner)


@dataclass(frozen=True)
class Shown:
    """A lesson as its panel shows it."""

    say: str
    number: int  # of the step, from 1 on
    steps: int
    action: int | None  # what is to be done now
    is_done: bool


def shown(match: "Match") -> Shown | None:
    found = lesson_at(match)
    if found is None:
        return None
    turn = next_turn(match)
    if turn is None:
        return Shown(said(match.game, match.content, found.done), len(found.steps),
                     len(found.steps), None, True)
    number, action = max(turn.step, 0), turn.action if turn.by_learner else None
    return Shown(said(match.game, match.content, found.steps[number].say), number + 1,
                 len(found.steps), action, False)


def stops(store: Store) -> Iterator[dict[str, Any]]:
    """For every lesson how many have come how far: where people stop."""
    for game in all_games():
        with contextlib.suppress(InputError):  # one that is being written harms no page
            if steps := all_said(game):
                done = store.steps_done(game.name)
                yield {"title": game.title, "begun": done[0],
                       "steps": [{"number": number, "say": say, "done": done[number]}
                                 for number, say in enumerate(steps, 1)]}


@functools.lru_cache(maxsize=32)
def all_said(game: Game) -> list[str]:
    """The sentence of each step of a lesson; reading a game's numbers takes a while."""
    found = lesson(game)
    if found is None:
        return []
    content = game.content(found.overlay)
    return [said(game, content, step.say) for step in found.steps]
