"""The rules as HTML: what `core.learn`, `core.lookup` and `core.rulebook` read, for the browser."""

import functools
import pathlib
import struct
from collections.abc import Sequence

from markupsafe import Markup, escape

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.learn import Picture, Round, Shown, learn
from exchequer.core.lookup import Thing, things
from exchequer.core.rulebook import CITED, Block, Heading, Paragraph, Row, Run, Runs, Table, book

STYLES = {"": Markup("{}"), "bold": Markup("<strong>{}</strong>"),
          "italic": Markup("<em>{}</em>")}
PICTURE = Markup('<a href="{0}" aria-label="Enlarge the picture"><img src="{0}" width="{1}" '
                 'height="{2}" alt="The board of {3}, with numbers that the list below explains.">'
                 "</a>")


def rulebook(game: Game, content: Content | None = None) -> Markup:
    """The whole book below its title; paragraphs have their number as id."""
    numbers = frozenset(game.paragraphs)
    return Markup("\n").join(block_html(block, numbers)
                             for block in book(game, content or game.content())
                             if not (isinstance(block, Heading) and block.level == 1))


# Learn -------------------------------------------------------------------------------------------

def learn_html(game: Game, content: Content, base: str = "") -> Markup:
    """The pages for newcomers; empty when the game has none."""
    return Markup("\n").join(shown_html(game, block, base) for block in learn(game, content))


def shown_html(game: Game, block: Shown, base: str) -> Markup:
    if isinstance(block, Picture):
        return figure_html(game, block, base)
    numbers = frozenset(game.paragraphs)
    if isinstance(block, Round):
        return Markup('<div class="round">{}</div>').format(steps_html(block.steps, numbers))
    return block_html(block, numbers)


def figure_html(game: Game, block: Picture, base: str) -> Markup:
    steps, path = steps_html(block.steps, frozenset()), picture_path(game, block.name)
    if not path.exists():
        return steps
    address = f"{base}/pictures/{game.name}/{block.name}.png"
    drawn = PICTURE.format(address, *picture_size(path), game.title)
    return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(drawn, steps)


def picture_path(game: Game, name: str) -> pathlib.Path:
    return game.folder / "pictures" / f"{name}.png"


@functools.cache
def picture_size(path: pathlib.Path) -> tuple[int, int]:
    """Width and height, as the file's header has them."""
    with path.open("rb") as file:
        return struct.unpack(">II", file.read(24)[16:])


# Things ------------------------------------------------------------------------------------------

def things_html(game: Game, content: Content) -> Markup:
    """Every card and whatever else has a name, a list for each kind."""
    every = things(game, content)
    return Markup("\n").join(table_of_things(table, [one for one in every if one.table == table])
                             for table in dict.fromkeys(one.table for one in every))


def table_of_things(table: str, every: Sequence[Thing]) -> Markup:
    entries = (Markup('<li id="{}"><b>{}</b> <span>{}</span></li>').format(
        one.id, one.name, one.full) for one in every)
    return Markup('<details class="things"><summary>{} <small>{}</small></summary><ul>{}</ul>'
                  "</details>").format(table.capitalize(), len(every), Markup("").join(entries))


# The law -----------------------------------------------------------------------------------------

def block_html(block: Block, numbers: frozenset[str]) -> Markup:
    if isinstance(block, Heading):
        return Markup("<h{0}>{1}</h{0}>").format(block.level, block.text)
    if isinstance(block, Table):
        return table_html(block.rows, numbers)
    return paragraph_html(block, numbers)


def paragraph_html(block: Paragraph, numbers: frozenset[str]) -> Markup:
    parts = []
    if block.number or block.text:
        parts.append(Markup("<p{}>{}{}</p>").format(
            marks_html(block), title_html(block, numbers), runs_html(block.text, numbers)))
    if block.steps:
        parts.append(steps_html(block.steps, numbers))
    if block.rows:
        parts.append(table_html(block.rows, numbers))
    if block.changes:
        parts.append(Markup('<p class="changes">{}.</p>').format(
            "; ".join(change.note for change in block.changes)))
    whole = Markup("\n").join(parts)
    return Markup('<div class="rule">{}</div>').format(whole) if block.number else whole


def steps_html(steps: Sequence[Runs], numbers: frozenset[str]) -> Markup:
    return Markup("<ol>{}</ol>").format(Markup("").join(
        Markup("<li>{}</li>").format(runs_html(step, numbers)) for step in steps))


def marks_html(block: Paragraph) -> Markup:
    """What the page's own links and styles find a paragraph by."""
    number = Markup(' id="{}"').format(block.number) if block.number else Markup("")
    return number if block.in_play else number + Markup(' class="off"')


def title_html(block: Paragraph, numbers: frozenset[str]) -> Markup:
    if not block.number:
        return Markup("")
    title = Markup('<strong><a href="#{0}">{0}</a> {1}</strong> ').format(
        block.number, runs_html(block.title, numbers))
    return title if block.in_play else title + Markup("<small>not in play</small> ")


def table_html(rows: tuple[Row, ...], numbers: frozenset[str]) -> Markup:
    def row_html(tag: str, row: Row) -> Markup:
        return Markup("<tr>{}</tr>").format(Markup("").join(
            Markup("<{0}>{1}</{0}>").format(tag, runs_html(cell, numbers)) for cell in row))

    return Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(
        row_html("th", rows[0]), Markup("").join(row_html("td", row) for row in rows[1:]))


def runs_html(runs: Runs, numbers: frozenset[str]) -> Markup:
    return Markup("").join(
        Markup('<span class="aside">{}</span>' if run.aside else "{}").format(
            STYLES[run.style].format(run_html(run, numbers))) for run in runs)


def run_html(run: Run, numbers: frozenset[str]) -> Markup:
    if run.kind == "key":
        return Markup("<code>{}</code>").format(run.text)
    if run.kind == "changed":
        return Markup('<mark title="{} in the rulebook">{}</mark>').format(run.was, run.text)
    return Markup(CITED.sub(lambda found: linked(found[1], numbers), str(escape(run.text))))


def linked(number: str, numbers: frozenset[str]) -> str:
    return f'<a href="#{number}">{number}</a>' if number in numbers else number
