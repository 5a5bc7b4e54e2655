"""Kingdom as lines of text: each kingdom in a few sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.plain_text import named
from exchequer.core.words import counted
from exchequer.games.kingdom.terminal import notes
from exchequer.games.kingdom.words import TEXTS


def lines(view: Mapping[str, Any], content: Content, names: Sequence[str]) -> Iterator[str]:
    yield f"Round {view['round']} of {view['rounds']}."
    for seat, kingdom in enumerate(view["kingdoms"]):
        yield f"{named(view, names, seat)}: {strength(kingdom)}"
        yield f"  {holdings(kingdom, content)}"
    if view["plan"]:
        yield f"On your list: {', '.join(map(TEXTS.text, view['plan']))}."


def strength(kingdom: dict[str, Any]) -> str:
    """What is counted."""
    return (f"{kingdom['points']} points, {kingdom['ap']} AP, {kingdom['gold']} gold "
            f"(income {kingdom['income']}, upkeep {kingdom['upkeep']}), castle "
            f"{kingdom['castle']} of {kingdom['castle_start']}, army {kingdom['army']}, fort "
            f"{kingdom['fort']} (absorbs {kingdom['absorption']} %), happiness "
            f"{kingdom['happiness']} ({kingdom['mood'].rstrip('.')}).")


def holdings(kingdom: dict[str, Any], content: Content) -> str:
    """Who lives there, and what stands there."""
    developments = ", ".join(owned(content, "development", kingdom["developments"])) or "nothing"
    buildings = ", ".join(content.words["building"][key]["name"] for key in kingdom["buildings"])
    said = [f"People: {', '.join(owned(content, 'role', kingdom['people']))} (room for "
            f"{kingdom['cap']}).",
            f"{counted(kingdom['lands'], 'Land')} ({kingdom['tilled']} tilled, "
            f"{counted(kingdom['free_slots'], 'slot')} free): {developments}.",
            f"Buildings: {buildings or 'none'}."]
    return " ".join(said + [f"{note[:1].upper()}{note[1:]}." for note in notes(kingdom)])


def owned(content: Content, table: str, counts: Mapping[str, int]) -> list[str]:
    return [counted(count, content.words[table][key]["name"]) for key, count in counts.items()
            if count]
