"""The vector environment's kernels as plain Python write what the CPU's loops write.

Nothing here needs a GPU; what it takes to run there is in docs/gpu.md.
"""

import sys

import numpy as np
import pytest

from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.envs.loops import Rows, new_rows
from exchequer.envs.vector import VectorEnv
from exchequer.gpu.driver import Lent, flattened
from exchequer.gpu.files import NO_EXTRA, can_compile
from gpu.fake_cuda import Block, as_python
from toys.bazaar import GAME

GAMES, MOVES = 6, 40
WRITTEN = ("observations", "masks", "rewards", "terminations", "truncations", "actors", "movers")


class DeviceRows:
    """The games of a vector environment, stepped by a block of pretended threads."""

    def __init__(self, monkeypatch, game, seats):
        from exchequer.envs import kernels
        from exchequer.gpu import kernels as shared

        self.block, self.game, self.seats = Block(GAMES), game, seats
        monkeypatch.setattr(kernels, "cuda", self.block)
        monkeypatch.setattr(shared, "cuda", self.block)
        self.rows, self.bound, self.kernels = new_rows(game, seats, GAMES), {}, kernels
        self.rows.seeds[:] = np.arange(GAMES)
        self.given = kernels.given_room(game, np.asarray)

    def run(self, kind, actions=None):
        if kind not in self.bound:
            binding = self.kernels.kernel_of(self.game, kind).binding
            self.bound[kind] = as_python(binding, self.kernels.KERNELS[kind])
        self.block.run(self.bound[kind], *self.kernels.arguments_of(
            self.game, kind, self.given, np.atleast_1d(self.game.content().record), self.seats,
            actions, self.rows))


@pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)
@pytest.mark.parametrize("game", [GAME, find_game("kingdom"), find_game("treasury/v17")],
                         ids=lambda game: game.name)
def test_a_device_writes_the_rows_of_the_cpu(monkeypatch, game):
    envs = VectorEnv(game, GAMES, copy=False)
    there = DeviceRows(monkeypatch, game, envs.seats)
    envs.reset(seed=0)
    there.run("begin")
    chance, ended = np.random.default_rng(1), 0
    for _ in range(MOVES):
        for name in WRITTEN:
            assert np.array_equal(getattr(there.rows, name), getattr(envs.rows, name)), name
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in envs.rows.masks])
        envs.step(actions)
        there.run("step", actions)
        ended += int(envs.rows.terminations.sum())
    assert there.rows.states.tobytes() == envs.rows.states.tobytes()
    assert ended or game is not GAME, "no game ended, so that none began anew"


@pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)
@pytest.mark.parametrize("kind", ["begin", "step"])
def test_a_kernel_is_handed_as_many_numbers_as_it_takes(kind):
    from exchequer.envs.kernels import arguments_of, given_room, kernel_of

    def lent(array):
        return Lent(0, array.shape, array.dtype)

    rows = Rows._make(map(lent, new_rows(GAME, 2, GAMES)))
    handed = arguments_of(GAME, kind, given_room(GAME, lent), lent(np.zeros(1, GAME.schema.dtype)),
                          2, lent(np.zeros(GAMES, np.int64)), rows)
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


def test_without_pytorch_the_extra_is_named(monkeypatch):
    from exchequer.envs.torch import GpuVectorEnv

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install 'exchequer\[torch\]'"):
        GpuVectorEnv("kingdom", GAMES)
