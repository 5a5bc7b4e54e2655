"""Learn: `learn.md`, two pages for somebody who has never played the game.

It is written like the rulebook (see `core.rulebook`), and a line in braces opens one of these:

    {picture board seats=2 seed=5 moves=30}
    1. {at .keep} **The castle.** Its walls ...

`pictures/board.png` with a number at each CSS selector: scripts/learn_pictures.py draws it from a
game that greedy bots have played for so many moves, or, with step=3, from the page's own round
after that step; width=1360 gives the board more room;

    {round seats=2 seed=3}
    1. {play develop:farm} Ann builds a Farm and has [7](kingdoms.0.gold) gold left.

a round that was really played: a number is what stands there in the view after the step's moves,
or, as [2](told), what the log says of them; `{play -}` goes on about the moves before it, or about
the deal. `faults_of` plays it;

    {table building | Building: name | Gold: price | What it does: line}
    {table action C1,C2 | Card: name | Copies: start}

a table from the content; `line` is the thing's text.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.lookup import thing
from exchequer.core.rulebook import (
    Heading,
    Paragraph,
    Row,
    Run,
    Runs,
    Table,
    block_of,
    changes,
    filled_runs,
    found,
    inline,
    runs_of,
    said,
)
from exchequer.core.words import filled

if TYPE_CHECKING:
    from exchequer.core.game import Game
    from exchequer.core.position import Position

OPENED = re.compile(r"\{(?P<kind>\w+) (?P<rest>[^}]*)\}\s*(?P<text>.*)", re.DOTALL)
STEP = re.compile(r"\{(?:at|play) (?P<mark>[^}]*)\}\s*(?P<text>.*)", re.DOTALL)
SEEN = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<path>[\w.]+)\)")
SHIPPED = "This round was played with the numbers of the game as it ships."


@dataclass(frozen=True)
class Deal:
    """How a game on the page was dealt, and how far bots have played it."""

    seats: int | None = None
    seed: int = 0
    moves: int = 0
    seat: int = 0  # who looks
    step: int = 0  # of the page's round, instead of moves by bots
    width: int = 1040  # of the picture, in CSS pixels


@dataclass(frozen=True)
class Picture:
    """The board with numbers on it; the steps say what they mark."""

    name: str
    deal: Deal
    places: tuple[str, ...]  # CSS selectors
    steps: tuple[Runs, ...]


@dataclass(frozen=True)
class Round:
    """A round that was really played: before each step its moves."""

    deal: Deal
    moves: tuple[tuple[str, ...], ...]
    steps: tuple[Runs, ...]


@dataclass(frozen=True)
class Things:
    """A table that the content fills."""

    table: str
    keys: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]  # head and field


Shown = Heading | Table | Paragraph | Picture | Round  # what is drawn
Block = Shown | Things


def learn(game: "Game", content: Content) -> list[Shown]:
    """The page with the numbers of a content; empty when the game has none."""
    shown: list[Shown] = []
    for block in read(game):
        if isinstance(block, Round) and changes(game, content):
            shown.append(note(SHIPPED))
        shown.append(shown_block(game, content, block))
    return shown


def goal(game: "Game", content: Content) -> str:
    """What a game is about: in its own words, the first paragraph of the page, or its summary."""
    if game.words.own and hasattr(game.words.own, "goal"):
        return game.words.own.goal(content)
    for block in learn(game, content):
        if isinstance(block, Paragraph):
            return "".join(run.text for run in block.text)
    return game.text["summary"]


def shown_block(game: "Game", content: Content, block: Block) -> Shown:
    if isinstance(block, Things):
        return Table(tuple(rows(game, content, block)))
    if isinstance(block, Heading | Round):
        return block

    def fill(runs: Runs) -> Runs:
        return filled_runs(runs, game.text, content.words)

    if isinstance(block, Table):
        return Table(tuple(tuple(map(fill, row)) for row in block.rows))
    steps = tuple(map(fill, block.steps))
    if isinstance(block, Picture):
        return replace(block, steps=steps)
    return replace(block, text=fill(block.text), steps=steps)


def note(sentence: str) -> Paragraph:
    return Paragraph("", "", (), (Run("text", sentence, "italic"),))


def rows(game: "Game", content: Content, block: Things) -> Iterator[Row]:
    yield tuple((Run("text", head),) for head, _ in block.columns)
    for key in block.keys or content.words[block.table]:
        yield tuple(cell(game, content, (block.table, key, field)) for _, field in block.columns)


def cell(game: "Game", content: Content, path: tuple[str, str, str]) -> Runs:
    table, key, field = path
    if field == "line":
        return (Run("text", thing(game, content, table, key).line),)
    if field == "text":
        entry = content.words[table][key]
        return (Run("text", filled(content, entry, entry["text"])),)
    run = Run("value", "", key=".".join(path))
    return filled_runs((run,), game.text, content.words)


# Reading -----------------------------------------------------------------------------------------

@functools.cache
def read(game: "Game") -> tuple[Block, ...]:
    """The blocks of `learn.md` as they are written."""
    sections = re.split(r"\n\s*\n", game.learn.strip())
    return tuple(section_of(game, section.strip()) for section in sections if section)


def section_of(game: "Game", section: str) -> Block:
    opened = OPENED.match(section)
    if opened is None:
        return block_of(game, section)
    kind, rest = opened["kind"], opened["rest"]
    steps = [STEP.match(step) for step in re.split(r"^\d+\. ", opened["text"], flags=re.M)[1:]]
    if not all(steps) or kind not in ("picture", "round", "table"):
        raise InputError(f"{game.title}: learn.md: {{{kind} {rest}}} cannot be read; "
                         "core/learn.py shows what may stand there.")
    marks = [(step["mark"], step["text"]) for step in steps if step]
    if kind == "table":
        return things_of(game, rest)
    if kind == "picture":
        name, _, deal = rest.partition(" ")
        return Picture(name, deal_of(deal), tuple(mark for mark, _ in marks),
                       tuple(runs_of(game, text) for _, text in marks))
    moves = tuple(() if mark == "-" else tuple(mark.split()) for mark, _ in marks)
    return Round(deal_of(rest), moves,
                 tuple(tuple(played_runs(game, text)) for _, text in marks))


def deal_of(text: str) -> Deal:
    return Deal(**{key: int(value) for key, _, value in
                   (part.partition("=") for part in text.split())})


def things_of(game: "Game", text: str) -> Things:
    what, *columns = (part.strip() for part in text.split("|"))
    table, _, keys = what.partition(" ")
    for key in keys.split(","):
        if found(game.text, (table, key) if key else (table,)) is None:
            raise InputError(f"{game.title}: learn.md: there is no {table} {key} in content.toml.")
    pairs = (column.partition(":") for column in columns)
    return Things(table, tuple(filter(None, keys.split(","))),
                  tuple((head.strip(), field.strip()) for head, _, field in pairs))


def played_runs(game: "Game", text: str) -> Iterator[Run]:
    """A step of a round; what it says of the game knows where that stands."""
    text, at = " ".join(text.split()), 0
    for match in SEEN.finditer(text):
        yield from inline(game, text[at:match.start()])
        yield Run("text", match["words"], key=match["path"])
        at = match.end()
    yield from inline(game, text[at:])


# Whether it is true ------------------------------------------------------------------------------

def faults_of(game: "Game") -> Iterator[str]:
    """What a page says of its round that is not so, a sentence for each."""
    for block in read(game):
        if isinstance(block, Round):
            yield from round_faults(game, block)


def round_faults(game: "Game", block: Round) -> Iterator[str]:
    seat = block.deal.seat
    for number, (position, since) in enumerate(played(game, block), 1):
        for run in block.steps[number - 1]:
            if run.key and not is_so(position, seat, since, run):
                yield (f'learn.md: step {number} says "{run.text}", but {run.key} is '
                       f"{seen(position, seat, since, run.key)}.")


def played(game: "Game", block: Round) -> Iterator[tuple["Position", int]]:
    """The position after each step, and since when the log tells of the step's moves."""
    from exchequer.core.position import Position

    position, since = Position(game, None, block.deal.seats, block.deal.seed, Mode.PYTHON), 0
    for moves in block.moves:
        since = len(position.logs) if moves else since
        for move in moves:
            position.play(move)
        yield position, since


def is_so(position: "Position", seat: int, since: int, run: Run) -> bool:
    value = seen(position, seat, since, run.key)
    if run.key == "told":
        return re.search(rf"(?<!\w){re.escape(run.text)}(?!\w)", value) is not None
    return said(value) == run.text


def seen(position: "Position", seat: int, since: int, path: str) -> Any:
    """What stands at a path of the whole view; of many things, how many they are."""
    if path == "told":
        return " ".join(position.told(None, since=since))
    view = position.game.module("view").view(position.state, position.content, seat)
    value = found(view, tuple(path.split(".")))
    return len(value) if isinstance(value, list | dict) else value
