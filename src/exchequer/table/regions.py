"""Regions: the parts of a page that change by themselves, so that only these are sent."""

import hashlib
import re
from dataclasses import dataclass

TAG = re.compile(r"<section\b[^>]*>|</section>")
NAME = re.compile(r'data-region="([^"]*)"')


EMPTY = '<section data-region="{}"></section>'  # where a region stands in a frame
PLACE = re.compile(EMPTY.format('([^"]*)'))


@dataclass(frozen=True)
class Board:
    """A board's HTML taken apart: what is around its regions, and each of these."""

    frame: str  # the HTML with every region empty
    parts: dict[str, str]
    hashes: dict[str, str]  # of the parts and of the frame, by name

    @property
    def whole(self) -> str:
        return PLACE.sub(lambda place: self.parts[place[1]], self.frame)


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
            frame += [html[end:begin], EMPTY.format(name)]
        depth += 1
    frame.append(html[end:])
    around = "".join(frame)
    return Board(around, parts, hashes_of({**parts, "frame": around}))


def short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def hashes_of(regions: dict[str, str]) -> dict[str, str]:
    return {name: short_hash(html) for name, html in regions.items()}


def changed_regions(old: dict[str, str], now: dict[str, str], board: Board, others: dict[str, str]
                    ) -> dict[str, str]:
    """What has to be sent to somebody who has `old` and should have `now` (name to hash).

    `board` is the whole board for somebody who has none; `frame` is what is around its regions,
    into which they put those they have.
    """
    changed = {name: html for name, html in others.items() if old.get(name) != now[name]}
    if "frame" not in old:
        return {"board": board.whole, **changed}
    if old["frame"] != now["frame"]:
        changed["frame"] = board.frame
    return changed | {name: html for name, html in board.parts.items()
                      if old.get(name) != now[name]}
