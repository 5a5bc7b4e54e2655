"""Claims about a run: what could be wrong with any game, tested on the tables.

Each function looks at one rung and yields claims. Dead content is counted rather than tested, and
becomes a finding directly. Nothing here depends on a particular game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from exchequer.core.measures import Measures
from exchequer.lab import metrics
from exchequer.lab.company import company
from exchequer.lab.fair_race import Race, fair_race
from exchequer.lab.findings import SURE, Claim, Finding
from exchequer.lab.statistics import (
    Estimate,
    beyond,
    by_deal,
    difference,
    luck_beyond,
    mean_beyond,
    share,
    share_beyond,
    within,
)
from exchequer.lab.tables import Tables
from exchequer.lab.witnesses import clearest, decided_first, first, most, with_margins
from exchequer.lab.words import capital, listed, number, percent, seat_name

DEAD = 0.01  # content used in a smaller share of a seat's games than this is nearly dead
STAPLE = 0.97
ENDLESS = 0.0005
DRAWS = 0.05
RUNAWAY = 0.8
BEYOND_A_RACE = 0.1  # how much sooner than a fair race a game may be decided
EMPTY = 0.5
RETURNS = 0.01
LUCK = 0.5
KINGMAKING = 0.01
COALITION = 0.1  # how much more than others two seats may have to do with each other
ENDINGS_ALIKE, LENGTH_ALIKE = 0.05, 0.1  # what better play may change without a word
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

    @property
    def between(self) -> str:
        """`between hard bots`, `with hard bots` in a solo game."""
        return f"{'between' if self.seats > 1 else 'with'} {self.name} bots"

    @property
    def race(self) -> Race:
        """A fair race of as many turns."""
        return fair_race(self.seats, max(2, int(self.tables.games["turns"].median() or 2)))  # type: ignore[arg-type]


def all_claims(rung: Rung) -> Iterator[Claim]:
    if rung.is_mixed:
        yield from skill(rung)
        return
    if rung.seats > 1:
        yield from seat_advantage(rung)
        yield from draws(rung)
        yield from runaway(rung)
        yield from hollow_lead(rung)
        yield from settled_early(rung)
    else:
        yield from difficulty(rung)
    if rung.seats > 2:
        yield from kingmaking(rung)
        yield from coalitions(rung)
    yield from endless(rung)
    yield from returning(rung)
    yield from empty_decisions(rung)
    yield from luck(rung)


# Seats and skill ---------------------------------------------------------------------------------

def seat_advantage(rung: Rung) -> Iterator[Claim]:
    even, margins = 1 / rung.seats, with_margins(rung.tables.seats)
    for seat in range(1 if rung.seats == 2 else rung.seats):
        rows = margins.filter(pl.col("seat") == seat)
        found = share(rows["share"].sum(), len(rows), even)
        more = "more" if found.effect > even else "less"
        yield Claim(f"seat-{seat}", rung.name, found,
                    f"{capital(seat_name(seat, rung.seats))} wins {more} than its share: "
                    f"{percent(found.effect)} of games between identical {rung.name} bots "
                    f"instead of {percent(even)}.", null=even, scale=0.05,
                    advice="Compensate the weaker seat, or change who starts.",
                    game=clearest(rows, found.effect > even))


def skill(rung: Rung) -> Iterator[Claim]:
    """The better of two bots should win clearly; it is a finding when it does not."""
    even, by_bot = 1 / rung.seats, {}
    for bot in dict.fromkeys(rung.bots):
        rows = rung.tables.seats.filter(pl.col("bot") == bot)
        by_bot[bot] = by_deal(rows["share"].to_numpy(), rows["deal"].to_numpy())
    best = max(by_bot, key=lambda bot: by_bot[bot].mean())
    others = listed(sorted(set(rung.bots) - {best}))
    found = within(mean_beyond(by_bot[best], even + PAYS, False), 0.0, 1.0)
    yield Claim(f"skill-{rung.name.replace(' ', '-')}", rung.name, found,
                f"Skill hardly pays: a seat of {best}, the better one, wins only "
                f"{percent(found.effect)} against {others} with the same cards and dice, where "
                f"{percent(even)} is even.", null=even + PAYS, scale=0.2,
                advice="Either there is little to plan, or the bots misjudge this game.")


def difficulty(rung: Rung) -> Iterator[Claim]:
    """Only for bots that look ahead: random play should hardly ever win."""
    if rung.bots[0] == "random":
        return
    won, n = rung.tables.seats["share"].sum(), len(rung.tables.seats)
    hard, easy = share_beyond(won, n, TOO_HARD, False), share_beyond(won, n, TOO_EASY)
    yield Claim("too-hard", rung.name, hard, f"The game is hardly ever won: {rung.name} wins "
                f"{percent(hard.effect, 2)} of its runs.", null=TOO_HARD, scale=0.025,
                advice="See where runs end, and make that part easier.",
                game=most(rung.tables.seats.filter(pl.col("share") == 0), "score"))
    yield Claim("too-easy", rung.name, easy, f"The game is hardly ever lost: {rung.name} wins "
                f"{percent(easy.effect)} of its runs.", null=TOO_EASY, scale=0.025,
                game=most(rung.tables.seats.filter(pl.col("share") > 0), "score", least=True))


def luck(rung: Rung) -> Iterator[Claim]:
    """The same deals played twice by the same bots with different policy seeds."""
    if rung.again is None:
        return
    outcome = "score" if rung.seats == 1 else "share"
    pairs = rung.again.seats.filter(pl.col("seat") == 0).join(
        rung.tables.seats.filter(pl.col("seat") == 0), on="deal", suffix="_main")
    if len(pairs) < 20:
        return
    first, second = (pairs[name].rank().to_numpy()  # scores may explode
                     for name in (f"{outcome}_main", outcome))
    found = luck_beyond(first, second, LUCK)
    yield Claim("luck", rung.name, found, f"Luck decides a lot: cards and dice explain "
                f"{percent(found.effect)} of the result when {rung.name} bots meet the same ones "
                "again.", null=LUCK, scale=0.25)


# The course of a game ----------------------------------------------------------------------------

def draws(rung: Rung) -> Iterator[Claim]:
    games = rung.tables.games
    found = share_beyond(games["draw"].sum(), len(games), DRAWS)
    yield Claim("draws", rung.name, found, "Many games have no single winner: "
                f"{percent(found.effect)} of games between {rung.name} bots end in a shared win.",
                null=DRAWS, scale=0.1, advice="A finer tie-breaker would decide them.",
                game=first(games.filter("draw")))


def half_leader_wins(games: pl.DataFrame) -> tuple[float, int]:
    won = metrics.values(games, metrics.LEADER_WINS)
    return float(won.sum()), len(won)


def runaway(rung: Rung) -> Iterator[Claim]:
    fair = rung.race.leader_wins
    bound = max(RUNAWAY, fair + PAYS)
    found = share_beyond(*half_leader_wins(rung.tables.games), bound)
    yield Claim("runaway", rung.name, found, "The leader runs away with the game: whoever is ahead "
                f"at half-time wins {percent(found.effect)} of games between {rung.name} bots; in "
                f"a race that luck alone decides it would be {percent(fair)}.",
                null=bound, scale=0.1,
                advice="Help those who are behind, or make the game shorter, to keep it open.",
                game=decided_first(rung.tables.games))


def hollow_lead(rung: Rung) -> Iterator[Claim]:
    """Being ahead at half-time is worth next to nothing, or less."""
    even, fair = 1 / rung.seats, rung.race.leader_wins
    found = share_beyond(*half_leader_wins(rung.tables.games), even + PAYS, False)
    yield Claim("hollow-lead", rung.name, found, "Being ahead at half-time means next to nothing: "
                f"whoever leads then wins {percent(found.effect)} of games between {rung.name} "
                f"bots, and any seat would win {percent(even, 0)}; in a race that luck alone "
                f"decides it would be {percent(fair, 0)}.", null=even + PAYS, scale=0.05,
                advice="Either the first half hardly counts, or whoever is ahead is held back, or "
                       "the evaluation overlooks what counts; watch such a leader lose.",
                game=first(rung.tables.games.filter(metrics.LEADER_WINS == 0)))


def settled_early(rung: Rung) -> Iterator[Claim]:
    fair = rung.race.settled
    found = mean_beyond(metrics.values(rung.tables.games, metrics.SETTLED), fair - BEYOND_A_RACE,
                        False)
    yield Claim("settled-early", rung.name, within(found, 0.0, 1.0), "Games are decided early: on "
                f"average the winner takes the lead for good after {percent(found.effect, 0)} of "
                f"the {rung.measures.turns} between {rung.name} bots; in a race that luck alone "
                f"decides it would be {percent(fair, 0)}.", null=fair - BEYOND_A_RACE, scale=0.15,
                advice="Give those who are behind something that can still turn the game.",
                game=decided_first(rung.tables.games))


def endless(rung: Rung) -> Iterator[Claim]:
    games = rung.tables.games
    found = share_beyond((games["ending"] == "unfinished").sum(), len(games), ENDLESS)
    yield Claim("endless", rung.name, found, "Some games do not end: "
                f"{percent(found.effect, 2)} of those {rung.between} were stopped at the limit on "
                "decisions.",
                null=ENDLESS, scale=0.005, advice="Watch the replay of the longest game.",
                game=most(games, "steps"))


def returning(rung: Rung) -> Iterator[Claim]:
    games = rung.tables.games
    found = share_beyond((games["revisits"] > 3).sum(), len(games), RETURNS)
    yield Claim("loop", rung.name, found, f"Play can go round in circles: in "
                f"{percent(found.effect)} of games {rung.between} the same position came back "
                "again and again.", null=RETURNS, scale=0.05,
                advice="A move that costs nothing, or that another move takes back, invites this.",
                game=most(games, "revisits"))


def empty_decisions(rung: Rung) -> Iterator[Claim]:
    found = mean_beyond(metrics.values(rung.tables.games, metrics.MATTERING), EMPTY, False)
    yield Claim("empty-decisions", rung.name, within(found, 0.0, 1.0), "Many decisions do not "
                f"matter: only {percent(found.effect, 0)} of those that {rung.name} bots face make "
                "a difference of two points or more in how the position is valued.",
                null=EMPTY, scale=0.25, game=most(rung.tables.games, metrics.MATTERING, True))


def kingmaking(rung: Rung) -> Iterator[Claim]:
    found = mean_beyond(metrics.values(rung.tables.games, metrics.KINGMADE), KINGMAKING)
    yield Claim("kingmaking", rung.name, within(found, 0.0, 1.0), "Losers choose the winner: "
                f"{percent(found.effect)} of decisions change who leads although the {rung.name} "
                "bot that makes them is far behind.", null=KINGMAKING, scale=0.02,
                game=most(rung.tables.games, "kingmade"))


# Who keeps together ------------------------------------------------------------------------------

def coalitions(rung: Rung) -> Iterator[Claim]:
    """Two seats that deal or vote with each other more than the pairs that sit as far apart."""
    for (seat, other), deals, others in company(rung.tables, rung.seats, "deals"):
        yield together(rung, "deal", (seat, other), deals - others, float(others.mean()),
                       f"close {number(float(deals.mean()))} deals with each other in a game "
                       f"between identical {rung.name} bots; two who sit as far apart close "
                       f"{number(float(others.mean()))}", "deals")
    for (seat, other), alike, others in company(rung.tables, rung.seats, "alike"):
        yield together(rung, "vote", (seat, other), alike - others, float(others.mean()),
                       f"vote alike {percent(float(alike.mean()))} of the time between identical "
                       f"{rung.name} bots; two who sit as far apart do so "
                       f"{percent(float(others.mean()))}", "difference")


def together(rung: Rung, what: str, pair: tuple[int, int], beyond: np.ndarray, usual: float,
             text: str, unit: str) -> Claim:
    first, second = (seat_name(seat, rung.seats) for seat in pair)
    bound = COALITION * usual
    return Claim(f"coalition-{what}-{pair[0]}-{pair[1]}", rung.name, mean_beyond(beyond, bound),
                 f"{capital(first)} and {second} keep together: they {text}.", null=bound,
                 scale=max(usual, 0.01) / 2, unit=unit,
                 advice="What one of them has to offer the other, the rest should have, too.")


# What skill changes -------------------------------------------------------------------------------

def skill_changes(weaker: Rung, stronger: Rung) -> Iterator[Claim]:
    """How the game between stronger bots differs from the game between weaker ones."""
    turns = rung_values(weaker, stronger, pl.col("turns"))
    was, now = (float(values.mean()) for values in turns)
    games = stronger.tables.games
    longer = between(stronger, "skill-length", turns, max(was, now) * 0.25, "turns",
                     f"Better play makes the game {'longer' if now > was else 'shorter'}: "
                     f"{now:.1f} {stronger.measures.turns} {stronger.between}, "
                     f"{was:.1f} {weaker.between}.",
                     most(games, "turns", least=now < was))
    yield worth_a_word(longer, LENGTH_ALIKE * was)
    for ending in sorted(set(stronger.tables.games["ending"]) | set(weaker.tables.games["ending"])):
        shares = rung_values(weaker, stronger, pl.col("ending") == ending)
        was, now = (float(values.mean()) for values in shares)
        if now > was:
            ends = between(stronger, f"skill-ending-{ending}", shares, 0.25, "difference",
                            f"Better play ends differently: {percent(now)} of games "
                            f"{stronger.between} end with \"{ending.replace('_', ' ')}\", "
                            f"{percent(was)} {weaker.between}.",
                            first(games.filter(pl.col("ending") == ending)))
            yield worth_a_word(ends, ENDINGS_ALIKE)


def worth_a_word(claim: Claim, bound: float) -> Claim:
    """Only a difference above the bound, in either direction, is a finding."""
    sign, found = (1, claim.estimate) if claim.estimate.effect > 0 else (-1,
                                                                       claim.estimate.negative)
    return replace(claim, null=sign * bound, estimate=replace(claim.estimate,
                                                              p=beyond(found, bound)))


def rung_values(weaker: Rung, stronger: Rung, column: pl.Expr) -> tuple[np.ndarray, np.ndarray]:
    a, b = (metrics.values(rung.tables.games, column) for rung in (weaker, stronger))
    return a, b


def between(stronger: Rung, name: str, values: tuple[np.ndarray, np.ndarray], scale: float,
            unit: str, text: str, game: int) -> Claim:
    return Claim(name, stronger.name, difference(*values), text, 0.0, scale, unit=unit, game=game,
                 advice="What is balanced for one level need not be for the other.")


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
    every = {group: usage(plain[-1], group) for group in best.measures.uses}
    for group in best.measures.uses:
        by_rung = {rung.name: usage(rung, group) for rung in plain}
        things = [thing for thing in every[group] if not told_elsewhere(thing, group, every)]
        dead = [t for t in things if all(used[t].effect == 0 for used in by_rung.values())]
        rare = [t for t in things if t not in dead and by_rung[plain[-1].name][t].high < DEAD]
        n = sum(used[things[0]].n for used in by_rung.values()) if things else 0
        if dead:
            yield content_finding("dead", group, dead, len(things), share(0, n),
                                  f"were never used by any bot, in {number(n)} games"
                                  f"{' of a seat' if best.seats > 1 else ''}")
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


def told_elsewhere(thing: str, group: str, every: dict[str, dict[str, Estimate]]) -> bool:
    """`build:palace` is told as `palace`, the building: used as often, and so called."""
    return any(thing.endswith(f":{other}") and used == every[group][thing]
               for name, others in every.items() if name != group
               for other, used in others.items())


def content_finding(kind: str, group: str, things: list[str], of: int, estimate: Estimate,
                    what: str) -> Finding:
    weight = {"dead": 1.5, "rare": 0.8, "staple": 0.4}[kind]
    plain, names = group.replace("_", " "), [one.replace(":", " ") for one in things]
    if len(things) == 1:
        what = {"were": "was", "are": "is"}[what.split()[0]] + what[what.index(" "):]
    return Finding(f"{kind}-{plain.replace(' ', '-')}",
                   f"{capital(plain)}: {len(things)} of {of} {what}: {listed(names)}.",
                   estimate.effect, estimate.low, estimate.high, estimate.n,
                   weight * (0.2 + len(things) / max(1, of)), advice={
                       "dead": "Either it is dead weight in the rules, or the bots fail to see "
                               "its use; forcing it tells which.",
                       "rare": "Forcing them tells whether they are weak or merely overlooked.",
                       "staple": "What everybody always does is not a choice."}[kind],
                   things=tuple(things), certainty=SURE)


def endings_never_seen(rungs: list[Rung], endings: list[str]) -> list[str]:
    games = pl.concat([rung.tables.games.select("ending") for rung in rungs])
    return [ending for ending in endings if not (games["ending"] == ending).sum()]


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
                          0.1 if rung.is_mixed else 0.5, rung.name, certainty=SURE)
