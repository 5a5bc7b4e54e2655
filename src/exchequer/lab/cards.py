"""What cards and buildings are worth: the causal effect, and the naive one for comparison.

A bot that misuses a card is better off without it. So words such as "trap" need bots that agree;
where they do not, the finding is about the weaker bots.
"""

from dataclasses import dataclass
from typing import Any

import polars as pl

from exchequer.lab import levers
from exchequer.lab.arms import Arm
from exchequer.lab.findings import WEAKER, Finding, ranked
from exchequer.lab.folder import StudyRun
from exchequer.lab.levers import Trial, effect, game_changes, outcome_of
from exchequer.lab.next_steps import with_next_steps
from exchequer.lab.pages import SMALL, Section, figured, page, table
from exchequer.lab.plan import LineUp, Plan, PlanError, command_of
from exchequer.lab.plots import Dot, dots, legend
from exchequer.lab.statistics import (
    LEVEL,
    Estimate,
    benjamini_hochberg,
    mean,
    noticeable,
    share,
    within,
)
from exchequer.lab.tables import Tables
from exchequer.lab.words import (
    a_bot,
    capital,
    counted_seats,
    interval,
    listed,
    number,
    percent,
    points,
    signed,
)

WAYS = ("denied", "forced", "without")
HARDLY = 0.05  # what fewer games see used is forced before it is called weak
SERIOUS = 0.1  # change of win share that makes a card essential to the game
VERBS, EXPECTED = "actions", 0.5  # that nobody can do without an action is hardly news
MOST_DRAWN = 9  # trials in the picture beside the verdict
PROMISE = ("Each figure is the change in one bot's result compared with the same cards and dice, "
           "seat and opponents. Of all that is said here at most one sentence in twenty may be "
           "chance.")


@dataclass
class Worth:
    """One card or building, to one kind of bot."""

    bots: str
    group: str
    thing: str
    denied: Estimate | None = None  # loss when denied: free minus denied
    forced: Estimate | None = None  # gain when forced to use it once
    naive: Estimate | None = None  # win rate of its users minus that of the others
    could: float = 0.0  # share of games in which it could be forced
    used: Estimate | None = None  # by a free bot: share of its games
    shown: frozenset[str] = frozenset()  # which of the two hold after correction

    @property
    def is_unused(self) -> bool:
        return self.used is not None and self.used.high < HARDLY

    @property
    def per_use(self) -> Estimate | None:
        """The loss when denied, by games in which a free bot uses it: what users' wins show."""
        if self.denied is None or self.used is None or not self.used.effect:
            return None
        e, often = self.denied, self.used.effect
        return within(Estimate(e.effect / often, e.low / often, e.high / often, e.n), -1.0, 1.0)

    @property
    def comes_up(self) -> bool:
        """Whether it could be taken, or was used, in more than a few games."""
        return max(self.could, self.used.effect if self.used else 0.0) > HARDLY

    @property
    def sure(self) -> bool:
        return bool(self.shown)

    @property
    def name(self) -> str:
        return self.thing.replace("_", " ")


def arms(plan: Plan) -> list[Arm]:
    found = list(levers.arms(plan, WAYS))
    if not levers.trials(plan, WAYS):
        raise PlanError(f"{plan.title} declares no cards, buildings or actions to test.")
    return found


def naive_difference(base: Tables, group: str, thing: str) -> Estimate | None:
    rows = base.cards.filter((pl.col("group") == group) & (pl.col("thing") == thing))
    games, wins = int(rows["games"].sum()), float(rows["wins"].sum())
    others = int(rows["all_games"].sum()) - games
    if not games or not others:
        return None
    with_it = share(wins, games)
    without = share(float(rows["all_wins"].sum()) - wins, others)
    gap = with_it.effect - without.effect
    half = (with_it.half ** 2 + without.half ** 2) ** 0.5
    return within(Estimate(gap, gap - half, gap + half, games + others), -1.0, 1.0)


def usage(base: Tables, group: str, thing: str) -> Estimate | None:
    """In what share of its games a free bot uses it; None of what is not counted."""
    rows = base.cards.filter((pl.col("group") == group) & (pl.col("thing") == thing))
    return share(rows["games"].sum(), int(rows["all_games"].sum())) if len(rows) else None


def worths(plan: Plan, tables: Tables) -> list[Worth]:
    """Everything that was tried, weakest bots first, corrected for all of it."""
    found: list[Worth] = []
    tested: list[tuple[Worth, str, Estimate]] = []
    for lineup in levers.ordered(plan, tables):
        by_thing: dict[tuple[str, str], Worth] = {}
        for trial in levers.trials(plan, ("denied", "forced")):
            worth = by_thing.setdefault((trial.group, trial.thing),
                                        Worth(lineup.name, trial.group, trial.thing))
            tested.append((worth, trial.way, tried(plan, tables, lineup, trial, worth)))
        found += by_thing.values()
    corrected = benjamini_hochberg([estimate.p for _, _, estimate in tested])
    for (worth, way, _), p in zip(tested, corrected, strict=True):
        if p <= LEVEL:
            worth.shown |= {way}
    return found


def tried(plan: Plan, tables: Tables, lineup: LineUp, trial: Trial, worth: Worth) -> Estimate:
    """Write what a trial found into the worth."""
    base, held = (tables.of(levers.arm_name(lineup, arm)) for arm in (levers.FREE_ARM, trial.arm))
    estimate = effect(base, held, outcome_of(plan.seats))
    if trial.way == "denied":
        worth.denied = estimate.negative
        worth.naive = naive_difference(base, trial.group, trial.thing)
        worth.used = usage(base, trial.group, trial.thing)
    else:
        worth.forced, worth.could = estimate, could_be_forced(held)
    return estimate


def could_be_forced(tried: Tables) -> float:
    rows = tried.seats.filter(pl.col("entrant") == 0)
    return float((rows["forced"] > 0).mean() or 0.0)  # type: ignore[arg-type]


def taken_out(plan: Plan, tables: Tables) -> list[tuple[Trial, dict[str, Estimate]]]:
    """Things taken out for everybody: how the game between the strongest bots changed."""
    best = levers.ordered(plan, tables)[-1]
    base = tables.of(levers.arm_name(best, levers.FREE_ARM))
    figures = ("turns", "steps", "lead_changes", "drama")
    return [(trial, {name: mean(game_changes(base, tables.of(levers.arm_name(best, trial.arm)),
                                             name), 0.0, 1.0) for name in figures})
            for trial in levers.trials(plan, ("without",))]


# Findings ----------------------------------------------------------------------------------------

def findings(plan: Plan, found: list[Worth]) -> list[Finding]:
    """What was shown of each thing, weakest bots first in `found`."""
    is_share = plan.seats > 1
    scale = SERIOUS if is_share else scale_of(found)
    told = []
    for thing in dict.fromkeys((worth.group, worth.thing) for worth in found):
        worths = [worth for worth in found if (worth.group, worth.thing) == thing]
        for way, words in (("denied", denied_words), ("forced", forced_words)):
            shown = [worth for worth in worths if way in worth.shown]
            if shown:
                told.append(one(worths, shown[-1], way, scale, is_share,
                                words(worths, shown, is_share)))
        told += [naive_finding(worths[-1])] if is_share and misleads(worths[-1]) else []
    return ranked(told)


def effect_of(worth: Worth, way: str) -> float:
    estimate = worth.denied if way == "denied" else worth.forced
    return estimate.effect if estimate else 0.0


def agree(worths: list[Worth], shown: list[Worth], way: str) -> bool:
    """Whether the strongest bots show it, and nobody shows the opposite."""
    return shown[-1] is worths[-1] and len({effect_of(one, way) > 0 for one in shown}) == 1


def denied_words(worths: list[Worth], shown: list[Worth], is_share: bool) -> str:
    last, name = shown[-1], capital(shown[-1].name)
    loses = effect_of(last, "denied") > 0
    told = f"{a_bot(last.bots)} that has to do without it " + wins(-effect_of(last, "denied"),
                                                                   is_share)
    if not agree(worths, shown, "denied"):
        return disagreeing(worths, shown, name, "denied", is_share)
    if loses:
        return f"{name} is essential: {told}."
    if len(shown) > 1:
        return f"{name} is a trap: {told}."
    return f"{capital(last.bots)} bots misuse {name}: {told}."


def forced_words(worths: list[Worth], shown: list[Worth], is_share: bool) -> str:
    last, name = shown[-1], capital(shown[-1].name)
    if not agree(worths, shown, "forced"):
        return disagreeing(worths, shown, name, "forced", is_share)
    pays = "pays off" if effect_of(last, "forced") > 0 else "hurts"
    if last.is_unused:
        is_weak = effect_of(last, "forced") < 0
        return (f"{name} is {'weak' if is_weak else 'overlooked'}: {last.bots} bots hardly ever "
                f"use it, {'and' if is_weak else 'but'} {a_bot(last.bots)} forced to take it at "
                f"the first opportunity {wins(effect_of(last, 'forced'), is_share)}.")
    return (f"{name} {pays} early: {a_bot(last.bots)} forced to take it at the first opportunity "
            f"{wins(effect_of(last, 'forced'), is_share)}.")


def disagreeing(worths: list[Worth], shown: list[Worth], name: str, way: str, is_share: bool
                ) -> str:
    """What holds for some bots and not for the strongest, or the other way round for others."""
    sign = -1 if way == "denied" else 1
    how = "without it" if way == "denied" else "forced to take it early"
    told = [f"{a_bot(one.bots)} {how} {wins(sign * effect_of(one, way), is_share)}"
            for one in shown]
    quiet = [one.bots for one in worths if one not in shown]
    rest = f"; nothing could be shown for {listed(quiet)} bots" if quiet else ""
    return f"{name} depends on who uses it: {', '.join(told)}{rest}."


def naive_finding(worth: Worth) -> Finding:
    """Users win more or less than the card gives them; both errors are in the interval."""
    assert worth.naive is not None and worth.per_use is not None
    gap, naive, denied = worth.naive.minus(worth.per_use), worth.naive.effect, worth.per_use.effect
    looks = "better" if gap.effect > 0 else "worse"
    more, loses = "more" if naive > 0 else "less", "loses" if denied > 0 else "gains"
    return Finding(f"naive-{worth.thing}", f"{capital(worth.name)} looks {looks} than it is: its "
                   f"users win {points(naive)} {more} than those without it, but "
                   f"{a_bot(worth.bots)} that may not use it {loses} {points(denied)} in games in "
                   "which it would.", gap.effect, gap.low, gap.high, worth.per_use.n, 0.2,
                   unit="difference", things=(worth.thing,),
                   certainty="users differ from the others in more than this card")


def scale_of(found: list[Worth]) -> float:
    sizes = [abs(w.denied.effect) for w in found if w.denied is not None]
    return max([1.0, *sizes])


def wins(change: float, is_share: bool) -> str:
    more = "more" if change > 0 else "fewer"
    if is_share:
        return f"wins {points(change)} {more} of its games"
    return f"scores {points(change, False)} {more}"


def one(worths: list[Worth], worth: Worth, way: str, scale: float, is_share: bool, text: str
        ) -> Finding:
    estimates = {other.bots: e for other in worths if (e := change_of(other, way))}
    estimate = estimates[worth.bots]
    near = min(abs(estimate.low), abs(estimate.high))
    weight = 1.0 if worth is worths[-1] else WEAKER
    if way == "denied" and estimate.effect < 0 and worth.group == VERBS:
        weight *= EXPECTED
    return Finding(f"{way}-{worth.thing}", text, estimate.effect, estimate.low, estimate.high,
                   estimate.n, weight * near / scale, worth.bots, unit=unit_of(is_share),
                   things=(worth.thing,),
                   rungs=list(estimates.items()) if len(worths) > 1 else [],
                   certainty="paired with the same games played freely, corrected for everything "
                             "that was tried")


def change_of(worth: Worth, way: str) -> Estimate | None:
    """How a bot's result changes; what it loses when denied is below zero."""
    if way == "denied":
        return worth.denied and worth.denied.negative
    return worth.forced


def unit_of(is_share: bool) -> str:
    return "difference" if is_share else "points"


def misleads(worth: Worth) -> bool:
    """Users win clearly more or less often than the card accounts for."""
    if worth.naive is None or worth.per_use is None:
        return False
    gap = worth.naive.minus(worth.per_use)
    return (worth.naive.excludes(0) and abs(worth.naive.effect) > 0.05
            and min(abs(gap.low), abs(gap.high)) > 0.05 and gap.excludes(0))


# The report --------------------------------------------------------------------------------------

def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    plan, tables = run.plan, run.tables(arms(run.plan))
    found = worths(plan, tables)
    best = levers.ordered(plan, tables)[-1]
    told = with_next_steps(plan, findings(plan, found), ",".join(best.bots))
    words = verdict(plan, found)
    groups = list(dict.fromkeys((worth.group, worth.bots) for worth in reversed(found)))
    sections = [group_section(plan, [w for w in found if (w.group, w.bots) == part], *part)
                for part in sorted(groups, key=lambda part: part[0])]
    out = taken_out(plan, tables)
    if out:
        sections.append(out_section(out))
    html = page(f"{plan.title}: what its cards are worth",
                f"{counted_seats(plan.seats)}, {number(len(tables.games))} games: "
                f"{levers.games_each(plan)}.", sections, told, words, PROMISE,
                picture=picture(plan, found), command=command_of(plan),
                details=f"Seeds from {plan.seed}.",
                bots=tuple(lineup.name for lineup in plan.lineups))
    report = {"game": plan.game, "seats": plan.seats, "games": len(tables.games), "verdict": words,
              "findings": [finding.brief() for finding in told],
              "cards": [{"bots": w.bots, "group": w.group, "card": w.thing, "sure": w.sure,
                         **{way: None if e is None else
                            {"effect": e.effect, "low": e.low, "high": e.high, "n": e.n}
                            for way, e in (("denied", w.denied), ("forced", w.forced),
                                           ("naive", w.naive))}} for w in found]}
    return html, report


def verdict(plan: Plan, found: list[Worth]) -> str:
    """What the strongest bots show, kind by kind, and what may have been missed."""
    best, is_share = best_of(found), plan.seats > 1
    bots, shown = best[0].bots, sum(worth.sure for worth in best)
    told = [kind_words(bots, some, way, sign, is_share) for way in ("denied", "forced")
            for sign in (-1, 1) if (some := of_kind(best, way, sign))]
    return " ".join([f"Of {len(best)} things that {bots} bots were denied or had to take "
                     f"early, {shown} could be shown to matter to them.",
                     *told, *missed(best, found, is_share)])


def kind_words(bots: str, some: list[Worth], way: str, sign: int, is_share: bool) -> str:
    """Several things of which the same was shown, in one sentence."""
    names, is_one = listed([worth.name for worth in some], 5), len(some) == 1
    it = "it" if is_one else "one of them"
    result = span([effect_of(worth, way) for worth in some], sign, is_share)
    if way == "denied":
        opening = f"Nobody does without {names}" if sign < 0 else f"Bots do better without {names}"
        return f"{opening}: {bots} bots that are denied {it} {result}."
    does = ("hurt" if sign < 0 else "pay") + ("s" if is_one else "")
    return (f"{capital(names)} {does}{'' if sign < 0 else ' off'} early: {bots} bots that are "
            f"forced to take {it} at once {result}.")


def of_kind(best: list[Worth], way: str, sign: int) -> list[Worth]:
    """Those that were shown to change the result one way, the largest first."""
    some = [(change.effect, worth) for worth in best
            if way in worth.shown and (change := change_of(worth, way))]
    return [worth for effect, worth in sorted(some, key=lambda one: -abs(one[0]))
            if effect * sign > 0]


def span(effects: list[float], sign: int, is_share: bool) -> str:
    """`win 25.0 to 48.3 percentage points fewer`."""
    least, most = (points(one, is_share) for one in (min(effects, key=abs), max(effects, key=abs)))
    much = most if least == most else f"{least.split()[0]} to {most}"
    return f"{'win' if is_share else 'score'} {much} {'more' if sign > 0 else 'fewer'}"


def missed(best: list[Worth], found: list[Worth], is_share: bool) -> list[str]:
    """The largest effect that would not have been noticed four times in five, of what came up."""
    others = [worth for worth in best if not worth.sure]
    there = [worth for worth in others if worth.comes_up]
    tests = 2 * len(found)
    sizes = [noticeable(e, tests) for worth in there for e in (worth.denied, worth.forced) if e]
    absent = len(others) - len(there)
    return ([f"Of the others effects of up to {points(max(sizes), is_share)} could have gone "
             "unnoticed."] if sizes else []) + (
            [f"{number(absent)} of them hardly ever came up."] if absent else [])


def picture(plan: Plan, found: list[Worth]) -> str:
    """The largest changes that the strongest bots show, on the first screen."""
    unit, best = unit_of(plan.seats > 1), best_of(found)
    some = [(worth, way, e) for worth in best for way in ("denied", "forced")
            if way in worth.shown and (e := change_of(worth, way))]
    some.sort(key=lambda one: -abs(one[2].effect))
    rows = [(f"without {worth.name}" if way == "denied" else f"{worth.name} at once",
             [Dot(e.effect, e.low, e.high, 0 if way == "denied" else 2, interval(e, unit))])
            for worth, way, e in some[:MOST_DRAWN]]
    what = "Percentage points of wins" if unit == "difference" else "Points"
    return figured(dots(rows, "The largest changes", 0.0, unit, width=SMALL),
                   f"{what} gained or lost by {best[0].bots} bots that must do without a thing, or "
                   "take it at the first opportunity.") if rows else ""


def best_of(found: list[Worth]) -> list[Worth]:
    """Everything that the strongest bots tried."""
    return [worth for worth in found if worth.bots == found[-1].bots]


def group_section(plan: Plan, found: list[Worth], group: str, bots: str) -> Section:
    is_share = plan.seats > 1
    ordered = sorted(found, key=lambda w: -(w.denied.effect if w.denied else 0.0))
    kinds = (("denied", 0), ("forced", 2), ("naive", 1)) if is_share else (("denied", 0),
                                                                           ("forced", 2))
    rows = []
    for worth in ordered:
        drawn = [(getattr(worth, name), colour) for name, colour in kinds]
        rows.append((worth.name + ("" if worth.sure else " ·"),
                     [Dot(e.effect, e.low, e.high, colour, signed(e.effect, is_share))
                      for e, colour in drawn if e is not None]))
    names = ["worth: lost when denied", "naive: users' wins minus others'",
             "gained when forced once"]
    cells = [[worth.name, *(cell(e, is_share) for e in (worth.denied, worth.forced, worth.naive)),
              percent(worth.could), "yes" if worth.sure else "no"] for worth in ordered]
    return Section(f"{capital(group)}, {bots} bots",
                   "In percentage points of win share. A dot after the name means that no effect "
                   "could be shown after correction." if is_share else
                   "In points of score; the naive column is of wins.",
                   legend(names) + figured(dots(rows, f"Worth of {group}", 0.0,
                                                unit_of(is_share)), "")
                   + table(["", "worth", "forced once", "naive", "could be forced", "shown"],
                           cells))


def cell(estimate: Estimate | None, is_share: bool) -> str:
    """In percentage points, or in points of score."""
    if estimate is None:
        return ""
    times, digits = (100, 1) if is_share else (1, 2)
    effect, low, high = (f"{round(times * one, digits) + 0.0:+.{digits}f}"
                         for one in (estimate.effect, estimate.low, estimate.high))
    return f"{effect} ({low} to {high})"


def out_section(out: list[tuple[Trial, dict[str, Estimate]]]) -> Section:
    rows = [[trial.thing.replace("_", " "), *(cell(e, False) for e in figures.values())]
            for trial, figures in out]
    return Section("Taken out of the game", "Changes compared with the same games in full.",
                   table(["without", *(name.replace("_", " ") for name in out[0][1])], rows))
