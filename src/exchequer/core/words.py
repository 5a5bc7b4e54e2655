"""Words: how a game's actions are written, and what its `words` module must offer.

    TEXTS                             an `ActionTexts`: action <-> stable lower-case text
    ask(s, content)                   the question that waits, as a sentence
    describe(s, content, action)      an action as a line of a menu, with its price
    tell(entry, content, names)       a log entry as a sentence; "" when it needs none
    refuse(why, content)              a Refusal as a sentence that cites its paragraph
"""

import difflib
from collections.abc import Sequence

from exchequer.core.errors import InputError


class NoSuchAction(InputError):
    """A text that names no action of the game."""


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

    def text(self, action: int) -> str:
        return self.texts[action]

    def action(self, text: str) -> int:
        if text not in self.ids:
            close = difflib.get_close_matches(text, self.ids, 1)
            hint = f' Did you mean "{close[0]}"?' if close else ""
            raise NoSuchAction(f'"{text}" is no action of this game.{hint}')
        return self.ids[text]


def counted(number: int, one: str, many: str = "") -> str:
    """1 Farm, 2 Farms."""
    return f"{number} {one if number == 1 else many or one + 's'}"
