"""What the editions of Treasury share: icons, how they are written on cards and how they look.

Which icons there are differs, so each edition has an enum of its own and passes it here.
"""

from enum import IntEnum
from typing import Any

COLOURS = {
    "food": "green", "happiness": "magenta", "science": "cyan", "hides": "yellow",
    "stone": "white", "bronze": "dark_orange", "iron": "blue", "textiles": "bright_magenta",
    "coal": "bright_black", "clubs": "red", "spears": "red", "axes": "red", "swords": "red",
    "rifles": "red", "tanks": "red",
}


def coloured(name: str) -> str:
    """An icon for the terminal; its name is always there, so colour alone says nothing."""
    return f"[{COLOURS[name]}]{name}[/]"


def icon_number(icons: type[IntEnum], value: Any) -> int:
    """An icon by its name, as a card file gives it."""
    known = {member.name.lower(): member for member in icons}
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{value!r} is no icon; known are {', '.join(known)}")
    return known[value]


def icon_numbers(icons: type[IntEnum], value: Any) -> list[int]:
    if not isinstance(value, list):
        raise ValueError(f'{value!r} is not a list of icons such as ["food", "stone"]')
    return [icon_number(icons, name) for name in value]


def icon_mask(icons: type[IntEnum], value: Any) -> int:
    """A bit for each icon of a list."""
    return sum(1 << number for number in set(icon_numbers(icons, value)))
