"""The rulebook, read once: `rulebook.md` as blocks whose numbers are those of a content.

The book says which key of the content a number belongs to:

    10 (`start_gold`)           number and key are both shown
    [7](building.mill.price)    only the number is shown; instead of it there may be words, which
                                stand as long as the value is the game's own: [one](house_cap)
    `turn_cap`                  a key alone gets its value behind it

A paragraph opens with its number in bold. Its title may say when it holds:
`**G-74 Free start, if `hr_free_start`.**`, or `unless`, or `if `turn_order` = simultaneous`.

Whoever shows a book draws these blocks: the browser, print and the terminal.
"""

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from exchequer.core.content import Content, Words, leaves
from exchequer.core.errors import InputError

if TYPE_CHECKING:
    from exchequer.core.game import Game

NUMBER = r"[A-Z]\w*-R?\d+[a-z]?"  # K-31, K-46b, G-R5, T17-34
CITED = re.compile(rf"(?<![\w-])({NUMBER})(?!\w)")
OPENING = re.compile(rf"(?:{NUMBER}[,;]?\s+)+")
NUMBERED = re.compile(rf"\*\*({NUMBER})\b ?(.*?)\*\*\s*(.*)", re.DOTALL)
CONDITION = re.compile(r',? (?P<word>if|unless) `(?P<key>[\w.]+)`(?: = "?(?P<value>\w+)"?)?')
INLINE = re.compile(
    r"(?P<number>[+-]?\d[\d,]*)(?P<unit>c?) \(`(?P<of>[\w.]+)`\)"
    r"|\[(?P<words>[^\]]+)\]\((?P<hidden>[\w.]+)\)"
    r'|`(?P<alone>[^`]+)`(?P<instead> = "?\w+"?)?'
    r"|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>[^*]+)\*")

Style = Literal["", "bold", "italic"]


@dataclass(frozen=True)
class Run:
    """A piece of a line that is drawn in one way."""

    kind: Literal["text", "key", "value", "changed"]
    text: str
    style: Style = ""
    key: str = ""  # of a value
    was: str = ""  # a changed value: what the game as it ships has


Runs = tuple[Run, ...]
Row = tuple[Runs, ...]  # cells


@dataclass(frozen=True)
class Change:
    """A value that differs from the game as it ships."""

    key: str  # as `--set` takes it: start_gold, building.mill.price
    old: str
    new: str
    about: str  # what the key does; for a card its name and the field
    card: str = ""  # its name

    @property
    def note(self) -> str:
        return f"{self.key}: {self.old} is now {self.new}"


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Table:
    rows: tuple[Row, ...]  # the first one is the head


@dataclass(frozen=True)
class Paragraph:
    number: str  # empty: introductions and examples
    name: str  # the title in plain words, without its condition
    title: Runs
    text: Runs
    steps: tuple[Runs, ...] = ()
    rows: tuple[Row, ...] = ()  # of a table below it, the first one its head
    condition: tuple[str, str, str] | None = None  # if or unless, a key, the value it must have
    in_play: bool = True
    changes: tuple[Change, ...] = ()  # those that concern it

    @property
    def runs(self) -> Runs:
        return sum((*self.steps, *itertools.chain(*self.rows)), self.title + self.text)


Block = Heading | Table | Paragraph


def cited(sentence: str) -> list[str]:
    """The paragraphs that a sentence names."""
    return CITED.findall(sentence)


def opening(text: str) -> list[str]:
    """The paragraphs that a text opens with, as a rule's docstring does."""
    found = OPENING.match(f"{text} ")
    return cited(found[0]) if found else []


def paragraphs(game: "Game") -> list[Paragraph]:
    """The numbered paragraphs as they are written."""
    return [block for block in read(game) if isinstance(block, Paragraph) and block.number]


def paragraph(game: "Game", content: Content, number: str) -> Paragraph | None:
    """One paragraph with the numbers of this content."""
    return next((block for block in book(game, content)
                 if isinstance(block, Paragraph) and block.number.lower() == number.lower()
                 and number), None)


# A book with the numbers of a content ------------------------------------------------------------

def book(game: "Game", content: Content) -> list[Block]:
    """The whole rulebook; numbers that a variant changes are marked."""
    differing = [(one, cited(one.about)) for one in changes(game, content)]

    def fill(runs: Runs) -> Runs:
        return tuple(filled(run, game.text, content.words) if run.kind == "value" else run
                     for run in runs)

    def block_here(block: Block) -> Block:
        if isinstance(block, Heading):
            return block
        rows = tuple(tuple(map(fill, row)) for row in block.rows)
        if isinstance(block, Table):
            return Table(rows)
        return replace(block, title=fill(block.title), text=fill(block.text),
                       steps=tuple(map(fill, block.steps)), rows=rows,
                       in_play=holds(block.condition, content.words),
                       changes=tuple(concerning(block, differing)))

    return [block_here(block) for block in read(game)]


def filled(run: Run, own: Words, words: Words) -> Run:
    value, shipped = value_of(words, run.key), value_of(own, run.key)
    printed = run.text or said(shipped)
    if value == shipped:
        return replace(run, text=printed)
    return replace(run, kind="changed", text=said(value, signed=printed.startswith("+")),
                   was=printed)


def holds(condition: tuple[str, str, str] | None, words: Words) -> bool:
    """Whether a paragraph is in play: its switch is on, its number not 0, its choice made."""
    if condition is None:
        return True
    word, key, wanted = condition
    value = value_of(words, key)
    return (said(value) == wanted if wanted else bool(value)) == (word == "if")


def concerning(block: Paragraph, differing: list[tuple[Change, list[str]]]) -> Iterator[Change]:
    """Changes whose key a paragraph names, that cite it, or whose card it is about."""
    keys = {run.key for run in block.runs if run.key}
    keys |= {re.split(r"\.\d+\.", key)[0] for key in keys}  # a variant changes lists as a whole
    for one, numbers in differing:
        if (one.key in keys or block.number in numbers
                or (one.card != "" and block.name.partition(" (")[0] == one.card)):
            yield one


def changes(game: "Game", content: Content) -> list[Change]:
    """All that differs from the game as it ships: rules and cards."""
    return [change(game, content, path, value) for path, value in leaves(content.overlay)
            if value != found(game.text, path)]


def change(game: "Game", content: Content, path: tuple[str, ...], value: Any) -> Change:
    old, new = said(found(game.text, path)), said(value)
    if path[0] == "rules":
        return Change(path[1], old, new, content.words["about"].get(path[1], ""))
    card = found(content.words, (*path[:2], "name")) or path[1]
    return Change(".".join(path), old, new, f"{card}: {' '.join(path[2:]).replace('_', ' ')}.",
                  card)


# Values ------------------------------------------------------------------------------------------

def value_of(words: Words, key: str) -> Any:
    return found(words, tuple(key.split(".")) if "." in key else ("rules", key))


def found(words: Any, path: tuple[str, ...]) -> Any:
    """What stands at the end of a path of keys; None where there is nothing."""
    for key in path:
        if isinstance(words, list):
            words = dict(enumerate(words)).get(int(key)) if key.isdecimal() else None
        else:
            words = words.get(key) if isinstance(words, dict) else None
    return words


def said(value: Any, signed: bool = False) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:+,}" if signed else f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(said, value)) or "nothing"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {said(part)}" for key, part in value.items()) or "nothing"
    return "nothing" if value is None else str(value)


# Reading -----------------------------------------------------------------------------------------

@functools.cache
def read(game: "Game") -> tuple[Block, ...]:
    """The blocks of `rulebook.md` as they are written: values that are not printed are empty."""
    blocks: list[Block] = []
    for section in re.split(rf"\n\s*\n|\n(?=\*\*{NUMBER}\b)", game.rulebook.strip()):
        block, last = block_of(game, section.strip()), blocks[-1] if blocks else None
        if isinstance(block, Table) and isinstance(last, Paragraph) and last.number:
            blocks[-1] = replace(last, rows=block.rows)
        else:
            blocks.append(block)
    return tuple(blocks)


def block_of(game: "Game", section: str) -> Block:
    if heading := re.match(r"(#+) (.*)$", section):
        return Heading(len(heading[1]), heading[2])
    if section.startswith("|"):
        return Table(tuple(tuple(runs_of(game, cell) for cell in row.strip().strip("|").split("|"))
                           for row in section.splitlines() if not re.match(r"\|[-|: ]+\|$", row)))
    numbered = NUMBERED.match(section)
    number, title, text = numbered.groups() if numbered else ("", "", section)
    text, *steps = re.split(r"^\d+\. ", text, flags=re.MULTILINE)
    return Paragraph(number, name_of(game, title), runs_of(game, title), runs_of(game, text),
                     tuple(runs_of(game, step) for step in steps),
                     condition=condition_of(game, title))


def name_of(game: "Game", title: str) -> str:
    runs = runs_of(game, CONDITION.sub("", title))
    return "".join(run.text for run in runs).rstrip(".,")


def condition_of(game: "Game", title: str) -> tuple[str, str, str] | None:
    condition = CONDITION.search(title)
    return condition and (condition["word"], known(game, condition["key"]),
                          condition["value"] or "")


def runs_of(game: "Game", text: str) -> Runs:
    return tuple(run for run in inline(game, " ".join(text.split())) if run.text or run.key)


def inline(game: "Game", text: str) -> Iterator[Run]:
    at = 0
    for match in INLINE.finditer(text):
        yield Run("text", text[at:match.start()])
        yield from marked(game, match)
        at = match.end()
    yield Run("text", text[at:])


def marked(game: "Game", match: re.Match[str]) -> Iterator[Run]:
    if match["of"]:
        yield Run("value", match["number"], key=known(game, match["of"]))
        yield from (Run("text", f"{match['unit']} ("), Run("key", match["of"]), Run("text", ")"))
    elif match["hidden"]:
        yield Run("value", match["words"], key=known(game, match["hidden"]))
    elif match["alone"]:
        yield from lone_key(game, match)
    else:
        style: Style = "bold" if match["bold"] else "italic"
        for run in inline(game, match["bold"] or match["italic"]):
            yield replace(run, style=style)


def lone_key(game: "Game", match: re.Match[str]) -> Iterator[Run]:
    """A key without a number: what it is here, unless it is a word that is no key."""
    key, text = match["alone"], match.string
    yield Run("key", key)
    if value_of(game.text, key) is None:
        yield Run("text", match["instead"] or "")
        return
    in_brackets = text[:match.start()].endswith("(") and text.startswith(")", match.end())
    before, after = (": ", "") if in_brackets else (" (", ")")
    if match["instead"]:
        before, after = f"{match['instead']} (here ", ")"
    yield from (Run("text", before), Run("value", "", key=key), Run("text", after))


def known(game: "Game", key: str) -> str:
    if value_of(game.text, key) is None:
        raise InputError(f'The rulebook of {game.title} gives a number the key "{key}", which is '
                         "not in content.toml.")
    return key
