"""The analysis of a run: its rungs, its findings, and the summary that `--json` prints."""

import itertools
import pathlib
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from exchequer.core.game import Game
from exchequer.core.measures import measures_of
from exchequer.core.replay import Replay, read_replay
from exchequer.lab import metrics
from exchequer.lab.arms import Arm
from exchequer.lab.claims import (
    Rung,
    all_claims,
    dead_content,
    endings_never_seen,
    repetitive,
    skill_changes,
)
from exchequer.lab.extremes import Extreme, extremes, write_game
from exchequer.lab.findings import (
    MOST_SHOWN,
    NO_GAME,
    WEAKER,
    Finding,
    findings_of,
    ranked,
)
from exchequer.lab.next_steps import with_next_steps
from exchequer.lab.paragraphs import never_exercised
from exchequer.lab.plan import Plan, lineup_arms
from exchequer.lab.statistics import Estimate, mean, share
from exchequer.lab.stories import stories
from exchequer.lab.strength import is_shown, weakest_first
from exchequer.lab.tables import Tables

MOVES_LOOKED_AT = 800

# findings that rest on the evaluation of positions
BY_EVALUATION = ("runaway", "hollow-lead", "settled-early", "empty-decisions", "kingmaking")

# ... and those that are said only where the strongest bots show them
STRONG_WORDS = ("dominant-", "trap-")


@dataclass
class Analysis:
    """Everything a report needs."""

    plan: Plan
    tables: Tables
    rungs: list[Rung]  # from the weakest to the strongest
    findings: list[Finding]
    extremes: list[Extreme]
    unexercised: list[str] = field(default_factory=list)  # paragraphs of the rulebook
    looked_at: int = 0  # games played again to see which paragraphs came up
    never_ended: list[str] = field(default_factory=list)  # endings that never came about

    @property
    def game(self) -> Game:
        return self.plan.the_game

    @property
    def plain_rungs(self) -> list[Rung]:
        """Identical bots in every seat: these measure balance."""
        return [rung for rung in self.rungs if not rung.is_mixed]

    @property
    def main(self) -> Rung:
        """The strongest rung of identical bots, which the headlines are about."""
        return (self.plain_rungs or self.rungs)[-1]


def rungs_of(plan: Plan, tables: Tables) -> list[Rung]:
    measures, order = measures_of(plan.the_game), weakest_first(plan, tables)
    again = {arm.name for arm in lineup_arms(plan) if arm.replica}
    rungs = []
    for lineup in sorted(plan.lineups, key=lambda one: max(map(order.index, one.bots))):
        name = f"{lineup.name} again"
        rungs.append(Rung(lineup.name, lineup.bots, tables.of(lineup.name), measures,
                          tables.of(name) if name in again else None))
    return rungs


def guessed(one: Finding) -> Finding:
    """A finding that rests on an evaluation which nobody wrote; it does not lead a report."""
    return replace(one, importance=one.importance / 1000, advice=f"{one.advice} A guess: this game "
                   "has no value.py, so a position is judged by its points alone.".strip())


def of_weaker(one: Finding, best: str) -> Finding:
    """An opening that the strongest bots do not even try is news of weaker ones."""
    if not one.rungs or one.arm == best or one.arm != one.rungs[-1][0]:
        return one
    return replace(one, importance=one.importance * WEAKER,
                   advice=f"With {best} bots it did not come up. {one.advice}")


def analyse(plan: Plan, tables: Tables, replays: pathlib.Path) -> Analysis:
    rungs = rungs_of(plan, tables)
    order = {rung.name: place for place, rung in enumerate(rungs)}
    claims = [claim for rung in rungs for claim in all_claims(rung)]
    claims += [claim for rung in worth_telling(rungs) for claim in stories(rung)]
    plain = [rung for rung in rungs if not rung.is_mixed]
    if len(plain) > 1 and plain[-2].bots[0] != "random" and is_shown(
            plan, tables, plain[-1].bots[0], plain[-2].bots[0]):
        claims += skill_changes(plain[-2], plain[-1])
    endings = [ending.name.lower() for ending in list(plan.the_game.endings)[1:]]
    found = findings_of(claims, order.__getitem__)
    if not plan.the_game.has_module("value"):
        found = [guessed(one) if one.id.startswith(BY_EVALUATION) else one for one in found]
    best = (plain or rungs)[-1]
    found = [one for one in found if not one.id.startswith(STRONG_WORDS) or one.arm == best.name]
    found = [of_weaker(one, best.name) for one in found]
    if plain:
        found += dead_content(plain)
    found += repetitive(rungs)
    looked_at = some_replays([rung.name for rung in reversed(rungs)], replays)
    shown = [one for arm in arms_to_show(plan) for one in extremes(arm, tables.of(arm.name))]
    told = with_next_steps(plan, ranked(found), ",".join(best.bots))
    return Analysis(plan, tables, rungs, with_replays(plan, told, replays), shown,
                    never_exercised(plan.the_game, looked_at), len(looked_at),
                    endings_never_seen(rungs, endings))


def with_replays(plan: Plan, findings: list[Finding], folder: pathlib.Path) -> list[Finding]:
    """Those that a page shows, each with the game that shows it best."""
    arms = {arm.name: arm for arm in arms_to_show(plan)}
    shown = []
    for place, one in enumerate(findings):
        if place < MOST_SHOWN and one.game != NO_GAME and one.arm in arms:
            write_game(arms[one.arm], one.game, folder / one.file)
            one = replace(one, replay=f"{folder.name}/{one.file}")
        shown.append(one)
    return shown


def worth_telling(rungs: list[Rung]) -> list[Rung]:
    """Random play tells no story of a game as long as there is any other."""
    return [rung for rung in rungs if rung.bots[0] != "random"] or rungs


def some_replays(rungs: list[str], folder: pathlib.Path) -> list[Replay]:
    """Replays of each rung in turn, up to as many moves as plain Python plays quickly."""
    of_rung = [sorted(folder.glob(f"{Extreme(name, 0, '').file.removesuffix('.toml')}*.toml"))
               for name in rungs]
    chosen: list[Replay] = []
    for path in filter(None, (path for turn in itertools.zip_longest(*of_rung) for path in turn)):
        if len(chosen) < 2 or sum(len(one.moves) for one in chosen) < MOVES_LOOKED_AT:
            chosen.append(read_replay(path))
    return chosen


def arms_to_show(plan: Plan) -> list[Arm]:
    return [arm for arm in lineup_arms(plan) if not arm.replica]


# The summary -------------------------------------------------------------------------------------

def seat_shares(rung: Rung) -> list[tuple[int, Estimate]]:
    return [(seat, share(rows["share"].sum(), len(rows), 1 / rung.seats))
            for seat in range(rung.seats)
            for rows in [rung.tables.seats.filter(pl.col("seat") == seat)]]


def length_of(rung: Rung) -> dict[str, Any]:
    turns, steps = rung.tables.games["turns"], rung.tables.games["steps"]
    found = mean(turns.to_numpy().astype(float))
    return {"unit": rung.measures.turns, "mean": found.effect, "low": found.low,
            "high": found.high, "median": float(turns.median()),  # type: ignore[arg-type]
            "p10": float(turns.quantile(0.1, "lower")),  # type: ignore[arg-type]
            "p90": float(turns.quantile(0.9, "higher")),  # type: ignore[arg-type]
            "min": int(turns.min()), "max": int(turns.max()),  # type: ignore[arg-type]
            "decisions": float(steps.mean()),  # type: ignore[arg-type]
            "minutes": float(metrics.values(rung.tables.games, metrics.minutes(
                pl.col("choices"), rung.measures)).mean())}


def summary(analysis: Analysis, words: str, report: pathlib.Path) -> dict[str, Any]:
    """What `--json` prints; seats and length are those of the strongest identical bots."""
    rung = analysis.main
    return {
        "game": analysis.plan.game, "seats": analysis.plan.seats,
        "games": sum(len(one.tables.games) for one in analysis.rungs),
        "verdict": words, "findings": [finding.brief() for finding in analysis.findings],
        "seats_share": [{"seat": seat, "share": e.effect, "low": e.low, "high": e.high}
                        for seat, e in seat_shares(rung)],
        "length": length_of(rung), "report": str(report),
    }
