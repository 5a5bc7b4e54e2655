"""Machine code on disk, found by the code it was made from.

Numba finds it by the path and the date of a source file: another clone or installation of the same
rules compiles everything again, while the build says that it is ready. A build's folder is named by
all code that can be reached, so the folder is all that has to be asked for.
"""

import functools
import pathlib
import pickle
import sys
from types import CodeType, FunctionType
from typing import Any

import numba
from numba.core import caching


def compiled_into(folder: pathlib.Path, function: FunctionType, **options: Any) -> Any:
    """The function compiled when it is first called, kept in this folder."""
    dispatcher = numba.njit(function, **options)
    dispatcher._cache = Stored(folder, function)
    return dispatcher


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

    def __init__(self, folder: pathlib.Path, function: FunctionType) -> None:
        code = function.__code__
        self._lineno, self._locator = code.co_firstlineno, Place(folder, code)
        self._filename_base = self.get_filename_base(
            f"{pathlib.Path(code.co_filename).stem}.{function.__qualname__}", sys.abiflags)


class Stored(caching.FunctionCache):
    """The machine code of a function; what cannot be read is compiled again.

    A folder is named by code, not by the types of arguments: after a class was renamed, what is
    stored names one that is gone.
    """

    def __init__(self, folder: pathlib.Path, function: FunctionType) -> None:
        self._impl_class = functools.partial(Kept, folder)
        super().__init__(function)

    def load_overload(self, signature: Any, target: Any) -> Any:
        try:
            return super().load_overload(signature, target)
        except (AttributeError, ImportError, EOFError, pickle.UnpicklingError):
            self.flush()
            return None
