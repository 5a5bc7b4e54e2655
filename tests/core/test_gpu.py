"""Rules for a GPU, as far as they can be tested without one; scripts/gpu_check.py does the rest."""

import importlib.util
import json
import re

import numpy as np
import pytest

from exchequer.core import gpu
from exchequer.core.check import Broken, check_device
from exchequer.core.errors import InputError
from exchequer.core.records import rule
from exchequer.core.totals import (
    ENDINGS,
    FAULTS,
    GAMES,
    SCORES,
    SQUARES,
    STEPS,
    WHOLE,
    WINS,
    digest,
)
from toys.bazaar import GAME, rules
from toys.faulty import Faulty

needs_compiler = pytest.mark.skipif(not gpu.can_compile(), reason=gpu.NO_EXTRA)


# Compiling ---------------------------------------------------------------------------------------

@needs_compiler
def test_a_kernel_is_text_for_the_driver_with_one_entry_and_no_fused_products():
    from exchequer.core.kernels import PTX_VERSION, batches

    text = batches(GAME, "random").ptx(level=0)
    assert f".version {PTX_VERSION}" in text and ".target sm_90" in text
    assert len(re.findall(r"\.entry", text)) == 1 and "play_small" in text
    assert "fma." not in text


@needs_compiler
def test_the_name_of_a_kernel_changes_with_rules_and_policy():
    from exchequer.core.kernels import batches

    @rule
    def other_actor(s):
        return rules.actor(s) + 0

    name = batches(GAME, "random").fingerprint()
    assert name == batches(GAME, "random").fingerprint()
    assert name != batches(GAME, "greedy").fingerprint()
    assert name != batches(Faulty({"actor": other_actor}), "random").fingerprint()


@needs_compiler
def test_rules_that_allocate_break_the_promise():
    @rule
    def allocating_actor(s):
        return np.zeros(1, np.int64)[0] + rules.actor(s)

    with pytest.raises(Broken, match="^device: does not compile for a GPU"):
        check_device(Faulty({"actor": allocating_actor}))


def test_what_is_compiled_elsewhere_must_be_of_the_same_rules(tmp_path, monkeypatch):
    monkeypatch.setenv("EXCHEQUER_PTX", str(tmp_path))
    with pytest.raises(InputError, match="holds no kernel"):
        gpu.kernel_path(GAME, "random")
    (tmp_path / gpu.kernel_name(GAME, "random")).write_text(".entry play")
    (tmp_path / "kernels.json").write_text(json.dumps({GAME.name: "other"}))
    with pytest.raises(InputError, match="made from other rules"):
        gpu.kernel_path(GAME, "random")
    (tmp_path / "kernels.json").write_text(json.dumps({GAME.name: gpu.sources_of(GAME)}))
    assert gpu.kernel_path(GAME, "random").parent == tmp_path


# What is missing is said -------------------------------------------------------------------------

def test_without_a_device_a_sentence_says_so(no_driver):
    assert not gpu.has_device()
    with pytest.raises(InputError, match="no GPU here: the NVIDIA driver"):
        gpu.GpuEngine(GAME)


def test_without_the_extra_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.delenv("EXCHEQUER_PTX", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for asked in (lambda: gpu.kernel_path(GAME, "random"), lambda: check_device(GAME)):
        with pytest.raises(InputError, match=r"pip install 'exchequer\[gpu\]'"):
            asked()


def test_a_gpu_plays_random_or_greedy():
    with pytest.raises(InputError, match='random or greedy, not "hard"'):
        gpu.kernel_path(GAME, "hard")


# Totals ------------------------------------------------------------------------------------------

def test_rows_of_a_device_get_names():
    row = np.zeros((1, ENDINGS + 3), np.int64)
    row[0, [GAMES, STEPS, SQUARES, FAULTS]] = 4, 100, 2600, 1
    row[0, [WINS, WINS + 1]] = 3 * WHOLE + WHOLE // 2, WHOLE // 2  # one game was shared
    row[0, [SCORES, SCORES + 1]] = 30, -5
    row[0, ENDINGS:] = 1, 2, 1
    totals = gpu.as_totals(row, 3)[0]
    assert [totals[name] for name in ("games", "steps", "squares", "faults")] == [4, 100, 2600, 1]
    assert totals["wins"][:3].tolist() == [3.5, 0.5, 0]
    assert totals["scores"][:3].tolist() == [30, -5, 0]
    assert totals["endings"].tolist() == [1, 2, 1]


def test_a_digest_changes_with_every_bit():
    words, row = np.arange(5, dtype=np.uint64), np.arange(3, dtype=np.uint64)
    with np.errstate(over="ignore"):
        found = {int(digest(words, row))}
        for place in range(len(words)):
            for bit in (0, 31, 63):
                words[place] ^= np.uint64(1 << bit)
                found.add(int(digest(words, row)))
                words[place] ^= np.uint64(1 << bit)
        row[2] ^= np.uint64(1)
        found.add(int(digest(words, row)))
    assert len(found) == 2 + 3 * len(words)
