"""The engine gpu, as far as it can be tested without one; scripts/gpu_check.py does the rest."""

import contextlib
import types

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.gpu import driver
from exchequer.gpu.files import NO_EXTRA, can_compile
from exchequer.lab import gpu
from exchequer.lab.arms import Arm, play, work_of
from exchequer.lab.executors import Task, executor_by

pytestmark = pytest.mark.xdist_group("lab")
needs_compiler = pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)


def test_without_a_gpu_a_sentence_says_so(no_driver):
    with pytest.raises(InputError, match="There is no GPU here"):
        executor_by("gpu")


def test_a_thread_enters_the_device_before_it_makes_a_stream(monkeypatch):
    """A context belongs to a thread, and each launch of searching bots has its own."""
    told = []
    monkeypatch.setattr(driver, "call", lambda name, *_: told.append(name))
    monkeypatch.setattr(driver, "device", lambda: types.SimpleNamespace(
        enter=lambda: told.append("enter")))
    with driver.own_stream():
        told.append("launch")
    assert told == ["enter", "cuStreamCreate", "launch", "cuStreamDestroy_v2"]


def test_a_gpu_has_no_address():
    with pytest.raises(InputError, match="--address belongs to --engine ray"):
        executor_by("gpu", address="10.0.0.1:6379")


def test_a_device_plays_all_bots_but_those_with_networks_or_sure_wins():
    for bots in (("greedy", "random"), ("greedy", "easy"), ("mcts:90", "expert")):
        assert gpu.suits_device(Arm("some", "kingdom", bots, 1))
    assert not gpu.suits_device(Arm("strong", "kingdom", ("hard", "master"), 1))


@needs_compiler
@pytest.mark.parametrize("bots", [("random", "random"), ("greedy", "greedy"), ("mcts:3", "easy")])
def test_rows_and_sums_of_many_threads_give_what_one_loop_writes(bots, monkeypatch):
    """The kernel as plain Python: a thread of two takes all jobs, which are three parts."""
    game, parts = find_game("kingdom"), (2, 1, 1)
    arm = Arm("some", game.name, bots, 4, told=3)
    sums_of = np.array([0, 1, 2, 4])
    work, *more = gpu.laid_out(work_of(arm, 0, 4), sums_of, 6, 2, np.zeros, np.array)
    as_thread(1, arm, monkeypatch)(work, *more)
    sums = [part.reshape(3, 2, *part.shape[1:]).sum(axis=1) for part in work.sums]
    found = gpu.apart(0, parts, work.rows[:-1], sums)
    assert [(chunk.first, chunk.games) for chunk in found] == [(0, 2), (2, 1), (3, 1)]
    for chunk in found:
        wanted = play(arm, chunk.first, chunk.games)
        for some, others in ((chunk.rows[:-1], wanted.rows[:-1]), (chunk.sums, wanted.sums)):
            for one, other in zip(some, others, strict=True):
                assert one.tobytes() == other.tobytes()


def as_thread(number, arm, monkeypatch):
    """The kernel for an arm as a plain function: what the thread of that number does."""
    from exchequer.lab import kernels

    counter = types.SimpleNamespace(add=take_next)
    monkeypatch.setattr(kernels, "cuda", types.SimpleNamespace(
        grid=lambda _: number, atomic=counter))
    instead = kernels.instead_for(find_game(arm.game), gpu.searches(arm))
    return find_game(arm.game).engine(Mode.PYTHON).bind(kernels.record_on_device, {
        rule: other for rule, other in instead.items()
        if other not in (kernels.add_at_once, kernels.deal_in_local_memory)})


def take_next(counter, place, amount):
    counter[place] += amount
    return counter[place] - amount


class Kept(np.ndarray):
    """A device's memory, here."""

    def __new__(cls, shape, dtype):
        return np.zeros(shape, dtype).view(cls)

    @classmethod
    def of(cls, array):
        return np.array(array).view(cls)

    def get(self):
        return np.array(self)

    def free(self):
        pass


@needs_compiler
def test_a_device_and_cores_share_what_searching_bots_play(monkeypatch):
    """All of the executor, with a device that runs the kernel as plain Python."""
    quick, slow = (Arm("some", "kingdom", bots, 3) for bots in (("random",) * 2, ("mcts:1",) * 2))
    kernels = {gpu.searches(arm): as_thread(0, arm, monkeypatch) for arm in (quick, slow)}
    monkeypatch.setattr(gpu, "Buffer", Kept)
    monkeypatch.setattr(gpu, "own_stream", contextlib.nullcontext)
    monkeypatch.setattr(gpu, "device", lambda: types.SimpleNamespace(
        enter=lambda: None, wait=lambda: None, free_bytes=lambda: 1 << 30, multiprocessors=2))
    monkeypatch.setattr(gpu, "recorder_of", lambda _, searching, __: types.SimpleNamespace(
        blocks_at_once=lambda threads: 1,
        launch=lambda blocks, threads, *arguments: kernels[searching](*arguments)))
    monkeypatch.setattr(gpu, "LAUNCHES", 1)
    arms, executor = [quick, slow], gpu.Gpu()
    executor.workers = 0  # the cores only look on
    tasks = [Task(0, 0, 3), Task(1, 0, 2), Task(1, 2, 1)]
    executor.prepare(arms)
    found = dict(executor.played(arms, tasks))
    assert sorted(found) == tasks
    for task, chunk in found.items():
        wanted = play(arms[task.arm], task.first, task.games)
        assert chunk.first == task.first
        for one, other in zip((*chunk.rows[:-1], *chunk.sums),
                              (*wanted.rows[:-1], *wanted.sums), strict=True):
            assert one.tobytes() == other.tobytes()


@needs_compiler
@pytest.mark.parametrize("searching", [False, True])
def test_the_loop_compiles_for_a_device(searching):
    from exchequer.lab.kernels import record_on_device

    made = gpu.compilable(find_game("kingdom"), searching).ptx(level=0)
    assert made.kernel == record_on_device.__name__ and "fma." not in made.text
