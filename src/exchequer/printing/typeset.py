"""Runs Typst on one job: plain data in, PDF or PNG out, errors as sentences.

Typst may read only this package; `kit.typ` finds the job in `sys.inputs`. Only the compiler's own
fonts are used, so that a page looks the same everywhere.
"""

import json
import pathlib
import re
from typing import Any

import typst

from exchequer.core.errors import InputError
from exchequer.core.game import Game

PACKAGE = pathlib.Path(__file__).parents[1]


class CannotSet(InputError):
    """A mistake in a design; Typst says where."""


class DoesNotFit(InputError):
    """Text that does not fit its box even at the smallest size."""


def icon_files(game: Game) -> dict[str, str]:
    """Every icon by name; an edition's own take precedence over shared ones."""
    folders = [game.folder]
    while folders[-1].parent.name != "games":
        folders.append(folders[-1].parent)
    return {path.stem: in_package(path) for folder in reversed(folders)
            for path in sorted((folder / "icons").glob("*.svg"))}


def in_package(path: pathlib.Path) -> str:
    return "/" + path.relative_to(PACKAGE).as_posix()


def typeset(game: Game, template: str, job: dict[str, Any], ppi: float | None = None) -> bytes:
    """A PDF, or with `ppi` the picture of a single page."""
    main: Any = (f'#import "/printing/{template}.typ": {template}\n'
                 f'#import "{in_package(game.folder / "print.typ")}": faces\n'
                 f"#{template}(faces)\n").encode()
    inputs = {"job": json.dumps({"title": game.title, "icons": icon_files(game), **job})}
    try:
        return typst.compile(main, root=str(PACKAGE), sys_inputs=inputs,
                             ignore_system_fonts=True, format="png" if ppi else "pdf", ppi=ppi)
    except typst.TypstError as error:
        raise refused(game, error) from None


def refused(game: Game, error: typst.TypstError) -> InputError:
    found = re.search(r'does-not-fit: (.*?)"?$', error.message)
    if found:
        return DoesNotFit(f"{game.title}: {found.group(1)}")
    return CannotSet(f"{game.title}: print.typ cannot be typeset.\n{error.diagnostic.rstrip()}")
