"""Words: how a game's actions are written, and what its `words` module must offer."""

import difflib
from collections.abc import Sequence
from typing import Any, Protocol

from exchequer.core.content import Content
from exchequer.core.errors import InputError

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Finn")  # of the seats, where nobody gave any


class NoSuchAction(InputError):
    """A text that names no action of the game."""


class Move(int):
    """An action of a game: a number to the rules, a text such as `build:mill` to people."""

    text: str

    def __new__(cls, action: int, text: str) -> "Move":
        move = super().__new__(cls, action)
        move.text = text
        return move

    def __repr__(self) -> str:
        return self.text

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.text


class ActionTexts:
    """Action ids as text and back: ("sell", Do.SELL, ["farm", ...]) gives `sell:farm`."""

    def __init__(self, count: int, groups: Sequence[tuple[str, int, Sequence[str]]]) -> None:
        self.texts = [""] * count
        for word, first, choices in groups:
            for i, choice in enumerate(choices or [""]):
                if self.texts[first + i]:
                    raise ValueError(f"{word} {choice} takes the id of {self.texts[first + i]}")
                self.texts[first + i] = f"{word}:{choice}" if choice else word
        if "" in self.texts:
            raise ValueError(f"action {self.texts.index('')} has no text")
        self.ids = {text: action for action, text in enumerate(self.texts)}
        if len(self.ids) != count:
            raise ValueError("two actions bear the same text")
        self.moves = [Move(action, text) for action, text in enumerate(self.texts)]

    def text(self, action: int) -> str:
        return self.texts[action]

    def action(self, text: str) -> int:
        if text not in self.ids:
            close = difflib.get_close_matches(text, self.ids, 1)
            hint = f' Did you mean "{close[0]}"?' if close else ""
            raise NoSuchAction(f'"{text}" is no action of this game.{hint}')
        return self.ids[text]

    def move(self, action: int | str) -> Move:
        """The move that a text or a number names."""
        if isinstance(action, str):
            return self.moves[self.action(action)]
        if not 0 <= action < len(self.moves):
            raise NoSuchAction(f"There is no action {action} in this game; the last is "
                               f"{len(self.moves) - 1}.")
        return self.moves[action]


class GameWords(Protocol):
    """What a game's `words` module offers."""

    TEXTS: ActionTexts

    def ask(self, s: Any, content: Content) -> str:
        """The question that waits, as a sentence."""

    def describe(self, s: Any, content: Content, action: int) -> str:
        """An action as a line of a menu, with its price."""

    def tell(self, entry: Any, content: Content, names: Sequence[str]) -> str:
        """A log entry as a sentence; empty when it needs none."""

    def refuse(self, why: int, content: Content) -> str:
        """A Refusal as a sentence that cites its paragraph."""


def seat_names(seats: int, names: Sequence[str] = ()) -> list[str]:
    """The names that were given, and ours where there are none."""
    return [*map(str, names[:seats]), *NAMES[len(names) : seats]]


def counted(number: int, one: str, many: str = "") -> str:
    """1 Farm, 2 Farms."""
    return f"{number} {one if number == 1 else many or one + 's'}"
