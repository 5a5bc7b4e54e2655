"""What a game looks like that has not said so: its view made from records, enums and content.

A field of the state whose first dimension is the seats belongs to a seat, everything else to the
table. A number is labelled by its field, an entry of an array by the enum or content table of the
same length. A pile of the enum `Pile` that is repeated for every seat lies before that seat. Cards
have the names of the content table of their kinds (`kind_of`); hidden ones show their backs.

The view is plain data, made from an observation like every other view. The default screen in the
terminal and the default board in the browser are drawn from it.
"""

import contextlib
import enum
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.log import new_log
from exchequer.core.loops import LOG_ROOM
from exchequer.core.sentences import spoken
from exchequer.core.words import filled

if TYPE_CHECKING:
    from exchequer.core.position import Position

View = dict[str, Any]
OWN = {"rng", "seats", "winners", "ending", "card", "known", "face_up", "start",  # said otherwise
       "agenda", "todo", "agenda_fault", "agenda_fault_item"}


BOX = "BOX"  # a pile of this name holds what is not in play


def view_of(game: Game, observed: Any, content: Content, seat: int) -> View:
    """A game as a seat sees it, by the game's own `view.py` where it has one."""
    if game.has_module("view"):
        return game.module("view").view(observed, content, seat)
    return reflected(game, observed, content, seat)


def reflected(game: Game, observed: Any, content: Content, seat: int) -> View:
    """The default: what lies before each seat, and what lies between them."""
    seats = game.seats_in(observed)
    numbers, piles = list(numbers_of(game, observed)), list(piles_of(game, observed, content))

    def belonging(to: int | None) -> View:
        return {"numbers": [number.data for number in numbers if number.seat == to],
                "piles": [pile.data for pile in piles if pile.seat == to]}

    return {"seat": seat, "actor": int(game.function("actor")(observed)),
            "shared": belonging(None),
            "seats": [{"seat": each, **belonging(each)} for each in range(seats)]}


class Part(NamedTuple):
    """Something of the state, and the seat it belongs to; None: to the table."""

    seat: int | None
    data: View


# Numbers -----------------------------------------------------------------------------------------

def numbers_of(game: Game, s: Any) -> Iterator[Part]:
    """Every number of the state that somebody could want to read."""
    for name, array in fields_of(s):
        if array.ndim and len(array) == game.seats[1] > 1:
            for seat in range(game.seats_in(s)):
                yield Part(seat, number(game, name, array[seat], seat))
        else:
            yield Part(None, number(game, name, array, None))


def fields_of(s: Any, prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of a record, those of records inside it as `outer.inner`."""
    for name in s.dtype.names:
        if name in OWN or name.startswith("gap"):
            continue
        array = np.asarray(s[name])
        if array.dtype.names:
            yield from fields_of(array, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", array


def number(game: Game, name: str, value: np.ndarray, seat: int | None) -> View:
    """A counter, or a row of them: `{"label": "Gold", "value": 3}`, `{"parts": [...]}`."""
    data: View = {"key": name if seat is None else f"{name}.{seat}",
                  "label": spoken(name.rpartition(".")[2])}
    if value.ndim == 0:
        return data | {"value": member_or_number(game, name, int(value))}
    labels = labels_for(game, name, value.shape[-1])
    rows = value.reshape(-1, value.shape[-1])
    parts = [{"label": label if len(rows) == 1 else f"{row + 1}: {label}", "value": int(entry)}
             for row, entries in enumerate(rows)
             for label, entry in zip(labels, entries, strict=True) if entry]
    return data | {"parts": parts}


def member_or_number(game: Game, name: str, value: int) -> int | str:
    """A number, or the member of the enum that bears the field's name: `phase` is a `Phase`."""
    camel = name.rpartition(".")[2].title().replace("_", "")
    kind: Any = getattr(game.module("state"), camel, None)
    if isinstance(kind, enum.EnumMeta) and value in map(int, kind):
        return spoken(kind(value).name)
    return value


def labels_for(game: Game, name: str, length: int) -> list[str]:
    """What the entries of an array are called; counted where nothing has that many members."""
    kinds = [kind for kind in enums_of(game).values() if len(kind) == length]
    akin = [kind for kind in kinds if kind.__name__.lower()[:4] == name.rpartition(".")[2][:4]]
    found = akin or kinds
    if len(found) == 1 or akin:
        return [spoken(member.name) for member in found[0]]
    return [str(place + 1) for place in range(length)]


@functools.cache
def enums_of(game: Game) -> dict[str, Any]:
    """The enums that number things of the game from 0 on; not those of the machinery."""
    machinery = {"Ask", "Step", "Do", "Event", "Refusal", "Ending", "Fault", "Pile"}
    return {name: kind for name, kind in vars(game.module("state")).items()
            if isinstance(kind, enum.EnumMeta) and name not in machinery
            and list(map(int, kind)) == list(range(len(kind)))}


# Piles -------------------------------------------------------------------------------------------

class PileName(NamedTuple):
    """Which pile of the rack it is, what it is called, and before whom it lies."""

    pile: int
    label: str
    seat: int | None


def piles_of(game: Game, s: Any, content: Content) -> Iterator[Part]:
    if "card" not in s.dtype.names:
        return
    faces = card_faces(game, content)
    for name in pile_names(game, len(s.start) - 1):
        places = range(int(s.start[name.pile]), int(s.start[name.pile + 1]))
        cards = [{"place": place, **shown(int(s.card[place]), faces)} for place in places]
        yield Part(name.seat, {"key": f"pile{name.pile}", "label": name.label, "cards": cards})


def shown(card: int, faces: Sequence[View]) -> View:
    """A card's face; of a hidden one the back, which is `-1 - back` in an observation."""
    return {"card": card, **faces[card]} if card >= 0 else {"card": None, "back": -1 - card}


def pile_names(game: Game, count: int) -> Iterator[PileName]:
    """All piles of the rack. A member of `Pile` stands for those up to the next member."""
    kind: Any = getattr(game.module("state"), "Pile", None)
    members: list[Any] = sorted(kind, key=int) if isinstance(kind, enum.EnumMeta) else []
    ends = [*map(int, members[1:]), count]
    if not members:
        yield from (PileName(pile, f"Pile {pile + 1}", None) for pile in range(count))
    for member, end in zip(members, ends, strict=bool(members)):
        if member.name == BOX:
            continue
        label, size = spoken(member.name), end - int(member)
        for place in range(size):
            is_seats = size == game.seats[1] > 1
            counted = label if size == 1 or is_seats else f"{label} {place + 1}"
            yield PileName(int(member) + place, counted, place if is_seats else None)


def card_faces(game: Game, content: Content) -> list[View]:
    """What stands on each card: its name, and from the content its text and numbers."""
    cards = game.state["card"].shape[0]
    has_copies = "kind_of" in content.record.dtype.names
    kinds = content.record.kind_of.tolist() if has_copies else list(range(cards))
    table = table_of(game, max(kinds) + 1)
    if table is None:
        return [{"kind": kind, "name": f"Card {kind + 1}", "tip": "", "text": "", "facts": []}
                for kind in kinds]
    faces = [face(content, table, member.name.lower())
             for member in game.schema.tables[table].members]
    return [{"kind": kind, **faces[kind]} for kind in kinds]


def table_of(game: Game, kinds: int) -> str | None:
    """The content table that says how many copies there are, or has as many entries."""
    fitting = [name for name, table in game.schema.tables.items() if "copies" in table.fields]
    fitting += [name for name, table in game.schema.tables.items() if len(table.members) == kinds]
    return fitting[0] if fitting else None


def face(content: Content, table: str, key: str) -> View:
    words: Mapping[str, Any] = content.words[table][key]
    facts = [[spoken(name), value] for name, value in words.items()
             if isinstance(value, int) and not isinstance(value, bool) and name != "copies"]
    return {"name": words.get("name", spoken(key)), "tip": f"{table}.{key}",
            "text": filled(content, words, words.get("text", "")), "facts": facts}


# Where actions are done --------------------------------------------------------------------------

def spots(game: Game, observed: Any, content: Content, legal: Sequence[int]
          ) -> dict[str, list[int]]:
    """The cards that can be clicked: an action is done at the one known card that it moves.

    Each is tried on a copy of a world that the seat cannot tell from the true one.
    """
    if "card" not in observed.dtype.names:
        return {}
    found: dict[str, list[int]] = {}
    engine, seat = game.engine(Mode.PYTHON), int(game.function("actor")(observed))
    worlds = np.zeros(2, game.state)
    worlds[1] = observed
    engine.determinize(worlds[1], content.record, seat, 0)
    for action in legal:
        worlds[0] = worlds[1]
        moved = []
        with contextlib.suppress(ArithmeticError, LookupError, TypeError, AttributeError):
            # a rule that fails is told when it is played; here it only has no place
            engine.apply(worlds[0], content.record, int(action), new_log(LOG_ROOM))
            moved = moved_cards(game, observed, worlds[0], seat)
        if len(moved) == 1:
            found.setdefault(f"card-{moved[0]}", []).append(int(action))
    return found


def moved_cards(game: Game, before: Any, after: Any, seat: int) -> list[int]:
    """Cards the seat knew that lie in another pile now: its own, else those of the table."""
    now = {int(card): pile for pile, card in lying(after)}
    moved = [(pile, card) for pile, card in lying(before) if card >= 0 and now[card] != pile]
    owner = {name.pile: name.seat for name in pile_names(game, len(before.start) - 1)}
    own = [card for pile, card in moved if owner.get(pile) == seat]
    return own or [card for pile, card in moved if owner.get(pile) is None]


def lying(s: Any) -> Iterator[tuple[int, int]]:
    """Every card with its pile."""
    for pile in range(len(s.start) - 1):
        for place in range(int(s.start[pile]), int(s.start[pile + 1])):
            yield pile, int(s.card[place])


# What changed ------------------------------------------------------------------------------------

def last_look(position: "Position", seat: int) -> bytes:
    """What a seat saw right after its last move; nothing if it has made none."""
    for moves in range(len(position.actions) - 1, -1, -1):
        if position.at(moves).actor == seat:
            return position.at(moves + 1).observe(seat).tobytes()
    return b""


def changes(before: View, now: View) -> dict[str, Any]:
    """What is not as it was: numbers by key with the difference, cards that came to a pile."""
    old, found = dict(entries(before)), {}
    for key, value in entries(now):
        was = old.get(key, 0)
        if value != was:
            is_count = type(value) is type(was) is int
            found[key] = f"{value - was:+d}".replace("-", "\N{MINUS SIGN}") if is_count else "new"
    return found


def entries(view: View) -> Iterator[tuple[str, Any]]:
    for area in (view["shared"], *view["seats"]):
        for one in area["numbers"]:
            if "value" in one:
                yield one["key"], one["value"]
            for part in one.get("parts", ()):
                yield f"{one['key']}/{part['label']}", part["value"]
        for pile in area["piles"]:
            yield f"{pile['key']}/size", len(pile["cards"])
            for card in pile["cards"]:
                if card["card"] is not None:
                    yield f"{pile['key']}/{card['card']}", True
