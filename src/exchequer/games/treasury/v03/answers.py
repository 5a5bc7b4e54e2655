"""Answers: what they do. Which of them a question allows is said in `questions.py`."""

from exchequer.core.agenda import no_handler, then
from exchequer.core.log import note_for
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.businesses import (
    boss_keeps,
    close_business,
    develop,
    start_business,
    use_lodge,
)
from exchequer.games.treasury.v03.cards import Ability
from exchequer.games.treasury.v03.contracts import (
    judge_tie,
    keep_card,
    lay_contract,
    redirect_contract,
    start_award,
    take_card,
)
from exchequer.games.treasury.v03.drawing import (
    demand,
    discard,
    discard_hand_card,
    draw_from,
    find_in,
    hand_index,
    lay_secretly,
    show_drawn,
)
from exchequer.games.treasury.v03.events import (
    lay_development_aside,
    lose_contract,
    return_contract,
)
from exchequer.games.treasury.v03.holdings import fire
from exchequer.games.treasury.v03.rounds import (
    choose_looked,
    put_under,
    spare_event,
    steal,
    swap_event,
    use_round_ability,
)
from exchequer.games.treasury.v03.state import SLOTS, Ask, Do, Event, Pile, Step
from exchequer.games.treasury.v03.turns import (
    close_own,
    peek,
    seed,
    skin,
    startup_place,
    swap_demand,
    take_back,
    take_turn,
)

# What an answer does -----------------------------------------------------------------------------

@rule
def answer(s, c, ask, seat, a, b, action, log):
    if ask == Ask.TURN:
        take_turn(s, c, seat, action, log)
    elif action >= Do.PICK:
        answer_card(s, c, ask, seat, a, b, action - Do.PICK, log)
    elif action == Do.BACK:
        take_back(s)
    elif action == Do.YES:
        answer_yes(s, c, ask, seat, a, log)
    elif action == Do.NO:
        decline(s, ask, seat, a)
    elif Do.SLOT <= action < Do.PLACE:
        answer_slot(s, c, ask, seat, a, action - Do.SLOT, log)
    elif ask == Ask.SOURCE:
        draw_from(s, c, seat, action - Do.SOURCE, log)
    elif ask == Ask.JUDGE:
        judge_tie(s, c, seat, action - Do.SEAT, log)
    elif ask == Ask.STEAL:
        steal(s, c, seat, a, action - Do.SEAT, log)
    elif ask == Ask.PEEK:
        place = action - Do.PLACE
        peek(s, c, seat, a, startup_place(s, place // SLOTS, place % SLOTS), log)
    else:
        no_handler(s, ask)


@rule
def decline(s, ask, seat, a):
    """A no changes nothing; only about wild cards it is remembered (R3-60)."""
    if ask == Ask.WILD:
        s.wild_no[seat] |= a


@rule
def answer_yes(s, c, ask, seat, a, log):
    if ask == Ask.SHOW:
        show_drawn(s, c, seat, log)
    elif ask == Ask.LODGE:
        use_lodge(s, c, seat, a, log)
    else:
        no_handler(s, ask)


@apart
def answer_card(s, c, ask, seat, a, b, card, log):
    if ask == Ask.SETUP_CARD:
        set_up_event(s, c, seat, card, log)
    elif ask == Ask.SEED_CARD:
        seed(s, c, seat, card, a, log)
    elif ask == Ask.START_CARD:
        start_business(s, c, seat, card, a, log)
    elif ask == Ask.DEVELOP_CARD:
        develop(s, c, seat, a, card, log)
    elif ask == Ask.SKIN:
        discard_hand_card(s, c, seat, card, log)
        skin(s, c, seat, a, card, log)
    elif ask == Ask.SWAP_OUT:
        then(s, Ask.SWAP_IN, seat, card, 0)
    elif ask == Ask.SWAP_IN:
        swap_demand(s, c, seat, a, card, log)
    elif ask == Ask.BOSS:
        boss_keeps(s, c, seat, card, log)
    elif ask == Ask.ADD_DEMAND:
        fire(s, c, seat, Ability.ON_OPEN_ADD_HAND_TO_DEMAND_DRAW, log)
        then(s, Step.DRAW, seat, 1, 0)
        demand(s, c, Pile.HAND + seat, hand_index(s, seat, card), seat, log)
    elif ask == Ask.DISCARD_DEMAND:
        fire(s, c, seat, Ability.ON_OPEN_DISCARD_DEMAND, log)
        discard(s, c, Pile.DEMAND, find_in(s, Pile.DEMAND, card), log)
    elif ask == Ask.LAY_CONTRACT:
        fire(s, c, seat, Ability.ON_OPEN_CONTRACT_FROM_DEMAND, log)
        then(s, Ask.CONTRACT_TARGET, seat, card, 0)
    elif ask == Ask.DISCARD_CARD or ask == Ask.LOSS:
        discard_hand_card(s, c, seat, card, log)
    elif ask == Ask.TANNER:
        choose_looked(s, c, seat, card, log)
    elif ask == Ask.RETURN:
        put_under(s, c, seat, card)
    elif ask == Ask.MASON:
        swap_event(s, c, seat, card, log)
    elif ask == Ask.SHAMAN:
        spare_event(s, c, seat, card, log)
    elif ask == Ask.TO_DEMAND:
        demand(s, c, Pile.HAND + seat, hand_index(s, seat, card), seat, log)
    elif ask == Ask.VOLCANO:
        lay_development_aside(s, seat, card, log)
    elif ask == Ask.FIT:
        take_card(s, c, seat, a, b, card, log)
    elif ask == Ask.KEEP:
        keep_card(s, c, seat, a, card, log)
    else:
        no_handler(s, ask)


@apart
def answer_slot(s, c, ask, seat, a, slot, log):
    if ask == Ask.CLOSE_FIRST or ask == Ask.MODERNIZE:
        close_business(s, c, seat, slot, True, log)
    elif ask == Ask.LOSS:
        close_business(s, c, seat, slot, False, log)
    elif ask == Ask.DEVELOP_WHICH:
        then(s, Ask.DEVELOP_CARD, seat, slot, 0)
    elif ask == Ask.CLOSE_WHICH:
        close_own(s, c, seat, slot, a, log)
    elif ask == Ask.CONTRACT_TARGET:
        lay_contract(s, c, seat, slot, Pile.DEMAND, find_in(s, Pile.DEMAND, a), log)
    elif ask == Ask.ORDER:
        use_round_ability(s, c, seat, slot, a, log)
    elif ask == Ask.LOSE_CONTRACT:
        lose_contract(s, c, seat, slot, log)
    elif ask == Ask.RETURN_CONTRACT:
        return_contract(s, c, seat, slot, log)
    elif ask == Ask.WILD:
        s.wild_yes[seat] |= 1 << slot
    elif ask == Ask.AWARD:
        start_award(s, seat, slot)
    elif ask == Ask.COUNCIL:
        redirect_contract(s, c, seat, a, slot, log)
    else:
        no_handler(s, ask)


@rule
def set_up_event(s, c, seat, card, log):
    """T3-13 A hand card face-down on top of the current pile."""
    lay_secretly(s, c, seat, card, Pile.CURRENT)
    note_for(log, Event.SET_UP, seat, NOBODY, card, 1, 1 << seat)
