"""Content as CSV: there and back to the same record, and what is refused with row and column."""

import csv
import io

import pytest

from exchequer.core.content import settings
from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.printing.spreadsheet import content_csv, letter, read_variant

CONTENTS = [(game.name, variant) for game in all_games() for variant in (None, *game.variants)]


def saved(tmp_path, text, name="cards.csv", encoding="utf-8-sig"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def edited(text, table, key, column, cell):
    """The spreadsheet with another text in one cell."""
    rows = list(csv.reader(io.StringIO(text)))
    row = next(row for row in rows if row[:2] == [table, key])
    row[rows[0].index(column)] = cell
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(("name", "variant"), CONTENTS)
def test_there_and_back_is_the_same_content(name, variant, tmp_path):
    game = find_game(name)
    content = game.variant(variant)
    again = read_variant(game, saved(tmp_path, content_csv(game, content)))
    assert again.record.tobytes() == content.record.tobytes()
    assert {key: value for key, value in again.words.items() if key != "index"} == {
        key: value for key, value in content.words.items() if key != "index"}


@pytest.mark.parametrize(("name", "table", "key", "column", "cell", "value"), [
    ("kingdom", "rules", "turn_limit", "value", "30", 30),
    ("kingdom", "rules", "random_end", "value", "TRUE", True),
    ("kingdom", "building", "mill", "price", "9", 9),
    ("treasury/v17", "card", "tanner", "provides", "hides; food", ["hides", "food"]),
    ("treasury/v03", "rules", "start_gold", "value", "[1, 2, 3, 4]", [1, 2, 3, 4]),
    ("greement", "event", "boom", "effect", "loan +2; lake +1", "loan +2; lake +1"),
    ("jagged_time", "action", "C1", "effect", "gain food 3; draw 1", ["gain food 3", "draw 1"]),
    ("jagged_time", "action", "C3", "retained", "lose food 1", ["lose food 1"]),
    ("jagged_time", "action", "C1+", "effect", "gain food 9", ["gain food 9"]),
    ("jagged_time", "objective", "O1", "name", "Corvée, “again”", "Corvée, “again”"),
])
def test_one_changed_cell_is_the_whole_variant(name, table, key, column, cell, value, tmp_path):
    game = find_game(name)
    path = saved(tmp_path, edited(content_csv(game, game.content()), table, key, column, cell))
    content = read_variant(game, path)
    assert content.overlay == {table: {key: value} if table == "rules" else
                               {key: {column: value}}}


def test_a_new_card_where_the_game_allows_one(tmp_path):
    path = saved(tmp_path, "table,id,name,subtypes,effect\n"
                           "action,C99,Gift,statecraft,gain food 1\n")
    content = read_variant(find_game("jagged_time"), path)
    assert content.overlay["action"]["C99"] == {
        "name": "Gift", "subtypes": ["statecraft"], "effect": ["gain food 1"]}


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_other_separators_and_rows_left_out(between, tmp_path):
    text = between.join(["table", "id", "price"]) + "\r\n\r\n" + between.join(
        ["building", "mill", "9"]) + "\r\n"
    content = read_variant(find_game("kingdom"), saved(tmp_path, text, encoding="utf-8"))
    assert content.overlay == {"building": {"mill": {"price": 9}}}


@pytest.mark.parametrize(("name", "text", "sentence"), [
    ("kingdom", "table,id,price\nbuilding,mill,seven\n",
     "row 2, column price (C): 'seven' is not a whole number from 0 to 99."),
    ("kingdom", "table,id,price\n\nbuilding,mill,120\n",
     "row 3, column price (C): 120 is out of range; it must be a whole number from 0 to 99."),
    ("kingdom", "table,id,value\nrules,random_end,perhaps\n",
     "row 2, column value (C): 'perhaps' is not true or false."),
    ("kingdom", "table,id,text\nbuilding,mill,\n",
     "row 2, column text (C): is empty, but mill has a text; a variant can change it but not "
     "remove it."),
    ("kingdom", "table,id,price\nbuilding,mil,7\n",
     'row 2, column id (B): is no building of this game; did you mean "mill"?'),
    ("kingdom", "table,id,prize\nbuilding,mill,7\n",
     'row 1, column prize (C): is not a field of this game; did you mean "price"?'),
    ("kingdom", "table,id,price,price\nbuilding,mill,7,8\n",
     "row 1, column price (D): is there twice."),
    ("kingdom", "table,id,price\nbuildings,mill,7\n",
     'row 2, column table (A): there is no table "buildings"; there are rules, action, '
     "development, building, role, tier."),
    ("kingdom", "table,id,price\nbuilding,,7\n",
     "row 2, column id (B): is empty; every row needs the id of its rule or card."),
    ("kingdom", "table,id,price\nbuilding,mill,7\nbuilding,mill,8\n",
     "row 3, column id (B): building mill is in the file twice."),
    ("kingdom", "table,id,price\nbuilding,mill,7,8,9\n",
     "row 2: has 5 cells under 3 headings; put quotes around text that contains commas."),
    ("kingdom", "name,price\nMill,7\n",
     'row 1: the first row must have the columns "table" and "id"; it has name, price.'),
    ("kingdom", "", "is empty; export a spreadsheet first and edit that."),
    ("kingdom", 'table,id,price\nbuilding,mill,"7\n', "is not well-formed CSV: unexpected end of "
     "data."),
    ("treasury/v17", "table,id,ability\ncard,tanner,[{\n",
     "row 2, column ability (C): is not valid JSON: Expecting property name enclosed in double "
     "quotes: line 1 column 3 (char 2)."),
    ("treasury/v17", "table,id,provides\ncard,tanner,hides; fod\n",
     "row 2, column provides (C): 'fod' is no icon"),
    ("jagged_time", "table,id,effect\naction,C1,gain fod 2\n",
     "row 2, column effect (C): \"fod\" is no resource"),
    ("jagged_time", 'table,id,timer\nobjective,O1,"{""size"": 3}"\n',
     "row 2, column timer (C): leaves out a part that O1 has; a variant can change it but not "
     "remove it."),
])
def test_a_wrong_cell_is_refused_with_its_row_and_column(name, text, sentence, tmp_path):
    path = saved(tmp_path, text, encoding="utf-8")
    with pytest.raises(InputError) as refusal:
        read_variant(find_game(name), path)
    assert str(refusal.value).startswith(f"{path}: {sentence}")


def test_what_only_the_whole_content_shows_is_refused(tmp_path):
    path = saved(tmp_path, "table,id,value\nrules,start_farms,9\n")
    with pytest.raises(InputError, match=r"start_farms = 9 do not fit on start_lands = 2"):
        read_variant(find_game("kingdom"), path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        read_variant(find_game("kingdom"), tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read as UTF-8 text"):
        read_variant(find_game("kingdom"), saved(tmp_path, "table,id\nCorvée", encoding="latin-1"))


def test_what_is_printed_stands_beside_the_content():
    game = find_game("treasury/v17")
    rows = list(csv.DictReader(io.StringIO(content_csv(game, game.content()))))
    tanner = next(row for row in rows if row["id"] == "tanner")
    assert [tanner["print_copies"], tanner["print_back"], tanner["print_event"]] == [
        "1", "0", "Discovery"]
    assert tanner["print_event_text"].startswith("Most science: draw 1 card")
    richer = game.variant(None, settings(["card.tanner.gold_cost=4"]))
    again = list(csv.DictReader(io.StringIO(content_csv(game, richer))))
    assert next(row for row in again if row["id"] == "tanner")["print_gold"] == "4"


def test_a_change_that_would_not_be_read_is_refused(tmp_path):
    game = find_game("kingdom")
    text = edited(content_csv(game, game.content()), "building", "mill", "print_text", "Mills!")
    with pytest.raises(InputError, match=r"row 106, column print_text \(V\): is derived and "
                                         "never read; change the columns without print_"):
        read_variant(game, saved(tmp_path, text))


def test_columns_are_named_as_spreadsheets_name_them():
    assert [letter(index) for index in (0, 25, 26, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
