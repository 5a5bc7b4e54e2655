"""What a seat sees of Greement, as plain data. Made from an observation, so it cannot leak."""

from typing import Any

from exchequer.core.content import Content
from exchequer.core.piles import pile_size
from exchequer.games.greement import rules
from exchequer.games.greement.board import multiplier, profit_of, square_profit, worth_of
from exchequer.games.greement.pledges import amount_missing, card_price
from exchequer.games.greement.state import (
    NO_SQUARE,
    OFFER,
    SEATS,
    UNKNOWN,
    Ask,
    Ending,
    Fate,
    Land,
    Pile,
    Promise,
    Use,
    Value,
    Vote,
)
from exchequer.games.greement.words import HAPPENINGS, SQUARES, square_name


def known(number: Any) -> int | None:
    """A secret number, None where the seat may not know it."""
    return None if number == UNKNOWN else int(number)


def view(s: Any, content: Content, seat: int) -> dict[str, Any]:
    c = content.record
    return {
        "seat": seat,
        "actor": int(rules.actor(s)),
        "round": int(s.round_number),
        "last_round": int(s.last_round) or None,
        "first_player": known(s.first),
        "active": known(s.active),
        "over": bool(s.ending != Ending.NONE),
        "rung": bool(s.rung),
        "table": {value.name.lower(): int(s.table[value]) for value in Value},
        "squares": [square(s, content, number) for number in range(len(SQUARES))],
        "players": [player(s, content, other) for other in range(s.seats)],
        "row": [card(s, c, place) for place in range(pile_size(s, Pile.ROW))],
        "deck": int(pile_size(s, Pile.DECK)),
        "used": [HAPPENINGS[c.kind_of[number]]
                 for number in s.card[s.start[Pile.USED] : s.start[Pile.BOX]]],
        "missing": missing(s, content),
        "offer": offer(s) if s.deal_from[OFFER] != UNKNOWN else None,
        "promises": [{"from": by, "to": to, "what": promise.name.lower()}
                     for by in range(SEATS) for to in range(SEATS) for promise in Promise
                     if s.promised[by, to] >> promise & 1],
    }


def square(s: Any, content: Content, number: int) -> dict[str, Any]:
    kind = Land(int(s.kind[number])).name.lower()
    use = Use(int(s.use[number])).name.lower() if s.kind[number] == Land.LAND else kind
    return {
        "name": SQUARES[number], "kind": kind, "use": use, "owner": known(s.owner[number]),
        "start_of": [other for other in range(s.seats) if s.home[other] == number],
        "multiplier": int(multiplier(s, content.record, number)),
        "profit": int(square_profit(s, content.record, number)),
    }


def player(s: Any, content: Content, seat: int) -> dict[str, Any]:
    c = content.record
    return {
        "cash": known(s.cash[seat]), "debt": known(s.debt[seat]),
        "first_loan": known(s.first_loan[seat]),
        "start": square_name(s.home[seat]) if s.home[seat] > NO_SQUARE else None,
        "squares": int(s.held[seat].sum()), "worth": int(worth_of(s, c, seat)),
        "profit": int(profit_of(s, c, seat)), "turns": int(s.turns[seat]),
        "age_rank": int(s.age[seat]), "pledged": int(s.pledged[seat]),
        "voted": bool(s.sealed[seat] != Vote.NONE),
        "last_vote": Vote(int(s.opened[seat])).name.lower(),
    }


def card(s: Any, c: Any, place: int) -> dict[str, Any]:
    """A card of this event phase; its kind only once it lies open."""
    number = int(s.card[s.start[Pile.ROW] + place])
    return {"kind": HAPPENINGS[c.kind_of[number]] if number >= 0 else None,
            "fate": Fate(int(s.fate[place])).name.lower()}


def missing(s: Any, content: Content) -> dict[str, int] | None:
    """How much a priced card still needs."""
    if rules.question(s) != Ask.PLEDGE:
        return None
    return {"price": int(card_price(s, content.record)),
            "missing": int(amount_missing(s, content.record))}


def offer(s: Any) -> dict[str, Any]:
    """What lies on the table between two seats; the others see only who they are."""
    squares = [square_name(number) for number in s.deal_square[OFFER] if number != NO_SQUARE]
    return {
        "from": int(s.deal_from[OFFER]), "to": int(s.deal_to[OFFER]),
        "gift": bool(rules.question(s) == Ask.RECEIVE), "squares": squares,
        "price": int(s.deal_price[OFFER]), "payer": int(s.deal_payer[OFFER]),
        "tax": "seller" if s.deal_tax[OFFER] else "buyer", "counter": bool(s.countered),
    }
