"""Machine code for the games, compiled behind the table's back in processes of their own.

Until a game is compiled, people play it in plain Python; bots that search wait for it.
"""

import subprocess
import sys
import threading
from collections.abc import Callable

from exchequer.bots.policies import policy_named
from exchequer.core.build import Mode
from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game


def in_time(level: str, mode: Mode) -> str:
    """The level that a seat is played by. No clock ends a search for sure wins, which takes minutes
    in plain Python, so whoever has one plays like the strongest level without.
    """
    return "expert" if mode is Mode.PYTHON and policy_named(level).finish else level


class Precompiler:
    """Which games are compiled: one after the other, small ones and those waited for first."""

    def __init__(self, enabled: bool = True,
                 on_ready: Callable[[Game], None] = lambda _: None) -> None:
        self.enabled, self.on_ready = enabled, on_ready
        self.ready: set[str] = set()
        self.failed: set[str] = set()
        self._waiting = [game.name for game in
                         sorted(all_games(), key=lambda game: game.state.itemsize)]
        self._changed = threading.Condition()
        self._stopped = self._running = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="precompiler", daemon=True)

    def start(self) -> None:
        if self.enabled:
            self._begin()

    def _begin(self) -> None:
        self._running = True
        self._thread = threading.Thread(target=self._run, name="precompiler", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
            if self._process and self._process.poll() is None:
                self._process.terminate()
        if self._thread.is_alive():
            self._thread.join(0.2)  # it may be loading; that cannot be cut short

    def again(self, game: Game) -> None:
        """The game's rules have changed: compile only this one, instead of what is under way."""
        with self._changed:
            self.ready.discard(game.name)
            self.failed.discard(game.name)
            self._waiting = [game.name]
            if self._process and self._process.poll() is None:
                self._process.terminate()
            if not self._running:
                self._begin()

    def want(self, game: Game) -> bool:
        """Whether the game is compiled; if not, it is the next to be."""
        if game.name in self.ready:
            return True
        with self._changed:
            if game.name in self._waiting:
                self._waiting.remove(game.name)
                self._waiting.insert(0, game.name)
        return False

    def mode_of(self, game: Game) -> Mode:
        return Mode.COMPILED if game.name in self.ready else Mode.PYTHON

    def notice(self, game: Game) -> str:
        """What people are told while a bot has to wait, empty when none has to."""
        if game.name in self.ready:
            return ""
        if not self.enabled or game.name in self.failed:
            return (f"{game.title} runs without machine code here, so bots that search think "
                    "slowly.")
        return (f"{game.title} is being compiled for this machine, once per version; bots that "
                "search begin when it is done. You can play meanwhile.")

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._stopped or not self._waiting:
                    self._running = False
                    return
                name = self._waiting.pop(0)
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "exchequer.table.compiling", name],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self._process.wait() == 0:
                self._loaded(find_game(name))
            elif not self._stopped and name not in self._waiting:
                self.failed.add(name)

    def _loaded(self, game: Game) -> None:
        """Load the machine code into this process, then let the tables have it."""
        from exchequer.table.compiling import exercise

        exercise(game)
        self.ready.add(game.name)
        self.on_ready(game)
