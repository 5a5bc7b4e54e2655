"""The agenda: how objectives enter, escalate, are advanced, won, fail and leave."""

import numpy as np

from exchequer.core.agenda import drop_all, then
from exchequer.core.chance import roll
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.piles import TOP, move, pile_size, reveal, shuffle
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.banks import spend_price
from exchequer.games.jagged_time.cards import (
    bring_to_light,
    destroy,
    destroy_subtype,
    has_subtype,
    index_of_thing,
    kind_at,
    kind_in,
    kind_of,
    make,
    occupant,
    pile_of,
    to_supply,
)
from exchequer.games.jagged_time.state import STAMPS, THEN_PLACES, Ending, Event, Phase, Pile, Step
from exchequer.games.jagged_time.tables import (
    FIRST_OBJECTIVE,
    MILESTONE,
    MOST_CARD_OPTIONS,
    N_CARDS,
    N_PLACES,
    NO_KIND,
    NO_ROW,
    ProjectProgress,
    Then,
)


@apart
def end_game(s, why, log):
    """J-65 J-66 Nothing further is carried out."""
    s.ending = why
    s.n_options = 0
    s.options[:] = 0
    drop_all(s)
    note(log, Event.GAME_ENDED, 0, why, s.turn)


@rule
def run(s, program, place):
    """Have a card's tokens carried out next."""
    if program > 0:
        then(s, Step.RUN, 0, program, place)


# Entering and leaving ----------------------------------------------------------------------------

@apart
def clear_place(s, place):
    """J-5 Counters go with the card."""
    s.stamp[place] = (s.stamp[place] + 1) % STAMPS
    s.timer[place] = 0
    s.marker[place] = 0
    s.upkeep[place] = 0
    for option in range(MOST_CARD_OPTIONS):
        s.progress[place, option] = 0
    s.advanced[place] = 0
    s.entered[place] = 0
    s.entered_in_clocks[place] = 0
    s.beaten[place] = 0


@rule
def set_counters(s, c, place, kind):
    """J-9 Timer and marker as printed."""
    clear_place(s, place)
    if c.card[kind].timer != NO_ROW:
        s.timer[place] = c.timer[c.card[kind].timer].length
    if c.card[kind].track != NO_ROW:
        s.marker[place] = c.track[c.card[kind].track].start


@apart
def settle(s, c, place, log):
    """J-9 J-R81 A card has come to a slot: counters, then what is immediate, then escalation."""
    kind = kind_in(s, c, place)
    set_counters(s, c, place, kind)
    if c.project_progress == ProjectProgress.KEPT and c.card[kind].project != NO_ROW:
        s.progress[place, 0] = s.kept_progress[c.card[kind].project]
    s.entered[place] = s.phase != Phase.SETUP
    s.entered_in_clocks[place] = s.phase == Phase.CLOCKS
    note(log, Event.ENTERED, 0, kind, place + 1)
    if c.card[kind].escalates != NO_ROW:
        then(s, Step.ESCALATE, 0, place, 0)
    run(s, c.card[kind].immediate, place)


@apart
def enter(s, c, place, kind, log):
    """J-9 A copy from the supply takes an empty slot."""
    if make(s, c, kind, Pile.SLOT + place, log) != NOBODY:
        settle(s, c, place, log)


@rule
def before_leaving(s, c, place):
    """J-R66 J-R67 Counters are lost; a switch keeps the progress of projects."""
    project = c.card[kind_in(s, c, place)].project
    if c.project_progress == ProjectProgress.KEPT and project != NO_ROW:
        s.kept_progress[project] = s.progress[place, 0]
    clear_place(s, place)


@apart
def return_objective(s, c, place, log):
    """J-31 To the objective discard."""
    kind = kind_in(s, c, place)
    before_leaving(s, c, place)
    move(s, Pile.SLOT + place, 0, Pile.OBJECTIVE_DISCARD, TOP)
    note(log, Event.RETURNED, 0, kind, 1)


@apart
def destroy_objective(s, c, place, log):
    """J-R44"""
    before_leaving(s, c, place)
    destroy(s, Pile.SLOT + place, 0, log)


@apart
def destroy_all(s, c, mask, everywhere, log):
    """J-57 J-R48 JL-7 Every controlled card of the subtype; `everywhere` the objectives too."""
    destroy_subtype(s, c, mask, log)
    if not everywhere:
        return
    searched = False
    for thing in range(FIRST_OBJECTIVE, N_CARDS):
        if s.kind[thing] != NO_KIND and has_subtype(c, kind_of(s, thing), mask):
            pile = pile_of(s, thing)
            searched = searched or pile == Pile.OBJECTIVE_DECK
            if pile >= Pile.SLOT:
                destroy_objective(s, c, pile - Pile.SLOT, log)
            elif pile != Pile.LEAVING:
                destroy(s, pile, index_of_thing(s, pile, thing), log)
    if searched:
        shuffle(s, Pile.OBJECTIVE_DECK)


@rule
def become(s, c, place, kind, log):
    """J-54 The card returns to the supply and another takes its slot."""
    if place < MILESTONE and occupant(s, place) != NOBODY:
        before_leaving(s, c, place)
        to_supply(s, Pile.SLOT + place, 0)
        enter(s, c, place, kind, log)


@apart
def replace(s, c, place, kind, log):
    """J-55 The card there goes to the objective discard; another takes its slot."""
    if pile_size(s, Pile.SPARE_OBJECTIVES) == 0:  # J-72
        note(log, Event.NO_ROOM, 0, kind, 1)
        return
    if occupant(s, place) != NOBODY:
        note(log, Event.REPLACED, 0, kind_in(s, c, place), 1)
        return_objective(s, c, place, log)
    enter(s, c, place, kind, log)


@apart
def leave(s, c, place, after, stamp, log):
    """J-31 What becomes of a resolved card; one that has turned into another stays that."""
    if s.stamp[place] != stamp:
        return
    if after == Then.RETURN:
        return_objective(s, c, place, log)
    elif after == Then.DESTROY:
        destroy_objective(s, c, place, log)
    elif after == Then.SUPPLY:
        before_leaving(s, c, place)
        to_supply(s, Pile.SLOT + place, 0)


@rule
def twin_of(s, c, place):
    """The other slot that holds the same kind of card, or NOBODY."""
    for other in range(s.slots):
        if other != place and kind_in(s, c, other) == kind_in(s, c, place):
            return other
    return NOBODY


@handles(Step.ESCALATE)
@apart
def escalate(s, c, place, log):
    """J-59 J-R68 J-R69 Two of a kind make one of the next, in the left of their slots."""
    kind = kind_in(s, c, place)
    if kind == NO_KIND or c.card[kind].escalates == NO_ROW:
        return
    other = twin_of(s, c, place)
    if other == NOBODY:
        return
    left = min(place, other)
    note(log, Event.ESCALATED, 0, kind, left + 1)
    destroy_objective(s, c, place, log)
    destroy_objective(s, c, other, log)
    run(s, c.card[kind].escalation, left)
    if c.card[kind].escalates != NO_KIND:
        enter(s, c, left, c.card[kind].escalates, log)


# Progress (J-30) ---------------------------------------------------------------------------------

@apart
def advance_option(s, c, place, index, steps, paid, log):
    """J-30 J-37 J-R66 JL-12 Progress on a clocked option; at its size the full effect."""
    option = c.card[kind_in(s, c, place)].first_option + index
    made = min(steps, c.option[option].clock - s.progress[place, index])
    s.progress[place, index] += made
    if paid or not c.project_pause:
        s.advanced[place] = 1
    note(log, Event.ADVANCED, 0, option, s.progress[place, index])
    if s.progress[place, index] == c.option[option].clock:
        s.progress[place, index] = 0
        note(log, Event.OPTION_FULL, 0, option, 1)
        finish_option(s, c, place, option)
    for _ in range(made):
        run(s, c.option[option].each, place)


@rule
def finish_option(s, c, place, option):
    """J-31 J-32 The effect, then the card leaves or the milestone is resolved."""
    after = c.option[option].then
    if after == Then.NEXT:
        then(s, Step.MILESTONE_DONE, 0, 0, 0)
    else:
        then(s, Step.LEAVE, 0, place + THEN_PLACES * after, s.stamp[place])
    run(s, c.option[option].effect, place)


@handles(Step.MILESTONE_DONE)
def resolve_milestone(s, c, log):
    """J-32 J-65 J-R76 JL-23 It stays, used up, until the Reset Phase; the last one wins."""
    s.milestone_resolved = 1
    s.milestones_done += 1
    note(log, Event.MILESTONE_RESOLVED, 0, s.milestone, s.milestones_done)
    if is_last(s, c):
        end_game(s, Ending.WON, log)


@rule
def following(s, c):
    """JL-2 The milestone that comes next: where a card leads, else as the milestone says."""
    return s.next_milestone if s.next_milestone != NO_KIND \
        else np.int64(c.card[s.milestone].following)


@rule
def is_last(s, c):
    """J-65 J-R4 Whether the way leads out of the milestones of this game."""
    kind = following(s, c)
    return kind == NO_KIND or c.card[kind].listed == 0


@rule
def pay_track(s, c, place, log):
    """J-30 One payment, one step."""
    track = c.track[c.card[kind_in(s, c, place)].track]
    spend_price(s, track.pay, 1, log)
    climb(s, c, place, track.gain, log)


@rule
def climb(s, c, place, steps, log):
    """J-33 J-39 Up the track, not beyond its end; at the end it is won."""
    number = c.card[kind_in(s, c, place)].track
    s.marker[place] = min(s.marker[place] + steps, c.track[number].length)
    note(log, Event.TRACK_PAID, 0, number, s.marker[place])
    if s.marker[place] == c.track[number].length:
        then(s, Step.VICTORY, 0, place, 0)


@handles(Step.VICTORY)
def win_track(s, c, place, log):
    """J-33 J-65 The card leaves first unless its victory turns it into another."""
    number = c.card[kind_in(s, c, place)].track
    note(log, Event.TRACK_WON, 0, number, 1)
    if place == MILESTONE:
        if is_last(s, c):
            resolve_milestone(s, c, log)
            return
        then(s, Step.MILESTONE_DONE, 0, 0, 0)
    elif not c.track[number].becomes:
        destroy_objective(s, c, place, log)
    run(s, c.track[number].victory, place)


# Failure (J-35 to J-40) --------------------------------------------------------------------------

@rule
def is_unresolved(s, c, place):
    if place == MILESTONE:
        return s.milestone_resolved == 0
    return place < s.slots and occupant(s, place) != NOBODY


@rule
def timer_runs(s, c, place):
    """J-35 J-37 Whether an unresolved card has a timer that nothing pauses."""
    if not is_unresolved(s, c, place):
        return False
    timer = c.card[kind_in(s, c, place)].timer
    return timer != NO_ROW and not (c.timer[timer].pauses and s.advanced[place])


@rule
def is_fresh(s, c, place):
    """J-R55 J-R56 Whether a card has entered too late to tick in this step."""
    return s.entered_in_clocks[place] > 0 or (s.entered[place] > 0 and not c.fresh_cards_tick)


@apart
def tick_timer(s, c, place, log):
    """J-35 J-36 J-R77 One step down; at 0 the failure, or the end of a third-tier one."""
    s.timer[place] -= 1
    if s.timer[place] == 0:
        number = c.card[kind_in(s, c, place)].timer
        note(log, Event.TIMER_OUT, 0, number, 1)
        if c.timer[number].then == Then.LOSE:
            end_game(s, Ending.LOST, log)  # J-66
            return
        then(s, Step.FAILED, 0, place, s.stamp[place])
        run(s, c.timer[number].effect, place)


@handles(Step.FAILED)
def after_failure(s, c, place, stamp, log):
    """J-36 J-R75 If the card is still there it is reset, returns or is removed."""
    if s.stamp[place] != stamp:
        return
    timer = c.timer[c.card[kind_in(s, c, place)].timer]
    if timer.then == Then.RESET:
        s.timer[place] = timer.length
    elif timer.then == Then.NEXT:
        s.timer[place] = timer.length
        resolve_milestone(s, c, log)  # JL-57
    else:
        leave(s, c, place, timer.then, stamp, log)


@rule
def track_runs(s, c, place):
    """J-38 J-40 Whether an unresolved card has a track on which it was not beaten just now."""
    return is_unresolved(s, c, place) and c.card[kind_in(s, c, place)].track != NO_ROW \
        and not s.beaten[place]


@rule
def tick_track(s, c, place, log):
    """J-38"""
    move_front(s, c, place, -c.track[c.card[kind_in(s, c, place)].track].decay, log)


@apart
def move_front(s, c, place, change, log):
    """J-39 J-R59 J-R60 Never below 0; at 0 the defeat, once in an Advance Clocks step."""
    kind = kind_in(s, c, place)
    if kind == NO_KIND or c.card[kind].track == NO_ROW or s.beaten[place]:
        return
    number = c.card[kind].track
    s.marker[place] = min(max(s.marker[place] + change, 0), c.track[number].length)
    note(log, Event.FRONT, 0, number, s.marker[place])
    if s.marker[place] == 0:
        defeat(s, c, place, number, log)


@rule
def defeat(s, c, place, number, log):
    """J-40 A card that does not stay leaves first, then its defeat is carried out."""
    note(log, Event.TRACK_LOST, 0, number, 1)
    after, stamp = c.track[number].then, s.stamp[place]
    if after == Then.RETURN:
        before_leaving(s, c, place)
        move(s, Pile.SLOT + place, 0, Pile.LEAVING, TOP)
    elif after == Then.DESTROY:
        destroy_objective(s, c, place, log)
    s.beaten[place] = s.phase == Phase.CLOCKS and after != Then.RETURN and after != Then.DESTROY
    then(s, Step.BEATEN, 0, place + THEN_PLACES * after, stamp)
    run(s, c.track[number].defeat, place)


@rule
def after_defeat(s, c, place, after, stamp, log):
    """J-40 J-R62 To the discard, or the marker back to its start."""
    if after == Then.RETURN:
        last = pile_size(s, Pile.LEAVING) - 1  # beaten last, finished first
        note(log, Event.RETURNED, 0, kind_at(s, Pile.LEAVING, last), 1)
        move(s, Pile.LEAVING, last, Pile.OBJECTIVE_DISCARD, TOP)
    elif (after == Then.RESET or after == Then.STAY) and s.stamp[place] == stamp:
        s.marker[place] = c.track[c.card[kind_in(s, c, place)].track].start


@rule
def can_be_hit(s, c, place):
    """J-64 J-R65 Whether a random timer step may fall on this card."""
    if not timer_runs(s, c, place) or s.timer[place] == 0:  # 0: it is failing already
        return False
    timer = c.card[kind_in(s, c, place)].timer
    ends = c.timer[timer].then == Then.LOSE and s.timer[place] == 1
    return c.random_timer_may_end_game > 0 or not ends


@handles(Step.RANDOM_TIMERS)
@apart
def random_timers(s, c, count, log):
    """J-64 One of the running timers, then the next pick with the set renewed."""
    running = 0
    for place in range(N_PLACES):
        if can_be_hit(s, c, place):
            running += 1
    if running == 0:
        return
    if count > 1:
        then(s, Step.RANDOM_TIMERS, 0, count - 1, 0)
    pick = roll(s, running)
    for place in range(N_PLACES):
        if can_be_hit(s, c, place):
            if pick == 0:
                note(log, Event.RANDOM_TIMER, 0, kind_in(s, c, place), s.timer[place] - 1)
                tick_timer(s, c, place, log)
                return
            pick -= 1


@rule
def next_objective(s, c, place, log):
    """J-41 The top of the objective deck comes to an empty slot."""
    top = pile_size(s, Pile.OBJECTIVE_DECK) - 1
    bring_to_light(s, Pile.OBJECTIVE_DECK, top)
    reveal(s, move(s, Pile.OBJECTIVE_DECK, top, Pile.SLOT + place, TOP))
    settle(s, c, place, log)


@rule
def crisis_cards(s, c):
    """J-8 J-67 How many crisis cards are in agenda, objective deck and objective discard."""
    count = 0
    for place in range(s.start[Pile.OBJECTIVE_DISCARD], s.start[Pile.SLOT + s.slots]):
        count += c.card[kind_of(s, s.card[place])].crisis > 0
    return count
