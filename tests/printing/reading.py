"""Printed things read back: pages and their words in millimetres, once for each game."""

import functools
import itertools
from dataclasses import dataclass
from typing import Any

import pymupdf

from exchequer.core.find import find_game
from exchequer.printing.paper import pages, paper_size
from exchequer.printing.pieces import decks_of
from exchequer.printing.press import print_and_play

POINT = 25.4 / 72


@dataclass(frozen=True)
class Printed:
    """A PDF, and what its pages should hold."""

    pdf: Any
    decks: list[Any]
    laid: list[dict[str, Any]]
    first: int = 2  # cover and its blank back come before the pieces

    def page(self, number: int) -> Any:
        return self.pdf[self.first + number]

    def words(self, number: int) -> list[tuple[float, float, float, float, str]]:
        return [(*(edge * POINT for edge in word[:4]), word[4])
                for word in self.page(number).get_text("words")]

    def picture(self, number: int, pixels: float, colours: str = "rgb") -> Any:
        """A page with so many pixels to the millimetre."""
        zoom = pymupdf.Matrix(pixels * POINT, pixels * POINT)
        return self.page(number).get_pixmap(matrix=zoom, colorspace=colours)

    def sides(self, side: str) -> list[tuple[int, dict[str, Any]]]:
        return [(number, page) for number, page in enumerate(self.laid) if page["side"] == side]


@functools.cache
def printed(name: str, paper: str = "a4") -> Printed:
    game = find_game(name)
    data, decks = print_and_play(game, game.content(), paper)
    assert [deck.id for deck in decks] == [deck.id for deck in decks_of(game, game.content())]
    return Printed(pymupdf.open(stream=data), decks, pages(decks, paper_size(paper), True))


def cells(page: dict[str, Any]):
    """Every piece of a page with its edges: left, top, right, bottom."""
    for block in page["blocks"]:
        size = (block["width"], block["height"])
        width, height = reversed(size) if block["turned"] else size
        for cell in block["cells"]:
            yield block, cell, (cell["x"], cell["y"], cell["x"] + width, cell["y"] + height)


def inside(word, box, slack=0.25) -> bool:
    return (word[0] >= box[0] - slack and word[1] >= box[1] - slack
            and word[2] <= box[2] + slack and word[3] <= box[3] + slack)


def centre(box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def overlap(one, other) -> float:
    """How much of the smaller of two boxes lies in the other."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))


def collisions(words):
    return [(one[4], other[4]) for one, other in itertools.combinations(words, 2)
            if overlap(one, other) > 0.2]
