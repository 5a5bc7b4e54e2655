"""Kernels on disk, and what is said where one is missing."""

import importlib.util

import pytest

from exchequer.core.errors import InputError
from exchequer.gpu.batches import GpuEngine, has_device
from exchequer.gpu.build import Ptx
from exchequer.gpu.files import KernelFacts, KernelFile, batch_kernel, compiled, kernel_name
from toys.bazaar import GAME


class Compiler:
    """Stands for a `DeviceBuild`: counts how often it is asked."""

    asked = 0

    def fingerprint(self):
        return "0123"

    def ptx(self):
        self.asked += 1
        return Ptx(".entry play", "play", "play_large")


def test_a_kernel_is_compiled_once_and_keeps_what_it_is(monkeypatch, tmp_path):
    monkeypatch.setenv("EXCHEQUER_CACHE", str(tmp_path))
    compiler = Compiler()
    for _ in range(2):
        file = compiled(GAME, "random", compiler)
        assert file.card == KernelFacts("play", "play_large")
        assert file.path.read_text() == ".entry play"
    assert compiler.asked == 1


def test_what_is_compiled_elsewhere_must_be_of_the_same_rules(tmp_path, monkeypatch):
    monkeypatch.setenv("EXCHEQUER_PTX", str(tmp_path))
    with pytest.raises(InputError, match="holds no kernel toys-bazaar-random.ptx"):
        batch_kernel(GAME, "random")
    made = KernelFile.write(tmp_path / f"{kernel_name(GAME, 'random')}.ptx", ".entry play",
                            KernelFacts("play", "play_small", "other"))
    with pytest.raises(InputError, match="made from other rules"):
        batch_kernel(GAME, "random")
    copied = made.copied(tmp_path, GAME)
    assert batch_kernel(GAME, "random") == copied
    assert copied.card.kernel == "play_small" and copied.path == made.path


def test_without_a_device_a_sentence_says_so(no_driver):
    assert not has_device()
    with pytest.raises(InputError, match="no GPU here: the NVIDIA driver"):
        GpuEngine(GAME)


def test_without_the_extra_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.delenv("EXCHEQUER_PTX", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'exchequer\[gpu\]'"):
        batch_kernel(GAME, "random")


def test_a_gpu_plays_random_or_greedy():
    with pytest.raises(InputError, match='random or greedy, not "hard"'):
        batch_kernel(GAME, "hard")
