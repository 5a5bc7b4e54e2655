"""Sheets and saved objects for Tabletop Simulator, held against their documented form."""

import io
import json
import re

import pytest
from PIL import Image

from exchequer.core.find import find_game, game_names
from exchequer.printing.pieces import decks_of
from exchequer.printing.tabletop import picture, saved_object, sheets_of, sides, write_sheets

BASE = "https://example.org/game"
NUMBER = (int, float)
TRANSFORM = {f"{what}{axis}": NUMBER for what in ("pos", "rot", "scale") for axis in "XYZ"}
OBJECT = {"GUID": str, "Name": str, "Nickname": str, "Description": str, "Transform": dict,
          "ColorDiffuse": dict, "Locked": bool, "Grid": bool, "Snap": bool, "Autoraise": bool,
          "Sticky": bool, "Tooltip": bool, "LuaScript": str, "LuaScriptState": str}
CUSTOM_DECK = {"FaceURL": str, "BackURL": str, "NumWidth": int, "NumHeight": int,
               "BackIsHidden": bool, "UniqueBack": bool, "Type": int}
SAVE = {"SaveName": str, "GameMode": str, "Date": str, "Table": str, "Sky": str, "Note": str,
        "Rules": str, "LuaScript": str, "LuaScriptState": str, "XmlUI": str, "TabStates": dict,
        "ObjectStates": list}


def has(it, shape):
    for key, kind in shape.items():
        assert isinstance(it[key], kind), f"{key} is {it[key]!r}"


def check_object(it):
    has(it, OBJECT)
    has(it["Transform"], TRANSFORM)
    has(it["ColorDiffuse"], dict.fromkeys("rgb", NUMBER))
    assert re.fullmatch(r"[0-9a-f]{6}", it["GUID"])
    if it["Name"] == "Custom_Tile":
        has(it["CustomImage"], {"ImageURL": str, "ImageSecondaryURL": str, "CustomTile": dict})
        has(it["CustomImage"]["CustomTile"], {"Type": int, "Thickness": NUMBER, "Stackable": bool,
                                              "Stretch": bool})
        return
    for custom in it["CustomDeck"].values():
        has(custom, CUSTOM_DECK)
        assert 2 <= custom["NumWidth"] <= 10 and 2 <= custom["NumHeight"] <= 7
        assert custom["Type"] in range(5)
        assert all(custom[key].startswith(f"{BASE}/") for key in ("FaceURL", "BackURL"))
    if it["Name"] == "DeckCustom":
        assert len(it["DeckIDs"]) == len(it["ContainedObjects"]) >= 2
        assert [card["CardID"] for card in it["ContainedObjects"]] == it["DeckIDs"]
        for card in it["ContainedObjects"]:
            assert card["Name"] == "Card"
            check_object(card)
    else:
        assert it["Name"] in ("Card", "CardCustom")
        sheet, cell = divmod(it["CardID"], 100)
        custom = it["CustomDeck"][str(sheet)]
        assert 0 <= cell < custom["NumWidth"] * custom["NumHeight"] - 1  # the last one is hidden


@pytest.mark.parametrize("name", game_names())
def test_the_saved_object_has_the_documented_form(name):
    game = find_game(name)
    decks = decks_of(game, game.content())
    saved = json.loads(json.dumps(saved_object(game, sheets_of(decks), BASE)))
    has(saved, SAVE)
    for it in saved["ObjectStates"]:
        check_object(it)
    cards = sum(len(it.get("DeckIDs", [0])) for it in saved["ObjectStates"])
    assert cards == sum(deck.copies for deck in decks)
    guids = [it["GUID"] for it in saved["ObjectStates"]]
    assert len(set(guids)) == len(guids)


@pytest.mark.parametrize("name", game_names())
def test_sheets_hold_every_piece_once_with_its_own_back(name):
    game = find_game(name)
    decks = decks_of(game, game.content())
    sheets = sheets_of(decks)
    assert sorted(piece.id for sheet in sheets for piece in sheet.pieces) == sorted(
        piece.id for deck in decks for piece in deck.pieces)
    for sheet in sheets:
        if sheet.deck.shape != "board":
            assert len(sheet.pieces) < sheet.columns * sheet.rows <= 70
        assert all(sheet.alike or piece.back == sheet.back for piece in sheet.pieces)


def test_ages_become_decks_of_their_own():
    game = find_game("treasury/v17")
    saved = saved_object(game, sheets_of(decks_of(game, game.content())), BASE)
    assert {it["Nickname"]: len(it["DeckIDs"]) for it in saved["ObjectStates"]
            if it["Nickname"].startswith("Cards")} == {
        "Cards 0": 43, "Cards I": 16, "Cards II": 16, "Cards III": 16}


def test_pictures_have_the_size_of_their_grid():
    game = find_game("treasury/v17")
    sheet = sheets_of(decks_of(game, game.content()))[0]
    drawn = Image.open(io.BytesIO(picture(game, sheet, "front")))
    assert [drawn.format, drawn.mode] == ["PNG", "RGB"]
    front = drawn.convert("L")
    back = Image.open(io.BytesIO(picture(game, sheet, "back"))).convert("L")
    width, height = front.width / sheet.columns, front.height / sheet.rows
    assert max(front.size) <= 4096 and max(front.size) > 4000
    assert abs(width / height - 63 / 88) < 0.005
    assert abs(back.width - width) <= 1 and abs(back.height - height) <= 1
    last = front.crop((round((sheet.columns - 1) * width), round((sheet.rows - 1) * height),
                       front.width, front.height)).resize((60, 84))
    same = back.resize((60, 84))
    apart = [abs(a - b) for a, b in zip(last.tobytes(), same.tobytes(), strict=True)]
    assert max(apart) < 90 and sum(apart) < 5 * len(apart)


def test_a_folder_of_pictures_and_one_saved_object(tmp_path):
    game = find_game("kingdom")
    written = write_sheets(game, game.content(), tmp_path / "table")
    saved = json.loads(written[-1].read_text())
    named = {url for it in saved["ObjectStates"] for custom in it.get("CustomDeck", {}).values()
             for url in (custom["FaceURL"], custom["BackURL"])}
    named |= {it["CustomImage"]["ImageURL"] for it in saved["ObjectStates"]
              if "CustomImage" in it}
    assert named == {path.as_uri() for path in written[:-1]}
    sheets = sheets_of(decks_of(game, game.content()))
    assert len(written) == 1 + sum(len(sides(sheet)) for sheet in sheets)
