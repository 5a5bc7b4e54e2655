"""The rulebook as HTML, filled with the numbers of the variant in play.

In a rulebook a number stands before the key that changes it: 10 (`start_gold`). Where the variant
changes the key, its own number is written there and marked.
"""

import functools
import re
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from exchequer.core.content import Content
from exchequer.core.game import Game

PARAGRAPH = re.compile(r"<p><strong>([A-Z]\w*-R?\d+[a-z]?)\b")
CITED = re.compile(r"\b([A-Z]\w*-R?\d+[a-z]?)\b(?![^<]*>)")
NUMBER = re.compile(r"([\d,]+|half|twice|one|two|three)(\s*)\((<code>([a-z_0-9.]+)</code>)\)")


def rulebook(game: Game, content: Content | None = None) -> Markup:
    """The whole book; paragraphs have their number as id."""
    changed = content.overlay.get("rules", {}) if content else {}
    return Markup(filled(book_html(game), changed))


@functools.cache
def book_html(game: Game) -> str:
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(game.rulebook)
    html = PARAGRAPH.sub(r'<p id="\1"><strong>\1', html)
    numbers = set(game.paragraphs)
    return CITED.sub(lambda found: link(found[1]) if found[1] in numbers else found[1], html)


def link(number: str) -> str:
    return f'<a href="#{number}">{number}</a>'


def filled(html: str, changed: dict[str, Any]) -> str:
    """Numbers that the variant changes stand where the rulebook's own stood."""
    def number(found: re.Match[str]) -> str:
        key = found[4]
        if key not in changed:
            return found[0]
        return (f'<mark title="{escape(found[1])} in the rulebook">{escape(changed[key])}</mark>'
                f"{found[2]}({found[3]})")

    return NUMBER.sub(number, html) if changed else html


def differences(game: Game, content: Content) -> list[dict[str, str]]:
    """What the variant changes, key by key, with the sentence that explains it."""
    about, normal = game.text.get("about", {}), game.text["rules"]
    return [{"key": key, "value": said(value), "normal": said(normal.get(key, "")),
             "about": about.get(key, "")}
            for key, value in content.overlay.get("rules", {}).items()]


def said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
