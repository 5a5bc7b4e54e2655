"""How often the lab tells a story of a race in which there is none.

    python scripts/false_stories.py [RUNS]

Sound races (luck alone, seats of different speeds, one seat that wins more, waits and chains that
are just bearable) are looked at with other seeds each time, and four seats that deal and vote with
nobody in particular. At most one run in a hundred may tell a story: stories have a fifth of the 5 %
that a whole report may be wrong with, and all plain claims the rest.
"""

import pathlib
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from exchequer.lab.claims import Rung, coalitions
from exchequer.lab.findings import Claim, held
from exchequer.lab.stories import stories
from exchequer.lab.stories.pace import DECIDES, LONG_WAIT, OFTEN
from lab import races

GAMES = 1000


def sound_races(seed: int) -> dict[str, races.Race]:
    rng = np.random.default_rng(seed)
    speed = rng.integers(5, 15, (GAMES, 1, 2))
    return {"luck alone": races.fair(rng), "three seats": races.fair(rng, seats=3),
            "different speeds": races.Race((races.steps(rng) + speed).cumsum(1),
                                           races.random_uses(rng, GAMES, 2)),
            "the second seat wins four of five": better_seat(rng), "bearable": bearable(rng)}


def better_seat(rng: np.random.Generator) -> races.Race:
    """... and opens by a mill nine times of ten, the first seat by a market; neither helps."""
    race = races.fair(rng)
    mills = rng.random((GAMES, 2)) < np.array([0.1, 0.9])
    race.first_use[..., 0] = np.where(mills, 1, -1)
    race.first_use[..., 1] = np.where(mills, -1, 1)
    second = rng.random(GAMES) < 0.8
    race.won = np.stack([~second, second], 1)
    return race


def bearable(rng: np.random.Generator) -> races.Race:
    """As many long waits, and as many wins of whoever sets off most, as are not yet told."""
    race = races.fair(rng)
    choices = LONG_WAIT // int(races.MEASURES.seconds)
    race.waited = np.full((GAMES, 2), choices)
    race.waited[:, 0] += rng.random(GAMES) < OFTEN
    winner = race.stocks[:, -1].argmax(1)
    race.chain_seat = np.where(rng.random(GAMES) < 0.5 + DECIDES, winner, 1 - winner)
    return race


def company(seed: int, seats: int = 4) -> Rung:
    """Whoever sits beside each other deals more, all of them alike; votes are a matter of luck."""
    rng = np.random.default_rng(seed)
    rung = races.fair(rng, games=200, seats=seats).rung()
    two = [(one, other) for one in range(seats) for other in range(one + 1, seats)]
    often = [3.0 if (other - one) % (seats - 2) else 1.0 for one, other in two]
    votes = np.full((200, len(two)), 6)
    pairs = pl.DataFrame({"game": np.repeat(np.arange(200), len(two)),
                          "seat": [one for one, _ in two] * 200,
                          "other": [other for _, other in two] * 200,
                          "deals": rng.poisson(often, votes.shape).ravel(),
                          "alike": rng.binomial(votes, 0.5).ravel(), "votes": votes.ravel()})
    return replace(rung, tables=replace(rung.tables, pairs=pairs))


def claims_of(seed: int) -> Iterator[tuple[str, list[Claim]]]:
    for name, race in sound_races(seed).items():
        yield name, list(stories(race.rung()))
    yield "no company is kept", list(coalitions(company(seed)))


def main(runs: int) -> None:
    told: dict[str, list[str]] = {}
    for seed in range(runs):
        for name, claims in claims_of(seed):
            told.setdefault(name, []).extend(
                f"seed {seed}: {claim.text}" for claim in held(claims))
    for name, texts in told.items():
        print(f"{name}: {len({text.split(':')[0] for text in texts})} of {runs} runs told a story")
        print("".join(f"  {text}\n" for text in texts), end="")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
