"""The verdict on a run: five sentences that a designer reads first, with figures of their own."""

from exchequer.lab.analysis import Analysis, length_of, seat_shares
from exchequer.lab.claims import PAYS, Rung, half_leader_wins
from exchequer.lab.findings import Finding
from exchequer.lab.statistics import Estimate, share
from exchequer.lab.strength import results
from exchequer.lab.words import between, capital, listed, percent, rounded, seat_name

EVEN = 0.02  # seats whose intervals stay within this of an even share are called even
LEADS_LIKE_A_RACE = 0.05
SAID = ("seat-", "too-", "runaway", "hollow-")  # findings that the other sentences tell
ENDS = {"unfinished": "never ends", "over": "runs to its end"}  # without an `Ending`
GRAVE = 0.4  # importance of a finding that a verdict names


def verdict(analysis: Analysis) -> str:
    rung = analysis.main
    told = [who_wins(rung, analysis.findings), how_long(rung)]
    if rung.seats > 1 and not rung.is_mixed:
        told.append(how_it_runs(rung))
    told += [skill(analysis), gravest(analysis.findings, rung.name)]
    return " ".join(filter(None, told))


def who_wins(rung: Rung, findings: list[Finding]) -> str:
    """A seat is called better only where that is a finding: one of four stands out by chance."""
    if rung.seats == 1:
        won = share(rung.tables.seats["share"].sum(), len(rung.tables.seats))
        return f"{capital(rung.name)} wins {with_range(won)} of its runs."
    shares, even = seat_shares(rung), 1 / rung.seats
    if all(even - EVEN < e.low and e.high < even + EVEN for _, e in shares):
        return f"The seats are even within {100 * EVEN:.0f} points between {rung.name} bots."
    seat, most = max(shares, key=lambda one: abs(one[1].effect - even))
    if not any(one.id.startswith("seat-") and one.arm == rung.name for one in findings):
        return (f"No seat was shown to be better between {rung.name} bots, but "
                f"{seat_name(seat, rung.seats)} may win anything from {between(most)}.")
    return (f"{capital(seat_name(seat, rung.seats))} wins {with_range(most)} of games between "
            f"{rung.name} bots; {percent(even, 0)} would be even.")


def how_long(rung: Rung) -> str:
    length, games = length_of(rung), rung.tables.games
    ending, count = games["ending"].value_counts(sort=True).sort(
        "count", "ending", descending=[True, False]).row(0)
    ends = ENDS.get(ending, f"ends by {ending.replace('_', ' ')}")
    takes = f"{length['mean']:.1f} {length['unit']}", f"{length['decisions']:.0f} decisions"
    if ending in ("won", "lost"):  # which has been said
        return f"A game takes {takes[0]} and {takes[1]}."
    return (f"A game takes {takes[0]} and {takes[1]} and {ends} in {rounded(count / len(games))} "
            "of cases.")


def how_it_runs(rung: Rung) -> str:
    found, fair = share(*half_leader_wins(rung.tables.games)), rung.race.leader_wins
    if found.n == 0:
        return ""
    told, even = f"Whoever leads at half-time wins {with_range(found)}", 1 / rung.seats
    if found.high < even + PAYS:
        return (f"{told}, no more than anybody else ({percent(even, 0)}); in a race that luck "
                f"alone decides it would be {percent(fair, 0)}.")
    if abs(found.effect - fair) < LEADS_LIKE_A_RACE:
        return f"{told}, about as in a race that luck alone decides ({percent(fair, 0)})."
    kind = "more" if found.effect > fair else "less"
    return f"{told}, {kind} than in a race that luck alone decides ({percent(fair, 0)})."


def skill(analysis: Analysis) -> str:
    """What the strongest bot wins against the others that it met."""
    if analysis.plan.seats == 1:
        return alone(analysis.plain_rungs[:-1])
    best, even = analysis.main.bots[0], 1 / analysis.plan.seats
    every = results(analysis.plan, analysis.tables)
    known = {rung.bots[0] for rung in analysis.plain_rungs}
    met = {other: e for (bot, other), e in every.items() if bot == best and other in known}
    guests = {other: e for (other, bot), e in every.items() if bot == best and other not in known}
    if not met:
        return ""
    told = listed([f"{rounded(e.effect)} against {other}" for other, e in met.items()])
    who = f"A seat of {best}" if guests else f"A seat of {best}, the strongest bot here,"
    rest = "".join(f"; a seat of {other} among {best} bots wins {percent(e.effect, 0)}"
                   for other, e in guests.items())
    return f"{who} wins {told} ({percent(even, 0)} is even){rest}."


def alone(weaker: list[Rung]) -> str:
    """What weaker bots win of a solo game, the best of them first."""
    won = [(rung.name, float(rung.tables.seats["share"].mean() or 0.0))  # type: ignore[arg-type]
           for rung in reversed(weaker)]
    told = listed([f"{name} {rounded(share)}" for name, share in won])
    return f"Weaker bots win less: {told}." if told else ""


def gravest(findings: list[Finding], best: str) -> str:
    """What the strongest bots show comes before what only weaker ones do."""
    grave = [finding for finding in findings if finding.importance >= GRAVE]
    said = [finding for finding in grave if not finding.id.startswith(SAID)]
    said.sort(key=lambda finding: finding.arm not in ("", best))
    if said:
        return said[0].text
    return "" if grave else "Nothing else stood out."


def with_range(estimate: Estimate) -> str:
    return f"{percent(estimate.effect)} ({between(estimate)})"

