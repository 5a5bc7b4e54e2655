"""What a seat may know, for a game that does not write `observe` and `determinize` itself.

Coming chance is nobody's. Cards are hidden by what the piles know. Two names in `state.py` say
the rest:

    HANDS = (Pile.HAND,)     # piles of which each seat has one; it knows the cards in it, and
                             # the others do not see their order
    SECRET = {"bid": 11}     # fields with a row for each seat that nobody else sees: 0 says that
                             # nothing is written yet, and 1 to 11 what may be

What is secret is seen as HIDDEN and may be anything. `back` in the content says what shows on a
card's back; without it all cards look alike.
"""

import types
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.handlers import made
from exchequer.core.piles import deal_hidden, hide_cards, hide_order, owner_knows

HIDDEN = -1  # somebody else's secret


def backs(state: types.ModuleType, c: Any) -> np.ndarray | None:
    """What is on the back of each card; None where there are no cards."""
    if "card" not in state.State.names:
        return None
    if "back" in (state.CONTENT.dtype.names or ()):
        return c.back
    return alike(state)


def alike(state: types.ModuleType) -> np.ndarray:
    return np.zeros(state.State["card"].shape, np.int8)


def scope_of(state: types.ModuleType) -> dict[str, Any]:
    known = {"hide_cards": hide_cards, "hide_order": hide_order, "owner_knows": owner_knows,
             "deal_hidden": deal_hidden, "seed_chance": seed_chance, "roll": roll,
             "GAME_STREAM": GAME_STREAM, "HIDDEN": HIDDEN}
    return known | ({"BACKS": alike(state)} if "card" in state.State.names else {})


def observe(rules: types.ModuleType, state: types.ModuleType, seats: int) -> types.FunctionType:
    """Blank coming chance, the cards the seat may not know, and what others keep secret."""
    lines = ["s.rng = 0"] if "rng" in state.State.names else []
    if "card" in state.State.names:
        lines.append(f"hide_cards(s, {back_of(state)}, seat)")
    each = [f"hide_order(s, {pile} + other)" for pile in numbers(state)]
    for name in getattr(state, "SECRET", {}):
        each += for_entries(state, name, "if s.{0} != 0:", "    s.{0} = HIDDEN")
    return rule_of(rules, state, "observe", "s, c, seat",
                   [*lines, *others(state, seats, each, " if other != seat")])


def determinize(rules: types.ModuleType, state: types.ModuleType, seats: int
                ) -> types.FunctionType:
    """New chance; hidden cards are dealt anew, and secrets may be anything."""
    lines = ["seed_chance(s, seed, GAME_STREAM)"] if "rng" in state.State.names else []
    if "card" in state.State.names:
        lines.append(f"deal_hidden(s, {back_of(state)})")
    each = [f"owner_knows(s, {pile} + other, other)" for pile in numbers(state)]
    for name, most in getattr(state, "SECRET", {}).items():
        each += for_entries(state, name, "if s.{0} == HIDDEN:",
                            f"    s.{{0}} = 1 + roll(s, {int(most)})")
    return rule_of(rules, state, "determinize", "s, c, seat, seed",
                   [*lines, *others(state, seats, each)])


def rule_of(rules: types.ModuleType, state: types.ModuleType, name: str, parameters: str,
            lines: Sequence[str]) -> types.FunctionType:
    return made(rules, name, parameters, lines or ["pass"], scope_of(state))


def back_of(state: types.ModuleType) -> str:
    return "c.back" if "back" in (state.CONTENT.dtype.names or ()) else "BACKS"


def numbers(state: types.ModuleType) -> Iterator[int]:
    """The first pile of each kind that every seat has."""
    return (int(pile) for pile in getattr(state, "HANDS", ()))


def others(state: types.ModuleType, seats: int, lines: Sequence[str], when: str = ""
           ) -> Iterator[str]:
    """The lines for each seat at the table."""
    if not lines:
        return
    yield f"for other in range({'s.seats' if 'seats' in state.State.names else seats}):"
    if when:
        yield f"   {when}:"
    for line in lines:
        yield f"{'        ' if when else '    '}{line}"


def for_entries(state: types.ModuleType, name: str, *lines: str) -> Iterator[str]:
    """The lines for every entry of a seat's row, which may be one number or several."""
    if len(state.State[name].shape) == 1:
        yield from (line.format(f"{name}[other]") for line in lines)
        return
    yield f"for i in range({state.State[name].shape[1]}):"
    yield from (f"    {line.format(f'{name}[other, i]')}" for line in lines)
