"""Everything of a game's content that a designer may change, as fields of a form."""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exchequer.core.content import Choice, Content, Kind, Number, Switch, Text, merged, plain_value
from exchequer.core.game import Game
from exchequer.core.rulebook import found, said

OTHERS = "other numbers"
SMALLEST_GROUP = 3


@dataclass(frozen=True)
class Field:
    """One value of the content: what it means, what it is, what it may be."""

    path: tuple[str, ...]  # rules, start_gold; or building, mill, price
    group: str
    label: str
    about: str
    kind: Kind
    value: Any
    shipped: Any

    @property
    def key(self) -> str:
        """As `--set` takes it."""
        return ".".join(self.path[self.path[0] == "rules":])

    @property
    def is_changed(self) -> bool:
        return self.value != self.shipped

    @property
    def input(self) -> str:
        for kind, name in ((Number, "number"), (Switch, "switch"), (Choice, "choice"),
                           (Text, "text")):
            if isinstance(self.kind, kind):
                return name
        return "json"

    @property
    def text(self) -> str:
        """The value as it stands in the form."""
        if self.input == "switch":
            return "yes" if self.value else "no"
        return json.dumps(self.value) if self.input == "json" else str(self.value)

    @property
    def was(self) -> str:
        return said(self.shipped)

    @property
    def dial(self) -> str:
        """The range that a dial starts with: half as much to twice as much."""
        assert isinstance(self.kind, Number)
        low, high = sorted((self.value // 2, max(self.value * 2, self.value + 1)))
        return f"{self.key}={max(self.kind.low, low)}..{min(self.kind.high, high)}"

    def read(self, text: str) -> Any:
        """What somebody typed; the schema says later whether it may be."""
        if self.input == "switch":
            return text == "yes"
        if self.input in ("text", "choice"):
            return text
        return plain_value(text.strip())


def parts_of(game: Game) -> list[str]:
    """The rules, then every table of cards."""
    return ["rules", *game.schema.tables]


def fields_of(game: Game, content: Content, part: str) -> list[Field]:
    if part == "rules":
        groups = groups_of(game.schema.rules)
        about = game.text.get("about", {})
        return [field_of(game, content, ("rules", key), groups[key], key.replace("_", " "),
                         about.get(key, ""), kind) for key, kind in game.schema.rules.items()]
    table = game.schema.tables[part]
    cards = [member.name.lower() for member in table.members]
    return [field_of(game, content, (part, card, key), card_name(content, part, card),
                     key.replace("_", " "), "", kind)
            for card in cards for key, kind in table.fields.items()]


def field_of(game: Game, content: Content, path: tuple[str, ...], group: str, label: str,
             about: str, kind: Kind) -> Field:
    return Field(path, group, label, about, kind, found(content.words, path),
                 found(game.text, path))


def card_name(content: Content, part: str, card: str) -> str:
    return str(found(content.words, (part, card, "name")) or card.replace("_", " "))


def groups_of(keys: Iterable[str]) -> dict[str, str]:
    """Keys that begin with the same word belong together, where there are a few of them."""
    first = {key: key.partition("_")[0] for key in keys}
    counts: dict[str, int] = {}
    for word in first.values():
        counts[word] = counts.get(word, 0) + 1
    return {key: word if counts[word] >= SMALLEST_GROUP else OTHERS
            for key, word in first.items()}


def grouped(fields: Sequence[Field], first: int, most: int) -> list[tuple[str, list[Field]]]:
    """One page of the fields, those of a group together, groups in the order of the file."""
    order = {group: place for place, group in reversed(list(enumerate(f.group for f in fields)))}
    shown = sorted(fields, key=lambda field: order[field.group])[first: first + most]
    return [(group, list(rows)) for group, rows in itertools.groupby(shown, lambda f: f.group)]


def searched(game: Game, content: Content, query: str) -> list[Field]:
    """All fields with these words in their name, group, meaning or value."""
    words = query.lower().replace("_", " ").split()
    return [one for part in parts_of(game) for one in fields_of(game, content, part)
            if all(word in f"{one.key} {one.group} {one.label} {one.about} {one.value}"
                   .lower().replace("_", " ") for word in words)]


def edited(game: Game, content: Content, form: Mapping[str, str]) -> dict[str, Any]:
    """The overlay of a content with what a form changes in it."""
    overlay = dict(content.overlay)
    for part in parts_of(game):
        for field in fields_of(game, content, part):
            text = form.get(f"set.{field.key}")
            if text is not None and text != field.text:
                nested: Any = field.read(text)
                for key in reversed(field.path):
                    nested = {key: nested}
                overlay = merged(overlay, nested)
    return overlay
