"""Answers to every question but that of the main part."""

from exchequer.core.agenda import then
from exchequer.core.contract import handle_answer
from exchequer.core.handlers import handles
from exchequer.core.log import note, note_for
from exchequer.core.piles import TOP, move, pile_size, place_of, show
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.acts import choose_development, sculpt, use_once
from exchequer.games.treasury.v17.ages import use_next
from exchequer.games.treasury.v17.businesses import claim, lay_contract, start_business, start_claim
from exchequer.games.treasury.v17.cards import Ability
from exchequer.games.treasury.v17.drawing import put_back
from exchequer.games.treasury.v17.money import insure, pay_contract, take_gold
from exchequer.games.treasury.v17.questions import observed_pile
from exchequer.games.treasury.v17.state import (
    MAY_DECLINE,
    MAY_STOP,
    N_SLOTS,
    Ask,
    Do,
    Event,
    Pile,
    Playing,
    Source,
    Step,
    Target,
)
from exchequer.games.treasury.v17.zones import (
    at_slot,
    business_at,
    discard_from_hand,
    enter_demand,
    fire,
    index_of,
    peek,
    take_top,
)


@handles(Ask.SCULPT_CARD, card=Do.CARD)
def sculpt_first(s, c, seat, card, log):
    """Sculptor, with the action."""
    sculpt(s, c, seat, card, 0, log)


@handles(Ask.IMPORT_CARD, card=Do.CARD)
def import_one(s, c, seat, left, card, log):
    """T17-75 And then the next."""
    import_card(s, c, seat, card, log)
    then(s, Step.IMPORT, seat, left - 1, 0)


@handles(Ask.RETURN_CARD, card=Do.CARD)
def return_one(s, c, seat, left, where, card, log):
    """Cards that were drawn and not kept, in an order of choice."""
    put_back(s, c, seat, card, where == NOBODY, log)
    if where == NOBODY:
        then(s, Step.KEPT, seat, 0, 0)
    else:
        then(s, Step.RETURN_CARDS, seat, left - 1, where)


@handles(Ask.LEADER_CARD, card=Do.CARD)
def discard_to_leader(s, c, seat, card, log):
    """Leader: what is discarded before anything is drawn."""
    discard_from_hand(s, c, index_of(s, Pile.HAND + seat, card), seat, log)


@handles(Ask.START_NOW, card=Do.CARD)
def begin_now(s, c, seat, left, card, log):
    """R17-50"""
    then(s, Step.START_NOW, seat, left - 1, 0)
    start_business(s, c, seat, card, log)


@rule
def slot_in(code):
    """The slot of a code that names an owner, too."""
    return code % N_SLOTS


@handles(Ask.DEVELOP_SLOT, code=Do.SLOT)
def develop_there(s, c, seat, left, code, log):
    """T17-30"""
    choose_development(s, c, seat, slot_in(code), left, log)


@handles(Ask.PEEK_SLOT, code=Do.SLOT)
def peek_at_startup(s, c, seat, code, log):
    """T17-13 Anybody's, once a turn."""
    use_once(s, c, seat, Ability.FREE_PEEK, log)
    owner = code // N_SLOTS
    peek(s, seat, owner, s.start[at_slot(Pile.BUSINESS, owner, slot_in(code))], log)


@handles(Ask.FORT_SLOT, Ask.CLOSE_SLOT, code=Do.SLOT)
def close_there(s, seat, code):
    """T17-36"""
    then(s, Step.CLOSE, seat, slot_in(code), 0)


@handles(Ask.LODGE_SLOT, code=Do.SLOT)
def lay_contract_from_demand(s, c, seat, code, log):
    """T17-37 R17-45 Lodge: from demand, for anybody's business."""
    fire(log, seat, Ability.OPEN_CONTRACT)
    lay_contract(s, c, seat, code // N_SLOTS, slot_in(code), Pile.DEMAND, 0, log)


@handles(Ask.INNOVATE_SLOT, code=Do.SLOT)
def lay_contract_from_discard(s, c, seat, code, log):
    """T17-37 Innovation: the card that was discarded last."""
    top = pile_size(s, Pile.DISCARD) - 1
    lay_contract(s, c, seat, code // N_SLOTS, slot_in(code), Pile.DISCARD, top, log)


@handles(Ask.COOK_SLOT, code=Do.SLOT)
def claim_for(s, c, seat, place, code, log):
    """R17-35 Cook: for which business."""
    claim(s, c, seat, place, slot_in(code), log)


@handles(Ask.EOA_SLOT, code=Do.SLOT)
def use_ability_next(s, seat, code):
    """T17-55 In an order of choice."""
    use_next(s, seat, slot_in(code))


@handles(Ask.PICK_SLOT, code=Do.SLOT)
def pick_slot(s, seat, code):
    """T17-56 Of equal contracts, which is paid."""
    s.pick[seat] = slot_in(code)


@handles(Ask.PAY_SLOT, code=Do.SLOT)
def pay_at(s, c, seat, code, log):
    """T17-42"""
    pay_contract(s, c, seat, slot_in(code), log)


@handles(Ask.INSURE_SLOT, code=Do.SLOT)
def insure_at(s, c, seat, left, code, log):
    """R17-62"""
    insure(s, c, seat, left, slot_in(code), log)


@handles(Ask.DIG_POSITION, position=Do.POSITION)
def dig_one(s, seat, left, position, log):
    """R17-59 And then the next."""
    dig(s, seat, position, log)
    then(s, Step.DIG, seat, left - 1, 0)


@handles(Ask.OBSERVE_POSITION, position=Do.POSITION)
def observe_position(s, c, seat, target, code, position, log):
    """R17-42"""
    use_once(s, c, seat, Ability.FREE_OBSERVE, log)
    owner = code // N_SLOTS if target == Target.DEVELOPMENT else NOBODY
    peek(s, seat, owner, place_of(s, observed_pile(target, code), position), log)


@rule
def dig(s, seat, position, log):
    """R17-59 Gravedigger: the face is seen after the choice."""
    place = move(s, Pile.DISCARD, position, Pile.HAND + seat, TOP)
    show(s, place, seat)
    note_for(log, Event.DREW_DISCARD, seat, NOBODY, s.card[place], 1, s.known[place])


@handles(Ask.SKIP, Do.YES)
def skip_effect(seat, card, log):
    """R17-49"""
    fire(log, seat, Ability.SKIP)
    note(log, Event.SKIPPED, seat, card, 1)


@handles(Ask.SKIP, Do.NO)
def have_effect(s, seat, card):
    """R17-49"""
    then(s, Step.EFFECT, seat, card, 0)


@handles(Ask.END_DRAW, Do.YES)
def draw_at_end(s, seat):
    """T17-51"""
    then(s, Step.END_DRAWN, seat, 0, 0)


@handles(Ask.EVENT_NOW, Do.YES)
def announce_now(s, seat, left):
    """R17-50"""
    then(s, Step.EVENT_NOW, seat, left - 1, 0)
    then(s, Step.PLAY, seat, Source.HAND, Playing.GRANTED)


@handles(Ask.GATHERER, Ask.END_DRAW, Ask.EVENT_NOW, Do.NO)
def leave_it(s):
    """Nothing happens."""


@handles(Ask.ORCHARD)
def answer_orchard(s, c, seat, action, log):
    """R17-50 An opening or a claim, and then the next."""
    then(s, Step.ORCHARD, seat, 0, 0)
    if action >= Do.CLAIM:
        start_claim(s, c, seat, action - Do.CLAIM, log)
    else:
        then(s, Step.OPEN, seat, action - Do.OPEN, 0)


@handles(Ask.OBSERVE_AGE, age=Do.AGE)
def observe_age(s, c, seat, age, log):
    """R17-42"""
    use_once(s, c, seat, Ability.FREE_OBSERVE, log)
    peek(s, seat, NOBODY, s.start[Pile.DRAW + age + 1] - 1, log)


@handles(Ask.VICTIM, victim=Do.SEAT)
def rob(s, c, seat, slot, victim, log):
    """T17-55 Gold of another player."""
    card = business_at(s, seat, slot)
    take_gold(s, seat, victim, card, c.amount[card, 0], log)


@handles(Ask.PAYMENT, Do.BY_CARDS)
def open_by_cards(s, seat, slot):
    """T17-34"""
    then(s, Step.FORT, seat, slot, 0)


@handles(Ask.PAYMENT, Do.BY_GOLD)
def open_by_gold(s, seat, slot):
    """T17-34"""
    then(s, Step.PAY_OPENING, seat, slot, 0)


@rule
def import_card(s, c, seat, card, log):
    """T17-75 Importer: a card of the discard pile enters demand; all see where it lay."""
    index = index_of(s, Pile.DISCARD, card)
    note(log, Event.TAKEN_FROM, seat, card, index + 1)
    enter_demand(s, c, Pile.DISCARD, index, TOP, log)


@handles(Step.IMPORT)
def import_next(s, c, seat, left, log):
    """Importer: cards of the discard pile enter demand in an order of choice."""
    size = pile_size(s, Pile.DISCARD)
    if left > 0 and size == 1:
        enter_demand(s, c, Pile.DISCARD, 0, TOP, log)
    elif left > 0 and size > 1:
        then(s, Ask.IMPORT_CARD, seat, left, 0)


@handles(Step.DIG)
def dig_next(s, seat, left, log):
    """R17-59 As many as are there: then nothing is asked."""
    size = pile_size(s, Pile.DISCARD)
    if size <= left:
        for _ in range(size):
            take_top(s, Pile.DISCARD, Pile.HAND + seat, seat, log)
    elif left > 0:
        then(s, Ask.DIG_POSITION, seat, left, 0)


# What is the same everywhere ----------------------------------------------------------------------

@apart
def answer(s, c, ask, seat, a, b, action, log):
    """Taking back and declining are the same everywhere; every other answer has its rule."""
    if action == Do.CANCEL:
        s.cancels += 1
    elif action == Do.NO and (MAY_DECLINE[ask] or MAY_STOP[ask]):
        decline(s, ask, seat)
    else:
        handle_answer(s, c, ask, seat, a, b, action, log)


@rule
def decline(s, ask, seat):
    """None or no more of what a question offers: nothing happens."""
    if ask == Ask.TANNER_CARD:
        then(s, Step.KEPT, seat, 0, 0)
