"""Greement in words: what has to be computed. The sentences are in `words.toml`.

A square is named by its row's letter and its column's number: a1 is a corner, j10 the opposite one.
"""

from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import asked, top_seat
from exchequer.core.content import Content
from exchequer.core.log import HIDDEN
from exchequer.core.sentences import Said, listed, person
from exchequer.core.words import ActionTexts
from exchequer.games.greement.amounts import amount_bounds, menu_amount
from exchequer.games.greement.board import (
    bank_price,
    entry,
    gift_tax,
    square_tax,
    square_value,
)
from exchequer.games.greement.deals import deal_cost, tax_total
from exchequer.games.greement.pledges import amount_missing, card_price, open_card
from exchequer.games.greement.state import (
    DRAFT,
    N_ACTIONS,
    N_MENU,
    N_SQUARES,
    OFFER,
    SEATS,
    SIDE,
    Ask,
    Begins,
    Book,
    Do,
    Draft,
    Happening,
    Land,
    Promise,
    Stage,
    Value,
)
from exchequer.games.greement.texts import event_text, thing

__all__ = ["PLACEHOLDERS", "TEXTS", "ask", "describe", "thing"]


def square_name(square: int) -> str:
    """0 -> a1, 99 -> j10."""
    return f"{chr(ord('a') + square // SIDE)}{square % SIDE + 1}"


SQUARES = [square_name(square) for square in range(N_SQUARES)]
HAPPENINGS = [kind.name.lower() for kind in Happening]
PROMISES = ["against", "let", "gift", "keep-off"]

TEXTS = ActionTexts(N_ACTIONS, [
    ("cancel", Do.CANCEL, []),
    ("pass", Do.PASS, []),
    ("bell", Do.BELL, []),
    ("end", Do.END, []),
    ("borrow", Do.BORROW, []),
    ("repay", Do.REPAY, []),
    ("buy", Do.BUY, []),
    ("seed", Do.SEED, []),
    ("cattle", Do.CATTLE, []),
    ("sell", Do.SELL, []),
    ("offer", Do.OFFER, []),
    ("gift", Do.GIFT, []),
    ("call", Do.CALL, []),
    ("promise", Do.PROMISE, []),
    ("accept", Do.ACCEPT, []),
    ("decline", Do.DECLINE, []),
    ("counter", Do.COUNTER, []),
    ("vote", Do.VOTE, ["let", "against"]),
    ("price", Do.PAYER, ["mine", "yours"]),
    ("tax", Do.TAX, ["buyer", "seller", "both"]),
    ("seat", Do.SEAT, [str(seat + 1) for seat in range(SEATS)]),
    ("promise", Do.PROMISED, PROMISES),
    ("amount", Do.MENU, [str(place + 1) for place in range(N_MENU)]),
    ("type", Do.TYPE, []),
    ("digit", Do.DIGIT, [str(digit) for digit in range(10)]),
    ("erase", Do.ERASE, []),
    ("confirm", Do.CONFIRM, []),
    ("done", Do.DONE, []),
    ("square", Do.SQUARE, SQUARES),
])

LANDS = {Land.LAND: "land", Land.MINE: "a gold mine", Land.LAKE: "a lake",
         Land.MOUNTAIN: "a mountain"}
COMMITMENTS = {
    Promise.AGAINST: "to vote against the next event",
    Promise.LET: "to let the next event happen",
    Promise.GIFT: "a gift later on",
    Promise.KEEP_OFF: "to buy nothing beside their squares",
}


BEGINS = {
    Begins.SEALED: "{who} begins: no first loan is larger, and of equal ones the youngest player's "
                   "counts; ages were drawn by lot.",
    Begins.LARGEST: "{who} wrote down the largest first loan and begins.",
    Begins.YOUNGEST: "No first loan is larger than {who}'s, and of those who wrote as much {who} "
                     "is the youngest, by lot: {who} begins.",
    Begins.LOT: "{who} begins, drawn by lot.",
}


TAXED = {"buyer": "the buyer bears", "seller": "the seller bears", "both": "both bear half of"}
BEARERS = tuple(TAXED.values())  # by Bearer
SEALED_ANSWERS = ("a vote to let it happen", "a vote against it", "a wish to talk first")
PAYERS = ("The buyer pays the tax", "The seller pays the tax", "Both pay half of the tax")


def coins(amount: int) -> str:
    return "some money" if amount == HIDDEN else f"{int(amount):,}c"


def square_text(square: int) -> str:
    return square_name(square).upper() if 0 <= square < N_SQUARES else "a square"


# Placeholders ------------------------------------------------------------------------------------

def offer_text(said: Said) -> str:
    """The offer on the table as the answering seat reads it."""
    s, seat, tax = said.s, said.seat, tax_total(said.s, said.content.record, OFFER)
    squares = [int(square) for square in s.deal_square[OFFER][: s.deal_count[OFFER]]]
    gets = listed([square_text(square) for square in squares if s.owner[square] != seat])
    gives = listed([square_text(square) for square in squares if s.owner[square] == seat])
    verb = "pay" if s.deal_payer[OFFER] == seat else "receive"
    sides = ([f"you get {gets}"] * bool(gets) + [f"you give {gives}"] * bool(gives)
             + [f"you {verb} {coins(s.deal_price[OFFER])}"])
    if tax:
        sides.append(f"{BEARERS[s.deal_tax[OFFER]]} the tax of {coins(tax)}")
    return ", ".join(sides) + "."


def purse(said: Said) -> str:
    return (f"You have {coins(said.s.cash[said.seat])} and owe "
            f"{coins(said.s.debt[said.seat])}")


def open_card_text(said: Said) -> str:
    key = HAPPENINGS[open_card(said.s, said.content.record)]
    return f"{said.content.words['event'][key]['name']}: {event_text(said.content, key)}"


def bound(said: Said, which: int) -> str:
    return coins(amount_bounds(said.s, said.content.record, said.seat)[which])


def menu_line(said: Said) -> str:
    """An amount of the menu."""
    s, c, seat = said.s, said.content.record, said.seat
    low, high = amount_bounds(s, c, seat)
    return coins(menu_amount(s, c, seat, said.thing, low, high))


def accepted_for(said: Said) -> str:
    if asked(said.s) != Ask.ANSWER:
        return ""
    cost = int(deal_cost(said.s, said.content.record, OFFER, said.seat))
    return f" ({'costs' if cost >= 0 else 'brings'} {coins(abs(cost))})"


def gift_tax_text(said: Said) -> str:
    if said.s.draft_kind != Draft.GIFT:
        return ""
    return f" (tax {coins(gift_tax(said.s, said.content.record, said.seat, said.thing))})"


PLACEHOLDERS = {
    "coins": lambda said: coins(said.n),
    "square": lambda said: square_text(said.thing),
    "home_square": lambda said: square_text(said.s.home[said.seat]),
    "land": lambda said: LANDS[Land(said.thing)],
    "effect": lambda said: event_text(said.content, HAPPENINGS[said.thing]),
    "promise": lambda said: COMMITMENTS[Promise(said.thing)],
    "vote": lambda said: "against" if said.thing else "to let it happen",
    "sealed": lambda said: SEALED_ANSWERS[said.thing],
    "before_vote": lambda said: (", or a gift or a promise before it"
                                 if said.s.lap < said.content.record.bribe_laps else ""),
    "moved": lambda said: "borrows" if said.thing == Book.LOAN else "repays",
    "begins": lambda said: BEGINS[Begins(said.thing)].format(who=person(said.names, said.seat)),
    "partner": lambda said: person(said.names, said.s.deal_from[OFFER]),
    "active_player": lambda said: person(said.names, said.s.active),
    "gift": lambda said: coins(said.s.deal_price[OFFER]),
    "missing": lambda said: coins(amount_missing(said.s, said.content.record)),
    "card_price": lambda said: coins(card_price(said.s, said.content.record)),
    "amount": lambda said: coins(said.s.draft_amount),
    "lowest": lambda said: bound(said, 0), "highest": lambda said: bound(said, 1),
    "vote_line": lambda said: "Vote against it" if said.thing else "Let it happen",
    "payer_line": lambda said: "You pay the price" if said.thing else "I pay the price",
    "bears": lambda said: PAYERS[said.thing],
    "offer": offer_text, "purse": purse, "open_card": open_card_text, "menu_amount": menu_line,
    "accepted_for": accepted_for, "gift_tax": gift_tax_text,
}


# Questions and actions ---------------------------------------------------------------------------

def ask(s: Any, content: Content, names: Sequence[str]) -> str | None:
    """The next part of a draft; other questions are in words.toml."""
    if s.draft_stage == Stage.MAIN:
        return None
    if s.draft_stage == Stage.TYPING:
        low, high = amount_bounds(s, content.record, int(top_seat(s)))
        return f"From {coins(low)} to {coins(high)}: {coins(s.draft_amount)} so far."
    return {
        Stage.PARTNER: "With whom?",
        Stage.SQUARE: "Which square?",
        Stage.MORE: "Another square, or is that all?",
        Stage.PAYER: "Who pays the price?",
        Stage.AMOUNT: "How much?",
        Stage.TAX: f"Who pays the distance tax of {coins(tax_total(s, content.record, DRAFT))}?",
        Stage.PROMISE: "What do you promise? It binds nobody.",
    }[Stage(s.draft_stage)]


def describe(s: Any, content: Content, action: int, names: Sequence[str]) -> str | None:
    """A square by what is done with it; nothing about those who are not at this table."""
    if action < Do.SQUARE:
        return "" if len(names) <= action - Do.SEAT < SEATS else None
    return describe_square(s, content, int(top_seat(s)), action - Do.SQUARE)


def describe_square(s: Any, content: Content, seat: int, square: int) -> str:
    c, name = content.record, square_text(square)
    if s.draft_kind == Draft.BUY:
        tax = int(square_tax(s, c, seat, square))
        price = coins(bank_price(s, c, square)) + (f" and {coins(tax)} tax" if tax else "")
        return f"{name}, {square_kind(s, square)}, for {price}"
    if s.draft_kind == Draft.SEED:
        return f"{name} for {coins(entry(s, Value.SEED))}"
    if s.draft_kind == Draft.CATTLE:
        return f"{name} for {coins(entry(s, Value.CATTLE))}"
    if s.draft_kind == Draft.SELL:
        return f"{name} for {coins(square_value(s, c, square))}"
    if s.draft_kind == Draft.OFFER:
        return f"{'Sell' if s.owner[square] == seat else 'Buy'} {name}, {square_kind(s, square)}"
    if asked(s) == Ask.SAVE:
        return f"{name} for {coins(c.disease_price)}"
    return name


def square_kind(s: Any, square: int) -> str:
    if s.kind[square] == 0:
        return ("brown land", "crop", "cattle")[s.use[square]]
    return {-1: "face down", 1: "gold mine", 2: "lake", 3: "mountain"}[int(s.kind[square])]
