"""Many games at once whose rows are tensors of PyTorch and stay where they are: on a GPU.

    envs = GpuVectorEnv("kingdom", 65536)
    observations, infos = envs.reset(seed=1)
    while training:
        actions = policy(observations, infos["action_mask"])    # a tensor on the same device
        observations, rewards, terminations, truncations, infos = envs.step(actions)

The games, rows and rewards are those of `VectorEnv` with the same seeds. Rules and PyTorch work on
the same memory, in PyTorch's own stream, so nothing is copied and nothing waits. The tensors are
written anew by each step: keep what you need with `clone`. With `device="cpu"` the same tensors
are filled by the cores, to try a program out where there is no GPU.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from exchequer.core.errors import InputError
from exchequer.core.find import Wanted
from exchequer.core.game import Game
from exchequer.core.rows import layout_of
from exchequer.envs.loops import (
    Rows,
    begin_all,
    look_all,
    new_room,
    new_rows,
    prepare_vector,
    step_all,
)
from exchequer.envs.play import chosen
from exchequer.envs.vector import MOST_SEEDS
from exchequer.gpu.driver import Lent, device
from exchequer.gpu.files import KernelFile, kernel_file

NO_TORCH = "Tensors need PyTorch: pip install 'exchequer[torch]'."
THREADS, REGISTERS = 256, 64  # of a block, of a thread; as the lab's loop, see docs/gpu.md
KINDS = ("begin", "step")  # of kernels

Infos = dict[str, Any]
Step = tuple[Any, Any, Any, Any, Infos]


class GpuVectorEnv:
    """`num_envs` games of one kind, each seen by the seat that is asked; all seats are played.

    `checked` looks whether all actions are legal before any is carried out, for which the program
    has to wait for the device; without it an illegal action spoils its game.
    """

    def __init__(self, game: Wanted, num_envs: int, seats: int | None = None,
                 variant: str | None = None, settings: dict[str, Any] | None = None,
                 device: str = "cuda", checked: bool = True) -> None:
        self.game, self.content, self.seats = chosen(game, variant, settings, seats)
        if num_envs < 1:
            raise InputError(f"A vector environment needs at least one game, not {num_envs}.")
        self.num_envs, self.checked = num_envs, checked
        self.torch = torch_here()
        self.device = self.torch.device(device)
        self.layout = layout_of(self.game)
        self.rows: Any = self._tensors()
        self._begin, self._step = (on_gpu if self.device.type == "cuda" else on_cores)(self)
        self.is_started = False

    def _tensors(self) -> Any:
        """`loops.Rows` with a tensor in the place of each array; states are bytes."""
        def zeros(array: np.ndarray) -> Any:
            known = array.view(np.int64) if array.dtype == np.uint64 else array
            one = self.torch.from_numpy(known)
            return self.torch.zeros((self.num_envs, *one.shape[1:]), dtype=one.dtype,
                                    device=self.device)

        sample = new_rows(self.game, self.seats, 1)
        states = zeros(sample.states.view(np.uint8).reshape(1, -1))
        return Rows(states, *map(zeros, sample[1:]))

    def reset(self, seed: int | None = None) -> tuple[Any, Infos]:
        """Start all games: game i with seed + i; None goes on from the last seeds."""
        if seed is not None and not 0 <= seed < MOST_SEEDS:
            raise InputError(f"A seed lies between 0 and 2^62, unlike {seed}.")
        if seed is None and self.is_started:
            self.rows.seeds.add_(self.num_envs)
        else:
            self.torch.arange(self.num_envs, out=self.rows.seeds).add_(seed or 0)
        for tensor in (self.rows.rewards, self.rows.terminations, self.rows.truncations):
            tensor.zero_()
        self._begin()
        self.is_started = True
        return self.rows.observations, self._seen()

    def step(self, actions: Any) -> Step:
        """One move in each game; a game that ends starts anew in the same step."""
        if not self.is_started:
            raise InputError("Call reset before the first step.")
        actions = self._legal(actions) if self.checked else actions
        self._step(actions)
        rows = self.rows
        rewards = rows.rewards.gather(1, rows.movers.long()[:, None])[:, 0]
        infos = self._seen() | {"final_obs": rows.finals,
                                "_final_obs": rows.terminations | rows.truncations}
        return rows.observations, rewards, rows.terminations, rows.truncations, infos

    def _seen(self) -> Infos:
        rows = self.rows
        return {"action_mask": rows.masks, "actor": rows.actors, "rewards": rows.rewards}

    def _legal(self, actions: Any) -> Any:
        """The actions, if every one of them is legal."""
        if actions.shape != (self.num_envs,) or actions.dtype != self.torch.int64 or \
                actions.device.type != self.device.type:
            raise InputError(f"{self.num_envs} actions are needed, one a game, as a tensor of "
                             f"int64 on {self.device}.")
        known = actions.clamp(0, self.game.n_actions - 1)
        legal = (known == actions) & (self.rows.masks.gather(1, known[:, None])[:, 0] != 0)
        if not bool(legal.all()):
            raise InputError(f"{int((~legal).sum())} of the actions are illegal; nothing was "
                             "carried out. Choose among those whose mask is 1.")
        return actions.contiguous()


def torch_here() -> Any:
    try:
        import torch  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise InputError(NO_TORCH) from None
    return torch


Moves = tuple[Callable[[], None], Callable[[Any], None]]  # begin all games; a step with actions


def on_cores(envs: GpuVectorEnv) -> Moves:
    """The CPU's loops over the memory of the tensors."""
    game, content, seats, places = envs.game, envs.content.record, envs.seats, envs.layout.places
    prepare_vector(game)
    engine, room = game.engine(), new_room(game)
    rows = Rows._make(tensor.numpy() for tensor in envs.rows)
    rows = rows._replace(states=rows.states.reshape(-1).view(game.state),
                         seeds=rows.seeds.view(np.uint64))

    def begin() -> None:
        engine.bind(begin_all)(content, seats, room, rows)
        engine.bind(look_all)(content, room, places, rows)

    def step(actions: Any) -> None:
        engine.bind(step_all)(actions.numpy(), content, seats, game.step_limit, envs.num_envs,
                              room, places, rows)

    return begin, step


def on_gpu(envs: GpuVectorEnv) -> Moves:
    """A kernel for each, started in PyTorch's stream."""
    from exchequer.envs.kernels import arguments_of, given_room

    game, torch = envs.game, envs.torch
    kept: list[Any] = []
    torch.cuda.init()  # its context is the one that kernels run in
    device().enter()
    kernels = {kind: env_file(game, kind).load(REGISTERS) for kind in KINDS}

    def put(array: np.ndarray) -> Lent:
        """A copy on the device, for as long as there are games."""
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        kept.append(torch.from_numpy(raw.copy()).to(envs.device))
        return Lent(kept[-1].data_ptr(), array.shape, array.dtype)

    def lent(tensor: Any, array: np.ndarray) -> Lent:
        shape = tensor.shape[:1] if array.dtype.names else tensor.shape
        return Lent(tensor.data_ptr(), shape, array.dtype)

    given, contents = given_room(game, put), put(np.atleast_1d(envs.content.record))
    rows = Rows._make(map(lent, envs.rows, new_rows(game, envs.seats, 1)))

    def start(kind: str, actions: Any = None) -> None:
        taken = None if actions is None else Lent(actions.data_ptr(), actions.shape, np.int64)
        kernels[kind].launch(
            -(-envs.num_envs // THREADS), THREADS,
            *arguments_of(game, kind, given, contents, envs.seats, taken, rows),
            stream=torch.cuda.current_stream().cuda_stream)

    return lambda: start("begin"), lambda actions: start("step", actions)


def env_file(game: Game, kind: str) -> KernelFile:
    """A kernel of the vector environment; compiled on first need."""
    def build() -> Any:
        from exchequer.envs.kernels import kernel_of

        return kernel_of(game, kind)

    return kernel_file(game, f"env-{kind}", build)
