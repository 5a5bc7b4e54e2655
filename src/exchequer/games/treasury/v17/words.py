"""Treasury 0.17 in words: what has to be computed. The sentences are in `words.toml`."""

import functools
from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import asked, top_item
from exchequer.core.content import Content
from exchequer.core.piles import card_at, pile_size
from exchequer.core.records import NOBODY
from exchequer.core.sentences import Said
from exchequer.core.words import ActionTexts
from exchequer.games.treasury.titles import told_apart
from exchequer.games.treasury.v17.businesses import is_developed
from exchequer.games.treasury.v17.cards import MOST_GOLD_COST, N_AGES, N_CARDS, Card, Icon
from exchequer.games.treasury.v17.drawing import age_pile
from exchequer.games.treasury.v17.money import contract_value, opening_price
from exchequer.games.treasury.v17.playing import goes_direct
from exchequer.games.treasury.v17.questions import observed_pile
from exchequer.games.treasury.v17.state import (
    MOST_SEATS,
    N_ACTIONS,
    N_SLOTS,
    SHAPE,
    Ask,
    Do,
    Pile,
    Shape,
    Target,
)
from exchequer.games.treasury.v17.texts import AGES, ability_text, thing
from exchequer.games.treasury.v17.zones import has_business, is_startup

__all__ = ["PLACEHOLDERS", "TEXTS", "ask", "describe", "thing"]

CARDS = [card.name.lower() for card in Card]
SLOTS = [str(slot + 1) for slot in range(N_SLOTS)]
ALL_SLOTS = [f"{seat + 1}-{slot + 1}" for seat in range(MOST_SEATS) for slot in range(N_SLOTS)]
TARGETS = [target.name.lower().replace("_", "-") for target in Target]

TEXTS = ActionTexts(N_ACTIONS, [
    ("end", Do.END, []), ("pass", Do.PASS, []), ("play", Do.PLAY, []),
    ("free-play", Do.FREE_PLAY, []), ("start", Do.START, []), ("free-start", Do.FREE_START, []),
    ("develop", Do.DEVELOP, []), ("free-develop", Do.FREE_DEVELOP, []),
    ("sculpt", Do.SCULPT, []), ("whale", Do.WHALE, []), ("teach", Do.TEACH, []),
    ("perform", Do.PERFORM, []), ("discard", Do.DISCARD, []), ("market", Do.MARKET, []),
    ("peek", Do.PEEK, []), ("foresee", Do.FORESEE, []), ("flip", Do.FLIP, []),
    ("observe", Do.OBSERVE, TARGETS), ("open", Do.OPEN, SLOTS), ("claim", Do.CLAIM, SLOTS),
    ("pay", Do.PAY, SLOTS), ("close", Do.CLOSE, []), ("cancel", Do.CANCEL, []),
    ("no", Do.NO, []), ("yes", Do.YES, []), ("by-cards", Do.BY_CARDS, []),
    ("by-gold", Do.BY_GOLD, []), ("from-pile", Do.FROM_PILE, []),
    ("from-discard", Do.FROM_DISCARD, []), ("from-age", Do.FROM_AGE, []),
    ("seat", Do.SEAT, [str(seat + 1) for seat in range(MOST_SEATS)]),
    ("age", Do.AGE, [str(age) for age in range(N_AGES)]),
    ("amount", Do.AMOUNT, [str(gold) for gold in range(MOST_GOLD_COST + 1)]),
    ("slot", Do.SLOT, ALL_SLOTS),
    ("position", Do.POSITION, [str(index) for index in range(N_CARDS)]),
    ("card", Do.CARD, CARDS),
])


# Cards -------------------------------------------------------------------------------------------

def card_words(content: Content, card: int) -> dict[str, Any]:
    return content.words["card"][CARDS[card]]


def is_known(card: int) -> bool:
    return 0 <= card < N_CARDS


def business_name(content: Content, card: int) -> str:
    return card_words(content, card)["name"] if is_known(card) else "a startup"


def event_words(content: Content, card: int) -> dict[str, Any]:
    return content.words["event"][card_words(content, card)["event"]]


def event_name(content: Content, card: int) -> str:
    return event_words(content, card)["name"] if is_known(card) else "a face-down event"


@functools.lru_cache(maxsize=8)
def card_lines(content: Content) -> list[str]:
    """Both titles of every card: `Tanner / Discovery (science)`."""
    return told_apart([f"{business_name(content, card)} / {event_name(content, card)} "
                       f"({card_words(content, card)['demand']})" for card in Card],
                      [ability_text(content, key) for key in CARDS])


def card_line(content: Content, card: int) -> str:
    """A card by both titles; a hidden one by its back."""
    if is_known(card):
        return card_lines(content)[card]
    return f"a face-down card of age {AGES[-1 - card]}" if -N_AGES <= card < 0 else "a card"


def business_text(s: Any, content: Content, seat: int, slot: int) -> str:
    """A business by name, or the back of an unknown startup, with its place."""
    if not has_business(s, seat, slot):
        return f"nothing (place {slot + 1})"
    card = int(s.card[s.start[Pile.BUSINESS + seat * N_SLOTS + slot]])
    name = business_name(content, card) if card >= 0 else f"a startup of age {AGES[-1 - card]}"
    return f"{name} (place {slot + 1})"


# Placeholders ------------------------------------------------------------------------------------

OBSERVE_LINES = ["a startup", "a development card", "a contract", "a face-down demand card",
                 "a face-down queue card", "the top of a draw pile", "the top discard"]
CARD_VERBS = {
    Ask.DRAFT: "Keep", Ask.FIRST_CARD: "Place", Ask.EVENT_CARD: "Play", Ask.START_CARD: "Start",
    Ask.DEVELOP_CARD: "Develop with", Ask.WHALE_CARD: "Put down", Ask.EXCHANGE_CARD: "Give",
    Ask.TRADER_CARD: "Open", Ask.IMPORT_CARD: "Import", Ask.BROKER_CARD: "Sell",
    Ask.RETURN_CARD: "Return", Ask.KEEP_CARD: "Keep", Ask.TANNER_CARD: "Lay down",
    Ask.START_NOW: "Start",
}
SLOT_VERBS = {
    Ask.DEVELOP_SLOT: "Develop", Ask.PEEK_SLOT: "Look at", Ask.OBSERVE_SLOT: "Look at",
    Ask.FORT_SLOT: "Close", Ask.CLOSE_SLOT: "Close", Ask.LODGE_SLOT: "Contract",
    Ask.INNOVATE_SLOT: "Contract",
    Ask.COOK_SLOT: "Contract", Ask.EOA_SLOT: "Use",
}


def opening_text(s: Any, content: Content, seat: int, slot: int) -> str:
    """By development cards, or the price."""
    if not is_startup(s, seat, slot):
        return "no startup"
    card = int(s.card[s.start[Pile.BUSINESS + seat * N_SLOTS + slot]])
    if is_developed(s, content.record, seat, slot):
        return "developed" if content.record.card[card].develop_cost else "free"
    return f"{opening_price(s, content.record, seat, card)} gold"


def business_there(said: Said) -> str:
    """A business at any place, with its owner, and with its contract where one is paid."""
    owner, slot = divmod(said.thing, N_SLOTS)
    whose = "" if owner == said.seat else f"{said.names[owner]}'s "
    is_paid = asked(said.s) in (Ask.PAY_SLOT, Ask.PICK_SLOT, Ask.INSURE_SLOT)
    value = f" worth {worth(said, owner, slot)} gold" * is_paid
    return f"{whose}{business_text(said.s, said.content, owner, slot)}{value}"


def worth(said: Said, owner: int, slot: int) -> str:
    if not has_business(said.s, owner, slot):
        return "no"
    return str(contract_value(said.s, said.content.record, owner, slot))


def chosen_age(said: Said) -> str:
    _, seat, a, _ = top_item(said.s)
    pile = age_pile(said.s, said.content.record, seat, a // 2)
    return "other" if pile == NOBODY else AGES[pile - Pile.DRAW]


PLACEHOLDERS = {
    "card": lambda said: card_line(said.content, said.thing),
    "business": lambda said: business_name(said.content, said.thing),
    "event": lambda said: event_name(said.content, said.thing),
    "demand": lambda said: card_words(said.content, said.thing)["demand"]
    if is_known(said.thing) else "a card",
    "icon": lambda said: Icon(said.thing).name.lower(),
    "age": lambda said: AGES[said.thing],
    "of_other": lambda said: f" of {said.names[said.other]}" if said.other >= 0 else "",
    "target": lambda said: OBSERVE_LINES[said.thing],
    "card_verb": lambda said: CARD_VERBS.get(Ask(asked(said.s)), "Discard"),
    "slot_verb": lambda said: SLOT_VERBS.get(Ask(asked(said.s)), "Pay"),
    "business_here": lambda said: business_text(said.s, said.content, said.seat, said.thing),
    "business_there": business_there,
    "opening": lambda said: opening_text(said.s, said.content, said.seat, said.thing),
    "worth": lambda said: worth(said, said.seat, said.thing),
    "their_gold": lambda said: str(said.s.gold[said.thing]),
    "chosen_age": chosen_age,
}


# Questions and actions ---------------------------------------------------------------------------

def ask(s: Any, content: Content, names: Sequence[str]) -> str | None:
    if asked(s) != Ask.DIRECT:
        return None
    card = int(s.card[s.start[Pile.TRANSIT]])
    event = event_name(content, card)
    if not goes_direct(content.record, card):  # T17-73
        return f"{event} cannot go straight to demand; the others do not know that."
    return f"Does {event} go straight to demand?"


def describe(s: Any, content: Content, action: int, names: Sequence[str]) -> str | None:
    """What depends on the question; the rest is in words.toml."""
    if Do.POSITION <= action < Do.CARD:
        return position_line(s, content, action - Do.POSITION)
    if Do.SEAT <= action < Do.AGE or Do.SLOT <= action < Do.POSITION:
        who = action - Do.SEAT if action < Do.AGE else (action - Do.SLOT) // N_SLOTS
        return None if who < len(names) else ""  # about nobody at this table
    if action != Do.NO:
        return None
    question = Ask(asked(s))
    if question in (Ask.DEVELOP_CARD, Ask.ORCHARD):
        return "That is all"
    return "No" if SHAPE[question] == Shape.YES_NO else "None of these"


def position_line(s: Any, content: Content, index: int) -> str:
    question, _, a, b = map(int, top_item(s))
    if question == Ask.QUEUE_POSITION:
        return f"Put it at position {index + 1} from the bottom"
    pile = {Ask.TEACH_POSITION: Pile.QUEUE, Ask.DIG_POSITION: Pile.DISCARD}.get(
        Ask(question), observed_pile(a, b))
    card = int(card_at(s, pile, index)) if index < pile_size(s, pile) else N_CARDS
    return f"Number {index + 1} from the bottom: {card_line(content, card)}"
