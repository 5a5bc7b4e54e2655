"""Probing a game: constrained bots play in odd ways to see whether something breaks."""

import pathlib
from dataclasses import replace
from typing import Any

import polars as pl

from exchequer.core.measures import measures_of
from exchequer.lab import levers
from exchequer.lab.arms import Arm
from exchequer.lab.claims import (
    Rung,
    dead_content,
    empty_decisions,
    endless,
    returning,
    runaway,
    settled_early,
)
from exchequer.lab.extremes import extremes, write_game
from exchequer.lab.findings import Claim, Finding, findings_of, ranked, with_command
from exchequer.lab.folder import StudyRun
from exchequer.lab.levers import FREE_ARM, Trial, changes, outcome_of
from exchequer.lab.pages import PROMISE, Section, figured, page, table, with_interval
from exchequer.lab.plan import LineUp, Plan, arm_of, command_of
from exchequer.lab.plots import Dot, dots, legend
from exchequer.lab.statistics import Estimate, mean_beyond, share, share_beyond
from exchequer.lab.tables import Tables
from exchequer.lab.words import a_bot, capital, counted_seats, number, signed

WAYS = ("denied", "always")
RANDOM_ARM = "random"
BEATS = 0.0  # a constrained bot should not do better than an unconstrained one
NEEDS = 0.15  # being denied a thing should not cost more wins than this
STALL = 60  # decisions in one turn that nobody wants to sit through


def arms(plan: Plan) -> list[Arm]:
    lineup = plan.lineups[0]
    wild = LineUp(("random",) * plan.seats, lineup.games * 4)
    return [*levers.arms(plan, WAYS), arm_of(plan, wild, RANDOM_ARM)]


def rung_of(plan: Plan, tables: Tables, arm: str, bots: tuple[str, ...]) -> Rung:
    return Rung(arm, bots, tables.of(arm), measures_of(plan.the_game))


def claims(plan: Plan, tables: Tables) -> list[Claim]:
    """The claims tested on the free and random arms, and on every trial."""
    free = rung_of(plan, tables, FREE_ARM, plan.lineups[0].bots)
    wild = rung_of(plan, tables, RANDOM_ARM, ("random",) * plan.seats)
    found = []
    for rung in (wild, free):
        found += [*endless(rung), *returning(rung), *empty_decisions(rung), *stalls(rung)]
        if plan.seats > 1:
            found += [*runaway(rung), *settled_early(rung)]
    for trial in levers.trials(plan, WAYS):
        found += strategy(plan, tables, trial)
    return found


def gap(change: float, is_share: bool) -> str:
    return signed(abs(change), is_share).removeprefix("+")


def stalls(rung: Rung) -> list[Claim]:
    """Turns so long that the other players lose interest."""
    frame = rung.tables.games
    half = len(frame) // 2
    whole, found, fresh = (share_of_stalls(part) for part in (frame, frame[:half], frame[half:]))
    return [Claim("stall", rung.name, whole, found, fresh, lambda e: (
        f"Turns can drag on: in {100 * e.effect:.1f} % of games between {rung.name} bots a turn "
        f"took more than {STALL} decisions."), 0.01, 0.05)]


def share_of_stalls(part: pl.DataFrame) -> Estimate:
    return share_beyond((part["longest"] > STALL).sum(), len(part), 0.01)


def strategy(plan: Plan, tables: Tables, trial: Trial) -> list[Claim]:
    """Is always doing one thing better than choosing? Can nobody do without another?"""
    outcome, bots = outcome_of(plan.seats), plan.lineups[0].name
    base, tried = tables.of(FREE_ARM), tables.of(trial.arm)
    change = changes(base, tried, outcome).astype(float)
    half = len(change) // 2
    is_share, name = plan.seats > 1, trial.thing.replace("_", " ")
    size = 1.0 if is_share else max(1.0, float(abs(base.seats["score"]).mean()))  # type: ignore[arg-type]
    if trial.way == "always":
        bound, above = BEATS, True

        def text(e: Estimate) -> str:
            return (f"{capital(name)} whenever possible is a dominant strategy: a bot forced to it "
                    f"gains {gap(e.effect, is_share)} over {a_bot('free ' + bots)}.")
    else:
        bound, above = -NEEDS * size, False

        def text(e: Estimate) -> str:
            return (f"Nobody can do without {name}: {a_bot(bots)} that is denied it loses "
                    f"{gap(e.effect, is_share)}.")
    whole, found, fresh = (mean_beyond(part, bound, above, size)
                           for part in (change, change[:half], change[half:]))
    return [Claim(f"{trial.way}-{trial.group}-{trial.thing}", trial.arm, whole, found, fresh, text,
                  bound, 0.1 * size, unit="share" if is_share else "points")]


# Replays -----------------------------------------------------------------------------------------

def game_that_shows(plan: Plan, tables: Tables, finding: Finding, every: dict[str, Arm]
                    ) -> tuple[Arm, int]:
    """The arm and number of the game that shows the finding best."""
    arm = every.get(finding.arm, every[FREE_ARM])
    part = tables.of(arm.name)
    column = {"endless": "steps", "loop": "revisits", "stall": "longest"}.get(finding.id)
    if column:
        return arm, int(part.games.sort(column, "game", descending=[True, False])["game"][0])
    if arm.constraints:
        subject = part.seats.filter(pl.col("entrant") == 0)
        wins = finding.id.startswith("always")
        ordered = subject.sort("share", "score", "game", descending=[wins, wins, False])
        return arm, int(ordered["game"][0])
    return arm, next((e.game for e in extremes(arm, part)
                      if e.why in ("widest margin", "best run")), 0)


def with_replays(plan: Plan, tables: Tables, findings: list[Finding], folder: pathlib.Path
                 ) -> list[Finding]:
    every = {arm.name: arm for arm in arms(plan)}
    shown = []
    for finding in findings:
        arm, game = game_that_shows(plan, tables, finding, every)
        name = f"{finding.id}.toml".replace(" ", "-").replace(":", "-").replace("/", "-")
        write_game(arm, game, folder / name)
        shown.append(replace(finding, replay=f"replays/{name}"))
    return shown


# The report --------------------------------------------------------------------------------------

def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    plan, tables = run.plan, run.tables(arms(run.plan))
    order = {RANDOM_ARM: 0}
    found = findings_of(claims(plan, tables), lambda arm: order.get(arm, 1))
    free = rung_of(plan, tables, FREE_ARM, plan.lineups[0].bots)
    wild = rung_of(plan, tables, RANDOM_ARM, ("random",) * plan.seats)
    found += dead_content([wild, free])
    told = with_replays(plan, tables, ranked(with_command(found, command_of(plan))),
                        run.folder.replays)
    lineup = plan.lineups[0]
    html = page(f"{plan.title}: probed for weaknesses",
                f"{counted_seats(plan.seats)}, {lineup.name} bots, {number(lineup.games)} deals "
                f"for each way of playing, {number(len(tables.games))} games in all, seeds from "
                f"{plan.seed}.", [ways_section(plan, tables), endings_section(plan, tables)],
                told, promise=PROMISE + " Each finding comes with a replay that shows it.")
    report = {"game": plan.game, "seats": plan.seats, "games": len(tables.games),
              "findings": [{**finding.brief(), "replay": finding.replay} for finding in told]}
    return html, report


def ways_section(plan: Plan, tables: Tables) -> Section:
    """Every trial, denied and always, as a change in the subject's result."""
    base, outcome, is_share = tables.of(FREE_ARM), outcome_of(plan.seats), plan.seats > 1
    rows: dict[tuple[str, str], list[Dot]] = {}
    for trial in levers.trials(plan, WAYS):
        e = levers.effect(base, tables.of(trial.arm), outcome)
        rows.setdefault((trial.group, trial.thing), []).append(
            Dot(e.effect, e.low, e.high, WAYS.index(trial.way), signed(e.effect, is_share)))
    body = legend(["never does it", "always does it when possible"])
    for group in dict.fromkeys(group for group, _ in rows):
        drawn = sorted(((thing.replace("_", " "), found) for (g, thing), found in rows.items()
                        if g == group), key=lambda row: row[1][0].value)
        body += f"<h3>{capital(group)}</h3>" + figured(
            dots(drawn, f"Constrained {group}", 0.0, is_share), "")
    return Section("Odd ways of playing", "How a bot's result changes when it must play this "
                   "way, compared with the same deals when it was free to choose.", body)


def endings_section(plan: Plan, tables: Tables) -> Section:
    rows = []
    for arm in (RANDOM_ARM, FREE_ARM):
        games = tables.of(arm).games
        n = len(games)
        rows.append([arm, number(n), with_interval(share((games["ending"] == "unfinished").sum(),
                                                          n)),
                     with_interval(share((games["revisits"] > 0).sum(), n)),
                     number(int(games["longest"].max() or 0)),  # type: ignore[arg-type]
                     number(int(games["steps"].max() or 0))])  # type: ignore[arg-type]
    return Section("Loops and stalls", "", table(
        ["bots", "games", "did not end", "repeated a position", "longest turn, decisions",
         "longest game, decisions"], rows))
