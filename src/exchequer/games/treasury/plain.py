"""Cards as lines of text, for both editions of Treasury."""

from collections.abc import Mapping
from typing import Any

from exchequer.core.words import counted

Card = Mapping[str, Any]


def price(card: Card) -> str:
    """What opening it costs."""
    return f"{counted(card['develop_cost'], 'card')} or {card['gold_cost']} gold"


def hand_text(card: Card, business: str, event: str, demand: str, effect: str) -> str:
    """Both halves of a card in hand."""
    return (f"{business}: {' '.join(card['provides'])}, {price(card)}, contract "
            f"{card['contract']}. {card['ability']} / {event} ({demand}): {effect}")
