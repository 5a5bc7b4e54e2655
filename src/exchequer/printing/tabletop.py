"""Card sheets and a saved object for Tabletop Simulator.

A sheet is a grid of at most 10 x 7 faces whose last cell shows what others see of a card in hand;
card n of deck d has the id 100 d + n. Cards of one back share a sheet. Boards are tiles.
"""

import hashlib
import json
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.printing.paper import said
from exchequer.printing.pieces import Deck, Face, Piece, decks_of
from exchequer.printing.typeset import typeset

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_PIXELS = 4096  # a side; larger textures are scaled down by the engine
BEST_PPI = 300  # no picture needs to be sharper than print
MM_PER_INCH = 25.4
CARD_TYPES = {"card": 0, "square": 1, "round": 4}  # rounded rectangle, rectangle, circle
CARD_WIDTH = 63  # a card of this width has scale 1
APART = 3.0  # between objects on the table


@dataclass(frozen=True)
class Sheet:
    """One picture of faces, and the picture of their back."""

    name: str
    deck: Deck
    pieces: tuple[Piece, ...]
    columns: int
    rows: int
    back: Face | None

    @property
    def ppi(self) -> float:
        """As sharp as the largest side allows."""
        long = max(self.columns * self.deck.width, self.rows * self.deck.height)
        return min(BEST_PPI, (MOST_PIXELS - 1) * MM_PER_INCH / long)


def sheets_of(decks: Sequence[Deck]) -> list[Sheet]:
    result = []
    for deck in decks:
        most = 1 if deck.shape == "board" else MOST_COLUMNS * MOST_ROWS - 1
        for back, group in by_back(deck):
            for first in range(0, len(group), most):
                pieces = tuple(group[first:first + most])
                grid = (1, 1) if deck.shape == "board" else best_grid(deck, len(pieces) + 1)
                result.append(Sheet(f"{deck.id}-{len(result) + 1}", deck, pieces, *grid, back))
    return result


def by_back(deck: Deck) -> list[tuple[Face | None, list[Piece]]]:
    """Pieces with the same back, in order."""
    groups: list[tuple[Face | None, list[Piece]]] = []
    for piece in deck.pieces:
        group = next((members for back, members in groups if back == piece.back), None)
        if group is None:
            groups.append((piece.back, [piece]))
        else:
            group.append(piece)
    return groups


def best_grid(deck: Deck, count: int) -> tuple[int, int]:
    """Columns and rows that leave each face the most pixels; at least two of each, as the
    importer's sliders begin there."""
    grids = [(columns, rows) for columns in range(2, MOST_COLUMNS + 1)
             for rows in range(2, MOST_ROWS + 1) if columns * rows >= count]
    return min(grids, key=lambda grid: (max(grid[0] * deck.width, grid[1] * deck.height),
                                        grid[0] * grid[1]))


# Pictures ----------------------------------------------------------------------------------------

def write_sheets(game: Game, content: Content, folder: pathlib.Path, url: str = "",
                 progress: Callable[[int], None] | None = None) -> list[pathlib.Path]:
    """Pictures and saved object in a folder; `url` is where the pictures will be found."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets = sheets_of(decks_of(game, content))
    written = []
    for sheet in sheets:
        for side in sides(sheet):
            path = folder / picture_name(sheet, side)
            path.write_bytes(picture(game, sheet, side))
            written.append(path)
        if progress:
            progress(1)
    base = url.rstrip("/") if url else folder.resolve().as_uri()
    saved = folder / f"{game.name.replace('/', '-')}.json"
    saved.write_text(json.dumps(saved_object(game, sheets, base), indent=2) + "\n",
                     encoding="utf-8")
    return [*written, saved]


def sides(sheet: Sheet) -> list[str]:
    """A board is a tile with one picture; everything else has a back, if only a blank one."""
    return ["front"] if sheet.deck.shape == "board" else ["front", "back"]


def picture_name(sheet: Sheet, side: str) -> str:
    return f"{sheet.name}-{side}.png"


def picture(game: Game, sheet: Sheet, side: str) -> bytes:
    columns, rows = (sheet.columns, sheet.rows) if side == "front" else (1, 1)
    cells = front_cells(sheet) if side == "front" else back_cells(sheet)
    job = {"sheets": [{"width": sheet.deck.width, "height": sheet.deck.height,
                       "columns": columns, "rows": rows, "cells": cells}]}
    return typeset(game, "sheet", job, ppi=sheet.ppi)


def front_cells(sheet: Sheet) -> list[dict[str, Any] | None]:
    """All faces; the last cell is the back, which is what others see of a hidden card."""
    faces = [{"id": piece.id, **said(piece.front)} for piece in sheet.pieces]
    empty = [None] * (sheet.columns * sheet.rows - len(faces) - 1)
    return [*faces, *empty, *back_cells(sheet)]


def back_cells(sheet: Sheet) -> list[dict[str, Any]]:
    return [{"id": sheet.name, **said(sheet.back)}] if sheet.back else []


# The saved object --------------------------------------------------------------------------------

def saved_object(game: Game, sheets: Sequence[Sheet], base: str) -> dict[str, Any]:
    """A save file that holds only the objects, as the Saved Objects folder wants it."""
    objects = []
    for deck_id, sheet in enumerate(sheets, 1):
        x = (deck_id - 1) % 8 * APART - 10
        z = (deck_id - 1) // 8 * APART * 2
        make = tile if sheet.deck.shape == "board" else pile
        objects.append(make(sheet, deck_id, base, placed(sheet, x, z)))
    return {"SaveName": game.title, "GameMode": "", "Gravity": 0.5, "PlayArea": 0.5, "Date": "",
            "Table": "", "Sky": "", "Note": "", "Rules": "", "XmlUI": "", "LuaScript": "",
            "LuaScriptState": "", "ObjectStates": objects, "TabStates": {}, "VersionNumber": ""}


def placed(sheet: Sheet, x: float, z: float) -> dict[str, float]:
    scale = round(sheet.deck.width / CARD_WIDTH, 3)
    return {"posX": x, "posY": 1.0, "posZ": z, "rotX": 0.0, "rotY": 180.0,
            "rotZ": 0.0 if sheet.deck.shape == "board" else 180.0,
            "scaleX": scale, "scaleY": 1.0, "scaleZ": scale}


def pile(sheet: Sheet, deck_id: int, base: str, place: dict[str, float]) -> dict[str, Any]:
    """All copies of a sheet's pieces: a deck, or a card where there is only one."""
    custom = {str(deck_id): custom_deck(sheet, base)}
    cards = [thing("Card", piece.name, place, f"{sheet.name} {piece.id} {copy}") | {
        "CardID": 100 * deck_id + index, "SidewaysCard": False, "CustomDeck": custom}
        for index, piece in enumerate(sheet.pieces) for copy in range(piece.copies)]
    if len(cards) == 1:
        return cards[0] | {"Name": "CardCustom"}
    return thing("DeckCustom", sheet_title(sheet), place, sheet.name) | {
        "SidewaysCard": False, "HideWhenFaceDown": True,
        "DeckIDs": [card["CardID"] for card in cards], "CustomDeck": custom,
        "ContainedObjects": cards}


def custom_deck(sheet: Sheet, base: str) -> dict[str, Any]:
    return {"FaceURL": f"{base}/{picture_name(sheet, 'front')}",
            "BackURL": f"{base}/{picture_name(sheet, 'back')}",
            "NumWidth": sheet.columns, "NumHeight": sheet.rows, "BackIsHidden": True,
            "UniqueBack": False, "Type": CARD_TYPES[sheet.deck.shape]}


def tile(sheet: Sheet, deck_id: int, base: str, place: dict[str, float]) -> dict[str, Any]:
    image = f"{base}/{picture_name(sheet, 'front')}"
    return thing("Custom_Tile", sheet.pieces[0].name, place, sheet.name) | {"CustomImage": {
        "ImageURL": image, "ImageSecondaryURL": image, "ImageScalar": 1.0, "WidthScale": 0.0,
        "CustomTile": {"Type": 0, "Thickness": 0.1, "Stackable": False, "Stretch": True}}}


def thing(name: str, nickname: str, place: dict[str, float], key: str) -> dict[str, Any]:
    """What every object has. Its GUID follows from its place, so that a file can be compared."""
    return {"GUID": hashlib.sha256(key.encode()).hexdigest()[:6], "Name": name,
            "Nickname": nickname, "Description": "", "GMNotes": "", "Transform": place,
            "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0}, "Locked": False, "Grid": True,
            "Snap": True, "IgnoreFoW": False, "Autoraise": True, "Sticky": True, "Tooltip": True,
            "GridProjection": False, "Hands": name.startswith("Card"), "XmlUI": "",
            "LuaScript": "", "LuaScriptState": ""}


def sheet_title(sheet: Sheet) -> str:
    label = sheet.back.data.get("label", "") if sheet.back else ""
    return f"{sheet.deck.title} {label}".strip()

