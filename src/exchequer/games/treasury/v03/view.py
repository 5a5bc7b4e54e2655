"""What a seat sees of Treasury 0.3, as plain data. Made from an observation, so it cannot leak."""

from typing import Any

from exchequer.core.agenda import asked_seat
from exchequer.core.content import Content
from exchequer.core.piles import card_at, pile_size
from exchequer.games.treasury.v03.cards import N_ICONS, Icon
from exchequer.games.treasury.v03.drawing import barbarians, population
from exchequer.games.treasury.v03.holdings import (
    business_pile,
    contract_pile,
    contract_value,
    development_pile,
    is_contracted,
    is_open,
    weapons_of,
)
from exchequer.games.treasury.v03.state import N_DECKS, SLOTS, Pile
from exchequer.games.treasury.v03.words import (
    AGES,
    CARDS,
    ability_text,
    card_words,
    event_text,
    is_ours,
)


def view(s: Any, content: Content, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "actor": int(asked_seat(s)),
        "round": int(s.round_number), "age": AGES[int(s.age)], "first": int(s.first),
        "turn": int(s.turn), "closing": bool(s.closing), "last_round": bool(s.end_due),
        "treasury": int(s.treasury), "population": int(population(s)),
        "barbarians": int(barbarians(s, content.record)),
        "decks": {AGES[deck + 2]: int(pile_size(s, Pile.DECK + deck)) for deck in range(N_DECKS)},
        "discards": {AGES[age]: cards_of(s, content, Pile.DISCARD + age - 1)[-1:]
                     for age in range(1, 5)},
        "current": cards_of(s, content, Pile.CURRENT),
        "future": cards_of(s, content, Pile.FUTURE),
        "row": cards_of(s, content, Pile.ROW),
        "demand": cards_of(s, content, Pile.DEMAND),
        "aside": cards_of(s, content, Pile.ASIDE),
        "players": [player(s, content, owner) for owner in range(s.seats)],
    }


def card_view(content: Content, card: int) -> dict[str, Any]:
    """A card with all that is on it, or, where it is not known, its back."""
    if card < 0:
        return {"card": "", "back": AGES[-1 - card]}
    words = card_words(content, card)
    return {
        "card": CARDS[card], "back": AGES[int(content.record.back[card])], "name": words["name"],
        "develop_cost": words["develop_cost"], "gold_cost": words["gold_cost"],
        "contract": words["contract"], "provides": list(words["provides"]),
        "ability": ability_text(content, card), "event_name": words["event_name"],
        "event": event_text(content, card), "demand": words["demand"],
        "barbarian": bool(words["barbarian"]), "ours": is_ours(content, card),
        "source": words["source"],
    }


def cards_of(s: Any, content: Content, pile: int) -> list[dict[str, Any]]:
    """The cards of a pile, the bottom first."""
    return [card_view(content, int(card_at(s, pile, index))) for index in range(pile_size(s, pile))]


def player(s: Any, content: Content, seat: int) -> dict[str, Any]:
    return {
        "gold": int(s.gold[seat]), "weapons": int(weapons_of(s, seat)),
        "turns": int(s.turns[seat]), "loses_turn": bool(s.lose_turn[seat]),
        "hand": cards_of(s, content, Pile.HAND + seat),
        "provides": {Icon(i).name.lower(): int(s.provided[seat, i]) for i in range(N_ICONS)
                     if s.provided[seat, i]},
        "businesses": [business(s, content, seat, slot) for slot in range(SLOTS)
                       if pile_size(s, business_pile(seat, slot))],
    }


def business(s: Any, content: Content, seat: int, slot: int) -> dict[str, Any]:
    shown = card_view(content, int(card_at(s, business_pile(seat, slot), 0)))
    contract = cards_of(s, content, contract_pile(seat, slot))
    return {
        "place": slot + 1, "open": bool(is_open(s, seat, slot)), "business": shown,
        "developments": cards_of(s, content, development_pile(seat, slot)),
        "contract": contract[0] if contract else None,
        "value": int(contract_value(s, content.record, seat, slot))
        if is_contracted(s, seat, slot) else 0,
        "stored": int(s.stored[seat, slot]),
    }
