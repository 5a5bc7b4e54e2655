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

from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.core.errors import InputError
from exchequer.core.find import Wanted
from exchequer.core.rows import layout_of
from exchequer.envs.device import (
    KINDS,
    NEW,
    WARP,
    arguments_of,
    env_file,
    given_room,
    new_desk,
)
from exchequer.envs.loops import (
    MOST_SEEDS,
    Rows,
    array_of,
    begin_all,
    look_all,
    new_room,
    new_rows,
    prepare_vector,
    sample_all,
    step_all,
)
from exchequer.envs.play import chosen
from exchequer.gpu.driver import Kernel, Lent, device

NO_TORCH = "Tensors need PyTorch: pip install 'exchequer[torch]'."


@dataclass(frozen=True)
class Tuning:
    """How the kernels are started; see docs/gpu.md."""

    threads: int = 128  # of a block
    registers: int = 64  # most for a thread
    move_sorted_from: int = 0  # games from which on those that do the same are neighbours
    look_sorted_from: int = 250_000  # the same; few games wait for those that begin, side by side


TUNING = Tuning()
INT64, FLOAT32 = np.zeros(0, np.int64), np.zeros(0, np.float32)
Infos = dict[str, Any]
Step = tuple[Any, Any, Any, Any, Infos]


class GpuVectorEnv:
    """`num_envs` games of one kind, each seen by the seat that is asked; all seats are played.

    `checked` looks whether all actions are legal before any is carried out, for which the program
    has to wait for the device; without it an illegal action spoils its game.
    """

    def __init__(self, game: Wanted, num_envs: int, seats: int | None = None,
                 variant: str | None = None, settings: dict[str, Any] | None = None,
                 device: str = "cuda", checked: bool = True, tuning: "Tuning | None" = None
                 ) -> None:
        self.game, self.content, self.seats = chosen(game, variant, settings, seats)
        if num_envs < 1:
            raise InputError(f"A vector environment needs at least one game, not {num_envs}.")
        self.num_envs, self.checked = num_envs, checked
        self.torch = torch_here()
        self.device = device_named(self.torch, device)
        self.layout = layout_of(self.game)
        self.rows: Any = self._tensors()
        self.games: Any = (DeviceGames(self, tuning or TUNING) if self.device.type == "cuda"
                           else CoreGames(self))
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
        self.games.begin()
        self.is_started = True
        return self.rows.observations, self._seen()

    def step(self, actions: Any) -> Step:
        """One move in each game; a game that ends starts anew in the same step."""
        if not self.is_started:
            raise InputError("Call reset before the first step.")
        actions = self._legal(actions) if self.checked else actions
        self.games.step(actions)
        rows = self.rows
        infos = self._seen() | {"final_obs": rows.finals,
                                "_final_obs": rows.terminations | rows.truncations}
        return rows.observations, rows.gained, rows.terminations, rows.truncations, infos

    def sample(self) -> Any:
        """A random legal action for each game, every one as likely as the others."""
        chances = self.torch.rand(self.num_envs, device=self.device)
        actions = self.torch.empty(self.num_envs, dtype=self.torch.int64, device=self.device)
        self.games.sample(chances, actions)
        return actions

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


def device_named(torch: Any, device: Any) -> Any:
    """The cores, or the first GPU: the driver's context is there."""
    name = str(device)
    if name not in ("cpu", "cuda", "cuda:0"):
        raise InputError(f'Games are played on "cpu" or "cuda", the first GPU, not on "{name}".')
    if name != "cpu" and not torch.cuda.is_available():
        raise InputError('PyTorch finds no GPU here; with device="cpu" the cores fill the same '
                         "tensors.")
    return torch.device(device)


class CoreGames:
    """The CPU's loops over the memory of the tensors."""

    def __init__(self, envs: GpuVectorEnv) -> None:
        prepare_vector(envs.game)
        self.envs, self.engine, self.room = envs, envs.game.engine(), new_room(envs.game)
        self.contents = array_of(envs.content.record)
        rows = Rows._make(tensor.numpy() for tensor in envs.rows)
        self.rows = rows._replace(states=rows.states.reshape(-1).view(envs.game.state),
                                  seeds=rows.seeds.view(np.uint64))

    def begin(self) -> None:
        self.engine.bind(begin_all)(self.contents, self.envs.seats, self.room, self.rows)
        self.engine.bind(look_all)(self.contents, self.room, self.envs.layout.places, self.rows)

    def step(self, actions: Any) -> None:
        envs = self.envs
        self.engine.bind(step_all)(actions.numpy(), self.contents, envs.seats,
                                   envs.game.step_limit, envs.num_envs, self.room,
                                   envs.layout.places, self.rows)

    def sample(self, chances: Any, actions: Any) -> None:
        self.engine.bind(sample_all)(self.rows.masks, chances.numpy(), actions.numpy())


class DeviceGames:
    """Kernels, started in PyTorch's stream, over the memory of the tensors."""

    def __init__(self, envs: GpuVectorEnv, tuning: Tuning) -> None:
        self.envs, self.torch, self.tuning = envs, envs.torch, tuning
        self.torch.cuda.init()  # its context is the one that kernels run in
        device().enter()
        self.kernels = {kind: self._kernel(kind) for kind in KINDS}
        self._kept: list[Any] = []  # for as long as there are games
        self.given, self.contents = given_room(envs.game, self._put), self._put(
            np.atleast_1d(envs.content.record))
        self.rows = Rows._make(map(lent, envs.rows, new_rows(envs.game, envs.seats, 1)))
        sample = new_desk(envs.game, 1)
        self.keys = self._zeros(sample.keys)
        self.desk = sample._replace(keys=lent(self.keys, sample.keys),
                                    seen=lent(self._zeros(sample.seen), sample.seen),
                                    columns=self._put(sample.columns))
        self.in_order = self.torch.arange(envs.num_envs, device=envs.device)

    def _kernel(self, kind: str) -> Kernel:
        return env_file(self.envs.game, kind).load(self.tuning.registers)

    def _put(self, array: np.ndarray) -> Lent:
        """A copy on the device."""
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        self._kept.append(self.torch.from_numpy(raw.copy()).to(self.envs.device))
        return Lent(self._kept[-1].data_ptr(), array.shape, array.dtype)

    def _zeros(self, sample: np.ndarray) -> Any:
        """A row for each game; PyTorch knows few unsigned numbers."""
        known = sample.view(np.int64) if sample.dtype == np.uint64 else sample
        self._kept.append(self.torch.from_numpy(known).to(self.envs.device).expand(
            self.envs.num_envs, *sample.shape[1:]).clone())
        return self._kept[-1]

    def begin(self) -> None:
        self.keys.fill_(NEW)
        self._look(self.in_order)

    def step(self, actions: Any) -> None:
        self._start("move", self.envs.num_envs, self._sorted("move", actions.short()), actions)
        self._look(self._sorted("look", self.keys))

    def sample(self, chances: Any, actions: Any) -> None:
        self._start("sample", self.envs.num_envs, None, actions, chances)

    def _sorted(self, kind: str, keys: Any) -> Any:
        """The games in the order of their keys: what neighbouring threads do alike is done once."""
        least = getattr(self.tuning, f"{kind}_sorted_from")
        return keys.argsort() if self.envs.num_envs >= least else self.in_order

    def _look(self, order: Any) -> None:
        self.envs.rows.masks.zero_()
        self._start("look", self.envs.num_envs, order)
        self._start("rows", self.envs.num_envs * WARP)

    def _start(self, kind: str, threads: int, order: Any = None, actions: Any = None,
               chances: Any = None) -> None:
        envs = self.envs
        tensors = [tensor if tensor is None else lent(tensor, like) for tensor, like in
                   ((order, INT64), (actions, INT64), (chances, FLOAT32))]
        self.kernels[kind].launch(
            -(-threads // self.tuning.threads), self.tuning.threads,
            *arguments_of(envs.game, kind, self.given, self.contents, envs.seats, self.rows,
                          self.desk, *tensors),
            stream=self.torch.cuda.current_stream().cuda_stream)


def lent(tensor: Any, array: np.ndarray) -> Lent:
    """A tensor as the array that it stands for."""
    shape = tensor.shape[:1] if array.dtype.names else tensor.shape
    return Lent(tensor.data_ptr(), shape, array.dtype)
