"""Runs Typst on one job: plain data in, PDF or PNG out, errors as sentences.

Typst may read only this package; the drawings of a game that lies elsewhere are laid beside copies
of our own templates for the time of one job. `kit.typ` finds the job in `sys.inputs`. Only the
compiler's own fonts are used, so that a page looks the same everywhere.
"""

import contextlib
import json
import pathlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import typst

from exchequer.core.errors import InputError
from exchequer.core.find import folders_of
from exchequer.core.game import Game

PACKAGE = pathlib.Path(__file__).parents[1]
DRAWINGS = (".typ", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".csv", ".json", ".toml")


class CannotSet(InputError):
    """A mistake in a design; Typst says where."""


class DoesNotFit(InputError):
    """Text that does not fit its box even at the smallest size."""


def icon_files(game: Game) -> dict[str, str]:
    """Every icon by name; an edition's own take precedence over shared ones."""
    return {path.stem: typst_path(game, path) for folder in reversed(folders_of(game))
            for path in sorted((folder / "icons").glob("*.svg"))}


def typst_path(game: Game, path: pathlib.Path) -> str:
    """A file as Typst names it, below the root of the job."""
    if path.is_relative_to(PACKAGE):
        return f"/{path.relative_to(PACKAGE).as_posix()}"
    return f"/game/{path.relative_to(game.folder).as_posix()}"


@contextlib.contextmanager
def root_of(game: Game) -> Iterator[pathlib.Path]:
    """What Typst may read."""
    if game.folder.is_relative_to(PACKAGE):
        yield PACKAGE
        return
    with tempfile.TemporaryDirectory(prefix="exchequer-") as name:
        root = pathlib.Path(name)
        shutil.copytree(PACKAGE / "printing", root / "printing", ignore=all_but_drawings)
        shutil.copytree(game.folder, root / "game", ignore=all_but_drawings)
        yield root


def all_but_drawings(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name.startswith((".", "__"))
            or not (name.endswith(DRAWINGS) or (pathlib.Path(folder) / name).is_dir())]


def design_of(game: Game) -> str:
    """The game's own faces, or plain cards."""
    own = game.folder / "print.typ"
    return typst_path(game, own) if own.exists() else "/printing/cards.typ"


def typeset(game: Game, template: str, job: dict[str, Any], ppi: float | None = None) -> bytes:
    """A PDF, or with `ppi` the picture of a single page."""
    main: Any = (f'#import "/printing/{template}.typ": {template}\n'
                 f'#import "{design_of(game)}": faces\n'
                 f"#{template}(faces)\n").encode()
    inputs = {"job": json.dumps({"title": game.title, "icons": icon_files(game), **job})}
    try:
        with root_of(game) as root:
            return typst.compile(main, root=str(root), sys_inputs=inputs,
                                 ignore_system_fonts=True, format="png" if ppi else "pdf",
                                 ppi=ppi)
    except typst.TypstError as error:
        raise refused(game, error) from None


def refused(game: Game, error: typst.TypstError) -> InputError:
    found = re.search(r'does-not-fit: (.*?)"?$', error.message)
    if found:
        return DoesNotFit(f"{game.title}: {found.group(1)}")
    return CannotSet(f"{game.title}: print.typ cannot be typeset.\n{error.diagnostic.rstrip()}")
