"""The table's own templates, and a game's drawings beside its board."""

import functools
import time
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from exchequer.bots.policies import PERSONAS
from exchequer.core.game import Game
from exchequer.table import boards
from exchequer.table.regions import short_hash

# Of the seats, as in site.css: a picture that is taken elsewhere has no style sheet.
COLOURS = ("#a63a2b", "#2a5c94", "#3d7033", "#7a4a92", "#8a5a00", "#3a6a70")


@functools.cache
def environment() -> Environment:
    found = Environment(loader=PackageLoader("exchequer.table"), autoescape=True, trim_blocks=True,
                        lstrip_blocks=True, undefined=StrictUndefined, auto_reload=False)
    found.globals |= {"sprite": boards.sprite, "style_url": style_url, "colours": COLOURS,
                      "personas": personas, "picture": picture}
    found.filters["ago"] = ago
    return found


def personas(game: Game) -> dict[str, str]:
    """How each level plays this game, in words."""
    own = getattr(game.module("habits"), "PERSONAS", {}) if game.has_module("habits") else {}
    return {level: f"{said} {own.get(level, '')}".strip() for level, said in PERSONAS.items()}


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


@functools.lru_cache(maxsize=128)
def has_board(game: Game) -> bool:
    """A game without a board of its own has the default one, so it can be played from the first."""
    return (game.folder / "table.html").exists()


def style_url(game: Game) -> str:
    """Where the game's style sheet is found, empty when it has none: another text, another URL."""
    found = boards.style(game)
    return f"/style/{game.name}.css?v={short_hash(found)}" if found else ""


@functools.cache
def picture(game: Game) -> Markup:
    if (game.folder / "picture.svg").exists():
        return boards.picture(game)
    return render("plain_picture.svg", title=game.title)
