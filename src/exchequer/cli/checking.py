"""`exchequer check`: every promise of a game, stage by stage, and a replay of a failure."""

import contextlib
import pathlib
import sys
from collections.abc import Callable, Iterator

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.check import (
    Broken,
    check_action_texts,
    check_ending,
    check_modes,
    check_names,
    check_one_game,
    check_rules,
    check_teaching,
)
from exchequer.core.content import Content
from exchequer.core.errors import InputError, RuleError, place_of, sentence
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.progress import bar
from exchequer.core.replay import replay_of, write_replay
from exchequer.core.watchdog import watched
from exchequer.gpu.check import check_device
from exchequer.gpu.files import can_compile

EVERY = 3  # expensive checks are made at every third position
FIRST_MOVES, ENDLESS_SECONDS = 150, 10.0  # a single move takes milliseconds
ENDINGS = 200  # random games at each number of seats that only have to end


def check_everything(game: Game, content: Content, games: int, file: pathlib.Path) -> None:
    """Check all promises of a game; the first broken one is an error with a replay."""
    try:
        for title, work, amount in stages(game, content, games):
            with stage(title, amount) as advance:
                work(advance)
    except Broken as broken:
        raise InputError(sentence(f"{game.name} breaks a promise. {broken}") + kept(broken, file)
                         ) from None


def stages(game: Game, content: Content, games: int
           ) -> Iterator[tuple[str, Callable[[Callable[[int], None]], None], int]]:
    """What is checked, in order: a title, the work, how much of it there is."""
    seats = range(game.seats[0], game.seats[1] + 1)

    def folder(advance: Callable[[int], None]) -> None:
        check_names(game)
        check_rules(game)
        check_action_texts(game)
        with watched(game.folder, ENDLESS_SECONDS), failures_named(game.folder):
            check_teaching(game)

    def first_moves(advance: Callable[[int], None]) -> None:
        """As plain Python, where a rule that does not come to an end can be named."""
        for number in seats:
            position = Position(game, content, number, 0, Mode.PYTHON)
            chance = np.random.default_rng(number)
            while not position.is_over and len(position.actions) < FIRST_MOVES:
                with watched(game.folder, ENDLESS_SECONDS), failures_named(game.folder):
                    legal = position.legal()
                    position.play(legal[chance.integers(len(legal))])
            advance(1)

    def compile_rules(advance: Callable[[int], None]) -> None:
        game.engine(Mode.CHECKED).prepare(advance)

    def play(advance: Callable[[int], None]) -> None:
        for number in seats:
            check_ending(game, content, number, range(ENDINGS), Mode.CHECKED)
            for seed in range(games):
                check_one_game(game, content, number, seed, Mode.CHECKED, EVERY)
                advance(1)

    def compare(advance: Callable[[int], None]) -> None:
        for number in seats:
            check_modes(game, content, number, range(1))
            advance(1)

    yield "names, rules and words", folder, 1
    yield "first moves", first_moves, len(seats)
    yield "compiling with bounds checks", compile_rules, game.engine(Mode.CHECKED).build.functions()
    yield "whole games, position by position", play, games * len(seats)
    yield "plain Python, compiled, bounds-checked: the same bytes", compare, len(seats)
    if can_compile():
        yield "compiling for a GPU", lambda advance: check_device(game), 1


@contextlib.contextmanager
def failures_named(folder: pathlib.Path) -> Iterator[None]:
    """What a rule raises, with its place."""
    try:
        yield
    except (InputError, Broken):
        raise
    except Exception as error:
        raise RuleError(sentence(f"{place_of(error, folder)}a rule fails: {type(error).__name__}: "
                                 f"{error}")) from error


@contextlib.contextmanager
def stage(title: str, amount: int) -> Iterator[Callable[[int], None]]:
    """A line for each stage on standard error, with a progress bar on a terminal."""
    with bar(title, amount) as advance:
        yield advance
    print(f"  {title}: ok", file=sys.stderr)


def kept(broken: Broken, file: pathlib.Path) -> str:
    """Save the game up to the broken promise as a replay."""
    if broken.position is None:
        return ""
    try:
        write_replay(replay_of(broken.position), file)
    except (InputError, OSError) as error:
        return f" (It could not be saved as a replay: {error})"
    return f"\nStep through it with:  exchequer replay {file}"
