"""The Jagged Time: a solo game of a river kingdom, one act or the whole campaign."""

import functools
import pathlib
from collections.abc import Sequence

from exchequer.core.content import Content, read_toml
from exchequer.core.game import Game
from exchequer.games.jagged_time.phrases import in_play
from exchequer.games.jagged_time.state import CONTENT, Event

CONTENT_FILE = pathlib.Path(__file__).parent / "content.toml"


@functools.cache
def printed() -> Content:
    return CONTENT.read(read_toml(CONTENT_FILE), str(CONTENT_FILE))


@functools.cache
def first_act() -> frozenset[str]:
    """The cards of the first act, which is what is played without a variant, and their clocks."""
    words, ids = printed().words, in_play(printed())
    clocks = {card["clock"]["name"] for family in ("action", "objective")
              for key, card in words[family].items() if key in ids and "clock" in card}
    return frozenset(ids) | clocks


def index(table: str) -> dict[int, str]:
    """The names of the first act's cards, options, timers, tracks, clocks or alternatives."""
    return {number: name for number, name in enumerate(printed().words["index"][table])
            if name.split(":")[0].removesuffix(" A").removesuffix(" B") in first_act()}


# What random play reaches too seldom to be asked of it: it wins no wars, and few of its games live
# to see the third tier or the last milestones. tests/games/jagged_time/test_cards.py has them all.
RARE_OPTIONS = ("O38 A", "O41 A", "O41 B", "O44 A", "O44 B", "O47 A", "O47 B", "M3 A", "M3 B")
RARE_TIMERS = ("O14", "O15", "O16", "O38", "O41", "O44", "O47", "M4")
WON_AT_TIMES = ("O3", "O4")
RARE_ACTIONS = ("C21", "C22", "C23", "C24", "C25", "C26", "X1")


def things(table: str, but: Sequence[str] = ()) -> dict[int, str]:
    """The numbers and names of a table, but for those that are left out."""
    return {number: name for number, name in index(table).items()
            if name.split(":")[0] not in but}


def cards(family: str, but: Sequence[str] = (), field: str = "name") -> dict[int, str]:
    """The cards of a family that have a field."""
    text = read_toml(CONTENT_FILE)[family]
    return {number: name for number, name in things("cards", but).items()
            if field in text.get(name, {})}


GAME = Game(
    package=__name__,
    seats=(1, 1),
    rules_version=3, rows_version=3,
    coverage={
        "actions played": (Event.PLAYED, cards("action", RARE_ACTIONS)),
        "cards retained": (Event.RETAINED, cards("action", RARE_ACTIONS, "retained")),
        "objectives entered": (Event.ENTERED, cards("objective")),
        "objectives escalated": (Event.ESCALATED, cards("objective", (), "escalation")),
        "options taken": (Event.OPTION, things("options", RARE_OPTIONS)),
        "alternatives chosen": (Event.CHOSE, {
            number: name for number, name in things("branches", ("O14", "O15", "O16")).items()
            if "trade" not in name}),
        "timers run out": (Event.TIMER_OUT, things("timers", RARE_TIMERS)),
        "tracks won": (Event.TRACK_WON, {number: name for number, name in things("tracks").items()
                                         if name in WON_AT_TIMES}),
        "tracks lost": (Event.TRACK_LOST, things("tracks")),
        "clocks filled": (Event.CLOCK_FULL, things("clocks")),
    },
    ledger={Event.GAINED: 1, Event.PAID: -1, Event.LOST: -1, Event.CUT: -1},
    money=lambda s: int(s.bank.sum()),
)
