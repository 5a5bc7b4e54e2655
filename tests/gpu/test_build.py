"""Rules compiled for a GPU; none is needed for that."""

import re

import numpy as np
import pytest

from exchequer.core.agenda import asked_seat
from exchequer.core.check import Broken
from exchequer.core.errors import InputError
from exchequer.core.records import rule
from exchequer.gpu.batches import TUNINGS
from exchequer.gpu.check import check_device
from exchequer.gpu.files import NO_EXTRA, can_compile
from toys.bazaar import GAME, rules
from toys.faulty import Faulty

needs_compiler = pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)


@needs_compiler
def test_a_kernel_is_text_for_the_driver_with_one_entry_and_no_fused_products():
    from exchequer.gpu.build import PTX_VERSION, batches

    made = batches(GAME, "random").ptx(level=0)
    assert f".version {PTX_VERSION}" in made.text and ".target sm_90" in made.text
    assert re.findall(r"\.entry\s+(\w+)", made.text) == [made.entry]
    assert made.kernel == "play_small"
    assert "fma." not in made.text


@needs_compiler
def test_every_kernel_of_batches_has_a_tuning():
    from exchequer.gpu.kernels import BATCHES

    assert [kernel.__name__ for kernel in BATCHES] == list(TUNINGS)


@needs_compiler
def test_rules_too_large_for_one_piece_are_called(monkeypatch):
    from exchequer.gpu import build

    monkeypatch.setattr(build, "ONE_PIECE", 1000)
    made = build.batches(GAME, "random")
    assert made.kernel.__name__ == "play_large" and made.attributes == build.SHORT
    assert rules.draw in made.apart  # called by setup and by apply
    assert rules.sell not in made.apart


@needs_compiler
def test_the_name_of_a_kernel_changes_with_rules_and_policy():
    from exchequer.gpu.build import batches

    @rule
    def other_actor(s):
        return asked_seat(s) + 0

    name = batches(GAME, "random").fingerprint()
    assert name == batches(GAME, "random").fingerprint()
    assert name != batches(GAME, "greedy").fingerprint()
    assert name != batches(Faulty({"actor": other_actor}), "random").fingerprint()


@needs_compiler
def test_rules_that_allocate_break_the_promise():
    @rule
    def allocating_actor(s):
        return np.zeros(1, np.int64)[0] + asked_seat(s)

    with pytest.raises(Broken, match="^device: does not compile for a GPU"):
        check_device(Faulty({"actor": allocating_actor}))


def test_without_the_compiler_the_promise_cannot_be_checked(monkeypatch):
    monkeypatch.setattr("exchequer.gpu.check.can_compile", lambda: False)
    with pytest.raises(InputError, match=r"pip install 'exchequer\[gpu\]'"):
        check_device(GAME)
