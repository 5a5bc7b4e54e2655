"""Binding: copies of loops and rules with other functions and values in the place of their globals.

Loops are written on the contract; a `Binding` says that a game's own rules stand in its place, and
what else is replaced: a loop's default by a game's own rule, a log entry by a count on a GPU, a
`Placeholder` by a number. CPU, GPU and lab all make their copies here and differ only in what
they compile them with.
"""

import collections
import dis
import enum
import functools
import hashlib
import pathlib
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from exchequer.core.contract import CONTRACT, PARTS
from exchequer.core.errors import RuleError

Rules = Mapping[str, types.FunctionType]  # a game's own, by the contract's names
Instead = Mapping[Any, Any]  # rules and placeholders, and what stands in their place
Calls = dict[types.FunctionType, list[types.FunctionType]]


class Placeholder:
    """A global of a loop for a value that every binding gives; see `gpu.kernels`."""

    def __init__(self, meaning: str) -> None:
        self.meaning = meaning

    def __repr__(self) -> str:
        return f"a placeholder for {self.meaning}"


def is_function(value: Any) -> bool:
    return isinstance(value, types.FunctionType)


def is_replaceable(value: Any) -> bool:
    return isinstance(value, (types.FunctionType, Placeholder))


class Binding:
    """What stands in the place of what, for one game."""

    def __init__(self, rules: Rules, instead: Instead | None = None) -> None:
        self.rules, self.extra = rules, dict(instead or {})
        contract = CONTRACT | PARTS
        self.instead = {contract[name]: function for name, function in rules.items()} | self.extra
        self._changes: dict[types.FunctionType, bool] = {}

    def replaced(self, value: Any) -> Any:
        """What stands in the place of a function or a placeholder; all else is itself."""
        return self.instead.get(value, value) if is_replaceable(value) else value

    def uses(self, function: types.FunctionType) -> dict[str, Any]:
        """The globals of a function by their names, as they are bound."""
        return {name: self.replaced(value) for name, value in globals_of(function).items()}

    def reach(self, *functions: Any) -> Calls:
        """Every rule that is called, with those it calls, each as often as it does; called first.

        Recursion is refused: a GPU has none.
        """
        found: Calls = {}
        for function in functions:
            self._walk(function, (), found)
        return found

    def _walk(self, function: types.FunctionType, path: tuple[types.FunctionType, ...],
              found: Calls) -> None:
        if function in path:
            circle = " -> ".join(f.__name__ for f in (*path[path.index(function):], function))
            raise RuleError(f"{line_of(function)}: rules may not call themselves: {circle}. Put a "
                            "step on the agenda.")
        if function in found:
            return
        if not getattr(function, "is_rule", False):
            raise RuleError(f"{function.__module__}.{function.__name__} is called by a rule "
                            f"({path[-1].__name__ if path else 'none'}) but is not marked @rule.")
        uses, loaded = self.uses(function), names_loaded(function.__code__)
        calls = [uses[name] for name in loaded.elements() if is_function(uses.get(name))]
        for called in dict.fromkeys(calls):
            self._walk(called, (*path, function), found)
        found[function] = calls

    def changes(self, function: types.FunctionType) -> bool:
        """Whether a function comes out differently because of what `instead` adds."""
        if function not in self._changes:
            self._changes[function] = any(
                value in self.extra or (is_function(value) and self.changes(self.replaced(value)))
                for value in globals_of(function).values() if is_replaceable(value))
        return self._changes[function]

    def copy(self, function: types.FunctionType, bound: Callable[[Any], Any]
             ) -> types.FunctionType:
        """The function with its globals bound; `bound` makes of each what the copy shall meet."""
        scope = {name: bound(value) for name, value in self.uses(function).items()}
        copy = types.FunctionType(function.__code__, {**function.__globals__, **scope},
                                  function.__name__, function.__defaults__)
        copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
        copy.__doc__ = function.__doc__
        copy.__dict__.update(function.__dict__)
        return copy

    def fingerprint(self, functions: Iterable[types.FunctionType], *more: Any) -> str:
        """Names a build: all reachable code and constants, the Numba version, and `more`."""
        import numba

        digest = hashlib.sha256(repr((numba.__version__, sys.version_info[:2], more)).encode())
        for function in self.reach(*functions):
            code = function.__code__
            digest.update(f"{function.__module__}.{function.__qualname__}".encode())
            digest.update(code.co_code + repr((code.co_names, code.co_varnames)).encode())
            how = (function.__defaults__, getattr(function, "is_apart", False),
                   getattr(function, "is_whole", False))
            digest.update((constants_of(code, function.__doc__) + repr(how)).encode())
            for name, value in self.uses(function).items():
                digest.update(f"{name}={described(value)}".encode())
        return digest.hexdigest()[:16]


def line_of(function: types.FunctionType) -> str:
    """`rules.py:80`"""
    return f"{pathlib.Path(function.__code__.co_filename).name}:{function.__code__.co_firstlineno}"


# What a function uses --------------------------------------------------------------------------

@functools.cache
def names_loaded(code: types.CodeType) -> collections.Counter[str]:
    """The global names that a piece of code loads, and how often; attributes do not count."""
    found = collections.Counter(instruction.argval for instruction in dis.get_instructions(code)
                                if instruction.opname == "LOAD_GLOBAL")
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found += names_loaded(inner)
    return found


def globals_of(function: types.FunctionType) -> dict[str, Any]:
    """The globals a function uses as they are written, sorted by name."""
    scope = function.__globals__
    return {name: scope[name] for name in sorted(names_loaded(function.__code__)) if name in scope}


def described(value: Any) -> str:
    """A text that changes when a constant a rule uses changes, or which rule a name stands for."""
    if is_function(value):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return f"{value.__name__}{[(m.name, m.value) for m in value]}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, (types.ModuleType, types.BuiltinFunctionType, type)):
        return value.__name__
    if isinstance(value, (int, float, str, tuple, np.generic, np.dtype)):
        return repr(value)
    raise RuleError(f"a rule uses {value!r}; only rules, enums, numbers, tuples, arrays and "
                    "record types have a place among its globals.")


def constants_of(code: types.CodeType, doc: str | None) -> str:
    return repr([constants_of(c, None) + c.co_code.hex() if isinstance(c, types.CodeType) else c
                 for c in code.co_consts if c != doc])
