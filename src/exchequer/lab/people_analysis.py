"""What a playtest says, analysed: clarity, opinions, people beside bots, all corrected together."""

from dataclasses import dataclass, field, replace

import polars as pl

from exchequer.bots.ladder import Rating
from exchequer.lab.beside_bots import Beside, beside, beside_claims, strength
from exchequer.lab.clarity import Clarity, clarity_claims, clarity_of
from exchequer.lab.findings import Claim, Finding, findings_of, ranked
from exchequer.lab.opinions import Opinion, liking_claims, opinions_of, settled_text
from exchequer.lab.people_tables import people_arm, people_tables
from exchequer.lab.plan import LineUp, Plan
from exchequer.lab.playtest import PAPER, Played, PlaytestData
from exchequer.lab.tables import Tables
from exchequer.lab.words import capital, listed, number


@dataclass
class PeopleAnalysis:
    """Everything the report needs."""

    data: PlaytestData
    tables: Tables | None  # of people and bots
    clarity: Clarity
    opinions: list[Opinion]
    beside: list[Beside] = field(default_factory=list)
    ratings: list[Rating] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def settled(self, one: Opinion) -> str:
        is_sure = f"liked-{one.question}" in [finding.id for finding in self.findings]
        return settled_text(self.data, one, is_sure)

    @property
    def whole(self) -> int:
        return sum(one.is_whole for one in self.data.games)


# The analysis ------------------------------------------------------------------------------------

def analyse(data: PlaytestData, bots: Tables | None = None, plan: Plan | None = None
            ) -> PeopleAnalysis:
    """Without bots: what people's games say by themselves."""
    people = people_tables(data)
    whole = joined_tables(people, bots)
    found = PeopleAnalysis(data, whole, clarity_of(data), opinions_of(data))
    if people is not None and bots is not None and plan is not None:
        found.beside = compared(data, people, bots, plan)
    if whole is not None and data.seats > 1:
        found.ratings = strength(data.the_game, data.content(0), whole.seats)
    claims: list[Claim] = [*clarity_claims(found.clarity), *liking_claims(data, found.opinions),
                           *beside_claims(found.beside)]
    found.findings = ranked(findings_of(claims, lambda _: 0))
    return found


def joined_tables(people: Tables | None, bots: Tables | None) -> Tables | None:
    parts = [one for one in (people, bots) if one is not None]
    if not parts:
        return None
    whole = Tables.join(parts)
    if "who" in whole.seats.columns:  # a bot is known by its level
        whole.seats = whole.seats.with_columns(pl.coalesce("who", "bot").alias("who"))
    return whole


def compared(data: PlaytestData, people: Tables, bots: Tables, plan: Plan) -> list[Beside]:
    """Each variant against the first line-up in it."""
    found: list[Beside] = []
    for place in range(len(data.arms)):
        arm = people_arm(data, place)
        if arm in people.games["arm"].to_list():
            own = bots.of(bots_arm(plan, plan.lineups[0], place))
            found += [replace(one, id=f"{one.id}-{place}" if len(data.arms) > 1 else one.id)
                      for one in beside(data.the_game, data.seats, people.of(arm), own, arm)]
    return found


def bots_arm(plan: Plan, lineup: LineUp, place: int) -> str:
    return f"{lineup.name}: {plan.names[place]}" if plan.other else lineup.name


# In words ----------------------------------------------------------------------------------------

def verdict(analysis: PeopleAnalysis) -> str:
    data = analysis.data
    told = [f"{counted_things(analysis.whole, 'whole game')} by "
            f"{counted_things(analysis.clarity.testers, 'tester')}"
            + (f", {len(paper(data))} on paper" if paper(data) else "") + "."]
    told += [capital(one.text) for one in analysis.findings[:2]]
    told += [sentence for one in analysis.opinions if one.question == "fun"
             if (sentence := analysis.settled(one))]
    if not analysis.findings:
        told.append("Nothing stood out from chance.")
    return " ".join(told)


def paper(data: PlaytestData) -> list[Played]:
    return [one for one in data.games if one.kind == PAPER]


def counted(data: PlaytestData) -> str:
    names = [f"{arm['name']} ({number(sum(one.arm == k for one in data.games))})"
             for k, arm in enumerate(data.arms)]
    return listed(names)


def counted_things(count: int, what: str) -> str:
    return f"{number(count)} {what}{'' if count == 1 else 's'}"
