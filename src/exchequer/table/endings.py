"""The end of a game for people: who won and why, line by line; its curve, its picture, its replay.

Everything here is about games that are over, when all is open to everybody.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from exchequer.bots.review import Retry, Review, Turn
from exchequer.core.build import Mode
from exchequer.core.measures import NO_TURN, measures_of, rules_of, turn_now
from exchequer.core.scoring import breakdown
from exchequer.core.story import Storyteller, Tone
from exchequer.table.history import Frame
from exchequer.table.match import Match
from exchequer.table.table_setup import LEVEL_NAMES

WIDTH, HEIGHT = 1000, 200  # of the curve
MOST_POINTS = 240  # of one line
MOST_TOLD = 2  # sentences about a turning point in which nothing mattered
CAUSES = 2  # lines that are named as having made the difference


@dataclass(frozen=True)
class Line:
    """A line of the score: its name, and what each seat has by it."""

    name: str
    amounts: list[int]


def result_of(match: Match) -> dict[str, Any]:
    """What the end of a game is told with."""
    with match.lock:
        result = match.result
        found = breakdown(match.position)
        lines = [Line(name[:1].upper() + name[1:], amounts) for name, amounts in found.items()
                 if any(amounts) or len(found) == 1]
        return {"result": result, "headline": headline(match), "lines": lines,
                "totals": [sum(amounts[seat] for amounts in found.values())
                           for seat in range(len(match.seats))],
                "cause": cause(match, lines), "order": order(result.scores, result.winners)}


def headline(match: Match) -> str:
    """`Ann wins by conquest.`"""
    position, result = match.position, match.result
    if result.ending == "resigned" and not position.is_over:
        given_up = [match.names[seat] for seat in sorted(match.history.resigned)]
        return f"{' and '.join(given_up)} gave up."
    winners = sum(1 << seat for seat in result.winners)
    said = match.game.words.ending(int(position.engine.ending(position.state)), winners,
                                   match.content, match.names)
    return said[:1].upper() + said[1:]


def order(scores: list[int], winners: list[int]) -> list[int]:
    """The seats from the first to the last."""
    return sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat], seat))


def cause(match: Match, lines: list[Line]) -> str:
    """Which lines put the first before the second; empty where it was not the score that did."""
    if len(match.seats) < 2 or len(lines) < 2 or not match.result.winners:
        return ""
    scores = match.result.scores
    first, second = order(scores, match.result.winners)[:2]
    leads = [(line.amounts[first] - line.amounts[second], line.name.lower()) for line in lines]
    best = [(lead, name) for lead, name in sorted(leads, reverse=True)[:CAUSES] if lead > 0]
    if not best or second in match.result.winners or scores[first] < scores[second]:
        return ""
    said = " and ".join(f"{name} ({lead:+,})" for lead, name in best)
    return f"What put {match.names[first]} before {match.names[second]}: {said}."


def next_level(match: Match, seat: int) -> str:
    """Above the strongest bot for somebody who won, below it for others; empty: there is none."""
    levels = [LEVEL_NAMES.index(seat.bot) for seat in match.seats if seat.bot in LEVEL_NAMES]
    if match.row.get("lesson") or not levels:
        return ""
    place = max(levels) + (1 if seat in match.result.winners else -1)
    return LEVEL_NAMES[place] if 0 <= place < len(LEVEL_NAMES) else ""


# The curve ---------------------------------------------------------------------------------------

def curve(match: Match, review: Review) -> dict[str, Any]:
    """Lines of the chances as SVG paths, and what is marked on them."""
    moments = len(review.chances)
    at = np.unique(np.linspace(0, moments - 1, min(moments, MOST_POINTS)).round().astype(int))
    scale = WIDTH / max(moments - 1, 1)
    heights = height(review)
    paths = ["M" + " ".join(f"{moment * scale:.0f},{heights[moment, seat]:.1f}" for moment in at)
             for seat in range(heights.shape[1])]
    return {"paths": paths, "width": WIDTH, "height": HEIGHT,
            "rounds": [(moves * scale, label) for moves, label in rounds(match)]}


def height(review: Review) -> np.ndarray:
    """Where on the drawing each chance lies; a solo game, which has only a worth, fills it."""
    alone = review.chances.shape[1] == 1
    most = max(float(review.chances.max()), 0.01) * 1.1 if alone else 1.0
    return HEIGHT * (1 - review.chances / most)


def turning_points(match: Match, review: Review, seat: int) -> list[dict[str, Any]]:
    """The turns that decided the game for a seat, each with a place on the curve."""
    moments, heights = max(len(review.chances) - 1, 1), height(review)
    return [{"frame": turn.last, "x": turn.last * WIDTH / moments, "who": match.names[turn.seat],
             "y": heights[turn.last, seat], "told": told(match, turn),
             "change": round(100 * float(turn.change[seat]))}
            for turn in review.turning_points(seat)]


def told(match: Match, turn: Turn) -> str:
    """How a turn began, then what mattered first and last in it; nothing twice."""
    teller = Storyteller(match.game.words, match.content, match.names)
    tellings = [match.position.telling(teller, move + 1, None)
                for move in range(turn.first, turn.last)]
    sentences = [sentence for told in tellings for sentence in told.sentences]
    mattered = [line.text for told in tellings for line in told.lines
                if line.tone is Tone.IMPORTANT]
    rest = [mattered[0], mattered[-1]] if mattered else [*dict.fromkeys(sentences)][:MOST_TOLD]
    return " ".join(dict.fromkeys([*sentences[:1], *rest]))


def shares(review: Review, seat: int) -> dict[str, int]:
    """Luck and skill in points of a hundred. They add up as they are shown: what rounding leaves
    over goes to the part of the others, and in a solo game to one's own.
    """
    first, last = (round(100 * float(review.chances[place, seat])) for place in (0, -1))
    luck, own = (round(100 * float(part[seat])) for part in (review.luck, review.own))
    if review.chances.shape[1] == 1:
        own = last - first - luck
    return {"first": first, "last": last, "luck": luck, "own": own,
            "others": last - first - luck - own}


# The replay ---------------------------------------------------------------------------------------

def rounds(match: Match) -> list[tuple[int, str]]:
    """After how many moves each round began, and what it is called; people count from 1."""
    measures = measures_of(match.game)
    if measures.turn is None:
        return []
    now = match.game.engine(Mode.PYTHON).bind(turn_now, rules_of(match.game))
    with match.lock:
        total = len(match.position.actions)
        turns = [int(now(match.position.earlier(total - moves)[0])) for moves in range(total + 1)]
    unit, ahead = measures.turns.rstrip("s").capitalize(), int(turns[0] == 0)
    return [(moves, f"{unit} {turn + ahead}") for moves, turn in enumerate(turns)
            if turn > max(turns[:moves], default=NO_TURN)]


def chapters(match: Match, frames: list[Frame]) -> dict[int, str]:
    """The frame with which each round begins."""
    begun = dict[int, str]()
    for moves, label in rounds(match):
        frame = next((number for number, frame in enumerate(frames) if frame.moves >= moves), None)
        if frame is not None:
            begun[frame] = label
    return begun


# Decisions to try again ---------------------------------------------------------------------------

def retries_of(review: Review, seats: list[int]) -> list[tuple[int, Retry]]:
    """The decisions of these seats, with their numbers."""
    return [(number, retry) for number, retry in enumerate(review.retries)
            if retry.seat in seats]
