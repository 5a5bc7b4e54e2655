"""Words: how a game's actions are written, and everything it says to people.

`game.words` answers for every game. A function of the game's own `words.py` goes first and returns
None for what it leaves alone; then comes the sentence in `words.toml` (see `core.sentences`), then
what the names in `state.py` say by themselves: `NO_FREE_SLOT` is "No free slot."
"""

import bisect
import difflib
import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from exchequer.core.agenda import top_item
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.sentences import (
    EVERYWHERE,
    Blank,
    Said,
    Sentences,
    Vocabulary,
    number,
    person,
    spoken,
    template,
)

if TYPE_CHECKING:
    from exchequer.core.game import Game

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gail", "Hugo", "Iris", "Jack", "Kim",
         "Leo")  # of the seats, where nobody gave any
FUNCTIONS = ("ask", "describe", "tell", "refuse")  # what a game's `words.py` may say by itself


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


class Text(NamedTuple):
    """What is said of a thing, in three lengths."""

    name: str
    line: str
    """What it does, in a sentence."""
    full: str
    """All that is on it."""


class Words:
    """What one game says: questions, moves, events, refusals and things.

    `s` is an observation of whoever is asked, `names` are the people's names by seat.
    """

    def __init__(self, game: "Game") -> None:
        self.game = game
        self.own = game.module("words") if game.has_module("words") else None
        self.enums = game.module("state")
        given = [name for name in FUNCTIONS if hasattr(self.own, name)]
        self.sentences = Sentences(
            game.folder / "words.toml", self.enums,
            Vocabulary(game.schema, game.state, getattr(self.own, "PLACEHOLDERS", {}),
                       lambda content, table, key: self.thing(content, table, key).name), given)

    @functools.cached_property
    def TEXTS(self) -> ActionTexts:  # noqa: N802
        """Every action's text: the game's own, or what `Do` and `CHOICES` give."""
        return getattr(self.own, "TEXTS", None) or action_texts(self.enums, self.game.schema)

    def _given(self, function: str, *arguments: Any) -> str | None:
        """What the game's own function says; None where it has none or leaves it to us."""
        own = getattr(self.own, function, None)
        return own(*arguments) if own else None

    def ask(self, s: Any, content: Content, names: Sequence[str]) -> str:
        """The question that waits, as a sentence."""
        given = self._given("ask", s, content, names)
        if given is not None:
            return given
        question = self.enums.Ask(int(self.game.function("question")(s))).name
        written = self.sentences.said("ask", question, self._asked(s, content, names))
        return f"{spoken(question)}?" if written is None else written

    def _asked(self, s: Any, content: Content, names: Sequence[str]) -> Said:
        """What a question is about: `thing` and `n` are the `a` and `b` of its item."""
        seat, a, b = int(self.game.function("actor")(s)), 0, 0
        if "agenda" in s.dtype.names:
            _, _, a, b = map(int, top_item(s))
        return Said(content, names, seat, thing=a, n=b, s=s)

    def describe(self, s: Any, content: Content, action: int, names: Sequence[str]) -> str:
        """An action as a line of a menu, with its price."""
        given = self._given("describe", s, content, action, names)
        if given is not None:
            return given
        if not hasattr(self.enums, "Do"):
            return ": ".join(map(spoken, self.TEXTS.text(action).split(":")))
        kind = self.kind_of(action)
        choice = action - kind
        seat = int(self.game.function("actor")(s))
        written = self.sentences.said("action", kind.name, Said(
            content, names, seat, other=choice, thing=choice, n=choice + 1, s=s))
        return self._reflected(content, action, names) if written is None else written

    def kind_of(self, action: int) -> Any:
        """The `Do` that an action belongs to."""
        return self._kinds[bisect.bisect_right(self._kinds, action) - 1]

    @functools.cached_property
    def _kinds(self) -> list[Any]:
        return sorted(self.enums.Do)

    def _reflected(self, content: Content, action: int, names: Sequence[str]) -> str:
        """`Build: Mill` for `build:mill`."""
        kind = self.kind_of(action)
        chosen = self.TEXTS.text(action).partition(":")[2]
        table = getattr(self.enums, "CHOICES", {}).get(kind)
        if table == SEAT:
            chosen = person(names, action - kind)
        elif isinstance(table, str):
            chosen = self.thing(content, table, chosen).name
        return f"{spoken(kind.name)}: {chosen}" if chosen else spoken(kind.name)

    def tell(self, entry: Any, content: Content, names: Sequence[str]) -> str:
        """A log entry as a sentence; empty when it needs none."""
        given = self._given("tell", entry, content, names)
        if given is not None:
            return given
        event, thing, n = self.enums.Event(entry.what).name, int(entry.thing), int(entry.amount)
        said = Said(content, names, int(entry.seat), int(entry.other), thing, n)
        written = self.sentences.said("event", event, said)
        if written is not None:
            return written
        amount = f" ({n})" if n and not said.is_hidden else ""
        return f"{person(names, entry.seat)}: {spoken(event).lower()}{amount}."

    def refuse(self, why: int, content: Content, names: Sequence[str] = ()) -> str:
        """A Refusal as a sentence that cites its paragraph."""
        given = self._given("refuse", why, content, names)
        if given is not None:
            return given
        refusal = self.enums.Refusal(why).name
        written = self.sentences.said("refusal", refusal, Said(content, names))
        return written or EVERYWHERE.get(refusal.lower(), f"{spoken(refusal)}.")

    def ending(self, why: int, winners: int, content: Content, names: Sequence[str]) -> str:
        """Who has won (a bit for each seat) and why: `Ann wins by conquest.`"""
        return self.sentences.ending(Said(content, names, thing=why, n=winners))

    # Things ------------------------------------------------------------------------------------

    def thing(self, content: Content, table: str, key: str) -> Text:
        """An entry of a content table in three lengths.

        Its tip in words.toml, where it has one, and what the game says; else what its fields say.
        """
        own = getattr(self.own, "thing", None)
        given: Text | None = own(content, table, key) if own else None
        if f"{table}.{key}" not in self.sentences.tips:
            return given or reflected_thing(content, table, key)
        _, text = self.sentences.tip(f"{table}.{key}", content)
        name = reflected_thing(content, table, key).name
        return Text(name, first_sentence(text), f"{text} {given.full}" if given else text)

    def tips(self, content: Content) -> dict[str, tuple[str, str]]:
        """What is explained: the tips of `words.toml`, and every entry that has a name."""
        result = {key: self.sentences.tip(key, content) for key in self.sentences.tips}
        for table, keys in self.sentences.vocabulary.tables.items():
            for key in keys:
                name, _, full = self.thing(content, table, key)
                title, _ = result.get(f"{table}.{key}", (name, ""))
                if title:
                    result[f"{table}.{key}"] = (title, full)
        return result


SEAT = "seat"  # in CHOICES: what is chosen is a person


def action_texts(enums: Any, schema: Any) -> ActionTexts:
    """The texts that `Do` gives, where a kind reaches to the next: `sell:1`, `sell:2`, `pass`.

    `CHOICES` in `state.py` may say what is chosen: `{Do.BUILD: "building"}` gives `build:mill`
    by the keys of that content table, `{Do.ROB: "seat"}` is a person, and a list gives its texts.
    """
    if not hasattr(enums, "Do"):
        raise InputError("Without `Do` in state.py, words.py has to give `TEXTS`.")
    kinds = sorted(enums.Do)
    return ActionTexts(enums.N_ACTIONS, [
        (kind.name.lower().replace("_", "-"), kind,
         choice_texts(getattr(enums, "CHOICES", {}).get(kind), last - kind, schema))
        for kind, last in zip(kinds, [*kinds[1:], enums.N_ACTIONS], strict=True)])


def choice_texts(choices: str | Sequence[str] | None, count: int, schema: Any) -> Sequence[str]:
    if choices in (None, SEAT):
        return [str(choice + 1) for choice in range(count)] if count > 1 or choices else []
    if isinstance(choices, str):
        if choices not in schema.tables:
            raise InputError(f'state.py: CHOICES names the table "{choices}", which CONTENT has '
                             f"not; it has {', '.join(schema.tables) or 'no tables'}.")
        return [member.name.lower() for member in schema.tables[choices].members][:count]
    return list(choices or ())


def reflected_thing(content: Content, table: str, key: str) -> Text:
    """What the fields of a content entry say by themselves: its text, then its numbers."""
    entry = content.words[table][key]
    name, text = entry.get("name", ""), filled(content, entry, entry.get("text", ""))
    facts = [fact(field, value) for field, value in entry.items()
             if field not in ("name", "line", "text") and value is not False]
    line = filled(content, entry, entry.get("line", "")) or first_sentence(text) or " ".join(facts)
    return Text(name, line, " ".join(part for part in (text or entry.get("line"), *facts)
                                if part))


def filled(content: Content, entry: Mapping[str, Any], text: str) -> str:
    """A text of the content with its numbers: `{gold}` is a field of the entry, or else a rule.

    What a switch says by its value is in `[said]` of the content.
    """
    def value(place: Blank) -> str:
        cases = content.words.get("said", {}).get(place.name)
        if cases is None or place.name in entry:
            return plain_value(place)
        now = str(content.value(place.name)).lower()
        return template(cases.get(now, cases.get("other", ""))).filled(plain_value)

    def plain_value(place: Blank) -> str:
        found = entry.get(place.name, content.words["rules"].get(place.name))
        if isinstance(found, int):
            return number(found, place.counts)
        if isinstance(found, list):
            return " or ".join(map(str, found))
        return f"{{{place.name}}}" if found is None else str(found)

    return template(text).filled(value)


def fact(field: str, value: Any) -> str:
    """`Price: 7.`"""
    return f"{spoken(field)}." if value is True else f"{spoken(field)}: {plain(value)}."


def plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{spoken(key).lower()} {plain(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(plain, value)) or "none"
    return str(value)


def first_sentence(text: str) -> str:
    end = text.find(". ")
    return text if end < 0 else text[: end + 1]


def seat_names(seats: int, names: Sequence[str] = ()) -> list[str]:
    """The names that were given, and ours where there are none."""
    return [*map(str, names[:seats]), *NAMES[len(names) : seats]]


def counted(number: int, one: str, many: str = "") -> str:
    """1 Farm, 2 Farms."""
    return f"{number} {one if number == 1 else many or one + 's'}"
