"""Treasury 0.3 in the browser: where its actions are done and what is explained."""

from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.agenda import top_seat
from exchequer.core.content import Content
from exchequer.games.treasury.faces import Face, laid_out, places_of
from exchequer.games.treasury.v03.state import N_DECKS, SLOTS, TO_ROW, Act, Do
from exchequer.games.treasury.v03.words import AGES, CARDS


def spot(s: Any, content: Content, action: int) -> str:
    seat = int(top_seat(s))
    if action >= Do.PICK:
        return f"card-{CARDS[action - Do.PICK]}"
    if action >= Do.SOURCE:
        source = action - Do.SOURCE
        return f"deck-{source + 2}" if source < N_DECKS else f"discard-{source - N_DECKS + 1}"
    if action >= Do.SEAT:
        return f"seat-{action - Do.SEAT}"
    if action >= Do.PLACE:
        return f"business-{action - Do.PLACE}"
    if action >= Do.OPEN:  # open, buy, use, answer: all by the place in front of the player
        return f"business-{seat * SLOTS + (action - Do.OPEN) % SLOTS}"
    if action in (Do.CLOSE, Do.CLOSE + 1) or action < Do.SEED:
        return ""
    if action == Do.DEVELOP:
        return "develop"
    if action >= Do.START:
        return "new-business"
    return "row" if (action - Do.SEED) & TO_ROW else "future"


def unfinished(s: Any, content: Content, legal: Sequence[int]) -> str:
    return "You have not used your action in this turn." if s.acted == Act.NONE else ""


# What the template wants worked out --------------------------------------------------------------

def scene(view: Mapping[str, Any], content: Content) -> dict[str, Any]:
    scene = laid_out(view, lambda entry: "back" in entry, face, places, AGES)
    for player in scene["players"]:
        player["kept"] = []
    return scene


def face(card: Mapping[str, Any]) -> Face:
    if not card["card"]:
        return {"key": "", "age": card["back"], "up": False, "name": "", "barbarian": False}
    return {
        "key": card["card"], "age": card["back"], "up": True, "name": card["name"],
        "provides": card["provides"], "develop": card["develop_cost"], "gold": card["gold_cost"],
        "contract": card["contract"], "ability": card["ability"], "event": card["event_name"],
        "effect": card["event"], "demand": card["demand"], "barbarian": card["barbarian"],
    }


def places(seat: int, player: Mapping[str, Any]) -> list[dict[str, Any]]:
    return places_of(seat, player, SLOTS, placed)  # R3-58


def placed(business: dict[str, Any] | None) -> dict[str, Any] | None:
    if business is None:
        return None
    return {**business, "card": business["business"], "value": business["value"] or None,
            "paid": False, "seal": f"contract {business['value']}", "fresh": False}
