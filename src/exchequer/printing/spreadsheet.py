"""Content as a spreadsheet, and back as a variant.

One row for each rule and card: its table, its id, a column for every field. Lists of words are
written `food; stone`, other lists and tables as JSON. Columns that begin with `print_` hold what
is printed on the piece, for nanDECK and similar tools; they are derived and never read back.
"""

import csv
import difflib
import io
import json
import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exchequer.core.content import Content, ContentError, Words, merged
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.pieces import Piece
from exchequer.printing.pieces import decks_of

TABLE, ID, VALUE, PRINTED = "table", "id", "value", "print_"
RULES = "rules"
NOT_TABLES = {"title", "summary", "length", "about", "said", "index"}  # `index` is derived


class SheetError(InputError):
    """An unusable cell, with row and column as the spreadsheet shows them."""

    def __init__(self, source: str, sentence: str, row: int = 0, column: str = "",
                 letter: str = "") -> None:
        where = [f"row {row}"] if row else []
        if column:
            where.append(f"column {column} ({letter})" if letter else f"column {column}")
        super().__init__(f"{source}: {', '.join(where)}: {sentence}" if where
                         else f"{source}: {sentence}")


# Out ---------------------------------------------------------------------------------------------

def content_csv(game: Game, content: Content) -> str:
    tables = tables_of(content.words)
    printed = {piece.id: piece for deck in decks_of(game, content) for piece in deck.pieces}
    rows = [row_of(content, table, key, fields, printed.get(key)) | said(game, content, table, key)
            for table, entries in tables.items() for key, fields in entries.items()]
    names = list(dict.fromkeys(name for row in rows for name in row))
    names.sort(key=lambda name: name.startswith(PRINTED))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def tables_of(words: Words) -> dict[str, dict[str, Words]]:
    """Every table with its entries; a rule is an entry with one field."""
    rules = {key: {VALUE: value} for key, value in words[RULES].items()}
    return {RULES: rules} | {name: table for name, table in words.items()
                             if name not in NOT_TABLES and name != RULES}


def row_of(content: Content, table: str, key: str, fields: Words, piece: Piece | None
           ) -> dict[str, str]:
    row = {TABLE: table, ID: key} | {name: written(value) for name, value in fields.items()}
    if table == RULES:
        return row | {f"{PRINTED}about": content.words["about"].get(key, "")}
    if piece is None:
        return row
    back = dict(piece.back.data) if piece.back else {}
    return row | {f"{PRINTED}copies": str(piece.copies),
                  f"{PRINTED}back": str(back.get("label") or back.get("family") or "")} | {
        f"{PRINTED}{name}": written(value) for name, value in piece.front.data.items()
        if name != "icons"}


def said(game: Game, content: Content, table: str, key: str) -> dict[str, str]:
    """All that the game says of a thing that has a name."""
    if table == RULES or "name" not in content.words[table][key]:
        return {}
    return {f"{PRINTED}full": game.words.thing(content, table, key).full}


def written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(
            isinstance(part, str) and ";" not in part and part.strip() == part != ""
            for part in value):
        return "; ".join(value) if not value[0].startswith("[") else json.dumps(value)
    return json.dumps(value, ensure_ascii=False)


# Back --------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Cell:
    """A value and where it is in the file."""

    row: int
    column: str
    letter: str
    text: str


def read_variant(game: Game, path: pathlib.Path) -> Content:
    """The content in a spreadsheet; its overlay is only what differs from the game."""
    source = str(path)
    overlay: Words = {}
    places: dict[tuple[str, str], dict[str, Cell]] = {}
    base = tables_of(game.content().words)  # an entry may have fields from another
    for table, key, cells in entries(game, path):
        if (table, key) in places:
            raise SheetError(source, f"{table} {key} is in the file twice.", cells[ID].row, ID,
                             cells[ID].letter)
        places[table, key] = cells
        for name, value in changed_fields(source, base[table], key, cells):
            overlay.setdefault(table, {}).setdefault(key, {})[name] = value
    content = checked(game, source, overlay, places)
    refuse_printed(game, source, content, places)
    return content


def entries(game: Game, path: pathlib.Path) -> Iterator[tuple[str, str, dict[str, Cell]]]:
    source, rows = str(path), read_rows(path)
    header = [name.strip() for name in rows[0][1]]
    known = tables_of(game.text)
    refuse_header(source, header, known)
    for number, row in rows[1:]:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(header) and any(cell.strip() for cell in row[len(header):]):
            raise SheetError(source, f"has {len(row)} cells under {len(header)} headings; put "
                             "quotes around text that contains commas.", number)
        cells = {name: Cell(number, name, letter(index), row[index] if index < len(row) else "")
                 for index, name in enumerate(header)}
        table, key = cells[TABLE].text.strip(), cells[ID].text.strip()
        if table not in known:
            raise SheetError(source, f'there is no table "{table}"; there are '
                             f"{', '.join(known)}.", number, TABLE, cells[TABLE].letter)
        if not key:
            raise SheetError(source, "is empty; every row needs the id of its rule or card.",
                             number, ID, cells[ID].letter)
        yield table, key, cells


def read_rows(path: pathlib.Path) -> list[tuple[int, list[str]]]:
    """Numbered rows; cells may be separated by commas, semicolons or tabs."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SheetError(str(path), "there is no such file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SheetError(str(path), f"cannot be read as UTF-8 text: {error}.") from None
    first = text.partition("\n")[0]
    if not first.strip():
        raise SheetError(str(path), "is empty; export a spreadsheet first and edit that.")
    between = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True))
    except csv.Error as error:
        raise SheetError(str(path), f"is not well-formed CSV: {error}.") from None
    return list(enumerate(rows, 1))


def refuse_header(source: str, header: list[str], known: Mapping[str, Any]) -> None:
    for name in (TABLE, ID):
        if name not in header:
            raise SheetError(source, f'the first row must have the columns "{TABLE}" and "{ID}"; '
                             f"it has {', '.join(header)}.", 1)
    fields = {field for table in known.values() for entry in table.values() for field in entry}
    for index, name in enumerate(header):
        if name.startswith(PRINTED) or name in (TABLE, ID, ""):
            continue
        if header.index(name) != index:
            raise SheetError(source, "is there twice.", 1, name, letter(index))
        if name not in fields:
            close = difflib.get_close_matches(name, fields, 1)
            hint = f'did you mean "{close[0]}"?' if close else \
                f'call it "{PRINTED}{name}" if it is only for printing.'
            raise SheetError(source, f"is not a field of this game; {hint}", 1, name, letter(index))


def letter(index: int) -> str:
    """0 is A, 26 is AA."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def changed_fields(source: str, table: dict[str, Words], key: str, cells: dict[str, Cell]
                   ) -> Iterator[tuple[str, Any]]:
    """The cells of a row that differ from the game's own content."""
    entry = table.get(key, {})
    for name, cell in cells.items():
        if name in (TABLE, ID, "") or name.startswith(PRINTED):
            continue
        if not cell.text.strip():
            if name in entry:
                raise SheetError(source, f"is empty, but {key} has a {name}; a variant can change "
                                 "it but not remove it.", cell.row, name, cell.letter)
            continue
        value = parsed(source, cell, entry.get(name, sample(table, name)))
        if name not in entry or value != entry[name] or type(value) is not type(entry[name]):
            yield name, value


def sample(table: dict[str, Words], name: str) -> Any:
    """What other entries of the table have there, for an entry without a value."""
    return next((entry[name] for entry in table.values() if name in entry), "")


def parsed(source: str, cell: Cell, like: Any) -> Any:
    """A cell's text as the same type as the value there; the schema refuses the rest."""
    text = cell.text.strip()
    if isinstance(like, str):
        return cell.text
    if isinstance(like, list) and not text.startswith("["):
        return [part.strip() for part in text.split(";") if part.strip()]
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    try:
        return json.loads(text)
    except ValueError as error:
        if isinstance(like, int):
            return text
        raise SheetError(source, f"is not valid JSON: {error}.", cell.row, cell.column,
                         cell.letter) from None


def checked(game: Game, source: str, overlay: Words,
            places: dict[tuple[str, str], dict[str, Cell]]) -> Content:
    """The content, or the schema's error with its row and column."""
    rules = {key: fields[VALUE] for key, fields in overlay.pop(RULES, {}).items()}
    wanted = overlay | ({RULES: rules} if rules else {})
    refuse_taken_away(game, source, overlay, places)
    try:
        return game.content(wanted, source)
    except ContentError as error:
        table, key, name = (*error.key.split("."), "", "")[:3]
        cells = places.get((table, key))
        if not cells:
            raise
        column = cells.get(VALUE if table == RULES else name.partition("[")[0], cells[ID])
        raise SheetError(source, error.sentence, column.row, column.column,
                         column.letter) from None


def refuse_printed(game: Game, source: str, content: Content,
                   places: dict[tuple[str, str], dict[str, Cell]]) -> None:
    """Refuse a row in which only a derived value was changed: it would be lost silently."""
    worked_out = [printed_cells(game, game.content()), printed_cells(game, content)]
    for (table, key), cells in places.items():
        if key in content.overlay.get(table, {}):
            continue
        for name, cell in cells.items():
            if name.startswith(PRINTED) and cell.text and all(
                    cell.text != rows.get((table, key, name), cell.text) for rows in worked_out):
                raise SheetError(source, f"is derived and never read; change the columns "
                                 f"without {PRINTED}, or clear this cell.", cell.row, name,
                                 cell.letter)


def printed_cells(game: Game, content: Content) -> dict[tuple[str, str, str], str]:
    rows = csv.DictReader(io.StringIO(content_csv(game, content), newline=""))
    return {(row[TABLE], row[ID], name): text for row in rows for name, text in row.items()
            if name.startswith(PRINTED)}


def refuse_taken_away(game: Game, source: str, overlay: Words,
                      places: dict[tuple[str, str], dict[str, Cell]]) -> None:
    """A variant is merged into the content key by key, so it cannot remove parts."""
    words = game.content().words
    for table, changed in overlay.items():
        for key, fields in changed.items():
            own = words[table].get(key, {})
            for name, value in fields.items():
                if merged(own, {name: value})[name] != value:
                    cell = places[table, key][name]
                    raise SheetError(source, f"leaves out a part that {key} has; a variant can "
                                     "change it but not remove it.", cell.row, name, cell.letter)
