"""Stories: what happens in a game over and over, found by general means.

Each module has one function from a rung to claims (`findings.Claim`). They are tested like every
claim, in a family of their own, so that asking for many stories costs the plain measures no power.
"""

from collections.abc import Callable, Iterator

from exchequer.lab.claims import Rung
from exchequer.lab.findings import Claim
from exchequer.lab.stories.deaths import deaths
from exchequer.lab.stories.leaps import leaps
from exchequer.lab.stories.pace import chains, long_waits, waiting
from exchequer.lab.stories.spirals import spirals
from exchequer.lab.stories.styles import styles
from exchequer.lab.stories.traps import traps

STORIES: tuple[Callable[[Rung], Iterator[Claim]], ...] = (styles, traps, spirals, leaps, deaths,
                                                          waiting, long_waits, chains)
LEAST_GAMES = 100  # fewer tell no story


def stories(rung: Rung) -> Iterator[Claim]:
    """Everything that is told of one rung of identical bots."""
    if not rung.is_mixed and len(rung.tables.games) >= LEAST_GAMES:
        for story in STORIES:
            yield from story(rung)
