"""Greement in the browser: where its actions are done, what is explained, how the land is told."""

from collections.abc import Mapping
from typing import Any

from exchequer.core.content import Content
from exchequer.games.greement.state import SIDE, Do
from exchequer.games.greement.words import COMMITMENTS, SQUARES

LETTERS = "ABCDEF"  # who owns a square is written on it
PLACES = {
    Do.BORROW: "books", Do.REPAY: "books", Do.BUY: "value-land", Do.SEED: "value-seed",
    Do.CATTLE: "value-cattle", Do.ACCEPT: "accept", Do.DECLINE: "decline",
    Do.COUNTER: "counter", Do.VOTE: "vote-let",
}
USES = {"brown": "land", "crop": "crop", "cattle": "cattle", "mine": "gold mine", "lake": "lake",
        "mountain": "mountain", "hidden": "face down"}
MULTIPLIERS = ("lake", "mountain", "loan")
DRAFTS = {"borrow": "a loan", "repay": "a repayment", "buy": "a purchase", "seed": "seeding",
          "cattle": "buying cattle", "sell": "a sale to the bank", "offer": "an offer",
          "gift": "a gift", "call": "a call for an offer", "promise": "a promise",
          "none": "an amount"}
AGES = ("youngest", "2nd youngest", "3rd youngest", "4th youngest", "5th youngest", "6th youngest")
PROMISES = {promise.name.lower(): text for promise, text in COMMITMENTS.items()}


def spot(s: Any, content: Content, action: int) -> str:
    if action >= Do.SQUARE:
        return f"square-{SQUARES[action - Do.SQUARE]}"
    if Do.SEAT <= action < Do.PROMISED:
        return f"seat-{action - Do.SEAT}"
    if action == Do.VOTE + 1:
        return "vote-against"
    return next((place for first, place in PLACES.items() if action == first), "")


# What the template wants worked out --------------------------------------------------------------

def scene(view: Mapping[str, Any], content: Content) -> dict[str, Any]:
    rows = [[square_face(view, square) for square in view["squares"][row * SIDE:(row + 1) * SIDE]]
            for row in range(SIDE)]
    return {
        "rows": rows, "letters": LETTERS, "own": view["seat"], "uses": USES, "drafts": DRAFTS,
        "given": given_words(view), "promises": PROMISES, "ages": AGES,
        "values": [value_face(key, number, content) for key, number in view["table"].items()],
        "cards": [{**card, **event_face(content, card["kind"])} if card["kind"]
                  else {**card, "name": ""} for card in view["row"]],
        "opened": any(card["fate"] == "open" for card in view["row"]),
    }


def square_face(view: Mapping[str, Any], square: Mapping[str, Any]) -> dict[str, Any]:
    """A square with the figure that stands on it: what it brings, or by what it is multiplied."""
    figure = ""
    if square.get("profit"):
        figure = f"+{square['profit']}"
    elif square.get("multiplier", 1) > 1:
        figure = f"x{square['multiplier']}"
    offer = view["offer"] or {}
    draft = view["draft"] or {}
    return {**square, "figure": figure,
            "talked": square["name"] in (*offer.get("squares", ()), *draft.get("squares", ()))}


def given_words(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The promises that stand, those between the same two together."""
    pairs: dict[tuple[int, int], list[str]] = {}
    for promise in view["promises"]:
        pairs.setdefault((promise["from"], promise["to"]), []).append(promise["what"])
    return [{"from": by, "to": to, "kinds": kinds} for (by, to), kinds in pairs.items()]


def value_face(key: str, number: int, content: Content) -> dict[str, Any]:
    words = content.words["value"][key]
    return {"key": key, "name": words["name"], "change": number - words["start"],
            "shown": f"x{number}" if key in MULTIPLIERS else f"{number}c"}


def event_face(content: Content, kind: str) -> dict[str, Any]:
    """A card of the event deck: the icon of its first part, its words, how it is avoided."""
    words = content.words["event"][kind]
    first = words["effect"].split(";")[0].split()[0]
    avoid = {"vote": "Put to the vote", "pay": f"Averted for {words['price']}c together",
             "own_payment": "Each pays for their own"}[words["avoid"]]
    return {"icon": first, "name": words["name"], "text": words["text"], "avoid": avoid}


# What is explained -------------------------------------------------------------------------------

CONCEPTS = {
    "coin": ("Cash", "Coins in hand. Secret: only you see yours (G-7)."),
    "debt": ("Debt", "What you owe the bank. At the end of your turn it is multiplied by the "
             "[[value.loan|loan multiplier]], so pay early (G-21, G-24)."),
    "books": ("Your books", "Cash and debt, seen by you alone. Borrow and repay in your turn "
              "(G-23, G-24)."),
    "worth": ("Worth", "The value of all squares of a player; with cash, less debt, it decides "
              "the game (G-62)."),
    "profit": ("Profit", "What all squares of a player bring at the start of each turn (G-9, "
               "G-20)."),
    "squares": ("Squares", "Lands and gold mines that a player owns (G-3)."),
    "brown": ("Brown land", "Brings nothing until it is seeded (G-3, G-26)."),
    "crop": ("Crop", "A seeded land; it brings profit each turn and can be turned into cattle "
             "(G-3, G-27)."),
    "cattle": ("Cattle", "A crop with cattle brings more, but events can take it back (G-27)."),
    "mine": ("Gold mine", "Costs more and brings profit at once; nothing is sown on it (G-3)."),
    "lake": ("Lake", "Cannot be owned. Multiplies squares connected to it (G-8)."),
    "mountain": ("Mountain", "Cannot be owned. Multiplies squares connected to it (G-8)."),
    "hidden": ("Face down", "Nobody knows yet what it is; all squares are turned up when start "
               "squares have been named (G-13 to G-15)."),
    "home": ("Start square", "Where a player began (G-14)."),
    "round": ("Round", "Every player takes a turn; before each round but the first come events. "
              "The last round is a secret (G-32, G-61)."),
    "event": ("Event", "Cards that change the table of values or the land. Most are voted on, "
              "some can be averted by paying (G-32 to G-35)."),
    "vote": ("Vote", "Sealed until all have voted. More votes against than for avoid the event "
             "(G-34)."),
    "pledge": ("Pledge", "What a player puts in to avert a priced event. If the sum falls short "
               "all is returned (G-35)."),
    "offer": ("Offer", "A trade of squares and coins between two players. Only they see the "
              "terms (G-28)."),
    "gift": ("Gift", "Money from one player to another; distance is taxed (G-29)."),
    "promise": ("Promise", "Said before all and binding nobody (G-30)."),
    "secret": ("Secret", "Only that player knows."),
    "first": ("First player", "Begins each round. It is whoever wrote down the largest first loan, "
              "of equal ones the youngest (G-17, G-18)."),
    "age": ("Age", "Drawn by lot. Of equal first loans the youngest player's counts (G-17)."),
    "deck": ("Event deck", "Cards still to come; used ones are shuffled when it is empty."),
    "draft": ("In the making", "What you are composing; nobody else sees it until you confirm "
              "(G-66)."),
}


def tips(content: Content) -> dict[str, tuple[str, str]]:
    result = dict(CONCEPTS)
    for key, text in PROMISES.items():
        result[f"promise.{key}"] = (f"Promise: {text}", "Said before all and binding nobody "
                                                         "(G-30).")
    for key, value in content.words["value"].items():
        result[f"value.{key}"] = (value["name"], f"{value['text']} It starts at {value['start']} "
                                                 "and never falls below 1 (G-6).")
    for key, event in content.words["event"].items():
        face = event_face(content, key)
        result[f"event.{key}"] = (event["name"], f"{event['text']} {face['avoid']}.")
    return result
