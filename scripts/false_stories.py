"""How often the lab tells a story of a race in which there is none.

    python scripts/false_stories.py [RUNS]

Sound races (luck alone, and seats of different speeds) are looked at with other seeds each time.
At most one run in a hundred may tell anything: stories have a fifth of the 5 % that a whole report
may be wrong with.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from exchequer.lab.findings import held
from exchequer.lab.stories import stories
from lab import races


def sound_races(seed: int) -> dict[str, races.Race]:
    rng = np.random.default_rng(seed)
    speed = rng.integers(5, 15, (1000, 1, 2))
    return {"luck alone": races.fair(rng), "three seats": races.fair(rng, seats=3),
            "different speeds": races.Race((races.steps(rng) + speed).cumsum(1),
                                           races.random_uses(rng, 1000, 2))}


def main(runs: int) -> None:
    told: dict[str, list[str]] = {}
    for seed in range(runs):
        for name, race in sound_races(seed).items():
            told.setdefault(name, []).extend(
                f"seed {seed}: {claim.text}" for claim in held(list(stories(race.rung()))))
    for name, texts in told.items():
        print(f"{name}: {len({text.split(':')[0] for text in texts})} of {runs} runs told a story")
        print("".join(f"  {text}\n" for text in texts), end="")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
