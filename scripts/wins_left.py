"""How often a bot wins a solo game, and how often it leaves a win lying.

    python scripts/wins_left.py jagged_time --variant brutal --bot master --games 20

A win lies there when a search of `--moves` own moves finds it, at whatever question, and it wins in
`--worlds` imagined worlds. Such lines go beyond the end of a turn: a win is left lying when neither
that turn nor the next one brings it (docs/bots.md, A sure win). `--set` changes the bot's policy:
`--set iterations=80 --set finish=200000` is a quick bot that looks as long for a win as `master`.
"""

import argparse
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from exchequer.bots.arena import wilson
from exchequer.bots.policies import Policy, equipped, policy_for
from exchequer.core.content import Content, settings
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.search import THOUGHT_STEP, PolicyKind, choose
from exchequer.core.sure_win import sure_win

NEVER = 10**9  # a turn that does not come


@dataclass
class Found:
    """What some games came to."""

    endings: Counter[str] = field(default_factory=Counter)
    scores: list[int] = field(default_factory=list)
    left: list[tuple[int, int]] = field(default_factory=list)  # seed and turn
    times: list[float] = field(default_factory=list)  # of each move, in ms
    won: int = 0


class Player:
    """A named bot, with some of its settings changed; it plays as in the arena."""

    def __init__(self, game: Game, content: Content, name: str, changes: dict[str, Any]) -> None:
        policy, network = policy_for(game, content.hash, 1, name)
        records, self.workspace = equipped(game, [(replace(policy, **changes), network)])
        self.policy, self.content = records[0], content
        self.choose = game.engine().bind(choose, habits_of(game))

    def move(self, position: Position) -> int:
        return int(self.choose(position.observe(0), self.content.record, 1, 0, self.policy,
                               self.workspace,
                               position.seed * THOUGHT_STEP + len(position.actions)))


class Finder:
    """Looks for a sure win, longer than the bot does and in more worlds."""

    def __init__(self, game: Game, moves: int, worlds: int) -> None:
        policy = Policy(PolicyKind.SEARCH, 1, finish=moves, win_worlds=worlds)
        records, self.workspace = equipped(game, [(policy, None)])
        self.policy, self.look = records[0], game.engine().bind(sure_win)

    def sees_win(self, position: Position) -> bool:
        action = self.look(position.observe(0), position.content.record, 1, 0, self.policy,
                           self.workspace, len(position.actions))
        return bool(action != NOBODY)


def play(game: Game, player: Player, finder: Finder, seed: int, found: Found) -> None:
    position, seen = Position(game, player.content, 1, seed), NEVER
    while not position.is_over and len(position.actions) < game.step_limit:
        turn = int(position.state.turn)
        if turn > seen + 1:
            found.left.append((seed, seen))
            seen = NEVER
        if seen == NEVER and finder.sees_win(position):
            seen = turn
        start = time.perf_counter()
        action = player.move(position)
        found.times.append(1000 * (time.perf_counter() - start))
        position.take(action)
    won = bool(position.winners())
    if seen != NEVER and not won:
        found.left.append((seed, seen))
    found.won += won
    found.scores.append(position.scores()[0])
    found.endings[game.module("state").Ending(position.state.ending).name.lower()] += 1


def in_words(found: Found) -> str:
    games = len(found.scores)
    low, high = wilson(found.won, games)
    left = f"{len(found.left)} turns of {len({seed for seed, _ in found.left})} games"
    return (f"{games} games, {found.won} won: {100 * found.won / games:.1f} % "
            f"({100 * low:.1f}-{100 * high:.1f}), mean score {statistics.mean(found.scores):.0f}, "
            f"a win left lying in {left} {found.left}, {dict(found.endings)}; "
            f"ms a move: median {statistics.median(found.times):.1f}, "
            f"slowest {max(found.times):.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--variant", default=None)
    parser.add_argument("--bot", default="master")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--moves", type=int, default=600_000, help="of the longer search")
    parser.add_argument("--worlds", type=int, default=64, help="in which it has to be a win")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE",
                        help="of the bot's policy")
    asked = parser.parse_args()
    game = find_game(asked.game)
    player = Player(game, game.variant(asked.variant), asked.bot, settings(asked.set))
    finder, found = Finder(game, asked.moves, asked.worlds), Found()
    for seed in range(asked.seed, asked.seed + asked.games):
        play(game, player, finder, seed, found)
        print(in_words(found), flush=True)


if __name__ == "__main__":
    main()
