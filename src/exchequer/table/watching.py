"""What somebody who only watches may see: no more than every seat may know."""

from typing import Any

import numpy as np

from exchequer.core.position import Position


def watched(position: Position) -> np.ndarray:
    """The state blanked of all that any seat may not know (an array of one).

    Every seat's observation is held against the truth: what one of them does not see as it is,
    the watcher does not see. Cards are told by who knows them, since hands may be sorted. Of
    somebody who plays alone a watcher sees what they see.
    """
    if position.seats == 1:
        return position.observe(0)
    observed = [position.observe(seat) for seat in range(position.seats)]
    merged = observed[0]
    others = [numbers_of(other) for other in observed[1:] if other.tobytes() != merged.tobytes()]
    true = numbers_of(position.whole())
    for name, values in numbers_of(merged).items() if others else ():
        for other in others:
            if other[name].tobytes() == values.tobytes():
                continue  # hidden alike, or from neither
            hides, already = other[name] != true[name], values != true[name]
            better = hides & (~already | (other[name] < values))
            values[better] = other[name][better]
    blank_cards(position, merged[0])
    return merged


def numbers_of(states: np.ndarray) -> dict[str, np.ndarray]:
    """Every number of the records, field by field; what is written there is written to them."""
    found: dict[str, np.ndarray] = {}
    for name in states.dtype.names or ():
        values = states[name]
        if values.dtype.names:
            found |= {f"{name}.{inner}": values[inner] for inner in values.dtype.names}
        else:
            found[name] = values
    return found


def blank_cards(position: Position, observed: Any) -> None:
    """A card that some seat does not know lies face down for whoever watches."""
    backs = position.game.backs(position.content.record)
    if backs is None:
        return
    s, everybody = position.state, (1 << position.seats) - 1
    unknown = {int(card) for card, known in zip(s.card, s.known, strict=True)
               if known & everybody != everybody}
    for place, card in enumerate(observed.card):
        if card >= 0 and int(card) in unknown:
            observed.card[place] = -1 - backs[card]
