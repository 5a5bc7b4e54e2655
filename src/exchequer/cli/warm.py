"""Compiling ahead of time, each game in its own process."""

import os
import subprocess
import sys
import time

from exchequer.core.build import Mode
from exchequer.core.game import Game
from exchequer.core.progress import bar

ONE = ("import sys; from exchequer.core.find import find_game; "
       "find_game(sys.argv[1]).engine().prepare()")


def warm_games(games: list[Game], quiet: bool = False) -> None:
    """Compile what is not compiled yet, on all cores."""
    waiting = [game for game in games if not game.engine(Mode.COMPILED).build.is_ready]
    running: dict[str, subprocess.Popen[bytes]] = {}
    with bar("compiling games", len(waiting)) as advance:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                game = waiting.pop(0)
                running[game.name] = subprocess.Popen([sys.executable, "-c", ONE, game.name])
            time.sleep(0.05)
            for name in [name for name, process in running.items() if process.poll() is not None]:
                if code := running.pop(name).returncode:
                    raise RuntimeError(f"compiling {name} failed with exit code {code}")
                advance(1)
    if not quiet:
        print(f"{len(games)} games ready: {', '.join(game.name for game in games)}")
