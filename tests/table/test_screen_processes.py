"""Screens made in other processes are those made here, and nobody depends on the processes."""

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from exchequer.core.build import Mode
from exchequer.core.find import all_games
from exchequer.core.game import Game
from exchequer.table import screen_processes
from exchequer.table.history import Seat
from exchequer.table.journaled import RECENT, WATCHER
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.registry import Registry
from exchequer.table.screen_cache import Screens
from exchequer.table.screens import Screen, make_screen
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
MOVES = 60


@pytest.fixture
def registry(tmp_path):
    store = Store(str(tmp_path / "t.db"))
    yield Registry(store, lambda _: Mode.COMPILED)
    store.close()


def opened(registry: Registry, game: Game) -> Match:
    people = [Seat(f"p{number}", None, f"Person {number}") for number in range(3)]
    return registry.open(TableSetup(game, game.content(), people[: game.seats[1]], seed=11), "p0")


def with_processes(count: int, work: Callable[[Screens], Awaitable[None]]) -> None:
    """Do something with screens that are made in so many other processes."""
    async def run() -> None:
        screens = Screens(Precompiler(enabled=False), processes=count)
        screens.elsewhere.start()
        try:
            async with asyncio.timeout(120):
                while len(screens.elsewhere.ready) < count:
                    await asyncio.sleep(0.02)
                await work(screens)
        finally:
            screens.elsewhere.stop()
            await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as elsewhere:  # browser tests leave a loop running in this thread
        elsewhere.submit(lambda: asyncio.run(run())).result()


def move(match: Match, chance: random.Random) -> None:
    assert match.asked is not None
    match.play(match.asked, chance.choice(match.legal()), match.version_of(match.asked))


def viewers(match: Match) -> list[int]:
    return [WATCHER, *range(len(match.seats))]


async def seen(screens: Screens, match: Match) -> list[Screen | None]:
    return await asyncio.gather(*(screens.soon(match, viewer) for viewer in viewers(match)))


async def assert_same(screens: Screens, match: Match) -> None:
    for screen, viewer in zip(await seen(screens, match), viewers(match), strict=True):
        here = screens.fresh(match, viewer)
        assert screen == here
        assert screen is not None and (screen.hashes, screen.digest) == (here.hashes, here.digest)


@GAMES
def test_the_other_process_shows_the_same_through_a_game(game: Game, registry: Registry):
    match, chance = opened(registry, game), random.Random(5)

    async def play(screens: Screens) -> None:
        for number in range(MOVES):
            if match.asked is None:
                break
            if number % 9 == 5 and match.undoable(match.asked):
                match.undo(match.asked, match.version_of(match.asked))
            elif number % 9 == 7:
                match.rename("p0", f"Person {number}")
            else:
                move(match, chance)
            await seen(screens, match)
            if number % 6 == 0:
                await assert_same(screens, match)
        if not match.is_over:
            match.resign(0, "p0")
        await assert_same(screens, match)

    with_processes(1, play)


def test_only_what_is_new_is_sent(registry: Registry, monkeypatch: pytest.MonkeyPatch):
    """Once a table is followed its journal is not read again, and a change is small."""
    match, chance = opened(registry, all_games()[0]), random.Random(1)
    asked: list[screen_processes.Asked] = []
    ask = screen_processes.ScreenProcess.ask

    async def noted(self: screen_processes.ScreenProcess, one: screen_processes.Asked
                    ) -> list[screen_processes.Change] | None:
        asked.append(one)
        found = await ask(self, one)
        assert found and all((change.board is None) == (len(asked) > 1) for change in found)
        return found

    monkeypatch.setattr(screen_processes.ScreenProcess, "ask", noted)

    async def play(screens: Screens) -> None:
        for _ in range(4):
            move(match, chance)
            await seen(screens, match)
            await seen(screens, match)  # nothing has changed, so nobody is asked
        assert [one.table is not None for one in asked] == [True, False, False, False]
        assert all(1 <= len(one.lines) <= 3 for one in asked[1:])
        assert all(len(one.viewers) == len(viewers(match)) for one in asked)

    with_processes(1, play)


def test_who_looks_again_after_many_moves_sees_all_of_them(registry: Registry):
    match, chance = opened(registry, all_games()[0]), random.Random(2)

    async def play(screens: Screens) -> None:
        await seen(screens, match)
        for _ in range(RECENT + 3):
            if match.asked is not None:
                move(match, chance)
        await assert_same(screens, match)

    with_processes(1, play)


def test_a_table_that_the_process_has_forgotten_is_told_again(registry: Registry):
    match, chance = opened(registry, all_games()[0]), random.Random(3)

    async def play(screens: Screens) -> None:
        await seen(screens, match)
        process = screens.elsewhere.processes[0]
        sent = process.followed[match.serial]
        screens.unwatched(match, match.id)
        process.followed[match.serial] = sent  # as if it had forgotten by itself
        move(match, chance)
        await assert_same(screens, match)

    with_processes(1, play)


def test_when_processes_are_killed_the_others_work_and_at_last_nobody(registry: Registry):
    match, chance = opened(registry, all_games()[0]), random.Random(4)

    async def play(screens: Screens) -> None:
        for left in (1, 0):
            await assert_same(screens, match)
            killed = screens.elsewhere.ready[0]
            os.kill(killed.process.pid, signal.SIGKILL)
            while killed in screens.elsewhere.ready:
                await asyncio.sleep(0.01)
            move(match, chance)
            assert len(screens.elsewhere.ready) == left
        assert await seen(screens, match) == [None] * len(viewers(match))
        assert screens.of(match, 0) == make_screen(match, 0)

    with_processes(2, play)


def test_whoever_stops_waiting_leaves_the_others_their_screen(registry: Registry):
    match = opened(registry, all_games()[0])

    async def play(screens: Screens) -> None:
        one, other = (asyncio.create_task(screens.soon(match, WATCHER)) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()
        assert await other == make_screen(match, WATCHER)

    with_processes(1, play)


def test_a_process_that_hangs_is_given_up_though_nobody_else_asks(
        registry: Registry, monkeypatch: pytest.MonkeyPatch):
    """It was noticed only when somebody asked for one more screen: at a quiet server nobody did,
    and those who waited saw nothing more.
    """
    monkeypatch.setattr(screen_processes, "PATIENCE", 0.3)
    match = opened(registry, all_games()[0])

    async def play(screens: Screens) -> None:
        hanging = screens.elsewhere.processes[0]
        os.kill(hanging.process.pid, signal.SIGSTOP)
        async with asyncio.timeout(20):
            assert await seen(screens, match) == [None] * len(viewers(match))
        assert not screens.elsewhere.ready and hanging.process.poll() is not None

    with_processes(1, play)


def test_processes_that_ended_are_replaced(registry: Registry):
    """Once the memory is short and one is ended for it, the server went on without for ever."""
    match = opened(registry, all_games()[0])

    async def play(screens: Screens) -> None:
        kept, killed = screens.elsewhere.ready
        os.kill(killed.process.pid, signal.SIGKILL)
        while killed in screens.elsewhere.ready:
            await asyncio.sleep(0.01)
        screens.elsewhere.start()
        while len(screens.elsewhere.ready) < 2:
            await asyncio.sleep(0.01)
        assert kept in screens.elsewhere.processes and killed not in screens.elsewhere.processes
        await assert_same(screens, match)

    with_processes(2, play)


def test_many_cores_are_not_many_processes(monkeypatch: pytest.MonkeyPatch):
    """Each takes 200 MB; in a container that may use one core of 64 that is 13 GB."""
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert Screens(Precompiler(enabled=False)).elsewhere.count <= 4
