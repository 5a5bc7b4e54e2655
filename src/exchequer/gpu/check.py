"""One more promise for `core.check`: the rules compile for a GPU."""

from exchequer.core.build import cache_root
from exchequer.core.check import Broken
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.gpu.files import NO_EXTRA, can_compile, kernel_name


def check_device(game: Game) -> None:
    """The rules compile for a GPU. None is needed, only the compiler: `exchequer[gpu]`."""
    if not can_compile():
        raise InputError(NO_EXTRA)
    try:
        prove_compiles(game)
    except Exception as error:
        raise Broken("device", None, f"does not compile for a GPU: {error}") from error


def prove_compiles(game: Game) -> None:
    """Compile all rules for a device, in haste and for nothing but the proof; once per version."""
    from exchequer.gpu.build import batches

    build = batches(game, "greedy")  # what looks ahead reaches every rule
    proof = cache_root() / f"{kernel_name(game, 'gpu')}-{build.fingerprint()}.proof"
    if not proof.exists():
        build.ptx(level=0)
        proof.parent.mkdir(parents=True, exist_ok=True)
        proof.touch()
