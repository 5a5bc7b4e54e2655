"""All promises over whole random games."""

from collections.abc import Callable
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.check import knowing, playing, saying
from exchequer.core.check.broken import Broken, walk
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.rows import Encoder


def check_game(game: Game, content: Content | None = None, games: int = 2, mode: Mode = Mode.PYTHON,
               every: int = 5, on_game: Callable[[int], None] | None = None) -> None:
    """Every promise but `modes` and `device` over a few whole games at each number of seats.

    The costly checks are made at every `every`-th position.
    """
    content = content or game.content()
    saying.check_names(game)
    saying.check_rules(game)
    saying.check_action_texts(game)
    saying.check_teaching(game)
    for seats in range(game.seats[0], game.seats[1] + 1):
        for seed in range(games):
            check_one_game(game, content, seats, seed, mode, every)
            if on_game:
                on_game(1)
        playing.check_ending(game, content, seats, range(games * 10), mode)


def check_one_game(game: Game, content: Content, seats: int, seed: int, mode: Mode,
                   every: int) -> None:
    money: Any = None
    encoder = Encoder(game, mode)
    for number, position in enumerate(walk(game, content, seats, seed, mode, game.step_limit)):
        money = playing.check_conservation(position, money)
        saying.check_words(position)
        if number % every == seed % every:
            playing.check_legality(position)
            playing.check_determinism(position)
            playing.check_measures(position)
            knowing.check_sealing(position, seed)
            knowing.check_completeness(position, encoder)
            for seat in range(seats):
                knowing.check_determinization(position, seat, seed)
                knowing.check_secrecy(position, seat, seed)
                knowing.check_sameness(position, seat, seed)
                knowing.check_reading(position, seat, encoder)
    if not position.is_over:
        raise Broken("ending", position, "the game does not end")
