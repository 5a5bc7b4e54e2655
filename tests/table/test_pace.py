"""Bots wait only for what people can see, and never long."""

import pathlib
from collections.abc import Iterator

import pytest

from exchequer.table import bot_runner
from exchequer.table.bot_runner import TURN_SECONDS, BotRunner
from exchequer.table.history import By
from exchequer.table.identity import Tokens
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.registry import Registry
from exchequer.table.store import Store
from exchequer.table.table_setup import table_setup


class Time:
    """A clock that the test turns."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr(bot_runner, "time", found)
    return found


@pytest.fixture
def runner(tmp_path: pathlib.Path) -> Iterator[BotRunner]:
    """Not started: nobody moves but the test."""
    store = Store(str(tmp_path / "table.db"))
    registry = Registry(store)
    found = BotRunner(registry, Precompiler(False), Tokens(store.key), pace=0.6)
    registry.listeners.append(found.look_at)
    yield found
    store.close()


def opened(runner: BotRunner, game: str) -> Match:
    setup = table_setup(game, ["me", "greedy"], "ann", "Ann", clock="none", seed=4)
    return runner.registry.open(setup, "ann")


def play(match: Match, text: str) -> None:
    assert match.asked is not None
    match.play(match.asked, match.game.words.TEXTS.action(text), match.version, By.BOT)


def test_a_hidden_answer_is_not_waited_for(runner: BotRunner, clock: Time):
    """Greement: the digits of a sealed first loan, which nobody else sees."""
    match = opened(runner, "greement")
    while "type" not in map(match.game.words.TEXTS.text, match.legal()):
        match.play(match.asked, match.legal()[0], match.version, By.BOT)
    play(match, "type")
    assert runner._pause(match.id) == 0
    match.play(match.asked, match.legal()[0], match.version, By.BOT)
    assert runner._pause(match.id) == 0


def test_what_is_seen_is_waited_for_until_the_turn_has_taken_three_seconds(
        runner: BotRunner, clock: Time):
    match = opened(runner, "kingdom")
    play(match, "end")
    assert match.asked == 1
    waited = 0.0
    for _ in range(20):
        pause = runner._pause(match.id)
        waited += pause
        clock.now += pause
    assert 2.9 < waited <= TURN_SECONDS + 1e-6
    assert runner._pause(match.id) == 0


def test_a_turn_that_is_skipped_is_not_waited_for(runner: BotRunner, clock: Time):
    match = opened(runner, "kingdom")
    play(match, "end")
    assert runner._pause(match.id) == 0.6
    runner.hurry(match.id)
    assert runner._pause(match.id) == 0
    play(match, "end")  # the next turn is another one
    play(match, "end")
    assert runner._pause(match.id) == 0.6
