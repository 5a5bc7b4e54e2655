"""Names and words: what a game's folder holds, and whether all of it can be said."""

import ast
from collections.abc import Iterator

from exchequer.core import folder, handlers, learn, lesson, lint, rulebook
from exchequer.core.check.broken import Broken
from exchequer.core.errors import InputError, RuleError
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.words import NAMES


def check_names(game: Game) -> None:
    """The folder's modules hold what Exchequer reads, and nothing that nobody reads.

    The rulebook numbers each paragraph once and names only keys of the content.
    """
    for sentence in folder.faults_of(game.folder):
        raise Broken("names", None, sentence.removesuffix("."))
    fewest, most = game.seats
    if not 1 <= fewest <= most:
        raise Broken("names", None, f"__init__.py: seats={game.seats} must be the fewest and the "
                     "most players, such as (2, 4)")
    try:
        numbers = game.paragraphs
    except InputError as error:
        raise Broken("names", None, str(error).removesuffix(".")) from None
    if twice := {number for number in numbers if numbers.count(number) > 1}:
        raise Broken("names", None, f"the rulebook has {', '.join(sorted(twice))} more than once")
    for sentence in (*rulebook.untrue_numbers(game), *uncited(game)):
        raise Broken("names", None, sentence.removesuffix("."))


def uncited(game: Game) -> Iterator[str]:
    """A sentence for each rule whose docstring opens with a paragraph that the book has not."""
    known = set(game.paragraphs)
    for path in sorted(game.folder.glob("*.py")):
        for node in folder.tree_of(path).body:
            if isinstance(node, ast.FunctionDef) and lint.is_marked(node):
                for number in rulebook.opening(ast.get_docstring(node) or ""):
                    if number not in known:
                        yield (f"{path.name}:{node.lineno}: `{node.name}` carries out {number}, "
                               "and rulebook.md has no such paragraph.")


def check_teaching(game: Game) -> None:
    """What newcomers are told of a round is what happens in it, and the lesson can be played."""
    try:
        untrue = [*learn.faults_of(game), *lesson.faults_of(game)]
    except RuleError:
        raise
    except InputError as error:
        untrue = [str(error)]
    for sentence in untrue:
        raise Broken("teaching", None, sentence.removesuffix("."))


def check_rules(game: Game) -> None:
    """The rules say nothing that would not compile, and every item of the agenda has its rule."""
    state = game.module("state")
    if "todo" not in (game.state.names or ()):
        raise Broken("rules", None, "state.py: State has no agenda: write State = record(..., "
                     "**agenda_fields(8))")
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
