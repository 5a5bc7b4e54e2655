"""Options that several commands share, and what they ask for."""

import pathlib
from typing import Annotated, Any

import typer

from exchequer.core.errors import InputError

GameName = Annotated[str, typer.Argument(help="A game, such as kingdom; see `exchequer games`.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Variant = Annotated[str | None, typer.Option(help="A variant: its name, or a TOML file.")]
Set = Annotated[list[str] | None, typer.Option(
    "--set", help="Change one key of the content, such as turn_limit=20. Repeatable.")]
Out = Annotated[pathlib.Path | None, typer.Option(
    help="Where to write. Default: the game's name, in the current folder.")]


def chosen(name: str, variant: str | None, pairs: list[str] | None) -> tuple[Any, Any]:
    """The game and its content, as the options ask."""
    from exchequer.core.content import settings
    from exchequer.core.find import find_game

    game = find_game(name)
    return game, game.variant(variant, settings(pairs or []))


def need(module: str, extra: str) -> None:
    """If an extra is missing, say which one to install."""
    import importlib.util

    if importlib.util.find_spec(module) is None:
        raise InputError(f"This needs {module}: pip install 'exchequer[{extra}]'.")
