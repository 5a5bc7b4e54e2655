"""What Treasury's cards are called: by both titles, and by what differs where cards share them."""

from collections import Counter
from collections.abc import Sequence


def told_apart(titles: Sequence[str], abilities: Sequence[str]) -> list[str]:
    """The titles; cards that share one with the ability behind it, and true copies numbered."""
    found: dict[str, set[str]] = {}
    for title, ability in zip(titles, abilities, strict=True):
        found.setdefault(title, set()).add(ability)
    lines = [f"{title}: {ability or 'no ability'}" if len(found[title]) > 1 else title
             for title, ability in zip(titles, abilities, strict=True)]
    copies, seen = Counter(lines), Counter[str]()
    for place, line in enumerate(lines):
        if copies[line] > 1:
            seen[line] += 1
            lines[place] = f"{line}, copy {seen[line]}"
    return lines
