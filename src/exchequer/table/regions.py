"""Regions: the parts of a page that change by themselves, so that only these are sent."""

import hashlib
import re
from dataclasses import dataclass

TAG = re.compile(r"<section\b[^>]*>|</section>")
NAME = re.compile(r'data-region="([^"]*)"')


@dataclass(frozen=True)
class Board:
    """A board's HTML taken apart: what is around its regions, and each of these."""

    whole: str
    frame: str  # the HTML with every region empty
    parts: dict[str, str]


def take_apart(html: str) -> Board:
    """Find the outermost `<section data-region>` elements."""
    parts: dict[str, str] = {}
    frame: list[str] = []
    depth, begin, end, name, inner = 0, 0, 0, "", 0
    for tag in TAG.finditer(html):
        if tag.group().startswith("</"):
            depth -= 1
            if name and depth == inner:
                parts[name], end, name = html[begin:tag.end()], tag.end(), ""
            continue
        found = NAME.search(tag.group())
        if not name and found:
            name, begin, inner = found[1], tag.start(), depth
            frame += [html[end:begin], f'<section data-region="{name}"></section>']
        depth += 1
    frame.append(html[end:])
    return Board(html, "".join(frame), parts)


def short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def changed_regions(old: dict[str, str], board: Board, others: dict[str, str]
                    ) -> tuple[dict[str, str], dict[str, str]]:
    """What has to be sent to somebody who has `old` (name to hash), and what they have then.

    `board` is the whole board for somebody who has none; `frame` is what is around its regions,
    into which they put those they have.
    """
    now = {name: short_hash(html) for name, html in (board.parts | others).items()}
    now["frame"] = short_hash(board.frame)
    changed = {name: html for name, html in others.items() if old.get(name) != now[name]}
    if "frame" not in old:
        return {"board": board.whole, **changed}, now
    if old["frame"] != now["frame"]:
        changed["frame"] = board.frame
    changed |= {name: html for name, html in board.parts.items() if old.get(name) != now[name]}
    return changed, now
