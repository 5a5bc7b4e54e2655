"""The rulebook as HTML: what `core.rulebook` reads, drawn for the browser."""

from markupsafe import Markup, escape

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.rulebook import CITED, Block, Heading, Paragraph, Run, Runs, Table, book

STYLES = {"": Markup("{}"), "bold": Markup("<strong>{}</strong>"),
          "italic": Markup("<em>{}</em>")}


def rulebook(game: Game, content: Content | None = None) -> Markup:
    """The whole book; paragraphs have their number as id."""
    numbers = frozenset(game.paragraphs)
    return Markup("\n").join(block_html(block, numbers)
                             for block in book(game, content or game.content()))


def block_html(block: Block, numbers: frozenset[str]) -> Markup:
    if isinstance(block, Heading):
        return Markup("<h{0}>{1}</h{0}>").format(block.level, block.text)
    if isinstance(block, Table):
        return table_html(block, numbers)
    return paragraph_html(block, numbers)


def paragraph_html(block: Paragraph, numbers: frozenset[str]) -> Markup:
    opening = Markup("<p>")
    if block.number:
        kind = Markup("") if block.in_play else Markup(' class="off"')
        opening = Markup('<p id="{0}"{1}><strong><a href="#{0}">{0}</a> {2}</strong> {3}').format(
            block.number, kind, runs_html(block.title, numbers),
            "" if block.in_play else Markup("<small>not in play</small> "))
    steps = Markup("").join(Markup("<li>{}</li>").format(runs_html(step, numbers))
                            for step in block.steps)
    notes = "; ".join(change.note for change in block.changes)
    return opening + runs_html(block.text, numbers) + Markup("</p>") + (
        Markup("<ol>{}</ol>").format(steps) if steps else "") + (
        Markup('<p class="changes">{}.</p>').format(notes) if notes else "")


def table_html(block: Table, numbers: frozenset[str]) -> Markup:
    def row_html(tag: str, row: tuple[Runs, ...]) -> Markup:
        return Markup("<tr>{}</tr>").format(Markup("").join(
            Markup("<{0}>{1}</{0}>").format(tag, runs_html(cell, numbers)) for cell in row))

    head, *rows = block.rows
    return Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(
        row_html("th", head), Markup("").join(row_html("td", row) for row in rows))


def runs_html(runs: Runs, numbers: frozenset[str]) -> Markup:
    return Markup("").join(STYLES[run.style].format(run_html(run, numbers)) for run in runs)


def run_html(run: Run, numbers: frozenset[str]) -> Markup:
    if run.kind == "key":
        return Markup("<code>{}</code>").format(run.text)
    if run.kind == "changed":
        return Markup('<mark title="{} in the rulebook">{}</mark>').format(run.was, run.text)
    return Markup(CITED.sub(lambda found: linked(found[1], numbers), str(escape(run.text))))


def linked(number: str, numbers: frozenset[str]) -> str:
    return f'<a href="#{number}">{number}</a>' if number in numbers else number
