"""A seat's moves as its page lays them out: a list, a number field, the end of the turn, and what
cannot be done and why.

The end of a turn is the action whose text is `end`, `pass` or `stop`. A game's `browser.py` may say
what is left undone then (`unfinished`), and where a number is entered by several actions (`amount`
and `enter`; see Greement). Elsewhere many actions that differ by a number alone are entered as one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from exchequer.core.position import Position
from exchequer.table.foresight import Refusals, Refused

ENDS = ("end", "pass", "stop")
SHORT_MENU, FEW_REFUSED = 6, 5  # moves; of more the page tells what is refused when it is asked
MOST_NAMED = 3  # moves that cannot be made, by name
FEWEST_NUMBERS = 10  # actions from which on a number is typed instead of chosen


class Amount(NamedTuple):
    """A number that is asked for, its bounds, and the actions for which its field stands."""

    low: int
    high: int
    replaces: frozenset[int]
    unit: str = ""
    label: str = "Amount"
    verb: str = "Confirm"


@dataclass(frozen=True)
class Choices:
    """What somebody can do now, in words."""

    moves: list[tuple[int, str]] = field(default_factory=list)
    end: int | None = None
    end_words: str = ""
    unfinished: str = ""  # what one should know before ending the turn
    amount: Amount | None = None
    refused: list[Refused] = field(default_factory=list)

    @property
    def any(self) -> bool:
        return bool(self.moves or self.amount) or self.end is not None


def choices(position: Position, seat: int, menu: Sequence[tuple[int, str]], is_first: bool
            ) -> Choices:
    """The menu of the asked seat, laid out; `is_first`: it has done nothing yet in this turn."""
    if not menu:
        return Choices()
    words = dict(menu)
    observed = position.observe(seat)[0]
    amount = amount_asked(position, observed, words)
    end = turn_end(position, words)
    kept = [(action, text) for action, text in menu
            if action != end and not (amount and action in amount.replaces)]
    return Choices(kept, end, words.get(end, "") if end is not None else "",
                   unfinished(position, observed, [*words], end, is_first),
                   amount, missed(position, seat) if len(menu) <= SHORT_MENU else [])


def missed(position: Position, seat: int) -> list[Refused]:
    """In a short menu one misses what is not there, such as to accept."""
    return grouped(Refusals(position, seat).few(FEW_REFUSED))


def grouped(refused: Sequence[Refused]) -> list[Refused]:
    """What cannot be done now: moves that are refused for the same reason stand together."""
    reasons: dict[str, list[str]] = {}
    for one in refused:
        reasons.setdefault(one.sentence, []).append(one.words)
    return [Refused("", some(moves), sentence) for sentence, moves in reasons.items()]


def some(moves: Sequence[str]) -> str:
    rest = len(moves) - MOST_NAMED
    named = ", ".join(moves[:MOST_NAMED])
    return f"{named} and {rest} more" if rest > 0 else named


def turn_end(position: Position, words: Mapping[int, str]) -> int | None:
    text = position.game.words.TEXTS.text
    found = {text(action): action for action in words}
    return next((found[one] for one in ENDS if one in found), None)


def unfinished(position: Position, observed: Any, legal: Sequence[int], end: int | None,
               is_first: bool) -> str:
    """What is left undone when the turn ends now: the game says it, or that nothing was done."""
    if end is None or len(legal) < 2:
        return ""
    own = own_function(position, "unfinished")
    said = own(observed, position.content, legal) if own else ""
    is_turn = not own or position.game.words.TEXTS.text(end) == ENDS[0]
    return said or ("You have not done anything yet in this turn." if is_first and is_turn else "")


# Numbers -----------------------------------------------------------------------------------------

def amount_asked(position: Position, observed: Any, words: Mapping[int, str]) -> Amount | None:
    own = own_function(position, "amount")
    if own:
        found = own(observed, position.content, set(words))
        return Amount(*found) if found else None
    numbers = numbered(position, words)
    if len(numbers) < FEWEST_NUMBERS:
        return None
    label = position.game.words.TEXTS.text(next(iter(numbers.values()))).partition(":")[0]
    return Amount(min(numbers), max(numbers), frozenset(numbers.values()), "",
                  label.replace("-", " ").capitalize())


def numbered(position: Position, words: Mapping[int, str]) -> dict[int, int]:
    """The legal actions by number, where all of one kind form a row: `bid:0` to `bid:30`."""
    kinds: dict[str, dict[int, int]] = {}
    for action in words:
        kind, _, choice = position.game.words.TEXTS.text(action).partition(":")
        if choice.isdecimal() and choice in words[action]:
            kinds.setdefault(kind, {})[int(choice)] = action
    longest = max(kinds.values(), key=len, default={})
    is_row = longest and max(longest) - min(longest) == len(longest) - 1
    return longest if is_row else {}


def entering(position: Position, seat: int, number: int) -> list[int]:
    """The actions that enter a number."""
    words = {int(action): text for action, text in position.menu()}
    observed = position.observe(seat)[0]
    found = amount_asked(position, observed, words)
    if found is None or not found.low <= number <= found.high:
        return []
    own = own_function(position, "enter")
    return own(observed, number) if own else [numbered(position, words)[number]]


def own_function(position: Position, name: str) -> Any:
    game = position.game
    return getattr(game.module("browser"), name, None) if game.has_module("browser") else None
