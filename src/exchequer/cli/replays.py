"""Showing and checking replays."""

import pathlib

from rich.console import Console
from rich.markup import escape

from exchequer.core.build import Mode
from exchequer.core.replay import check_replay, read_replay, start_replay, step_replay
from exchequer.core.screen import story_text
from exchequer.core.story import Storyteller
from exchequer.core.words import seat_names


def show_file(path: pathlib.Path) -> bool:
    """Tell the game move by move; stop where it no longer runs."""
    console = Console()
    replay = read_replay(path)
    position = start_replay(replay, Mode.PYTHON)
    position.names = seat_names(position.seats, replay.names)
    console.print(f"[bold]{position.game.title}[/], seed {replay.seed}, "
                  f"rules version {replay.rules_version}")
    teller = Storyteller(position.game.words, position.content, position.names)
    console.print(story_text(position.telling(teller, 0, None).lines))
    for number, move in enumerate(replay.moves, 1):
        difference = step_replay(position, number, move)
        if difference:
            console.print(f"[red]The replay stops here: {escape(difference)}[/]")
            return False
        console.print(f"[dim]{number:4d}[/] [bold]{move.split()[1]}[/]")
        console.print(story_text(position.telling(teller, number, None).lines))
    if position.is_over:
        console.print(position.outcome(), markup=False)
    else:
        console.print("The game is not finished.")
    return True


def check_file(path: pathlib.Path) -> bool:
    """Run the game again and compare every state."""
    replay = read_replay(path)
    difference = check_replay(replay, Mode.PYTHON)
    if difference:
        print(difference)
        return False
    print(f"{path}: all {len(replay.moves)} moves run as recorded.")
    return True
