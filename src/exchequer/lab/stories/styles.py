"""Styles: seats grouped by what they did early; which group wins, and against which.

The groups are made from the first quarter of the game and never from who won, so the wins can be
tested as if somebody else had drawn the groups.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from exchequer.lab.claims import PAYS, Rung
from exchequer.lab.findings import STORY, Claim
from exchequer.lab.statistics import Estimate, mean, mean_beyond, within
from exchequer.lab.stories.courses import EARLY, told_games, turn_at, when
from exchequer.lab.stories.spirals import slug
from exchequer.lab.witnesses import most
from exchequer.lab.words import capital, listed, percent

MOST_STYLES = 4
RARE = 0.05  # things, and styles, that fewer seats have are left out
TYPICAL = 0.25  # how much more often a style does what it is named for
TIGHT = 0.2  # of the variance that styles have to explain


@dataclass(frozen=True)
class Styles:
    """Who played how: names, and for each game and seat a style and a share of the win."""

    names: list[str]
    rows: pl.DataFrame  # game, deal, seat, style, share; the seat's usual share is taken out

    def met(self, style: int, other: int | None = None) -> np.ndarray:
        """By game: the style's share where it meets another, or any other."""
        against = (pl.col("style") != style) if other is None else pl.col("style") == other
        there = self.rows.filter((pl.col("style") == style).any().over("game")
                                 & against.any().over("game") & (pl.col("style") == style))
        return there.group_by("game", maintain_order=True).agg(
            pl.col("share").mean())["share"].to_numpy()

    def shown(self, style: int, wins: bool) -> int:
        """A game in which it meets another style, and wins or loses."""
        rows = self.rows.filter((pl.col("style") != style).any().over("game")
                                & (pl.col("style") == style))
        return most(rows, "share", least=not wins)


def styles(rung: Rung) -> Iterator[Claim]:
    found = styles_of(rung)
    if found is None:
        return
    even, early = 1 / rung.seats, when(rung, turn_at(rung, EARLY))
    for style, name in enumerate(found.names):
        shares = found.met(style)
        if len(shares) < 30:
            continue
        won = within(mean(shares, even, 1.0), 0.0, 1.0)
        more = "more" if won.effect > even else "less"
        yield Claim(f"style-{slug(name)}", rung.name, won,
                    f"{capital(name)} {early} wins {more} than its share: {percent(won.effect)} "
                    f"of games against other openings between {rung.name} bots instead of "
                    f"{percent(even)}.", even, 0.15, family=STORY, topic=name,
                    game=found.shown(style, won.effect > even),
                    advice="What a seat does early may follow from good cards as well as bring "
                           "the win; forcing it tells which.")
        yield from dominant(rung, found, style, early)


def dominant(rung: Rung, found: Styles, style: int, early: str) -> Iterator[Claim]:
    """A style that beats every other one that it meets."""
    bound = 1 / rung.seats + PAYS
    results = [mean_beyond(shares, bound, True, 1.0) for other in range(len(found.names))
               if other != style and len(shares := found.met(style, other)) >= 30]
    if len(results) < 2:
        return
    least = min(results, key=lambda one: one.effect)
    least = replace(within(least, 0.0, 1.0), p=max(one.p for one in results))
    yield Claim(f"dominant-style-{slug(found.names[style])}", rung.name, least,
                f"One opening dominates: {found.names[style]} {early} beats every other opening "
                f"that it meets between {rung.name} bots, and wins {percent(least.effect)} "
                "against the one that does best.", bound, 0.1, family=STORY,
                topic=found.names[style], game=found.shown(style, True))


def styles_of(rung: Rung) -> Styles | None:
    """None where seats do not differ early."""
    if rung.seats == 1:
        return None
    did, things = early_things(rung)
    if not len(things):
        return None
    labels = groups(did)
    if labels is None:
        return None
    shares = rung.tables.seats.join(told_games(rung).select("game"), on="game", how="semi").sort(
        "game", "seat").select("game", "deal", "seat", "share")
    rows = shares.with_columns(
        style=pl.Series(labels),
        share=pl.col("share") - pl.col("share").mean().over("seat") + 1 / rung.seats)
    return Styles(names_of(did, labels, things), rows)


def early_things(rung: Rung) -> tuple[np.ndarray, list[str]]:
    """By game and seat: which of the things that seats differ in were used early.

    What always goes together (a card, and the action that plays it) counts once.
    """
    early, games = turn_at(rung, EARLY), told_games(rung)
    used = rung.tables.firsts.filter(pl.col("turn") < early).select(
        "game", "seat", name=pl.col("thing").str.replace_all("[_:]", " ")).unique()
    row_of = {game: place for place, game in enumerate(games["game"].sort())}
    things = sorted(used["name"].unique(), key=lambda name: (len(name), name))
    did = np.zeros((len(row_of) * rung.seats, len(things)), bool)
    for game, seat, name in used.iter_rows():
        did[row_of[game] * rung.seats + seat, things.index(name)] = True
    differ = (did.mean(0) > RARE) & (did.mean(0) < 1 - RARE)
    for k in range(1, len(things)):
        differ[k] &= not (did[:, :k] == did[:, [k]]).all(0).any()
    return did[:, differ], [name for name, keep in zip(things, differ, strict=True) if keep]


def groups(did: np.ndarray) -> np.ndarray | None:
    """The finest grouping that every group of is large enough and that explains enough."""
    from scipy.cluster.vq import kmeans2

    data, best = did.astype(float), None
    whole = ((data - data.mean(0)) ** 2).sum()
    for count in range(2, MOST_STYLES + 1):
        if len(np.unique(did, axis=0)) < count:
            break
        centres, labels = kmeans2(data, count, minit="++", seed=0)
        explained = 1 - ((data - centres[labels]) ** 2).sum() / whole
        sizes = np.bincount(labels, minlength=count) / len(labels)
        if sizes.min() >= RARE and explained >= TIGHT:
            best = labels
    return best


def names_of(did: np.ndarray, labels: np.ndarray, things: list[str]) -> list[str]:
    """By what each group does more often than the rest, or by what it leaves."""
    names = []
    for style in range(labels.max() + 1):
        more = did[labels == style].mean(0) - did[labels != style].mean(0)
        order = np.argsort(-more)
        does = [things[k] for k in order[:2] if more[k] > TYPICAL]
        leaves = [things[k] for k in order[::-1][:2] if more[k] < -TYPICAL]
        names.append(listed(does) if does else f"no {listed(leaves)}" if leaves else "a mixture")
    return names


def meetings(found: Styles, even: float) -> list[list[Estimate | None]]:
    """For each style what it wins against each other one."""
    return [[within(mean(shares, even, 1.0), 0.0, 1.0)
             if a != b and len(shares := found.met(a, b)) >= 30 else None
             for b in range(len(found.names))] for a in range(len(found.names))]
