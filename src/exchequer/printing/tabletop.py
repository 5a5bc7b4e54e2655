"""Card sheets and a saved object for Tabletop Simulator.

A sheet is a grid of at most 10 x 7 faces; its last cell is what others see of a card in hand. Card
n of sheet d has the id 100 d + n. Cards with the same back share a sheet and become a deck; tokens
with the same face on both sides share a sheet, too, and become one pile per kind. Boards are tiles.
"""

import hashlib
import io
import json
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.pieces import Deck, Face, Piece
from exchequer.printing.paper import face_data
from exchequer.printing.pieces import decks_of
from exchequer.printing.typeset import typeset

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_PIXELS = 4096  # per side; larger textures are scaled down by the engine
BEST_PPI = 300  # no sharper than print
MM_PER_INCH = 25.4
CARD_TYPES = {"card": 0, "square": 1, "round": 4}  # rounded rectangle, rectangle, circle
CARD_WIDTH = 63  # a card of this width has scale 1
APART = 3.0  # between objects on the table


@dataclass(frozen=True)
class CardSheet:
    """One picture of faces, and the picture of their back."""

    name: str
    deck: Deck
    pieces: tuple[Piece, ...]
    columns: int
    rows: int
    back: Face | None
    alike: bool  # each piece has its front on both sides

    @property
    def ppi(self) -> float:
        """As high as the largest side allows."""
        long = max(self.columns * self.deck.width, self.rows * self.deck.height)
        return min(BEST_PPI, (MOST_PIXELS - 1) * MM_PER_INCH / long)


def sheets_of(decks: Sequence[Deck]) -> list[CardSheet]:
    result: list[CardSheet] = []
    for deck in decks:
        for group in groups(deck):
            board = deck.shape == "board"
            most = 1 if board else MOST_COLUMNS * MOST_ROWS - 1
            for first in range(0, len(group), most):
                pieces = tuple(group[first:first + most])
                grid = (1, 1) if board else best_grid(deck, len(pieces) + 1)
                result.append(CardSheet(f"{deck.id}-{len(result) + 1}", deck, pieces, *grid,
                                        pieces[0].back, is_alike(pieces[0])))
    return result


def is_alike(piece: Piece) -> bool:
    return piece.front == piece.back


def groups(deck: Deck) -> list[list[Piece]]:
    """Pieces with the same back in order, and all that are alike on both sides."""
    found: list[list[Piece]] = []
    for piece in deck.pieces:
        fits = [group for group in found if group[0].back == piece.back
                or (is_alike(group[0]) and is_alike(piece))]
        if fits:
            fits[0].append(piece)
        else:
            found.append([piece])
    return found


def best_grid(deck: Deck, count: int) -> tuple[int, int]:
    """Columns and rows that leave each face the most pixels; at least two of each, where the
    importer's sliders start."""
    grids = [(columns, rows) for columns in range(2, MOST_COLUMNS + 1)
             for rows in range(2, MOST_ROWS + 1) if columns * rows >= count]
    return min(grids, key=lambda grid: (max(grid[0] * deck.width, grid[1] * deck.height),
                                        grid[0] * grid[1]))


# Pictures ----------------------------------------------------------------------------------------

def write_sheets(game: Game, content: Content, folder: pathlib.Path, url: str = "",
                 progress: Callable[[int], None] | None = None) -> list[pathlib.Path]:
    """Write pictures and saved object to a folder; `url` is where the pictures will be."""
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


def sides(sheet: CardSheet) -> list[str]:
    """A board is a tile with one picture; a card has a back, even if it is blank."""
    return ["front"] if sheet.deck.shape == "board" or sheet.alike else ["front", "back"]


def picture_name(sheet: CardSheet, side: str) -> str:
    return f"{sheet.name}-{'front' if sheet.alike else side}.png"


def picture(game: Game, sheet: CardSheet, side: str) -> bytes:
    """A PNG in RGB, the one colour mode that is documented to work."""
    columns, rows = (sheet.columns, sheet.rows) if side == "front" else (1, 1)
    cells = front_cells(sheet) if side == "front" else back_cells(sheet)
    job = {"sheets": [{"width": sheet.deck.width, "height": sheet.deck.height,
                       "columns": columns, "rows": rows, "cells": cells}]}
    drawn = Image.open(io.BytesIO(typeset(game, "sheet", job, ppi=sheet.ppi)))
    out = io.BytesIO()
    drawn.convert("RGB").save(out, "PNG")
    return out.getvalue()


def front_cells(sheet: CardSheet) -> list[dict[str, Any] | None]:
    """All faces; the last cell is the back, which is what others see of a hidden card."""
    faces = [{"id": piece.id, **face_data(piece.front)} for piece in sheet.pieces]
    empty = [None] * (sheet.columns * sheet.rows - len(faces) - 1)
    return [*faces, *empty, *back_cells(sheet)]


def back_cells(sheet: CardSheet) -> list[dict[str, Any]]:
    return [{"id": sheet.name, **face_data(sheet.back)}] if sheet.back else []


# The saved object --------------------------------------------------------------------------------

def saved_object(game: Game, sheets: Sequence[CardSheet], base: str) -> dict[str, Any]:
    """A save file that holds only the objects, as the Saved Objects folder wants it."""
    objects: list[dict[str, Any]] = []
    for number, sheet in enumerate(sheets, 1):
        for pieces in piles(sheet):
            place = placed(sheet, len(objects))
            objects.append(tile(sheet, base, place) if sheet.deck.shape == "board"
                           else pile(sheet, pieces, number, base, place))
    return {"SaveName": game.title, "GameMode": "", "Gravity": 0.5, "PlayArea": 0.5, "Date": "",
            "Table": "", "Sky": "", "Note": "", "Rules": "", "XmlUI": "", "LuaScript": "",
            "LuaScriptState": "", "ObjectStates": objects, "TabStates": {}, "VersionNumber": ""}


def piles(sheet: CardSheet) -> list[list[int]]:
    """Places on the sheet that form one pile on the table."""
    places = list(range(len(sheet.pieces)))
    return [[place] for place in places] if sheet.alike else [places]


def placed(sheet: CardSheet, number: int) -> dict[str, float]:
    """In rows of eight, face down except for boards and tokens."""
    scale = round(sheet.deck.width / CARD_WIDTH, 3)
    shown = sheet.deck.shape == "board" or sheet.alike
    return {"posX": number % 8 * APART - 10, "posY": 1.0, "posZ": number // 8 * APART * 2,
            "rotX": 0.0, "rotY": 180.0, "rotZ": 0.0 if shown else 180.0,
            "scaleX": scale, "scaleY": 1.0, "scaleZ": scale}


def pile(sheet: CardSheet, places: Sequence[int], number: int, base: str, place: dict[str, float]
         ) -> dict[str, Any]:
    """All copies of some pieces of a sheet: a deck, or a card where there is only one."""
    custom = {str(number): custom_deck(sheet, base)}
    cards = [thing("Card", sheet.pieces[index].name, place, f"{sheet.name} {index} {copy}") | {
        "CardID": 100 * number + index, "SidewaysCard": False, "CustomDeck": custom}
        for index in places for copy in range(sheet.pieces[index].copies)]
    if len(cards) == 1:
        return cards[0] | {"Name": "CardCustom"}
    title = sheet.pieces[places[0]].name if sheet.alike else sheet_title(sheet)
    return thing("DeckCustom", title, place, f"{sheet.name} {places[0]}") | {
        "SidewaysCard": False, "HideWhenFaceDown": True,
        "DeckIDs": [card["CardID"] for card in cards], "CustomDeck": custom,
        "ContainedObjects": cards}


def custom_deck(sheet: CardSheet, base: str) -> dict[str, Any]:
    return {"FaceURL": f"{base}/{picture_name(sheet, 'front')}",
            "BackURL": f"{base}/{picture_name(sheet, 'back')}",
            "NumWidth": sheet.columns, "NumHeight": sheet.rows, "BackIsHidden": True,
            "UniqueBack": sheet.alike, "Type": CARD_TYPES[sheet.deck.shape]}


def tile(sheet: CardSheet, base: str, place: dict[str, float]) -> dict[str, Any]:
    image = f"{base}/{picture_name(sheet, 'front')}"
    return thing("Custom_Tile", sheet.pieces[0].name, place, sheet.name) | {"CustomImage": {
        "ImageURL": image, "ImageSecondaryURL": image, "ImageScalar": 1.0, "WidthScale": 0.0,
        "CustomTile": {"Type": 0, "Thickness": 0.1, "Stackable": False, "Stretch": True}}}


def thing(name: str, nickname: str, place: dict[str, float], key: str) -> dict[str, Any]:
    """What every object has. Its GUID depends only on `key`, so files can be compared."""
    return {"GUID": hashlib.sha256(key.encode()).hexdigest()[:6], "Name": name,
            "Nickname": nickname, "Description": "", "GMNotes": "", "Transform": place,
            "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0}, "Locked": False, "Grid": True,
            "Snap": True, "IgnoreFoW": False, "Autoraise": True, "Sticky": True, "Tooltip": True,
            "GridProjection": False, "Hands": name.startswith("Card"), "XmlUI": "",
            "LuaScript": "", "LuaScriptState": ""}


def sheet_title(sheet: CardSheet) -> str:
    label = sheet.back.data.get("label", "") if sheet.back else ""
    return f"{sheet.deck.title} {label}".strip()

