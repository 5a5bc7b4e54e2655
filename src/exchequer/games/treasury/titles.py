"""What Treasury's cards are called: by both titles, and by what differs where cards share them."""

import re
from collections import Counter
from collections.abc import Sequence, Set


def told_apart(titles: Sequence[str], abilities: Sequence[str]) -> list[str]:
    """The titles; cards that share one with how their ability begins, and true copies numbered."""
    found: dict[str, set[str]] = {}
    for title, ability in zip(titles, abilities, strict=True):
        found.setdefault(title, set()).add(ability)
    lines = [f"{title}: {ability_mark(ability, found[title])}" if len(found[title]) > 1 else title
             for title, ability in zip(titles, abilities, strict=True)]
    copies, seen = Counter(lines), Counter[str]()
    for place, line in enumerate(lines):
        if copies[line] > 1:
            seen[line] += 1
            lines[place] = f"{line}, copy {seen[line]}"
    return lines


def ability_mark(ability: str, among: Set[str]) -> str:
    """The ability's first words, as far as they tell it from the others; else all of it."""
    begin = opening(ability)
    alone = sum(opening(other) == begin for other in among) == 1
    return (begin if alone else ability) or "no ability"


def opening(ability: str) -> str:
    first = re.split(r"[,.:;]", ability)[0]
    return first[:1].lower() + first[1:]
