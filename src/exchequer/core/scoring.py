"""How a score comes about, line by line: `lines` of a game's measures, which add up to it."""

import functools
from typing import Any

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.game import Game
from exchequer.core.measures import Flow, Measures, measure, measure_rule, measures_of
from exchequer.core.position import Position

START = "at the start"

Breakdown = dict[str, list[int]]  # what each seat has of a line


def breakdown(position: Position) -> Breakdown:
    """The lines of every seat's score; a game that declares none has one, its points."""
    lines = measures_of(position.game).lines
    if not lines:
        return {"points": position.scores()}
    flows = {name: line for name, line in lines.items() if isinstance(line, Flow)}
    others = [name for name in lines if name not in flows]
    found = {START: position.at(0).scores()} if flows else {}
    found |= {name: flowed(position, flow) for name, flow in flows.items()}
    return found | (read(position, others) if others else {})


def flowed(position: Position, flow: Flow) -> list[int]:
    """What the log's entries have brought each seat."""
    total = [0] * position.seats
    for log in position.logs:
        for entry in log[log["what"] == flow.event]:
            total[int(entry.seat)] += flow.sign * int(entry.amount)
            if entry.other >= 0:
                total[int(entry.other)] -= flow.sign * int(entry.amount)
    return total


def read(position: Position, lines: list[str]) -> Breakdown:
    """What the rules say of the state as it is."""
    bound = position.game.engine(Mode.PYTHON).bind(measure, line_rules(position.game))
    out = np.zeros((position.seats, len(lines)), np.int64)
    for seat in range(position.seats):
        bound(position.state, position.content.record, seat, out[seat])
    return {name: out[:, place].tolist() for place, name in enumerate(lines)}


@functools.cache
def line_rules(game: Game) -> dict[Any, Any]:
    lines = {name: line for name, line in measures_of(game).lines.items()
             if not isinstance(line, Flow)}
    return {measure: measure_rule(game.rules, Measures(resources=lines), game.state)}
