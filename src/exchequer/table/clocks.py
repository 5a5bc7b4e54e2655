"""Clocks: how long a person may think, and what the table does when time is over.

What is particular to a game stands in its `clock.py`: DEFAULTS (actions the table takes, the best
first), NEVER (actions it does not take), SENTENCE (the same for people), turn_seconds and turn (a
clock the rules themselves ask for), BELL, bell_after and FOR_BOTS (an action that only the clock
takes, when, and what bots play by instead), FOR_PEOPLE (limits that are none of theirs),
AMONG_PEOPLE (where two or more of them sit), LENGTH (the minutes they are asked for) and ENDS (keys
that speak against it when somebody changes them).
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.table.refusals import BadInput

DAY = 86_400
SHORTEST, LONGEST = 5, 3600  # seconds for a move
MOST_DAYS = 14


@dataclass(frozen=True)
class Clock:
    """`none`, `move` (seconds for each), `days` (for each move), or `rules`: as the game says."""

    kind: str = "none"
    amount: int = 0

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    def seconds(self, game: Game, content: Content) -> float | None:
        if self.kind == "rules":
            return turn_seconds(game, content)
        return {"none": None, "move": float(self.amount), "days": self.amount * DAY}[self.kind]

    def sentence(self, game: Game, content: Content) -> str:
        """What the people at the table are told."""
        if self.kind == "none":
            return "No clock."
        much = {"move": f"{self.amount} seconds per move.",
                "days": f"{self.amount} day{'s' if self.amount > 1 else ''} per move.",
                "rules": f"{turn_seconds(game, content)} seconds per turn."}[self.kind]
        return f"{much} When time runs out, {timeout_sentence(game)}."


def chosen_clock(game: Game, kind: str, amount: int) -> Clock:
    """A clock as somebody asked for it."""
    if kind == "rules" and turn_seconds(game, game.content()) is None:
        raise BadInput(f"The rules of {game.title} name no clock; choose none, move or days.")
    if kind in ("none", "rules"):
        return Clock(kind)
    low, high = (SHORTEST, LONGEST) if kind == "move" else (1, MOST_DAYS)
    if kind not in ("move", "days"):
        raise BadInput(f'There is no clock "{kind[:20]}"; there are none, move, days and rules.')
    if not low <= amount <= high:
        unit = "seconds" if kind == "move" else "days"
        raise BadInput(f"A move may take {low} to {high} {unit}, not {amount}.")
    return Clock(kind, amount)


# What a game's clock.py says ---------------------------------------------------------------------

def module_of(game: Game) -> Any:
    return game.module("clock") if game.has_module("clock") else None


def setting(game: Game, name: str, default: Any) -> Any:
    return getattr(module_of(game), name, default)


def timeout_sentence(game: Game) -> str:
    """What the table does for somebody whose time is over."""
    return setting(game, "SENTENCE", "the first move is made")


def turn_seconds(game: Game, content: Content) -> int | None:
    asks = setting(game, "turn_seconds", None)
    return asks(content) if asks else None


def turn_of(game: Game, clock: Clock, s: Any, moves: int) -> Any:
    """What the seconds are counted for: they begin anew when this changes."""
    names = setting(game, "turn", None)
    return names(s) if names and clock.kind == "rules" else moves


def bell_after(game: Game, s: Any, content: Content) -> int | None:
    """Seconds from the start until the game's own bell; a secret of the table."""
    asks = setting(game, "bell_after", None)
    return asks(s, content) if asks else None


def hidden_action(game: Game) -> int | None:
    """An action that is the clock's alone."""
    return setting(game, "BELL", None)


def content_for_bots(game: Game, content: Content) -> Content:
    people = rules_for_people(game)
    changes = {key: value for key, value in setting(game, "FOR_BOTS", {}).items()
               if key not in people or content.value(key) == people[key]}
    if not changes:
        return content
    rules = {**content.overlay.get("rules", {}), **changes}
    return game.content({**content.overlay, "rules": rules})


def rules_for_people(game: Game) -> dict[str, Any]:
    """What is otherwise where people sit, unless somebody asks for it."""
    return dict(setting(game, "FOR_PEOPLE", {}))


def rules_among_people(game: Game, chosen: Collection[str]) -> dict[str, Any]:
    """What is otherwise where two or more people play in one sitting, unless what was chosen
    speaks against it.
    """
    return {} if set(setting(game, "ENDS", ())) & set(chosen) \
        else dict(setting(game, "AMONG_PEOPLE", {}))


def length_key(game: Game) -> str:
    """The key of the minutes that people are asked for; empty in most games."""
    return setting(game, "LENGTH", "")


def default_move(game: Game, legal: Sequence[int]) -> int:
    """What the table answers for somebody whose time is over."""
    text = game.words.TEXTS.text
    by_text = {text(action): action for action in legal}
    for wanted in setting(game, "DEFAULTS", ()):
        if wanted in by_text:
            return by_text[wanted]
    allowed = [action for action in legal
               if text(action) not in setting(game, "NEVER", ())
               and action != hidden_action(game)]
    return (allowed or legal)[0]
