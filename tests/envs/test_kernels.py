"""The vector environment's kernels as plain Python write what the CPU's loops write.

Nothing here needs a GPU; what it takes to run there is in docs/gpu.md.
"""

import ctypes
import sys
import types

import numpy as np
import pytest

from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.envs.device import KINDS, NEW, WARP, Desk, arguments_of, given_room, new_desk
from exchequer.envs.loops import Rows, new_rows
from exchequer.envs.vector import VectorEnv
from exchequer.gpu.driver import Lent, flattened
from exchequer.gpu.files import NO_EXTRA, can_compile
from gpu.fake_cuda import Block, as_python
from toys.bazaar import GAME

GAMES, MOVES = 6, 40
WRITTEN = ("observations", "masks", "rewards", "terminations", "truncations", "actors", "movers")


class DeviceRows:
    """The games of a vector environment, stepped by blocks of pretended threads."""

    def __init__(self, monkeypatch, game, seats):
        from exchequer.envs import kernels
        from exchequer.gpu import kernels as shared

        self.game, self.seats, self.kernels = game, seats, kernels
        self.rows, self.desk = new_rows(game, seats, GAMES), new_desk(game, GAMES)
        self.rows.seeds[:] = np.arange(GAMES)
        self.given = given_room(game, np.asarray)
        self.shuffled, self.patch = np.random.default_rng(2), monkeypatch
        self.modules, self.bound = (kernels, shared), {}

    def begin(self):
        self.desk.keys[:] = NEW
        self.look()

    def step(self, actions):
        self.run("move", GAMES, actions)
        self.look()

    def look(self):
        self.rows.masks[:] = 0
        self.run("look", GAMES)
        self.run("rows", GAMES * WARP)

    def run(self, kind, threads, actions=None):
        """Games are taken in any order."""
        if kind not in self.bound:
            block = Block(threads)
            for module in self.modules:
                self.patch.setattr(module, "cuda", block)
            binding = self.kernels.kernel_of(self.game, kind).binding
            self.bound[kind] = block, as_python(binding, self.kernels.KERNELS[kind])
        block, kernel = self.bound[kind]
        block.run(kernel, *arguments_of(
            self.game, kind, self.given, np.atleast_1d(self.game.content().record), self.seats,
            self.rows, self.desk, self.shuffled.permutation(GAMES), actions))


@pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)
@pytest.mark.parametrize("game", [GAME, find_game("kingdom"), find_game("treasury/v17")],
                         ids=lambda game: game.name)
def test_a_device_writes_the_rows_of_the_cpu(monkeypatch, game):
    envs = VectorEnv(game, GAMES, copy=False)
    there = DeviceRows(monkeypatch, game, envs.seats)
    envs.reset(seed=0)
    there.begin()
    chance, ended = np.random.default_rng(1), 0
    for _ in range(MOVES):
        for name in WRITTEN:
            assert np.array_equal(getattr(there.rows, name), getattr(envs.rows, name)), name
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in envs.rows.masks])
        envs.step(actions)
        there.step(actions)
        ended += int(envs.rows.terminations.sum())
    assert there.rows.states.tobytes() == envs.rows.states.tobytes()
    assert ended or game is not GAME, "no game ended, so that none began anew"


@pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)
@pytest.mark.parametrize("kind", KINDS)
def test_a_kernel_is_handed_as_many_numbers_as_it_takes(kind):
    from exchequer.envs.kernels import kernel_of

    def lent(array):
        return Lent(0, array.shape, array.dtype)

    numbers = lent(np.zeros(GAMES, np.int64))
    handed = arguments_of(GAME, kind, given_room(GAME, lent), lent(np.zeros(1, GAME.schema.dtype)),
                          2, Rows._make(map(lent, new_rows(GAME, 2, GAMES))),
                          Desk._make(map(lent, new_desk(GAME, GAMES))), numbers, numbers,
                          lent(np.zeros(GAMES, np.float32)))
    made = kernel_of(GAME, kind).ptx(level=0)
    head = made.text[made.text.index(".entry"):].split("{")[0]
    assert len(flattened(handed)) == head.count(".param")


@pytest.mark.parametrize("name", ["kingdom", "treasury/v17"])
def test_tensors_hold_the_rows_of_the_vector_environment(name):
    """Runs where PyTorch is installed, which only training needs."""
    torch = pytest.importorskip("torch")
    from exchequer.envs.torch import GpuVectorEnv

    tensors, arrays = GpuVectorEnv(name, GAMES, device="cpu"), VectorEnv(name, GAMES, copy=False)
    tensors.reset(seed=3)
    arrays.reset(seed=3)
    chance = np.random.default_rng(1)
    for _ in range(MOVES):
        assert all(np.array_equal(getattr(tensors.rows, part).numpy(), getattr(arrays.rows, part))
                   for part in WRITTEN)
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in arrays.rows.masks])
        tensors.step(torch.from_numpy(actions))
        arrays.step(actions)


class PretendedKernel:
    """A kernel as plain Python, launched as the driver would launch it."""

    def __init__(self, monkeypatch, game, kind):
        from exchequer.envs import kernels
        from exchequer.gpu import kernels as shared

        self.patch, self.modules = monkeypatch, (kernels, shared)
        self.kernel, self.binding = kernels.KERNELS[kind], kernels.kernel_of(game, kind).binding

    def launch(self, blocks, threads, *arguments, stream):
        block = Block(blocks * threads)
        for module in self.modules:
            self.patch.setattr(module, "cuda", block)
        block.run(as_python(self.binding, self.kernel), *map(array_at, arguments))


def array_at(argument):
    """What is lent to a kernel, as NumPy's arrays over the same memory."""
    if isinstance(argument, Lent):
        size = argument.dtype.itemsize * int(np.prod(argument.shape))
        memory = (ctypes.c_char * size).from_address(argument.address) if size else b""
        return np.frombuffer(memory, argument.dtype).reshape(argument.shape)
    if isinstance(argument, tuple):
        parts = map(array_at, argument)
        return argument._make(parts) if hasattr(argument, "_make") else tuple(parts)
    return argument


@pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)
@pytest.mark.parametrize("sorted_from", [0, GAMES + 1])
def test_tensors_are_stepped_by_kernels(monkeypatch, sorted_from):
    """All that a GPU would do, but for the GPU: kernels sort, move and look in PyTorch's memory."""
    torch = pytest.importorskip("torch")
    from exchequer.envs import torch as tensors

    monkeypatch.setattr(tensors, "device", lambda: types.SimpleNamespace(enter=lambda: None))
    monkeypatch.setattr(torch.cuda, "init", lambda: None)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: types.SimpleNamespace(cuda_stream=0))
    monkeypatch.setattr(tensors.DeviceGames, "_kernel", lambda self, kind: PretendedKernel(
        monkeypatch, self.envs.game, kind))
    envs, arrays = tensors.GpuVectorEnv(GAME, GAMES, device="cpu"), VectorEnv(GAME, GAMES)
    envs.games = tensors.DeviceGames(envs, tensors.Tuning(32, 64, sorted_from, sorted_from))
    envs.reset(seed=3)
    arrays.reset(seed=3)
    for _ in range(MOVES):
        assert all(np.array_equal(getattr(envs.rows, part).numpy(), getattr(arrays.rows, part))
                   for part in (*WRITTEN, "finals"))
        actions = envs.sample()
        envs.step(actions)
        arrays.step(actions.numpy())


def test_a_sample_is_legal_and_reaches_every_action():
    torch = pytest.importorskip("torch")
    from exchequer.envs.torch import GpuVectorEnv

    envs = GpuVectorEnv("kingdom", 4000, device="cpu")
    torch.manual_seed(1)
    envs.reset(seed=3)
    envs.rows.masks.copy_(envs.rows.masks[:1].clone().expand_as(envs.rows.masks))
    legal, counts = envs.rows.masks[0] != 0, torch.bincount(envs.sample(), minlength=60)
    assert (counts[~legal] == 0).all() and (counts[legal] > 2000 / legal.sum()).all()


@pytest.mark.parametrize(("device", "sentence"), [
    ("cuda", "finds no GPU here"), ("cuda:1", "the first GPU"), ("tpu", 'not on "tpu"')])
def test_without_the_device_a_sentence_says_so(monkeypatch, device, sentence):
    from exchequer.envs import torch

    monkeypatch.setattr(torch, "torch_here", lambda: types.SimpleNamespace(
        device=str, cuda=types.SimpleNamespace(is_available=lambda: False)))
    with pytest.raises(InputError, match=sentence):
        torch.GpuVectorEnv("kingdom", GAMES, device=device)


def test_without_pytorch_the_extra_is_named(monkeypatch):
    from exchequer.envs.torch import GpuVectorEnv

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install 'exchequer\[torch\]'"):
        GpuVectorEnv("kingdom", GAMES)
