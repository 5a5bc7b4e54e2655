"""`exchequer new`: a folder with a small game that already plays."""

import keyword
import pathlib
import re

from exchequer.core.errors import InputError

STARTERS = pathlib.Path(__file__).parents[1] / "starters"
FIRST = "harvest"


def starters() -> list[str]:
    """The games that can be copied."""
    return sorted(book.parent.name for book in STARTERS.glob("*/rulebook.md"))


def new_game(name: str, like: str, place: pathlib.Path) -> pathlib.Path:
    """Copy a starter under the name of the new game; its paragraphs get the name's first letter."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise InputError(f'"{name}" cannot be a game\'s name: small letters, digits and _ make '
                         "one, such as my_game.")
    if like not in starters():
        raise InputError(f'There is no starter "{like}". There are: {", ".join(starters())}.')
    folder = place / name
    if folder.exists():
        raise InputError(f"{folder} is there already; nothing was written.")
    folder.mkdir(parents=True)
    for path in (*sorted((STARTERS / like).iterdir()), STARTERS / "AGENTS.md"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            (folder / path.name).write_text(renamed(text, like, name), encoding="utf-8")
    return folder


def renamed(text: str, like: str, name: str) -> str:
    """The starter's title, and X as the letter of its paragraphs, give way to the game's own."""
    title = name.replace("_", " ").title()
    text = re.sub(r"\bX-(?=\d)", f"{name[0].upper()}-", text)
    text = re.sub(r"\btest_x(?=\d)", f"test_{name[0]}", text)
    return text.replace(like.title(), title) if like == FIRST else text
