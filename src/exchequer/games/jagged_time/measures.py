"""What the lab measures in The Jagged Time."""

from collections.abc import Mapping
from typing import Any

from exchequer.core.content import Content
from exchequer.core.measures import Count, Lever, Measures
from exchequer.core.piles import pile_size
from exchequer.core.records import rule
from exchequer.games.jagged_time import index, printed
from exchequer.games.jagged_time.notation import FAMILIES
from exchequer.games.jagged_time.phrases import in_play
from exchequer.games.jagged_time.rules import (
    crisis_cost,
    cut_points,
    later_points,
    loss_points,
    milestone_points,
    province_points,
    score,
    turn_points,
    victory_points,
)
from exchequer.games.jagged_time.state import Ask, Do, Event, Pile
from exchequer.games.jagged_time.tables import MOST_SLOTS, Resource

TEXT = printed().words


def every(table: str) -> dict[int, str]:
    """The names of a table of all acts, by number."""
    return dict(enumerate(TEXT["index"][table]))


def cards(family: str, among: Mapping[int, str] = every("cards")) -> dict[int, str]:
    """The cards of a family by number, with what they are called."""
    return {number: full_name(name) for number, name in among.items() if name in TEXT[family]}


def tracks(wars: bool) -> dict[int, str]:
    """The tracks by number, those of wars or the others."""
    return {number: full_name(name) for number, name in every("tracks").items()
            if ("war" in entry(name).get("subtypes", ())) == wars}


def is_there(content: Content, name: str) -> bool:
    """Whether a card, or the card of an option or timer, can come up in this content."""
    return name.split()[0] in in_play(content)


def entry(card: str) -> dict[str, Any]:
    return next(TEXT[family][card] for family in FAMILIES if card in TEXT[family])


def full_name(card: str) -> str:
    return f"{card} {entry(card)['name']}"


BRANCHES = ("M7", "M8", "M9", "M11", "M12", "M13", "M17", "M18", "M19", "M20", "M21", "M22",
            "M23")  # milestones to which a choice leads


@rule
def cards_in_hand(s):
    return pile_size(s, Pile.HAND)


@rule
def objectives(s):
    """Places of the agenda that are taken."""
    taken = 0
    for slot in range(MOST_SLOTS):
        taken += pile_size(s, Pile.SLOT + slot)
    return taken


MEASURES = Measures(
    resources={"points": score, "milestones": "milestones_done",
               **{resource: ("bank", Resource[resource.upper()])
                  for resource in ("might", "stability", "influence", "food", "trade")},
               "cards in hand": cards_in_hand, "objectives": objectives},
    lines={"victory": victory_points, "later acts": later_points, "milestones": milestone_points,
           "turns": turn_points, "provinces": province_points, "open crises": crisis_cost,
           "defeat": loss_points,
           "never below 0": cut_points},
    turn="turn", turns="turns", is_there=is_there,
    uses={
        "actions played": (Event.PLAYED, cards("action")),
        "objectives entered": (Event.ENTERED, cards("objective")),
        "options taken": (Event.OPTION, every("options")),
        "timers run out": (Event.TIMER_OUT, every("timers")),
        "wars won": (Event.TRACK_WON, tracks(wars=True)),
        "wars lost": (Event.TRACK_LOST, tracks(wars=True)),
        "other tracks won": (Event.TRACK_WON, tracks(wars=False)),
        "other tracks lost": (Event.TRACK_LOST, tracks(wars=False)),
    },
    counts={
        "resources gained": Count(Event.GAINED, amount=True),
        "resources wasted": Count(Event.WASTED, amount=True),
        "misfortunes": Count(Event.MISFORTUNE),
        "provinces failed": Count(Event.PROVINCE_FAILED),
        "timers run out": Count(Event.TIMER_OUT),
        "tracks won": Count(Event.TRACK_WON),  # wars, crises and the siege
        "tracks lost": Count(Event.TRACK_LOST),
        **{f"{card} reached": Count(Event.MILESTONE, TEXT["index"]["cards"].index(card))
           for card in BRANCHES},
    },
    levers={
        "actions played": {name: Lever((Do.PLAY + kind,), (Ask.PLAY, Ask.PLAY_LESS))
                           for kind, name in cards("action", index("cards")).items()},
    },  # of the first act; the later ones have variants of their own
    progress="milestones",
)
