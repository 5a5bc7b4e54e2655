"""What observations cost in this checkout and in an older revision, in processor time.

    python scripts/row_speed.py 0ea9f1a
    python scripts/row_speed.py HEAD~20 --repeats 9 --games kingdom

Both revisions write the rows of a thousand positions of random games, and play in the vector
environment, by turns and each in a process of its own: what else runs on the machine slows both.
Figures are medians with the smallest and the largest of the repeats; a repeat is the fastest of
several passes.
"""

import argparse
import importlib.util
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from compare_speed import GAMES, HERE, older_checkout, run, spread

from exchequer.core.build import cache_root
from exchequer.core.records import rule

if importlib.util.find_spec("exchequer.core.rows"):
    from exchequer.core.rows import Encoder, write_row
else:  # before they could be read back
    from exchequer.envs.tensors import Encoder, write_row  # type: ignore

POSITIONS, PASSES = 1000, 40
CODE = f"import sys; sys.path.insert(0, {str(HERE / 'scripts')!r}); " \
       "import row_speed; row_speed.measure(sys.argv[1])"


@rule
def write_all(states, seats, scratch, views, tables, places, c, rows):
    for i in range(len(states)):
        scratch[0] = states[i]
        write_row(scratch, views, tables, places, c, seats[i], rows[i])


def measure(name: str) -> None:
    """Print what whichever Exchequer is found takes, in microseconds."""
    from exchequer.core.find import find_game

    game = find_game(name)
    print(json.dumps({"a row": fastest(row_writer(game)) / POSITIONS,
                      "a step": fastest(stepper(game)) / POSITIONS,
                      "width": Encoder(game).layout.width}))


def fastest(play: Callable[[], int]) -> float:
    """Microseconds of processor time of the fastest pass; `play` returns nanoseconds."""
    play()
    return min(play() for _ in range(PASSES)) / 1000


def row_writer(game: Any) -> Callable[[], int]:
    encoder, content = Encoder(game), game.content().record
    states, seats = positions(game)
    rows = np.zeros((POSITIONS, encoder.layout.width), np.float32)
    write = game.engine().bind(write_all)

    def play() -> int:
        began = time.process_time_ns()
        write(states, seats, encoder.scratch, encoder.views, encoder.tables,
              encoder.layout.places, content, rows)
        return time.process_time_ns() - began

    return play


def positions(game: Any) -> tuple[np.ndarray, np.ndarray]:
    """States of random games with the fewest seats, and who is asked in each."""
    from exchequer.core.position import Position

    random, states = np.random.default_rng(1), np.zeros(POSITIONS, game.state)
    seats = np.zeros(POSITIONS, np.int64)
    position = Position(game, seed=0)
    for place in range(POSITIONS):
        if position.is_over:
            position = Position(game, seed=place)
        states[place], seats[place] = position._states[0], position.actor
        position.play(int(random.choice(position.legal())))
    return states, seats


def stepper(game: Any) -> Callable[[], int]:
    """One step of the vector environment; the random choices are not timed."""
    from exchequer.envs.vector import VectorEnv

    random, envs = np.random.default_rng(1), VectorEnv(game.name, POSITIONS)
    envs.copy = False
    envs.reset(seed=0)
    masks = envs.rows.masks

    def play() -> int:
        actions = (random.random(masks.shape, np.float32) * masks).argmax(axis=1)
        began = time.process_time_ns()
        envs.step(actions)
        return time.process_time_ns() - began

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="a commit, tag or branch to compare with")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    asked = parser.parse_args()
    with older_checkout(asked.revision) as older:
        sides = (older, HERE)
        print(f"| game | microseconds | {asked.revision} | this checkout | ratio |")
        print("|---|---|---|---|---|")
        for game in asked.games:
            found = [[json.loads(run(folder, str(cache_root()), CODE, game)) for folder in sides]
                     for _ in range(asked.repeats)]
            report(game, found)


def report(game: str, found: list[list[dict[str, float]]]) -> None:
    """A line for each figure: both sides, and how many times as long it takes now."""
    for kind in found[0][0]:
        before, after = ([repeat[side][kind] for repeat in found] for side in (0, 1))
        ratio = statistics.median(after) / statistics.median(before)
        print(f"| {game} | {kind} | {spread(before)} | {spread(after)} | {ratio:.2f} |",
              flush=True)


if __name__ == "__main__":
    main()
