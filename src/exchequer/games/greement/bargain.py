"""A deal as one form (G-28, G-R38): what may be put into it, what each side would net, the actions
that propose it, and what became of the offers of a turn.

The rules know only small actions; a form is played as a row of these, so that journals and replays
stay as they are.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.agenda import asked, then, top_seat
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.position import Position
from exchequer.core.sentences import listed
from exchequer.games.greement.board import square_tax
from exchequer.games.greement.deals import (
    clear_deal,
    clear_draft,
    copy_draft,
    deal_cost,
    partner_refusal,
    tax_share,
    tax_total,
)
from exchequer.games.greement.habits import LEAST_GAIN, agrees, is_fair, offer_gain
from exchequer.games.greement.money import credit
from exchequer.games.greement.rules import answer_refusal
from exchequer.games.greement.state import (
    DRAFT,
    MOST_COINS,
    MOST_SQUARES,
    OFFER,
    UNKNOWN,
    Ask,
    Bearer,
    Do,
    Draft,
    Ending,
    Event,
    Refusal,
    Stage,
)
from exchequer.games.greement.view import offer
from exchequer.games.greement.words import SQUARES, coins

BEGIN = {Ask.TURN: Do.OFFER, Ask.CALLED: Do.OFFER, Ask.ANSWER: Do.COUNTER}
BEARERS = [bearer.name.lower() for bearer in Bearer]
HIGHEST = 100_000  # that a bot names
BECAME = {Event.COUNTERED: "countered", Event.DECLINED: "declined", Event.DEAL: "accepted"}


# The form ----------------------------------------------------------------------------------------

def deal_form(s: Any, content: Content, seat: int) -> dict[str, Any] | None:
    """What the seat may propose now, filled in with the offer it would answer; None where it may
    propose nothing."""
    partners = partners_of(s, content, seat)
    if not partners:
        return None
    is_counter = bool(asked(s) == Ask.ANSWER)
    terms = offer(s, content, seat) if is_counter else {}
    owners = {seat, *partners}
    return {
        "partners": partners, "is_counter": is_counter, "is_proposal": False,
        "squares": [{"name": SQUARES[square], "owner": owner,
                     "chosen": SQUARES[square] in terms.get("squares", ())}
                    for square, owner in enumerate(s.owner.tolist()) if owner in owners],
        "most": MOST_SQUARES if content.record.bundle_trades else 1,
        "price": terms.get("price"), "pays": terms.get("payer") == seat,
        "tax": terms.get("taxed", BEARERS[0]), "bearers": BEARERS,
    }


def partners_of(s: Any, content: Content, seat: int) -> list[int]:
    """Whom the seat can make an offer now."""
    ask, c = asked(s), content.record
    if ask not in BEGIN or s.draft_stage != Stage.MAIN or top_seat(s) != seat \
            or answer_refusal(s, c, ask, seat, BEGIN[Ask(ask)]) != Refusal.NONE:
        return []
    if ask == Ask.ANSWER:
        return [int(s.deal_from[OFFER])]
    if ask == Ask.CALLED:
        return [int(s.active)]
    return [other for other in range(s.seats)
            if partner_refusal(s, c, seat, Draft.OFFER, other) == Refusal.NONE]


# Its terms ---------------------------------------------------------------------------------------

def drawn_up(s: Any, content: Content, seat: int, terms: Mapping[str, Any]) -> Any:
    """A copy of the state in which the terms lie in the draft."""
    if terms["to"] not in partners_of(s, content, seat):
        raise InputError("You cannot make an offer to them now (G-28).")
    again = s.copy()
    clear_deal(again, DRAFT)
    again.deal_from[DRAFT], again.deal_to[DRAFT] = seat, terms["to"]
    squares = [SQUARES.index(name) for name in terms["squares"] if name in SQUARES]
    if not squares:
        raise InputError("An offer names a square of either side (G-28).")
    if len(squares) > (MOST_SQUARES if content.record.bundle_trades else 1):
        raise InputError("So many squares do not go into one deal (G-R38).")
    if any(again.owner[square] not in (seat, terms["to"]) for square in squares):
        raise InputError("All squares must belong to one of the two (G-28).")
    again.deal_square[DRAFT, : len(squares)] = squares
    again.deal_count[DRAFT] = len(squares)
    again.deal_price[DRAFT] = min(terms["price"], MOST_COINS)
    again.deal_tax[DRAFT] = BEARERS.index(terms["tax"])
    given = [square for square in squares if again.owner[square] == seat]
    pays = terms["pays"] if 0 < len(given) < len(squares) else not given
    again.deal_payer[DRAFT] = seat if pays else terms["to"]
    return again


def shortage(s: Any, content: Content, seat: int) -> int:
    """G-67 What whoever proposes lacks for their own side of the draft; a price they are to be
    paid later does not help before."""
    price = s.deal_price[DRAFT] if s.deal_payer[DRAFT] == seat else 0
    need = max(int(deal_cost(s, content.record, DRAFT, seat)), int(price))
    return max(0, need - int(s.cash[seat]))


def can_borrow(s: Any, content: Content, seat: int, amount: int) -> bool:
    """G-23 G-28 Only whoever has the turn, and as far as the bank lends."""
    return seat == s.active and asked(s) != Ask.CALLED \
        and amount <= min(int(credit(s, content.record, seat)), int(content.record.loan_most))


def deal_actions(s: Any, content: Content, seat: int, terms: Mapping[str, Any]) -> list[int]:
    """The actions that propose the terms, after a loan where one is needed."""
    deal = drawn_up(s, content, seat, terms)
    short, actions = shortage(deal, content, seat), []
    if short and not can_borrow(s, content, seat, short):
        raise InputError(f"You lack {coins(short)} for your side and cannot borrow it now (G-28).")
    if short:
        actions += [Do.BORROW, *typed(short)]
    actions.append(BEGIN[Ask(asked(s))])
    if asked(s) == Ask.TURN and s.seats > 2:
        actions.append(Do.SEAT + terms["to"])
    squares = deal.deal_square[DRAFT, : deal.deal_count[DRAFT]].tolist()
    actions += [Do.SQUARE + square for square in squares]
    if content.record.bundle_trades:
        actions.append(Do.DONE)
    if len({int(s.owner[square]) for square in squares}) > 1:
        actions.append(Do.PAYER + (deal.deal_payer[DRAFT] != seat))
    actions += typed(int(deal.deal_price[DRAFT]))
    if tax_total(deal, content.record, DRAFT) > 0:
        actions.append(Do.TAX + deal.deal_tax[DRAFT])
    return [int(action) for action in actions]


def typed(number: int) -> list[int]:
    """G-65 A number digit by digit."""
    digits = [Do.DIGIT + int(digit) for digit in str(number)] if number else []
    return [Do.TYPE, *digits, Do.CONFIRM]


def deal_weighed(s: Any, content: Content, seat: int, terms: Mapping[str, Any],
                 names: Sequence[str]) -> list[str]:
    """What each side would net, and what has to be borrowed for it."""
    deal = drawn_up(s, content, seat, terms)
    other, c = int(terms["to"]), content.record
    lines = [f"{who} {side_text(deal, c, one, verbs)}"
             for who, one, verbs in (("You", seat, ("get", "give", "pay", "receive")),
                                     (names[other], other, ("gets", "gives", "pays", "receives")))]
    after = int(deal.cash[seat]) - int(deal_cost(deal, c, DRAFT, seat))
    if short := shortage(deal, content, seat):
        able = can_borrow(s, content, seat, short)
        lines.append(f"You lack {coins(short)}, and "
                     + ("borrow it with the offer." if able else "cannot borrow it now (G-28)."))
        after += short if able else 0
    return [*lines, f"You would have {coins(after)} in cash."] if after >= 0 else lines


def side_text(s: Any, c: Any, seat: int, verbs: tuple[str, ...]) -> str:
    """`gives A1, receives 12c and pays 4c of tax: 8c more.`"""
    squares = s.deal_square[DRAFT, : s.deal_count[DRAFT]].tolist()
    gets, gives, pays, receives = verbs
    mine = [SQUARES[square].upper() for square in squares if s.owner[square] == seat]
    theirs = [SQUARES[square].upper() for square in squares if s.owner[square] != seat]
    price, tax = int(s.deal_price[DRAFT]), int(tax_share(s, c, DRAFT, seat))
    parts = [f"{gets} {listed(theirs)}"] * bool(theirs) + [f"{gives} {listed(mine)}"] * bool(mine)
    if price:
        parts.append(f"{pays if s.deal_payer[DRAFT] == seat else receives} {coins(price)}")
    if tax:
        parts.append(f"{pays} {coins(tax)} of tax")
    cost = int(deal_cost(s, c, DRAFT, seat))
    net = f": {coins(abs(cost))} {'less' if cost > 0 else 'more'}." if cost else "."
    return listed(parts) + net


# Proposals to the player in turn (G-28, G-70) ----------------------------------------------------

def talk_turn(s: Any) -> list[int]:
    """The turn in which a proposal stands."""
    return [int(s.round_number), int(s.active)]


def spoken_to(s: Any, seat: int) -> Any | None:
    """A copy in which the seat is asked for an offer to the player in turn; None where nobody else
    has a turn.
    """
    if s.active in (UNKNOWN, seat) or s.ending != Ending.NONE:
        return None
    again = s.copy()
    clear_draft(again)
    then(again, Ask.CALLED, seat, 0, 0)
    return again


def can_hear(s: Any, seat: int) -> bool:
    """Whether the seat could ask for an offer now."""
    return bool(asked(s) == Ask.TURN and top_seat(s) == seat and s.draft_stage == Stage.MAIN)


def call_actions(s: Any, other: int) -> list[int]:
    """G-70 The player in turn asks another for an offer; what they were composing is dropped."""
    back = [] if s.draft_stage == Stage.MAIN else \
        [Do.CANCEL] * (1 + (s.draft_stage == Stage.TYPING))
    return [*map(int, back), int(Do.CALL), *([int(Do.SEAT) + other] if s.seats > 2 else [])]


def accept_actions(s: Any, content: Content, seat: int) -> list[int]:
    """G-28 What accepts the offer on the table, after a loan where one is needed and possible."""
    short = int(deal_cost(s, content.record, OFFER, seat)) - int(s.cash[seat])
    if short > 0 and not can_borrow(s, content, seat, short):
        raise InputError(f"You lack {coins(short)} for it and cannot borrow it now (G-28).")
    loan = [Do.BORROW, *typed(short)] if short > 0 else []
    return [int(action) for action in (*loan, Do.ACCEPT)]


def proposed(s: Any, content: Content, seat: int, terms: Mapping[str, Any]) -> dict[str, Any]:
    """The terms of a proposal as those of an offer are told."""
    owners = {name: int(s.owner[SQUARES.index(name)]) for name in terms["squares"]}
    gives = [name for name in owners if owners[name] == seat]
    gets = [name for name in owners if owners[name] != seat]
    pays = terms["pays"] if gives and gets else not gives
    due = sum(int(square_tax(s, content.record, terms["to"] if name in gives else seat,
                             SQUARES.index(name))) for name in owners)
    return {"gives": gives, "gets": gets, "price": terms["price"], "tax": terms["tax"],
            "tax_due": due, "payer": seat if pays else terms["to"]}


# What a bot would take ---------------------------------------------------------------------------

def deal_price(position: Position, seat: int, terms: Mapping[str, Any]) -> int | None:
    """The price at which a bot that is made this offer agrees, as it would answer it: the least
    where it is paid, the most where it pays; None where there is none."""
    other = int(terms["to"])
    seen = position.observe(other)[0]
    deal = drawn_up(seen, position.content, seat, {**terms, "price": 0})
    copy_draft(deal)
    clear_draft(deal)
    is_paid = deal.deal_payer[OFFER] == seat

    def suits(price: int) -> bool:
        deal.deal_price[OFFER] = price
        return bool(agrees(deal, position.content.record, other))

    if suits(0) == is_paid or not suits(HIGHEST if is_paid else 0):
        return 0 if suits(0) and is_paid else None
    low, high = 0, HIGHEST  # one of them suits, the other does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suits(middle) == is_paid else (middle, high)
    return high if is_paid else low


def said_with(s: Any, content: Content, seat: int, action: int) -> str:
    """Why a bot declines, in words that name no amount: its books are its own."""
    c = content.record
    if asked(s) != Ask.ANSWER or action != Do.DECLINE:
        return ""
    if deal_cost(s, c, OFFER, seat) > s.cash[seat]:
        return "I cannot pay that."
    own = offer_gain(s, c, seat)
    if own < LEAST_GAIN:
        return "I would lose by it."
    return "" if is_fair(s, c, seat, own) else "You would gain far more by it than I would."


# What became of offers ---------------------------------------------------------------------------

def deals_made(position: Position, viewer: int) -> list[dict[str, Any]]:
    """The offers of the present turn, as the viewer may know them: each with its number, the one
    with which its bargain began, its terms and what became of it."""
    found: list[dict[str, Any]] = []
    for move, event in events_of_turn(position):
        if event in BECAME and found and found[-1]["state"] == "open":
            found[-1] |= {"state": BECAME[Event(event)], "answered": move}
        if event in (Event.OFFERED, Event.COUNTERED):
            found.append(offer_made(position.at(move), viewer) | {"state": "open"})
    return found


def events_of_turn(position: Position) -> Iterator[tuple[int, int]]:
    """The log since the last turn began, each event with the number of its move."""
    first = next((move for move in range(len(position.logs) - 1, 0, -1)
                  if (position.logs[move]["what"] == Event.TURN).any()), len(position.logs))
    for move in range(first, len(position.logs)):
        for event in position.logs[move]["what"].tolist():
            yield move, event


def offer_made(past: Position, viewer: int) -> dict[str, Any]:
    """An offer as it lay on the table."""
    seen = past.observe(max(viewer, 0))[0]  # a watcher is told no terms at all
    shown = offer(seen, past.content, viewer)
    sides = {"id": int(past.state.offer_number), "chain": int(past.state.offer_chain),
             "from": shown["from"], "to": shown["to"], "is_counter": shown["counter"]}
    if "price" not in shown:
        return sides
    owners = {name: int(seen.owner[SQUARES.index(name)]) for name in shown["squares"]}
    return {**sides, "price": shown["price"], "payer": shown["payer"],
            "gives": [name for name in owners if owners[name] == shown["from"]],
            "gets": [name for name in owners if owners[name] != shown["from"]],
            "tax": shown["taxed"], "tax_due": shown["tax"]}
