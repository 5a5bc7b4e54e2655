"""Claims about a run: what could be wrong with any game, tested on the tables.

Each function looks at one rung and yields claims. Dead content is counted rather than tested, and
becomes a finding directly. Nothing here depends on a particular game.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from exchequer.core.measures import Measures
from exchequer.lab.findings import SURE, Claim, Finding, strength
from exchequer.lab.statistics import (
    Estimate,
    by_deal,
    difference,
    luck_beyond,
    mean_beyond,
    share,
    share_beyond,
    within,
)
from exchequer.lab.tables import Tables
from exchequer.lab.words import capital, listed, percent, seat_name

DEAD = 0.01  # content used in a smaller share of a seat's games than this is nearly dead
STAPLE = 0.97
ENDLESS = 0.0005
DRAWS = 0.05
RUNAWAY = 0.8
SETTLED_EARLY = 0.5
EMPTY = 0.5
RETURNS = 0.01
LUCK = 0.5
KINGMAKING = 0.01
PAYS = 0.05  # a stronger bot should win at least this much more than an even share
TOO_HARD, TOO_EASY = 0.05, 0.95


@dataclass(frozen=True)
class Rung:
    """One line-up of a run and what it recorded."""

    name: str
    bots: tuple[str, ...]
    tables: Tables
    measures: Measures
    again: Tables | None = None  # the same deals with different policy seeds

    @property
    def seats(self) -> int:
        return len(self.bots)

    @property
    def is_mixed(self) -> bool:
        return len(set(self.bots)) > 1


Test = Callable[[pl.DataFrame], Estimate]


def halves(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The deals on which a claim is tested first, and the fresh ones."""
    half = (int(frame["deal"].max() or 0) + 1) // 2  # type: ignore[arg-type]
    return frame.filter(pl.col("deal") < half), frame.filter(pl.col("deal") >= half)


def claim(rung: Rung, name: str, frame: pl.DataFrame, test: Test,
          text: Callable[[Estimate], str], **more: object) -> Claim:
    first, fresh = halves(frame)
    return Claim(name, rung.name, test(frame), test(first), test(fresh), text,
                 **more)  # type: ignore[arg-type]


def all_claims(rung: Rung) -> Iterator[Claim]:
    if rung.is_mixed:
        yield from skill(rung)
        return
    if rung.seats > 1:
        yield from seat_advantage(rung)
        yield from draws(rung)
        yield from runaway(rung)
        yield from settled_early(rung)
    else:
        yield from difficulty(rung)
    if rung.seats > 2:
        yield from kingmaking(rung)
    yield from endless(rung)
    yield from returning(rung)
    yield from empty_decisions(rung)
    yield from luck(rung)


# Seats and skill ---------------------------------------------------------------------------------

def seat_advantage(rung: Rung) -> Iterator[Claim]:
    even = 1 / rung.seats
    for seat in range(1 if rung.seats == 2 else rung.seats):
        frame = rung.tables.seats.filter(pl.col("seat") == seat)

        def text(estimate: Estimate, seat: int = seat) -> str:
            more = "more" if estimate.effect > even else "less"
            return (f"{capital(seat_name(seat, rung.seats))} wins {more} than its share: "
                    f"{percent(estimate.effect)} of games between identical {rung.name} bots "
                    f"instead of {percent(even)}.")

        yield claim(rung, f"seat-{seat}", frame,
                    lambda part: share(part["share"].sum(), len(part), even), text, null=even,
                    scale=0.05, advice="Compensate the weaker seat, or change who starts.")


def skill(rung: Rung) -> Iterator[Claim]:
    """The stronger of two bots should win; it is a finding when it does not."""
    best = max(range(rung.seats), key=lambda bot: strength(rung.bots[bot]))
    others = listed(sorted(set(rung.bots) - {rung.bots[best]}))
    even = 1 / rung.seats
    frame = rung.tables.seats.filter(pl.col("entrant") == best)

    def test(part: pl.DataFrame) -> Estimate:
        shares = by_deal(part["share"].to_numpy(), part["deal"].to_numpy())
        return within(mean_beyond(shares, even + PAYS, False), 0.0, 1.0)

    yield claim(rung, f"skill-{rung.name.replace(' ', '-')}", frame, test,
                lambda e: f"Skill hardly pays: {rung.bots[best]} wins only "
                          f"{percent(e.effect)} against {others} on the same deals, where "
                          f"{percent(even)} is even.", null=even + PAYS, scale=0.2,
                advice="Either there is little to plan, or the bots misjudge this game.")


def difficulty(rung: Rung) -> Iterator[Claim]:
    """Only for bots that look ahead: random play should hardly ever win."""
    if rung.bots[0] == "random":
        return
    frame = rung.tables.seats
    yield claim(rung, "too-hard", frame,
                lambda part: share_beyond(part["share"].sum(), len(part), TOO_HARD, False),
                lambda e: f"The game is hardly ever won: {rung.name} wins {percent(e.effect, 2)} "
                          "of its runs.", null=TOO_HARD, scale=0.025,
                advice="See where runs end, and make that part easier.")
    yield claim(rung, "too-easy", frame,
                lambda part: share_beyond(part["share"].sum(), len(part), TOO_EASY),
                lambda e: f"The game is hardly ever lost: {rung.name} wins {percent(e.effect)} of "
                          "its runs.", null=TOO_EASY, scale=0.025)


def luck(rung: Rung) -> Iterator[Claim]:
    """The same deals played twice by the same bots with different policy seeds."""
    if rung.again is None:
        return
    outcome = "score" if rung.seats == 1 else "share"
    pairs = rung.again.seats.filter(pl.col("seat") == 0).join(
        rung.tables.seats.filter(pl.col("seat") == 0), on="deal", suffix="_main")
    if len(pairs) < 20:
        return

    yield claim(rung, "luck", pairs,
                lambda part: luck_beyond(part[f"{outcome}_main"].to_numpy().astype(float),
                                         part[outcome].to_numpy().astype(float), LUCK),
                lambda e: f"The deal decides a lot: it explains {percent(e.effect)} of the result "
                          f"when {rung.name} bots play the same deal again.",
                null=LUCK, scale=0.25)


# The course of a game ----------------------------------------------------------------------------

def draws(rung: Rung) -> Iterator[Claim]:
    yield claim(rung, "draws", rung.tables.games,
                lambda part: share_beyond(part["draw"].sum(), len(part), DRAWS),
                lambda e: f"Many games have no single winner: {percent(e.effect)} of games "
                          f"between {rung.name} bots end in a shared win.", null=DRAWS, scale=0.1,
                advice="A finer tie-breaker would decide them.")


def half_leader_wins(part: pl.DataFrame) -> tuple[float, int]:
    part = part.filter((pl.col("half_leader") >= 0) & (pl.col("winners") > 0))
    won = (part["winners"].to_numpy().astype(np.int64) >> part["half_leader"].to_numpy()) & 1
    return float((won / np.maximum(1, popcount(part["winners"].to_numpy()))).sum()), len(part)


def popcount(masks: np.ndarray) -> np.ndarray:
    return sum((masks.astype(np.int64) >> bit) & 1 for bit in range(8))  # type: ignore[return-value]


def runaway(rung: Rung) -> Iterator[Claim]:
    yield claim(rung, "runaway", rung.tables.games,
                lambda part: share_beyond(*half_leader_wins(part), RUNAWAY),
                lambda e: f"The leader runs away with the game: whoever is ahead at half-time wins "
                          f"{percent(e.effect)} of games between {rung.name} bots.",
                null=RUNAWAY, scale=0.1,
                advice="Help those who are behind, or make the game shorter, to keep it open.")


def settled_share(part: pl.DataFrame) -> np.ndarray:
    part = part.filter(~pl.col("draw") & (pl.col("turns") > 1) & (pl.col("winners") > 0))
    return np.clip((part["settled"] / part["turns"]).to_numpy(), 0.0, 1.0)


def settled_early(rung: Rung) -> Iterator[Claim]:
    turns = rung.measures.turns
    yield claim(rung, "settled-early", rung.tables.games,
                lambda part: mean_beyond(settled_share(part), SETTLED_EARLY, False),
                lambda e: f"Games are decided early: on average the winner takes the lead for good "
                          f"after {percent(e.effect, 0)} of the {turns} between {rung.name} bots.",
                null=SETTLED_EARLY, scale=0.15,
                advice="The rest of the game is played without any doubt about its result.")


def endless(rung: Rung) -> Iterator[Claim]:
    yield claim(rung, "endless", rung.tables.games,
                lambda part: share_beyond((part["ending"] == "unfinished").sum(), len(part),
                                          ENDLESS),
                lambda e: f"Some games do not end: {percent(e.effect, 2)} of those between "
                          f"{rung.name} bots were stopped at the limit on decisions.",
                null=ENDLESS, scale=0.005, advice="Watch the replay of the longest game.")


def returning(rung: Rung) -> Iterator[Claim]:
    yield claim(rung, "loop", rung.tables.games,
                lambda part: share_beyond((part["revisits"] > 3).sum(), len(part), RETURNS),
                lambda e: f"Play can go round in circles: in {percent(e.effect)} of games between "
                          f"{rung.name} bots the same position came back again and again.",
                null=RETURNS, scale=0.05,
                advice="A move that costs nothing, or that another move takes back, invites this.")


def empty_decisions(rung: Rung) -> Iterator[Claim]:
    def test(part: pl.DataFrame) -> Estimate:
        part = part.filter(pl.col("weighed") > 0)
        return mean_beyond((part["mattered"] / part["weighed"]).to_numpy(), EMPTY, False)

    yield claim(rung, "empty-decisions", rung.tables.games, test,
                lambda e: f"Many decisions do not matter: in {percent(1 - e.effect, 0)} of those "
                          f"that {rung.name} bots face, the options differ by less than two "
                          "percentage points of winning chance.", null=EMPTY, scale=0.25)


def kingmaking(rung: Rung) -> Iterator[Claim]:
    def test(part: pl.DataFrame) -> Estimate:
        part = part.filter(pl.col("weighed") > 0)
        return mean_beyond((part["kingmade"] / part["weighed"]).to_numpy(), KINGMAKING)

    yield claim(rung, "kingmaking", rung.tables.games, test,
                lambda e: f"Losers choose the winner: {percent(e.effect)} of decisions change who "
                          f"leads although the {rung.name} bot that makes them has no chance.",
                null=KINGMAKING, scale=0.02)


# What skill changes -------------------------------------------------------------------------------

def skill_changes(weaker: Rung, stronger: Rung) -> Iterator[Claim]:
    """How the game between stronger bots differs from the game between weaker ones."""
    turns = rung_values(weaker, stronger, pl.col("turns"))
    was, now = (float(values.mean()) for values in turns)
    yield between(weaker, stronger, "skill-length", turns, max(was, now) * 0.25, "turns",
                  f"Better play makes the game {'longer' if now > was else 'shorter'}: {now:.1f} "
                  f"{stronger.measures.turns} between {stronger.name} bots, {was:.1f} between "
                  f"{weaker.name} bots.")
    for ending in sorted(set(stronger.tables.games["ending"]) | set(weaker.tables.games["ending"])):
        shares = rung_values(weaker, stronger, pl.col("ending") == ending)
        was, now = (float(values.mean()) for values in shares)
        if now > was:
            yield between(weaker, stronger, f"skill-ending-{ending}", shares, 0.25, "share",
                          f"Better play ends differently: {percent(now)} of games between "
                          f"{stronger.name} bots end with \"{ending.replace('_', ' ')}\", "
                          f"{percent(was)} between {weaker.name} bots.")


def rung_values(weaker: Rung, stronger: Rung, column: pl.Expr) -> tuple[np.ndarray, np.ndarray]:
    a, b = (rung.tables.games.select(column.cast(pl.Float64).alias("value"))["value"].to_numpy()
            for rung in (weaker, stronger))
    return a, b


def between(weaker: Rung, stronger: Rung, name: str, values: tuple[np.ndarray, np.ndarray],
            scale: float, unit: str, text: str) -> Claim:
    a, b = values
    found = difference(a[: len(a) // 2], b[: len(b) // 2])
    fresh = difference(a[len(a) // 2:], b[len(b) // 2:])
    return Claim(name, stronger.name, difference(a, b), found, fresh, lambda _: text, 0.0, scale,
                 unit=unit, advice="What is balanced for one level need not be for the other.")


# Dead content ------------------------------------------------------------------------------------

def usage(rung: Rung, group: str) -> dict[str, Estimate]:
    """For each thing, the share of games in which a seat used it, over all seats."""
    cards = rung.tables.cards.filter(pl.col("group") == group)
    totals = cards.group_by("thing", maintain_order=True).agg(
        pl.col("games").sum(), pl.col("all_games").sum())
    return {thing: share(games, n) for thing, games, n in totals.iter_rows()}


def dead_content(rungs: list[Rung]) -> Iterator[Finding]:
    """Things that no bot ever uses, and those that the strongest bots hardly use."""
    best, plain = rungs[-1], [rung for rung in rungs if not rung.is_mixed]
    for group in best.measures.uses:
        by_rung = {rung.name: usage(rung, group) for rung in plain}
        things = list(by_rung[plain[-1].name])
        dead = [t for t in things if all(used[t].effect == 0 for used in by_rung.values())]
        rare = [t for t in things if t not in dead and by_rung[plain[-1].name][t].high < DEAD]
        n = sum(used[things[0]].n for used in by_rung.values()) if things else 0
        if dead:
            yield content_finding("dead", group, dead, len(things), share(0, n),
                                  f"were never used by any bot, in {n} seat-games")
        if rare:
            most = max((by_rung[plain[-1].name][t] for t in rare), key=lambda e: e.high)
            yield content_finding("rare", group, rare, len(things), most,
                                  f"are used by {plain[-1].name} bots in less than "
                                  f"{percent(DEAD, 0)} of their games")
        staples = [t for t in things if all(by_rung[rung.name][t].low > STAPLE for rung in plain
                                            if rung.bots[0] != "random")]
        if 0 < len(staples) <= len(things) // 3 and len(plain) > 1:
            least = min((by_rung[plain[-1].name][t] for t in staples), key=lambda e: e.low)
            yield content_finding("staple", group, staples, len(things), least,
                                  "are used in nearly every game by every bot that looks ahead")


def content_finding(kind: str, group: str, things: list[str], of: int, estimate: Estimate,
                    what: str) -> Finding:
    weight = {"dead": 1.5, "rare": 0.8, "staple": 0.4}[kind]
    plain = group.replace("_", " ")
    return Finding(f"{kind}-{plain.replace(' ', '-')}",
                   f"{capital(plain)}: {len(things)} of {of} {what}: {listed(things)}.",
                   estimate.effect, estimate.low, estimate.high, estimate.n,
                   weight * (0.2 + len(things) / max(1, of)), advice={
                       "dead": "Either it is dead weight in the rules, or the bots fail to see "
                               "its use. 'lab cards' tells which.",
                       "rare": "'lab cards' tells whether they are weak or merely overlooked.",
                       "staple": "What everybody always does is not a choice."}[kind],
                   certainty=SURE)


def endings_never_seen(rungs: list[Rung], endings: list[str]) -> Iterator[Finding]:
    games = pl.concat([rung.tables.games.select("ending") for rung in rungs])
    missing = [e for e in endings if not (games["ending"] == e).sum()]
    if missing:
        bound = share(0, len(games))
        yield Finding("ending-never", f"No game ever ended by {listed(missing)}.", bound.effect,
                      bound.low, bound.high, bound.n, 0.15, certainty=SURE,
                      advice="A condition that is never met is either wasted rules text or a "
                             "safeguard that is rightly never needed.")


def repetitive(rungs: list[Rung]) -> Iterator[Finding]:
    """Bots that play the same few games over and over are weak evidence."""
    for rung in rungs:
        games = rung.tables.games
        different = games["path"].n_unique()
        if different < len(games) / 2:
            found = share(different, len(games))
            yield Finding(f"repetitive-{rung.name}",
                          f"{capital(rung.name)} bots repeat themselves: {different} different "
                          f"games among {len(games)}. Treat their figures as evidence from only "
                          "that many games.", found.effect, found.low, found.high, len(games),
                          0.5, rung.name, certainty=SURE)
