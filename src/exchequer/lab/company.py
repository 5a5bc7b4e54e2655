"""Who keeps company with whom: deals closed and votes cast alike, for each two seats.

Seats that have their turns one after the other often have more to offer each other, whoever sits
there. So two seats are held only against the pairs that sit as far apart, in the same games.
"""

from collections.abc import Iterator

import numpy as np

from exchequer.lab.tables import Tables

Pair = tuple[int, int]


def company(tables: Tables, seats: int, what: str
            ) -> Iterator[tuple[Pair, np.ndarray, np.ndarray]]:
    """For each two seats, game by game: deals closed or the share of votes alike, and the mean of
    the other pairs that sit as far apart. Nothing where the game knows no such thing.
    """
    found = kept_company(tables, seats, what)
    if not len(found):
        return
    pairs = [(seat, other) for seat in range(seats) for other in range(seat + 1, seats)]
    for place, pair in enumerate(pairs):
        alike = [k for k, one in enumerate(pairs)
                 if k != place and apart(one, seats) == apart(pair, seats)]
        if alike:
            yield pair, found[:, place], found[:, alike].mean(axis=1)


def apart(pair: Pair, seats: int) -> int:
    """How many seats further, the shorter way round the table."""
    return min(pair[1] - pair[0], seats - pair[1] + pair[0])


def kept_company(tables: Tables, seats: int, what: str) -> np.ndarray:
    """(games, pairs); only games in which there were votes, if it is about these."""
    if not len(tables.pairs):
        return np.zeros((0, 0))
    rows = tables.pairs.sort("game", "seat", "other")
    pairs = seats * (seats - 1) // 2
    count, votes = (rows[name].to_numpy().reshape(-1, pairs) for name in (what, "votes"))
    if what == "deals":
        return count.astype(float) if count.any() else np.zeros((0, pairs))
    voted = votes.min(axis=1) > 0
    return count[voted] / votes[voted]
