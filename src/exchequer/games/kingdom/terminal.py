"""Kingdom in the terminal: two kingdoms side by side."""

from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from exchequer.core.content import Content
from exchequer.core.words import counted
from exchequer.games.kingdom.words import action_name

LETTERS = {"house": "H", "farm": "F", "outpost": "O", "watchtower": "W", "garden": "G"}


def screen(view: dict[str, Any], content: Content, names: Sequence[str]) -> Group:
    panels = [kingdom_panel(kingdom, content, names[seat], seat == view["actor"])
              for seat, kingdom in enumerate(view["kingdoms"])]
    legend = "  ".join(f"{letter} {content.words['development'][key]['name']}"
                       for key, letter in LETTERS.items())
    planned = ", ".join(action_name(content, action) for action in view["plan"])
    return Group(Text(f"Round {view['round']} of {view['rounds']}", style="bold"),
                 Columns(panels), Text(f"lands: {legend}  . free slot", style="dim"),
                 *([Text(f"your secret list: {planned}")] if planned else []))


def kingdom_panel(kingdom: dict[str, Any], content: Content, name: str, acts: bool) -> Panel:
    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_column(style="dim")
    table.add_column()
    table.add_row("castle", bar(kingdom["castle"], kingdom["castle_start"]))
    table.add_row("gold", f"[bold yellow]{kingdom['gold']}[/] (income +{kingdom['income']}, "
                          f"upkeep -{kingdom['upkeep']})")
    table.add_row("happiness", happiness_track(kingdom["happiness"]))
    table.add_row("", f"[dim]{kingdom['mood']}[/]")
    table.add_row("strength", f"army [bold red]{kingdom['army']}[/]  fortification "
                              f"[bold blue]{kingdom['fort']}[/]  absorbs "
                              f"{kingdom['absorption']} %")
    table.add_row("people", people(kingdom, content))
    table.add_row("lands", lands(kingdom))
    table.add_row("buildings", ", ".join(content.words["building"][key]["name"]
                                         for key in kingdom["buildings"]) or "none")
    table.add_row("notes", ", ".join(notes(kingdom, content)) or "-")
    title = f"{name}: {counted(kingdom['points'], 'point')}"
    title += f", {counted(kingdom['ap'], 'action point')}" if acts else ""
    return Panel(table, title=title, width=60, border_style="green" if acts else "dim")


def bar(value: int, most: int) -> str:
    """Hit points as blocks; a castle of many is shown as a number alone."""
    blocks = f"[red]{'■' * value}[/][dim]{'□' * (most - value)}[/] " if most <= 20 else ""
    return f"{blocks}{value}"


def happiness_track(value: int) -> str:
    """-10 to 10 with the thresholds marked and the present value bold."""
    marks = {-10, -8, -5, -3, 0, 3, 5, 8, 10}
    cells = [f"[bold reverse]{value}[/]" if at == value else "┼" if at in marks else "─"
             for at in range(-10, 11)]
    return "".join(cells)


def people(kingdom: dict[str, Any], content: Content) -> str:
    held = [f"{count} {content.words['role'][role]['name']}"
            for role, count in kingdom["people"].items() if count]
    return f"{', '.join(held)} (room for {kingdom['cap']})"


def lands(kingdom: dict[str, Any]) -> str:
    """Each Land as a bracket with its slots; which Land holds what does not matter (K-4)."""
    placed = "".join(LETTERS[kind] * count for kind, count in kingdom["developments"].items())
    placed = placed.ljust(kingdom["lands"] + kingdom["tilled"], ".")
    brackets, at = [], 0
    for land in range(kingdom["lands"]):
        size = 2 if land < kingdom["tilled"] else 1
        brackets.append(f"\\[{' '.join(placed[at:at + size])}]")
        at += size
    return " ".join(brackets)


def notes(kingdom: dict[str, Any], content: Content) -> list[str]:
    """What holds for a while (K-18, K-33, K-34)."""
    value = content.value
    told = {"festival_open": f"festival: attacks do {value('festival_damage')} times the damage",
            "plow_token": f"plow token: {value('plow_surcharge')} gold more for the next Action",
            "palace_free": "the first Action costs no gold"}
    return [text for key, text in told.items() if kingdom[key]]
