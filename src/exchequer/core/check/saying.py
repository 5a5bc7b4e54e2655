"""Names and words: what a game's folder holds, and whether all of it can be said."""

from exchequer.core import folder, handlers, learn, lesson, lint
from exchequer.core.check.broken import Broken
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.words import NAMES


def check_names(game: Game) -> None:
    """The folder's modules hold what Exchequer reads, and nothing that nobody reads.

    The rulebook numbers each paragraph once and names only keys of the content; what the pages for
    newcomers say of their round is what happens when it is played, and the lesson can be played.
    """
    for sentence in folder.faults_of(game.folder):
        raise Broken("names", None, sentence.removesuffix("."))
    try:
        numbers, untrue = game.paragraphs, [*learn.faults_of(game), *lesson.faults_of(game)]
    except InputError as error:
        raise Broken("names", None, str(error).removesuffix(".")) from None
    if twice := {number for number in numbers if numbers.count(number) > 1}:
        raise Broken("names", None, f"the rulebook has {', '.join(sorted(twice))} more than once")
    for sentence in untrue:
        raise Broken("names", None, sentence.removesuffix("."))


def check_rules(game: Game) -> None:
    """The rules say nothing that would not compile, and every item of the agenda has its rule."""
    state = game.module("state")
    for sentence in (*lint.faults_of(game), *handlers.unhandled(game.rule_modules, state)):
        raise Broken("rules", None, sentence.removesuffix("."))


def check_action_texts(game: Game) -> None:
    """Every action reads back from its text, and every refusal can be said."""
    try:
        texts = game.words.TEXTS
    except InputError as error:
        raise Broken("words", None, str(error).removesuffix(".")) from None
    for action in range(game.n_actions):
        if texts.action(texts.text(action)) != action:
            raise Broken("words", None, f"action {action} does not read back from its text")
    for why in list(game.module("state").Refusal)[1:]:
        if not game.words.refuse(why, game.content(), NAMES):
            raise Broken("words", None, f"there is no sentence for the refusal {why.name}")


def check_words(position: Position) -> None:
    """The question, the menu and the log can be said to every seat."""
    try:
        if not position.is_over:
            lines = [line for _, line in position.menu()]
            if not position.question or not all(lines) or len(set(lines)) != len(lines):
                raise Broken("words", position, "two moves of the menu read alike, or one is empty")
        for seat in range(-1, position.seats):
            position.told(seat, since=len(position.logs) - 1)
        for seat in range(position.seats):
            position.view(seat)
    except (KeyError, IndexError, ValueError) as error:
        raise Broken("words", position, f"cannot be said: {error!r}") from error
