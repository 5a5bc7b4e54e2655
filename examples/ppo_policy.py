"""Policies that `ppo.py`, `maskable_ppo.py` and `tensors.py` have trained, as bots.

    exchequer evaluate examples/ppo_policy.py:Policy kingdom
    exchequer evaluate examples/ppo_policy.py:Maskable greement

They lie in `examples/policies`, each with the command that made it. Numbers are whole, and sums of
whole numbers do not depend on their order, so a policy plays the same on every machine.
"""

import pathlib
import sys

import numpy as np

from exchequer.core.errors import InputError
from exchequer.core.rows import Encoder, layout_of

FOLDER = pathlib.Path(__file__).parent / "policies"
LAYERS = 3
UNIT = 4096  # of a weight


def save(file, game, layers, mean, spread, most, made_with):
    """Write what plays a game: three layers, each weights and bias, and how rows are scaled."""
    numbers = {f"{kind}{place}": whole(numbers) for place, layer in enumerate(layers)
               for kind, numbers in zip(("weight", "bias"), layer, strict=True)}
    np.savez_compressed(
        file, **numbers, mean=mean.astype(np.float32), spread=spread.astype(np.float32), unit=UNIT,
        most=most, rows=layout_of(game).hash,
        made=f"{game.name} {game.version}: python {' '.join(sys.argv)}, {made_with}")


def whole(weights):
    return (weights * UNIT).round().clip(-2**15, 2**15 - 1).astype(np.int16)


class Policy:
    """Takes the move that the network of `ppo.py` likes best."""

    trainer, ending = "ppo.py", ".npz"

    def __init__(self, game, seed):
        self.encoder = Encoder(game)
        file = FOLDER / f"{game.name.replace('/', '-')}{self.ending}"
        if not file.exists():
            raise InputError(f"There is no {file.name}; examples/{self.trainer} --save makes it.")
        with np.load(file) as kept:
            self.kept = {name: kept[name] for name in kept.files}
        if self.kept["rows"] != self.encoder.layout.hash:
            raise InputError(f"{file.name} was trained on rows of another version "
                             f"({self.kept['made']}).")
        self.layers = [(self.kept[f"weight{i}"].astype(float), self.kept[f"bias{i}"].astype(float))
                       for i in range(LAYERS)]

    def choose(self, observation, content, seat):
        row = self.encoder.observed_row(observation, seat)
        legal = self.encoder.mask(observation, content.record)
        return int(np.where(legal, self.wishes(row), -np.inf).argmax())

    def wishes(self, row):
        """How much it likes each action."""
        unit, most = self.kept["unit"], self.kept["most"]
        scaled = ((row - self.kept["mean"]) / self.kept["spread"]).clip(-most, most)
        signal = np.rint(scaled.astype(float) * unit)
        for number, (weights, bias) in enumerate(self.layers):
            if number:
                signal = np.floor(np.maximum(signal, 0) / unit)
            signal = weights @ signal + bias * unit
        return signal


class Maskable(Policy):
    """The same of `maskable_ppo.py`."""

    trainer, ending = "maskable_ppo.py", "-maskable.npz"


class Tensors(Policy):
    """The same of `tensors.py`."""

    trainer, ending = "tensors.py", "-tensors.npz"
