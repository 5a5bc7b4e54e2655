"""Answers: what they do. Which of them a question allows is said in `questions.py`."""

from exchequer.core.agenda import then
from exchequer.core.contract import handle_answer
from exchequer.core.handlers import handles
from exchequer.core.log import note_for
from exchequer.core.records import NOBODY, rule
from exchequer.games.treasury.v03.businesses import (
    close_business,
)
from exchequer.games.treasury.v03.cards import Ability
from exchequer.games.treasury.v03.contracts import (
    lay_contract,
)
from exchequer.games.treasury.v03.drawing import (
    demand,
    discard,
    discard_hand_card,
    find_in,
    hand_index,
    lay_secretly,
)
from exchequer.games.treasury.v03.holdings import fire
from exchequer.games.treasury.v03.state import SLOTS, Ask, Do, Event, Pile, Step
from exchequer.games.treasury.v03.turns import (
    peek,
    skin,
    startup_place,
    take_back,
)

# What an answer does -----------------------------------------------------------------------------

@rule
def answer(s, c, ask, seat, a, b, action, log):
    """Going back and saying no are the same everywhere; every other answer has its rule."""
    if action == Do.BACK:
        take_back(s)
    elif action == Do.NO:
        decline(s, ask, seat, a)
    else:
        handle_answer(s, c, ask, seat, a, b, action, log)


@handles(Ask.PEEK, place=Do.PLACE)
def peek_at(s, c, seat, slot, place, log):
    """R3-52"""
    peek(s, c, seat, slot, startup_place(s, place // SLOTS, place % SLOTS), log)


@rule
def decline(s, ask, seat, a):
    """A no changes nothing; only about wild cards it is remembered (R3-60)."""
    if ask == Ask.WILD:
        s.wild_no[seat] |= a


@handles(Ask.SKIN, card=Do.PICK)
def discard_and_skin(s, c, seat, slot, card, log):
    """The discarded card says what it brings."""
    discard_hand_card(s, c, seat, card, log)
    skin(s, c, seat, slot, card, log)


@handles(Ask.SWAP_OUT, card=Do.PICK)
def swap_out(s, seat, card):
    """Then: against which card of demand."""
    then(s, Ask.SWAP_IN, seat, card, 0)


@handles(Ask.ADD_DEMAND, card=Do.PICK)
def add_demand(s, c, seat, card, log):
    """A hand card for demand, and a card is drawn for it."""
    fire(s, c, seat, Ability.ON_OPEN_ADD_HAND_TO_DEMAND_DRAW, log)
    then(s, Step.DRAW, seat, 1, 0)
    demand(s, c, Pile.HAND + seat, hand_index(s, seat, card), seat, log)


@handles(Ask.DISCARD_DEMAND, card=Do.PICK)
def discard_demand(s, c, seat, card, log):
    """Of demand, for good."""
    fire(s, c, seat, Ability.ON_OPEN_DISCARD_DEMAND, log)
    discard(s, c, Pile.DEMAND, find_in(s, Pile.DEMAND, card), log)


@handles(Ask.LAY_CONTRACT, card=Do.PICK)
def choose_contract(s, c, seat, card, log):
    """A card of demand; then: on which business."""
    fire(s, c, seat, Ability.ON_OPEN_CONTRACT_FROM_DEMAND, log)
    then(s, Ask.CONTRACT_TARGET, seat, card, 0)


@handles(Ask.TO_DEMAND, card=Do.PICK)
def hand_to_demand(s, c, seat, card, log):
    """R3-54"""
    demand(s, c, Pile.HAND + seat, hand_index(s, seat, card), seat, log)


@handles(Ask.CLOSE_FIRST, Ask.MODERNIZE, slot=Do.SLOT)
def close_one(s, c, seat, slot, log):
    """T3-22"""
    close_business(s, c, seat, slot, True, log)


@handles(Ask.LOSS, slot=Do.SLOT)
def lose_business(s, c, seat, slot, log):
    """R3-49"""
    close_business(s, c, seat, slot, False, log)


@handles(Ask.DEVELOP_WHICH, slot=Do.SLOT)
def develop_there(s, seat, slot):
    """T3-21"""
    then(s, Ask.DEVELOP_CARD, seat, slot, 0)


@handles(Ask.CONTRACT_TARGET, slot=Do.SLOT)
def lay_contract_there(s, c, seat, card, slot, log):
    """T3-30"""
    lay_contract(s, c, seat, slot, Pile.DEMAND, find_in(s, Pile.DEMAND, card), log)


@handles(Ask.WILD, slot=Do.SLOT)
def name_wild(s, seat, slot):
    """R3-60"""
    s.wild_yes[seat] |= 1 << slot


@handles(Ask.SETUP_CARD, card=Do.PICK)
def set_up_event(s, c, seat, card, log):
    """T3-13 A hand card face-down on top of the current pile."""
    lay_secretly(s, c, seat, card, Pile.CURRENT)
    note_for(log, Event.SET_UP, seat, NOBODY, card, 1, 1 << seat)
