"""Which piece lies where: pages of fronts, each followed by its page of backs.

The grid stands in the middle of a portrait page, so when the sheet is turned over its long edge a
front at column x has its back at the mirrored column. All lengths are millimetres.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exchequer.core.errors import InputError
from exchequer.printing.pieces import Deck, Face, Piece

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN = 4.6  # what most printers cannot reach, and room for crop marks
BLEEDS = (3.0, 2.0, 1.5, 1.0)  # the widest with which a page holds as many pieces as with the least


@dataclass(frozen=True)
class Grid:
    """Rows and columns of one deck's pieces on a page."""

    paper: tuple[float, float]
    width: float  # of a piece as it lies: a wide board is turned
    height: float
    columns: int
    rows: int
    bleed: float
    turned: bool

    @property
    def per_page(self) -> int:
        return self.columns * self.rows

    def corner(self, place: int, mirrored: bool = False) -> tuple[float, float]:
        """The upper left corner of a place, counted in rows from the upper left."""
        row, column = divmod(place, self.columns)
        if mirrored:
            column = self.columns - 1 - column
        return (self._first(0, self.columns) + column * (self.width + 2 * self.bleed),
                self._first(1, self.rows) + row * (self.height + 2 * self.bleed))

    def _first(self, axis: int, count: int) -> float:
        size = (self.width, self.height)[axis]
        return (self.paper[axis] - count * size - 2 * (count - 1) * self.bleed) / 2


def paper_size(name: str) -> tuple[float, float]:
    if name not in PAPERS:
        raise InputError(f'There is no paper "{name}"; there are {" and ".join(PAPERS)}.')
    return PAPERS[name]


def fitting(room: float, size: float, bleed: float) -> int:
    """How many pieces with their bleed fit beside each other."""
    return int((room - 2 * MARGIN + 1e-6) // (size + 2 * bleed))


def grid_for(deck: Deck, paper: tuple[float, float]) -> Grid:
    turned = deck.width > paper[0] - 2 * MARGIN
    width, height = (deck.height, deck.width) if turned else (deck.width, deck.height)
    bleeds = (0.0,) if deck.shape == "board" else BLEEDS

    def counts(bleed: float) -> tuple[int, int]:
        return fitting(paper[0], width, bleed), fitting(paper[1], height, bleed)

    columns, rows = counts(bleeds[-1])
    if not columns * rows:
        raise InputError(f"{deck.title}: {deck.width:g} x {deck.height:g} mm do not fit on paper "
                         f"of {paper[0]:g} x {paper[1]:g} mm.")
    bleed = next(wide for wide in bleeds if counts(wide) == (columns, rows))
    return Grid(paper, width, height, columns, rows, bleed, turned)


def pages(decks: Sequence[Deck], paper: tuple[float, float], backs: bool) -> list[dict[str, Any]]:
    """The pages as plain data for `impose.typ`."""
    result = []
    for deck in decks:
        grid, each = grid_for(deck, paper), deck.each()
        for first in range(0, len(each), grid.per_page):
            together = each[first:first + grid.per_page]
            result.append(page(deck, grid, together, "front"))
            if backs:
                result.append(page(deck, grid, together, "back"))
    return result


def page(deck: Deck, grid: Grid, pieces: Sequence[Piece], side: str) -> dict[str, Any]:
    return {"deck": deck.id, "title": deck.title, "side": side, "shape": deck.shape,
            "width": deck.width, "height": deck.height, "turned": grid.turned,
            "bleed": grid.bleed, "cells": list(cells(grid, pieces, side)),
            "cuts": cuts(grid, len(pieces), side)}


def cells(grid: Grid, pieces: Sequence[Piece], side: str) -> Iterator[dict[str, Any]]:
    for place, piece in enumerate(pieces):
        face = piece.front if side == "front" else piece.back
        if face is not None:
            x, y = grid.corner(place, mirrored=side == "back")
            yield {"x": x, "y": y, "id": piece.id, **said(face)}


def said(face: Face) -> dict[str, Any]:
    return {"face": face.name, "data": dict(face.data)}


def cuts(grid: Grid, count: int, side: str) -> dict[str, list[float]]:
    """Where to cut: the edges of every column and row in use."""
    corners = [grid.corner(place, side == "back") for place in range(count)]
    return {"x": sorted({x + edge for x, _ in corners for edge in (0, grid.width)}),
            "y": sorted({y + edge for _, y in corners for edge in (0, grid.height)})}
