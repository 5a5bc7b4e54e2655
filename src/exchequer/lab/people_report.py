"""The report of a playtest: what is not clear, what was liked, people beside bots, their words."""

from collections import Counter, defaultdict
from html import escape

from exchequer.lab.clarity import CARD, PARAGRAPH, QUESTION, Subject
from exchequer.lab.pages import Raw, Section, figured, page, table, with_interval
from exchequer.lab.people_analysis import (
    PeopleAnalysis,
    counted,
    counted_things,
    paper,
    verdict,
)
from exchequer.lab.playtest import PERSON, previews_not_made
from exchequer.lab.plots import Dot, dots
from exchequer.lab.words import number, percent

MOST_HOT = 14
MOST_ROWS = 60
PROMISE = ("Ranked by importance. What is tested was fixed before anybody played, and each finding "
           "holds after correction for all of it: of twenty reports at most one says something "
           "that chance alone brought about. A tester counts once for each paragraph, card or "
           "question, and answers are averaged by table.")


def people_report(analysis: PeopleAnalysis) -> str:
    data = analysis.data
    games = counted_things(len(data.games), "game")
    subtitle = (f"{data.title} ({data.name}): {games}, {counted(data)}; rules of version "
                f"{data.rules_version}.")
    makers = (heat, questions, weighed, liked, side_by_side, ladder, leaving, words, on_paper)
    sections = [section for make in makers if (section := make(analysis))]
    return page(f"{data.the_game.title}: what people did and said", subtitle, sections,
                analysis.findings, verdict(analysis), PROMISE)


# Clarity -----------------------------------------------------------------------------------------

def heat(analysis: PeopleAnalysis) -> Section | None:
    """The heat list over the rulebook, and the cards."""
    parts = []
    for kind, title in ((PARAGRAPH, "Paragraphs"), (CARD, "Cards")):
        hot = [one for one in analysis.clarity.of(kind) if one.times]
        if not hot:
            continue
        rows = [(f"{one.id} {one.name}"[:36] if kind == PARAGRAPH else one.name,
                 [Dot(one.share.effect, one.share.low, one.share.high, 0, percent(
                     one.share.effect))]) for one in hot[:MOST_HOT]]
        parts.append(f"<h3>{title}</h3>" + figured(
            dots(rows, title, hot[0].elsewhere),
            "Share of testers who looked it up, ran into it or wrote about it; the dashed line "
            f"is the mean of all {title.lower()}."))
        parts.append(heat_table(hot))
    if not parts:
        return None
    return Section("Where it is not clear", "Hottest first: what is sure of the excess over the "
                   "rest of its kind decides the order.", "".join(parts))


def heat_table(hot: list[Subject]) -> str:
    rows = [[f"{one.id} {one.name}", one.times, len(one.troubled), with_interval(one.share)]
            for one in hot[:MOST_ROWS]]
    return table(["Subject", "Times", "Testers", "Share of testers"], rows)


def questions(analysis: PeopleAnalysis) -> Section | None:
    found = analysis.clarity.of(QUESTION)
    if not found:
        return None
    rows = [[one.name, one.times, with_interval(one.share), percent(one.elsewhere, 0),
             with_interval(one.slower, False) if one.slower else ""] for one in found]
    return Section("Questions of the game",
                   "Trouble is an undo, a hint, a look into the rules, a \"why can't I\" or a flag "
                   "while somebody was asked this. Thinking time is held against the same "
                   "person's other decisions with as many options.",
                   table(["Asked", "Times", "Trouble per decision", "Elsewhere",
                          "Times as long"], rows))


def weighed(analysis: PeopleAnalysis) -> Section | None:
    """What people looked at and did not do."""
    counts, who = Counter[str](), defaultdict[str, set[str]](set)
    for game in analysis.data.games:
        for person in game.people:
            for action, times in previews_not_made(game, person).items():
                counts[action] += times
                who[action].add(person)
    if not counts:
        return None
    rows = [[action, times, len(who[action])] for action, times in counts.most_common(MOST_HOT)]
    return Section("Tried and not done", "Moves whose effect people looked at before they did "
                   "something else.", table(["Move", "Times", "Testers"], rows))


# Opinions ----------------------------------------------------------------------------------------

def liked(analysis: PeopleAnalysis) -> Section | None:
    data = analysis.data
    if not analysis.opinions:
        return None
    names = [arm["name"] for arm in data.arms]
    rows = [[one.text, *[with_interval(e, False) if e.n else "" for e in one.means],
             analysis.settled(one)] for one in analysis.opinions]
    return Section("How it was liked", "Means on a scale from 1 to 5, by table.",
                   table(["Question", *names, ""], rows, left=1))


def words(analysis: PeopleAnalysis) -> Section | None:
    """Choices counted, sentences as they were written."""
    data, parts = analysis.data, []
    for question in data.questions:
        given = [(game.arm, said.who, said.answers[question["id"]]) for game in data.games
                 for said in game.said if question["id"] in said.answers]
        if not given or question["kind"] == "scale":
            continue
        parts.append(f"<h3>{escape(question['text'])}</h3>")
        if question["kind"] == "choice":
            counts = Counter((arm, text) for arm, _, text in given)
            parts.append(table(["Variant", *question["choices"]],
                               [[arm["name"], *[counts[k, one] for one in question["choices"]]]
                                for k, arm in enumerate(data.arms)]))
        else:
            parts.append("<ul>" + "".join(
                f"<li>{escape(text)} <small>{escape(who)}, {escape(data.arms[arm]['name'])}"
                "</small></li>" for arm, who, text in given[:MOST_ROWS]) + "</ul>")
    notes = [(about, note) for game in data.games for note in game.notes
             for about in note.about or ("the game",)]
    if notes:
        parts.append("<h3>Notes on replays</h3>" + table(["About", "Note", "By"], [
            [about, note.text, note.who] for about, note in sorted(
                notes, key=lambda one: one[0])][:MOST_ROWS], left=3))
    return Section("In their words", "", "".join(parts)) if parts else None


# Beside bots -------------------------------------------------------------------------------------

def side_by_side(analysis: PeopleAnalysis) -> Section | None:
    if not analysis.beside:
        return None
    ordered = sorted(analysis.beside, key=lambda one: one.gap.p)
    rows = [[one.words, one.arm, with_interval(one.people, one.is_share),
             with_interval(one.bots, one.is_share), Raw(f"{one.gap.p:.3f}")]
            for one in ordered[:MOST_ROWS]]
    return Section("People beside bots", "The same measures, in the same variant; what differs "
                   "most surely first. p is not yet corrected; the findings are.",
                   table(["Measure", "Games", "People", "Bots", "p"], rows, left=2))


def ladder(analysis: PeopleAnalysis) -> Section | None:
    if not analysis.ratings:
        return None
    rows = [(one.name, [Dot(one.rating, one.low, one.high, int(one.name == "people"),
                            number(one.rating))]) for one in analysis.ratings]
    return Section("How strong people are", "On Elo's scale, 400 points are odds of ten to one.",
                   figured(dots(rows, "Rating", unit="rating"),
                           "Ratings from all games in which they met."))


# Paper and leaving -------------------------------------------------------------------------------

def leaving(analysis: PeopleAnalysis) -> Section | None:
    left = [(game, one) for game in analysis.data.games for one in game.seats
            if one.kind == PERSON and one.left is not None]
    if not left:
        return None
    rows = [[one.who, game.id, analysis.data.arms[game.arm]["name"],
             f"{(one.left or 0) / 60:.1f}"] for game, one in left[:MOST_ROWS]]
    return Section("Who left early", "", table(["Tester", "Game", "Variant", "After minutes"],
                                               rows, left=3))


def on_paper(analysis: PeopleAnalysis) -> Section | None:
    games = paper(analysis.data)
    if not games:
        return None
    rows = [[analysis.data.arms[one.arm]["name"], ", ".join(map(str, one.scores)),
             f"{one.seconds / 60:.0f}"] for one in games[:MOST_ROWS]]
    return Section("On paper", "", table(["Variant", "Scores", "Minutes"], rows, left=2))
