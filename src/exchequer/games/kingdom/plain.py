"""Kingdom as lines of text: each kingdom in a few sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.plain_text import named
from exchequer.core.words import counted
from exchequer.games.kingdom.terminal import notes
from exchequer.games.kingdom.words import action_name


def lines(view: Mapping[str, Any], content: Content, names: Sequence[str]) -> Iterator[str]:
    yield f"Round {view['round']} of {view['rounds']}."
    for seat, kingdom in enumerate(view["kingdoms"]):
        yield f"{named(view, names, seat)}: {strength(kingdom)}"
        yield f"  {holdings(kingdom, content)}"
    if view["plan"]:
        planned = ", ".join(action_name(content, action) for action in view["plan"])
        yield f"Your secret list: {planned}."


def strength(kingdom: dict[str, Any]) -> str:
    """What is counted."""
    return (f"{counted(kingdom['points'], 'point')}, {counted(kingdom['ap'], 'action point')}, "
            f"{kingdom['gold']} gold (income {kingdom['income']}, upkeep {kingdom['upkeep']}), "
            f"castle {kingdom['castle']} of {kingdom['castle_start']}, army {kingdom['army']}, "
            f"fortification {kingdom['fort']} (absorbs {kingdom['absorption']} %), happiness "
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
    return " ".join(said + [f"{note[:1].upper()}{note[1:]}." for note in notes(kingdom, content)])


def owned(content: Content, table: str, counts: Mapping[str, int]) -> list[str]:
    return [counted(count, content.words[table][key]["name"]) for key, count in counts.items()
            if count]
