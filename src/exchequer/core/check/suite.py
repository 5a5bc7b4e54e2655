"""All promises over whole random games."""

from collections.abc import Callable
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.check.broken import Broken, walk
from exchequer.core.check.knowing import (
    check_completeness,
    check_determinization,
    check_reading,
    check_sameness,
    check_secrecy,
)
from exchequer.core.check.playing import (
    check_conservation,
    check_determinism,
    check_ending,
    check_legality,
    check_measures,
)
from exchequer.core.check.saying import (
    check_action_texts,
    check_names,
    check_rules,
    check_words,
)
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.rows import Encoder


def check_game(game: Game, content: Content | None = None, games: int = 2, mode: Mode = Mode.PYTHON,
               every: int = 5, on_game: Callable[[int], None] | None = None) -> None:
    """Every promise but `modes` and `device` over a few whole games at each number of seats.

    The costly checks are made at every `every`-th position.
    """
    content = content or game.content()
    check_names(game)
    check_rules(game)
    check_action_texts(game)
    for seats in range(game.seats[0], game.seats[1] + 1):
        for seed in range(games):
            check_one_game(game, content, seats, seed, mode, every)
            if on_game:
                on_game(1)
        check_ending(game, content, seats, range(games * 10), mode)


def check_one_game(game: Game, content: Content, seats: int, seed: int, mode: Mode,
                   every: int) -> None:
    money: Any = None
    encoder = Encoder(game, mode)
    for number, position in enumerate(walk(game, content, seats, seed, mode, game.step_limit)):
        money = check_conservation(position, money)
        check_words(position)
        if number % every == seed % every:
            check_legality(position)
            check_determinism(position)
            check_measures(position)
            check_completeness(position, encoder)
            for seat in range(seats):
                check_determinization(position, seat, seed)
                check_secrecy(position, seat, seed)
                check_sameness(position, seat, seed)
                check_reading(position, seat, encoder)
    if not position.is_over:
        raise Broken("ending", position, "the game does not end")
