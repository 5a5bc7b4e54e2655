"""Names and messages as people type them: cleaned, bounded, and no two alike at one table."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from exchequer.table.refusals import BadInput

NAME_LENGTH, CHAT_LENGTH, WHY_LENGTH = 24, 500, 300
MOST_MARKS = 2  # accents on one letter
CYRILLIC, GREEK = "авекмнорстухѕіјԁԛԝүһӏ", "αβεικνορτυχηω"
ALIKE = str.maketrans(f"{CYRILLIC}{GREEK}\u0131l|10",
                      "abekmhopctyxsijdqwyhi" "abeikvoptuxnw" "iiiio")
# letters of other alphabets, and digits, that are read as a Latin letter
LEFT_OUT = ("Cc", "Cf", "Cs", "Co", "Cn")  # control characters, tricks of writing direction
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs by name that show nothing


def clean_text(text: Any, longest: int, what: str) -> str:
    """One line that shows something: no control characters, no towers of accents."""
    if not isinstance(text, str):
        raise BadInput(f"{what} must be a text.")
    kept: list[str] = []
    marks = 0
    for letter in text:
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith("M") else 0
        if letter.isspace() or letter in BLANKS:
            kept.append(" ")
        elif category not in LEFT_OUT and marks <= MOST_MARKS:
            kept.append(letter)
    line = " ".join("".join(kept).split())
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in line):
        raise BadInput(f"{what} is empty.")
    if len(line) > longest:
        raise BadInput(f"{what} may have {longest} characters, not {len(line)}.")
    return line


def same_name(one: str, other: str) -> bool:
    return _key(one) == _key(other)


def unique_name(name: str, taken: Sequence[str]) -> str:
    """The name, with a number where somebody at the table has it already."""
    keys = {_key(other) for other in taken}
    number, found = 2, name
    while _key(found) in keys:
        found, number = f"{name} ({number})", number + 1
    return found


def _key(name: str) -> str:
    """What looks alike is the same: case, width, accents and alphabets aside."""
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(ALIKE)
    return "".join(letter for letter in plain if letter.isalnum()) or plain
