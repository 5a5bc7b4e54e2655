"""Tuning: content that meets a designer's targets, with as few changes as possible.

    --target "seat_share=even; length=18..22 rounds"
    --over   "turn_limit=16..28; start_gold=6..14; compensation=ap1|none|gold3"

Optuna proposes contents, and each is played on the same seeds. Two things count: how far a content
misses the targets and how many keys it changes. Of the Pareto set of both, the content that comes
closest on the seeds of the search is chosen, and judged once on fresh seeds with more games, which
had no part in choosing it: a target is met, not met, or undecided.
"""

import json
import math
import pathlib
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from exchequer.core.content import Kind, merged, plain_value
from exchequer.core.content import settings as overlay_of
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.measures import measures_of
from exchequer.lab.arms import Arm, joined
from exchequer.lab.executors import Executor, tasks_of
from exchequer.lab.folder import StudyRun, check_sound
from exchequer.lab.memory import Memory
from exchequer.lab.metrics import Metric, metrics_of
from exchequer.lab.pages import Section, figured, page, table, with_interval
from exchequer.lab.plan import Plan, PlanError, arm_of
from exchequer.lab.plots import Dot, dots
from exchequer.lab.statistics import Estimate, mean, within
from exchequer.lab.tables import tables_of
from exchequer.lab.words import capital, figure, listed, number, percent, round_up

FRESH = 1 << 32  # offset of the seeds used for confirmation
IMPOSSIBLE = 1000.0  # the miss of a content that cannot be played
MOST_SHOWN = 6
CONFIRMATION = 5  # times the games of a trial for the content that is chosen
TOLERANCE = 0.02  # of a share: what a designer who wants a value means by it


MET, NOT_MET, UNDECIDED = "met", "not met", "undecided"


@dataclass(frozen=True)
class Target:
    """A metric that should lie between two bounds."""

    text: str
    metric: Metric
    low: float
    high: float

    def miss(self, value: float) -> float:
        """How far outside the bounds, in units of a serious change of the metric."""
        size = self.metric.scale * (1.0 if self.metric.is_share else max(
            abs(self.low if np.isfinite(self.low) else self.high), 1e-9))
        return max(self.low - value, value - self.high, 0.0) / size

    @property
    def bounds(self) -> tuple[float, float]:
        """The range that counts as met; a single value is met within a tolerance."""
        if self.low < self.high:
            return self.low, self.high
        slack = TOLERANCE * (1.0 if self.metric.is_share else abs(self.low))
        return self.low - slack, self.high + slack

    def judged(self, found: Estimate) -> str:
        """By where the whole interval lies."""
        low, high = self.bounds
        if low <= found.low and found.high <= high:
            return MET
        return NOT_MET if found.high < low or found.low > high else UNDECIDED

    def more_games(self, found: Estimate) -> int:
        """About how many more would decide it, if the figure stays where it is."""
        low, high = self.bounds
        room = min(abs(found.effect - low), abs(found.effect - high))
        needed = found.n * (found.half / max(room, found.half / 10)) ** 2
        return max(0, math.ceil(needed) - found.n)


@dataclass(frozen=True)
class Knob:
    """A key of the content and what it may be set to."""

    key: str
    values: tuple[Any, ...]
    default: Any


@dataclass(frozen=True)
class Candidate:
    """A content that was tried: what it changes and how it did."""

    settings: tuple[tuple[str, Any], ...]
    found: tuple[Estimate, ...]
    miss: float

    @property
    def name(self) -> str:
        return ", ".join(f"{key} = {value}" for key, value in self.settings) or "as it ships"


# Reading targets and knobs -----------------------------------------------------------------------

def parts(text: str, option: str) -> list[tuple[str, str]]:
    found = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise PlanError(f'{option}: "{part}" must read name=value, such as "length=18..22".')
        found.append((key, value))
    if not found:
        raise PlanError(f"{option} is empty.")
    return found


def read_targets(text: str, game: Game, seats: int) -> list[Target]:
    known = metrics_of(measures_of(game), seats,
                       [ending.name.lower() for ending in list(game.endings)[1:]])
    found: list[Target] = []
    for name, value in parts(text, "--target"):
        names = [f"seat_{seat}" for seat in range(seats)] if name == "seat_share" else [name]
        for one in names:
            if one not in known:
                raise PlanError(f'--target: {game.title} has no measure "{one}"; there are '
                                f"seat_share, {', '.join(known)}.")
            low, high = read_range(value, known[one], seats)
            found.append(Target(f"{name}={value}", known[one], low, high))
    return found


def read_range(text: str, metric: Metric, seats: int) -> tuple[float, float]:
    """`18..22 rounds`, `..5`, `30 %..50 %`, `even` or one number."""
    if text == "even":
        return 1 / seats, 1 / seats
    bounds = re.fullmatch(r"([-\d.]*?)\s*(%?)\s*(?:\.\.\s*([-\d.]*)\s*(%?))?\s*([a-z ]*)", text)
    unit = bounds[5].strip() if bounds else ""
    if not bounds or (unit and unit != metric.unit):
        raise PlanError(f'--target: "{text}" is not a range for {metric.id}; it must read 18..22, '
                        f'18.., ..22, 20 or even, in {metric.unit}.')
    try:
        low = float(bounds[1]) if bounds[1] else -np.inf
        high = low if bounds[3] is None else float(bounds[3]) if bounds[3] else np.inf
    except ValueError:
        raise PlanError(f'--target: "{text}" contains no number.') from None
    cut = 100.0 if bounds[2] or bounds[4] else 1.0
    if low > high:
        raise PlanError(f'--target: "{text}" begins after its end.')
    return low / cut, high / cut


def read_knobs(text: str, game: Game, plan: Plan) -> list[Knob]:
    content = game.content(plan.overlay)
    found = []
    for key, value in parts(text, "--over"):
        kind, default = kind_of(game, content.words, key)
        if "|" in value:
            values = tuple(plain_value(one.strip()) for one in value.split("|"))
        else:
            values = whole_range(key, value)
        for one in values:
            try:
                kind.parse(one)
            except ValueError as error:
                raise PlanError(f"--over: {key}: {error}.") from None
        found.append(Knob(key, values, default))
    return found


def whole_range(key: str, text: str) -> tuple[int, ...]:
    bounds = re.fullmatch(r"(-?\d+)\s*\.\.\s*(-?\d+)", text)
    if not bounds or int(bounds[1]) > int(bounds[2]):
        raise PlanError(f'--over: {key}: "{text}" must read 16..28, or choices such as a|b.')
    return tuple(range(int(bounds[1]), int(bounds[2]) + 1))


def kind_of(game: Game, words: dict[str, Any], key: str) -> tuple[Kind, Any]:
    """What a key may hold and what it holds now; `building.mill.price` is a key of a table."""
    path, schema = key.split("."), game.schema
    if len(path) == 1 and key in schema.rules:
        return schema.rules[key], words["rules"][key]
    if len(path) == 3 and path[0] in schema.tables and path[2] in schema.tables[path[0]].fields \
            and path[1] in words.get(path[0], {}):
        return schema.tables[path[0]].fields[path[2]], words[path[0]][path[1]][path[2]]
    raise PlanError(f'--over: {game.title} has no key "{key}" that can be tuned.')


# Playing contents --------------------------------------------------------------------------------

class Tuner:
    """Plays contents and remembers the results."""

    def __init__(self, plan: Plan, executor: Executor,
                 advance: Callable[[int], None] = lambda _: None,
                 memory: pathlib.Path | None = None) -> None:
        self.plan, self.executor, self.advance = plan, executor, advance
        self.memory = Memory(memory)
        self.targets = read_targets(plan.target, plan.the_game, plan.seats)
        self.knobs = read_knobs(plan.over, plan.the_game, plan)
        self.tried: dict[tuple[tuple[str, Any], ...], Candidate] = {}

    def arm(self, settings: Sequence[tuple[str, Any]], seed: int, times: int = 1) -> Arm:
        overlay = self.plan.the_game.schema.shaped(
            overlay_of([f"{key}={json.dumps(value)}" for key, value in settings]), "--over")
        lineup = self.plan.lineups[0]
        return arm_of(self.plan, lineup, "tuned", seed=seed, games=times * lineup.games,
                      overlay=merged(dict(self.plan.overlay), overlay))

    def measured(self, settings: Sequence[tuple[str, Any]], seed: int, times: int = 1
                 ) -> tuple[Estimate, ...]:
        """An estimate for every target; results are remembered."""
        found = self.memory.of([settings, seed, times], lambda: [
            astuple(one) for one in self.play(self.arm(settings, seed, times))])
        self.advance(times * self.plan.lineups[0].games)
        return tuple(Estimate(*one) for one in found)

    def play(self, arm: Arm) -> tuple[Estimate, ...]:
        game = self.plan.the_game
        game.content(arm.overlay, "--over")
        played = []
        for _, part in self.executor.played([arm], tasks_of([arm], self.executor.chunk_size)):
            check_sound(arm, part)
            played.append(part)
        tables = tables_of(arm, joined(played), game, measures_of(game))
        return tuple(cut(mean(t.metric.values(tables)["value"].drop_nulls().to_numpy()), t)
                     for t in self.targets)

    def missed(self, found: Sequence[Estimate]) -> float:
        return float(sum(target.miss(e.effect)
                         for target, e in zip(self.targets, found, strict=True)))

    def try_out(self, settings: tuple[tuple[str, Any], ...]) -> Candidate:
        if settings not in self.tried:
            try:
                found = self.measured(settings, self.plan.seed)
                self.tried[settings] = Candidate(settings, found, self.missed(found))
            except InputError:  # a content that the game refuses is no candidate
                self.tried[settings] = Candidate(settings, (), IMPOSSIBLE)
                self.advance(self.plan.lineups[0].games)
        else:
            self.advance(self.plan.lineups[0].games)
        return self.tried[settings]

    def search(self) -> None:
        """Let Optuna propose contents; the content as it ships is tried first."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        study = optuna.create_study(
            directions=["minimize", "minimize"],
            sampler=optuna.samplers.TPESampler(seed=self.plan.seed, multivariate=False,
                                               n_startup_trials=max(6, self.plan.trials // 4)))
        study.enqueue_trial({knob.key: knob.values.index(knob.default) for knob in self.knobs
                             if knob.default in knob.values})

        def objective(trial: Any) -> tuple[float, float]:
            picks = [(knob, knob.values[trial.suggest_int(knob.key, 0, len(knob.values) - 1)])
                     for knob in self.knobs]
            settings = tuple((knob.key, value) for knob, value in picks if value != knob.default)
            return self.try_out(settings).miss, float(len(settings))

        study.optimize(objective, n_trials=self.plan.trials)
        for candidate in list(pareto(self.tried.values())):
            self.prune(candidate)

    def prune(self, candidate: Candidate) -> None:
        """Try to undo each change: what is not needed goes."""
        for gone in range(len(candidate.settings)):
            self.try_out(candidate.settings[:gone] + candidate.settings[gone + 1:])

    def best(self) -> Candidate:
        """The one that comes closest; of equals the one with the fewest changes."""
        return min(pareto(self.tried.values()),
                   key=lambda one: (round(one.miss, 3), len(one.settings)))

    def confirm(self, chosen: Candidate) -> tuple[Estimate, ...]:
        """The chosen content once more, on fresh seeds."""
        return self.measured(chosen.settings, self.plan.seed + FRESH, CONFIRMATION)


def cut(estimate: Estimate, target: Target) -> Estimate:
    return within(estimate, 0.0, 1.0) if target.metric.is_share else estimate


def pareto(tried: Any) -> list[Candidate]:
    """Those that no other beats in both miss and number of changes; fewest changes first."""
    best: list[Candidate] = []
    for one in sorted(tried, key=lambda c: (len(c.settings), c.miss, c.settings)):
        if one.miss < IMPOSSIBLE and (not best or one.miss < best[-1].miss - 1e-12):
            best.append(one)
    return best


# The report --------------------------------------------------------------------------------------

def arms(plan: Plan) -> list[Arm]:
    """One for each trial and some for the confirmation; the tuner changes their content."""
    return [arm_of(plan, plan.lineups[0], "tuned")] * (plan.trials + CONFIRMATION)


def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    tuner = Tuner(run.plan, run.executor, run.advance, run.folder.tried)
    tuner.search()
    chosen = tuner.best()
    return report(tuner, chosen, tuner.confirm(chosen))


def report(tuner: Tuner, chosen: Candidate, fresh: Sequence[Estimate]
           ) -> tuple[str, dict[str, Any]]:
    plan, shown = tuner.plan, pareto(tuner.tried.values())[:MOST_SHOWN]
    words = verdict(tuner, chosen, fresh)
    sections = [confirmed_section(tuner, fresh), pareto_section(tuner, shown)]
    lineup = plan.lineups[0]
    html = page(f"{plan.title}: tuned", f"{lineup.name} bots, {number(lineup.games)} games for "
                f"each of {len(tuner.tried)} contents, {number(CONFIRMATION * lineup.games)} to "
                f"judge the chosen one; target {plan.target}; over {plan.over}.",
                sections, None, words)
    found = {"game": plan.game, "seats": plan.seats, "contents": len(tuner.tried),
             "verdict": words, "chosen": {"set": dict(chosen.settings),
                                          "measures": measures(tuner, fresh)},
             "pareto": [{"set": dict(one.settings), "changes": len(one.settings),
                         "miss": one.miss, "measures": measures(tuner, one.found)}
                        for one in shown]}
    return html, found


def measures(tuner: Tuner, found: Sequence[Estimate]) -> list[dict[str, Any]]:
    return [{"measure": t.metric.id, "target": t.text, "effect": e.effect, "low": e.low,
             "high": e.high, "n": e.n, "verdict": t.judged(e)}
            for t, e in zip(tuner.targets, found, strict=True)]


def confirmed_section(tuner: Tuner, fresh: Sequence[Estimate]) -> Section:
    rows = [[t.metric.words, bounds(t), with_interval(e, t.metric.is_share), t.judged(e)]
            for t, e in zip(tuner.targets, fresh, strict=True)]
    return Section("Confirmed on fresh seeds", "The chosen content, played once more on seeds that "
                   "had no part in choosing it. A target is met when the whole interval lies in "
                   f"it; a single value is met within {percent(TOLERANCE, 0)}.",
                   table(["", "wanted", "found", ""], rows, 2))


def pareto_section(tuner: Tuner, shown: Sequence[Candidate]) -> Section:
    heads = ["content", *(f"{t.metric.id} ({bounds(t)})" for t in tuner.targets), "miss"]
    rows = [[one.name, *(with_interval(e, t.metric.is_share)
                         for e, t in zip(one.found, tuner.targets, strict=True)),
             number(one.miss)] for one in shown]
    figures = ""
    for k, target in enumerate(tuner.targets):
        drawn = [(one.name if len(one.name) < 26 else f"{len(one.settings)} changes", [
            Dot(one.found[k].effect, one.found[k].low, one.found[k].high, 0, "")])
            for one in shown]
        middle = target.low if target.low == target.high else None
        figures += f"<h3>{target.metric.id}: {bounds(target)}</h3>" + figured(
            dots(drawn, target.metric.id, middle, target.metric.unit), "")
    return Section("What was tried", "The contents that no other beats in both respects: how close "
                   "they come to the targets, and how few keys they change. Figures are those of "
                   "the search, which chose by them, so they flatter; the miss is the distance "
                   "from the targets in units of a serious change.", table(heads, rows) + figures)


def bounds(target: Target) -> str:
    unit = target.metric.unit
    if target.low == target.high:
        return figure(target.low, unit)
    return f"{figure(target.low, unit)} to {figure(target.high, unit)}"


def verdict(tuner: Tuner, chosen: Candidate, fresh: Sequence[Estimate]) -> str:
    """What came of it: each target in one of three words, by the fresh seeds alone."""
    if not chosen.settings:
        opening = "No change of these keys comes closer to the targets than the game as it ships."
    else:
        count = len(chosen.settings)
        opening = f"Best with {count} {'change' if count == 1 else 'changes'}: {chosen.name}."
    by_word: dict[str, list[str]] = {}
    for target, found in zip(tuner.targets, fresh, strict=True):
        word = target.judged(found)
        more = f" ({number(round_up(target.more_games(found)))} more games)"
        by_word.setdefault(word, []).append(
            f"{target.metric.words} at {figure(found.effect, target.metric.unit)}"
            + (more if word == UNDECIDED else ""))
    told = [f"{capital(word)}: {listed(by_word[word])}." for word in (MET, NOT_MET, UNDECIDED)
            if word in by_word]
    return " ".join([opening, "On fresh seeds:", *told])
