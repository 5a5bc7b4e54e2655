"""Tuning: content that meets a designer's targets, with as few changes as possible.

    --target "seat_share=even; length=18..22 rounds"
    --over   "turn_limit=16..28; start_gold=6..14; compensation=ap1|none|gold3"

Optuna proposes contents, and each is played on the same seeds. Two things count: how far a content
misses the targets and how many keys it changes. The Pareto set of both is confirmed on fresh seeds,
which had no part in choosing it.
"""

import json
import pathlib
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from exchequer.core.content import Kind, merged, plain_value
from exchequer.core.content import settings as overlay_of
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.game import Game
from exchequer.core.measures import measures_of
from exchequer.lab.arms import Arm, joined
from exchequer.lab.executors import Executor, tasks_of
from exchequer.lab.folder import StudyRun, check_sound, os_errors_as_sentences
from exchequer.lab.metrics import Metric, metrics_of
from exchequer.lab.pages import Section, figure, figured, page, table, with_interval
from exchequer.lab.plan import Plan, PlanError, arm_of
from exchequer.lab.plots import Dot, dots
from exchequer.lab.statistics import Estimate, mean, within
from exchequer.lab.tables import tables_of
from exchequer.lab.words import listed, number

FRESH = 1 << 32  # offset of the seeds used for confirmation
IMPOSSIBLE = 1000.0  # the miss of a content that cannot be played
MOST_CONFIRMED = 6


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
    fresh: tuple[Estimate, ...] = ()
    fresh_miss: float = 0.0

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
        self.memory = memory  # results so far, so that tuning can be resumed
        known = json.loads(memory.read_text()) if memory and memory.exists() else {}
        self.known: dict[str, list[Any]] = known
        self.targets = read_targets(plan.target, plan.the_game, plan.seats)
        self.knobs = read_knobs(plan.over, plan.the_game, plan)
        self.tried: dict[tuple[tuple[str, Any], ...], Candidate] = {}

    def arm(self, settings: Sequence[tuple[str, Any]], seed: int) -> Arm:
        overlay = self.plan.the_game.schema.shaped(
            overlay_of([f"{key}={json.dumps(value)}" for key, value in settings]), "--over")
        return arm_of(self.plan, self.plan.lineups[0], "tuned", seed=seed,
                      overlay=merged(dict(self.plan.overlay), overlay))

    def measured(self, settings: Sequence[tuple[str, Any]], seed: int) -> tuple[Estimate, ...]:
        """An estimate for every target; results are remembered."""
        key = json.dumps([settings, seed])
        if key not in self.known:
            self.known[key] = [astuple(one) for one in self.play(settings, seed)]
            if self.memory:
                with os_errors_as_sentences():
                    write_whole(self.memory, json.dumps(self.known).encode())
        self.advance(self.plan.lineups[0].games)
        return tuple(Estimate(*one) for one in self.known[key])

    def play(self, settings: Sequence[tuple[str, Any]], seed: int) -> tuple[Estimate, ...]:
        arm = self.arm(settings, seed)
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

    def confirm(self) -> list[Candidate]:
        """The Pareto set on fresh seeds."""
        chosen = pareto(self.tried.values())[:MOST_CONFIRMED]
        confirmed = []
        for one in chosen:
            fresh = self.measured(one.settings, self.plan.seed + FRESH)
            confirmed.append(Candidate(one.settings, one.found, one.miss, fresh,
                                       self.missed(fresh)))
        return confirmed


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
    """One for each trial; the tuner changes their content."""
    return [arm_of(plan, plan.lineups[0], "tuned")] * plan.trials


def conclude(run: StudyRun) -> tuple[str, dict[str, Any]]:
    tuner = Tuner(run.plan, run.executor, run.advance, run.folder.tried)
    tuner.search()
    return report(tuner, tuner.confirm())


def report(tuner: Tuner, confirmed: list[Candidate]) -> tuple[str, dict[str, Any]]:
    plan = tuner.plan
    words = verdict(tuner, confirmed)
    heads = ["content", *(f"{t.metric.id} ({bounds(t)})" for t in tuner.targets), "miss"]
    rows = [[one.name, *(with_interval(e, t.metric.is_share)
                         for e, t in zip(one.fresh, tuner.targets, strict=True)),
             number(one.fresh_miss)] for one in confirmed]
    figures = ""
    for k, target in enumerate(tuner.targets):
        drawn = [(one.name if len(one.name) < 26 else f"{len(one.settings)} changes", [
            Dot(one.found[k].effect, one.found[k].low, one.found[k].high, 5, "while tuning"),
            Dot(one.fresh[k].effect, one.fresh[k].low, one.fresh[k].high, 0, "fresh seeds")])
            for one in confirmed]
        middle = target.low if target.low == target.high else None
        figures += f"<h3>{target.metric.id}: {bounds(target)}</h3>" + figured(
            dots(drawn, target.metric.id, middle, target.metric.is_share), "")
    sections = [
        Section("The Pareto set", "The contents that no other beats in both respects: how close "
                "they come to the targets, and how few keys they change. Figures are from fresh "
                "seeds; the miss is the distance from the targets in units of a serious change.",
                table(heads, rows)),
        Section("Tuned and confirmed", "Grey: the seeds used for tuning. Blue: fresh seeds.",
                figures)]
    lineup = plan.lineups[0]
    html = page(f"{plan.title}: tuned", f"{lineup.name} bots, {number(lineup.games)} games for "
                f"each of {len(tuner.tried)} contents; target {plan.target}; over {plan.over}.",
                sections, None, words)
    found = {"game": plan.game, "seats": plan.seats, "contents": len(tuner.tried),
             "verdict": words, "pareto": [
                 {"set": dict(one.settings), "changes": len(one.settings), "miss": one.fresh_miss,
                  "measures": [{"measure": t.metric.id, "target": t.text, "effect": e.effect,
                                "low": e.low, "high": e.high, "n": e.n}
                               for t, e in zip(tuner.targets, one.fresh, strict=True)]}
                 for one in confirmed]}
    return html, found


def bounds(target: Target) -> str:
    share = target.metric.is_share
    if target.low == target.high:
        return figure(target.low, share)
    return f"{figure(target.low, share)} to {figure(target.high, share)}"


def verdict(tuner: Tuner, confirmed: list[Candidate]) -> str:
    best = min(confirmed, key=lambda one: (round(one.fresh_miss, 3), len(one.settings)))
    met = [t.metric.id for t, e in zip(tuner.targets, best.fresh, strict=True)
           if t.miss(e.effect) == 0 or (e.low <= t.high and e.high >= t.low)]
    open_ = [t.metric.id for t in tuner.targets if t.metric.id not in met]
    if not best.settings:
        return "No change of these keys comes closer to the targets than the game as it ships."
    count = len(best.settings)
    told = f"Best with {count} {'change' if count == 1 else 'changes'}: {best.name}. "
    told += f"On fresh seeds it meets {listed(met)}." if met else "It meets none of the targets."
    return told + (f" It does not reach {listed(open_)}." if open_ else "")


