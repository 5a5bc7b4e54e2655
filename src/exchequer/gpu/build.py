"""Rules for a GPU: a kernel bound to a game and compiled to PTX. No device is needed for that."""

import collections
import contextlib
import dis
import enum
import functools
import importlib.metadata
import itertools
import math
import re
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numba
from numba import cuda
from numba.core import types as numba_types
from numba.cuda import dispatcher as cuda_dispatcher
from numba.cuda.compiler import compile_cuda, kernel_fixup

from exchequer.core.binding import Binding, Instead, is_function
from exchequer.core.build import widest
from exchequer.core.game import Game
from exchequer.gpu import kernels
from exchequer.gpu.lowering import LOWERING
from exchequer.gpu.totals import Batch, Kept

kinds: Any = numba_types
CAPABILITY = (9, 0)  # what is compiled for where no device says otherwise
PTX_VERSION = "9.0"  # what drivers of CUDA 13.0 accept; newer compilers write a newer number
ONE_PIECE = 60_000  # instructions of Python's up to which a kernel is one piece
APART_SIZE = 100  # instructions of Python's from which a rule called twice is not inlined
CALL_SIZE = 5
SHORT = {"optsize"}  # for the optimiser: large rules wait for instructions more than for anything


class Ptx(NamedTuple):
    """A compiled kernel: text for the driver."""

    text: str
    entry: str  # the name by which the driver finds the kernel in it
    kernel: str  # the function that it was made of


class DeviceBuild:
    """A game's rules bound for a device: the counterpart of `core.build.Build`.

    Of several kernels that do the same the first is taken if it is small enough for one piece,
    else the last. `instead` says which rules stand in the place of others on the device. Size says
    which rules are called, except for those that are `inlined` (a call would hand over each array
    of a tuple anew) or `called` (a loop that keeps what it needs in registers of its own).
    """

    def __init__(self, game: Game, choices: Sequence[Any], instead: Instead,
                 signature: tuple[Any, ...], apart_size: int = APART_SIZE,
                 inlined: Iterable[Any] = (), called: Iterable[Any] = ()) -> None:
        self.game, self.signature = game, signature
        self.binding = Binding(game.functions, {**instead, **constants_of(game)})
        self.bound: dict[types.FunctionType, Any] = {}
        self.kernel, self.apart, self.attributes = choices[0], set[Any](), set[str]()
        if self._size(self.kernel)[0] > ONE_PIECE:
            self.kernel, self.attributes = choices[-1], SHORT
            self.apart = self._size(self.kernel, apart_size)[1] - {*inlined} | {*called}

    def fingerprint(self) -> str:
        return self.binding.fingerprint(
            [self.kernel], importlib.metadata.version("numba-cuda"), PTX_VERSION, LOWERING,
            sorted(f.__qualname__ for f in self.apart), sorted(self.attributes),
            self.game.state.descr, self.game.schema.dtype.descr)

    def ptx(self, capability: tuple[int, int] = CAPABILITY, level: int = 3) -> Ptx:
        """Compile the kernel. No fused multiply-add: it rounds differently from a CPU."""
        with pretended(capability):
            compiled = compile_cuda(self._copy(self.kernel), kinds.void, self.signature,
                                    nvvm_options={"opt": level, "fma": 0}, cc=capability)
            entry = compiled.fndesc.llvm_func_name
            compiled.library._entry_name = entry
            mark(compiled, self.attributes)
            kernel_fixup(compiled.library.get_function(entry), False)
            text = compiled.library.get_asm_str(cc=capability)
        text = re.sub(r"(?m)^\.version .*$", f".version {PTX_VERSION}", text)
        return Ptx(*with_short_names(text, entry), self.kernel.__name__)

    def _copy(self, function: types.FunctionType) -> types.FunctionType:
        return self.binding.copy(function, lambda value: self._bind(value) if is_function(value)
                                 else for_device(value))

    def _bind(self, function: types.FunctionType) -> Any:
        if function not in self.bound:
            is_apart = function in self.apart
            made = cuda.jit(self._copy(function), device=True, forceinline=not is_apart)
            self.bound[function] = compiled_wide(
                made, {*self.attributes, "noinline"} if is_apart else self.attributes)
        return self.bound[function]

    def _size(self, kernel: Any, most: float = math.inf) -> tuple[int, set[types.FunctionType]]:
        """Instructions of the whole, and the rules that are called rather than inlined.

        Inlining everything makes hundreds of thousands of instructions of the larger games,
        which no compiler gets through in minutes and no instruction cache holds. So a rule that
        has come to more than `most` instructions and is called from two places stays apart.
        """
        order = self.binding.reach(kernel)
        callers = collections.Counter(itertools.chain(*order.values()))
        apart: set[types.FunctionType] = set()
        sizes: dict[types.FunctionType, int] = {}
        for function, calls in order.items():
            sizes[function] = length(function) + sum(
                CALL_SIZE if called in apart else sizes[called] for called in calls)
            if sizes[function] > most and callers[function] > 1:
                apart.add(function)
        return sizes[kernel], apart


def batches(game: Game, policy: str) -> DeviceBuild:
    """Batches of games by one policy."""
    return DeviceBuild(game, kernels.BATCHES,
                       {**kernels.INSTEAD, kernels.choose: kernels.CHOICES[policy]},
                       signature_of(game))


def machine_code(ptx: bytes, registers: int, capability: tuple[int, int] = CAPABILITY) -> bytes:
    """What a driver would make of PTX when it loads it, made ahead of time."""
    from cuda.bindings import nvjitlink

    options = [f"-arch=sm_{capability[0]}{capability[1]}", f"-maxrregcount={registers}"]
    linker = nvjitlink.create(len(options), options)
    nvjitlink.add_data(linker, nvjitlink.InputType.PTX, ptx, len(ptx), "kernel")
    nvjitlink.complete(linker)
    code = bytearray(nvjitlink.get_linked_cubin_size(linker))
    nvjitlink.get_linked_cubin(linker, code)
    nvjitlink.destroy(linker)
    return bytes(code)


def with_short_names(text: str, entry: str) -> tuple[str, str]:
    """PTX whose functions are numbered, and the entry's new name. Numba's names spell out the type
    of every argument, a record with all its fields: that was nine tenths of the text."""
    numbers: dict[str, str] = {}

    def short(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"rule_{len(numbers)}")

    text = re.sub(r"\b_Z\w+?(?=_param_\d+\b|\b)", short, text)
    return text, numbers[entry]


def length(function: types.FunctionType) -> int:
    return sum(1 for _ in dis.get_instructions(function.__code__))


def constants_of(game: Game) -> Instead:
    """What the placeholders of `kernels` stand for."""
    cards = game.state["card"].shape[0] if "card" in (game.state.names or ()) else 1
    return {kernels.State: game.state, kernels.STATE_WORDS: game.state.itemsize // 8,
            kernels.MAX_LEGAL: game.max_legal, kernels.CARDS: cards,
            kernels.LAST_THING: game.n_things - 1, kernels.N_ACTIONS: game.n_actions,
            kernels.ACTION_KEYS: min(game.n_actions, kernels.DEAL)}


def signature_of(game: Game) -> tuple[Any, ...]:
    """The types of `Batch` and `Kept`, which `play_small` and `play_large` are given."""
    def array(kind: Any, dimensions: int = 1) -> Any:
        return kinds.Array(kind, dimensions, "C")

    wide, word = kinds.int64, kinds.uint64
    content = array(numba.from_dtype(game.schema.dtype))
    return (kinds.NamedTuple((content, wide, array(word), wide, wide), Batch),
            kinds.NamedTuple((array(wide), array(wide, 2), array(wide, 2), array(wide, 3),
                              array(word, 2), array(word), array(word, 2)), Kept))


def for_device(value: Any) -> Any:
    """Enums become plain numbers: the compiler for devices knows no others."""
    if isinstance(value, enum.IntEnum):
        return int(value)
    if isinstance(value, type) and issubclass(value, enum.IntEnum):
        return as_numbers(value)
    return value


@functools.cache
def as_numbers(members: type[enum.IntEnum]) -> types.ModuleType:
    module = types.ModuleType(members.__name__)
    module.__dict__.update({member.name: int(member) for member in members})
    return module


def compiled_wide(dispatcher: Any, attributes: set[str]) -> Any:
    """As `build.widened`; with what the compiler of the device is told about the function."""
    compile_as_given = dispatcher.compile_device

    def compile_device(arguments: tuple[Any, ...], return_type: Any = None) -> Any:
        compiled = compile_as_given(tuple(map(widest, arguments)), return_type)
        mark(compiled, attributes)
        return compiled

    dispatcher.compile_device = compile_device
    return dispatcher


def mark(compiled: Any, attributes: set[str]) -> None:
    function = compiled.library.get_function(compiled.fndesc.llvm_func_name)
    for attribute in sorted(attributes):
        function.attributes.add(attribute)


@contextlib.contextmanager
def pretended(capability: tuple[int, int]) -> Iterator[None]:
    """Numba asks the present device for its capability, also where there is none."""
    asked = cuda_dispatcher.get_current_device
    cuda_dispatcher.get_current_device = lambda: types.SimpleNamespace(
        compute_capability=capability)
    try:
        yield
    finally:
        cuda_dispatcher.get_current_device = asked
