"""Records: a game's whole state is one of these, and so is its content.

A record is copied with one memcpy, hashed and saved as bytes, and the same rule functions read
it as plain Python, compiled for the CPU and compiled for a GPU.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from exchequer.core.errors import InputError

NOBODY = -1  # the actor of a game that is over

F = TypeVar("F", bound=Callable[..., Any])


def rule(function: F) -> F:
    """Mark a function that `core.build` may compile. It stays plain Python until then."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


def apart(function: F) -> F:
    """Mark a long rule that is called from many places: compiled once instead of inlined."""
    function.is_apart = True  # type: ignore[attr-defined]
    return rule(function)


def whole(function: F) -> F:
    """Mark a loop in which nanoseconds count: it is compiled with rules that others call."""
    function.is_whole = True  # type: ignore[attr-defined]
    return rule(function)


class Record(np.record):  # type: ignore[misc]  # the stubs say nobody may
    """np.record with `s.gold` three times as fast, which also every call of machine code needs."""

    __getattribute__ = np.void.__getattribute__  # np.record's own is written in Python

    def __getattr__(self, name: str) -> Any:
        try:
            found = np.void.__getitem__(self, name)
        except (ValueError, KeyError):
            raise AttributeError(f"{name!r} is no field of this record") from None
        return found if found.dtype.names is None else found.view((Record, found.dtype))


class Glance:
    """A record that is read again and again, and changed by nobody else meanwhile: each field is
    fetched once.
    """

    def __init__(self, seen: Any) -> None:
        self.__dict__["seen"] = seen

    def __getattr__(self, name: str) -> Any:
        if name == "seen" or name.startswith("__"):  # a copy that is only being made
            raise AttributeError(name)
        self.__dict__[name] = found = getattr(self.seen, name)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__.pop(name, None)
        setattr(self.seen, name, value)

    def __getitem__(self, name: str) -> Any:
        return self.seen[name]


def struct(**fields: Any) -> np.dtype:
    """A record type to nest in another, from name=type or name=(type, shape).

    Gaps that alignment leaves become fields too: NumPy does not copy what has no name, and then
    equal states would not be equal bytes.
    """
    for name in fields:
        if hasattr(np.record, name):
            raise InputError(f"`{name}` cannot be a field: all NumPy records have something of "
                             "that name. Call it otherwise.")
    spec: list[Any] = [(name, *kind) if isinstance(kind, tuple) else (name, kind)
                       for name, kind in fields.items()]
    aligned = np.dtype(spec, align=True)
    filled: list[Any] = []
    end = 0
    for entry in [*spec, None]:
        start = aligned.fields[entry[0]][1] if entry else aligned.itemsize  # type: ignore[index]
        if start > end:
            filled.append((f"gap{end}", "u1", start - end))
        if entry:
            filled.append(entry)
            end = start + aligned.fields[entry[0]][0].itemsize  # type: ignore[index]
    return np.dtype(filled, align=True)


def record(**fields: Any) -> np.dtype:
    """The outermost record type: Record gives `s.gold` in plain Python too.

    What is nested must be a plain struct, or Numba refuses the alignment of the whole.
    """
    return np.dtype((Record, struct(**fields)))


def blank(kind: np.dtype) -> Any:
    """One zeroed record that can be changed in place."""
    return np.zeros(1, kind)[0]
