"""The rules in the terminal: pages to learn from, paragraphs and cards to look up."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from exchequer.core import rulebook
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.learn import Picture, Round, Shown, learn
from exchequer.core.lookup import Thing, paragraphs_about, things, things_named
from exchequer.core.rulebook import Block, Heading, Paragraph, Row, Runs, book

MOST = 12  # paragraphs shown of a search
WIDTH = 100  # lines longer than this are hard to read


def print_rules(game: Game, content: Content, words: str, newcomer: bool, keys: bool) -> None:
    console = Console()
    console.width = min(console.width, WIDTH)
    if words:
        shown = answers(game, content, words, keys)
    elif newcomer:
        shown = pages(game, content)
    else:
        shown = law(game, content, keys)
    for part in shown:
        console.print(part, highlight=False)


# Look up -----------------------------------------------------------------------------------------

def answers(game: Game, content: Content, words: str, keys: bool = False
            ) -> Iterator[RenderableType]:
    """The things of that name, then the paragraphs about it; who finds nothing is told so. As at
    the table, `c Barracks` asks for the card alone and `r K-31` for the paragraph.
    """
    kind, words = asked_for(words)
    named = [] if kind == "r" or words.upper() in game.paragraphs else \
        things_named(game, content, words)
    found = [] if kind == "c" else paragraphs_about(game, content, words)
    if not found and not named:
        raise InputError(nothing(game, content, words))
    yield from map(thing_text, named)
    for block in found[:MOST]:
        yield Padding(paragraph_text(block, keys), (0, 0, 1, 0))
    if len(found) > MOST:
        yield Text(f"{len(found) - MOST} more paragraphs have these words in them.", "dim")


def asked_for(words: str) -> tuple[str, str]:
    """`c` or `r` and the rest, where the words begin like that."""
    kind, _, rest = words.partition(" ")
    return (kind, rest.strip()) if kind in ("c", "r") and rest.strip() else ("", words)


def nothing(game: Game, content: Content, words: str) -> str:
    names = {one.name.lower(): one.name for one in things(game, content)}
    close = difflib.get_close_matches(words.lower(), names, 1)
    hint = f' Did you mean "{names[close[0]]}"?' if close else ""
    return f'There is no paragraph "{words}" in {game.title}, and no card.{hint}'


def thing_text(one: Thing) -> Padding:
    return Padding(Text.assemble((one.name, "bold"), f" ({one.table})\n{one.full}"), (0, 0, 1, 0))


def law(game: Game, content: Content, keys: bool) -> Iterator[RenderableType]:
    if game.learn:
        yield Text(f"New to the game? exchequer rules {game.name} --learn", "dim")
    for block in book(game, content):
        yield block_text(block, keys)


# Learn -------------------------------------------------------------------------------------------

def pages(game: Game, content: Content) -> Iterator[RenderableType]:
    shown = learn(game, content)
    if not shown:
        raise InputError(f"{game.title} has no pages for newcomers; `exchequer rules {game.name}` "
                         "has all its rules.")
    yield Text(f"\n{game.title}", "bold")
    for block in shown:
        yield shown_text(block)


def shown_text(block: Shown) -> RenderableType:
    if isinstance(block, Picture):
        return Group(Text("(The browser shows the board with these numbers: exchequer serve.)",
                          "dim"), steps_text(block.steps), Text())
    if isinstance(block, Round):
        return Group(steps_text(block.steps), Text())
    return block_text(block)


# Blocks ------------------------------------------------------------------------------------------

def block_text(block: Block, keys: bool = False) -> RenderableType:
    if isinstance(block, Heading):
        return Text(f"\n{block.text}\n", "bold underline" if block.level < 3 else "bold")
    if isinstance(block, rulebook.Table):
        return Group(*rows_table(block.rows, keys), Text())
    return Padding(paragraph_text(block, keys), (0, 0, 1, 0))


def paragraph_text(found: Paragraph, keys: bool = False) -> Group:
    """A paragraph of the rulebook, with what this variant changes highlighted."""
    text = Text.assemble((f"{found.number} " if found.number else "", "bold cyan"))
    for run in found.title:
        text.append_text(runs_text((replace(run, style="bold"),), keys))
    if not found.in_play:
        text.append(" not in play", "yellow")
    text.append(" " if found.number else "").append_text(runs_text(found.text, keys))
    parts: list[RenderableType] = [text] if text.plain.strip() else []
    if found.steps:
        parts.append(steps_text(found.steps, keys))
    notes = [Text(f"   {change.note}", "yellow") for change in found.changes]
    return Group(*parts, *rows_table(found.rows, keys), *notes)


def steps_text(steps: Sequence[Runs], keys: bool = False) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="cyan")
    table.add_column()
    for number, step in enumerate(steps, 1):
        table.add_row(f"{number}.", runs_text(step, keys))
    return table


def rows_table(rows: Sequence[Row], keys: bool = False) -> Iterator[Table]:
    if rows:
        table = Table(box=None)
        for cell in rows[0]:
            table.add_column(runs_text(cell, keys))
        for row in rows[1:]:
            table.add_row(*(runs_text(cell, keys) for cell in row))
        yield table


def runs_text(runs: Runs, keys: bool = False) -> Text:
    styles = {"key": "dim", "changed": "bold yellow"}
    return Text.assemble(*((run.text, f"{styles.get(run.kind, '')} {run.style}".strip())
                           for run in runs if keys or not run.aside))
