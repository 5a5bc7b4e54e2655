"""Progress on long work, on a terminal only: nothing is drawn into a file or a pipe."""

import contextlib
import sys
from collections.abc import Callable, Iterator

from exchequer.core.build import Mode
from exchequer.core.game import Game


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


def prepare(game: Game, mode: Mode | None = None) -> None:
    """Have a game's machine code ready, with a progress line where it has to be compiled."""
    engine = game.engine(mode)
    if engine.build.is_ready:
        return
    with bar(f"compiling {game.name} (once per version)", engine.build.functions()) as advance:
        engine.prepare(advance)
