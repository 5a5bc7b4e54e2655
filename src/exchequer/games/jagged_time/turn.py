"""The turn: its phases in order, the clocks, the refill and the caps."""

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.piles import pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.banks import gain
from exchequer.games.jagged_time.campaign import flood_cap, turns_left
from exchequer.games.jagged_time.cards import (
    book_cards,
    draw_card,
    kind_in,
    occupant,
    shuffle_discard_in,
)
from exchequer.games.jagged_time.objectives import (
    crisis_cards,
    end_game,
    is_fresh,
    next_objective,
    run,
    tick_timer,
    tick_track,
    timer_runs,
    track_runs,
)
from exchequer.games.jagged_time.play import clear_hand, first_retained, retain
from exchequer.games.jagged_time.state import Ask, Ending, Event, Phase, Pile, Step
from exchequer.games.jagged_time.tables import (
    N_KINDS,
    N_PLACES,
    N_RESOURCES,
    NO_KIND,
    NO_PLACE,
    Family,
    Resource,
    RetainedOrder,
    UnplayedHand,
)


@handles(Step.START_TURN)
@apart
def start_turn(s, c, log):
    """J-21 J-22 J-R72 J-70 Relief, then the cards that act at the start of a turn."""
    s.phase = Phase.START
    s.was_asked = 0
    note(log, Event.TURN, 0, 0, s.turn)
    then(s, Step.ACTION, 0, 0, 0)
    call_upkeep(s, c, 0)
    if c.hr_relief and s.bank[Resource.FOOD] == 0 and s.bank[Resource.STABILITY] == 0:
        note(log, Event.RELIEF, 0, 0, 1)
        gain(s, c, Resource.STABILITY, 1, log)


@rule
def call_upkeep(s, c, late):
    """J-22 JL-14 From left to right, the cards that act now."""
    for place in range(s.slots - 1, -1, -1):
        kind = kind_in(s, c, place)
        if kind != NO_KIND and c.card[kind].upkeep > 0 and c.card[kind].upkeep_late == late:
            then(s, Step.UPKEEP, 0, place, 0)


@handles(Step.UPKEEP)
def upkeep(s, c, place, log):
    """J-22 The count rises, the effect happens, and after the last time the full one."""
    kind = kind_in(s, c, place)
    if kind == NO_KIND or c.card[kind].upkeep == 0 or s.entered[place]:
        return
    s.upkeep[place] += 1
    note(log, Event.UPKEEP, 0, kind, s.upkeep[place])
    if s.upkeep[place] >= c.card[kind].upkeep:
        run(s, c.card[kind].upkeep_full, place)
    run(s, c.card[kind].upkeep_effect, place)


@handles(Step.ACTION)
def start_action(s):
    """J-23 J-25 Each time the whole hand may be played from, what has just come to it included."""
    s.phase = Phase.ACTION
    then(s, Ask.PLAY, 0, 0, 0)


@handles(Step.RETAIN)
def start_retaining(s, c, log):
    """J-28 J-R14 Retained effects in the player's order or that of the hand."""
    index = first_retained(s, c)
    if index == NOBODY:
        then(s, Step.END_ACTION, 0, 0, 0)
    elif c.retained_order == RetainedOrder.HAND:
        retain(s, c, index, log)
    else:
        then(s, Ask.RETAIN, 0, 0, 0)


@handles(Step.END_ACTION)
def end_action(s, c, log):
    """J-28"""
    clear_hand(s, c, log)
    s.phase = Phase.RESOLUTION
    note(log, Event.PHASE, 0, Phase.RESOLUTION, 1)
    then(s, Step.RESOLUTION, 0, 0, 0)
    call_upkeep(s, c, 1)


# Advance Clocks ----------------------------------------------------------------------------------

@handles(Step.TIMERS)
@apart
def advance_timers(s, c, first, log):
    """J-3 J-35 J-R57 J-R58 The first pass; each failure is finished before the next card."""
    for place in range(first, N_PLACES):
        if timer_runs(s, c, place) and not is_fresh(s, c, place):
            if s.timer[place] == 1:
                then(s, Step.TIMERS, 0, place + 1, 0)
                tick_timer(s, c, place, log)
                return
            tick_timer(s, c, place, log)
    then(s, Step.TRACKS, 0, 0, 0)


@handles(Step.TRACKS)
@apart
def advance_tracks(s, c, first, log):
    """J-38 The second pass; each defeat is finished before the next card."""
    for place in range(first, N_PLACES):
        if track_runs(s, c, place) and not is_fresh(s, c, place):
            if s.marker[place] <= c.track[c.card[kind_in(s, c, place)].track].decay:
                then(s, Step.TRACKS, 0, place + 1, 0)
                tick_track(s, c, place, log)
                return
            tick_track(s, c, place, log)
    then(s, Step.RESET, 0, 0, 0)


# Reset Phase -------------------------------------------------------------------------------------

@handles(Step.RESET)
def reset(s, c, log):
    """J-41 J-R9 J-R10 The next milestone, the refill, then the end of the turn."""
    s.phase = Phase.RESET
    note(log, Event.PHASE, 0, Phase.RESET, 1)
    then(s, Step.END_TURN, 0, 0, 0)
    then(s, Step.REFILL, 0, 0, 0)
    if s.milestone_resolved:
        then(s, Step.NEXT_MILESTONE, 0, 0, 0)


@handles(Step.REFILL)
@apart
def refill(s, c, log):
    """J-41 J-R70 The leftmost empty slot, as long as there is one and a card for it."""
    for place in range(s.slots):
        if occupant(s, place) == NOBODY:
            if pile_size(s, Pile.OBJECTIVE_DECK) == 0:
                if pile_size(s, Pile.OBJECTIVE_DISCARD) == 0:
                    return
                shuffle_discard_in(s, Family.OBJECTIVE, log)
            then(s, Step.REFILL, 0, 0, 0)
            next_objective(s, c, place, log)
            return


@handles(Step.END_TURN)
@apart
def end_turn(s, c, log):
    """J-41 J-R71 J-R73 What counted for this turn is cleared, and the next hand is drawn."""
    for resource in range(N_RESOURCES):
        s.gained_turn[resource] = 0
        s.gained_phase[resource] = 0
    for place in range(N_PLACES):
        s.advanced[place] = 0
        s.entered[place] = 0
        s.entered_in_clocks[place] = 0
        s.beaten[place] = 0
    for kind in range(N_KINDS):
        s.played[kind] = 0
    s.plays = 0
    s.phase = Phase.START
    then(s, Step.NEXT_TURN, 0, 0, 0)
    kept = pile_size(s, Pile.HAND) if c.unplayed_hand == UnplayedHand.KEEP else 0  # JL-60
    then(s, Step.DRAW, 0, max(s.draw_limit + s.next_draw - kept, 0), 0)
    s.next_draw = 0


@handles(Step.DRAW)
@apart
def draw(s, c, count, log):
    """J-45 J-63 J-R81 Card by card; an immediate effect comes before the next card."""
    drawn, immediate = 0, 0
    while drawn < count and immediate == 0:
        kind = draw_card(s, log)
        if kind == NO_KIND:
            break
        drawn += 1
        immediate = c.card[kind].immediate
    book_cards(s, Pile.HAND, drawn, Event.DREW, log)
    if immediate > 0:
        then(s, Step.DRAW, 0, count - drawn, 0)
        run(s, immediate, NO_PLACE)


@handles(Step.NEXT_TURN)
def next_turn(s, c, log):
    """J-67 J-R78 JL-49 Collapse, the turn cap, or another turn."""
    if flood_cap(s, c) > 0 and crisis_cards(s, c) >= flood_cap(s, c):
        end_game(s, Ending.COLLAPSE, log)
    elif turns_left(s, c) == 0:
        end_game(s, Ending.CAP, log)
    else:
        s.turn += 1
        then(s, Step.START_TURN, 0, 0, 0)
