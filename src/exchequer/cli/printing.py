"""The commands `print` and `content`: paper, pictures for a virtual table, spreadsheets."""

import pathlib
import time

import tomli_w
from rich.console import Console

from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.game import Game
from exchequer.core.progress import bar
from exchequer.core.rulebook import changes

BASE = "base"  # the game's own content, where a variant is expected


def print_pieces(game: Game, content: Content, paper: str, since: str | None, backs: bool,
                 out: pathlib.Path | None) -> None:
    from exchequer.printing.press import print_and_play, unshown

    begun = time.perf_counter()
    before = None if since is None else earlier(game, since)
    pdf, decks = print_and_play(game, content, paper, backs, before)
    path = out or named(game, ".pdf")
    write(path, pdf)
    held = ", ".join(f"{deck.copies} {deck.title.lower()}" for deck in decks)
    say(f"{path}: {held}; {time.perf_counter() - begun:.1f} s.")
    for key in unshown(game, content):
        say(f"{key} has changed, but no piece shows it: is the text still right?")


def earlier(game: Game, since: str) -> Content:
    """The content that was printed before."""
    return game.variant(None if since == BASE else since)


def print_rulebook(game: Game, content: Content, paper: str, keys: bool,
                   out: pathlib.Path | None) -> None:
    from exchequer.printing.rulebook import rulebook_pdf

    path = out or named(game, "-rulebook.pdf")
    write(path, rulebook_pdf(game, content, paper, keys))
    say(f"{path}: {'pages to learn from and ' if game.learn else ''}the rulebook.")


def print_sheets(game: Game, content: Content, url: str, out: pathlib.Path | None) -> None:
    from exchequer.printing.pieces import decks_of
    from exchequer.printing.tabletop import sheets_of, write_sheets

    folder = out or named(game, "-tabletop")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; --sheets needs a folder.")
    with bar(f"drawing {game.name}", len(sheets_of(decks_of(game, content)))) as advance:
        *pictures, saved = write_sheets(game, content, folder, url, advance)
    say(f"{folder}: {len(pictures)} pictures and {saved.name}. Put {saved.name} into Tabletop "
        "Simulator's folder Saves/Saved Objects"
        + ("" if url else "; leave the pictures where they are, or use --url") + ".")


def export_csv(game: Game, content: Content, out: pathlib.Path | None) -> None:
    from exchequer.printing.spreadsheet import content_csv

    path, text = out or named(game, ".csv"), content_csv(game, content)
    write(path, text.encode("utf-8-sig"))  # with a byte order mark, for Excel
    say(f"{path}: {text.count(chr(10)) - 1} rows.")


def import_csv(game: Game, file: pathlib.Path, out: pathlib.Path | None) -> None:
    from exchequer.printing.spreadsheet import read_variant

    content = read_variant(game, file)
    path, count = out or file.with_suffix(".toml"), len(changes(game, content))
    head = f"# {game.title}: what {file.name} changes.\n\n"
    write(path, (head + tomli_w.dumps(content.overlay)).encode())
    say(f"{path}: {count} changed {'value' if count == 1 else 'values'}. Try it: exchequer play "
        f"{game.name} --variant {path}")


def named(game: Game, ending: str) -> pathlib.Path:
    return pathlib.Path(game.name.replace("/", "-") + ending)


def write(path: pathlib.Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def say(text: str) -> None:
    Console(soft_wrap=True).print(text, highlight=False, markup=False)
