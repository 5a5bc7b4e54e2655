"""Treasury 0.17 in words: actions, questions, log entries and refusals."""

from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import top_item
from exchequer.core.content import Content
from exchequer.core.log import HIDDEN
from exchequer.core.words import ActionTexts, counted
from exchequer.games.treasury.v17.businesses import is_developed
from exchequer.games.treasury.v17.drawing import age_pile
from exchequer.games.treasury.v17.money import contract_value, opening_price
from exchequer.games.treasury.v17.playing import goes_direct
from exchequer.games.treasury.v17.questions import observed_pile
from exchequer.games.treasury.v17.state import (
    MOST_GOLD_COST,
    MOST_SEATS,
    N_ACTIONS,
    N_AGES,
    N_CARDS,
    N_SLOTS,
    SHAPE,
    Ask,
    Card,
    Do,
    Ending,
    Event,
    Icon,
    Pile,
    Refusal,
    Shape,
    Target,
)

CARDS = [card.name.lower() for card in Card]
SLOTS = [str(slot + 1) for slot in range(N_SLOTS)]
ALL_SLOTS = [f"{seat + 1}-{slot + 1}" for seat in range(MOST_SEATS) for slot in range(N_SLOTS)]
AGES = ["0", "I", "II", "III"]
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

def business_name(content: Content, card: int) -> str:
    """`Tanner`; copies are numbered as in the content: `Warrior 3`."""
    key = CARDS[card]
    name = content.words["card"][key]["name"]
    return f"{name} {key.rpartition('_')[2]}" if key[-1].isdigit() else name


def event_name(content: Content, card: int) -> str:
    return content.words["event"][content.words["card"][CARDS[card]]["event"]]["name"]


def card_text(content: Content, card: int) -> str:
    """Both halves: `Tanner / Discovery (science)`; a hidden card is its back."""
    if card < 0:
        return f"a face-down card of age {AGES[-1 - card]}"
    demand = content.words["card"][CARDS[card]]["demand"]
    return f"{business_name(content, card)} / {event_name(content, card)} ({demand})"


def business_text(s: Any, content: Content, seat: int, slot: int) -> str:
    """A business by name, or the back of an unknown startup, with its place."""
    card = int(s.card[s.start[Pile.BUSINESS + seat * N_SLOTS + slot]])
    name = business_name(content, card) if card >= 0 else f"a startup of age {AGES[-1 - card]}"
    return f"{name} (place {slot + 1})"


def card_in(s: Any, content: Content, pile: int, index: int) -> str:
    return card_text(content, int(s.card[s.start[pile] + index]))


# Questions ---------------------------------------------------------------------------------------

QUESTIONS = {
    Ask.DRAFT: "Which card do you keep?",
    Ask.FIRST_CARD: "Your first turn: which card do you put into the event queue?",
    Ask.EVENT_CARD: "Which card do you play as an event?",
    Ask.START_CARD: "Which card becomes a startup?",
    Ask.CLOSE_SLOT: "Which business do you close?",
    Ask.DEVELOP_SLOT: "Which startup do you develop?",
    Ask.DEVELOP_CARD: "Which card do you put on the startup?",
    Ask.SCULPT_CARD: "Sculptor: which card do you discard?",
    Ask.SCULPT_MORE: "Sculptor: which card do you discard besides?",
    Ask.WHALE_CARD: "Whaler: which card goes to the bottom of demand?",
    Ask.TEACH_POSITION: "School: which card of the queue goes to demand?",
    Ask.DISCARD_CARD: "Craftsman: which card do you discard?",
    Ask.MARKET_CARD: "Market: which card do you show and discard?",
    Ask.PEEK_SLOT: "Mentor: which startup do you look at?",
    Ask.OBSERVE_SLOT: "Observatory: whose card do you look at?",
    Ask.OBSERVE_POSITION: "Observatory: which card do you look at?",
    Ask.OBSERVE_AGE: "Observatory: which draw pile do you look at?",
    Ask.EXCHANGE_CARD: "Observatory: which card do you give for the contract?",
    Ask.QUEUE_POSITION: "Smelter: where in the queue do you put it?",
    Ask.PAYMENT: "How do you pay for the opening?",
    Ask.DOCK_AMOUNT: "How much of the price does Dock pay?",
    Ask.FORT_SLOT: "Which business do you close for it?",
    Ask.TRADER_CARD: "Trader: which business do you open in its place?",
    Ask.LODGE_SLOT: "Lodge: which business gets the bottom card of demand as its contract?",
    Ask.IMPORT_CARD: "Importer: which discard goes to demand next?",
    Ask.DIG_POSITION: "Gravedigger: which discard do you take?",
    Ask.BROKER_CARD: "Broker: which development card goes to demand?",
    Ask.GATHERER: "Gatherer: does the contract card go back to demand?",
    Ask.ORDER_CARD: "Which card is discarded next?",
    Ask.COOK_SLOT: "Cook: on which business do you lay the contract?",
    Ask.SOURCE: "Where do you draw from?",
    Ask.RETURN_CARD: "Which card do you return next?",
    Ask.KEEP_CARD: "Breakthrough: which card do you keep?",
    Ask.TANNER_CARD: "Tanner: which discard goes to demand?",
    Ask.EOA_SLOT: "End of age: which ability comes next?",
    Ask.ORCHARD: "Orchard: what do you open or claim?",
    Ask.VICTIM: "From whom do you take gold?",
    Ask.PICK_SLOT: "Contracts of equal value: which is paid?",
    Ask.PAY_SLOT: "Which contract does the treasury pay?",
    Ask.INSURE_SLOT: "Insurance: which contract does it pay?",
    Ask.INNOVATE_SLOT: "Innovation: which business gets the top discard as its contract?",
    Ask.LEADER_CARD: "Which card do you discard?",
    Ask.END_DRAW: "Do you draw at the end of your turn?",
    Ask.EVENT_NOW: "Baker: do you play an event now?",
    Ask.START_NOW: "Which card do you start now?",
}


def ask(s: Any, content: Content) -> str:
    what, seat, a, _ = top_item(s)
    if what == Ask.SKIP:
        return f"Shaman: do you cancel {event_name(content, int(a))}?"
    if what == Ask.DIRECT:
        card = int(s.card[s.start[Pile.TRANSIT]])
        event = event_name(content, card)
        if not goes_direct(content.record, card):  # T17-73
            return f"{event} cannot go straight to demand; the others do not know that."
        return f"Does {event} go straight to demand?"
    if what == Ask.MAIN:
        left = counted(int(s.actions), "action") if s.actions else "no action"
        return f"You have {left} left, {s.gold[seat]} gold; the treasury holds {s.treasury}."
    return QUESTIONS[Ask(what)]


# Actions -----------------------------------------------------------------------------------------

MAIN_LINES = {
    Do.END: "End the turn", Do.PASS: "Pass", Do.PLAY: "Play an event",
    Do.FREE_PLAY: "Play an event as a free action", Do.START: "Start a business",
    Do.FREE_START: "Start a business as a free action", Do.DEVELOP: "Develop a startup",
    Do.FREE_DEVELOP: "Inn: develop as a free action",
    Do.SCULPT: "Sculptor: discard a card for gold",
    Do.WHALE: "Whaler: replace the bottom card of demand",
    Do.TEACH: "School: exchange the top of demand with a queue card",
    Do.PERFORM: "Theater: take gold from it", Do.DISCARD: "Craftsman: discard a card",
    Do.MARKET: "Market: sell cards with the same demand",
    Do.PEEK: "Mentor: look at a startup", Do.FORESEE: "Prophet: look at the draw pile",
    Do.FLIP: "Scriptorium: turn the bottom card of demand face-down",
}
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


def describe(s: Any, content: Content, action: int) -> str:
    """A line of the menu."""
    what, seat, a, b = (int(number) for number in top_item(s))
    asked = Ask(what)
    if action >= Do.CARD:
        verb = CARD_VERBS.get(asked, "Discard")
        return f"{verb} {card_text(content, action - Do.CARD)}"
    if action >= Do.POSITION:
        return position_line(s, content, asked, a, b, action - Do.POSITION)
    if action >= Do.SLOT:
        owner, slot = divmod(action - Do.SLOT, N_SLOTS)
        whose = "" if owner == seat else f"player {owner + 1}'s "
        worth = f" worth {contract_value(s, content.record, owner, slot)} gold" \
            if asked in (Ask.PAY_SLOT, Ask.PICK_SLOT, Ask.INSURE_SLOT) else ""
        return (f"{SLOT_VERBS.get(asked, 'Pay')} {whose}"
                f"{business_text(s, content, owner, slot)}{worth}")
    if action >= Do.CANCEL:
        return choice_line(s, content, asked, seat, a, action)
    return main_line(s, content, seat, action)


def main_line(s: Any, content: Content, seat: int, action: int) -> str:
    if action == Do.CLOSE:
        return "Close a business"
    if action >= Do.PAY:
        return f"Have {business_text(s, content, seat, action - Do.PAY)} paid"
    if action >= Do.CLAIM:
        slot = action - Do.CLAIM
        return (f"Claim a contract for {business_text(s, content, seat, slot)}, worth "
                f"{contract_value(s, content.record, seat, slot)} gold")
    if action >= Do.OPEN:
        return f"Open {business_text(s, content, seat, action - Do.OPEN)} " \
               f"({opening_text(s, content, seat, action - Do.OPEN)})"
    if action >= Do.OBSERVE:
        return f"Observatory: look at {OBSERVE_LINES[action - Do.OBSERVE]}"
    return MAIN_LINES[Do(action)]


def opening_text(s: Any, content: Content, seat: int, slot: int) -> str:
    """By development cards, or the price."""
    card = int(s.card[s.start[Pile.BUSINESS + seat * N_SLOTS + slot]])
    if is_developed(s, content.record, seat, slot):
        return "developed" if content.record.card[card].develop_cost else "free"
    return f"{opening_price(s, content.record, seat, card)} gold"


def position_line(s: Any, content: Content, asked: Ask, a: int, b: int, index: int) -> str:
    if asked == Ask.QUEUE_POSITION:
        return f"Put it at position {index + 1} from the bottom"
    piles = {Ask.TEACH_POSITION: Pile.QUEUE, Ask.DIG_POSITION: Pile.DISCARD,
             Ask.OBSERVE_POSITION: observed_pile(a, b)}
    return f"Number {index + 1} from the bottom: {card_in(s, content, piles[asked], index)}"


def choice_line(s: Any, content: Content, asked: Ask, seat: int, a: int, action: int) -> str:
    if action >= Do.AMOUNT:
        return f"{action - Do.AMOUNT} gold from Dock"
    if action >= Do.AGE:
        return f"The age {AGES[action - Do.AGE]} pile"
    if action >= Do.SEAT:
        victim = action - Do.SEAT
        return f"Player {victim + 1}, who has {s.gold[victim]} gold"
    if action == Do.FROM_AGE:
        pile = age_pile(s, content.record, seat, a // 2)
        return f"From the age {AGES[pile - Pile.DRAW]} pile"
    if action == Do.NO:
        if asked in (Ask.DEVELOP_CARD, Ask.ORCHARD):
            return "That is all"
        return "No" if SHAPE[asked] == Shape.YES_NO else "None"
    return {Do.CANCEL: "Take it back", Do.YES: "Yes", Do.BY_CARDS: "With its development cards",
            Do.BY_GOLD: "With gold", Do.FROM_PILE: "From the draw pile",
            Do.FROM_DISCARD: "The top discard"}[Do(action)]


# The log -----------------------------------------------------------------------------------------

SENTENCES = {
    Event.PICKED: "{who} keeps {card}.",
    Event.PLACED: "{who} puts {event} into the queue.",
    Event.PLAYED: "{who} plays {event}.",
    Event.PLAYED_DIRECT: "{event} goes straight to demand.",
    Event.TRIGGERED: "{event} is triggered.",
    Event.SKIPPED: "{who}'s Shaman cancels {event}.",
    Event.DREW: "{who} draws {card}.",
    Event.DREW_DISCARD: "{who} takes {card} from the discard pile.",
    Event.REVEALED: "{who} shows {card}.",
    Event.DISCARDED: "{who} discards {card}.",
    Event.RETURNED: "{who} puts {card} back.",
    Event.STARTED: "{who} starts {business}.",
    Event.DEVELOPED: "{who} develops with {card}.",
    Event.OPENED: "{who} opens {business}.",
    Event.CLOSED: "{who} closes {business}.",
    Event.LOST_CONTRACT: "{who}'s {business} loses its contract.",
    Event.CLAIMED: "{who}'s {business} is contracted.",
    Event.LEFT_DEMAND: "The contract card is {card}.",
    Event.ENTERED_DEMAND: "Demand grows by {demand}.",
    Event.EXCHANGED: "{who} exchanges {other}'s contract for {card}.",
    Event.FLIPPED: "{who} turns the bottom card of demand face-down.",
    Event.PASSED: "{who} passes.",
    Event.EARNED: "{who} gains {n} gold ({business}).",
    Event.WON: "{who} gains {n} gold ({event}).",
    Event.SPENT: "{who} pays {n} gold.",
    Event.TOOK_GOLD: "{who}'s {business} takes {n} gold from {other}.",
    Event.STORED: "{n} gold are put on {who}'s {business}.",
    Event.TOOK_STORED: "{who} takes {n} gold from {business}.",
    Event.STORE_SPENT: "{business} pays {n} gold.",
    Event.STORE_LOST: "{n} gold on {business} are lost.",
    Event.TREASURY_GAINED: "The treasury gains {n} gold.",
    Event.TREASURY_LOST: "The treasury loses {n} gold to {event}.",
    Event.PAID_CONTRACT: "{who}'s {business} contract is paid: {n} gold.",
    Event.TOPPED_UP: "The supply adds {n} gold.",
    Event.INSURED: "{who}'s {business} pays {n} gold.",
    Event.COLLECTED: "{who} collects {n} gold from {business}.",
    Event.RAN_OUT: "The treasury has run out.",
    Event.TAXED: "{who} pays {n} gold of tax.",
    Event.POPULATION_TAX: "The population pays {n} gold of tax.",
    Event.EXTRA_ACTIONS: "{business} gives {who} {n} more actions.",
    Event.EXTRA_TURN: "{business} gives {who} another turn.",
    Event.LAST_EVENT: "{who} triggers the last event: everyone else has one more turn.",
    Event.STALEMATE: "The queue counts as emptied: everyone else has one more turn.",
    Event.SWAPPED: "{who} exchanges {event} into the queue.",
    Event.TAKEN_FROM: "{who} takes {card}, number {n} from the bottom.",
    Event.PACKS_PASSED: "The packs of {n} cards go to the left.",
}


def tell(entry: Any, content: Content, names: Sequence[str]) -> str:
    """A sentence for an entry; "" for one that only counts."""
    what, n = Event(entry.what), int(entry.amount)
    card = int(entry.thing) if 0 <= entry.thing < N_CARDS else None
    if what == Event.TURN:
        return f"{names[entry.seat]}'s turn (age {AGES[n]})."
    if what == Event.AGE_ENDS:
        return "The final End of Age." if n else f"Age {AGES[int(entry.thing)]} ends."
    if what == Event.OBSOLETE:
        return f"{Icon(entry.thing).name.capitalize()} become obsolete."
    if what == Event.PEEKED:
        at = f" of {names[entry.other]}" if entry.other >= 0 else ""
        return f"{names[entry.seat]} looks at {known_card(content, card, 'a card')}{at}."
    if what == Event.GAME_ENDED:
        return ending_sentence(int(entry.thing), n, names)
    if what == Event.TOOK_BACK:
        return f"{names[entry.seat]} takes {counted(n, 'card')} back into hand."
    if what not in SENTENCES or (what == Event.TAXED and n == 0):
        return ""
    hidden = n == HIDDEN
    return SENTENCES[what].format(
        who=names[entry.seat], other=names[entry.other] if entry.other >= 0 else "nobody",
        n="some" if hidden else n, card=known_card(content, card, "a card"),
        business=business_name(content, card) if card is not None else "a startup",
        event=event_name(content, card) if card is not None else "a face-down event",
        demand=content.words["card"][CARDS[card]]["demand"] if card is not None else "a card")


def known_card(content: Content, card: int | None, otherwise: str) -> str:
    return card_text(content, card) if card is not None else otherwise


def ending_sentence(why: int, winners: int, names: Sequence[str]) -> str:
    how = {Ending.LAST_EVENT: "after the last event", Ending.STALEMATE: "after a stalemate"}
    won = [name for seat, name in enumerate(names) if winners >> seat & 1]
    verb = "wins" if len(won) == 1 else "share the win"
    return f"The game ends {how[Ending(why)]}: {' and '.join(won)} {verb}."


# Refusals ----------------------------------------------------------------------------------------

REFUSALS = {
    Refusal.OVER: "The game is over (T17-63).",
    Refusal.NOT_ASKED: "That is not what is asked now (T17-23).",
    Refusal.NO_ACTION_LEFT: "You have used your action (T17-19).",
    Refusal.ACTION_DUE: "You must use your action before the turn ends; you may pass (T17-21).",
    Refusal.NO_CARD: "You need that card in your hand (T17-24).",
    Refusal.NO_ABILITY: "You have no open business that allows it (T17-6).",
    Refusal.USED: "That ability has been used this turn (R17-43).",
    Refusal.NO_ROOM: "There is no room for a thirteenth business (T17-70).",
    Refusal.NO_STARTUP: "There is no startup there (T17-30, T17-34).",
    Refusal.NO_BUSINESS: "There is no such business there (T17-36, T17-37).",
    Refusal.THIS_TURN: "It was started or developed this turn (T17-34, T17-36).",
    Refusal.TOO_DEAR: "It has too few development cards and you cannot pay its gold (T17-34).",
    Refusal.NEEDS_CLOSING: "You need an open business with the icon to close for it (T17-34).",
    Refusal.HAS_CONTRACT: "It has a contract (T17-39).",
    Refusal.OBSOLETE: "It shows an obsolete weapon (T17-44).",
    Refusal.NO_MATCH: "Demand does not show all that it provides (T17-38).",
    Refusal.NO_DEMAND: "The demand pile is empty (T17-37).",
    Refusal.NO_QUEUE: "The event queue is empty (R17-55).",
    Refusal.TREASURY_SHORT: "The treasury holds too little to pay it (T17-41).",
    Refusal.PAID_ALREADY: "It has no unpaid contract (T17-41).",
    Refusal.NOTHING_STORED: "No gold is left on it (T17-24).",
    Refusal.NO_PAIR: "You do not hold enough cards with the same demand (T17-33).",
    Refusal.NOTHING_HIDDEN: "There is no such card that you do not know already (R17-42).",
    Refusal.NO_PILE: "There is no draw pile, or you know its top card already (T17-48).",
    Refusal.FACE_DOWN: "The bottom card of demand is face-down already (R17-38).",
    Refusal.NOT_THAT: "That is not among the things you can choose (T17-9).",
    Refusal.COMPULSORY: "That is not yours to decline (R17-67).",
    Refusal.NOT_DIRECT: "Only a Fertility may go straight to demand (T17-28, T17-73).",
    Refusal.COMMITTED: "That cannot be taken back (T17-72).",
}


def refuse(why: int, content: Content) -> str:
    return REFUSALS[Refusal(why)]


def ability_text(content: Content, card: int) -> str:
    """What the business of a card does, as printed."""
    return content.words["card"][CARDS[card]]["text"]


def event_text(content: Content, card: int) -> str:
    """What the event of a card does, as printed."""
    return content.words["event"][content.words["card"][CARDS[card]]["event"]]["text"]


