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
from exchequer.lab.statistics import Estimate, beyond, mean, within
from exchequer.lab.stories.courses import EARLY, told_games, turn_at, when
from exchequer.lab.stories.spirals import slug
from exchequer.lab.witnesses import most
from exchequer.lab.words import capital, listed, percent

MOST_STYLES = 4
RARE = 0.05  # things, and styles, that fewer seats have are left out
TYPICAL = 0.25  # how much more often a style does what it is named for
TIGHT = 0.2  # of the variance that styles have to explain
LEAST = 30  # seats on either side of a comparison


@dataclass(frozen=True)
class Contest:
    """What seats win that opened in one way, and the same seats that opened in another."""

    won: float
    others: float
    gap: Estimate  # in between, from game to game


@dataclass(frozen=True)
class Styles:
    """Who played how: names, and for each game and seat a style and a share of the win."""

    names: list[str]
    rows: pl.DataFrame  # game, deal, seat, style, share

    def against_all(self, style: int) -> Contest | None:
        """A style, and every other one in the same seats."""
        return contest(self.rows.with_columns(mine=pl.col("style") == style))

    def against(self, style: int, other: int) -> Contest | None:
        """Only games in which both sit at the table."""
        met = self.rows.filter((pl.col("style") == style).any().over("game")
                               & (pl.col("style") == other).any().over("game")
                               & pl.col("style").is_in([style, other]))
        return contest(met.with_columns(mine=pl.col("style") == style))

    def shown(self, style: int, wins: bool) -> int:
        """A game in which it meets another style, and wins or loses."""
        rows = self.rows.filter((pl.col("style") != style).any().over("game")
                                & (pl.col("style") == style))
        return most(rows, "share", least=not wins)


def contest(rows: pl.DataFrame) -> Contest | None:
    """Seat by seat, so that a good seat is not taken for a good opening.

    A seat weighs as much as both sides sit there; None where they hardly do. Every game counts
    once, with what its seats add to the gap.
    """
    sides = rows.group_by("seat", "mine").agg(n=pl.len(), usual=pl.col("share").mean())
    by_seat = sides.filter("mine").join(sides.filter(~pl.col("mine")), on="seat", suffix="_other")
    weight = pl.col("n") * pl.col("n_other") / (pl.col("n") + pl.col("n_other"))
    by_seat = by_seat.with_columns(weight=weight / weight.sum())
    if min(by_seat["n"].sum(), by_seat["n_other"].sum()) < LEAST:
        return None
    won, others = (float((by_seat["weight"] * by_seat[usual]).sum())
                   for usual in ("usual", "usual_other"))
    mine, other = (pl.col("weight") * (pl.col("share") - pl.col(usual)) / pl.col(n)
                   for usual, n in (("usual", "n"), ("usual_other", "n_other")))
    added = rows.join(by_seat.drop("mine", "mine_other"), on="seat").group_by(
        "game", maintain_order=True).agg(pl.when("mine").then(mine).otherwise(-other).sum()
                                         .alias("added"))["added"].to_numpy()
    gap = mean(won - others + len(added) * added, 0.0, 1.0)
    return Contest(won, others, within(gap, -1.0, 1.0))


def styles(rung: Rung) -> Iterator[Claim]:
    found = styles_of(rung)
    if found is None:
        return
    early = when(rung, turn_at(rung, EARLY))
    for style, name in enumerate(found.names):
        result = found.against_all(style)
        if result is None:
            continue
        goes = "winning" if result.gap.effect > 0 else "losing"
        yield Claim(f"style-{slug(name)}", rung.name, result.gap,
                    f"{capital(name)} {early} goes with {goes}: seats that open so win "
                    f"{percent(result.won)} of games between {rung.name} bots, the same seats "
                    f"{percent(result.others)} with another opening.", 0.0, 0.15,
                    unit="difference", family=STORY, topic=name,
                    game=found.shown(style, result.gap.effect > 0),
                    advice="What a seat does early may follow from good cards as well as bring "
                           "the win; forcing it tells which.")
        yield from dominant(rung, found, style, early)


def dominant(rung: Rung, found: Styles, style: int, early: str) -> Iterator[Claim]:
    """A style that beats every other one; where one of them sits elsewhere, nobody knows."""
    results = {other: result for other in range(len(found.names))
               if other != style and (result := found.against(style, other))}
    if not 2 <= len(results) == len(found.names) - 1:
        return
    tested = [beyond(result.gap, 2 * PAYS) for result in results.values()]
    best = min(results, key=lambda other: results[other].gap.effect)
    least = results[best]
    yield Claim(f"dominant-style-{slug(found.names[style])}", rung.name,
                replace(least.gap, p=max(tested)),
                f"One opening dominates: {found.names[style]} {early} beats every other opening "
                f"between {rung.name} bots; against {found.names[best]}, which does best, it wins "
                f"{percent(least.won)} of games and the other, in the same seats, "
                f"{percent(least.others)}.", 2 * PAYS, 0.2,
                unit="difference", family=STORY, topic=found.names[style],
                game=found.shown(style, True))


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
    return Styles(names_of(did, labels, things), shares.with_columns(style=pl.Series(labels)))


def early_things(rung: Rung) -> tuple[np.ndarray, list[str]]:
    """By game and seat: which of the things that seats differ in were used early.

    What always goes together (a card, and the action that plays it) counts once. Where the game
    says what can be chosen (its levers), what follows by itself, such as an ability, is left out.
    """
    early, games = turn_at(rung, EARLY), told_games(rung)
    chosen = set(rung.measures.uses) & set(rung.measures.levers) or set(rung.measures.uses)
    used = rung.tables.firsts.filter(
        (pl.col("turn") < early) & pl.col("group").is_in(sorted(chosen))).select(
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
        does = sorted(things[k] for k in order[:2] if more[k] > TYPICAL)
        leaves = sorted(things[k] for k in order[::-1][:2] if more[k] < -TYPICAL)
        left = f"no {listed(leaves, last='or')}" if leaves else "a mixture"
        names.append(listed(does) if does else left)
    return names


def meetings(found: Styles) -> list[list[Contest | None]]:
    """For each style what it wins against each other one."""
    styles = range(len(found.names))
    return [[found.against(a, b) if a != b else None for b in styles] for a in styles]
