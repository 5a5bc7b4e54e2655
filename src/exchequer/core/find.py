"""Games are found by name, by path or by entry point: a folder that holds a rulebook is a game.

A name is looked up among the games that ship, in the folders of EXCHEQUER_GAMES (each a game, or a
folder of games) and in installed packages with the entry point `exchequer.games`. A path is a game
wherever it lies. Whatever is opened by its path is remembered in EXCHEQUER_GAMES, so that the
processes that compile, draw or play for this one find it, too.
"""

import difflib
import functools
import importlib
import importlib.metadata
import importlib.util
import os
import pathlib
import sys
import threading
import types
import zlib
from collections.abc import Callable, Iterator

from exchequer.core.errors import (
    BrokenGame,
    InputError,
    imports_named,
    located,
    place_of,
    sentence,
)
from exchequer.core.game import OUTSIDE, Game

VARIABLE = "EXCHEQUER_GAMES"
BOOK = "rulebook.md"
importing = threading.RLock()  # nobody finds a game that is half read again
SHIPPED = pathlib.Path(__file__).parents[1] / "games"


Wanted = str | os.PathLike[str] | Game  # a name, the path of a folder, or the game itself


class NoSuchGame(InputError):
    """A name that no game bears, or a folder that holds none."""


def game_names() -> tuple[str, ...]:
    """`kingdom`, `treasury/v17`, ...; nothing is imported to find them."""
    return tuple(sorted({*shipped_names(), *folders(), *entry_points()}))


@functools.cache
def shipped_names() -> tuple[str, ...]:
    return tuple(sorted(book.parent.relative_to(SHIPPED).as_posix()
                        for book in SHIPPED.rglob(BOOK)))


def folders() -> dict[str, pathlib.Path]:
    """The games in the folders of EXCHEQUER_GAMES by their names; of two alike, the first."""
    places = os.environ.get(VARIABLE, "").split(os.pathsep)
    return {folder.name: folder for place in reversed(places)
            if place for folder in games_below(pathlib.Path(place))}


def games_below(place: pathlib.Path) -> Iterator[pathlib.Path]:
    if (place / BOOK).is_file():
        yield place.resolve()
    elif place.is_dir():
        yield from sorted(inner.resolve() for inner in place.iterdir()
                          if (inner / BOOK).is_file())


@functools.cache
def entry_points() -> dict[str, importlib.metadata.EntryPoint]:
    """Installed packages that bring games."""
    return {point.name: point for point in importlib.metadata.entry_points(group="exchequer.games")}


def find_game(wanted: Wanted) -> Game:
    """A game by its name, by the path of its folder, or the game itself."""
    if isinstance(wanted, Game):
        return wanted
    name = os.fspath(wanted)
    if name in shipped_names():
        return imported(name, "exchequer.games." + name.replace("/", "."))
    if name in folders():
        return game_in(folders()[name])
    if name in entry_points():
        return imported(name, entry_points()[name].value.partition(":")[0])
    if is_path(name):
        return opened(pathlib.Path(name))
    close = difflib.get_close_matches(name, game_names(), 1, 0.4)
    hint = f'Did you mean "{close[0]}"?' if close else f"There are: {', '.join(game_names())}."
    raise NoSuchGame(f'There is no game "{name}". {hint} A game of your own is named by the path '
                     "of its folder.")


def address_of(game: Game) -> str:
    """What `find_game` takes anywhere on this machine: a name, or the path of one's own folder."""
    return str(game.folder) if game.package.startswith(OUTSIDE) else game.name


def all_games() -> list[Game]:
    """Every game that can be imported; `broken_games` has the others."""
    found = []
    for name in game_names():
        try:
            found.append(find_game(name))
        except BrokenGame:
            continue
    return found


def broken_games() -> dict[str, str]:
    """The games that cannot be imported, with a sentence for each."""
    broken = {}
    for name in game_names():
        try:
            find_game(name)
        except BrokenGame as error:
            broken[name] = str(error)
    return broken


def folders_of(game: Game) -> list[pathlib.Path]:
    """Where a game's look lies: its folder, and those above it that editions of one game share."""
    return [game.folder, *(above for above in game.folder.parents if SHIPPED in above.parents)]


def blamed(error: BaseException) -> str:
    """A failure that began in the folder of a game of one's own, as a sentence; or nothing."""
    for folder in folders().values():
        if place_of(error, folder):
            return sentence(f"{folder.name}: {located(error, folder)}")
    return ""


# Folders of one's own ----------------------------------------------------------------------------

def is_path(name: str) -> bool:
    return name.startswith(".") or os.path.isabs(name) or pathlib.Path(name).is_dir()


def opened(folder: pathlib.Path) -> Game:
    """The game in a folder; other processes find it by its name from now on."""
    folder = folder.resolve()
    remember(folder)
    return game_in(folder)


def remember(folder: pathlib.Path) -> None:
    """Have a folder found by its name, here and in the processes that this one starts."""
    if not folder.is_dir():
        raise NoSuchGame(f"{folder}: there is no such folder.")
    if not (folder / BOOK).is_file():
        raise NoSuchGame(f"{folder} holds no game: there is no {BOOK} in it.")
    if folder.name in shipped_names() or folder.name in entry_points():
        raise NoSuchGame(f'There is a game "{folder.name}" already; give the folder another name.')
    if folders().get(folder.name) != folder:
        known = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = os.pathsep.join(filter(None, (str(folder), known)))


def package_of(folder: pathlib.Path) -> str:
    return f"{OUTSIDE}.{folder.name}_{zlib.crc32(str(folder).encode()):08x}"


def reopened(folder: pathlib.Path, check: Callable[[Game], None]) -> Game:
    """Read a folder's game anew. If it cannot be, or `check` objects, the old one stays."""
    folder = folder.resolve()
    package = package_of(folder)
    with importing:
        kept = forget(package)
        importlib.invalidate_caches()
        try:
            game = game_in(folder)
            check(game)
        except BaseException:
            forget(package)
            sys.modules.update(kept)
            raise
        return game


def game_in(folder: pathlib.Path) -> Game:
    """Import a folder as a package of its own, wherever it lies."""
    if not folder.name.isidentifier():
        raise NoSuchGame(f'"{folder.name}" cannot be the name of a game: letters, digits and _ '
                         "make one.")
    with importing:
        return the_game(folder.name, package_in(folder))


def package_in(folder: pathlib.Path) -> types.ModuleType:
    package = package_of(folder)
    if package not in sys.modules:
        sys.modules.setdefault(OUTSIDE, types.ModuleType(OUTSIDE)).__path__ = []
        spec = importlib.util.spec_from_file_location(
            package, folder / "__init__.py", submodule_search_locations=[str(folder)])
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[package] = module
        try:
            with imports_named(folder.name, folder):
                spec.loader.exec_module(module)
        except BaseException:
            forget(package)
            raise
    return sys.modules[package]


def forget(package: str) -> dict[str, types.ModuleType]:
    """Drop a package and its modules, so that they are read again; returns them."""
    names = [name for name in list(sys.modules)  # a copy: other threads import, too
             if name == package or name.startswith(f"{package}.")]
    return {name: sys.modules.pop(name) for name in names}


def imported(name: str, package: str) -> Game:
    shipped = SHIPPED / name if name in shipped_names() else None
    with imports_named(name, shipped):
        module = importlib.import_module(package)
    return the_game(name, module)


def the_game(name: str, module: types.ModuleType) -> Game:
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise BrokenGame(f"{name}: __init__.py has no GAME = Game(...).")
    return game
