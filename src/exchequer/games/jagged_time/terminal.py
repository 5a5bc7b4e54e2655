"""The Jagged Time in the terminal: banks, agenda with its clocks, milestone and hand."""

from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from exchequer.core.content import Content
from exchequer.core.words import counted
from exchequer.games.jagged_time.acts import has_later_acts
from exchequer.games.jagged_time.texts import Line, card_name, cost_text, goal, lines

COLOURS = {"might": "red", "stability": "blue", "influence": "yellow", "food": "green",
           "trade": "magenta"}
HEADS = {"victory": "green", "defeat": "red", "timer": "red", "retained": "red", "clock": "yellow",
         "crisis": "yellow"}
CARD_WIDTH = 38


def screen(view: dict[str, Any], content: Content, names: Sequence[str]) -> Group:
    cards = [agenda_panel(card, content, f"slot {card['place'] + 1}") for card in view["agenda"]]
    cards.append(agenda_panel(view["milestone"], content, milestone_title(view["milestone"])))
    return Group(headline(view, content, names), Text(goal(content), style="italic"),
                 banks(view), Columns(cards), hand(view, content), piles(view, content))


def headline(view: dict[str, Any], content: Content, names: Sequence[str]) -> Text:
    act = f"{view['act']}. " if has_later_acts(content) else ""
    text = Text(f"{act}Turn {view['turn']} of {view['turns']}, {view['phase']} phase", style="bold")
    provinces = counted(view["provinces"], "province")
    text.append(f"   {names[0]}: {view['points']} points, {provinces}, ", style="dim")
    limit = f" of {view['collapse']}" if view["collapse"] else ""
    text.append(f"{view['crises']}{limit} crisis cards",
                style="bold red" if limit and view["crises"] * 2 >= view["collapse"] else "dim")
    return text


def banks(view: dict[str, Any]) -> Table:
    """Each bank as filled and empty places up to its maximum."""
    table = Table(box=None, show_header=False, padding=(0, 1))
    for name, bank in view["banks"].items():
        filled = f"[{COLOURS[name]}]{'■' * bank['bank']}[/]"
        empty = f"[dim]{'□' * (bank['maximum'] - bank['bank'])}[/]"
        gained = f"[dim](+{bank['gained']} this turn)[/]" if bank["gained"] else ""
        table.add_row(f"[{COLOURS[name]}]{name}[/]", f"{filled}{empty}",
                      f"[bold]{bank['bank']}[/]", gained)
    return table


def milestone_title(milestone: dict[str, Any]) -> str:
    done = ", resolved" if milestone["resolved"] else ""
    return f"milestone {milestone['number']} of {milestone['of']}{done}"


def agenda_panel(card: dict[str, Any], content: Content, title: str) -> Panel:
    if "id" not in card:
        return Panel("[dim]empty[/]", title=title, width=CARD_WIDTH, border_style="dim")
    text = [f"[bold]{escape(card['name'])}[/]", *counters(card)]
    text += [shown(line) for line in lines(content, card["id"])]
    return Panel("\n".join(text), title=title, width=CARD_WIDTH, border_style=border(card))


def shown(line: Line) -> str:
    """A line of a card with its head and price in colour."""
    price = f" [cyan]({escape(line.price)})[/]" if line.price else ""
    head = f"[{HEADS.get(line.icon, 'bold')}]{escape(line.head)}[/]{price}: " if line.head else ""
    return f"{head}{escape(line.text)}"


def counters(card: dict[str, Any]) -> list[str]:
    """Timer, marker and progress as strips."""
    strips = []
    if timer := card.get("timer"):
        paused = " paused" if timer["paused"] else ""
        strips.append(f"timer {'⧗' * timer['at']}[dim]{'·' * (timer['size'] - timer['at'])}[/]"
                     f"{paused}")
    if track := card.get("track"):
        strip = "".join("[bold reverse]●[/]" if at == track["at"] else "─"
                        for at in range(track["size"] + 1))
        strips.append(f"track [red]✗[/]{strip}[green]✓[/]")
    for part in card["progress"]:
        left = "◇" * (part["size"] - part["at"])
        strips.append(f"{escape(part['name'])} {'◆' * part['at']}[dim]{left}[/]")
    if upkeep := card.get("upkeep"):
        strips.append(f"given {upkeep['at']} of {upkeep['size']} times")
    return strips


def border(card: dict[str, Any]) -> str:
    """Red where the clocks strike this turn."""
    ends = card.get("timer", {"at": 2, "paused": False})
    strikes = (ends["at"] == 1 and not ends["paused"]) or card.get("track", {"at": 2})["at"] == 1
    return "red" if strikes else "yellow" if card["crisis"] else "green"


def hand(view: dict[str, Any], content: Content) -> Panel:
    table = Table(box=None, padding=(0, 1))
    for title in ("card", "cost", "what it does"):
        table.add_column(title, header_style="dim")
    for card in view["hand"]:
        cost = cost_text(content, card["id"])
        table.add_row(f"[bold]{escape(card['name'])}[/]", "free" if cost == "nothing" else cost,
                      "\n".join(shown(line) for line in lines(content, card["id"])))
    draw = view["draw"]
    promised = f" {draw['next']:+}" if draw["next"] else ""
    return Panel(table, title=f"hand ({len(view['hand'])})",
                 subtitle=f"next draw {draw['limit']}{promised}", border_style="cyan")


def piles(view: dict[str, Any], content: Content) -> Text:
    """What the piles hold, and the clocks that belong to names."""
    clocks = ", ".join(f"{clock['name']} {clock['at']}/{clock['size']}" for clock in view["clocks"])
    known = ", ".join(f"{card_name(content, card['id'])} at {card['depth']}"
                      for card in view["known_objectives"])
    listed = pile("", view["objective_counts"], content)[1] if view["objective_counts"] else ""
    seen = f"seen: {known}" if known else ""
    rows = [("clocks", clocks), pile("action deck", view["deck"], content),
            pile("action discard", view["discard"], content),
            (f"objective deck ({view['objective_deck']})", "; ".join(filter(None, (listed, seen)))),
            pile("objective discard", view["objective_discard"], content)]
    return Text("\n".join(f"{name}: {held}".removesuffix(": ") for name, held in rows), style="dim")


def pile(name: str, cards: dict[str, int], content: Content) -> tuple[str, str]:
    """A pile with its size, and its cards by name."""
    held = ", ".join(card_name(content, card) if count == 1 else
                     f"{count} {card_name(content, card)}" for card, count in cards.items())
    return f"{name} ({sum(cards.values())})", held or "empty"
