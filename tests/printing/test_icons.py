"""Icons: every one that a piece shows is drawn, and they are told apart without colour."""

import itertools
import pathlib

import pymupdf
import pytest

from exchequer.core.find import find_game, game_names
from exchequer.printing.pieces import decks_of
from exchequer.printing.typeset import PACKAGE, icon_files

NAMING = {"icon", "provides", "demand", "subtypes", "family", "icons"}  # what names icons in faces
SIZE = 32  # pixels: what a reader has of an icon on a card at arm's length


def shown_icons(name):
    game = find_game(name)
    found = set()
    for deck in decks_of(game, game.content()):
        for piece in deck.pieces:
            for face in (piece.front, piece.back):
                for key, value in (face.data.items() if face else ()):
                    if key in NAMING:
                        found |= {value} if isinstance(value, str) else set(value)
    return found


def grey(path):
    """An icon as its creator drew it, in grey on white."""
    drawing = pathlib.Path(path).read_text().replace("currentColor", "#000000")
    page = pymupdf.open(stream=drawing.encode(), filetype="svg")[0]
    zoom = SIZE / page.rect.width
    return page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace="gray").samples


@pytest.mark.parametrize("name", game_names())
def test_every_icon_shown_is_drawn(name):
    assert shown_icons(name) <= set(icon_files(find_game(name)))


@pytest.mark.parametrize("name", game_names())
def test_icons_are_dark_enough_and_differ_in_grey(name):
    files = icon_files(find_game(name))
    pictures = {icon: grey(PACKAGE / files[icon].lstrip("/")) for icon in shown_icons(name)}
    for icon, picture in pictures.items():
        dark = sum(shade < 100 for shade in picture) / len(picture)
        assert dark > 0.05, f"{icon} is too faint"
    for (one, first), (other, second) in itertools.combinations(sorted(pictures.items()), 2):
        apart = sum(abs(a - b) for a, b in zip(first, second, strict=True)) / len(first)
        assert apart > 12, f"{one} and {other} look alike in grey"
