"""Building: rules and loops bound to one game, as plain Python or as machine code.

`bind` copies a function with the game's own rules in the place of the contract's and does the
same with every rule it calls. Compiled, the copy is cached on disk. The cache folder's name is a
fingerprint of all code and constants that can be reached, of the Numba version and of the mode,
so an edit can never meet stale machine code and an edit elsewhere costs nothing.
"""

import contextlib
import enum
import functools
import os
import pathlib
import re
import shutil
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from exchequer.core.binding import Binding, Instead, Rules, is_function
from exchequer.core.contract import SHARED
from exchequer.core.errors import InputError
from exchequer.core.records import apart

KEPT_BUILDS = 4  # of one game and mode; older ones are pruned
MOST_WHOLE = 200  # functions of a loop that is worth compiling with all of the rules in it
MOST_INLINED = 200  # functions of a game whose rules are all inlined; in others LLVM decides
LAYOUT = 5  # of what is kept on disk
READY = "complete"  # a file beside machine code that is all there


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


# Binding ---------------------------------------------------------------------------------------

class Build:
    """One game's rules and loops in one mode. `entries` can be called from Python."""

    def __init__(self, game: str, rules: Rules, entries: list[types.FunctionType], mode: Mode,
                 *layout: Any) -> None:
        self.game, self.entries, self.mode = game, entries, mode
        self.binding = Binding(rules)
        self.shared = {rules[name] for name in SHARED if name in rules}
        self.bound: dict[tuple[Binding, types.FunctionType, bool, bool], Callable[..., Any]] = {}
        # by function, whether it can be called from Python and whether it is a whole; it may be all
        self.named: dict[str, Any] = {}  # entries by the symbol of their machine code
        self.folder: pathlib.Path | None = None
        if mode is not Mode.PYTHON:
            key = self.binding.fingerprint(entries, mode.value, LAYOUT, *layout)
            self.folder = cache_root() / f"{game.replace('/', '-')}-{mode.value}-{key}"

    @functools.cached_property
    def is_inlined(self) -> bool:
        """Whether rules are inlined wherever they are called, unless they are apart.

        Kingdom gains a fifth by it, large games lose. In checked builds compile time is all that
        matters.
        """
        return self.mode is Mode.COMPILED and self.functions() <= MOST_INLINED

    def bind(self, function: types.FunctionType, instead: Instead | None = None
             ) -> Callable[..., Any]:
        """The function for this game. Nothing is compiled before the first call.

        Any loop will do; one that is not among the entries is cached in a folder of its own.
        `instead` replaces further rules; those that reach none of them are shared by all loops.
        """
        binding = self._with(instead)
        function = binding.replaced(function)
        return self._bind(function, binding, self._folder_of(function, binding))

    def _with(self, instead: Instead | None) -> Binding:
        return Binding(self.binding.rules, instead) if instead else self.binding

    def _folder_of(self, function: types.FunctionType, binding: Binding) -> pathlib.Path | None:
        binding.reach(function)
        folder = self.folder
        if folder and (function not in self.entries or binding.changes(function)):
            folder = folder / f"{function.__name__}-{binding.fingerprint([function])}"
        return folder

    def is_stored(self, loop: Any, instead: Instead | None = None) -> bool:
        """Whether the machine code of a loop is on disk (or none is needed)."""
        folder = self._folder_of(loop, self._with(instead))
        return folder is None or any(folder.rglob("*.nbc"))

    def _bind(self, function: types.FunctionType, binding: Binding, folder: pathlib.Path | None,
              whole: bool = False) -> Callable[..., Any]:
        if not binding.changes(function):
            binding = self.binding
        whole = self._is_whole(function, binding, whole)
        key = binding, function, folder is not None, whole
        if key not in self.bound:
            copy = binding.copy(function, lambda value: self._inner(value, binding, whole))
            if function in self.entries:
                apart(copy)  # a second door to it; LLVM may inline it all the same
            self.bound[key] = copy if self.mode is Mode.PYTHON else self._jit(copy, folder)
        return self.bound[key]

    def _is_whole(self, function: types.FunctionType, binding: Binding, whole: bool) -> bool:
        """Whether this is a loop, or part of one, that takes the shared rules into itself."""
        if not whole and not getattr(function, "is_whole", False):
            return False
        reached = binding.reach(function)
        return len(reached) <= MOST_WHOLE and not self.shared.isdisjoint(reached)

    def _inner(self, value: Any, binding: Binding, whole: bool) -> Any:
        """What a copy meets in the place of a global."""
        if not is_function(value):
            return value
        if value not in self.shared or binding.changes(value):
            return self._bind(value, binding, None, whole)
        return self._bind(value, binding, None if whole else self.folder)

    def _jit(self, copy: types.FunctionType, folder: pathlib.Path | None) -> Callable[..., Any]:
        """Entries have a cache folder; inner rules need neither that nor a door from Python."""
        import numba

        from exchequer.core.linking import PartCompiler

        options: dict[str, Any] = {"nogil": True, "error_model": "numpy",
                                   "boundscheck": self.mode is Mode.CHECKED,
                                   "no_cfunc_wrapper": True}
        if folder is None:
            inline = self.is_inlined and not getattr(copy, "is_apart", False)
            return widened(numba.njit(copy, no_cpython_wrapper=True, forceinline=inline,
                                      pipeline_class=PartCompiler, **options))
        from exchequer.core.machine_code import compiled_into, symbol_of

        assert self.folder is not None
        symbol = symbol_of(folder.relative_to(self.folder.parent), copy)
        self.named[symbol] = widened(compiled_into(folder, copy, symbol, self.named, **options))
        return self.named[symbol]

    # Readiness ---------------------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        """Whether the machine code is on disk (or none is needed)."""
        return self.folder is None or (self.folder / READY).exists()

    def functions(self, *loops: types.FunctionType) -> int:
        """How many functions there are to compile, for a progress bar."""
        return len(self.binding.reach(*(loops or self.entries)))

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
                    with counted_compiles(progress), numba_in_a_sentence():
                        exercise()
                    (self.folder / READY).touch()
            self._prune()
        os.utime(self.folder / READY)

    def _prune(self) -> None:
        """Remove the builds of this game and mode that have not been used for longest."""
        assert self.folder is not None
        stem = self.folder.name.rsplit("-", 1)[0]
        builds = [f for f in self.folder.parent.glob(f"{stem}-*") if (f / READY).exists()]
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


class CannotCompile(InputError):
    """A rule that works as plain Python and is no machine code; the sentence says where."""


@contextlib.contextmanager
def numba_in_a_sentence() -> Iterator[None]:
    """Numba's errors run to hundreds of lines; a designer needs the place and the reason."""
    from numba.core.errors import NumbaError

    try:
        yield
    except (NumbaError, NotImplementedError, KeyError) as error:
        raise CannotCompile(compile_sentence(str(error))) from None


def compile_sentence(report: str) -> str:
    """The innermost line of a rule that Numba names, and what it says about it."""
    places = [(file, line) for file, line in re.findall(r'File "([^"\n]+)", line (\d+)', report)
              if "numba" not in file and "<" not in file]
    own = [place for place in places if f"{os.sep}core{os.sep}" not in place[0]] or places
    reasons = [line.strip(" >-") for line in report.splitlines()
               if re.search(r"No implementation|Cannot unify|Unknown attribute|Untyped|undefined|"
                            r"Invalid use|not supported|Unsupported|No match|No type info|"
                            r"cannot determine", line, re.IGNORECASE)]
    where = f"{pathlib.Path(own[-1][0]).name}:{own[-1][1]}: " if own else ""
    reason = re.sub(r"\x1b\[\d*m", "", reasons[0] if reasons else report.strip().splitlines()[0])
    return (f"{where}this cannot be compiled: {reason[:200].rstrip('.:')}. A rule may use numbers, "
            "comparisons, loops and other rules.")


def last_used(folder: pathlib.Path) -> float:
    try:
        return (folder / READY).stat().st_mtime
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
