"""What there is to print, and which of it has changed since another content."""

from dataclasses import replace
from typing import Any

from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.pieces import Deck, Face, Piece
from exchequer.core.reflection import face, table_of
from exchequer.core.sentences import spoken

CARD = (63.0, 88.0)  # the usual size


def decks_of(game: Game, content: Content) -> list[Deck]:
    """What the game's `pieces.py` says, or a card for every entry of the content; without pieces
    this content has no copies of."""
    if game.has_module("pieces") and not (game.folder / "print.typ").exists():
        raise InputError(f"{game.title} has pieces.py but no print.typ in its folder, which draws "
                         "them; docs/print.md explains how to write one.")
    decks = game.module("pieces").pieces(content) if game.has_module("pieces") else \
        [default_deck(game, content, table) for table in game.schema.tables
         if "name" in game.schema.tables[table].fields]
    decks = [replace(deck, pieces=[piece for piece in deck.pieces if piece.copies])
             for deck in decks]
    if not decks:
        raise InputError(f"{game.title} has no pieces.py in its folder, and nothing in its content "
                         "has a name, so there is nothing to print; see docs/print.md.")
    return [deck for deck in decks if deck.pieces]


def said_by_pieces(game: Game, name: str, otherwise: Any) -> Any:
    """PICTURES, EXAMPLE or NEEDED of the game's `pieces.py`."""
    return getattr(game.module("pieces"), name, otherwise) if game.has_module("pieces") \
        else otherwise


def default_deck(game: Game, content: Content, table: str) -> Deck:
    """A card for each entry: its name, its text, its numbers."""
    pieces = []
    for number, key in enumerate(content.words[table]):
        view = face(content, table, key)
        numbers = [f"{label}: {value}" for label, value in view["facts"]]
        pieces.append(Piece(key, view["name"], copies_of(game, content, table, number), Face(
            "card", {"name": view["name"], "text": view["text"], "numbers": numbers}),
            Face("back", {"title": game.title})))
    return Deck(table, spoken(table), *CARD, "card", pieces)


def copies_of(game: Game, content: Content, table: str, number: int) -> int:
    """As many as are in play where the content says which card is which, else one."""
    c = content.record
    if "kind_of" not in c.dtype.names or table_of(game, int(c.kind_of.max()) + 1) != table:
        return 1
    in_play = c.kind_of[: c.deck] if "deck" in c.dtype.names else c.kind_of
    return int((in_play == number).sum())


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
