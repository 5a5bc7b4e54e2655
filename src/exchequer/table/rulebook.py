"""The rulebook as HTML: what `core.rulebook` reads, drawn for the browser."""

from markupsafe import Markup, escape

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.rulebook import CITED, Block, Heading, Paragraph, Row, Run, Runs, Table, book

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
        return table_html(block.rows, numbers)
    return paragraph_html(block, numbers)


def paragraph_html(block: Paragraph, numbers: frozenset[str]) -> Markup:
    parts = [Markup("<p{}>{}{}</p>").format(marks_html(block), title_html(block, numbers),
                                            runs_html(block.text, numbers))]
    if block.steps:
        steps = (Markup("<li>{}</li>").format(runs_html(step, numbers)) for step in block.steps)
        parts.append(Markup("<ol>{}</ol>").format(Markup("").join(steps)))
    if block.rows:
        parts.append(table_html(block.rows, numbers))
    if block.changes:
        parts.append(Markup('<p class="changes">{}.</p>').format(
            "; ".join(change.note for change in block.changes)))
    return Markup("\n").join(parts)


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
    return Markup("").join(STYLES[run.style].format(run_html(run, numbers)) for run in runs)


def run_html(run: Run, numbers: frozenset[str]) -> Markup:
    if run.kind == "key":
        return Markup("<code>{}</code>").format(run.text)
    if run.kind == "changed":
        return Markup('<mark title="{} in the rulebook">{}</mark>').format(run.was, run.text)
    return Markup(CITED.sub(lambda found: linked(found[1], numbers), str(escape(run.text))))


def linked(number: str, numbers: frozenset[str]) -> str:
    return f'<a href="#{number}">{number}</a>' if number in numbers else number
