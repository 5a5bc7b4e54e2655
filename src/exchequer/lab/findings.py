"""Findings: what a designer should know, ranked, each tested against chance.

A *claim* is fixed before anything is played and tested on all deals of an arm; Holm's method
corrects for all claims of the run, so one run in twenty at most says anything false. Stories are
a family of their own with a fifth of that chance, so that many of them cost the others little
power. Halving the deals to find on one and confirm on the other cost most of the power and bought
no more honesty. Claims about the same thing at several rungs become one finding that lists all.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from exchequer.lab.plan import Plan, command_of, plan_text
from exchequer.lab.statistics import LEVEL, Estimate, holm
from exchequer.lab.words import listed

SURE = "a count over all games, with the bound that their number allows"
WEAKER = 0.25  # weight of a finding that the strongest rung does not share
AIMLESS = 0.01  # ... that only random play shows
MOST_IMPORTANT = 10.0
PLAIN, STORY = "plain", "story"
CHANCE = {PLAIN: 0.8 * LEVEL, STORY: 0.2 * LEVEL}  # of a false finding, by family
NO_GAME = -1
MOST_SHOWN = 16  # findings at the top of a page; `summary.json` has all of them


@dataclass(frozen=True)
class Claim:
    """Something that may be wrong with a game, at one rung."""

    id: str
    arm: str
    estimate: Estimate  # from all deals
    text: str
    null: float = 0.0
    scale: float = 0.1  # a distance from the null that would be serious
    advice: str = ""
    unit: str = "share"
    family: str = PLAIN
    topic: str = ""  # the resource, situation or style it is about
    game: int = NO_GAME  # of the arm: the one that shows it best


@dataclass(frozen=True)
class NextStep:
    """The experiment that fits a finding, and what it would tell."""

    why: str
    plan: Plan

    def brief(self) -> dict[str, str]:
        return {"why": self.why, "command": command_of(self.plan), "plan": plan_text(self.plan)}


@dataclass(frozen=True)
class Finding:
    """A claim that held, with the estimate of every rung."""

    id: str
    text: str
    effect: float
    low: float
    high: float
    n: int
    importance: float
    arm: str = ""
    advice: str = ""
    unit: str = "share"
    null: float = 0.0
    topic: str = ""
    rungs: list[tuple[str, Estimate]] = field(default_factory=list)
    things: tuple[str, ...] = ()  # cards and the like that it names
    game: int = NO_GAME
    replay: str = ""
    next: NextStep | None = None
    certainty: str = "corrected for everything that was tested in this run"

    def brief(self) -> dict[str, Any]:
        found: dict[str, Any] = {"id": self.id, "text": self.text, "effect": self.effect,
                                 "low": self.low, "high": self.high, "n": self.n}
        if self.replay:
            found["replay"] = self.replay
        if self.next:
            found["next"] = self.next.brief()
        return found

    @property
    def file(self) -> str:
        """The name of its replay."""
        return re.sub(r"[^a-z0-9]+", "-", self.id.lower()).strip("-") + ".toml"


def held(claims: list[Claim]) -> list[Claim]:
    """The claims that pass, corrected for all of their family that were tested."""
    passed: set[int] = set()
    for family, chance in CHANCE.items():
        places = [k for k, claim in enumerate(claims) if claim.family == family]
        corrected = holm([claims[k].estimate.p for k in places])
        passed |= {k for k, p in zip(places, corrected, strict=True) if p <= chance}
    return [claim for k, claim in enumerate(claims) if k in passed]


def importance(claim: Claim) -> float:
    """How far the interval stays from the null, in units of a serious effect."""
    low, high = claim.estimate.low, claim.estimate.high
    near = min(abs(low - claim.null), abs(high - claim.null))
    return min(near / claim.scale, MOST_IMPORTANT) if claim.estimate.excludes(claim.null) else 0.0


def findings_of(claims: Iterable[Claim], rung: Callable[[str], Any]) -> list[Finding]:
    """One finding for each id that held somewhere, worded for the strongest rung it held at."""
    claims = list(claims)
    groups: dict[str, list[Claim]] = {}
    for claim in held(claims):
        groups.setdefault(claim.id, []).append(claim)
    return [one_finding(max(group, key=lambda claim: rung(claim.arm)),
                        sorted((claim for claim in claims if claim.id == name),
                               key=lambda claim: rung(claim.arm)))
            for name, group in groups.items()]


def one_finding(claim: Claim, rungs: list[Claim]) -> Finding:
    """A finding that stronger bots do not share is given less weight, and says so."""
    found, above = claim.estimate, [other.arm for other in rungs[rungs.index(claim) + 1:]]
    weight, advice = importance(claim), claim.advice
    if above:
        weight *= AIMLESS if claim.arm == "random" else WEAKER
        advice = f"This could not be shown for {listed(above, last='or')}. {advice}"
    return Finding(claim.id, claim.text, found.effect, found.low, found.high, found.n,
                   weight, claim.arm, advice, claim.unit, claim.null,
                   claim.topic, [(other.arm, other.estimate) for other in rungs],
                   game=claim.game)


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (-finding.importance, finding.id))
