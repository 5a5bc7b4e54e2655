"""What cards and buildings are worth: the causal effect, and the naive one for comparison."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from exchequer.lab import levers
from exchequer.lab.arms import Arm
from exchequer.lab.findings import Finding, ranked, with_command
from exchequer.lab.folder import StudyRun
from exchequer.lab.levers import Trial, changes, effect, game_changes, outcome_of
from exchequer.lab.pages import Section, figured, page, table
from exchequer.lab.plan import Plan, PlanError, command_of
from exchequer.lab.plots import Dot, dots, legend
from exchequer.lab.statistics import LEVEL, Estimate, benjamini_hochberg, mean, share
from exchequer.lab.tables import Tables
from exchequer.lab.words import a_bot, between, capital, counted_seats, number, percent, signed

WAYS = ("denied", "forced", "without")
SERIOUS = 0.1  # change of win share that makes a card essential to the game
PROMISE = ("Each figure is the change in one bot's result compared with the same deal, seat and "
           "opponents; p-values are corrected for everything that was tried (Benjamini-Hochberg, "
           "5 %), and the effect had to have the same sign in both halves of the deals.")


@dataclass
class Worth:
    """One card or building."""

    group: str
    thing: str
    denied: Estimate | None = None  # loss when denied: free minus denied
    forced: Estimate | None = None  # gain when forced to use it once
    naive: Estimate | None = None  # win rate of its users minus that of the others
    could: float = 0.0  # share of games in which it could be forced
    shown: frozenset[str] = frozenset()  # which of the two hold after correction

    @property
    def sure(self) -> bool:
        return bool(self.shown)

    @property
    def name(self) -> str:
        return self.thing.replace("_", " ")


def arms(plan: Plan) -> list[Arm]:
    found = list(levers.arms(plan, WAYS))
    if len(found) == 1:
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
    return Estimate(gap, gap - half, gap + half, games + others)


def worths(plan: Plan, tables: Tables) -> list[Worth]:
    """Everything that was tried, by group, corrected for all of it."""
    base, outcome = tables.of(levers.FREE_ARM), outcome_of(plan.seats)
    found: dict[tuple[str, str], Worth] = {}
    tested: list[tuple[Worth, Trial, Estimate, bool]] = []
    for trial in levers.trials(plan, ("denied", "forced")):
        worth = found.setdefault((trial.group, trial.thing), Worth(trial.group, trial.thing))
        tried = tables.of(trial.arm)
        estimate, steady = effect(base, tried, outcome), holds_in_both(base, tried, outcome)
        if trial.way == "denied":
            worth.denied = Estimate(-estimate.effect, -estimate.high, -estimate.low, estimate.n,
                                    estimate.p)
            worth.naive = naive_difference(base, trial.group, trial.thing)
        else:
            worth.forced, worth.could = estimate, could_be_forced(tried)
        tested.append((worth, trial, estimate, steady))
    for (worth, trial, _, steady), p in zip(
            tested, benjamini_hochberg([one[2].p for one in tested]), strict=True):
        if p <= LEVEL and steady:
            worth.shown |= {trial.way}
    return list(found.values())


def holds_in_both(base: Tables, tried: Tables, outcome: str) -> bool:
    found = changes(base, tried, outcome)
    half = len(found) // 2
    return float(found[:half].sum()) * float(found[half:].sum()) > 0


def could_be_forced(tried: Tables) -> float:
    rows = tried.seats.filter(pl.col("entrant") == 0)
    return float((rows["forced"] > 0).mean() or 0.0)  # type: ignore[arg-type]


def taken_out(plan: Plan, tables: Tables) -> list[tuple[Trial, dict[str, Estimate]]]:
    """Things taken out for everybody: how the game itself changed."""
    base = tables.of(levers.FREE_ARM)
    figures = ("turns", "steps", "lead_changes", "drama")
    return [(trial, {name: mean(game_changes(base, tables.of(trial.arm), name), 0.0, 1.0)
                     for name in figures})
            for trial in levers.trials(plan, ("without",))]


# Findings ----------------------------------------------------------------------------------------

def findings(plan: Plan, found: list[Worth]) -> list[Finding]:
    is_share = plan.seats > 1
    bots, scale = plan.lineups[0].name, SERIOUS if is_share else scale_of(found)
    told = []
    for worth in found:
        if "denied" in worth.shown and worth.denied is not None:
            told.append(one(worth, worth.denied, "denied", scale, is_share, (
                f"{capital(worth.name)} is essential: {a_bot(bots)} that has to do without it "
                f"{wins(-worth.denied.effect, is_share)}." if worth.denied.effect > 0 else
                f"{capital(worth.name)} is a trap: {a_bot(bots)} that may not use it "
                f"{wins(-worth.denied.effect, is_share)}.")))
        if "forced" in worth.shown and worth.forced is not None:
            better = worth.forced.effect > 0
            told.append(one(worth, worth.forced, "forced", scale, is_share, (
                f"{capital(worth.name)} {'pays off' if better else 'hurts'} early: "
                f"{a_bot(bots)} forced to take it at the first opportunity "
                f"{wins(worth.forced.effect, is_share)}.")))
        if misleads(worth):
            assert worth.naive is not None and worth.denied is not None
            told.append(Finding(
                f"naive-{worth.thing}", f"{capital(worth.name)} looks "
                f"{'better' if worth.naive.effect > worth.denied.effect else 'worse'} than it is: "
                f"its users win {signed(worth.naive.effect)} compared with those without it, "
                f"but its causal effect is {signed(worth.denied.effect)}.",
                worth.naive.effect - worth.denied.effect, worth.naive.low - worth.denied.effect,
                worth.naive.high - worth.denied.effect, worth.denied.n,
                0.2, certainty="users differ from the others in more than this card"))
    return ranked(told)


def scale_of(found: list[Worth]) -> float:
    sizes = [abs(w.denied.effect) for w in found if w.denied is not None]
    return max([1.0, *sizes])


def wins(change: float, is_share: bool) -> str:
    more = "more" if change > 0 else "fewer"
    if is_share:
        return f"wins {abs(100 * change):.1f} percentage points {more} of its games"
    return f"scores {number(abs(change))} points {more}"


def one(worth: Worth, estimate: Estimate, way: str, scale: float, is_share: bool, text: str
        ) -> Finding:
    near = min(abs(estimate.low), abs(estimate.high))
    return Finding(f"{way}-{worth.thing}", text, estimate.effect, estimate.low, estimate.high,
                   estimate.n, near / scale, unit="share" if is_share else "points",
                   certainty="paired on the same deals, corrected for everything that was tried")


def misleads(worth: Worth) -> bool:
    """Users win clearly more or less often, and the causal effect rules out that much."""
    return (worth.naive is not None and worth.denied is not None and worth.naive.excludes(0)
            and abs(worth.naive.effect) > 0.05
            and not worth.denied.low <= worth.naive.effect <= worth.denied.high
            and abs(worth.naive.effect - worth.denied.effect) > 0.1)


# The report --------------------------------------------------------------------------------------

def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    plan, tables = run.plan, run.tables(arms(run.plan))
    found = worths(plan, tables)
    told = with_command(findings(plan, found), command_of(plan))
    groups = list(dict.fromkeys(worth.group for worth in found))
    sections = [group_section(plan, [w for w in found if w.group == group], group)
                for group in groups]
    out = taken_out(plan, tables)
    if out:
        sections.append(out_section(out))
    lineup = plan.lineups[0]
    html = page(f"{plan.title}: what its cards are worth",
                f"{counted_seats(plan.seats)}, {lineup.name} bots, {number(lineup.games)} deals "
                f"for each trial, {number(len(tables.games))} games in all, seeds from "
                f"{plan.seed}.",
                sections, told, promise=PROMISE)
    report = {"game": plan.game, "seats": plan.seats, "games": len(tables.games),
              "findings": [finding.brief() for finding in told],
              "cards": [{"group": w.group, "card": w.thing, "sure": w.sure,
                         **{way: None if e is None else
                            {"effect": e.effect, "low": e.low, "high": e.high, "n": e.n}
                            for way, e in (("denied", w.denied), ("forced", w.forced),
                                           ("naive", w.naive))}} for w in found]}
    return html, report


def group_section(plan: Plan, found: list[Worth], group: str) -> Section:
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
    return Section(capital(group), "In percentage points of win share. A dot after the name means "
                   "that no effect could be shown after correction." if is_share else
                   "In points of score; the naive column is of wins.",
                   legend(names) + figured(dots(rows, f"Worth of {group}", 0.0, is_share), "")
                   + table(["", "worth", "forced once", "naive", "could be forced", "shown"],
                           cells))


def cell(estimate: Estimate | None, is_share: bool) -> str:
    if estimate is None:
        return ""
    return f"{signed(estimate.effect, is_share)} ({between(estimate, is_share)})"


def out_section(out: list[tuple[Trial, dict[str, Estimate]]]) -> Section:
    rows = [[trial.thing.replace("_", " "), *(cell(e, False) for e in figures.values())]
            for trial, figures in out]
    return Section("Taken out of the game", "Changes compared with the same deals in full.",
                   table(["without", *(name.replace("_", " ") for name in out[0][1])], rows))
