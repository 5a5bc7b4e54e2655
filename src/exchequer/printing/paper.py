"""Which piece goes where: pages of fronts, each followed by its page of backs.

A deck is laid out in blocks of rows. A block is centred on a portrait page, so when the sheet is
flipped on its long edge, the back of a front in column x is in the mirrored column. A deck that
fits below others shares their page. All lengths are in millimetres.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from exchequer.core.errors import InputError
from exchequer.core.pieces import Deck, Face, Piece

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN = 4.6  # what most printers cannot reach, and space for crop marks
GAP = 8.0  # between blocks on one page, for the crop marks of both
BLEEDS = (3.0, 2.0, 1.5, 1.0)  # the widest that does not cost a page any pieces is used


@dataclass(frozen=True)
class Grid:
    """Rows and columns of one deck's pieces on a page."""

    page_width: float
    width: float  # of a piece on the page: a wide board is turned
    height: float
    columns: int
    rows: int
    bleed: float
    turned: bool

    @property
    def row_height(self) -> float:
        return self.height + 2 * self.bleed

    def corner(self, place: int, top: float, mirrored: bool = False) -> tuple[float, float]:
        """The upper left corner of a place, counted row by row from the top left of a block."""
        row, column = divmod(place, self.columns)
        if mirrored:
            column = self.columns - 1 - column
        step = self.width + 2 * self.bleed
        first = (self.page_width - self.columns * step) / 2 + self.bleed
        return first + column * step, top + self.bleed + row * self.row_height


@dataclass(frozen=True)
class Block:
    """Some rows of a deck on a page; `top` is where its bleed begins."""

    deck: Deck
    grid: Grid
    pieces: tuple[Piece, ...]
    top: float

    @property
    def height(self) -> float:
        return -(-len(self.pieces) // self.grid.columns) * self.grid.row_height


def paper_size(name: str) -> tuple[float, float]:
    if name.lower() not in PAPERS:
        raise InputError(f'There is no paper size "{name}"; there are {" and ".join(PAPERS)}.')
    return PAPERS[name.lower()]


def fitting(room: float, size: float, bleed: float) -> int:
    """How many pieces with their bleed fit side by side."""
    return int((room - 2 * MARGIN + 1e-6) // (size + 2 * bleed))


def grid_for(deck: Deck, paper: tuple[float, float]) -> Grid:
    turned = deck.width > paper[0] - 2 * MARGIN
    width, height = (deck.height, deck.width) if turned else (deck.width, deck.height)
    bleeds = (0.0,) if deck.shape == "board" else BLEEDS

    def counts(bleed: float) -> tuple[int, int]:
        return fitting(paper[0], width, bleed), fitting(paper[1], height, bleed)

    columns, rows = counts(bleeds[-1])
    if not columns * rows:
        raise InputError(f"{deck.title}: {deck.width:g} x {deck.height:g} mm does not fit on paper "
                         f"of {paper[0]:g} x {paper[1]:g} mm.")
    bleed = next(wide for wide in bleeds if counts(wide) == (columns, rows))
    return Grid(paper[0], width, height, columns, rows, bleed, turned)


# Pages -------------------------------------------------------------------------------------------

def pages(decks: Sequence[Deck], paper: tuple[float, float], backs: bool) -> list[dict[str, Any]]:
    """The pages as plain data for `impose.typ`."""
    sides = ("front", "back") if backs else ("front",)
    return [{"side": side, "blocks": [page_block(block, side) for block in centred(blocks, paper)]}
            for blocks in laid_out(decks, paper) for side in sides]


def laid_out(decks: Sequence[Deck], paper: tuple[float, float]) -> list[list[Block]]:
    """Blocks page by page from the top margin; a deck joins a page with enough space."""
    result: list[list[Block]] = []
    for deck in decks:
        grid, each = grid_for(deck, paper), tuple(deck.each())
        below = [Block(deck, grid, each, lowest(blocks) + GAP) for blocks in result]
        shared = next((number for number, block in enumerate(below)
                       if lowest([block]) <= paper[1] - MARGIN
                       and "board" not in (deck.shape, result[number][0].deck.shape)), None)
        if shared is not None:
            result[shared].append(below[shared])
            continue
        most = grid.columns * grid.rows
        result += [[Block(deck, grid, each[first:first + most], MARGIN)]
                   for first in range(0, len(each), most)]
    return result


def lowest(blocks: Sequence[Block]) -> float:
    return blocks[-1].top + blocks[-1].height


def centred(blocks: Sequence[Block], paper: tuple[float, float]) -> list[Block]:
    down = (paper[1] - MARGIN - lowest(blocks)) / 2
    return [replace(block, top=block.top + down) for block in blocks]


def page_block(block: Block, side: str) -> dict[str, Any]:
    deck, grid = block.deck, block.grid
    return {"deck": deck.id, "title": deck.title, "shape": deck.shape, "width": deck.width,
            "height": deck.height, "turned": grid.turned, "bleed": grid.bleed,
            "cells": list(cells(block, side)), "cuts": cuts(block, side)}


def cells(block: Block, side: str) -> Iterator[dict[str, Any]]:
    for place, piece in enumerate(block.pieces):
        face = piece.front if side == "front" else piece.back
        if face is not None:
            x, y = block.grid.corner(place, block.top, mirrored=side == "back")
            yield {"x": x, "y": y, "id": piece.id, **face_data(face)}


def face_data(face: Face) -> dict[str, Any]:
    return {"face": face.name, "data": dict(face.data)}


def cuts(block: Block, side: str) -> dict[str, list[float]]:
    """Where to cut: the edges of every column and row in use."""
    corners = [block.grid.corner(place, block.top, side == "back")
               for place in range(len(block.pieces))]
    return {"x": sorted({x + edge for x, _ in corners for edge in (0, block.grid.width)}),
            "y": sorted({y + edge for _, y in corners for edge in (0, block.grid.height)})}
