"""Training: rounds of self-play, fitting and rating, in a folder that a later run goes on with.

The first rounds are played by a named level, every later one by the best network so far. After each
round the new network meets the named levels with as many iterations as they have; `curve.jsonl`
gets a line, and `weights.npz` is the best network that was rated. Given the same seed and the same
number of games a round, the same weights come out with any number of workers, and after a kill.
"""

import json
import pathlib
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import exchequer
from exchequer.bots.arena import Arena
from exchequer.bots.learning import FEWEST_POSITIONS, Positions, SelfPlay, fit
from exchequer.bots.policies import BY_NETWORK, LEARNED, policy_named
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.files import os_errors_as_sentences, replacing, write_whole
from exchequer.core.game import Game
from exchequer.core.learned import FORMAT, inputs_of, read_network
from exchequer.core.progress import prepare

CURVE, WEIGHTS, SETTINGS = "curve.jsonl", "weights.npz", "training.json"
RATED = ("hard", "expert")
RATING_SEED = 10**6  # deals that no training game is dealt from
ROUND_SEEDS = 10**7  # apart from one round to the next
WINDOW = 4  # rounds whose positions are fitted
GO_ON = "give the same command again"


@dataclass(frozen=True)
class Settings:
    """What is trained, and how long a round is."""

    seats: tuple[int, ...]
    games: int = 2000  # of a round, for each number of seats
    teacher: str = "hard"
    taught: int = 1  # rounds that the teacher plays
    iterations: int = 80  # of a network that plays itself
    every: int = 1  # one position in so many is kept
    burst_every: int = 12  # moves from one burst of random moves to the next
    rating_games: int = 60
    seed: int = 0
    epochs: int = 8
    rate: float = 0.001
    drop: int = 40  # of a hundred inputs, left out while a position is learned
    decay: float = 10.0  # how fast weights shrink that nothing holds up
    playout: int = 0  # moves before the network is asked, in self-play and ever after
    master: int = 6000  # iterations of `master` with these weights
    command: str = ""


@dataclass
class Training:
    """One run, in its folder."""

    game: Game
    content: Content
    folder: pathlib.Path
    settings: Settings
    workers: int | None = None
    curve: list[dict[str, Any]] = field(default_factory=list)

    @os_errors_as_sentences(GO_ON)
    def __post_init__(self) -> None:
        if self.settings.teacher.startswith(LEARNED):
            raise InputError("A teacher is a level, such as hard, or mcts:N, and no network.")
        policy_named(self.settings.teacher)
        if self.folder.is_file():
            raise InputError(f"{self.folder} is a file; a run needs a folder.")
        self.folder.mkdir(parents=True, exist_ok=True)
        if has_begun(self.folder):
            self._go_on()
        else:
            write_whole(self.folder / SETTINGS, json.dumps(self._asked_for()).encode())

    def _asked_for(self) -> dict[str, Any]:
        """What may not change in the course of a run."""
        return {"game": self.game.name, "content": self.content.hash,
                "inputs": inputs_of(self.game).count,
                **json.loads(json.dumps(vars(replace(self.settings, command=""))))}

    def _go_on(self) -> None:
        theirs, mine = read_json(self.folder / SETTINGS), self._asked_for()
        others = [f"{name} {theirs[name]}, not {mine[name]}" for name in mine
                  if name in theirs and theirs[name] != mine[name]]
        if others:
            raise InputError(f"{self.folder} holds a run with other settings ({'; '.join(others)}"
                             "); choose another folder, or give the same settings to go on with "
                             "it.")
        self.curve = read_curve(self.folder / CURVE)

    def run(self, minutes: float) -> Iterator[dict[str, Any]]:
        """Rounds until the time is up, at least one; yields a line of the curve after each."""
        prepare(self.game)
        began = time.monotonic()
        while True:
            started = time.monotonic()
            yield self.play_round()
            now = time.monotonic()
            if now - began + (now - started) > 60 * minutes:  # another one would be too long
                return

    @os_errors_as_sentences(GO_ON)
    def play_round(self) -> dict[str, Any]:
        began, number = time.monotonic(), len(self.curve)
        positions = self._played(number)
        played = time.monotonic()
        spent = self.curve[-1]["seconds"] if self.curve else 0.0
        found = fit(self.game, Positions.join([*self._earlier(number), positions]), {},
                    self.settings.seed + number, self.settings.epochs, self.settings.rate,
                    self.settings.drop, self.settings.decay)
        fitted = time.monotonic()
        made = self._made(number, spent + fitted - began)
        replace(found.network, made=made).save(self._weights(number))
        shares = self._rated(number)
        line = {"round": number, "seconds": round(spent + time.monotonic() - began, 1),
                "playing": round(played - began, 1), "fitting": round(fitted - played, 1),
                "positions": len(positions), "loss": round(found.loss, 4),
                "held_back_loss": round(found.held_back_loss, 4), "shares": shares}
        self._keep(line)
        return line

    @property
    def best(self) -> dict[str, Any] | None:
        """The round whose network won most against the named levels."""
        return max(self.curve, key=strength_of, default=None)

    def _weights(self, number: int) -> pathlib.Path:
        return self.folder / f"weights-{number}.npz"

    def _player(self, number: int) -> SelfPlay:
        some = self.settings
        if self.best is None or number < some.taught:
            return SelfPlay(self.game, self.content, policy_named(some.teacher), None, some.every,
                            some.burst_every)
        network = read_network(self.game, self._weights(self.best["round"]))
        policy = replace(BY_NETWORK, iterations=some.iterations, playout=some.playout)
        return SelfPlay(self.game, self.content, policy, network, some.every, some.burst_every)

    def _played(self, number: int) -> Positions:
        """The games of a round; those of one that was interrupted after them are read again."""
        path = self.folder / f"positions-{number}.npz"
        if path.exists():
            return read_positions(path)
        player, first = self._player(number), self.settings.seed + (number + 1) * ROUND_SEEDS
        found = Positions.join([player.play(seats, first, self.settings.games, self.workers)
                                for seats in self.settings.seats])
        if number == 0 and len(found) < FEWEST_POSITIONS:
            raise InputError(f"A round of {len(found):,} positions is too short to learn from; "
                             f"more games have to make {FEWEST_POSITIONS:,} or more.")
        with replacing(path) as part, part.open("wb") as file:
            np.savez(file, **vars(found))
        return found

    def _earlier(self, number: int) -> list[Positions]:
        """The last rounds, and always the teacher's: a network alone forgets what it now avoids."""
        rounds = {n for n in range(number)
                  if n < self.settings.taught or n > number - WINDOW}
        return [read_positions(self.folder / f"positions-{n}.npz") for n in sorted(rounds)]

    def _made(self, number: int, seconds: float) -> dict[str, Any]:
        """What a file of weights says about itself."""
        return {"game": self.game.name, "format": FORMAT, "content": self.content.hash,
                "changes": self.content.overlay, "seats": list(self.settings.seats),
                "rules_version": self.game.rules_version, "command": self.settings.command,
                "seed": self.settings.seed, "round": number, "seconds": round(seconds),
                "exchequer": exchequer.__version__,
                "master": {"iterations": self.settings.master, "discount": 0.0,
                           "playout": self.settings.playout}}

    def _rated(self, number: int) -> dict[str, float]:
        """The share of wins against each level, at its iterations; alone, of the mean score."""
        return {level: rated_against(self.game, self.content, self._weights(number), level,
                                     self.settings.rating_games, max(self.settings.seats))
                for level in RATED}

    def _keep(self, line: dict[str, Any]) -> None:
        """The curve comes last: a round that is not in it is fitted and rated again."""
        self.curve.append(line)
        assert self.best is not None
        with replacing(self.folder / WEIGHTS) as part:
            shutil.copy(self._weights(self.best["round"]), part)
        write_whole(self.folder / CURVE,
                    "".join(json.dumps(line) + "\n" for line in self.curve).encode())


def strength_of(line: dict[str, Any]) -> float:
    return sum(line["shares"].values())


def has_begun(folder: pathlib.Path) -> bool:
    """Whether games of a run are there; settings alone bind nobody. What is of something else is
    not written over."""
    kept = [path.name for path in sorted(folder.iterdir())
            if path.name in (CURVE, WEIGHTS) or path.match("weights-*.npz")
            or path.match("positions-*.npz")]
    if kept and not (folder / SETTINGS).exists():
        raise InputError(f"{folder} holds {kept[0]}, but no run to go on with: {SETTINGS} is "
                         "missing. Choose another folder.")
    return bool(kept)


def read_json(path: pathlib.Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise damaged(path, error) from None


def read_curve(path: pathlib.Path) -> list[dict[str, Any]]:
    """A line for each round; one that was not written to its end does not count."""
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    try:
        curve = [json.loads(line) for line in lines]
        if [line["round"] for line in curve] != list(range(len(curve))):
            raise ValueError("a round is missing")
    except (ValueError, TypeError, KeyError) as error:
        raise damaged(path, error) from None
    return curve


def read_positions(path: pathlib.Path) -> Positions:
    try:
        with path.open("rb") as raw, np.load(raw) as file:
            return Positions(**{name: file[name] for name in file.files})
    except (ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise damaged(path, error) from None


def damaged(path: pathlib.Path, error: Exception) -> InputError:
    return InputError(f"{path} is damaged ({error}); begin a new run in another folder.")


def rated_against(game: Game, content: Content, weights: pathlib.Path, level: str, games: int,
                  seats: int) -> float:
    """The network against a level, which has all other seats; in a solo game its mean score as a
    share of both."""
    name = f"{LEARNED}{weights}:{policy_named(level).iterations}"
    if game.seats[0] == 1:
        means = [Arena(game, content, [bot]).play(games, RATING_SEED)[0].mean_score
                 for bot in (name, level)]
        return round(means[0] / max(sum(means), 1e-9), 3)
    arena = Arena(game, content, [name, *[level] * (min(seats, game.seats[1]) - 1)])
    return round(arena.play(games, RATING_SEED)[0].share, 3)


def curve_in_words(line: dict[str, Any]) -> str:
    """`round 2, 95 s: 46,512 positions, loss 0.377; 92 % against hard, 55 % against expert`"""
    shares = ", ".join(f"{100 * share:.0f} % against {level}"
                       for level, share in line["shares"].items())
    return (f"round {line['round']}, {line['seconds']:.0f} s: {line['positions']:,} positions, "
            f"loss {line['held_back_loss']:.3f}; {shares}")


def train(training: Training, minutes: float, tell: Callable[[str], None]
          ) -> Sequence[dict[str, Any]]:
    """Rounds for so many minutes, each told in a sentence. Returns the whole curve."""
    for line in training.run(minutes):
        tell(curve_in_words(line))
    return training.curve
