"""The content of The Jagged Time as the rules read it: numbers, switches and compiled cards.

`content.toml` holds the cards in words; `compiler.py` turns them into the rows below.
"""

from enum import IntEnum
from typing import Any

from exchequer.core.content import Choice, Kind, Number, Numbers, Switch
from exchequer.core.records import struct

# Capacities: room in the records, not rules. J-72 says what happens when things run out.
FIRST_OBJECTIVE = 128  # copies of actions
N_OBJECTIVES = 192  # copies of objectives: a flood of crises, and all others
N_CARDS = FIRST_OBJECTIVE + N_OBJECTIVES
NO_KIND = 255
N_KINDS = 192
MOST_TOKENS, MOST_BRANCHES, MOST_OPTIONS = 2048, 256, 256
MOST_TIMERS, MOST_TRACKS, MOST_CLOCKS, MOST_PROJECTS, MOST_MASKS = 128, 64, 16, 16, 64
MOST_COSTS = 3  # alternatives of one card's cost
MOST_SLOTS = 7
MOST_CHOICES, MOST_SCOUTED, MOST_CARD_OPTIONS = 8, 4, 2
MOST_SHARED = 15  # units of a price that is split freely
MOST_CHANGES = 4  # standing changes that `modify` makes (JL-8)
N_CATACLYSMS = 6  # entries of the die table (JL-18)
MILESTONE = MOST_SLOTS  # the milestone's place in everything that is kept per slot
N_PLACES = MOST_SLOTS + 1
NO_PLACE = N_PLACES  # the place of an effect that no agenda card carries out
MILESTONE_THING = N_CARDS  # stands for the milestone where a slot has a thing
TOP_MAXIMUM = 12  # J-10: the printed tracks end here
OLD_AGE = 6  # J-R51: a die shows no more


class Resource(IntEnum):
    """J-10; trade goods belong to the later acts and stay at a maximum of 0 until then."""

    MIGHT, STABILITY, INFLUENCE, FOOD, TRADE = range(5)


N_RESOURCES = 5
ANY = N_RESOURCES  # in a cost: units of the player's choice
N_DUE = N_RESOURCES + 1
N_START = 4  # resources that start with something


class Family(IntEnum):
    ACTION, OBJECTIVE, MILESTONE = range(3)


class Op(IntEnum):
    """What a token of a compiled card does; `notation.FORMS` has the words for them."""

    (END, GAIN, LOSE, MAXIMUM, ALL_MAXIMA, CARD, HAND, TO_DECK, DRAW, NEXT_DRAW, DRAW_LIMIT,
     DISRUPT, RECUR, RESHUFFLE, RESHUFFLE_ALL, SCOUT, DELAY, TRANSFORM, BECOME, REPLACE, COPY,
     DESTROY_SELF, DESTROY_ALL, DESTROY_RANDOM, DESTROY_KIND, DESTROY_CHOSEN, DESTROY_ANYWHERE,
     ADVANCE_PROJECT, ADVANCE_WAR, ADVANCE_CLOCK, FRONT, FRONT_SET, MORE_SLOTS, TIMERS_RANDOM,
     PLAY, CHOOSE, MAY, MENU, GAIN_MIX, MAXIMUM_OF, LOSE_GAME, GAINED_TURN, GAINED_PHASE, CONTROL,
     CONTROL_CARDS, TOTAL, NONE_EXISTS, NOT_PLAYED, BANK_PROGRESS, GAIN_PROGRESS,
     CONTROL_PROGRESS, MARKER_PROGRESS,
     # the later acts
     CONTROL_PLUS, STEP_PROGRESS, GOTO, WIN, CARD_LIST, UNLOCK, TRACKER, ADVANCE_OPTION, MODIFY,
     NO_RESOLVE, CARD_IF, CARD_RANDOM, ACTIVATE, GAIN_ACTIVE, ENTER_ACTIVE, RESOLVE, SPECIALIZE,
     TRANSFORM_SUB, DESTROY_OBJECTIVES, REPLACE_SUB, UNLOCKED) = range(73)


class Then(IntEnum):
    """What becomes of a card whose effect has been carried out."""

    RETURN, DESTROY, BECOME, STAY, NEXT, RESET, LOSE, SUPPLY = range(8)


class Pay(IntEnum):
    """J-30 The kinds of option."""

    SPEND, NEED, PER_CARDS, CLOCKED, UNPAID = range(5)


class Act(IntEnum):
    """23.4 The acts in their order; the Eclipse comes between the second and the third."""

    FIRST, SECOND, ECLIPSE, THIRD = range(1, 5)


N_LATER_ACTS = 3


class Misfortune(IntEnum):
    OBJECTIVE, ACTION = range(2)


class SelfGain(IntEnum):
    EXTRA, RETURN_ONLY = range(2)


class UnplayedHand(IntEnum):
    DISCARD, KEEP = range(2)


class PlayedCards(IntEnum):
    DISCARD_NOW, END_OF_PHASE = range(2)


class RetainedOrder(IntEnum):
    PLAYER, HAND = range(2)


class MenuMode(IntEnum):
    STEPWISE, ANNOUNCE = range(2)


class Price(IntEnum):
    STRICT, AS_MANY = range(2)


class MaximumPrice(IntEnum):
    STRICT, FLOOR = range(2)


class ReplaceTo(IntEnum):
    OCCUPIED, ANY_SLOT = range(2)


class RevoltScope(IntEnum):
    ACTIONS, EVERYWHERE = range(2)


class TransformShort(IntEnum):
    AS_MANY, ILLEGAL = range(2)


class DelayCap(IntEnum):
    PRINTED, NONE = range(2)


class ProjectPause(IntEnum):
    ANY, PAID = range(2)


class ProjectProgress(IntEnum):
    LOST, KEPT = range(2)


class CardNames(Kind):
    """A list of card ids; which there are, the schema finds out later."""

    allowed = 'a list of card ids, such as ["M1", "M2"]'

    def parse(self, value: Any) -> list[str]:
        if not isinstance(value, list) or not value or not all(
                isinstance(name, str) for name in value):
            raise ValueError(f"{value!r} is not {self.allowed}")
        return value


RULES: dict[str, Kind] = {
    "start_bank": Number(0, 12), "start_max": Number(0, 12), "draw": Number(0, 12),
    "slots": Number(1, MOST_SLOTS), "milestones": CardNames(), "tutorial_agenda": Switch(),
    "turn_cap": Number(1, 1000), "collapse_limit": Number(0, N_OBJECTIVES),
    "later_turn_caps": Numbers(N_LATER_ACTS, 1, 1000),
    "later_collapse_limit": Number(0, N_OBJECTIVES),
    "extra_max": Numbers(N_RESOURCES, 0, 12), "trade_max": Number(1, 12),
    "list_a": CardNames(), "list_b": CardNames(), "cataclysms": CardNames(),
    "project_milestones": Switch(),
    "play_guard": Number(1, 1000),
    "misfortune": Choice(Misfortune), "self_gain": Choice(SelfGain),
    "fresh_cards_tick": Switch(), "tier2_start": Number(1, 2), "count_overflow": Switch(),
    "unplayed_hand": Choice(UnplayedHand), "played_cards": Choice(PlayedCards),
    "retained_order": Choice(RetainedOrder), "menu_mode": Choice(MenuMode),
    "volunteers_both": Switch(), "tier3_price": Choice(Price),
    "vassalization_price": Choice(MaximumPrice), "replace_to": Choice(ReplaceTo),
    "replace_protects_tier3": Switch(), "revolt_scope": Choice(RevoltScope),
    "transform_short": Choice(TransformShort), "scout_must": Switch(),
    "delay_cap": Choice(DelayCap), "random_timer_may_end_game": Switch(),
    "project_pause": Choice(ProjectPause), "project_progress": Choice(ProjectProgress),
    # numbers that cards name: J-R63, J-R74, J-R36 (J-R37 is the other option), J-R25, J-R61
    "m4_timer": Number(1, 12), "m4_pay": Number(1, 12), "m3b_max_stability": Number(0, 12),
    "o7_forgive_cost": Number(1, 12), "tax_clock": Number(1, 100),
    "hr_relief": Switch(), "resignation": Switch(), "show_objective_counts": Switch(),
    "score_win": Number(0, 10_000), "score_early": Number(0, 1000),
    "score_milestone": Number(0, 1000), "score_province": Number(0, 1000),
    "score_provinces": Number(0, 100), "score_loss": Number(0, 1000),
    "score_crisis_agenda": Numbers(3, 0, 1000), "score_crisis_piles": Numbers(3, 0, 1000),
    "score_crisis_most": Number(0, 10_000), "score_later": Number(0, 1000),
    "score_campaign": Number(0, 10_000),
}

NO_ROW = -1  # a card without a timer, track, clock ...

CardRow = struct(
    subtypes="i8",  # a bit for each subtype
    family="i2",
    start="i2",  # copies at the start
    tutorial="i2",  # slot from 1 in the tutorial agenda, 0: none
    costs="i2",  # how many alternatives there are; 0: free
    cost=("i2", (MOST_COSTS, N_DUE)),
    effect="i2",  # programs: the first of their tokens
    retained="i2",
    immediate="i2",
    clock="i2",
    province=("i2", 2),  # the two resources, or NO_ROW
    at_least="i2",
    held="i2",
    failed="i2",
    timer="i2",
    track="i2",
    first_option="i2",
    options="i2",
    upkeep="i2",  # how often; 0: no upkeep
    upkeep_effect="i2",
    upkeep_full="i2",
    escalates="i2",  # into this kind, NO_KIND: into nothing, NO_ROW: not at all
    escalation="i2",  # program
    crisis="i2",  # tier 1 to 3, 0: none (J-8)
    project="i2",  # number among the projects, or NO_ROW
    progress="i2",  # program that J-69 scores a milestone by
    act="i2",
    root="i2",  # the card that a specialised one counts as; itself for all others (JL-5)
    plus="i2",  # its specialised version, or NO_KIND
    cheaper="i2",  # the standing change that lowers its cost, or NO_ROW (JL-8)
    reveal="i2",  # program of a milestone that is only turned up (JL-1)
    following="i2",  # the milestone that follows unless a `goto` says otherwise, or NO_KIND
    listed="i2",  # a milestone that is part of this game
    upkeep_late="i2",  # its upkeep comes with the Resolution Phase (JL-14)
)
TokenRow = struct(op="i2", a="i2", b="i2", d="i2")
TimerRow = struct(kind="i2", length="i2", effect="i2", then="i2", pauses="i2")
TrackRow = struct(kind="i2", length="i2", start="i2", pay=("i2", N_DUE), gain="i2", decay="i2",
                  victory="i2", becomes="i2", defeat="i2", then="i2")
OptionRow = struct(kind="i2", pay="i2", cost=("i2", N_DUE), need="i2", price="i2", per="i2",
                   clock="i2", effect="i2", then="i2",
                   mix="i2",  # units to be split freely (JL-9)
                   mix_of="i2",  # mask of resources
                   each="i2",  # program carried out at every step (JL-12)
                   tracker="i2")  # its steps are those of this tracker, or NO_ROW (JL-6)
ClockRow = struct(length="i2", full="i2")

DERIVED: dict[str, Any] = {
    "card": (CardRow, N_KINDS), "token": (TokenRow, MOST_TOKENS),
    "branch": ("i2", MOST_BRANCHES), "timer": (TimerRow, MOST_TIMERS),
    "track": (TrackRow, MOST_TRACKS), "option": (OptionRow, MOST_OPTIONS),
    "clock": (ClockRow, MOST_CLOCKS), "mask": ("i8", MOST_MASKS),
    "first_milestone": "i2", "first_act": "i2", "last_act": "i2", "n_milestones": "i2",
    "cataclysm": ("i2", N_CATACLYSMS), "n_kinds": "i2",
    "n_clocks": "i2", "misfortune_card": ("i2", (2, N_RESOURCES)), "back": ("i2", N_CARDS),
    "mandatory": "i8", "expendable": "i8", "seasonal": "i8", "province": "i8", "war": "i8",
    "project": "i8", "inevitable": "i8",  # the bits of subtypes that the rules ask for
}
