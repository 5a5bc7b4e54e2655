"""Treasury 0.3 in the browser: where its actions are done and what is explained."""

from collections.abc import Mapping
from typing import Any

from exchequer.core.agenda import top_seat
from exchequer.core.content import Content
from exchequer.games.treasury.faces import Face, Tips, card_tip, icon_tips, laid_out, places_of
from exchequer.games.treasury.v03.cards import N_CARDS, Icon
from exchequer.games.treasury.v03.state import N_DECKS, SLOTS, TO_ROW, Do
from exchequer.games.treasury.v03.view import card_view
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


# What is explained -------------------------------------------------------------------------------

CONCEPTS = {
    "gold": ("Gold", "The most gold wins (T3-43). A startup opens for the gold cost printed "
             "beside this coin (T3-17)."),
    "treasury": ("Treasury", "The gold of the civilisation. At the end of a round it pays "
                 "contracts while it lasts (T3-33)."),
    "population": ("Population", "The cards of the current and the future event pile. It is the "
                   "tax base and has to be fed (T3-36, T3-39)."),
    "barbarian": ("Barbarians", "Their strength is the number of these icons in demand. Each one "
                  "also serves as the demand for a weapon (T3-40)."),
    "contract": ("Contract", "An open business whose provisions are all demanded wins one; it "
                 "pays its value every round until it is lost (T3-25 to T3-30)."),
    "develop": ("Development cards", "Cards laid face-down on a startup. With as many as its "
                "cost it opens without gold (T3-17, T3-21)."),
    "startup": ("Startup", "A business that lies face-down: it provides nothing and its ability "
                "rests until it is opened (T3-4, T3-5)."),
    "business": ("Business", "One half of a card: what it provides, what opens it, what its "
                 "contract is worth and what it can do (T3-2)."),
    "event": ("Event", "The other half of a card: what happens to everybody at the end of the "
              "round, and what the people demand afterwards (T3-2, T3-35)."),
    "current": ("Current event pile", "When you seed, its top card is revealed into the row. When "
                "it is empty, the round closes (T3-19)."),
    "future": ("Future event pile", "Seeded events wait here, face-down, for the next round "
               "(T3-19, T3-32)."),
    "row": ("Row of events", "Revealed events. At the end of the round they happen from left to "
            "right, then their cards go into demand (T3-32)."),
    "demand": ("Demand", "What the people want. A contract takes one card for each provision of "
               "the business (T3-25, T3-26)."),
    "hand": ("Hand", "The numeral on the back is the age of a card (T3-9). An empty hand brings "
             "the last round (T3-42)."),
    "deck": ("Deck", "Cards are drawn from the lowest age that still has any (T3-24)."),
    "discard": ("Discard pile", "One for each age, face-up (T3-9)."),
    "age": ("Age", "From I to IV. It follows the decks as they are used up; taxes and many cards "
            "count it (T3-7, T3-41)."),
    "round": ("Round", "Turns until the current pile is empty and the turn is back at the "
              "starting player; then nine steps end it (T3-15, T3-32)."),
    "provides": ("Provides", "All icons on open businesses, contracted or not (T3-5)."),
    "stored": ("Gold on a business", "Lies there for its ability; it does not count at the end "
               "(T3-43)."),
    "aside": ("Set aside", "Cards in the middle of something: looked at, taken, about to be "
              "discarded."),
    "first": ("Starting player", "Begins the round. Whoever alone has the least gold starts the "
              "next one (T3-32)."),
    "weapons": ("Weapons", "The most weapons win when two businesses compete for the same demand "
                "(T3-28)."),
    "fresh": ("New this turn", "Started this turn, so it cannot be opened yet (T3-17)."),
}


WEAPON = ("A demand card with barbarians serves it (T3-25). The most weapons win when businesses "
          "compete for the same demand (T3-28).")


def tips(content: Content) -> Tips:
    result: Tips = dict(CONCEPTS)
    result |= icon_tips([icon.name.lower() for icon in Icon], WEAPON)
    for number in range(N_CARDS):
        result[f"card.{CARDS[number]}"] = card_tip(face(card_view(content, number)))
    return result
