"""People beside bots on the lab's measures: where they differ, and how strong people are."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from exchequer.bots.ladder import Ladder, Rating, rate
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.measures import measures_of
from exchequer.lab.findings import Claim
from exchequer.lab.metrics import metrics_of
from exchequer.lab.statistics import LEVEL, Estimate, share
from exchequer.lab.tables import Tables
from exchequer.lab.words import number, percent

FEWEST = 5  # games of people, below which they are held against nothing
PEOPLE = "people"
SAT_THERE = "person"


@dataclass(frozen=True)
class Beside:
    """One measure, of people and of bots in the same variant."""

    id: str
    words: str
    unit: str
    arm: str
    people: Estimate
    bots: Estimate
    gap: Estimate  # people minus bots

    @property
    def is_share(self) -> bool:
        return self.unit == "share"


def beside(game: Game, seats: int, people: Tables, bots: Tables, arm: str) -> list[Beside]:
    """Every measure and the use of every card; nothing where too few games were played."""
    if len(people.games) < FEWEST:
        return []
    endings = [ending.name.lower() for ending in list(game.endings)[1:]]
    found = []
    for metric in metrics_of(measures_of(game), seats, endings).values():
        sides = [numbers(metric.values(tables)) for tables in (people, bots)]
        if min(map(len, sides)) >= FEWEST:
            found.append(Beside(metric.id, metric.words, metric.unit, arm, *held(*sides)))
    return [*found, *uses(people, bots, arm)]


def numbers(frame: pl.DataFrame) -> np.ndarray:
    return frame["value"].cast(pl.Float64).drop_nulls().to_numpy()


def held(people: np.ndarray, bots: np.ndarray) -> tuple[Estimate, Estimate, Estimate]:
    """People, bots, and the difference; yes or no is compared exactly."""
    if set(people) | set(bots) <= {0.0, 1.0}:
        first, second = (share(values.sum(), len(values)) for values in (people, bots))
        return first, second, share_gap(first, second)
    spread = max(people.std(ddof=1), bots.std(ddof=1))  # a few games may be alike by chance
    return (of_mean(people, spread), of_mean(bots, float(bots.std(ddof=1))),
            mean_gap(people, bots, spread))


def of_mean(values: np.ndarray, spread: float) -> Estimate:
    from scipy.stats import t

    middle = float(values.mean())
    half = float(t.ppf(1 - LEVEL / 2, len(values) - 1)) * spread / math.sqrt(len(values))
    return Estimate(middle, middle - half, middle + half, len(values))


def mean_gap(people: np.ndarray, bots: np.ndarray, spread: float) -> Estimate:
    from scipy.stats import t

    gap = float(people.mean() - bots.mean())
    error = math.hypot(spread / math.sqrt(len(people)),
                       float(bots.std(ddof=1)) / math.sqrt(len(bots)))
    if error == 0.0:  # none varied: that two groups of these sizes fall apart so is one chance in
        ways = math.comb(len(people) + len(bots), len(people))
        return Estimate(gap, gap, gap, len(people), 2 / ways if gap else 1.0)
    freedom = len(people) - 1
    half = float(t.ppf(1 - LEVEL / 2, freedom)) * error
    return Estimate(gap, gap - half, gap + half, len(people),
                    2 * float(t.sf(abs(gap) / error, freedom)))


def share_gap(first: Estimate, second: Estimate) -> Estimate:
    """Newcombe's interval from Wilson's two, Fisher's exact test."""
    from scipy.stats import fisher_exact

    gap = first.effect - second.effect
    low = gap - math.hypot(first.effect - first.low, second.high - second.effect)
    high = gap + math.hypot(first.high - first.effect, second.effect - second.low)
    counts = [[round(one.effect * one.n), one.n - round(one.effect * one.n)]
              for one in (first, second)]
    return Estimate(gap, low, high, first.n, float(fisher_exact(counts).pvalue))


# Use of cards ------------------------------------------------------------------------------------

def uses(people: Tables, bots: Tables, arm: str) -> Iterator[Beside]:
    """The share of games in which a seat uses a thing; one seat of each game is looked at."""
    seats = one_seat_each(people), one_seat_each(bots)
    sets = [used(tables, chosen) for tables, chosen in zip((people, bots), seats, strict=True)]
    counts = [len(chosen) for chosen in seats]
    if min(counts) < FEWEST:
        return
    for group, thing in sorted({*sets[0], *sets[1]}):
        first, second = (share(len(found.get((group, thing), ())), n)
                         for found, n in zip(sets, counts, strict=True))
        yield Beside(f"use-{group}-{thing}", f"the use of {thing.replace('_', ' ')} ({group})",
                     "share", arm, first, second, share_gap(first, second))


def one_seat_each(tables: Tables) -> dict[int, int]:
    """A seat for each game whose course was kept: a person's, where one sat; else in turn."""
    kept = set(tables.courses["game"].unique().to_list())
    found: dict[int, int] = {}
    for game, rows in tables.seats.sort("game", "seat").group_by("game", maintain_order=True):
        place = int(game[0])
        if place in kept:
            own = [seat for seat, bot in zip(rows["seat"], rows["bot"], strict=True)
                   if bot == SAT_THERE] or rows["seat"].to_list()
            found[place] = own[place % len(own)]
    return found


def used(tables: Tables, chosen: Mapping[int, int]) -> dict[tuple[str, str], set[int]]:
    found: dict[tuple[str, str], set[int]] = {}
    for game, seat, group, thing in tables.firsts.select(
            "game", "seat", "group", "thing").iter_rows():
        if chosen.get(game) == seat:
            found.setdefault((group, thing), set()).add(game)
    return found


def beside_claims(found: Sequence[Beside]) -> Iterator[Claim]:
    for one in found:
        say = percent if one.is_share else number
        scale = 0.1 if one.is_share else 0.2 * max(abs(one.bots.effect), 1e-9)
        yield Claim(f"people-{one.id}", one.arm, one.gap,
                    f"{one.words[:1].upper()}{one.words[1:]} is {say(one.people.effect)} among "
                    f"people and {say(one.bots.effect)} among bots.", 0.0, scale,
                    "Bots say what is possible; where people differ, trust people.", one.unit)


# Strength ----------------------------------------------------------------------------------------

def pair_wins(seats: pl.DataFrame, names: Sequence[str]) -> np.ndarray:
    """How often each beat each other at one table; a game counts once, whatever its seats."""
    wins = np.zeros((len(names), len(names)))
    for _, rows in seats.group_by("arm", "game", maintain_order=True):
        sat = [(PEOPLE if bot == SAT_THERE else bot, won)
               for bot, won in rows.select("bot", "share").iter_rows()]
        pairs = [(a, b) for a, b in itertools.combinations(sat, 2)
                 if a[0] != b[0] and a[0] in names and b[0] in names]
        for (first, won), (second, lost) in pairs:
            i, j = names.index(first), names.index(second)
            part = 0.5 + 0.5 * ((won > lost) - (won < lost))
            wins[i, j] += part / len(pairs)
            wins[j, i] += (1 - part) / len(pairs)
    return wins


def strength(game: Game, content: Content, seats: pl.DataFrame) -> list[Rating]:
    """People on the ladder of the bots they met, best first; empty when they met none."""
    bots = [name for name in dict.fromkeys(seats["bot"].to_list()) if name and name != SAT_THERE]
    names = [*bots, PEOPLE]
    wins = pair_wins(seats, names)
    if len(names) < 2 or not wins[-1].sum() + wins[:, -1].sum():
        return []
    connected = [k for k in range(len(names)) if wins[k].sum() + wins[:, k].sum() > 0]
    ladder = Ladder(game, content, [names[k] for k in connected])
    ladder.wins = wins[np.ix_(connected, connected)]
    low, high = people_bounds(ladder.wins)
    return [replace(one, low=min(one.low, low), high=max(one.high, high))
            if one.name == PEOPLE else one for one in ladder.ratings()]


def people_bounds(wins: np.ndarray) -> tuple[float, float]:
    """Where people, the last, would stand by either end of what they may win against each bot;
    after a few games, all won or all lost, that is far from what they did win.
    """
    found = []
    for end in ("low", "high"):
        moved = wins.copy()
        for bot in range(len(wins) - 1):
            met = wins[-1, bot] + wins[bot, -1]
            if met:
                moved[-1, bot] = met * getattr(share(wins[-1, bot], met), end)
                moved[bot, -1] = met - moved[-1, bot]
        found.append(float(rate(moved)[-1]))
    return found[0], found[1]
