"""Greement in words: actions, questions, log entries and refusals.

A square is named by its row's letter and its column's number: a1 is a corner, j10 the opposite one.
"""

from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import asked, top_item, top_seat
from exchequer.core.content import Content
from exchequer.core.log import HIDDEN
from exchequer.core.words import ActionTexts, counted
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
    Ending,
    Event,
    Happening,
    Land,
    Promise,
    Refusal,
    Stage,
    Value,
)


def square_name(square: int) -> str:
    """0 -> a1, 99 -> j10."""
    return f"{chr(ord('a') + square // SIDE)}{square % SIDE + 1}"


SQUARES = [square_name(square) for square in range(N_SQUARES)]
VALUES = [value.name.lower() for value in Value]
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
    ("tax", Do.TAX, ["buyer", "seller"]),
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


def coins(amount: int) -> str:
    return f"{int(amount):,}c"


def card_name(content: Content, kind: int) -> str:
    return content.words["event"][HAPPENINGS[kind]]["name"]


def value_name(content: Content, value: int) -> str:
    return content.words["value"][VALUES[value]]["name"]


# Questions ---------------------------------------------------------------------------------------

def ask(s: Any, content: Content) -> str:
    """What is asked, from the asked seat's observation."""
    what, seat, _, _ = map(int, top_item(s))
    if s.draft_stage != Stage.MAIN:
        return ask_part(s, content, seat)
    purse = f"You have {coins(s.cash[seat])} and owe {coins(s.debt[seat])}"
    if what == Ask.START:
        return "Which face-down square do you start on?"
    if what == Ask.MOVE_START:
        return f"{square_name(s.home[seat]).upper()} cannot be a start: which square instead?"
    if what == Ask.FIRST_LOAN:
        low, high = amount_bounds(s, content.record, seat)
        return (f"Your first loan, from {coins(low)} to {coins(high)}? The largest goes first, "
                "of equal ones the youngest player's.")
    if what == Ask.ANSWER:
        return f"Seat {s.deal_from[OFFER] + 1} proposes: {offer_text(s, content, seat)} {purse}."
    if what == Ask.RECEIVE:
        return f"Seat {s.deal_from[OFFER] + 1} gives you {coins(s.deal_price[OFFER])}. Take it?"
    if what == Ask.CALLED:
        return f"Seat {s.active + 1} asks you for an offer. {purse}."
    if what == Ask.TURN:
        return f"Your turn. {purse}."
    return ask_about_card(s, content, what, purse)


def ask_about_card(s: Any, content: Content, what: int, purse: str) -> str:
    card = content.words["event"][HAPPENINGS[open_card(s, content.record)]]
    title = f"{card['name']}: {card['text']}"
    if what == Ask.BRIBE:
        return f"{title} A gift before the vote? {purse}."
    if what == Ask.VOTE:
        return f"{title} Your vote?"
    if what == Ask.SAVE:
        return f"{title} Which cattle do you pay for? {purse}."
    if what == Ask.PLEDGE:
        missing = amount_missing(s, content.record)
        return (f"{title} {coins(missing)} of {coins(card_price(s, content.record))} are missing "
                f"to avert it. {purse}.")
    raise ValueError(f"Greement has no words for {Ask(what)!r}.")


def ask_part(s: Any, content: Content, seat: int) -> str:
    """The next part of a draft."""
    if s.draft_stage == Stage.TYPING:
        low, high = amount_bounds(s, content.record, seat)
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


def offer_text(s: Any, content: Content, seat: int) -> str:
    """The offer on the table as the answering seat reads it."""
    squares = [int(square) for square in s.deal_square[OFFER][: s.deal_count[OFFER]]]
    gets = " and ".join(square_name(q).upper() for q in squares if s.owner[q] != seat)
    gives = " and ".join(square_name(q).upper() for q in squares if s.owner[q] == seat)
    price = coins(s.deal_price[OFFER])
    sides = ([f"you get {gets}"] * bool(gets) + [f"you give {gives}"] * bool(gives)
             + [f"you {'pay' if s.deal_payer[OFFER] == seat else 'receive'} {price}"])
    if tax_total(s, content.record, OFFER):
        taxed = "seller" if s.deal_tax[OFFER] else "buyer"
        sides.append(f"the {taxed} bears the tax of "
                     f"{coins(tax_total(s, content.record, OFFER))}")
    return ", ".join(sides) + "."


# The menu ----------------------------------------------------------------------------------------

PLAIN = {
    Do.CANCEL: "Back", Do.PASS: "Pass", Do.BELL: "The bell rings", Do.END: "End the turn",
    Do.BORROW: "Borrow from the bank", Do.REPAY: "Repay the bank", Do.BUY: "Buy from the bank",
    Do.SEED: "Seed a brown land", Do.CATTLE: "Buy cattle for a crop",
    Do.SELL: "Sell a square to the bank", Do.OFFER: "Offer a trade", Do.GIFT: "Give money",
    Do.CALL: "Ask somebody for an offer", Do.PROMISE: "Promise something",
    Do.ACCEPT: "Accept", Do.DECLINE: "Decline", Do.COUNTER: "Make a counter-offer",
    Do.VOTE: "Let it happen", Do.PAYER: "I pay the price",
    Do.TAX: "The buyer pays the tax", Do.TYPE: "Another amount",
    Do.ERASE: "Take the last digit back", Do.CONFIRM: "Confirm", Do.DONE: "That is all",
}


def describe(s: Any, content: Content, action: int) -> str:
    """A line of the menu, from the asked seat's observation."""
    seat = int(top_seat(s))
    if action >= Do.SQUARE:
        return describe_square(s, content, seat, action - Do.SQUARE)
    if Do.MENU <= action < Do.TYPE:
        low, high = amount_bounds(s, content.record, seat)
        amount = menu_amount(s, content.record, seat, action - Do.MENU, low, high)
        return coins(amount)
    if Do.DIGIT <= action < Do.ERASE:
        return f"Digit {action - Do.DIGIT}"
    if Do.PROMISED <= action < Do.MENU:
        return f"Promise {COMMITMENTS[Promise(action - Do.PROMISED)]}"
    if Do.SEAT <= action < Do.PROMISED:
        return describe_seat(s, content, seat, action - Do.SEAT)
    if action == Do.CONFIRM:
        return f"Confirm {coins(s.draft_amount)}"
    if action == Do.ACCEPT and asked(s) == Ask.ANSWER:
        cost = int(deal_cost(s, content.record, OFFER, seat))
        return f"Accept ({'costs' if cost >= 0 else 'brings'} {coins(abs(cost))})"
    return {Do.VOTE + 1: "Vote against it", Do.PAYER + 1: "You pay the price",
            Do.TAX + 1: "The seller pays the tax"}.get(action) or PLAIN[Do(action)]


def describe_seat(s: Any, content: Content, seat: int, other: int) -> str:
    if s.draft_kind == Draft.GIFT:
        return f"Seat {other + 1} (tax {coins(gift_tax(s, content.record, seat, other))})"
    return f"Seat {other + 1}"


def describe_square(s: Any, content: Content, seat: int, square: int) -> str:
    c, name = content.record, square_name(square).upper()
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


# The log -----------------------------------------------------------------------------------------

SENTENCES = {
    Event.START_NAMED: "{who} starts on {square}.",
    Event.START_SEALED: "{who} has named a start square.",
    Event.REVEALED: "All squares are turned up.",
    Event.START_MOVED: "{who} moves the start to {square}.",
    Event.START_PAID: "{who} pays {n} for {square}.",
    Event.TURN: "{who}'s turn.",
    Event.TURN_ENDED: "{who} ends the turn.",
    Event.BOUGHT: "{who} buys {square} for {n}.",
    Event.BUY_TAX: "{who} pays {n} of distance tax.",
    Event.SEEDED: "{who} seeds {square} for {n}.",
    Event.STOCKED: "{who} puts cattle on {square} for {n}.",
    Event.SOLD_TO_BANK: "{who} sells {square} to the bank.",
    Event.DECLINED: "{who} declines {other}'s offer.",
    Event.HANDED_OVER: "{square} goes from {other} to {who}.",
    Event.GIFT_REFUSED: "{who} refuses {other}'s gift.",
    Event.CALLED: "{who} asks {other} for an offer.",
    Event.CALL_PASSED: "{who} makes no offer.",
    Event.PROMISED: "{who} promises {other} {promise}.",
    Event.PROMISE_KEPT: "{who} keeps the word given to {other}.",
    Event.PROMISE_BROKEN: "{who} breaks the word given to {other}!",
    Event.SHUFFLED: "The used cards make a new deck of {thing_count}.",
    Event.CARD: "Event: {card}. {effect}",
    Event.DISCARDED: "Nobody owns what {card} is about; it is laid aside.",
    Event.HAPPENED: "{card} happens.",
    Event.AVOIDED: "{card} is avoided.",
    Event.MINES_LOST: "{who} loses {mines}.",
    Event.CROPS_LOST: "{who} loses {crops}.",
    Event.CATTLE_LOST: "{who}'s cattle on {squares} turn into crops.",
    Event.PASTURED: "{who} gets cattle on {squares}.",
    Event.SEIZED: "{square} is taken from {who}.",
    Event.PLEDGED: "{who} pledges {n}.",
    Event.PLEDGE_PAID: "{who} pays the pledge of {n}.",
    Event.PLEDGES_RETURNED: "The pledges of {n} fall short and are returned.",
    Event.SAVED: "{who} pays {n} for the cattle on {square}.",
    Event.INFECTED: "The cattle on {square} are lost; it is a crop again.",
    Event.BELL: "The bell rings!",
    Event.UNTOUCHED: "No square is touched by it.",
    Event.WEALTH: "{who} is worth {n}.",
    Event.GIFT_TAX: "{who} pays {n} of tax on the gift.",
}
OWN_SENTENCES = {  # for those who may see the amount; the others read OTHERS_SENTENCES
    Event.FIRST_LOAN: "{who} writes down a first loan of {n}.",
    Event.PROFIT: "{who} collects {n} of profit.",
    Event.INTEREST: "{who}'s debt grows by {n}.",
    Event.BANK_PAID: "The bank pays {who} {n}.",
    Event.DEBT_FORGIVEN: "{who} is forgiven {n} of debt.",
    Event.DEBT_SETTLED: "{who} pays {n} of the debt.",
    Event.COMPENSATED: "{who} receives {n} for it.",
    Event.OFFERED: "{who} makes {other} an offer: {square} for {n}.",
    Event.COUNTERED: "{who} answers {other} with a counter-offer: {square} for {n}.",
    Event.GIFT_OFFERED: "{who} holds out {n} to {other}.",
    Event.GIFT_GIVEN: "{other} takes {n} from {who}.",
    Event.PRICE_PAID: "{who} pays {other} {n}.",
}
OTHERS_SENTENCES = {
    Event.FIRST_LOAN: "{who} has written down a first loan.",
    Event.DEBT_FORGIVEN: "The bank forgives {who} as much debt as the card says, if any.",
    Event.DEBT_SETTLED: "{who} pays what can be paid of the debt, if there is any.",
    Event.COMPENSATED: "{who} is paid for it.",
    Event.OFFERED: "{who} makes {other} an offer.",
    Event.COUNTERED: "{who} answers {other} with a counter-offer.",
    Event.GIFT_OFFERED: "{who} holds out a gift to {other}.",
    Event.GIFT_GIVEN: "{other} takes {who}'s gift.",
    Event.VOTED_SEALED: "{who} has voted.",
}


BEGINS = {
    Begins.SEALED: "{who} begins: no first loan is larger, and of equal ones the youngest player's "
                   "counts; ages were drawn by lot.",
    Begins.LARGEST: "{who} wrote down the largest first loan and begins.",
    Begins.YOUNGEST: "No first loan is larger than {who}'s, and of those who wrote as much {who} "
                     "is the youngest, by lot: {who} begins.",
    Begins.LOT: "{who} begins, drawn by lot.",
}
UNTOLD_AT_ZERO = (  # nothing happened then
    Event.PROFIT, Event.INTEREST, Event.BOOKS, Event.BANK_PAID, Event.PRICE_PAID, Event.DEAL_TAX,
    Event.GIFT_TAX, Event.DEBT_FORGIVEN, Event.DEBT_SETTLED,
)


def tell(entry: Any, content: Content, names: Sequence[str]) -> str:
    """A sentence for an entry as its reader may see it; "" when it needs none."""
    what, hidden = Event(entry.what), entry.amount == HIDDEN
    if what == Event.GAME_ENDED:
        return ending_sentence(entry.thing, entry.amount, names)
    if what in UNTOLD_AT_ZERO and entry.amount == 0:
        return ""
    if what == Event.FIRST_PLAYER:
        return BEGINS[Begins(entry.thing)].format(who=names[entry.seat])
    if what == Event.TURNED_UP:
        return f"{square_name(entry.thing).upper()} is {LANDS[Land(entry.amount)]}."
    if what == Event.PLEDGES_RETURNED and entry.amount == 0:
        return "Nobody has pledged anything."
    if what == Event.ROUND:
        return f"Round {entry.amount}."
    if what == Event.VOTED:
        return f"{names[entry.seat]} votes {'against' if entry.thing else 'to let it happen'}."
    if what == Event.VOTED_SEALED and not hidden:
        return f"{names[entry.seat]} seals a vote {'against' if entry.thing else 'to let it be'}."
    if what == Event.CHANGED:
        return changed_sentence(entry, content)
    if what == Event.BOOKS:
        verb = "borrows" if entry.thing == Book.LOAN else "repays"
        return "" if hidden else f"{names[entry.seat]} {verb} {coins(entry.amount)}."
    if what == Event.DEAL_TAX:
        return "" if hidden else f"{names[entry.seat]} bears {coins(entry.amount)} of distance tax."
    table = SENTENCES if what in SENTENCES else OTHERS_SENTENCES if hidden else OWN_SENTENCES
    return table[what].format(**parts(entry, content, names)) if what in table else ""


def parts(entry: Any, content: Content, names: Sequence[str]) -> dict[str, str]:
    """What a sentence may name."""
    thing, amount = int(entry.thing), int(entry.amount)
    known = amount != HIDDEN
    kind = thing if 0 <= thing < len(HAPPENINGS) else 0
    promise = thing if 0 <= thing < len(PROMISES) else 0
    return {
        "who": names[entry.seat], "other": names[entry.other],
        "n": coins(amount) if known else "",
        "square": square_name(thing).upper() if 0 <= thing < N_SQUARES else "",
        "card": card_name(content, kind),
        "effect": content.words["event"][HAPPENINGS[kind]]["text"],
        "promise": COMMITMENTS[Promise(promise)], "thing_count": str(amount),
        "mines": counted(amount, "gold mine"), "crops": counted(amount, "crop"),
        "squares": counted(amount, "square"),
    }


def changed_sentence(entry: Any, content: Content) -> str:
    name, change = value_name(content, entry.thing), int(entry.amount)
    if change == 0:
        return f"{name} stays as it is."
    return f"{name} {'rises' if change > 0 else 'falls'} by {abs(change)}."


def ending_sentence(why: int, winners: int, names: Sequence[str]) -> str:
    how = "The bell has rung" if why == Ending.BELL else "The last round is over"
    best = [name for seat, name in enumerate(names) if int(winners) >> seat & 1]
    return f"{how}; {' and '.join(best)} {'win' if len(best) > 1 else 'wins'}."


# Refusals ----------------------------------------------------------------------------------------

REFUSALS = {
    Refusal.OVER: "The game is over (G-61).",
    Refusal.NOT_ASKED: "That is not what is asked now (G-19).",
    Refusal.TOO_POOR: "You do not have the cash for it (G-R36).",
    Refusal.NO_DEBT: "You owe the bank nothing (G-24).",
    Refusal.NO_CREDIT: "The bank lends you no more (G-23, G-64).",
    Refusal.NO_SUCH_SQUARE: "Only lands and gold mines can be owned (G-3).",
    Refusal.NOT_FREE: "That square is taken (G-25).",
    Refusal.TOO_CLOSE: "It is connected to another start square (G-14).",
    Refusal.NOT_NEAREST: "There is a fitting square nearer to your first choice (G-15).",
    Refusal.NOT_BROWN: "You need a brown land of your own (G-26).",
    Refusal.NOT_CROP: "You need a crop of your own (G-27).",
    Refusal.NOT_YOURS: "That square is not yours (G-26).",
    Refusal.NOT_THEIRS: "A trade is about a square of one of the two (G-28).",
    Refusal.YOURSELF: "There is no such partner (G-28).",
    Refusal.OFFERS_USED: "No more offers between you two in this turn (G-22).",
    Refusal.NOTHING_OWNED: "There is no square to trade (G-28).",
    Refusal.IN_DEBT: "No gifts while in debt, by house rule (G-76).",
    Refusal.TOO_MUCH: "That is more than is possible now (G-65).",
    Refusal.TOO_LITTLE: "That is less than is possible now (G-65).",
    Refusal.ACTIONS_USED: "You have used up your actions; finish what is open (G-22).",
    Refusal.BUY_LIMIT: "No more purchases in this turn, by house rule (G-79).",
    Refusal.PROMISED_ALREADY: "You have promised that already (G-30).",
    Refusal.NO_CATTLE: "There are no unpaid cattle of yours (G-58).",
    Refusal.BUNDLE_FULL: "A bundle holds at most four squares (G-R38).",
    Refusal.OVERPAID: "Nobody pledges more than is missing (G-35).",
    Refusal.SWITCHED_OFF: "The bank buys no squares (G-R13).",
}


def refuse(why: int, content: Content) -> str:
    return REFUSALS[Refusal(why)]
