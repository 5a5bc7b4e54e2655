"""What both editions of Treasury print besides their cards: gold, and how a face is said."""

from collections.abc import Sequence
from typing import Any

ICONS = ["food", "happiness", "science", "hides", "stone", "bronze", "iron", "textiles", "coal",
         "clubs", "spears", "axes", "swords", "rifles", "tanks"]
COINS = {1: 60, 5: 24, 10: 12}
CARD = {"width": 63, "height": 88, "shape": "card"}


def gold() -> dict[str, Any]:
    return {"id": "gold", "title": "Gold", "width": 20, "height": 20, "shape": "round",
            "pieces": [coin(worth, copies) for worth, copies in COINS.items()]}


def coin(worth: int, copies: int) -> dict[str, Any]:
    side = ("coin", {"label": str(worth)})
    return {"id": f"gold_{worth}", "name": f"{worth} gold", "copies": copies, "front": side,
            "back": side}


def aids(seats: int, front: tuple[str, Sequence[tuple[str, str]]],
         back: tuple[str, Sequence[tuple[str, str]]]) -> dict[str, Any]:
    """A card for each player that says what can be done and what happens."""
    return {"id": "aids", "title": "Player aids", **CARD, "pieces": [
        {"id": "aid", "name": "Player aid", "copies": seats,
         "front": aid_side(*front), "back": aid_side(*back)}]}


def aid_side(title: str, lines: Sequence[tuple[str, str]]) -> tuple[str, dict[str, Any]]:
    return "aid", {"title": title, "lines": [list(line) for line in lines], "icons": ICONS}
