"""Pieces: what a game's `pieces.py` says there is to print, in plain data.

    pieces(content) -> list of Deck
    PICTURES    which pieces the rulebook shows: paragraph -> ids
    EXAMPLE     the first moves of a game that the rulebook tells: seats, seed, moves
    NEEDED      what players need besides, a line each (may be left out)

A face is a function of the game's `print.typ` and what it writes. Sizes are millimetres.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Shape = Literal["card", "square", "round", "board"]  # how it is cut; a board has a page of its own


@dataclass(frozen=True)
class Face:
    """One side: the name of a face in `print.typ`, and the data it shows."""

    name: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Piece:
    id: str
    name: str
    copies: int  # 0: this variant does without it
    front: Face
    back: Face | None = None


@dataclass(frozen=True)
class Deck:
    """Any set of pieces of one size: cards, squares, tokens, boards."""

    id: str
    title: str
    width: float
    height: float
    shape: Shape
    pieces: Sequence[Piece]

    @property
    def copies(self) -> int:
        return sum(piece.copies for piece in self.pieces)

    def each(self) -> list[Piece]:
        """Every copy, in order."""
        return [piece for piece in self.pieces for _ in range(piece.copies)]


def alike(key: str, name: str, copies: int, face: Face) -> Piece:
    """A piece that shows the same on both sides."""
    return Piece(key, name, copies, face, face)
