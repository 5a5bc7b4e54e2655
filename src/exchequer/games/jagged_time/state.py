"""The Jagged Time's state and enums. The paragraphs J-n are those of `rulebook.md`.

A card is a *kind* (Tax Collection) and its copies are *things*: numbers that lie in piles. A thing
that is in no zone of the game is spare and has no kind; the supply makes a copy by giving a spare
thing a kind. Things below FIRST_OBJECTIVE can only be actions, the others only objectives.
"""

from enum import IntEnum

from exchequer.core.agenda import FIRST_STEP, agenda_fields
from exchequer.core.piles import pile_fields
from exchequer.core.records import record
from exchequer.games.jagged_time.compiler import CardSchema
from exchequer.games.jagged_time.tables import (
    DERIVED,
    MOST_CARD_OPTIONS,
    MOST_CHANGES,
    MOST_CHOICES,
    MOST_CLOCKS,
    MOST_COSTS,
    MOST_OPTIONS,
    MOST_PROJECTS,
    MOST_SCOUTED,
    MOST_SLOTS,
    N_CARDS,
    N_DUE,
    N_KINDS,
    N_PLACES,
    N_RESOURCES,
    RULES,
)

CONTENT = CardSchema(RULES, derived=DERIVED)


class Pile(IntEnum):
    """J-2 The zones. Neighbours on the rack are those between which cards move most."""

    HAND = 0
    RETAINED = 1  # still in hand, its Retained effect carried out (J-28)
    RESOLVING = 2
    PLAYED = 3  # waits for the end of the phase when `played_cards` says so
    DISCARD = 4
    DECK = 5
    SPARE_ACTIONS = 6
    SPARE_OBJECTIVES = 7
    OBJECTIVE_DISCARD = 8
    OBJECTIVE_DECK = 9
    LEAVING = 10  # beaten, its defeat not yet carried out (J-40)
    SLOT = 11  # + slot


N_PILES = Pile.SLOT + MOST_SLOTS
N_ZONES = Pile.LEAVING  # piles that a question can name


class Phase(IntEnum):
    SETUP, START, ACTION, RESOLUTION, CLOCKS, RESET = range(6)


class Do(IntEnum):
    """The first action id of each kind; what is added is named in the comment."""

    STOP = 0
    RESIGN = 1
    PLAY = 2  # + kind
    TAKE = PLAY + N_KINDS  # + kind
    COST = TAKE + N_KINDS  # + alternative
    UNIT = COST + MOST_COSTS  # + resource, or ANY
    CHOICE = UNIT + N_DUE  # + alternative
    SLOT = CHOICE + MOST_CHOICES  # + place
    ZONE = SLOT + N_PLACES  # + pile
    BOTTOM = ZONE + N_ZONES  # + how far from the top
    OPTION = BOTTOM + MOST_SCOUTED  # + 2 * place + option
    TRACK = OPTION + MOST_CARD_OPTIONS * N_PLACES  # + place


N_ACTIONS = Do.TRACK + N_PLACES
MAX_LEGAL = 130


class Ask(IntEnum):
    """Questions. What `a` and `b` of the agenda item hold stands behind each."""

    PLAY = 0
    PLAY_LESS = 1  # mask; discount
    COST = 2
    LESS = 3
    UNIT = 4
    RETAIN = 5
    CHOOSE = 6  # token; place
    MAY = 7  # token; place
    MENU = 8  # token; MENU_BITS * place + alternatives used
    ANNOUNCE = 9  # the same: alternatives announced
    ANNOUNCED = 10  # the same: alternatives still to be carried out
    RECUR = 11  # how many; mask
    RESHUFFLE = 12  # how many
    SCOUT = 13  # how many
    DELAY = 14  # how much
    TRANSFORM = 15  # token; how many
    REPLACE = 16  # kind
    COPY = 17  # mask; kind
    ANYWHERE = 18  # kind; how many
    PROJECT = 19  # how much
    WAR = 20  # how much
    MIX = 21  # mask of resources; how many
    MAXIMUM = 22  # mask of resources; change
    RESOLVE = 23
    DESTROY = 24  # mask or NO_ROW; how many
    RESOLVE_NOW = 25  # how many
    SHARE = 26  # MOST_CARD_OPTIONS * place + option; units left + SHARES * first resource
    CONVERT = 27  # token; how many
    WHERE = 28  # old kind; new kind
    OBJECTIVES = 29  # mask; how many
    ENTER = 30  # mask
    UNLOCKED = 31  # mask


SHARES = 16  # more than a price that is split freely has units
MENU_BITS = 64  # a menu has at most 6 alternatives
STAMPS = 10_000  # stamps start again here
THEN_PLACES = 16  # LEAVE and BEATEN hold place + THEN_PLACES * then


class Step(IntEnum):
    """What the game does by itself; `a` and `b` stand behind each."""

    RUN = FIRST_STEP  # token; place
    START_TURN = FIRST_STEP + 1
    UPKEEP = FIRST_STEP + 2  # place
    ACTION = FIRST_STEP + 3
    FINISH_PLAY = FIRST_STEP + 4  # thing
    CLOCK = FIRST_STEP + 5  # clock; place
    RETAIN = FIRST_STEP + 6
    END_ACTION = FIRST_STEP + 7
    RESOLUTION = FIRST_STEP + 8
    LEAVE = FIRST_STEP + 9  # place + THEN_PLACES * then; stamp
    MILESTONE_DONE = FIRST_STEP + 10
    VICTORY = FIRST_STEP + 11  # place
    TIMERS = FIRST_STEP + 12  # place
    TRACKS = FIRST_STEP + 13  # place
    FAILED = FIRST_STEP + 14  # place; stamp
    BEATEN = FIRST_STEP + 15  # place + THEN_PLACES * then; stamp
    RANDOM_TIMERS = FIRST_STEP + 16  # how many
    RESET = FIRST_STEP + 17
    REFILL = FIRST_STEP + 18
    END_TURN = FIRST_STEP + 19
    ESCALATE = FIRST_STEP + 20  # place
    DRAW = FIRST_STEP + 21  # how many
    NEXT_TURN = FIRST_STEP + 22
    PAY = FIRST_STEP + 23
    NEXT_MILESTONE = FIRST_STEP + 24
    RESOLVE_NOW = FIRST_STEP + 25  # how many


class Ending(IntEnum):
    NONE, WON, LOST, CAP, COLLAPSE, RESIGNED = range(6)


class Fault(IntEnum):
    """Promises of the state; the conformance suite asks for them after every move."""

    (NONE, BANK_RANGE, MAXIMUM_RANGE, DRAW_RANGE, MARKER_RANGE, TIMER_RANGE,
     CLOCK_RANGE, SLOT_CROWDED, UNESCALATED, KIND_MISPLACED, CARDS_LOST, HAND_LEFT
     ) = range(12)


class Refusal(IntEnum):
    """Why an action may not be taken."""

    (NONE, OVER, NOT_ASKED, NOT_IN_HAND, TOO_POOR, MUST_PLAY, PLAYED_ENOUGH, WRONG_SUBTYPE,
     NOT_THERE, NOTHING_LEFT, NOT_MET, RESOLVED, EMPTY_PLACE, IMPOSSIBLE, PROTECTED,
     COMPULSORY, QUARANTINE, NOT_PAYABLE) = range(18)


class Event(IntEnum):
    """What the log tells; `thing` is a kind unless said otherwise."""

    (TURN, PHASE, GAINED, WASTED, PAID, LOST, MISFORTUNE, MAXIMUM, CUT, PLAYED, DREW, SHUFFLED,
     RETAINED, CARD_GAINED, CARD_TO_HAND, CARD_TO_DECK, NO_ROOM, REMOVED, NEXT_DRAW, DRAW_LIMIT,
     DISRUPTED, RECURRED, RESHUFFLED, SCOUTED, BOTTOMED, DELAYED, TRANSFORMED, INTO, ENTERED,
     REPLACED, ESCALATED, COPIED, CLOCK, CLOCK_FULL, OPTION, ADVANCED, OPTION_FULL, TRACK_PAID,
     TRACK_WON, TIMER_OUT, TRACK_LOST, FRONT, RETURNED, MILESTONE, MILESTONE_RESOLVED, UPKEEP,
     PROVINCE_HELD, PROVINCE_FAILED, CHOSE, DISCARDED, RELIEF, RANDOM_TIMER, GAME_ENDED,
     ACT, ACTIVATED, MODIFIED, BARRED) = range(57)


N_THINGS = 256  # kinds, options, branches: whatever the log counts


# J-71 All that a game is; with its seed a list of actions replays it.
State = record(
    rng="u8",
    bank=("i4", N_RESOURCES),
    maximum=("i4", N_RESOURCES),
    gained_turn=("i4", N_RESOURCES),
    gained_phase=("i4", N_RESOURCES),  # before the Resolution Phase only
    best_gained=("i4", N_RESOURCES),  # most of one turn while this milestone is active (J-69)
    due=("i4", N_DUE),  # of the card that is being paid for
    paying="i4",  # its kind; NO_KIND when none is
    pay_less="i4",
    less="i4",  # discount not yet placed
    unit_from="i4",  # units of choice are named in the order of the resources
    next_draw="i4",
    draw_limit="i4",
    plays="i4",
    made="i4",  # things that were given a kind, and those that went back to the supply
    supplied="i4",
    turn="i4",
    slots="i4",
    phase="i4",
    milestone="i4",  # its kind
    next_milestone="i4",  # the kind that a `goto` has named, or NO_KIND
    milestones_done="i4",
    act="i4",
    act_start="i4",  # the turn before its first
    first_done="i4",  # milestones done when the first act of this game was over
    unused="i4",  # turns that finished acts left under their caps (JL-50)
    no_resolve="i4",  # the turn in which nothing may be resolved (JL-11)
    active="i4",  # a bit for each cataclysm that is active (JL-18)
    modified=("i4", MOST_CHANGES),  # standing changes (JL-8)
    clock=("i4", MOST_CLOCKS),  # J-6
    timer=("i4", N_PLACES),  # J-5, per place
    marker=("i4", N_PLACES),
    progress=("i4", (N_PLACES, MOST_CARD_OPTIONS)),
    upkeep=("i4", N_PLACES),
    stamp=("i4", N_PLACES),  # changes whenever a card comes or goes
    kept_progress=("i4", MOST_PROJECTS),  # project_progress = kept
    advanced=("u1", N_PLACES),
    entered=("u1", N_PLACES),  # this turn
    entered_in_clocks=("u1", N_PLACES),
    beaten=("u1", N_PLACES),  # in this Advance Clocks step
    milestone_resolved="u1",
    was_asked="u1",  # something, this turn (J-74)
    ending="i1",
    n_options="i2",
    options=("i2", MAX_LEGAL),  # the answers to the present question
    taken=("u1", MOST_OPTIONS // 8),  # a bit for each option that was ever taken (JL-25)
    removed=("i2", N_KINDS),
    played=("u1", N_KINDS),  # this turn
    kind=("u1", N_CARDS),  # which card a thing is now
    **agenda_fields(64),
    **pile_fields(N_CARDS, N_PILES),
)
