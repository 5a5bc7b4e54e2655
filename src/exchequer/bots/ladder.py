"""The ladder: every bot against every other, and one rating for each.

Ratings follow Bradley and Terry on Elo's scale: 400 points are odds of ten to one. The first bot
stands at 0. In a solo game two bots meet on the same deal and the higher score wins. Intervals
come from playing the same matches again by lot, with the shares that were seen.
"""

import itertools
import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import choix
import numpy as np

from exchequer.bots.agent import SECONDS, AgentRecord, is_agent
from exchequer.bots.arena import CHUNK, Arena, Standing
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game

ELO = 400 / math.log(10)
PRIOR = 0.1  # games of each result that every pair is thought to have played: no rating is endless
REPLAYS = 400  # for the intervals


@dataclass(frozen=True)
class Rating:
    """Where a bot stands."""

    name: str
    rating: float
    low: float
    high: float
    games: int
    share: float  # of all its games


class Ladder:
    """A round robin; `wins[a, b]` counts how often a beat b, a shared win as half."""

    def __init__(self, game: Game, content: Content, names: list[str],
                 seconds: float = SECONDS) -> None:
        if len(names) < 2 or len(set(names)) < len(names):
            raise InputError("A ladder needs two or more different bots.")
        self.game, self.content, self.names = game, content, names
        self.wins = np.zeros((len(names), len(names)))
        self.seconds = seconds  # that an agent has for an answer
        self.agents = {name: AgentRecord() for name in names if is_agent(name)}

    def play(self, games: int, seed: int = 0,
             advance: Callable[[int], None] = lambda _: None) -> list[Rating]:
        """About that many games for each pair."""
        if self.game.seats[0] == 1:
            self._play_alone(games, seed, advance)
        else:
            for a, b in itertools.combinations(range(len(self.names)), 2):
                arena = Arena(self.game, self.content, [self.names[a], self.names[b]],
                              seconds=self.seconds)
                first, second = arena.play(games, seed, advance=advance)
                self.wins[a, b], self.wins[b, a] = first.wins, second.wins
                self._note_agents(arena.standings)
        return self.ratings()

    def _play_alone(self, games: int, seed: int, advance: Callable[[int], None]) -> None:
        """Each bot plays the same deals; the scores are compared."""
        scores = np.zeros((len(self.names), games))
        deals = np.arange(seed, seed + games, dtype=np.uint64)
        starts = range(0, games, CHUNK)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for a, name in enumerate(self.names):
                arena = Arena(self.game, self.content, [name], seconds=self.seconds)
                chunks = pool.map(arena.run, (deals[i : i + CHUNK] for i in starts))
                for start, results in zip(starts, chunks, strict=True):
                    scores[a, start : start + CHUNK] = results["score"][:, 0]
                    advance(len(results))
                self._note_agents(arena.standings)
        for a, b in itertools.permutations(range(len(self.names)), 2):
            self.wins[a, b] = np.mean((scores[a] > scores[b]) + 0.5 * (scores[a] == scores[b]))
            self.wins[a, b] *= games

    def _note_agents(self, standings: list[Standing]) -> None:
        for standing in standings:
            if standing.agent:
                self.agents[standing.name].add(standing.agent)

    def ratings(self) -> list[Rating]:
        """Best first."""
        rated = rate(self.wins)
        low, high = np.percentile(self._played_again(), [2.5, 97.5], axis=0)
        games = self.wins.sum(axis=1) + self.wins.sum(axis=0)
        found = [Rating(name, float(rated[i]), float(min(low[i], rated[i])),
                        float(max(high[i], rated[i])), int(games[i]),
                        float(self.wins[i].sum() / games[i]))
                 for i, name in enumerate(self.names)]
        return sorted(found, key=lambda rating: -rating.rating)

    def _played_again(self) -> np.ndarray:
        """Ratings of ladders with the same shares, drawn anew."""
        random, games = np.random.default_rng(0), self.wins + self.wins.T
        shares = np.divide(self.wins, games, out=np.zeros_like(games), where=games > 0)
        rated = []
        for _ in range(REPLAYS):
            drawn = np.triu(random.binomial(games.astype(int), shares)).astype(float)
            rated.append(rate(drawn + np.tril(games - drawn.T, -1)))
        return np.array(rated)

    def report(self) -> dict[str, Any]:
        pairs = [{"bots": [self.names[a], self.names[b]],
                  "games": int(self.wins[a, b] + self.wins[b, a]), "wins": float(self.wins[a, b])}
                 for a, b in itertools.combinations(range(len(self.names)), 2)]
        return {"game": self.game.name, "bots": [vars(rating) for rating in self.ratings()],
                "pairs": pairs,
                "agents": {name: record.report() for name, record in self.agents.items()}}


def rate(wins: np.ndarray) -> np.ndarray:
    """Bradley-Terry strengths on Elo's scale, the first at 0."""
    padded = wins + PRIOR * (1 - np.eye(len(wins)))
    found = choix.ilsr_pairwise_dense(padded)
    return ELO * (found - found[0])
