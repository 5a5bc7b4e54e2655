"""Machine code on disk, found by the code it was made from.

Numba finds it by the path and the date of a source file: another clone or installation of the same
rules compiles everything again, while the build says that it is ready. A build's folder is named by
all code that can be reached, so the folder is all that has to be asked for.
"""

import functools
import hashlib
import importlib.util
import pathlib
import pickle
import sys
from types import CodeType, FunctionType
from typing import Any

import numba
from numba.core import caching
from numba.np import linalg

from exchequer.core.linking import EntryCompiler, exported_by

Named = dict[str, Any]  # entries by their symbols


def compiled_into(folder: pathlib.Path, function: FunctionType, symbol: str, named: Named,
                  **options: Any) -> Any:
    """The function compiled when it is first called, kept in this folder.

    Its symbol is the same in every process, so that what another has compiled can call it. Those
    it calls itself are found in `named`.
    """
    function.symbol = symbol  # type: ignore[attr-defined]
    dispatcher = numba.njit(function, pipeline_class=EntryCompiler, **options)
    dispatcher._cache = Stored(folder, function, named)
    return dispatcher


def symbol_of(place: pathlib.PurePath, function: FunctionType) -> str:
    """Names a function with all it reaches, as its place among the builds does."""
    code = function.__code__
    names = place.as_posix(), function.__module__, function.__qualname__, code.co_firstlineno
    return hashlib.sha256(repr(names).encode()).hexdigest()[:16]


def look_for_scipy() -> None:
    if importlib.util.find_spec("scipy") is None:
        raise ImportError("scipy")


def load_array_rules() -> None:
    """Numba's own functions on arrays import SciPy's linear algebra to see whether it is there. It
    is looked for instead, and imported when somebody uses it.
    """
    if "numba.np.arraymath" in sys.modules:
        return
    as_given, linalg.ensure_blas = linalg.ensure_blas, look_for_scipy
    try:
        arrays = importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = as_given
    arrays.ensure_blas = as_given  # type: ignore[attr-defined]


load_array_rules()


class Place(caching._CacheLocator):
    """A function's place in a build's folder, by the package and line it comes from."""

    def __init__(self, folder: pathlib.Path, code: CodeType) -> None:
        self.folder = folder / pathlib.Path(code.co_filename).parent.name
        self.line = code.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self.folder)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self.line)


class Kept(caching.CompileResultCacheImpl):
    """How a function is written down: as Numba does it, without looking for its source file."""

    def __init__(self, folder: pathlib.Path, named: Named, function: FunctionType) -> None:
        self.named, self.symbol = named, function.symbol  # type: ignore[attr-defined]
        code = function.__code__
        self._lineno, self._locator = code.co_firstlineno, Place(folder, code)
        self._filename_base = self.get_filename_base(
            f"{pathlib.Path(code.co_filename).stem}.{function.__qualname__}", sys.abiflags)

    def reduce(self, cres: Any) -> Any:
        """Before the rest: the entries it calls, and the names of its own functions."""
        needs = [library.known_as for library in cres.library.needs]
        return needs, exported_by(cres.library), super().reduce(cres)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """What it calls is in memory before it is itself: LLVM ends the process otherwise."""
        needs, symbols, rest = payload
        for symbol, signature in needs:
            self.named[symbol].compile(signature)
        target_context.codegen()._engine._defined_symbols |= symbols
        cres = super().rebuild(target_context, rest)
        cres.library.known_as = self.symbol, cres.signature.args
        return cres


class Stored(caching.FunctionCache):
    """The machine code of a function; what cannot be read is compiled again.

    A folder is named by code, not by the types of arguments: after a class was renamed, what is
    stored names one that is gone.
    """

    def __init__(self, folder: pathlib.Path, function: FunctionType, named: Named) -> None:
        self._impl_class = functools.partial(Kept, folder, named)
        super().__init__(function)

    def load_overload(self, signature: Any, target: Any) -> Any:
        try:
            return super().load_overload(signature, target)
        except (AttributeError, ImportError, EOFError, KeyError, pickle.UnpicklingError):
            self.flush()
            return None
