"""What people give that cannot be used."""

import contextlib
import pathlib
import traceback
from collections.abc import Iterator


class InputError(ValueError):
    """A sentence that names the offending value and says what would be right.

    The command line prints it, the table shows it; neither shows a traceback.
    """


class RuleError(InputError, TypeError):
    """A rule that cannot be bound or fails; the sentence says where."""


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends otherwise."""
    return text if text.endswith(("?", "!", ".")) else f"{text}."


class BrokenGame(InputError):
    """A game that cannot be imported; the sentence says where and why."""


@contextlib.contextmanager
def imports_named(name: str, folder: pathlib.Path | None) -> Iterator[None]:
    """Whatever goes wrong while a game is imported becomes one sentence with file and line."""
    try:
        yield
    except BrokenGame:
        raise
    except Exception as error:
        raise BrokenGame(sentence(f"{name} cannot be imported: {located(error, folder)}")
                         ) from error


def located(error: BaseException, folder: pathlib.Path | None) -> str:
    """`rules.py:80: NameError: ...`: where and what."""
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
    return f"{place_of(error, folder)}{kind}{what}"


def place_of(error: BaseException, folder: pathlib.Path | None) -> str:
    """`rules.py:80: `, the innermost line of the folder that took part; or nothing."""
    file, line = getattr(error, "filename", None), getattr(error, "lineno", None)  # of the syntax
    if isinstance(file, str) and line and is_below(file, folder):
        return f"{pathlib.Path(file).name}:{line}: "
    own = [frame for frame in traceback.extract_tb(error.__traceback__)
           if is_below(frame.filename, folder)]
    return f"{pathlib.Path(own[-1].filename).name}:{own[-1].lineno}: " if own else ""


def is_below(file: str, folder: pathlib.Path | None) -> bool:
    """Whether a file lies in a folder; if that is not known, whether it is any file but this."""
    if folder is None:
        return not file.startswith("<") and file != __file__
    return pathlib.Path(file).is_relative_to(folder)
