"""What players read, over random positions of every game: names, and no two choices alike.

The suite looks at a few hundred positions of each game; `EXCHEQUER_READ=10000` at as many more.
Games are those of the game as it ships and of each of its variants, at every number of seats.
"""

import html
import io
import itertools
import os
import random
import re

import pytest
from rich.console import Console

from exchequer.cli.play import Terminal, moves_table
from exchequer.core.content import Content
from exchequer.core.find import all_games
from exchequer.core.learn import goal
from exchequer.core.measures import measures_of
from exchequer.core.plain_text import board_lines
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.reflection import view_of
from exchequer.table import boards
from exchequer.table.foresight import Refusals
from exchequer.table.watching import watched

POSITIONS = int(os.environ.get("EXCHEQUER_READ", "300"))
APART = 4  # moves from one position to the next, so that they are of many games
DRAWN_EVERY = 25  # positions whose screens are drawn and whose refusals are read, too
each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)

CITED = re.compile(r"\((?:house rule|[A-Z]+\d*-[^()]*)\)")  # paragraphs, such as (K-2, K-22)
ODD = re.compile(
    r"\w_\w"  # a key, or the name of an enum's member
    r"|\b(?![IVX]+\b)[A-Z]{2,}\b"  # the latter in one word; ages are Roman
    r"|\w:\w|[{}]|\bNone\b(?! of)|\bnan\b"  # an action's text; a template not filled
    r"|\bnobody(?:'s| \(|$)"  # a seat that is not at this table
    r"|\b[Ss]eat \d|\b[Pp]layer \d|\b(?:card|kind|thing|action|option) \d")
LABEL = re.compile(r'(?:aria-label|title|alt)="([^"]*)"')


def ids_of(content: Content) -> re.Pattern[str]:
    """Keys of cards that nobody would take for words, such as a06 or C4."""
    found = {key for table, entries in content.words.items()
             if isinstance(entries, dict) and table not in ("rules", "about", "said")
             for key in entries if re.search(r"\d", key)}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, found))) or 'no such key'})(?!\w)",
                      re.IGNORECASE)


def positions(game):
    """Positions of random games and since which move each tells what happened."""
    deals = itertools.cycle((variant, seats) for variant in (None, *game.variants)
                            for seats in range(game.seats[0], game.seats[1] + 1))
    chance = random.Random(20)
    for seed, (variant, seats) in enumerate(deals):
        position = Position(game, game.variant(variant), seats, seed)
        read = 0
        while len(position.actions) < game.step_limit:
            if position.is_over or len(position.logs) > read + APART - 1:
                yield position, read
                read = len(position.logs)
            if position.is_over:
                break
            position.play(chance.choice(position.legal()))


def sentences_of(position, since):
    """Everything that is said to anybody at this moment."""
    yield position.outcome() if position.is_over else position.question
    for viewer in (None, NOBODY, *range(position.seats)):
        yield from position.told(viewer, since=since)
        yield from (line.text for line in position.story(viewer, since=since))
    for seat in range(position.seats):
        yield from board_lines(position.game, position.observe(seat)[0], position.content, seat,
                               position.names)


def said(sentence, ids):
    """The sentence with what a player should not have to read in it; empty when there is none."""
    plain = CITED.sub("", sentence)
    odd = ODD.search(plain) or (None if ids is None else ids.search(plain))
    return f"{odd[0]!r} in {sentence!r}" if odd else ""


@each_game
def test_positions_read_well(game):
    ids, read, found = ids_of(game.content()), set(), set()
    for number, (position, since) in enumerate(itertools.islice(positions(game), POSITIONS)):
        sentences = set(sentences_of(position, since))
        if not position.is_over:
            sentences |= offered(position)
        if number % DRAWN_EVERY == 0:
            sentences |= set(drawn(position, since))
        found |= {odd for sentence in sentences - read if (odd := said(sentence, ids))}
        read |= sentences
    assert not found


def offered(position):
    """The choices, each of which reads differently; so they do in the terminal, which shows all of
    them whole."""
    menu = position.menu()
    lines = [line for _, line in menu]
    alike = {line for line in lines if lines.count(line) > 1}
    assert not alike, f"two choices read alike: {alike}"
    shown = printed(lambda terminal: terminal.print(moves_table(menu)),
                    width=3 * max(map(len, lines)) + 30)
    for number, line in enumerate(lines, 1):
        assert f"{number} {line}" in shown, line
    return set(lines)


def printed(write, width):
    console = Console(file=io.StringIO(), width=width)
    write(console)
    return console.file.getvalue()


def drawn(position, since):
    """What stands on the boards and the terminal's screen, and what somebody reads who asks why a
    move cannot be made."""
    for seat in (NOBODY, *range(position.seats)):
        observed = watched(position) if seat == NOBODY else position.observe(seat)
        view = view_of(position.game, observed[0], position.content, seat)
        page = boards.render(position.game, position.content, view, position.names, {})
        yield from map(html.unescape, [*LABEL.findall(page), *re.split(r"<[^>]*>", page)])
    if not position.is_over:
        yield from printed(lambda console: Terminal(
            position, {}, console, read_moves=since).show(position.actor), width=300).splitlines()
        for one in Refusals(position, position.actor).all():
            assert one.words and one.sentence, one.text
            yield from (one.words, one.sentence)


@each_game
def test_refusals_endings_and_explanations_read_well(game):
    content, names = game.content(), ["Ann", "Ben", "Cleo", "Dov", "Eve", "Finn"]
    words, state, ids = game.words, game.module("state"), ids_of(game.content())
    sentences = [words.refuse(why, content, names) for why in list(state.Refusal)[1:]]
    sentences += [words.ending(why, 1, content, names) for why in list(state.Ending)[1:]]
    sentences += [text for tip in words.tips(content).values() for text in tip]
    sentences += [goal(game, game.variant(name)) for name in (None, *game.variants)]
    sentences += measures_of(game).resources
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
