"""Businesses: starting, developing, opening and closing them, and what follows from each."""

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import TOP, pile_size, reveal
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v03.cards import MOST_ABILITIES, Ability
from exchequer.games.treasury.v03.drawing import (
    demand,
    discard,
    draw,
    find_in,
    grow,
    hand_size,
    lay_secretly,
    put_away,
)
from exchequer.games.treasury.v03.holdings import (
    ability_index,
    ability_number,
    business_card,
    business_count,
    business_pile,
    carry,
    contract_pile,
    development_pile,
    fire,
    free_slot,
    gain,
    is_at_work,
    is_open,
    owns,
    pay_player,
    refresh,
    seat_after,
    shows_icon,
    total_of,
    works_at,
)
from exchequer.games.treasury.v03.state import (
    FACE_UP,
    FREE,
    SLOTS,
    Act,
    Ask,
    Do,
    Event,
    Pile,
    Step,
)

# Costs -------------------------------------------------------------------------------------------


@apart
def gold_cost(s, c, seat, card):
    """T3-17 T3-20 The price in gold, less what each Scribe saves, not below 0."""
    return max(0, c.card[card].gold_cost - total_of(s, c, seat, Ability.GOLD_COST_DISCOUNT))


@apart
def develop_cost(s, c, seat, card):
    """T3-17 The development cards it takes; each Quarry saves one, down to its minimum."""
    cost = c.card[card].develop_cost
    if owns(s, seat, Ability.DEVELOP_COST_DISCOUNT):
        for slot in range(SLOTS):
            if works_at(s, c, seat, slot, Ability.DEVELOP_COST_DISCOUNT):
                helper = business_card(s, seat, slot)
                least = ability_number(c, helper, Ability.DEVELOP_COST_DISCOUNT, 1)
                less = ability_number(c, helper, Ability.DEVELOP_COST_DISCOUNT, 0)
                cost = max(min(cost, least), cost - less)
    return cost


@rule
def must_close_first(c, card):
    return (c.mask[card] >> Ability.OPEN_REQUIRES_CLOSING) & 1 == 1


@rule
def can_close_for(s, c, seat, card, slot):
    """Castle, Citadel: whether closing the business in that place would allow to open the card."""
    if not is_open(s, seat, slot):
        return False
    icons = ability_number(c, card, Ability.OPEN_REQUIRES_CLOSING, 0)
    return shows_icon(c, business_card(s, seat, slot), icons)


@apart
def meets_requirement(s, c, seat, card, spared):
    """Whether the card can be opened; the business at `spared` may not be the one to close."""
    if not must_close_first(c, card):
        return True
    found = False
    for slot in range(SLOTS):
        found |= slot != spared and can_close_for(s, c, seat, card, slot)
    return found


@rule
def can_start_open(s, c, seat, card):
    """T3-20 Whether a hand card can be paid for and put down face-up."""
    if s.gold[seat] < gold_cost(s, c, seat, card):
        return False
    return meets_requirement(s, c, seat, card, SLOTS)


@apart
def pay_cost(s, c, seat, card, log):
    """T3-17 T3-20 Pay the gold cost to the supply."""
    cost = gold_cost(s, c, seat, card)
    if cost < c.card[card].gold_cost:
        fire(s, c, seat, Ability.GOLD_COST_DISCOUNT, log)
    s.gold[seat] -= cost
    note(log, Event.PAID_COST, seat, 0, cost)


# Starting and developing -------------------------------------------------------------------------

@handles(Ask.START_CARD, card=Do.PICK)
@apart
def start_business(s, c, seat, card, kind, log):
    """T3-20 R3-13 Face-down, or paid for and face-up; both are a start, the second also opens."""
    if kind & FREE:
        s.started_free = 1
        fire(s, c, seat, Ability.FREE_START_ONCE, log)
    else:
        s.acted = Act.START
    slot = free_slot(s, seat)
    if not kind & FREE:
        s.action_slot = slot
    s.started |= 1 << slot
    if kind & FACE_UP:
        pay_cost(s, c, seat, card, log)
        start_openly(s, seat, slot, card, log)
        open_business(s, c, seat, slot, SLOTS)
    else:
        lay_secretly(s, c, seat, card, business_pile(seat, slot))
        note_for(log, Event.STARTED, seat, NOBODY, card, slot, 1 << seat)
        if owns(s, seat, Ability.START_OPEN_BY_CLOSING_SELF):
            then(s, Ask.LODGE, seat, slot, 0)
    refresh(s, c, seat)
    then(s, Step.STARTED, seat, 0, 0)


@rule
def start_openly(s, seat, slot, card, log):
    """T3-20 All see the card; it counts as a startup until what follows from the start is done."""
    hand = Pile.HAND + seat
    place = carry(s, hand, find_in(s, hand, card), business_pile(seat, slot), TOP)
    s.known[place] = ALL
    note(log, Event.STARTED, seat, card, slot)


@handles(Step.STARTED)
@apart
def follow_start(s, c, seat, log):
    """R3-13 R3-36 R3-41 Guard is paid, Construction takes its toll, Inventor draws."""
    for k in range(s.seats):
        owner = (s.first + k) % s.seats
        if owns(s, owner, Ability.GAIN_WHEN_ANY_START) and not (c.others_only and owner == seat):
            for slot in range(SLOTS):
                if works_at(s, c, owner, slot, Ability.GAIN_WHEN_ANY_START):
                    guard = business_card(s, owner, slot)
                    fire(s, c, owner, Ability.GAIN_WHEN_ANY_START, log)
                    gain(s, owner, ability_number(c, guard, Ability.GAIN_WHEN_ANY_START,
                                                  s.seats - 2), log)
    right = (seat + s.seats - 1) % s.seats
    toll = total_of(s, c, right, Ability.LEFT_NEIGHBOUR_PAYS_TO_START)
    if toll > 0:
        fire(s, c, right, Ability.LEFT_NEIGHBOUR_PAYS_TO_START, log)
        pay_player(s, seat, right, toll, Event.TOLL, log)
    if owns(s, seat, Ability.AFTER_START_DRAW_DISCARD):
        for slot in range(SLOTS):
            if works_at(s, c, seat, slot, Ability.AFTER_START_DRAW_DISCARD):
                fire(s, c, seat, Ability.AFTER_START_DRAW_DISCARD, log)
                then(s, Step.DISCARD_DOWN, seat, hand_size(s, seat), 0)
                then(s, Step.DRAW, seat, 1, 0)


@handles(Ask.LODGE)
def use_lodge(s, c, seat, started, log):
    """R3-35 The startup opens at no cost, then Lodge closes."""
    for slot in range(SLOTS):
        if works_at(s, c, seat, slot, Ability.START_OPEN_BY_CLOSING_SELF):
            fire(s, c, seat, Ability.START_OPEN_BY_CLOSING_SELF, log)
            then(s, Step.CLOSE, seat, slot, 0)
            open_business(s, c, seat, started, slot)
            return


@rule
def lodge_slot(s, c, seat):
    """The place of the Lodge that would be used, or SLOTS."""
    for slot in range(SLOTS):
        if works_at(s, c, seat, slot, Ability.START_OPEN_BY_CLOSING_SELF):
            return slot
    return SLOTS


@handles(Ask.DEVELOP_CARD, card=Do.PICK)
@apart
def develop(s, c, seat, slot, card, log):
    """T3-21 One hand card face-down on a startup, then draw."""
    if s.acted == Act.NONE:
        s.acted = Act.DEVELOP
    else:
        s.extra_developed = 1
        helper = Ability.DEVELOP_TWICE
        if s.acted == Act.START:
            helper = Ability.MAY_DEVELOP_ON_START_TURN
        fire(s, c, seat, helper, log)
    s.developed = 1
    lay_secretly(s, c, seat, card, development_pile(seat, slot))
    note_for(log, Event.DEVELOPED, seat, NOBODY, card, slot, 1 << seat)
    draw(s, c, seat, 1, log)


# Opening -----------------------------------------------------------------------------------------

@rule
def open_business(s, c, seat, slot, spared):
    """T3-17 Open a startup whose cost is met; Castle and Citadel first close another business."""
    then(s, Step.OPEN, seat, slot, 0)
    if must_close_first(c, business_card(s, seat, slot)):
        then(s, Ask.CLOSE_FIRST, seat, slot, spared)


@apart
def turn_up(s, c, seat, slot, log):
    """T3-17 R3-13 Face-up: others notice, its abilities follow, its cards are discarded."""
    card = business_card(s, seat, slot)
    reveal(s, s.start[business_pile(seat, slot)])
    refresh(s, c, seat)
    note(log, Event.OPENED, seat, card, slot)
    notice_opening(s, c, seat, slot, log)
    then(s, Step.LEAVE_DEVELOPMENTS, seat, slot, 0)
    for i in range(MOST_ABILITIES - 1, -1, -1):
        if c.codes[card, i] >= 0:
            then(s, Step.WHEN_OPENED, seat, slot, i)


@apart
def notice_opening(s, c, seat, opened, log):
    """R3-13 R3-36 Thug takes from its store, Playhouse is paid."""
    for k in range(s.seats):
        owner = seat_after(s, k)
        if owns(s, owner, Ability.TAKE_STORED_WHEN_BUSINESS_OPENS):
            for slot in range(SLOTS):
                if not (owner == seat and (slot == opened or c.others_only)):
                    take_stored(s, c, owner, slot, log)
        gold = total_of(s, c, owner, Ability.GAIN_WHEN_OTHER_OPENS)
        if gold > 0 and owner != seat:
            fire(s, c, owner, Ability.GAIN_WHEN_OTHER_OPENS, log)
            gain(s, owner, gold, log)


@rule
def take_stored(s, c, seat, slot, log):
    """Thug: the owner takes some of the gold that lies on it."""
    what = Ability.TAKE_STORED_WHEN_BUSINESS_OPENS
    if s.stored[seat, slot] > 0 and works_at(s, c, seat, slot, what):
        card = business_card(s, seat, slot)
        gold = min(ability_number(c, card, what, 0), s.stored[seat, slot])
        note(log, Event.ABILITY, seat, what, card)
        s.stored[seat, slot] -= gold
        s.gold[seat] += gold
        note(log, Event.TOOK_STORED, seat, card, gold)


@handles(Step.WHEN_OPENED)
@apart
def when_opened(s, c, seat, slot, index, log):
    """T3-17 One of the card's "when opened" abilities."""
    card = business_card(s, seat, slot)
    what, number = c.codes[card, index], c.numbers[card, index, 0]
    if what == Ability.ON_OPEN_STORE_GOLD:
        note(log, Event.ABILITY, seat, what, card)
        s.stored[seat, slot] += number
        note(log, Event.STORED, seat, card, number)
    elif what == Ability.ON_OPEN_POPULATION:
        note(log, Event.ABILITY, seat, what, card)
        for _ in range(number):
            grow(s, log)
    elif what == Ability.ON_OPEN_GAIN_PER_BUSINESS:  # R3-48
        note(log, Event.ABILITY, seat, what, card)
        gain(s, seat, number * business_count(s, seat), log)
    elif what == Ability.ON_OPEN_DRAW:
        note(log, Event.ABILITY, seat, what, card)
        then(s, Step.DRAW, seat, number, 0)
    elif what == Ability.ON_OPEN_ADD_HAND_TO_DEMAND_DRAW:
        then(s, Ask.ADD_DEMAND, seat, 0, 0)
    elif what == Ability.ON_OPEN_CONTRACT_FROM_DEMAND:
        then(s, Ask.LAY_CONTRACT, seat, 0, 0)
    elif what == Ability.ON_OPEN_DISCARD_DEMAND:
        then(s, Ask.DISCARD_DEMAND, seat, 0, 0)
    elif what == Ability.OPEN_REQUIRES_CLOSING:
        note(log, Event.ABILITY, seat, what, card)


# Development cards -------------------------------------------------------------------------------

@handles(Step.LEAVE_DEVELOPMENTS)
def leave_developments(s, c, seat, slot):
    """T3-17 T3-22 The development cards are discarded; Boss may keep one of them for demand."""
    if pile_size(s, development_pile(seat, slot)) > 0:
        lay_developments_aside(s, seat, slot)
        discard_batch(s, seat)


@rule
def lay_developments_aside(s, seat, slot):
    pile = development_pile(seat, slot)
    while pile_size(s, pile) > 0:
        carry(s, pile, 0, Pile.ASIDE, TOP)


@rule
def discard_batch(s, seat):
    """R3-14 The development cards laid aside are discarded as one batch."""
    then(s, Step.DISCARD_ASIDE, seat, 0, 0)
    if owns(s, seat, Ability.DEVELOPMENT_DISCARD_TO_DEMAND):
        then(s, Ask.BOSS, seat, 0, 0)


@handles(Step.DISCARD_ASIDE)
def discard_aside(s, c, log):
    while pile_size(s, Pile.ASIDE) > 0:
        discard(s, c, Pile.ASIDE, 0, log)


@handles(Ask.BOSS, card=Do.PICK)
def boss_keeps(s, c, seat, card, log):
    """Boss: one of the discarded development cards goes into demand, the others as usual."""
    fire(s, c, seat, Ability.DEVELOPMENT_DISCARD_TO_DEMAND, log)
    demand(s, c, Pile.ASIDE, find_in(s, Pile.ASIDE, card), seat, log)
    discard_aside(s, c, log)


# Closing -----------------------------------------------------------------------------------------

@handles(Step.LOSS)
def lose_for(s, seat, count, card, log):
    """R3-49 Warehouse has left play: its owner discards hand cards or businesses, if any."""
    if count > 0 and hand_size(s, seat) + business_count(s, seat) > 0:
        note(log, Event.ABILITY, seat, Ability.ON_LOSS_DISCARD, card)
        then(s, Step.LOSS, seat, count - 1, card)
        then(s, Ask.LOSS, seat, card, 0)


@apart
def close_business(s, c, seat, slot, draws, log):
    """T3-22 R3-14 R3-49 R3-50 R3-56 The contract returns to demand, a card is drawn."""
    card = business_card(s, seat, slot)
    loss = Ability.ON_LOSS_DISCARD
    if is_at_work(s, c, seat, slot) and ability_index(c, card, loss) >= 0:
        then(s, Step.LOSS, seat, ability_number(c, card, loss, 0), card)
    note(log, Event.CLOSED, seat, card, slot)
    put_away(s, c, business_pile(seat, slot), 0)
    if s.stored[seat, slot] > 0:
        note(log, Event.STORED_LOST, seat, card, s.stored[seat, slot])
    s.stored[seat, slot] = 0
    s.yielded[seat, slot] = 0
    if seat == s.turn:
        s.started &= ~(1 << slot)
        s.uses[slot] = 0
    if pile_size(s, contract_pile(seat, slot)) > 0:
        note(log, Event.RETURNED, seat, card, 1)
        demand(s, c, contract_pile(seat, slot), 0, seat, log)
    refresh(s, c, seat)
    if draws:
        draw(s, c, seat, 1, log)
    leave_developments(s, c, seat, slot)
