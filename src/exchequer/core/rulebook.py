"""The rulebook, read once: `rulebook.md` as blocks whose numbers are those of a content.

The book says which key of the content a number belongs to:

    10 (`start_gold`)           number and key are both shown
    [7](building.mill.price)    only the number is shown; instead of it there may be words, which
                                stand as long as the value is the game's own: [one](house_cap)
    `turn_cap`                  a key alone gets its value behind it

A paragraph opens with its number in bold. Its title may say when it holds:
`**G-74 Free start, if `hr_free_start`.**`, or `unless`, or `if `turn_order` = simultaneous`.

Keys are for whoever changes the game. They, and remarks about switches nobody has turned here, are
*asides*, which players see only when they ask for keys.

Whoever shows a book draws these blocks: the browser, print and the terminal.
"""

import functools
import itertools
import re
from collections.abc import Iterable, Iterator
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
    r"|(?P<bracket> ?\(`[^()]*\))"
    r'|`(?P<alone>[^`]+)`(?P<instead> = "?\w+"?)?'
    r"|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>[^*]+)\*")

SENTENCE = re.compile(r"(?<=\. )(?=[A-Z`*(\[\d])")  # where the next one begins
CLAUSE = re.compile(r"(?=; (?![^()\[\]]*[)\]]))|(?=, unless `)|(?<!,)(?= unless `)")  # the same
OTHERWISE = "Variants may choose otherwise."  # where a paragraph says nothing but that

REMARKS = itertools.count(1)  # numbers for asides
Style = Literal["", "bold", "italic"]

NUMERALS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve")


@dataclass(frozen=True)
class Run:
    """A piece of a line that is drawn in one way."""

    kind: Literal["text", "key", "value", "changed"]
    text: str
    style: Style = ""
    key: str = ""  # of a value
    was: str = ""  # a changed value: what the game as it ships has
    aside: int = 0  # shown with the keys only; the runs of one remark have the same number


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
        return filled_runs(runs, game.text, content.words)

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


def filled_runs(runs: Runs, own: Words, words: Words) -> Runs:
    """With the values of a content; a remark about a switch that is turned is no aside."""
    done = [filled(run, own, words) if run.kind == "value" else run for run in runs]
    turned = {run.aside for run in done if run.kind == "changed"}
    return tuple(replace(run, aside=0) if run.aside in turned else run for run in done)


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
    before = found(game.text, path)
    old, new = said(named(content.words, before)), said(named(content.words, value))
    if old == new:  # two cards of the same name
        old, new = said(before), said(value)
    if path[0] == "rules":
        return Change(path[1], old, new, content.words["about"].get(path[1], ""))
    card = found(content.words, (*path[:2], "name")) or path[1]
    return Change(".".join(path), old, new, f"{card}: {' '.join(path[2:]).replace('_', ' ')}.",
                  card)


def named(words: Words, value: Any) -> Any:
    """A value with names instead of the keys of cards."""
    if isinstance(value, list):
        return [named(words, one) for one in value]
    tables = [table for table in words.values() if isinstance(table, dict)]
    entries = [table[value] for table in tables if isinstance(value, str) and value in table]
    names = [entry["name"] for entry in entries if isinstance(entry, dict) and "name" in entry]
    return names[0] if names else value


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

def sections(text: str) -> list[str]:
    """What stands between blank lines; a line that opens with a number begins a paragraph, too."""
    return re.split(rf"\n\s*\n|\n(?=\*\*{NUMBER}\b)", text.strip())


@functools.cache
def read(game: "Game") -> tuple[Block, ...]:
    """The blocks of `rulebook.md` as they are written: values that are not printed are empty."""
    blocks: list[Block] = []
    for section in sections(game.rulebook):
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
    return Paragraph(number, name_of(game, title), title_runs(game, title),
                     told_runs(game, text, is_law=bool(number)),
                     tuple(told_runs(game, step) for step in steps),
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


def title_runs(game: "Game", title: str) -> Runs:
    """A title whose condition is an aside."""
    condition = CONDITION.search(title)
    if not condition:
        return runs_of(game, title)
    parts = title[:condition.start()], condition[0], title[condition.end():]
    before, inside, after = (tuple(inline(game, part)) for part in parts)
    return tuple(run for run in (*before, *aside(inside), *after) if run.text or run.key)


def told_runs(game: "Game", text: str, is_law: bool = True) -> Runs:
    """The sentences of a paragraph; what they say about switches is an aside."""
    told = [run for sentence in SENTENCE.split(" ".join(text.split()))
            for run in sentence_runs(game, sentence, is_law) if run.text or run.key]
    if is_law and told and all(run.aside for run in told):
        told.append(Run("text", f" {OTHERWISE}"))
    return tuple(told)


def sentence_runs(game: "Game", sentence: str, is_law: bool) -> Iterator[Run]:
    """A sentence that begins with a switch is an aside; of another one, the clauses about one."""
    first, *others = CLAUSE.split(sentence)
    if is_remark(game, first, is_law):
        yield from aside(inline(game, sentence))
        return
    yield from inline(game, first)
    for clause in others:
        if is_remark(game, clause, is_law):
            said_here = clause.rstrip(" .")
            yield from aside(inline(game, said_here))
            yield Run("text", clause.removeprefix(said_here))
        else:
            yield from inline(game, clause)


def is_remark(game: "Game", sentence: str, is_law: bool) -> bool:
    """Whether a sentence is about a key rather than about the game as it is played."""
    if not is_law:
        return "`" in sentence
    return any(match["alone"] and (match["instead"] or match.start() <= 1
                                   or not is_number(value_of(game.text, match["alone"])))
               for match in INLINE.finditer(sentence))


def is_number(value: Any) -> bool:
    """A number that is in use, or several; 0 mostly says that something is off."""
    if isinstance(value, list):
        return all(type(part) is int for part in value)
    return type(value) is int and value != 0


def aside(runs: Iterable[Run]) -> Runs:
    number = next(REMARKS)
    return tuple(replace(run, aside=number) for run in runs)


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
        yield Run("text", match["unit"])
        yield from aside((Run("text", " ("), Run("key", match["of"]), Run("text", ")")))
    elif match["hidden"]:
        yield Run("value", match["words"], key=known(game, match["hidden"]))
    elif match["bracket"]:
        yield from bracketed(game, match["bracket"])
    elif match["alone"]:
        yield from lone_key(game, match)
    else:
        style: Style = "bold" if match["bold"] else "italic"
        for run in inline(game, match["bold"] or match["italic"]):
            yield replace(run, style=style)


def bracketed(game: "Game", text: str) -> Iterator[Run]:
    """`(`start_max`)` is (start_max: 6), without keys (6); any other bracket on a key is an aside.
    """
    space, _, inside = text[:-1].partition("(`")
    key = inside.removesuffix("`")
    value = value_of(game.text, key)
    if value is None:
        yield from aside((Run("text", f"{space}("), *inline(game, f"`{inside}"), Run("text", ")")))
        return
    runs = (Run("text", f"{space}("), Run("key", key), Run("text", ": "), Run("value", "", key=key),
            Run("text", ")"))
    if not is_number(value):
        yield from aside(runs)
        return
    yield from (runs[0], *aside(runs[1:3]), *runs[3:])


def lone_key(game: "Game", match: re.Match[str]) -> Iterator[Run]:
    """A key without a number: what it is here, unless it is a word that is no key."""
    key, instead = match["alone"], match["instead"] or ""
    value = value_of(game.text, key)
    if value is None:
        yield from (Run("key", key), Run("text", instead))
        return
    before = f"{instead} (here " if instead else " ("
    runs = Run("key", key), Run("text", before), Run("value", "", key=key), Run("text", ")")
    if instead or not is_number(value):
        yield from runs
    else:
        yield from (*aside(runs[:2]), runs[2], *aside(runs[3:]))


def known(game: "Game", key: str) -> str:
    if value_of(game.text, key) is None:
        raise InputError(f'{line_with(game, key)}: a number has the key "{key}", which is not in '
                         "content.toml.")
    return key


def line_with(game: "Game", key: str) -> str:
    """`rulebook.md:12`, the first line that names the key."""
    number = next((n for n, line in enumerate(game.rulebook.splitlines(), 1)
                   if f"({key})" in line or f"`{key}`" in line), 0)
    return f"rulebook.md:{number}" if number else "rulebook.md"


def untrue_numbers(game: "Game") -> Iterator[str]:
    """A sentence for each number of the book that is not the one of content.toml."""
    for block in read(game):
        rows = block.rows if isinstance(block, Paragraph | Table) else ()
        told = block.runs if isinstance(block, Paragraph) else ()
        for run in (*told, *(run for row in rows for cell in row for run in cell)):
            value = value_of(game.text, run.key) if run.key else None
            if type(value) is int and number_in(run.text) not in (None, value):
                yield (f'{line_with(game, run.key)}: the book says {run.text} for "{run.key}", '
                       f"and content.toml {said(value)}.")


def number_in(text: str) -> int | None:
    """The number that a text is, in digits or as a word; None where it is something else."""
    digits = text.replace(",", "").lstrip("+")
    if digits.lstrip("-").isdecimal():
        return int(digits)
    return NUMERALS.index(text.lower()) if text.lower() in NUMERALS else None
