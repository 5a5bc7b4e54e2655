"""Where a game is not clear: paragraphs, cards and questions at which people hesitate, err or look
things up more than elsewhere.

A tester counts once for each subject, however often they stumbled over it: people differ in how
much they look up, and games of one person are not independent. Paragraphs and cards are held
against the mean of their kind by an exact test. What is asked or done more often also goes wrong
more often, so that questions (trouble, thinking time) and uses of cards that were taken back are
held against the same person's other decisions. Time is compared as a ratio, after what the number
of options explains.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from exchequer.core.lookup import Thing, things
from exchequer.core.rulebook import cited, paragraphs
from exchequer.lab.findings import Claim
from exchequer.lab.playtest import TABLE, Decision, Played, PlaytestData
from exchequer.lab.statistics import Estimate, mean, mean_beyond, share, share_beyond
from exchequer.lab.words import percent

PARAGRAPH, CARD, QUESTION = "paragraph", "card", "question"
FEWEST = 5  # testers, below which nothing is said of a subject
SHORTEST = 0.2  # seconds: quicker decisions count as this, so that a click has a logarithm
STUMBLES = ("why", "hint", "rules")
NONE = Estimate(0.0, 0.0, 1.0, 0)


@dataclass
class Subject:
    """A paragraph, a card or a question, and the testers that it gave trouble."""

    kind: str
    id: str
    name: str
    troubled: set[str] = field(default_factory=set)
    times: int = 0  # all stumbles, of all testers
    share: Estimate = NONE  # of testers; of a question: stumbles per decision
    elsewhere: float = 0.0
    slower: Estimate | None = None  # how many times as long as elsewhere people think
    p_slower: float = 1.0
    undone: Estimate | None = None  # a card: how much more often a use of it is taken back

    @property
    def heat(self) -> float:
        """By which the list is ordered: what is sure of the excess."""
        return self.share.low - self.elsewhere


@dataclass(frozen=True)
class Clarity:
    """The subjects, hottest first, and how many testers there were."""

    testers: int
    subjects: list[Subject]

    def of(self, kind: str) -> list[Subject]:
        return [one for one in self.subjects if one.kind == kind]


def clarity_of(data: PlaytestData) -> Clarity:
    """From everything that testers did and wrote."""
    testers = sorted({who for game in data.games if game.kind == TABLE for who in game.people})
    found = [*about_rules(data, testers), *about_cards(data, testers), *about_questions(data)]
    return Clarity(len(testers), sorted(found, key=lambda one: (-one.heat, -one.times, one.id)))


# Paragraphs and cards ----------------------------------------------------------------------------

def about_rules(data: PlaytestData, testers: Sequence[str]) -> list[Subject]:
    numbered = {one.number: Subject(PARAGRAPH, one.number, one.name)
                for one in paragraphs(data.the_game) if one.number}
    for game in data.games:
        for who, number in rules_troubles(game):
            if number in numbered:
                numbered[number].troubled.add(who)
                numbered[number].times += 1
    return compared(list(numbered.values()), testers)


def rules_troubles(game: Played) -> Iterator[tuple[str, str]]:
    """Who looked a paragraph up, ran into it, or wrote about it."""
    for one in game.happened:
        if one.kind == "rules" and one.what:
            yield one.who, one.what
        yield from ((one.who, number) for number in one.cites)
    for note in game.notes:
        yield from ((note.who, number) for number in note.about)
    for said in game.said:
        yield from ((said.who, number) for number in cited(said.answers.get("confused", "")))


def about_cards(data: PlaytestData, testers: Sequence[str]) -> list[Subject]:
    every = things(data.the_game, data.content(0))
    found = {one.id: Subject(CARD, one.id, one.name) for one in every}
    for game in data.games:
        for who, card in card_troubles(game, every):
            found[card].troubled.add(who)
            found[card].times += 1
    taken_back(data, found, every)
    return compared(list(found.values()), testers)


def keys_of(every: Sequence[Thing]) -> dict[str, list[str]]:
    by_key: dict[str, list[str]] = defaultdict(list)
    for one in every:
        by_key[one.key].append(one.id)
    return by_key


def taken_back(data: PlaytestData, found: Mapping[str, Subject], every: Sequence[Thing]) -> None:
    """Uses of each card that were undone, each tester's against their other decisions."""
    by_key, counts = keys_of(every), defaultdict[str, np.ndarray](lambda: np.zeros(2))
    by_card: dict[str, dict[str, np.ndarray]] = defaultdict(
        lambda: defaultdict(lambda: np.zeros(2)))
    known: dict[str, list[str]] = {}
    for game in data.games:
        for one in game.decisions:
            counts[one.who] += one.undone, 1
            if one.action not in known:
                known[one.action] = mentioned(one.action, every, by_key)
            for card in known[one.action]:
                by_card[card][one.who] += one.undone, 1
    for card, own in by_card.items():
        gaps = [here[0] / here[1] - (all_of[0] - here[0]) / (all_of[1] - here[1])
                for who, here in own.items() if (all_of := counts[who])[1] > here[1]]
        if len(gaps) >= FEWEST and np.ptp(gaps) > 0:
            found[card].undone = mean_beyond(np.array(gaps), 0.0)


def card_troubles(game: Played, every: Sequence[Thing]) -> Iterator[tuple[str, str]]:
    """Who looked a card up, asked why they could not use it, or wrote of it."""
    by_key = keys_of(every)
    for one in game.happened:
        if one.kind in ("rules", "why"):
            yield from ((one.who, card) for card in mentioned(one.what, every, by_key))
    known = {one.id for one in every}
    for note in game.notes:
        yield from ((note.who, card) for card in note.about if card in known)
    for said in game.said:
        words = said.answers.get("confused", "").lower()
        if not words:
            continue
        yield from ((said.who, one.id) for one in every
                    if re.search(rf"\b{re.escape(one.name.lower())}\b", words))


def mentioned(text: str, every: Sequence[Thing], by_key: Mapping[str, list[str]]) -> list[str]:
    """The cards that an action such as `build:mill`, an address or a word means."""
    exact = [one.id for one in every if text.lower() in (one.id, one.name.lower())]
    return exact or [card for part in re.split(r"[:. ]", text) for card in by_key.get(part, [])]


def compared(subjects: list[Subject], testers: Sequence[str]) -> list[Subject]:
    """Each against the mean of all of its kind."""
    recorded = set(testers)
    for one in subjects:
        one.troubled &= recorded
    n = len(testers)
    usual = float(np.mean([len(one.troubled) for one in subjects])) / n if n and subjects else 0.0
    for one in subjects:
        one.elsewhere = usual
        found = share(len(one.troubled), n)
        p = share_beyond(len(one.troubled), n, usual).p if usual and n >= FEWEST else 1.0
        one.share = replace(found, p=p)
    return subjects


# Questions ---------------------------------------------------------------------------------------

def about_questions(data: PlaytestData) -> list[Subject]:
    """By trouble per decision and by thinking time, each tester against themselves."""
    made: dict[str, list[Decision]] = defaultdict(list)
    trouble: dict[tuple[str, str], int] = defaultdict(int)
    for game in data.games:
        for decision in game.decisions:
            made[decision.who].append(decision)
            trouble[decision.who, decision.question] += decision.undone
        for one in game.happened:
            if one.question and (one.kind in STUMBLES or one.what == "unclear"):
                trouble[one.who, one.question] += 1
    found = []
    slow = slowness(made)
    for question in sorted({one.question for own in made.values() for one in own}):
        subject = Subject(QUESTION, question, question.replace("_", " "))
        subject.times = sum(n for (_, asked), n in trouble.items() if asked == question)
        subject.troubled = {who for (who, asked), n in trouble.items() if asked == question and n}
        held_against_others(subject, made, trouble)
        subject.slower, subject.p_slower = slow.get(question, (None, 1.0))
        found.append(subject)
    return found


def held_against_others(subject: Subject, made: Mapping[str, list[Decision]],
                        trouble: Mapping[tuple[str, str], int]) -> None:
    gaps, here, others = [], [], []
    totals: dict[str, int] = defaultdict(int)
    for (who, _), n in trouble.items():
        totals[who] += n
    for who, own in made.items():
        asked = sum(one.question == subject.id for one in own)
        rest = len(own) - asked
        if not asked:
            continue
        rate = trouble.get((who, subject.id), 0) / asked
        here.append(rate)
        if rest:
            others.append((totals[who] - trouble.get((who, subject.id), 0)) / rest)
            gaps.append(rate - others[-1])
    subject.elsewhere = float(np.mean(others)) if others else 0.0
    subject.share = mean(np.array(here), span=1.0)
    p = mean_beyond(np.array(gaps), 0.0).p if len(gaps) >= FEWEST and np.ptp(gaps) > 0 else 1.0
    subject.share = replace(subject.share, p=p)


def slowness(made: Mapping[str, list[Decision]]) -> dict[str, tuple[Estimate, float]]:
    """How many times as long people think about a question as about their others."""
    every = [one for own in made.values() for one in own]
    if len(every) < 2 * FEWEST:
        return {}
    times = np.log(np.maximum([one.seconds for one in every], SHORTEST))
    options = np.log1p([one.options for one in every])
    slope = slope_within([one.question for one in every], options, times)
    left = dict(zip(map(id, every), times - slope * options, strict=True))
    gaps: dict[str, list[float]] = defaultdict(list)
    for own in made.values():
        for question in {one.question for one in own}:
            here = [left[id(one)] for one in own if one.question == question]
            rest = [left[id(one)] for one in own if one.question != question]
            if rest:
                gaps[question].append(float(np.mean(here) - np.mean(rest)))
    return {question: longer(np.array(found)) for question, found in gaps.items()
            if len(found) >= FEWEST and np.ptp(found) > 0}


def slope_within(groups: Sequence[str], xs: np.ndarray, ys: np.ndarray) -> float:
    """How y rises with x inside groups: that some have more of both is no part of it."""
    _, place = np.unique(groups, return_inverse=True)
    counts = np.bincount(place)
    x, y = (values - (np.bincount(place, values) / counts)[place] for values in (xs, ys))
    spread = float(x @ x)
    return float(x @ y) / spread if spread > 0 else 0.0


def longer(gaps: np.ndarray) -> tuple[Estimate, float]:
    found = mean_beyond(gaps, 0.0)
    return Estimate(math.exp(found.effect), math.exp(found.low), math.exp(found.high),
                    found.n), found.p


# Claims ------------------------------------------------------------------------------------------

def clarity_claims(clarity: Clarity) -> Iterator[Claim]:
    """One for each subject; questions have two."""
    for one in clarity.subjects:
        if one.kind == QUESTION:
            yield Claim(f"unclear-{one.id}", "people", one.share,
                        f'People stumble {percent(one.share.effect, 0)} of the times they are '
                        f'asked "{one.name}"; elsewhere {percent(one.elsewhere, 0)}.',
                        one.elsewhere, 0.1, "Look at what they asked and undid there.")
            if one.slower:
                yield Claim(f"slow-{one.id}", "people", replace(one.slower, p=one.p_slower),
                            f'People think {one.slower.effect:.1f} times as long about '
                            f'"{one.name}" as about other questions with as many options.',
                            1.0, 1.0, unit="times")
        else:
            what = f"{one.id} {one.name}" if one.kind == PARAGRAPH else one.name
            yield Claim(f"unclear-{one.id}", "people", one.share,
                        f"{what} is not clear: {percent(one.share.effect, 0)} of the testers "
                        f"looked it up, ran into it or wrote about it; "
                        f"{percent(one.elsewhere, 0)} is usual for a {one.kind}.",
                        one.elsewhere, 0.1, "Rewrite it, or show it where it matters.")
            if one.undone:
                yield Claim(f"undone-{one.id}", "people", one.undone,
                            f"Uses of {one.name} are taken back more often than other decisions, "
                            f"by {100 * one.undone.effect:.0f} points.", 0.0, 0.1)
