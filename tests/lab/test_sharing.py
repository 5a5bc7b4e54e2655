"""Tasks shared between a device and cores."""

import subprocess
import sys
import threading

import pytest

from exchequer.lab.executors import Task
from exchequer.lab.sharing import Shared, played

TASKS = [Task(0, first, 10) for first in range(0, 100, 10)]


def test_cores_take_from_the_end_and_the_device_many_from_the_front():
    shared = Shared(TASKS)
    assert shared.next_one() == TASKS[-1]
    assert shared.next_many(25, 0.0) == TASKS[:3]
    assert shared.next_many(25, 0.0) == TASKS[3:6]


def test_a_launch_holds_neighbours_of_one_arm():
    tasks = [Task(0, 0, 10), Task(0, 10, 10), Task(0, 30, 10), Task(1, 40, 10)]
    shared = Shared(tasks)
    launches = [shared.next_many(100, 0.0) for _ in range(4)]
    assert launches == [tasks[:2], tasks[2:3], tasks[3:], []]


def test_cores_begin_with_what_only_they_can_play():
    own = Task(1, 0, 10)
    shared = Shared(TASKS, [own])
    assert [shared.next_one(), shared.next_one()] == [own, TASKS[-1]]


def test_the_device_leaves_to_the_cores_what_they_finish_sooner():
    times = iter([0.0, 10.0, 10.0, 10.0])
    shared = Shared(TASKS, now=lambda: next(times))
    shared.is_first(Task(0, 0, 50), by_core=True)
    # five games a second: the hundred that are left take 20 seconds
    assert shared.next_many(10, 21.0) == []
    assert shared.next_many(10, 19.0) == TASKS[:1]


def test_cores_with_nothing_left_begin_with_what_the_device_has_and_the_first_counts():
    shared = Shared(TASKS[:2])
    assert shared.next_many(100, 0.0) == TASKS[:2]
    assert shared.next_one() == TASKS[1]
    assert shared.is_first(TASKS[1], by_core=True)
    assert not shared.is_first(TASKS[1], by_core=False)
    assert shared.is_first(TASKS[0], by_core=False)
    assert shared.next_one() is None


def test_every_task_comes_once_whoever_plays_it():
    by_device = threading.Event()

    def on_core(task):
        by_device.wait(60)  # so that the device gets its share
        return "core"

    def on_device(tasks):
        by_device.set()
        return [(task, "device") for task in tasks]

    found = list(played(Shared(TASKS), 2, on_core, 1, 30, on_device))
    assert sorted(task for task, _ in found) == TASKS
    assert {who for _, who in found} <= {"core", "device"}


def test_a_device_that_never_answers_holds_up_nobody():
    over = threading.Event()

    def on_device(tasks):
        over.wait(60)
        return [(task, "device") for task in tasks]

    found = list(played(Shared(TASKS), 2, lambda task: "core", 1, 30, on_device))
    over.set()
    assert sorted(found) == [(task, "core") for task in TASKS]


def test_a_program_ends_without_a_device_that_never_answers():
    program = ("import threading\n"
               "from exchequer.lab.executors import Task\n"
               "from exchequer.lab.sharing import Shared, played\n"
               "shared = Shared([Task(0, first, 1) for first in range(9)])\n"
               "never = lambda tasks: threading.Event().wait()\n"
               "print(len(list(played(shared, 2, lambda task: 'core', 2, 3, never))))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=120)
    assert (done.returncode, done.stdout) == (0, "9\n"), done.stderr


def test_what_goes_wrong_is_raised_and_nothing_more_begins():
    shared = Shared(TASKS)

    def fails(task):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(played(shared, 1, fails, 0, 0, None))
    assert shared.next_one() is None
