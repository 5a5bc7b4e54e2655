"""kill -9, again and again, while moves are made: none lost, none doubled.

    python scripts/kill.py --kills 100 --moves 10000
    python scripts/kill.py --kills 100 --moves 10000 --database postgresql://user@host/empty

Two players move at many tables as fast as they can; the server is killed without warning and
started again. At the end every acknowledged move must be in the journals once, in order.
"""

import argparse
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "table"))

from hammer import Player, check, hammer, open_tables, stop, wait_for_moves
from postgres import cluster, free_port
from served import Process

MOVES_OF_A_GAME = 12  # half of what a person makes in one, so that tables are left to the end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--moves", type=int, default=10_000, help="acknowledged ones, at least")
    parser.add_argument("--tables", type=int, default=0, help="default: enough for the moves")
    parser.add_argument("--database", default="", help="an empty one; default: a new SQLite file")
    parser.add_argument("--postgres", action="store_true", help="a PostgreSQL of its own")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = wanted.database or str(pathlib.Path(folder) / "kill.db")
        if wanted.postgres:
            with cluster() as address:
                run(address, wanted)
        else:
            run(place, wanted)


def run(place: str, wanted: argparse.Namespace) -> None:
    port, began = free_port(), time.monotonic()
    opened = open_tables(place, wanted.tables or 50 + wanted.moves // MOVES_OF_A_GAME)
    servers = [Process(place, port).wait()]
    players: list[Player] = []
    share = -(-wanted.moves // (2 * (wanted.kills + 1)))
    try:
        players = hammer(opened, [servers[0].url])
        for number in range(wanted.kills):
            wait_for_moves(players, share)
            servers[0].kill()
            servers[0] = Process(place, port).wait()
            if (number + 1) % 10 == 0:
                print(f"{number + 1} kills, {sum(p.acknowledged for p in players)} moves, "
                      f"{time.monotonic() - began:.0f} s", flush=True)
        wait_for_moves(players, share)
    finally:
        stop(players, servers)
    unsure = sum(not known for player in players
                 for attempts in player.attempts.values() for _, known in attempts)
    acknowledged = check(place, players)
    kind = "PostgreSQL" if place.startswith("postgres") else "SQLite"
    print(f"{kind}: {wanted.kills} kills, {acknowledged} acknowledged moves, none lost, none "
          f"doubled; {unsure} were not answered.")


if __name__ == "__main__":
    main()
