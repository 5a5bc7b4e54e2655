"""What players read, over random positions of every game: names, and no two choices alike.

The suite looks at a few hundred positions of each game; `EXCHEQUER_READ=10000` at as many more.
"""

import io
import os
import random
import re

import pytest
from rich.console import Console

from exchequer.cli.play import moves_table
from exchequer.core.content import Content
from exchequer.core.find import all_games
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.table.foresight import Refusals

POSITIONS = int(os.environ.get("EXCHEQUER_READ", "300"))
DRAWN_EVERY = 25  # positions whose menu is drawn in the terminal, too
each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)

CITED = re.compile(r"\((?:house rule|[A-Z]+\d*-[^()]*)\)")  # paragraphs, such as (K-2, K-22)
ODD = re.compile(
    r"\w_\w"  # a key, or the name of an enum's member
    r"|\b(?![IVX]+\b)[A-Z]{2,}\b"  # the latter in one word; ages are Roman
    r"|\w:\w|[{}]|\bNone\b(?! of)|\b(?:nan|nobody's)\b"  # an action's text; a template not filled
    r"|\b[Ss]eat \d|\b[Pp]layer \d|\b(?:card|kind|thing|action|option) \d")


def ids_of(content: Content) -> re.Pattern[str]:
    """Keys of cards that nobody would take for words, such as a06 or C4."""
    found = {key for table, entries in content.words.items()
             if isinstance(entries, dict) and table not in ("rules", "about", "said")
             for key in entries if re.search(r"\d", key)}
    return re.compile(rf"\b(?:{'|'.join(sorted(found)) or 'no such key'})\b", re.IGNORECASE)


def positions(game):
    """Positions of random games, at every number of seats in turn."""
    chance, seed, count = random.Random(20), 0, 0
    while True:
        seats = game.seats[0] + seed % (game.seats[1] - game.seats[0] + 1)
        position = Position(game, seats=seats, seed=seed)
        while len(position.actions) < game.step_limit:
            yield position
            count += 1
            if count == POSITIONS:
                return
            if position.is_over:
                break
            position.play(chance.choice(position.legal()))
        seed += 1


def sentences_of(position, menu):
    """Everything that is said to anybody at this moment."""
    yield from menu
    if position.is_over:
        yield position.outcome()
    else:
        yield position.question
    for viewer in (None, NOBODY, *range(position.seats)):
        yield from position.told(viewer, since=len(position.logs) - 1)


def said(sentence, ids):
    """The sentence with what a player should not have to read in it; empty when there is none."""
    plain = CITED.sub("", sentence)
    odd = ODD.search(plain) or (None if ids is None else ids.search(plain))
    return f"{odd[0]!r} in {sentence!r}" if odd else ""


@each_game
def test_positions_read_well(game):
    ids, found = ids_of(game.content()), set()
    for number, position in enumerate(positions(game)):
        menu = [] if position.is_over else [line for _, line in position.menu()]
        alike = {line for line in menu if menu.count(line) > 1}
        assert not alike, f"two choices read alike: {alike}"
        found |= {odd for sentence in sentences_of(position, menu)
                  if (odd := said(sentence, ids))}
        if menu and number % DRAWN_EVERY == 0:
            assert_drawn(position, menu)
            found |= {odd for line in refused_lines(position) if (odd := said(line, ids))}
    assert not found


def refused_lines(position):
    """What somebody reads who asks why a move cannot be made."""
    for one in Refusals(position, position.actor).all():
        assert one.words and one.sentence, one.text
        yield from (one.words, one.sentence)


def assert_drawn(position, menu):
    """The terminal shows each line whole, so that they differ there, too."""
    console = Console(file=io.StringIO(), width=2000, record=True)
    console.print(moves_table(position.menu()))
    text = console.export_text()
    assert all(f"{number + 1} {line}" in text for number, line in enumerate(menu))


@each_game
def test_refusals_endings_and_explanations_read_well(game):
    content, names = game.content(), ["Ann", "Ben", "Cleo", "Dov", "Eve", "Finn"]
    words, state, ids = game.words, game.module("state"), ids_of(game.content())
    sentences = [words.refuse(why, content, names) for why in list(state.Refusal)[1:]]
    sentences += [words.ending(why, 1, content, names) for why in list(state.Ending)[1:]]
    sentences += [text for tip in words.tips(content).values() for text in tip]
    assert [odd for sentence in sentences if (odd := said(sentence, ids))] == []


@pytest.mark.parametrize("sentence", [
    "Discovery a06 (science)", "Refusal NO_FREE_SLOT.", "OVER.", "Player 2", "Look at seat 3",
    "build:mill", "Pay {n} gold", "card 37", "town_charter"])
def test_what_is_looked_for_is_found(sentence):
    assert said(sentence, ids_of(next(g for g in all_games() if g.name.endswith("v03")).content()))


@pytest.mark.parametrize("sentence", [
    "Age III begins.", "You cannot pay its price in full (K-2, K-22).", "Not now (JL-11).",
    "A1 for 6c and 2c tax",
    "The truce of the first rounds still holds (house rule).", "Warrior (place 3)"])
def test_what_players_may_read(sentence):
    assert not said(sentence, None)
