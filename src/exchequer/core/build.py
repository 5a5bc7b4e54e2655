"""Building: rules and loops bound to one game, as plain Python or as machine code.

`bind` copies a function with the game's own rules in the place of the contract's and does the
same with every rule it calls. Compiled, the copy is cached on disk. The cache folder's name is a
fingerprint of all code and constants that can be reached, of the Numba version and of the mode,
so an edit can never meet stale machine code and an edit elsewhere costs nothing.
"""

import contextlib
import dis
import enum
import hashlib
import os
import pathlib
import shutil
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from exchequer.core.contract import CONTRACT

KEPT_BUILDS = 4  # of one game and mode; older ones are pruned
Rules = Mapping[str, types.FunctionType]


class Mode(enum.Enum):
    """How rules run. CHECKED is compiled with bounds checks, for the tests."""

    PYTHON = "python"
    COMPILED = "compiled"
    CHECKED = "checked"


def default_mode() -> Mode:
    """EXCHEQUER_PYTHON=1 leaves the rules plain Python, to step through them."""
    return Mode.PYTHON if os.environ.get("EXCHEQUER_PYTHON") else Mode.COMPILED


def cache_root() -> pathlib.Path:
    """Where machine code is kept: EXCHEQUER_CACHE, or the user's cache directory."""
    if folder := os.environ.get("EXCHEQUER_CACHE"):
        return pathlib.Path(folder)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "exchequer"


# What a function reaches -----------------------------------------------------------------------

def names_used(code: types.CodeType) -> list[str]:
    """The global names a piece of code loads; attributes of the same name do not count."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    names = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return sorted(names.union(*map(names_used, inner)))


def globals_used(function: types.FunctionType, rules: Rules) -> dict[str, Any]:
    """The global names a function uses, the contract's replaced by the game's own rules."""
    found = {}
    for name in names_used(function.__code__):
        if name in function.__globals__:
            value = function.__globals__[name]
            found[name] = rules[name] if value is CONTRACT.get(name) else value
    return found


def is_rule(value: Any) -> bool:
    return isinstance(value, types.FunctionType)


def reach(function: types.FunctionType, rules: Rules,
          path: tuple[types.FunctionType, ...] = (),
          found: dict[types.FunctionType, None] | None = None) -> dict[types.FunctionType, None]:
    """Every rule that `function` calls, itself last. Recursion is refused: a GPU has none."""
    found = {} if found is None else found
    if function in path:
        circle = " -> ".join(f.__name__ for f in (*path[path.index(function):], function))
        raise TypeError(f"rules may not call themselves: {circle}. Put a step on the agenda.")
    if function not in found:
        if not getattr(function, "is_rule", False):
            raise TypeError(f"{function.__module__}.{function.__name__} is called by a rule "
                            f"({path[-1].__name__ if path else 'none'}) but is not marked @rule.")
        for value in globals_used(function, rules).values():
            if is_rule(value):
                reach(value, rules, (*path, function), found)
        found[function] = None
    return found


def described(value: Any) -> str:
    """A text that changes when a constant a rule uses changes."""
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return f"{value.__name__}{[(m.name, m.value) for m in value]}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, (types.ModuleType, types.BuiltinFunctionType, type)):
        return value.__name__
    if isinstance(value, (int, float, str, tuple, np.generic, np.dtype)):
        return repr(value)
    raise TypeError(f"a rule uses {value!r}; only rules, enums, numbers, tuples, arrays and "
                    "record types have a place among its globals.")


def constants_of(code: types.CodeType, doc: str | None) -> str:
    return repr([constants_of(c, None) + c.co_code.hex() if isinstance(c, types.CodeType) else c
                 for c in code.co_consts if c != doc])


def fingerprint(functions: list[types.FunctionType], rules: Rules, *more: Any) -> str:
    """Names a build: all reachable code and constants, the Numba version, and `more`."""
    import numba

    digest = hashlib.sha256(repr((numba.__version__, sys.version_info[:2], more)).encode())
    seen: dict[types.FunctionType, None] = {}
    for function in functions:
        reach(function, rules, found=seen)
    for function in seen:
        code = function.__code__
        digest.update(f"{function.__module__}.{function.__qualname__}".encode())
        digest.update(code.co_code + repr((code.co_names, code.co_varnames)).encode())
        digest.update((constants_of(code, function.__doc__)
                       + repr(function.__defaults__)).encode())
        for name, value in globals_used(function, rules).items():
            if not is_rule(value):
                digest.update(f"{name}={described(value)}".encode())
    return digest.hexdigest()[:16]


# Binding ---------------------------------------------------------------------------------------

class Build:
    """One game's rules and loops in one mode. `entries` can be called from Python."""

    def __init__(self, game: str, rules: Rules, entries: list[types.FunctionType], mode: Mode,
                 *layout: Any) -> None:
        self.game, self.rules, self.mode = game, rules, mode
        self.entries = entries
        self.bound: dict[tuple[types.FunctionType, bool], Callable[..., Any]] = {}
        # by function and whether it can be called from Python; the same loop may be both
        self.folder: pathlib.Path | None = None
        if mode is not Mode.PYTHON:
            key = fingerprint(entries, rules, mode.value, *layout)
            self.folder = cache_root() / f"{game.replace('/', '-')}-{mode.value}-{key}"

    def bind(self, function: types.FunctionType) -> Callable[..., Any]:
        """The function for this game. Nothing is compiled before the first call.

        Any loop will do; one that is not among the entries is cached in a folder of its own.
        """
        if CONTRACT.get(function.__name__) is function:
            function = self.rules[function.__name__]
        folder = self.folder
        if folder and function not in self.entries:
            folder = folder / f"{function.__name__}-{fingerprint([function], self.rules)}"
        reach(function, self.rules)
        return self._bind(function, folder)

    def _bind(self, function: types.FunctionType, folder: pathlib.Path | None
              ) -> Callable[..., Any]:
        key = function, folder is not None
        if key not in self.bound:
            scope = dict(function.__globals__)
            for name, value in globals_used(function, self.rules).items():
                if is_rule(value):
                    value = self._bind(value, self.folder if value in self.entries else None)
                scope[name] = value
            copy = types.FunctionType(function.__code__, scope, function.__name__,
                                      function.__defaults__)
            copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
            copy.__doc__ = function.__doc__
            copy.__dict__.update(function.__dict__)
            self.bound[key] = copy if self.mode is Mode.PYTHON else self._jit(copy, folder)
        return self.bound[key]

    def _jit(self, copy: types.FunctionType, folder: pathlib.Path | None) -> Callable[..., Any]:
        """Entries have a cache folder; inner rules need neither that nor a door from Python."""
        import numba

        options: dict[str, Any] = {"nogil": True, "error_model": "numpy",
                                   "boundscheck": self.mode is Mode.CHECKED,
                                   "no_cfunc_wrapper": True}
        if folder is None:
            # Twice the speed in Kingdom; who checks games waits for nothing but their compiling.
            inline = self.mode is Mode.COMPILED and not getattr(copy, "is_apart", False)
            return widened(numba.njit(copy, no_cpython_wrapper=True, forceinline=inline,
                                      **options))
        with cache_folder(folder):
            return numba.njit(copy, cache=True, **options)

    # Readiness ---------------------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        """Whether the machine code is on disk (or none is needed)."""
        return self.folder is None or (self.folder / "ready").exists()

    def functions(self) -> int:
        """How many functions there are to compile, for a progress bar."""
        seen: dict[types.FunctionType, None] = {}
        for function in self.entries:
            reach(function, self.rules, found=seen)
        return len(seen)

    def prepare(self, exercise: Callable[[], None],
                progress: Callable[[int], None] | None = None) -> None:
        """Compile by calling `exercise`, in one process at a time; others wait and then load."""
        if self.folder is None:
            return
        if not self.is_ready:
            from filelock import FileLock

            self.folder.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self.folder}.lock"):
                if not self.is_ready:
                    with counted_compiles(progress):
                        exercise()
                    (self.folder / "ready").touch()
            self._prune()
        os.utime(self.folder / "ready")

    def _prune(self) -> None:
        """Remove the builds of this game and mode that have not been used for longest."""
        assert self.folder is not None
        stem = self.folder.name.rsplit("-", 1)[0]
        builds = [f for f in self.folder.parent.glob(f"{stem}-*") if (f / "ready").exists()]
        builds.sort(key=last_used, reverse=True)
        for old in builds[KEPT_BUILDS:]:
            shutil.rmtree(old, ignore_errors=True)
            pathlib.Path(f"{old}.lock").unlink(missing_ok=True)


def widened(dispatcher: Any) -> Any:
    """Have a rule compiled once for all whole numbers, as 64 bits wide.

    Numba compiles a function anew for each combination of argument types, and constants, enums
    and narrow fields are all types of their own.
    """
    compile_as_given = dispatcher.compile
    dispatcher.compile = lambda signature: compile_as_given(tuple(map(widest, signature)))
    return dispatcher


def widest(kind: Any) -> Any:
    """The type a rule is compiled for where Numba meets an argument of this one."""
    import numba.core.types

    kinds: Any = numba.core.types
    kind = kinds.unliteral(kind)
    if isinstance(kind, kinds.IntEnumMember):
        return kinds.int64
    is_narrow = isinstance(kind, kinds.Integer) and kind is not kinds.uint64
    return kinds.int64 if is_narrow else kind


@contextlib.contextmanager
def cache_folder(folder: pathlib.Path) -> Iterator[None]:
    """Numba reads its cache folder when a function is decorated."""
    import numba

    folder.mkdir(parents=True, exist_ok=True)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def last_used(folder: pathlib.Path) -> float:
    try:
        return (folder / "ready").stat().st_mtime
    except FileNotFoundError:  # another process has just pruned it
        return time.time()


@contextlib.contextmanager
def counted_compiles(progress: Callable[[int], None] | None) -> Iterator[None]:
    """Tell `progress` after each function that Numba has compiled."""
    if progress is None:
        yield
        return
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            assert progress is not None
            progress(1)

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
