"""Endless loops end with the rule's name and line; what ends by itself is left alone."""

import pathlib
import sys
import threading

import pytest

from exchequer.core.watchdog import EndlessRule, watched

HERE = pathlib.Path(__file__).parent


def spin(stop):
    while not stop.is_set():
        pass


def test_the_rule_and_its_line_are_named():
    line = spin.__code__.co_firstlineno
    said = (rf"test_watchdog.py:({line + 1}|{line + 2}): `spin` has not come to an end after 0.5 "
            r"seconds. Does it loop for ever\?")
    with pytest.raises(EndlessRule, match=said), watched(HERE, 0.5):  # it has begun long before
        spin(threading.Event())


def test_what_ends_in_time_is_left_alone():
    with watched(HERE, 30):
        total = sum(range(1000))
    assert total == 499_500


def test_other_errors_pass_through():
    with pytest.raises(ZeroDivisionError), watched(HERE, 30):
        1 / 0  # noqa: B018


def test_somebody_who_steps_through_a_rule_is_not_disturbed():
    stop = threading.Event()
    threading.Timer(0.4, stop.set).start()
    before = sys.gettrace()
    sys.settrace(lambda frame, event, arg: lambda *_: None)
    try:
        with watched(HERE, 0.05):
            spin(stop)
    finally:
        sys.settrace(before)
    assert stop.is_set()
