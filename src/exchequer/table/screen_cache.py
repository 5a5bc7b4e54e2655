"""Screens made once for all who see the same: here, or elsewhere when many look on."""

import os
import threading
from typing import Any

from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.screen_processes import MOST_PROCESSES, ScreenProcesses
from exchequer.table.screens import Screen, make_screen
from exchequer.table.table_setup import SEARCHING

MOST_TABLES = 1000  # whose screens are kept


class Screens:
    """Screens as they were last made, so that viewers of the same share the work."""

    def __init__(self, precompiler: Precompiler, base: str = "",
                 processes: int | None = None) -> None:
        self.precompiler, self.base = precompiler, base
        self.elsewhere = ScreenProcesses(
            processes or min(os.cpu_count() or 1, MOST_PROCESSES))
        self._made: dict[str, dict[int, tuple[Any, Screen]]] = {}  # by table and viewer
        self._making = [threading.Lock() for _ in range(64)]  # the first draws, the others wait

    def of(self, match: Match, viewer: int) -> Screen:
        with self._making[hash((match.id, viewer)) % len(self._making)]:
            with match.lock:
                stamp = self._stamp(match)
            screen = self._kept(match, viewer, stamp) or self.fresh(match, viewer)
            return self._keep(match, viewer, stamp, screen)

    async def soon(self, match: Match, viewer: int) -> Screen | None:
        """The same, made in another process; None where that cannot be done."""
        stamp = self._stamp(match)
        if kept := self._kept(match, viewer, stamp):
            return kept
        last = self._made.get(match.id, {}).get(viewer, (None, None))[1]
        screen = await self.elsewhere.screen(match, viewer, last, self._notice(match), self.base)
        return screen and self._keep(match, viewer, stamp, screen)

    def _stamp(self, match: Match) -> tuple[Any, ...]:
        """When a screen is up to date: by what is on disk, which can be asked without a lock."""
        last = match.recent[-1].number if match.recent else 0
        return match.serial, last, match.game.name in self.precompiler.ready

    def _kept(self, match: Match, viewer: int, stamp: tuple[Any, ...]) -> Screen | None:
        kept = self._made.get(match.id, {}).get(viewer)
        return kept[1] if kept is not None and kept[0] == stamp else None

    def _keep(self, match: Match, viewer: int, stamp: tuple[Any, ...], screen: Screen) -> Screen:
        if len(self._made) > MOST_TABLES:
            self._made.clear()
        self._made.setdefault(match.id, {})[viewer] = (stamp, screen)
        return screen

    def forget(self, match: str) -> None:
        """A match is not what it was."""
        self._made.pop(match, None)

    def unwatched(self, match: Match | None, match_id: str) -> None:
        """Nobody looks at a match any more."""
        self.forget(match_id)
        if match is not None:
            self.elsewhere.forget(match.serial)

    def fresh(self, match: Match, viewer: int) -> Screen:
        """For a page that is loaded: how long it takes must not say whether there was a move."""
        return make_screen(match, viewer, self._notice(match), self.base)

    def _notice(self, match: Match) -> str:
        is_searching = any(seat.bot in SEARCHING for seat in match.seats)
        return self.precompiler.notice(match.game) if is_searching else ""
