"""The report of a run: its findings, then every measure with its plots."""

from collections.abc import Callable

import numpy as np
import polars as pl

from exchequer.lab.analysis import Analysis, length_of, seat_shares
from exchequer.lab.claims import Rung, half_leader_wins, usage
from exchequer.lab.company import company
from exchequer.lab.metrics import DRAMA, FELL_LOW, MATTERING, SETTLED, values
from exchequer.lab.pages import SMALL, Section, figured, page, table, with_interval
from exchequer.lab.paragraphs import titles
from exchequer.lab.plan import command_of
from exchequer.lab.plots import Dot, Series, dots, histogram, legend, lines, stacked
from exchequer.lab.recording import BANDS
from exchequer.lab.statistics import (
    Estimate,
    Z,
    by_deal,
    difference,
    likeness,
    mean,
    median,
    ratio,
    share,
    within,
)
from exchequer.lab.stories.courses import EARLY, turn_at, when
from exchequer.lab.stories.pace import longest_waits
from exchequer.lab.stories.styles import meetings, styles_of
from exchequer.lab.verdict import verdict
from exchequer.lab.words import capital, counted_seats, listed, number, percent, seat_name

MOST_BINS = 60
MOST_USES = 40


def run_report(analysis: Analysis) -> str:
    plan, game = analysis.plan, analysis.game
    games = sum(len(rung.tables.games) for rung in analysis.rungs)
    lineups = [f"{rung.name} ({number(len(rung.tables.games))})" for rung in analysis.plain_rungs]
    mixed = sum(len(rung.tables.games) for rung in analysis.rungs if rung.is_mixed)
    lineups += [f"{number(mixed)} between different bots"] if mixed else []
    subtitle = f"{counted_seats(plan.seats)}, {number(games)} games: {listed(lineups)}."
    details = (f"Seeds from {plan.seed}; content {game.content(plan.overlay).hash}, rules and rows "
               f"of version {game.version}.")
    bots = dict.fromkeys(bot for rung in analysis.rungs for bot in rung.bots)
    makers: list[Callable[[Analysis], Section | None]] = [
        balance, skill_ladder, openings, shape, course, resources, used, counted, partners,
        unseen, numbers, replays]
    sections = [section for make in makers if (section := make(analysis))]
    return page(f"{game.title}: what the lab found", subtitle, sections, analysis.findings,
                verdict(analysis), picture=picture(analysis), command=command_of(plan),
                details=details, bots=tuple(bots))


# Who wins ----------------------------------------------------------------------------------------

def picture(analysis: Analysis) -> str:
    """The one on the first screen: who wins."""
    rungs, seats = analysis.plain_rungs, analysis.plan.seats
    if seats == 1:
        won = [(rung.name, share(rung.tables.seats["share"].sum(), len(rung.tables.seats)))
               for rung in rungs]
        rows = [(name, [Dot(e.effect, e.low, e.high, 0, percent(e.effect, 2))]) for name, e in won]
        return figured(dots(rows, "Share of runs won", width=SMALL), "Share of runs won, by bot.")
    even = 1 / seats
    rows = [(rung.name, [Dot(e.effect, e.low, e.high, seat, f"{seat_name(seat, seats)}: "
                             f"{percent(e.effect)}") for seat, e in seat_shares(rung)])
            for rung in rungs]
    return legend(seat_names(seats)) + figured(
        dots(rows, "Share of wins by seat", even, width=SMALL),
        "Share of wins by seat and bot, the same bot in every seat; the dashed line marks an even "
        "share.") if rungs else ""


def seat_names(seats: int) -> list[str]:
    return [capital(seat_name(seat, seats)) for seat in range(seats)]


def balance(analysis: Analysis) -> Section | None:
    rungs = analysis.plain_rungs
    if not rungs:
        return None
    if analysis.plan.seats == 1:
        return solo(rungs)
    names = seat_names(analysis.plan.seats)
    scores = table(["bots", "games", *names], [
        [rung.name, number(len(rung.tables.games)),
         *(with_interval(median(rung.tables.seats.filter(pl.col("seat") == seat)["score"]
                                .to_numpy().astype(float)), False)
           for seat in range(rung.seats))] for rung in rungs])
    return Section("Scores", "Median scores of the seats, the same bot in every seat.", scores)


def solo(rungs: list[Rung]) -> Section:
    found = [(rung, share(rung.tables.seats["share"].sum(), len(rung.tables.seats)))
             for rung in rungs]
    ends = table(["bots", "runs", "won", "mean score", f"mean {rungs[0].measures.turns}"], [
        [rung.name, number(e.n), with_interval(e),
         with_interval(mean(rung.tables.seats["score"].to_numpy().astype(float)), False),
         number(float(rung.tables.games["turns"].mean()))]  # type: ignore[arg-type]
        for rung, e in found])
    return Section("How often it is won", "Alone against the game, by bot.",
                   ends + where_runs_die(rungs))


def where_runs_die(rungs: list[Rung]) -> str:
    """How far lost runs got, by the resource that the game declares as its progress."""
    progress = rungs[0].measures.progress
    if not progress:
        return ""
    rows = []
    for rung in rungs:
        lost = rung.tables.seats.filter(pl.col("share") == 0)
        reached = lost[f"final {progress}"].value_counts().sort(f"final {progress}")
        rows.append((rung.name, [(f"{progress}: {value}", n / max(1, len(lost)))
                                 for value, n in reached.iter_rows()]))
    names = list(dict.fromkeys(name for _, parts in rows for name, _ in parts))
    return (f"<h3>Where runs end: {progress} when they were lost</h3>" + legend(names)
            + figured(stacked(rows, "Where runs end"), ""))


def skill_ladder(analysis: Analysis) -> Section | None:
    """Mixed line-ups on the same deals in every seat: how much does skill win?"""
    mixed = [rung for rung in analysis.rungs if rung.is_mixed]
    body, text = "", ""
    if mixed:
        rows = []
        for rung in mixed:
            found = entrant_shares(rung)
            rows.append((rung.name, [Dot(e.effect, e.low, e.high, k,
                                         f"{rung.bots[k]} {percent(e.effect)}")
                                     for k, e in enumerate(found)]))
        body += figured(dots(rows, "Share of wins by bot", 1 / analysis.plan.seats),
                        "Share of wins of each bot, in the order of the line-up's name; every bot "
                        "plays the same cards and dice in every seat.")
        if analysis.plan.seats == 2:
            body += "<h3>Same cards and dice, bots swapped</h3>" + swapped(mixed)
        text = "How much skill wins, and how much cards and dice decide."
    repeated = [rung for rung in analysis.plain_rungs if rung.again is not None]
    if repeated:
        body += "<h3>How much cards and dice decide</h3>" + luck_table(repeated)
    return Section("Skill and luck", text or "The same games, replayed by the same bots.",
                   body) if body else None


def entrant_shares(rung: Rung) -> list[Estimate]:
    found = []
    for entrant in range(rung.seats):
        rows = rung.tables.seats.filter(pl.col("entrant") == entrant)
        found.append(within(mean(by_deal(rows["share"].to_numpy(), rows["deal"].to_numpy()),
                                 1 / rung.seats, 1.0), 0.0, 1.0))
    return found


def swapped(mixed: list[Rung]) -> str:
    rows = []
    for rung in mixed:
        pairs = rung.tables.seats.filter(pl.col("entrant") == 0).group_by("deal").agg(
            pl.col("share").sum())["share"].to_numpy()
        n = len(pairs)
        rows.append([rung.name, number(n), with_interval(share((pairs == 2).sum(), n)),
                     with_interval(share((pairs == 0).sum(), n)),
                     with_interval(share(((pairs > 0) & (pairs < 2)).sum(), n))])
    return table(["bots", "pairs of games", "first wins both", "second wins both",
                  "seat or luck decides"], rows)


def luck_table(rungs: list[Rung]) -> str:
    rows = []
    for rung in rungs:
        assert rung.again is not None
        pairs = rung.again.seats.filter(pl.col("seat") == 0).join(
            rung.tables.seats.filter(pl.col("seat") == 0), on="deal", suffix="_main")
        cells = [with_interval(likeness(*(pairs[column].rank().to_numpy()
                                          for column in (name, f"{name}_main"))))
                 for name in ("share", "score")]
        rows.append([rung.name, number(len(pairs)), *cells])
    heads = (["of who wins", "of the first seat's score"] if rungs[0].seats > 1 else
             ["of winning", "of the score"])
    return table(["bots", "games", *heads], rows) + (
        '<p class="meta">Variance of ranks explained when the same bots meet the same cards and '
        "dice twice: at 0 % these decide nothing, at 100 % everything.</p>")


def openings(analysis: Analysis) -> Section | None:
    """Groups of early play, and which of them wins against which."""
    rung = analysis.main
    found = None if rung.is_mixed else styles_of(rung)
    if found is None:
        return None
    rows = []
    for style, met in enumerate(meetings(found)):
        part = found.rows.filter(pl.col("style") == style)
        by_seat = [share((part["seat"] == seat).sum(), len(part)) for seat in range(rung.seats)]
        rows.append([capital(found.names[style]), percent(len(part) / len(found.rows), 0),
                     *(f"{percent(one.won)} : {percent(one.others)}" if one else "" for one in met),
                     *(percent(e.effect, 0) for e in by_seat)])
    heads = ["opening", "of seats", *(f"against {name}" for name in found.names),
             *(f"in {seat_name(seat, rung.seats)}" for seat in range(rung.seats))]
    return Section("Openings", "Seats grouped by what they used "
                   f"{when(rung, turn_at(rung, EARLY))}, between {rung.name} bots: what each group "
                   "wins of the games in which it meets another, what the other wins in the same "
                   "seats, and where each group sits. Where two hardly ever change seats, nothing "
                   "is said.", table(heads, rows))


# Shape and course --------------------------------------------------------------------------------

def shape(analysis: Analysis) -> Section:
    rungs = analysis.plain_rungs or analysis.rungs
    turns = rungs[0].measures.turns
    counts = [(rung.name, binned(rung.tables.games["turns"])) for rung in rungs]
    lengths = table(["bots", f"mean {turns}", "middle 80 %", "shortest to longest", "decisions",
                     "options per decision", "minutes", "longest wait", "longest chain"],
                    [length_row(rung) for rung in rungs])
    pace = (f"Minutes are those of people who take {number(rungs[0].measures.seconds)} seconds to "
            "choose. The longest wait is how many choices others make in a row, the longest chain "
            "how many things follow from one move; both as the median of the games.")
    rows = []
    for rung in rungs:
        ended = rung.tables.games["ending"].value_counts(sort=True)
        rows.append((rung.name, [(name, n / len(rung.tables.games))
                                 for name, n in sorted(ended.iter_rows())]))
    names = list(dict.fromkeys(name for _, parts in rows for name, _ in parts))
    return Section("Length and ending", pace, legend([rung.name for rung in rungs])
                   + figured(histogram(counts, f"Length in {turns}", turns),
                             f"Length in {turns}: share of games.") + lengths
                   + "<h3>How games end</h3>" + legend([n.replace("_", " ") for n in names])
                   + figured(stacked(rows, "How games end"), ""))


def binned(values: pl.Series) -> list[tuple[float, int]]:
    low, high = int(values.min()), int(values.max())  # type: ignore[arg-type]
    width = max(1, -(-(high - low + 1) // MOST_BINS))
    counts = np.bincount((values.to_numpy() - low) // width)
    return [(low + k * width, int(n)) for k, n in enumerate(counts)]


def median_of(values: pl.Series) -> float:
    return float(values.median() or 0)  # type: ignore[arg-type]


def length_row(rung: Rung) -> list[object]:
    length, games = length_of(rung), rung.tables.games
    return [rung.name, with_interval(Estimate(length["mean"], length["low"], length["high"],
                                              len(games)), False),
            f"{length['p10']:g} to {length['p90']:g}", f"{length['min']} to {length['max']}",
            number(length["decisions"]),
            number(float(games["branching"].sum()) / max(1.0, float(games["steps"].sum()))),
            number(length["minutes"]), number(median_of(longest_waits(rung)["waited"])),
            number(median_of(games["chain"]))]


def course(analysis: Analysis) -> Section | None:
    rungs = analysis.plain_rungs
    if not rungs or analysis.plan.seats == 1:
        return None
    series = []
    for rung in rungs:
        leads = rung.tables.leads.filter(pl.col("games") > 0)
        found = [share(w, n) for w, n in zip(leads["wins"], leads["games"], strict=True)]
        series.append(Series(rung.name, [t / 10 for t in leads["tenth"]],
                             [e.effect for e in found], [e.low for e in found],
                             [e.high for e in found]))
    gini = [curve(rung, "inequality", -1) for rung in rungs]
    rows = [[rung.name, *map(with_interval, story(rung)[:2]),
             *(with_interval(e, False) for e in story(rung)[2:3]),
             *map(with_interval, story(rung)[3:])] for rung in rungs]
    race = rungs[-1].race
    rows.append(["a race of luck alone", percent(race.leader_wins), percent(race.settled),
                 "", "", "", ""])
    wealth = next(iter(rungs[0].measures.resources))
    return Section(
        "The course of a game",
        "The evaluation of the position (value.py, or the points) decides who leads.",
        legend([rung.name for rung in rungs])
        + figured(lines(series, "How often the leader wins", percent=True, x_name="%", low=0.0,
                        high=1.0),
                  "How often the leader goes on to win, by how much of the game is over.")
        + figured(lines(gini, "Inequality", low=0.0, height=160),
                  f"Inequality of {wealth} between the seats (Gini), by "
                  f"{rungs[0].measures.turns.removesuffix('s')}.")
        + table(["bots", "half-time leader wins", "leads for good after", "lead changes",
                 "winner was valued below 25 %", "decisions that matter", "drama"], rows)
        + foresight(rungs))


def foresight(rungs: list[Rung]) -> str:
    """Whether the evaluation of a position can be read as a chance to win."""
    rows = []
    for rung in rungs:
        bands = rung.tables.chances.filter(pl.col("seats") > 0)
        rows.append(Series(rung.name, [(b + 0.5) / BANDS for b in bands["band"]],
                           (bands["wins"] / bands["seats"]).to_list()))
    told = "; ".join(f"{rung.name} bots: off by {100 * misjudged(rung):.0f} points on average"
                     for rung in rungs)
    return ("<h3>Can the evaluation be read as a chance to win?</h3>" + figured(
        lines(rows, "How often seats of each evaluation won", percent=True, x_name="%", low=0.0,
              high=1.0), "How often a seat won, by how its position was valued during the game: on "
        "the diagonal the value is the chance to win.") + f"<p>{capital(told)}.</p>")


def misjudged(rung: Rung) -> float:
    """How far valuations lie from what was won, on average over the positions looked at."""
    bands = rung.tables.chances.filter(pl.col("seats") > 0)
    gaps = (bands["wins"] / bands["seats"] - (bands["band"] + 0.5) / BANDS).abs()
    weights = bands["seats"].to_numpy()
    return float((gaps.to_numpy() * weights).sum() / max(1, weights.sum()))


def story(rung: Rung) -> list[Estimate]:
    games = rung.tables.games
    fell_low = values(games, FELL_LOW)
    return [share(*half_leader_wins(games)), within(mean(values(games, SETTLED)), 0.0, 1.0),
            mean(values(games, pl.col("lead_changes"))),
            share(fell_low.sum(), len(fell_low)),
            within(mean(values(games, MATTERING)), 0.0, 1.0),
            within(mean(values(games, DRAMA)), 0.0, 1.0)]


def curve(rung: Rung, resource: str, seat: int) -> Series:
    """A mean by turn with its interval, for turns that one game in fifty reaches."""
    rows = rung.tables.curves.filter((pl.col("resource") == resource) & (pl.col("seat") == seat)
                                     & (pl.col("games") * 50 >= len(rung.tables.games)))
    half = [Z * d / n ** 0.5 for d, n in zip(rows["deviation"], rows["games"], strict=True)]
    means = rows["mean"].to_list()
    return Series(rung.name, rows["turn"].to_list(), means,
                  [m - h for m, h in zip(means, half, strict=True)] if seat >= 0 else (),
                  [m + h for m, h in zip(means, half, strict=True)] if seat >= 0 else ())


def resources(analysis: Analysis) -> Section:
    """A small plot for each resource: stock by turn for each seat, at the strongest rung."""
    rung, parts = analysis.main, []
    chosen = [name for name in rung.measures.resources
              if not analysis.plan.measures or name in analysis.plan.measures]
    for name in chosen:
        stock = [curve(rung, name, seat) for seat in range(rung.seats)]
        parts.append(f"<div><h3>{capital(name)}</h3>"
                     f"{lines(stock, name, width=300, height=150)}</div>")
    flows = [[name, *(number(v) for v in flow(rung, name))] for name in chosen]
    names = seat_names(rung.seats)
    unit = rung.measures.turns.removesuffix("s")
    return Section("Stocks and flows", f"Means by {unit} between {rung.name} bots. "
                   f"A {unit} is shown if at least one game in fifty reaches it.",
                   (legend(names) if rung.seats > 1 else "")
                   + f'<div class="many">{"".join(parts)}</div>'
                   + table([f"change per {unit}", "first third", "second third", "last third"],
                           flows))


def flow(rung: Rung, resource: str) -> list[float]:
    """Mean change per turn in each third of the turns shown, over all seats."""
    stocks = [curve(rung, resource, seat).ys for seat in range(rung.seats)]
    means = np.mean([list(stock) for stock in stocks], axis=0) if stocks[0] else np.zeros(1)
    parts = np.array_split(np.diff(means), 3)
    return [float(part.mean()) if len(part) else 0.0 for part in parts]


# What is used ------------------------------------------------------------------------------------

def used(analysis: Analysis) -> Section | None:
    rungs = analysis.plain_rungs
    if not rungs or not rungs[0].measures.uses:
        return None
    body = legend([rung.name for rung in rungs])
    for group in rungs[0].measures.uses:
        by_rung = [usage(rung, group) for rung in rungs]
        things = sorted(by_rung[-1], key=lambda t: -by_rung[-1][t].effect)
        shown = things if len(things) <= MOST_USES else [*things[:MOST_USES // 2],
                                                         *things[-MOST_USES // 2:]]
        rows = [(thing.replace("_", " "), [Dot(found[thing].effect, found[thing].low,
                                               found[thing].high, k,
                                               f"{rungs[k].name} {percent(found[thing].effect)}")
                                           for k, found in enumerate(by_rung)]) for thing in shown]
        cut = "" if len(shown) == len(things) else f" The {MOST_USES // 2} most and least used."
        body += f"<details{' open' if len(shown) <= 14 else ''}><summary>{capital(group)} " \
                f"({len(things)})</summary>" + figured(
                    dots(rows, f"{group} used", limits=(0.0, 1.0)),
                    f"Share of a seat's games in which it was used.{cut}") + "</details>"
    return Section("What is used", "", body)


def counted(analysis: Analysis) -> Section | None:
    """The game's own counts, as means per seat and game."""
    rungs = analysis.plain_rungs or analysis.rungs
    names = [name for name in rungs[0].measures.counts
             if not analysis.plan.measures or name in analysis.plan.measures]
    if not names:
        return None
    rows = [[capital(name), *(with_interval(per_game(rung, name), False) for rung in rungs)]
            for name in names]
    body = table(["per game and seat", *(rung.name for rung in rungs)], rows)
    ratios = [[capital(name), *(with_interval(ratio_of(rung, *pair), False) for rung in rungs)]
              for name, pair in rungs[0].measures.ratios.items()]
    if ratios:
        body += table(["over all games", *(rung.name for rung in rungs)], ratios)
    body += winning_with(rungs)
    deals = [[rung.name, number(d), with_sign(a / d), with_sign(b / d)] for rung in rungs
             for d, a, b in rung.tables.deals.select("deals", "giver", "taker").iter_rows()
             if d]
    if deals:
        body += "<h3>What a deal is worth</h3>" + table(
            ["bots", "deals", "to the giver", "to the taker"], deals) + (
            '<p class="meta">Change in the value of the position by the move that closed the '
            "deal.</p>")
    return Section("What happens", "", body)


def winning_with(rungs: list[Rung]) -> str:
    """What goes with what ratios count: who broke a promise wins how often, and who kept them?"""
    rows, measures = [], rungs[0].measures
    for above, below in measures.ratios.values():
        for rung in rungs if not measures.counts[above].amount else ():
            none, some = told_apart(rung, above, below)
            if rung.seats > 1 and len(none) and len(some):
                rows.append([f"{capital(above)}: {rung.name}",
                             *(with_interval(share(one.sum(), len(one))) for one in (none, some)),
                             with_interval(difference(none, some))])
    return "<h3>What goes with it</h3>" + table(
        ["win share of seats", "with none", "with one or more", "difference"], rows) + (
        '<p class="meta">Of all seats that could have had one. What goes with a win need not be '
        "its cause.</p>") if rows else ""


def told_apart(rung: Rung, above: str, below: str) -> tuple[np.ndarray, np.ndarray]:
    """Win shares of seats with none of the first count and with some; all have some of the second.
    """
    could = rung.tables.seats.filter(pl.col(below) > 0)
    return (could.filter(pl.col(above) == 0)["share"].to_numpy(),
            could.filter(pl.col(above) > 0)["share"].to_numpy())


def partners(analysis: Analysis) -> Section | None:
    """Which seats deal with each other and vote alike."""
    heads, columns = [], []
    for rung in analysis.plain_rungs:
        for what, words in (("deals", "deals"), ("alike", "votes alike")):
            found = {pair: mean(own) for pair, own, _ in company(rung.tables, rung.seats, what)}
            if found:
                heads.append(f"{rung.name}: {words}")
                columns.append([with_interval(one, what == "alike") for one in found.values()])
                names = [" and ".join(seat_name(seat, rung.seats).removeprefix("the ")
                                      .removesuffix(" seat") for seat in pair) for pair in found]
    if not columns:
        return None
    rows = [[capital(name), *cells] for name, *cells in zip(names, *columns, strict=True)]
    return Section("Who deals and votes with whom", "Deals of two seats in a game, and the share "
                   "of votes in which both voted alike.", table(["seats", *heads], rows))


def per_game(rung: Rung, name: str) -> Estimate:
    by_game = rung.tables.seats.group_by("game", maintain_order=True).agg(pl.col(name).mean())
    return mean(by_game[name].to_numpy().astype(float))


def ratio_of(rung: Rung, above: str, below: str) -> Estimate:
    by_game = rung.tables.seats.group_by("game", maintain_order=True).agg(
        pl.col(above).sum().alias("above"), pl.col(below).sum().alias("below"))
    return ratio(by_game["above"].to_numpy().astype(float),
                 by_game["below"].to_numpy().astype(float))


def with_sign(value: float) -> str:
    return f"{100 * value:+.2f} percentage points"


def unseen(analysis: Analysis) -> Section | None:
    """Endings and rules that never came up; most often they are switched off here."""
    told = []
    if analysis.never_ended:
        told.append(f"No game ended by {listed(analysis.never_ended)}.")
    if analysis.unexercised:
        names = titles(analysis.game, analysis.unexercised)
        told.append(f"In {analysis.looked_at} games that were looked at move by move, "
                    f"{len(analysis.unexercised)} of {len(analysis.game.paragraphs)} paragraphs of "
                    f"the rulebook never came up: {listed(list(names), 30)}. Paragraphs about "
                    "options that are switched off are expected here.")
    return Section("What never came up", " ".join(told), "") if told else None


def numbers(analysis: Analysis) -> Section:
    """Which actions were possible, and which were taken."""
    rung = analysis.main
    totals = rung.tables.actions.group_by("action", maintain_order=True).agg(
        pl.col("legal").sum(), pl.col("taken").sum()).filter(pl.col("legal") > 0)
    ordered = totals.with_columns(rate=pl.col("taken") / pl.col("legal")).sort(
        "taken", "action", descending=[True, False])
    rows = [[action, number(legal), number(taken), percent(rate)]
            for action, legal, taken, rate in ordered.iter_rows()]
    never = rung.tables.actions.group_by("action").agg(pl.col("legal").sum()).filter(
        pl.col("legal") == 0)["action"].sort().to_list()
    body = (f"<details><summary>{len(rows)} possible actions</summary>"
            + table(["action", "possible", "taken", "share"], rows[:60])
            + "</details>")
    if never:
        body += f'<p class="meta">Never possible here: {listed(never, 30)}.</p>'
    return Section("Actions", f"Between {rung.name} bots.", body)


def replays(analysis: Analysis) -> Section:
    rows = [[extreme.why, extreme.arm, extreme.game,
             f"exchequer replay replays/{extreme.file}"] for extreme in analysis.extremes]
    return Section("Games worth watching", "Replay them move by move.",
                   table(["game", "bots", "number", "command"], rows, 4))
