"""The Jagged Time: a solo game of a river kingdom, the whole first act."""

import functools
import pathlib

from exchequer.core.content import read_toml
from exchequer.core.game import Game
from exchequer.games.jagged_time.state import CONTENT, Event


@functools.cache
def index() -> dict[str, list[str]]:
    """The names of all cards, options, timers, tracks and alternatives, by number."""
    path = pathlib.Path(__file__).parent / "content.toml"
    return CONTENT.read(read_toml(path), str(path)).words["index"]


GAME = Game(
    package=__name__,
    seats=(1, 1),
    rules_version=1,
    coverage={
        "options taken": (Event.OPTION, index()["options"]),
        "alternatives chosen": (Event.CHOSE, index()["branches"]),
        "timers run out": (Event.TIMER_OUT, index()["timers"]),
        "tracks won": (Event.TRACK_WON, index()["tracks"]),
        "tracks lost": (Event.TRACK_LOST, index()["tracks"]),
        "clocks filled": (Event.CLOCK_FULL, index()["clocks"]),
    },
    ledger={Event.GAINED: 1, Event.PAID: -1, Event.LOST: -1, Event.CUT: -1},
    money=lambda s: int(s.bank.sum()),
)
