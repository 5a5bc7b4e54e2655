"""What both editions of Treasury print besides their cards: gold, and a player's aid."""

from collections.abc import Sequence

from exchequer.core.pieces import Deck, Face, Piece, Shape, alike

ICONS = ["food", "happiness", "science", "hides", "stone", "bronze", "iron", "textiles", "coal",
         "clubs", "spears", "axes", "swords", "rifles", "tanks"]
COINS = {1: 60, 5: 24, 10: 12}
CARD: tuple[int, int, Shape] = (63, 88, "card")

SYMBOLS = {"barbarian": "barbarian", "rebellion": "barbarian", "war": "swords",
           "conquest": "swords", "unarmed": "swords", "treasury": "treasury",
           "contract": "contract", "demand": "demand", "draw": "deck", "discard": "discard",
           "close": "business",
           "gain": "gold", "population": "population", "fertility": "population",
           "generation": "population", "territory": "population"}  # the first that fits
Lines = Sequence[tuple[str, ...]]
Zone = tuple[str, str, int, str]  # name, icon, cards beside each other, what happens there


def gold() -> Deck:
    return Deck("gold", "Gold", 20, 20, "round", [
        alike(f"gold_{worth}", f"{worth} gold", copies, Face("coin", {"label": str(worth)}))
        for worth, copies in COINS.items()])


def mat(title: str, rows: Sequence[Sequence[Zone]]) -> Deck:
    """The common table, with a place for everything that is nobody's."""
    places = [[{"name": name, "icon": icon, "cards": cards, "text": text}
               for name, icon, cards, text in row] for row in rows]
    return Deck("mat", "Table", 264, 196, "board", [
        Piece("mat", "Table", 1, Face("mat", {"title": title, "rows": places}))])


def aids(seats: int, front: tuple[str, Lines], back: tuple[str, Lines]) -> Deck:
    """A card for each player that says what can be done and what happens."""
    return Deck("aids", "Player aids", *CARD, [
        Piece("aid", "Player aid", seats, aid_side(*front), aid_side(*back))])


def event_aids(seats: int, lines: Lines) -> Deck:
    """What the events do in full; the cards only remind of it."""
    half = (len(lines) + 1) // 2
    return Deck("event_aids", "Event aids", 95, 130, "card", [
        Piece("event_aid", "Event aid", seats, aid_side("Events", lines[:half]),
              aid_side("Events", lines[half:]))])


def symbol(effect: str) -> str:
    """The icon of an event, by what its effect is called."""
    return next((icon for part, icon in SYMBOLS.items() if part in effect), "event")


def aid_side(title: str, lines: Lines) -> Face:
    return Face("aid", {"title": title, "lines": [list(line) for line in lines], "icons": ICONS})
