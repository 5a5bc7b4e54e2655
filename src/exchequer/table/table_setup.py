"""New tables as people ask for them, in a form or in JSON, checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from exchequer.bots.policies import LEVELS, policy_for
from exchequer.core.content import Choice, Content, Number, Switch
from exchequer.core.errors import InputError
from exchequer.core.find import find_game, game_names
from exchequer.core.game import Game
from exchequer.core.sentences import listed
from exchequer.table.clocks import (
    LONGEST,
    SHORTEST,
    Clock,
    chosen_clock,
    rules_among_people,
    rules_for_people,
    turn_seconds,
)
from exchequer.table.history import AGENT, Seat
from exchequer.table.names import NAME_LENGTH, clean_text, unique_name
from exchequer.table.refusals import BadInput, TableRefusal

ME, FRIEND, HOT_SEAT, FOR_AGENT = "me", "friend", "hotseat", "agent"
SEARCHING = tuple(LEVELS)  # bots that want machine code
LEVEL_NAMES = ("random", "greedy", *SEARCHING)  # the bots that a table seats
NAMES = ("Ada", "Bede", "Cleo", "Dov", "Edda", "Finn")  # bots' names by seat
MOST_SEATS = 12


@dataclass(frozen=True)
class TableSetup:
    """A new table."""

    game: Game
    content: Content
    seats: list[Seat]
    clock: Clock = field(default_factory=Clock)
    seed: int | None = None
    listed: bool = True
    lesson: bool = False
    private_talk: bool = False  # two players may talk without the others reading it

    def __post_init__(self) -> None:
        self.game.seats_for(len(self.seats))


def bot_seat(number: int, bot: str) -> Seat:
    """A bot's seat. Only levels are seated: what they cost is known."""
    if bot not in LEVEL_NAMES:
        raise BadInput(f'A web table seats named bots only: {", ".join(LEVEL_NAMES)}; '
                       f'"{bot[:20]}" is no bot among these.')
    return Seat(None, bot, f"{NAMES[number % len(NAMES)]} ({bot})")


def table_setup(game_name: str, seats: Sequence[str], visitor: str, name: str, *,
                variant: str = "", settings: Mapping[str, Any] | None = None, clock: str = "",
                clock_amount: int = 0, seed: int | None = None, listed: bool = True,
                private_talk: bool = False, agents: Seat = AGENT,
                names: Mapping[int, str] | None = None) -> TableSetup:
    """Check what was asked for and say in a sentence what cannot be."""
    try:
        game = game_here(game_name)
        own = people_rules(game, variant, seats, settings or {}, clock)
        content = content_for(game, variant, {**own, **(settings or {})})
        if seed is not None and not 0 <= seed < 2**63:
            raise BadInput(f"A seed is a number from 0 to 2^63 - 1, not {seed}.")
        return TableSetup(game, content, seats_for(seats, visitor, name, agents, names or {}),
                          clock_for(game, clock, clock_amount), seed, listed,
                          private_talk=private_talk)
    except TableRefusal:
        raise
    except InputError as error:
        raise BadInput(str(error)) from None


def game_here(name: str) -> Game:
    """By its name alone: a path would have the server read, and run, a folder of somebody's choice.
    """
    if name not in game_names():
        raise BadInput(f'There is no game "{name}" here; there are {", ".join(game_names())}.')
    return find_game(name)


def people_rules(game: Game, variant: str, seats: Sequence[str], settings: Mapping[str, Any],
                 clock: str) -> dict[str, Any]:
    """What people play by: the limits of bots are none of theirs, and an evening has an end."""
    people = [kind for kind in seats if kind in (ME, FRIEND, HOT_SEAT)]
    if not people:
        return {}
    chosen = {*settings, *(game.variant(variant).overlay.get("rules", {})
                           if variant in game.variants else {})}
    is_evening = len(people) > 1 and clock != "days"
    return rules_for_people(game) | (rules_among_people(game, chosen) if is_evening else {})


def content_for(game: Game, variant: str, settings: Mapping[str, Any]) -> Content:
    if variant and variant not in game.variants:
        raise BadInput(f'{game.title} has no variant "{variant[:40]}".')
    changed = {key: value for key, value in settings.items()
               if key not in game.text["rules"] or value != game.text["rules"][key]}
    content = game.variant(variant or None, {"rules": changed} if changed else {})
    return game.content(content.overlay)


def clock_for(game: Game, kind: str, amount: int) -> Clock:
    """The game's own clock where its rules ask for one and nothing else was chosen."""
    if not kind:
        kind = "rules" if turn_seconds(game, game.content()) else "none"
    return chosen_clock(game, kind, amount)


def agent_seat(seconds: int, fallback: str) -> Seat:
    """A free seat for an agent, who has so long for a move."""
    if not SHORTEST <= seconds <= LONGEST:
        raise BadInput(f"An agent may have {SHORTEST} to {LONGEST} seconds for a move, not "
                       f"{seconds}.")
    return replace(AGENT, seconds=seconds, fallback=bot_seat(0, fallback).bot or "")


def seats_for(kinds: Sequence[str], visitor: str, name: str, agents: Seat,
              names: Mapping[int, str]) -> list[Seat]:
    """`names` are of people who share the visitor's screen, by seat."""
    if len(kinds) > MOST_SEATS:
        raise BadInput("No game has that many seats.")
    own = [number for number, kind in enumerate(kinds) if kind in (ME, HOT_SEAT)]
    seats: list[Seat] = []
    for number, kind in enumerate(kinds):
        if number in own:
            shown = name if len(own) == 1 else f"{name} {own.index(number) + 1}"
            if kind == HOT_SEAT and names.get(number, "").strip():
                shown = clean_text(names[number], NAME_LENGTH, "A name")
            taken = [seat.name for seat in seats if seat.name]
            seats.append(Seat(visitor, None, unique_name(shown, taken)))
        elif kind == FRIEND:
            seats.append(Seat())
        elif kind == FOR_AGENT:
            seats.append(agents)
        else:
            seats.append(bot_seat(number, kind))
    return seats


def switches(game: Game, content: Content | None = None) -> list[dict[str, Any]]:
    """Every single value of the content with its explanation, for the form."""
    about, values = game.text.get("about", {}), game.text["rules"]
    now = content.overlay.get("rules", {}) if content else {}
    rows = []
    for key, kind in game.schema.rules.items():
        row = {"key": key, "about": about.get(key, ""), "value": now.get(key, values.get(key))}
        if isinstance(kind, Switch):
            rows.append(row | {"kind": "switch"})
        elif isinstance(kind, Choice):
            rows.append(row | {"kind": "choice", "choices": list(kind.names)})
        elif isinstance(kind, Number):
            rows.append(row | {"kind": "number", "low": kind.low, "high": kind.high})
    return rows


def settings_from(game: Game, form: Mapping[str, str]) -> dict[str, Any]:
    """The switches of a form as content: only what differs from the rulebook."""
    found: dict[str, Any] = {}
    for row in switches(game):
        text = form.get(f"set.{row['key']}")
        if text is None or text == "":
            continue
        if row["kind"] == "switch":
            value: Any = text == "yes"
        elif row["kind"] == "number":
            value = whole_number(text, row["key"])
        else:
            value = text
        if value != row["value"]:
            found[row["key"]] = value
    return found


def training(game: Game, content: Content) -> str:
    """For what a master was trained, so that nobody expects it elsewhere."""
    fewest, most = game.seats
    suits = [str(seats) for seats in range(fewest, most + 1)
             if policy_for(game, content.hash, seats, "master")[1] is not None]
    if not suits:
        return "Master was not trained for these rules."
    if len(suits) == most - fewest + 1:
        return ("Master was trained for these rules. With changed house rules it plays without "
                "what it learned.")
    return (f"Master was trained for these rules with {listed(suits)} players. With more or fewer, "
            "or with changed house rules, it plays without what it learned.")


def whole_number(text: str, what: str) -> int:
    try:
        return int(text[:30])
    except ValueError:
        raise BadInput(f"{what} must be a whole number, not {text[:30]!r}.") from None
