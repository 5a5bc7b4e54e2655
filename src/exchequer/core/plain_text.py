"""A position as a short text: what a seat sees, what has changed, what is asked, numbered moves.

It serves the terminal's plain mode (`exchequer play --plain`), screen readers and agents, so it is
made of sentences and lists alone. A game writes its board in `plain.py`; otherwise it is read from
records, enums and content.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.reflection import reflected, view_of
from exchequer.core.words import counted

MOST_TOLD = 12  # lines of what has happened
Menu = Sequence[tuple[int, str]]


def position_text(position: Position, seat: int, since: int | None = None) -> str:
    """All that a seat needs for its next move. `since` is the first move it has not read of; by
    default it has read up to its own last one.
    """
    board = board_lines(position.game, position.observe(seat)[0], position.content, seat,
                        position.names)
    since = unread(position, seat) if since is None else since
    told = [line.text for line in position.story(seat, since=since)]
    if position.is_over:
        return written(board, told, position.outcome())
    if seat != position.actor:
        return written(board, told, f"{position.names[position.actor]} is to move.")
    return written(board, told, position.question, position.menu())


def unread(position: Position, seat: int) -> int:
    """The part of the log that tells the seat's own last move; 0 is the deal."""
    return max((move for move, mover in enumerate(position.actors, 1) if mover == seat), default=0)


def written(board: Iterable[str], told: Sequence[str], asked: str, menu: Menu = ()) -> str:
    """The parts of a text, each set off by an empty line."""
    left_out = len(told) - MOST_TOLD
    more = [f"({counted(left_out, 'earlier line')} left out)"] if left_out > 0 else []
    news = ["What has happened:", *more, *told[-MOST_TOLD:]] if told else []
    moves = [f"{number} {words}" for number, (_, words) in enumerate(menu, 1)]
    parts = (board, news, [asked, *moves])
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def board_lines(game: Game, observed: Any, content: Content, seat: int, names: Sequence[str]
                ) -> list[str]:
    """What a seat sees, by the game's own `plain.py` or as it can be said of any game."""
    if game.has_module("plain"):
        view = view_of(game, observed, content, seat)
        return list(game.module("plain").lines(view, content, names))
    return list(default_lines(reflected(game, observed, content, seat), names))


def named(view: Mapping[str, Any], names: Sequence[str], seat: int) -> str:
    """`Ann (you, to move)`."""
    notes = [note for note, holds in (("you", seat == view["seat"] != NOBODY),
                                      ("to move", seat == view["actor"])) if holds]
    name, said = names[seat], ", ".join(notes)
    if said and name.endswith(")"):  # Zoe (agent, you)
        return f"{name[:-1]}, {said})"
    return f"{name} ({said})" if said else name


# Any game ----------------------------------------------------------------------------------------

def default_lines(view: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """What lies on the table, then a line for each seat."""
    if shared := "; ".join(area_parts(view["shared"])):
        yield f"On the table: {shared}."
    for area in view["seats"]:
        said = "; ".join(area_parts(area)) or "nothing"
        yield f"{named(view, names, area['seat'])}: {said}."


def area_parts(area: Mapping[str, Any]) -> Iterator[str]:
    """The numbers of an area together, then each row of numbers and each pile."""
    if single := [f"{one['label']} {one['value']}" for one in area["numbers"] if "value" in one]:
        yield ", ".join(single)
    for row in area["numbers"]:
        if row.get("parts"):
            yield f"{row['label']}: " + ", ".join(f"{part['label']} {part['value']}"
                                                  for part in row["parts"])
    for pile in area["piles"]:
        yield pile_text(pile)


def pile_text(pile: Mapping[str, Any]) -> str:
    """`Hand 3: Mill, Farm, 1 face down`."""
    known = [card["name"] for card in pile["cards"] if card["card"] is not None]
    hidden = len(pile["cards"]) - len(known)
    shown = [*known, f"{hidden} face down"] if hidden else known
    return f"{pile['label']} {len(pile['cards'])}" + (f": {', '.join(shown)}" if shown else "")
