"""What a move costs, part by part: processor time, so that a busy machine does not matter.

    python scripts/move_cost.py
    python scripts/move_cost.py kingdom --profile 40

Plays one game after another in this process, with a stream for both seats and one for somebody who
watches, all of them drawn here. `move` is the rules and the journal; `screens` is what the three
are shown; `update` is what has changed of it, as text, compressed.
"""

import argparse
import asyncio
import cProfile
import json
import pathlib
import pstats
import random
import tempfile
import time
import zlib
from collections import defaultdict

from load import GAMES

from exchequer.core.find import find_game
from exchequer.table.history import Seat
from exchequer.table.identity import Visitor
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.server import COMPRESSION
from exchequer.table.service import Service, Settings
from exchequer.table.stream import Stream
from exchequer.table.table_setup import table_setup


class Played:
    """A table with three who look on, and what its moves cost."""

    def __init__(self, service: Service, name: str, seed: int) -> None:
        game = find_game(name)
        seats = ["hotseat"] * min(2, game.seats[1])
        setup = table_setup(name, seats, "ann", "Ann", clock="none", seed=seed)
        held = [Seat(f"visitor {number}", None, f"Player {number}")
                for number in range(len(seats))]
        setup = type(setup)(setup.game, setup.content, held, setup.clock, seed, False)
        self.service, self.match = service, service.registry.open(setup, "ann")
        self.streams = [Stream(service, self.match.id, Visitor(f"visitor {seat}", ""), seat)
                        for seat in [*range(len(seats)), WATCHER, WATCHER][:3]]
        self.windows = [zlib.compressobj(wbits=-15, **COMPRESSION) for _ in self.streams]
        self.chance = random.Random(seed)
        self.spent: dict[str, float] = defaultdict(float)
        self.moves = 0

    def run(self, most: int) -> None:
        self.show()
        self.spent.clear()
        while self.moves < most and self.match.asked is not None:
            self.move()
            self.show()
            self.moves += 1

    def move(self) -> None:
        match: Match = self.match
        action = self.chance.choice(match.legal())
        began = time.process_time()
        assert match.asked is not None
        match.play(match.asked, action, match.version)
        self.spent["move"] += time.process_time() - began

    def show(self) -> None:
        for stream, window in zip(self.streams, self.windows, strict=True):
            began = time.process_time()
            self.service.screens.of(self.match, stream.seat)
            drawn = time.process_time()
            if message := stream.update():
                text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
                window.compress(text.encode()), window.flush(zlib.Z_SYNC_FLUSH)
            self.spent["screens"] += drawn - began
            self.spent["update"] += time.process_time() - drawn


def cost(service: Service, name: str, moves: int) -> tuple[int, dict[str, float]]:
    """Of the moves of as many games as it takes."""
    spent: dict[str, float] = defaultdict(float)
    played = 0
    while played < moves:
        one = Played(service, name, played)
        one.run(moves - played)
        played += one.moves
        for what, seconds in one.spent.items():
            spent[what] += seconds
    return played, spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--profile", type=int, default=0, help="functions to list")
    parser.add_argument("--sort", default="cumulative", help="how to list them")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Settings(str(pathlib.Path(folder) / "cost.db"), warm=False))
        for game in wanted.games:
            service.precompiler.ready.add(game)
        asyncio.run(measure(service, wanted))
        service.store.close()


async def measure(service: Service, wanted: argparse.Namespace) -> None:
    for name in wanted.games:
        cost(service, name, 5)  # templates and machine code are loaded
        profile = cProfile.Profile()
        if wanted.profile:
            profile.enable()
        moves, spent = cost(service, name, wanted.moves)
        profile.disable()
        parts = ", ".join(f"{part} {1000 * spent[part] / moves:.2f}"
                          for part in ("move", "screens", "update"))
        print(f"{name:14} {1000 * sum(spent.values()) / moves:6.2f} ms a move: {parts}", flush=True)
        if wanted.profile:
            pstats.Stats(profile).sort_stats(wanted.sort).print_stats(wanted.profile)


if __name__ == "__main__":
    main()
