"""Which paragraphs of the rulebook never came up.

A rule's docstring opens with the paragraphs it implements. Some of the games are replayed as plain
Python, and a paragraph counts as exercised when a rule that names it was called.
"""

import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.replay import Replay
from exchequer.core.rulebook import opening, paragraphs

Code = types.CodeType


def tagged(game: Game) -> dict[Code, list[str]]:
    """The code of every rule of the game, and the paragraphs its docstring opens with."""
    found: dict[Code, list[str]] = {}
    for path in sorted(game.folder.glob("*.py")):
        module = game.module(path.stem) if path.stem != "__init__" else None
        for value in vars(module).values() if module else ():
            if isinstance(value, types.FunctionType) and hasattr(value, "is_rule"):
                found[value.__code__] = opening(value.__doc__ or "")
    return found


def called_by(game: Game, replays: Iterable[Replay]) -> set[Code]:
    """The code that ran while the games were replayed."""
    seen: set[Code] = set()

    def profile(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        for replay in replays:
            play_again(game, replay)
    finally:
        sys.setprofile(before)
    return seen


def play_again(game: Game, replay: Replay) -> None:
    position = Position(game, game.content(replay.overlay, "overlay"), replay.seats, replay.seed,
                        Mode.PYTHON)
    for move in replay.moves:
        action = game.words.TEXTS.action(move.split(" ")[1])
        position.legal()  # refusals are rules, too
        position.engine.apply(position.state, position.content.record, action, position._log)
    position.engine.winners(position.state, position.content.record)


def never_exercised(game: Game, replays: Iterable[Replay]) -> list[str]:
    """Paragraphs that have rules of their own, none of which was called."""
    rules, called = tagged(game), called_by(game, replays)
    exercised = {p for code, names in rules.items() if code in called for p in names}
    known = {p for names in rules.values() for p in names}
    return [p for p in game.paragraphs if p in known and p not in exercised]


def titles(game: Game, numbers: Iterable[str]) -> Iterator[str]:
    names = {paragraph.number: paragraph.name for paragraph in paragraphs(game)}
    for number in numbers:
        yield f"{number} {names.get(number, '')}".strip()
