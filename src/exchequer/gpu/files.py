"""Kernels on disk: compiled on first need, or brought along from where a compiler is.

PTX is kept beside the CPU's machine code, and beside each PTX what it is. Where there is no
compiler, EXCHEQUER_PTX names a folder of kernels made elsewhere by `scripts/gpu_check.py build`.
"""

import hashlib
import importlib.util
import json
import os
import pathlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from exchequer.core.build import cache_root
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.game import Game
from exchequer.gpu.driver import Kernel
from exchequer.gpu.totals import POLICIES

NO_EXTRA = "The rules cannot be compiled for a GPU here: pip install 'exchequer[gpu]'."
PACKAGE = pathlib.Path(__file__).parents[1]


@dataclass(frozen=True)
class KernelFacts:
    """What a PTX file is; written beside it."""

    entry: str  # the name by which the driver finds the kernel
    kernel: str  # the function that it was made of
    sources: str = ""  # `sources_of` its game, where it was copied to be taken elsewhere


@dataclass(frozen=True)
class KernelFile:
    """A kernel on disk."""

    path: pathlib.Path  # of its PTX
    card: KernelFacts

    @classmethod
    def at(cls, path: pathlib.Path) -> "KernelFile":
        return cls(path, KernelFacts(**json.loads(path.with_suffix(".json").read_text())))

    @classmethod
    def write(cls, path: pathlib.Path, text: str, card: KernelFacts) -> "KernelFile":
        """The PTX comes last: where it stands, the whole is there."""
        path.with_suffix(".json").write_text(json.dumps(asdict(card), indent=1) + "\n")
        write_whole(path, text.encode())
        return cls(path, card)

    def copied(self, folder: pathlib.Path, game: Game) -> "KernelFile":
        """To take to a machine without a compiler, with a name of the text it was made of."""
        return self.write(folder / self.path.name, self.path.read_text(),
                          replace(self.card, sources=sources_of(game)))

    def assembled(self, registers: int) -> pathlib.Path:
        """Where machine code is kept, made ahead of time with that many registers."""
        return self.path.with_name(f"{self.path.stem}-{registers}.cubin")

    def load(self, registers: int) -> Kernel:
        """Put it on the device: machine code where somebody has made it, else PTX."""
        ready = self.assembled(registers)
        image = (ready if ready.exists() else self.path).read_bytes()
        return Kernel(image, self.card.entry, registers)


def can_compile() -> bool:
    return importlib.util.find_spec("numba_cuda") is not None


def batch_kernel(game: Game, policy: str) -> KernelFile:
    """A game's kernel for batches by one policy."""
    if policy not in POLICIES:
        raise InputError(f'A GPU plays {" or ".join(POLICIES)}, not "{policy}".')

    def build() -> Any:
        from exchequer.gpu.build import batches

        return batches(game, policy)

    return kernel_file(game, policy, build)


def kernel_file(game: Game, kind: str, build: Callable[[], Any]) -> KernelFile:
    """A kernel brought along, or compiled by the `DeviceBuild` that `build` makes."""
    if folder := os.environ.get("EXCHEQUER_PTX"):
        return brought(pathlib.Path(folder), game, kind)
    if not can_compile():
        raise InputError(NO_EXTRA)
    return compiled(game, kind, build())


def compiled(game: Game, kind: str, build: Any) -> KernelFile:
    """One process compiles, others wait and then load."""
    from filelock import FileLock

    name = kernel_name(game, kind)
    path = cache_root() / f"{name}-gpu-{build.fingerprint()}" / f"{name}.ptx"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path.parent}.lock"):
            if not path.exists():
                made = build.ptx()
                KernelFile.write(path, made.text, KernelFacts(made.entry, made.kernel))
    return KernelFile.at(path)


def brought(folder: pathlib.Path, game: Game, kind: str) -> KernelFile:
    path = folder / f"{kernel_name(game, kind)}.ptx"
    if not path.with_suffix(".json").exists():  # of machine code the text need not come along
        raise InputError(f"EXCHEQUER_PTX={folder} holds no kernel {path.name}.")
    file = KernelFile.at(path)
    if file.card.sources != sources_of(game):
        raise InputError(f"{path} was made from other rules than those here; make it again.")
    return file


def kernel_name(game: Game, kind: str) -> str:
    return f"{game.name.replace('/', '-')}-{kind}"


def sources_of(game: Game) -> str:
    """Names the program's text and the game's; unlike bytecode it is the same for every Python."""
    digest = hashlib.sha256()
    for folder in (PACKAGE, game.folder):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
