"""What people look at: a game's board as HTML for one viewer, drawn from that viewer's view.

Whatever is particular to a game lives in its folder: `table.html` is the board, `style.css` how it
looks, `browser.py` says where on it an action is done (`spot`) and what the template wants to have
worked out (`scene`), `words.toml` what is explained; `icons/*.svg` and `picture.svg` are its
drawings. Editions of one game share what lies in the folder above.

In a board an element that can be clicked now carries `data-spot` and `data-moves`, an explained
one `data-tip`, a piece that moves `data-piece`; what changes by itself is a `data-region`.
"""

import base64
import functools
import itertools
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from exchequer.core import reflection
from exchequer.core.content import Content
from exchequer.core.find import folders_of
from exchequer.core.game import Game
from exchequer.table.pieces import BoardTemplates, kept

Moves = Mapping[str, Sequence[int]]  # spot -> the legal actions that are done there
Tips = dict[str, dict[str, str]]  # key -> title and text

STATIC = pathlib.Path(__file__).parent / "static"
PAGE = """<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">
<title>board</title><style>{css}
body{{margin:0;padding:30px}}</style>{sprite}{board}</html>"""
SPOT = re.compile("\x02" + "\x03".join(["([^\x02\x03]*)"] * 4) + "\x02")  # as `spot` writes it
LINK = re.compile(r"\[\[([^|\]]+)\|([^\]]+)\]\]")


def render(game: Game, content: Content, view: Mapping[str, Any], names: Sequence[str],
           moves: Moves) -> Markup:
    """The board as one viewer sees it; `moves` is empty when the viewer is not asked."""
    scene = game.module("browser").scene(view, content) if game.has_module("browser") else {}
    board = templates(game).get_template("table.html")
    html = board.render(view=view, words=content.words, names=names, moves=moves,
                        pieces=pieces_of(content), **scene)
    return Markup(placed(compact(html), moves))


@functools.lru_cache(maxsize=128)
def pieces_of(content: Content) -> dict[bytes, Markup]:
    """What was drawn with these words; see `table.pieces`."""
    return {}


def page(game: Game, content: Content, view: Mapping[str, Any], names: Sequence[str], moves: Moves,
         style_of_page: str = "") -> str:
    """The board as a whole page that needs nothing besides: for pictures of it."""
    sheets = [embedded((STATIC / name).read_text(encoding="utf-8"))
              for name in ("site.css", "board.css", "play.css")]
    return PAGE.format(css="\n".join([*sheets, style(game), style_of_page]), sprite=sprite(game),
                       board=render(game, content, view, names, moves))


def embedded(css: str) -> str:
    """A style sheet with its fonts inside it."""
    def inside(found: re.Match[str]) -> str:
        font = base64.b64encode((STATIC / found[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{font}")'

    return re.sub(r'url\("(fonts/[^"]+)"\)', inside, css)


def spots(game: Game, observed: Any, content: Content, legal: Sequence[int]
          ) -> dict[str, list[int]]:
    """Where on the board the legal actions are done; those of the action bar alone are left out."""
    if not game.has_module("browser"):
        return reflection.spots(game, observed, content, legal)
    spot = game.module("browser").spot
    found: dict[str, list[int]] = {}
    for action in legal:
        if where := spot(observed, content, action):
            found.setdefault(where, []).append(action)
    return found


@functools.lru_cache(maxsize=64)
def tips(game: Game, content: Content) -> Tips:
    """Every icon, keyword and card explained; a text links to the other tips it speaks of."""
    own = getattr(game.module("browser"), "tips", None) if game.has_module("browser") else None
    plain: Mapping[str, tuple[str, str]] = own(content) if own else game.words.tips(content)
    terms = {title: key for key, (title, _) in plain.items()}
    pattern = named_in_text(tuple(terms))
    return {key: {"title": title, "text": linked(text, key, terms, pattern)}
            for key, (title, text) in plain.items()}


def picture(game: Game) -> Markup:
    """The drawing of the game for the lobby."""
    return Markup((game.folder / "picture.svg").read_text(encoding="utf-8").strip())


@functools.cache
def sprite(game: Game) -> Markup:
    """A hidden SVG that holds the game's icons, put into its page once."""
    symbols = "".join(symbol(path) for path in icon_files(game))
    return Markup(f'<svg class="sprite" width="0" height="0" aria-hidden="true">{symbols}</svg>')


def icon_files(game: Game) -> list[pathlib.Path]:
    """A game's icons; an edition's own take precedence over shared ones."""
    found = {path.stem: path for folder in reversed(folders_of(game))
             for path in folder.glob("icons/*.svg")}
    return [found[name] for name in sorted(found)]


def style(game: Game) -> str:
    """The game's own style sheet; what an edition adds comes after what all share."""
    return "".join(path.read_text(encoding="utf-8") for folder in reversed(folders_of(game))
                   if (path := folder / "style.css").exists())


def symbol(path: pathlib.Path) -> str:
    """An icon's file as a symbol of the sprite."""
    head, _, body = path.read_text(encoding="utf-8").strip().partition(">")
    attributes = re.sub(r' xmlns="[^"]*"', "", head.removeprefix("<svg"))
    return f'<symbol id="icon-{path.stem}"{attributes}>{body.removesuffix("</svg>")}</symbol>'


# Links between tips ------------------------------------------------------------------------------

def named_in_text(titles: Sequence[str]) -> re.Pattern[str]:
    """Finds titles in a text, the longest first; a plural counts, too."""
    longest_first = sorted(titles, key=len, reverse=True)
    return re.compile(r"\b(" + "|".join(map(re.escape, longest_first)) + r")s?\b", re.IGNORECASE)


def linked(text: str, key: str, terms: Mapping[str, str], pattern: re.Pattern[str]) -> str:
    """The text with the first mention of every other tip made a link.

    A proper name (`building.mill`) is meant only where it is written as one; a plain keyword
    (`gold`, `icon.food`) anywhere.
    """
    lower = {title.lower(): other for title, other in terms.items()
             if "." not in other.removeprefix("icon.")}
    done = {key, *(link.group(1) for link in LINK.finditer(text))}

    def link(match: re.Match[str]) -> str:
        title = match.group(1)
        other = terms.get(title) or lower.get(title.lower())
        if other is None or other in done:
            return match.group()
        done.add(other)
        return f"[[{other}|{match.group()}]]"

    parts = re.split(r"(\[\[.*?\]\])", text)
    return "".join(part if part.startswith("[[") else pattern.sub(link, part) for part in parts)


# Templates ---------------------------------------------------------------------------------------

@functools.cache
def templates(game: Game) -> Environment:
    environment = BoardTemplates(loader=FileSystemLoader(folders_of(game)), autoescape=True,
                              trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined,
                              auto_reload=False)  # a folder that is read again is another game
    environment.globals |= {"icon": icon, "spot": spot, "kept": kept}
    return environment


@functools.lru_cache(maxsize=4096)
def icon(name: str, label: str = "") -> Markup:
    """An icon of the sprite; without a label it only decorates the words beside it.

    A label is also there to be read, until one knows the icons: where there is room for it.
    """
    said = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    caption = f'<small class="caption" aria-hidden="true">{escape(label)}</small>' if label else ""
    return Markup(f'<svg class="icon" {said}><use href="#icon-{escape(name)}"/></svg>{caption}')


def spot(key: str | bool, label: str, classes: str = "", is_image: bool = False) -> Markup:
    """What templates call: the attributes of one element, which `placed` fills in. Until then it is
    the same whatever the moves are, so that what is around it can be kept. An image has its label
    also when nothing can be done there.
    """
    return Markup(f"\x02{escape(key or '')}\x03{escape(label)}\x03{escape(classes)}\x03"
                  f"{'image' if is_image else ''}\x02")


def placed(html: str, moves: Moves) -> str:
    """A board with its spots: with moves there one is a button that says what it is. Without, it
    has its classes and, while there are moves elsewhere, its place: one can ask why nothing can be
    done there.
    """
    live = {str(escape(key)): " ".join(map(str, here)) for key, here in moves.items() if here}

    def attributes(found: re.Match[str]) -> str:
        key, label, classes, image = found.groups()
        if key in live:
            return (f' class="{classes} live" data-spot="{key}" data-moves="{live[key]}" '
                    f'tabindex="0" role="button" aria-label="{label}"')
        place = f' data-place="{key}"' if key and moves else ""
        named = f' role="img" aria-label="{label}"' if image else ""
        return (f' class="{classes}"' if classes else "") + place + named

    return SPOT.sub(attributes, html)


def compact(html: str) -> str:
    """Without the templates' indentation: boards travel on every move."""
    lines = [line for part in html.split("\n") if (line := part.strip())]
    joined: list[str] = []
    for line, after in itertools.pairwise([*lines, ""]):
        joined.append(line if line[-1] == ">" and after[:1] == "<" else f"{line} ")
    return "".join(joined).rstrip()
