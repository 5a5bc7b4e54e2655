"""Why did the bot do that? Its last decision, thought through once more and told in words.

Where nothing was hidden from whoever asks, or the game is over, the bot thinks about what it saw.
Elsewhere it thinks about a world that the asker cannot tell from the true one, so that the answer
holds nothing that they do not know; if its move does not fit that world, it keeps its secret.
"""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from exchequer.bots.bot import Bot, Idea
from exchequer.core.log import new_log
from exchequer.core.position import Position
from exchequer.table.clocks import content_for_bots
from exchequer.table.history import By
from exchequer.table.identity import Tokens
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.refusals import NotNow
from exchequer.table.table_setup import LEVEL_NAMES

IMAGINED = 77  # the seed of the world that an asker thinks possible
SECONDS = 3.0  # for a thought
FEW = 2  # visits below which nothing is said about a reply


class Question:
    """A viewer asks why a bot decided as it did."""

    def __init__(self, match: Match, viewer: int, precompiler: Precompiler, tokens: Tokens) -> None:
        self.match, self.viewer = match, viewer
        with match.lock:
            self.move = last_decision(match, viewer)
            self.past = match.position.copy().at(self.move)
            self.seat = match.history.movers[self.move]
            self.action = int(match.position.actions[self.move])
            self.names = [*match.names]
            self.is_open = match.is_over or knows_all(self.past, viewer)
        level = match.seats[self.seat].bot
        name = level if level in LEVEL_NAMES else LEVEL_NAMES[1]
        self.bot = Bot(match.game, name, tokens.seed(match.id, self.seat, self.move),
                       precompiler.mode_of(match.game))

    def answer(self) -> list[str]:
        """Sentences: what the bot expected, and what it feared."""
        seen = self.past.observe(self.seat) if self.is_open else imagined(
            self.past, self.seat, self.viewer)
        end = time.monotonic() + SECONDS
        self.bot.choose(seen, content_for_bots(self.match.game, self.match.content), self.seat,
                        lambda: time.monotonic() > end)
        ideas = self.bot.thought().ideas
        chosen = next((idea for idea in ideas if idea.action == self.action), None)
        if chosen is None:
            return [f"That depended on what only {self.names[self.seat]} knows. Ask again when the "
                    "game is over."]
        told = [*self.weighed(chosen, ideas, seen[0])]
        return [*told, *self.replies(seen)] if self.is_open else told

    def words(self, s: Any, action: int) -> str:
        return self.match.game.words.describe(s, self.match.content, action, self.names)

    def weighed(self, chosen: Idea, ideas: list[Idea], s: Any) -> Iterator[str]:
        """The move against the next best."""
        who = self.names[self.seat]
        view = "" if self.is_open else "As far as you can know: "
        yield (f"{view}{who} chose \u201c{self.words(s, chosen.action)}\u201d and puts its chances "
               f"after it at {hundredths(chosen.value)} of 100.")
        others = [idea for idea in ideas if idea.action != chosen.action]
        if others:
            other = max(others, key=lambda idea: (idea.visits, idea.value))
            yield (f"The next best seemed \u201c{self.words(s, other.action)}\u201d, at "
                   f"{hundredths(other.value)}.")
        if not self.bot.searches:
            yield f"{who} looks one step ahead and no further."

    def replies(self, seen: np.ndarray) -> Iterator[str]:
        """What it expected next, and which answer of another seat it feared."""
        replies = [reply for reply in self.bot.replies(self.action) if reply.idea.visits >= FEW]
        if not replies:
            return
        world, engine = seen.copy(), self.past.engine
        engine.determinize(world[0], self.past.content.record, self.seat, IMAGINED)
        engine.apply(world[0], self.past.content.record, self.action, new_log(0))
        expected = max(replies, key=lambda reply: reply.idea.visits)
        yield (f"It expected {self.names[expected.seat]} to go on with "
               f"\u201c{self.words(world[0], expected.idea.action)}\u201d.")
        feared = [reply for reply in replies if reply.seat != self.seat]
        if feared and len(replies) > 1:
            worst = max(feared, key=lambda reply: reply.idea.value)
            yield (f"What it feared most was \u201c{self.words(world[0], worst.idea.action)}\u201d "
                   f"from {self.names[worst.seat]}.")


def hundredths(value: float) -> int:
    return round(100 * min(max(value, 0.0), 1.0))


def last_decision(match: Match, viewer: int) -> int:
    """The last move of a bot that could have been another one, as far as the viewer can see."""
    position = match.position.copy()
    for frame in reversed(match.frames(viewer)):
        move = frame.moves - 1
        if move >= 0 and match.history.makers[move] == By.BOT \
                and len(position.at(move).legal()) > 1:
            return move
    raise NotNow("No bot has decided anything yet.")


def knows_all(past: Position, viewer: int) -> bool:
    viewers = range(past.seats) if viewer == WATCHER else [viewer]
    return not any(map(past.has_secrets, viewers))


def imagined(past: Position, seat: int, viewer: int) -> np.ndarray:
    """What the bot would see in a world that the viewer thinks possible."""
    if viewer == WATCHER:
        raise NotNow("That depended on what is hidden from you. Ask again when the game is over.")
    world = past.determinize(viewer, IMAGINED)
    past.engine.observe(world[0], past.content.record, seat)
    return world
