"""Sentences as a designer writes them in `words.toml`: templates, checked when they are loaded.

    [event]
    built = "{who} builds the {building} for {n} gold."
    action_points = "{who} has {n:action point}."

| written | said |
|---|---|
| `{who}`, `{other}` | the name of a person |
| `{n}`, `{thing}` | a number |
| `{n:action point}`, `{n:Ally/Allies}` | 1 action point, 2 action points; 1 Ally, 2 Allies |
| `{building}`, `{building[n]}` | the name of entry number `thing`, or `n`, of that content table |
| `{turn_limit}` | a value of the content's `[rules]` |
| `{gold}`, `{gold:coin}` | in questions and actions: a field of the state, of the seat asked |
| `{winners}` | where `n` has a bit for each winner: Ann wins, Ann and Ben win |
| `{ending}` | in events: the sentence of `[ending]` for ending number `thing` |

`who`, `other`, `thing` and `n` are those of the log entry. In a question `thing` and `n` are the
item's `a` and `b`. In an action `thing` is the number of the choice, `n` the same counted from 1,
and `other` the person in that seat. A game's `words.py` may add placeholders: `PLACEHOLDERS =
{"square": square_text}` with a function of a `Said`. There is nothing else, so a template cannot
run code.

    [story]
    headings = { round = "Round {n}", turn = "{who}" }
    routine = { income = "+{n} gold" }
    important = ["conquered"]

`[story]` says how the log is told, by events: those that open a round or, naming {who}, a turn;
those of every turn, in a few words, which are folded into one line; those that are told first.

A sentence may differ by what it tells: a table with `text` and, where needed, `hidden` (the reader
may not know), `zero` (`n` is 0), `less` (`n` is below 0, and said without its sign) and `draw` (all
have won).
"""

import difflib
import functools
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from exchequer.core.content import Content, ContentError, Schema, read_toml, refuse_unknown
from exchequer.core.contract import Ending
from exchequer.core.log import HIDDEN

PLACEHOLDER = re.compile(r"\{(\w+)(?:\[(\w+)\])?(?::([^{}]+))?\}")
PEOPLE, NUMBERS = ("who", "other"), ("n", "thing")
UNKNOWN = -(2**31)  # a `thing` the reader may not know; see `log.seen_by`
CASES = ("text", "hidden", "zero", "less", "draw")
SECTIONS = {"ask": "Ask", "event": "Event", "refusal": "Refusal", "action": "Do",
            "ending": "Ending"}  # section of words.toml -> enum of state.py
GIVEN_BY = {"ask": "ask", "event": "tell", "refusal": "refuse", "action": "describe"}
STORY = {"headings": dict, "routine": dict, "important": list}
HAS_NONE = ("refusal", "ending")  # whose number 0 means that there is none
EVERYWHERE = {"over": "The game is over.", "not_asked": "That is not what is asked now."}
# refusals that any game has


@dataclass(frozen=True)
class Said:
    """What a sentence is about."""

    content: Content
    names: Sequence[str]
    seat: int = -1
    other: int = -1
    thing: int = 0
    n: int = 0
    s: Any = None  # the observation of whoever is asked

    @property
    def is_hidden(self) -> bool:
        return self.n == HIDDEN or self.thing == UNKNOWN

    @property
    def case(self) -> str:
        """Which of several sentences fits, where they are written."""
        if self.is_hidden:
            return "hidden"
        if self.n <= 0:
            return "less" if self.n else "zero"
        return "draw" if self.n == (1 << len(self.names)) - 1 else "text"


Placeholders = Mapping[str, Callable[[Said], str]]


@dataclass(frozen=True)
class Blank:
    """`{building[n]}` is (building, n, ""), `{n:Ally/Allies}` is (n, "", Ally/Allies)."""

    name: str
    index: str
    counts: str


class Template:
    """A sentence taken apart into texts and placeholders."""

    def __init__(self, text: str) -> None:
        found = list(PLACEHOLDER.finditer(text))
        self.placeholders = [Blank(*(part or "" for part in match.groups()))
                             for match in found]
        edges = [0, *(edge for match in found for edge in match.span()), len(text)]
        self.texts = [text[first:last] for first, last in zip(edges[::2], edges[1::2], strict=True)]

    def filled(self, value: Callable[[Blank], str]) -> str:
        """The sentence; a thing at its beginning gets a capital, a person is left alone."""
        values = [value(placeholder) for placeholder in self.placeholders]
        if values and not self.texts[0] and self.placeholders[0].name not in (*PEOPLE, "winners"):
            values[0] = values[0][:1].upper() + values[0][1:]
        return "".join(part for pair in zip(self.texts, [*values, ""], strict=True)
                       for part in pair)


template = functools.lru_cache(maxsize=4096)(Template)  # for texts that are filled again and again
Cases = Mapping[str, Template]


@dataclass(frozen=True)
class Marks:
    """How the log is told, by events; see `core.story`."""

    headings: Mapping[str, Template]
    routine: Mapping[str, Template]
    important: frozenset[str]

    def is_turn(self, event: str) -> bool:
        """Whether the heading is that of a person's turn."""
        return any(place.name == "who" for place in self.headings[event].placeholders)

    @functools.cached_property
    def names_turns(self) -> bool:
        return any(map(self.is_turn, self.headings))


@dataclass(frozen=True)
class Vocabulary:
    """What the placeholders of one game stand for."""

    schema: Schema
    state: Any  # the dtype of the state
    own: Placeholders
    name_of: Callable[[Content, str, str], str]  # an entry of a content table
    tables: Mapping[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", {
            name: [member.name.lower() for member in table.members]
            for name, table in self.schema.tables.items()})

    def known(self, section: str) -> set[str]:
        """The placeholders that a section may use."""
        known = {*self.own, *self.tables, *self.schema.rules}
        if section != "tip":
            known |= {*PEOPLE, *NUMBERS, "winners"}
        if section in ("ask", "action"):
            known |= set(self.state.names)
        return known | ({"ending"} if section == "event" else set())

    def value(self, place: Blank, said: Said) -> str:
        name = place.name
        if name in PEOPLE:
            return person(said.names, said.seat if name == "who" else said.other)
        if name in NUMBERS:
            return number(getattr(said, name), place.counts)
        if name == "winners":
            return winners_text(said.n, said.names)
        if place.index == "n":
            said = replace(said, thing=said.n)
        if name in self.own:
            return self.own[name](said)
        if name in self.tables:
            return self.entry_name(name, said)
        if said.s is not None and name in said.s.dtype.names:
            return number(of_seat(said.s[name], said.seat), place.counts)
        value = said.content.value(name)
        return number(value, place.counts) if isinstance(value, int) else str(value)

    def entry_name(self, table: str, said: Said) -> str:
        keys = self.tables[table]
        if 0 <= said.thing < len(keys):
            return self.name_of(said.content, table, keys[said.thing])
        return f"{'an' if table[0] in 'aeiou' else 'a'} {table.replace('_', ' ')}"


def person(names: Sequence[str], seat: int) -> str:
    return names[seat] if 0 <= seat < len(names) else "nobody"


def number(value: int, counts: str = "") -> str:
    """`3`, `3 Allies`; `some` where the reader may not know."""
    one, _, many = counts.partition("/")
    many = many or one + "s"
    if value in (HIDDEN, UNKNOWN):
        return f"some {many}" if counts else "some"
    return f"{value} {one if value == 1 else many}" if counts else str(value)


def of_seat(value: Any, seat: int) -> int:
    """A field of the state; where it has a number for each seat, that of the seat."""
    return int(value[seat]) if getattr(value, "ndim", 0) else int(value)


def winners_text(mask: int, names: Sequence[str]) -> str:
    """`Ann wins`, `Ann and Ben win`."""
    won = [name for seat, name in enumerate(names) if mask > 0 and mask >> seat & 1]
    return f"{listed(won) or 'nobody'} {'win' if len(won) > 1 else 'wins'}"


def listed(words: Sequence[str]) -> str:
    """Ann, Ben and Cleo."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def spoken(name: str) -> str:
    """A name of the code as words: `NO_FREE_SLOT` -> `No free slot`."""
    return name.replace("_", " ").replace("-", " ").lower().capitalize()


class Sentences:
    """A game's `words.toml`, checked."""

    def __init__(self, path: pathlib.Path, enums: Any, vocabulary: Vocabulary,
                 given: Sequence[str]) -> None:
        """`enums` is the game's state module, `given` the functions its `words.py` has."""
        self.source, self.vocabulary, self.endings = str(path), vocabulary, \
            getattr(enums, "Ending", Ending)
        text = read_toml(path) if path.exists() else {}
        for section in text:
            refuse_unknown(section, {*SECTIONS, "story", "tip"}, self.source, section, "section")
        self.cases: dict[str, dict[str, Cases]] = {}
        for section, enum in SECTIONS.items():
            if section in text:
                self.cases[section] = dict(self._section(section, text[section],
                                                         getattr(enums, enum, ())))
                if GIVEN_BY.get(section) not in given:
                    self._refuse_missing(section, getattr(enums, enum, ()))
        self.story = self._marks(text.get("story", {}), getattr(enums, "Event", ()))
        self.tips = {key: (title, self._template("tip", key, said))
                     for key, title, said in self._tips(text.get("tip", {}))}

    def _section(self, section: str, text: Any, members: Sequence[IntEnum]
                 ) -> Iterator[tuple[str, Cases]]:
        if not isinstance(text, dict):
            raise ContentError(self.source, section, f"must be a table, not {text!r}.")
        known = {member.name.lower() for member in members}
        for key, sentence in text.items():
            refuse_unknown(key, known, self.source, f"{section}.{key}", section)
            cases = sentence if isinstance(sentence, dict) else {"text": sentence}
            for case in cases:
                refuse_unknown(case, CASES, self.source, f"{section}.{key}.{case}", "case")
            if "text" not in cases:
                raise ContentError(self.source, f"{section}.{key}", "needs a `text`.")
            yield key, {case: self._template(section, key, said) for case, said in cases.items()}

    def _marks(self, text: Any, events: Sequence[IntEnum]) -> Marks:
        """`[story]`: templates by event, and a list of events."""
        for key in text:
            refuse_unknown(key, STORY, self.source, f"story.{key}", "mark")
            if not isinstance(text[key], STORY[key]):
                raise ContentError(self.source, f"story.{key}", f"must be a {STORY[key].__name__} "
                                   "by events.")
            for event in text[key]:
                refuse_unknown(event, {member.name.lower() for member in events}, self.source,
                               f"story.{key}.{event}", "event")
        headings, routine = ({event: self._template("event", event, said, f"story.{key}")
                              for event, said in text.get(key, {}).items()}
                             for key in ("headings", "routine"))
        return Marks(headings, routine, frozenset(text.get("important", ())))

    def _refuse_missing(self, section: str, members: Sequence[IntEnum]) -> None:
        for member in list(members)[section in HAS_NONE:]:
            if member.name.lower() not in (*self.cases[section], *EVERYWHERE):
                raise ContentError(self.source, f"{section}.{member.name.lower()}",
                                   "is missing; write its sentence.")

    def _template(self, section: str, key: str, text: Any, path: str = "") -> Template:
        where = f"{path or section}.{key}"
        if not isinstance(text, str) or not (text.strip() or where.startswith("event.")):
            raise ContentError(self.source, where, f"{text!r} is not a sentence in quotes.")
        template = Template(text)
        if any(brace in rest for rest in template.texts for brace in "{}"):
            raise ContentError(self.source, where, "has a brace that is no placeholder; one is "
                               "written {who}, {n:card} or {building[n]}.")
        for place in template.placeholders:
            self._refuse_placeholder(section, where, place)
        return template

    def _refuse_placeholder(self, section: str, where: str, place: Blank) -> None:
        known = self.vocabulary.known(section)
        if place.name not in known:
            close = difflib.get_close_matches(place.name, known, 1)
            hint = f"did you mean {{{close[0]}}}?" if close else \
                f"known are {', '.join(sorted(known))}."
            raise ContentError(self.source, where,
                               f"{{{place.name}}} is no placeholder here; {hint}")
        if place.index not in ("", *NUMBERS):
            raise ContentError(self.source, where, f"{{{place.name}[{place.index}]}} must count "
                               "by [thing] or [n].")

    def _tips(self, text: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
        """Each tip with its key; tables inside `[tip]` give keys such as `icon.food`."""
        for key, tip in text.items():
            where = f"{path}{key}"
            if not isinstance(tip, dict) or ("title" in tip) != ("text" in tip):
                raise ContentError(self.source, f"tip.{where}", "must have a `title` and a `text`.")
            if isinstance(tip.get("title"), str):
                yield where, tip["title"], tip["text"]
            else:
                yield from self._tips(tip, f"{where}.")

    def said(self, section: str, member: str, said: Said) -> str | None:
        """The sentence for a member of the section's enum; None where words.toml has none."""
        cases = self.cases.get(section, {}).get(member.lower())
        if cases is None:
            return None
        case = said.case
        if case not in cases:
            case = "text"
        if case == "less":
            said = replace(said, n=-said.n)
        return self.fill(cases[case], said)

    def names_who(self, event: str) -> bool:
        """Whether the sentence of an event is about a person; without one it is taken to be."""
        cases = self.cases.get("event", {}).get(event)
        return cases is None or any(place.name in PEOPLE for template in cases.values()
                                    for place in template.placeholders)

    def fill(self, template: Template, said: Said) -> str:
        return template.filled(
            lambda place: self.ending(said) if place.name == "ending"
            else self.vocabulary.value(place, said))

    def ending(self, said: Said) -> str:
        """Who has won (`n`, a bit for each seat) and why (`thing`); follows "The game is over:"."""
        ending = self.endings(said.thing).name
        written = self.said("ending", ending, said)
        if written is not None:
            return written
        return f"{winners_text(said.n, said.names)} ({spoken(ending).lower()})."

    def tip(self, key: str, content: Content) -> tuple[str, str]:
        title, template = self.tips[key]
        return title, template.filled(
            lambda place: self.vocabulary.value(place, Said(content, ())))
