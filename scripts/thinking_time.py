"""How long bots think in whole games against themselves, in processor time.

    python scripts/thinking_time.py treasury/v17 --bots expert,master --games 2
"""

import argparse
import statistics
import time

from exchequer.bots.policies import seated_policies
from exchequer.core.content import Content
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.habits import habits_of
from exchequer.core.position import Position
from exchequer.core.search import THOUGHT_STEP, choose


def times(game: Game, content: Content, bot: str, games: int) -> list[float]:
    """Milliseconds of each move; the first one loads machine code and is left out."""
    seats, found = game.seats[0], []
    policies, workspace = seated_policies(game, content, seats, [bot] * seats)
    think = game.engine().bind(choose, habits_of(game))
    for seed in range(games):
        position = Position(game, content, seats, seed)
        while not position.is_over and len(position.actions) < game.step_limit:
            seat = position.actor
            seen, thought = position.observe(seat), seed * THOUGHT_STEP + len(position.actions)
            start = time.process_time()
            action = int(think(seen, content.record, seats, seat, policies[seat], workspace,
                               thought))
            found.append(1000 * (time.process_time() - start))
            position.take(action)
    return found[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--variant", default=None)
    parser.add_argument("--bots", default="expert,master")
    parser.add_argument("--games", type=int, default=2)
    asked = parser.parse_args()
    game = find_game(asked.game)
    for bot in asked.bots.split(","):
        found = times(game, game.variant(asked.variant), bot, asked.games)
        print(f"{bot}: {len(found)} moves, mean {statistics.mean(found):.1f} ms, "
              f"median {statistics.median(found):.1f}, slowest {max(found):.0f}", flush=True)


if __name__ == "__main__":
    main()
