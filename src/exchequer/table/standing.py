"""The goal, and how one stands: from what the viewer may know, and no more."""

import functools
from typing import Any

from exchequer.core.learn import goal
from exchequer.core.position import Position
from exchequer.table.contents import content_of
from exchequer.table.history import By
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match

WORLDS = range(1, 7)  # seeds; two worlds agree on a secret by chance, six hardly ever


@functools.lru_cache(maxsize=128)
def goal_of(game: Any, overlay: str) -> str:
    return goal(game, content_of(game, overlay))


def standing(match: Match, viewer: int) -> list[int | None]:
    """Every seat's score; None where the viewer cannot know it."""
    readers = range(match.position.seats) if viewer == WATCHER else [viewer]
    return [scores[0] if len(set(scores)) == 1 else None
            for scores in zip(*(known_scores(match, reader) for reader in readers), strict=True)]


def known_scores(match: Match, reader: int) -> list[int | None]:
    """Of all seats, where they are the same in all worlds that the reader cannot tell apart; asked
    for by the reader's own page and by those of all who only watch.
    """
    key = ("scores", reader)
    if key not in match.worked_out:
        match.worked_out[key] = scores_that_agree(match.position, reader)
    return match.worked_out[key]


def scores_that_agree(position: Position, reader: int) -> list[int | None]:
    scores: list[int | None] = []
    for seed in WORLDS:
        world = position.determinize(reader, seed)[0]
        there = [None if scores and scores[seat] is None
                 else int(position.engine.score(world, position.content.record, seat))
                 for seat in range(position.seats)]
        scores = [mine if mine == known else None
                  for mine, known in zip(there, scores or there, strict=True)]
        if scores.count(None) >= position.seats - 1 > 0:
            break
    return scores


def lead(scores: list[int | None], viewer: int, names: list[str]) -> str:
    """`You are 3 ahead of Ben.`; empty where not all is known."""
    known = [score for score in scores if score is not None]
    if viewer == WATCHER or len(scores) < 2 or len(known) < len(scores):
        return ""
    others = [seat for seat in range(len(scores)) if seat != viewer]
    rival = max(others, key=lambda seat: known[seat])
    ahead = known[viewer] - known[rival]
    if not ahead:
        return f"You are level with {names[rival]}."
    return f"You are {abs(ahead):,} {'ahead of' if ahead > 0 else 'behind'} {names[rival]}."


def has_bot_moved(match: Match) -> bool:
    return By.BOT in match.history.makers and not match.row.get("lesson")


def pinned(match: Match, viewer: int) -> dict[str, Any]:
    """What is pinned under the status."""
    scores = standing(match, viewer) if match.status == "running" else []
    return {"goal": goal_of(match.game, match.row["overlay"]), "scores": scores,
            "lead": lead(scores, viewer, match.names), "has_bot_moved": has_bot_moved(match)}
