"""How bots bargain in Greement: deals, who gains by them, and whether dealing pays.

    python scripts/bargaining.py --bots hard --games 40          deals of four bots of a level
    python scripts/bargaining.py --bots hard --games 400 --twin  three and a twin that never deals
    python scripts/bargaining.py --bots greedy --games 200 --variant house
    python scripts/bargaining.py --bots medium --games 60 --seats  by seat, and how the games end

A twin is the same bot, denied every offer, call and acceptance. It sits at a table with three that
deal and changes seats with them; with --twin it is told how often one of them, taken at random,
ends richer than the twin. `--twin two` sets two that deal against two twins.
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
TWINS = {"none": (), "one": (FREE, NO_DEALS, FREE, FREE), "two": (FREE, NO_DEALS, FREE, NO_DEALS)}
COUNTS = ("offers made", "counter-offers", "deals closed", "promises made", "promises broken")
PART = 4  # games between two lines of progress


def arm_of(bot: str, games: int, seed: int, variant: str, twins: str, cap: int = 0) -> Arm:
    overlay = GAME.variant(variant).overlay if variant else {}
    overlay = {"hr_loan_cap": cap} if cap else overlay
    constraints = TWINS[twins]
    return Arm("bargaining", "greement", (bot,) * SEATS, games, seed, overlay, constraints,
               rotates=bool(constraints))


def counted(parts: Sequence[Chunk], name: str) -> float:
    """Of all seats together, in a game."""
    place = list(measures_of(GAME).counts).index(name)
    return float(np.concatenate([part.rows.counts[:, :, place].sum(axis=1)
                                 for part in parts]).mean())


def by_bot(arm: Arm, parts: Sequence[Chunk], name: str) -> np.ndarray:
    """(games, bots): what the rows of the seats say, in the order of the line-up."""
    rows = []
    for part in parts:
        for row, seats in enumerate(part.rows.seats[name], part.first):
            order = [arm.bot_at(row, seat) for seat in range(arm.seats)]
            rows.append(seats[np.argsort(order)])
    return np.array(rows, float)


def twins_said(arm: Arm, parts: Sequence[Chunk]) -> str:
    """How often a bot that deals ends richer than a twin, and what each of them wins."""
    deals = np.array([constraint == FREE for constraint in arm.constraints])
    wealth, won = by_bot(arm, parts, "score"), by_bot(arm, parts, "share")
    gaps = wealth[:, deals, None] - wealth[:, None, ~deals]
    ahead = ((gaps > 0) + 0.5 * (gaps == 0)).mean(axis=(1, 2))
    share = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    dealer, twin = share[:, deals].mean(), share[:, ~deals].mean()
    return f"; one who deals ends ahead of a twin in {with_margin(ahead)} of games and wins " \
           f"{100 * dealer:.1f} %, a twin {100 * twin:.1f} %"


def with_margin(values: np.ndarray) -> str:
    margin = 1.96 * values.std() / math.sqrt(len(values))
    return f"{100 * values.mean():.1f} % +- {100 * margin:.1f}"


def said(arm: Arm, parts: Sequence[Chunk]) -> str:
    games = sum(part.games for part in parts)
    deals, giver, taker = np.sum([part.sums.deals for part in parts], axis=0) / 1e6
    line = f"{games} games: " + ", ".join(f"{counted(parts, name):.2f} {name}" for name in COUNTS)
    if deals:
        line += f"; a deal is worth {giver / deals / 1e6:+.3f} of a win to who proposed it and " \
                f"{taker / deals / 1e6:+.3f} to who accepted"
    return line + (twins_said(arm, parts) if arm.constraints else "")


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


def at_the_end(parts: Sequence[Chunk]) -> str:
    """Debts, wealth and land of all seats at the end."""
    names = list(measures_of(GAME).resources)
    stock = np.concatenate([part.rows.stock for part in parts])
    wealth, debt, squares = (stock[:, :, names.index(name)] for name in ("wealth", "debt",
                                                                         "squares"))
    leads = np.concatenate([part.rows.games["half_leader"] for part in parts])
    won = np.concatenate([part.rows.games["winners"] for part in parts])
    led = np.mean([won[k] >> leads[k] & 1 for k in range(len(won)) if leads[k] >= 0])
    return (f"a debt above 100c: {100 * (debt > 100).mean():.0f} % of seats; below nothing: "
            f"{100 * (wealth < 0).mean():.0f} %; beyond 1,000 either way: "
            f"{100 * (abs(wealth) > 1000).mean():.0f} %; squares: {squares.mean():.1f}; the "
            f"winner's wealth, median: {np.median(wealth.max(axis=1)):.0f}; the leader at half "
            f"time wins {100 * led:.0f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", default="hard")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--variant", default="")
    parser.add_argument("--cap", type=int, default=0, help="no loan beyond this debt (G-72)")
    parser.add_argument("--twin", nargs="?", choices=TWINS, const="one", default="none")
    parser.add_argument("--seats", action="store_true")
    options = parser.parse_args()
    arm = arm_of(options.bots, options.games, options.seed, options.variant, options.twin,
                 options.cap)
    parts: list[Chunk] = []
    for first in range(0, arm.games, PART):
        parts.append(play(arm, first, min(PART, arm.games - first)))
        print(said(arm, parts), flush=True)
    if options.seats:
        print(by_seat(parts), at_the_end(parts), sep="\n")


if __name__ == "__main__":
    main()
