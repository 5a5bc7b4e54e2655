"""The audit's table: rows that hide from a seat what it has just decided.

    python scripts/twins.py [GAME ...] [--games 20]

At each decision of random games the first twelve moves are tried. Two of them are twins where the
same seat is asked again and its rows are equal, although it knows different things. Counted are
decisions with twins, with twins that have the same mask, and with twins that some next move tells
apart: there a learner cannot know what it does. Rows of version 1 had all three.
"""

import argparse
import itertools
from typing import NamedTuple

import numpy as np

from exchequer.core.build import default_mode
from exchequer.core.check.broken import applied, legal_in, walk
from exchequer.core.check.knowing import goes_on, observed, row_of
from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.rows import Encoder

TRIED = 12  # moves at each decision
HEAD = f"{'game':16}{'decisions':>12}{'same row':>12}{'and mask':>12}{'told apart':>12}"


class Counted(NamedTuple):
    decisions: int
    same_row: int
    same_mask: int
    told_apart: int

    def __str__(self) -> str:
        return "".join(f"{number:12,}" for number in self)


def counted(game: Game, encoder: Encoder, games: int, moves: int = 10_000) -> Counted:
    """Over random games with the fewest seats."""
    found = [twins(position, encoder) for seed in range(games)
             for position in walk(game, game.content(), game.seats[0], seed, default_mode(), moves)
             if not position.is_over]
    return Counted(len(found), *(sum(map(bool, column)) for column in zip(*found, strict=True)))


def twins(position: Position, encoder: Encoder) -> tuple[bool, bool, bool]:
    """Whether there are twins at this decision, some with the same mask, some told apart."""
    seat = position.actor
    reached = [applied(position, position._states, action)[0]
               for action in position.legal()[:TRIED]]
    seen = []
    for states in reached:
        states["rng"] = position.state.rng  # chance falls alike
        if position.engine.actor(states[0]) == seat:
            row = row_of(position, encoder, states, seat)
            seen.append((row, known(position, states, seat), states))
    pairs = [(left[2], right[2]) for left, right in itertools.combinations(seen, 2)
             if left[0] == right[0] and left[1] != right[1]]
    alike = [pair for pair in pairs
             if legal_in(position, pair[0]) == legal_in(position, pair[1])]
    apart = any(goes_on(position, encoder, seat, left, action)
                != goes_on(position, encoder, seat, right, action)
                for left, right in alike for action in legal_in(position, left))
    return bool(pairs), bool(alike), apart


def known(position: Position, states: np.ndarray, seat: int) -> bytes:
    """What the seat may know; items of the agenda that are done mean nothing."""
    seen = observed(position, states, seat)
    seen["rng"] = 0
    seen["agenda"][0, int(seen["todo"][0]):] = 0
    return seen.tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    print(HEAD)
    for game in [find_game(name) for name in options.names] or all_games():
        print(f"{game.name:16}{counted(game, Encoder(game), options.games)}", flush=True)


if __name__ == "__main__":
    main()
