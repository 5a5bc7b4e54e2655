"""Progress on long work: bars on a terminal only. Compiling says so anywhere, in a few lines."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from exchequer.core.binding import Instead
from exchequer.core.build import Mode, counted_compiles
from exchequer.core.game import Game

PARTS = 4  # a line after each quarter of the work


@contextlib.contextmanager
def bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on standard error; yields a function that advances it."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
    )
    from rich.progress import TimeRemainingColumn as Left
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s" if speed else "", style="progress.data.speed")

    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(),
                  Left(),
                  console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda n: progress.advance(task, n)


@contextlib.contextmanager
def lines(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """The same for a file or a pipe: a line now and then."""
    done = 0

    def advance(n: int) -> None:
        nonlocal done
        before, done = done, done + n
        if PARTS * before // total < PARTS * done // total < PARTS:
            print(f"{title}: {100 * done // total} %", file=sys.stderr, flush=True)

    print(f"{title} ...", file=sys.stderr, flush=True)
    yield advance


def told(title: str, total: int) -> contextlib.AbstractContextManager[Callable[[int], None]]:
    """A bar on a terminal, lines elsewhere: for what people would take for a program that hangs."""
    return bar(title, total) if sys.stderr.isatty() else lines(title, total)


def prepare(game: Game, mode: Mode | None = None) -> None:
    """Have a game's machine code ready; whoever waits for it is told."""
    engine = game.engine(mode)
    if engine.build.is_ready:
        return
    with told(f"compiling {game.name} (once per version)", engine.build.functions()) as advance:
        engine.prepare(advance)


def prepare_loops(game: Game, loops: Sequence[Any], exercise: Callable[[], None],
                  what: str, mode: Mode | None = None, instead: Instead | None = None) -> None:
    """The same for loops that stand above the core; `exercise` calls each of them once."""
    prepare(game, mode)
    build = game.engine(mode).build
    if all(build.is_stored(loop, instead) for loop in loops):
        return
    with told(f"compiling {what} of {game.name} (once per version)",
              build.functions(*loops)) as advance, counted_compiles(advance):
        exercise()
