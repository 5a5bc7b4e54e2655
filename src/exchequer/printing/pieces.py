"""What there is to print: a game's `pieces.py` says it in plain data, this makes nouns of it.

    def pieces(content) -> list of decks:
        {"id": "cards", "title": "Cards", "width": 63, "height": 88, "shape": "card", "pieces": [
            {"id": "tanner", "name": "Tanner", "copies": 1,
             "front": ("card", {...}), "back": ("age", {...})}]}

A front or back names a face of the game's `print.typ` and what is written on it. Sizes are in
millimetres. A deck is any set of pieces of one size: cards, squares, tokens, boards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from exchequer.core.content import Content
from exchequer.core.game import Game

SHAPES = ("card", "square", "round", "board")  # how it is cut, and what it is on a virtual table


@dataclass(frozen=True)
class Face:
    """One side: a face of `print.typ` and the plain data it shows."""

    name: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Piece:
    id: str
    name: str
    copies: int
    front: Face
    back: Face | None


@dataclass(frozen=True)
class Deck:
    id: str
    title: str
    width: float
    height: float
    shape: str
    pieces: tuple[Piece, ...]

    @property
    def copies(self) -> int:
        return sum(piece.copies for piece in self.pieces)

    def each(self) -> list[Piece]:
        """Every copy, in order."""
        return [piece for piece in self.pieces for _ in range(piece.copies)]


def decks_of(game: Game, content: Content) -> list[Deck]:
    return [deck_from(said) for said in game.module("pieces").pieces(content)]


def deck_from(said: Mapping[str, Any]) -> Deck:
    if said["shape"] not in SHAPES:
        raise ValueError(f"{said['id']}: shape {said['shape']!r} is none of {', '.join(SHAPES)}")
    return Deck(said["id"], said["title"], said["width"], said["height"], said["shape"],
                tuple(piece_from(piece) for piece in said["pieces"] if piece["copies"]))


def piece_from(said: Mapping[str, Any]) -> Piece:
    back = Face(*said["back"]) if said.get("back") else None
    return Piece(said["id"], said["name"], said["copies"], Face(*said["front"]), back)


def changed(decks: list[Deck], before: list[Deck]) -> list[Deck]:
    """Only what has to be printed again: new faces whole, more of the same by the difference."""
    old = {(deck.id, piece.id): piece for deck in before for piece in deck.pieces}
    result = []
    for deck in decks:
        pieces = [again for piece in deck.pieces
                  if (again := reprinted(piece, old.get((deck.id, piece.id)))).copies]
        if pieces:
            result.append(replace(deck, pieces=tuple(pieces)))
    return result


def reprinted(piece: Piece, old: Piece | None) -> Piece:
    if old is None or (piece.front, piece.back) != (old.front, old.back):
        return piece
    return replace(piece, copies=max(0, piece.copies - old.copies))
