"""What the table promises for every game: watchers, replays, clocks."""

import random
import time
from typing import Any

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.table.boards import tips
from exchequer.table.clocks import Clock, chosen_clock, content_for_bots, default_move
from exchequer.table.history import Seat
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.registry import Registry
from exchequer.table.screens import make_screen
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup, table_setup
from exchequer.table.watching import watched

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
COLD = Precompiler(enabled=False)


def opened(tmp_path, game: Game, clock: Clock | None = None, **rules: object) -> Match:
    people = [Seat(f"p{i}", None, f"Person {i}") for i in range(max(2, game.seats[0]))]
    setup = TableSetup(game, game.content({"rules": rules} if rules else {}),
                people[: game.seats[1]], clock or Clock(), 11)
    return Registry(Store(str(tmp_path / "t.db"))).open(setup, "p0")


def play_on(match: Match, moves: int) -> None:
    chance = random.Random(5)
    for _ in range(moves):
        if match.asked is not None:
            match.play(match.asked, chance.choice(match.legal()), match.version)


def in_world(position: Position, world: np.ndarray) -> Position:
    """The same position with another world behind it."""
    other = Position(position.game, position.content, position.seats, 0, Mode.PYTHON)
    other._states[:] = world
    return other


@GAMES
def test_a_watcher_sees_no_more_than_every_seat(game: Game):
    """Worlds that some seat cannot tell apart look alike to a watcher, too."""
    position = Position(game, None, max(2, game.seats[0]) if game.seats[1] > 1 else 1, 3,
                        Mode.PYTHON)
    chance = random.Random(2)
    view = game.module("view").view
    for _ in range(5):
        for _ in range(6):
            if not position.is_over:
                position.play(chance.choice(position.legal()))
        if position.is_over:
            return
        seen = view(watched(position)[0], position.content, 0)
        for seat in range(position.seats):
            world = in_world(position, position.determinize(seat, chance.randrange(2**31)))
            assert view(watched(world)[0], position.content, 0) == seen


@GAMES
def test_screens_replays_and_restarts(game: Game, tmp_path):
    """Everybody has a screen in every moment; the journal tells the same story again."""
    match = opened(tmp_path, game)
    for _ in range(3):
        play_on(match, 4)
        for viewer in (WATCHER, *range(len(match.seats))):
            screen = make_screen(match, viewer)
            assert bool(match.menu(viewer)) == (viewer == match.asked)
            assert screen.board.whole
    again = Registry(match.store).match(match.id)
    for viewer in (WATCHER, 0):
        assert again.frames(viewer) == match.frames(viewer)
        assert again.view(viewer) == match.view(viewer)
    moves = len(match.position.actions)
    assert again.position.at(moves).state.tobytes() == match.position.state.tobytes()
    assert len(again.position.at(2).actions) == 2
    assert tips(game, match.content)
    match.store.close()


@GAMES
def test_the_default_moves_lead_on(game: Game):
    """Time after time the table answers with something legal, and the game gets on."""
    position = Position(game, None, None, 4, Mode.PYTHON)
    seen = set()
    for _ in range(60):
        if position.is_over:
            return
        legal = position.legal()
        action = default_move(game, legal)
        assert action in legal
        position.play(action)
        seen.add(position.state.tobytes())
    assert len(seen) == 60, "the same position came again"


def test_undo_stops_where_cards_were_seen(tmp_path):
    """Drawing shows a card, so it stays; composing a move can be taken back."""
    match = opened(tmp_path, find_game("treasury/v17"))
    chance, kinds = random.Random(1), set()
    for _ in range(60):
        seat, before = match.asked, match.position.whole()
        assert seat is not None
        match.play(seat, chance.choice(match.legal()), match.version)
        if match.asked is None:
            break
        after = match.position.whole()
        drew = before["rng"] != after["rng"] or any(
            int(new) & 3 & ~int(old) for new, old in zip(
                by_card(after), by_card(before), strict=True))
        may_undo = match.undoable(seat) > 0
        assert may_undo == (match.asked == seat and not drew)
        kinds.add(may_undo)
    assert kinds == {True, False}
    match.store.close()


def test_a_play_is_taken_back_until_cards_are_seen(tmp_path):
    """The Jagged Time asks unit by unit how a card is paid; nothing of it binds (J-24)."""
    game = find_game("jagged_time")
    only = {card: {"start": 0} for card in ("C1", "C2", "C4", "C5")} | {"C20": {"start": 8}}
    setup = TableSetup(game, game.content({"action": only}), [Seat("p0", None, "Ann")], Clock(), 11)
    match = Registry(Store(str(tmp_path / "t.db"))).open(setup, "p0")

    def play(text: str) -> None:
        match.play(0, game.words.TEXTS.action(text), match.version)

    start = match.position.state.tobytes()
    play("play:c20")
    play("unit:might")
    half_paid = match.position.state.tobytes()
    assert match.undoable(0) == 2
    play("unit:food")  # paid and played: still no chance in it
    assert match.undoable(0) == 3
    match.undo(0, match.version)
    assert match.position.state.tobytes() == half_paid
    match.undo(0, match.version, whole_turn=True)
    assert match.position.state.tobytes() == start
    play("stop")  # the priests left in hand turn up cards of the deck
    assert match.undoable(0) == 0
    match.store.close()


def by_card(states: np.ndarray) -> list[int]:
    order = np.argsort(states["card"][0])
    return list(states["known"][0][order])


# Greement's own clock ----------------------------------------------------------------------------

def test_turns_of_three_minutes(tmp_path):
    """G-22: the seconds are the turn's, however many answers it takes."""
    match = opened(tmp_path, find_game("greement"), chosen_clock(find_game("greement"), "rules", 0),
                   turn_seconds=120)
    while match.position.state.active < 0:
        match.play(match.asked or 0, match.legal()[0], match.version)
    due = match.move_due()
    borrow = match.game.words.TEXTS.action("borrow")
    if borrow in match.legal():
        match.play(match.asked or 0, borrow, match.version)
        assert match.move_due() == due
    turn = int(match.position.state.active)
    now = time.time() + 500
    while match.position.state.active == turn and match.tick(now):
        pass
    assert match.position.state.active != turn or match.position.state.round_number > 1
    match.store.close()


def test_the_bell_is_the_clocks_alone(tmp_path):
    """G-68: nobody is offered it, bots do not know it, the table rings it in time."""
    game = find_game("greement")
    match = opened(tmp_path, game, end_mode="clock", minutes=10)
    bell = game.words.TEXTS.action("bell")
    assert bell in match.position.legal() and bell not in match.legal()
    assert all(action != bell for action, _ in match.menu(match.asked or 0))
    assert not content_for_bots(game, match.content).record.bell
    with pytest.raises(Exception, match="no such move"):
        match.play(match.asked or 0, bell, match.version)
    row = match.store.match(match.id)
    assert row is not None and 510 <= row["due"] - row["created"] <= 691
    assert match.move_due() is None  # what people are shown
    assert match.tick(row["due"] + 1) and match.is_over
    match.store.close()


def test_among_people_an_alarm_clock_rings_unless_another_end_was_chosen():
    def end(*seats: str, **asked: Any) -> str:
        setup = table_setup("greement", seats, "ann", "Ann", **asked)
        return setup.content.value("end_mode")

    assert end("me", "friend") == end("me", "hotseat", "greedy") == "clock"
    assert end("me", "greedy") == end("me", "friend", clock="days", clock_amount=2) == "rounds"
    assert end("me", "friend", settings={"rmin": 3, "rmax": 3}) == "rounds"
    assert end("me", "friend", variant="designer_2017_08") == "rounds"
