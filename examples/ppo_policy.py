"""Policies that `examples/ppo.py` has trained, as a bot; NumPy is all it needs.

    exchequer evaluate examples/ppo_policy.py:Policy kingdom

They lie in `examples/policies`, each with the command that made it. Numbers are whole, and sums of
whole numbers do not depend on their order, so a policy plays the same on every machine.
"""

import pathlib

import numpy as np

from exchequer.core.errors import InputError
from exchequer.core.rows import Encoder

FOLDER = pathlib.Path(__file__).parent / "policies"
LAYERS = 3


class Policy:
    """Takes the move that the network likes best."""

    def __init__(self, game, seed):
        self.encoder = Encoder(game)
        file = FOLDER / f"{game.name.replace('/', '-')}.npz"
        if not file.exists():
            raise InputError(f"There is no {file.name}; examples/ppo.py --save makes it.")
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
