"""What a game's folder declares for the lab: its clock, resources, uses, tallies and levers.

A game's `measures.py` holds `MEASURES` and two rules that the lab compiles into its loop:

    clock(s)                   the round or turn that is being played
    measure(s, c, seat, out)   write the seat's resources into `out`, in the order declared

A game without that file is measured by its points, with its moves as the clock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exchequer.core.contract import score
from exchequer.core.records import rule

NO_CLOCK = -1  # what `clock` says in a game that keeps none
ANY_THING = -1

Things = Sequence[str] | Mapping[int, str]


@dataclass(frozen=True)
class Count:
    """Log entries counted for each seat, or their amounts summed."""

    event: int
    thing: int = ANY_THING
    amount: bool = False


@dataclass(frozen=True)
class Lever:
    """What the lab can deny a seat, force it to, or take out of the game.

    `actions` may be denied or forced; with `asks` only as answers to these questions. `without`
    is an overlay of the content that takes the thing out for everybody.
    """

    actions: tuple[int, ...] = ()
    asks: tuple[int, ...] = ()
    without: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Measures:
    """All that the lab knows about a game beyond the contract."""

    resources: tuple[str, ...] = ("points",)  # the first is the one whose inequality is shown
    turns: str = "moves"  # what the clock counts, in the plural
    uses: Mapping[str, tuple[int, Things]] = field(default_factory=dict)
    # name -> (event whose `thing` says what was used, names of the things)
    counts: Mapping[str, Count] = field(default_factory=dict)
    levers: Mapping[str, Mapping[str, Lever]] = field(default_factory=dict)  # group -> thing
    ratios: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # of two counts
    deals: tuple[int, ...] = ()  # events that close a deal: `seat` gives, `other` takes
    progress: str = ""  # the resource that says how far a solo run has come


@rule
def clock(s):
    """Of a game that keeps none."""
    return NO_CLOCK


@rule
def measure(s, c, seat, out):
    """Of a game that declares no resources: points."""
    out[0] = score(s, c, seat)


def named(things: Things) -> dict[int, str]:
    return dict(things) if isinstance(things, Mapping) else dict(enumerate(things))
