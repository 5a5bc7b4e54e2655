"""Treasury 0.3 in the terminal: the civ on top, then the demand, then a panel for each player."""

from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from exchequer.core.content import Content
from exchequer.core.words import counted
from exchequer.games.treasury.icons import coloured

OURS = "*"  # marks cards made by this project, not by the designer
LEGEND = f"! with barbarians   {OURS} a card of ours, which the designer never made"


def screen(view: dict[str, Any], content: Content, names: Sequence[str]) -> Group:
    panels = [player_panel(view, seat, names) for seat in range(len(view["players"]))]
    hand = hand_panel(view["players"][view["seat"]]["hand"])
    return Group(civ_line(view, names), piles_line(view), events_line(view), demand_line(view),
                 Columns(panels), hand, Text(LEGEND, style="dim"))


def demand(card: dict[str, Any]) -> str:
    return coloured(card["demand"]) + ("[bold red]![/]" if card["barbarian"] else "")


def civ_line(view: dict[str, Any], names: Sequence[str]) -> Text:
    note = "the last round" if view["last_round"] else "closing" if view["closing"] else ""
    return Text.from_markup(
        f"[bold]Age {view['age']}, round {view['round']}[/] ({names[view['first']]} starts"
        f"{', ' + note if note else ''})   treasury [bold yellow]{view['treasury']}[/]   "
        f"population [bold]{view['population']}[/]   barbarians "
        f"[bold red]{view['barbarians']}[/]")


def piles_line(view: dict[str, Any]) -> Text:
    decks = "  ".join(f"{age} {count}" for age, count in view["decks"].items())
    discards = "  ".join(f"{age} {name(cards[-1])}" for age, cards in view["discards"].items()
                         if cards)
    return Text.from_markup(f"[dim]decks[/] {decks}   [dim]discards[/] {discards or 'none'}")


def events_line(view: dict[str, Any]) -> Text:
    """The events in the order in which they come: revealed, current, future."""
    row = " > ".join(f"{card['event_name']} ({demand(card)})" for card in view["row"])
    current = " ".join(secret(card) for card in reversed(view["current"]))
    future = " ".join(secret(card) for card in view["future"])
    return Text.from_markup(f"[dim]revealed[/] {row or 'nothing'}\n[dim]current[/]  "
                            f"{current or 'empty'}   [dim]future[/] {future or 'empty'}")


def secret(card: dict[str, Any]) -> str:
    """A card of a pile: what this seat knows of it."""
    return f"\\[{card['event_name']}]" if card["card"] else f"\\[{card['back']}]"


def demand_line(view: dict[str, Any]) -> Text:
    cards = " ".join(demand(card) for card in view["demand"])
    return Text.from_markup(f"[dim]demand[/]   {cards or 'none'}  [dim](the oldest first)[/]")


def name(card: dict[str, Any]) -> str:
    return card["name"] + (OURS if card["ours"] else "") if card["card"] else f"age {card['back']}"


def player_panel(view: dict[str, Any], seat: int, names: Sequence[str]) -> Panel:
    player = view["players"][seat]
    table = Table(box=None, show_header=False, padding=(0, 1))
    for column in ("dim", "", "", ""):
        table.add_column(style=column)
    for business in player["businesses"]:
        table.add_row(str(business["place"]), *business_cells(business))
    if not player["businesses"]:
        table.add_row("", "no businesses", "", "")
    acts = seat == view["actor"]
    title = f"{names[seat]}: {player['gold']} gold, {len(player['hand'])} cards" \
        + (", loses the next turn" if player["loses_turn"] else "")
    return Panel(table, title=title, width=58, border_style="green" if acts else "dim")


def business_cells(business: dict[str, Any]) -> tuple[str, str, str]:
    card = business["business"]
    cards = f"+{len(business['developments'])}" if business["developments"] else ""
    if not business["open"]:
        cost = f"{counted(card['develop_cost'], 'card')} or {card['gold_cost']} gold" \
            if card["card"] else ""
        return f"[dim]\\[{name(card)}] {cards}[/]", "[dim]startup[/]", f"[dim]{cost}[/]"
    icons = " ".join(coloured(provision) for provision in card["provides"])
    stored = f" [yellow]({business['stored']} gold)[/]" if business["stored"] else ""
    contract = f"[bold]contract {business['value']}[/]" if business["contract"] \
        else f"[dim]worth {card['contract']}[/]"
    return f"{name(card)}{stored}", icons, contract


def hand_panel(hand: list[dict[str, Any]]) -> Panel:
    table = Table("age", "business", "provides", "cost", "contract", "ability", "event", "demand",
                  box=None, header_style="dim", padding=(0, 1))
    for card in hand:
        table.add_row(card["back"], name(card), " ".join(coloured(i) for i in card["provides"]),
                      f"{card['develop_cost']} / {card['gold_cost']}", str(card["contract"]),
                      card["ability"], f"{card['event_name']}: {card['event']}", demand(card))
    return Panel(table, title="your hand (cost: development cards / gold)", border_style="dim")
