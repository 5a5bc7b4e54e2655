"""`exchequer train`: a bot learns a game by playing itself."""

import json
import pathlib
import shlex
import sys
from typing import Annotated

import typer

from exchequer.cli.options import GameName, Json, Set, Variant, chosen
from exchequer.core.errors import InputError


def train(game: GameName,
          minutes: Annotated[float, typer.Option(
              min=0.0, help="Stop before a round that would end later; one is always played.")]
          = 10.0,
          out: Annotated[pathlib.Path | None, typer.Option(
              help="The run's folder; one that is there is gone on with. Default: "
                   "trained-GAME.")] = None,
          seats: Annotated[str, typer.Option(
              help="Numbers of seats to learn, such as 2,3. Default: the fewest.")] = "",
          games: Annotated[int, typer.Option(min=10, help="Games in a round.")] = 2000,
          every: Annotated[int, typer.Option(
              min=1, help="Keep one position in so many.")] = 1,
          bursts: Annotated[int, typer.Option(
              min=2, help="Moves from one burst of random moves to the next, on average.")] = 12,
          rating_games: Annotated[int, typer.Option(
              min=2, help="Games against each level after a round.")] = 60,
          seed: Annotated[int, typer.Option(min=0)] = 0,
          workers: Annotated[int | None, typer.Option(
              help="Threads for self-play. Default: one for each core.")] = None,
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
        raise InputError(f'Training runs on the CPU; there is no device "{device}".')
    chosen_game, content = chosen(game, variant, set_)
    try:
        counts = tuple(int(count) for count in seats.split(",")) if seats else \
            (chosen_game.seats[0],)
    except ValueError:
        raise InputError(f'"{seats}" is no list of numbers of seats, such as 2,3.') from None
    settings = Settings(tuple(map(chosen_game.seats_for, counts)), games, every=every,
                        burst_every=bursts, rating_games=rating_games, seed=seed,
                        command=shlex.join(["exchequer", *sys.argv[1:]]))
    folder = out or pathlib.Path(f"trained-{chosen_game.name.replace('/', '-')}")
    training = Training(chosen_game, content, folder, settings, workers)
    curve = train_for(training, minutes, lambda said: print(said, file=sys.stderr, flush=True))
    if as_json:
        print(json.dumps({"folder": str(folder), "curve": curve}))
    else:
        print(f"{folder / 'weights.npz'} is the best network of {len(curve)} rounds.")
