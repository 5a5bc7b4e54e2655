"""The arena: bots against each other on the same seeds, every bot in every seat."""

import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from exchequer.bots.agent import SECONDS, Agent, AgentRecord, agent_sentence, is_agent
from exchequer.bots.own import Entrant, check_bot, is_own, move, name_of, new_player
from exchequer.bots.policies import seated_policies
from exchequer.core.content import Content
from exchequer.core.drawn import Drawn
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.loops import Result
from exchequer.core.position import Position
from exchequer.core.progress import prepare
from exchequer.core.search import run_matches

if TYPE_CHECKING:
    from rich.console import RenderableType

CHUNK = 16  # deals of one task; each deal is played once in every rotation of the seats
Z95 = 1.959964
Z_LOOKS = 3.0  # for looking again and again: a chance of 0.27 % of a wrong stop at each look


@dataclass
class Standing:
    """How one bot has done."""

    name: str
    games: int = 0
    wins: float = 0.0
    """A shared win counts for a part."""
    scores: float = 0.0
    """The sum over all games."""
    agent: AgentRecord | None = None
    """How an agent has answered; None for bots."""

    @property
    def share(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def mean_score(self) -> float:
        return self.scores / max(1, self.games)

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """Where the true share lies, with 95 % confidence."""
        return wilson(self.wins, self.games, z)


def wilson(wins: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval for a share of wins."""
    if games == 0:
        return 0.0, 1.0
    share, spread = wins / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, repr=False)
class ArenaResult(Drawn):
    """How bots did against each other."""

    game: str
    games: int
    standings: list[Standing]
    """One for each bot, in the order in which they were named."""
    version: str
    """The versions of rules and rows, as `Game.version` has them."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row for each bot, as `pandas.DataFrame` and `polars.DataFrame` take them."""
        return [{"name": s.name, "wins": s.wins, "share": s.share, "low": s.interval()[0],
                 "high": s.interval()[1], "mean_score": s.mean_score,
                 **({"agent": s.agent.report()} if s.agent else {})} for s in self.standings]

    def report(self) -> dict[str, Any]:
        """Everything, as `exchequer arena --json` prints it."""
        return {"game": self.game, "version": self.version, "games": self.games,
                "bots": self.to_dicts()}

    def __rich__(self) -> "RenderableType":
        from rich.console import Group
        from rich.markup import escape
        from rich.table import Table

        table = Table("bot", "wins", "share", "95 % interval", "mean score", box=None)
        for bot in self.to_dicts():
            table.add_row(escape(bot["name"]), f"{bot['wins']:g}", f"{100 * bot['share']:.1f} %",
                          f"{100 * bot['low']:.1f} to {100 * bot['high']:.1f} %",
                          f"{bot['mean_score']:.1f}")
        seats = f"{len(self.standings)} seats"
        return Group(f"[bold]{self.game}[/], {seats}, {self.games} games, seats rotated", table,
                     *(escape(agent_sentence(s.name, s.agent.report()))
                       for s in self.standings if s.agent))


def seated(bots: Sequence[Entrant], seats: int) -> list[Entrant]:
    """A bot for each seat; the last one named takes all that are left."""
    if not bots or len(bots) > seats:
        raise InputError(f"{len(bots)} bots are named for {seats} seats.")
    return [*bots, *[bots[-1]] * (seats - len(bots))]


@dataclass
class Arena:
    """A match of as many bots as there are seats."""

    game: Game
    content: Content
    names: Sequence[Entrant]
    standings: list[Standing] = field(default_factory=list)
    seconds: float = SECONDS  # that an agent has for an answer
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        for bot in self.names:
            check_bot(bot)
        fewest, most = self.game.seats
        if not fewest <= len(self.names) <= most:
            raise InputError(f"{self.game.title} is for {self.game.players}, and "
                             f"{len(self.names)} bots are named.")
        self.standings = [Standing(name_of(bot), agent=AgentRecord() if is_agent(bot) else None)
                          for bot in self.names]
        prepare(self.game)
        self.engine = self.game.engine()

    def play(self, games: int, seed: int = 0, stop: bool = False,
             advance: Callable[[int], None] = lambda _: None) -> list[Standing]:
        """Play about that many games: whole deals, each in every rotation of the seats."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for batch in self._batches(games, seed):
                for results in pool.map(self.run, batch):
                    self._count(results)
                    advance(len(results))
                if stop and self.is_decided():
                    break
        return self.standings

    def _batches(self, games: int, seed: int) -> Iterator[list[np.ndarray]]:
        """Chunks of seeds, in batches that double: after each one looks whether to stop."""
        deals = np.arange(seed, seed + max(1, games // len(self.names)), dtype=np.uint64)
        chunks = [deals[i : i + CHUNK] for i in range(0, len(deals), CHUNK)]
        size = 4
        while chunks:
            yield chunks[:size]
            chunks, size = chunks[size:], size * 2

    def run(self, deals: np.ndarray) -> np.ndarray:
        """Each deal once in every rotation of the bots over the seats."""
        seats = len(self.names)
        order = [[(seat + row) % seats for seat in range(seats)]
                 for row in range(len(deals) * seats)]
        results = np.zeros(len(order), Result)
        play = self._by_hand if any(map(is_own, self.names)) else self._compiled
        play(np.repeat(deals, seats), order, results)
        return results

    def _compiled(self, deals: np.ndarray, order: list[list[int]], results: np.ndarray) -> None:
        seats = len(self.names)
        policies, workspace = seated_policies(self.game, self.content, seats,
                                              [str(name) for name in self.names])
        play = self.engine.bind(run_matches, habits_of(self.game))
        play(self.engine.buffers(0), self.content.record, seats, deals, policies[np.array(order)],
             workspace, self.game.step_limit, results)

    def _by_hand(self, deals: np.ndarray, order: list[list[int]], results: np.ndarray) -> None:
        """Move by move: bots of one's own are plain Python."""
        for deal, bots, result in zip(deals, order, results, strict=True):
            position = Position(self.game, self.content, len(bots), int(deal))
            players = [new_player(self.game, self.names[bot], int(deal), self.seconds)
                       for bot in bots]
            while not position.is_over and len(position.actions) < self.game.step_limit:
                move(players[position.actor], position)
            self._let_go(players, bots, position)
            result["winners"] = sum(1 << seat for seat in position.winners())
            result["score"][: len(bots)] = position.scores()

    def _let_go(self, players: Sequence[Any], bots: Sequence[int], position: Position) -> None:
        """Agents hear how the game ended, and what they took and got wrong is counted."""
        for player, bot in zip(players, bots, strict=True):
            if isinstance(player, Agent):
                player.end(position)
                with self._lock:
                    self.standings[bot].agent.add(player.record)  # type: ignore[union-attr]

    def _count(self, results: np.ndarray) -> None:
        seats = len(self.names)
        for row, result in enumerate(results):
            won = [int(result.winners) >> seat & 1 for seat in range(seats)]
            for seat in range(seats):
                standing = self.standings[(seat + row) % seats]
                standing.games += 1
                standing.wins += won[seat] / sum(won) if any(won) else 0.0
                standing.scores += int(result.score[seat])

    def is_decided(self) -> bool:
        """Whether the first bot is clearly above or below an equal share."""
        low, high = self.standings[0].interval(Z_LOOKS)
        return low > 1 / len(self.names) or high < 1 / len(self.names)

    def result(self) -> ArenaResult:
        return ArenaResult(self.game.name, self.standings[0].games, self.standings,
                           self.game.version)
