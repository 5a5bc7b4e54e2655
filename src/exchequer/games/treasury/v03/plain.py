"""Treasury 0.3 as lines of text: the civilisation, the events, the players, the hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.plain_text import named
from exchequer.core.records import NOBODY
from exchequer.core.words import counted
from exchequer.games.treasury.plain import Card, hand_text, price


def lines(view: Mapping[str, Any], content: Content, names: Sequence[str]) -> Iterator[str]:
    yield civilisation(view, names)
    yield f"Events: {events(view)}."
    yield f"Demand, the oldest first: {', '.join(map(demand, view['demand'])) or 'none'}."
    for seat, player in enumerate(view["players"]):
        yield f"{named(view, names, seat)}: {player_text(player)}"
        yield from (f"  {business_text(business)}" for business in player["businesses"])
    if view["seat"] != NOBODY:
        yield "Your hand (business; event):"
        yield from (f"- {in_hand(card)}" for card in view["players"][view["seat"]]["hand"])


def civilisation(view: Mapping[str, Any], names: Sequence[str]) -> str:
    note = ", the last round" if view["last_round"] else ", closing" if view["closing"] else ""
    decks = ", ".join(f"{age} {count}" for age, count in view["decks"].items())
    return (f"Age {view['age']}, round {view['round']}{note}; {names[view['first']]} starts. "
            f"Treasury {view['treasury']}, population {view['population']}, barbarians "
            f"{view['barbarians']}. Decks: {decks}.")


def events(view: Mapping[str, Any]) -> str:
    """In the order in which they come."""
    row = ", ".join(f"{card['event_name']} ({demand(card)})" for card in view["row"])
    current = ", ".join(map(secret, reversed(view["current"])))
    future = ", ".join(map(secret, view["future"]))
    return (f"revealed {row or 'none'}; current {current or 'none'}; future {future or 'none'}")


def secret(card: Card) -> str:
    """A card of a pile: what this seat knows of it."""
    return card["event_name"] if card["card"] else f"a card of age {card['back']}"


def demand(card: Card) -> str:
    return card["demand"] + (" with barbarians" if card["barbarian"] else "")


def player_text(player: Mapping[str, Any]) -> str:
    loses = ", loses the next turn" if player["loses_turn"] else ""
    return f"{player['gold']} gold, {counted(len(player['hand']), 'card')}{loses}."


def business_text(business: Mapping[str, Any]) -> str:
    card = business["business"]
    name = card["name"] if card["card"] else f"a card of age {card['back']}"
    below = f", {counted(len(business['developments']), 'card')} below" \
        if business["developments"] else ""
    if not business["open"]:
        cost = f", opens for {price(card)}" if card["card"] else ""
        return f"{business['place']} {name}, a startup{below}{cost}."
    stored = f", {business['stored']} gold on it" if business["stored"] else ""
    contract = f"contract of {business['value']}" if business["contract"] \
        else f"no contract (worth {card['contract']})"
    return f"{business['place']} {name}: {' '.join(card['provides'])}{below}{stored}, {contract}."


def in_hand(card: Card) -> str:
    return hand_text(card, card["name"], card["event_name"], demand(card), card["event"])
