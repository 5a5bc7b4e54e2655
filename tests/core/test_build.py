"""Building: what names a build, what may be compiled, and that processes do not clash."""

import os
import subprocess
import sys

import numpy as np
import pytest

from exchequer.core import build
from exchequer.core.build import Build, Mode, cache_root, fingerprint, reach
from exchequer.core.records import rule
from toys.bazaar import GAME, rules

STEP = 3


@rule
def stride(s):
    """How far one goes."""
    return STEP * 2


@rule
def walk(s):
    return stride(s) + 1


def key(function=walk, *more):
    return fingerprint([function], {}, *more)


def edited(function, source_change, **scope):
    """The function as it would be after an edit of its source."""
    import inspect
    import types

    source = inspect.getsource(function)
    changed = source.replace(*source_change)
    assert changed != source
    names = {"rule": rule, **function.__globals__, **scope}
    exec(compile(changed, function.__code__.co_filename, "exec"), names)
    result = names[function.__name__]
    assert isinstance(result, types.FunctionType)
    result.__module__ = function.__module__
    return result


def test_an_edit_of_the_code_changes_the_key():
    assert key(edited(walk, ("+ 1", "+ 2"))) != key()


def test_an_edit_of_a_called_rule_changes_the_key(monkeypatch):
    before = key()
    monkeypatch.setitem(globals(), "stride", edited(stride, ("* 2", "* 5")))
    assert key() != before


def test_an_edit_of_a_constant_changes_the_key(monkeypatch):
    before = key()
    monkeypatch.setitem(globals(), "STEP", 4)
    assert key() != before


def test_a_comment_or_docstring_does_not():
    assert key(edited(stride, ("How far one goes.", "The length of a step."))) == key(stride)


def test_mode_layout_and_numba_version_change_the_key(monkeypatch):
    import numba

    assert key(walk, "compiled") != key(walk, "checked")
    before = key()
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert key() != before


def test_an_attribute_of_the_same_name_is_no_call():
    @rule
    def lonely(s):
        return s.stride

    assert list(reach(lonely, {})) == [lonely]


def test_recursion_is_refused():
    with pytest.raises(TypeError, match="may not call themselves: turns -> turns"):
        reach(turns, {})


@rule
def turns(s):
    return turns(s)


def unmarked(s):
    return 1


@rule
def careless(s):
    return unmarked(s)


def test_only_rules_are_called():
    with pytest.raises(TypeError, match=r"unmarked is called by a rule \(careless\)"):
        reach(careless, {})


SECRET = {"a": 1}


@rule
def with_dictionary(s):
    return SECRET


def test_other_globals_are_refused():
    with pytest.raises(TypeError, match="only rules, enums, numbers"):
        key(with_dictionary)


def test_the_cache_lives_where_it_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("EXCHEQUER_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    monkeypatch.delenv("EXCHEQUER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert cache_root() == tmp_path / "user" / "exchequer"


def test_old_builds_are_pruned(monkeypatch, tmp_path):
    monkeypatch.setenv("EXCHEQUER_CACHE", str(tmp_path))
    for age in range(build.KEPT_BUILDS + 2):
        folder = tmp_path / f"toys-bazaar-compiled-{age:016x}"
        folder.mkdir()
        (folder / "ready").touch()
        os.utime(folder / "ready", (1000 - age, 1000 - age))
    other = tmp_path / "kingdom-compiled-0000000000000000"
    other.mkdir()
    (other / "ready").touch()
    fresh = Build("toys/bazaar", {}, [walk], Mode.COMPILED)
    fresh.prepare(lambda: None)
    kept = sorted(path.name for path in tmp_path.glob("toys-bazaar-compiled-*[0-9a-f]"))
    assert len(kept) == build.KEPT_BUILDS
    assert fresh.folder.name in kept
    assert f"toys-bazaar-compiled-{build.KEPT_BUILDS + 1:016x}" not in kept
    assert other.exists()


RACE = """
import sys; sys.path.insert(0, "tests")
import numpy as np
from toys.bazaar import GAME
engine = GAME.engine()
compiled = []
engine.prepare(compiled.append)
results, _, steps = engine.run_batch(GAME.content().record, 3, np.arange(50, dtype=np.uint64), 500)
print(steps, len(compiled) > 0)
"""


def test_processes_share_one_build(tmp_path):
    """Three start at once: one compiles, the others wait, load, and get the same."""
    environment = {**os.environ, "EXCHEQUER_CACHE": str(tmp_path)}
    running = [subprocess.Popen([sys.executable, "-c", RACE], env=environment,
                                stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [process.communicate()[0].split() for process in running]
    assert all(process.returncode == 0 for process in running)
    assert len({steps for steps, _ in outputs}) == 1
    assert sorted(compiled for _, compiled in outputs) == ["False", "False", "True"]


def test_plain_python_by_environment(monkeypatch):
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    engine = GAME.engine()
    assert engine.mode is Mode.PYTHON
    results, _, steps = engine.run_batch(GAME.content().record, 2,
                                         np.arange(3, dtype=np.uint64), 500)
    monkeypatch.delenv("EXCHEQUER_PYTHON")
    compiled, _, compiled_steps = GAME.engine().run_batch(
        GAME.content().record, 2, np.arange(3, dtype=np.uint64), 500)
    assert results.tobytes() == compiled.tobytes()
    assert steps == compiled_steps


def test_plain_python_fails_on_overflow():
    @rule
    def overflow(s):
        s.card[0] = 100
        return s.card[0] * 2  # i1 holds 127

    engine = GAME.engine(Mode.PYTHON)
    with pytest.raises(FloatingPointError):
        engine.bind(overflow)(np.zeros(1, GAME.state)[0])


def test_rules_are_found_by_the_contract():
    engine = GAME.engine(Mode.PYTHON)
    assert engine.setup.__doc__ == rules.setup.__doc__
    with pytest.raises(AttributeError):
        engine.no_such_rule  # noqa: B018


@rule
def outer_loop(s):
    return inner_loop(s) + 1


@rule
def inner_loop(s):
    return s.gold[0] + 1


def test_a_loop_may_be_called_by_another_and_from_python():
    """Bound as an inner rule first, it still gets a door from Python."""
    engine = GAME.engine(Mode.COMPILED)
    state = np.zeros(1, GAME.state)[0]
    assert engine.bind(outer_loop)(state) == 2
    assert engine.bind(inner_loop)(state) == 1
