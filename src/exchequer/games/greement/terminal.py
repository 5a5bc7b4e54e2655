"""Greement in the terminal: the board, the table of values, the players, the open cards."""

from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from exchequer.core.content import Content
from exchequer.games.greement.state import Promise
from exchequer.games.greement.texts import thing
from exchequer.games.greement.words import COMMITMENTS, TAXED

SIDE = 10
OWNERS = ["green", "red", "blue", "magenta", "cyan", "yellow"]
LETTERS = {"brown": "·", "crop": "c", "cattle": "C", "mine": "$", "lake": "~", "mountain": "^",
           "hidden": "?"}
COLOURS = {"lake": "bold blue", "mountain": "bold white", "mine": "yellow", "hidden": "dim"}
LEGEND = "· land  c crop  C cattle  $ mine  ~ lake  ^ mountain; colours are owners"


def screen(view: dict[str, Any], content: Content, names: Sequence[str]) -> Group:
    """The position at a glance."""
    left = Panel(board(view), title=heading(view), border_style="dim")
    return Group(Columns([left, Group(players(view, names), values(view, content))]),
                 Text(LEGEND, style="dim"), *cards(view, content), *talk(view, names))


def heading(view: dict[str, Any]) -> str:
    last = f" of {view['last_round']}" if view["last_round"] else ""
    return f"Round {view['round']}{last}"


def board(view: dict[str, Any]) -> Text:
    """Ten rows of squares; an owned one stands on its owner's colour."""
    text = Text("   " + "".join(f"{column + 1:>3}" for column in range(SIDE)) + "\n")
    for row in range(SIDE):
        text.append(f" {chr(ord('A') + row)} ")
        for square in view["squares"][row * SIDE : (row + 1) * SIDE]:
            style = COLOURS.get(square["use"], "")
            if square["owner"] is not None:
                style = f"bold black on {OWNERS[square['owner']]}"
            mark = "*" if square["start_of"] and square["owner"] is None else " "
            text.append(f"{mark}", style="bold")
            text.append(f"{LETTERS[square['use']]} ", style=style)
        text.append("\n")
    return text


def players(view: dict[str, Any], names: Sequence[str]) -> Table:
    """One line for each seat; what may not be known is a dash."""
    table = Table(box=None, padding=(0, 1))
    for title in ("", "cash", "debt", "squares", "worth", "profit", "pledged", "vote"):
        table.add_column(title, justify="right" if title else "left")
    for seat, player in enumerate(view["players"]):
        sign = ">" if seat == view["actor"] else " "
        first = " (first)" if seat == view["first_player"] else ""
        table.add_row(Text(f"{sign} {names[seat]}{first}", style=OWNERS[seat]),
                      money(player["cash"]), money(player["debt"]), str(player["squares"]),
                      money(player["worth"]), money(player["profit"]),
                      money(player["pledged"]) if player["pledged"] else "",
                      "sealed" if player["voted"] else "")
    return table


def money(amount: int | None) -> str:
    return "-" if amount is None else f"{amount:,}c"


def values(view: dict[str, Any], content: Content) -> Table:
    """The table of values in two columns."""
    table = Table(box=None, padding=(0, 1), title="Table of values", title_style="bold")
    for justify in ("left", "right") * 2:
        table.add_column(justify=justify)
    cells = [(content.words["value"][key]["name"],
              f"x{number}" if key in ("lake", "mountain", "loan") else f"{number}c")
             for key, number in view["table"].items()]
    cells += [("", "")] * (len(cells) % 2)
    for left, right in zip(cells[::2], cells[1::2], strict=True):
        table.add_row(*left, *right)
    return table


def cards(view: dict[str, Any], content: Content) -> list[Text]:
    """The cards of this event phase."""
    lines = []
    for card in view["row"]:
        if card["kind"]:
            name, text, _ = thing(content, "event", card["kind"])
            lines.append(Text(f"{name} ({card['fate']}): {text}",
                              style="bold" if card["fate"] == "open" else "dim"))
    if view["missing"]:
        lines.append(Text(f"{money(view['missing']['missing'])} of "
                          f"{money(view['missing']['price'])} are missing to avert it"))
    return lines


def talk(view: dict[str, Any], names: Sequence[str]) -> list[Text]:
    """The offer on the table and the promises that stand."""
    lines = []
    if offer := view["offer"]:
        what = "a gift" if offer["gift"] else "a trade"
        terms = f": {' '.join(offer['squares']).upper()} {money(offer['price'])}" \
            if "price" in offer else ""
        if offer.get("tax"):
            terms += f", {TAXED[offer['taxed']]} the tax of {money(offer['tax'])}"
        lines.append(Text(f"{names[offer['from']]} offers {names[offer['to']]} {what}{terms}"))
    for promise in view["promises"]:
        what = COMMITMENTS[Promise[promise["what"].upper()]]
        lines.append(Text(f"{names[promise['from']]} has promised {names[promise['to']]} {what}",
                          style="dim"))
    return lines
