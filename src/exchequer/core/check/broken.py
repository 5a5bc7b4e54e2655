"""A broken promise, and the random games in which the suite looks for one."""

from collections.abc import Iterator

import numpy as np

from exchequer.core.agenda import AgendaFault
from exchequer.core.build import Mode
from exchequer.core.chance import POLICY_STREAM, Chance, roll, seed_chance
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.log import clear, entries, new_log
from exchequer.core.loops import LOG_ROOM
from exchequer.core.position import Position, Refused
from exchequer.core.records import blank

REMEDIES = {
    AgendaFault.FULL: "the agenda has no room for {}; give `agenda_fields` in state.py more",
    AgendaFault.NO_ANSWER: "{} is asked and has no answer; ask it only where it has one, or let "
                           "it lapse where the rules say so",
    AgendaFault.NO_HANDLER: "{} came up and no rule handles it; give it a branch of its own",
}


class Broken(AssertionError):
    """A promise that a game does not keep, and the position in which it does not."""

    def __init__(self, promise: str, position: Position | None, message: str) -> None:
        where = f" after {len(position.actions)} moves of seed {position.seed} with " \
                f"{position.seats} seats" if position else ""
        super().__init__(f"{promise}{where}: {message}")
        self.position = position


def walk(game: Game, content: Content, seats: int, seed: int, mode: Mode,
         limit: int) -> Iterator[Position]:
    """A random game, position by position."""
    position = Position(game, content, seats, seed, mode)
    chance = blank(Chance)
    seed_chance(chance, seed, POLICY_STREAM)
    yield position
    while not position.is_over and len(position.actions) < limit:
        moves = position.legal()
        if not moves:
            asked = game.item_name(int(position.engine.question(position.state)))
            raise Broken("legality", position, REMEDIES[AgendaFault.NO_ANSWER].format(asked))
        try:
            position.play(moves[roll(chance, len(moves))])
        except Refused as error:
            raise Broken("legality", position, f"a legal action is refused: {error}") from None
        yield position


def fault_of(position: Position, states: np.ndarray) -> str:
    """What is wrong with a state, as a sentence that says what to do; empty when it is sound."""
    s = states[0]
    why = position.engine.broken(s, position.content.record)
    if why in REMEDIES:
        return REMEDIES[AgendaFault(why)].format(
            position.game.item_name(int(s.agenda_fault_item)))
    return f"the state has {position.game.fault_name(why)}" if why else ""


def text_of(position: Position, action: int) -> str:
    """An action as it is written, for messages; a number that is no action stays a number."""
    known = 0 <= action < position.game.n_actions
    return f"`{position.game.words.TEXTS.text(action)}`" if known else str(action)


def applied(position: Position, states: np.ndarray, action: int) -> tuple[np.ndarray, np.ndarray]:
    """A copy of a state after an action, and the log of it."""
    copy, log = states.copy(), new_log(LOG_ROOM)
    clear(log)
    position.engine.apply(copy[0], position.content.record, int(action), log)
    if why := fault_of(position, copy):
        raise Broken("conservation", position, f"after {text_of(position, action)} {why}")
    return copy, entries(log)


def legal_in(position: Position, states: np.ndarray) -> list[int]:
    """The legal actions of another state of the same game."""
    out = np.zeros(position.game.max_legal, np.int32)
    count = position.engine.legal(states[0], position.content.record, out)
    return out[:count].tolist()
