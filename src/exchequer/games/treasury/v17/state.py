"""Treasury 0.17: records and enums. The paragraphs T17-n and R17-n are those of `rulebook.md`."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from exchequer.core.agenda import FIRST_STEP, agenda_fields
from exchequer.core.content import Cards, Choice, Number, Schema, Switch, Text
from exchequer.core.piles import pile_fields
from exchequer.core.records import record
from exchequer.games.treasury.v17.cards import (
    DERIVED,
    FIRST_WEAPON,
    LAST_EOA,
    MOST_GOLD_COST,
    N_ABILITIES,
    N_AGES,
    N_CARDS,
    N_ICONS,
    Abilities,
    Ability,
    Card,
    Effect,
    Icon,
    IconCounts,
    IconMask,
    Printed,
    check_events,
    fill_tables,
)

MOST_SEATS = 4
N_SLOTS = 12  # T17-70: places for businesses in front of one player
MOST_CANCELS = 4  # T17-72: choices taken back in one turn


class Piles(NamedTuple):
    """T17-11 The zones; index 0 of each is the bottom.

    Plain numbers and no enum: then `Pile.QUEUE` and `Pile.HAND + seat` are of one type, and a rule
    that takes a pile compiles once.
    """

    DRAW: int = 0  # + age
    QUEUE: int = 4
    DEMAND: int = 5
    DISCARD: int = 6
    BOX: int = 7
    HAND: int = 8  # + seat
    KEPT: int = 12  # + seat: picks of the draft, until it is over
    ASIDE: int = 16  # drawn from a draw pile, before it is decided which card goes back
    ASIDE_DISCARD: int = 17  # the same from the discard pile
    TRAY: int = 18  # about to be discarded in an order of choice
    TRANSIT: int = 19  # an event on its way into the queue
    BUSINESS: int = 20  # + seat * N_SLOTS + slot
    DEVELOPMENT: int = 68  # likewise
    CONTRACT: int = 116  # likewise


Pile = Piles()
N_PILES = 164


class Do(IntEnum):
    """The first action id of each kind; what is added is named in the comment."""

    END = 0
    PASS = 1
    PLAY = 2
    FREE_PLAY = 3
    START = 4
    FREE_START = 5
    DEVELOP = 6
    FREE_DEVELOP = 7
    SCULPT = 8
    WHALE = 9
    TEACH = 10
    PERFORM = 11
    DISCARD = 12
    MARKET = 13
    PEEK = 14
    FORESEE = 15
    FLIP = 16
    OBSERVE = 17  # + Target
    OPEN = 24  # + slot
    CLAIM = 36  # + slot
    PAY = 48  # + slot
    CLOSE = 60
    CANCEL = 61
    NO = 62
    YES = 63
    BY_CARDS = 64
    BY_GOLD = 65
    FROM_PILE = 66
    FROM_DISCARD = 67
    FROM_AGE = 68
    SEAT = 69  # + seat
    AGE = 73  # + age
    AMOUNT = 77  # + gold
    SLOT = 98  # + seat * N_SLOTS + slot
    POSITION = 146  # + index in a pile
    CARD = 237  # + Card


N_ACTIONS = MAX_LEGAL = 328
LAST_MAIN = Do.CANCEL - 1


class Target(IntEnum):
    """R17-42 What Observatory may look at."""

    STARTUP, DEVELOPMENT, CONTRACT, DEMAND, QUEUE, DRAW_PILE, DISCARD = range(7)


class Ask(IntEnum):
    """Questions for a seat. What `a` and `b` of the agenda item hold stands behind each.

    A slot is one of the seat's own; a place is seat * N_SLOTS + slot.
    """

    MAIN = 0
    DRAFT = 1
    FIRST_CARD = 2
    EVENT_CARD = 3  # Playing
    START_CARD = 4  # whether it is a free action
    DEVELOP_SLOT = 5  # how a development is paid for, see FREE_TOUCHED
    DEVELOP_CARD = 6  # slot; how it is paid for, see FREE_TOUCHED
    SCULPT_CARD = 7
    SCULPT_MORE = 8  # cards discarded so far
    WHALE_CARD = 9
    TEACH_POSITION = 10
    DISCARD_CARD = 11
    MARKET_CARD = 12  # cards still to be shown; Icon of the first or NOBODY
    PEEK_SLOT = 13
    OBSERVE_SLOT = 14  # Target
    OBSERVE_POSITION = 15  # Target; place of the development cards
    OBSERVE_AGE = 16
    EXCHANGE_CARD = 17  # place of the contract
    DIRECT = 18
    QUEUE_POSITION = 19
    SKIP = 20  # card
    PAYMENT = 21  # slot
    DOCK_AMOUNT = 22  # slot; whether it was traded for Trader
    FORT_SLOT = 23  # slot that is being opened
    TRADER_CARD = 24  # slot
    LODGE_SLOT = 25
    IMPORT_CARD = 26  # how many
    DIG_POSITION = 27  # how many
    BROKER_CARD = 28  # slot
    GATHERER = 29  # slot
    ORDER_CARD = 30
    COOK_SLOT = 31  # slot that claims
    SOURCE = 32  # 2 * Drawing + whether cards lie aside; how many
    RETURN_CARD = 33  # how many; how many are kept, or NOBODY: all go under their piles
    KEEP_CARD = 34  # how many
    TANNER_CARD = 35  # slot; how many
    EOA_SLOT = 36
    ORCHARD = 37
    VICTIM = 38  # slot
    PICK_SLOT = 39  # Paying
    PAY_SLOT = 40
    INSURE_SLOT = 41  # slot of the Insurance
    INNOVATE_SLOT = 42
    LEADER_CARD = 43  # Printed
    END_DRAW = 44
    EVENT_NOW = 45  # how many
    START_NOW = 46  # how many
    CLOSE_SLOT = 47


# How a development is paid for: cards laid so far where the action pays; where Inn does, the cards
# it still allows + FREE_UNTOUCHED before the first is laid, + FREE_TOUCHED afterwards.
FREE_TOUCHED, FREE_UNTOUCHED = 100, 200


class Shape(IntEnum):
    """Among what a question chooses."""

    MAIN, HAND, ASIDE, TRAY, DISCARD, DEVELOPMENTS, SLOT, POSITION, AMOUNT, SEAT, AGE, YES_NO, \
        PAYMENT, SOURCE, ORCHARD = range(15)


SHAPE = {
    Ask.MAIN: Shape.MAIN, Ask.DRAFT: Shape.HAND, Ask.FIRST_CARD: Shape.HAND,
    Ask.EVENT_CARD: Shape.HAND, Ask.START_CARD: Shape.HAND, Ask.DEVELOP_SLOT: Shape.SLOT,
    Ask.DEVELOP_CARD: Shape.HAND, Ask.SCULPT_CARD: Shape.HAND,
    Ask.SCULPT_MORE: Shape.HAND, Ask.WHALE_CARD: Shape.HAND,
    Ask.TEACH_POSITION: Shape.POSITION, Ask.DISCARD_CARD: Shape.HAND,
    Ask.MARKET_CARD: Shape.HAND, Ask.PEEK_SLOT: Shape.SLOT, Ask.OBSERVE_SLOT: Shape.SLOT,
    Ask.OBSERVE_POSITION: Shape.POSITION, Ask.OBSERVE_AGE: Shape.AGE,
    Ask.EXCHANGE_CARD: Shape.HAND, Ask.DIRECT: Shape.YES_NO,
    Ask.QUEUE_POSITION: Shape.POSITION, Ask.SKIP: Shape.YES_NO, Ask.PAYMENT: Shape.PAYMENT,
    Ask.DOCK_AMOUNT: Shape.AMOUNT, Ask.FORT_SLOT: Shape.SLOT, Ask.TRADER_CARD: Shape.HAND,
    Ask.LODGE_SLOT: Shape.SLOT, Ask.IMPORT_CARD: Shape.DISCARD,
    Ask.DIG_POSITION: Shape.POSITION, Ask.BROKER_CARD: Shape.DEVELOPMENTS,
    Ask.GATHERER: Shape.YES_NO, Ask.ORDER_CARD: Shape.TRAY, Ask.COOK_SLOT: Shape.SLOT,
    Ask.SOURCE: Shape.SOURCE, Ask.RETURN_CARD: Shape.ASIDE, Ask.KEEP_CARD: Shape.ASIDE,
    Ask.TANNER_CARD: Shape.ASIDE, Ask.EOA_SLOT: Shape.SLOT, Ask.ORCHARD: Shape.ORCHARD,
    Ask.VICTIM: Shape.SEAT, Ask.PICK_SLOT: Shape.SLOT, Ask.PAY_SLOT: Shape.SLOT,
    Ask.INSURE_SLOT: Shape.SLOT, Ask.INNOVATE_SLOT: Shape.SLOT, Ask.LEADER_CARD: Shape.HAND,
    Ask.CLOSE_SLOT: Shape.SLOT, Ask.END_DRAW: Shape.YES_NO, Ask.EVENT_NOW: Shape.YES_NO,
    Ask.START_NOW: Shape.HAND,
}
SHAPE_OF = np.array([SHAPE[ask] for ask in Ask])
CANCELLABLE = np.array([ask in (
    Ask.START_CARD, Ask.CLOSE_SLOT, Ask.DEVELOP_SLOT, Ask.SCULPT_CARD, Ask.WHALE_CARD,
    Ask.TEACH_POSITION, Ask.DISCARD_CARD, Ask.PEEK_SLOT, Ask.OBSERVE_SLOT,
    Ask.OBSERVE_POSITION, Ask.OBSERVE_AGE) for ask in Ask])
MAY_DECLINE = np.array([ask in (
    Ask.EXCHANGE_CARD, Ask.TRADER_CARD, Ask.LODGE_SLOT, Ask.BROKER_CARD, Ask.TANNER_CARD,
    Ask.INNOVATE_SLOT, Ask.START_NOW) for ask in Ask])
MAY_STOP = np.array([ask in (Ask.ORCHARD, Ask.DEVELOP_CARD, Ask.LEADER_CARD) for ask in Ask])


class Step(IntEnum):
    """What the game does by itself; `a` and `b` stand behind each."""

    DRAFT = FIRST_STEP
    PASS_PACKS = FIRST_STEP + 1
    TURN = FIRST_STEP + 2
    MAIN = FIRST_STEP + 3
    END_DRAW = FIRST_STEP + 4
    END_DRAWN = FIRST_STEP + 5
    CHECK_AGE = FIRST_STEP + 6
    NEXT_TURN = FIRST_STEP + 7
    PLAY = FIRST_STEP + 8  # Source; Playing
    LAB_DRAW = FIRST_STEP + 9  # slot
    LAB_BONUS = FIRST_STEP + 10  # slot; cards in hand before
    CHOOSE_EVENT = FIRST_STEP + 11  # Source; Playing
    PLACE = FIRST_STEP + 12
    TRIGGER = FIRST_STEP + 13
    RESOLVE = FIRST_STEP + 14  # card
    EFFECT = FIRST_STEP + 15  # card
    RESOLVED = FIRST_STEP + 16  # card
    AFTER_ACTION = FIRST_STEP + 17
    SECOND_EVENT = FIRST_STEP + 18
    DRAW = FIRST_STEP + 19  # 2 * Drawing + whether cards lie aside; how many
    LEADER_DRAW = FIRST_STEP + 20  # Printed
    LEADER_DISCARD = FIRST_STEP + 21  # Printed; cards in hand before
    BREAKTHROUGH = FIRST_STEP + 22  # how many; how many are kept
    KEEP = FIRST_STEP + 23  # how many
    KEPT = FIRST_STEP + 24
    INNOVATE = FIRST_STEP + 25
    EARLY_TRADE = FIRST_STEP + 26
    RETURN_CARDS = FIRST_STEP + 27  # how many; how many are kept
    TAKE_ASIDE = FIRST_STEP + 28
    OPEN = FIRST_STEP + 29  # slot
    PAY_OPENING = FIRST_STEP + 30  # slot; whether it was traded for Trader
    FORT = FIRST_STEP + 31  # the same
    TURN_UP = FIRST_STEP + 32  # the same
    ON_OPEN = FIRST_STEP + 33  # slot
    DEVELOPMENT_LEAVES = FIRST_STEP + 34  # slot; card they were laid on
    DISCARD_DEVELOPMENT = FIRST_STEP + 35  # slot
    EVENT_NOW = FIRST_STEP + 36  # how many
    START_NOW = FIRST_STEP + 37  # how many
    IMPORT = FIRST_STEP + 38  # how many
    DIG = FIRST_STEP + 39  # how many
    CLOSE = FIRST_STEP + 40  # slot
    CLOSE_CARDS = FIRST_STEP + 41  # slot
    AFTER_CLOSE = FIRST_STEP + 42  # card
    ORDER = FIRST_STEP + 43
    LOSE_CONTRACTS = FIRST_STEP + 44
    PAY_ONE = FIRST_STEP + 45
    EOA_SEAT = FIRST_STEP + 46
    EOA_NEXT = FIRST_STEP + 47
    EOA_USE = FIRST_STEP + 48  # slot
    ORCHARD = FIRST_STEP + 49
    PAYOUT = FIRST_STEP + 50  # Paying
    PICK = FIRST_STEP + 51  # Paying
    PAY_BATCH = FIRST_STEP + 52  # Paying
    COLLECT = FIRST_STEP + 53  # whether it is the final End of Age
    TAX = FIRST_STEP + 54  # age
    FINISH_AGE = FIRST_STEP + 55  # age; whether it is the final End of Age
    RAN_OUT = FIRST_STEP + 56
    RAN_OUT_SEAT = FIRST_STEP + 57
    INSURE = FIRST_STEP + 58  # slot of the Insurance


class Source(IntEnum):
    """Where an event to be played comes from."""

    HAND, PASS, ASIDE = range(3)


class Playing(IntEnum):
    """By what right an event is played from hand."""

    GRANTED, ACTION, FREE = range(3)


class Drawing(IntEnum):
    """What kind of draw it is: any, or the one at the end of a turn."""

    ANY, END_OF_TURN = range(2)


class Paying(IntEnum):
    """Which contracts a payout covers."""

    ALL, WEAPONS = range(2)


class Ending(IntEnum):
    NONE, LAST_EVENT, STALEMATE = range(3)


class Fault(IntEnum):
    """Promises of the state; the conformance suite asks for them after every move."""

    (NONE, NEGATIVE, POWER, PROVIDED, TWO_CARDS, EMPTY_SLOT, STRAY_GOLD, LEFT_OVER,
     QUEUE_SIZE) = range(9)


class Refusal(IntEnum):
    """Why an action may not be taken."""

    (NONE, OVER, NOT_ASKED, NO_ACTION_LEFT, ACTION_DUE, NO_CARD, NO_ABILITY, USED, NO_ROOM,
     NO_STARTUP, NO_BUSINESS, THIS_TURN, TOO_DEAR, NEEDS_CLOSING, HAS_CONTRACT, OBSOLETE, NO_MATCH,
     NO_DEMAND, NO_QUEUE, TREASURY_SHORT, PAID_ALREADY, NOTHING_STORED, NO_PAIR, NOTHING_HIDDEN,
     NO_PILE, FACE_DOWN, NOT_THAT, COMPULSORY, COMMITTED,
     NOT_DIRECT) = range(30)


class Event(IntEnum):
    """What the log tells. `thing` is a Card where not said otherwise."""

    (TURN, PICKED, PACKS_PASSED, PLACED, PLAYED, PLAYED_DIRECT, TRIGGERED, SKIPPED,
     RESOLVED,  # thing: Printed
     ABILITY,  # thing: Ability
     DREW, DREW_DISCARD, REVEALED, DISCARDED, RETURNED, TOOK_BACK, STARTED, DEVELOPED, OPENED,
     CLOSED, OBSOLETE,  # thing: Icon
     LOST_CONTRACT, CLAIMED, ENTERED_DEMAND, LEFT_DEMAND, PEEKED, EXCHANGED, FLIPPED, PASSED,
     EARNED, WON, SPENT, TOOK_GOLD, STORED, TOOK_STORED, STORE_SPENT, STORE_LOST,
     TREASURY_GAINED, TREASURY_LOST, PAID_CONTRACT, TOPPED_UP, INSURED, COLLECTED, RAN_OUT,
     AGE_ENDS,  # thing: the age
     TAXED, POPULATION_TAX, EXTRA_ACTIONS, EXTRA_TURN, LAST_EVENT, STALEMATE, GAME_ENDED,
     SWAPPED,
     TAKEN_FROM,  # amount: its number from the bottom
     ) = range(54)


N_THINGS = N_CARDS + 1


# Content -----------------------------------------------------------------------------------------

class ContractTakes(IntEnum):
    BOTTOM, OLDEST_MATCHING = range(2)


class AbilityPayment(IntEnum):
    FULL_ONLY, TOP_UP = range(2)


class CookSize(IntEnum):
    EQUAL, AT_LEAST, AT_MOST = range(3)


class Tiebreak(IntEnum):
    HELD_VALUES, FINAL_PAYOUT, WHOLE_GAME = range(3)


def check_content(c: np.record) -> None:
    """T17-17 The set must suffice at every number of players; T17-3 demands are goods."""
    ages = [int(sum(c.card[card].age == age for card in Card)) for age in range(N_AGES)]
    for seats in range(2, MOST_SEATS + 1):
        first = c.age0_of_four if seats == 4 else c.age0_per_player
        later = c.later_of_four if seats == 4 else c.later_per_player
        need = seats * (c.hand + first) + max(seats - c.demand_below_seats, 0)
        if need > ages[0]:
            raise ValueError(f"with {seats} players {need} age-0 cards are needed and there are "
                             f"{ages[0]}; lower hand or the age-0 pile.")
        if seats * later > min(ages[1:]):
            raise ValueError(f"with {seats} players each later pile needs {seats * later} cards "
                             f"and an age has {min(ages[1:])}.")
    for card in Card:
        if Ability.NONE > c.card[card].ability[1, 0] <= LAST_EOA:
            raise ValueError(f"card.{card.name.lower()}.ability: an End of Age ability must be "
                             "the first of the two.")
        if c.card[card].demand >= FIRST_WEAPON:
            raise ValueError(f"card.{card.name.lower()}.demand must be one of the goods, "
                             "not a weapon.")
    check_events(c)


CONTENT = Schema(
    rules={
        "start_gold": Number(0, 99), "treasury_per_player": Number(0, 99),
        "hand": Number(2, 8), "demand_below_seats": Number(0, 4),
        "age0_per_player": Number(1, 12), "age0_of_four": Number(1, 12),
        "later_per_player": Number(1, 8), "later_of_four": Number(1, 8),
        "draw_limit": Number(1, 40), "tax_above_age": Number(0, 20),
        "growth_gold": Number(0, 20), "population_tax": Number(0, 20),
        "advanced_draft": Switch(), "match_multiplicity": Switch(),
        "contract_takes": Choice(ContractTakes), "first_turn_extra_action": Switch(),
        "exact_development": Switch(), "pass_counts_as_event_action": Switch(),
        "optional_end_draw": Switch(), "ability_payment": Choice(AbilityPayment),
        "obsolescence_permanent": Switch(), "warrior_harmonised": Switch(),
        "cook_size_rule": Choice(CookSize), "trader_free": Switch(),
        "trade_post_self_only": Switch(), "whaler_to_hand": Switch(), "craftsman_once": Switch(),
        "contract_any_players_business": Switch(), "invention_zero_ok": Switch(),
        "insurance_partial": Switch(), "library_per_turn": Number(0, 99),
        "tiebreak": Choice(Tiebreak), "endgame_turn_cap": Number(1, 99),
        "turn_cap": Number(20, 999),
    },
    check=check_content,
    derived=DERIVED,
    derive=fill_tables,
    event=Cards(Printed, name=Text(), effect=Choice(Effect), icons=IconMask(),
                gold=Number(0, 99), count=Number(0, 9), direct=Switch(), optional=Switch(),
                not_zero=Switch(), counts_queue=Switch()),
    card=Cards(Card, name=Text(), age=Number(0, N_AGES - 1), develop_cost=Number(0, 9),
               gold_cost=Number(0, MOST_GOLD_COST), contract=Number(0, 99), provides=IconCounts(),
               ability=Abilities(), event=Choice(Printed), demand=Choice(Icon)),
    ability=Cards(Ability, text=Text()),
    effect=Cards(Effect, line=Text(), text=Text()),
)

BY_SLOT = (MOST_SEATS, N_SLOTS)
State = record(
    rng="u8",
    treasury="i4",
    gold=("i4", MOST_SEATS),
    income=("i4", MOST_SEATS),  # gold from contracts, for the tie-breaks of R17-57
    contract_gold=("i2", BY_SLOT),  # lying on a contract
    stored=("i2", BY_SLOT),  # lying on a business: Theater, Dock, Insurance
    opened=("u1", BY_SLOT),
    started=("u1", BY_SLOT),  # this turn
    developed=("u1", BY_SLOT),  # this turn
    paid=("u1", BY_SLOT),  # its contract, since the last End of Age
    used=("u1", BY_SLOT),  # how often its ability was used this turn
    due=("u1", BY_SLOT),  # its End of Age ability is still to be used
    power=("i1", (MOST_SEATS, N_ABILITIES)),  # open businesses with each ability
    provided=("i1", (MOST_SEATS, N_ICONS)),  # icons on open businesses (T17-6)
    pick=("i1", MOST_SEATS),  # slot of the contract to be paid in this batch, or NOBODY
    turns=("i2", MOST_SEATS),  # completed
    late_turns=("i2", MOST_SEATS),  # begun after age III has ended (T17-64)
    actions="i2",  # left this turn
    free_events="i2",  # Baker's, this turn
    free_starts="i2",  # Fisher's and Bridge's, this turn
    starts="i2",  # of this turn, for `library_per_turn`
    extra_turns="i2",  # Cafe's
    obsolete="i2",  # a bit per icon
    seats="i1",
    current="i1",  # whose turn it is
    age="i1",  # in progress (T17-4)
    next_end="i1",  # the age that ends next; 4 when all have ended (T17-54)
    last_seat="i1",  # who triggered the last event, or NOBODY (T17-61)
    turns_left="i1",  # after it
    cancels="i1",  # taken back this turn (T17-72)
    acted="u1",  # the action of this turn has been used (T17-21)
    in_main="u1",  # the main part of a turn is running
    idle_pass="u1",  # Villa: passing does nothing this turn
    event_action="u1",  # the action was playing an event (Hunter)
    stalemate="u1",  # the queue was emptied by a guard (T17-64, T17-71)
    ending="i1",
    winners="u1",
    **agenda_fields(48),
    **pile_fields(N_CARDS, N_PILES),
)
