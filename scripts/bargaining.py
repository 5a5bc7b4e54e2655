"""How bots bargain in Greement: deals, who gains by them, and whether dealing pays.

    python scripts/bargaining.py --bots hard --games 40          deals of four bots of a level
    python scripts/bargaining.py --bots hard --games 400 --twin  against twins that never deal
    python scripts/bargaining.py --bots greedy --games 200 --variant house
    python scripts/bargaining.py --bots medium --games 60 --seats  by seat, and what a broken word
                                                                   goes with

Twins are the same bots, denied every offer, call and acceptance; two of each sit at a table and
change seats. Prints counts for each game and, with --twin, how often one who deals wins.
"""

import argparse
import math
from collections.abc import Sequence

import numpy as np

from exchequer.core.measures import Lever, measures_of
from exchequer.games.greement import GAME
from exchequer.games.greement.state import Ask, Do
from exchequer.lab.arms import FREE, Arm, Chunk, Constraint, play

SEATS = 4
NO_DEALS = Constraint(deny=(Lever((Do.OFFER, Do.CALL), (Ask.TURN, Ask.CALLED)),
                            Lever((Do.ACCEPT, Do.COUNTER), (Ask.ANSWER,))))
COUNTS = ("offers made", "counter-offers", "deals closed", "promises made", "promises broken")
PART = 4  # games between two lines of progress


def arm_of(bot: str, games: int, seed: int, variant: str, with_twins: bool) -> Arm:
    overlay = GAME.variant(variant).overlay if variant else {}
    constraints = (FREE, NO_DEALS, FREE, NO_DEALS) if with_twins else ()
    return Arm("bargaining", "greement", (bot,) * SEATS, games, seed, overlay, constraints,
               rotates=with_twins)


def counted(parts: Sequence[Chunk], name: str) -> float:
    """Of all seats together, in a game."""
    place = list(measures_of(GAME).counts).index(name)
    return float(np.concatenate([part.rows.counts[:, :, place].sum(axis=1)
                                 for part in parts]).mean())


def dealers_won(arm: Arm, parts: Sequence[Chunk]) -> np.ndarray:
    """For each game the part of the win that went to bots who deal."""
    found = []
    for part in parts:
        for row, won in enumerate(part.rows.seats["share"], part.first):
            found.append(sum(share for seat, share in enumerate(won / max(won.sum(), 1))
                             if arm.bot_at(row, seat) % 2 == 0))
    return np.array(found)


def said(arm: Arm, parts: Sequence[Chunk]) -> str:
    games = sum(part.games for part in parts)
    deals, giver, taker = sum(part.sums.deals for part in parts) / 1e6
    line = f"{games} games: " + ", ".join(f"{counted(parts, name):.2f} {name}" for name in COUNTS)
    if deals:
        line += f"; a deal is worth {giver / deals / 1e6:+.3f} of a win to who proposed it and " \
                f"{taker / deals / 1e6:+.3f} to who accepted"
    if arm.constraints:
        won = dealers_won(arm, parts)
        margin = 1.96 * won.std() / math.sqrt(len(won))
        line += f"; dealers win {100 * won.mean():.1f} % +- {100 * margin:.1f}"
    return line


def by_seat(parts: Sequence[Chunk]) -> str:
    """What each seat does in a game, and its part of the wins."""
    names = list(measures_of(GAME).counts)
    counts = np.concatenate([part.rows.counts for part in parts]).mean(axis=0)
    won = np.concatenate([part.rows.seats["share"] for part in parts]).mean(axis=0)
    lines = [f"seat {seat + 1}: " + ", ".join(f"{row[names.index(name)]:.2f} {name}"
                                              for name in COUNTS)
             + f"; wins {100 * share / won.sum():.1f} %"
             for seat, (row, share) in enumerate(zip(counts, won, strict=True))]
    return "\n".join(lines)


def after_breaking(parts: Sequence[Chunk]) -> str:
    """How often those win who broke a promise, and those who promised and broke none."""
    names, lines = list(measures_of(GAME).counts), []
    counts = np.concatenate([part.rows.counts for part in parts]).reshape(-1, len(names))
    won = np.concatenate([part.rows.seats["share"] for part in parts])
    shares = (won / np.maximum(won.sum(axis=1, keepdims=True), 1)).ravel()
    made, broken = (counts[:, names.index(name)] for name in ("promises made", "promises broken"))
    for who, rows in (("who broke a promise", broken > 0),
                      ("who promised and broke none", (made > 0) & (broken == 0))):
        if rows.any():
            margin = 1.96 * shares[rows].std() / math.sqrt(rows.sum())
            lines.append(f"{who}: {rows.sum()} seats, win {100 * shares[rows].mean():.1f} % "
                         f"+- {100 * margin:.1f}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", default="hard")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--variant", default="")
    parser.add_argument("--twin", action="store_true")
    parser.add_argument("--seats", action="store_true")
    options = parser.parse_args()
    arm = arm_of(options.bots, options.games, options.seed, options.variant, options.twin)
    parts: list[Chunk] = []
    for first in range(0, arm.games, PART):
        parts.append(play(arm, first, min(PART, arm.games - first)))
        print(said(arm, parts), flush=True)
    if options.seats:
        print(by_seat(parts), after_breaking(parts), sep="\n")


if __name__ == "__main__":
    main()
