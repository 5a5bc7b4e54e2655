"""Files that are whole or not there, and TOML files whose mistakes are told in a sentence."""

import contextlib
import errno
import pathlib
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from exchequer.core.errors import InputError

HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
ASSIGNMENT = re.compile(r"\s*([\w.\"'-]+)\s*=")


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A path beside `path` to write to; once it is complete, it replaces `path`."""
    part = path.with_name(path.name + ".part")
    try:
        yield part
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_whole(path: pathlib.Path, data: bytes) -> None:
    """Write all of it or nothing: a full disk or a kill leaves the old file as it was."""
    with replacing(path) as part:
        part.write_bytes(data)


@contextlib.contextmanager
def os_errors_as_sentences(go_on: str) -> Iterator[None]:
    """A full or read-only disk becomes a sentence; what has been written is kept."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InputError(f"The disk is full ({error.filename or 'while writing'}). What has "
                             f"been played is kept; free some space and {go_on}.") from None
        raise InputError(f"{error.filename}: {error.strerror}.") from None


def read_toml(path: pathlib.Path, refused: Callable[[str], InputError]) -> dict[str, Any]:
    """What the file holds; `refused` makes the caller's own error of a sentence."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise refused("there is no such file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise refused(f"cannot be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise refused(f"is not valid TOML: {error}.") from None


def line_of_key(text: str, key: str) -> int:
    """The line of a TOML text in which a dotted key is set; 0 where it is not."""
    table: list[str] = []
    wanted = key.split(".")
    for number, line in enumerate(text.splitlines(), 1):
        if found := HEADER.match(line):
            table = parts(found[1])
            if table == wanted:
                return number
        elif found := ASSIGNMENT.match(line):
            path = [*table, *parts(found[1])]
            rest = wanted[len(path):]
            if wanted[:len(path)] == path and all(
                    re.search(rf"\b{re.escape(part)}\b", line) for part in rest):
                return number
    return 0


def parts(key: str) -> list[str]:
    return [part.strip().strip("\"'") for part in key.split(".")]
