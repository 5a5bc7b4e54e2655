"""The engine gpu, as far as it can be tested without one; scripts/gpu_check.py does the rest."""

import types

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.measures import rules_of
from exchequer.gpu.files import NO_EXTRA, can_compile
from exchequer.lab import gpu
from exchequer.lab.arms import Arm, play, work_of
from exchequer.lab.executors import executor_by

pytestmark = pytest.mark.xdist_group("lab")
needs_compiler = pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)


def test_without_a_gpu_a_sentence_says_so(no_driver):
    with pytest.raises(InputError, match="There is no GPU here"):
        executor_by("gpu")


def test_a_gpu_has_no_address():
    with pytest.raises(InputError, match="--address belongs to --engine ray"):
        executor_by("gpu", address="10.0.0.1:6379")


def test_bots_that_search_stay_on_the_cores():
    assert gpu.is_quick(Arm("quick", "kingdom", ("greedy", "random"), 1))
    assert not gpu.is_quick(Arm("slow", "kingdom", ("greedy", "easy"), 1))


@needs_compiler
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_rows_and_sums_of_many_threads_give_what_one_loop_writes(bot, monkeypatch):
    """The kernel as plain Python: three threads in two blocks take one job after the other."""
    from exchequer.lab import kernels

    game, now = find_game("kingdom"), {}
    counter = types.SimpleNamespace(add=take_next)
    monkeypatch.setattr(kernels, "cuda", types.SimpleNamespace(
        grid=lambda _: now["thread"], blockIdx=types.SimpleNamespace(x=0), atomic=counter))
    arm = Arm("some", game.name, (bot, bot), 4)
    work, next_job = gpu.laid_out(work_of(arm, 0, 4), 2, 3, np.zeros, np.array)
    now["thread"] = 1
    game.engine(Mode.PYTHON).bind(kernels.record_on_device, rules_of(game))(work, next_job)
    wanted = play(arm)
    for found, expected in zip(work.rows[:-1], wanted.rows[:-1], strict=True):
        assert found.tobytes() == expected.tobytes()
    for found, expected in zip(work.sums, wanted.sums, strict=True):
        assert found.sum(axis=0).tobytes() == expected.tobytes()


def take_next(counter, place, amount):
    counter[place] += amount
    return counter[place] - amount


@needs_compiler
def test_the_loop_compiles_for_a_device():
    from exchequer.lab.kernels import record_on_device

    made = gpu.compilable(find_game("kingdom")).ptx(level=0)
    assert made.kernel == record_on_device.__name__ and "fma." not in made.text
