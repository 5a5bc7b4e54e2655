"""Treasury 0.17 in the terminal: the civilisation on top, then a panel for each player."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from exchequer.core.content import Content
from exchequer.games.treasury.icons import coloured

AGE_NAMES = ["0", "I", "II", "III"]


def screen(view: dict[str, Any], content: Content, names: Sequence[str]) -> Group:
    panels = [player_panel(view, seat, names[seat]) for seat in range(len(view["players"]))]
    return Group(civilisation(view, names), *panels, hand_panel(view))


def civilisation(view: dict[str, Any], names: Sequence[str]) -> Panel:
    """Treasury, queue, demand and piles at a glance."""
    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_column(style="dim")
    table.add_column()
    table.add_row("treasury", f"[bold yellow]{view['treasury']}[/] gold, population "
                              f"{view['population']}")
    table.add_row("queue", " > ".join(event(card) for card in view["queue"]) or "empty")
    table.add_row("demand", "  ".join(demand(card) for card in view["demand"]) or "empty")
    piles = "  ".join(f"{AGE_NAMES[age]}: {len(pile)}" for age, pile
                      in enumerate(view["draw_piles"]))
    table.add_row("draw piles", f"{piles}  discards: {len(view['discard'])}")
    if view["obsolete"]:
        table.add_row("obsolete", ", ".join(view["obsolete"]))
    if view["aside"]:
        table.add_row("aside", ", ".join(event(card) for card in view["aside"]))
    title = f"Age {AGE_NAMES[view['age']]}"
    if view["last_seat"] >= 0:
        title += f": {names[view['last_seat']]} took the last event"
    return Panel(table, title=title, border_style="yellow")


def event(card: dict[str, Any]) -> str:
    """An event of the queue with its demand; bottom first."""
    if "event" not in card:
        return f"[dim]face-down {card['age']}[/]"
    hidden = "" if card["face_up"] else " [dim](face-down)[/]"
    return f"{card['event']} ({coloured(card['demand'])}){hidden}"


def demand(card: dict[str, Any]) -> str:
    """A demand card: only its icon matters; a blank shows its age."""
    if not card["face_up"]:
        known = f" {card['demand']}" if "demand" in card else ""
        return f"[dim]#{card['age']}{known}[/]"
    return coloured(card["demand"])


def player_panel(view: dict[str, Any], seat: int, name: str) -> Panel:
    player = view["players"][seat]
    table = Table(box=None, padding=(0, 1))
    for column in ("", "business", "provides", "contract", "cards", "notes"):
        table.add_column(column, style="dim" if not column else None)
    for business in player["businesses"]:
        table.add_row(*business_row(business))
    title = (f"{name}: {player['gold']} gold, {len(player['hand'])} cards "
             f"({player['held']} of {player['limit']})")
    acts = seat == view["actor"]
    if seat == view["current"]:
        title += ", to play"
    return Panel(table if player["businesses"] else Text("no business", style="dim"), title=title,
                 border_style="green" if acts else "dim")


def business_row(business: dict[str, Any]) -> list[str]:
    card = business["card"]
    name = card.get("business", f"startup of age {card['age']}")
    shown = name if business["open"] else f"[dim]({name})[/]"
    icons = card.get("provides", []) if business["open"] else []
    provides = " ".join(coloured(icon) for icon in icons)
    if business["contract"] is not None:
        state = f"paid {business['contract_gold']}" if business["paid"] else "unpaid"
        contract = f"{business['value']} ({state})"
    else:
        contract = f"[dim]{business['value']}[/]" if business["open"] else ""
    cards = str(business["development_count"]) if business["development_count"] else ""
    if not business["open"] and "develop_cost" in card:
        cards = (f"{business['development_count']}/{card['develop_cost']} "
                 f"or {card['gold_cost']} gold")
    notes = f"{business['stored']} stored" if business["stored"] else ""
    if business["fresh"]:
        notes = "new this turn"
    return [str(business["place"]), shown, provides, contract, cards, notes]


def hand_panel(view: dict[str, Any]) -> Panel:
    """The viewer's own cards with both halves."""
    table = Table("age", "business", "cost", "contract", "ability", "event (its demand)", box=None,
                  header_style="dim", padding=(0, 1))
    for card in view["players"][view["seat"]]["hand"]:
        provides = " ".join(coloured(name) for name in card["provides"])
        table.add_row(card["age"], f"[bold]{card['business']}[/] {provides}",
                      f"{card['develop_cost']} / {card['gold_cost']}", str(card["contract"]),
                      f"[dim]{card['ability']}[/]", f"{card['event']} ({coloured(card['demand'])})")
    return Panel(table, title="your hand (cost: development cards / gold)", border_style="cyan")
