"""Races as tables: toys in which stories are planted, thousands of games in a moment.

Each seat gains at random every turn and the best at the end wins, unless `course` says otherwise.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from exchequer.core.measures import Measures
from exchequer.lab.claims import Rung
from exchequer.lab.tables import Tables

TURNS, SEATS = 16, 2
MEASURES = Measures(resources={"gold": "gold"}, turn="turn", turns="rounds",
                    uses={"cards": (0, ["mill", "market", "tower"])}, progress="gold")


@dataclass
class Race:
    """What happens: stocks (games, turns + 1, seats), and when things were first used."""

    stocks: np.ndarray
    first_use: np.ndarray | None = None  # (games, seats, things), -1 never
    decisions: np.ndarray | None = None  # (games, seats)
    waited: np.ndarray | None = None  # (games, seats)
    chain_seat: np.ndarray | None = None  # (games,): who set off the longest
    won: np.ndarray | None = None  # (games, seats); by the last stock if not given
    usual_chain: int = 2  # things that follow from a move; from the one that sets off most, 12

    def rung(self, measures=MEASURES) -> Rung:
        bots = ("greedy",) * self.stocks.shape[2]
        return Rung("greedy", bots, tables(self, measures), measures)


def steps(rng, games=1000, turns=TURNS, seats=SEATS):
    return rng.integers(0, 10, (games, turns, seats)).astype(float)


def fair(rng, games=1000, turns=TURNS, seats=SEATS) -> Race:
    """Luck alone; what is used early means nothing."""
    stocks = np.concatenate([np.zeros((games, 1, seats)),
                             steps(rng, games, turns, seats).cumsum(1)], 1)
    return Race(stocks, random_uses(rng, games, seats))


def random_uses(rng, games, seats):
    """Two kinds of players: those who mill and those who go to market."""
    mills = rng.random((games, seats)) < 0.5
    uses = np.full((games, seats, 3), -1)
    uses[..., 0] = np.where(mills, 1, -1)
    uses[..., 1] = np.where(mills, -1, 1)
    uses[..., 2] = rng.integers(8, 12, (games, seats))
    return uses


def tables(race: Race, measures: Measures) -> Tables:
    games, turns, seats = race.stocks.shape
    end = race.stocks[:, -1]
    best = end == end.max(1, keepdims=True) if race.won is None else race.won
    share = best / np.maximum(best.sum(1, keepdims=True), 1)
    number, seat = np.repeat(np.arange(games), seats), np.tile(np.arange(seats), games)
    deciding = np.full((games, seats), 20) if race.decisions is None else race.decisions
    waited = np.full((games, seats), 3) if race.waited is None else race.waited
    chained = np.arange(games) % seats if race.chain_seat is None else race.chain_seat
    first = np.full((games, seats, 3), -1) if race.first_use is None else race.first_use
    used = np.nonzero(first >= 0)
    empty = pl.DataFrame()
    return Tables(
        pl.DataFrame({"game": np.arange(games), "deal": np.arange(games), "first_turn": 0,
                      "last_turn": turns - 1, "turns": turns - 1,
                      "chain": 12, "chain_seat": chained, "steps": 40}),
        pl.DataFrame({"game": number, "deal": number, "seat": seat, "share": share.ravel(),
                      "score": end.ravel(), "decisions": deciding.ravel(),
                      "waited": waited.ravel(),
                      "final gold": end.ravel().astype(int)}),
        pl.DataFrame({"entries": [race.usual_chain * games * 40]}), empty, empty, empty, empty,
        empty, empty,
        pl.DataFrame({"game": np.repeat(np.arange(games), turns * seats),
                      "turn": np.tile(np.repeat(np.arange(turns), seats), games),
                      "seat": np.tile(np.arange(seats), games * turns),
                      "gold": race.stocks.ravel().astype(int)}),
        pl.DataFrame({"game": used[0], "seat": used[1], "group": "cards",
                      "thing": [["mill", "market", "tower"][k] for k in used[2]],
                      "turn": first[used]}, schema_overrides={"thing": pl.String}), empty)
