"""Greement's records and enums. The paragraphs G-n are those of `rulebook.md`.

Squares are numbered row by row, `square = 10 * row + column`. Whatever a seat composes (an offer,
an amount) lies in the `draft_...` fields and in `deal_...[DRAFT]` and is its own until it commits.
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from exchequer.core.agenda import FIRST_STEP, agenda_fields
from exchequer.core.content import Cards, Choice, Kind, Number, Schema, Switch, Text
from exchequer.core.piles import pile_fields
from exchequer.core.records import record

SEATS = 6
SIDE = 10
N_SQUARES = SIDE * SIDE
N_CARDS = 80  # physical event cards there is room for; what a deck does not use lies in the box
MOST_COINS = 10**15  # G-64: cash and debt stop growing here
MOST_MULTIPLIER = 10**12  # G-64
MOST_ENTRY = 999  # G-64: no entry of the table grows beyond
MOST_SQUARES = 4  # G-R38: squares in one bundle
MOST_EVENTS = 5  # cards an event phase may have
N_MENU = 16  # G-65: amounts a menu may offer
N_AMOUNTS = 8
FAR = 255  # the distance to a seat that owns nothing
UNKNOWN = -1  # what a secret number becomes for the others
NO_SQUARE = -1
SEALED_SQUARE = -2  # a start square named in secret, for the others
NO_AMOUNT = -1
NO_PROMISE = -1
DRAFT, OFFER = 0, 1  # the two deals of a state: the one being composed, the one on the table


class Land(IntEnum):
    """G-3 What a square is."""

    HIDDEN = -1
    LAND, MINE, LAKE, MOUNTAIN = range(4)


class Use(IntEnum):
    """G-3 What a land is used for."""

    BROWN, CROP, CATTLE = range(3)


class Holding(IntEnum):
    """What `held` counts for a seat."""

    BROWN, CROP, CATTLE, MINE = range(4)


class Value(IntEnum):
    """G-6 The entries of the table of values."""

    (LAND, SEED, CROP, MINE, MINE_PROFIT, LAKE, MOUNTAIN, TAX, LOAN, CATTLE,
     CATTLE_PROFIT) = range(11)


class Happening(IntEnum):
    """The kinds of event cards; what each does stands in the content."""

    LAKES_RISE = 0  # G-37
    PEAKS_RISE = 1  # G-38
    WATERS_AND_PEAKS = 2  # G-39
    DEAR_LAND = 3  # G-40
    DEAR_MINES = 4  # G-41
    GOOD_HARVEST = 5  # G-42 G-R17
    GOLD_RUSH = 6  # G-43
    FINE_SEED = 7  # G-44
    OPEN_ROADS = 8  # G-45
    PRIME_CATTLE = 9  # G-46
    POOR_CATTLE = 10  # G-47
    EASY_CREDIT = 11  # G-48
    BOOM = 12  # G-49
    SLUMP = 13  # G-50
    JUBILEE = 14  # G-51
    BLIGHT = 15  # G-52
    LEAN_YEARS = 16  # G-53
    GREAT_PASTURE = 17  # G-54
    CHEAP_GOLD = 18  # G-55
    DRY_YEARS = 19  # G-56
    TIGHT_CREDIT = 20  # G-57
    CATTLE_DISEASE = 21  # G-58
    LAKE_SEIZURE = 22  # G-59
    MOUNTAIN_SEIZURE = 23  # G-60


class Avoid(IntEnum):
    """How an event is avoided."""

    VOTE, PAY, OWN_PAYMENT = range(3)


class Effect(IntEnum):
    """What a part of a card does."""

    (NONE, CHANGE, MINES_LOST, DEBTS_PAID, CROPS_LOST, CATTLE_LOST, LANDS_TO_CATTLE, SEIZE_LAKES,
     SEIZE_MOUNTAINS) = range(9)


class Need(IntEnum):
    """G-33 What somebody must own for a card to count; +1 of Holding."""

    NOTHING, BROWN, CROP, CATTLE, MINE = range(5)


class Pile(IntEnum):
    DECK, ROW, USED, BOX = range(4)


class Promise(IntEnum):
    """G-30 What can be promised to another seat; nothing is enforced."""

    AGAINST, LET, GIFT, KEEP_OFF = range(4)


N_VALUES, N_PROMISES, N_HOLDINGS = 11, 4, 4


class Do(IntEnum):
    """The first action id of each kind; what is added is named in the comment."""

    CANCEL = 0
    PASS = 1
    BELL = 2
    END = 3
    BORROW = 4
    REPAY = 5
    BUY = 6
    SEED = 7
    CATTLE = 8
    SELL = 9
    OFFER = 10
    GIFT = 11
    CALL = 12
    PROMISE = 13
    ACCEPT = 14
    DECLINE = 15
    COUNTER = 16
    VOTE = 17  # + 0 let it happen, 1 against
    PAYER = 19  # + 0 I pay the price, 1 you do
    TAX = 21  # + Bearer
    SEAT = 24  # + seat
    PROMISED = 30  # + Promise
    MENU = 34  # + place in the menu of amounts
    TYPE = 50
    DIGIT = 51  # + digit
    ERASE = 61
    CONFIRM = 62
    DONE = 63
    SQUARE = 64  # + square


N_ACTIONS = 164
MAX_LEGAL = 164


class Draft(IntEnum):
    """What a seat is about to do; in the order of Do."""

    NONE, BORROW, REPAY, BUY, SEED, CATTLE, SELL, OFFER, GIFT, CALL, PROMISE = range(11)


class Stage(IntEnum):
    """Which part of it is asked for next."""

    MAIN, PARTNER, SQUARE, MORE, PAYER, AMOUNT, TYPING, TAX, PROMISE = range(9)


class Ask(IntEnum):
    """Questions for a seat. What part of a draft is asked for stays secret (Stage).

    `a` and `b` of all items, questions and steps, are 0: what an item is about lies in the state,
    in the fields named behind it. Each question has an answer that needs nothing: END, DECLINE,
    PASS, a vote; of START, MOVE_START and FIRST_LOAN it is seen to before they are asked.
    """

    START = 0  # home
    MOVE_START = 1  # home
    FIRST_LOAN = 2  # first_loan
    TURN = 3  # active
    ANSWER = 4  # deal_...[OFFER]
    RECEIVE = 5  # deal_...[OFFER]: a gift
    CALLED = 6  # by active
    VOTE = 7  # row_place, lap; sealed, word
    PLEDGE = 8  # row_place, lap; pledged, written
    SAVE = 9  # row_place, lap; mark


SEALED = (Ask.START, Ask.FIRST_LOAN, Ask.VOTE, Ask.PLEDGE)  # START only where all are on the agenda


class Step(IntEnum):
    """What the game does by itself; behind each whom its seat names. Others concern nobody."""

    PICK = FIRST_STEP  # the seat from which on a start square may be missing
    REVEAL = FIRST_STEP + 1
    MOVE_START = FIRST_STEP + 2  # the seat whose start is looked at
    LOANS = FIRST_STEP + 3
    OPEN_LOANS = FIRST_STEP + 4
    START_ROUND = FIRST_STEP + 5
    EVENTS = FIRST_STEP + 6
    TURN_UP = FIRST_STEP + 7
    WORDS = FIRST_STEP + 8
    VOTES = FIRST_STEP + 9
    OPEN_VOTES = FIRST_STEP + 10
    PLEDGES = FIRST_STEP + 11
    DISEASE = FIRST_STEP + 12
    END_EVENTS = FIRST_STEP + 13
    START_TURN = FIRST_STEP + 14  # whose turn it is
    END_ROUND = FIRST_STEP + 15


class Vote(IntEnum):
    """A sealed vote, or a word instead of one; SEALED is what the others see of it."""

    NONE, LET, AGAINST, SEALED, WORD = range(5)


class Fate(IntEnum):
    """What became of a card of this event phase."""

    FACE_DOWN, OPEN, DISCARDED, HAPPENED, AVOIDED = range(5)


class Bearer(IntEnum):
    """G-28 Who bears the tax on a square that changes hands: whoever gets it, whoever gives it, or
    both, half each."""

    BUYER, SELLER, BOTH = range(3)


class Deal(IntEnum):
    """Kinds of deals for the log: who proposed, and who bore the tax."""

    (SALE, SALE_BUYER_TAX, SALE_SELLER_TAX, SALE_SPLIT_TAX, PURCHASE, PURCHASE_BUYER_TAX,
     PURCHASE_SELLER_TAX, PURCHASE_SPLIT_TAX, SWAP) = range(9)


class Begins(IntEnum):
    """Why somebody is the first player, as far as all may know: sealed loans tell no more."""

    SEALED, LARGEST, YOUNGEST, LOT = range(4)


class Book(IntEnum):
    LOAN, REPAYMENT = range(2)


class Ending(IntEnum):
    NONE, ROUNDS, BELL = range(3)


class Fault(IntEnum):
    """Promises of the state; the conformance suite asks for them after every move."""

    (NONE, MONEY_RANGE, LEDGER, TABLE_RANGE, SQUARES_LOST, OWNED_WATER, HOLDINGS,
     REACH, DECK, FIRST_LOANS) = range(10)


class Refusal(IntEnum):
    """Why an action may not be taken."""

    (NONE, OVER, NOT_ASKED, TOO_POOR, NO_DEBT, NO_CREDIT, NO_SUCH_SQUARE, NOT_FREE, TOO_CLOSE,
     NOT_NEAREST, NOT_BROWN, NOT_CROP, NOT_YOURS, NOT_THEIRS, YOURSELF, OFFERS_USED, NOTHING_OWNED,
     IN_DEBT, TOO_MUCH, TOO_LITTLE, ACTIONS_USED, BUY_LIMIT, PROMISED_ALREADY, NO_CATTLE,
     BUNDLE_FULL, SWITCHED_OFF, OVERPAID, TALKED_OUT) = range(28)


class Event(IntEnum):
    """What the log tells."""

    (ROUND, START_NAMED, START_SEALED, REVEALED, START_MOVED, FIRST_LOAN, START_PAID, FIRST_PLAYER,
     TURN, PROFIT, BOOKS, INTEREST, TURN_ENDED, BOUGHT, BUY_TAX, SEEDED, STOCKED, SOLD_TO_BANK,
     BANK_PAID, OFFERED, COUNTERED, DECLINED, DEAL, HANDED_OVER, PRICE_PAID, PRICE_GOT, DEAL_TAX,
     GIFT_OFFERED, GIFT_REFUSED, GIFT_GIVEN, GIFT_GOT, GIFT_TAX, CALLED, CALL_PASSED, PROMISED,
     PROMISE_KEPT, PROMISE_BROKEN, VOTE_ANEW, SHUFFLED, CARD, DISCARDED, VOTED_SEALED, VOTED,
     HAPPENED, AVOIDED, CHANGED, MINES_LOST, DEBT_FORGIVEN, DEBT_SETTLED, CROPS_LOST, CATTLE_LOST,
     PASTURED, SEIZED, COMPENSATED, PLEDGED, PLEDGE_PAID, PLEDGES_RETURNED, SAVED, INFECTED, BELL,
     GAME_ENDED, WEALTH, UNTOUCHED, TURNED_UP, ROW_SHOWN) = range(65)


N_THINGS = N_SQUARES + 1


# Content -----------------------------------------------------------------------------------------

class EndMode(IntEnum):
    ROUNDS, CLOCK = range(2)


class Granularity(IntEnum):
    IMMEDIATE, TURN, ROUND = range(3)


class Reveal(IntEnum):
    AFTER_ALL, ON_PICK = range(2)


class StartChoice(IntEnum):
    SEQUENTIAL, SIMULTANEOUS = range(2)


class TaxFormula(IntEnum):
    ZERO_THEN_D, D_MINUS_1, ALWAYS_D = range(3)


class DebtsPaid(IntEnum):
    FORGIVEN, FORCED = range(2)


class VoteMode(IntEnum):
    SIMULTANEOUS, OPEN_SEQUENTIAL = range(2)


class Floor(IntEnum):
    ON_CALL, EVERY_TURN = range(2)


class Wipe(IntEnum):
    FULL, HALF, MAX20, OFF = range(4)


class Sides(Kind):
    """4 or 8 neighbours."""

    dtype = "i1"
    allowed = "4 or 8"

    def parse(self, value: Any) -> int:
        if value not in (4, 8) or isinstance(value, bool):
            raise ValueError(f"{value!r} is not {self.allowed}")
        return int(value)


class Amounts(Kind):
    """A rising list of whole numbers, filled up with zeros in the record."""

    dtype = ("i8", N_AMOUNTS)
    allowed = f"a rising list of 1 to {N_AMOUNTS} whole numbers from 1 to 1000000"

    def parse(self, value: Any) -> Sequence[int]:
        fits = isinstance(value, list) and 1 <= len(value) <= N_AMOUNTS and all(
            isinstance(x, int) and not isinstance(x, bool) and 1 <= x <= 1_000_000 for x in value)
        if not fits or sorted(set(value)) != value:
            raise ValueError(f"{value!r} is not {self.allowed}")
        return [*value, *[0] * (N_AMOUNTS - len(value))]


class Effects(Kind):
    """A card's parts from left to right: `"lake +1; mountain -1"`, `"mines_lost; debts_paid"`."""

    most = 4
    dtype = ("i1", (most, 3))  # Effect, Value, change
    allowed = ('up to 4 parts such as "lake +1" or "mines_lost", parted by semicolons; values are '
               + ", ".join(v.name.lower() for v in Value) + "; other parts are "
               + ", ".join(e.name.lower() for e in Effect if e > Effect.CHANGE))

    def parse(self, value: Any) -> list[tuple[int, int, int]]:
        parts = [part.strip() for part in value.split(";")] if isinstance(value, str) else []
        if not 1 <= len(parts) <= self.most:
            raise ValueError(f"{value!r} is not {self.allowed}")
        read = [self.part(part) for part in parts]
        return [*read, *[(Effect.NONE, 0, 0)] * (self.most - len(read))]

    def part(self, text: str) -> tuple[int, int, int]:
        whole = {e.name.lower(): e for e in Effect if e > Effect.CHANGE}
        if text in whole:
            return whole[text], 0, 0
        found = re.fullmatch(r"(\w+) ([+-][1-9]\d?)", text)
        values = {v.name.lower(): v for v in Value}
        if not found or found[1] not in values:
            raise ValueError(f"{text!r} is no part of a card; it must be {self.allowed}")
        return Effect.CHANGE, values[found[1]], int(found[2])


def check_content(c: np.record) -> None:
    """What single bounds cannot say."""
    squares = c.lands + c.mines + c.lakes + c.mountains
    if squares != N_SQUARES:
        raise ValueError(f"lands, mines, lakes and mountains make {squares} squares; the board "
                         f"has {N_SQUARES} (G-2).")
    if c.lands < 50:
        raise ValueError(f"lands = {c.lands} leaves too little room for six starts; it must be "
                         "50 or more (G-15).")
    if c.reveal == Reveal.ON_PICK and c.start_choice == StartChoice.SIMULTANEOUS:
        raise ValueError('reveal = "on_pick" needs start_choice = "sequential": sealed squares are '
                         "opened together (G-R3).")
    if c.rmin > c.rmax:
        raise ValueError(f"rmin = {c.rmin} comes after rmax = {c.rmax} (G-61).")
    dearest = max(c.value[Value.LAND].start, c.value[Value.MINE].start)
    if c.first_loan_max < dearest and not c.hr_free_start:
        raise ValueError(f"first_loan_max = {c.first_loan_max} does not pay for a start square of "
                         f"{dearest}c (G-16).")
    if c.hr_no_loans and not c.hr_free_start:
        raise ValueError("hr_no_loans needs hr_free_start: a start square has to be paid (G-74).")
    check_events(c)
    cards = deck_counts(c)
    if not c.events_per_round <= sum(cards) <= N_CARDS:
        raise ValueError(f"the deck has {sum(cards)} cards; it must have from "
                         f"{c.events_per_round} to {N_CARDS} (G-13).")


def check_events(c: np.record) -> None:
    """A card has no number that does nothing."""
    for kind in Happening:
        name, event = f"event.{kind.name.lower()}", c.event[kind]
        if event.price and event.avoid != Avoid.PAY:
            raise ValueError(f'{name}.price says nothing unless avoid = "pay" (G-35).')
        if event.compensation and max(event.effect[:, 0]) < Effect.SEIZE_LAKES:
            raise ValueError(f"{name}.compensation says nothing unless squares are seized (G-59).")
        if event.avoid == Avoid.OWN_PAYMENT and event.effect[:2, 0].tolist() \
                != [Effect.CATTLE_LOST, Effect.NONE]:
            raise ValueError(f'{name}: each can pay for their own only of "cattle_lost" (G-58).')


def deck_counts(c: np.record) -> list[int]:
    """G-R20 How many cards of each kind are in the deck."""
    counts = [int(event.cards) for event in c.event.view(np.recarray)]
    counts[Happening.CATTLE_DISEASE] += int(c.disease_cards)
    if c.hr_wipe == Wipe.OFF:  # G-78
        counts[Happening.JUBILEE] = 0
    return counts


def fill_tables(c: np.record) -> None:
    """G-4 G-5 Neighbours and distances, and which kind each physical card is of."""
    rows, columns = np.divmod(np.arange(N_SQUARES), SIDE)
    down = abs(rows[:, None] - rows[None, :])
    across = abs(columns[:, None] - columns[None, :])
    distance = down + across
    if c.adjacency == 8:  # G-R2: a diagonal neighbour is connected
        distance[np.maximum(down, across) == 1] = 1
    c.distance[:] = distance
    c.near[:] = NO_SQUARE
    for square in range(N_SQUARES):
        near = np.flatnonzero(distance[square] == 1)
        c.near[square, : len(near)] = near
    c.kind_of[:] = UNKNOWN
    kinds = [kind for kind, count in enumerate(deck_counts(c)) for _ in range(count)]
    c.kind_of[: len(kinds)] = kinds
    c.deck_size = len(kinds)


CONTENT = Schema(
    rules={
        "lands": Number(0, 100), "mines": Number(0, 100), "lakes": Number(0, 40),
        "mountains": Number(0, 40), "events_per_round": Number(1, MOST_EVENTS),
        "disease_price": Number(0, 1000),
        "end_mode": Choice(EndMode), "minutes": Number(1, 600), "rmin": Number(1, 200),
        "rmax": Number(1, 200), "clock_rounds": Number(1, 1000), "bell": Switch(),
        "end_granularity": Choice(Granularity), "public_end": Switch(),
        "adjacency": Sides(), "reveal": Choice(Reveal), "start_choice": Choice(StartChoice),
        "start_allows_mine": Switch(), "rechoose_anywhere": Switch(),
        "first_loan_max": Number(1, 1000), "reveal_first_loans": Switch(),
        "first_turn_profit": Switch(), "tax_formula": Choice(TaxFormula),
        "bank_price_multiplied": Switch(), "mines_multiplied": Switch(),
        "improvements_count": Switch(), "sell_to_bank": Switch(),
        "disease_cards": Number(0, 10), "disease_common_price": Number(0, 1000),
        "mountain_card_literal": Switch(), "appropriation_mines": Switch(),
        "crops_lost_ownership": Switch(), "debts_paid": Choice(DebtsPaid),
        "reshuffle_each_round": Switch(), "single_payer": Switch(),
        "bribe_laps": Number(0, 100), "pledge_laps": Number(1, 5), "vote_mode": Choice(VoteMode),
        "bundle_trades": Switch(), "gift_amounts_public": Switch(), "floor": Choice(Floor),
        "turn_seconds": Number(1, 86_400), "max_actions_per_turn": Number(10, 10_000),
        "max_offers_per_turn": Number(0, 100),
        "loan_most": Number(1, 10**15, "i8"), "amount_menu": Amounts(), "price_menu": Amounts(),
        "hr_loan_cap": Number(0, 10**15, "i8"), "hr_interest_percent": Number(0, 100),
        "hr_free_start": Switch(), "hr_no_loans": Switch(), "hr_collateral": Switch(),
        "hr_no_gifts_in_debt": Switch(), "hr_price_cap": Number(0, 1000),
        "hr_forced_repayment": Switch(), "hr_wipe": Choice(Wipe), "hr_buy_limit": Number(0, 100),
        "hr_no_first_turn_repay": Switch(), "hr_tie_avoids": Switch(),
    },
    check=check_content,
    derived={
        "distance": ("u1", (N_SQUARES, N_SQUARES)),  # for the tax: 1 = connected
        "near": ("i1", (N_SQUARES, 8)),  # connected squares, then NO_SQUARE
        "kind_of": ("i1", N_CARDS),  # Happening of each physical card; UNKNOWN: in the box
        "back": ("i1", N_CARDS),  # all cards look alike from behind
        "deck_size": "i4",
    },
    derive=fill_tables,
    value=Cards(Value, name=Text(), start=Number(1, MOST_ENTRY), text=Text()),
    event=Cards(Happening, name=Text(), cards=Number(0, N_CARDS), avoid=Choice(Avoid),
                price=Number(0, 100_000), effect=Effects(), needs=Choice(Need),
                compensation=Number(0, 100_000)),
)

State = record(
    rng="u8",
    cash=("i8", SEATS),  # secret
    debt=("i8", SEATS),  # secret
    bank="i8",  # what the bank took in less what it paid out, claims included; secret
    pledged=("i8", SEATS),  # towards the card that is open
    written=("i8", SEATS),  # what a seat adds to it, or gives before a vote; secret until all have
    draft_amount="i8",  # what has been typed so far
    deal_price=("i8", 2),  # of DRAFT and OFFER; of a gift its amount
    first_loan=("i4", SEATS),  # 0: not yet written down; secret
    deadline="i4",  # clock mode: seconds until the bell; secret
    table=("i4", N_VALUES),
    answers=("i2", SEATS),  # given since the turn or the card began, drafts included; secret
    turns=("i2", SEATS),  # turns ended
    doublings=("i2", SEATS),  # turns ended since all debts were last wiped
    offers_made=("i2", SEATS),  # in this turn, between the active seat and each other one
    held=("i2", (SEATS, N_HOLDINGS)),
    offer_number="i2",  # offers so far, counter-offers too: the one on the table bears this number
    offer_chain="i2",  # the number of the offer with which its bargain began
    bought="i2",  # from the bank in this turn
    round_number="i2",
    last_round="i2",  # rounds mode; secret unless public_end
    lap="i2",  # how far the cattle disease has gone round; of votes and pledges the lap itself
    kind=("i1", N_SQUARES),
    use=("i1", N_SQUARES),
    owner=("i1", N_SQUARES),
    beside=("u1", N_SQUARES),  # connected lakes + 16 * mountains; filled at the reveal
    mark=("u1", N_SQUARES),  # before the reveal: turned up; in the cattle disease: paid for
    reach=("u1", (SEATS, N_SQUARES)),  # distance of each square to the seat's nearest, FAR: none
    home=("i1", SEATS),  # start square
    age=("i1", SEATS),  # 0 is the youngest
    sealed=("i1", SEATS),  # Vote
    word_to=("i1", SEATS),  # whom a gift or a promise before a vote is for; NOBODY: there is none
    word=("i1", SEATS),  # the Promise, NO_PROMISE: a gift; both secret until all have answered
    opened=("i1", SEATS),  # Vote, as last opened
    fate=("i1", MOST_EVENTS),  # of this event phase's cards
    promised=("u1", (SEATS, SEATS)),  # by whom to whom: a bit for each Promise
    kept=("i2", SEATS),  # promised votes that were given
    broken=("i2", SEATS),  # and those that were not
    deal_from=("i1", 2),
    deal_to=("i1", 2),
    deal_payer=("i1", 2),  # who pays the price
    deal_tax=("i1", 2),  # Bearer
    deal_count=("i1", 2),
    deal_square=("i1", (2, MOST_SQUARES)),
    draft_kind="i1",
    draft_stage="i1",
    seats="i1",
    first="i1",  # first player; UNKNOWN before
    active="i1",  # whose turn it is; UNKNOWN outside turns
    row_place="i1",  # the card of the row that is open or comes next
    revealed="u1",
    loans_open="u1",
    picks_open="u1",
    countered="u1",  # the offer on the table is a counter-offer
    rung="u1",
    ending="i1",
    winners="u1",
    **agenda_fields(18),
    **pile_fields(N_CARDS, 4),
)
