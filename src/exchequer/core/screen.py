"""The default screen in the terminal: what `core.reflection` sees, as panels for Rich."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.reflection import reflected, view_of
from exchequer.core.story import Line, Tone

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

COLOURS = ("red", "blue", "green", "magenta", "yellow", "cyan")
TONES = {Tone.PLAIN: "", Tone.ROUTINE: "dim", Tone.IMPORTANT: "bold"}
MOST_BACKS = 7  # more hidden cards than these are counted instead of drawn


def screen_of(game: Game, observed: Any, content: Content, seat: int, names: Sequence[str]
              ) -> "RenderableType":
    """By the game's own `terminal.py`, or what can be drawn of any game."""
    if game.has_module("terminal"):
        view = view_of(game, observed, content, seat)
        return game.module("terminal").screen(view, content, names)
    return default_screen(reflected(game, observed, content, seat), names)


def default_screen(view: dict[str, Any], names: Sequence[str]) -> "RenderableType":
    """What lies on the table, then a panel for each seat; the viewer's own comes last."""
    from rich.console import Group
    from rich.panel import Panel

    order = sorted(view["seats"], key=lambda area: area["seat"] == view["seat"])
    panels = [seat_panel(area, view, names) for area in order]
    shared = list(lines(view["shared"]))
    table = [Panel(Group(*shared), title="on the table", title_align="left")] if shared else []
    return Group(*table, *panels)


def seat_panel(area: dict[str, Any], view: dict[str, Any], names: Sequence[str]
               ) -> "RenderableType":
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    seat, acts = area["seat"], area["seat"] == view["actor"]
    title = Text(names[seat], style=f"bold {COLOURS[seat % len(COLOURS)]}")
    title.append(" (you)" if seat == view["seat"] else "", "dim")
    title.append(" to move" if acts else "", "bold")
    return Panel(Group(*lines(area)), title=title, title_align="left",
                 border_style=COLOURS[seat % len(COLOURS)] if acts else "dim")


def lines(area: dict[str, Any]) -> Iterator["Text"]:
    """The numbers of an area on one line, rows of numbers and piles on one each."""
    from rich.text import Text

    single = Text("   ").join(number_text(one) for one in area["numbers"] if "value" in one)
    if single:
        yield single
    for row in area["numbers"]:
        if row.get("parts"):
            yield Text.assemble((f"{row['label']}: ", "dim"), ", ".join(
                f"{part['label']} {part['value']}" for part in row["parts"]))
    for pile in area["piles"]:
        yield pile_text(pile)


def story_text(lines: Sequence[Line]) -> "Text":
    """The log: turns under the colour of who has them, routine dim, the important bold."""
    from rich.text import Text

    text = Text()
    for tone, seat, words in lines:
        if tone is Tone.HEADING:
            colour = COLOURS[seat % len(COLOURS)] if seat >= 0 else ""
            text.append(f"■ {words}\n", f"bold {colour}".strip())
        else:
            text.append(f"  {words}\n", TONES[tone])
    text.rstrip()
    return text


def number_text(one: dict[str, Any]) -> "Text":
    from rich.text import Text

    return Text.assemble((f"{one['label']} ", "dim"), (str(one["value"]), "bold"))


def pile_text(pile: dict[str, Any]) -> "Text":
    from rich.text import Text

    text = Text.assemble((f"{pile['label']} ", "dim"), (f"{len(pile['cards'])}", "bold"))
    hidden = sum(card["card"] is None for card in pile["cards"])
    for card in pile["cards"]:
        if card["card"] is not None:
            text.append(f"  [{card['name']}]", "bold")
    if hidden:
        text.append("  " + ("▒ " * hidden if hidden <= MOST_BACKS else f"▒ x {hidden}"), "dim")
    return text
