"""Greement in the browser: where its actions are done, what is explained, how the land is told."""

from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.agenda import top_seat
from exchequer.core.content import Content
from exchequer.games.greement.amounts import amount_bounds
from exchequer.games.greement.money import interest
from exchequer.games.greement.state import SIDE, Do, Stage
from exchequer.games.greement.texts import avoiding, event_text
from exchequer.games.greement.words import COMMITMENTS, SQUARES, coins

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


def unfinished(s: Any, content: Content, legal: Sequence[int]) -> str:
    """G-21 Debt grows when the turn ends."""
    seat = int(top_seat(s))
    cash, debt = int(s.cash[seat]), int(s.debt[seat])
    if Do.END not in legal or not cash or not debt:
        return ""
    grown = debt + int(interest(s, content.record, debt))
    return f"Your debt of {coins(debt)} grows to {coins(grown)}, and you have {coins(cash)}."


# Amounts -----------------------------------------------------------------------------------------

TYPED = frozenset(range(Do.TYPE, Do.DONE))  # what a number field says by itself


def amount(s: Any, content: Content, legal: set[int]
           ) -> tuple[int, int, frozenset[int], str] | None:
    """G-65 The bounds of the number that may be typed; sensible ones are in the list."""
    if not legal & TYPED:
        return None
    low, high = map(int, amount_bounds(s, content.record, int(top_seat(s))))
    return low, high, TYPED, "c"


def enter(s: Any, number: int) -> list[int]:
    """G-65 The digits that are typed, after those that stand there already are taken back."""
    typed = int(s.draft_amount)
    begin = [Do.ERASE] * len(str(typed)) * bool(typed) if s.draft_stage == Stage.TYPING \
        else [Do.TYPE]
    digits = [Do.DIGIT + int(digit) for digit in str(number)] if number else []
    return [*map(int, begin), *digits, int(Do.CONFIRM)]


# What the template wants worked out --------------------------------------------------------------

def scene(view: Mapping[str, Any], content: Content) -> dict[str, Any]:
    rows = [[square_face(view, square) for square in view["squares"][row * SIDE:(row + 1) * SIDE]]
            for row in range(SIDE)]
    return {
        "rows": rows, "own": view["seat"], "uses": USES, "drafts": DRAFTS,
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
    return {"icon": first, "name": words["name"], "text": event_text(content, kind),
            "avoid": avoiding(content, kind)}
