"""Effects: what each token of a card does. Tokens that leave something to the player put a
question on the agenda; `answers.py` lists its answers and `carry_out.py` carries them out.
"""

import numpy as np

from exchequer.core.agenda import no_handler, then
from exchequer.core.chance import roll
from exchequer.core.handlers import handles
from exchequer.core.log import note, note_for
from exchequer.core.piles import pile_size, place_of, show
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.banks import (
    change_maximum,
    gain,
    is_in_play,
    lose,
    payable,
    saved,
)
from exchequer.games.jagged_time.campaign import go_on_campaign
from exchequer.games.jagged_time.cards import (
    bring_to_light,
    controlled,
    controlled_copies,
    controlled_of,
    controlled_plus,
    destroy,
    destroy_kind,
    disrupt,
    gain_card,
    gain_to_deck,
    gain_to_hand,
    has_subtype,
    index_of_thing,
    kind_at,
    kind_in,
    kind_of,
    occupant,
    pile_of,
    shuffle_discard_in,
)
from exchequer.games.jagged_time.objectives import (
    become,
    destroy_all,
    destroy_objective,
    end_game,
    is_unresolved,
    move_front,
    replace,
    run,
)
from exchequer.games.jagged_time.state import MENU_BITS, Ask, Ending, Event, Pile, Step
from exchequer.games.jagged_time.tables import (
    FIRST_OBJECTIVE,
    MILESTONE,
    MOST_SLOTS,
    N_CARDS,
    N_PLACES,
    N_RESOURCES,
    NO_KIND,
    NO_ROW,
    OLD_AGE,
    TOP_MAXIMUM,
    DelayCap,
    MaximumPrice,
    MenuMode,
    Op,
    Pay,
    Price,
    ReplaceTo,
    Resource,
    RevoltScope,
    TransformShort,
)


@handles(Step.RUN)
@apart
def carry_out(s, c, at, place, log):
    """The token at `at`, then the one behind it."""
    if c.token[at + 1].op != Op.END:
        then(s, Step.RUN, 0, at + 1, place)
    op, a, b = c.token[at].op, c.token[at].a, c.token[at].b
    if op == Op.GAIN:
        change = c.token[at].d  # JL-8
        gain(s, c, a, b if change == 0 else max(b - s.modified[change - 1], 0), log)
    elif op == Op.LOSE:
        lose(s, c, a, b, log)
    elif op == Op.MAXIMUM:
        change_maximum(s, a, b, log)
    elif op == Op.ALL_MAXIMA:
        change_all_maxima(s, a, log)
    elif op <= Op.TO_DECK:
        gain_cards(s, c, op, a, b, log)
    elif op <= Op.SCOUT:
        work_on_decks(s, op, a, b, log)
    elif op <= Op.DESTROY_ANYWHERE:
        work_on_cards(s, c, op, at, place, log)
    elif op <= Op.TIMERS_RANDOM:
        work_on_agenda(s, c, op, a, place, log)
    elif op == Op.LOSE_GAME:
        end_game(s, Ending.LOST, log)
    elif Op.GOTO <= op <= Op.ENTER_ACTIVE:
        go_on_campaign(s, c, op, at, place, log)
    else:
        leave_to_player(s, c, op, at, place)


@rule
def change_all_maxima(s, change, log):
    """J-42 All four, and trade goods once they are there."""
    for resource in range(N_RESOURCES):
        if is_in_play(s, resource):
            change_maximum(s, resource, change, log)


@rule
def gain_cards(s, c, op, kind, count, log):
    """J-43 J-44 J-R7 J-R8"""
    for _ in range(count):
        if op == Op.CARD:
            gain_card(s, c, kind, log)
        elif op == Op.HAND:
            gain_to_hand(s, c, kind, log)
        elif op == Op.TO_DECK:
            gain_to_deck(s, c, kind, log)
        else:
            no_handler(s, Step.RUN)


@rule
def work_on_decks(s, op, a, b, log):
    """J-45 J-46 J-47 J-48 J-49 J-50 J-51 J-R71"""
    if op == Op.DRAW:
        then(s, Step.DRAW, 0, a, 0)
    elif op == Op.NEXT_DRAW:
        s.next_draw += a
        note(log, Event.NEXT_DRAW, 0, 0, a)
    elif op == Op.DRAW_LIMIT:
        s.draw_limit = min(max(s.draw_limit + a, 0), TOP_MAXIMUM)
        note(log, Event.DRAW_LIMIT, 0, 0, s.draw_limit)
    elif op == Op.DISRUPT:
        disrupt(s, a, log)
    elif op == Op.RECUR:
        then(s, Ask.RECUR, 0, a, b)
    elif op == Op.RESHUFFLE:
        then(s, Ask.RESHUFFLE, 0, a, 0)
    elif op == Op.RESHUFFLE_ALL:
        shuffle_discard_in(s, a, log)
    elif op == Op.SCOUT:
        scout(s, a, log)
    else:
        no_handler(s, Step.RUN)


@rule
def scout(s, count, log):
    """J-51 J-R50 The player looks at the top of the objective deck."""
    deck = pile_size(s, Pile.OBJECTIVE_DECK)
    seen = min(count, deck)
    for depth in range(seen):
        bring_to_light(s, Pile.OBJECTIVE_DECK, deck - 1 - depth)
        show(s, place_of(s, Pile.OBJECTIVE_DECK, deck - 1 - depth), 0)
        kind = kind_at(s, Pile.OBJECTIVE_DECK, deck - 1 - depth)
        note_for(log, Event.SCOUTED, 0, NOBODY, kind, depth + 1, 1)
    if seen > 0:
        then(s, Ask.SCOUT, 0, seen, 0)


@rule
def work_on_cards(s, c, op, at, place, log):
    """J-52 to J-57"""
    a, b = c.token[at].a, c.token[at].b
    if op == Op.DELAY:
        for _ in range(b):
            then(s, Ask.DELAY, 0, a, 0)
    elif op == Op.TRANSFORM:
        then(s, Ask.TRANSFORM, 0, at, c.token[at].d)
    elif op == Op.BECOME:
        become(s, c, place, a, log)
    elif op == Op.REPLACE:
        start_replace(s, c, a, log)
    elif op == Op.COPY:
        then(s, Ask.COPY, 0, a, b)
    elif op == Op.DESTROY_SELF:
        if occupant(s, place) != NOBODY:
            destroy_objective(s, c, place, log)
    elif op == Op.DESTROY_ALL:
        destroy_all(s, c, c.mask[a], c.revolt_scope == RevoltScope.EVERYWHERE, log)
    elif op == Op.DESTROY_RANDOM:
        destroy_random(s, c, c.mask[a], b, log)
    elif op == Op.DESTROY_KIND:
        destroy_kind(s, a, FIRST_OBJECTIVE, log)
        if c.card[a].plus != NO_KIND:
            destroy_kind(s, np.int64(c.card[a].plus), FIRST_OBJECTIVE, log)
    elif op == Op.DESTROY_CHOSEN:
        then(s, Ask.DESTROY, 0, a, b)
    elif op == Op.DESTROY_ANYWHERE:
        then(s, Ask.ANYWHERE, 0, a, b)
    else:
        no_handler(s, Step.RUN)


@rule
def start_replace(s, c, kind, log):
    """J-55 J-R47 Without a card to choose the leftmost empty slot will do."""
    for place in range(s.slots):
        if can_be_replaced(s, c, place):
            then(s, Ask.REPLACE, 0, kind, 0)
            return
    for place in range(s.slots):
        if occupant(s, place) == NOBODY:
            replace(s, c, place, kind, log)
            return


@rule
def can_be_replaced(s, c, place):
    """J-55 J-R46"""
    if occupant(s, place) == NOBODY:
        return c.replace_to == ReplaceTo.ANY_SLOT
    return not (c.replace_protects_tier3 and c.card[kind_in(s, c, place)].crisis == 3)


@apart
def destroy_random(s, c, mask, count, log):
    """J-57 J-R80 Uniform over the copies in all zones, one after the other."""
    for _ in range(count):
        there = controlled_of(s, c, mask)
        if there == 0:
            return
        pick = roll(s, there)
        for thing in range(FIRST_OBJECTIVE):
            if s.kind[thing] != NO_KIND and has_subtype(c, kind_of(s, thing), mask):
                if pick == 0:
                    pile = pile_of(s, thing)
                    destroy(s, pile, index_of_thing(s, pile, thing), log)
                    break
                pick -= 1


@rule
def work_on_agenda(s, c, op, a, place, log):
    """J-58 J-64"""
    if op == Op.ADVANCE_PROJECT:
        then(s, Ask.PROJECT, 0, a, 0)
    elif op == Op.ADVANCE_WAR:
        then(s, Ask.WAR, 0, a, 0)
    elif op == Op.ADVANCE_CLOCK:
        for _ in range(a):
            then(s, Step.CLOCK, 0, c.card[kind_in(s, c, place)].clock, place)
    elif op == Op.FRONT:
        move_front(s, c, place, a, log)
    elif op == Op.FRONT_SET:
        kind = kind_in(s, c, place)
        if kind != NO_KIND and c.card[kind].track != NO_ROW:
            s.marker[place] = min(a, c.track[c.card[kind].track].length - 1)
    elif op == Op.MORE_SLOTS:
        s.slots = min(s.slots + a, MOST_SLOTS)
    elif op == Op.TIMERS_RANDOM:
        then(s, Step.RANDOM_TIMERS, 0, a, 0)
    else:
        no_handler(s, Step.RUN)


@handles(Step.CLOCK)
def advance_clock(s, c, clock, place, log):
    """J-6 J-24 J-R25 A named clock; full, it is emptied and its effect happens."""
    s.clock[clock] += 1
    note(log, Event.CLOCK, 0, clock, s.clock[clock])
    if s.clock[clock] >= c.clock[clock].length:
        s.clock[clock] = 0
        note(log, Event.CLOCK_FULL, 0, clock, 1)
        run(s, c.clock[clock].full, place)


@rule
def leave_to_player(s, c, op, at, place):
    """J-60 J-61 J-62"""
    a, b = c.token[at].a, c.token[at].b
    if op == Op.PLAY:
        for _ in range(b):
            then(s, Ask.PLAY_LESS, 0, a, c.token[at].d)
    elif op == Op.CHOOSE:
        then(s, Ask.CHOOSE, 0, at, place)
    elif op == Op.MAY:
        then(s, Ask.MAY, 0, at, place)
    elif op == Op.MENU:
        announce = c.menu_mode == MenuMode.ANNOUNCE
        then(s, Ask.ANNOUNCE if announce else Ask.MENU, 0, at, MENU_BITS * place)
    elif op == Op.GAIN_MIX:
        then(s, Ask.MIX, 0, a, b)
    elif op == Op.MAXIMUM_OF:
        then(s, Ask.MAXIMUM, 0, a, b)
    elif op == Op.RESOLVE:
        then(s, Step.RESOLVE_NOW, 0, a, 0)
    elif op == Op.SPECIALIZE:
        then(s, Ask.CONVERT, 0, at, b)
    elif op == Op.TRANSFORM_SUB:
        then(s, Ask.CONVERT, 0, at, c.token[at].d)
    elif op == Op.DESTROY_OBJECTIVES:
        then(s, Ask.OBJECTIVES, 0, a, b)
    elif op == Op.REPLACE_SUB:
        then(s, Ask.ENTER, 0, a, 0)
    elif op == Op.UNLOCKED:
        then(s, Ask.UNLOCKED, 0, a, 0)
    else:
        no_handler(s, Step.RUN)


@handles(Step.RESOLVE_NOW)
def resolve_now(s, left):
    """JL-10 Steps of the Resolution Phase in the middle of another."""
    if left > 0:
        then(s, Ask.RESOLVE_NOW, 0, left, 0)


# What can be carried out -------------------------------------------------------------------------

@apart
def can_play(s, c, kind, less):
    """J-24 J-27 J-R27 Whether a card's cost can be paid and the guard allows it."""
    if s.plays >= c.play_guard and c.card[kind].subtypes & c.mandatory == 0:
        return False
    for cost in range(c.card[kind].costs):
        if payable(s, c.card[kind].cost[cost], less + saved(s, c, kind, cost)):
            return True
    return c.card[kind].costs == 0


@rule
def can_play_one(s, c, mask, less):
    for index in range(pile_size(s, Pile.HAND)):
        kind = kind_at(s, Pile.HAND, index)
        if has_subtype(c, kind, mask) and can_play(s, c, kind, less):
            return True
    return False


@rule
def discard_has(s, c, mask):
    """Whether the discard holds a card with one of these subtypes (0: any card)."""
    for index in range(pile_size(s, Pile.DISCARD)):
        if mask == 0 or has_subtype(c, kind_at(s, Pile.DISCARD, index), mask):
            return True
    return False


@apart
def can_be_delayed(s, c, place):
    """J-52 J-R51 JL-17 A timer below its printed size, or below 6."""
    if not is_unresolved(s, c, place):
        return False
    card = c.card[kind_in(s, c, place)]
    return card.timer != NO_ROW and card.subtypes & c.inevitable == 0 \
        and s.timer[place] < delay_limit(c, card.timer)


@rule
def delay_limit(c, timer):
    length = c.timer[timer].length
    return max(length, OLD_AGE) if c.delay_cap == DelayCap.NONE else length


@apart
def is_project(s, c, place):
    """J-58 JL-51 A project that has a clock to advance; a milestone where the rules allow it."""
    kind = kind_in(s, c, place)
    return kind != NO_KIND and is_unresolved(s, c, place) \
        and c.card[kind].subtypes & c.project != 0 and c.card[kind].options > 0 \
        and c.option[c.card[kind].first_option].pay == Pay.CLOCKED \
        and (place != MILESTONE or c.project_milestones)


@rule
def is_war(s, c, place):
    kind = kind_in(s, c, place)
    return kind != NO_KIND and is_unresolved(s, c, place) \
        and c.card[kind].subtypes & c.war != 0 and c.card[kind].track != NO_ROW


@rule
def some_place(s, c, op):
    """JL-16 Whether an agenda card or the milestone is a target for this kind of token."""
    for place in range(N_PLACES):
        if (op == Op.DELAY and can_be_delayed(s, c, place)) \
                or (op == Op.ADVANCE_PROJECT and is_project(s, c, place)) \
                or (op == Op.ADVANCE_WAR and is_war(s, c, place)):
            return True
    return False


@rule
def can_carry_out(s, c, at):
    """J-60 J-61 J-R16 Whether a token can do anything at all; most always count as possible."""
    op, a, b = c.token[at].op, c.token[at].a, c.token[at].b
    if op == Op.GAIN or op == Op.MAXIMUM:
        return is_in_play(s, a)
    if op == Op.LOSE:
        return a != Resource.TRADE or s.bank[a] >= b
    if op == Op.RECUR:
        return discard_has(s, c, c.mask[b] if b != NO_ROW else 0)
    if op == Op.DRAW:
        return pile_size(s, Pile.DECK) + pile_size(s, Pile.DISCARD) > 0
    if op == Op.PLAY:
        return can_play_one(s, c, c.mask[a], c.token[at].d)
    if op == Op.DELAY or op == Op.ADVANCE_PROJECT or op == Op.ADVANCE_WAR:
        return some_place(s, c, op)
    if op == Op.SPECIALIZE:
        return can_convert_one(s, c, at)
    return True


@apart
def can_be_converted(s, c, at, kind):
    """JL-5 JL-19 Whether a controlled card of this kind can be specialised or transformed."""
    card = c.card[kind]
    if not has_subtype(c, kind, c.mask[c.token[at].a]):
        return False
    if c.token[at].op == Op.SPECIALIZE:
        return card.plus != NO_KIND
    return card.root != c.token[at].b


@rule
def can_convert_one(s, c, at):
    for thing in range(FIRST_OBJECTIVE):
        if s.kind[thing] != NO_KIND and can_be_converted(s, c, at, kind_of(s, thing)):
            return True
    return False


@apart
def is_possible(s, c, branch):
    """J-60 J-R20 Whether an alternative can be carried out, at least in part."""
    at = c.branch[branch]
    while c.token[at].op != Op.END:
        if can_carry_out(s, c, at):
            return True
        at += 1
    return False


@apart
def price_can_be_taken(s, c, at):
    """J-R42 J-R43 JL-52 JL-53 Whether the effect that is a price can be taken in full."""
    strict = c.tier3_price == Price.STRICT
    while c.token[at].op != Op.END:
        op, a, b = c.token[at].op, c.token[at].a, c.token[at].b
        if op == Op.DESTROY_RANDOM and controlled_of(s, c, c.mask[a]) < (b if strict else 1):
            return False
        if op == Op.DISRUPT and pile_size(s, Pile.DECK) < (a if strict else 1):
            return False
        if not maxima_bear(s, c, op, a, b):
            return False
        at += 1
    return True


@rule
def maxima_bear(s, c, op, a, b):
    """J-R43 JL-3 JL-52 Whether the maxima that a price lowers are high enough for it."""
    if c.vassalization_price == MaximumPrice.FLOOR:
        return True
    if op == Op.MAXIMUM:
        return s.maximum[a] + b >= 0
    low, high = 0, 0
    change = b if op == Op.MAXIMUM_OF else a
    for resource in range(N_RESOURCES):
        named = op == Op.ALL_MAXIMA or a >> resource & 1
        if named and is_in_play(s, resource):
            low += s.maximum[resource] + change < 0
            high += s.maximum[resource] + change >= 0
    if op == Op.ALL_MAXIMA:
        return low == 0
    return op != Op.MAXIMUM_OF or high > 0


@rule
def transforms_fit(s, c, at):
    """J-R39 Whether there are enough cards for every transform of an effect."""
    if c.transform_short == TransformShort.AS_MANY:
        return True
    while c.token[at].op != Op.END:
        if c.token[at].op == Op.TRANSFORM \
                and controlled_copies(s, c, c.token[at].a) < c.token[at].d:
            return False
        at += 1
    return True


@rule
def all_resources(s):
    units = 0
    for resource in range(N_RESOURCES):
        units += s.bank[resource]
    return units


@rule
def objective_exists(s, c, mask):
    """Whether agenda, objective deck or objective discard hold one with these subtypes."""
    for thing in range(FIRST_OBJECTIVE, N_CARDS):
        if s.kind[thing] != NO_KIND and has_subtype(c, kind_of(s, thing), mask):
            return True
    return False


@apart
def need_is_met(s, c, at):
    """J-34 J-R30 J-R35 Deeds of this turn and states of the realm."""
    while c.token[at].op != Op.END:
        op, a, b = c.token[at].op, c.token[at].a, c.token[at].b
        if (op == Op.GAINED_TURN and s.gained_turn[a] < b) \
                or (op == Op.GAINED_PHASE and s.gained_phase[a] < b) \
                or (op == Op.CONTROL and controlled_of(s, c, c.mask[a]) < b) \
                or (op == Op.CONTROL_CARDS and controlled(s) < a) \
                or (op == Op.TOTAL and all_resources(s) < a) \
                or (op == Op.NONE_EXISTS and objective_exists(s, c, c.mask[a])) \
                or (op == Op.CONTROL_PLUS and controlled_plus(s, c, c.mask[a]) < b) \
                or (op == Op.NOT_PLAYED and s.played[a] > 0):
            return False
        at += 1
    return True
