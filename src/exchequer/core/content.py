"""Content: every number, switch and card a designer may change, read from `content.toml`.

A game declares a `Schema`; from it come the content record that the rules read and the checks
that a hand-edited file has to pass. A *variant* is a small overlay of the same shape: a file, a
name in the game's `variants/` folder, or `key=value` pairs.
"""

import difflib
import enum
import functools
import hashlib
import json
import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from exchequer.core import files
from exchequer.core.errors import InputError
from exchequer.core.records import Glance, record, struct

Words = dict[str, Any]


class ContentError(InputError):
    """A content file or setting that cannot be used: where, and what would be right."""

    def __init__(self, source: str, key: str, sentence: str) -> None:
        place = placed(source, key)
        super().__init__(f"{place}: {key}: {sentence}" if key else f"{place}: {sentence}")
        self.key, self.sentence = key, sentence


def placed(source: str, key: str) -> str:
    """A file with the line of the key, where it is a file that has the key."""
    path = pathlib.Path(source)
    if not key or path.suffix != ".toml" or not path.is_file():
        return source
    line = files.line_of_key(path.read_text(encoding="utf-8"), key)
    return f"{source}:{line}" if line else source


class Kind:
    """What one key may hold. `parse` returns the value for the record or raises ValueError."""

    dtype: Any = None  # None: words only, not part of the record

    def parse(self, value: Any) -> Any:
        raise TypeError(f"{type(self).__name__} cannot read {value!r}")

    @property
    def allowed(self) -> str:
        """What would be right, for error sentences and for the lobby."""
        return "anything"


class Number(Kind):
    """A whole number between two bounds."""

    def __init__(self, low: int, high: int, dtype: str = "i4") -> None:
        self.low, self.high, self.dtype = low, high, dtype

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def parse(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{value!r} is not {self.allowed}")
        if not self.low <= value <= self.high:
            raise ValueError(f"{value} is out of range; it must be {self.allowed}")
        return value


class Numbers(Kind):
    """As many whole numbers as are asked for, each between two bounds."""

    def __init__(self, count: int, low: int, high: int) -> None:
        self.count, self.each = count, Number(low, high)
        self.dtype = ("i4", count)

    @property
    def allowed(self) -> str:
        return f"a list of {self.count} whole numbers from {self.each.low} to {self.each.high}"

    def parse(self, value: Any) -> list[int]:
        if not isinstance(value, list) or len(value) != self.count:
            raise ValueError(f"{value!r} is not {self.allowed}")
        return [self.each.parse(number) for number in value]


class Switch(Kind):
    """true or false."""

    dtype = "u1"
    allowed = "true or false"

    def parse(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(f"{value!r} is not {self.allowed}")
        return value


class Choice(Kind):
    """One of an enum's members, written in lower case."""

    dtype = "i1"

    def __init__(self, members: type[enum.IntEnum]) -> None:
        self.members = members
        self.names = {member.name.lower(): member for member in members}

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(f'"{name}"' for name in self.names)

    def parse(self, value: Any) -> int:
        if not isinstance(value, str) or value not in self.names:
            raise ValueError(f"{value!r} is not {self.allowed}")
        return self.names[value]


class Text(Kind):
    """Words for people; the rules never see them."""

    allowed = "a text in quotes"

    def parse(self, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{value!r} is not {self.allowed}")
        return value


class Cards:
    """A table with one entry per member of an enum: `[building.mill]` with its fields."""

    def __init__(self, members: type[enum.IntEnum], **fields: Kind) -> None:
        self.members = members
        self.fields = fields

    @property
    def dtype(self) -> Any:
        numbers = {name: kind.dtype for name, kind in self.fields.items() if kind.dtype}
        return (struct(**numbers), len(self.members)) if numbers else None


class Content:
    """A game's content, checked: the record for the rules and the words for people."""

    def __init__(self, values: Any, words: Words, overlay: Words) -> None:
        self.record = values
        self.words = words
        self.overlay = overlay

    def __repr__(self) -> str:
        changes = ", ".join(f"{key}={value!r}" for key, value in flat(self.overlay))
        return f"<Content {self.hash}{': ' if changes else ''}{changes}>"

    @functools.cached_property
    def for_reading(self) -> "Content":
        """The same for words and boards, which read much and call no machine code."""
        return Content(Glance(self.record), self.words, self.overlay)

    @property
    def hash(self) -> str:
        """Names these rules' numbers: two contents with the same hash play alike."""
        return hashlib.sha256(self.record.tobytes()).hexdigest()[:16]

    def value(self, key: str) -> Any:
        """A number or switch of [rules] as it is written in the file."""
        return self.words["rules"][key]


class Schema:
    """What a content file must hold: `[rules]` with single values, and tables of cards.

    `check` refuses what single bounds cannot say; `derive` fills the `derived` fields, which the
    rules look up instead of working them out again.
    """

    def __init__(self, rules: Mapping[str, Kind], check: Callable[[Any], None] | None = None,
                 derived: Mapping[str, Any] | None = None,
                 derive: Callable[[Any], None] | None = None, **tables: Cards) -> None:
        self.rules, self.tables, self.check, self.derive = rules, tables, check, derive
        fields: dict[str, Any] = {name: kind.dtype for name, kind in rules.items() if kind.dtype}
        fields |= {name: table.dtype for name, table in tables.items() if table.dtype}
        self.dtype = record(**fields, **(derived or {}))

    def read(self, text: Words, source: str, overlay: Words | None = None,
             overlay_source: str = "variant") -> Content:
        """Check a parsed file and its overlay and fill the record."""
        overlay = self.shaped(overlay or {}, overlay_source)
        values: Any = np.zeros(1, self.dtype)[0]
        words = merged(text, overlay)
        known = {"title", "summary", "length", "rules", "about", "said", *self.tables}
        for section in text:
            refuse_unknown(section, known, source, section, "section")
        for name in ("title", "summary"):
            parsed(Text(), text.get(name), source, name)
        self._read_rules(values, text, overlay, source, overlay_source)
        self._check_said(text.get("said", {}), source)
        for name, table in self.tables.items():
            self._read_table(values, name, table, text.get(name, {}), overlay.get(name, {}),
                             source, overlay_source)
        try:
            for work in (self.check, self.derive):
                if work:
                    work(values)
        except ContentError:
            raise
        except ValueError as error:
            raise ContentError(overlay_source if overlay else source, "", str(error)) from None
        return Content(values, words, overlay)

    def shaped(self, overlay: Words, source: str) -> Words:
        """An overlay with its rules under `rules`; they may also stand at the top."""
        result: Words = {}
        for key, value in overlay.items():
            if key == "rules" or key in self.tables:
                if not isinstance(value, dict):
                    raise ContentError(source, key, f"must be a table, not {value!r}.")
                result[key] = merged(result.get(key, {}), value)
            elif key not in ("title", "summary"):
                refuse_unknown(key, {*self.rules, *self.tables}, source, key, "key")
                result.setdefault("rules", {})[key] = value
        return result

    def _read_rules(self, values: Any, text: Words, overlay: Words, source: str,
                    overlay_source: str) -> None:
        given, changed = text.get("rules", {}), overlay.get("rules", {})
        for where, keys in ((source, given), (overlay_source, changed),
                            (source, text.get("about", {}))):
            for key in keys:
                refuse_unknown(key, self.rules, where, f"rules.{key}", "key")
        for key, kind in self.rules.items():
            place = overlay_source if key in changed else source
            if key not in given:
                raise ContentError(source, f"rules.{key}",
                                   f"is missing; it must be {kind.allowed}.")
            if key not in text.get("about", {}):
                raise ContentError(source, f"about.{key}", "is missing; say what the key does.")
            value = parsed(kind, changed.get(key, given[key]), place, f"rules.{key}")
            if kind.dtype:
                values[key] = value

    def _check_said(self, said: Words, source: str) -> None:
        """`[said]`: what `{key}` in a text becomes by the key's value; `other` is any not named."""
        for key, cases in said.items():
            refuse_unknown(key, self.rules, source, f"said.{key}", "key")
            if not isinstance(cases, dict):
                raise ContentError(source, f"said.{key}", "must have a text for each value.")
            for value, text in cases.items():
                kind = self.rules[key]
                if isinstance(kind, (Choice, Switch)):
                    known = kind.names if isinstance(kind, Choice) else ("true", "false")
                    refuse_unknown(value, {*known, "other"}, source, f"said.{key}", "value")
                if not isinstance(text, str):
                    raise ContentError(source, f"said.{key}.{value}", f"{text!r} is not a text.")

    def _read_table(self, values: Any, name: str, table: Cards, given: Words, changed: Words,
                    source: str, overlay_source: str) -> None:
        members = {member.name.lower(): member for member in table.members}
        for where, cards in ((source, given), (overlay_source, changed)):
            for card, fields in cards.items():
                refuse_unknown(card, members, where, f"{name}.{card}", name)
                if not isinstance(fields, dict):
                    raise ContentError(where, f"{name}.{card}", f"must be a table, not {fields!r}.")
                for key in fields:
                    refuse_unknown(key, table.fields, where, f"{name}.{card}.{key}", "key")
        for card, member in members.items():
            if card not in given:
                raise ContentError(source, f"{name}.{card}", f"is missing; every {name} needs its "
                                   f"table [{name}.{card}] with {', '.join(table.fields)}.")
            for key, kind in table.fields.items():
                place = overlay_source if key in changed.get(card, {}) else source
                where = f"{name}.{card}.{key}"
                if key not in given[card]:
                    raise ContentError(source, where, f"is missing; it must be {kind.allowed}.")
                value = changed.get(card, {}).get(key, given[card][key])
                value = parsed(kind, value, place, where)
                if kind.dtype:
                    values[name][member][key] = value


def parsed(kind: Kind, value: Any, source: str, key: str) -> Any:
    try:
        return kind.parse(value)
    except ValueError as error:
        raise ContentError(source, key, f"{error}.") from None


def refuse_unknown(key: str, known: Any, source: str, where: str, what: str) -> None:
    if key not in known:
        close = difflib.get_close_matches(key, list(known), 1)
        hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join(sorted(known))}."
        raise ContentError(source, where, f"is no {what} of this game; {hint}")


def merged(below: Words, above: Words) -> Words:
    """`below` with what `above` says in its place, table by table."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) \
            else value
    return result


def leaves(overlay: Mapping[str, Any], path: tuple[str, ...] = ()
           ) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every single value of an overlay with the keys that lead to it."""
    for key, value in overlay.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def flat(overlay: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """An overlay as keys and values, as `--set` takes them."""
    return [(".".join(path[path[0] == "rules" :]), value) for path, value in leaves(overlay)]


def read_toml(path: pathlib.Path) -> Words:
    return files.read_toml(path, lambda sentence: ContentError(str(path), "", sentence))


def keys_of(members: Iterable[enum.IntEnum]) -> list[str]:
    """What a content file calls them: `Building.MILL` is `mill`."""
    return [member.name.lower() for member in members]


def settings(pairs: list[str]) -> Words:
    """An overlay from `key=value` texts, as `--set` gives them."""
    overlay: Words = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise ContentError("--set", pair, 'must read key=value, such as "turn_limit=20".')
        table = overlay
        *path, last = key.strip().split(".")
        for part in path:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise ContentError("--set", pair, f"{part} is set to a value already.")
        table[last] = plain_value(text.strip())
    return overlay


def plain_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
