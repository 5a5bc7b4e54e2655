"""`exchequer train`: a bot learns a game by playing itself."""

import json
import pathlib
import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from exchequer.cli.interrupts import farewell
from exchequer.cli.options import GameName, Json, Set, Variant, chosen
from exchequer.core.errors import InputError

if TYPE_CHECKING:
    from exchequer.core.game import Game


def train(game: GameName,
          minutes: Annotated[float, typer.Option(
              min=0.0, help="Stop before a round that would end later; one is always played.")]
          = 10.0,
          out: Annotated[pathlib.Path | None, typer.Option(
              help="The run's folder; one that is there is gone on with. Default: "
                   "trained-GAME.")] = None,
          seats: Annotated[str, typer.Option(
              help="Numbers of seats to learn, such as 2,3; the weights know no others. "
                   "Default: the fewest.")] = "",
          games: Annotated[int, typer.Option(
              min=10, max=10_000_000, help="Games in a round.")] = 2000,
          every: Annotated[int, typer.Option(
              min=1, help="Keep one position in so many.")] = 1,
          bursts: Annotated[int, typer.Option(
              min=2, help="Moves from one burst of random moves to the next, on average.")] = 12,
          teacher: Annotated[str, typer.Option(
              help="The level that plays the first round. A weak one plays many more games, and "
                   "it takes many to learn a game of many cards.")] = "hard",
          taught: Annotated[int, typer.Option(
              min=1, help="Rounds that the teacher plays; later ones the best network plays.")] = 1,
          rate: Annotated[float, typer.Option(
              min=0.0, help="How fast a position is learned.")] = 0.001,
          drop: Annotated[int, typer.Option(
              min=0, max=90, help="Inputs of a hundred left out while a position is learned, so "
                                  "that games are not learned by heart.")] = 40,
          decay: Annotated[float, typer.Option(
              min=0.0, help="How fast weights shrink that nothing holds up.")] = 10.0,
          playout: Annotated[int, typer.Option(
              min=0, max=20_000, help="Moves that are played before the network is asked.")] = 0,
          master: Annotated[int, typer.Option(
              min=1, max=9_999_999,
              help="Iterations of `master`, if it plays by these weights.")] = 6000,
          rating_games: Annotated[int, typer.Option(
              min=2, help="Games against each level after a round.")] = 60,
          seed: Annotated[int, typer.Option(min=0, max=2**62)] = 0,
          workers: Annotated[int | None, typer.Option(
              min=1, help="Threads for self-play. Default: one for each core.")] = None,
          device: Annotated[str, typer.Option(help="Where games are played: cpu.")] = "cpu",
          variant: Variant = None, set_: Set = None, as_json: Json = False) -> None:
    """Learn what positions are worth: self-play, fitting, rating, round after round.

    `weights.npz` in the run's folder is the best network; play it as learned:FILE.

    Examples:

        exchequer train kingdom --minutes 10

        exchequer arena kingdom --bots learned:trained-kingdom/weights.npz:600,expert
    """
    from exchequer.bots.training import Settings, Training
    from exchequer.bots.training import train as train_for

    if device != "cpu":
        raise InputError(f'Training runs on the cores, where searching bots play faster than on a '
                         f'GPU (docs/gpu.md); there is no device "{device}". To learn on a GPU '
                         "without search, see examples/tensors.py.")
    chosen_game, content = chosen(game, variant, set_)
    settings = Settings(seat_counts(seats, chosen_game), games, teacher, taught,
                        every=every, burst_every=bursts, rate=rate, drop=drop, decay=decay,
                        playout=playout, master=master, rating_games=rating_games, seed=seed,
                        command=shlex.join(["exchequer", *sys.argv[1:]]))
    folder = out or pathlib.Path(f"trained-{chosen_game.name.replace('/', '-')}")
    training = Training(chosen_game, content, folder, settings, workers)
    with farewell(f"Interrupted. The rounds that were played are kept in {folder}; the same "
                  "command goes on with them."):
        curve = train_for(training, minutes, lambda said: print(said, file=sys.stderr, flush=True))
    if as_json:
        print(json.dumps({"folder": str(folder), "curve": curve}))
    else:
        print(f"{folder / 'weights.npz'} is the best network of {len(curve)} rounds.")


def seat_counts(text: str, game: "Game") -> tuple[int, ...]:
    """The numbers of seats in `2,3`; without a word the fewest."""
    try:
        counts = [int(count) for count in text.split(",")] if text else [game.seats[0]]
    except ValueError:
        raise InputError(f'"{text}" is no list of numbers of seats, such as 2,3.') from None
    return tuple(map(game.seats_for, dict.fromkeys(counts)))
