"""Every card of every game says all that its content entry does, in every medium.

Each value of an entry is changed, one at a time. Where the schema allows the change and the rules
can tell (the content's record differs), the full text has to differ, and with it the tooltip, the
lookup, the spreadsheet and what is printed.
"""

import csv
import functools
import io
import re

import pytest

from exchequer.core.content import Choice, ContentError, Number, Switch, Text, merged
from exchequer.core.find import all_games
from exchequer.core.lookup import thing
from exchequer.printing.pieces import decks_of
from exchequer.printing.spreadsheet import content_csv
from exchequer.table import boards
from games.jagged_time.test_texts import EVERY_CARD, never_happens

GAMES = {game.name: game for game in all_games()}
BASES = {"jagged_time": EVERY_CARD}  # in whose own content not every card can come up
SWITCHES = {  # without which the rules never look at a field
    ("treasury/v03", "strict_last"): {"strict_windows": True},
    ("treasury/v17", "not_zero"): {"invention_zero_ok": True}}
TRIED = 4  # of many words that could stand in the place of another
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
LINK = re.compile(r"\[\[[^|\]]+\|([^\]]+)\]\]")  # a tip's link to another tip


@functools.cache
def base(game, field=""):
    """The content in which the field counts."""
    return game.content(overlay_of(game, field))


def overlay_of(game, field="", more=None):
    return merged(merged(BASES.get(game.name, {}), SWITCHES.get((game.name, field), {})),
                  more or {})


def tables(game):
    """The tables whose entries have a name."""
    return [table for table, entries in base(game).words.items() if isinstance(entries, dict)
            and any(isinstance(entry, dict) and "name" in entry for entry in entries.values())]


def others(game, table, path, value):
    """A few other values for one leaf; the schema says which of them may be."""
    kind = getattr(game.schema.tables.get(table), "fields", {}).get(path[0])
    if isinstance(kind, Text):
        return []  # words themselves
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    names = [*kind.names] if isinstance(kind, Choice) else siblings(game, table, path)
    return [name for name in names if name != value][:TRIED]


@functools.cache
def siblings(game, table, path):
    """What other entries of the table have at the same place."""
    return sorted({value for entry in base(game).words[table].values()
                   for other, value in leaves(entry) if other == path and isinstance(value, str)})


def leaves(tree, path=()):
    items = tree.items() if isinstance(tree, dict) else \
        enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield from leaves(value, (*path, key))
    if not isinstance(tree, dict | list):
        yield path, tree


def put(tree, path, value):
    if not path:
        return value
    tree = list(tree) if isinstance(tree, list) else dict(tree)
    tree[path[0]] = put(tree[path[0]], path[1:], value)
    return tree


def changed(game, table, key, path, value):
    """The content with another value at that leaf; None where nothing else makes a difference."""
    for other in others(game, table, path, value):
        entry = put(base(game).words[table][key], path, other)
        try:
            content = game.content(overlay_of(game, path[0], {
                table: {key: {path[0]: entry[path[0]]}}}))
        except ContentError:
            continue
        if content.hash != base(game, path[0]).hash:
            return content
    return None


def walked(game):
    """Every leaf of every entry. The Jagged Time's own tests walk all of its cards; one leaf of
    each kind and effect is enough here."""
    every = [(table, key, path, value)
             for table in tables(game) for key, entry in base(game).words[table].items()
             for path, value in leaves(entry)]
    if game.name != "jagged_time":
        return every
    return {(table, *(part for part in path if isinstance(part, str)), str(value).split()[0]):
            (table, key, path, value) for table, key, path, value in every
            if not never_happens(base(game), key, path, value)}.values()


@functools.cache
def changes(game):
    """Leaves with a content in which only this leaf is another."""
    found = [(table, key, path, changed(game, table, key, path, value))
             for table, key, path, value in walked(game)]
    return [change for change in found if change[-1] is not None]


@each_game
def test_the_full_text_names_every_effect_cost_and_condition(game):
    silent = [f"{table}.{key}.{'.'.join(map(str, path))}"
              for table, key, path, content in changes(game)
              if game.words.thing(content, table, key).full
              == game.words.thing(base(game, path[0]), table, key).full]
    assert silent == []


@each_game
def test_every_medium_has_the_full_text(game):
    content, tips = base(game), shown_tips(game)
    rows = {(row["table"], row["id"]): row["print_full"]
            for row in csv.DictReader(io.StringIO(content_csv(game, content), newline=""))}
    for table in tables(game):
        for key in content.words[table]:
            full = game.words.thing(content, table, key).full
            assert full and LINK.sub(r"\1", full) in tips, f"{table}.{key} has no tooltip"
            assert thing(game, content, table, key).full == full
            assert rows[table, key] == full


def is_switch(game, key):
    """A switch, a choice, or a number that is off at 0."""
    kind = game.schema.rules[key]
    return isinstance(kind, (Choice, Switch)) or (
        isinstance(kind, Number) and game.text["rules"][key] == 0)


def turned(game, key):
    """The contents in which only this switch or number is another."""
    kind, now = game.schema.rules[key], game.text["rules"][key]
    for value in kind.names if isinstance(kind, Choice) else (not now,) \
            if isinstance(kind, Switch) else (now + 1,):
        if value != now:
            try:
                yield value, game.content(overlay_of(game, more={key: value}))
            except ContentError:
                continue  # needs another switch, too


def cards_named(game, sentence):
    """The names of things that a sentence holds, the longest first, with all who bear them."""
    named = {}
    for table in tables(game):
        for key, entry in base(game).words[table].items():
            named.setdefault(entry.get("name", ""), []).append((table, key))
    sentence = sentence.removeprefix("House rule:")
    for name in sorted(filter(None, named), key=len, reverse=True):
        found = re.compile(rf"\b{re.escape(name)}(?:s|'s)?\b")
        if found.search(sentence):
            sentence = found.sub("", sentence)
            yield name, named[name]


@each_game
def test_a_switch_that_changes_a_card_changes_its_text(game):
    """What a switch is about says which cards it changes; one of each name has to say so."""
    silent = [f"{key} = {value}: {name}" for key in game.schema.rules if is_switch(game, key)
              for name, bearers in cards_named(game, game.text["about"][key])
              for value, content in turned(game, key) if is_silent(game, content, bearers)]
    assert silent == []


def is_silent(game, content, bearers):
    """Whether none of these cards reads differently with this content."""
    return all(game.words.thing(content, *bearer).full
               == game.words.thing(base(game), *bearer).full for bearer in bearers)


@each_game
def test_a_number_of_the_rules_that_names_cards_stands_on_one_of_them(game):
    """What is there at the start is the setup's, not a card's."""
    numbers = [key for key, kind in game.schema.rules.items()
               if isinstance(kind, Number) and not key.startswith("start_")]
    silent = [f"{key} = {value}" for key in numbers
              for named in [[one for _, bearers in cards_named(game, game.text["about"][key])
                             for one in bearers]] if named
              for value, content in turned(game, key) if is_silent(game, content, named)]
    assert silent == []


def shown_tips(game):
    return {LINK.sub(r"\1", tip["text"]) for tip in boards.tips(game, base(game)).values()}


@each_game
def test_what_is_printed_names_every_kind_of_effect_cost_and_condition(game):
    """One leaf of each kind: the pieces of the changed content are others."""
    kinds = {(change[0], *(part for part in change[2] if isinstance(part, str))): change
             for change in reversed(changes(game))}
    silent = [f"{table}.{key}.{path}" for table, key, path, content in kinds.values()
              if decks_of(game, content) == decks_of(game, base(game, path[0]))]
    assert silent == []


@each_game
def test_texts_of_things_have_no_numbers_of_their_own(game):
    """A number in a text is a placeholder: a variant changes both."""
    assert [f"{table}.{key}" for table in tables(game) for key, entry in game.text[table].items()
            if re.search(r"\d", entry.get("text", ""))] == []
