"""Treasury 0.17 in the browser: where its actions are done and what is explained."""

from collections.abc import Mapping
from typing import Any

from exchequer.core.agenda import top_item
from exchequer.core.content import Content
from exchequer.core.records import NOBODY
from exchequer.games.treasury.faces import Face, Tips, card_tip, icon_tips, laid_out, places_of
from exchequer.games.treasury.v17.drawing import age_pile
from exchequer.games.treasury.v17.questions import observed_pile
from exchequer.games.treasury.v17.state import N_SLOTS, Ability, Ask, Card, Do, Icon, Pile
from exchequer.games.treasury.v17.view import card as card_view
from exchequer.games.treasury.v17.words import AGES, CARDS
from exchequer.games.treasury.v17.zones import current_pile, slot_of

USES = {  # what an ability of a business of one's own does
    Do.FREE_DEVELOP: Ability.FREE_DEVELOP, Do.SCULPT: Ability.ACT_DISCARD,
    Do.WHALE: Ability.ACT_REPLACE, Do.TEACH: Ability.ACT_SWAP, Do.PERFORM: Ability.ACT_TAKE,
    Do.DISCARD: Ability.FREE_DISCARD, Do.MARKET: Ability.FREE_MARKET, Do.PEEK: Ability.FREE_PEEK,
    Do.FORESEE: Ability.FREE_PROPHECY, Do.FLIP: Ability.FREE_FLIP,
}
PLACES = {Do.PLAY: "queue", Do.FREE_PLAY: "queue", Do.PASS: "queue", Do.START: "new-business",
          Do.FREE_START: "new-business", Do.DEVELOP: "develop", Do.FROM_DISCARD: "discard"}
NUMBERED = {Pile.QUEUE: "queue", Pile.DEMAND: "demand", Pile.DISCARD: "discard"}


def spot(s: Any, content: Content, action: int) -> str:
    asked, seat, a, b = (int(number) for number in top_item(s))
    if action >= Do.CARD:
        return f"card-{CARDS[action - Do.CARD]}"
    if action >= Do.POSITION:
        return position_spot(asked, a, b, action - Do.POSITION)
    if action >= Do.SLOT:
        return f"business-{action - Do.SLOT}"
    if action >= Do.AMOUNT:
        return ""
    if action >= Do.AGE:
        return f"age-{action - Do.AGE}"
    if action >= Do.SEAT:
        return f"seat-{action - Do.SEAT}"
    if action in (Do.FROM_PILE, Do.FROM_AGE):
        pile = current_pile(s) if action == Do.FROM_PILE \
            else age_pile(s, content.record, seat, a // 2)
        return f"age-{pile - Pile.DRAW}"
    if Do.OBSERVE <= action < Do.CLOSE:
        return own_business_spot(s, content, seat, action)
    if action in USES:
        return business_with(s, content, seat, USES[Do(action)])
    return PLACES.get(Do(action), "")


def position_spot(asked: int, a: int, b: int, index: int) -> str:
    """A card of a pile by its number, or a gap in the queue (Smelter)."""
    if asked == Ask.QUEUE_POSITION:
        return f"gap-{index}"
    if asked == Ask.TEACH_POSITION:
        return f"queue-{index}"
    if asked == Ask.DIG_POSITION:
        return f"discard-{index}"
    pile = NUMBERED.get(observed_pile(a, b), f"development-{b}")
    return f"{pile}-{index}"


def own_business_spot(s: Any, content: Content, seat: int, action: int) -> str:
    if action < Do.OPEN:
        return business_with(s, content, seat, Ability.FREE_OBSERVE)
    return f"business-{seat * N_SLOTS + (action - Do.OPEN) % N_SLOTS}"


def business_with(s: Any, content: Content, seat: int, ability: Ability) -> str:
    slot = int(slot_of(s, content.record, seat, ability, 0))
    return "" if slot == NOBODY else f"business-{seat * N_SLOTS + slot}"


# What the template wants worked out --------------------------------------------------------------

def scene(view: Mapping[str, Any], content: Content) -> dict[str, Any]:
    return laid_out(view, lambda entry: "face_up" in entry, face, places, AGES)


def face(card: Mapping[str, Any]) -> Face:
    if "key" not in card:
        return {"key": "", "age": card["age"], "up": False, "name": "", "barbarian": False}
    return {
        "key": card["key"], "age": card["age"], "up": card["face_up"], "name": card["business"],
        "provides": card["provides"], "develop": card["develop_cost"], "gold": card["gold_cost"],
        "contract": card["contract"], "ability": card["ability"], "event": card["event"],
        "effect": card["effect"], "demand": card["demand"], "barbarian": False,
    }


def places(seat: int, player: Mapping[str, Any]) -> list[dict[str, Any]]:
    return places_of(seat, player, N_SLOTS, sealed)  # T17-70


def sealed(business: dict[str, Any] | None) -> dict[str, Any] | None:
    """A business with what its contract's seal says."""
    if business:
        business["seal"] = f"paid {business['contract_gold']}" if business["paid"] else "unpaid"
    return business


# What is explained -------------------------------------------------------------------------------

CONCEPTS = {
    "gold": ("Gold", "Whoever has the most after four ages wins (T17-63). A startup opens for the "
             "gold cost printed beside this coin (T17-34)."),
    "treasury": ("Treasury", "The common purse that pays contracts at the end of an age and when "
                 "cards say so. When it runs out, contracts are lost (T17-56, T17-58)."),
    "population": ("Population", "The cards of demand and the contracts of all players "
                   "(T17-45)."),
    "contract": ("Contract", "What the treasury pays for an open business that serves demand. "
                 "Claim one when demand shows every icon the business provides; the bottom card "
                 "of demand becomes the contract (T17-37 to T17-41)."),
    "develop": ("Development cards", "Cards laid face-down on a startup. With as many as its "
                "development cost it opens without gold (T17-30, T17-34)."),
    "startup": ("Startup", "A business that lies face-down. It provides nothing and its ability "
                "sleeps until it is opened, at the earliest in a later turn (T17-5, T17-34)."),
    "business": ("Business", "The upper half of a card: what it provides, what opens it, what its "
                 "contract is worth and what it can do (T17-2)."),
    "event": ("Event", "The lower half of a card: an effect for everybody, and one good that the "
              "people demand from then on (T17-2, T17-26)."),
    "queue": ("Event queue", "A played event enters on top and the oldest one is triggered: its "
              "card goes to demand and its effect happens (T17-25, T17-26)."),
    "demand": ("Demand", "What the people want. A business needs a face-up card for each of its "
               "icons to win a contract (T17-38)."),
    "hand": ("Hand", "The numeral on the back is the age of a card (T17-2)."),
    "limit": ("Draw limit", "Cards in hand and businesses together; at the limit you draw nothing "
              "at the end of your turn (T17-50)."),
    "deck": ("Draw pile", "One for each age; the earliest with cards left is drawn from. When one "
             "is empty, its age ends (T17-48, T17-54)."),
    "discard": ("Discard pile", "Face-down; nobody may look through it, but you remember what you "
                "put there and what lay open (T17-13)."),
    "age": ("Age", "Four ages from 0 to III. At the end of each, abilities work, contracts are "
            "paid and taxes are due (T17-54 to T17-57)."),
    "provides": ("Provides", "All icons on open businesses, contracted or not (T17-6)."),
    "obsolete": ("Obsolete", "A newer weapon was opened: businesses with this one lose their "
                 "contracts and can claim none (T17-43, T17-44)."),
    "stored": ("Gold on a business", "Lies there for its ability; lost when the business closes "
               "(T17-24)."),
    "fresh": ("New this turn", "Started or developed this turn, so it cannot be opened yet "
              "(T17-34)."),
    "barbarian": ("Barbarians", "They take gold from the treasury for every card in demand beyond "
                  "the contracted weapons."),
    "aside": ("Set aside", "Cards in the middle of something: drawn to choose from, or about to "
              "be discarded."),
    "actions": ("Actions", "One a turn, unless a card adds some (T17-19, T17-24)."),
}


WEAPON = ("Any face-up demand card serves it (T17-38). Contracted weapons hold off barbarians and "
          "conquer; a newer weapon can make it obsolete (T17-43).")


def tips(content: Content) -> Tips:
    result: Tips = dict(CONCEPTS)
    result |= icon_tips([icon.name.lower() for icon in Icon], WEAPON)
    for key, event in content.words["event"].items():
        numeral = key.rpartition("_")[2].upper() if key.endswith(("_i", "_ii", "_iii")) else ""
        result[f"event.{key}"] = (f"{event['name']} {numeral}".strip(), event["text"])
    for number in Card:
        result[f"card.{CARDS[number]}"] = card_tip(face(card_view(content, number, True)))
    return result
