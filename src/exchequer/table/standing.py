"""The goal, and how one stands: from what the viewer may know, and no more."""

import functools
from typing import Any

from exchequer.core.learn import goal
from exchequer.table.contents import content_of
from exchequer.table.history import By
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match

WORLDS = (1, 2)  # seeds; a score that is the same in these worlds is no secret


@functools.lru_cache(maxsize=128)
def goal_of(game: Any, overlay: str) -> str:
    return goal(game, content_of(game, overlay))


def standing(match: Match, viewer: int) -> list[int | None]:
    """Every seat's score; None where the viewer cannot know it."""
    readers = range(match.position.seats) if viewer == WATCHER else [viewer]
    return [scores.pop() if len(scores) == 1 else None
            for scores in map(set, zip(*(scores for reader in readers
                                         for scores in scores_in_worlds(match, reader)),
                                       strict=True))]


def scores_in_worlds(match: Match, reader: int) -> list[list[int]]:
    """Of all seats, in some worlds that the reader cannot tell from the true one; asked for by the
    reader's own page and by those of all who only watch.
    """
    position, key = match.position, ("scores", reader)
    if key not in match.worked_out:
        worlds = [position.determinize(reader, seed)[0] for seed in WORLDS]
        match.worked_out[key] = [
            [int(position.engine.score(world, position.content.record, seat))
             for seat in range(position.seats)] for world in worlds]
    return match.worked_out[key]


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
    return f"You are {abs(ahead)} {'ahead of' if ahead > 0 else 'behind'} {names[rival]}."


def has_bot_moved(match: Match) -> bool:
    return By.BOT in match.history.makers and not match.row.get("lesson")


def pinned(match: Match, viewer: int) -> dict[str, Any]:
    """What is pinned under the status."""
    scores = standing(match, viewer) if match.status == "running" else []
    return {"goal": goal_of(match.game, match.row["overlay"]), "scores": scores,
            "lead": lead(scores, viewer, match.names), "has_bot_moved": has_bot_moved(match)}
