"""Lessons: `lesson.toml`, a first game in which the learner makes every move.

    seats = 2
    seed = 0
    first = ""  # what the others do before the first step
    done = "That is all there is to it."

    [content.rules]  # what differs from content.toml: a short game is soon over
    turn_limit = 3

    [[step]]
    say = "Have more points after [3](turn_limit) rounds: place a Farm, which pays every round."
    play = "develop:farm"
    then = "develop:house raise:council"

A step is one sentence and the learner's moves for it, in the order in which they are made; `then`
is what the others do afterwards. The first sentence says what the game is about. The learner sits
in seat 0, or in `seat`. `[3](key)` is a number of the content, as in the rulebook. `faults_of`
plays the lesson; the table lets nobody leave its path.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exchequer.core.build import Mode
from exchequer.core.content import Content, read_toml
from exchequer.core.errors import InputError
from exchequer.core.rulebook import filled_runs, runs_of

if TYPE_CHECKING:
    from exchequer.core.game import Game
    from exchequer.core.position import Position

KEYS = {"seats", "seed", "seat", "first", "done", "content", "step"}
STEP_KEYS = {"say", "play", "then"}
MOST_WORDS = 45  # of a step


@dataclass(frozen=True)
class Step:
    """One sentence, the learner's moves for it, and what the others do after these."""

    say: str
    play: tuple[str, ...]
    then: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turn:
    """The move that comes next in a lesson."""

    step: int  # from 0 on; -1 before the first
    action: int
    by_learner: bool


@dataclass(frozen=True)
class Lesson:
    """A game's lesson, as its file says it."""

    steps: tuple[Step, ...]
    script: tuple[Turn, ...] = field(repr=False)
    seats: int
    seed: int
    seat: int = 0
    done: str = ""
    overlay: Mapping[str, Any] = field(default_factory=dict)

    def next(self, actions: Sequence[int]) -> Turn | None:
        """What comes after these moves; nothing when the lesson is over or was left."""
        made = [turn.action for turn in self.script[:len(actions)]]
        if made != [int(action) for action in actions] or len(made) == len(self.script):
            return None
        return self.script[len(made)]


@functools.cache
def lesson(game: "Game") -> Lesson | None:
    """The lesson of a game; None when it has none."""
    path = game.folder / "lesson.toml"
    if not path.exists():
        return None
    data = read_toml(path)
    steps = tuple(step_of(game, number, one) for number, one in enumerate(data.get("step", []), 1))
    if not steps or data.keys() - KEYS:
        raise InputError(f"{game.title}: lesson.toml has {', '.join(sorted(KEYS))}, at least one "
                         "[[step]], and nothing else.")
    first = data.get("first", "").split()
    return Lesson(steps, tuple(script_of(game, first, steps)), data.get("seats", game.seats[0]),
                  data.get("seed", 0), data.get("seat", 0), data.get("done", ""),
                  data.get("content", {}))


def step_of(game: "Game", number: int, data: Mapping[str, Any]) -> Step:
    if data.keys() - STEP_KEYS or not {"say", "play"} <= data.keys():
        raise InputError(f"{game.title}: lesson.toml: step {number} has `say` and `play`, and "
                         "perhaps `then`, and nothing else.")
    return Step(data["say"], tuple(data["play"].split()), tuple(data.get("then", "").split()))


def script_of(game: "Game", first: Sequence[str], steps: Sequence[Step]) -> Iterator[Turn]:
    action = game.words.TEXTS.action
    yield from (Turn(-1, action(text), False) for text in first)
    for number, step in enumerate(steps):
        yield from (Turn(number, action(text), True) for text in step.play)
        yield from (Turn(number, action(text), False) for text in step.then)


def said(game: "Game", content: Content, text: str) -> str:
    """A sentence with the numbers of the content."""
    return "".join(run.text for run in filled_runs(runs_of(game, text), game.text, content.words))


# Whether it can be played ------------------------------------------------------------------------

def faults_of(game: "Game") -> Iterator[str]:
    """What is wrong with a lesson, a sentence for each."""
    found = lesson(game)
    if found is None:
        return
    for number, step in enumerate(found.steps, 1):
        if len(re.findall(r"\S+", step.say)) > MOST_WORDS or not step.play:
            yield f"lesson.toml: step {number} needs a move, and at most {MOST_WORDS} words."
    yield from wrong_moves(game, found)


def wrong_moves(game: "Game", found: Lesson) -> Iterator[str]:
    position = begun(game, found)
    for turn in found.script:
        text = game.words.TEXTS.text(turn.action)
        if (position.actor == found.seat) != turn.by_learner:
            whose = "the learner" if turn.by_learner else "the others"
            yield f"lesson.toml: step {turn.step + 1}: {text} is not a move of {whose} there."
            return
        try:
            position.play(turn.action)
        except InputError as refusal:
            yield f"lesson.toml: step {turn.step + 1}: {text} cannot be played there: {refusal}"
            return


def begun(game: "Game", found: Lesson) -> "Position":
    """The game at the lesson's first step."""
    from exchequer.core.position import Position

    return Position(game, game.content(found.overlay), found.seats, found.seed, Mode.PYTHON)
