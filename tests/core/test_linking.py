"""Rules are compiled once and called by name from whatever loop needs them."""

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from exchequer.core import build
from exchequer.core.build import Build, Mode, counted_compiles
from exchequer.core.contract import CONTRACT, apply, legal
from exchequer.core.log import clear
from exchequer.core.loops import run_batch
from exchequer.core.records import rule
from toys.bazaar import GAME


@rule
def first_moves(s, c, moves, out, log):
    for _ in range(moves):
        legal(s, c, out)
        apply(s, c, np.int64(out[0]), log)
    return s.todo


def played(engine):
    """The state after four moves through the loop."""
    buffers, content = engine.buffers(), GAME.content().record
    engine.setup(buffers.states[0], content, 3, 7, buffers.log)
    engine.bind(first_moves)(buffers.states[0], content, 4, buffers.out, buffers.log)
    return buffers.states[0].tobytes()


@pytest.mark.parametrize("mode", [Mode.COMPILED, Mode.CHECKED])
def test_a_loop_holds_none_of_the_rules_it_shares(mode):
    engine = GAME.engine(mode)
    engine.prepare()
    assert played(engine) == played(GAME.engine(Mode.PYTHON))
    sizes = {path.name.split("-")[0]: path.stat().st_size
             for path in engine.build.folder.rglob("*.nbc")}
    assert sizes["test_linking.first_moves"] < sizes["contract.apply"]


def test_what_it_shares_is_loaded_with_it():
    """A build that has bound nothing yet has only the disk to find the rules."""
    played(GAME.engine(Mode.COMPILED))
    rules, compiled = GAME.functions, []
    fresh = Build(GAME.name, rules, GAME.engine(Mode.COMPILED).build.entries, Mode.COMPILED,
                  GAME.state.descr, GAME.schema.dtype.descr)
    buffers, content = GAME.engine(Mode.COMPILED).buffers(), GAME.content().record
    GAME.engine(Mode.PYTHON).setup(buffers.states[0], content, 3, 7, buffers.log)
    with counted_compiles(compiled.append):
        fresh.bind(first_moves)(buffers.states[0], content, 4, buffers.out, buffers.log)
    assert compiled == []
    assert buffers.states[0].tobytes() == played(GAME.engine(Mode.PYTHON))


def bound_to(made, loop, name):
    return made.bind(loop).py_func.__globals__[name]


@pytest.mark.parametrize("most, is_whole", [(build.MOST_WHOLE, True), (1, False)])
def test_the_loop_of_a_small_game_takes_the_rules_into_itself(monkeypatch, most, is_whole):
    monkeypatch.setattr(build, "MOST_WHOLE", most)
    made = Build(GAME.name, GAME.functions, [run_batch], Mode.COMPILED)
    shared = made.bind(CONTRACT["apply"])
    assert (bound_to(made, run_batch, "apply") is not shared) == is_whole
    assert bound_to(made, first_moves, "apply") is shared
    assert bound_to(made, run_batch, "clear") is bound_to(made, first_moves_cleared, "clear")


@rule
def first_moves_cleared(s, c, moves, out, log):
    clear(log)
    return first_moves(s, c, moves, out, log)


# References ---------------------------------------------------------------------------------------

@rule
def reversed_places(s):
    """Makes an array, fills it through another rule and reads a view of it."""
    row = np.zeros(len(s.card), np.int64)
    write_back(s, row[1:])
    return row[len(s.card) - 1]


@rule
def write_back(s, row):
    for i in range(len(row)):
        row[i] = s.card[len(s.card) - 1 - i]


def test_rules_that_are_only_given_arrays_count_no_references():
    engine = GAME.engine(Mode.COMPILED)
    engine.prepare()
    for name in ("legal", "apply", "observe"):
        stored, = engine.build.folder.rglob(f"*.{name}-*.nbc")
        assert b"NRT_incref" not in stored.read_bytes()
    stored, = engine.build.folder.rglob("*.determinize-*.nbc")
    assert b"NRT_decref" in stored.read_bytes()  # deals from arrays that it makes


@pytest.fixture
def counted_memory():
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def test_what_a_rule_makes_is_freed_once(counted_memory):
    engine, states = GAME.engine(Mode.COMPILED), np.zeros(1, GAME.state)
    states["card"][0] = np.arange(GAME.state["card"].shape[0])
    reverse = engine.bind(reversed_places)
    assert reverse(states[0]) == 1
    before = rtsys.get_allocation_stats()
    for _ in range(10):
        reverse(states[0])
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free == 10


# Indices ------------------------------------------------------------------------------------------

@rule
def card_on(s, place):
    return s.card[place]


@pytest.mark.parametrize("place", [-1, GAME.state["card"].shape[0]])
def test_a_checked_build_finds_whatever_lies_outside_a_row(place):
    state = np.zeros(1, GAME.state)[0]
    with pytest.raises(IndexError, match="out of bounds"):
        GAME.engine(Mode.CHECKED).bind(card_on)(state, place)


def test_functions_that_are_no_rules_count_from_the_end_as_ever():
    assert numba.njit(lambda row: row[-1])(np.arange(3)) == 2
