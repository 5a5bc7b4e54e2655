"""Why did the bot do that? Its last decision, thought through once more and told in words.

Its thoughts are told where nothing was hidden from whoever asks, neither before nor after the move,
or when the game is over. Elsewhere even the move may be a secret: then only what the asker knows
is valued, before and after it.
"""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from exchequer.bots.bot import Bot
from exchequer.core.log import new_log
from exchequer.core.position import Position
from exchequer.core.search import ROOT, SURE
from exchequer.table.clocks import content_for_bots
from exchequer.table.history import By
from exchequer.table.identity import Tokens
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler, in_time
from exchequer.table.refusals import NotNow
from exchequer.table.table_setup import LEVEL_NAMES

WORLDS = range(4)  # seeds of worlds that an asker thinks possible
SECONDS = 3.0  # for a thought
FEW = 2  # visits below which nothing is said about a reply


class Question:
    """A viewer asks why a bot decided as it did."""

    def __init__(self, match: Match, viewer: int, precompiler: Precompiler, tokens: Tokens) -> None:
        self.match, self.viewer, self.tokens = match, viewer, tokens
        self.mode = precompiler.mode_of(match.game)
        with match.lock:
            move = last_decision(match, viewer)
            position = match.position.copy()
            self.past, self.next = position.at(move), position.at(move + 1)
            self.seat = match.history.movers[move]
            self.action = int(position.actions[move])
            self.names = [*match.names]
            self.is_open = match.is_over or (knows_all(self.past, viewer)
                                             and knows_all(self.next, viewer))

    @property
    def who(self) -> str:
        return self.names[self.seat]

    def answer(self) -> list[str]:
        """Sentences: what the bot expected, and what it feared."""
        if not self.is_open:
            return self.as_far_as_known()
        bot, seen = self.bot(), self.past.observe(self.seat)
        content = content_for_bots(self.match.game, self.match.content)
        if bot.by_habit(seen, content, self.seat) == self.action:
            return [f"{self.who} chose \u201c{self.words(seen[0], self.action)}\u201d by computing "
                    "what pays, and looked no further."]
        end = time.monotonic() + SECONDS
        bot.consider(seen, content, self.seat, lambda: time.monotonic() > end)
        if self.is_sure_win(bot):
            return [f"{self.who} chose \u201c{self.words(seen[0], self.action)}\u201d because it "
                    "had found a win by its own moves that nobody can prevent."]
        return [*self.weighed(bot, seen[0]), *self.replies(bot, seen)]

    def bot(self) -> Bot:
        """With the same chance as then, so that it thinks the same."""
        level = self.match.seats[self.seat].bot
        name = level if level in LEVEL_NAMES else LEVEL_NAMES[1]
        seed = self.tokens.seed(self.match.id, self.seat, len(self.past.actions))
        return Bot(self.match.game, in_time(name, self.mode), seed, self.mode)

    def is_sure_win(self, bot: Bot) -> bool:
        """Whether it looked no further, since this move leads to a win."""
        return (bot.workspace.nodes[ROOT].visits == SURE
                and bot.thought().ideas[0].action == self.action)

    def as_far_as_known(self) -> list[str]:
        secret = f"{self.who} goes by what is hidden from you; ask again when the game is over."
        if self.viewer == WATCHER:
            return [secret]
        before, after = (hundredths(self.known_worth(when)) for when in (self.past, self.next))
        return [f"As far as you can know, {self.who}'s chances stood at {before} of 100 before "
                f"this and at {after} after it.", secret]

    def known_worth(self, position: Position) -> float:
        """What a position is worth to the bot in worlds that the viewer thinks possible."""
        worlds = [position.determinize(self.viewer, seed)[0] for seed in WORLDS]
        return float(np.mean([position.engine.value(world, position.content.record,
                                                    position.seats, self.seat)
                              for world in worlds]))

    def words(self, s: Any, action: int) -> str:
        return self.match.game.words.describe(s, self.match.content, action, self.names)

    def weighed(self, bot: Bot, s: Any) -> Iterator[str]:
        """The move against the next best."""
        ideas = bot.thought().ideas
        chosen = next((idea for idea in ideas if idea.action == self.action), None)
        worth = f" and puts its chances after it at {hundredths(chosen.value)} of 100" \
            if chosen else ""
        yield f"{self.who} chose \u201c{self.words(s, self.action)}\u201d{worth}."
        others = [idea for idea in ideas if idea.action != self.action]
        if others:
            other = max(others, key=lambda idea: (idea.visits, idea.value))
            yield (f"The next best seemed \u201c{self.words(s, other.action)}\u201d, at "
                   f"{hundredths(other.value)}.")
        if not bot.searches:
            yield f"{self.who} looks one step ahead and no further."

    def replies(self, bot: Bot, seen: np.ndarray) -> Iterator[str]:
        """What it expected next, and which answer of another seat it feared."""
        replies = [reply for reply in bot.replies(self.action) if reply.idea.visits >= FEW]
        if not replies:
            return
        world = self.after(seen)
        expected = max(replies, key=lambda reply: reply.idea.visits)
        yield (f"It expected {self.names[expected.seat]} to go on with "
               f"\u201c{self.words(world, expected.idea.action)}\u201d.")
        feared = [reply for reply in replies if reply.seat != self.seat]
        if feared and len(replies) > 1:
            worst = max(feared, key=lambda reply: reply.idea.value)
            yield (f"What it feared most was \u201c{self.words(world, worst.idea.action)}\u201d "
                   f"from {self.names[worst.seat]}.")

    def after(self, seen: np.ndarray) -> Any:
        """A world in which the move has been made, to say the replies in."""
        world, engine, record = seen.copy(), self.past.engine, self.past.content.record
        engine.determinize(world[0], record, self.seat, WORLDS[0])
        engine.apply(world[0], record, self.action, new_log(0))
        return world[0]


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


def knows_all(position: Position, viewer: int) -> bool:
    viewers = range(position.seats) if viewer == WATCHER else [viewer]
    return not any(map(position.has_secrets, viewers))
