"""The reader of rulebooks: every number of every game is followed in every medium."""

import copy
import itertools
import re
from collections import Counter
from dataclasses import replace

import pytest
from rich.console import Console

from exchequer.cli.rules import paragraph_text
from exchequer.core.check import Broken, check_names
from exchequer.core.content import Content, merged, settings
from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.core.rulebook import (
    OTHERWISE,
    Heading,
    Paragraph,
    Table,
    book,
    changes,
    cited,
    found,
    opening,
    paragraph,
    read,
    runs_of,
    said,
    value_of,
)
from exchequer.printing.rulebook import blocks
from exchequer.table.rulebook import rulebook
from toys.bazaar import GAME as BAZAAR

GAMES = all_games()
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


# Changing everything -----------------------------------------------------------------------------

def places(words, path=()):
    """Where the single values of rules and cards are, also those inside lists."""
    parts = words.items() if isinstance(words, dict) else enumerate(words)
    for key, value in parts:
        here = (*path, key)
        if isinstance(value, dict) or (isinstance(value, list) and any(
                isinstance(part, dict) for part in value)):
            yield from places(value, here)
        else:
            yield here


def at(words, path):
    for key in path:
        words = words[key]
    return words


def all_places(game):
    tables = {name: table for name, table in game.text.items()
              if isinstance(table, dict) and name not in ("about", "said")}
    return list(places(tables))


def changed(game, new):
    """The content with `new` of each place: what the reader sees of a variant, unchecked."""
    overlay = {}
    for path, value in new.items():
        whole = [number for number, key in enumerate(path) if isinstance(key, int)]
        top = path[: whole[0]] if whole else path  # a variant replaces lists as a whole
        if found(overlay, top) is None:
            overlay = merged(overlay, nested(top, copy.deepcopy(at(game.text, top))))
        at(overlay, path[:-1])[path[-1]] = value
    return Content(None, merged(game.text, overlay), overlay)


def nested(path, value):
    for key in reversed(path):
        value = {key: value}
    return value


def key_of(path):
    return path[1] if path[0] == "rules" else ".".join(map(str, path))


def other(value, number):
    """Another value that can be told from all others; a switch is only turned."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return 20_000 + number
    return f"other{number:04d}" if isinstance(value, str) else [20_000 + number]


def by_one(game, path):
    """A number one larger, or one smaller where the bounds end."""
    kind = game.schema.rules.get(path[1]) if path[0] == "rules" else None
    value = at(game.text, path)
    return value - 1 if value == getattr(kind, "high", None) else value + 1


def all_runs(block):
    if isinstance(block, Paragraph):
        return block.runs
    return tuple(itertools.chain(*itertools.chain(*block.rows))) if isinstance(block, Table) else ()


def numbers_of(game):
    return [path for path in all_places(game) if type(at(game.text, path)) is int]


# The media ---------------------------------------------------------------------------------------

def in_browser(game, content):
    html = re.sub(r'<p class="changes">.*?</p>', "", str(rulebook(game, content)))
    return re.sub(r"<[^>]*>", "", html)


def on_paper(game, content):
    return " ".join(texts([{**block, "notes": [], "changes": []}
                           for block in blocks(game, content)]))


def texts(data):
    """Every run of Typst's data."""
    if isinstance(data, dict) and "style" in data:
        yield data["text"]
    for part in data.values() if isinstance(data, dict) else data if isinstance(
            data, list | tuple) else ():
        yield from texts(part)


def in_terminal(game, content):
    console = Console(width=10_000, file=None, force_terminal=False)
    with console.capture() as capture:
        for block in book(game, content):
            if isinstance(block, Paragraph) and block.number:
                console.print(paragraph_text(replace(block, changes=()), keys=True))
    return capture.get()


def mentions(game, numbered_only):
    """How often the file names each key, found without the reader."""
    known = {key_of(path) for path in all_places(game)}
    sections = re.split(r"\n\s*\n", game.rulebook)
    kept = [text for text in sections if not numbered_only or re.match(r"\*\*\w+-|\|", text)]
    named = re.findall(r"(?:`|\]\()([\w.]+)[`)]", "\n".join(kept))
    return Counter(key for key in named if key in known)


@pytest.mark.parametrize("medium", [in_browser, on_paper, in_terminal])
@each_game
def test_every_value_is_followed_wherever_the_book_names_its_key(game, medium):
    new = {path: other(at(game.text, path), number)
           for number, path in enumerate(all_places(game))}
    text = medium(game, changed(game, new))
    expected = mentions(game, numbered_only=medium is in_terminal)
    for path, value in new.items():
        if not isinstance(value, bool):
            assert text.count(said(value)) == expected[key_of(path)], key_of(path)
    rules = [key for key, value in game.text["rules"].items() if type(value) is int]
    beside = re.findall(rf"(\d\S*) \(({'|'.join(rules)})\)", text)
    assert [pair for pair in beside if not re.match(r"20,\d\d\d", pair[0])] == []


@each_game
def test_every_number_changed_by_one_is_marked_and_no_other_is(game):
    expected = mentions(game, numbered_only=False)
    for path in numbers_of(game):
        value = by_one(game, path)
        content, key = changed(game, {path: value}), key_of(path)
        one, = changes(game, content)
        assert f"{key}.".startswith(f"{one.key}.") and one.old != one.new
        if key in expected:
            marked = [run for block in book(game, content) for run in all_runs(block)
                      if run.kind == "changed"]
            assert [run.key for run in marked] == [key] * expected[key]
            assert {run.text.lstrip("+") for run in marked} == {said(value)}


@each_game
def test_changes_lists_every_rule_and_every_card(game):
    new = {path: other(at(game.text, path), number)
           for number, path in enumerate(all_places(game))}
    listed = {change.key: change for change in changes(game, changed(game, new))}
    tops = {key_of(tuple(itertools.takewhile(lambda key: isinstance(key, str), path)))
            for path in new}
    assert set(listed) == tops
    assert all(change.about and change.old != change.new for change in listed.values())


def test_what_a_variant_says_again_is_no_change():
    game = find_game("kingdom")
    content = game.variant(None, settings(["start_gold=10", "building.mill.price=7"]))
    assert changes(game, content) == []


# What a book must say ----------------------------------------------------------------------------

@each_game
def test_the_book_prints_the_numbers_of_the_game_as_it_ships(game):
    for block in read(game):
        for run in all_runs(block):
            value = value_of(game.text, run.key) if run.key and run.text else None
            if isinstance(value, bool):
                assert run.text == said(value), run
            elif isinstance(value, int):
                assert WORDS.get(run.text) == value or run.text.lstrip("+") == said(value), run
            elif isinstance(value, list) and all(type(part) is int for part in value):
                assert [int(part) for part in re.findall(r"\d+", run.text)] == value, run


@each_game
def test_every_key_of_the_rules_is_in_the_book(game):
    named = {run.key for block in read(game) for run in all_runs(block)}
    assert set(game.schema.rules) - named == set()


@each_game
def test_no_number_behind_the_name_of_its_card_is_without_its_key(game):
    """Mill (7), Land 2: but for the examples, which are told with the game's own numbers."""
    bare, chapter = [], ""
    for block in read(game):
        chapter = block.text if isinstance(block, Heading) else chapter
        text = "".join(run.text if run.kind == "text" else "\0" for run in all_runs(block))
        for path in numbers_of(game) if chapter != "Examples" else ():
            name = found(game.text, (*path[:2], "name")) if path[0] != "rules" else None
            if name and re.search(rf"\b{re.escape(name)} \(?{at(game.text, path)}\b", text):
                bare.append((key_of(path), text[:60]))
    assert bare == []


# Notation ----------------------------------------------------------------------------------------

def plain(text, *pairs):
    game = find_game("kingdom")
    content = game.variant(None, settings(list(pairs)))
    filled = book(replaced(game, text), content)
    return "".join(run.text for block in filled for run in all_runs(block))


def replaced(game, text):
    """The game with another rulebook."""
    read.cache_clear()
    another = replace(game)
    another.__dict__["rulebook"] = text
    return another


@pytest.fixture(autouse=True)
def fresh_books():
    yield
    read.cache_clear()


def test_each_notation():
    changed_gold = ["start_gold=12", "liquidation=none"]
    assert plain("with 10 (`start_gold`) gold", *changed_gold) == "with 12 (start_gold) gold"
    assert plain("with\n10c\n(`start_gold`)", *changed_gold) == "with 12c (start_gold)"
    assert plain("[ten](start_gold) gold") == "ten gold"
    assert plain("[ten](start_gold) gold", *changed_gold) == "12 gold"
    assert plain("**a [7](building.mill.price)** b", "building.mill.price=9") == "a 9 b"
    assert plain("[+3](tier.content.happiness)", "tier.content.happiness=4") == "+4"
    assert plain("with `liquidation` it is", *changed_gold) == "with liquidation (none) it is"
    assert plain("(`random_end`)") == "(random_end: off)"
    assert plain("`liquidation` = none skips") == "liquidation = none (here forced) skips"
    assert plain("Numbers in `backticks`") == "Numbers in backticks"
    assert plain("| `a` | [2](farm_income) |\n|---|---|\n| b | *c* |") == "a2bc"


@pytest.mark.parametrize("text, shown, pairs", [
    ("with 10 (`start_gold`) gold", "with 10 gold", []),
    ("each has gold (`start_gold`).", "each has gold (10).", []),
    ("after `turn_limit` rounds", "after 22 rounds", []),
    ("All see it (`random_end`).", "All see it.", []),
    ("It ends. `random_end` = true draws lots.", "It ends.", []),
    ("It ends. `random_end` = true draws lots.",
     "It ends. random_end = true (here on) draws lots.", ["random_end=true"]),
    ("It ends; `random_end` = true draws lots. Amen.", "It ends. Amen.", []),
    ("It ends, unless `random_end`.", "It ends.", []),
    ("`random_end` draws lots.", f" {OTHERWISE}", []),
    ("It ends (`random_end`: by lot; late). Amen.", "It ends. Amen.", [])])
def test_players_do_not_see_keys(text, shown, pairs):
    game = find_game("kingdom")
    block, = book(replaced(game, f"**K-1 A, if `palace_optional`.** {text}"),
                  game.variant(None, settings(pairs)))
    assert "".join(run.text for run in block.runs if not run.aside).rstrip() == f"A.{shown}"


@each_game
def test_no_paragraph_shows_a_key(game):
    for block in book(game, game.content()):
        shown = "".join(run.text for run in all_runs(block) if not run.aside)
        assert not re.search(r"[a-z]_[a-z]", shown), shown
        assert not re.search(r"\(\s*\)|\(0\)| [.,;]|  ", shown), shown


def test_a_number_with_a_key_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match='rulebook.md:1: a number has the key '
                       '"building.mil.price", which is not in content'):
        plain("Mill ([7](building.mil.price))")


@pytest.mark.parametrize("text, says", [
    ("**B-1 A hand of [7](hands).**", 'names: rulebook.md:1: .* the key "hands", which is not '
                                      'in content.toml'),
    ("**B-1 A tribute of [9](tribute).**", 'names: rulebook.md:1: the book says 9 for "tribute", '
                                           "and content.toml "),
    ("**B-2 A.**", "names: rules.py:.*, and rulebook.md has no such paragraph"),
    ("**B-1 A.**\n\n**B-1 B.**", "names: the rulebook has B-1 more than once")])
def test_the_conformance_suite_reads_the_rulebook(text, says):
    with pytest.raises(Broken, match=says):
        check_names(replaced(BAZAAR, text))


@pytest.mark.parametrize("text, pairs, in_play", [
    ("**K-1 A, if `random_end`.**", [], False),
    ("**K-1 A, if `random_end`.**", ["random_end=true"], True),
    ("**K-1 A, unless `random_end`,** b", [], True),
    ("**K-1 A, if `hr_truce_rounds`.**", [], False),
    ("**K-1 A, if `turn_order` = phased.**", [], False),
    ("**K-1 A, unless `turn_order` = phased.**", ["turn_order=phased"], False),
])
def test_a_title_says_when_its_paragraph_is_in_play(text, pairs, in_play):
    game = find_game("kingdom")
    block, = book(replaced(game, text), game.variant(None, settings(pairs)))
    assert (block.number, block.name, block.in_play) == ("K-1", "A", in_play)


def test_a_table_and_steps_belong_to_their_paragraph():
    block, = read(replaced(find_game("kingdom"), "**K-1 A.** b\n1. c\n2. d\n\n| e |\n|---|\n| f |"))
    assert [run.text for run in block.runs] == ["A.", "b", "c", "d", "e", "f"]


def test_citations():
    assert cited("As K-31, K-46b and G-R5 say (T17-34); not a-K-3 or K-3xy.") == [
        "K-31", "K-46b", "G-R5", "T17-34"]
    assert opening("K-1 K-2, K-R3 The rule of K-4.") == ["K-1", "K-2", "K-R3"]
    assert opening("The rule of K-4.") == []


# The audit's examples ----------------------------------------------------------------------------

def lines(name, content, *numbers):
    return ["".join(run.text for run in paragraph(find_game(name), content, number).runs)
            for number in numbers]


def test_a_changed_price_of_a_card_is_in_the_title():
    content = find_game("kingdom").variant(None, settings(["building.mill.price=12"]))
    text, = lines("kingdom", content, "K-46b")
    assert text.startswith("Mill (12).")
    assert '<mark title="7 in the rulebook">12</mark>' in rulebook(find_game("kingdom"), content)


def test_the_designers_greement():
    content = find_game("greement").variant("designer_2017_08")
    values, jubilee, credit = lines("greement", content, "G-6", "G-51", "G-57")
    for entry in ("Crop profit 4", "Gold mine 6", "Gold mine profit 6", "Distance tax 6",
                  "Cattle 8", "Cattle profit 8", "Land 2"):
        assert entry in values
    assert jubilee.startswith("Jubilee(0)") and credit.startswith("Tight Credit(0 cards, 10c)")
    for number, in_play in (("G-16", False), ("G-23", False), ("G-74", True), ("G-75", False)):
        assert paragraph(find_game("greement"), content, number).in_play is in_play
    assert len(changes(find_game("greement"), content)) == 17


def test_keys_without_numbers_get_them():
    content = find_game("jagged_time").variant(None, settings(["turn_cap=41"]))
    text, = lines("jagged_time", content, "J-67")
    assert "turn turn_cap (41)" in text and "collapse_limit (60)" in text


def test_runs_know_their_key():
    run, *_ = runs_of(find_game("kingdom"), "[7](building.mill.price)")
    assert (run.kind, run.text, run.key) == ("value", "7", "building.mill.price")
