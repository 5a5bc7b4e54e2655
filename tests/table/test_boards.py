"""The boards: drawn for every seat and watcher, clickable where something can be done, telling
nothing that the viewer may not know."""

import functools
import json
import random
import re
from html.parser import HTMLParser

import pytest

from exchequer.core.find import all_games
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.table import boards
from exchequer.table.regions import take_apart
from exchequer.table.watching import watched

GAMES = all_games()
NAMES = ["Ann", "<b>Ben</b>", 'Cleo "C" & Co', "Dov", "Eve", "Finn"]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


class Reader(HTMLParser):
    """What tests ask of a board: its attributes by name, and that its tags are balanced."""

    VOID = ("use", "path", "rect", "circle")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.elements: list[dict[str, str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append({"": tag, **{key: value or "" for key, value in attrs}})
        for key, value in attrs:
            self.found.setdefault(key, []).append(value or "")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def __getitem__(self, attribute: str) -> list[str]:
        return self.found.get(attribute, [])


@functools.cache
def moments(game, seats, seed=3, every=10, limit=240):
    """Positions of one random game, every tenth and the last."""
    position, chance, found = Position(game, seats=seats, seed=seed), random.Random(seed), []
    while not position.is_over and len(position.actions) < limit:
        if len(position.actions) % every == 0:
            found.append(snapshot(position))
        position.play(chance.choice(position.legal()))
    return [*found, snapshot(position)]


def snapshot(position):
    """A position frozen as it is now."""
    here = Position(position.game, position.content, position.seats, position.seed)
    here._states[:] = position._states
    return here


def drawn(position, seat):
    """The board of one viewer, and where that viewer can click."""
    game, content = position.game, position.content
    moves = {}
    if position.actor == seat:
        moves = boards.spots(game, position.observe(seat)[0], content, position.legal())
    seen = watched(position) if seat == NOBODY else position.observe(seat)
    view = game.module("view").view(seen[0], content, seat)
    return boards.render(game, content, view, NAMES, moves), moves


def viewers(position):
    return [NOBODY, *range(position.seats)]


@each_game
def test_a_board_is_drawn_for_everybody_and_every_spot_can_be_clicked(game):
    tips = boards.tips(game, game.content())
    icons = {path.stem for path in boards.icon_files(game)}
    for seats in {game.seats[0], game.seats[1]}:
        for position in moments(game, seats):
            for seat in viewers(position):
                html, moves = drawn(position, seat)
                read = Reader(html)
                assert set(moves) <= set(read["data-spot"])
                assert set(read["data-spot"]) <= set(moves)
                assert set(read["data-tip"]) <= set(tips)
                assert len(read["data-region"]) == len(set(read["data-region"]))
                assert len(read["data-piece"]) == len(set(read["data-piece"]))
                assert {href.removeprefix("#icon-") for href in read["href"]} <= icons
                assert "style" not in read.found
                assert "<script" not in html


@each_game
def test_what_can_be_clicked_is_a_labelled_button_with_its_moves(game):
    for position in moments(game, game.seats[0]):
        if position.is_over:
            continue
        html, moves = drawn(position, position.actor)
        for element in Reader(html).elements:
            if spot := element.get("data-spot"):
                assert element["data-moves"] == " ".join(map(str, moves[spot]))
                assert element["tabindex"] == "0" and element["role"] == "button"
                assert element["aria-label"].strip()
                assert "live" in element["class"].split()
                assert element[""] in ("div", "span")  # what may be a button to a screen reader


@each_game
def test_only_regions_change_in_a_game(game):
    for seat in (NOBODY, 0):
        frames = {take_apart(drawn(position, seat)[0]).frame
                  for position in moments(game, game.seats[1])}
        assert len(frames) == 1


@each_game
def test_names_are_escaped(game):
    for position in moments(game, game.seats[1])[:3]:
        html, _ = drawn(position, 0)
        assert "<b>Ben</b>" not in html
        assert game.seats[1] == 1 or "&lt;b&gt;Ben&lt;/b&gt;" in html


@each_game
def test_worlds_that_differ_only_in_secrets_look_alike(game):
    for position in moments(game, game.seats[1])[::3]:
        for seat in range(position.seats):
            other = snapshot(position)
            other._states[:] = position.determinize(seat, 77)
            assert drawn(position, seat) == drawn(other, seat)


@each_game
def test_every_link_between_tips_leads_somewhere(game):
    tips = boards.tips(game, game.content())
    for tip in tips.values():
        assert tip["title"] and tip["text"]
        for key, label in boards.LINK.findall(tip["text"]):
            assert key in tips and label
        assert "[[" not in boards.LINK.sub("", tip["text"])
    assert sum(bool(boards.LINK.search(tip["text"])) for tip in tips.values()) > len(tips) / 4
    json.dumps(tips)


@each_game
def test_every_icon_and_card_is_explained(game):
    content = game.content()
    tips = boards.tips(game, content)
    for table, kinds in game.schema.tables.items():
        if table in ("ability", "effect"):  # told on the cards that have them
            continue
        for member in kinds.members:
            key = f"{table}.{member.name.lower()}"
            assert key in tips, key


@each_game
def test_the_sprite_holds_every_icon_once(game):
    sprite = boards.sprite(game)
    ids = re.findall(r'<symbol id="icon-([\w-]+)"', sprite)
    assert len(ids) == len(set(ids)) == len(boards.icon_files(game))
    assert sprite.count("<svg") == 1 and 'viewBox="0 0 24 24"' in sprite
    assert "currentColor" in sprite and "xmlns" not in sprite


@each_game
def test_the_picture_is_one_drawing_without_script_or_style(game):
    picture = boards.picture(game)
    assert picture.startswith("<svg") and picture.endswith("</svg>")
    assert "viewBox" in picture and "role=\"img\"" in picture and "aria-label" in picture
    assert "<script" not in picture and "style=" not in picture and "href=\"http" not in picture


def test_links_are_made_once_and_never_to_the_tip_itself():
    terms = {"Gold": "gold", "Mill": "building.mill"}
    pattern = boards.named_in_text(tuple(terms))
    text = "A Mill brings gold; a mill more gold. [[gold|Coins]]"
    assert boards.linked(text, "farm", terms, pattern) == (
        "A [[building.mill|Mill]] brings gold; a mill more gold. [[gold|Coins]]")
    assert boards.linked("Gold for two Mills", "gold", terms, pattern) == (
        "Gold for two [[building.mill|Mills]]")
