"""Rows hold all of an observation, and the suite notices where they do not."""

import importlib.util
import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchequer.core.build import Mode
from exchequer.core.check import Broken, check_completeness, check_reading, walk
from exchequer.core.find import all_games, find_game
from exchequer.core.position import Position
from exchequer.core.rows import BITS, PARTS, STEPS, Encoder, layout_of, squeeze, unsqueezed

GAMES = [game.name for game in all_games()]
SPEC = importlib.util.spec_from_file_location(
    "twins", pathlib.Path(__file__).parents[2] / "scripts" / "twins.py")
audit = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(audit)


class Without(Encoder):
    """Rows as they were once, without some of their fields."""

    def __init__(self, game, *names, mode=None):
        super().__init__(game, mode)
        self.names = [name for name in self.layout.fields
                      if name in names or name.rpartition(".")[2] in names]

    def row(self, states, content, seat):
        row = super().row(states, content, seat)
        for name in self.names:
            row[self.layout.slice(name)] = 0
        return row


def walk_through(name, encoder_of, seeds, moves=10_000):
    game = find_game(name)
    encoder = encoder_of(game)
    for seed in range(seeds):
        for position in walk(game, game.content(), game.seats[0], seed, Mode.COMPILED, moves):
            if not position.is_over:
                check_completeness(position, encoder)


@pytest.mark.parametrize(("name", "lost"), [
    ("treasury/v03", ("agenda",)), ("treasury/v17", ("agenda",)), ("jagged_time", ("card",))])
def test_rows_that_lack_something_are_found(name, lost):
    """7.9, 0.6 and 0.3 % of decisions could be told apart only by what the rows lacked."""
    with pytest.raises(Broken, match=rf"^completeness.*\b{lost[0]}\b"):
        walk_through(name, lambda game: Without(game, *lost), seeds=20)


@pytest.mark.parametrize("name", GAMES)
def test_from_the_same_row_all_goes_on_alike(name):
    walk_through(name, Encoder, seeds=2, moves=150)


@pytest.mark.parametrize("name", GAMES)
def test_the_audits_table_is_all_zeros(name):
    """21.9 % of the decisions of Treasury 0.3 had moves that led to one row, 8.2 % told apart."""
    game = find_game(name)
    counted = audit.counted(game, Encoder(game), games=1, moves=100)
    assert counted.decisions > 10 and counted[1:] == (0, 0, 0)


def test_the_audits_table_shows_what_rows_lack():
    game = find_game("treasury/v03")
    assert all(audit.counted(game, Without(game, "agenda"), games=2))


@pytest.mark.parametrize("name", GAMES)
def test_an_observation_is_read_back_from_its_row(name):
    game = find_game(name)
    encoder = Encoder(game)
    for seats in {game.seats[0], game.seats[1]}:
        for position in walk(game, game.content(), seats, 3, Mode.COMPILED, 100):
            for seat in range(seats):
                check_reading(position, seat, encoder)


@pytest.mark.parametrize(("name", "field", "amounts"), [
    ("greement", "cash", (1_234_567, 1_234_568)), ("greement", "cash", (-2**40, 1 - 2**40)),
    ("treasury/v03", "gold", (70_000, 70_001)), ("kingdom", "army", (2**62, 2**62 - 1))])
def test_large_numbers_keep_all_their_digits(name, field, amounts):
    """`digit:0` and `digit:7` of Greement led to one row: a float of 32 bits has seven digits."""
    game = find_game(name)
    position, encoder = Position(game, seed=1, mode=Mode.PYTHON), Encoder(game, Mode.PYTHON)
    rows = []
    for amount in amounts:
        position.state[field][0] = amount
        rows.append(encoder.row(position._states, position.content.record, 0).tobytes())
        check_reading(position, 0, encoder)
    assert rows[0] != rows[1]


def test_a_row_that_says_too_little_is_found():
    game = find_game("kingdom")
    encoder = Without(game, "low", mode=Mode.PYTHON)
    position = Position(game, seed=1, mode=Mode.PYTHON)
    position.state.army[0] = 10**12
    with pytest.raises(Broken, match="completeness.*army"):
        check_reading(position, 0, encoder)


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2"])
def test_every_small_number_has_a_float_of_its_own(kind):
    limits = np.iinfo(kind)
    numbers = np.arange(limits.min, limits.max + 1)
    floats = np.array([squeeze(number, STEPS[kind]) for number in numbers], np.float32)
    assert (np.diff(floats) > 0).all() and np.abs(floats).max() <= 1
    assert (unsqueezed(floats, np.dtype(kind), []) == numbers).all()


@given(st.sampled_from(["i4", "u4", "i8"]), st.integers(0, 2**64 - 1))
def test_large_numbers_are_read_back_from_their_parts(kind, bits):
    limits = np.iinfo(kind)
    number = limits.min + bits % (int(limits.max) - int(limits.min) + 1)
    step = STEPS[kind]
    parts = [np.array([((number >> BITS * place) % 2**BITS) / 2**BITS], np.float32)
             for place in range(len(PARTS[kind]))]
    floats = np.array([squeeze(number, step)], np.float32)
    assert abs(floats[0]) <= 1
    assert unsqueezed(floats, np.dtype(kind), parts)[0] == number


def test_fields_follow_one_another():
    for name in GAMES:
        layout = layout_of(find_game(name))
        ends = [layout.slice(field) for field in layout.fields]
        assert [where.start for where in ends] == [0, *(where.stop for where in ends[:-1])]
        assert ends[-1].stop == layout.width
