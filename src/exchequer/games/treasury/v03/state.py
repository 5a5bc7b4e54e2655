"""The records and enums of Treasury 0.3. T3-n and R3-n are the paragraphs of `rulebook.md`."""

from enum import IntEnum
from typing import Any

from exchequer.core.agenda import FIRST_STEP, agenda_fields
from exchequer.core.content import Cards, Choice, Kind, Number, Numbers, Schema, Switch, Text
from exchequer.core.piles import pile_fields
from exchequer.core.records import record
from exchequer.games.treasury.v03.cards import (
    DERIVED,
    FIRST_RESERVE,
    N_CARDS,
    N_GOODS,
    N_ICONS,
    Abilities,
    Ability,
    Card,
    Demand,
    Effect,
    EventEffect,
    Icon,
    LastTier,
    Provisions,
    Tier,
    check_cards,
    fill_tables,
)

SEATS = 4  # T3-1: at most
SLOTS = 12  # R3-58: businesses one player may have
MOST_HAND = 24  # R3-58: cards one may hold
MOST_BACKS = 8  # R3-58: choices one may take back in a turn
N_DECKS = 3  # of the ages II, III and IV
NO_CARD = -1


class Pile(IntEnum):
    """T3-9 The zones. Each place for a business has three piles: card, developments, contract."""

    DECK = 0  # + age - 2
    CURRENT = 3
    FUTURE = 4
    ROW = 5
    DEMAND = 6
    DISCARD = 7  # + age - 1
    BOX = 11
    ASIDE = 12  # cards in the middle of something: looked at, taken, about to be discarded
    HAND = 13  # + seat
    BUSINESS = 17  # + 3 * (seat * SLOTS + slot)


N_PILES = 17 + 3 * SEATS * SLOTS


class Act(IntEnum):
    """What the action of the turn was spent on."""

    NONE, SEED, START, DEVELOP, CLOSE, ABILITY = range(6)


class Do(IntEnum):
    """The first action id of each kind; what is added is named in the comment."""

    END = 0
    YES = 1
    NO = 2
    BACK = 3
    SEED = 4  # + FREE and TO_ROW
    START = 8  # + FREE and FACE_UP
    DEVELOP = 12
    CLOSE = 13  # + FREE
    OPEN = 15  # + slot, by its development cards
    BUY = 27  # + slot, opened for gold
    USE = 39  # + slot, an ability of that business
    SLOT = 51  # + slot, an answer
    PLACE = 63  # + seat * SLOTS + slot, an answer
    SEAT = 111  # + seat, an answer
    SOURCE = 115  # + deck, or N_DECKS + discard pile
    PICK = 122  # + card, an answer


N_ACTIONS = 218
MAX_LEGAL = 218
LAST_OF_TURN = Do.SLOT - 1
FREE, TO_ROW, FACE_UP = 1, 2, 2  # bits of the kinds of SEED, START and CLOSE
N_SOURCES = 7


class Ask(IntEnum):
    """Questions for a seat. What `a` and `b` of the agenda item hold stands behind each."""

    SETUP_CARD = 0
    TURN = 1
    SEED_CARD = 2  # FREE and TO_ROW bits
    START_CARD = 3  # FREE and FACE_UP bits
    DEVELOP_CARD = 4  # slot
    SKIN = 5  # slot of the business that exchanges
    SWAP_OUT = 6
    SWAP_IN = 7  # demand card that is taken
    PEEK = 8  # slot of the business that looks
    SOURCE = 9
    SHOW = 10
    LODGE = 11  # slot just started
    CLOSE_FIRST = 12  # slot to be opened; slot that may not be closed, or SLOTS
    BOSS = 13
    ADD_DEMAND = 14
    DISCARD_DEMAND = 15
    LAY_CONTRACT = 16
    CONTRACT_TARGET = 17  # demand card
    DISCARD_CARD = 18
    LOSS = 19  # card that has left play
    ORDER = 20  # slots whose ability waits
    TANNER = 21
    RETURN = 22
    STEAL = 23  # slot of the business that takes
    MASON = 24
    SHAMAN = 25
    TO_DEMAND = 26
    VOLCANO = 27
    LOSE_CONTRACT = 28  # icon
    RETURN_CONTRACT = 29
    MODERNIZE = 30
    WILD = 31  # slots that wild cards could serve
    AWARD = 32
    FIT = 33  # slot; which of its provisions
    KEEP = 34  # slot
    COUNCIL = 35  # slot that earned the contract
    JUDGE = 36  # seats tied
    DEVELOP_WHICH = 37
    CLOSE_WHICH = 38  # FREE bit


N_ASKS = 39


class Pool(IntEnum):
    """Where the answers to a question come from; a question may have several."""

    (HAND, DEMAND, ROW, ASIDE, DEVELOPMENTS, SLOTS, PLACES, SEATS, SOURCES, YES, NO,
     BACK) = (1 << bit for bit in range(12))


class Step(IntEnum):
    """What the game does by itself; `a` and `b` stand behind each."""

    NEXT = FIRST_STEP
    TURN = FIRST_STEP + 1
    MAIN = FIRST_STEP + 2
    END_TURN = FIRST_STEP + 3
    TURN_OVER = FIRST_STEP + 4
    DRAW = FIRST_STEP + 5  # how many
    REVEAL = FIRST_STEP + 6
    CHECK = FIRST_STEP + 7
    CHECK_ON = FIRST_STEP + 8
    TAKE = FIRST_STEP + 9  # seats to be served after this one
    FIT = FIRST_STEP + 10  # slot; which of its provisions comes next
    STARTED = FIRST_STEP + 11
    OPEN = FIRST_STEP + 12  # slot
    WHEN_OPENED = FIRST_STEP + 13  # slot; which of the card's abilities
    LEAVE_DEVELOPMENTS = FIRST_STEP + 14  # slot
    DISCARD_ASIDE = FIRST_STEP + 15
    CLOSE = FIRST_STEP + 16  # slot
    LOSS = FIRST_STEP + 17  # how many; card that has left play
    DISCARD_DOWN = FIRST_STEP + 18  # hand size to come back to
    ROUND_STEP = FIRST_STEP + 19  # which of the nine
    ROUND_ABILITIES = FIRST_STEP + 20  # slots whose ability waits
    RETURN_LOOKED = FIRST_STEP + 21
    EVENTS = FIRST_STEP + 22
    EVENT_DONE = FIRST_STEP + 23
    DRAW_TO_DEMAND = FIRST_STEP + 24  # how many
    DISCOVER = FIRST_STEP + 25
    TO_DEMAND = FIRST_STEP + 26
    BREAKTHROUGH = FIRST_STEP + 27  # how many
    VOLCANO = FIRST_STEP + 28  # how many
    LOSE_CONTRACTS = FIRST_STEP + 29  # icon; how many
    RETURN_CONTRACTS = FIRST_STEP + 30  # how many


class Ending(IntEnum):
    NONE, EMPTY_HAND, LENGTH = range(3)


class Fault(IntEnum):
    """Promises of the state; the conformance suite asks for them after every move."""

    (NONE, DEBT, POPULATION, STALE_TABLES, CARDS_ASIDE, UNUSED_CARD_OUT, HAND_FULL,
     WRONG_DECK) = range(8)


class Refusal(IntEnum):
    """Why an action may not be taken."""

    (NONE, OVER, NOT_ASKED, NOT_THERE, CLOSING, NO_HAND, ACTED, NO_FREE_SEED, NO_ROW_SEED,
     NO_FREE_START, NO_SLOT, TOO_POOR, NOTHING_TO_CLOSE, NO_STARTUP, HAS_STARTED_FREE,
     ONLY_THE_STARTED, NO_FREE_CLOSE, WINDOW_OVER, JUST_STARTED, TOO_FEW_CARDS, NO_ABILITY,
     USED_UP, NO_BARBARIAN, NO_PEACEFUL_CARD, NOTHING_TO_SEE, NO_DECK, FARM_EXHAUSTED, MUST_ACT,
     NO_MORE_BACK, HAS_CONTRACT, DOES_NOT_FIT, WRONG_ICON, PROVIDES_FOOD, NOT_SCIENCE, NO_CONTRACT,
     NOT_TIED, NO_SOURCE) = range(37)


class Event(IntEnum):
    """What the log tells."""

    (ROUND, TURN, SKIPPED, PASSED, SET_UP, SEEDED, SEEDED_ROW, DREW, REVEALED, CLOSING, STARTED,
     DEVELOPED, OPENED, PAID_COST, CLOSED, DISCARDED, DEMANDED, RETURNED, ABILITY, GAINED, STORED,
     TOOK_STORED, STORED_LOST, TOLL, STOLE, PEEKED, SHOWED, SWAPPED, AWARDED, TIE_WON,
     LAID, CONTRACT_LOST, REFILLED, CIV_TAX, TAXED, GREW, SHRANK, RESOLVED, TREASURY_GAINED,
     TREASURY_LOST, TOOK_TREASURY, LOST_TURN, PAID_OUT, SUPPLY_ADDED, AGE, STARTER, END_NEAR,
     GAME_ENDED, ROUND_ENDS, SWAPPED_ROW, UNDEVELOPED) = range(51)


N_THINGS = N_CARDS + 1


# Content -----------------------------------------------------------------------------------------

class AgeTiers(Kind):
    """R3-1 Which rows of the table make the ages."""

    dtype = "i1"
    names = ("A,I,II,III", "merged")
    allowed = 'one of "A,I,II,III", "merged"'

    def parse(self, value: Any) -> int:
        if value not in self.names:
            raise ValueError(f"{value!r} is not {self.allowed}")
        return self.names.index(value)


class AgeClock(IntEnum):
    LAGGED, DECK = range(2)


class DeckSize(Kind):
    """R3-5 0 stands for every card there is."""

    dtype = "i4"
    allowed = "0 (every card), 2, 3 or 4"

    def parse(self, value: Any) -> int:
        if isinstance(value, bool) or value not in (0, 2, 3, 4):
            raise ValueError(f"{value!r} is not {self.allowed}")
        return int(value)


CONTENT = Schema(
    rules={
        "start_gold": Numbers(SEATS, 0, 99), "treasury_per_player": Number(0, 20),
        "hand": Number(2, 9),
        "age_tiers": AgeTiers(), "age_clock": Choice(AgeClock),
        "cards_per_player_per_age": DeckSize(), "allow_pass": Switch(),
        "open_any_time": Switch(), "contract_blocks_ability": Switch(),
        "strict_windows": Switch(), "end_needs_empty_decks": Switch(),
        "farm_needs_deck": Switch(), "farm_cap": Number(0, 99), "others_only": Switch(),
        "lab_gold": Number(0, 99), "lab_needs_deck": Switch(),
        "max_turns_per_player": Number(1, 200),
    },
    check=check_cards,
    derived=DERIVED,
    derive=fill_tables,
    icon=Cards(Icon, name=Text(), last=LastTier(), strict_last=LastTier()),
    card=Cards(Card, name=Text(), tier=Choice(Tier), develop_cost=Number(0, 9),
               gold_cost=Number(0, 99), contract=Number(0, 99), provides=Provisions(),
               ability=Abilities(), event_name=Text(), event=EventEffect(), demand=Demand(),
               barbarian=Switch(), source=Text()),
    ability=Cards(Ability, text=Text(), deed=Text()),
    effect=Cards(Effect, harmful=Switch(), line=Text(), text=Text()),
)

State = record(
    rng="u8",
    abilities=("i8", SEATS),  # a bit for each ability at work, from `refresh`
    gold=("i4", SEATS),
    treasury="i4",  # T3-6: the gold of the civ; its size is `population` in drawing.py
    provided=("i4", (SEATS, N_ICONS)),  # icons on open businesses, from `refresh`
    opened=("i4", SEATS),  # a bit for each slot with an open business, from `refresh`
    contracted=("i4", SEATS),  # ... with a contract on it
    startups=("i4", SEATS),  # ... with a startup
    group=("i4", SEATS),  # slots that are candidates in the award now being made
    wild_yes=("i4", SEATS),  # slots whose owner wants wild cards for them
    wild_no=("i4", SEATS),  # ... does not want any
    paid=("i4", SEATS),  # slots whose contract was paid in this payout
    started="i4",  # slots started in this turn
    serve="i4",  # seats that must still be served after the award now being made
    stored=("i2", (SEATS, SLOTS)),  # gold lying on a business
    yielded=("i2", (SEATS, SLOTS)),  # gold an `action_gain` has brought, for farm_cap
    turns=("i2", SEATS),
    round_number="i2",
    to_resolve="i2",  # events of the row still to be carried out in this End of Round
    ran_out="i2",  # how often the treasury ran out in this step
    forced=("i4", 2),  # room to count answers; always zero between moves
    seats="i1",
    age="i1",  # T3-7: 1 to 4
    first="i1",  # the starting player
    turn="i1",  # whose turn it is, NOBODY between turns
    closing="u1",  # the current pile is empty: no seeding, the round ends
    end_due="i1",  # the Ending that has been triggered
    ending="i1",
    winners="u1",
    lose_turn=("u1", SEATS),
    acted="u1",  # the Act that the action of the turn was
    seeds="u1",  # events seeded in this turn
    extra_seeds="u1",  # of these, after the action (second_seed)
    extra_developed="u1",
    developed="u1",
    started_free="u1",
    action_slot="i1",  # the slot started with the action
    backs="u1",  # choices taken back in this turn
    wild_news="u1",  # a bit for each seat whose answers about wild cards no longer stand (R3-60)
    wild_used="u1",  # wild cards taken for the award now being made
    self_used="u1",  # its own wild provision was used
    uses=("u1", SLOTS),  # of once-a-turn abilities, in this turn
    **agenda_fields(32),
    **pile_fields(N_CARDS, N_PILES),
)

N_DEFAULT_CARDS = int(FIRST_RESERVE)
assert N_GOODS == Icon.CLUBS
