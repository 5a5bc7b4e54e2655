"""What Treasury 0.17 prints: its cards with the age on the back, player aids and gold."""

from typing import Any

from exchequer.core.content import Content
from exchequer.core.pieces import Deck, Face, Piece
from exchequer.games.treasury.pieces import CARD, ICONS, Zone, aids, event_aids, gold, mat, symbol
from exchequer.games.treasury.v17.state import MOST_SEATS
from exchequer.games.treasury.v17.texts import (
    AGES,
    ability_text,
    event_line,
    event_text,
    event_title,
)

PICTURES = {"T17-2": ["tanner", "observatory"], "T17-38": ["market", "blacksmith"],
            "T17-66": ["wheat_farm", "lumberyard"], "T17-67": ["quarry", "tower"]}
EXAMPLE = {"seats": 2, "seed": 3, "moves": [
    "card:alchemist", "card:sculptor", "pass", "play", "card:shoemaker", "play", "card:scribe",
    "start", "card:healer", "play", "card:hunter", "open:1", "claim:1", "pass"]}


def pieces(content: Content) -> list[Deck]:
    cards = [card(content, key, words) for key, words in content.words["card"].items()]
    return [Deck("cards", "Cards", *CARD, cards),
            aids(MOST_SEATS, ("Your turn", turn(content)), ("End of age", end_of_age(content))),
            event_aids(MOST_SEATS, events(content)), gold(), mat("Treasury 0.17", table(content))]


def card(content: Content, key: str, words: dict[str, Any]) -> Piece:
    event, age = words["event"], words["age"]
    face = {"age": age, "name": words["name"], "provides": words["provides"],
            "develop": words["develop_cost"], "gold": words["gold_cost"],
            "contract": words["contract"], "text": ability_text(content, key),
            "event": content.words["event"][event]["name"],
            "event_text": event_line(content, event),
            "symbol": symbol(content.words["event"][event]["effect"]),
            "demand": words["demand"], "barbarian": False, "icons": ICONS}
    return Piece(key, words["name"], 1, Face("card", face),
                 Face("back", {"age": age, "label": AGES[age]}))


def events(content: Content) -> list[tuple[str, ...]]:
    """Each event once, by its name, with its symbol."""
    return [(f"{event_title(content, key)}:", event_text(content, key), symbol(words["effect"]))
            for key, words in content.words["event"].items()]


def table(content: Content) -> list[list[Zone]]:
    value = content.value
    return [
        [("Treasury", "treasury", 1, f"{value('treasury_per_player')} gold for each player at the "
          "start. Pays contracts, takes the tax."),
         ("Draw pile", "deck", 1, "The earliest age with cards left; later ages lie beside it."),
         ("Discard pile", "discard", 1, "Face-down; nobody looks through it."),
         ("Supply", "gold", 1, "Gold without end.")],
        [("Event queue", "queue", 2, "A new event goes on top, the bottom one is triggered. Let "
          "every card be read."),
         ("Demand", "demand", 2, "A triggered event goes on top. A contract takes the bottom "
          "card.")],
    ]


def turn(content: Content) -> list[tuple[str, str]]:
    value = content.value
    return [
        ("One action:", "play an event, start a business, develop a startup, or pass."),
        ("Event:", "your card on top of the queue; the bottom card of the queue goes to demand "
         "and happens."),
        ("Start:", "a card face-down in front of you."),
        ("Develop:", "any number of cards face-down on a startup."),
        ("Pass:", "the top card of the draw pile is your event."),
        ("Free:", "open a startup not touched this turn, for its cards or its gold; claim a "
         "contract when demand shows all that a business provides: take the bottom card; close a "
         "business."),
        ("Weapons:", "any card of demand serves for one. Axes end clubs, swords end spears too."),
        ("Draw:", f"one card with fewer than {value('draw_limit')} cards and businesses."),
    ]


def end_of_age(content: Content) -> list[tuple[str, str]]:
    value = content.value
    return [
        ("When:", "the draw pile of the age is empty and the turn is over."),
        ("1.", "End of Age abilities, going left from who ended the age."),
        ("2.", "Payout: each player's dearest unpaid contract, all together, again and again "
         "while the treasury holds gold. What is missing comes from the supply, then it is over."),
        ("3.", "Gold on contracts goes to their owners."),
        ("4.", f"Tax: each player the age that ended plus {value('tax_above_age')}; the supply "
         f"{value('population_tax')} for each contract and for each demand card but visible "
         "happiness."),
        ("5.", "The age rises."),
        ("The end:", "with no draw pile a pass takes the last events off the queue. Then one turn "
         "for each other player and a last End of Age without tax."),
    ]
