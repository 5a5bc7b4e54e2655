"""What Treasury 0.17's cards say: the sentences of the content with the numbers of the card."""

from collections.abc import Mapping
from typing import Any

from exchequer.core.content import Content
from exchequer.core.words import Text, filled
from exchequer.games.treasury.faces import card_text

AGES = ["0", "I", "II", "III"]
TIMES = ("Never", "Once", "Twice")


def ability_text(content: Content, key: str) -> str:
    """All abilities of a business; R17-33 the odd Warrior may be made like the others."""
    words = content.words["card"][key]
    return " ".join(skill_text(content, words, ability)
                    for ability in words["ability"] or [{"id": "none"}])


def skill_text(content: Content, card: Mapping[str, Any], ability: Mapping[str, Any]) -> str:
    name, amount = ability["id"], ability.get("amount", 0)
    if name == "free_pay" and content.value("warrior_harmonised"):
        name = "contract_pay"
    return filled(content, {
        "amount": 0, "count": 0, "contract": card.get("contract", 0), **ability,
        "icons": any_of(ability.get("icons", ())),
        "times": TIMES[amount] if amount < len(TIMES) else f"{amount} times",
        "age_of_amount": AGES[amount] if amount < len(AGES) else str(amount),
    }, content.words["ability"][name]["text"])


def event_text(content: Content, key: str) -> str:
    """An event in full, and whether it may go straight to demand."""
    return event_words(content, key, "text") \
        + " You may play this straight into demand." * content.words["event"][key]["direct"]


def event_line(content: Content, key: str) -> str:
    """An event as the card reminds of it."""
    return event_words(content, key, "line") \
        + " May go straight to demand." * content.words["event"][key]["direct"]


def event_words(content: Content, key: str, length: str) -> str:
    event = content.words["event"][key]
    zero = content.value("invention_zero_ok") and not event["not_zero"]  # R17-46
    return filled(content, {
        **event, "icons": any_of(event["icons"]),
        "may_discard": "may discard" if event["optional"] else "discards",
        "then_discard": "may discard" if event["optional"] else "then discard",
        "and_queue": " and in the queue" if event["counts_queue"] else "",
        "none_enough": "Where nobody provides any, everybody does." if zero
        else "Providing none is not enough.",
    }, content.words["effect"][event["effect"]][length])


def any_of(icons: Any) -> str:
    """`hides, stone or bronze`"""
    return " or ".join(part for part in (", ".join(icons[:-1]), *icons[-1:]) if part) or "no icon"


def event_title(content: Content, key: str) -> str:
    """An event's name, with the number of those that share it."""
    name, numeral = content.words["event"][key]["name"], key.rpartition("_")[2].upper()
    return f"{name} {numeral}" if set(numeral) == {"I"} and not name.endswith(numeral) else name


def thing(content: Content, table: str, key: str) -> Text | None:
    """A card with both halves; an event."""
    if table == "event":
        return Text(event_title(content, key), event_line(content, key), event_text(content, key))
    if table != "card":
        return None
    words, ability = content.words["card"][key], ability_text(content, key)
    return Text(words["name"], ability, card_text({
        **words, "develop": words["develop_cost"], "gold": words["gold_cost"],
        "age": AGES[words["age"]], "ability": ability,
        "event": content.words["event"][words["event"]]["name"],
        "effect": event_text(content, words["event"]), "barbarian": False}))
