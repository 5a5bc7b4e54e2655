"""Replays run again as they were written; what is wrong with a file is said in a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.position import Position, Refused
from exchequer.core.replay import (
    ReplayError,
    check_replay,
    read_replay,
    replay_of,
    start_replay,
    step_replay,
    write_replay,
)

KINGDOM = find_game("kingdom")


def played(moves=12, **settings):
    position = Position(KINGDOM, KINGDOM.content(settings), seed=5, mode=Mode.PYTHON)
    bot = Bot(KINGDOM, "random", 3, Mode.PYTHON)
    for _ in range(moves):
        seat = position.actor
        position.play(bot.choose(position.observe(seat), position.content, seat))
    return position


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("replays") / "game.toml"
    write_replay(replay_of(played(turn_limit=20), ["Ann", "Ben"]), path)
    return path.read_text()


def read(text, tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(text)
    return read_replay(path)


def test_it_reads_back_and_runs_again(text, tmp_path):
    replay = read(text, tmp_path)
    assert check_replay(replay, Mode.PYTHON) == ""
    assert check_replay(replay, Mode.COMPILED) == ""
    assert [replay.seed, replay.names, replay.overlay] == [
        5, ["Ann", "Ben"], {"rules": {"turn_limit": 20}}]


def test_it_says_where_it_first_differs(text, tmp_path):
    replay = read(text, tmp_path)
    seat, action, _ = replay.moves[4].split()
    replay.moves[4] = f"{seat} {action} 000000"
    assert "first differs at move 5" in check_replay(replay, Mode.PYTHON)


def test_it_says_when_the_content_has_changed(text, tmp_path):
    replay = read(text.replace("turn_limit = 20", "turn_limit = 19"), tmp_path)
    assert "content has changed" in check_replay(replay, Mode.PYTHON)


def test_an_illegal_move_and_a_wrong_seat(text, tmp_path):
    replay = read(text, tmp_path)
    position = start_replay(replay, Mode.PYTHON)
    assert "is refused now: Each commander" in step_replay(position, 1, "0 attack")
    assert "it is seat 0's move" in step_replay(position, 1, "1 end")
    with pytest.raises(ReplayError, match="no action of this game"):
        step_replay(position, 1, "0 atack")


@pytest.mark.parametrize(("change", "match"), [
    (("exchequer_replay = 1", ""), "is not an Exchequer replay"),
    (('game = "kingdom"', 'game = "kingdon"'), 'Did you mean "kingdom"'),
    (('game = "kingdom"', ""), "game is missing"),
    (("seed = 5", 'seed = "x"'), "seed must be a int"),
    (("seed = 5", "seed = -5"), "A seed is a number"),
    (("seats = 2", "seats = 7"), "is for 2 players, not 7"),
    (("turn_limit = 20", "turn_limt = 20"), "no key of this game"),
    (("moves = [", "moves = ]"), "is not valid TOML"),
    (("seats = 2", "seats = 2\nfoo = 1"), "foo is no key"),
])
def test_damaged_files(text, tmp_path, change, match):
    assert change[0] in text
    with pytest.raises(ReplayError, match=match):
        check_replay(read(text.replace(*change), tmp_path), Mode.PYTHON)


@given(data=st.data())
def test_any_damage_is_a_sentence(data, text, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "fuzzed.toml"
    at = data.draw(st.integers(0, len(text) - 1))
    junk = data.draw(st.binary(max_size=4))
    path.write_bytes(text[:at].encode() + junk + text[at + data.draw(st.integers(0, 9)):].encode())
    try:
        check_replay(read_replay(path), Mode.PYTHON)
    except InputError as error:
        assert str(error)


def test_a_write_that_fails_leaves_the_old_file(text, tmp_path, monkeypatch):
    path = tmp_path / "game.toml"
    path.write_text("old")
    import pathlib

    def full(self, *_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pathlib.Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_replay(replay_of(played(1)), path)
    monkeypatch.undo()
    assert path.read_text() == "old"


def test_undo_goes_back_move_by_move():
    position = played(0)
    states = [position.state.tobytes()]
    for text in ("expand", "tax", "end"):
        position.play(text)
        states.append(position.state.tobytes())
    while position.actions:
        assert position.state.tobytes() == states.pop()
        position.undo()
    assert position.state.tobytes() == states.pop()
    with pytest.raises(Refused):
        position.undo()
