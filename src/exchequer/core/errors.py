"""What people give that cannot be used."""

import pathlib
import traceback


class InputError(ValueError):
    """A sentence that names the offending value and says what would be right.

    The command line prints it, the table shows it; neither shows a traceback.
    """


class RuleError(InputError, TypeError):
    """A rule that cannot be bound or fails; the sentence says where."""


def place_of(error: BaseException, folder: pathlib.Path) -> str:
    """`rules.py:80: `, the innermost line of the folder that took part; or nothing."""
    file, line = getattr(error, "filename", None), getattr(error, "lineno", None)  # of the syntax
    if isinstance(file, str) and line and pathlib.Path(file).is_relative_to(folder):
        return f"{pathlib.Path(file).name}:{line}: "
    own = [frame for frame in traceback.extract_tb(error.__traceback__)
           if pathlib.Path(frame.filename).is_relative_to(folder)]
    return f"{pathlib.Path(own[-1].filename).name}:{own[-1].lineno}: " if own else ""
