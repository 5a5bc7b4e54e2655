"""Building: where builds lie, what loops share, and that processes do not clash."""

import io
import os
import pickle
import shutil
import subprocess
import sys
import types

import numpy as np
import pytest

from exchequer.core import build
from exchequer.core.build import Build, Mode, cache_root
from exchequer.core.records import rule
from toys.bazaar import GAME, rules
from toys.faulty import Faulty


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
        (folder / build.READY).touch()
        os.utime(folder / build.READY, (1000 - age, 1000 - age))
    other = tmp_path / "kingdom-compiled-0000000000000000"
    other.mkdir()
    (other / build.READY).touch()
    fresh = Build("toys/bazaar", {}, [inner_loop], Mode.COMPILED)
    fresh.prepare(lambda: None)
    kept = sorted(path.name for path in tmp_path.glob("toys-bazaar-compiled-*[0-9a-f]"))
    assert len(kept) == build.KEPT_BUILDS
    assert fresh.folder.name in kept
    assert f"toys-bazaar-compiled-{build.KEPT_BUILDS + 1:016x}" not in kept
    assert other.exists()


RACE = """
import sys; sys.path.insert(0, sys.argv[1])
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
    running = [subprocess.Popen([sys.executable, "-c", RACE, "tests"], env=environment,
                                stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [process.communicate()[0].split() for process in running]
    assert all(process.returncode == 0 for process in running)
    assert len({steps for steps, _ in outputs}) == 1
    assert sorted(compiled for _, compiled in outputs) == ["False", "False", "True"]


def test_the_same_rules_in_another_folder_are_not_compiled_again(tmp_path):
    """Nor after they were installed once more, with other dates."""
    environment = {**os.environ, "EXCHEQUER_CACHE": str(tmp_path / "cache")}
    elsewhere = tmp_path / "elsewhere" / "toys"
    shutil.copytree("tests/toys", elsewhere, copy_function=shutil.copyfile)
    stored = []
    for folder in ("tests", str(elsewhere.parent)):
        subprocess.run([sys.executable, "-c", RACE, folder], env=environment, check=True)
        stored.append({path: path.stat().st_mtime_ns
                       for path in (tmp_path / "cache").rglob("*.nbc")})
    assert stored[0] and stored[0] == stored[1]


NO_SCIPY = """
import sys; sys.path.insert(0, "tests")
import numpy as np
from toys.bazaar import GAME
GAME.engine().run_batch(GAME.content().record, 3, np.arange(2, dtype=np.uint64), 500)
print("scipy.linalg" in sys.modules)
import numba
print(numba.njit(lambda a: np.dot(a, a))(np.ones(3)), "scipy.linalg" in sys.modules)
"""


def test_scipy_is_not_imported_before_somebody_uses_it():
    """Numba would import it at every start, to see whether it is there."""
    GAME.engine().prepare()
    done = subprocess.run([sys.executable, "-c", NO_SCIPY], text=True, check=True,
                          stdout=subprocess.PIPE)
    assert done.stdout.split() == ["False", "3.0", "True"]


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


def test_a_game_without_apply_is_run_by_its_answer():
    """The contract's own `apply` takes the question off the agenda; the rest is the game's."""
    @rule
    def answer(s, c, ask, seat, a, b, action, log):
        s.gold[seat] += action

    class Answering(Faulty):
        @property
        def rules(self):
            given = {**vars(rules), "answer": answer}
            return types.SimpleNamespace(**{k: v for k, v in given.items() if k != "apply"})

    engine, state = Answering().engine(Mode.PYTHON), np.zeros(1, GAME.state)[0]
    content, log = GAME.content().record, engine.buffers().log
    engine.setup(state, content, 2, 0, log)
    before = state.gold[0]
    engine.apply(state, content, 5, log)
    assert state.gold[0] == before + 5 and state.todo == 0


# Other rules in a loop ---------------------------------------------------------------------------

@rule
def bonus(s):
    return 1


@rule
def rich(s):
    return 100


@rule
def paid(s):
    return s.gold[0] + bonus(s)


@rule
def paying_loop(s):
    return paid(s) + inner_loop(s)


@pytest.mark.parametrize("mode", [Mode.PYTHON, Mode.COMPILED])
def test_a_loop_can_have_other_rules_than_it_names(mode):
    engine, state = GAME.engine(mode), np.zeros(1, GAME.state)[0]
    assert engine.bind(paying_loop)(state) == 2
    assert engine.bind(paying_loop, {bonus: rich})(state) == 101
    assert engine.bind(paying_loop)(state) == 2
    assert engine.bind(paying_loop, {bonus: rich}) is engine.bind(paying_loop, {bonus: rich})


def test_what_is_not_replaced_is_compiled_once_for_all_loops():
    made = Build(GAME.name, GAME.functions, [], Mode.PYTHON)
    usual, other = made.bind(paying_loop), made.bind(paying_loop, {bonus: rich})
    assert usual.__globals__["inner_loop"] is other.__globals__["inner_loop"]
    assert usual.__globals__["paid"] is not other.__globals__["paid"]


def test_machine_code_with_other_rules_has_a_folder_of_its_own(monkeypatch, tmp_path):
    """Even an entry's: its usual folder is shared by everybody."""
    monkeypatch.setenv("EXCHEQUER_CACHE", str(tmp_path))
    state = np.zeros(1, GAME.state)[0]

    def build():
        return Build(GAME.name, GAME.functions, [paid], Mode.COMPILED)

    assert build().bind(paid, {bonus: rich})(state) == 100
    assert build().bind(paid)(state) == 1
    assert build().bind(paying_loop, {bonus: rich})(state) == 101
    assert build().bind(paying_loop)(state) == 2
    assert [build().bind(paid)(state), build().bind(paid, {bonus: rich})(state)] == [1, 100]


@rule
def counting(numbers):
    total = 0
    for number in numbers:
        total += number
    return total


def test_machine_code_that_cannot_be_read_is_compiled_again(monkeypatch, tmp_path):
    monkeypatch.setenv("EXCHEQUER_CACHE", str(tmp_path))
    fresh = Build("toys/counting", {}, [counting], Mode.COMPILED)
    assert fresh.bind(counting)(np.arange(4)) == 6
    for index in tmp_path.rglob("*.nbi"):
        index.write_bytes(pickle_of_a_class_that_is_gone(index.read_bytes()))
    again = Build("toys/counting", {}, [counting], Mode.COMPILED)
    assert again.bind(counting)(np.arange(5)) == 10


def pickle_of_a_class_that_is_gone(written):
    """Numba's index, whose second pickle names a class that no module has."""
    stream = io.BytesIO(written)
    version = pickle.load(stream)
    return pickle.dumps(version) + b"cexchequer.core.build\nNoSuchClass\n."
