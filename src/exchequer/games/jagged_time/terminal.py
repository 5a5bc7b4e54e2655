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
from exchequer.games.jagged_time.words import phrase, phrases

COLOURS = {"might": "red", "stability": "blue", "influence": "yellow", "food": "green",
           "trade": "magenta"}
CARD_WIDTH = 38


def screen(view: dict[str, Any], content: Content, names: Sequence[str]) -> Group:
    cards = [agenda_panel(card, content, f"slot {card['place'] + 1}") for card in view["agenda"]]
    cards.append(agenda_panel(view["milestone"], content, milestone_title(view["milestone"])))
    return Group(headline(view, names), banks(view), Columns(cards), hand(view, content),
                 piles(view))


def headline(view: dict[str, Any], names: Sequence[str]) -> Text:
    text = Text(f"Turn {view['turn']} of {view['turns']}, {view['phase']} phase", style="bold")
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
    words = card["words"]
    lines = [f"[bold]{escape(card['name'])}[/] [dim]{card['id']}[/]", *counters(card)]
    for option in words.get("options", []):
        lines.append(f"• {escape(option['name'])}: [cyan]{escape(price(content, option))}[/] → "
                     f"{escape(phrases(content, option.get('effect', option.get('full', []))))}")
    if track := words.get("track"):
        lines.append(f"• a step: [cyan]{amounts(content, track['pay'])}[/]")
        lines.append(f"[green]won:[/] {escape(phrases(content, track['victory']))}")
        lines.append(f"[red]lost:[/] {escape(phrases(content, track['defeat']))}")
    if upkeep := words.get("upkeep"):
        lines.append(f"each turn: {escape(phrases(content, upkeep['effect']))}")
    if timer := words.get("timer"):
        lines.append(f"[red]time out:[/] {escape(phrases(content, timer['effect']))}")
    return Panel("\n".join(lines), title=title, width=CARD_WIDTH, border_style=border(card))


def counters(card: dict[str, Any]) -> list[str]:
    """Timer, marker and progress as strips."""
    lines = []
    if timer := card.get("timer"):
        paused = " paused" if timer["paused"] else ""
        lines.append(f"timer {'⧗' * timer['at']}[dim]{'·' * (timer['size'] - timer['at'])}[/]"
                     f"{paused}")
    if track := card.get("track"):
        strip = "".join("[bold reverse]●[/]" if at == track["at"] else "─"
                        for at in range(track["size"] + 1))
        lines.append(f"track [red]✗[/]{strip}[green]✓[/]")
    for part in card["progress"]:
        left = "◇" * (part["size"] - part["at"])
        lines.append(f"option {part['option']} {'◆' * part['at']}[dim]{left}[/]")
    if upkeep := card.get("upkeep"):
        lines.append(f"given {upkeep['at']} of {upkeep['size']} times")
    return lines


def border(card: dict[str, Any]) -> str:
    """Red where the clocks strike this turn."""
    ends = card.get("timer", {"at": 2, "paused": False})
    strikes = (ends["at"] == 1 and not ends["paused"]) or card.get("track", {"at": 2})["at"] == 1
    return "red" if strikes else "yellow" if card["words"].get("crisis") else "green"


def amounts(content: Content, price: dict[str, Any]) -> str:
    rules = content.words["rules"]
    return " and ".join(f"{rules.get(amount, amount)} {name}" for name, amount in price.items()) \
        or "nothing"


def price(content: Content, option: dict[str, Any]) -> str:
    if "need" in option:
        return " and ".join(phrase(content, need) for need in option["need"])
    if "pay_effect" in option:
        return phrases(content, option["pay_effect"])
    if per := option.get("spend_per"):
        return f"{per['stability']} stability for {per['per_controlled_cards']} cards"
    if "advance" in option:
        return f"{amounts(content, option['advance'])}, {option['clock']} times"
    return amounts(content, option["spend"])


def hand(view: dict[str, Any], content: Content) -> Panel:
    table = Table(box=None, padding=(0, 1))
    for title in ("card", "cost", "effect", "if retained"):
        table.add_column(title, header_style="dim")
    for card in view["hand"]:
        cost = " or ".join(amounts(content, one) for one in card.get("cost", [])) or "free"
        table.add_row(f"[bold]{escape(card['name'])}[/] [dim]{card['id']}[/]", cost,
                      escape(play_text(card, content)),
                      escape(phrases(content, card.get("retained", [])))
                      if card.get("retained") else "")
    draw = view["draw"]
    promised = f" {draw['next']:+}" if draw["next"] else ""
    return Panel(table, title=f"hand ({len(view['hand'])})",
                 subtitle=f"next draw {draw['limit']}{promised}", border_style="cyan")


def play_text(card: dict[str, Any], content: Content) -> str:
    if province := card.get("province"):
        return (f"{' + '.join(province['sum'])} ≥ {province['at_least']}: "
                f"{phrases(content, province['then'])}; else {phrases(content, province['else'])}")
    return phrases(content, card.get("effect", []))


def piles(view: dict[str, Any]) -> Text:
    """What the piles hold, and the clocks that belong to names."""
    clocks = ", ".join(f"{clock['name']} {clock['at']}/{clock['size']}" for clock in view["clocks"])
    known = ", ".join(f"{card['id']} at {card['depth']}" for card in view["known_objectives"])
    counts = f": {listed(view['objective_counts'])}" if view["objective_counts"] else ""
    lines = [f"clocks: {clocks}",
             f"action deck {sum(view['deck'].values())}: {listed(view['deck'])}   "
             f"discard: {listed(view['discard'])}",
             f"objective deck {view['objective_deck']}{counts}"
             + (f" (seen: {known})" if known else "")
             + f"   discard: {listed(view['objective_discard'])}"]
    return Text("\n".join(lines), style="dim")


def listed(cards: dict[str, int]) -> str:
    return ", ".join(card if count == 1 else f"{count} {card}" for card, count in cards.items()) \
        or "empty"
