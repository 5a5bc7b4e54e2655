"""Treasury 0.17 as lines of text: the civilisation, the players, the hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.plain_text import named
from exchequer.core.records import NOBODY
from exchequer.core.words import counted
from exchequer.games.treasury.plain import Card, hand_text, price
from exchequer.games.treasury.v17.terminal import AGE_NAMES


def lines(view: Mapping[str, Any], content: Content, names: Sequence[str]) -> Iterator[str]:
    yield civilisation(view, names)
    yield f"Queue: {', '.join(map(event, view['queue'])) or 'empty'}."
    yield f"Demand: {', '.join(map(demand, view['demand'])) or 'none'}."
    if view["aside"]:
        yield f"Aside: {', '.join(map(event, view['aside']))}."
    for seat, player in enumerate(view["players"]):
        turn = ", whose turn it is" if seat == view["current"] else ""
        yield f"{named(view, names, seat)}{turn}: {player_text(player)}"
        yield from (f"  {business_text(business)}" for business in player["businesses"])
    if view["seat"] != NOBODY:
        yield "Your hand (business; event):"
        yield from (f"- {in_hand(card)}" for card in view["players"][view["seat"]]["hand"])


def civilisation(view: Mapping[str, Any], names: Sequence[str]) -> str:
    last = f"; {names[view['last_seat']]} took the last event" if view["last_seat"] >= 0 else ""
    piles = ", ".join(f"{AGE_NAMES[age]} {len(pile)}"
                      for age, pile in enumerate(view["draw_piles"]))
    gone = f" Obsolete: {', '.join(view['obsolete'])}." if view["obsolete"] else ""
    return (f"Age {AGE_NAMES[view['age']]}{last}. Treasury {view['treasury']} gold, population "
            f"{view['population']}. Draw piles: {piles}; discards {len(view['discard'])}.{gone}")


def event(card: Card) -> str:
    """An event of the queue with its demand; the bottom comes first."""
    if "event" not in card:
        return f"a card of age {card['age']} face down"
    hidden = "" if card["face_up"] else ", face down"
    return f"{card['event']} ({card['demand']}{hidden})"


def demand(card: Card) -> str:
    """Only the icon of a demand card matters; a blank shows its age."""
    if card["face_up"]:
        return card["demand"]
    known = f", {card['demand']}" if "demand" in card else ""
    return f"blank of age {card['age']}{known}"


def player_text(player: Mapping[str, Any]) -> str:
    return (f"{player['gold']} gold, {counted(len(player['hand']), 'card')} (holds "
            f"{player['held']} of {player['limit']}).")


def business_text(business: Mapping[str, Any]) -> str:
    card = business["card"]
    name, cards = card.get("business", f"a card of age {card['age']}"), \
        business["development_count"]
    notes = [f"{business['stored']} gold stored"] if business["stored"] else []
    notes += ["new this turn"] if business["fresh"] else []
    if not business["open"]:
        cost = f", opens for {price(card)}" if "develop_cost" in card else ""
        cost += f", {counted(cards, 'card')} below" if cards else ""
        return ", ".join([f"{business['place']} {name}, a startup{cost}", *notes]) + "."
    provides = f": {' '.join(card.get('provides', ()))}"
    return ", ".join([f"{business['place']} {name}{provides}", contract(business),
                      *notes]) + "."


def contract(business: Mapping[str, Any]) -> str:
    if business["contract"] is None:
        return f"no contract (worth {business['value']})"
    paid = f"paid {business['contract_gold']}" if business["paid"] else "unpaid"
    return f"contract of {business['value']}, {paid}"


def in_hand(card: Card) -> str:
    return hand_text(card, card["business"], card["event"], card["demand"], card["effect"])
