"""What a seat sees of Treasury 0.17, as plain data. Made from an observation, so it cannot leak."""

from typing import Any

from exchequer.core.agenda import asked_seat
from exchequer.core.content import Content
from exchequer.core.piles import pile_size
from exchequer.games.treasury.v17.cards import N_AGES, Icon
from exchequer.games.treasury.v17.drawing import draw_limit, held_cards
from exchequer.games.treasury.v17.money import contract_value, population
from exchequer.games.treasury.v17.state import N_SLOTS, Pile
from exchequer.games.treasury.v17.texts import ability_text, event_text
from exchequer.games.treasury.v17.words import AGES, CARDS, card_words, event_words
from exchequer.games.treasury.v17.zones import has_business


def view(s: Any, content: Content, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "actor": int(asked_seat(s)),
        "current": int(s.current),
        "age": int(s.age),
        "treasury": int(s.treasury),
        "population": int(population(s)),
        "actions": int(s.actions),
        "last_seat": int(s.last_seat),
        "turns_left": int(s.turns_left),
        "obsolete": [icon.name.lower() for icon in Icon if s.obsolete >> icon & 1],
        "draw_piles": [cards(s, content, Pile.DRAW + age) for age in range(N_AGES)],
        "queue": cards(s, content, Pile.QUEUE),
        "demand": cards(s, content, Pile.DEMAND),
        "discard": cards(s, content, Pile.DISCARD),
        "aside": cards(s, content, Pile.ASIDE) + cards(s, content, Pile.ASIDE_DISCARD)
        + cards(s, content, Pile.TRAY) + cards(s, content, Pile.TRANSIT),
        "players": [player(s, content, other) for other in range(s.seats)],
    }


def cards(s: Any, content: Content, pile: int) -> list[dict[str, Any]]:
    """A pile from bottom to top."""
    return [card(content, int(s.card[place]), bool(s.face_up[place]))
            for place in range(s.start[pile], s.start[pile + 1])]


def card(content: Content, number: int, face_up: bool) -> dict[str, Any]:
    """A card with all that is printed on it, or only its back."""
    if number < 0:
        return {"age": AGES[-1 - number], "face_up": False}
    printed, event = card_words(content, number), event_words(content, number)
    return {
        "key": CARDS[number], "age": AGES[printed["age"]], "face_up": face_up,
        "business": printed["name"], "provides": list(printed["provides"]),
        "develop_cost": printed["develop_cost"], "gold_cost": printed["gold_cost"],
        "contract": printed["contract"], "ability": ability_text(content, CARDS[number]),
        "event": event["name"], "demand": printed["demand"],
        "effect": event_text(content, printed["event"]),
    }


def player(s: Any, content: Content, seat: int) -> dict[str, Any]:
    return {
        "gold": int(s.gold[seat]),
        "hand": cards(s, content, Pile.HAND + seat),
        "kept": cards(s, content, Pile.KEPT + seat),
        "held": int(held_cards(s, seat)),
        "limit": int(draw_limit(s, content.record, seat)),
        "provides": {icon.name.lower(): int(s.provided[seat, icon])
                     for icon in Icon if s.provided[seat, icon]},
        "businesses": [business(s, content, seat, slot) for slot in range(N_SLOTS)
                       if has_business(s, seat, slot)],
    }


def business(s: Any, content: Content, seat: int, slot: int) -> dict[str, Any]:
    where = seat * N_SLOTS + slot
    is_open = bool(s.opened[seat, slot])
    contract = cards(s, content, Pile.CONTRACT + where)
    return {
        "place": slot + 1,
        "open": is_open,
        "card": cards(s, content, Pile.BUSINESS + where)[0],
        "developments": cards(s, content, Pile.DEVELOPMENT + where),
        "contract": contract[0] if contract else None,
        "value": int(contract_value(s, content.record, seat, slot)) if is_open else None,
        "paid": bool(s.paid[seat, slot]),
        "contract_gold": int(s.contract_gold[seat, slot]),
        "stored": int(s.stored[seat, slot]),
        "fresh": bool(s.started[seat, slot] or s.developed[seat, slot]),
        "development_count": int(pile_size(s, Pile.DEVELOPMENT + where)),
    }
