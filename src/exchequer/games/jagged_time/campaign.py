"""The campaign: the way from milestone to milestone and from act to act, and what only cards of
the later acts do by themselves.
"""

from exchequer.core.agenda import no_handler, then
from exchequer.core.chance import roll
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.cards import gain_card, has_subtype, occupant
from exchequer.games.jagged_time.objectives import (
    advance_option,
    enter,
    following,
    resolve_milestone,
    run,
    set_counters,
)
from exchequer.games.jagged_time.state import Event, Step
from exchequer.games.jagged_time.tables import (
    MILESTONE,
    N_CATACLYSMS,
    N_RESOURCES,
    NO_KIND,
    Act,
    Family,
    Op,
)

# Milestones and acts -----------------------------------------------------------------------------


@handles(Step.NEXT_MILESTONE)
@apart
def turn_up_next(s, c, log):
    """J-41 JL-2 The next milestone of the way; none comes back."""
    s.milestone = following(s, c)
    s.next_milestone = NO_KIND
    s.milestone_resolved = 0
    for resource in range(N_RESOURCES):
        s.best_gained[resource] = 0
    turn_up(s, c, log)


@rule
def turn_up(s, c, log):
    """JL-1 A milestone that only reveals does so and makes way for its successor."""
    card = c.card[s.milestone]
    set_counters(s, c, MILESTONE, s.milestone)
    note(log, Event.MILESTONE, 0, s.milestone, 1)
    if card.act != s.act:
        begin_act(s, c, card.act, log)
    if card.reveal > 0:
        then(s, Step.NEXT_MILESTONE, 0, 0, 0)
        run(s, card.reveal, MILESTONE)


@rule
def begin_act(s, c, act, log):
    """JL-49 JL-50 An act's turns are counted from its start; what the last one left is kept."""
    if s.act == c.first_act:
        s.first_done = s.milestones_done
    if s.act > 0:
        s.unused += turns_left(s, c)
        note(log, Event.ACT, 0, act, 1)
        s.act_start = s.turn
    s.act = act


@rule
def turn_cap(s, c):
    """J-67 JL-49 The turns of the present act."""
    return c.turn_cap if s.act == Act.FIRST else c.later_turn_caps[s.act - Act.SECOND]


@rule
def turns_left(s, c):
    return max(turn_cap(s, c) - (s.turn - s.act_start), 0)


@rule
def flood_cap(s, c):
    """J-67 JL-49 JL-56 How many crisis cards the realm can bear in the present act."""
    return c.collapse_limit if s.act == Act.FIRST else c.later_collapse_limit


# Tokens ------------------------------------------------------------------------------------------

@rule
def go_on_campaign(s, c, op, at, place, log):
    """JL-6 JL-8 JL-11 JL-13 JL-18 JL-20 JL-25 What leaves nothing to the player."""
    a, b = c.token[at].a, c.token[at].b
    if op == Op.GOTO:
        s.next_milestone = a
    elif op == Op.WIN:
        resolve_milestone(s, c, log)
    elif op == Op.TRACKER:
        advance_tracker(s, c, a, b, log)
    elif op == Op.ADVANCE_OPTION:
        if s.milestone_resolved == 0:
            advance_option(s, c, MILESTONE, a, b, False, log)
    elif op == Op.MODIFY:
        s.modified[a] = min(s.modified[a] + b, 99)
        note(log, Event.MODIFIED, 0, a, s.modified[a])
    elif op == Op.NO_RESOLVE:
        s.no_resolve = s.turn + 1
        note(log, Event.BARRED, 0, 0, s.no_resolve)
    elif op == Op.CARD_IF:
        option = c.card[b].first_option + c.token[at].d
        if s.taken[option // 8] >> (option % 8) & 1:
            gain_card(s, c, a, log)
    elif op == Op.CARD_RANDOM:
        gain_calamity(s, c, c.mask[a], log)
    elif op == Op.ACTIVATE:
        activate(s, c, a, log)
    elif op == Op.GAIN_ACTIVE:
        for _ in range(a):
            kind = random_active(s, c)
            if kind != NO_KIND:
                gain_card(s, c, kind, log)
    elif op == Op.ENTER_ACTIVE:
        enter_active(s, c, place, log)
    else:
        no_handler(s, Step.RUN)


@rule
def advance_tracker(s, c, tracker, steps, log):
    """JL-6 A step counts only while a milestone waits for it; the last one resolves it."""
    card = c.card[s.milestone]
    for index in range(card.options):
        if c.option[card.first_option + index].tracker == tracker and s.milestone_resolved == 0:
            advance_option(s, c, MILESTONE, index, steps, False, log)


@rule
def is_calamity(c, kind, mask):
    return c.card[kind].family == Family.OBJECTIVE and c.card[kind].crisis == 1 \
        and has_subtype(c, kind, mask)


@rule
def gain_calamity(s, c, mask, log):
    """JL-20 One of the first-tier calamities of these resources, each with the same chance."""
    there = 0
    for kind in range(c.n_kinds):
        there += is_calamity(c, kind, mask)
    if there == 0:
        return
    pick = roll(s, there)
    for kind in range(c.n_kinds):
        if is_calamity(c, kind, mask):
            if pick == 0:
                gain_card(s, c, kind, log)
            pick -= 1


# Cataclysms --------------------------------------------------------------------------------------

@rule
def pick_cataclysm(s, c, active):
    """JL-18 An entry of the die table among those that are active, or are not; NOBODY: none."""
    there = 0
    for entry in range(N_CATACLYSMS):
        there += s.active >> entry & 1 == active
    if there == 0:
        return NOBODY
    pick, found = roll(s, there), NOBODY
    for entry in range(N_CATACLYSMS):
        if s.active >> entry & 1 == active:
            if pick == 0:
                found = entry
            pick -= 1
    return found


@rule
def activate(s, c, count, log):
    """JL-18 Further entries become active, and one copy of each is gained."""
    for _ in range(count):
        entry = pick_cataclysm(s, c, 0)
        if entry != NOBODY:
            s.active |= 1 << entry
            note(log, Event.ACTIVATED, 0, c.cataclysm[entry], 1)
            gain_card(s, c, c.cataclysm[entry], log)


@rule
def random_active(s, c):
    """JL-18 One of the active cataclysms, or NO_KIND."""
    entry = pick_cataclysm(s, c, 1)
    return NO_KIND if entry == NOBODY else c.cataclysm[entry]


@rule
def enter_active(s, c, place, log):
    """JL-18 JL-46 An active cataclysm takes the slot of two cards that have escalated."""
    kind = random_active(s, c)
    if kind != NO_KIND and occupant(s, place) == NOBODY:
        enter(s, c, place, kind, log)
