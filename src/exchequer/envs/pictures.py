"""A screen of text as a picture, character by character on a grid."""

import functools
from typing import Any

import numpy as np

from exchequer.core.errors import InputError

CELL = (8, 16)  # width and height of a character
PLAIN = str.maketrans({**dict.fromkeys("─━═", "-"), **dict.fromkeys("│┃║", "|"),
                       **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼╞╡╔╗╚╝", "+"), "■": "#", "□": "."})


@functools.cache
def glyph(character: str) -> np.ndarray:
    """One character, drawn with Pillow's own font."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", CELL)
    ImageDraw.Draw(image).text((1, 1), character, fill=255, font=ImageFont.load_default(12))
    return np.asarray(image)


def picture(text: str) -> np.ndarray:
    """An array of height x width x 3 with light text on a dark ground."""
    lines = text.translate(PLAIN).splitlines() or [""]
    width = max(len(line) for line in lines) or 1
    canvas = np.zeros((len(lines) * CELL[1], width * CELL[0]), np.uint8)
    for row, line in enumerate(lines):
        for column, character in enumerate(line):
            if character != " ":
                canvas[row * CELL[1] : (row + 1) * CELL[1],
                       column * CELL[0] : (column + 1) * CELL[0]] = glyph(character)
    return np.repeat(np.maximum(canvas, 24)[:, :, None], 3, axis=2)


RENDERING: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}


def drawable(mode: str | None) -> str | None:
    """A render mode that there is."""
    if mode is not None and mode not in RENDERING["render_modes"]:
        raise InputError(f'There is no render mode "{mode}"; there are '
                         f"{', '.join(RENDERING['render_modes'])}.")
    return mode


def drawn(screen: str, mode: str | None) -> str | np.ndarray | None:
    """A screen in a render mode: printed for people, as text, or as a picture."""
    if mode == "human":
        print(screen)
        return None
    return screen if mode == "ansi" else picture(screen)
