"""`exchequer content`: a game's numbers and cards as a spreadsheet."""

import pathlib
from typing import Annotated

import typer

from exchequer.cli.options import GameName, Out, Set, Variant, chosen, need

content = typer.Typer(no_args_is_help=True, rich_markup_mode="rich",
                      help="Export numbers and cards as a spreadsheet, or import one.")


@content.command("export")
def content_export(game: GameName, variant: Variant = None, set_: Set = None,
                   out: Out = None) -> None:
    """Write all numbers and cards to a spreadsheet.

    Example:  exchequer content export treasury/v17 --out cards.csv
    """
    need("typst", "print")
    from exchequer.cli.printing import export_csv

    export_csv(*chosen(game, variant, set_), out)


@content.command("import")
def content_import(game: GameName,
                   file: Annotated[pathlib.Path, typer.Argument(help="A spreadsheet as CSV.")],
                   out: Out = None) -> None:
    """Make a variant from a spreadsheet; errors name the row and column.

    Example:  exchequer content import treasury/v17 cards.csv --out mine.toml
    """
    from exchequer.cli.printing import import_csv
    from exchequer.core.find import find_game

    import_csv(find_game(game), file, out)
