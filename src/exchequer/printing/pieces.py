"""What there is to print, and which of it has changed since another content."""

from dataclasses import replace

from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.pieces import Deck, Piece


def decks_of(game: Game, content: Content) -> list[Deck]:
    """The decks of the game's `pieces.py`, without pieces this content has no copies of."""
    for name in ("pieces.py", "print.typ"):
        if not (game.folder / name).exists():
            raise InputError(f"{game.title} has no {name} in its folder, so there is nothing to "
                             "print; docs/print.md explains how to write one.")
    decks = [replace(deck, pieces=[piece for piece in deck.pieces if piece.copies])
             for deck in game.module("pieces").pieces(content)]
    return [deck for deck in decks if deck.pieces]


def changed(decks: list[Deck], before: list[Deck]) -> list[Deck]:
    """Only what has to be printed: all copies of changed pieces, otherwise the extra copies."""
    old = {(deck.id, piece.id): piece for deck in before for piece in deck.pieces}
    result = []
    for deck in decks:
        again = [reprinted(piece, old.get((deck.id, piece.id))) for piece in deck.pieces]
        result.append(replace(deck, pieces=[piece for piece in again if piece.copies]))
    return [deck for deck in result if deck.pieces]


def reprinted(piece: Piece, old: Piece | None) -> Piece:
    if old is None or (piece.front, piece.back) != (old.front, old.back):
        return piece
    return replace(piece, copies=max(0, piece.copies - old.copies))
