"""Compiling ahead of time, each game in its own process, with its environments where these are
installed."""

import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import time

from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.progress import told
from exchequer.envs.loops import ENV_LOOPS, prepare_single, prepare_vector

ONE = "import sys; from exchequer.cli.warm import warm_one; warm_one(sys.argv[1])"


def warm_one(name: str) -> None:
    """Compile a game, and its environments; the process that waits for it tells how far it is."""
    game = find_game(name)
    with contextlib.redirect_stderr(io.StringIO()):
        game.engine().prepare()
        if has_environments():
            prepare_single(game)
            prepare_vector(game)


def has_environments() -> bool:
    return importlib.util.find_spec("gymnasium") is not None


def is_warm(game: Game) -> bool:
    build = game.engine(Mode.COMPILED).build
    loops = ENV_LOOPS if has_environments() else ()
    return build.is_ready and all(build.is_stored(loop) for loop in loops)


def warm_games(games: list[Game], quiet: bool = False) -> None:
    """Compile what is not compiled yet, on all cores."""
    waiting = [game for game in games if not is_warm(game)]
    running: dict[str, subprocess.Popen[bytes]] = {}
    with told("compiling games", len(waiting)) as advance:
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
