"""The table's own templates, and a game's drawings beside its board."""

import functools
import time
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from exchequer.core.game import Game
from exchequer.table import boards


@functools.cache
def environment() -> Environment:
    found = Environment(loader=PackageLoader("exchequer.table"), autoescape=True, trim_blocks=True,
                        lstrip_blocks=True, undefined=StrictUndefined)
    found.globals["sprite"] = sprite
    found.filters["ago"] = ago
    return found


def render(template: str, **values: Any) -> Markup:
    return Markup(environment().get_template(template).render(**values))


def ago(then: float) -> str:
    """`3 minutes ago`."""
    passed = max(0, int(time.time() - then))
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if passed >= size:
            number = passed // size
            return f"{number} {unit}{'s' if number > 1 else ''} ago"
    return "just now"


def has_board(game: Game) -> bool:
    """A game that has no board yet is shown as plain data, so it can be played from the first."""
    return (game.folder / "table.html").exists()


@functools.cache
def sprite(game: Game) -> Markup:
    return boards.sprite(game) if has_board(game) else Markup("")


@functools.cache
def picture(game: Game) -> Markup:
    if (game.folder / "picture.svg").exists():
        return boards.picture(game)
    return render("plain_picture.svg", title=game.title)
