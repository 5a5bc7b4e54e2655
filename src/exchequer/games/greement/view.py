"""What a seat sees of Greement, as plain data. Made from an observation, so it cannot leak."""

import functools
from typing import Any

import numpy as np

from exchequer.core.agenda import asked, asked_seat
from exchequer.core.content import Content
from exchequer.core.piles import pile_size
from exchequer.core.records import blank
from exchequer.games.greement.board import multiplier, square_profit, square_value
from exchequer.games.greement.deals import tax_total
from exchequer.games.greement.pledges import amount_missing, card_price
from exchequer.games.greement.state import (
    CONTENT,
    DRAFT,
    NO_SQUARE,
    OFFER,
    UNKNOWN,
    Ask,
    Bearer,
    Draft,
    Ending,
    Fate,
    Land,
    Pile,
    Promise,
    Stage,
    State,
    Use,
    Value,
    Vote,
)
from exchequer.games.greement.words import HAPPENINGS, SQUARES

KINDS = {kind.value: kind.name.lower() for kind in Land}
USES = [use.name.lower() for use in Use]
VOTES = [vote.name.lower() for vote in Vote]


def known(number: Any) -> int | None:
    """A secret number, None where the seat may not know it."""
    return None if number == UNKNOWN else int(number)


def view(s: Any, content: Content, seat: int) -> dict[str, Any]:
    c = content.record
    board = squares(s, c)
    return {
        "seat": seat,
        "actor": int(asked_seat(s)),
        "round": int(s.round_number),
        "last_round": int(s.last_round) or None,
        "first_player": known(s.first),
        "active": known(s.active),
        "over": bool(s.ending != Ending.NONE),
        "rung": bool(s.rung),
        "table": {value.name.lower(): int(s.table[value]) for value in Value},
        "squares": board,
        "players": players(s, board),
        "row": [card(s, c, place) for place in range(pile_size(s, Pile.ROW))],
        "deck": int(pile_size(s, Pile.DECK)),
        "used": [HAPPENINGS[c.kind_of[number]]
                 for number in s.card[s.start[Pile.USED] : s.start[Pile.BOX]]],
        "missing": missing(s, content),
        "offer": offer(s, content, seat) if s.deal_from[OFFER] != UNKNOWN else None,
        "draft": draft(s),
        "promises": promises(s),
    }


def squares(s: Any, c: Any) -> list[dict[str, Any]]:
    """Every square; what it is worth follows from its sort and the table alone."""
    owners, beside, homes = s.owner.tolist(), s.beside.tolist(), s.home.tolist()
    rates = s.table.tobytes(), int(c.mines_multiplied), int(c.improvements_count)
    board = []
    for number, (kind, use) in enumerate(zip(s.kind.tolist(), s.use.tolist(), strict=True)):
        owner = owners[number]
        board.append({
            "name": SQUARES[number], "kind": KINDS[kind],
            "use": USES[use] if kind == Land.LAND else KINDS[kind],
            "owner": owner if owner != UNKNOWN else None,
            "start_of": [seat for seat, home in enumerate(homes) if home == number]
            if number in homes else [],
            **figures(*rates, kind, use, beside[number]),
        })
    return board


@functools.lru_cache(maxsize=10_000)
def figures(table: bytes, mines_multiplied: int, improvements_count: int, kind: int, use: int,
            beside: int) -> dict[str, int]:
    """G-8 to G-10 What a land or mine of this sort is worth and brings; nothing for the others."""
    if kind not in (Land.LAND, Land.MINE):
        return {}
    s, c = blank(State), blank(CONTENT.dtype)
    s.table[:] = np.frombuffer(table, s.table.dtype)
    s.kind[0], s.use[0], s.beside[0] = kind, use, beside
    c.mines_multiplied, c.improvements_count = mines_multiplied, improvements_count
    return {"multiplier": int(multiplier(s, c, 0)), "profit": int(square_profit(s, c, 0)),
            "value": int(square_value(s, c, 0))}


def players(s: Any, board: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each seat's line; the columns are read once, a record is slow to ask."""
    cash, debt, loans = s.cash.tolist(), s.debt.tolist(), s.first_loan.tolist()
    homes, turns, ages, pledged = (s.home.tolist(), s.turns.tolist(), s.age.tolist(),
                                   s.pledged.tolist())
    sealed, opened = s.sealed.tolist(), s.opened.tolist()
    kept, broken = s.kept.tolist(), s.broken.tolist()
    lines = []
    for seat in range(s.seats):
        own = [square for square in board if square["owner"] == seat]
        lines.append({
            "cash": known(cash[seat]), "debt": known(debt[seat]), "first_loan": known(loans[seat]),
            "start": SQUARES[homes[seat]] if homes[seat] > NO_SQUARE else None,
            "squares": len(own), "worth": sum(square["value"] for square in own),
            "profit": sum(square["profit"] for square in own), "turns": turns[seat],
            "age_rank": ages[seat], "pledged": pledged[seat],
            "voted": sealed[seat] != Vote.NONE, "last_vote": VOTES[opened[seat]],
            "kept": kept[seat], "broken": broken[seat],
        })
    return lines


def promises(s: Any) -> list[dict[str, Any]]:
    """Promises that stand; they bind nobody."""
    return [{"from": by, "to": to, "what": promise.name.lower()}
            for by, row in enumerate(s.promised.tolist()) for to, bits in enumerate(row)
            for promise in Promise if bits >> promise & 1]


def card(s: Any, c: Any, place: int) -> dict[str, Any]:
    """A card of this event phase; its kind only once it lies open."""
    number = int(s.card[s.start[Pile.ROW] + place])
    return {"kind": HAPPENINGS[c.kind_of[number]] if number >= 0 else None,
            "fate": Fate(int(s.fate[place])).name.lower()}


def missing(s: Any, content: Content) -> dict[str, int] | None:
    """How much a priced card still needs."""
    if asked(s) != Ask.PLEDGE:
        return None
    return {"price": int(card_price(s, content.record)),
            "missing": int(amount_missing(s, content.record))}


def draft(s: Any) -> dict[str, Any] | None:
    """What the asked seat is composing; an observation holds nobody else's."""
    if s.draft_stage == Stage.MAIN:
        return None
    return {"kind": Draft(int(s.draft_kind)).name.lower(),
            "to": known(s.deal_to[DRAFT]) if s.draft_kind >= Draft.OFFER else None,
            "squares": [SQUARES[number] for number in s.deal_square[DRAFT]
                        if number != NO_SQUARE],
            "typed": int(s.draft_amount) if s.draft_stage == Stage.TYPING else None}


def offer(s: Any, content: Content, seat: int) -> dict[str, Any]:
    """What lies on the table between two seats; the others see only who they are."""
    sides = {"from": int(s.deal_from[OFFER]), "to": int(s.deal_to[OFFER]),
             "gift": bool(asked(s) == Ask.RECEIVE), "counter": bool(s.countered)}
    if seat not in (sides["from"], sides["to"]):
        return sides
    return {
        **sides,
        "squares": [SQUARES[number] for number in s.deal_square[OFFER] if number != NO_SQUARE],
        "price": int(s.deal_price[OFFER]), "payer": int(s.deal_payer[OFFER]),
        "tax": int(tax_total(s, content.record, OFFER)),
        "taxed": Bearer(int(s.deal_tax[OFFER])).name.lower(),
        "number": int(s.offer_number), "chain": int(s.offer_chain),
    }
